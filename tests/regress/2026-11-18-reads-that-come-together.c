/* What both sides of a condition read, and what is computed of it, came together behind it: two
 * errors became one, on a line where nothing is read.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds 2
 * finding: use-after-free 1 */
#include <heddle.h>
#include <stdlib.h>

static int chosen(const unsigned char *t, int c, int d, int k) {
    int r;
    if (k > 1)
        r = t[c]; // BUG out-of-bounds
    else
        r = t[d]; // BUG out-of-bounds
    return r;
}

static int freed(int *p, int k) {
    return k == 3 ? *p + 1 // BUG use-after-free
                  : *p + 1;
}

int main(void) {
    unsigned char t[4] = {1, 2, 3, 4}, k;
    heddle_input(k);
    heddle_assume(k < 4);
    int *p = malloc(sizeof *p), sum = 0;
    *p = k;
    if (k == 3)
        free(p);
    sum += freed(p, k);
    if (k < 3)
        free(p);
    return (sum + chosen(t, k + 2, k + 3, k)) & 1;
}
