/* Decisions on inputs in a search over orders, as the machine tells them, one by one: bounds, names
 * of paths, faults that must happen and cannot, pointers that were solved.  The program is a
 * function of its inputs, in a thread that is alone. */
#include "explore/explore_int.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_PATHS = 16 };

typedef struct search {
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_explorer *x;
    hd_model model;
    hd_sink sink; /* of this execution */
    hd_outcome outcome;
    uint64_t hashes[MOST_PATHS];
    unsigned n;
    unsigned n_settled; /* executions that began with pointers by the machine's names */
} search;

static void begin(search *s, const hd_explorer_options *o) {
    memset(s, 0, sizeof *s);
    s->graph = hd_graph_new(false);
    s->variables = hd_variables_new();
    hd_chain_options all = hd_chain_defaults();
    s->chain = hd_chain_new(s->graph, s->variables, &all);
    s->x = hd_explorer_new(s->graph, s->variables, s->chain, o);
}

static void end(search *s) {
    hd_explorer_free(s->x);
    hd_chain_free(s->chain);
    hd_model_release(&s->model);
    hd_variables_free(s->variables);
    hd_graph_free(s->graph);
}

static hd_explorer_options threaded(void) {
    return (hd_explorer_options){.is_threaded = true, .reduction = HD_REDUCTION_OPTIMAL};
}

/* A bit that is asked for: 0 if nobody wants something else. */
static hd_var bit(search *s, unsigned number) {
    hd_var v = hd_variables_root(s->variables, number, HD_VAR_INTEGER, 1, 0, "bit");
    if (!hd_model_has(&s->model, v))
        hd_model_set(&s->model, v, 0);
    return v;
}

static hd_expr bit_expr(search *s, unsigned number) {
    return hd_expr_var(s->graph, bit(s, number), 1);
}

static bool decide(search *s, uint32_t site, unsigned number) {
    hd_var v = bit(s, number);
    hd_expr e = bit_expr(s, number);
    bool way = hd_model_get(&s->model, v);
    s->sink.branch(s->sink.context, site, e, way, HD_BRANCH_PROGRAM);
    return way;
}

/* All executions of the program. */
static void explore(search *s, void (*program)(search *)) {
    while (hd_explorer_next(s->x, &s->model)) {
        assert_true(s->n < MOST_PATHS);
        s->sink = hd_explorer_sink(s->x);
        s->outcome = (hd_outcome){.end = HD_END_EXIT};
        program(s);
        hd_explorer_done(s->x, &s->outcome, &s->model);
        s->hashes[s->n++] = hd_explorer_class_hash(s->x);
    }
}

static const hd_explorer_counters *counters(const search *s) {
    return hd_explorer_counted(s->x);
}

/* ---- names ---- */

/* A loop over two inputs: which of them it was that went which way shows in the order only. */
static void look_at_both(search *s) {
    decide(s, 1, 0);
    decide(s, 1, 1);
}

static void paths_have_names(void **state) {
    (void)state;
    search s;
    hd_explorer_options o = threaded();
    begin(&s, &o);
    explore(&s, look_at_both);
    assert_int_equal(s.n, 4);
    assert_int_equal(counters(&s)->paths, 4);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < i; k++)
            assert_true(s.hashes[i] != s.hashes[k]);
    assert_true(hd_explorer_is_complete(s.x));
    end(&s);
}

/* ---- bounds ---- */

static void look_further_if_not(search *s) {
    if (!decide(s, 1, 0))
        decide(s, 2, 1);
}

/* The first execution comes to the bound, the second one does not. */
static void some_paths_are_bounded(void **state) {
    (void)state;
    search s;
    hd_explorer_options o = threaded();
    o.depth = 1;
    begin(&s, &o);
    explore(&s, look_further_if_not);
    assert_int_equal(s.n, 2);
    assert_int_equal(counters(&s)->bounded, 1);
    assert_int_equal(counters(&s)->deepest, 1);
    assert_false(hd_explorer_is_complete(s.x));
    end(&s);
}

static void be_cut(search *s) {
    static const uint64_t places[] = {2, 5, 3, 5};
    look_at_both(s);
    s->outcome.n_cut_places = places[s->n];
}

/* The most of one execution. */
static void cut_places_are_counted(void **state) {
    (void)state;
    search s;
    hd_explorer_options o = threaded();
    begin(&s, &o);
    explore(&s, be_cut);
    assert_int_equal(counters(&s)->cut_places, 5);
    end(&s);
}

/* ---- faults that have to happen, and cannot (X4 of restrict.h) ---- */

enum { EARLIER, RIVAL, WANTED, LATER }; /* inputs */

/* If the rival happens nothing is left for the one that is wanted, and another part has that. */
static void share_a_budget(search *s) {
    decide(s, 1, EARLIER);
    if (!decide(s, 2, RIVAL)) {
        decide(s, 3, WANTED);
        decide(s, 4, LATER);
        return;
    }
    hd_expr wanted = bit_expr(s, WANTED);
    hd_model_set(&s->model, bit(s, WANTED), 0);
    s->sink.branch(s->sink.context, 3, wanted, false, HD_BRANCH_SPENT);
    decide(s, 4, LATER);
}

static void budgets_are_no_conditions(void **state) {
    (void)state;
    search s;
    hd_explorer_options o = threaded();
    begin(&s, &o);
    hd_expr wanted = bit_expr(&s, WANTED);
    hd_explorer_assume(s.x, &wanted, 1);
    explore(&s, share_a_budget);
    assert_int_equal(s.n, 6);
    assert_int_equal(counters(&s)->paths, 4);
    assert_int_equal(counters(&s)->redundant, 2); /* one for each way before it */
    assert_int_equal(counters(&s)->rejected, 0);
    assert_int_equal(counters(&s)->mispredicted, 0);
    assert_int_equal(counters(&s)->deepest, 3);
    assert_true(hd_explorer_is_complete(s.x));
    end(&s);
    begin(&s, &o); /* nothing has to happen: it is a part of its own */
    explore(&s, share_a_budget);
    assert_int_equal(s.n, 2 * (2 + 4));
    end(&s);
}

/* ---- pointers ---- */

enum { P, Q, N };

/* Two pointers to one object, which was named after the second of them. */
static void point(search *s) {
    hd_var p = hd_variables_root(s->variables, P, HD_VAR_POINTER, 64, 0, "p");
    hd_var q = hd_variables_root(s->variables, Q, HD_VAR_POINTER, 64, 0, "q");
    if (s->n)
        assert_int_equal(hd_model_get(&s->model, p), HD_POINTER_FRESH(p));
    hd_model_set(&s->model, p, HD_POINTER_FRESH(q));
    hd_model_set(&s->model, q, HD_POINTER_FRESH(q));
    decide(s, 1, N);
}

/* What a solution says of pointers gets the names that the machine will give. */
static void pointers_are_settled(void **state) {
    (void)state;
    search s;
    hd_explorer_options o = threaded();
    begin(&s, &o);
    explore(&s, point);
    assert_int_equal(s.n, 2);
    end(&s);
}

/* As above, where inputs are varied now and then: some of them begin with the machine's names. */
static void point_again(search *s) {
    hd_var p = hd_variables_root(s->variables, P, HD_VAR_POINTER, 64, 0, "p");
    hd_var q = hd_variables_root(s->variables, Q, HD_VAR_POINTER, 64, 0, "q");
    s->n_settled += hd_model_has(&s->model, p) && hd_model_get(&s->model, p) == HD_POINTER_FRESH(p);
    hd_model_set(&s->model, p, HD_POINTER_FRESH(q));
    hd_model_set(&s->model, q, HD_POINTER_FRESH(q));
    decide(s, 1, N);
}

static void pointers_of_samples_are_settled(void **state) {
    (void)state;
    search s;
    hd_explorer_options o = threaded();
    o.sampling = HD_SAMPLING_RANDOM;
    o.samples = MOST_PATHS;
    begin(&s, &o);
    explore(&s, point_again);
    assert_int_equal(s.n, MOST_PATHS);
    assert_in_range(s.n_settled, 1, MOST_PATHS - 1);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_have_names),       cmocka_unit_test(some_paths_are_bounded),
        cmocka_unit_test(cut_places_are_counted), cmocka_unit_test(budgets_are_no_conditions),
        cmocka_unit_test(pointers_are_settled),   cmocka_unit_test(pointers_of_samples_are_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
