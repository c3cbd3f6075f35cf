/* Two input pointers, reads before and after a write through one of them, then a comparison.
 *
 * *q is 1 or not (2 ways); then *q becomes 7, so *p == 7 if they share their object, and may be
 * if not: shared; apart and 7; apart and not 7.  2 * 3 paths, and nothing can contradict them.
 *
 * run:
 * verdict: complete
 * paths: 6
 * label: shared 2
 * label: apart 4
 *
 * run: --seed 7 --strategy bfs
 * verdict: complete
 * paths: 6
 * label: shared 2
 * label: apart 4 */
#include <heddle.h>

int main(void) {
    int *p, *q;
    heddle_input(p);
    heddle_input(q);
    heddle_assume(p != NULL);
    heddle_assume(q != NULL);
    int was_one = *q == 1;
    if (was_one)
        *q = 6;
    *q = 7;
    int p_is_seven = 0;
    if (*p == 7)
        p_is_seven = 1;
    if (p == q) {
        heddle_reach("shared");
        heddle_assert(p_is_seven);
    } else {
        heddle_reach("apart");
    }
    *p = 3;
    heddle_assert(*q == (p == q ? 3 : 7));
    return 0;
}
