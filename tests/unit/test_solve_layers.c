/* Each layer of the solver chain on its own: what it must decide, and what it must leave alone. */
#include "solve/watch.h"
#include "tool/questions.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hd_expr differ(hd_expr a, hd_expr b) {
    return hd_expr_not(g, op(HD_OP_EQ, a, b));
}

/* Can `goal` hold together with the whole path? */
static hd_verdict ask(hd_expr goal) {
    hd_query q = {path, hd_path_length(path), goal, &hint};
    return hd_chain_solve(chain, &q, &out);
}

static void assert_solved(hd_expr goal) {
    assert_int_equal(ask(goal), HD_SAT);
    assert_int_equal(value_of(goal), 1);
    for (uint32_t i = 0; i < hd_path_length(path); i++)
        assert_int_equal(value_of(hd_path_at(path, i)), 1);
}

static void one_byte_is_exact(void **state) {
    (void)state;
    open_chain("slice,domain");
    hd_expr c = hd_expr_zext(g, input(0, 8, 'a'), 32);
    hd_path_push(path, op(HD_OP_SLE, k(32, 'a'), c));
    hd_path_push(path, op(HD_OP_SLE, c, k(32, 'c')));
    hd_path_push(path, differ(c, k(32, 'b')));
    assert_solved(op(HD_OP_EQ, c, k(32, 'c')));
    assert_int_equal(ask(op(HD_OP_EQ, c, k(32, 'b'))), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_EQ, c, k(32, 'd'))), HD_UNSAT);
    assert_solved(op(HD_OP_EQ, op(HD_OP_MUL, c, c), k(32, 99 * 99)));
}

static void odd_widths_are_exact(void **state) {
    (void)state;
    open_chain("contradiction,slice,domain");
    for (unsigned width = 1; width <= 8; width++) {
        hd_expr x = input(width, width, 0);
        for (uint64_t value = 0; value <= hd_mask(width); value++) {
            assert_solved(op(HD_OP_EQ, op(HD_OP_XOR, x, k(width, 1)), k(width, value)));
            assert_int_equal(value_of(x), value ^ 1);
        }
        hd_expr wide = hd_expr_zext(g, x, 16);
        assert_int_equal(ask(op(HD_OP_ULT, k(16, hd_mask(width)), wide)), HD_UNSAT);
    }
}

static void two_bytes_are_searched(void **state) {
    (void)state;
    open_chain("slice,domain");
    hd_expr x = hd_expr_zext(g, input(0, 8, 7), 32), y = hd_expr_zext(g, input(1, 8, 9), 32);
    hd_path_push(path, op(HD_OP_ULT, x, k(32, 20)));
    hd_path_push(path, op(HD_OP_ULT, y, k(32, 20)));
    hd_path_push(path, op(HD_OP_ULT, x, y));
    assert_solved(op(HD_OP_EQ, op(HD_OP_MUL, x, y), k(32, 13 * 17)));
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_MUL, x, y), k(32, 23))), HD_UNSAT);
}

/* A search that runs out of budget has proved nothing. */
static void giving_up_the_search_proves_nothing(void **state) {
    (void)state;
    open_chain("slice,domain");
    hd_expr product = k(32, 1);
    for (uint32_t i = 0; i < 3; i++)
        product = op(HD_OP_MUL, product, hd_expr_zext(g, input(i, 8, 0), 32));
    assert_int_not_equal(ask(op(HD_OP_EQ, product, k(32, 251 * 241 * 239))), HD_UNSAT);
}

/* With a wide variable the search may find values but must not claim that there are none. */
static void wide_variables_are_left_to_others(void **state) {
    (void)state;
    open_chain("slice,domain");
    hd_expr x = hd_expr_zext(g, input(0, 8, 7), 32), y = input(1, 32, 1000);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_ADD, x, y), k(32, 5000))), HD_UNKNOWN);
    assert_solved(op(HD_OP_EQ, op(HD_OP_ADD, x, y), k(32, 1200)));
    hd_path_push(path, op(HD_OP_ULT, x, y));
    hd_path_push(path, op(HD_OP_ULT, x, k(32, 10)));
    assert_int_equal(ask(op(HD_OP_EQ, x, k(32, 10))), HD_UNSAT);
}

/* Numbers of five digits are too many to try, and too small to overflow. */
static void sizes_of_numbers_are_known(void **state) {
    (void)state;
    open_chain("slice,domain");
    hd_expr number = k(64, 0);
    for (uint32_t i = 0; i < 5; i++) {
        hd_expr digit = input(i, 8, '5');
        hd_path_push(path, op(HD_OP_SLT, k(8, '0' - 1), digit));
        hd_path_push(path, op(HD_OP_SLE, digit, k(8, '9')));
        digit = op(HD_OP_SUB, hd_expr_sext(g, digit, 64), k(64, '0'));
        number = op(HD_OP_ADD, op(HD_OP_MUL, number, k(64, 10)), digit);
    }
    hd_expr minus = op(HD_OP_SUB, k(64, 0), number);
    assert_int_equal(ask(op(HD_OP_SLT, k(64, INT32_MAX), number)), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_SLT, k(64, 99999), number)), HD_UNSAT);
    assert_int_not_equal(ask(op(HD_OP_SLT, k(64, 99998), number)), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_SLT, minus, k(64, (uint64_t)-99999))), HD_UNSAT);
    assert_int_not_equal(ask(op(HD_OP_ULT, minus, k(64, (uint64_t)-99998))), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_SDIV, number, minus), k(64, 100000))), HD_UNSAT);
}

/* A checksum ties more bytes together than a search can cover. */
static void long_slices_are_searched_at_the_goal(void **state) {
    (void)state;
    open_chain("slice,domain");
    hd_expr first = input(0, 8, 10), sum = first;
    for (uint32_t i = 1; i < 60; i++)
        sum = op(HD_OP_XOR, sum, input(i, 8, i));
    hd_path_push(path, op(HD_OP_ULT, first, k(8, 50)));
    hd_path_push(path, op(HD_OP_EQ, op(HD_OP_AND, sum, k(8, 1)), k(8, 0)));
    assert_solved(op(HD_OP_ULT, k(8, 40), first));
    assert_int_equal(ask(op(HD_OP_ULT, k(8, 60), first)), HD_UNSAT);
    assert_int_equal(ask(differ(op(HD_OP_AND, sum, k(8, 3)), op(HD_OP_AND, sum, k(8, 2)))),
                     HD_UNKNOWN);
}

static void chains_are_solved_backwards(void **state) {
    (void)state;
    open_chain("slice,invert");
    hd_expr x = input(0, 32, 1);
    hd_expr scrambled = op(HD_OP_ADD, op(HD_OP_MUL, x, k(32, 0x5bd1e995)), k(32, 77));
    assert_solved(op(HD_OP_EQ, op(HD_OP_XOR, scrambled, k(32, 0xdeadbeef)), k(32, 0x1234567)));
    assert_solved(op(HD_OP_EQ, hd_expr_not(g, op(HD_OP_SUB, k(32, 5), x)), k(32, 42)));
    assert_solved(op(HD_OP_EQ, op(HD_OP_UDIV, x, k(32, 10)), k(32, 123)));
    assert_solved(op(HD_OP_EQ, op(HD_OP_UREM, x, k(32, 10)), k(32, 7)));
    assert_solved(op(HD_OP_EQ, op(HD_OP_LSHR, x, k(32, 24)), k(32, 0x7f)));
    assert_solved(op(HD_OP_SLT, op(HD_OP_MUL, x, k(32, 3)), k(32, (uint64_t)-1000)));
}

static void rotations_are_solved_backwards(void **state) {
    (void)state;
    open_chain("slice,invert");
    hd_expr x = input(0, 32, 0x01020304);
    hd_expr rotated = op(HD_OP_OR, op(HD_OP_SHL, x, k(32, 7)), op(HD_OP_LSHR, x, k(32, 25)));
    assert_solved(op(HD_OP_EQ, rotated, k(32, 0xcafebabe)));
    assert_int_equal(value_of(x), 0x7d95fd75);
}

static void words_are_made_of_bytes(void **state) {
    (void)state;
    open_chain("slice,invert");
    hd_expr word = input(0, 8, 0);
    for (uint32_t i = 1; i < 4; i++)
        word = hd_expr_concat(g, input(i, 8, i), word);
    assert_solved(op(HD_OP_EQ, op(HD_OP_ADD, word, k(32, 1)), k(32, 0x89504e47)));
}

static void tables_are_searched_for_the_value(void **state) {
    (void)state;
    open_chain("slice,invert");
    hd_expr elements[16], index = input(0, 8, 0);
    for (uint32_t i = 0; i < 16; i++)
        elements[i] = k(32, i * i + 3);
    hd_path_push(path, op(HD_OP_ULT, index, k(8, 16)));
    assert_solved(op(HD_OP_EQ, hd_expr_read(g, elements, 16, index), k(32, 11 * 11 + 3)));
    assert_int_equal(value_of(index), 11);
}

static void inversion_never_proves(void **state) {
    (void)state;
    open_chain("slice,invert");
    hd_expr x = input(0, 32, 1);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_AND, x, k(32, 1)), k(32, 2))) == HD_SAT, false);
    hd_path_push(path, op(HD_OP_ULT, op(HD_OP_MUL, x, x), k(32, 10)));
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_MUL, x, k(32, 2)), k(32, 21))), HD_UNKNOWN);
}

static void cycles_are_impossible(void **state) {
    (void)state;
    open_chain("slice,order");
    hd_expr x = input(0, 32, 1), y = input(1, 32, 2), z = input(2, 32, 3);
    hd_path_push(path, op(HD_OP_SLT, x, y));
    hd_path_push(path, op(HD_OP_SLE, y, z));
    assert_int_equal(ask(op(HD_OP_SLT, z, x)), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_EQ, z, x)), HD_UNSAT);
    assert_solved(op(HD_OP_EQ, y, z));
    assert_solved(op(HD_OP_SLT, z, k(32, (uint64_t)-5)));
}

static void bounds_of_the_width_are_exact(void **state) {
    (void)state;
    static const unsigned widths[] = {8, 32, 64};
    open_chain("slice,order");
    for (int i = 0; i < 3; i++) {
        unsigned w = widths[i];
        hd_expr x = input(3 * i, w, 1), y = input(3 * i + 1, w, 1), z = input(3 * i + 2, w, 1);
        hd_path_truncate(path, 0);
        hd_path_push(path, op(HD_OP_SLE, x, y));
        assert_solved(op(HD_OP_EQ, x, k(w, hd_mask(w - 1))));
        assert_int_equal(value_of(y), hd_mask(w - 1));
        hd_path_push(path, differ(x, y));
        assert_int_equal(ask(op(HD_OP_EQ, x, k(w, hd_mask(w - 1)))), HD_UNSAT);
        hd_path_push(path, op(HD_OP_SLT, y, z));
        hd_path_push(path, op(HD_OP_SLT, z, k(w, 3)));
        assert_solved(op(HD_OP_SLT, k(w, (uint64_t)-1), x));
        assert_int_equal(ask(op(HD_OP_SLT, k(w, 0), x)), HD_UNSAT);
    }
}

static void unsigned_is_not_signed(void **state) {
    (void)state;
    open_chain("slice,order");
    hd_expr x = input(0, 32, 1), y = input(1, 32, 2);
    hd_path_push(path, op(HD_OP_ULT, x, y));
    assert_solved(op(HD_OP_EQ, x, k(32, 0xfffffffe)));
    assert_int_equal(ask(op(HD_OP_EQ, x, k(32, 0xffffffff))), HD_UNSAT);
    /* Signed and unsigned in one component: y is negative, which only the other reading says. */
    hd_verdict verdict = ask(op(HD_OP_SLT, y, x));
    assert_true(verdict == HD_SAT ? value_of(op(HD_OP_SLT, y, x)) : verdict == HD_UNKNOWN);
}

/* x + 1 <= x is false for numbers but true for the largest int. */
static void sums_may_wrap_around(void **state) {
    (void)state;
    open_chain("slice,order");
    hd_expr x = input(0, 32, 1), y = input(1, 32, 5);
    hd_expr next = op(HD_OP_ADD, x, k(32, 1));
    assert_int_not_equal(ask(op(HD_OP_SLE, next, x)), HD_UNSAT);
    hd_path_push(path, op(HD_OP_SLT, x, k(32, 100)));
    hd_path_push(path, op(HD_OP_SLT, y, next));
    assert_int_equal(ask(op(HD_OP_SLT, x, y)), HD_UNSAT);
    assert_solved(op(HD_OP_EQ, x, y));
}

static void narrow_inputs_are_extended(void **state) {
    (void)state;
    open_chain("contradiction,slice,order");
    hd_expr x = input(0, 8, 1), y = input(1, 32, 0), z = input(2, 16, 9);
    hd_path_push(path, op(HD_OP_SLT, y, hd_expr_zext(g, x, 32)));
    assert_int_equal(ask(op(HD_OP_SLT, k(32, 254), y)), HD_UNSAT);
    assert_solved(op(HD_OP_EQ, y, k(32, 254)));
    assert_int_equal(value_of(x), 255);
    assert_int_equal(ask(op(HD_OP_SLT, hd_expr_sext(g, z, 32), k(32, (uint64_t)-32768))), HD_UNSAT);
    assert_solved(op(HD_OP_SLT, hd_expr_sext(g, z, 32), k(32, (uint64_t)-32767)));
}

static void different_values_find_room(void **state) {
    (void)state;
    open_chain("slice,order");
    hd_expr x[6];
    for (uint32_t i = 0; i < 6; i++) {
        x[i] = input(i, 32, 10);
        hd_path_push(path, op(HD_OP_SLE, k(32, 10), x[i]));
        hd_path_push(path, op(HD_OP_SLE, x[i], k(32, 15)));
    }
    hd_expr all = k(1, 1);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            all = op(HD_OP_AND, all, differ(x[i], x[j]));
    assert_solved(all);
}

static void check_operation(hd_op o, unsigned width, uint64_t step) {
    hd_expr x = input(0, width, 0), y = input(1, width, 0);
    hd_expr result = op(o, x, y);
    for (uint64_t a = 0; a <= hd_mask(width); a += step)
        for (uint64_t b = 0; b <= hd_mask(width); b += step) {
            hd_expr given =
                op(HD_OP_AND, op(HD_OP_EQ, x, k(width, a)), op(HD_OP_EQ, y, k(width, b)));
            hd_expr right = k(hd_expr_width(g, result), hd_op_apply(o, width, a, b));
            hd_expr same = op(HD_OP_EQ, result, right);
            assert_int_equal(ask(op(HD_OP_AND, given, hd_expr_not(g, same))), HD_UNSAT);
            assert_int_equal(ask(op(HD_OP_AND, given, same)), HD_SAT);
        }
}

static void circuits_compute_what_machines_do(void **state) {
    (void)state;
    open_chain("blast");
    for (hd_op o = HD_OP_ADD; o <= HD_OP_SLE; o++) {
        check_operation(o, 3, 1);
        check_operation(o, 5, 3);
    }
}

static void z3_terms_mean_what_machines_do(void **state) {
    (void)state;
    open_chain("z3");
    for (hd_op o = HD_OP_ADD; o <= HD_OP_SLE; o++)
        check_operation(o, 3, 3);
}

static void check_read(void) {
    hd_expr elements[13], index = input(0, 5, 0);
    for (uint32_t i = 0; i < 13; i++)
        elements[i] = i == 6 ? hd_expr_zext(g, input(1, 4, 0), 8) : k(8, 200 + i);
    hd_expr read = hd_expr_read(g, elements, 13, index);
    assert_solved(op(HD_OP_EQ, read, k(8, 211)));
    assert_int_equal(value_of(index), 11);
    assert_solved(op(HD_OP_EQ, read, k(8, 15)));
    assert_int_equal(value_of(index), 6);
    assert_int_equal(ask(op(HD_OP_EQ, read, k(8, 213))), HD_UNSAT);
    hd_path_push(path, op(HD_OP_ULT, k(5, 12), index));
    assert_int_equal(ask(differ(read, k(8, 0))), HD_UNSAT);
    hd_path_truncate(path, 0);
}

static void tables_are_multiplexers(void **state) {
    (void)state;
    open_chain("blast");
    check_read();
    open_chain("z3");
    check_read();
}

/* More circuits than the solver should keep: it starts anew and still knows the truth. */
static void old_circuits_are_dropped(void **state) {
    (void)state;
    open_chain("slice,blast");
    hd_expr x = input(0, 32, 1), y = input(1, 32, 1);
    for (uint64_t i = 0; i < 300; i++) {
        hd_expr sum = op(HD_OP_ADD, op(HD_OP_MUL, x, k(32, 2 * i + 1)), op(HD_OP_XOR, y, k(32, i)));
        assert_solved(op(HD_OP_EQ, sum, k(32, i * 1000)));
    }
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_SHL, x, k(32, 1)), k(32, 3))), HD_UNSAT);
}

static hd_expr pointer(uint32_t number, uint32_t type, uint64_t value) {
    hd_var v = hd_variables_root(variables, number, HD_VAR_POINTER, 64, type, "p");
    hd_model_set(&hint, v, value);
    return hd_expr_var(g, v, 64);
}

static void a_null_pointer_becomes_a_new_object(void **state) {
    (void)state;
    open_chain("contradiction,slice,pointers");
    hd_expr p = pointer(0, 1, 0);
    assert_solved(differ(p, k(64, 0)));
    assert_int_equal(value_of(p), HD_POINTER_FRESH(0));
}

/* Paper 002, Fig. 1: p->next == p, where p already has its object. */
static void a_pointer_moves_to_the_others_object(void **state) {
    (void)state;
    open_chain("contradiction,slice,pointers");
    hd_expr p = pointer(0, 1, 0x1000), next = pointer(1, 1, 0);
    hd_variables_set_object(variables, 0, 0x1000);
    hd_path_push(path, differ(p, k(64, 0)));
    assert_solved(op(HD_OP_EQ, p, next));
    assert_int_equal(value_of(next), 0x1000);
    assert_int_equal(value_of(p), 0x1000);
}

/* Figure 12 as printed would give y the old value of x, which is NULL. */
static void equal_pointers_respect_inequalities(void **state) {
    (void)state;
    open_chain("contradiction,slice,pointers");
    hd_expr x = pointer(0, 1, 0), y = pointer(1, 1, 0x1040), z = pointer(2, 1, 0x1080);
    for (hd_var v = 0; v < 3; v++)
        hd_variables_set_object(variables, v, 0x1000 + 64 * v);
    hd_path_push(path, differ(y, k(64, 0)));
    hd_path_push(path, differ(x, z));
    hd_path_push(path, differ(y, z));
    assert_solved(op(HD_OP_EQ, x, y));
    assert_int_equal(value_of(x), 0x1040);
    assert_int_equal(value_of(z), 0x1080);
    hd_path_push(path, op(HD_OP_EQ, x, k(64, 0)));
    assert_int_equal(ask(op(HD_OP_EQ, x, y)), HD_UNSAT);
}

/* Figure 12 as printed would make y non-NULL, although y == NULL is required. */
static void the_other_pointer_moves_if_one_is_fixed(void **state) {
    (void)state;
    open_chain("contradiction,slice,pointers");
    hd_expr x = pointer(0, 1, 0), y = pointer(1, 1, 0);
    hd_path_push(path, op(HD_OP_EQ, y, k(64, 0)));
    assert_solved(differ(x, y));
    assert_int_equal(value_of(y), 0);
    assert_int_equal(value_of(x), HD_POINTER_FRESH(0));
}

static void equality_is_transitive(void **state) {
    (void)state;
    open_chain("contradiction,slice,pointers");
    hd_expr x = pointer(0, 1, 0), y = pointer(1, 1, 0), z = pointer(2, 1, 0);
    hd_path_push(path, op(HD_OP_EQ, x, z));
    hd_path_push(path, op(HD_OP_EQ, z, y));
    assert_int_equal(ask(differ(x, y)), HD_UNSAT);
    assert_solved(differ(x, k(64, 0)));
    assert_int_equal(value_of(x), value_of(y));
}

static void objects_are_shared_by_type_only(void **state) {
    (void)state;
    open_chain("contradiction,slice,pointers");
    hd_expr x = pointer(0, 1, 0), y = pointer(1, 2, HD_POINTER_FRESH(1));
    assert_solved(op(HD_OP_EQ, x, y));
    assert_int_equal(value_of(y), 0);
    hd_path_push(path, differ(y, k(64, 0)));
    assert_int_equal(ask(op(HD_OP_EQ, x, y)), HD_UNSAT);
}

/* *q = 1 through q, then *p == 1 is asked: p's cell is 1 if q points to p's object. */
static void writes_through_pointers_alias(void **state) {
    (void)state;
    static const char *const chains[] = {"slice,pointers", "slice,blast", "slice,z3"};
    hd_expr q = pointer(0, 1, 0x1000), old = input(1, 8, 7);
    hd_variables_set_object(variables, 0, 0x1000);
    hd_path_push(path, differ(q, k(64, 0)));
    hd_path_push(path, differ(old, k(8, 1)));
    hd_expr cell = hd_expr_ite(g, op(HD_OP_EQ, q, k(64, 0x2000)), k(8, 1), old);
    for (int i = 0; i < 3; i++) {
        open_chain(chains[i]);
        assert_solved(op(HD_OP_EQ, cell, k(8, 1)));
        assert_int_equal(value_of(q), 0x2000);
    }
}

/* Solvers may not invent addresses. */
static void pointers_stay_within_objects(void **state) {
    (void)state;
    static const char *const chains[] = {"slice,blast", "slice,z3"};
    hd_expr p = pointer(0, 1, 0), q = pointer(1, 1, 0);
    hd_path_push(path, differ(p, q));
    for (int i = 0; i < 2; i++) {
        open_chain(chains[i]);
        assert_solved(op(HD_OP_AND, differ(p, k(64, 0)), differ(q, k(64, 0x3000))));
        assert_true(value_of(p) == HD_POINTER_FRESH(0) || value_of(p) == HD_POINTER_FRESH(1) ||
                    value_of(p) == 0x3000);
        assert_true(value_of(q) == HD_POINTER_FRESH(1) || value_of(q) == HD_POINTER_FRESH(0) ||
                    value_of(q) == 0);
    }
}

/* ---- cases ---- */

/* 0 <= x < n, as a program says it. */
static hd_expr small(uint32_t number, uint64_t n) {
    hd_expr x = input(number, 32, 1);
    hd_path_push(path, op(HD_OP_ULT, x, k(32, n)));
    return x;
}

static void cases_factor_small_numbers(void **state) {
    (void)state;
    hd_expr x = small(0, 1000), y = small(1, 1000), product = op(HD_OP_MUL, x, y);
    open_chain("slice,cases");
    hd_path_push(path, op(HD_OP_ULE, x, y));
    hd_path_push(path, op(HD_OP_ULT, k(32, 0), x));
    assert_int_equal(ask(op(HD_OP_EQ, product, k(32, 991 * 997))), HD_SAT);
    assert_int_equal(value_of(x), 991);
    assert_int_equal(value_of(y), 997);
    hd_path_push(path, op(HD_OP_ULT, k(32, 1), x));
    assert_int_equal(ask(op(HD_OP_EQ, product, k(32, 997))), HD_UNSAT); /* a prime */
}

static void cases_know_signs_and_sums(void **state) {
    (void)state;
    hd_expr x = input(0, 32, 0), wide = hd_expr_sext(g, x, 64);
    open_chain("slice,cases");
    hd_path_push(path, op(HD_OP_SLE, k(64, (uint64_t)-12), wide));
    hd_path_push(path, hd_expr_not(g, op(HD_OP_SLT, k(32, 12), x)));
    hd_expr square = op(HD_OP_MUL, x, x);
    assert_int_equal(ask(op(HD_OP_SLT, op(HD_OP_ADD, square, x), k(32, 0))), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_SREM, square, k(32, 100)), k(32, 44))), HD_SAT);
    assert_true(value_of(x) == 12 || value_of(x) == (uint32_t)-12);
    /* x - 5 < 3 without signs: 5, 6 and 7 */
    hd_path_push(path, op(HD_OP_ULT, op(HD_OP_SUB, x, k(32, 5)), k(32, 3)));
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, k(32, 42), x), k(32, 0))), HD_SAT);
    assert_true(value_of(x) == 6 || value_of(x) == 7);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, k(32, 41), x), k(32, 0))), HD_UNSAT);
}

static void cases_read_tables(void **state) {
    (void)state;
    hd_expr x = small(0, 4), y = small(1, 9), elements[] = {k(32, 3), y, k(32, 9)};
    open_chain("slice,cases");
    hd_expr read = hd_expr_read(g, elements, 3, x);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_MUL, read, y), k(32, 49))), HD_SAT);
    assert_int_equal(value_of(x), 1);
    assert_int_equal(value_of(y), 7);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_MUL, read, y), k(32, 71))), HD_UNSAT);
}

/* Of many cases some are drawn: a product has a solution, or nobody knows. */
static void cases_draw_from_many(void **state) {
    (void)state;
    hd_expr x = small(0, 100000), y = small(1, 100000);
    open_chain("slice,cases");
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_MUL, x, y), k(32, 77))), HD_SAT);
    hd_expr wide = op(HD_OP_MUL, hd_expr_zext(g, x, 64), hd_expr_zext(g, y, 64));
    hd_expr mixed = op(HD_OP_XOR, wide, op(HD_OP_LSHR, wide, k(64, 13)));
    uint64_t product = UINT64_C(99991) * 99989;
    assert_int_equal(ask(op(HD_OP_EQ, mixed, k(64, product ^ product >> 13))), HD_UNKNOWN);
    /* but not what no number between the bounds can do */
    assert_int_equal(ask(op(HD_OP_ULT, k(64, UINT64_C(10000000000)), wide)), HD_UNSAT);
}

/* Of a product one factor is tried, the other one is had by dividing. */
static void products_are_divided(void **state) {
    (void)state;
    hd_expr x = small(0, 100000), y = small(1, 100000);
    open_chain("slice,cases");
    hd_expr wide = op(HD_OP_MUL, hd_expr_zext(g, x, 64), hd_expr_zext(g, y, 64));
    assert_int_equal(ask(op(HD_OP_EQ, wide, k(64, UINT64_C(99991) * 99989))), HD_SAT);
    assert_int_equal(value_of(x) * value_of(y), UINT64_C(99991) * 99989);
    hd_path_push(path, op(HD_OP_ULT, k(32, 1), x));
    hd_path_push(path, op(HD_OP_ULT, k(32, 1), y));
    assert_int_equal(ask(op(HD_OP_EQ, wide, k(64, UINT64_C(1000003)))), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_SUB, wide, hd_expr_zext(g, y, 64)),
                            k(64, UINT64_C(99990) * 99989))),
                     HD_SAT);
}

/* x * x = 61 * y * y + 1 has no solution below 1,766,319,049; 3 * 3 = 2 * 2 * 2 + 1 has. */
static void sums_come_apart(void **state) {
    (void)state;
    hd_expr x = small(0, 20000), y = small(1, 20000);
    open_chain("slice,cases");
    hd_path_push(path, op(HD_OP_ULT, k(32, 0), y));
    hd_expr square = op(HD_OP_MUL, x, x), other = op(HD_OP_MUL, y, y);
    hd_expr sum = op(HD_OP_ADD, op(HD_OP_MUL, other, k(32, 61)), k(32, 1));
    assert_int_equal(ask(op(HD_OP_EQ, hd_expr_zext(g, square, 64), hd_expr_zext(g, sum, 64))),
                     HD_UNSAT);
    sum = op(HD_OP_ADD, op(HD_OP_MUL, other, k(32, 2)), k(32, 1));
    assert_int_equal(ask(op(HD_OP_EQ, square, sum)), HD_SAT);
    assert_int_equal(value_of(x) * value_of(x), 2 * value_of(y) * value_of(y) + 1);
}

/* Remainders leave every so manyth number; two of them the product. */
static void remainders_leave_strides(void **state) {
    (void)state;
    hd_expr x = input(0, 32, 5), wide = hd_expr_zext(g, x, 64);
    open_chain("slice,cases");
    hd_expr lehmer = op(HD_OP_UREM, op(HD_OP_MUL, wide, k(64, 16807)), k(64, 2147483647));
    assert_int_equal(ask(op(HD_OP_EQ, lehmer, k(64, 1043618065))), HD_SAT);
    assert_int_equal(value_of(x) * 16807 % 2147483647, 1043618065);
    hd_model_set(&hint, 0, 13 + 97 * 10);
    hd_path_push(path, op(HD_OP_EQ, op(HD_OP_UREM, x, k(32, 97)), k(32, 13)));
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, x, k(32, 65521)), k(32, 333))), HD_SAT);
    assert_int_equal(value_of(x) % 97, 13);
    assert_int_equal(value_of(x) % 65521, 333);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, x, k(32, 970)), k(32, 14))), HD_UNSAT);
}

/* A product of two numbers of one sign is not negative, whatever they are. */
static void signs_are_told_apart(void **state) {
    (void)state;
    hd_expr x = input(0, 16, 5), y = input(1, 16, 7);
    open_chain("slice,cases");
    hd_expr product = op(HD_OP_MUL, hd_expr_sext(g, x, 32), hd_expr_sext(g, y, 32));
    hd_expr differ = op(HD_OP_XOR, x, y);
    hd_path_push(path, hd_expr_not(g, op(HD_OP_SLT, differ, k(16, 0))));
    assert_int_equal(ask(op(HD_OP_SLT, product, k(32, 0))), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_SLT, product, k(32, 1))), HD_SAT);
}

/* The quotient by ten is the high part of a product, and no part of one that is too small. */
static void quotients_are_products(void **state) {
    (void)state;
    hd_expr x = input(0, 32, 5), wide = hd_expr_zext(g, x, 64), ten = k(32, 10);
    open_chain("slice,cases");
    hd_expr high = hd_expr_extract(g, op(HD_OP_MUL, wide, k(64, 0xcccccccd)), 35, 29);
    hd_expr quotient = op(HD_OP_UDIV, x, ten);
    assert_int_equal(ask(hd_expr_not(g, op(HD_OP_EQ, hd_expr_zext(g, high, 32), quotient))),
                     HD_UNSAT);
    hd_expr low = hd_expr_extract(g, op(HD_OP_MUL, wide, k(64, 0xccccccc)), 31, 33);
    assert_int_not_equal(ask(hd_expr_not(g, op(HD_OP_EQ, low, hd_expr_zext(g, quotient, 33)))),
                         HD_UNSAT);
    /* what is divided by an input and put together again */
    hd_expr y = input(1, 32, 9), rest = op(HD_OP_UREM, x, y);
    hd_expr again = op(HD_OP_ADD, op(HD_OP_MUL, op(HD_OP_UDIV, x, y), y), rest);
    assert_int_equal(ask(hd_expr_not(g, op(HD_OP_EQ, again, x))), HD_UNSAT);
}

/* Keys that a product puts into slots: two of seven slots, and which are equal. */
static void hashes_hide_wide_inputs(void **state) {
    (void)state;
    hd_expr keys[] = {input(0, 32, 3), input(1, 32, 4)}, slots[2];
    open_chain("slice,cases");
    for (int i = 0; i < 2; i++)
        slots[i] =
            op(HD_OP_UREM, op(HD_OP_LSHR, op(HD_OP_MUL, keys[i], k(32, 2654435761u)), k(32, 16)),
               k(32, 7));
    assert_int_equal(ask(op(HD_OP_EQ, slots[0], k(32, 5))), HD_SAT);
    hd_expr equal = op(HD_OP_EQ, keys[0], keys[1]), same = op(HD_OP_EQ, slots[0], slots[1]);
    assert_int_equal(ask(op(HD_OP_AND, equal, hd_expr_not(g, same))), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_AND, hd_expr_not(g, equal), same)), HD_SAT);
}

/* Three keys in a table of seven slots: what matters is where they belong, and which are equal. */
static void atoms_hide_wide_inputs(void **state) {
    (void)state;
    hd_expr x = input(0, 32, 3), y = input(1, 32, 4), seven = k(32, 7);
    hd_expr elements[] = {x, k(32, 0), k(32, 0), x, x, k(32, 0), k(32, 0)};
    open_chain("slice,cases");
    hd_expr found = hd_expr_read(g, elements, 7, op(HD_OP_UREM, y, seven));
    hd_path_push(path,
                 hd_expr_not(g, op(HD_OP_EQ, op(HD_OP_UREM, x, seven), op(HD_OP_UREM, y, seven))));
    assert_int_equal(ask(op(HD_OP_EQ, x, y)), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_EQ, found, y)), HD_UNSAT); /* nor is it zero, in slot 0 */
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, y, seven), k(32, 6))), HD_SAT);
    assert_int_equal(value_of(y) % 7, 6);
}

/* A number is its digits: no bits are needed, and only those digits that the path leaves. */
static void digits_make_the_number(void **state) {
    (void)state;
    hd_expr x = input(0, 32, 1234), ten = k(32, 10), sum = k(32, 0), rest = x;
    uint64_t place = 1;
    open_chain("slice,cases");
    for (int i = 0; i < 5; i++, place *= 10) {
        hd_expr digit = hd_expr_extract(g, op(HD_OP_UREM, rest, ten), 0, 8);
        sum = op(HD_OP_ADD, sum, op(HD_OP_MUL, hd_expr_zext(g, digit, 32), k(32, place)));
        rest = op(HD_OP_UDIV, rest, ten);
    }
    hd_expr beyond = op(HD_OP_UDIV, x, k(32, 10000));
    assert_int_not_equal(ask(differ(sum, x)), HD_UNSAT);
    hd_path_push(path, op(HD_OP_ULT, beyond, ten));
    assert_int_equal(ask(differ(sum, x)), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_ULT, x, sum)), HD_UNSAT);
}

/* The middle one of three, by choices: no input is between it and both others. */
static void orders_stand_for_numbers(void **state) {
    (void)state;
    hd_expr x = input(0, 32, 3), y = input(1, 32, 4), z = input(2, 32, 5);
    hd_expr low = hd_expr_ite(g, op(HD_OP_SLT, x, y), x, y),
            high = hd_expr_ite(g, op(HD_OP_SLT, x, y), y, x);
    hd_expr top = hd_expr_ite(g, op(HD_OP_SLT, high, z), z, high);
    open_chain("slice,cases");
    assert_int_equal(ask(op(HD_OP_SLT, top, low)), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_SLT, top, k(32, 0))), HD_SAT); /* all are negative */
    hd_path_push(path, hd_expr_not(g, op(HD_OP_EQ, top, x)));
    hd_path_push(path, hd_expr_not(g, op(HD_OP_EQ, top, y)));
    assert_int_equal(ask(op(HD_OP_SLE, z, x)), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_SLT, y, z)), HD_SAT);
}

/* A character of three bytes that is at least 0x1003 is not below 0x803. */
static void bounds_of_terms_contradict(void **state) {
    (void)state;
    hd_expr code = k(32, 0);
    for (unsigned i = 0; i < 3; i++)
        code = op(HD_OP_OR, op(HD_OP_SHL, code, k(32, 6)),
                  op(HD_OP_AND, hd_expr_zext(g, input(i, 8, 0x41 + i), 32), k(32, 63)));
    open_chain("slice,bounds");
    hd_path_push(path, op(HD_OP_ULE, k(32, 0x1003), code));
    assert_int_equal(ask(op(HD_OP_ULT, code, k(32, 0x803))), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_ULT, code, k(32, 0x1005))), HD_UNKNOWN);
}

/* code[x & 3] of four bytes: for each x it is one of them. */
static void choosers_are_split(void **state) {
    (void)state;
    hd_expr x = input(0, 8, 1), bytes[4], index = op(HD_OP_AND, x, k(8, 3));
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = input(i + 1, 8, 10);
    hd_path_push(path, op(HD_OP_ULT, x, k(8, 12)));
    hd_path_push(path, op(HD_OP_ULT, bytes[0], k(8, 20)));
    hd_path_push(path, op(HD_OP_ULT, bytes[1], k(8, 20)));
    hd_path_push(path, op(HD_OP_ULT, bytes[2], k(8, 20)));
    hd_expr read = hd_expr_read(g, bytes, 4, index);
    hd_expr next = hd_expr_read(g, bytes, 4, op(HD_OP_AND, op(HD_OP_ADD, x, k(8, 1)), k(8, 3)));
    open_chain("slice,domain");
    assert_int_equal(ask(op(HD_OP_AND, op(HD_OP_EQ, read, k(8, 99)), op(HD_OP_EQ, next, k(8, 17)))),
                     HD_SAT);
    assert_int_equal(value_of(x) & 3, 3);
    assert_int_equal(value_of(bytes[0]), 17);
    assert_int_equal(
        ask(op(HD_OP_AND, op(HD_OP_ULT, k(8, 30), read), op(HD_OP_ULT, k(8, 30), next))), HD_UNSAT);
}

/* Questions of one path, deeper and back again. */
static void lines_go_back(void **state) {
    (void)state;
    hd_expr x = small(0, 60000), square = op(HD_OP_MUL, x, x);
    open_chain("slice,cases");
    hd_expr even = op(HD_OP_EQ, op(HD_OP_UREM, square, k(32, 4)), k(32, 0));
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, square, k(32, 4)), k(32, 2))), HD_UNSAT);
    hd_path_push(path, even);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, square, k(32, 10)), k(32, 6))), HD_SAT);
    assert_int_equal(value_of(x), 4);
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, x, k(32, 2)), k(32, 1))), HD_UNSAT);
    hd_path_truncate(path, 1);
    hd_path_push(path, hd_expr_not(g, even));
    assert_int_equal(ask(op(HD_OP_EQ, op(HD_OP_UREM, x, k(32, 2)), k(32, 0))), HD_UNSAT);
    assert_int_equal(ask(op(HD_OP_ULT, k(32, 59998), op(HD_OP_UREM, x, k(32, 60001)))), HD_SAT);
    assert_int_equal(value_of(x), 59999);
}

/* FNV-1a of six bytes, all of its bits. */
static void hashes_are_met(void **state) {
    (void)state;
    hd_expr h = k(32, 2166136261u);
    for (unsigned i = 0; i < 6; i++)
        h = op(HD_OP_MUL, op(HD_OP_XOR, h, hd_expr_zext(g, input(i, 8, 0), 32)), k(32, 16777619u));
    open_chain("slice,meet");
    assert_int_equal(ask(op(HD_OP_EQ, h, k(32, 0xcafe0001))), HD_SAT);
    assert_int_equal(ask(op(HD_OP_ULT, h, k(32, 17))), HD_UNKNOWN); /* no equation */
}

/* ---- the watch over a call ---- */

static void count_interrupt(void *context) {
    ++*(volatile int *)context;
}

/* One that did not listen yet is interrupted again, until it ends, and never afterwards. */
static void a_call_is_interrupted_until_it_ends(void **state) {
    (void)state;
    volatile int n = 0;
    hd_budget spent = {0};
    hd_query_watch w;
    hd_query_watch_begin(&w, &spent, count_interrupt, (void *)&n);
    assert_true(w.is_started);
    while (__atomic_load_n(&n, __ATOMIC_RELAXED) < 2)
        continue;
    hd_query_watch_end(&w);
    int last = n;
    assert_true(last >= 2);
    usleep(20000); /* four ticks */
    assert_int_equal(n, last);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_byte_is_exact),
        TEST(odd_widths_are_exact),
        TEST(two_bytes_are_searched),
        TEST(giving_up_the_search_proves_nothing),
        TEST(wide_variables_are_left_to_others),
        TEST(sizes_of_numbers_are_known),
        TEST(long_slices_are_searched_at_the_goal),
        TEST(chains_are_solved_backwards),
        TEST(rotations_are_solved_backwards),
        TEST(words_are_made_of_bytes),
        TEST(tables_are_searched_for_the_value),
        TEST(inversion_never_proves),
        TEST(cycles_are_impossible),
        TEST(bounds_of_the_width_are_exact),
        TEST(unsigned_is_not_signed),
        TEST(sums_may_wrap_around),
        TEST(narrow_inputs_are_extended),
        TEST(different_values_find_room),
        TEST(cases_factor_small_numbers),
        TEST(cases_know_signs_and_sums),
        TEST(cases_read_tables),
        TEST(bounds_of_terms_contradict),
        TEST(choosers_are_split),
        TEST(lines_go_back),
        TEST(cases_draw_from_many),
        TEST(products_are_divided),
        TEST(sums_come_apart),
        TEST(remainders_leave_strides),
        TEST(signs_are_told_apart),
        TEST(quotients_are_products),
        TEST(hashes_hide_wide_inputs),
        TEST(atoms_hide_wide_inputs),
        TEST(digits_make_the_number),
        TEST(orders_stand_for_numbers),
        TEST(hashes_are_met),
        TEST(circuits_compute_what_machines_do),
        TEST(z3_terms_mean_what_machines_do),
        TEST(tables_are_multiplexers),
        TEST(old_circuits_are_dropped),
        TEST(a_null_pointer_becomes_a_new_object),
        TEST(a_pointer_moves_to_the_others_object),
        TEST(equal_pointers_respect_inequalities),
        TEST(the_other_pointer_moves_if_one_is_fixed),
        TEST(equality_is_transitive),
        TEST(objects_are_shared_by_type_only),
        TEST(writes_through_pointers_alias),
        TEST(pointers_stay_within_objects),
        TEST(a_call_is_interrupted_until_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
