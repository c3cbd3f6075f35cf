#include "base/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double hd_clock_now(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double hd_clock_cpu(void) {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double hd_clock_cpu_of(pid_t process) {
    clockid_t clock;
    return clock_getcpuclockid(process, &clock) == 0 ? seconds_of(clock) : 0;
}
