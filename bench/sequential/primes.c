/* Primes below M by trial division: a path for each least divisor, and for each square that the primes lie between.
 *
 * brute: -DM=200 ints 0-200 -> 20
 * brute: -DM=5000 ints 0-5000 -> 89
 * paths: -DM=200 -> 20
 * paths: -DM=5000 -> 89 */
#include <heddle.h>
#ifndef M
#define M 5000
#endif

int main(void) {
    unsigned n;
    heddle_input(n);
    heddle_assume(n >= 2 && n < M);
    for (unsigned d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 1;
    heddle_reach("prime");
    return 0;
}
