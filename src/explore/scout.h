/* scout.h -- samples beside the search: a few orders of threads drawn at random, now and then.
 *
 * A search goes depth first.  If it is too large to be finished it never comes to the choices that
 * it took first: which threads begin, how many there are.  A bug that needs another of these is
 * easy to meet by chance (sample.c).  So a search that has become long is left alone for a moment,
 * whenever it has doubled, and a sample is drawn, with another explorer that shares nothing with
 * the first.
 *
 * C1. What the search runs, counts and says about completeness does not depend on scouts.
 * C2. When a sample is drawn, and which, depends on what the search has done, not on time. */
#ifndef HD_EXPLORE_SCOUT_H
#define HD_EXPLORE_SCOUT_H
#include "explore/explore.h"

typedef struct hd_scout hd_scout;

/* NULL if the search needs none: it takes samples itself, is bounded, or is no search for threads.
 * `deadline` as in hd_explorer_options; a search that goes on from a record has done `done`
 * already. */
hd_scout *hd_scout_new(hd_graph *graph, hd_variables *variables, const hd_chain_options *solve,
                       const hd_explorer_options *explore, const hd_explorer_counters *done);
/* Is a sample to be drawn now, before the search goes on? */
bool hd_scout_is_due(const hd_scout *s, const hd_explorer_counters *search);
/* Begin to draw a sample, which is due. */
void hd_scout_begin(hd_scout *s, const hd_explorer_counters *search);
/* The explorer of the sample that is being drawn, which is also the sink of its executions; NULL
 * while none is. */
hd_explorer *hd_scout_explorer(const hd_scout *s);
/* Nobody draws any more. */
void hd_scout_stop(hd_scout *s);
/* The next execution of the sample; false, and nobody draws any more, if that is over. */
bool hd_scout_next(hd_scout *s, hd_model *model);
#endif
