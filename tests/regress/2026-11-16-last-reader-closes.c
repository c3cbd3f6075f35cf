/* A process that inherited the read end of a pipe, never read from it, and was the last to close it:
 * that was no event, so only one order of it and the writes was run, and the run called complete.
 *
 * run:
 * verdict: complete
 * paths: 3
 * label: none
 * label: one
 * label: both
 *
 * run: --por none
 * verdict: complete
 * paths: 3 */
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2], status = 0;
    signal(SIGPIPE, SIG_IGN);
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        int failed = 0;
        close(ends[0]);
        for (int i = 0; i < 2; i++)
            failed += write(ends[1], "x", 1) < 0 && errno == EPIPE;
        exit(failed);
    }
    close(ends[0]);
    wait(&status);
    assert(WIFEXITED(status));
    int failed = WEXITSTATUS(status);
    heddle_reach(failed == 0 ? "none" : failed == 1 ? "one" : "both");
    return 0;
}
