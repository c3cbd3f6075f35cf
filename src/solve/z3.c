/* z3.c -- the last resort: Z3, for what is too hard or too big for the layer before.
 *
 * Each query is a fresh solver in one long-lived context; terms are released afterwards.  What
 * Z3 does not know within its time stays unknown. */
#include "solve/solve_int.h"
#include "solve/watch.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/panic.h"

#include <z3.h>

typedef struct z3 {
    hd_graph *g;
    Z3_context context;
    hd_map term_of; /* expression id -> index in terms, for one query */
    hd_vec(Z3_ast) terms;
    hd_vec(uint32_t) stack;
    hd_vec(Z3_ast) rows;
} z3;

static void *z3_new(hd_graph *g) {
    z3 *z = hd_layer_memory(sizeof *z);
    z->g = g;
    return z;
}

static void z3_free(void *self) {
    z3 *z = self;
    if (z->context)
        Z3_del_context(z->context);
    hd_map_release(&z->term_of);
    hd_vec_release(&z->terms);
    hd_vec_release(&z->stack);
    hd_vec_release(&z->rows);
    free(z);
}

/* Errors show as HD_UNKNOWN: the caller looks at Z3_get_error_code. */
static void ignore_error(Z3_context context, Z3_error_code code) {
    (void)context, (void)code;
}

/* Made at the first query, because a context costs milliseconds and most runs need none. */
static void open_context(z3 *z) {
    if (z->context)
        return;
    Z3_config config = Z3_mk_config();
    z->context = Z3_mk_context_rc(config);
    Z3_del_config(config);
    Z3_set_error_handler(z->context, ignore_error);
}

/* Keep `term` until the query is over. */
static Z3_ast keep(z3 *z, Z3_ast term) {
    Z3_inc_ref(z->context, term);
    hd_vec_push(&z->terms, term);
    return term;
}

static Z3_ast term(const z3 *z, hd_expr e) {
    const uint64_t *index = hd_map_find(&z->term_of, e);
    HD_ASSERT(index && *index < z->terms.n);
    return z->terms.at[*index];
}

/* The context keeps a reference of its own to sorts that are in use; take one for us. */
static Z3_sort sort_of(z3 *z, unsigned width) {
    Z3_sort sort = Z3_mk_bv_sort(z->context, width);
    keep(z, Z3_sort_to_ast(z->context, sort));
    return sort;
}

static Z3_ast number(z3 *z, uint64_t value, unsigned width) {
    return keep(z, Z3_mk_unsigned_int64(z->context, value, sort_of(z, width)));
}

static Z3_ast variable(z3 *z, hd_var v, unsigned width) {
    return keep(z,
                Z3_mk_const(z->context, Z3_mk_int_symbol(z->context, (int)v), sort_of(z, width)));
}

/* Comparisons are 1-bit vectors everywhere, as in the graph. */
static Z3_ast bit_of(z3 *z, Z3_ast truth) {
    keep(z, truth);
    return keep(z, Z3_mk_ite(z->context, truth, number(z, 1, 1), number(z, 0, 1)));
}

static Z3_ast truth_of(z3 *z, Z3_ast bit) {
    return keep(z, Z3_mk_eq(z->context, bit, number(z, 1, 1)));
}

static Z3_ast translate_binary(z3 *z, hd_op op, Z3_ast x, Z3_ast y) {
    Z3_context c = z->context;
    switch (op) {
    case HD_OP_ADD:
        return Z3_mk_bvadd(c, x, y);
    case HD_OP_SUB:
        return Z3_mk_bvsub(c, x, y);
    case HD_OP_MUL:
        return Z3_mk_bvmul(c, x, y);
    case HD_OP_UDIV:
        return Z3_mk_bvudiv(c, x, y);
    case HD_OP_SDIV:
        return Z3_mk_bvsdiv(c, x, y);
    case HD_OP_UREM:
        return Z3_mk_bvurem(c, x, y);
    case HD_OP_SREM:
        return Z3_mk_bvsrem(c, x, y);
    case HD_OP_AND:
        return Z3_mk_bvand(c, x, y);
    case HD_OP_OR:
        return Z3_mk_bvor(c, x, y);
    case HD_OP_XOR:
        return Z3_mk_bvxor(c, x, y);
    case HD_OP_SHL:
        return Z3_mk_bvshl(c, x, y);
    case HD_OP_LSHR:
        return Z3_mk_bvlshr(c, x, y);
    case HD_OP_ASHR:
        return Z3_mk_bvashr(c, x, y);
    case HD_OP_CONCAT:
        return Z3_mk_concat(c, x, y);
    case HD_OP_EQ:
        return bit_of(z, Z3_mk_eq(c, x, y));
    case HD_OP_ULT:
        return bit_of(z, Z3_mk_bvult(c, x, y));
    case HD_OP_ULE:
        return bit_of(z, Z3_mk_bvule(c, x, y));
    case HD_OP_SLT:
        return bit_of(z, Z3_mk_bvslt(c, x, y));
    case HD_OP_SLE:
        return bit_of(z, Z3_mk_bvsle(c, x, y));
    default:
        HD_BUG("operation %d has no Z3 term", op);
    }
}

/* Each bit of the index halves the table; an index outside gives zero. */
static Z3_ast translate_read(z3 *z, const hd_node *n) {
    uint32_t n_rows = hd_table_size(z->g, n->a);
    const hd_expr *elements = hd_table_elements(z->g, n->a);
    HD_ASSERT(n_rows >= 1);
    Z3_ast index = term(z, n->b), zero = number(z, 0, n->width);
    hd_vec_clear(&z->rows);
    for (uint32_t i = 0; i < n_rows; i++)
        hd_vec_push(&z->rows, term(z, elements[i]));
    for (unsigned bit = 0; bit < hd_expr_width(z->g, n->b); bit++) {
        Z3_ast is_odd = truth_of(z, keep(z, Z3_mk_extract(z->context, bit, bit, index)));
        if (z->rows.n % 2)
            hd_vec_push(&z->rows, zero);
        for (size_t i = 0; 2 * i < z->rows.n; i++)
            z->rows.at[i] =
                keep(z, Z3_mk_ite(z->context, is_odd, z->rows.at[2 * i + 1], z->rows.at[2 * i]));
        z->rows.n /= 2;
    }
    return z->rows.at[0];
}

static Z3_ast translate_node(z3 *z, hd_expr e, const hd_node *n) {
    Z3_context c = z->context;
    switch (n->op) {
    case HD_OP_CONST:
        return number(z, hd_expr_value(z->g, e), n->width);
    case HD_OP_VAR:
        return variable(z, n->a, n->width);
    case HD_OP_NOT:
        return Z3_mk_bvnot(c, term(z, n->a));
    case HD_OP_ZEXT:
        return Z3_mk_zero_ext(c, n->width - hd_expr_width(z->g, n->a), term(z, n->a));
    case HD_OP_SEXT:
        return Z3_mk_sign_ext(c, n->width - hd_expr_width(z->g, n->a), term(z, n->a));
    case HD_OP_EXTRACT:
        HD_ASSERT(n->aux + n->width <= hd_expr_width(z->g, n->a));
        return Z3_mk_extract(c, n->aux + n->width - 1u, n->aux, term(z, n->a));
    case HD_OP_ITE:
        return Z3_mk_ite(c, truth_of(z, term(z, n->a)), term(z, n->b), term(z, n->c));
    case HD_OP_READ:
        return translate_read(z, n);
    default:
        return translate_binary(z, n->op, term(z, n->a), term(z, n->b));
    }
}

static void push_unless_known(z3 *z, hd_expr e) {
    if (!hd_map_find(&z->term_of, e))
        hd_vec_push(&z->stack, e);
}

static void push_operands(z3 *z, const hd_node *n) {
    for (uint32_t i = hd_node_n_operands(z->g, n); i-- > 0;)
        push_unless_known(z, hd_node_operand(z->g, n, i));
}

static void translate(z3 *z, hd_expr root) {
    hd_vec_clear(&z->stack);
    push_unless_known(z, root);
    while (z->stack.n) {
        hd_expr e = z->stack.at[z->stack.n - 1];
        size_t before = z->stack.n;
        const hd_node *n = hd_expr_node(z->g, e);
        if (!hd_map_find(&z->term_of, e))
            push_operands(z, n);
        if (z->stack.n > before)
            continue;
        z->stack.n--;
        if (hd_map_find(&z->term_of, e))
            continue;
        keep(z, translate_node(z, e, n));
        HD_ASSERT(z->terms.n > 0);
        hd_map_put(&z->term_of, e, z->terms.n - 1);
    }
}

static void release_terms(z3 *z) {
    for (size_t i = 0; i < z->terms.n; i++)
        Z3_dec_ref(z->context, z->terms.at[i]);
    HD_ASSERT(z->term_of.n <= z->terms.n);
    hd_vec_clear(&z->terms);
    hd_map_clear(&z->term_of);
}

static void assert_all(z3 *z, Z3_solver solver, const hd_constraints *constraints) {
    for (size_t i = 0; i < constraints->n; i++) {
        translate(z, constraints->at[i]);
        Z3_solver_assert(z->context, solver, truth_of(z, term(z, constraints->at[i])));
    }
}

/* Z3's own timeout is real time: see watch.c. */
static void set_options(z3 *z, Z3_solver solver) {
    Z3_params params = Z3_mk_params(z->context);
    Z3_params_inc_ref(z->context, params);
    Z3_params_set_bool(z->context, params, Z3_mk_string_symbol(z->context, "ctrl_c"), false);
    Z3_solver_set_params(z->context, solver, params);
    Z3_params_dec_ref(z->context, params);
}

static void read_value(z3 *z, const hd_task *t, Z3_model m, hd_var v, hd_model *model) {
    Z3_ast value = NULL;
    uint64_t number;
    if (!Z3_model_eval(z->context, m, variable(z, v, hd_task_width(t, v)), true, &value))
        return;
    keep(z, value);
    if (Z3_get_numeral_uint64(z->context, value, &number))
        hd_model_set(model, v, number);
}

static void read_model(z3 *z, const hd_task *t, Z3_solver solver, hd_model *model) {
    Z3_model m = Z3_solver_get_model(z->context, solver);
    Z3_model_inc_ref(z->context, m);
    for (size_t i = 0; i < t->vars.n; i++)
        read_value(z, t, m, t->vars.at[i], model);
    Z3_model_dec_ref(z->context, m);
}

static void interrupt(void *context) {
    Z3_interrupt(context);
}

static hd_verdict check(z3 *z, hd_task *t, Z3_solver solver, const hd_budget *b, hd_model *model) {
    hd_query_watch watch;
    hd_query_watch_begin(&watch, b, interrupt, z->context);
    Z3_lbool result = Z3_solver_check(z->context, solver);
    hd_query_watch_end(&watch);
    if (result == Z3_L_UNDEF || Z3_get_error_code(z->context) != Z3_OK)
        return HD_UNKNOWN;
    if (result == Z3_L_FALSE)
        return t->ranges.n && t->ranges_are_tight ? HD_UNKNOWN : HD_UNSAT;
    read_model(z, t, solver, model);
    HD_INVARIANT(L1, hd_task_holds(t, model));
    return HD_SAT;
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    z3 *z = self;
    hd_budget budget = hd_task_budget(t);
    if (hd_budget_is_spent(&budget, hd_clock_cpu()))
        return HD_UNKNOWN;
    open_context(z);
    HD_ASSERT(z->terms.n == 0); /* terms live as long as a query */
    hd_pointers_ranges(t);
    Z3_solver solver = Z3_mk_solver_for_logic(z->context, Z3_mk_string_symbol(z->context, "QF_BV"));
    Z3_solver_inc_ref(z->context, solver);
    assert_all(z, solver, &t->constraints);
    assert_all(z, solver, &t->ranges);
    set_options(z, solver);
    hd_verdict verdict = check(z, t, solver, &budget, model);
    Z3_solver_dec_ref(z->context, solver);
    release_terms(z);
    return verdict;
}

const hd_layer_kind hd_layer_z3 = {.new = z3_new, .free = z3_free, .ask = ask};
