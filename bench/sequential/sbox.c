/* A substitution box with symbolic index: two bytes go through two rounds of a small cipher,
 * and the result is tested.
 *
 * The box is a permutation and so is each round; all four outcomes of the two tests exist, for
 * half the tests a single pair of bytes.  The nested look-ups are what costs.
 *
 * brute: bytes 0-255 -> 4
 * paths: -> 4 */
#include <heddle.h>
#include <stdint.h>

static uint8_t box[256];

/* A permutation of the bytes, shuffled by a linear congruential generator. */
static void make_box(void) {
    uint32_t state = 12345;
    for (int i = 0; i < 256; i++)
        box[i] = (uint8_t)i;
    for (int i = 255; i > 0; i--) {
        state = state * 1103515245u + 12345u;
        int j = (int)((state >> 16) % (uint32_t)(i + 1));
        uint8_t t = box[i];
        box[i] = box[j];
        box[j] = t;
    }
}

static void encrypt_round(uint8_t block[2], uint8_t key) {
    uint8_t left = block[0], right = block[1];
    block[0] = right;
    block[1] = left ^ box[right ^ key];
}

int main(void) {
    uint8_t block[2];
    make_box();
    heddle_input(block);
    encrypt_round(block, 0x3c);
    encrypt_round(block, 0xa7);
    int n = 0;
    if (block[0] == 0x42)
        n += 1;
    if (block[1] == 0x17)
        n += 2;
    return n;
}
