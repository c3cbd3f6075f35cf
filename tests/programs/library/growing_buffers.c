/* Inputs that wait in the buffer of a stream are still inputs when it has grown, a byte or a block at a time, and when it was too small.
 *
 * run: -DPIECE=1
 * verdict: complete
 * label: first 1
 * label: middle 1
 * label: others 1
 *
 * run: -DPIECE=100
 * verdict: complete
 * label: first 1
 * label: middle 1
 * label: others 1
 *
 * run: -DPIECE=3000
 * verdict: complete
 * label: first 1
 * label: middle 1
 * label: others 1 */
#include <heddle.h>
#include <stdio.h>
#include <string.h>

static unsigned char bytes[6000], back[6000];

int main(void) {
    unsigned char x, y;
    FILE *f = tmpfile();
    heddle_input(x);
    heddle_input(y);
    bytes[0] = x;
    bytes[300] = y;
    for (unsigned i = 0; i < sizeof bytes; i += PIECE)
        heddle_assert(fwrite(bytes + i, 1, PIECE, f) == PIECE);
    rewind(f);
    heddle_assert(fread(back, 1, sizeof back, f) == sizeof back);
    if (back[0] == 7)
        heddle_reach("first");
    else if (back[300] == 7)
        heddle_reach("middle");
    else
        heddle_reach("others");
    fclose(f);
    return 0;
}
