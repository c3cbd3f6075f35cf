/* A process that ended with a leak was the end of the execution: what the others did wrong was not
 * seen in any order.  What is wrong with the end of a process stops nobody.
 *
 * run:
 * verdict: complete
 * finding: leak
 * finding: assertion
 * run: --por none
 * verdict: complete
 * finding: leak
 * finding: assertion
 * run: -DHANGS
 * verdict: complete
 * finding: leak
 * finding: deadlock
 * run: -DFAILS_IN_HANDLER
 * verdict: complete
 * finding: assertion 2 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(void) {
    assert(!"in a handler"); // BUG assertion
}

static void wait_for_nothing(void) {
    int ends[2];
    char c;
    if (pipe(ends) == 0)
        read(ends[0], &c, 1); // BUG deadlock
}

int main(void) {
    if (fork() == 0) {
#ifdef FAILS_IN_HANDLER
        atexit(fail);
#else
        char *lost = malloc(3); // BUG leak
        lost = NULL;
#endif
        exit(0);
    }
    if (fork() == 0) {
#ifdef HANGS
        wait_for_nothing();
#endif
        assert(getpid() == 0); // BUG assertion
    }
    return 0;
}
