/* Handlers that were registered before fork run in the child too, pause ends by a kill, and the end of
 * a grandchild is an event whether its parent is still there or not.
 *
 * run:
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 *
 * run: --por none
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 *
 * run: -DTREE
 * verdict: complete
 * paths: 1
 *
 * run: -DTREE --por none
 * verdict: complete
 * paths: 1 */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef TREE
int main(void) {
    int ends[2], status;
    char c;
    if (pipe(ends) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            close(ends[0]);
            exit(write(ends[1], "g", 1) != 1);
        }
        exit(0);
    }
    close(ends[1]);
    assert(waitpid(child, &status, 0) == child);
    assert(read(ends[0], &c, 1) == 1 && read(ends[0], &c, 1) == 0);
    return 0;
}
#else
static void leave(void) {
    _exit(7);
}

int main(void) {
    int status;
    atexit(leave);
    pid_t child = fork();
    if (child == 0)
        exit(0);
    assert(waitpid(child, &status, 0) == child);
    assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    pid_t sleeper = fork();
    if (sleeper == 0)
        for (;;)
            pause();
    kill(sleeper, SIGTERM);
    assert(waitpid(sleeper, &status, 0) == sleeper && WIFSIGNALED(status));
    return 0;
}
#endif
