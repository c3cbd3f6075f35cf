/* --stop-at-first stops at the first of many.
 *
 * run: --stop-at-first
 * verdict: incomplete
 * finding: assertion 1
 * exit: 1
 *
 * run:
 * verdict: complete
 * paths: 6
 * finding: assertion 3 */
#include <heddle.h>

int main(void) {
    int x;
    heddle_input(x);
    if (x < 10)
        heddle_assert(x != 5);
    else if (x < 20)
        heddle_assert(x != 15);
    else
        heddle_assert(x != 25);
    return 0;
}
