/* ppoll, pselect and epoll_pwait wait with a set of signals of their own.  The set was not looked
 * at: a signal that is blocked but for the wait never came, and the program was said to wait for
 * ever.  And a poll that does not wait is told of a signal, too.
 *
 * run: -DPOLL
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DPOLL --por dpor
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DPOLL --por none
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DSELECT
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DSELECT --por dpor
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DSELECT --por none
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DEPOLL
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DEPOLL --por dpor
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DEPOLL --por none
 * verdict: complete
 * label: handled
 * label: interrupted
 *
 * run: -DBOTH
 * verdict: complete
 * label: handled
 * label: interrupted
 * label: ready
 * label: unhandled
 *
 * run: -DBOTH --por dpor
 * verdict: complete
 * label: handled
 * label: interrupted
 * label: ready
 * label: unhandled
 *
 * run: -DBOTH --por none
 * verdict: complete
 * label: handled
 * label: interrupted
 * label: ready
 * label: unhandled
 *
 * run: -DAT_ONCE
 * verdict: complete
 * label: handled
 * label: interrupted
 * label: nothing
 * label: unhandled
 *
 * run: -DAT_ONCE --por dpor
 * verdict: complete
 * label: handled
 * label: interrupted
 * label: nothing
 * label: unhandled
 *
 * run: -DAT_ONCE --por none
 * verdict: complete
 * label: handled
 * label: interrupted
 * label: nothing
 * label: unhandled */
#define _GNU_SOURCE
#include <errno.h>
#include <heddle.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t is_handled;
static int ends[2];

static void handle(int signal) {
    is_handled = signal;
}

static int look(const sigset_t *set) {
#if defined SELECT
    fd_set files;
    FD_ZERO(&files);
    FD_SET(ends[0], &files);
    return pselect(ends[0] + 1, &files, NULL, NULL, NULL, set);
#elif defined EPOLL
    struct epoll_event e;
    return epoll_pwait(epoll_create1(0), &e, 1, -1, set);
#else
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
#ifdef AT_ONCE
    struct timespec none = {0};
    return ppoll(&p, 1, &none, set);
#else
    return ppoll(&p, 1, NULL, set);
#endif
#endif
}

int main(void) {
    struct sigaction action = {.sa_handler = handle};
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &all, NULL);
    sigaction(SIGUSR1, &action, NULL);
    if (pipe(ends) != 0)
        exit(1);
    if (fork() == 0) {
        kill(getppid(), SIGUSR1);
#ifdef BOTH
        if (write(ends[1], "x", 1) != 1)
            exit(1);
#endif
        _exit(0);
    }
    int found = look(&none);
    heddle_reach(found > 0        ? "ready"
                 : found == 0     ? "nothing"
                 : errno == EINTR ? "interrupted"
                                  : "?");
    heddle_reach(is_handled ? "handled" : "unhandled");
    wait(NULL);
    return 0;
}
