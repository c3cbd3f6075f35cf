/* abs and labs; abs of the smallest int does not exist and may be reported or wrap, so it is
 * left out here.
 *
 * run:
 * verdict: complete
 * label: distance */
#include <heddle.h>
#include <stdlib.h>

int main(void) {
    short x;
    heddle_input(x);
    if (abs(x - 100) == 250) {
        heddle_reach("distance");
        heddle_assert(x == 350 || x == -150);
    }
    return 0;
}
