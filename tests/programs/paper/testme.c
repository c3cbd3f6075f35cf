/* Figure 1 of paper 002: the error needs x > 0, a cell whose v is 2x+1, and a cycle.
 *
 * Depth first from a positive x: NULL, then a cell, then v == 2x+1, then next == p: four
 * executions.  The whole search has five paths, one for each way out.  (Seeds are ones whose
 * first x is positive; a first x <= 0 costs one execution more.)
 *
 * The paper's maps <3,1,3,0> and <3,1,3,3> belong to x = 1.  The seed of the first group is one
 * whose first x is 1; the second group limits x to at most 1, where no other is possible.
 *
 * run: --strategy dfs --checks none --seed 23 --stop-at-first --tests all
 * executions: 4
 * finding: assertion 1
 * map: <3,1,3,0>
 * map: <3,1,3,3>
 *
 * run: --strategy dfs --checks none --seed 1 -DSMALL --tests all
 * verdict: complete
 * paths: 5
 * finding: assertion 1
 * map: <3,1,3,0>
 * map: <3,1,3,3>
 *
 * run: --strategy dfs --checks none
 * verdict: complete
 * paths: 5
 * finding: assertion 1 */
#include <heddle.h>

typedef struct cell {
    int v;
    struct cell *next;
} cell;

static int twice_plus_one(int v) {
    return 2 * v + 1;
}

int main(void) {
    cell *p;
    int x;
    heddle_input(p);
    heddle_input(x);
#ifdef SMALL
    heddle_assume(x <= 1);
#endif
    if (x > 0)
        if (p != NULL)
            if (twice_plus_one(x) == p->v)
                if (p->next == p)
                    heddle_assert(!"reached"); // BUG assertion
    return 0;
}
