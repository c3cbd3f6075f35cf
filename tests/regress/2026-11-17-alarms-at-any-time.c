/* With --timeouts any an alarm rings when nothing else can happen too, and nothing said so: here it could
 * between the two writes.
 *
 * run: --timeouts any
 * verdict: incomplete
 * reason: alarms ring only when nothing else can happen
 * reason-at: LOSS
 *
 * run:
 * verdict: incomplete
 * reason: time limits pass only when nothing else can happen
 * reason-at: LOSS */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile int first, second;

static void handle(int signal) {
    (void)signal;
    assert(first == second);
}

int main(void) {
    signal(SIGALRM, handle);
    alarm(1); // LOSS
    first = 1;
    second = 1;
    return 0;
}
