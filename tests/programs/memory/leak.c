/* A block that nothing points to when the program ends is a leak; one that a global still
 * reaches is not.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: leak 1
 *
 * run: --no-leaks
 * verdict: complete
 * paths: 2
 *
 * run: -DREACHABLE
 * verdict: complete
 * paths: 2 */
#include <heddle.h>
#include <stdlib.h>

static char *kept;

int main(void) {
    int x;
    heddle_input(x);
    char *p = malloc(10);
    p[0] = 1;
    if (x == 5) {
#ifdef REACHABLE
        kept = p;
#endif
        return kept != NULL;
    }
    free(p);
    return 0;
}
