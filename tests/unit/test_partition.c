/* Simple static partitioning (paper 003), and conditions as text. */
#include "partition/condition.h"
#include "partition/cover.h"
#include "partition/part_file.h"
#include "partition/ssp.h"

#include "base/hash.h"
#include "symbolic/model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static hd_graph *g;
static hd_variables *vs;
static hd_names names;
static hd_division paths;
static hd_conditions assumed;
static hd_ssp ssp;

static int set_up(void **state) {
    (void)state;
    g = hd_graph_new(false);
    vs = hd_variables_new();
    names = (hd_names){g, vs, NULL};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hd_division_release(&paths);
    hd_vec_release(&assumed);
    hd_ssp_release(&ssp);
    hd_variables_free(vs);
    hd_graph_free(g);
    return 0;
}

/* An input of 1 bit is a truth value; "choose(-" makes one that has a sign. */
static hd_expr input(const char *name, unsigned width) {
    hd_var v = hd_variables_root(vs, hd_variables_n(vs), HD_VAR_INTEGER, width, 0, name);
    return hd_expr_var(g, v, width);
}

static hd_expr constant(unsigned width, uint64_t value) {
    return hd_expr_const(g, width, value);
}

static hd_expr binary(hd_op op, hd_expr a, hd_expr b) {
    return hd_expr_binary(g, op, a, b);
}

static hd_expr not(hd_expr e) {
    return hd_expr_not(g, e);
}

static void add_path(hd_expr a, hd_expr b) {
    hd_conditions path = {0};
    hd_vec_push(&path, a);
    if (b)
        hd_vec_push(&path, b);
    hd_vec_push(&paths, path);
}

/* The part in the words of a file. */
static void check_part(size_t i, const char *expected) {
    hd_text text = {0};
    hd_division one = {&ssp.queue.at[i], 1, 1};
    assert_true(i < ssp.queue.n);
    hd_division_print(&names, &one, HD_PARTS_C, &text);
    text.at[text.n - 1] = '\0';
    assert_string_equal(text.at, expected);
    hd_text_release(&text);
}

static void check_counted(const hd_counted *c, uint32_t what, uint64_t count) {
    assert_int_equal(c->what, what);
    assert_int_equal(c->count, count);
}

/* ---- the seven steps ---- */

/* The example of the paper, each of its lists. */
static void test_worked_example(void **state) {
    (void)state;
    hd_expr b = input("b", 1), x = input("choose(-x)", 32), y = input("choose(-y)", 32);
    hd_expr b2 = input("b2", 1), more = binary(HD_OP_SLT, y, x);
    add_path(b, more);
    add_path(b, not(more));
    add_path(not(b), b2);
    add_path(not(b), not(b2));
    hd_ssp_make(g, &paths, &assumed, 4, &ssp);
    assert_int_equal(ssp.conditions.n, 6);
    check_counted(&ssp.conditions.at[0], b, 2);
    check_counted(&ssp.conditions.at[1], more, 1);
    check_counted(&ssp.conditions.at[2], not(more), 1);
    check_counted(&ssp.conditions.at[3], not(b), 2);
    check_counted(&ssp.conditions.at[4], b2, 1);
    check_counted(&ssp.conditions.at[5], not(b2), 1);
    assert_int_equal(ssp.variables.n, 4);
    const uint64_t counts[] = {4, 2, 2, 2}; /* b, x, y, b2 */
    for (uint32_t v = 0; v < 4; v++)
        check_counted(&ssp.variables.at[v], v, counts[v]);
    assert_int_equal(ssp.sets.n, 2);
    assert_int_equal(ssp.sets.at[0].at[0].at[0], b);
    assert_int_equal(ssp.sets.at[0].at[1].at[0], not(b));
    assert_int_equal(ssp.sets.at[1].at[0].at[0], more);
    assert_int_equal(ssp.sets.at[1].at[1].at[0], not(more));
    const hd_expr queue[4][2] = {{b, more}, {not(b), more}, {b, not(more)}, {not(b), not(more)}};
    assert_int_equal(ssp.queue.n, 4);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            assert_int_equal(ssp.queue.at[i].at[k], queue[i][k]);
}

static void assume_below(hd_expr x, uint64_t n) {
    hd_vec_push(&assumed, binary(HD_OP_ULT, x, constant(hd_expr_width(g, x), n)));
}

static hd_expr is(hd_expr x, uint64_t n) {
    return binary(HD_OP_EQ, x, constant(hd_expr_width(g, x), n));
}

/* An input of five values that is compared with four of them: each, and the fifth. */
static void test_small_domain_with_residual(void **state) {
    (void)state;
    hd_expr op = input("op", 32);
    assume_below(op, 5);
    for (uint64_t i = 0; i < 4; i++)
        add_path(is(op, i), HD_NONE);
    hd_ssp_make(g, &paths, &assumed, 2, &ssp);
    assert_int_equal(ssp.queue.n, 5);
    check_part(0, "op == 0");
    check_part(3, "op == 3");
    check_part(4, "op != 0 && op != 1 && op != 2 && op != 3");
}

/* A3.2: no other value is left. */
static void test_small_domain_without_residual(void **state) {
    (void)state;
    hd_expr op = input("op", 32);
    assume_below(op, 3);
    for (uint64_t i = 0; i < 3; i++)
        add_path(not(is(op, i)), HD_NONE);
    hd_ssp_make(g, &paths, &assumed, 2, &ssp);
    assert_int_equal(ssp.queue.n, 3);
    check_part(2, "op == 2");
}

/* More than twice as many values as are asked for: an input like others. */
static void test_large_domain(void **state) {
    (void)state;
    hd_expr op = input("op", 32);
    assume_below(op, 9);
    for (uint64_t i = 0; i < 4; i++)
        add_path(is(op, i), HD_NONE);
    hd_ssp_make(g, &paths, &assumed, 2, &ssp);
    assert_int_equal(ssp.queue.n, 2);
    check_part(0, "op == 0");
    check_part(1, "op != 0");
}

/* Used otherwise as well: no small domain. */
static void test_small_domain_is_compared_only(void **state) {
    (void)state;
    hd_expr op = input("op", 32), y = input("y", 32);
    assume_below(op, 3);
    for (uint64_t i = 0; i < 3; i++)
        add_path(is(op, i), binary(HD_OP_ULT, op, y));
    hd_ssp_make(g, &paths, &assumed, 2, &ssp);
    assert_int_equal(ssp.queue.n, 2);
    check_part(0, "op < y");
}

/* Cheap inputs come first, however often others occur. */
static void test_expensive_inputs_come_last(void **state) {
    (void)state;
    hd_expr x = input("x", 32), y = input("y", 32);
    hd_expr product = binary(HD_OP_ULT, binary(HD_OP_MUL, x, constant(32, 7)), constant(32, 50));
    hd_expr small = binary(HD_OP_ULT, y, constant(32, 3));
    for (int i = 0; i < 5; i++)
        add_path(product, HD_NONE);
    add_path(small, HD_NONE);
    hd_ssp_make(g, &paths, &assumed, 4, &ssp);
    assert_true(ssp.variables.at[0].is_expensive && !ssp.variables.at[1].is_expensive);
    assert_int_equal(ssp.queue.n, 4);
    check_part(0, "y < 3 && (x * 7) < 50");
    check_part(1, "y > 2 && (x * 7) < 50");
}

/* A3.1: there are no more inputs; A3.4: the first set changes fastest, also if it has three. */
static void test_queue_ends_and_is_ordered(void **state) {
    (void)state;
    hd_expr op = input("op", 8), b = input("b", 1);
    assume_below(op, 3);
    add_path(is(op, 0), b);
    add_path(is(op, 1), HD_NONE);
    hd_ssp_make(g, &paths, &assumed, 1000, &ssp);
    assert_int_equal(ssp.queue.n, 6);
    check_part(0, "op == 0 && b");
    check_part(1, "op == 1 && b");
    check_part(2, "op != 0 && op != 1 && b");
    check_part(3, "op == 0 && !b");
}

static void test_nothing_to_divide_by(void **state) {
    (void)state;
    hd_ssp_make(g, &paths, &assumed, 8, &ssp);
    assert_int_equal(ssp.queue.n, 1);
    assert_int_equal(ssp.queue.at[0].n, 0);
}

/* ---- text ---- */

static hd_expr parsed(const char *text) {
    hd_expr e = HD_NONE;
    hd_err err;
    assert_true(hd_condition_parse(&names, text, "", &e, &err));
    return e;
}

static void refused(const char *text, const char *sentence) {
    hd_division parts = {0};
    hd_err err = {0};
    assert_false(hd_division_parse(&names, "file", text, &parts, &err));
    assert_string_equal(err.message, sentence);
    assert_true(err.hint[0]);
}

static uint64_t value_of(hd_expr e, const hd_model *model) {
    hd_eval *ev = hd_eval_new(g);
    hd_eval_begin(ev, model);
    uint64_t v = hd_eval_value(ev, e);
    hd_eval_free(ev);
    return v;
}

static void test_conditions_have_the_types_of_c(void **state) {
    (void)state;
    hd_expr u = input("u", 8), s = input("choose(-s)", 8);
    hd_model model = {0};
    for (uint64_t i = 0; i < 256; i++) {
        hd_model_set(&model, 0, i);
        assert_int_equal(value_of(parsed("u - 1 < 0"), &model), i == 0);
    }
    hd_model_release(&model);
    assert_int_equal(parsed("u < 200"), binary(HD_OP_ULT, u, constant(8, 200)));
    assert_int_equal(parsed("`choose(-s)` == -1"), is(s, 255));
    assert_int_equal(parsed("(unsigned char)`choose(-s)` == 255"), is(s, 255));
    assert_int_equal(parsed("!(u == 3 || u == '\\n')"), not(binary(HD_OP_OR, is(u, 3), is(u, 10))));
    assert_int_equal(parsed("1 ? u : 0"), not(is(u, 0)));
    assert_int_equal(parsed("-1 < 0u"), constant(1, 0)); /* as in C */
}

static void test_names_of_inputs(void **state) {
    (void)state;
    hd_expr first = input("key[0]", 8), second = input("key[0]", 8);
    input("only", 8);
    assert_int_equal(parsed("key[0]#0 == 1"), is(first, 1));
    assert_int_equal(parsed("key[0]#1 == 1"), is(second, 1));
    refused("key[0] == 1", "'file', line 1: the program asks for several inputs that are called "
                           "'key[0]'");
    refused("only == 1\n\nonyl == 2", "'file', line 3: the program was not seen to ask for an "
                                      "integer 'onyl'");
    refused("only#7 == 1", "'file', line 1: the program was not seen to ask for an integer "
                           "'only#7'");
}

static void test_mistakes_name_their_line(void **state) {
    (void)state;
    input("x", 32);
    refused("", "'file' has no parts");
    refused("# nothing\n\n", "'file' has no parts");
    refused("x < ", "'file', line 1: an input, a number or '(' is missing at 'the end'");
    refused("x < 5\nx < 5)", "'file', line 2: this is not expected at ')'");
    refused("(x < 5", "'file', line 1: ')' is missing at 'the end'");
    refused("x < 5x", "'file', line 1: this is no number of at most 64 bits at 'x'");
    refused("x < 99999999999999999999",
            "'file', line 1: this is no number of at most 64 bits at '99999999999999999999'");
    refused("x ? 1", "'file', line 1: ':' is missing at 'the end'");
    refused("(assert (bvult x #x00000001))\n(check-sat)",
            "'file', line 1: nothing was declared that is called 'x'");
    refused("(declare-const x (_ BitVec 8))\n(check-sat)",
            "'file', line 1: the input has another width than that");
    refused("(declare-const x (_ BitVec 32))\n(assert (bvlt x x))",
            "'file', line 2: this operator is not known: 'bvlt'");
    refused("(declare-const x (_ BitVec 32))\n(assert x)", "'file', line 2: what is asserted is no "
                                                           "formula");
    refused("(push 1)\n(pop 2)", "'file', line 2: there is no (push) before this (pop)");
    refused("(set-logic QF_BV)", "'file' has no parts");
}

static void test_scripts(void **state) {
    (void)state;
    hd_expr x = input("x y", 32);
    hd_division parts = {0};
    hd_err err;
    assert_true(hd_division_parse(
        &names, "file",
        "; parts\n(set-info :status sat)(declare-fun |x y| () (_ BitVec 32))\n"
        "(define-fun low () Bool (bvult |x y| (_ bv5 32)))\n"
        "(push 1)(assert (and low (not (= |x y| #x00000003))))(check-sat)(pop 1)\n"
        "(assert (let ((a low)) (=> a false)))(check-sat)(exit)",
        &parts, &err));
    assert_int_equal(parts.n, 2);
    assert_int_equal(parts.at[0].n, 2);
    assert_int_equal(parts.at[0].at[0], binary(HD_OP_ULT, x, constant(32, 5)));
    assert_int_equal(parts.at[1].at[0], not(binary(HD_OP_ULT, x, constant(32, 5))));
    hd_division_release(&parts);
}

/* ---- round trips ---- */

static hd_expr random_word(uint64_t *random, unsigned width, int depth);

static hd_expr random_truth(uint64_t *random, int depth) {
    static const hd_op compares[] = {HD_OP_EQ, HD_OP_ULT, HD_OP_ULE, HD_OP_SLT, HD_OP_SLE};
    static const unsigned widths[] = {8, 16, 32, 64, 5, 24, 40};
    unsigned width = widths[hd_random_next(random) % 7];
    if (depth > 0 && hd_random_next(random) % 3 == 0) {
        hd_expr a = random_truth(random, depth - 1), b = random_truth(random, depth - 1);
        hd_op op = hd_random_next(random) % 2 ? HD_OP_AND : HD_OP_XOR;
        return hd_random_next(random) % 2 ? not(binary(op, a, b)) : binary(op, a, b);
    }
    return binary(compares[hd_random_next(random) % 5], random_word(random, width, depth),
                  random_word(random, width, depth));
}

static hd_expr random_leaf(uint64_t *random, unsigned width) {
    uint64_t n = hd_random_next(random);
    if (n % 3 == 0)
        return constant(width, hd_random_next(random) >> hd_random_next(random) % 64);
    char *name = hd_text_format(n % 2 ? "v%u" : "choose(-%u)", width);
    hd_var v = hd_variables_root(vs, 2 * width + n % 2, HD_VAR_INTEGER, width, 0, name);
    free(name);
    return hd_expr_var(g, v, width);
}

static hd_expr random_word(uint64_t *random, unsigned width, int depth) {
    static const hd_op ops[] = {HD_OP_ADD,  HD_OP_SUB,  HD_OP_MUL, HD_OP_UDIV, HD_OP_SDIV,
                                HD_OP_UREM, HD_OP_SREM, HD_OP_AND, HD_OP_OR,   HD_OP_XOR,
                                HD_OP_SHL,  HD_OP_LSHR, HD_OP_ASHR};
    if (depth == 0)
        return random_leaf(random, width);
    switch (hd_random_next(random) % 6) {
    case 0:
        return hd_expr_ite(g, random_truth(random, depth - 1),
                           random_word(random, width, depth - 1),
                           random_word(random, width, depth - 1));
    case 1:
        return width > 8 ? (hd_random_next(random) % 2 ? hd_expr_zext : hd_expr_sext)(
                               g, random_word(random, 8, depth - 1), width)
                         : hd_expr_extract(g, random_word(random, 32, depth - 1), 3, width);
    case 2:
        return width == 16 ? hd_expr_concat(g, random_word(random, 8, depth - 1),
                                            random_word(random, 8, depth - 1))
                           : not(random_word(random, width, depth - 1));
    default:
        return binary(ops[hd_random_next(random) % 13], random_word(random, width, depth - 1),
                      random_word(random, width, depth - 1));
    }
}

/* B1 and B2: what was written says the same when it is read. */
static void check_round_trip(hd_expr e, hd_part_format format, uint64_t *random) {
    hd_conditions part = {0};
    hd_text text = {0};
    hd_err err;
    hd_division one = {&part, 1, 1}, back = {0};
    hd_model model = {0};
    hd_vec_push(&part, e);
    hd_division_print(&names, &one, format, &text);
    if (!hd_division_parse(&names, "file", text.at, &back, &err))
        fail_msg("%s: %s", err.message, text.at);
    for (int i = 0; i < 8; i++) {
        for (hd_var v = 0; v < hd_variables_n(vs); v++)
            hd_model_set(&model, v,
                         (hd_random_next(random) >> hd_random_next(random) % 64) &
                             hd_mask(hd_variables_info(vs, v)->width));
        if (value_of(e, &model) != value_of(hd_conditions_all(g, &back.at[0]), &model))
            fail_msg("read back as something else: %s", text.at);
    }
    hd_model_release(&model);
    hd_text_release(&text);
    hd_vec_release(&part);
    hd_division_release(&back);
}

static void test_round_trips(void **state) {
    (void)state;
    uint64_t random = 7;
    uint32_t n_written = 0;
    for (int i = 0; i < 2000; i++) {
        hd_expr e = random_truth(&random, 1 + i % 3);
        if (!hd_expr_is_const(g, e) && hd_condition_is_writable(&names, e)) {
            check_round_trip(e, HD_PARTS_C, &random);
            check_round_trip(e, HD_PARTS_SMT, &random);
            n_written++;
        }
    }
    assert_true(n_written > 1000);
}

/* ---- what solvers say ---- */

static void test_cover(void **state) {
    (void)state;
    hd_chain_options options = hd_chain_defaults();
    hd_chain *chain = hd_chain_new(g, vs, &options);
    hd_cover cover = {g, chain};
    hd_expr x = input("x", 32);
    hd_division parts = {0};
    hd_conditions rest = {0};
    hd_model model = {0};
    hd_err err;
    assert_true(hd_division_parse(&names, "file", "x < 5\nx > 5 && x < 3\nx > 6\n", &parts, &err));
    assert_int_equal(hd_division_drop_empty(&cover, &parts), 1);
    assert_int_equal(parts.n, 2);
    hd_division_make_rest(g, &parts, &rest);
    assert_int_equal(hd_conditions_solve(&cover, &rest, &model), HD_SAT);
    uint64_t left_out = value_of(x, &model);
    assert_true(left_out == 5 || left_out == 6);
    hd_vec_push(&parts, rest);
    rest = (hd_conditions){0};
    hd_division_make_rest(g, &parts, &rest);
    assert_int_equal(hd_conditions_solve(&cover, &rest, &model), HD_UNSAT);
    hd_vec_release(&rest);
    hd_model_release(&model);
    hd_division_release(&parts);
    hd_chain_free(chain);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_worked_example),
        TEST(test_small_domain_with_residual),
        TEST(test_small_domain_without_residual),
        TEST(test_large_domain),
        TEST(test_small_domain_is_compared_only),
        TEST(test_expensive_inputs_come_last),
        TEST(test_queue_ends_and_is_ordered),
        TEST(test_nothing_to_divide_by),
        TEST(test_conditions_have_the_types_of_c),
        TEST(test_names_of_inputs),
        TEST(test_mistakes_name_their_line),
        TEST(test_scripts),
        TEST(test_round_trips),
        TEST(test_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
