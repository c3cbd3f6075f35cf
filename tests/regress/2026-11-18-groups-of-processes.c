/* Signals to a group of processes were a finding (bad-message), killpg() was not known, a group
 * that a parent puts its child into was said not to be told, and waitpid(0) took children of any
 * group. A signal that stops a process was a finding if it raised it, and killed another one.
 *
 * run:
 * verdict: incomplete
 * label: two
 * reason: a process that is killed is gone before kill() returns
 *
 * run: --por none
 * verdict: incomplete
 * label: two
 * reason: a process that is killed is gone before kill() returns
 *
 * run: -DASKS
 * verdict: complete
 * paths: 2
 * label: own
 * label: parents
 *
 * run: -DASKS --por none
 * verdict: complete
 * paths: 2
 * label: own
 * label: parents
 *
 * run: -DOWN
 * verdict: complete
 * label: all
 *
 * run: -DSOME
 * verdict: incomplete
 * reason: waiting for some of the children, by their group
 *
 * run: -DSTOPS=0
 * verdict: incomplete
 * reason: a process that is stopped by a signal
 *
 * run: -DSTOPS=1
 * verdict: incomplete
 * reason: a process that is stopped by a signal */
#include <errno.h>
#include <heddle.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(ASKS)
int main(void) {
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        _exit(0);
    }
    heddle_reach(getpgid(child) == child ? "own" : "parents");
    wait(NULL);
}
#elif defined(OWN)
/* Who sends to own group is one of those who take it, the last one. */
static volatile int n;

static void count(int number) {
    (void)number;
    n++;
}

int main(void) {
    signal(SIGUSR1, count);
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    if (fork() == 0) {
        while (!n)
            sigsuspend(&old);
        _exit(n);
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    int status = 0;
    kill(0, SIGUSR1);
    heddle_assert(n == 1 && killpg(4711, 0) == -1 && errno == ESRCH);
    if (waitpid(0, &status, 0) > 0 && WEXITSTATUS(status) == 1)
        heddle_reach("all");
}
#elif defined(SOME)
int main(void) {
    pid_t first = fork();
    if (first == 0)
        _exit(0);
    setpgid(first, first);
    if (fork() == 0)
        _exit(0);
    waitpid(-first, NULL, 0);
}
#elif defined(STOPS)
int main(void) {
    pid_t child = fork();
    if (child == 0) {
        if (STOPS)
            raise(SIGSTOP);
        pause();
        _exit(0);
    }
    kill(child, SIGTSTP);
    wait(NULL);
}
#else
int main(void) {
    pid_t first = 0;
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0) {
            pause();
            _exit(0);
        }
        setpgid(child, first);
        first = first ? first : child;
    }
    kill(-first, SIGTERM);
    int n = 0, status;
    while (wait(&status) > 0)
        n += WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
    heddle_assert(n == 2);
    heddle_reach("two");
}
#endif
