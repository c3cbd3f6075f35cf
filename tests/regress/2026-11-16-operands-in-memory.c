/* Lengths of pieces, events of polls, options, times and the like that library functions read from
 * memory of the program were taken as constants: one path, "complete".  One of a child's exit
 * status, of a value of a thread's own and of what epoll hands back was lost on its way.
 *
 * run: -DCASE=1
 * verdict: complete
 * paths: 3
 * label: three 1
 *
 * run: -DCASE=2
 * verdict: complete
 * label: readable
 * label: not-readable
 *
 * run: -DCASE=3
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=4
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=5
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=6
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=7
 * verdict: complete
 * paths: 4
 * label: hit 1
 *
 * run: -DCASE=8
 * verdict: complete
 * paths: 3
 * label: hit 1
 *
 * run: -DCASE=9
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=10
 * verdict: complete
 * paths: 3
 * label: hit 1
 *
 * run: -DCASE=11
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=12
 * verdict: complete
 * paths: 4
 * label: hit 1
 *
 * run: -DCASE=13
 * verdict: complete
 * paths: 2
 * label: hit 1
 *
 * run: -DCASE=14
 * verdict: complete
 * paths: 3
 * label: hit 1 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <heddle.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static unsigned char x;

static void hit(int is_hit) {
    if (is_hit)
        heddle_reach("hit");
}

#if CASE == 13
static void destroy(void *value) {
    hit((long)value == 77);
}

static void *keep(void *key) {
    pthread_setspecific(*(pthread_key_t *)key, (void *)(1 + (long)x));
    return NULL;
}
#endif

int main(void) {
    heddle_input(x);
    int p[2];
    char b[8] = {0};
    pipe(p);
#if CASE == 1 /* iov_len */
    heddle_assume(x >= 1 && x <= 3);
    struct iovec v = {"abc", x};
    writev(p[1], &v, 1);
    if (read(p[0], b, 8) == 3)
        heddle_reach("three");
#elif CASE == 2 /* events */
    short e = (short)(x & (POLLIN | POLLOUT));
    write(p[1], "a", 1);
    struct pollfd f = {p[0], e, 0};
    heddle_reach(poll(&f, 1, 0) == 1 && f.revents & POLLIN ? "readable" : "not-readable");
#elif CASE == 3 /* exit status, and where it is read */
    if (!fork())
        _exit(x);
    int status;
    wait(&status);
    hit(WIFEXITED(status) && WEXITSTATUS(status) == 77);
#elif CASE == 4
    siginfo_t info;
    if (!fork())
        exit(x);
    waitid(P_ALL, 0, &info, WEXITED);
    hit(info.si_status == 77);
#elif CASE == 5  /* a value of a thread's own */
    tss_t k;
    tss_create(&k, NULL);
    tss_set(k, (void *)(long)x);
    hit((long)tss_get(k) == 77);
#elif CASE == 6  /* epoll's data */
    int e = epoll_create1(0);
    struct epoll_event in = {EPOLLIN, {.u64 = x}}, out[4];
    epoll_ctl(e, EPOLL_CTL_ADD, p[0], &in);
    write(p[1], "a", 1);
    hit(epoll_wait(e, out, 4, -1) == 1 && out[0].data.u32 == 77);
#elif CASE == 7  /* bits of a set */
    fd_set set;
    FD_ZERO(&set);
    if (x > 3)
        heddle_assume(0);
    ((unsigned char *)&set)[p[0] / 8] |= (unsigned char)(x << p[0] % 8); /* both ends */
    struct timeval none = {0, 0};
    write(p[1], "a", 1);
    hit(select(p[1] + 1, &set, NULL, NULL, &none) == 1 && x == 1);
#elif CASE == 8  /* msg_iovlen */
    int s[2];
    heddle_assume(x >= 1 && x <= 3);
    socketpair(AF_UNIX, SOCK_STREAM, 0, s);
    struct iovec v[3] = {{"a", 1}, {"b", 1}, {"c", 1}};
    struct msghdr h = {.msg_iov = v, .msg_iovlen = x};
    sendmsg(s[0], &h, 0);
    hit(read(s[1], b, 8) == 3);
#elif CASE == 9  /* an option that is kept */
    int s = socket(AF_INET, SOCK_STREAM, 0), value = x, back = 0;
    socklen_t n = sizeof back;
    setsockopt(s, IPPROTO_IP, IP_TOS, &value, sizeof value);
    getsockopt(s, IPPROTO_IP, IP_TOS, &back, &n);
    hit(back == 77);
#elif CASE == 10 /* a counter: 0 or not, and what is read */
    int e = eventfd(0, EFD_NONBLOCK);
    uint64_t amount = x, back = 0;
    write(e, &amount, sizeof amount);
    hit(eventfd_read(e, &back) == 0 && back == 77);
#elif CASE == 11 /* a time that is none */
    struct timespec t = {0, x < 77 ? 0 : 1000000000};
    hit(nanosleep(&t, NULL) != 0 && errno == EINVAL);
#elif CASE == 12 /* a port */
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    heddle_assume(x < 4);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((unsigned short)(7000 + x))};
    socklen_t n = sizeof a;
    bind(s, (struct sockaddr *)&a, sizeof a);
    getsockname(s, (struct sockaddr *)&a, &n);
    hit(ntohs(a.sin_port) == 7002);
#elif CASE == 13 /* what a destructor gets */
    pthread_key_t key;
    pthread_t t;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, keep, &key);
    pthread_join(t, NULL);
#elif CASE == 14 /* room for a name */
    struct sockaddr_in a = {0};
    int s = socket(AF_INET, SOCK_STREAM, 0);
    heddle_assume(x >= 2 && x <= 4);
    socklen_t n = x;
    getsockname(s, (struct sockaddr *)&a, &n);
    hit(n == sizeof a && x == 3);
#endif
    return 0;
}
