/* Reads through a symbolic index stay symbolic: the one byte pair whose two look-ups give the
 * wanted word is solved for, without a path per index.
 *
 * The table is the bijection i -> 7i+3 mod 256 with a twist, so the preimage is unique.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: found 1 */
#include <heddle.h>

static unsigned char box[256];

int main(void) {
    unsigned char k[2];
    for (int i = 0; i < 256; i++)
        box[i] = (unsigned char)(i * 7 + 3) ^ 0x5a;
    heddle_input(k);
    unsigned w = box[box[k[0]] ^ k[1]] << 8 | box[k[0]];
    if (w == 0xbeef)
        heddle_reach("found");
    return 0;
}
