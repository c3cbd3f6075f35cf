/* Any function may be the first that a program calls: nothing was opened before.
 *
 * run: --strategy dfs
 * verdict: complete
 * label: answered 16 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int call(int which) {
    eventfd_t v;
    char b[8];
    switch (which) {
    case 0: return eventfd_write(7, 1);
    case 1: return eventfd_read(7, &v);
    case 2: return (int)read(7, b, 1);
    case 3: return dup(7);
    case 4: return timerfd_gettime(7, &(struct itimerspec){0});
    case 5: return epoll_pwait(7, &(struct epoll_event){0}, 1, 0, NULL);
    case 6: return mq_getattr(7, &(struct mq_attr){0});
    case 7: return (int)recv(7, b, 1, 0);
    case 8: return shutdown(7, SHUT_RD);
    case 9: return fchdir(7);
    case 10: return fdopen(7, "r") ? 0 : -1;
    case 11: return fdopendir(7) ? 0 : -1;
    case 12: return mmap(NULL, 8, PROT_READ, MAP_PRIVATE, 7, 0) == MAP_FAILED ? -1 : 0;
    case 13: return dprintf(7, "x");
    case 14: return fcntl(7, F_SETFD, 1);
    default: return dup2(7, 8);
    }
}

int main(void) {
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 16);
    for (int i = 0; i < 16; i++)
        if (x == i) {
            errno = 0;
            heddle_assert(call(i) == -1 && errno == EBADF);
            heddle_reach("answered");
        }
    return 0;
}
