/* Flags of floating point are as a program begins, whatever was computed between executions, and
 * decisions on inputs leave them alone: asked for by an instruction that the compiler knows.
 *
 * run:
 * verdict: complete
 * paths: 16 */
#include <assert.h>
#include <heddle.h>
#include <xmmintrin.h>

int main(void) {
    unsigned char bits;
    assert((_mm_getcsr() & _MM_EXCEPT_MASK) == 0);
    heddle_input(bits);
    for (int i = 0; i < 4; i++)
        if (bits >> i & 1)
            assert((_mm_getcsr() & _MM_EXCEPT_MASK) == 0);
    return 0;
}
