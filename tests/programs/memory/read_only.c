/* A write into a string literal.
 *
 * run:
 * finding: read-only 1 */
#include <heddle.h>

int main(void) {
    int x;
    char *s = "constant";
    heddle_input(x);
    if (x == 3)
        s[0] = 'k'; // BUG read-only
    return 0;
}
