/* random_formulas.h -- random expressions on the inputs of a world of queries. */
#ifndef HD_TESTS_RANDOM_FORMULAS_H
#define HD_TESTS_RANDOM_FORMULAS_H
#include "property/model/query_world.h"

hd_expr formula_variable(query_world *w, unsigned width);
hd_expr formula_constant(query_world *w, unsigned width);
hd_expr formula_expression(query_world *w, unsigned width, int depth);
/* Comparisons of plain variables, as in sorting. */
hd_expr formula_comparison(query_world *w, unsigned width);
hd_expr formula_constraint(query_world *w, unsigned width, bool simple);
#endif
