/* The integer square root of a number below M, by Newton's steps: a division by an input in each.
 *
 * brute: -DM=1000 ints 0-1000 -> 8
 * paths: -DM=1000 -> 8
 * paths: -DM=65536 -> 12 */
#include <heddle.h>
#ifndef M
#define M 65536
#endif

int main(void) {
    unsigned n;
    heddle_input(n);
    heddle_assume(n < M);
    if (n < 2)
        return 0;
    unsigned x = n, y = (x + 1) / 2;
    while (y < x) {
        x = y;
        y = (x + n / x) / 2;
    }
    heddle_assert(x * x <= n && n < (x + 1) * (x + 1));
    return 0;
}
