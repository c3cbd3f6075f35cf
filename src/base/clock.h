/* clock.h -- real time, for budgets and progress only: never part of an execution. */
#ifndef HD_BASE_CLOCK_H
#define HD_BASE_CLOCK_H
/* Seconds since some fixed moment; never goes back. */
double hd_clock_now(void);
/* CPU seconds used by this thread. */
double hd_clock_cpu(void);
#endif
