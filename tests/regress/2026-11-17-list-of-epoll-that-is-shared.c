/* A list of epoll that processes have by fork: what one adds to it, takes out, or is told once
 * only, the others see.  None of it was ordered with their waits.
 *
 * run: -DADD
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DADD --por dpor
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DADD --por none
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DREMOVE
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DREMOVE --por dpor
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DREMOVE --por none
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DONCE
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DONCE --por dpor
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DONCE --por none
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DEDGE
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DEDGE --por dpor
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DEDGE --por none
 * verdict: complete
 * label: nothing
 * label: ready
 *
 * run: -DAWAIT
 * verdict: complete
 * label: ready
 *
 * run: -DAWAIT --por dpor
 * verdict: complete
 * label: ready
 *
 * run: -DAWAIT --por none
 * verdict: complete
 * label: ready */
#include <heddle.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

static int list, ends[2];

static void change(int how, unsigned events) {
    struct epoll_event e = {.events = events};
    if (epoll_ctl(list, how, ends[0], &e) != 0)
        exit(1);
}

static int look(int time) {
    struct epoll_event e;
    return epoll_wait(list, &e, 1, time);
}

int main(void) {
    list = epoll_create1(0);
    if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
        return 1;
#if defined REMOVE
    change(EPOLL_CTL_ADD, EPOLLIN);
#elif defined ONCE
    change(EPOLL_CTL_ADD, EPOLLIN | EPOLLONESHOT);
#elif defined EDGE
    change(EPOLL_CTL_ADD, EPOLLIN | EPOLLET);
#endif
    if (fork() == 0) {
#if defined REMOVE
        change(EPOLL_CTL_DEL, 0);
#elif defined ADD || defined AWAIT
        change(EPOLL_CTL_ADD, EPOLLIN);
#else
        look(0);
#endif
        _exit(0);
    }
#ifdef AWAIT
    heddle_reach(look(-1) ? "ready" : "nothing");
#else
    heddle_reach(look(0) ? "ready" : "nothing");
#endif
    wait(NULL);
    return 0;
}
