/* To LLVM an index into an object of one element is 0, or anything: the index went, and the error
 * with it.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds 3 */
#include <heddle.h>

static volatile int sink;

static void put(int *p, int i) {
    p[i] = 3; // BUG out-of-bounds
}

int main(void) {
    int which, x;
    heddle_input(which);
    heddle_input(x);
    heddle_assume(x >= 0 && x < 4);
    if (which == 0) {
        short a[1] = {0}, *p = a;
        p[x] = 1; // BUG out-of-bounds
    } else if (which == 1) {
        char a[1] = {0}, *p = a;
        volatile int i = 1;
        p[i]++; // BUG out-of-bounds
    } else {
        int a[1] = {0};
        put(a, x);
    }
    return 0;
}
