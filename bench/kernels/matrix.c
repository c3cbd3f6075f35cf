/* Concrete work: products of integer matrices of 64 x 64, ROUNDS times; then two symbolic
 * tests.  The inputs lie in memory during the work, untouched.
 *
 * brute: -DROUNDS=1 ints -2000000000,0,2000000000 -> 4
 * paths: -DROUNDS=4 -> 4 */
#include <heddle.h>
#ifndef ROUNDS
#define ROUNDS 150
#endif
enum { SIZE = 64 };

static unsigned a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

static void multiply(void) {
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            unsigned sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    }
}

int main(void) {
    int x[2];
    heddle_input(x);
    for (int i = 0; i < SIZE * SIZE; i++) {
        a[i / SIZE][i % SIZE] = (unsigned)i * 2654435761u;
        b[i / SIZE][i % SIZE] = (unsigned)i * 40503u + 1;
    }
    for (int round = 0; round < ROUNDS; round++) {
        multiply();
        for (int i = 0; i < SIZE * SIZE; i++)
            a[i / SIZE][i % SIZE] ^= c[i / SIZE][i % SIZE];
    }
    int n = 0;
    for (int i = 0; i < 2; i++) {
        if (x[i] > (int)(c[i][i] >> 8))
            n++;
    }
    return n;
}
