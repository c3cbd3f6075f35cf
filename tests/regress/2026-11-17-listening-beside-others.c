/* A socket that two processes have comes to listen in one of them.  Whether it listens was looked at
 * by accept, shutdown and poll without an event: the orders in which it did were not run.
 *
 * run: -DACCEPT --no-samples
 * verdict: complete
 * paths: 20
 * label: accepted
 * label: nobody
 * label: deaf
 *
 * run: -DACCEPT --no-samples --por none
 * verdict: complete
 * paths: 20
 * label: accepted
 * label: nobody
 * label: deaf
 *
 * run: -DPOLL --no-samples
 * verdict: complete
 * paths: 5
 * label: quiet
 * label: deaf
 *
 * run: -DPOLL --no-samples --por none
 * verdict: complete
 * paths: 5
 *
 * run: -DSHUT --no-samples
 * verdict: complete
 * paths: 5
 * label: shut
 * label: deaf
 *
 * run: -DSHUT --no-samples --por none
 * verdict: complete
 * paths: 5 */
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int s;
static struct sockaddr_in at = {.sin_family = AF_INET};

static void ask(void) {
#ifdef POLL
    struct pollfd p = {s, POLLIN | POLLOUT, 0};
    poll(&p, 1, 0);
    heddle_reach(p.revents & POLLHUP ? "deaf" : p.revents ? "ready" : "quiet");
#elif defined SHUT
    heddle_reach(shutdown(s, SHUT_RD) == 0 ? "shut" : errno == ENOTCONN ? "deaf" : "else");
#else
    heddle_reach(accept(s, NULL, NULL) >= 0 ? "accepted" : errno == EAGAIN ? "nobody" : "deaf");
#endif
    _exit(0);
}

static void connects(void) {
    int client = socket(AF_INET, SOCK_STREAM, 0);
    connect(client, (struct sockaddr *)&at, sizeof at);
    _exit(0);
}

int main(void) {
    s = socket(AF_INET, SOCK_STREAM, 0);
    at.sin_port = htons(4000);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    bind(s, (struct sockaddr *)&at, sizeof at);
    fcntl(s, F_SETFL, O_NONBLOCK);
#ifdef ACCEPT
    if (fork() == 0)
        connects();
#endif
    if (fork() == 0)
        ask();
    listen(s, 1);
#ifndef ACCEPT
    wait(NULL);
#endif
}
