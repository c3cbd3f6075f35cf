/* Beyond CUTE (paper 002, 4.1.6): two input pointers may point to one object although no branch of the
 * program compares them.
 *
 * Four paths: p NULL; q NULL; two objects; one object.
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: same 1 */
#include <heddle.h>

int main(void) {
    int *p, *q;
    heddle_input(p);
    heddle_input(q);
    if (!p)
        return 0;
    if (!q)
        return 0;
    *p = 0;
    *q = 1;
    if (*p == 1) {
        heddle_reach("same");
        heddle_assert(p == q);
    }
    return 0;
}
