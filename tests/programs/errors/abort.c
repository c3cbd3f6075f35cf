/* abort, a failed assert of <assert.h>, __builtin_trap and a raised signal.
 *
 * run: -DABORT
 * verdict: complete
 * paths: 2
 * finding: abort 1
 *
 * run: -DASSERT
 * verdict: complete
 * paths: 2
 * finding: assertion 1
 *
 * run: -DRAISE
 * paths: 2
 * finding: signal 1 */
#include <assert.h>
#include <heddle.h>
#include <signal.h>
#include <stdlib.h>

int main(void) {
    int x;
    heddle_input(x);
#if defined ABORT
    if (x == 5)
        abort(); // BUG abort
#elif defined ASSERT
    assert(x != 5); // BUG assertion
#else
    if (x == 5)
        raise(SIGFPE);
#endif
    return 0;
}
