/* A long stretch of concrete code before three tests: eight paths, whatever the length.
 *
 * run: -DROUNDS=100000
 * verdict: complete
 * paths: 8 */
#include <heddle.h>

static unsigned char buffer[4096];

int main(void) {
    unsigned char s[3];
    unsigned h = 1;
    for (unsigned i = 0; i < sizeof buffer; i++)
        buffer[i] = (unsigned char)(i * 7 + 3);
    for (unsigned i = 0; i < ROUNDS; i++) {
        h = h << 5 ^ h >> 27 ^ buffer[(i + h) & 4095];
        buffer[i & 4095] = (unsigned char)h;
    }
    heddle_input(s);
    int n = 0;
    for (int i = 0; i < 3; i++)
        if (s[i] > (h & 0x7f))
            n++;
    return n;
}
