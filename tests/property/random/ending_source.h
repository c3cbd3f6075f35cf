/* ending_source.h -- random programs about ends and queries, from a seed.
 *
 * Up to three threads besides main, created by it or by each other, that are joined, detached (by
 * whom and when differs), asked for or left alone, that return, end in nested calls, exit the
 * program or are cancelled; a main that returns, exits in every way or ends its thread before
 * others; handlers of the end; rejected assumptions; questions about the state of locks, semaphores
 * and threads; barriers with their serial thread; timeouts; inputs that decide any of it;
 * recursion; locks whose owner ends; processes that several threads wait for; signals with a
 * handler, also for one thread alone; descriptors that are closed beside their use; pipes that threads wait for; timers;
 * locals and blocks that others use when they are gone; races.  Each program draws some of these
 * features, so that they meet each other in all combinations, and has as many statements as a
 * budget of orders allows.  The text includes ending_subject.h. */
#ifndef HD_TESTS_ENDING_SOURCE_H
#define HD_TESTS_ENDING_SOURCE_H
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum feature {
    MEMORY,
    LOCKS,
    TRIES,
    READERS,
    SEMAPHORES,
    CONDITIONS,
    TIMEOUTS,
    ONCE,
    ASSUMPTIONS,
    CHECKS,
    INPUTS,
    CALLS,
    ENDS,
    CANCELLATION,
    HOLDERS,
    BLOCKS,
    LOOPS,
    ARGUMENTS, /* a local of main that threads use */
    RESULTS,
    BARRIERS,
    DETACHING,
    CHILDREN, /* processes that threads wait for */
    SIGNALS,  /* that threads send to the process, or to themselves */
    NUMBERS,  /* descriptors that one thread closes or replaces and another uses */
    TIMERS,   /* that one thread sets and another asks for */
    LINES,    /* a pipe whose readers wait */
    TAKING,   /* signals that all threads block, and take */
    AIMING,   /* signals to one thread, with a handler */
    N_WITH_MEANING,
    DYING = N_WITH_MEANING,
    RACES,
    N_FEATURES
} feature;

/* Something a thread does; `weight` events, `ways` times as many orders. */
typedef struct statement {
    uint8_t feature, weight, ways;
    const char *text;
} statement;
extern const statement ending_statements[];
extern const unsigned n_ending_statements, n_simple_statements;
/* Of threads that are cancelled: what one of them waits in, and what ends the wait otherwise. */
extern const statement ending_cancelled_wait, ending_signal;

enum { MOST_PIECES = 64 };

typedef struct ending {
    bool has_meaning; /* to C: otherwise nothing is known about native runs */
    bool has_races;   /* then they are what is looked for */
    bool has_assumptions;
    bool has_vain_rounds; /* of waiting loops, which inputs decide: they are no classes */
    unsigned n_pieces;
} ending;

/* Several programs are one text, since to compile it takes longer than to run it: the argument
 * says which of them is run.  First the beginning, then the programs of some seeds with numbers
 * from 0 on, each without some of its pieces (a set), to make it smaller, then the end.  Programs
 * of a family have the same features: some features cost orders in all programs of the text. */
typedef struct ending_name {
    uint64_t family, seed;
    unsigned number;
} ending_name;
void ending_begin(hd_text *out);
ending ending_write(hd_text *out, ending_name name, uint64_t without);
void ending_end(hd_text *out, unsigned n);
#endif
