/* POSIX message queues. */
#include "calls.h"

#include <mqueue.h>
#include <poll.h>
#include <time.h>

#define NAME "/heddle-calls-mqueue"

static void show_attributes(mqd_t q) {
    struct mq_attr a = {9, 9, 9, 9};
    T(mq_getattr(q, &a));
    printf("  %ld %ld %ld %ld\n", a.mq_flags, a.mq_maxmsg, a.mq_msgsize, a.mq_curmsgs);
}
static int ready(int d) {
    struct pollfd p = {d, POLLIN | POLLOUT, 0};
    poll(&p, 1, 0);
    return p.revents;
}
static void receive(mqd_t q) {
    char b[64] = "";
    unsigned priority = 77;
    T(mq_receive(q, b, 64, &priority));
    printf("  '%s' %u\n", b, priority);
}

static void names(void) {
    struct mq_attr a = {.mq_maxmsg = 3, .mq_msgsize = 16}, bad;
    mqd_t q;
    T(mq_open(NAME, O_RDWR));
    T((q = mq_open(NAME, O_RDWR | O_CREAT | O_EXCL, 0600, &a)) >= 0);
    T(mq_open(NAME, O_RDWR | O_CREAT | O_EXCL, 0600, &a));
    show_attributes(q);
    T(fcntl(q, F_GETFD));
    T(mq_close(q));
    T(mq_close(q));
    T(mq_unlink(NAME));
    T(mq_unlink(NAME));
    T(mq_open("x", O_RDWR | O_CREAT, 0600, &a));
    T(mq_open("/a/b", O_RDWR | O_CREAT, 0600, &a));
    T(mq_open("/", O_RDWR | O_CREAT, 0600, &a));
    T(mq_open("//b", O_RDWR | O_CREAT, 0600, &a));
    T(mq_open("/b/", O_RDWR | O_CREAT, 0600, &a));
    T(mq_unlink("//b"));
    T(mq_unlink("/"));
    T(mq_unlink("x"));
    char name[300] = "/";
    memset(name + 1, 'x', 256);
    T(mq_open(name, O_RDWR | O_CREAT, 0600, &a));
    T(mq_unlink(name));
    for (int i = 0; i < 4; i++) {
        bad = (struct mq_attr){.mq_maxmsg = i == 0   ? 0
                                            : i == 1 ? -1
                                                     : 2,
                               .mq_msgsize = i == 2   ? 0
                                             : i == 3 ? -1
                                                      : 2};
        T(mq_open(NAME, O_RDWR | O_CREAT, 0600, &bad));
    }
    T((q = mq_open(NAME, O_RDWR | O_CREAT, 0600, NULL)) >= 0);
    show_attributes(q);
    T(mq_unlink(NAME));
    T(mq_send(q, "still", 6, 1)); /* who has it open keeps it */
    T(mq_close(q));
}

static void messages(void) {
    struct mq_attr a = {.mq_maxmsg = 3, .mq_msgsize = 16}, old;
    struct timespec past = {1, 0}, bad = {0, 1000000000}, minus = {-1, 0}, soon;
    char b[64];
    unsigned priority;
    mqd_t q, r, w;
    T((q = mq_open(NAME, O_RDWR | O_CREAT | O_NONBLOCK, 0600, &a)) >= 0);
    T((r = mq_open(NAME, O_RDONLY | O_NONBLOCK)) >= 0);
    T((w = mq_open(NAME, O_WRONLY)) >= 0);
    show_attributes(q);
    show_attributes(w);
    T(ready(q));
    receive(q);
    T(mq_send(q, "low", 4, 1));
    T(mq_send(q, "high", 5, 9));
    T(ready(q));
    T(mq_send(w, "low too", 8, 1));
    T(ready(q));
    T(mq_send(q, "no room", 8, 1));
    show_attributes(r);
    receive(r);
    receive(r);
    T(mq_send(q, "highest", 8, 32767));
    T(mq_send(q, "too high", 8, 32768));
    T(mq_send(q, "0123456789abcdefg", 17, 0));
    T(mq_send(q, "0123456789abcdef", 16, 0));
    receive(r);
    receive(r);
    receive(r);
    receive(r);
    T(mq_send(r, "x", 1, 0));
    T(mq_receive(w, b, 64, NULL));
    T(mq_receive(r, b, 15, NULL));
    T(mq_send(q, "", 0, 5));
    T(mq_receive(r, b, 16, NULL));
    T(mq_send(1, "", 0, 5));
    T(mq_receive(1, b, 16, NULL));
    T(mq_send(99, "", 0, 5));
    T(mq_getattr(1, &old));
    T(mq_getattr(99, &old));
    T(mq_setattr(1, &a, &old));
    a.mq_flags = 0;
    T(mq_setattr(q, &a, &old));
    printf("  %ld %ld %ld %ld\n", old.mq_flags, old.mq_maxmsg, old.mq_msgsize, old.mq_curmsgs);
    show_attributes(q);
    show_attributes(r);
    a.mq_flags = O_NONBLOCK | 1;
    T(mq_setattr(q, &a, NULL));
    T(mq_timedreceive(q, b, 16, &priority, &past));
    T(mq_timedreceive(q, b, 16, &priority, &bad));
    T(mq_timedreceive(q, b, 16, &priority, &minus));
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    T(mq_timedreceive(q, b, 16, &priority, &soon));
    T(mq_timedreceive(r, b, 16, &priority, &soon));
    T(mq_timedsend(q, "a", 1, 0, &past));
    T(mq_timedsend(q, "b", 1, 3, &bad));
    T(mq_send(q, "b", 1, 3));
    T(mq_timedsend(q, "c", 1, 2, &soon));
    T(mq_timedsend(q, "d", 1, 2, &past));
    T(mq_timedsend(q, "d", 1, 2, &bad));
    T(mq_timedreceive(q, b, 16, &priority, &past));
    T(b[0]);
    T(priority);
    T(mq_timedreceive(q, b, 16, NULL, &soon));
    T(b[0]);
    a.mq_flags = O_NONBLOCK;
    T(mq_setattr(w, &a, NULL));
    show_attributes(w);
    T(mq_unlink(NAME));
}

int main(void) {
    mq_unlink(NAME);
    names();
    messages();
    return 0;
}
