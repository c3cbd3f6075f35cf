/* Who waits for ever, in the words for what it waits for.
 *
 * run: --strategy dfs
 * verdict: complete
 * finding: deadlock 11
 * says: waits for a child, such as process 1
 * says: waits for process 2, to end
 * says: open in main and process 1 and process 2)
 * says: waits to receive from a pipe (the other end is open in main)
 * says: waits for an eventfd
 * says: waits for room in message queue '/words'
 * says: waits to receive from message queue '/words'
 * says: waits for something to happen at a pipe (the other end is open in main)
 * says: waits for something to happen at nothing
 * says: waits for a timer
 * says: waits to receive from 'unix socket' (the other end is open in main)
 * label: ended 1 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int p[2];

/* A child that never ends. */
static int stuck(void) {
    int child = fork();
    if (child == 0) {
        char c;
        read(p[0], &c, 1); // BUG deadlock
        _exit(0);
    }
    return child;
}

static void hang(int n) {
    char b[8] = "";
    eventfd_t v;
    struct mq_attr one = {.mq_maxmsg = 1, .mq_msgsize = 8};
    mqd_t q;
    struct epoll_event e;
    pipe(p);
    switch (n) {
    case 0:
        stuck();
        stuck();
        wait(NULL); // BUG deadlock
        break;
    case 1:
        stuck();
        waitpid(stuck(), NULL, 0); // BUG deadlock
        break;
    case 2:
        read(p[0], b, 1); // BUG deadlock
        break;
    case 3:
        eventfd_read(eventfd(0, 0), &v); // BUG deadlock
        break;
    case 4:
        q = mq_open("/words", O_RDWR | O_CREAT, 0600, &one);
        mq_send(q, "a", 1, 0);
        mq_send(q, "b", 1, 0); // BUG deadlock
        break;
    case 5:
        q = mq_open("/words", O_RDWR | O_CREAT, 0600, &one);
        mq_receive(q, b, 8, NULL); // BUG deadlock
        break;
    case 6:
        poll(&(struct pollfd){p[0], POLLIN, 0}, 1, -1); // BUG deadlock
        break;
    case 7:
        epoll_wait(epoll_create1(0), &e, 1, -1); // BUG deadlock
        break;
    case 8:
        read(timerfd_create(CLOCK_MONOTONIC, 0), b, 8); // BUG deadlock
        break;
    case 9:
        pause(); // BUG deadlock
        break;
    case 10:
        socketpair(AF_UNIX, SOCK_STREAM, 0, p);
        recv(p[0], b, 1, 0); // BUG deadlock
        break;
    default:
        heddle_reach("ended");
        break;
    }
}

int main(void) {
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 12);
    for (int i = 0; i < 12; i++)
        if (x == i)
            hang(i);
    return 0;
}
