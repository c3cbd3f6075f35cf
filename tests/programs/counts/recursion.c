/* Recursion as deep as the input says: 0 to 6 calls, 7 paths; the sum is right on each.
 *
 * run:
 * verdict: complete
 * paths: 7 */
#include <heddle.h>

static unsigned sum(unsigned n) {
    if (n == 0)
        return 0;
    return n + sum(n - 1);
}

int main(void) {
    unsigned n;
    heddle_input(n);
    heddle_assume(n <= 6);
    heddle_assert(sum(n) == n * (n + 1) / 2);
    return 0;
}
