/* Two signals come while a process is in sigsuspend(): it goes on because of the first, and the second
 * comes before or after that, which decides whether one handler runs in the wait or both.  Only one of
 * these orders was run after a beginning of the wait that came before both, and the run was complete.
 *
 * run:
 * verdict: complete
 * paths: 15
 *
 * run: --por dpor
 * verdict: complete
 * paths: 15
 *
 * run: --por none
 * verdict: complete
 * paths: 15
 *
 * run: -DASKS
 * verdict: complete
 * paths: 29
 * label: one
 * label: both
 *
 * run: -DASKS --por none
 * verdict: complete
 * paths: 29
 * label: one
 * label: both */
#include <heddle.h>
#include <signal.h>
#include <unistd.h>

static volatile int n;

static void handle(int number) {
    (void)number;
    n++;
}

int main(void) {
    sigset_t both, old;
    sigemptyset(&both);
    sigaddset(&both, SIGUSR1);
    sigaddset(&both, SIGUSR2);
    sigprocmask(SIG_BLOCK, &both, &old);
    signal(SIGUSR1, handle);
    signal(SIGUSR2, handle);
    pid_t parent = getpid();
    if (fork() == 0) {
        kill(parent, SIGUSR1);
        kill(parent, SIGUSR2);
        _exit(0);
    }
    sigsuspend(&old);
#ifdef ASKS
    sigset_t left;
    sigpending(&left);
    heddle_reach(n == 2 ? "both" : "one");
#endif
    return 0;
}
