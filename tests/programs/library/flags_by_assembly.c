/* Flags of floating point are as a program begins, whatever was computed between executions, and
 * decisions on inputs leave them alone: asked for by assembly.
 *
 * run:
 * verdict: complete
 * paths: 16 */
#include <assert.h>
#include <heddle.h>

static unsigned flags(void) {
    unsigned all;
    __asm__ volatile("stmxcsr %0" : "=m"(all));
    return all & 63;
}

int main(void) {
    unsigned char bits;
    assert(flags() == 0);
    heddle_input(bits);
    for (int i = 0; i < 4; i++)
        if (bits >> i & 1)
            assert(flags() == 0);
    return 0;
}
