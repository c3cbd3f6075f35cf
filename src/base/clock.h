/* clock.h -- real time, for budgets and progress only: never part of an execution. */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H
/* Seconds since some fixed moment; never goes back. */
double hd_clock_now(void);
/* CPU seconds used by this thread. */
double hd_clock_cpu(void);

/* A counter of the processor, for intervals too short to ask the system about: reading it
 * takes nanoseconds.  Its rate is found by comparing two readings with hd_clock_now(). */
static inline unsigned long long hd_clock_ticks(void) {
    return __builtin_ia32_rdtsc();
}
#endif
