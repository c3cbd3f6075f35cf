/* K independent tests of one byte each: the cheapest possible path, many times over.
 *
 * Every subset of the tests can succeed, so there are 2^K paths.
 *
 * brute: -DK=4 bytes 0,100,101,255 -> 16
 * paths: -DK=10 -> 1024
 * paths: -DK=14 -> 16384 */
#include <heddle.h>
#ifndef K
#define K 14
#endif

int main(void) {
    unsigned char b[K];
    heddle_input(b);
    int n = 0;
    for (int i = 0; i < K; i++) {
        if (b[i] > 100)
            n += i;
        else
            n ^= i;
    }
    return n & 1;
}
