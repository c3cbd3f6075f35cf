/* values.h -- values of the abstract machines, which may depend on inputs.
 *
 * A value is what it is in this execution, and the expression of which inputs it is that. */
#ifndef HD_TESTS_VALUES_H
#define HD_TESTS_VALUES_H
#include "machine/machine.h"
#include "property/model/code.h"

typedef struct model_value {
    uint8_t is;
    hd_expr expr; /* 8 bits wide; HD_NONE: does not depend on inputs */
} model_value;

/* The inputs of a program, and what they are in this execution. */
typedef struct model_inputs {
    hd_graph *graph;
    hd_var var[MODEL_INPUTS];
    hd_expr expr[MODEL_INPUTS]; /* of this execution */
    uint8_t is[MODEL_INPUTS];
} model_inputs;

/* Makes them in a graph and its table of variables. */
void inputs_open(model_inputs *inputs, const code *c, hd_graph *graph, hd_variables *variables);
/* They become what the explorer wishes, and what it does not wish becomes known to it. */
void inputs_read(model_inputs *inputs, const code *c, hd_model *wishes);
/* All values of all inputs have a number. */
unsigned inputs_n_vectors(const code *c);
void inputs_take_vector(model_inputs *inputs, const code *c, unsigned vector);

model_value value_constant(unsigned is);
model_value value_of_input(const model_inputs *inputs, unsigned n);
model_value value_plus(const model_inputs *inputs, model_value a, model_value b);
/* Does `op` hold between them?  The expression of it; HD_NONE: it does not depend on inputs. */
hd_expr value_compare(const model_inputs *inputs, hd_op op, model_value a, model_value b);
#endif
