/* datagrams.c -- control messages one after the other, and several datagrams in one call. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <sys/socket.h>
#include <time.h>

#define WEAK __attribute__((weak))
#define MOST 1024 /* messages that one call sends or receives */

/* Behind CMSG_NXTHDR.  What says that it is shorter than its own header has no next one; what the
 * next says of itself is not looked at. */
WEAK struct cmsghdr *__cmsg_nxthdr(struct msghdr *m, struct cmsghdr *c) {
    size_t head = sizeof *c,
           left = (size_t)((char *)m->msg_control + m->msg_controllen - (char *)c);
    if (c->cmsg_len < head || left < head || left - head < CMSG_ALIGN(c->cmsg_len))
        return NULL;
    return (struct cmsghdr *)((char *)c + CMSG_ALIGN(c->cmsg_len));
}

/* An error behind the first message is not told: who asks again meets it again. */
WEAK int sendmmsg(int s, struct mmsghdr *all, unsigned n, int flags) {
    unsigned i = 0;
    for (; i < n && i < MOST; i++) {
        ssize_t sent = sendmsg(s, &all[i].msg_hdr, flags);
        if (sent < 0)
            return i ? (int)i : -1;
        all[i].msg_len = (unsigned)sent;
    }
    return (int)i;
}

static int is_over(const struct timespec *end) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > end->tv_sec || (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec);
}

static void find_end(struct timespec *end, const struct timespec *limit) {
    clock_gettime(CLOCK_MONOTONIC, end);
    end->tv_sec += limit->tv_sec + (end->tv_nsec + limit->tv_nsec) / 1000000000;
    end->tv_nsec = (end->tv_nsec + limit->tv_nsec) % 1000000000;
}

/* As on Linux the limit is looked at behind each message, and does not end the wait for one. */
WEAK int recvmmsg(int s, struct mmsghdr *all, unsigned n, int flags, struct timespec *limit) {
    struct timespec end;
    unsigned i = 0;
    if (limit)
        find_end(&end, limit);
    while (i < n && i < MOST) {
        ssize_t got = recvmsg(s, &all[i].msg_hdr, flags & ~MSG_WAITFORONE);
        if (got < 0)
            return i ? (int)i : -1;
        all[i++].msg_len = (unsigned)got;
        if (flags & MSG_WAITFORONE)
            flags |= MSG_DONTWAIT;
        if (limit && is_over(&end))
            break;
    }
    return (int)i;
}
