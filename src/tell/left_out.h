/* left_out.h -- what a search left out on purpose, in sentences for the verdict. */
#ifndef HD_TELL_LEFT_OUT_H
#define HD_TELL_LEFT_OUT_H
#include "explore/explore.h"

/* Calls `each` with one sentence for each bound that was met; nothing for a search of a
 * program without threads (`n_threads` 0), or of all orders. */
void hd_bounds_tell(const hd_explorer_options *options, const hd_explorer_counters *counters,
                    uint64_t n_threads, void (*each)(void *context, const char *sentence),
                    void *context);
/* The chance that one execution of PCT shows a bug of this depth, at least. */
double hd_pct_chance(uint64_t n_threads, uint64_t n_events, uint32_t depth);
#endif
