/* CUTE's macros, as the paper gives them.
 *
 * run:
 * verdict: complete
 * paths: 3
 * finding: assertion 1 */
#include <cute.h>

int main(void) {
    int x, a[2];
    CUTE_input(x);
    CUTE_input_array(a, 2);
    CUTE_assume(x > 10);
    if (a[0] == x)
        CUTE_assert(a[1] != 7); // BUG assertion
    return 0;
}
