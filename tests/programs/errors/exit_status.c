/* A non-zero status is a finding only if asked for; exit works from anywhere.
 *
 * run:
 * verdict: complete
 * paths: 3
 * exit: 0
 *
 * run: --fail-on-exit
 * verdict: complete
 * paths: 3
 * finding: exit-status */
#include <heddle.h>
#include <stdlib.h>

static void leave(int x) {
    if (x == 7)
        exit(3);
}

int main(void) {
    int x;
    heddle_input(x);
    leave(x);
    if (x == 8)
        return 4;
    return 0;
}
