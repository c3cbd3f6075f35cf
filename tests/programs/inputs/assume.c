/* Executions that an assumption rejects are no paths; contradictory assumptions leave none.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: in 1
 *
 * run: -DNEVER
 * verdict: complete
 * paths: 0
 * no-label: in */
#include <heddle.h>

int main(void) {
    unsigned x;
    heddle_input(x);
    heddle_assume(x > 1000);
    heddle_assume(x < 1010);
#ifdef NEVER
    heddle_assume(x * 2 == 2001);
#endif
    if (x % 7 == 0)
        heddle_reach("in"); /* 1001 and 1008 */
    return 0;
}
