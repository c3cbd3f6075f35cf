/* alloca, and a struct with a flexible array member on the heap.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: found 1 */
#include <alloca.h>
#include <heddle.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    unsigned short length;
    unsigned char data[];
};

int main(void) {
    unsigned char in[4];
    heddle_input(in);
    struct packet *p = malloc(sizeof *p + 4);
    p->length = 4;
    memcpy(p->data, in, 4);
    unsigned char *copy = alloca(p->length);
    for (int i = 0; i < 4; i++)
        copy[3 - i] = p->data[i];
    unsigned v = 0;
    for (int i = 0; i < 4; i++)
        v = v << 8 | copy[i];
    if (v == 0x01020304) {
        heddle_reach("found");
        heddle_assert(in[0] == 4 && in[3] == 1);
    }
    free(p);
    return 0;
}
