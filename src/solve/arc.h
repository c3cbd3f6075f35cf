/* arc.h -- which numbers a variable can be, as far as comparisons with constants say.
 *
 * An arc is a run of neighbours on the circle of all numbers of a width, so that one kind of bounds
 * serves signed and unsigned comparisons, and sums with constants.
 *
 * G1. No value that satisfies what an arc was narrowed by is outside of it.  There may be others
 *     inside: whoever uses an arc checks the constraints themselves. */
#ifndef HD_SOLVE_ARC_H
#define HD_SOLVE_ARC_H
#include "symbolic/expr.h"

typedef struct hd_arc {
    uint64_t start, span; /* start, start + 1, ..., start + span, modulo 2^width */
    bool is_empty;
} hd_arc;

/* All numbers of so many bits. */
hd_arc hd_arc_all(unsigned width);
/* What is in both; of two pieces, all of the shorter arc. */
hd_arc hd_arc_meet(hd_arc x, hd_arc y, unsigned width);
/* The arc of the only variable of `e` if `e` is `truth`; everything if `e` is of no form that is
 * understood. */
hd_arc hd_arc_by(const hd_graph *g, hd_expr e, bool truth, unsigned width_of_variable);
/* The term that `e`, a comparison with a constant, is about, without sums with constants and
 * changes of width that can be undone; in `arc` where it is if `e` holds.  HD_NONE if `e` is
 * something else. */
hd_expr hd_arc_term(const hd_graph *g, hd_expr e, hd_arc *arc);
#endif
