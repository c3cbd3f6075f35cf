/* A write of a process that may be killed depends on that, but had no room left to say so: whether
 * it comes before the end of its process was not explored.
 *
 * run:
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: before
 * label: after
 *
 * run: --por dpor
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: before
 * label: after
 *
 * run: --por none
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: before
 * label: after */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char c;
    if (pipe2(ends, O_NONBLOCK) != 0)
        return 1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(write(ends[1], "x", 1) != 1);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    heddle_reach(read(ends[0], &c, 1) == 1 ? "after" : "before");
    return 0;
}
