/* Beyond CUTE (paper 002, 4.1.6): the branch is only reached when the two indexes are equal.
 *
 * Two paths among the assumed indexes: i == j or not.
 *
 * run:
 * verdict: complete
 * paths: 2
 * label: same 1 */
#include <heddle.h>

int main(void) {
    int a[4] = {7, 7, 7, 7};
    unsigned char i, j;
    heddle_input(i);
    heddle_input(j);
    heddle_assume(i < 4);
    heddle_assume(j < 4);
    a[i] = 0;
    a[j] = 1;
    if (a[i] == 1) {
        heddle_reach("same");
        heddle_assert(i == j);
    }
    return 0;
}
