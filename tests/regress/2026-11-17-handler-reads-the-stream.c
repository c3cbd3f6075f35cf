/* A handler that reads from the stream whose read it interrupts: the bytes that it used counted for
 * the next ones too, and what came behind them was no byte of the stream.
 *
 * run: --no-leaks
 * verdict: complete
 * label: all */
#include <assert.h>
#include <heddle.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *in;
static volatile int n_handled;

static void handle(int signal) {
    (void)signal;
    n_handled += getc(in) != EOF;
}

int main(void) {
    int ends[2];
    pipe(ends);
    in = fdopen(ends[0], "r");
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    int child = fork();
    if (child == 0) {
        int n = 0;
        close(ends[1]);
        while (getc(in) != EOF)
            n++;
        assert(n + n_handled <= 5);
        if (n + n_handled == 5)
            heddle_reach("all");
        _exit(0);
    }
    kill(child, SIGUSR1);
    write(ends[1], "abcd", 4);
    write(ends[1], "e", 1);
    close(ends[1]);
    wait(NULL);
    return 0;
}
