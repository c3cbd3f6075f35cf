/* K independent tests: 2^K paths.
 *
 * run: -DK=10
 * verdict: complete
 * paths: 1024 */
#include <heddle.h>

int main(void) {
    unsigned char b[K];
    int n = 0;
    heddle_input(b);
    for (int i = 0; i < K; i++)
        if (b[i] > 100)
            n += i;
        else
            n ^= i;
    return n & 1;
}
