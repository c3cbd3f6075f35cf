/* A licence check by multiplication: a serial number and a key must fit together in four ways.
 *
 * Each test ends the run when it fails, and all four can be passed, so there are 5 paths.  The
 * constant multiplier is odd and can be inverted; the product of both inputs cannot.
 *
 * brute: -DBITS=8 bytes 0-255 -> 5
 * paths: -DBITS=8 -> 5
 * paths: -DBITS=16 -> 5
 * paths: -DBITS=32 -> 5 */
#include <heddle.h>
#include <stdint.h>
#ifndef BITS
#define BITS 32
#endif
#if BITS == 8
typedef uint8_t word;
#elif BITS == 16
typedef uint16_t word;
#else
typedef uint32_t word;
#endif

static int check(word serial, word key) {
    if ((word)(serial * 0x9E3779B5u) != (word)0xC0FFEE11u)
        return 1;
    if ((word)(key ^ serial) % 8 != 5)
        return 2;
    if ((word)(key * 40503u + 17) >> (BITS - 2) != 2)
        return 3;
    if (((word)((uint32_t)key * serial) & 0x30) != 0x10)
        return 4;
    return 0;
}

int main(void) {
    word in[2];
    heddle_input(in);
    int failed = check(in[0], in[1]);
    if (!failed)
        heddle_reach("licensed");
    return failed;
}
