/* clock.h -- milliseconds since some moment, for timers. */
#ifndef CLOCK_H
#define CLOCK_H
#include <stdint.h>
#include <time.h>

enum { NEVER = -1 };

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* How long to wait for a deadline, as poll wants it; NEVER: without one. */
static int left_until(int64_t deadline) {
    int64_t left = deadline - now();
    return deadline == NEVER ? -1 : left > 0 ? (int)left : 0;
}
#endif
