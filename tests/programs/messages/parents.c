/* Who the parent of a process is, before and after that has ended; and signals for its group, for one
 * that is not there, and for all.
 *
 * run: --strategy dfs
 * verdict: incomplete
 * finding: signal 1
 * reason: kill of all processes
 * reason-at: 48
 * label: adopted
 * no-label: lost */
#include <heddle.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void adopted(void) {
    int ends[2], first = getpid();
    char c;
    pipe(ends);
    if (fork() == 0) {
        heddle_assert(getppid() == first);
        int middle = getpid();
        if (fork() == 0) {
            close(ends[1]);
            read(ends[0], &c, 1); /* until the others have ended */
            heddle_reach(getppid() == 1 ? "adopted" : "lost");
            heddle_assert(getppid() != middle);
        }
        _exit(0);
    }
    wait(NULL);
    _exit(0);
}

int main(void) {
    heddle_assert(getppid() == 1);
    switch (heddle_choose(0, 3)) {
    case 0:
        adopted();
        break;
    case 1:
        kill(0, SIGTERM); // BUG signal
        break;
    case 2:
        heddle_assert(kill(-2, SIGTERM) == -1);
        break;
    default:
        kill(-1, 0);
        break;
    }
    return 0;
}
