/* clock.h -- time, for budgets and progress only: never part of an execution.
 *
 * What a user asked for (--max-time) and what a user watches (progress) is real time.  Whatever
 * else decides a verdict, a finding or a count is processor time or a number of something, so that
 * it does not depend on what else the machine does. */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H
#include <sys/types.h>

/* Seconds since some fixed moment; never goes back. */
double hd_clock_now(void);
/* CPU seconds used by this thread. */
double hd_clock_cpu(void);
/* CPU seconds used by all threads of a process; 0 if there is no such process. */
double hd_clock_cpu_of(pid_t process);

/* A counter of the processor, for intervals too short to ask the system about: reading it
 * takes nanoseconds.  Its rate is found by comparing two readings with hd_clock_now(). */
static inline unsigned long long hd_clock_ticks(void) {
    return __builtin_ia32_rdtsc();
}
#endif
