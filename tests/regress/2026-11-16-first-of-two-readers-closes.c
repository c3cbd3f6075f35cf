/* Closing a read end was an event only if it was the last one, which depends on the order: whether
 * a write still finds a reader was seen one way only, and the search was called complete.
 *
 * run: --por none
 * verdict: complete
 * finding: assertion 2
 *
 * run: --por flip
 * verdict: complete
 * paths: 2
 * finding: assertion 2
 *
 * run: --por dpor
 * verdict: complete
 * paths: 2
 * finding: assertion 2
 *
 * run:
 * verdict: complete
 * paths: 2
 * finding: assertion 2
 *
 * run: -DSOCKETS
 * verdict: complete
 * paths: 2
 * finding: assertion 2 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
#ifdef SOCKETS
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
#else
    assert(pipe(ends) == 0);
#endif
    if (fork() == 0) {
        close(ends[0]);
        _exit(0);
    }
    close(ends[0]);
    if (write(ends[1], "x", 1) == 1)
        assert(!"somebody can read it"); // BUG assertion
    else
        assert(errno != EPIPE); // BUG assertion
    return 0;
}
