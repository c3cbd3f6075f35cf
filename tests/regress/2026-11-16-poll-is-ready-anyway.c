/* A poll of a pipe and of a socket that is not connected never waits.  If the pipe had something as
 * well it was taken to have waited for that, and the other order was not run.
 *
 * run:
 * verdict: complete
 * label: both
 * label: hangup
 *
 * run: --por dpor
 * verdict: complete
 * label: both
 * label: hangup
 *
 * run: --por none
 * verdict: complete
 * label: both
 * label: hangup */
#include <heddle.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int ends[2], s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        struct pollfd p[2] = {{.fd = ends[0], .events = POLLIN}, {.fd = s, .events = POLLIN}};
        poll(p, 2, -1);
        heddle_reach(p[0].revents ? "both" : "hangup");
        _exit(0);
    }
    return write(ends[1], "x", 1) != 1;
}
