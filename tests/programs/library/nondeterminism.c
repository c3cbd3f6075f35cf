/* A program that does not do the same twice is found out, and the search is not called
 * complete.
 *
 * run: --max-time 20
 * verdict: incomplete
 * strays: the clock of the processor decides branches
 * replay: no */
#include <heddle.h>

int main(void) {
    unsigned x[6];
    heddle_input(x);
    for (int i = 0; i < 6; i++)
        if (__builtin_ia32_rdtsc() >> 4 & 1) {
            if (x[i] == 5)
                heddle_reach("five");
        } else {
            if (x[i] > 100)
                heddle_reach("large");
        }
    return 0;
}
