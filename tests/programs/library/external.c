/* A call into code without source and without a model ends the execution, unless the user
 * allows it: then it is named, and sees concrete values only.
 *
 * run: -DSYMBOLIC --external gnu_dev_minor
 * verdict: incomplete
 * reason: gnu_dev_minor
 * reason-at: LOSS
 * strays: what the call answers is a constant, which is listed
 *
 * run: --external other,gnu_dev_minor
 * verdict: incomplete
 * reason: call of 'gnu_dev_minor', which has no model
 * paths: 2
 * label: five 1
 *
 * run:
 * verdict: incomplete
 * reason: call of 'gnu_dev_minor', which has no model (executions end there)
 * reason-at: 27
 * paths: 0 */
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
