/* What aligned_alloc and __builtin_assume_aligned promise is checked by a handler of clang that had no row: calls of it were
 * named as those of a function without a model, and a promise that is not kept ended the execution there.
 *
 * run:
 * verdict: complete
 * finding: misaligned 1
 *
 * run: -DOFFSET=8
 * verdict: complete */
#include <heddle.h>
#include <stdlib.h>

#ifndef OFFSET
#define OFFSET x / 128
#endif

int main(void) {
    unsigned char x;
    heddle_input(x);
    char *p = aligned_alloc((size_t)1 << (4 + x % 2), 128);
    heddle_assume(p);
    char *q = __builtin_assume_aligned(p + OFFSET, 8);
    q[0] = 1;
    free(p);
    return 0;
}
