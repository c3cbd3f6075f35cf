/* A switch has as many ways as distinct targets: {1,2}, 3, 4 (falls into 5), 5, default.
 *
 * run:
 * verdict: complete
 * paths: 5
 * label: low 1
 * label: three 1
 * label: five 2
 * label: other 1 */
#include <heddle.h>

int main(void) {
    int x, n = 0;
    heddle_input(x);
    switch (x) {
    case 1:
    case 2:
        heddle_reach("low");
        break;
    case 3:
        heddle_reach("three");
        break;
    case 4:
        n++;
        /* fall through */
    case 5:
        heddle_reach("five");
        break;
    default:
        heddle_reach("other");
    }
    return n;
}
