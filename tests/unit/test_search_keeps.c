/* What a search keeps from one execution to the next, place by place: sets, when sets are
 * collected, and expressions, when graphs are compacted.  Each place holds one that nobody else
 * has, so that a place that is left out shows. */
#include "explore/explore.h"
#include "explore/orders/weave.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct bench {
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_explorer *x;
    hd_weave *w;
    unsigned n; /* sets or expressions so far */
} bench;

static void begin(bench *b) {
    memset(b, 0, sizeof *b);
    b->graph = hd_graph_new(false);
    b->variables = hd_variables_new();
    hd_chain_options all = hd_chain_defaults();
    b->chain = hd_chain_new(b->graph, b->variables, &all);
    hd_variables_root(b->variables, 0, HD_VAR_INTEGER, 32, 0, "z");
    hd_explorer_options o = {.is_threaded = true, .reduction = HD_REDUCTION_OPTIMAL};
    b->x = hd_explorer_new(b->graph, b->variables, b->chain, &o);
    b->w = hd_weave_of(b->x);
}

static void end(bench *b) {
    hd_explorer_free(b->x);
    hd_chain_free(b->chain);
    hd_variables_free(b->variables);
    hd_graph_free(b->graph);
}

enum { IN_EACH = 3 }; /* the first, the last, and one between them */

/* ---- sets ---- */

enum { HIGH = 200 }; /* numbers from here on are in no word */

static hd_set set_number(unsigned n) {
    return hd_set_with(hd_set_of(HIGH), HIGH + 1 + n);
}

static hd_set next_set(bench *b) {
    return set_number(b->n++);
}

/* The end of a process, whose threads are a set; every second one begins some. */
static hd_action action_with_set(bench *b) {
    return (hd_action){.kind = (uint8_t)(b->n % 2 ? HD_DO_EXIT : HD_DO_START),
                       .expected = next_set(b).bits};
}

static hd_weave_node node_with_sets(bench *b) {
    return (hd_weave_node){.sleep = HD_NO_EVENT,
                           .enabled = next_set(b),
                           .todo = next_set(b),
                           .done = next_set(b),
                           .asleep = next_set(b)};
}

static void put_sets_everywhere(bench *b) {
    for (int i = 0; i < IN_EACH; i++) {
        hd_action a = action_with_set(b);
        hd_vec_push(&b->w->nodes, node_with_sets(b));
        hd_vec_push(&b->w->saved_rest, node_with_sets(b));
        hd_shared_actions_hold(&b->w->wakeups.actions, &a);
        hd_vec_push(&b->w->log.at, (hd_logged){.action = action_with_set(b)});
        hd_vec_push(&b->w->sleepers, (hd_sleeper){.action = action_with_set(b)});
        hd_vec_push(&b->w->held, (hd_held_thread){.action = action_with_set(b)});
        hd_vec_push(&b->w->given, (hd_given){.action = action_with_set(b)});
    }
}

static void every_set_is_kept(void **state) {
    (void)state;
    bench b;
    begin(&b);
    put_sets_everywhere(&b);
    hd_action nobodys = action_with_set(&b); /* not held any more */
    hd_shared_actions_let_go(&b.w->wakeups.actions,
                             hd_shared_actions_hold(&b.w->wakeups.actions, &nobodys));
    assert_int_equal(hd_sets_count(), b.n + 1); /* and the one that they are made of */
    hd_sets_collect();
    assert_int_equal(hd_sets_count(), b.n - 1);
    for (unsigned i = 0; i < b.n - 1; i++)
        assert_true(hd_set_has(set_number(i), HIGH + 1 + i)); /* no new one */
    assert_int_equal(hd_sets_count(), b.n);
    end(&b);
    hd_sets_collect();
    assert_int_equal(hd_sets_count(), 0);
}

/* ---- expressions ---- */

static hd_expr expr_number(bench *b, unsigned n) {
    return hd_expr_binary(b->graph, HD_OP_ULT, hd_expr_var(b->graph, 0, 32),
                          hd_expr_const(b->graph, 32, 1000 + 3 * n));
}

static hd_expr next_expr(bench *b) {
    return expr_number(b, b->n++);
}

/* In the order in which they are asked for below; of most places also one without. */
static void put_exprs_everywhere(bench *b) {
    hd_weave *w = b->w;
    for (int i = 0; i < IN_EACH; i++) {
        hd_vec_push(&w->decisions, ((hd_decision){.condition = next_expr(b), .way = i % 2}));
        hd_vec_push(&w->sleepers, (hd_sleeper){.scope = next_expr(b)});
        hd_vec_push(&w->sleepers, (hd_sleeper){.scope = HD_NONE});
        hd_vec_push(&w->explored, (hd_explored){.scope = next_expr(b)});
        hd_vec_push(&w->explored, (hd_explored){.scope = HD_NONE});
        hd_vec_push(&w->wakeups.at, (hd_wakeup_node){.outcome = next_expr(b)});
        hd_vec_push(&w->wakeups.at, (hd_wakeup_node){.scope = next_expr(b)});
        hd_vec_push(&w->log.contents, (hd_logged_content){.content = next_expr(b)});
        hd_vec_push(&w->log.inner, (hd_logged_inner){.access.content = next_expr(b)});
        hd_vec_push(&w->log.inner, (hd_logged_inner){.access.content = HD_NONE});
    }
    w->waiting_restriction = next_expr(b);
}

static void assert_exprs_are_everywhere(bench *b) {
    hd_weave *w = b->w;
    unsigned n = 0;
    for (int i = 0; i < IN_EACH; i++) {
        hd_expr condition = expr_number(b, n++);
        assert_int_equal(w->decisions.at[i].condition, condition);
        assert_int_equal(hd_path_at(b->x->path, (uint32_t)i),
                         hd_explorer_oriented(b->x, condition, i % 2));
        assert_int_equal(w->sleepers.at[2 * i].scope, expr_number(b, n++));
        assert_int_equal(w->sleepers.at[2 * i + 1].scope, HD_NONE);
        assert_int_equal(w->explored.at[2 * i].scope, expr_number(b, n++));
        assert_int_equal(w->explored.at[2 * i + 1].scope, HD_NONE);
        assert_int_equal(w->wakeups.at.at[2 * i + 1].outcome, expr_number(b, n++));
        assert_int_equal(w->wakeups.at.at[2 * i + 1].scope, HD_NONE);
        assert_int_equal(w->wakeups.at.at[2 * i + 2].scope, expr_number(b, n++));
        assert_int_equal(w->wakeups.at.at[2 * i + 2].outcome, HD_NONE);
        assert_int_equal(w->log.contents.at[i].content, expr_number(b, n++));
        assert_int_equal(w->log.inner.at[2 * i].access.content, expr_number(b, n++));
        assert_int_equal(w->log.inner.at[2 * i + 1].access.content, HD_NONE);
    }
    assert_int_equal(w->waiting_restriction, expr_number(b, n++));
    assert_int_equal(n, b->n);
    assert_int_equal(hd_path_length(b->x->path), IN_EACH);
}

/* Others before them go, so that all numbers change; what is kept by numbers is forgotten. */
static void every_expression_is_kept(void **state) {
    (void)state;
    bench b;
    begin(&b);
    for (unsigned i = 0; i < 100; i++)
        expr_number(&b, 5000 + i);
    put_exprs_everywhere(&b);
    for (int i = 0; i < IN_EACH; i++) /* as they were before the last decision was turned */
        hd_path_push(b.x->path, b.w->decisions.at[i].condition);
    hd_map_put(&b.w->private_assumptions, 7, 1);
    hd_expr before = b.w->decisions.at[0].condition;
    hd_explorer_compact(b.x);
    assert_true(b.w->decisions.at[0].condition < before);
    assert_int_equal(b.w->private_assumptions.n, 0);
    assert_exprs_are_everywhere(&b);
    b.w->waiting_restriction = HD_NONE;
    hd_explorer_compact(b.x); /* nothing waits: there is nothing to keep */
    assert_int_equal(b.w->waiting_restriction, HD_NONE);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_is_kept),
        cmocka_unit_test(every_expression_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
