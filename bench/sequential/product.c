/* A number of 20 bits is the product of two of 10: factor it, by asking for nothing else.
 *
 * brute: -DBITS=5 ints 0-32 -> 6
 * paths: -DBITS=5 -> 6
 * paths: -DBITS=10 -> 6 */
#include <heddle.h>
#ifndef BITS
#define BITS 10
#endif
#if BITS == 5
#define PRODUCT (29u * 31u)
#else
#define PRODUCT (1013u * 1019u)
#endif

int main(void) {
    unsigned x[2];
    heddle_input(x);
    if (x[0] < 2 || x[0] >> BITS)
        return 1;
    if (x[1] < x[0] || x[1] >> BITS)
        return 2;
    if (x[0] * x[1] == PRODUCT)
        heddle_reach("factored");
    return 0;
}
