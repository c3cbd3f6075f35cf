/* The same for writes; the write outside never happens.
 *
 * run: -DSTACK
 * verdict: complete
 * paths: 2
 * finding: out-of-bounds 1
 *
 * run: -DGLOBAL
 * verdict: complete
 * paths: 2
 * finding: out-of-bounds 1
 *
 * run: -DHEAP
 * verdict: complete
 * paths: 2
 * finding: out-of-bounds 1 */
#include <heddle.h>
#include <stdlib.h>

static short table[10];
static short behind = 5;

int main(void) {
    short local[10] = {0};
#if defined STACK
    short *a = local;
#elif defined GLOBAL
    short *a = table;
#else
    short *a = calloc(10, sizeof *a);
#endif
    signed char i;
    heddle_input(i);
    a[i] = 7; // BUG out-of-bounds
    heddle_assert(behind == 5);
    if (a != local && a != table)
        free(a);
    return 0;
}
