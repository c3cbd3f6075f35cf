/* Truncation, sign and zero extension, comparison of mixed signs: exact machine arithmetic.
 *
 * run:
 * verdict: complete
 * paths: 4
 * label: truncated 1
 * label: extended 1
 * label: mixed 1 */
#include <heddle.h>
#include <stdint.h>

int main(void) {
    uint32_t x;
    heddle_input(x);
    int8_t s = (int8_t)(x >> 8);
    if ((uint8_t)x == 0x80)
        heddle_reach("truncated");
    else if ((uint32_t)s == 0xfffffff0)
        heddle_reach("extended");
    else if ((int64_t)s * 0x100000000 == -0x6400000000) /* s == -100 */
        heddle_reach("mixed");
    else
        heddle_assert(s != -100);
    return 0;
}
