/* assumed.h -- conditions that hold for all inputs of a part of a search (paper 003, 3.2).
 *
 * They stand before the path constraint and are never negated.  An input that they fix to one value
 * is put into every condition (selective concretisation): what is left of most is a constant, which
 * no solver is asked about.  Decisions stay what they are, so that a path has the same name in
 * every part that comes to it.
 *
 * Not here: where conditions come from (partition/). */
#ifndef HD_EXPLORE_INPUTS_ASSUMED_H
#define HD_EXPLORE_INPUTS_ASSUMED_H
#include "base/map.h"
#include "base/vec.h"
#include "symbolic/expr.h"

/* A zeroed one assumes nothing. */
typedef struct hd_assumed {
    hd_vec(hd_expr) at;
    hd_map fixed; /* variables that have one value */
    hd_map forms; /* by expression: with these values put in */
} hd_assumed;

void hd_assumed_release(hd_assumed *a);
void hd_assumed_add(hd_assumed *a, const hd_graph *g, hd_expr condition);
/* `e` for inputs for which all conditions hold. */
hd_expr hd_assumed_put_in(hd_assumed *a, hd_graph *g, hd_expr e);
/* Expressions have other ids now: those of the conditions were rewritten. */
void hd_assumed_forget(hd_assumed *a);
#endif
