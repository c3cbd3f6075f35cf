/* A loop that one input keeps in forever; the finding is in the loop.
 *
 * run: --max-steps 250
 * paths: 2
 * finding: non-termination 1 */
#include <heddle.h>

int main(void) {
    unsigned char step;
    unsigned n = 0;
    heddle_input(step);
    heddle_assume(step < 2);
    while (n < 10) // BUG non-termination
        n += step; // BUG non-termination
    return 0;
}
