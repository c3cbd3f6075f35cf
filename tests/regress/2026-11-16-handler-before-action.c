/* A handler of a signal never ran before the action that its process stood at, SIGCHLD came only
 * when nothing else could happen, and what a process does with memory between two actions could not
 * be interrupted: "complete" was wrong, or never said.  Natively each case behaves as it is said
 * here.
 *
 * run:
 * verdict: complete
 * finding: assertion
 *
 * run: --por none
 * verdict: complete
 * finding: assertion
 *
 * run: --por flip
 * verdict: complete
 * finding: assertion
 *
 * run: --por message
 * verdict: complete
 * finding: assertion
 *
 * run: --por dpor
 * verdict: complete
 * finding: assertion
 *
 * run: -DTWICE
 * verdict: complete
 * finding: assertion
 *
 * run: -DCHILD
 * verdict: complete
 * finding: assertion
 *
 * run: -DERRNO
 * verdict: complete
 * finding: assertion
 *
 * run: -DBEFORE_END
 * verdict: complete
 * finding: assertion
 *
 * run: -DMASKED
 * verdict: complete
 *
 * run: -DRETURNS
 * verdict: complete
 *
 * run: -DTOGETHER
 * verdict: complete
 *
 * run: -DSPIN
 * verdict: complete
 *
 * run: -DAGAIN
 * verdict: complete
 *
 * run: -DSUSPEND
 * verdict: complete */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int got, order;
static int ends[2], back[2];

static void on(int signal) {
    order = 10 * order + (signal == SIGUSR1 ? 1 : 2);
    got++;
#ifdef ERRNO
    close(-1); /* EBADF */
#endif
}

static void handle(int signal, int flags) {
    struct sigaction action = {.sa_handler = on, .sa_flags = flags};
    sigaction(signal, &action, NULL);
}

static void mask(int how, int signal) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(how, &set, NULL);
}

static void child(void) {
    char c = 0;
    (void)c;
#if defined TWICE
    int first = got, second = got;
    assert(first == second); // BUG assertion
#elif defined ERRNO
    errno = 0;
    if (read(-1, &c, 1) < 0)
        assert(errno == EBADF); /* that is what the handler leaves, too */
    errno = 0;
    got += 0;
    assert(errno == 0); // BUG assertion
#elif defined BEFORE_END
    if (write(back[1], "b", 1) != 1)
        _exit(1);
#elif defined MASKED
    assert(!got);
    if (write(ends[1], "a", 1) != 1)
        _exit(1);
    assert(!got);
    mask(SIG_UNBLOCK, SIGUSR1);
#elif defined RETURNS
    /* Who has read what was written after the signal has returned from a call since then. */
    assert(read(back[0], &c, 1) == 1 || (errno == EINTR && got));
    assert(got == 1);
#elif defined TOGETHER
    assert(read(back[0], &c, 1) == 1);
    mask(SIG_SETMASK, SIGHUP); /* both come: the second is put on top of the first */
    assert(got == 2 && order == 21);
#elif defined SPIN
    while (!got)
        continue;
#elif defined AGAIN
    assert(read(back[0], &c, 1) == 1 && c == 'b');
#elif defined SUSPEND
    sigset_t none;
    sigemptyset(&none);
    while (!got)
        assert(sigsuspend(&none) == -1 && errno == EINTR);
#else
    if (write(ends[1], "a", 1) != 1)
        _exit(1);
    assert(!got); // BUG assertion
#endif
    _exit(got);
}

int main(void) {
    char c = 0;
    int status;
    if (pipe(ends) || pipe(back))
        return 1;
#ifdef CHILD
    handle(SIGCHLD, SA_RESTART);
    if (fork() == 0)
        _exit(0);
    status = write(ends[1], "a", 1);
    assert(!got); // BUG assertion
    return c + status == 0;
#endif
#if defined MASKED || defined SUSPEND
    mask(SIG_BLOCK, SIGUSR1);
#elif defined TOGETHER
    mask(SIG_BLOCK, SIGUSR1);
    mask(SIG_BLOCK, SIGUSR2);
    handle(SIGUSR2, 0);
#endif
#ifdef AGAIN
    handle(SIGUSR1, SA_RESTART);
#else
    handle(SIGUSR1, 0);
#endif
    int pid = fork();
    if (pid == 0)
        child();
    kill(pid, SIGUSR1);
#ifdef TOGETHER
    kill(pid, SIGUSR2);
#endif
#if defined RETURNS || defined TOGETHER || defined AGAIN
    c = (char)write(back[1], "b", 1);
#endif
    waitpid(pid, &status, 0);
#ifdef BEFORE_END
    assert(read(back[0], &c, 1) == 1);
    assert(WEXITSTATUS(status) == 0); // BUG assertion
#elif defined MASKED || defined SPIN || defined SUSPEND || defined AGAIN
    assert(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
#endif
    return 0;
}
