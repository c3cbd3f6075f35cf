/* --function: no main, the arguments are the inputs, also a pointer to a struct.
 *
 * Paths of area: NULL; w == 0 or h == 0; w*h == 391 or not.
 * middle: six outcomes of the comparisons, one of them right only if x == y: seven.
 *
 * run: --function area
 * verdict: complete
 * paths: 5
 * label: prime 1
 *
 * run: --function middle
 * verdict: complete
 * paths: 7
 * finding: assertion 1
 *
 * run: --function nothing
 * exit: 2 */
#include <heddle.h>

struct box {
    unsigned char w, h;
};

int area(const struct box *b) {
    if (!b)
        return -1;
    if (b->w == 0)
        return 0;
    if (b->h == 0)
        return 0;
    if (b->w * b->h == 391)
        heddle_reach("prime");
    return b->w * b->h;
}

/* The classic: the last comparison returns the wrong one. */
int middle(int x, int y, int z) {
    int m = z;
    if (y < z) {
        if (x < y)
            m = y;
        else if (x < z)
            m = y; /* should be x */
    } else {
        if (x > y)
            m = y;
        else if (x > z)
            m = x;
    }
    heddle_assert((m >= x) + (m >= y) + (m >= z) >= 2 && (m <= x) + (m <= y) + (m <= z) >= 2); // BUG assertion
    return m;
}
