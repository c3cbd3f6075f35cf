/* Who the parent of a process is, before and after that has ended; and signals for groups, which there
 * are not.
 *
 * run: --strategy dfs
 * verdict: complete
 * finding: bad-message 2
 * says: kill(0, ...) to a group of processes is not supported
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
        kill(0, SIGTERM); // BUG bad-message
        break;
    case 2:
        kill(-2, SIGTERM); // BUG bad-message
        break;
    default:
        heddle_assert(kill(-1, 0) == -1);
        break;
    }
    return 0;
}
