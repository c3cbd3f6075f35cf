/* worked_on.h -- what the families of calls work on, and questions that several of them ask. */
#ifndef HD_TESTS_PAIRS_WORKED_ON_H
#define HD_TESTS_PAIRS_WORKED_ON_H
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int d[4]; /* what the family works on */
/* NUMBERS: only the families about numbers, which are known: fewer accesses, fewer orders. */
#ifdef NUMBERS
#define D(i) (3 + (i))
#else
#define D(i) d[i]
#endif
static mqd_t q;
static FILE *stream;
static char buffer[2][64];

static int is_ready(int descriptor, int events) {
    struct pollfd p = {descriptor, (short)events, 0};
    poll(&p, 1, 0);
    return p.revents;
}
static int unread(int descriptor) {
    int n = -1;
    ioctl(descriptor, FIONREAD, &n);
    return n;
}
static int get(int descriptor) {
    char c = 0;
    long n = read(descriptor, &c, 1);
    return n == 1 ? c : (int)n;
}
static int size_of(int descriptor) {
    struct stat s;
    return fstat(descriptor, &s) < 0 ? -1 : (int)s.st_size;
}
#endif
