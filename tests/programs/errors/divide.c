/* The solver aims at a zero divisor, and at the one quotient that does not fit.
 *
 * Signed: division by zero, INT_MIN / -1, the rest: three paths.
 *
 * run: -DUNSIGNED
 * verdict: complete
 * paths: 2
 * finding: division-by-zero 1
 *
 * run: -DREMAINDER
 * verdict: complete
 * paths: 2
 * finding: division-by-zero 1
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: division-by-zero 1
 * finding: overflow 1 */
#include <heddle.h>

int main(void) {
#if defined UNSIGNED
    unsigned x;
    heddle_input(x);
    return 100u / (x - 123456u) == 77; // BUG division-by-zero
#elif defined REMAINDER
    unsigned x;
    heddle_input(x);
    return 100u % (x * 3) == 77; // BUG division-by-zero
#else
    int x, y;
    heddle_input(x);
    heddle_input(y);
    return x / y == 77; // BUG division-by-zero overflow
#endif
}
