/* Signed overflow of each operation; --checks leaves it out.  Unsigned arithmetic may wrap.
 *
 * run: -DADD
 * verdict: complete
 * paths: 2
 * finding: overflow 1
 *
 * run: -DSUB
 * verdict: complete
 * paths: 2
 * finding: overflow 1
 *
 * run: -DMUL
 * verdict: complete
 * paths: 2
 * finding: overflow 1
 *
 * run: -DNEG
 * verdict: complete
 * paths: 2
 * finding: overflow 1
 *
 * run: -DUNSIGNED
 * verdict: complete
 * paths: 1
 *
 * run: -DADD --checks none
 * verdict: complete
 * paths: 1 */
#include <heddle.h>

int main(void) {
#ifdef UNSIGNED
    unsigned x;
#else
    int x;
#endif
    heddle_input(x);
#if defined ADD
    x = x + 10; // BUG overflow
#elif defined SUB
    x = -10 - x; // BUG overflow
#elif defined MUL
    x = x * 3; // BUG overflow
#elif defined NEG
    x = -x; // BUG overflow
#else
    x = x * 3 + 10;
#endif
    return 0 & x;
}
