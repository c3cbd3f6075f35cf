/* Each wild address was a path of its own: a search starved on them before it turned the first
 * branch.  All addresses outside the object that a pointer belongs to are one path; those of a
 * pointer that belongs to nothing are inside one of the objects, null, or one path too.
 *
 * run: --no-leaks
 * verdict: complete
 * paths: 3
 * finding: out-of-bounds 1
 *
 * run: -DHEAP --no-leaks
 * verdict: complete
 * paths: 3
 * finding: out-of-bounds 1
 *
 * run: -DLOCAL --no-leaks
 * verdict: complete
 * paths: 3
 * finding: out-of-bounds 1
 *
 * run: -DWRITE --no-leaks
 * verdict: complete
 * paths: 3
 * finding: out-of-bounds 1
 *
 * run: -DNULLBASE --max-time 30 --no-leaks
 * verdict: complete
 * finding: out-of-bounds 1
 * finding: null-pointer 1
 * finding: pointer-overflow 1
 * label: small
 *
 * run: -DNUMBER --max-time 30 --no-leaks
 * verdict: complete
 * finding: out-of-bounds 1
 * finding: null-pointer 1
 * label: small
 * label: three */
#include <heddle.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char before[5], a[8], after[3];

int main(void) {
    size_t i;
    heddle_input(i);
    a[2] = before[1] = after[2] = 3;
#if defined NULLBASE || defined NUMBER
    char *volatile base = 0;
#elif defined HEAP
    free(malloc(20));
    char *volatile base = calloc(8, 1), *volatile other = calloc(8, 1);
    base[3] = other[3] = 3;
#elif defined LOCAL
    char local[8] = {1, 2, 3}, around[8] = {3, 3, 3};
    char *volatile base = local, *volatile other = around;
    (void)other;
#else
    char *volatile base = a;
#endif
    char *p = base;
    if (i < 4) {
        heddle_reach("small");
        return 0;
    }
#ifdef NUMBER
    if (*(char *)(uintptr_t)i == 3) // BUG out-of-bounds null-pointer
        heddle_reach("three");
    return 0;
#elif defined WRITE
    p[i - 1] = 3; // BUG out-of-bounds
    return 0;
#else
    return p[i - 1] == 3; // BUG out-of-bounds null-pointer pointer-overflow
#endif
}
