/* patience.h -- how long a process of a test may take: processor time, and much more real time as a
 * net against what waits for ever.  A busy machine must not make a test fail. */
#ifndef HD_TESTS_PATIENCE_H
#define HD_TESTS_PATIENCE_H
#include <sys/time.h>
#include <unistd.h>

/* This process dies of SIGPROF after so many seconds of its processor time; 0: never. */
static inline void limit_seconds(unsigned seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = seconds}}, NULL);
    alarm(30 * seconds);
}
#endif
