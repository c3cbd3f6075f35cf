/* A recursion as deep as a random value of 32 bits: depth first from there never came to depth 3, which any other order finds
 * at once.
 *
 * run: -n 200
 * verdict: incomplete
 * finding: assertion */
#include <heddle.h>

static unsigned steps_down(unsigned n) {
    return n == 0 ? 0 : 1 + steps_down(n - 1);
}

int main(void) {
    unsigned n;
    heddle_input(n);
    heddle_assert(steps_down(n) != 3);
    return 0;
}
