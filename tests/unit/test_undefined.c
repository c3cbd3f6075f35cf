/* Bits that nobody wrote: what depends on them, and expressions without them. */
#include "symbolic/model.h"
#include "symbolic/undefined.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static hd_graph *g;
static hd_eval *eval;
static hd_model model;
static hd_undefined u;

static int set_up(void **state) {
    (void)state;
    g = hd_graph_new(false);
    eval = hd_eval_new(g);
    hd_model_set(&model, 0, 5);
    hd_eval_begin(eval, &model);
    hd_undefined_begin(&u, g);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hd_undefined_release(&u);
    u = (hd_undefined){0};
    hd_eval_free(eval);
    hd_model_release(&model);
    model = (hd_model){0};
    hd_graph_free(g);
    return 0;
}

static hd_expr k(unsigned width, uint64_t value) {
    return hd_expr_const(g, width, value);
}

static hd_expr op(hd_op o, hd_expr a, hd_expr b) {
    return hd_expr_binary(g, o, a, b);
}

static hd_expr leaf(unsigned width, uint16_t identity) {
    return hd_expr_undefined(g, width, identity);
}

static uint64_t bits(hd_expr e) {
    return hd_eval_value(eval, hd_undefined_bits(&u, e));
}

static void test_leaves_of_every_graph(void **state) {
    (void)state;
    for (unsigned w = 0; w < 4; w++)
        for (unsigned n = 0; n < HD_UNDEFINED_OF_WIDTH; n++) {
            hd_expr e = HD_EXPR_UNDEFINED(w, n);
            assert_int_equal(hd_expr_width(g, e), 8u << w);
            assert_true(hd_expr_is_undefined(g, e));
            assert_int_equal(bits(e), hd_mask(8u << w));
        }
    assert_int_equal(hd_eval_value(eval, HD_EXPR_FRESH), HD_UNDEFINED_BYTE);
    hd_graph_compact(g, NULL, 0);
    assert_true(hd_expr_is_undefined(g, HD_EXPR_UNDEFINED(3, HD_UNDEFINED_OF_WIDTH - 1)));
}

static void test_inputs_are_written(void **state) {
    (void)state;
    hd_expr x = hd_expr_var(g, 0, 32), sum = op(HD_OP_ADD, x, leaf(32, 100));
    assert_false(hd_expr_is_undefined(g, x));
    assert_int_equal(bits(x), 0);
    assert_true(hd_expr_is_undefined(g, sum));
    assert_int_equal(bits(sum), hd_mask(32));
}

static void test_logic_is_bit_by_bit(void **state) {
    (void)state;
    hd_expr x = leaf(32, 100), y = hd_expr_var(g, 0, 32); /* 5 */
    assert_int_equal(bits(op(HD_OP_AND, x, k(32, 0xf0))), 0xf0);
    assert_int_equal(bits(op(HD_OP_AND, x, y)), 5);
    assert_int_equal(bits(op(HD_OP_OR, x, y)), 0xfffffffa);
    assert_int_equal(bits(op(HD_OP_SHL, x, k(32, 8))), 0xffffff00);
    assert_int_equal(bits(op(HD_OP_LSHR, x, k(32, 8))), 0x00ffffff);
    assert_int_equal(bits(op(HD_OP_SHL, y, x)), 0xffffffff);
    assert_int_equal(bits(hd_expr_zext(g, x, 64)), 0xffffffff);
    assert_int_equal(bits(hd_expr_sext(g, x, 64)), UINT64_MAX);
    assert_int_equal(bits(hd_expr_concat(g, x, y)), UINT64_C(0xffffffff00000000));
}

/* A difference among the bits that were written decides. */
static void test_equality(void **state) {
    (void)state;
    hd_expr half = hd_expr_concat(g, hd_expr_var(g, 0, 8), leaf(8, 100)); /* 0x05?? */
    assert_int_equal(bits(op(HD_OP_EQ, half, k(16, 0x0612))), 0);
    assert_int_equal(bits(op(HD_OP_EQ, half, k(16, 0x0512))), 1);
    assert_int_equal(op(HD_OP_EQ, half, half), k(1, 1));
}

static void test_order(void **state) {
    (void)state;
    hd_expr half = hd_expr_concat(g, hd_expr_var(g, 0, 8), leaf(8, 100)); /* 0x05?? */
    assert_int_equal(bits(op(HD_OP_ULT, half, k(16, 0x0500))), 0);
    assert_int_equal(bits(op(HD_OP_ULT, half, k(16, 0x0600))), 0);
    assert_int_equal(bits(op(HD_OP_ULT, half, k(16, 0x0580))), 1);
    assert_int_equal(bits(op(HD_OP_SLT, leaf(16, 100), k(16, 0))), 1);
}

static void test_choices(void **state) {
    (void)state;
    hd_expr x = hd_expr_var(g, 0, 32), y = leaf(32, 100);
    hd_expr is_five = op(HD_OP_EQ, x, k(32, 5)), is_six = op(HD_OP_EQ, x, k(32, 6));
    assert_int_equal(bits(hd_expr_ite(g, is_five, x, y)), 0);
    assert_int_equal(bits(hd_expr_ite(g, is_six, x, y)), hd_mask(32));
    hd_expr unknown = op(HD_OP_EQ, y, k(32, 1));
    assert_int_equal(bits(hd_expr_ite(g, unknown, x, k(32, 4))), 1);
    hd_expr elements[] = {y, x, leaf(32, 101)}, index = op(HD_OP_SUB, x, k(32, 4));
    hd_expr read = hd_expr_read(g, elements, 3, hd_expr_zext(g, index, 64));
    assert_true(hd_expr_is_undefined(g, read));
    assert_int_equal(bits(read), 0);
}

static void test_expressions_without_them(void **state) {
    (void)state;
    hd_expr x = hd_expr_var(g, 0, 32), y = leaf(32, 100);
    assert_int_equal(hd_undefined_define(&u, x), x);
    assert_int_equal(hd_undefined_define(&u, y), k(32, 0xaaaaaaaa));
    hd_expr mixed = op(HD_OP_ULT, op(HD_OP_XOR, x, y), op(HD_OP_ADD, y, k(32, 1)));
    hd_expr without = hd_undefined_define(&u, mixed);
    assert_false(hd_expr_is_undefined(g, without));
    assert_int_equal(hd_eval_value(eval, without), hd_eval_value(eval, mixed));
    hd_expr elements[] = {y, x, k(32, 7)};
    hd_expr read = hd_expr_read(g, elements, 3, hd_expr_zext(g, hd_expr_var(g, 1, 2), 64));
    assert_false(hd_expr_is_undefined(g, hd_undefined_define(&u, read)));
}

static void test_leaves_are_told_of_once(void **state) {
    (void)state;
    hd_expr x = leaf(32, 100), y = leaf(32, 101), sum = op(HD_OP_ADD, x, y);
    assert_true(hd_undefined_tell(&u, op(HD_OP_MUL, x, k(32, 3))));
    assert_false(hd_undefined_tell(&u, x));
    assert_true(hd_undefined_tell(&u, sum));
    assert_false(hd_undefined_tell(&u, y));
    assert_false(hd_undefined_tell(&u, hd_expr_var(g, 0, 32)));
    hd_undefined_begin(&u, g);
    assert_true(hd_undefined_tell(&u, sum));
}

/* For which inputs does it matter? */
static void test_bits_depend_on_inputs(void **state) {
    (void)state;
    hd_expr x = hd_expr_var(g, 0, 32), is_five = op(HD_OP_EQ, x, k(32, 5));
    hd_expr bits_of = hd_undefined_bits(&u, hd_expr_ite(g, is_five, k(32, 1), leaf(32, 100)));
    hd_expr holds = op(HD_OP_EQ, bits_of, k(32, 0));
    assert_false(hd_expr_is_undefined(g, holds));
    assert_int_equal(holds, is_five);
}

static void test_one_form(void **state) {
    (void)state;
    hd_expr x = leaf(32, 100), e = x, y = hd_expr_var(g, 0, 32);
    for (uint32_t n = 0; n < 20; n++)
        e = hd_undefined_reduce(&u, op(HD_OP_OR, op(HD_OP_AND, e, k(32, ~7u)), k(32, n % 8)));
    assert_int_equal(e, op(HD_OP_OR, op(HD_OP_AND, x, k(32, ~7u)), k(32, 3)));
    assert_int_equal(hd_undefined_reduce(&u, op(HD_OP_AND, e, k(32, 7))), k(32, 3));
    assert_int_equal(hd_undefined_reduce(&u, x), x);
    hd_expr other = op(HD_OP_ADD, x, k(32, 1)), mixed = op(HD_OP_ADD, x, y);
    assert_int_equal(hd_undefined_reduce(&u, other), other);
    assert_int_equal(hd_undefined_reduce(&u, mixed), mixed);
}

/* As long as no C stack is. */
static void test_long_chains(void **state) {
    (void)state;
    hd_expr e = leaf(32, 100), x = hd_expr_var(g, 0, 32);
    for (uint32_t n = 1; n < 200000; n++)
        e = op(n % 2 ? HD_OP_XOR : HD_OP_ADD, op(HD_OP_MUL, e, x), k(32, 12345 + n));
    assert_int_equal(bits(e), hd_mask(32));
    assert_false(hd_expr_is_undefined(g, hd_undefined_define(&u, e)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_leaves_of_every_graph, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_inputs_are_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_logic_is_bit_by_bit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_equality, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_choices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_expressions_without_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_leaves_are_told_of_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bits_depend_on_inputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_one_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_chains, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
