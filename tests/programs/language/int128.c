/* 128-bit arithmetic is concrete, and said.
 *
 * run:
 * verdict: incomplete
 * reason: 128 */
#include <heddle.h>
#include <stdint.h>

int main(void) {
    uint64_t x, y;
    heddle_input(x);
    heddle_input(y);
    if (x == 0)
        return 0;
    unsigned __int128 product = (unsigned __int128)x * y;
    if ((uint64_t)(product >> 64) == 1)
        heddle_reach("carry");
    return 0;
}
