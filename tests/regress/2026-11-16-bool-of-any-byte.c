/* A _Bool whose byte is an input was tested for its lowest bit by the machine and for zero by the
 * code, because the load promised 0 or 1: executions strayed.  With a type that is known it is 0 or
 * 1; memory of no known type may hold any byte, and then code and machine do the same.
 *
 * run: --checks none
 * verdict: complete
 * paths: 2
 * finding: null-pointer
 *
 * run: -DINSIDE --checks none
 * verdict: complete
 * paths: 4
 *
 * run: -DRAW --checks none
 * verdict: complete
 * paths: 2 */
#include "klee/klee.h"
#include <string.h>

struct options {
    int level;
    _Bool flags[2];
    struct {
        char pad;
        _Bool quiet;
    } inner;
};

int main(void) {
#ifdef INSIDE
    struct options o;
    klee_make_symbolic(&o, sizeof o, "options");
    unsigned char bytes[3] = {0};
    memcpy(bytes, o.flags, 2);
    memcpy(bytes + 2, &o.inner.quiet, 1);
    heddle_assert((bytes[0] | bytes[1] | bytes[2]) < 2);
    if (o.flags[0])
        heddle_reach("first");
    if (o.inner.quiet)
        heddle_reach("quiet");
    return 0;
#elif defined RAW
    _Bool raw;
    heddle_bytes(&raw, sizeof raw, "raw");
    if (raw)
        heddle_reach("yes");
    return 0;
#else
    _Bool null;
    klee_make_symbolic(&null, sizeof null, "null");
    int local = 0;
    int *arg = null ? 0 : &local;
    return *arg;
#endif
}
