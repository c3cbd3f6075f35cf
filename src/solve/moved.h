/* moved.h -- slices whose inputs are only moved and compared, as by a sort with a comparator.
 *
 * Inputs that are chosen between, put into tables and read from them, and compared with each other
 * and with zero, matter by their order only: moving them closer to zero, each on its side, changes
 * no comparison.  Small numbers stand for all others.
 *
 * O1. If such a slice has a solution, it has one of numbers from -n to n, for n inputs; if no
 *     comparison has a sign, of numbers from 0 to n. */
#ifndef HD_SOLVE_MOVED_H
#define HD_SOLVE_MOVED_H
#include "solve/solve_int.h"

typedef struct hd_moved hd_moved;

hd_moved *hd_moved_new(const hd_graph *g);
void hd_moved_free(hd_moved *s);
void hd_moved_forget(hd_moved *s);
/* Are the inputs of the task only moved and compared, with signs everywhere or nowhere? */
bool hd_moved_only(hd_moved *s, const hd_task *t, bool *has_signs);
#endif
