/* Undefined behaviour that the compiler would not show: __builtin_unreachable is reached.
 *
 * run:
 * finding: undefined 1 */
#include <heddle.h>

int main(void) {
    int x;
    heddle_input(x);
    if (x == 1000)
        __builtin_unreachable(); // BUG undefined
    return 0;
}
