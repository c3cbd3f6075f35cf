/* A block freed twice; also free of a local, and of the middle of a block.
 *
 * run: -DTWICE
 * finding: double-free 1
 *
 * run: -DLOCAL
 * finding: bad-free 1
 *
 * run: -DMIDDLE
 * finding: bad-free 1 */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    int x, local = 0;
    heddle_input(x);
    char *p = malloc(10);
    char *volatile q = p;
#if defined TWICE
    free(p);
    if (x == 77)
        free(q); // BUG double-free
#elif defined LOCAL
    q = (char *)&local;
    if (x == 77)
        free(q); // BUG bad-free
    free(p);
#else
    if (x == 77)
        free(q + 1); // BUG bad-free
    free(p);
#endif
    return local;
}
