/* A process that waits is killed, and what it waits for comes later: it might have come before.
 *
 * run:
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: got
 * label: killed
 *
 * run: --por dpor
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: got
 * label: killed
 *
 * run: --por flip
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: got
 * label: killed
 *
 * run: --por none
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: got
 * label: killed */
#include <heddle.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2], status;
    char c;
    if (pipe(ends) != 0)
        return 1;
    pid_t victim = fork();
    if (victim == 0) {
        if (read(ends[0], &c, 1) == 1)
            heddle_reach("got");
        _exit(0);
    }
    if (fork() == 0)
        _exit(write(ends[1], "x", 1) != 1);
    kill(victim, SIGKILL);
    if (waitpid(victim, &status, 0) == victim && WIFSIGNALED(status))
        heddle_reach("killed");
    return 0;
}
