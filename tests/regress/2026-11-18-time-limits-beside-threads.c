/* A thread waits for a message with a time limit, and another one sends it.  The limit passes only when
 * nothing else can happen, which was said if there were several processes, and not among threads.
 *
 * run:
 * verdict: incomplete
 * label: 2
 * reason: time limits pass only when nothing else can happen
 *
 * run: --timeouts any
 * verdict: complete
 * label: 2
 * label: late
 *
 * run: -DPOLL
 * verdict: incomplete
 * reason: time limits pass only when nothing else can happen
 *
 * run: -DALONE
 * verdict: complete
 * label: late */
#include <heddle.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>

static int ends[2];

static void *send_it(void *unused) {
    send(ends[1], "ab", 2, 0);
    return unused;
}

int main(void) {
    struct timeval limit = {0, 200};
    char text[4];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
#ifndef ALONE
    pthread_t thread;
    pthread_create(&thread, NULL, send_it, NULL);
#else
    (void)send_it;
#endif
#ifdef POLL
    struct pollfd some = {ends[0], POLLIN, 0};
    heddle_reach(poll(&some, 1, 10) == 1 ? "2" : "late");
#else
    heddle_reach(recv(ends[0], text, sizeof text, 0) == 2 ? "2" : "late");
#endif
#ifndef ALONE
    pthread_join(thread, NULL);
#endif
    return 0;
}
