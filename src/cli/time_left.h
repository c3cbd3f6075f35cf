/* time_left.h -- what is left of `--max-time` for the search.
 *
 * A user who asks for ten seconds looks at a clock that began with the command: compiling, dividing
 * and making a record are in it.  Compiling is cut off, and then there is nothing to tell but that;
 * a search that comes too late gets a moment, in which it says that the time is over.
 *
 * Not here: what the search does when the time is over (fleet/supervisor.c). */
#ifndef HD_CLI_TIME_LEFT_H
#define HD_CLI_TIME_LEFT_H

/* The command begins now. */
void hd_time_begin(void);
/* Seconds that the command may take; 0 = any. */
void hd_time_allow(double most);
/* The moment when they are over, as hd_clock_now() says; 0: never. */
double hd_time_deadline(void);
/* When it began, as hd_clock_now() says. */
double hd_time_began(void);
/* Seconds for a search that begins at `now`, of so many in all; 0 = any. */
double hd_time_left(double most, double now);
#endif
