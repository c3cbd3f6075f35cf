/* memcmp may read all that it is given, also behind the first difference: too long a range was seen
 * only if the bytes before were equal.
 *
 * run:
 * verdict: complete
 * finding: out-of-bounds 2 */
#include <heddle.h>
#include <string.h>

static volatile int sink;

int main(void) {
    unsigned which, n;
    char a[4] = "abc", b[8] = "xyz";
    heddle_input(which);
    heddle_input(n);
    heddle_assume(n < 8);
    if (which == 0)
        sink = memcmp(a, b, n); // BUG out-of-bounds
    else
        sink = memcmp(b, a, 5); // BUG out-of-bounds
    return 0;
}
