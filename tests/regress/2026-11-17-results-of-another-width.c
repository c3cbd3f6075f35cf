/* A direct call of a function that another file declares with another width of a result or argument
 * ended the execution, and hid what was behind it, although registers carry the value.
 *
 * run: -w
 * verdict: complete
 * paths: 3
 * finding: wrong-function 2
 * finding: assertion 2 */
#include <heddle.h>

static signed char kept;

signed char own_get(void) {
    return kept;
}

int own_square(long n) {
    return (int)((unsigned)n * (unsigned)n);
}

/* As another file would say. */
int get() __asm__("own_get");
int square() __asm__("own_square");

int main(void) {
    int n;
    heddle_input(n);
    kept = (signed char)n;
    heddle_assert(get() != 77); // BUG wrong-function // BUG assertion
    int s = square(n);          // BUG wrong-function
    heddle_assert(s != 49);     // BUG assertion
    return 0;
}
