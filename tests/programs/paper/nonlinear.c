/* Paper 002, 4.3.3: y == x*x + x%2 is out of reach of linear arithmetic.  The paper finds it
 * by putting in the concrete x; bit-precise solving needs no approximation.
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: assertion 1 */
#include <heddle.h>

static unsigned g(unsigned x) {
    return x * x + x % 2;
}

int main(void) {
    unsigned x, y;
    heddle_input(x);
    heddle_input(y);
    unsigned z = g(x);
    heddle_assert(y != z); // BUG assertion
    return 0;
}
