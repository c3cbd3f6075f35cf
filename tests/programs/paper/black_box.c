/* Paper 002, 4.3.4: the same where g has no source: its result is concrete, y is solved for
 * it, and the search says that the call was not followed.
 *
 * run: --external gnu_dev_major
 * verdict: incomplete
 * finding: assertion 1
 * reason: gnu_dev_major
 * reason-at: LOSS */
#include <heddle.h>
#include <sys/sysmacros.h>

int main(void) {
    unsigned x, y;
    heddle_input(x);
    heddle_input(y);
    unsigned z = gnu_dev_major(x); // LOSS
    heddle_assert(y != z); // BUG assertion
    return 0;
}
