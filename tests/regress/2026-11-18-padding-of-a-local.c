/* Padding of a local that became values counted as written.
 *
 * run:
 * verdict: complete
 * finding: uninitialised 2 */
#include <heddle.h>
#include <string.h>

union both {
    struct {
        char c;
        int i;
    } s;
    char byte[8];
};

int main(void) {
    union both u;
    int n = 0;
    u.s.c = 1;
    u.s.i = 2;
    if (u.byte[4] + u.byte[0] != 3)
        return 1;
    if (u.byte[1]) // BUG uninitialised
        n++;
    if (u.byte[3] == 7) // BUG uninitialised
        n++;
    memset(&u, 0, sizeof u);
    return u.byte[2] || n > 2;
}
