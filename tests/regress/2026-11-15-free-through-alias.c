/* Input pointers that may be equal: the second free, or a use after the first, is of the same
 * object on one of the paths.
 *
 * run: --function free_both
 * verdict: complete
 * finding: double-free
 * run: --function use_other
 * verdict: complete
 * finding: use-after-free */
#include <heddle.h>
#include <stdlib.h>

void free_both(int *p, int *q) {
    free(p);
    free(q); // BUG double-free
}

void use_other(int *p, int *q) {
    if (!p || !q)
        return;
    free(p);
    *q = 1; // BUG use-after-free
}
