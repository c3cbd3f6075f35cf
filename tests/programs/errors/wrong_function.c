/* Calls through pointers to functions of another type: they go on if arguments and result travel in
 * the same way.  And calls that two declarations disagree about.
 *
 * run:
 * verdict: complete
 * paths: 4
 * finding: wrong-function 2
 * finding: overflow 1
 *
 * run: -DOLD -w
 * verdict: complete
 * finding: wrong-function 1
 *
 * run: -DRIGHT
 * verdict: complete
 * paths: 2 */
#include <heddle.h>
#include <stdlib.h>

static volatile int sink;

static int twice(int x) {
    return 2 * x; // BUG overflow
}

static void real(double x) {
    sink += (int)x;
}

#ifdef OLD
int add();
int main(void) {
    int x;
    heddle_input(x);
    if (x == 3)
        sink += add(1); // BUG wrong-function
    else
        sink += add(1, 2);
    return 0;
}
int add(int a, int b) {
    return a + b;
}
#else
int main(void) {
    int x;
    heddle_input(x);
    int (*good[2])(int) = {twice, abs};
#ifdef RIGHT
    sink += good[x > 0](2);
#else
    sink += good[x > 0](2);
    if (x == 3) {
        unsigned (*volatile f)(unsigned) = (unsigned (*)(unsigned))twice;
        sink += (int)f(1u << 30); // BUG wrong-function
    } else if (x == 4) {
        void (*volatile g)(long) = (void (*)(long))real;
        g(2); // BUG wrong-function
        sink = 1 / 0;
    }
#endif
    return 0;
}
#endif
