/* Shifts and exclusive ors are a bijection of 32 bits: one key.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: licensed 1 */
#include <heddle.h>
#include <stdint.h>

int main(void) {
    uint32_t x;
    heddle_input(x);
    for (int round = 0; round < 3; round++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    if (x == 0x12345678)
        heddle_reach("licensed");
    return 0;
}
