/* Inline assembly runs concretely, and is said with its line.
 *
 * run:
 * verdict: incomplete
 * reason: assembly
 * reason-at: LOSS
 * strays: what the assembly computes is a constant, which is listed */
#include <heddle.h>

int main(void) {
    unsigned x, y;
    heddle_input(x);
    if (x > 100)
        return 0;
    __asm__("lea 1(%1), %0" : "=r"(y) : "r"(x)); // LOSS
    heddle_assert(y == x + 1);
    return 0;
}
