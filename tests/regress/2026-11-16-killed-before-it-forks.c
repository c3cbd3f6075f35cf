/* A process that is killed before it forks has no children: fork was nothing that a kill could come
 * before.  -DTWICE: a second kill hid what the first one raced with.  -DRIVAL: the victim waited
 * for what another process had taken.
 *
 * run:
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: something
 * label: nothing
 *
 * run: --por none
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: something
 * label: nothing
 *
 * run: -DTWICE
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: something
 * label: nothing
 *
 * run: -DTWICE --por dpor
 * verdict: incomplete
 * reason: a process that is killed is gone before kill
 * label: something
 * label: nothing
 *
 * run: -DRIVAL --por message
 * finding: deadlock
 *
 * run: -DRIVAL
 * finding: deadlock */
#include <heddle.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];

static void run_victim(void) {
    char c;
#ifdef TWICE
    write(ends[1], "x", 1);
#elif defined RIVAL
    write(ends[1], "x", 1);
    read(ends[0], &c, 1);
#else
    if (fork() == 0)
        write(ends[1], "x", 1);
#endif
    (void)c;
    _exit(0);
}

int main(void) {
    char c;
    if (pipe(ends) != 0)
        return 1;
    pid_t victim = fork();
    if (victim == 0)
        run_victim();
#ifdef RIVAL
    read(ends[0], &c, 1);
#endif
    kill(victim, SIGKILL);
#ifdef TWICE
    kill(victim, SIGTERM);
#endif
#ifndef RIVAL
    close(ends[1]);
    heddle_reach(read(ends[0], &c, 1) == 1 ? "something" : "nothing");
#endif
    return 0;
}
