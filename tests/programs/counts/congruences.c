/* Remainders of one wide input, a generator that is undone, and an equation of squares: each condition has
 * solutions in all 32 or 64 bits that only arithmetic finds, and the last one has none.
 *
 * run:
 * verdict: complete
 * paths: 6 */
#include <heddle.h>

int main(void) {
    unsigned x, y, z;
    heddle_input(x);
    heddle_input(y);
    heddle_input(z);
    if (x % 97 != 13)
        return 1;
    if (x % 65521 != 333)
        return 2;
    if ((unsigned long)y * 16807 % 2147483647 != 1043618065)
        return 3;
    if (z >= 5000 || z == 0)
        return z == 0;
    heddle_assert(z * z * 61 + 1 != 4999 * 4999 + 2);
    return 0;
}
