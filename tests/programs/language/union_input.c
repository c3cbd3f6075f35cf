/* A union as an input: its bytes are what is chosen.
 *
 * run:
 * paths: 2
 * label: found 1 */
#include <heddle.h>
#include <stdint.h>

union word {
    uint16_t half[2];
    uint8_t bytes[4];
};

int main(void) {
    union word w;
    heddle_input(w);
    if (w.half[1] == 0x4142) {
        heddle_reach("found");
        heddle_assert(w.bytes[3] == 0x41);
    }
    return 0;
}
