/* A parent that ignores SIGCHLD waits until all its children have ended, and gets none of them: wait
 * answered with a child, a false finding.
 *
 * run:
 * verdict: complete
 *
 * run: -DFLAG
 * verdict: complete */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int status = 0;
#ifdef FLAG
    struct sigaction action = {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, NULL);
#else
    signal(SIGCHLD, SIG_IGN);
#endif
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            exit(1);
    pid_t child = wait(&status);
    assert(child == -1 && errno == ECHILD);
    return 0;
}
