/* The second element behind an array of words lay in what is behind its border.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds 2 */
#include <heddle.h>

long before[8], array[8], after[8];

static void put(long *p, int i) {
    p[i] = 3; // BUG out-of-bounds
}

int main(void) {
    int which;
    long first[8] = {0}, second[8] = {0}, third[8] = {0};
    heddle_input(which);
    if (which)
        put(array, 10);
    else
        put(second, 10);
    return first[0] + third[0] + before[0] + after[0] != 0;
}
