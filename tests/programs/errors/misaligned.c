/* Accesses at addresses that are wrong for their type, for some inputs only: through a pointer, in a
 * function that is given one, of a member, and of a member's address.
 *
 * run:
 * verdict: complete
 * finding: misaligned 4
 *
 * run: --checks-end
 * verdict: complete
 * finding: misaligned 4
 *
 * run: --checks overflow
 * verdict: complete
 * paths: 4
 *
 * run: -DRIGHT
 * verdict: complete
 * paths: 4 */
#include <heddle.h>

struct pair {
    char small;
    long large;
};

_Alignas(16) static char bytes[64];
static volatile long sink;

static void set(int *p, int i) {
    p[i] = 3; // BUG misaligned
}

int main(void) {
    int which, i;
    heddle_input(which);
    heddle_input(i);
    heddle_assume(i >= 0 && i < 32);
#ifdef RIGHT
    heddle_assume(i % 8 == 0);
#endif
    if (which == 0) {
        sink += *(short *)(bytes + i); // BUG misaligned
    } else if (which == 1) {
        set((int *)(bytes + i), 1);
    } else if (which == 2) {
        sink += ((struct pair *)(bytes + i))->small; // BUG misaligned
    } else {
        long *p = &((struct pair *)(bytes + i))->large; // BUG misaligned
        sink += p != 0;
    }
    return 0;
}
