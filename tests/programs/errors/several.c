/* Several bugs of several kinds in one program: the search goes on after each, and the same
 * bug on two paths is one finding.
 *
 * Paths: x <= 0, x < 100; y > 5 or not with x == 100 or not; y == 3.
 *
 * run:
 * verdict: complete
 * paths: 7
 * finding: assertion 2
 * finding: division-by-zero 1 */
#include <heddle.h>

static void positive(int v) {
    heddle_assert(v > 0); // BUG assertion
}

int main(void) {
    int x, y;
    heddle_input(x);
    heddle_input(y);
    if (x < 100) {
        positive(x);
        return 0;
    }
    if (y > 5)
        positive(y);
    else
        heddle_assert(y != 3); // BUG assertion
    return 100 % (x - 100) == 1; // BUG division-by-zero
}
