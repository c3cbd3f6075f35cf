/* The first value of an input was a number of 17 bits, and depth first went on at the deep end of the
 * recursion that it counts: the failure at depth 3 was never met.
 *
 * run: --max-executions 300
 * verdict: incomplete
 * finding: assertion
 *
 * run: --max-executions 300 -DDOWN
 * verdict: incomplete
 * finding: assertion */
#include <heddle.h>

static unsigned depth_of(unsigned n) {
    return n ? 1 + depth_of(n - 1) : 0;
}

int main(void) {
    unsigned n;
    heddle_input(n);
#ifdef DOWN
    /* Begins at the deep end, wherever the first value is. */
    unsigned i = 0;
    while (i < 5000 && i + n < 100000)
        i++;
    heddle_assert(i != 7);
#else
    heddle_assert(depth_of(n) != 3);
#endif
    return 0;
}
