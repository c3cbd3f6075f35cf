/* A word written whole and read by bytes, and the other way round: one path for each byte that
 * differs, and one where none does.
 *
 * run:
 * verdict: complete
 * paths: 5
 * label: word 1 */
#include <heddle.h>
#include <stdint.h>

union word {
    uint32_t whole;
    uint8_t bytes[4];
};

int main(void) {
    uint32_t x;
    union word w, back;
    heddle_input(x);
    w.whole = x;
    for (int i = 0; i < 4; i++) {
        if (w.bytes[i] != "abcd"[i])
            return 0;
        back.bytes[i] = w.bytes[i];
    }
    heddle_reach("word");
    heddle_assert(back.whole == 0x64636261);
    heddle_assert(x == 0x64636261);
    return 0;
}
