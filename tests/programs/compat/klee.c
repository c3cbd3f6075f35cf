/* KLEE's interface: the harness runs unchanged.
 *
 * run:
 * verdict: complete
 * paths: 4
 * finding: assertion 1 */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
    int x;
    unsigned char b[2];
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(b, sizeof b, "b");
    klee_assume(x > 3);
    int r = klee_range(0, 10, "r");
    if (x == 100) {
        if (b[0] + b[1] == 510)
            assert(r != 9); // BUG assertion
    }
    return 0;
}
