/* A process that is killed while it waits with a time limit: the clock went to that time again and
 * again, for ever, and the execution was cut.
 *
 * run:
 * verdict: incomplete
 * executions: 1
 * label: over
 *
 * run: -DTIMER
 * verdict: incomplete
 * label: over */
#include <heddle.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    int child = fork();
    if (child == 0) {
#ifdef TIMER
        uint64_t n;
        if (read(timer, &n, sizeof n) < 0)
            _exit(1);
#else
        poll(NULL, 0, 1000);
#endif
        _exit(0);
    }
#ifdef TIMER
    struct itimerspec when = {.it_value = {1, 0}};
    timerfd_settime(timer, 0, &when, NULL);
#else
    (void)timer;
#endif
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    heddle_reach("over");
    return 0;
}
