/* Inputs asked for in the middle, a number of times that depends on inputs.
 * Paths: n from 0 to 3, and 2 outcomes for each of the n inputs: 1 + 2 + 4 + 8 = 15.
 *
 * run:
 * verdict: complete
 * paths: 15 */
#include <heddle.h>

int main(void) {
    int n = (int)heddle_choose(0, 3), sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned x;
        heddle_input(x);
        if (x > 7)
            sum++;
    }
    return sum == 100;
}
