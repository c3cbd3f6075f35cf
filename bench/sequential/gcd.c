/* Euclid's algorithm on two numbers below M: how many rounds, and whether they have a common divisor.
 *
 * A chain of remainders of inputs, which takes a solver of bits seconds; the cases are few.
 *
 * brute: -DM=50 ints 0-49 -> 17
 * brute: -DM=200 ints 0-199 -> 23
 * paths: -DM=50 -> 17
 * paths: -DM=200 -> 23 */
#include <heddle.h>
#ifndef M
#define M 200
#endif

int main(void) {
    unsigned x[2];
    heddle_input(x);
    heddle_assume(x[0] < M && x[1] < M);
    unsigned a = x[0], b = x[1];
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    if (a == 1)
        heddle_reach("no common divisor");
    return 0;
}
