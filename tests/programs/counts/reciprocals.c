/* What must hold for all 32 bits: a quotient by a product, a number of its quotient and remainder, and the
 * sign of a remainder.  Four ways of the guards; where they pass, the remainder of a negative number may be 0,
 * which is a way of its own.
 *
 * run:
 * verdict: complete
 * paths: 6 */
#include <heddle.h>
#include <limits.h>

int main(void) {
    int x, y;
    heddle_input(x);
    heddle_input(y);
    unsigned u = (unsigned)x;
    heddle_assert((unsigned)((u * 0xcccccccdul) >> 35) == u / 10);
    heddle_assert(u / 3600 * 3600 + u % 3600 / 60 * 60 + u % 60 == u);
    if (y == 0 || (x == INT_MIN && y == -1))
        return 1;
    heddle_assert(x / y * y + x % y == x);
    heddle_assert((x % y >= 0) == (x >= 0) || x % y == 0);
    return 0;
}
