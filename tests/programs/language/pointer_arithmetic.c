/* Differences and comparisons of pointers that symbolic indexes made.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: behind 1
 * label: distance 1 */
#include <heddle.h>

int main(void) {
    long a[16] = {0};
    unsigned char i, j;
    heddle_input(i);
    heddle_input(j);
    long *p = a + (i & 15), *q = a + (j & 15);
    if (p > q) {
        heddle_reach("behind");
        return 0;
    }
    if (q - p == 9) {
        heddle_reach("distance");
        heddle_assert((j & 15) - (i & 15) == 9);
    }
    return 0;
}
