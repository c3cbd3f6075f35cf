/* The address of a local outlives its function.
 *
 * run:
 * finding: use-after-return 1 */
#include <heddle.h>

static int *kept;

static void keep(void) {
    int local = 5;
    kept = &local;
}

int main(void) {
    int x;
    heddle_input(x);
    keep();
    if (x == 99)
        return *kept; // BUG use-after-return
    return 0;
}
