/* A child has its parent's socket, and ends before or after that is bound and closed there (-DCONNECTS: connected).  To close what
 * is nothing yet was no event: a child that did nothing else ended when it began, so that nobody ever saw the socket
 * kept open by it, by --por none either; and one that had something to do before kept fewer orders than none.
 *
 * run: --no-samples
 * verdict: complete
 * paths: 27
 * label: held
 * label: gone
 *
 * run: --no-samples --por dpor
 * verdict: complete
 * label: held
 * label: gone
 *
 * run: --no-samples -DCONNECTS
 * verdict: complete
 * paths: 2
 * label: held
 * label: gone
 *
 * run: --no-samples -DREFUSED
 * verdict: complete
 * paths: 13
 * label: held
 * label: gone
 *
 * run: --no-samples -DREFUSED --por none
 * verdict: complete
 * paths: 13
 * label: held
 * label: gone */
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct sockaddr_in place = {.sin_family = AF_INET,
                                         .sin_port = 0xd711, /* 4567, as it is sent */
                                         .sin_addr = {0x0100007f}};
static char c;
static int p[2], q[2];

static int new_socket(void) {
    return socket(AF_INET, SOCK_STREAM, 0);
}

static void keep_for_a_while(void) {
    if (fork() == 0)
        _exit(0);
}

#ifdef CONNECTS
static void client(void) {
    int s = new_socket();
    keep_for_a_while();
    connect(s, (const void *)&place, sizeof place);
    close(s);
    write(p[1], &c, 1);
    wait(NULL);
    _exit(0);
}

int main(void) {
    int listener = new_socket();
    pipe(p);
    bind(listener, (const void *)&place, sizeof place);
    listen(listener, 1);
    if (fork() == 0)
        client();
    int s = accept(listener, NULL, NULL);
    read(p[0], &c, 1);
    fcntl(s, F_SETFL, O_NONBLOCK);
    heddle_reach(read(s, &c, 1) == 0 ? "gone" : "held");
    wait(NULL);
    return 0;
}
#elif defined REFUSED
/* Who connects has the listener too. */
static void client(void) {
    int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), error = 0;
    socklen_t n = sizeof error;
    struct pollfd polled = {s, POLLOUT, 0};
    bool waits = connect(s, (const void *)&place, sizeof place) != 0 && errno == EINPROGRESS;
    if (waits && poll(&polled, 1, -1) == 1)
        getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &n);
    else
        error = 1;
    heddle_reach(error ? "gone" : "held");
    _exit(0);
}

int main(void) {
    int listener = new_socket(), one = 1;
    if (fork() == 0)
        client();
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    bind(listener, (const void *)&place, sizeof place);
    listen(listener, 1);
    wait(NULL);
    return 0;
}
#else
static void client(int listener) {
    close(listener);
    write(p[1], &c, 1);
    read(q[0], &c, 1);
    heddle_reach(connect(new_socket(), (const void *)&place, sizeof place) == 0 ? "held" : "gone");
    _exit(0);
}

int main(void) {
    int listener = new_socket();
    pipe(p), pipe(q);
    keep_for_a_while();
    if (fork() == 0)
        client(listener);
    read(p[0], &c, 1);
    bind(listener, (const void *)&place, sizeof place);
    listen(listener, 1);
    close(listener);
    write(q[1], &c, 1);
    wait(NULL);
    wait(NULL);
    return 0;
}
#endif
