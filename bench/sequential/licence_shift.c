/* A licence check by shifts: two mixing rounds of shift and exclusive or, then bit fields.
 *
 * Each test ends the run when it fails.  Mixing is a bijection, so every combination of the
 * fields exists; but the third test is implied by the first, and that must be proved: 4 paths.
 *
 * brute: -DBITS=16 shorts 0-65535 -> 4
 * paths: -DBITS=16 -> 4
 * paths: -DBITS=32 -> 4 */
#include <heddle.h>
#include <stdint.h>
#ifndef BITS
#define BITS 32
#endif
#if BITS == 16
typedef uint16_t word;
#else
typedef uint32_t word;
#endif

static word mix(word x) {
    x ^= (word)(x << (BITS / 3));
    x ^= x >> (BITS / 2 + 1);
    x ^= (word)(x << (BITS / 6));
    return x;
}

int main(void) {
    word key;
    heddle_input(key);
    word m = mix(mix(key));
    if ((m >> (BITS - 4)) != 0xA)
        return 1;
    if ((m & 0x1F) != 0x13)
        return 2;
    if ((word)((m << 3) | (m >> (BITS - 3))) % 2 != 1)
        return 3;
    if (((m >> 5) & 0xF) <= 11)
        return 4;
    heddle_reach("licensed");
    return 0;
}
