/* realloc keeps symbolic contents and ends the life of the old block.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: kept 1
 * finding: use-after-free 1 */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    unsigned x;
    heddle_input(x);
    unsigned *p = malloc(2 * sizeof *p);
    unsigned *old = p;
    p[1] = x;
    p = realloc(p, 1000 * sizeof *p);
    if (p[1] == 0x600df00d) {
        heddle_reach("kept");
        free(p);
        return 0;
    }
    p[999] = 0;
    int bad = x == 17 ? old[1] != x : 0; // BUG use-after-free
    free(p);
    return bad;
}
