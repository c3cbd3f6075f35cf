/* past.h -- what memory held earlier in an execution.
 *
 * Events tell what was at their place before them (hd_action.value), and what sections found there
 * is noted with them.  So going back over the writes to some bytes, from the last to the first,
 * shows what these held before each; byte by byte, because accesses have different sizes.
 * Not here: what memory holds now (the machine knows). */
#ifndef HD_EXPLORE_EVENTS_PAST_H
#define HD_EXPLORE_EVENTS_PAST_H
#include "explore/events/events.h"

typedef struct hd_past {
    uint64_t value, known; /* known: a mask of the bits that are */
} hd_past;

/* What the bytes of `x`, at most 8, held before event `e`. */
void hd_past_go_back(hd_past *p, const hd_events *log, const hd_access *x, uint32_t e);
bool hd_past_is_known(const hd_past *p, const hd_access *x);
/* May the action write to some of the bytes? */
bool hd_any_writes_at(const hd_action *b, const hd_access *x);
static inline bool hd_writes_at(const hd_action *b, const hd_access *x) {
    const hd_access *y = &b->access[0];
    if (b->n_accesses != 1)
        return hd_any_writes_at(b, x);
    return y->mode == HD_MODE_WRITE && y->address < x->address + x->size &&
           x->address < y->address + y->size;
}
#endif
