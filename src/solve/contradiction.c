/* contradiction.c -- OPT 1 of paper 002, 4.1.5: flips that cannot work, seen from their shape.
 *
 * A branch whose condition was tested before on the same path is flipped in vain: the goal is
 * then literally the negation of a constraint.  Expressions are hash-consed, so that this is
 * one look-up.  A goal that the simplifier has already decided is decided here as well; a
 * true one, and one that is itself on the path, is satisfied by the hint as it is. */
#include "solve/solve_int.h"

#include "base/panic.h"

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    (void)self, (void)model;
    const hd_query *q = t->query;
    HD_ASSERT(q->goal != HD_NONE);
    if (hd_expr_is_const(t->g, q->goal))
        return hd_expr_value(t->g, q->goal) ? HD_SAT : HD_UNSAT;
    if (hd_path_contains(q->path, q->n, hd_expr_not(t->g, q->goal)))
        return HD_UNSAT;
    return hd_path_contains(q->path, q->n, q->goal) ? HD_SAT : HD_UNKNOWN;
}

const hd_layer_kind hd_layer_contradiction = {.ask = ask};
