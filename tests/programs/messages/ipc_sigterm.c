/* A parent ends its child with SIGTERM once it has heard from it, and looks at how the child ended.
 *
 * -DBUG: the child goes away by itself when it has written, and the parent is sure that it was its
 * signal that ended it.
 *
 * run:
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 *
 * run: -DBUG
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * finding: assertion */
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int to_parent[2], to_child[2], status;
    char word;
    status = pipe(to_parent);
    assert(status == 0);
    status = pipe(to_child);
    assert(status == 0);
    pid_t pid = fork();
    assert(pid >= 0);
    if (pid == 0) {
        ssize_t n = write(to_parent[1], "r", 1);
        assert(n == 1);
#ifndef BUG
        n = read(to_child[0], &word, 1); /* for ever: the child itself could write */
#endif
        exit(3);
    }
    ssize_t n = read(to_parent[0], &word, 1);
    assert(n == 1 && word == 'r');
    status = kill(pid, SIGTERM);
    assert(status == 0);
    pid_t ended = waitpid(pid, &status, 0);
    assert(ended == pid);
    assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM); // BUG assertion
    ended = waitpid(pid, &status, 0);
    assert(ended == -1);
    return 0;
}
