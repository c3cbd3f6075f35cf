/* A pointer and a number without a sign that was less than 0, so many elements that their size goes round, and two
 * steps round the address space that end where they began: nothing was found.
 *
 * run:
 * verdict: complete
 * finding: pointer-overflow 5 */
#include <heddle.h>
#include <stddef.h>

static volatile long sink;

int main(void) {
    static int cells[8];
    static char text[8];
    unsigned char which, x;
    heddle_input(which);
    heddle_input(x);
    heddle_assume(x < 4);
    size_t n = x;
    int *p = cells + 4;
    char *s = text + 4;
    if (which == 0)
        p += n - 2; // BUG pointer-overflow
    else if (which == 1)
        s -= n - 1; // BUG pointer-overflow
    else if (which == 2)
        p = p + (n << 62); // BUG pointer-overflow
    else if (which == 3)
        s -= ~(size_t)0; // BUG pointer-overflow
    else if (which == 4) {
        s += 0x7fffffffffffffff;
        s += 0x7fffffffffffffff; // BUG pointer-overflow
    } else if (which == 5)
        p += 4 - n;
    else
        s -= n;
    sink += p != 0 && s != 0;
    return 0;
}
