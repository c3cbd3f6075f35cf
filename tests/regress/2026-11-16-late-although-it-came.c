/* With --timeouts any a wait may end by its time although what it waits for comes.  A wait that had
 * found it was taken for one that cannot end otherwise, and the run called complete.
 *
 * run: --timeouts any
 * verdict: complete
 * paths: 2
 * label: came
 * label: late
 *
 * run: --timeouts any --por dpor
 * verdict: complete
 * label: came
 * label: late
 *
 * run: --timeouts any --por message
 * verdict: complete
 * label: came
 * label: late
 *
 * run: --timeouts any --por none
 * verdict: complete
 * label: came
 * label: late
 *
 * run: --timeouts any -DRECEIVE
 * verdict: complete
 * label: came
 * label: late */
#include <heddle.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int is_there(int s) {
#ifdef RECEIVE
    char c;
    struct timeval limit = {.tv_usec = 3000};
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    return read(s, &c, 1) == 1;
#else
    struct pollfd p = {.fd = s, .events = POLLIN};
    return poll(&p, 1, 3) == 1;
#endif
}

int main(void) {
    int s[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, s) != 0)
        return 1;
    if (fork() == 0) {
        heddle_reach(is_there(s[0]) ? "came" : "late");
        _exit(0);
    }
    return write(s[1], "x", 1) != 1;
}
