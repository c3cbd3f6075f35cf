/* input_parts.h -- preconditions: what divides the inputs of a program into parts.
 *
 * A part is a list of conditions on inputs that all hold; a division is a list of parts.  Parts may
 * have inputs in common, and some inputs may be in none: cover.h tells.
 * Not here: how they are found (ssp.h), written (part_file.h) and searched (explore/explore.h). */
#ifndef HD_PARTITION_INPUT_PARTS_H
#define HD_PARTITION_INPUT_PARTS_H
#include "base/vec.h"
#include "symbolic/expr.h"

typedef hd_vec(hd_expr) hd_conditions;
typedef hd_vec(hd_conditions) hd_division;

void hd_conditions_copy(hd_conditions *to, const hd_conditions *from);
/* Adds `condition`, whose conjunctions are taken apart; what is always true is left out. */
void hd_conditions_add(hd_graph *g, hd_conditions *to, hd_expr condition);
void hd_division_release(hd_division *parts);
/* All conditions of a part as one. */
hd_expr hd_conditions_all(hd_graph *g, const hd_conditions *part);
#endif
