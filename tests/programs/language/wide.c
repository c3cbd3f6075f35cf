/* 64-bit multiplication, division and remainder, signed and unsigned, and rotation.
 *
 * run:
 * verdict: complete
 * paths: 5
 * label: product 1
 * label: quotient 1
 * label: remainder 1
 * label: rotated 1 */
#include <heddle.h>
#include <stdint.h>

int main(void) {
    uint64_t x;
    heddle_input(x);
    if (x * 6364136223846793005u == 1) {
        heddle_reach("product");
        return 0;
    }
    if (x / 1000000007 == 12345678) {
        heddle_reach("quotient");
        return 0;
    }
    if ((int64_t)x % 1000 == -999) {
        heddle_reach("remainder");
        heddle_assert((int64_t)x < 0);
        return 0;
    }
    if ((x << 7 | x >> 57) == 0x8000000000000001) {
        heddle_reach("rotated");
        heddle_assert(x == 0x0300000000000000);
    }
    return 0;
}
