/* queues.h -- what would be in a queue if some events had not happened.
 *
 * All that put into a queue are ordered with each other, and so are all that take from it.  Without
 * an event and what depends on it, a queue therefore has fewer items at its end and more at its
 * front, and both numbers can be read off the first such event: nothing has to be guessed.
 *
 * Items of a queue have addresses one after the other; besides them there are its head and its
 * tail (action.h).
 * Q1. The item that a PUT writes is the tail of the queue before it, the first that a TAKE writes
 *     or, if it failed, reads is the head.
 * Q2. A TAKE whose `state` is above 1 may take more than one item (a stream): its range ends after
 *     what it took, or with the item that it would have wanted too.
 * Q3. A POLL reads, of each queue, the items and the first that is not there yet, and the head if
 *     others take from it too; or the tokens of the queues, or of all processes that own them.
 *     It may also be ready for reasons that are no items: `detail` of them.  The end of a queue is
 *     such a reason; each PUT that adds to it and puts nothing has closed one of its sources.
 * Q4. A PUT into a queue that can be full has the most that it holds in `detail` (0: not known) and
 *     the room that there was in `state`.  If there was room only because something was taken it
 *     also reads the head, as does one that failed because there was none.
 * Q5. OBJECT at the tail of a queue: `state` 1 if things can be put into it from then on, 2 if that
 *     stays what it is, 0 if it is not known.  Whatever adds to the place of a process among the
 *     readers of a queue has closed it there; a PUT reads the places in order, up to the first who
 *     still reads it, or all if there is none or the order is not known; or its own place only, if
 *     its process reads it.  It also reads the places of a listener whose end it may notice.
 * Q6. A PUT that adds to the end of a queue and looks at readers of another is told by the last of
 *     them that all have closed it: that is what it comes from, and no race.
 * Q7. A PUT that adds to the end of a queue ends it if nobody else could put into it, or at once if
 *     its `state` is HD_ENDS_AT_ONCE (shutdown, what arrives from the network); `detail` of a TAKE
 *     that finds the end says that it came so.
 * Q8. A counter has no items: PUT, TAKE and what sets it (OBJECT) write its count or, if they
 *     failed, read it, and `expected` is what it held before.  `detail` and `state` of a PUT are
 *     the two halves of what it adds; there is room for it up to HD_COUNT_MOST.  A POLL reads the
 *     count, two bytes of it if it is above 0.
 * Q9. A PUT that looks at the tail of a second queue was led past it to its own: without some events
 *     it might stay there, which is not foretold.
 * Not here: which events race (races.c). */
#ifndef HD_EXPLORE_EVENTS_QUEUES_H
#define HD_EXPLORE_EVENTS_QUEUES_H
#include "explore/events/events.h"

#define HD_COUNT_MOST (UINT64_MAX - 1)

/* PUT, TAKE or POLL that waited, and was event `n`: could it have gone on without event `first` and
 * what depends on it? */
bool hd_queues_go_without(const hd_events *log, uint32_t first, uint32_t n);
/* What action *a would be without `first`: it was, or waits now, before event `end`.  False if that
 * cannot be told exactly; then *a conflicts with more than it would. */
bool hd_queues_predict(const hd_events *log, uint32_t first, uint32_t end, hd_action *a);
/* Of each queue that an action waits or waited for, the last event before `end` in which something
 * was taken away (PUT: was put), if `clock` has not seen it: without it the action could have gone
 * on.  At most HD_MAX_THREADS. */
uint32_t hd_queues_rivals(const hd_events *log, const hd_action *a, uint32_t end,
                          const uint32_t *clock, uint32_t *out);
/* Is event `e` what Q1 to Q9 say, if it is about a queue?  Breaks with the name of what it is not.
 */
bool hd_queues_are_right(const hd_events *log, uint32_t e);
/* Is `a`, which conflicts with `b`, what came of it (Q6)? */
bool hd_queues_is_answer(const hd_action *a, const hd_action *b);
/* The events that made event `e` possible: that put what it takes or finds, or took what was in the
 * way of what it puts.  At most HD_MAX_THREADS. */
uint32_t hd_queues_sources(const hd_events *log, uint32_t e, uint32_t *out);
#endif
