/* Who connects is reset if the listener is closed before it accepts, which may be noticed by the
 * next write or poll.  What it did in between was not ordered with the closing, and with TCP the
 * search left the paths that were predicted, or saw one class as two.
 *
 * run:
 * verdict: complete
 * label: sent
 * label: refused
 *
 * run: --por dpor
 * verdict: complete
 * label: sent
 * label: refused
 *
 * run: --por none
 * verdict: complete
 * label: sent
 * label: refused
 *
 * run: -DPOLL
 * verdict: complete
 * label: open
 * label: hangup
 *
 * run: -DTCP
 * verdict: complete
 * paths: 2
 *
 * run: -DTCP --por none
 * verdict: complete
 * paths: 2 */
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <heddle.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef TCP
static struct sockaddr_in address = {.sin_family = AF_INET};
#else
static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0listener"};
#endif

static void use(int s) {
#ifdef POLL
    struct pollfd p = {.fd = s, .events = POLLIN};
    heddle_reach(poll(&p, 1, 0) ? "hangup" : "open");
#else
    if (send(s, "x", 1, MSG_NOSIGNAL) == 1)
        heddle_reach("sent");
    else
        heddle_reach(errno == EPIPE ? "refused" : "other");
#endif
}

int main(void) {
    socklen_t size = sizeof address;
#ifdef TCP
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
#endif
    int listener = socket(((struct sockaddr *)&address)->sa_family, SOCK_STREAM, 0);
    int s = socket(((struct sockaddr *)&address)->sa_family, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
    assert(connect(s, (struct sockaddr *)&address, size) == 0);
    if (fork() == 0) {
        close(s);
        close(listener);
        _exit(0);
    }
    close(listener);
    use(s);
    return 0;
}
