/* split.h -- an input that says which other input is meant, and expressions in which it has one
 * value.
 *
 * code[pc] with a pc that depends on an input is a table of inputs, read through an index: whatever
 * is made of it depends on all of them.  For each value of that input it is one of them.
 *
 * W1. What is put together for a value has the same value as the expression whenever the variable
 * has it. */
#ifndef HD_SOLVE_SPLIT_H
#define HD_SOLVE_SPLIT_H
#include "symbolic/expr.h"

typedef struct hd_split hd_split;

hd_split *hd_split_new(hd_graph *g);
void hd_split_free(hd_split *s);
/* Expression ids are void from now on. */
void hd_split_forget(hd_split *s);

/* A variable that alone decides which of several inputs a part of `e` is: the index of a table, or
 * the condition of a choice; false if there is none, or it is too deep inside. */
bool hd_split_variable(hd_split *s, hd_expr e, hd_var *v);
/* `e` where `v` has this value, below 256; HD_NONE if `e` is too deep. */
hd_expr hd_split_put(hd_split *s, hd_expr e, hd_var v, uint64_t value);
#endif
