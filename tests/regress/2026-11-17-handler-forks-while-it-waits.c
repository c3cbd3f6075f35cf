/* A process waits for its child; a handler forks meanwhile.  The child of the handler returns into
 * the same wait and has no children: it is told so (it was a deadlock).  The handler may also come
 * before the wait that finds nobody left, which was no question of order.  Natively both are seen.
 *
 * run: --no-leaks
 * verdict: incomplete
 * reason: handlers that fork run between visible operations only
 * label: in-vain
 * label: both-ended
 *
 * run: --no-leaks --por none
 * verdict: incomplete
 * label: in-vain
 * label: both-ended
 *
 * run: --no-leaks -DLATE
 * verdict: incomplete
 * finding: assertion */
#include <errno.h>
#include <heddle.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t parent;
static volatile int forked = -1;

static void on_signal(int number) {
    (void)number;
    forked = fork();
}

int main(void) {
    int n = 0;
    parent = getpid();
    struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &a, NULL);
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        _exit(3);
    }
    while (wait(NULL) > 0)
        n++;
    heddle_assert(errno == ECHILD);
    if (getpid() == parent) {
        heddle_assert(n == 2);
        heddle_reach("both-ended");
        return 0;
    }
#ifdef LATE
    heddle_assert(n == 0); // BUG assertion
#endif
    heddle_assert(n <= 1);
    if (n == 0)
        heddle_reach("in-vain");
    _exit(0);
}
