/* The expression graph: normal forms, sharing, support sets, compaction and printing. */
#include "symbolic/expr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <z3.h>

#include <cmocka.h>

static hd_graph *g;

static int set_up(void **state) {
    (void)state;
    g = hd_graph_new(false);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hd_graph_free(g);
    return 0;
}

static hd_expr k(unsigned width, uint64_t value) {
    return hd_expr_const(g, width, value);
}

static hd_expr var(hd_var v, unsigned width) {
    return hd_expr_var(g, v, width);
}

static hd_expr op(hd_op o, hd_expr a, hd_expr b) {
    return hd_expr_binary(g, o, a, b);
}

/* op(a, constant) */
static hd_expr opk(hd_op o, hd_expr a, uint64_t c) {
    return op(o, a, k(hd_expr_width(g, a), c));
}

static void test_equal_expressions_have_equal_ids(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32);
    assert_int_equal(op(HD_OP_ADD, x, y), op(HD_OP_ADD, y, x));
    assert_int_equal(op(HD_OP_MUL, x, y), op(HD_OP_MUL, y, x));
    assert_int_not_equal(op(HD_OP_SUB, x, y), op(HD_OP_SUB, y, x));
    assert_int_not_equal(var(0, 32), var(0, 16));
    assert_int_not_equal(k(8, 1), k(16, 1));
    assert_int_equal(k(8, 0x101), k(8, 1));
    assert_int_equal(hd_expr_value(g, k(64, UINT64_MAX)), UINT64_MAX);
}

static void test_constants_fold(void **state) {
    (void)state;
    assert_int_equal(opk(HD_OP_ADD, k(8, 250), 10), k(8, 4));
    assert_int_equal(opk(HD_OP_SDIV, k(8, 0x80), 0xff), k(8, 0x80));
    assert_int_equal(opk(HD_OP_UDIV, k(8, 7), 0), k(8, 0xff));
    assert_int_equal(opk(HD_OP_SLT, k(8, 0x80), 0), k(1, 1));
    assert_int_equal(hd_expr_sext(g, k(8, 0x80), 16), k(16, 0xff80));
}

static void test_arithmetic_has_one_form(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32), zero = k(32, 0);
    assert_int_equal(opk(HD_OP_ADD, x, 0), x);
    assert_int_equal(opk(HD_OP_ADD, opk(HD_OP_ADD, x, 3), UINT64_MAX - 2), x);
    assert_int_equal(opk(HD_OP_SUB, x, 5), opk(HD_OP_ADD, x, 0u - 5u));
    assert_int_equal(op(HD_OP_SUB, x, x), zero);
    assert_int_equal(op(HD_OP_SUB, op(HD_OP_ADD, x, y), y), x);
    assert_int_equal(op(HD_OP_ADD, op(HD_OP_SUB, x, y), y), x);
    assert_int_equal(opk(HD_OP_MUL, x, 8), opk(HD_OP_SHL, x, 3));
    assert_int_equal(op(HD_OP_ADD, x, x), opk(HD_OP_SHL, x, 1));
    assert_int_equal(opk(HD_OP_MUL, opk(HD_OP_ADD, x, 1), 4),
                     opk(HD_OP_ADD, opk(HD_OP_SHL, x, 2), 4));
    assert_int_equal(opk(HD_OP_UREM, x, 16), opk(HD_OP_AND, x, 15));
    assert_int_equal(opk(HD_OP_UDIV, x, 16), opk(HD_OP_LSHR, x, 4));
    assert_int_equal(hd_expr_not(g, hd_expr_not(g, x)), x);
    assert_int_equal(opk(HD_OP_ADD, hd_expr_not(g, x), 1), op(HD_OP_SUB, zero, x));
}

static void test_bits_have_one_form(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32), b = var(2, 8);
    assert_int_equal(op(HD_OP_XOR, x, x), k(32, 0));
    assert_int_equal(op(HD_OP_XOR, op(HD_OP_XOR, x, y), y), x);
    assert_int_equal(op(HD_OP_AND, x, hd_expr_not(g, x)), k(32, 0));
    assert_int_equal(op(HD_OP_OR, x, hd_expr_not(g, x)), k(32, UINT32_MAX));
    assert_int_equal(op(HD_OP_AND, x, op(HD_OP_OR, x, y)), x);
    assert_int_equal(opk(HD_OP_AND, opk(HD_OP_AND, x, 0xf0), 0x0f), k(32, 0));
    assert_int_equal(opk(HD_OP_AND, hd_expr_zext(g, b, 32), 0xff), hd_expr_zext(g, b, 32));
    assert_int_equal(opk(HD_OP_AND, x, 0xff), hd_expr_zext(g, hd_expr_extract(g, x, 0, 8), 32));
    assert_int_equal(opk(HD_OP_ASHR, opk(HD_OP_SHL, x, 24), 24),
                     hd_expr_sext(g, hd_expr_extract(g, x, 0, 8), 32));
}

static void test_order_and_its_negation(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32);
    assert_int_equal(hd_expr_not(g, op(HD_OP_ULT, x, y)), op(HD_OP_ULE, y, x));
    assert_int_equal(hd_expr_not(g, op(HD_OP_SLE, x, y)), op(HD_OP_SLT, y, x));
    assert_int_equal(hd_expr_not(g, opk(HD_OP_SLT, x, 5)), op(HD_OP_SLE, k(32, 5), x));
    assert_int_equal(opk(HD_OP_SLE, x, 5), opk(HD_OP_SLT, x, 6));
    assert_int_equal(opk(HD_OP_ULT, x, 1), opk(HD_OP_EQ, x, 0));
    assert_int_equal(op(HD_OP_ULT, k(32, 0), x), hd_expr_not(g, opk(HD_OP_EQ, x, 0)));
    assert_int_equal(opk(HD_OP_ULE, x, UINT32_MAX), k(1, 1));
    assert_int_equal(opk(HD_OP_SLT, x, 0x80000000), k(1, 0));
    assert_int_equal(op(HD_OP_AND, op(HD_OP_ULT, x, y), op(HD_OP_ULE, y, x)), k(1, 0));
    assert_int_equal(op(HD_OP_OR, opk(HD_OP_SLT, x, 5), op(HD_OP_SLE, k(32, 5), x)), k(1, 1));
    hd_expr differs = hd_expr_not(g, opk(HD_OP_EQ, x, 7));
    assert_int_equal(hd_expr_node(g, differs)->op, HD_OP_NOT);
    assert_int_equal(hd_expr_not(g, differs), opk(HD_OP_EQ, x, 7));
}

static void test_comparisons_narrow(void **state) {
    (void)state;
    hd_expr b = var(0, 8), c = var(1, 8);
    hd_expr z = hd_expr_zext(g, b, 32), s = hd_expr_sext(g, b, 32);
    assert_int_equal(opk(HD_OP_SLT, z, 48), opk(HD_OP_ULT, b, 48));
    assert_int_equal(opk(HD_OP_SLT, z, 300), k(1, 1));
    assert_int_equal(opk(HD_OP_SLT, z, (uint32_t)-1), k(1, 0));
    assert_int_equal(opk(HD_OP_EQ, z, 300), k(1, 0));
    assert_int_equal(opk(HD_OP_EQ, s, 48), opk(HD_OP_EQ, b, 48));
    assert_int_equal(opk(HD_OP_EQ, s, 200), k(1, 0));
    assert_int_equal(opk(HD_OP_EQ, s, (uint32_t)-56), opk(HD_OP_EQ, b, 200));
    assert_int_equal(opk(HD_OP_SLT, s, 10), opk(HD_OP_SLT, b, 10));
    assert_int_equal(opk(HD_OP_SLT, s, 128), k(1, 1));
    assert_int_equal(opk(HD_OP_ULT, s, 1000), hd_expr_not(g, opk(HD_OP_SLT, b, 0)));
    assert_int_equal(op(HD_OP_SLT, z, hd_expr_zext(g, c, 32)), op(HD_OP_ULT, b, c));
    assert_int_equal(op(HD_OP_SLT, s, hd_expr_sext(g, c, 32)), op(HD_OP_SLT, b, c));
    assert_int_equal(op(HD_OP_EQ, z, hd_expr_zext(g, c, 32)), op(HD_OP_EQ, b, c));
}

static void test_truth_values_as_integers(void **state) {
    (void)state;
    hd_expr less = op(HD_OP_SLT, var(0, 32), var(1, 32)), wide = hd_expr_zext(g, less, 32);
    assert_int_equal(hd_expr_not(g, opk(HD_OP_EQ, wide, 0)), less);
    assert_int_equal(opk(HD_OP_EQ, wide, 1), less);
    assert_int_equal(opk(HD_OP_EQ, wide, 2), k(1, 0));
    assert_int_equal(opk(HD_OP_XOR, wide, 1), hd_expr_zext(g, hd_expr_not(g, less), 32));
    assert_int_equal(opk(HD_OP_EQ, less, 0), hd_expr_not(g, less));
    assert_int_equal(hd_expr_ite(g, less, k(32, 1), k(32, 0)), wide);
}

static void test_equalities_are_solved(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32), c = op(HD_OP_ULT, x, y);
    assert_int_equal(opk(HD_OP_EQ, opk(HD_OP_ADD, x, 5), 3), opk(HD_OP_EQ, x, 0u - 2u));
    assert_int_equal(opk(HD_OP_EQ, opk(HD_OP_XOR, x, 5), 3), opk(HD_OP_EQ, x, 6));
    assert_int_equal(opk(HD_OP_EQ, opk(HD_OP_MUL, x, 3), 9), opk(HD_OP_EQ, x, 3));
    assert_int_equal(opk(HD_OP_EQ, opk(HD_OP_SHL, x, 4), 8), k(1, 0));
    assert_int_equal(opk(HD_OP_EQ, op(HD_OP_SUB, x, y), 0), op(HD_OP_EQ, x, y));
    assert_int_equal(op(HD_OP_EQ, opk(HD_OP_ADD, x, 4), opk(HD_OP_ADD, y, 4)), op(HD_OP_EQ, x, y));
    assert_int_equal(op(HD_OP_EQ, opk(HD_OP_ADD, x, 4), x), k(1, 0));
    assert_int_equal(op(HD_OP_EQ, opk(HD_OP_ADD, x, 4), y), op(HD_OP_EQ, x, opk(HD_OP_SUB, y, 4)));
    hd_expr choice = hd_expr_ite(g, c, k(32, 10), k(32, 20));
    assert_int_equal(opk(HD_OP_EQ, choice, 10), c);
    assert_int_equal(opk(HD_OP_EQ, choice, 20), hd_expr_not(g, c));
    assert_int_equal(opk(HD_OP_EQ, choice, 30), k(1, 0));
}

static void test_choices(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32), c = var(2, 1), d = var(3, 1);
    assert_int_equal(hd_expr_ite(g, c, x, x), x);
    assert_int_equal(hd_expr_ite(g, k(1, 0), x, y), y);
    assert_int_equal(hd_expr_ite(g, hd_expr_not(g, c), x, y), hd_expr_ite(g, c, y, x));
    assert_int_equal(hd_expr_ite(g, c, d, k(1, 0)), op(HD_OP_AND, c, d));
    assert_int_equal(hd_expr_ite(g, c, k(1, 1), d), op(HD_OP_OR, c, d));
    hd_expr inner = hd_expr_ite(g, c, x, y);
    assert_int_equal(hd_expr_ite(g, c, inner, k(32, 0)), hd_expr_ite(g, c, x, k(32, 0)));
    assert_int_equal(hd_expr_ite(g, op(HD_OP_EQ, x, y), x, y), y);
}

/* What a store and a load do: cut into bytes, put together again. */
static void check_round_trip(hd_expr e) {
    hd_expr bytes[8] = {0}, from_low, from_high;
    unsigned n = hd_expr_width(g, e) / 8;
    for (unsigned i = 0; i < n; i++)
        bytes[i] = hd_expr_extract(g, e, i * 8, 8);
    from_low = bytes[0];
    for (unsigned i = 1; i < n; i++)
        from_low = hd_expr_concat(g, bytes[i], from_low);
    from_high = bytes[n - 1];
    for (unsigned i = n - 1; i-- > 0;)
        from_high = hd_expr_concat(g, from_high, bytes[i]);
    assert_int_equal(from_low, e);
    assert_int_equal(from_high, e);
}

static void test_bytes_of_a_word_make_the_word(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32), b = var(2, 8), c = var(3, 8);
    check_round_trip(x);
    check_round_trip(op(HD_OP_ADD, x, y));
    check_round_trip(opk(HD_OP_XOR, x, 0x12345678));
    check_round_trip(hd_expr_zext(g, b, 32));
    check_round_trip(hd_expr_sext(g, b, 64));
    check_round_trip(op(HD_OP_MUL, hd_expr_zext(g, b, 32), hd_expr_zext(g, c, 32)));
    check_round_trip(opk(HD_OP_SHL, x, 3));
    check_round_trip(k(64, 0x0123456789abcdef));
}

static void test_shifted_bytes_make_a_word(void **state) {
    (void)state;
    hd_expr word = k(32, 0), other = k(32, 0), b[4];
    for (unsigned i = 0; i < 4; i++) {
        b[i] = var(i, 8);
        hd_expr wide = opk(HD_OP_SHL, hd_expr_zext(g, b[i], 32), 8 * i);
        word = op(HD_OP_OR, word, wide);
        other = op(HD_OP_ADD, wide, other);
    }
    hd_expr expected =
        hd_expr_concat(g, b[3], hd_expr_concat(g, b[2], hd_expr_concat(g, b[1], b[0])));
    assert_int_equal(word, expected);
    assert_int_equal(other, expected);
    assert_int_equal(hd_expr_extract(g, word, 16, 8), b[2]);
    assert_int_equal(opk(HD_OP_LSHR, word, 24), hd_expr_zext(g, b[3], 32));
}

static void test_promoted_arithmetic_narrows(void **state) {
    (void)state;
    hd_expr b = var(0, 8);
    hd_expr sum = opk(HD_OP_ADD, hd_expr_zext(g, b, 32), 1);
    assert_int_equal(hd_expr_extract(g, sum, 0, 8), opk(HD_OP_ADD, b, 1));
    hd_expr rest = opk(HD_OP_UREM, hd_expr_zext(g, b, 32), 10);
    assert_int_equal(rest, hd_expr_zext(g, opk(HD_OP_UREM, b, 10), 32));
    assert_int_equal(opk(HD_OP_SDIV, hd_expr_zext(g, b, 32), 300), k(32, 0));
}

static void test_reads(void **state) {
    (void)state;
    hd_expr i = var(0, 8), same[3] = {k(32, 9), k(32, 9), k(32, 9)};
    hd_expr table[4] = {k(32, 10), k(32, 20), k(32, 30), k(32, 30)};
    assert_int_equal(hd_expr_read(g, table, 4, k(8, 2)), table[2]);
    assert_int_equal(hd_expr_read(g, same, 3, i), same[0]);
    hd_expr read = hd_expr_read(g, table, 4, i);
    assert_int_equal(read, hd_expr_read(g, table, 4, hd_expr_zext(g, i, 64)));
    assert_int_equal(hd_table_size(g, hd_expr_node(g, read)->a), 4);
    assert_int_equal(hd_table_elements(g, hd_expr_node(g, read)->a)[1], table[1]);
    assert_int_equal(opk(HD_OP_EQ, read, 20), opk(HD_OP_EQ, i, 1));
    assert_int_equal(opk(HD_OP_EQ, read, 21), k(1, 0));
    assert_int_equal(hd_expr_node(g, opk(HD_OP_EQ, read, 30))->op, HD_OP_EQ);
}

static void test_multiples(void **state) {
    (void)state;
    hd_expr x = var(0, 64), b = var(1, 8);
    assert_false(hd_expr_is_multiple(g, x, 1));
    assert_true(hd_expr_is_multiple(g, x, 0));
    hd_expr scaled = opk(HD_OP_MUL, x, 24);
    assert_true(hd_expr_is_multiple(g, scaled, 3));
    assert_false(hd_expr_is_multiple(g, scaled, 4));
    assert_true(hd_expr_is_multiple(g, opk(HD_OP_ADD, scaled, 16), 3));
    assert_false(hd_expr_is_multiple(g, opk(HD_OP_ADD, scaled, 12), 3));
    hd_expr sum = op(HD_OP_ADD, scaled, opk(HD_OP_SHL, hd_expr_sext(g, b, 64), 4));
    assert_true(hd_expr_is_multiple(g, sum, 3));
    assert_true(hd_expr_is_multiple(g, hd_expr_concat(g, b, k(4, 0)), 4));
    assert_true(hd_expr_is_multiple(g, opk(HD_OP_AND, x, 0xfff8), 3));
    assert_true(hd_expr_is_multiple(g, k(32, 0), 40));
}

static void test_ranges(void **state) {
    (void)state;
    hd_expr x = var(0, 64), b = hd_expr_zext(g, var(1, 8), 64);
    hd_range_of_values r = hd_expr_range(g, opk(HD_OP_ADD, opk(HD_OP_SHL, b, 1), 792));
    assert_int_equal(r.least, 792);
    assert_int_equal(r.most, 792 + 510);
    r = hd_expr_range(g, opk(HD_OP_ADD, b, UINT64_MAX - 254)); /* may go round */
    assert_int_equal(r.least, 0);
    assert_int_equal(r.most, UINT64_MAX);
    assert_int_equal(hd_expr_range(g, x).most, UINT64_MAX);
}

/* A pointer of which pieces may have been written through an index. */
static void test_unwritten(void **state) {
    (void)state;
    hd_expr i = var(0, 8), hit0 = opk(HD_OP_EQ, i, 4), hit1 = opk(HD_OP_EQ, i, 5), is_whole;
    hd_expr low = hd_expr_ite(g, hit0, var(1, 32), hd_expr_ite(g, hit1, k(32, 9), k(32, 0x1234)));
    hd_expr high = hd_expr_ite(g, hit1, k(32, 1), k(32, 0)); /* a bit */
    hd_expr pointer = hd_expr_concat(g, high, low);
    assert_int_equal(hd_unwritten_value(g, pointer, &is_whole), 0x1234);
    assert_int_equal(is_whole,
                     op(HD_OP_AND, op(HD_OP_AND, hd_expr_not(g, hit1), hd_expr_not(g, hit0)),
                        hd_expr_not(g, hit1)));
    assert_int_equal(hd_unwritten_value(g, hd_expr_concat(g, high, var(1, 32)), &is_whole), 0);
    assert_int_equal(is_whole, k(1, 0));
}

static void test_support(void **state) {
    (void)state;
    hd_expr sum = op(HD_OP_ADD, op(HD_OP_MUL, var(7, 32), var(2, 32)), var(5, 32));
    const hd_support *s = hd_expr_support(g, sum);
    assert_int_equal(s->n, 3);
    assert_int_equal(s->v[0], 2);
    assert_int_equal(s->v[1], 5);
    assert_int_equal(s->v[2], 7);
    hd_expr other = op(HD_OP_XOR, op(HD_OP_OR, var(5, 32), var(2, 32)), var(7, 32));
    assert_ptr_equal(s, hd_expr_support(g, other));
    assert_int_equal(hd_expr_support(g, k(32, 4))->n, 0);
    hd_expr elements[4] = {var(100, 32), var(2, 32), k(32, 1), sum};
    s = hd_expr_support(g, hd_expr_read(g, elements, 4, var(64, 8)));
    assert_int_equal(s->n, 5);
    assert_int_equal(s->v[3], 64);
    assert_int_equal(s->v[4], 100);
}

/* A sum of very many inputs: no set for each partial sum, the right one when asked. */
static void test_support_of_long_sums(void **state) {
    (void)state;
    enum { N = 20000 };
    hd_expr sum = var(0, 32), half = HD_NONE;
    for (hd_var v = 1; v < N; v++) {
        sum = op(HD_OP_ADD, sum, op(HD_OP_MUL, var(v, 32), var(v / 2, 32)));
        half = v == N / 2 ? sum : half;
    }
    assert_true(hd_graph_memory(g) < 16 << 20);
    assert_int_equal(hd_expr_support(g, half)->n, N / 2 + 1);
    hd_expr elements[3] = {sum, var(N + 5, 32), half}, *roots[] = {&sum, &half};
    assert_int_equal(hd_expr_support(g, hd_expr_read(g, elements, 3, var(N, 8)))->n, N + 2);
    hd_graph_compact(g, roots, 2);
    const hd_support *s = hd_expr_support(g, sum);
    assert_int_equal(s->n, N);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(s->v[i], i);
    assert_int_equal(hd_expr_support(g, half)->n, N / 2 + 1);
}

static void test_compaction(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32), i = var(2, 8);
    for (uint64_t n = 0; n < 20000; n++) /* rubbish around everything that stays */
        opk(HD_OP_XOR, x, n * 7919);
    hd_expr table[3] = {x, y, k(32, 4)}, rubbish[3] = {y, y, x};
    hd_expr_read(g, rubbish, 3, i);
    hd_expr read = hd_expr_read(g, table, 3, i), sum = op(HD_OP_MUL, read, op(HD_OP_SUB, y, x));
    for (hd_var v = 10; v < 500; v++)
        op(HD_OP_MUL, sum, var(v, 32));
    hd_text before = {0}, after = {0};
    hd_expr_print_smt(g, sum, &before);
    uint64_t memory = hd_graph_memory(g);
    uint32_t generation = hd_graph_generation(g);
    hd_expr *roots[] = {&sum, &read, &x, &y, &i};
    hd_graph_compact(g, roots, 5);
    assert_int_equal(hd_graph_generation(g), generation + 1);
    uint32_t always = 1 + HD_N_UNDEFINED; /* leaves that every graph has */
    assert_in_range(hd_graph_n_nodes(g), always + 9, always + 10);
    assert_true(hd_graph_memory(g) < memory);
    hd_expr_print_smt(g, sum, &after);
    assert_string_equal(hd_text_string(&before), hd_text_string(&after));
    assert_int_equal(var(0, 32), x);
    hd_expr again[3] = {x, y, k(32, 4)};
    assert_int_equal(hd_expr_read(g, again, 3, i), read);
    assert_int_equal(op(HD_OP_MUL, read, op(HD_OP_SUB, y, x)), sum);
    assert_int_equal(hd_expr_support(g, sum)->n, 3);
    assert_ptr_equal(hd_expr_support(g, sum), hd_expr_support(g, read));
    assert_true(hd_expr_is_multiple(g, opk(HD_OP_SHL, sum, 5), 5));
    hd_text_release(&before);
    hd_text_release(&after);
}

static void test_child_extends_a_shared_graph(void **state) {
    (void)state;
    hd_graph *shared = hd_graph_new(true);
    hd_expr x = hd_expr_var(shared, 0, 32);
    uint32_t before = hd_graph_n_nodes(shared);
    pid_t child = fork();
    if (child == 0) {
        for (uint64_t n = 1; n <= 10000; n++) /* enough to grow the hash table */
            hd_expr_binary(shared, HD_OP_MUL, x, hd_expr_const(shared, 32, n * 2 + 1));
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    uint32_t after = hd_graph_n_nodes(shared);
    assert_int_equal(after, before + 20000);
    hd_expr product = hd_expr_binary(shared, HD_OP_MUL, x, hd_expr_const(shared, 32, 13));
    assert_int_equal(hd_graph_n_nodes(shared), after);
    assert_int_equal(hd_expr_support(shared, product)->n, 1);
    hd_graph_free(shared);
}

static const char *name_of(void *context, hd_var v) {
    return ((const char **)context)[v];
}

static void check_text(hd_expr e, const char *expected) {
    static const char *names[] = {"x", "y", "buf[0]", "c"};
    hd_text text = {0};
    hd_expr_print(g, e, name_of, names, &text);
    assert_string_equal(hd_text_string(&text), expected);
    hd_text_release(&text);
}

static void test_printing(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32), b = var(2, 8), c = var(3, 1);
    check_text(opk(HD_OP_SLT, x, 5), "x < 5");
    check_text(opk(HD_OP_ULT, opk(HD_OP_ADD, x, 0u - 48u), 10), "(x - 48) <u 10");
    check_text(hd_expr_not(g, op(HD_OP_EQ, x, y)), "x != y");
    check_text(opk(HD_OP_EQ, x, 0u - 1u), "x == -1");
    check_text(opk(HD_OP_MUL, hd_expr_zext(g, b, 32), 3), "((uint32_t)buf[0]) * 3");
    check_text(hd_expr_extract(g, x, 8, 8), "(uint8_t)(x >> 8)");
    check_text(opk(HD_OP_LSHR, x, 4), "x >>u 4");
    check_text(opk(HD_OP_ASHR, x, 4), "x >> 4");
    check_text(hd_expr_not(g, c), "!c");
    check_text(op(HD_OP_AND, c, opk(HD_OP_EQ, b, 123)), "c && (buf[0] == 123)");
    check_text(hd_expr_ite(g, c, x, y), "c ? x : y");
    hd_expr table[4] = {k(8, 1), k(8, 2), k(8, 3), b};
    check_text(hd_expr_read(g, table, 4, x), "{1, 2, 3, buf[0]}[x]");
    check_text(hd_expr_concat(g, b, hd_expr_concat(g, k(8, 1), b)), "concat(buf[0], 1, buf[0])");
}

static void test_printing_a_huge_dag_ends(void **state) {
    (void)state;
    hd_expr e = var(0, 32);
    for (int i = 0; i < 100000; i++)
        e = op(HD_OP_MUL, e, opk(HD_OP_ADD, e, 1));
    hd_text text = {0};
    hd_expr_print(g, e, NULL, NULL, &text);
    assert_true(text.n < 100000);
    assert_non_null(strstr(hd_text_string(&text), "..."));
    hd_text_clear(&text);
    hd_expr_print_smt(g, e, &text);
    assert_true(text.n < 20000000);
    hd_text_release(&text);
}

static void check_script(const hd_expr *e, uint32_t n, const char *expected) {
    Z3_config config = Z3_mk_config();
    Z3_context z3 = Z3_mk_context(config);
    hd_text script = {0};
    hd_expr_print_script(g, e, n, &script);
    const char *answer = Z3_eval_smtlib2_string(z3, hd_text_string(&script));
    assert_string_equal(answer, expected);
    hd_text_release(&script);
    Z3_del_context(z3);
    Z3_del_config(config);
}

static void test_scripts_are_accepted(void **state) {
    (void)state;
    hd_expr x = var(0, 32), y = var(1, 32), b = var(2, 8), c = var(3, 1), i = var(4, 8);
    hd_expr less = op(HD_OP_SLT, x, y);
    hd_expr both[] = {less, op(HD_OP_SLT, y, x)};
    check_script(both, 1, "sat\n");
    check_script(both, 2, "unsat\n");
    hd_expr table[3] = {b, k(8, 5), k(8, 6)};
    hd_expr read = hd_expr_read(g, table, 3, i);
    hd_expr sum = op(HD_OP_ADD, hd_expr_sext(g, read, 32), hd_expr_ite(g, c, x, y));
    hd_expr cut = hd_expr_concat(g, hd_expr_extract(g, x, 3, 5), hd_expr_extract(g, y, 1, 6));
    hd_expr all[] = {opk(HD_OP_EQ, sum, 77), c, opk(HD_OP_ULT, cut, 99),
                     op(HD_OP_OR, less, hd_expr_not(g, c)), k(1, 1)};
    check_script(all, 5, "sat\n");
    /* Outside the table a read gives 0. */
    hd_expr outside[] = {opk(HD_OP_ULT, i, 200), op(HD_OP_ULT, k(8, 2), i),
                         hd_expr_not(g, opk(HD_OP_EQ, read, 0))};
    check_script(outside, 3, "unsat\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_equal_expressions_have_equal_ids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_constants_fold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arithmetic_has_one_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bits_have_one_form, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order_and_its_negation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comparisons_narrow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_truth_values_as_integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_equalities_are_solved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_choices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bytes_of_a_word_make_the_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shifted_bytes_make_a_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_promoted_arithmetic_narrows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_multiples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ranges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unwritten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_support, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_support_of_long_sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compaction, set_up, tear_down),
        cmocka_unit_test(test_child_extends_a_shared_graph),
        cmocka_unit_test_setup_teardown(test_printing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_printing_a_huge_dag_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scripts_are_accepted, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
