/* The tree's memory, the order of the frontier, and journals that are damaged. */
#include "explore/events/action_bytes.h"
#include "explore/explore.h"
#include "explore/inputs/frontier.h"
#include "explore/inputs/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void a_node_lives_as_long_as_something_below_it_is_open(void **state) {
    (void)state;
    hd_tree t;
    hd_tree_init(&t);
    hd_node_id top = hd_tree_add(&t, HD_NO_NODE, false, 1, HD_BRANCH_PROGRAM);
    hd_tree_set_way(&t, top, true, HD_WAY_TAKEN);
    hd_node_id below = hd_tree_add(&t, top, true, 2, HD_BRANCH_PROGRAM);
    hd_tree_set_way(&t, below, false, HD_WAY_OPEN);
    assert_int_equal(t.n_open, 1);
    hd_tree_prune(&t, below);
    assert_int_equal(hd_tree_find(&t, HD_NO_NODE, false, 1, HD_BRANCH_PROGRAM), top);
    hd_tree_set_way(&t, below, false, HD_WAY_CLOSED);
    hd_tree_prune(&t, below);
    assert_int_equal(t.n_open, 0);
    assert_int_equal(t.root, HD_NO_NODE);
    assert_int_equal(t.unused.n, 2);
    hd_tree_release(&t);
}

static void one_way_can_lead_to_different_decisions(void **state) {
    (void)state;
    hd_tree t;
    hd_tree_init(&t);
    hd_node_id first = hd_tree_add(&t, HD_NO_NODE, false, 1, HD_BRANCH_PROGRAM);
    hd_node_id second = hd_tree_add(&t, HD_NO_NODE, false, 9, HD_BRANCH_PROGRAM);
    assert_int_equal(hd_tree_find(&t, HD_NO_NODE, false, 1, HD_BRANCH_PROGRAM), first);
    assert_int_equal(hd_tree_find(&t, HD_NO_NODE, false, 9, HD_BRANCH_PROGRAM), second);
    assert_int_equal(hd_tree_find(&t, HD_NO_NODE, false, 9, HD_BRANCH_ASSUME), HD_NO_NODE);
    hd_tree_prune(&t, first);
    assert_int_equal(hd_tree_find(&t, HD_NO_NODE, false, 9, HD_BRANCH_PROGRAM), second);
    hd_tree_release(&t);
}

static uint32_t pop(hd_frontier *f) {
    hd_entry e;
    enum hd_rank rank;
    return hd_frontier_pop(f, &e, &rank) ? e.node : UINT32_MAX;
}

static hd_frontier *filled(hd_strategy strategy) {
    static const uint32_t depths[] = {3, 1, 2, 1};
    static const enum hd_rank ranks[] = {HD_RANK_OLD, HD_RANK_NEW, HD_RANK_UNCOVERED, HD_RANK_NEW};
    hd_frontier *f = hd_frontier_new(strategy, 1);
    for (uint32_t i = 0; i < 4; i++)
        hd_frontier_push(f, (hd_entry){i, 1, false, depths[i]}, ranks[i]);
    return f;
}

static void expect_order(hd_strategy strategy, const uint32_t order[4]) {
    hd_frontier *f = filled(strategy);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pop(f), order[i]);
    assert_int_equal(pop(f), UINT32_MAX);
    hd_frontier_free(f);
}

static void each_strategy_has_its_order(void **state) {
    (void)state;
    expect_order(HD_STRATEGY_DFS, (uint32_t[]){3, 2, 1, 0});
    expect_order(HD_STRATEGY_MIXED, (uint32_t[]){3, 2, 1, 0});
    expect_order(HD_STRATEGY_BFS, (uint32_t[]){1, 3, 2, 0});
    expect_order(HD_STRATEGY_COVERAGE, (uint32_t[]){2, 1, 3, 0});
}

/* After enough work depth first, the shallowest come; then it goes on at the deep end. */
static void mixed_takes_turns(void **state) {
    (void)state;
    hd_frontier *f = filled(HD_STRATEGY_MIXED);
    assert_int_equal(pop(f), 3);
    hd_frontier_worked(f, UINT32_MAX, false); /* no room */
    assert_int_equal(pop(f), 2);
    hd_frontier_push(f, (hd_entry){2, 1, false, 2}, HD_RANK_OLD);
    hd_frontier_worked(f, UINT32_MAX, true);
    assert_int_equal(pop(f), 1);
    hd_frontier_worked(f, UINT32_MAX, true);
    hd_frontier_push(f, (hd_entry){7, 1, false, 9}, HD_RANK_OLD);
    assert_int_equal(pop(f), 7);
    assert_int_equal(pop(f), 2);
    assert_int_equal(pop(f), 0);
    assert_int_equal(pop(f), UINT32_MAX);
    hd_frontier_free(f);
}

static void random_takes_everything_once(void **state) {
    (void)state;
    hd_frontier *f = filled(HD_STRATEGY_RANDOM);
    unsigned seen = 0;
    for (int i = 0; i < 4; i++)
        seen |= 1u << pop(f);
    assert_int_equal(seen, 15);
    hd_frontier_free(f);
}

static void strategies_are_known_by_name(void **state) {
    (void)state;
    hd_strategy s;
    assert_true(hd_strategy_parse("bfs", &s));
    assert_int_equal(s, HD_STRATEGY_BFS);
    assert_false(hd_strategy_parse("fastest", &s));
}

static hd_explorer *new_explorer(hd_graph *g, hd_variables *vs) {
    return hd_explorer_new(g, vs, NULL, &(hd_explorer_options){.strategy = HD_STRATEGY_DFS});
}

static void a_damaged_journal_is_refused(void **state) {
    (void)state;
    hd_graph *g = hd_graph_new(false);
    hd_variables *vs = hd_variables_new();
    hd_explorer *x = new_explorer(g, vs);
    hd_text good = {0};
    hd_err err;
    hd_variables_root(vs, 0, HD_VAR_INTEGER, 8, 0, "x");
    hd_explorer_save(x, &good);
    hd_explorer_free(x);
    for (size_t n = 0; n <= good.n; n++) {
        x = new_explorer(g, vs);
        assert_int_equal(hd_explorer_restore(x, good.at, n, &err), n == good.n);
        hd_explorer_free(x);
    }
    good.at[0] ^= 1;
    x = new_explorer(g, vs);
    assert_false(hd_explorer_restore(x, good.at, good.n, &err));
    assert_non_null(strstr(err.message, "damaged"));
    hd_explorer_free(x);
    good.at[0] ^= 1;
    good.at[3] ^= 1;
    x = new_explorer(g, vs);
    assert_false(hd_explorer_restore(x, good.at, good.n, &err));
    assert_non_null(strstr(err.message, "another version"));
    hd_explorer_free(x);
    hd_text_release(&good);
    hd_variables_free(vs);
    hd_graph_free(g);
}

/* A program of two decisions, on an input each: sites 5 and 6. */
typedef struct two_decisions {
    hd_graph *graph;
    hd_variables *variables;
    hd_var inputs[2];
    hd_explorer *explorer;
    hd_model model;
} two_decisions;

static unsigned run_decisions(two_decisions *p) {
    hd_sink sink = hd_explorer_sink(p->explorer);
    hd_outcome outcome = {0};
    unsigned ways = 0;
    for (unsigned i = 0; i < 2; i++) {
        hd_expr input = hd_expr_var(p->graph, p->inputs[i], 8);
        bool way = hd_model_get(&p->model, p->inputs[i]) == 7;
        hd_expr is_seven = hd_expr_binary(p->graph, HD_OP_EQ, input, hd_expr_const(p->graph, 8, 7));
        sink.branch(sink.context, 5 + i, is_seven, way, HD_BRANCH_PROGRAM);
        ways |= (unsigned)way << i;
    }
    hd_explorer_done(p->explorer, &outcome, &p->model);
    return ways;
}

/* The decisions that the second execution takes the other way. */
static unsigned second_choice(_Atomic uint8_t *seen_ways) {
    two_decisions p = {.graph = hd_graph_new(false), .variables = hd_variables_new()};
    hd_chain_options all = hd_chain_defaults();
    hd_chain *chain = hd_chain_new(p.graph, p.variables, &all);
    for (uint32_t i = 0; i < 2; i++)
        p.inputs[i] = hd_variables_root(p.variables, i, HD_VAR_INTEGER, 8, 0, "x");
    p.explorer = hd_explorer_new(p.graph, p.variables, chain,
                                 &(hd_explorer_options){.strategy = HD_STRATEGY_COVERAGE,
                                                        .seen_ways = seen_ways,
                                                        .n_seen_ways = 16});
    assert_true(hd_explorer_next(p.explorer, &p.model));
    unsigned first = run_decisions(&p);
    assert_true(hd_explorer_next(p.explorer, &p.model));
    unsigned changed = first ^ run_decisions(&p);
    hd_explorer_free(p.explorer);
    hd_chain_free(chain);
    hd_model_release(&p.model);
    hd_variables_free(p.variables);
    hd_graph_free(p.graph);
    return changed;
}

/* Where somebody else has been meanwhile is not the first choice any more. */
static void what_others_have_seen_counts(void **state) {
    (void)state;
    _Atomic uint8_t seen[16] = {0};
    unsigned alone = second_choice(NULL), with_others = second_choice(seen);
    assert_true(alone == 1 || alone == 2);
    assert_int_equal(with_others, alone);
    for (unsigned key = 10; key < 14; key++)
        assert_int_equal(seen[key], key / 2 - 5 == alone - 1 || key % 2 == 0);
    memset((void *)seen, 0, sizeof seen);
    seen[2 * (5 + (alone - 1)) + 1] = 1;
    assert_int_equal(second_choice(seen), 3 - alone);
}

/* What cannot be an action is none, also for readers who copy it before they look (found by
 * fuzz_journal: accesses beyond its end were copied). */
static void a_damaged_action_is_nothing(void **state) {
    (void)state;
    hd_action a = {.kind = HD_DO_LOCK, .n_accesses = 1}, nothing = {0};
    hd_text good = {0};
    hd_journal_save_action(&a, &good);
    hd_unpack u = hd_unpack_from(good.at, good.n);
    hd_action same = hd_journal_restore_action(&u);
    assert_true(hd_unpack_ok(&u) && same.kind == a.kind && same.n_accesses == 1);
    /* One word, the first, in three bytes: bits that are set stay as they are. */
    assert_true(good.n == 3 && good.at[0] == 1);
    hd_text_clear(&good);
    hd_pack_short(&good, 1);
    hd_pack_short(&good, HD_DO_LOCK | 200 << 8);
    u = hd_unpack_from(good.at, good.n);
    hd_action bad = hd_journal_restore_action(&u);
    assert_false(hd_unpack_ok(&u));
    assert_memory_equal(&bad, &nothing, sizeof bad);
    hd_text_release(&good);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_lives_as_long_as_something_below_it_is_open),
        cmocka_unit_test(one_way_can_lead_to_different_decisions),
        cmocka_unit_test(each_strategy_has_its_order),
        cmocka_unit_test(mixed_takes_turns),
        cmocka_unit_test(random_takes_everything_once),
        cmocka_unit_test(strategies_are_known_by_name),
        cmocka_unit_test(what_others_have_seen_counts),
        cmocka_unit_test(a_damaged_journal_is_refused),
        cmocka_unit_test(a_damaged_action_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
