/* A failed assertion runs the handler of SIGABRT, as abort() does.  It ended the execution at once:
 * what the handler does, and what comes after a jump out of it, was never run.
 *
 * run:
 * verdict: complete
 * finding: assertion
 * label: handler
 * label: after
 *
 * run: -DRETURNS
 * verdict: complete
 * finding: assertion
 * label: handler
 * no-label: after
 *
 * run: -DTHREAD --no-races
 * verdict: complete
 * finding: assertion
 * label: handler
 *
 * run: -DTHREAD --no-races --por none
 * verdict: complete
 * finding: assertion
 * label: handler */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf away;

static void handle(int number) {
    (void)number;
    heddle_reach("handler");
#if !defined RETURNS && !defined THREAD
    siglongjmp(away, 1);
#endif
}

static void *install(void *unused) {
    signal(SIGABRT, handle);
    return unused;
}

int main(void) {
#ifdef THREAD /* another thread installs the handler, before or after */
    pthread_t t;
    pthread_create(&t, NULL, install, NULL);
    assert(0); // BUG assertion
#else
    install(NULL);
    if (sigsetjmp(away, 1) == 0)
        assert(0); // BUG assertion
    heddle_reach("after");
#endif
    return 0;
}
