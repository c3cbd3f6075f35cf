/* A question that nobody answers in time: factor the product of two primes.
 *
 * The two guards give two paths, the product fits or not: 4.  With 32 bits the last query is out
 * of reach of any solver, which is the point: a time limit must be kept inside a query.
 *
 * brute: -DBITS=8 bytes 0-255 -> 4
 * paths: -DBITS=8 -> 4 */
#include <heddle.h>
#include <stdint.h>
#ifndef BITS
#define BITS 32
#endif
#if BITS == 8
typedef uint8_t word;
#define PRODUCT (241u * 251u)
#else
typedef uint32_t word;
#define PRODUCT (UINT64_C(2860486313) * UINT64_C(3267000013))
#endif

int main(void) {
    word x[2];
    heddle_input(x);
    if (x[0] < 2)
        return 1;
    if (x[1] < x[0])
        return 2;
    if ((uint64_t)x[0] * x[1] == PRODUCT)
        heddle_reach("factored");
    return 0;
}
