/* A loop that never ends for most inputs, and decides on a new expression every time round: the
 * decisions of one execution are cut off, and the verdict says what was left out, and which loop
 * was not followed to its end.  100 decisions: one path ends after each of 0..99 turns.
 *
 * run: --max-decisions 100 --max-steps 10000
 * verdict: incomplete
 * exit: 3
 * paths: 100
 * rejected: 1
 * reason: --max-steps
 * reason: after decision 100 */
#include <heddle.h>

int main(void) {
    unsigned x;
    heddle_input(x);
    while (x != 1)
        x = x * 3 + 1;
    return 0;
}
