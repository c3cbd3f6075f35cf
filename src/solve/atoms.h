/* atoms.h -- parts of constraints that have few values, although the inputs have many.
 *
 * An atom is a remainder by a constant, or a comparison of two inputs.  Where atoms hide all
 * inputs of a slice, whether the slice can hold is a question about them.
 *
 * D1. Every assignment to the inputs gives the atoms values among those that are tried, so that
 *     constraints which no case of the atoms satisfies have no solution.
 * D2. What comes from a case of the atoms is inputs that were checked. */
#ifndef HD_SOLVE_ATOMS_H
#define HD_SOLVE_ATOMS_H
#include "solve/solve_int.h"
#include "solve/straight.h"

typedef struct hd_atoms hd_atoms;

hd_atoms *hd_atoms_new(hd_graph *g);
void hd_atoms_free(hd_atoms *s);
void hd_atoms_forget(hd_atoms *s);
/* HD_UNKNOWN if there are no such atoms, too many cases, or if a case fits but no inputs were
 * found. */
hd_verdict hd_atoms_try(hd_atoms *s, hd_straight *straight, hd_task *t, int64_t *budget,
                        hd_model *model);
#endif
