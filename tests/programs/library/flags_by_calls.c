/* Flags of floating point are as a program begins, whatever was computed between executions, and
 * decisions on inputs leave them alone: asked for by library functions.
 *
 * run:
 * verdict: complete
 * paths: 17 */
#include <assert.h>
#include <fenv.h>
#include <heddle.h>

int main(void) {
    unsigned char bits;
    assert(!fetestexcept(FE_ALL_EXCEPT));
    heddle_input(bits);
    for (int i = 0; i < 4; i++)
        if (bits >> i & 1)
            assert(!fetestexcept(FE_ALL_EXCEPT));
    feraiseexcept(FE_INEXACT);
    if (bits == 16)
        assert(fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT);
    assert(fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT);
    return 0;
}
