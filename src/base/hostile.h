/* hostile.h -- the build in which rare things are common (make HOSTILE=1).
 *
 * Caches that are nearly always hit, tables that nearly never grow and solvers that nearly never
 * give up hide mistakes in what happens otherwise.  In the hostile build tables begin at their
 * smallest and move when they grow, caches hold two entries, hash functions collide, the graph of
 * expressions is compacted all the time, checkpoints are taken wherever they can be, batches are
 * tiny, and layers of the solver give up at random (the same way in every run).  tests/run has a
 * suite of it.
 *
 * Promise (tests/run): the hostile build may be slow and may say "unknown"; what else it says is
 *     the same.
 * Not here: costly self-checks (panic.h), which are on in this build too. */
#ifndef HD_BASE_HOSTILE_H
#define HD_BASE_HOSTILE_H
#include "base/hash.h"

#include <stdbool.h>

/* The usual value, or the one of the hostile build; whichever it is, what comes of it is the
 * same: it is how much, how often or how early, never what. */
#ifdef HD_HOSTILE_BUILD
#define HD_HOSTILE(usual, hostile) (hostile)
#else
#define HD_HOSTILE(usual, hostile) (usual)
#endif

/* A hash for a table; there are only 1,024 different ones in the hostile build. */
static inline uint64_t hd_hostile_hash(uint64_t hash) {
    return HD_HOSTILE(hash, hd_mix(hash % 1024));
}

/* Does something rare happen now?  One time in `odds` in the hostile build, else never. */
static inline bool hd_hostile_strikes(uint64_t *state, unsigned odds) {
    return HD_HOSTILE(((void)state, (void)odds, false), hd_random_next(state) % odds == 0);
}
#endif
