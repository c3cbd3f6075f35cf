/* A product of 16 bits that stays at its ends, and what its sign must be; a quotient and a
 * remainder that are put together again, with checks for overflow.
 *
 * Four ways of the product (which end, or which signs) and four of the quotient.
 *
 * paths: -> 16 */
#include <heddle.h>
#include <limits.h>

int main(void) {
    short x[2];
    int a, b;
    heddle_input(x);
    int product = x[0] * x[1];
    short result = product > SHRT_MAX ? SHRT_MAX : product < SHRT_MIN ? SHRT_MIN : (short)product;
    if ((x[0] < 0) == (x[1] < 0))
        heddle_assert(result >= 0);
    heddle_input(a);
    heddle_input(b);
    if (b == 0 || (a == INT_MIN && b == -1))
        return 1;
    heddle_assert(a / b * b + a % b == a);
    return 0;
}
