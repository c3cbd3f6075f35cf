/* malloc of a symbolic size: some size is taken; the overrun of a small one is still found.
 *
 * run:
 * finding: out-of-bounds */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    unsigned char n;
    heddle_input(n);
    heddle_assume(n > 0);
    heddle_assume(n < 6);
    char *p = malloc(n);
    for (unsigned i = 0; i <= n; i++)
        p[i] = 1; // BUG out-of-bounds
    free(p);
    return 0;
}
