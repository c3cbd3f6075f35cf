/* Concrete work: the sieve of Eratosthenes up to 64 Ki, ROUNDS times, then two symbolic tests.
 * The inputs lie in memory during the work, untouched.
 *
 * brute: -DROUNDS=1 ints 0,2000000000 -> 4
 * paths: -DROUNDS=4 -> 4 */
#include <heddle.h>
#ifndef ROUNDS
#define ROUNDS 100
#endif
enum { SIZE = 1 << 16 };

static unsigned char composite[SIZE];

static int count_primes(int offset) {
    int n = 0;
    for (int i = 0; i < SIZE; i++)
        composite[i] = 0;
    for (int i = 2; i < SIZE - offset; i++) {
        if (composite[i])
            continue;
        n++;
        for (int j = 2 * i; j < SIZE; j += i)
            composite[j] = 1;
    }
    return n;
}

int main(void) {
    int x[2];
    int n_primes = 0;
    heddle_input(x);
    for (int round = 0; round < ROUNDS; round++)
        n_primes += count_primes(round);
    int n = 0;
    for (int i = 0; i < 2; i++) {
        if (x[i] > n_primes)
            n++;
    }
    return n;
}
