/* questions.h -- a chain of solvers, a path and inputs with values, for tests that ask. */
#ifndef HD_TESTS_QUESTIONS_H
#define HD_TESTS_QUESTIONS_H
#include "solve/chain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static hd_graph *g;
static hd_variables *variables;
static hd_path *path;
static hd_chain *chain;
static hd_eval *eval;
static hd_model hint, out; /* the inputs' values, and what the last answer gives them */

static inline int set_up(void **state) {
    (void)state;
    g = hd_graph_new(false);
    variables = hd_variables_new();
    path = hd_path_new(g);
    eval = hd_eval_new(g);
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    hd_chain_free(chain);
    chain = NULL;
    hd_model_release(&hint);
    hd_model_release(&out);
    hd_eval_free(eval);
    hd_path_free(path);
    hd_variables_free(variables);
    hd_graph_free(g);
    return 0;
}

/* Chain of these layers, in the place of any other. */
static inline void open_chain(const char *layers) {
    hd_chain_options options = hd_chain_defaults();
    hd_err err;
    assert_true(hd_chain_parse(layers, &options, &err));
    hd_chain_free(chain);
    chain = hd_chain_new(g, variables, &options);
}

static inline hd_expr input(uint32_t number, unsigned width, uint64_t value) {
    hd_var v = hd_variables_root(variables, number, HD_VAR_INTEGER, width, 0, "x");
    hd_model_set(&hint, v, value);
    return hd_expr_var(g, v, width);
}

static inline hd_expr k(unsigned width, uint64_t value) {
    return hd_expr_const(g, width, value & hd_mask(width));
}

static inline hd_expr op(hd_op o, hd_expr a, hd_expr b) {
    return hd_expr_binary(g, o, a, b);
}

static inline uint64_t value_of(hd_expr e) {
    hd_eval_begin(eval, &out);
    return hd_eval_value(eval, e);
}
#endif
