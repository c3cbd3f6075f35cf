/* A process that sent itself a signal, by raise(), kill() or sigqueue(), did so at once: what another process had sent
 * was never before it, with `--por none` neither.
 *
 * run: -DRAISED
 * verdict: complete
 * label: other-first
 * label: own-first
 *
 * run: -DRAISED --por none
 * verdict: complete
 * label: other-first
 * label: own-first
 *
 * run: -DQUEUED
 * verdict: complete
 * label: other-first
 * label: own-first
 *
 * run: -DQUEUED --por none
 * verdict: complete
 * label: other-first
 * label: own-first */
#include <errno.h>
#include <heddle.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int order;

static void handle(int signal, siginfo_t *info, void *context) {
    (void)context;
    int by_other = signal == SIGRTMIN ? info->si_value.sival_int : signal == SIGUSR2;
    order = order * 4 + 1 + by_other;
}

static void set_handlers(void) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
    sigfillset(&action.sa_mask); /* one after the other */
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
    sigaction(SIGRTMIN, &action, NULL);
}

int main(void) {
    pid_t me = getpid();
    sigset_t set, old;
    set_handlers();
#ifdef QUEUED
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, &old);
#endif
    pid_t child = fork();
    if (child == 0) {
#ifdef QUEUED
        sigqueue(me, SIGRTMIN, (union sigval){.sival_int = 1});
#else
        kill(me, SIGUSR2);
#endif
        _exit(0);
    }
#ifdef QUEUED
    sigqueue(me, SIGRTMIN, (union sigval){.sival_int = 0});
#else
    raise(SIGUSR1);
#endif
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
#ifdef QUEUED
    sigprocmask(SIG_SETMASK, &old, NULL);
#endif
    (void)set, (void)old;
    heddle_reach(order == 9 ? "other-first" : order == 6 ? "own-first" : "otherwise");
    return 0;
}
