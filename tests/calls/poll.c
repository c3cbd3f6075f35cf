/* poll, select, epoll: what is ready, what is wrong. */
#include "calls.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

static void poll_one(int line, int d, int events, int timeout) {
    struct pollfd p = {d, (short)events, 0x55};
    errno = 0;
    int r = poll(&p, 1, timeout);
    say(line, "poll", r);
    printf("  revents %x\n", (unsigned)p.revents & 0xffff);
}
#define POLL(d, events, timeout) poll_one(__LINE__, d, events, timeout)

static void poll_many(void) {
    int p[2], q[2], s[2];
    struct timespec t = {0, 1000000}, bad = {0, 1000000000}, good = {0, 999999}, minus = {-1, 0};
    pipe(p);
    pipe(q);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    write(p[1], "x", 1);
    struct pollfd all[6] = {{p[0], POLLIN, 9}, {q[0], POLLIN, 9},  {99, POLLIN, 9},
                            {-1, POLLIN, 9},   {p[1], POLLOUT, 9}, {s[0], POLLIN | POLLOUT, 9}};
    T(poll(all, 6, -1));
    for (int i = 0; i < 6; i++)
        printf("  %d %x\n", i, (unsigned)all[i].revents);
    all[2].fd = -2;
    T(poll(all, 6, 0));
    for (int i = 0; i < 6; i++)
        printf("  %d %x\n", i, (unsigned)all[i].revents);
    /* one that is not open is an answer at once, wherever it stands */
    struct pollfd closed[3] = {{99, POLLIN, 9}, {q[0], POLLIN, 9}, {98, POLLIN, 9}};
    T(poll(closed, 1, -1));
    T(poll(closed, 2, -1));
    T(poll(closed + 1, 2, -1));
    T(poll(all + 1, 1, 3));
    T(poll(NULL, 0, 2));
    T(poll(all, 1 << 22, 0));
    T(ppoll(all, 2, &t, NULL));
    T(ppoll(all + 1, 1, &t, NULL));
    T(ppoll(all + 1, 1, &bad, NULL));
    T(ppoll(all + 1, 1, &minus, NULL));
    T(ppoll(all + 1, 1, &good, NULL));
    POLL(p[0], 0, 0);
    POLL(p[0], POLLIN | POLLRDNORM, 0);
    POLL(p[0], POLLPRI, 0);
    POLL(p[1], POLLOUT | POLLWRNORM, 0);
    POLL(p[1], POLLIN, 0);
    close(p[1]);
    POLL(p[0], POLLIN, -1);
    POLL(p[0], 0, 0);
    close(q[0]);
    POLL(q[1], POLLOUT, 0);
    POLL(q[1], 0, 0);
    shutdown(s[1], SHUT_WR);
    POLL(s[0], POLLIN | POLLOUT | POLLRDHUP, 0);
    POLL(s[1], POLLIN | POLLOUT | POLLRDHUP, 0);
    close(s[1]);
    POLL(s[0], POLLIN | POLLOUT | POLLRDHUP, 0);
    POLL(s[0], 0, 0);
}

static int in(const fd_set *s, int n) {
    int r = 0;
    for (int i = 0; i < n; i++)
        r = 2 * r + !!FD_ISSET(i, s);
    return r;
}
static void select_one(int line, int n, int r, int w, int o, long usec) {
    fd_set a, b, c;
    struct timeval t = {0, usec};
    FD_ZERO(&a);
    FD_ZERO(&b);
    FD_ZERO(&c);
    if (r >= 0)
        FD_SET(r, &a);
    if (w >= 0)
        FD_SET(w, &b);
    if (o >= 0)
        FD_SET(o, &c);
    errno = 0;
    int found = select(n, &a, &b, o == -2 ? NULL : &c, usec < 0 ? NULL : &t);
    say(line, "select", found);
    printf("  %x %x %x left %d\n", in(&a, 20), in(&b, 20), in(&c, 20), t.tv_usec > 0);
}
#define SELECT(n, r, w, o, usec) select_one(__LINE__, n, r, w, o, usec)

static void selects(void) {
    int p[2], q[2];
    struct timeval bad = {0, -1}, minus = {-1, 0};
    struct timespec soon = {0, 1000000}, wrong = {0, 1000000000};
    fd_set a;
    pipe(p);
    pipe(q);
    write(p[1], "x", 1);
    SELECT(20, p[0], p[1], -1, 0);
    SELECT(20, p[0], p[1], -2, -1);
    SELECT(20, q[0], -1, -1, 1000);
    SELECT(20, q[0], -1, q[0], 0);
    SELECT(20, q[0], p[1], -1, 900000);
    SELECT(20, 19, -1, -1, 0);
    SELECT(p[0], p[0], -1, -1, 0);
    SELECT(p[0] + 1, p[0], -1, -1, 0);
    SELECT(-1, -1, -1, -1, 0);
    SELECT(0, -1, -1, -1, 0);
    SELECT(1024, p[0], p[1], -1, 0);
    T(select(0, NULL, NULL, NULL, &bad));
    T(select(0, NULL, NULL, NULL, &minus));
    FD_ZERO(&a);
    FD_SET(q[0], &a);
    T(pselect(20, &a, NULL, NULL, &soon, NULL));
    T(FD_ISSET(q[0], &a));
    T(pselect(20, &a, NULL, NULL, &wrong, NULL));
    FD_SET(p[0], &a);
    T(pselect(20, &a, NULL, NULL, NULL, NULL));
    close(p[1]);
    close(q[0]);
    SELECT(20, p[0], q[1], -1, 0);
    SELECT(20, p[0], q[1], -1, -1);
    char b[4];
    read(p[0], b, 4);
    SELECT(20, p[0], -1, -1, -1);
    SELECT(20, -1, q[1], q[1], -1);
}

static void wait_one(int line, int e, int n, int timeout) {
    struct epoll_event got[4] = {{0}};
    errno = 0;
    int r = epoll_wait(e, got, n, timeout);
    say(line, "epoll_wait", r);
    for (int k = 0; k < 9; k++) /* in whatever order */
        for (int i = 0; i < r; i++)
            if ((got[i].data.u64 & 15) == k)
                printf("  %x %lx\n", got[i].events, (long)got[i].data.u64);
}
#define WAIT(e, n, timeout) wait_one(__LINE__, e, n, timeout)
#define WANT(events, data)  (&(struct epoll_event){events, {.u64 = data}})

static void epolls(void) {
    int e, p[2], q[2], f = open("epoll.txt", O_RDWR | O_CREAT, 0600);
    pipe(p);
    pipe(q);
    T(e = epoll_create1(EPOLL_CLOEXEC));
    T(fcntl(e, F_GETFD));
    T(fcntl(e, F_GETFL));
    T(epoll_create1(1));
    T(epoll_create(0));
    T(epoll_create(-1));
    T(epoll_create(1) >= 0);
    T(epoll_ctl(e, EPOLL_CTL_ADD, p[0], WANT(EPOLLIN, 0x1234567890)));
    T(epoll_ctl(e, EPOLL_CTL_ADD, p[0], WANT(EPOLLIN, 1)));
    T(epoll_ctl(e, EPOLL_CTL_MOD, q[0], WANT(EPOLLIN, 1)));
    T(epoll_ctl(e, EPOLL_CTL_DEL, q[0], NULL));
    T(epoll_ctl(e, 9, p[0], WANT(0, 0)));
    T(epoll_ctl(e, EPOLL_CTL_ADD, e, WANT(EPOLLIN, 1)));
    T(epoll_ctl(p[0], EPOLL_CTL_ADD, q[0], WANT(EPOLLIN, 1)));
    T(epoll_ctl(99, EPOLL_CTL_ADD, q[0], WANT(EPOLLIN, 1)));
    T(epoll_ctl(e, EPOLL_CTL_ADD, 99, WANT(EPOLLIN, 1)));
    T(epoll_ctl(e, EPOLL_CTL_ADD, f, WANT(EPOLLIN, 1)));
    WAIT(e, 4, 0);
    WAIT(e, 4, 2);
    WAIT(e, 0, 0);
    WAIT(e, -1, 0);
    WAIT(p[0], 1, 0);
    WAIT(99, 1, 0);
    write(p[1], "x", 1);
    WAIT(e, 4, -1);
    WAIT(e, 4, 0);
    T(epoll_ctl(e, EPOLL_CTL_ADD, q[1], WANT(EPOLLOUT, 2)));
    WAIT(e, 4, 0);
    T(epoll_wait(e, &(struct epoll_event){0}, 1, 0));
    T(epoll_ctl(e, EPOLL_CTL_MOD, p[0], WANT(EPOLLIN | EPOLLET, 3)));
    WAIT(e, 4, 0);
    WAIT(e, 4, 0);
    write(p[1], "y", 1);
    WAIT(e, 4, 0);
    T(epoll_ctl(e, EPOLL_CTL_MOD, p[0], WANT(EPOLLIN | EPOLLONESHOT, 4)));
    WAIT(e, 4, 0);
    WAIT(e, 4, 0);
    T(epoll_ctl(e, EPOLL_CTL_MOD, p[0], WANT(EPOLLIN | EPOLLONESHOT, 5)));
    WAIT(e, 4, 0);
    T(epoll_ctl(e, EPOLL_CTL_DEL, q[1], NULL));
    T(epoll_ctl(e, EPOLL_CTL_DEL, q[1], NULL));
    WAIT(e, 4, 0);
    T(epoll_ctl(e, EPOLL_CTL_MOD, p[0], WANT(EPOLLIN, 6)));
    T(epoll_pwait(e, &(struct epoll_event){0}, 1, 0, NULL));
    close(p[1]);
    WAIT(e, 4, 0);
    close(p[0]);
    WAIT(e, 4, 0);
    T(unlink("epoll.txt"));
}

/* Descriptors beyond the first word of a set, and at its edges. */
static void select_far(void) {
    static const int numbers[] = {63, 64, 71, 100, 127, 128};
    struct timeval none = {0, 0};
    int p[2];
    T(pipe(p));
    T(write(p[1], "x", 1));
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(numbers[i], &set);
        T(dup2(p[0], numbers[i]));
        T(select(numbers[i] + 1, &set, NULL, NULL, &none));
        T(FD_ISSET(numbers[i], &set) != 0);
        T(select(numbers[i], &set, NULL, NULL, &none));
        close(numbers[i]);
    }
}

int main(void) {
    poll_many();
    selects();
    select_far();
    epolls();
    return 0;
}
