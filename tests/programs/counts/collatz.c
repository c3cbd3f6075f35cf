/* The chain of a byte down to 1, at most 12 steps: one path per outcome of the parity tests.
 * Brute force over all 256 values of the byte gives 226 paths.
 *
 * run:
 * verdict: complete
 * paths: 226 */
#include <heddle.h>

int main(void) {
    unsigned char start;
    heddle_input(start);
    unsigned n = start;
    if (n == 0)
        return 0;
    for (int steps = 0; steps < 12; steps++) {
        if (n == 1)
            return 0;
        if (n % 2 == 0)
            n /= 2;
        else
            n = 3 * n + 1;
    }
    return 0;
}
