/* Two processes, or two threads, send through one socket of the network: either may be first.  The
 * order was not explored: with UDP not even by `none`, and with TCP others than `none` strayed.
 *
 * run:
 * verdict: complete
 * label: child
 * label: parent
 *
 * run: --por none
 * verdict: complete
 * label: child
 * label: parent
 *
 * run: -DTCP
 * verdict: complete
 * label: child
 * label: parent
 *
 * run: -DTCP --por none
 * verdict: complete
 * label: child
 * label: parent
 *
 * run: -DTHREAD
 * verdict: complete
 * label: child
 * label: parent
 *
 * run: -DSHUT
 * verdict: complete
 * label: parent
 * label: nothing */
#include <arpa/inet.h>
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int from, to; /* connected to each other */

static void make_sockets(int type) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t n = sizeof at;
    to = socket(AF_INET, type, 0);
    bind(to, (struct sockaddr *)&at, n);
    getsockname(to, (struct sockaddr *)&at, &n);
    if (type == SOCK_STREAM)
        listen(to, 1);
    from = socket(AF_INET, type, 0);
    connect(from, (struct sockaddr *)&at, n);
    if (type == SOCK_STREAM)
        to = accept(to, NULL, NULL);
}

#ifdef THREAD
static void *send_too(void *unused) {
    (void)unused;
    write(from, "c", 1);
    return NULL;
}

static void start_other(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, send_too, NULL);
    pthread_detach(thread);
}
#else
static void start_other(void) {
    if (fork() != 0)
        return;
#ifdef SHUT
    shutdown(from, SHUT_WR);
#else
    write(from, "c", 1);
#endif
    _exit(0);
}
#endif

int main(void) {
    char c = 0;
#ifdef TCP
    make_sockets(SOCK_STREAM);
#else
    make_sockets(SOCK_DGRAM);
#endif
    start_other();
    if (send(from, "p", 1, MSG_NOSIGNAL) < 0) {
        heddle_assert(errno == EPIPE);
        heddle_reach("nothing");
        return 0;
    }
    heddle_assert(read(to, &c, 1) == 1);
    heddle_reach(c == 'c' ? "child" : "parent");
    return 0;
}
