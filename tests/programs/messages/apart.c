/* Two who use the same kind of thing, and each one of its own: there is one order.  What a thing is
 * called, and whose it is, decides that.  (Processes inherit the ends of pipes and streams, which
 * are closed when they end: that is another order.)
 *
 * run: --strategy dfs
 * verdict: complete
 * label: pipe
 * label: stream
 * label: datagram 1
 * label: counter 1
 * label: timer 1
 * label: queue 1
 * label: file 1
 * label: list 1
 * label: poll
 * label: select
 * label: buffer 1
 * label: option 1
 *
 * run: -DTHREADS --strategy dfs
 * verdict: complete
 * label: pipe 1
 * label: stream 1
 * label: datagram 1
 * label: counter 1
 * label: timer 1
 * label: queue 1
 * label: file 1
 * label: list 1
 * label: poll 1
 * label: select 1
 * label: buffer 1
 * label: option 1 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE, STREAM, DATAGRAM, COUNTER, TIMER, QUEUE, FILES, LIST, POLL, SELECT, BUFFER, OPTION, N };

static const char *const names[] = {"pipe", "stream", "datagram", "counter", "timer",  "queue",
                                    "file", "list",   "poll",     "select",  "buffer", "option"};
static int d[2][2];
static mqd_t q[2];
static FILE *f[2];

static void make(int family, int i) {
    struct mq_attr small = {.mq_maxmsg = 2, .mq_msgsize = 8};
    struct epoll_event want = {.events = EPOLLIN};
    char name[] = "/0";
    name[1] = (char)('0' + i);
    switch (family) {
    case PIPE:
    case POLL:
    case SELECT:
        heddle_assert(pipe2(d[i], O_NONBLOCK) == 0);
        break;
    case STREAM:
    case OPTION:
        heddle_assert(socketpair(AF_UNIX, SOCK_STREAM, 0, d[i]) == 0);
        break;
    case DATAGRAM:
        heddle_assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, d[i]) == 0);
        break;
    case COUNTER:
        d[i][0] = eventfd(1, 0);
        break;
    case TIMER:
        d[i][0] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
        break;
    case QUEUE:
        q[i] = mq_open(name, O_RDWR | O_CREAT, 0600, &small);
        break;
    case FILES:
        d[i][0] = open(name + 1, O_RDWR | O_CREAT, 0600);
        break;
    case BUFFER:
        f[i] = fopen(name + 1, "w+");
        break;
    case LIST:
        d[i][0] = epoll_create1(0);
        d[i][1] = eventfd(0, 0);
        epoll_ctl(d[i][0], EPOLL_CTL_ADD, d[i][1], &want);
        break;
    }
}

static void use(int family, int i) {
    char b[8] = "";
    int n = 1;
    eventfd_t v;
    struct itimerspec t = {{0, 0}, {0, 0}};
    struct epoll_event got;
    struct timeval none = {0, 0};
    struct stat s;
    fd_set set;
    switch (family) {
    case PIPE:
    case STREAM:
    case DATAGRAM:
        heddle_assert(write(d[i][1], "ab", 2) == 2 && ioctl(d[i][0], FIONREAD, &n) == 0 && n == 2);
        heddle_assert(read(d[i][0], b, 8) == 2 && b[1] == 'b');
        break;
    case COUNTER:
        heddle_assert(eventfd_write(d[i][0], 2) == 0 && eventfd_read(d[i][0], &v) == 0 && v == 3);
        break;
    case TIMER:
        heddle_assert(timerfd_settime(d[i][0], 0, &t, NULL) == 0 && timerfd_gettime(d[i][0], &t) == 0);
        break;
    case QUEUE:
        heddle_assert(mq_send(q[i], "a", 1, 1) == 0 && mq_receive(q[i], b, 8, NULL) == 1);
        break;
    case FILES:
        heddle_assert(write(d[i][0], "ab", 2) == 2 && lseek(d[i][0], 0, SEEK_SET) == 0);
        heddle_assert(read(d[i][0], b, 1) == 1 && fstat(d[i][0], &s) == 0 && s.st_size == 2);
        break;
    case LIST:
        heddle_assert(eventfd_write(d[i][1], 1) == 0 && epoll_wait(d[i][0], &got, 1, 0) == 1);
        break;
    case POLL:
        heddle_assert(write(d[i][1], "ab", 2) == 2);
        heddle_assert(poll(&(struct pollfd){d[i][0], POLLIN, 0}, 1, -1) == 1);
        break;
    case SELECT:
        heddle_assert(write(d[i][1], "ab", 2) == 2);
        FD_ZERO(&set);
        FD_SET(d[i][0], &set);
        heddle_assert(select(d[i][0] + 1, &set, NULL, NULL, &none) == 1);
        break;
    case BUFFER:
        heddle_assert(fputs("text", f[i]) >= 0 && fflush(f[i]) == 0 && ftell(f[i]) == 4);
        break;
    case OPTION:
        heddle_assert(setsockopt(d[i][0], SOL_SOCKET, SO_KEEPALIVE, &n, sizeof n) == 0);
        heddle_assert(fcntl(d[i][0], F_SETFL, O_NONBLOCK) == 0 && fcntl(d[i][0], F_GETFL) & O_NONBLOCK);
        break;
    }
}

static int family;

#ifdef THREADS
static void *second(void *unused) {
    use(family, 1);
    return unused;
}
static void run(void) {
    pthread_t t;
    pthread_create(&t, NULL, second, NULL);
    use(family, 0);
    pthread_join(t, NULL);
}
#else
static void run(void) {
    int child = fork();
    if (child == 0) {
        use(family, 1);
        _exit(0);
    }
    use(family, 0);
    waitpid(child, NULL, 0);
}
#endif

int main(void) {
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < N);
    for (int i = 0; i < N; i++)
        if (x == i)
            family = i;
    make(family, 0);
    make(family, 1);
    run();
    heddle_reach(names[family]);
    return 0;
}
