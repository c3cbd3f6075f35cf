/* Numbers of processes were given in the order of their first appearance, and a replay, which knows
 * one order only, gave others: what a process is called and what getpid() answers.
 *
 * run:
 * verdict: complete
 * finding: assertion */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

/* Says that it is there, then tells the number of a child of its own. */
static void tell(int to) {
    pid_t child = 0;
    assert(write(to, &child, sizeof child) == sizeof child);
    child = fork();
    if (child == 0)
        _exit(0);
    assert(write(to, &child, sizeof child) == sizeof child);
    _exit(0);
}

int main(void) {
    int ends[2];
    pid_t last = 0, number;
    assert(pipe(ends) == 0);
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            tell(ends[1]);
    for (int i = 0; i < 4; i++) {
        assert(read(ends[0], &number, sizeof number) == sizeof number);
        assert(!number || number > last); // BUG assertion
        last = number ? number : last;
    }
    return 0;
}
