/* Floating point runs concretely; where an input enters it, that is said with file and line.
 * The branch before it is explored all the same.
 *
 * run:
 * verdict: incomplete
 * label: negative
 * reason: floating
 * reason-at: LOSS
 *
 * run: -DCONCRETE
 * verdict: complete
 * paths: 2 */
#include <heddle.h>

int main(void) {
    int x;
    double half = 0.5;
    heddle_input(x);
    if (x < 0) {
        heddle_reach("negative");
        return 0;
    }
#ifdef CONCRETE
    heddle_assert(half * 3.0 > 1.4 && half * 3.0 < 1.6);
#else
    double d = x; // LOSS
    if (d * half > 1000.0)
        heddle_reach("large");
#endif
    return 0;
}
