/* Recursion without end is a finding, and the search goes on.
 *
 * run:
 * paths: 2
 * finding: stack-overflow 1 */
#include <heddle.h>

static int depth(int n) {
    volatile char frame[1000];
    frame[0] = (char)n;
    return n == 0 ? frame[0] : depth(n) + frame[0];
}

int main(void) {
    int x;
    heddle_input(x);
    if (x == 42)
        return depth(1);
    return 0;
}
