/* Volatile variables carry symbolic values like any other.
 *
 * run: -O2
 * verdict: complete
 * paths: 3
 * label: ten 1 */
#include <heddle.h>

static volatile int shared;

int main(void) {
    volatile int local;
    int x;
    heddle_input(x);
    shared = x;
    if (shared < 10)
        return 0;
    local = shared;
    if (local == 10)
        heddle_reach("ten");
    return 0;
}
