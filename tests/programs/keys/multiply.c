/* A key check by multiplication: odd multipliers have inverses, so the key is unique.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: licensed 1 */
#include <heddle.h>
#include <stdint.h>

int main(void) {
    uint32_t key;
    heddle_input(key);
    uint32_t v = key * 2654435761u + 0x9e3779b9u;
    v ^= 0xa5a5a5a5u;
    if (v * 5 == 0xdecafbadu)
        heddle_reach("licensed");
    return 0;
}
