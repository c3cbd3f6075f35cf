/* Read and write of a freed block, only for one input each.
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: use-after-free 2 */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    int x;
    heddle_input(x);
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    if (x == 1234)
        return *p; // BUG use-after-free
    if (x == 4321)
        *p = 2; // BUG use-after-free
    return 0;
}
