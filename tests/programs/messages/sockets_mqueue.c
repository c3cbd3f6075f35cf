/* POSIX message queues: priorities, limits, names.
 *
 * run: -DALONE
 * verdict: complete
 * paths: 1
 *
 * run: -DTWO
 * verdict: complete
 *
 * run: -DTWO -DBUG
 * verdict: complete
 * finding: assertion
 *
 * run: -DFULL
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call, error)                                                                         \
    do {                                                                                           \
        errno = 0;                                                                                 \
        assert((call) == -1);                                                                      \
        assert(errno == (error));                                                                  \
    } while (0)

static const char name[] = "/heddle-sockets-mqueue";

static void alone(void) {
    struct mq_attr a = {.mq_maxmsg = 3, .mq_msgsize = 8};
    char text[8];
    unsigned priority = 0;
    FAILS(mq_open(name, O_RDWR), ENOENT);
    FAILS(mq_open("none", O_RDWR | O_CREAT, 0600, &a), EINVAL);
    mqd_t q = mq_open(name, O_RDWR | O_CREAT | O_EXCL | O_NONBLOCK, 0600, &a);
    assert(q >= 0);
    FAILS(mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &a), EEXIST);
    FAILS(mq_receive(q, text, 8, NULL), EAGAIN);
    FAILS(mq_receive(q, text, 7, NULL), EMSGSIZE);
    FAILS(mq_send(q, "123456789", 9, 0), EMSGSIZE);
    FAILS(mq_send(q, "x", 1, 32768), EINVAL);
    assert(mq_send(q, "low", 3, 1) == 0 && mq_send(q, "high", 4, 5) == 0 && mq_send(q, "low2", 4, 1) == 0);
    FAILS(mq_send(q, "x", 1, 0), EAGAIN);
    assert(mq_getattr(q, &a) == 0 && a.mq_curmsgs == 3 && a.mq_maxmsg == 3 && a.mq_flags == O_NONBLOCK);
    assert(mq_receive(q, text, 8, &priority) == 4 && priority == 5 && memcmp(text, "high", 4) == 0);
    assert(mq_receive(q, text, 8, &priority) == 3 && priority == 1);
    assert(mq_receive(q, text, 8, NULL) == 4 && memcmp(text, "low2", 4) == 0);
    a.mq_flags = 0;
    assert(mq_setattr(q, &a, NULL) == 0);
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    if (soon.tv_nsec >= 1000000000) {
        soon.tv_sec++;
        soon.tv_nsec -= 1000000000;
    }
    FAILS(mq_timedreceive(q, text, 8, NULL, &soon), ETIMEDOUT);
    assert(mq_unlink(name) == 0);
    FAILS(mq_unlink(name), ENOENT);
    assert(mq_close(q) == 0);
    FAILS(mq_close(q), EBADF);
}

static void two(void) {
    struct mq_attr a = {.mq_maxmsg = 2, .mq_msgsize = 1};
    mqd_t q = mq_open(name, O_RDWR | O_CREAT, 0600, &a);
    char c, last = 0;
    assert(q >= 0);
    if (fork() == 0) {
        for (char i = 1; i <= 3; i++) /* the third waits for room */
            assert(mq_send(q, &i, 1, 0) == 0);
        _exit(0);
    }
    if (fork() == 0) {
        char i = 10;
        assert(mq_send(q, &i, 1, 1) == 0);
        _exit(0);
    }
    for (int i = 0; i < 4; i++) {
        assert(mq_receive(q, &c, 1, NULL) == 1);
        if (c == 10) {
#ifdef BUG
            assert(i == 0); // BUG assertion
#endif
            continue;
        }
        assert(c == last + 1);
        last = c;
    }
    mq_unlink(name);
    wait(NULL);
    wait(NULL);
}

int main(void) {
    mq_unlink(name);
#if defined ALONE
    alone();
#elif defined TWO
    two();
#else
    struct mq_attr a = {.mq_maxmsg = 1, .mq_msgsize = 1};
    mqd_t q = mq_open(name, O_WRONLY | O_CREAT, 0600, &a);
    assert(mq_send(q, "a", 1, 0) == 0);
    assert(mq_send(q, "b", 1, 0) == 0); // BUG deadlock
#endif
    return 0;
}
