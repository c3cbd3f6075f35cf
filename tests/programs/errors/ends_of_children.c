/* Children that end badly: where that was, and by which signal.
 *
 * run: --strategy dfs
 * verdict: complete
 * finding: abort 2
 * finding: assertion 2
 * finding: signal 2
 * stack: main at
 * stack: fails at
 * stack: deep at
 * status: 6 3
 * status: 15 1
 * status: 9 1
 * label: exit-3 1 */
#include <assert.h>
#include <heddle.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void fails(int x) {
    assert(x != 1); // BUG assertion
}
__attribute__((noinline)) static void deep(int n) {
    heddle_assert(n != 2); // BUG assertion
}

static void end(int way) {
    switch (way) {
    case 0: abort(); // BUG abort
    case 1: fails(way); break;
    case 2: deep(way); break;
    case 3: raise(SIGABRT); break; // BUG abort
    case 4: raise(SIGTERM); break; // BUG signal
    case 5: kill(getpid(), SIGKILL); break; // BUG signal
    default: exit(3);
    }
}

int main(void) {
    int way = 0, status;
    char label[32];
    unsigned char x;
    heddle_input(x);
    heddle_assume(x < 7);
    while (way < x)
        way++;
    if (fork() == 0)
        end(way);
    wait(&status);
    snprintf(label, sizeof label, "exit-%d", WEXITSTATUS(status));
    heddle_reach(label);
    return 0;
}
