/* A load through a pointer that is one of two was made two loads, on the lines where the pointer is
 * chosen: the finding stood there.
 *
 * run:
 * verdict: complete
 * finding: null-pointer 1 */
#include <heddle.h>

static volatile unsigned sink;

int main(void) {
    int x;
    heddle_input(x);
    unsigned keep[4] = {0}, *p = keep;
    if (x == 3)
        p = 0;
    sink += *p; // BUG null-pointer
    return 0;
}
