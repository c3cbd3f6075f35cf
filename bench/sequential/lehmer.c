/* The generator of Lehmer, Park and Miller, a step backwards: which seed gives this number next?
 * With a small modulus, all seeds are tried by brute force.
 *
 * brute: -DMODULUS=251 ints 0-300 -> 4
 * paths: -DMODULUS=251 -> 4
 * paths: -DMODULUS=2147483647 -> 4 */
#include <heddle.h>
#ifndef MODULUS
#define MODULUS 2147483647
#endif
enum { FACTOR = 16807 };

int main(void) {
    unsigned seed;
    heddle_input(seed);
    if (seed == 0)
        return 1;
    if (seed >= MODULUS)
        return 2;
    unsigned long next = (unsigned long)seed * FACTOR % MODULUS;
    if (next == 100)
        heddle_reach("undone");
    return 0;
}
