/* prune.h -- constraints that no part of the box can satisfy.
 *
 * Bounds of a product say little as long as its factors have any sign.  The box is cut where
 * signs change, and each part is looked at by itself: what holds nowhere in it, by intervals
 * (interval.h), needs no solver of bits.  Comparisons with constants bound terms in it too.
 *
 * Z1. The parts have all values of the box. */
#ifndef HD_SOLVE_PRUNE_H
#define HD_SOLVE_PRUNE_H
#include "solve/box.h"
#include "solve/interval.h"

/* Has no part of the box a solution of all constraints? */
bool hd_prune_refute(hd_intervals *intervals, const hd_task *t, const hd_side *sides, uint32_t n);
#endif
