/* Models, and evaluation of expressions under them. */
#include "symbolic/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_model_knows_what_was_set(void **state) {
    (void)state;
    hd_model m = {0}, copy = {0};
    assert_false(hd_model_has(&m, 0));
    hd_model_set(&m, 1000, 5);
    hd_model_set(&m, 3, 7);
    assert_true(hd_model_has(&m, 1000));
    assert_false(hd_model_has(&m, 999));
    assert_int_equal(hd_model_get(&m, 3), 7);
    assert_int_equal(hd_model_get(&m, 999), 0);
    assert_int_equal(hd_model_get(&m, 5000), 0);
    hd_model_set(&copy, 5000, 1);
    hd_model_copy(&copy, &m);
    assert_int_equal(hd_model_get(&copy, 1000), 5);
    assert_false(hd_model_has(&copy, 5000));
    hd_model_clear(&m);
    assert_false(hd_model_has(&m, 1000));
    hd_model_set(&m, 2000, 9);
    assert_false(hd_model_has(&m, 1000)); /* what was cleared does not come back */
    assert_true(hd_model_has(&copy, 1000));
    hd_model_clear(&m);
    hd_model_copy(&copy, &m);
    assert_false(hd_model_has(&copy, 1000));
    hd_model_release(&m);
    hd_model_release(&copy);
}

static void test_evaluation_follows_the_model(void **state) {
    (void)state;
    hd_graph *g = hd_graph_new(false);
    hd_eval *ev = hd_eval_new(g);
    hd_model m = {0};
    hd_expr x = hd_expr_var(g, 0, 8), y = hd_expr_var(g, 1, 8);
    hd_expr sum = hd_expr_binary(g, HD_OP_ADD, x, y);
    hd_model_set(&m, 0, 200);
    hd_model_set(&m, 1, 100);
    hd_eval_begin(ev, &m);
    assert_int_equal(hd_eval_value(ev, sum), 44);
    hd_model_set(&m, 0, 1);
    hd_eval_begin(ev, &m);
    assert_int_equal(hd_eval_value(ev, sum), 101);
    assert_int_equal(hd_eval_value(ev, hd_expr_const(g, 8, 9)), 9);
    /* A variable that nobody asked for yet may still be set. */
    hd_expr z = hd_expr_var(g, 2, 64);
    hd_model_set(&m, 2, UINT64_MAX);
    assert_int_equal(hd_eval_value(ev, z), UINT64_MAX);
    hd_model_release(&m);
    hd_eval_free(ev);
    hd_graph_free(g);
}

static void test_table_reads(void **state) {
    (void)state;
    hd_graph *g = hd_graph_new(false);
    hd_eval *ev = hd_eval_new(g);
    hd_model m = {0};
    hd_expr i = hd_expr_var(g, 0, 8), elements[5];
    for (unsigned k = 0; k < 5; k++)
        elements[k] = k == 3 ? hd_expr_var(g, 1, 32) : hd_expr_const(g, 32, 100 + k);
    hd_expr read = hd_expr_read(g, elements, 5, i);
    hd_model_set(&m, 1, 77);
    for (unsigned k = 0; k < 8; k++) {
        hd_model_set(&m, 0, k);
        hd_eval_begin(ev, &m);
        assert_int_equal(hd_eval_value(ev, read), k == 3 ? 77 : k < 5 ? 100 + k : 0);
    }
    hd_model_release(&m);
    hd_eval_free(ev);
    hd_graph_free(g);
}

static void test_deep_graphs_need_no_stack(void **state) {
    (void)state;
    enum { DEPTH = 1000000 };
    hd_graph *g = hd_graph_new(false);
    hd_eval *ev = hd_eval_new(g);
    hd_model m = {0};
    hd_expr x = hd_expr_var(g, 0, 32), e = x;
    uint32_t expected = 3;
    for (uint32_t i = 0; i < DEPTH; i++) {
        hd_expr step = hd_expr_binary(g, HD_OP_ADD, x, hd_expr_const(g, 32, i));
        e = hd_expr_binary(g, HD_OP_MUL, hd_expr_binary(g, HD_OP_XOR, e, step), e);
        expected = (expected ^ (3 + i)) * expected;
    }
    hd_model_set(&m, 0, 3);
    hd_eval_begin(ev, &m);
    assert_int_equal(hd_eval_value(ev, e), expected);
    hd_model_release(&m);
    hd_eval_free(ev);
    hd_graph_free(g);
}

static void test_evaluation_after_compaction(void **state) {
    (void)state;
    hd_graph *g = hd_graph_new(false);
    hd_eval *ev = hd_eval_new(g);
    hd_model m = {0};
    hd_expr x = hd_expr_var(g, 0, 32);
    for (uint64_t i = 1; i < 1000; i++)
        hd_expr_binary(g, HD_OP_MUL, x, hd_expr_const(g, 32, i));
    hd_expr e = hd_expr_binary(g, HD_OP_MUL, x, hd_expr_const(g, 32, 1001)), *roots[] = {&e};
    hd_model_set(&m, 0, 5);
    hd_eval_begin(ev, &m);
    assert_int_equal(hd_eval_value(ev, e), 5005);
    hd_graph_compact(g, roots, 1);
    hd_eval_begin(ev, &m);
    assert_int_equal(hd_eval_value(ev, e), 5005);
    hd_model_release(&m);
    hd_eval_free(ev);
    hd_graph_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model_knows_what_was_set),
        cmocka_unit_test(test_evaluation_follows_the_model),
        cmocka_unit_test(test_table_reads),
        cmocka_unit_test(test_deep_graphs_need_no_stack),
        cmocka_unit_test(test_evaluation_after_compaction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
