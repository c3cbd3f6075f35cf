/* Code from outside would take a stream of the program for one of its own: wherever it is passed, such
 * a call ends the execution.
 *
 * run: --external putw,xputw
 * verdict: incomplete
 * reason: call of 'putw' on a stream, not modelled (executions end there)
 * no-label: went-on
 *
 * run: --external xputw,putwx
 * verdict: incomplete
 * reason: call of 'putw', which has no model (executions end there)
 * no-label: went-on */
#define _GNU_SOURCE
#include <heddle.h>
#include <stdio.h>

int main(void) {
    FILE *f = tmpfile();
    putw(7, f);
    heddle_reach("went-on");
    fclose(f);
    return 0;
}
