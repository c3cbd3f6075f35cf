/* A symbolic index may leave its object: found by asking the solver, whatever the first value.
 * Two paths: inside and outside.
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
 * finding: out-of-bounds 1
 *
 * run: -DSTACK --checks none
 * verdict: complete
 * paths: 2
 * finding: out-of-bounds 1 */
#include <heddle.h>
#include <stdlib.h>

static int table[10];

int main(void) {
    int local[10] = {0};
#if defined STACK
    int *a = local;
#elif defined GLOBAL
    int *a = table;
#else
    int *a = calloc(10, sizeof *a);
#endif
    unsigned char i;
    heddle_input(i);
    int v = a[i]; // BUG out-of-bounds
    heddle_assert(v == 0);
    if (a != local && a != table)
        free(a);
    return 0;
}
