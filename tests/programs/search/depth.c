/* A bound on the number of decisions is said next to the verdict: only the first five tests of
 * eight are turned around.
 *
 * run: --depth 5
 * verdict: incomplete
 * paths: 32
 * reason: depth
 *
 * run: --depth 8
 * verdict: complete
 * paths: 256
 *
 * run:
 * verdict: complete
 * paths: 256 */
#include <heddle.h>

int main(void) {
    unsigned char b[8];
    int n = 0;
    heddle_input(b);
    for (int i = 0; i < 8; i++)
        if (b[i] > 77)
            n++;
    return n == 100;
}
