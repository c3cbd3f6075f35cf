/* Bit counting builtins on symbolic values.
 *
 * run:
 * verdict: complete
 * paths: 5
 * label: rare 1 */
#include <heddle.h>
#include <stdint.h>

int main(void) {
    uint32_t x;
    heddle_input(x);
    if (x == 0)
        return 0;
    if (__builtin_popcount(x) != 3)
        return 0;
    if (__builtin_ctz(x) != 5)
        return 0;
    if (__builtin_clz(x) != 2)
        return 0;
    heddle_reach("rare");
    heddle_assert((x & (1u << 5)) && (x & (1u << 29)));
    return 0;
}
