/* heddle_choose gives exactly the values of its range.
 *
 * run:
 * verdict: complete
 * paths: 5
 * label: low 1
 * label: high 1 */
#include <heddle.h>

int main(void) {
    long v = heddle_choose(-2, 2);
    switch (v) {
    case -2:
        heddle_reach("low");
        break;
    case -1:
    case 0:
    case 1:
        for (int i = -1; i < v; i++)
            ;
        break;
    case 2:
        heddle_reach("high");
        break;
    default:
        heddle_assert(0);
    }
    return 0;
}
