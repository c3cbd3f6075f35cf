/* A handler forks, and both processes go on with what it interrupted.
 *
 * run: --no-leaks
 * verdict: complete */
#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int ends[2];
static volatile int child = -1;

static void on_signal(int number) {
    (void)number;
    child = fork();
}

int main(void) {
    char c = 0;
    assert(pipe(ends) == 0);
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    if (child == 0) {
        assert(write(ends[1], "x", 1) == 1);
        _exit(0);
    }
    assert(read(ends[0], &c, 1) == 1 && c == 'x');
    while (wait(NULL) > 0)
        continue;
    return 0;
}
