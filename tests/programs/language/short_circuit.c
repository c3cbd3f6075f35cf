/* Conditions in values: a && b as a number branches on a alone; !, ?: with constants do not
 * branch at all.  Two paths from the first line; the last test can only hold on one of them.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: both 1 */
#include <heddle.h>

int main(void) {
    int a, b;
    heddle_input(a);
    heddle_input(b);
    int both = a > 5 && b > 5;
    int sign = !b ? 10 : 20;
    if (both + sign == 21)
        heddle_reach("both");
    return 0;
}
