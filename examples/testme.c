/* testme.c -- the first example of the paper on CUTE (paper 002, figure 1).
 *
 * Try it:     heddle run --tests all --checks none examples/testme.c
 *             heddle tests heddle-out
 *
 * The input is a number and whatever lies behind a pointer.  To reach the error, x must be
 * positive, p must point to a cell whose value is 2x+1, and the cell must point to itself.
 * Random values would practically never do it; here each execution teaches the next:
 *
 *     1  p is NULL                      <0,x>
 *     2  p points to a new cell         <3,x,v,0>
 *     3  with the right value in it     <3,1,3,0>     (x = 1, v = 3)
 *     4  that points to itself          <3,1,3,3>     the error
 *
 * <...> is the logical input map: the cells of memory in order, pointers as numbers of cells,
 * 0 for NULL.  p is cell 1, x is cell 2, the object behind p begins with cell 3.
 * Without `--checks none` the overflow of 2x+1 is found as well.
 *
 * run: --checks none
 * verdict: complete
 * paths: 5
 * finding: assertion 1
 *
 * run:
 * verdict: complete
 * finding: assertion 1
 * finding: overflow */
#include <heddle.h>

struct cell {
    int v;
    struct cell *next;
};

static int f(int v) {
    return 2 * v + 1; // BUG overflow
}

int main(void) {
    struct cell *p;
    int x;
    heddle_input(p);
    heddle_input(x);
    if (x > 0)
        if (p != NULL)
            if (f(x) == p->v)
                if (p->next == p)
                    heddle_assert(!"the cell points to itself"); // BUG assertion
    return 0;
}
