/* Two sources define the same variables, as -fcommon allows: one object each, of the larger size.
 *
 * run: -fcommon tests/programs/language/common_symbols/other.c
 * verdict: complete
 * paths: 2
 * finding: assertion 1 */
#include <heddle.h>

int shared;
int several[4];
void change(int n);

int main(void) {
    int n;
    heddle_input(n);
    change(n);
    heddle_assert(several[1] == 5);
    heddle_assert(shared != 3); // BUG assertion
    return 0;
}
