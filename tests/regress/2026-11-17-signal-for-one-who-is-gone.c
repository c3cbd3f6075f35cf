/* Whether a process is still there (kill with 0, or a signal that comes too late) was no question
 * of order: the end of a child that nobody waits for, and the wait of another thread or process,
 * were never before it.
 *
 * run: -DWAY=1
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DWAY=2
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DWAY=2 --por none
 * verdict: complete
 * label: there
 * label: gone
 *
 * run: -DWAY=3
 * verdict: incomplete
 * reason: a process that is killed is gone before kill() returns
 * label: there
 * label: gone
 * label: killed
 *
 * run: -DWAY=3 --por none
 * verdict: incomplete
 * label: there
 * label: gone
 * label: killed */
#include <errno.h>
#include <heddle.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void ask(int number) {
    int answer = kill(child, number);
    heddle_assert(!answer || errno == ESRCH);
    heddle_reach(answer ? "gone" : "there");
}

static void *ask_beside(void *unused) {
    ask(SIGTERM);
    return unused;
}

static pid_t start(void) {
    pid_t p = fork();
    if (!p)
        _exit(0);
    return p;
}

int main(void) {
#if WAY == 1
    signal(SIGCHLD, SIG_IGN);
    child = start();
    ask(0);
#elif WAY == 2
    child = start();
    if (!fork()) {
        ask(0);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    wait(NULL);
#else
    pthread_t t;
    int status;
    child = start();
    pthread_create(&t, NULL, ask_beside, NULL);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        heddle_reach("killed");
    pthread_join(t, NULL);
#endif
    return 0;
}
