/* Ways to end badly, each of its own kind, with the function and the line that did it.
 *
 * run: --strategy dfs
 * finding: abort 4
 * finding: signal 4
 * finding: assertion 2
 * finding-in: fails
 * finding-in: points
 * finding-in: main
 * stack: fails at
 * stack: points at
 * status: 6 5
 * status: 15 1
 * status: 11 1
 * status: 10 1
 * verdict: complete
 * label: returned 1 */
#include <assert.h>
#include <heddle.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void fails(int x) {
    assert(x != 7); // BUG assertion
}

static const char *points(const char *x) {
    heddle_assert(!x); // BUG assertion
    return x;
}

int main(void) {
    unsigned char x;
    heddle_input(x);
    switch (x) {
    case 0:
        abort(); // BUG abort
    case 1:
        raise(SIGABRT); // BUG abort
        break;
    case 2:
        kill(getpid(), SIGABRT); // BUG abort
        break;
    case 3:
        signal(SIGABRT, SIG_IGN);
        abort(); // BUG abort
    case 4:
        raise(SIGTERM); // BUG signal
        break;
    case 5:
        kill(getpid(), SIGUSR1); // BUG signal
        break;
    case 6:
        raise(SIGSEGV); // BUG signal
        break;
    case 7:
        fails(x);
        break;
    case 10:
        points("x");
        break;
    case 8:
        kill(getpid(), SIGKILL); // BUG signal
        break;
    case 9:
        signal(SIGTERM, SIG_IGN);
        raise(SIGTERM);
        raise(SIGCHLD); /* nobody minds */
        raise(SIGURG);
        heddle_reach("returned");
        break;
    default:
        break;
    }
    return 0;
}
