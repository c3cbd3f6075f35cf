/* box.h -- the values that the variables of a task can have, each by itself.
 *
 * Comparisons with constants make arcs (arc.h), remainders strides (stride.h), and comparisons
 * of two variables hand the bounds of one to the other.
 *
 * U1. Every solution of the task has each variable on its side of the box.  A variable that
 *     nothing is left of has one value, which fails. */
#ifndef HD_SOLVE_BOX_H
#define HD_SOLVE_BOX_H
#include "solve/solve_int.h"
#include "solve/straight.h"

/* start, start + by, ..., start + n_more * by, modulo 2^width */
typedef struct hd_side {
    hd_var v;
    unsigned width;
    uint64_t start, by, n_more;
} hd_side;

/* The sides of all variables, those with few values first; the task has at most HD_MAX_LEAVES. */
void hd_box_find(const hd_task *t, hd_side *sides);
/* What remainders say of them too, which takes longer. */
void hd_box_take_strides(const hd_task *t, hd_side *sides);
/* Has the box at most so many values in all? */
bool hd_box_is_few(const hd_side *sides, uint32_t n, uint64_t many);

static inline uint64_t hd_side_value(const hd_side *s, uint64_t i) {
    return (s->start + i * s->by) & hd_mask(s->width);
}
#endif
