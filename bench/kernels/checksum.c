/* Concrete work: a rolling checksum that reads and rewrites a buffer of 4 KiB, ITERS steps;
 * then three symbolic tests.  The inputs come after the work.
 *
 * brute: -DITERS=1000 bytes 0,127,128,255 -> 8
 * paths: -DITERS=1000000 -> 8 */
#include <heddle.h>
#ifndef ITERS
#define ITERS 10000000u
#endif

static unsigned char buffer[4096];

int main(void) {
    unsigned char s[3];
    unsigned h = 1;
    for (unsigned i = 0; i < sizeof buffer; i++)
        buffer[i] = (unsigned char)(i * 7 + 3);
    for (unsigned i = 0; i < ITERS; i++) {
        h = (h << 5) ^ (h >> 27) ^ buffer[(i + h) & 4095];
        buffer[i & 4095] = (unsigned char)h;
    }
    heddle_input(s);
    int n = 0;
    for (int i = 0; i < 3; i++) {
        if (s[i] > (h & 0x7f))
            n++;
    }
    return n + (int)(h & 1);
}
