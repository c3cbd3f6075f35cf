/* Operations that the processor does not have are calls of routines: executions ended at the first
 * division of 128-bit integers, division of complex numbers, or use of __float128.
 *
 * run:
 * verdict: incomplete
 * label: through
 * label: three
 * reason: integer of more than 64 bits
 *
 * run: --values 8
 * verdict: complete
 * paths: 7
 * label: through 7
 * label: three 1 */
#include <heddle.h>

static long divide(signed char n) {
    __int128 wide = n * ((__int128)1 << 70);
    unsigned __int128 other = (unsigned __int128)(wide + ((__int128)1 << 80));
    double share = (double)(wide / 1000003) / 1e9 + (double)(other % 1000003);
    _Complex double z;
    __real__ z = share;
    __imag__ z = n;
    z = z / (z + 3);
    __float128 quad = (__float128)(__real__ z) * 3 / 7;
    return (long)(quad * 1000) + (long)(_Float16)n;
}

int main(void) {
    signed char n;
    heddle_input(n);
    heddle_assume(n >= -3 && n <= 3);
    if (divide(n) != 0)
        heddle_reach("through");
    if (divide(n) == divide(3))
        heddle_reach("three");
    return 0;
}
