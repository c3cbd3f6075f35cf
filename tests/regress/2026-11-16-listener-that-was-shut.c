/* Who has shut a listener down for reading accepts nobody any more.
 *
 * run:
 * verdict: complete
 * label: connected
 * label: refused
 *
 * run: --por none
 * verdict: complete
 * label: connected
 * label: refused */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0), s = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&at, size) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&at, &size) == 0);
    if (fork() == 0) {
        struct pollfd p = {.fd = listener, .events = POLLIN | POLLOUT};
        assert(shutdown(listener, SHUT_RD) == 0);
        assert(poll(&p, 1, 0) == 1 && p.revents == (POLLHUP | POLLOUT));
        _exit(0);
    }
    int status = connect(s, (struct sockaddr *)&at, size);
    heddle_assert(status == 0 || errno == ECONNREFUSED);
    heddle_reach(status == 0 ? "connected" : "refused");
    return 0;
}
