/* A server that waits for several clients at once: with poll, select and epoll.
 *
 * run: -DPOLL
 * verdict: complete
 *
 * run: -DSELECT
 * verdict: complete
 *
 * run: -DEPOLL
 * verdict: complete
 *
 * run: -DEPOLL -DEDGE
 * verdict: complete
 *
 * run: -DPOLL -DBUG
 * verdict: complete
 * finding: assertion */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 2
static int ends[N][2];
static int n_open = N, n_bytes, sum, first = -1;

static void client(int number) {
    for (int i = 0; i < N; i++) {
        close(ends[i][0]);
        if (i != number)
            close(ends[i][1]);
    }
    char c = (char)(number + 1);
    assert(write(ends[number][1], &c, 1) == 1);
    close(ends[number][1]);
    _exit(0);
}

/* Something can be read from client `i`. */
static void serve(int i) {
    char c;
    ssize_t n = read(ends[i][0], &c, 1);
    assert(n == 0 || n == 1);
    if (n == 0) {
        n_open--;
        close(ends[i][0]);
        ends[i][0] = -1;
        return;
    }
    if (first < 0)
        first = i;
    n_bytes++;
    sum += c;
}

#if defined POLL
static void wait_once(void) {
    struct pollfd p[N];
    for (int i = 0; i < N; i++)
        p[i] = (struct pollfd){ends[i][0], POLLIN, 0};
    int n = poll(p, N, -1);
    assert(n > 0 && n <= n_open);
    for (int i = 0; i < N; i++)
        if (p[i].revents) {
            assert(ends[i][0] >= 0 && p[i].revents & (POLLIN | POLLHUP));
            serve(i);
        }
}
#elif defined SELECT
static void wait_once(void) {
    fd_set set;
    int most = -1;
    FD_ZERO(&set);
    for (int i = 0; i < N; i++)
        if (ends[i][0] >= 0) {
            FD_SET(ends[i][0], &set);
            most = ends[i][0] > most ? ends[i][0] : most;
        }
    assert(select(most + 1, &set, NULL, NULL, NULL) > 0);
    for (int i = 0; i < N; i++)
        if (ends[i][0] >= 0 && FD_ISSET(ends[i][0], &set))
            serve(i);
}
#else
static int epoll = -1;
static void wait_once(void) {
    struct epoll_event events[N];
    if (epoll < 0) {
        epoll = epoll_create1(EPOLL_CLOEXEC);
        for (int i = 0; i < N; i++) {
            struct epoll_event e = {.events = EPOLLIN, .data.u32 = (unsigned)i};
#ifdef EDGE
            e.events |= EPOLLET;
            assert(fcntl(ends[i][0], F_SETFL, O_NONBLOCK) == 0);
#endif
            assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i][0], &e) == 0);
            assert(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i][0], &e) == -1 && errno == EEXIST);
        }
    }
    int n = epoll_wait(epoll, events, N, -1);
    assert(n > 0);
    for (int k = 0; k < n; k++) {
        int i = (int)events[k].data.u32;
#ifdef EDGE
        char c;
        ssize_t got;
        while ((got = read(ends[i][0], &c, 1)) == 1) {
            n_bytes++;
            sum += c;
        }
        if (got == 0) {
            n_open--;
            close(ends[i][0]);
        } else
            assert(errno == EAGAIN);
#else
        serve(i);
#endif
    }
}
#endif

int main(void) {
    for (int i = 0; i < N; i++)
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends[i]) == 0);
    for (int i = 0; i < N; i++)
        if (fork() == 0)
            client(i);
    for (int i = 0; i < N; i++)
        close(ends[i][1]);
    while (n_open)
        wait_once();
    assert(n_bytes == N && sum == N * (N + 1) / 2);
#ifdef BUG
    assert(first == 0); // BUG assertion
#endif
    return 0;
}
