/* A call into code without source with a symbolic argument is named; one with concrete
 * arguments alone loses nothing.
 *
 * run: -DSYMBOLIC
 * verdict: incomplete
 * reason: gnu_dev_minor
 * reason-at: LOSS
 *
 * run:
 * paths: 2
 * label: five 1 */
#include <heddle.h>
#include <sys/sysmacros.h>

int main(void) {
    unsigned x;
    heddle_input(x);
    unsigned minor = gnu_dev_minor(5);
#ifdef SYMBOLIC
    minor = gnu_dev_minor(x); // LOSS
#endif
    if (x == minor)
        heddle_reach("five");
    return 0;
}
