/* Shifts by too much, or by a negative amount.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: bad-shift 1
 *
 * run: --checks-end
 * verdict: complete
 * paths: 2
 * finding: bad-shift 1
 *
 * run: --checks overflow
 * paths: 1 */
#include <heddle.h>

int main(void) {
    int n;
    heddle_input(n);
    return (int)((1u << n) & 0); // BUG bad-shift
}
