/* A loop that never ends for most inputs, and decides on a new expression every time round: the
 * decisions of one execution are cut off, the loop is reported all the same, and the verdict
 * says what was left out.  100 decisions: one path ends after each of 0..99 turns.
 *
 * run: --max-decisions 100 --max-steps 10000
 * verdict: incomplete
 * paths: 101
 * finding: non-termination 1
 * reason: after decision 100 */
#include <heddle.h>

int main(void) {
    unsigned x;
    heddle_input(x);
    while (x != 1) // BUG non-termination
        x = x * 3 + 1;
    return 0;
}
