/* abort() runs the handler of SIGABRT, which may leave it by a jump.  It ended the execution at once:
 * what the handler does, and what comes after the jump, was never run, and the run called complete.
 *
 * run:
 * verdict: complete
 * label: handler
 * label: after
 *
 * run: -DRETURNS
 * verdict: complete
 * finding: abort
 * label: handler
 *
 * run: -DIGNORED
 * verdict: complete
 * finding: abort
 *
 * run: -DBLOCKED
 * verdict: complete
 * label: handler
 * label: after */
#include <heddle.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

static sigjmp_buf away;

static void handle(int number) {
    (void)number;
    heddle_reach("handler");
#ifndef RETURNS
    siglongjmp(away, 1);
#endif
}

int main(void) {
#ifdef IGNORED
    signal(SIGABRT, SIG_IGN);
#else
    signal(SIGABRT, handle);
#endif
#ifdef BLOCKED
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    sigprocmask(SIG_BLOCK, &set, NULL);
#endif
    if (sigsetjmp(away, 1) == 0)
        abort();
    heddle_reach("after");
    return 0;
}
