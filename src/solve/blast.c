/* blast.c -- the rest goes to CaDiCaL as bits.
 *
 * One solver lives long and knows circuits only: nothing is asserted.  A query assumes the
 * output literals of its constraints, so that whatever the solver learns stays true for all
 * later queries, and a path prefix that comes again costs nothing to load.  The assumptions
 * that failed are the unsatisfiable core.
 *
 * A satisfying assignment covers all circuits in the solver, also those that only old queries
 * needed.  That waste is added up, and when it has reached what a new solver costs, the old
 * one is thrown away (never paying more than about twice the better choice). */
#include "solve/bits.h"
#include "solve/solve_int.h"

#include "base/clock.h"
#include "base/panic.h"

#include <string.h>

enum {
    MAX_CLAUSES = 3000000,
    CLOCK_EVERY = 16,         /* calls of CaDiCaL's terminator between looks at the clock */
    FRESH_COST = 20000,       /* what a new solver costs, in assigned literals */
    ENCODE_COST = 10,         /* what encoding a literal again costs, likewise */
    SMALL = 4096,             /* literals that are not worth counting */
    MAX_TABLE_BITS = 1 << 20, /* a bigger table goes to the next layer */
};

typedef struct blast {
    hd_graph *g;
    CCaDiCaL *sat;
    hd_circuit circuit;
    hd_vec(uint32_t) bits_of; /* by expression id: 1 + index in literals, 0 where not encoded */
    hd_vec(hd_lit) literals;
    hd_vec(uint32_t) stack;
    hd_vec(hd_lit) rows;   /* scratch for tables */
    hd_vec(uint32_t) seen; /* by expression id: the last query that needed it */
    uint32_t query;
    uint64_t waste; /* literals assigned for nothing since the solver is new */
    hd_budget budget;
    uint32_t calls;
    bool too_big;
} blast;

static int is_time_over(void *state) {
    blast *b = state;
    return ++b->calls % CLOCK_EVERY == 0 && hd_budget_is_spent(&b->budget, hd_clock_cpu());
}

/* Queries are many and tiny: preprocessing and inprocessing never pay, and would have to undo
 * variable elimination for each new circuit. */
static void start_solver(blast *b) {
    HD_ASSERT(!b->sat && b->literals.n == 0);
    b->sat = ccadical_init();
    ccadical_set_option(b->sat, "quiet", 1);
    ccadical_set_option(b->sat, "inprocessing", 0);
    ccadical_set_option(b->sat, "lucky", 0);
    ccadical_set_option(b->sat, "walk", 0);
    ccadical_set_terminate(b->sat, b, is_time_over);
    hd_circuit_init(&b->circuit, b->sat);
    b->waste = 0;
}

static void stop_solver(blast *b) {
    if (b->sat)
        ccadical_release(b->sat);
    b->sat = NULL;
    hd_circuit_release(&b->circuit);
    hd_vec_release(&b->bits_of);
    hd_vec_release(&b->seen);
    hd_vec_clear(&b->literals);
}

static void *blast_new(hd_graph *g) {
    blast *b = hd_layer_memory(sizeof *b);
    b->g = g;
    return b;
}

static void blast_forget(void *self) {
    stop_solver(self);
}

static void blast_free(void *self) {
    blast *b = self;
    stop_solver(b);
    hd_vec_release(&b->literals);
    hd_vec_release(&b->stack);
    hd_vec_release(&b->rows);
    free(b);
}

static bool is_encoded(const blast *b, hd_expr e) {
    return e < b->bits_of.n && b->bits_of.at[e];
}

/* Good until the next node is encoded. */
static hd_lit *bits(const blast *b, hd_expr e) {
    HD_CHECK(is_encoded(b, e));
    return b->literals.at + b->bits_of.at[e] - 1;
}

static void make_room(blast *b) {
    size_t n = b->bits_of.n, wanted = (size_t)hd_graph_n_nodes(b->g) + 1;
    if (wanted <= n)
        return;
    hd_vec_reserve(&b->bits_of, wanted);
    hd_vec_reserve(&b->seen, b->bits_of.capacity);
    b->bits_of.n = b->seen.n = b->bits_of.capacity;
    memset(b->bits_of.at + n, 0, (b->bits_of.n - n) * sizeof *b->bits_of.at);
    memset(b->seen.at + n, 0, (b->seen.n - n) * sizeof *b->seen.at);
    HD_ASSERT(b->seen.n == b->bits_of.n && b->seen.n <= b->seen.capacity);
}

static void encode_read(blast *b, const hd_node *n, hd_lit *out) {
    uint32_t n_rows = hd_table_size(b->g, n->a);
    const hd_expr *elements = hd_table_elements(b->g, n->a);
    HD_ASSERT(n_rows > 0 && (uint64_t)n_rows * n->width <= MAX_TABLE_BITS);
    hd_vec_reserve(&b->rows, ((size_t)n_rows + 1) * n->width);
    for (uint32_t i = 0; i < n_rows; i++)
        memcpy(b->rows.at + (size_t)i * n->width, bits(b, elements[i]), n->width * sizeof *out);
    hd_bits_select(&b->circuit, out, b->rows.at, n_rows, n->width, bits(b, n->b),
                   hd_expr_width(b->g, n->b));
}

static void encode_ite(blast *b, const hd_node *n, hd_lit *out) {
    hd_lit condition = bits(b, n->a)[0];
    HD_CHECK(hd_expr_width(b->g, n->a) == 1);
    for (unsigned i = 0; i < n->width; i++)
        out[i] = hd_lit_mux(&b->circuit, condition, bits(b, n->b)[i], bits(b, n->c)[i]);
}

static void encode_extension(blast *b, const hd_node *n, hd_lit *out) {
    unsigned width = hd_expr_width(b->g, n->a);
    const hd_lit *x = bits(b, n->a);
    HD_ASSERT(width >= 1 && width < n->width);
    for (unsigned i = 0; i < n->width; i++)
        out[i] = i < width ? x[i] : n->op == HD_OP_SEXT ? x[width - 1] : HD_LIT_FALSE;
}

static void encode_concat(blast *b, const hd_node *n, hd_lit *out) {
    unsigned low = hd_expr_width(b->g, n->b);
    HD_ASSERT(low < n->width && low + hd_expr_width(b->g, n->a) == n->width);
    memcpy(out, bits(b, n->b), low * sizeof *out);
    memcpy(out + low, bits(b, n->a), (n->width - low) * sizeof *out);
}

static void encode_bitwise(blast *b, const hd_node *n, hd_lit *out) {
    hd_circuit *k = &b->circuit;
    for (unsigned i = 0; i < n->width; i++) {
        hd_lit x = bits(b, n->a)[i], y = bits(b, n->b)[i];
        out[i] = n->op == HD_OP_AND  ? hd_lit_and(k, x, y)
                 : n->op == HD_OP_OR ? hd_lit_or(k, x, y)
                                     : hd_lit_xor(k, x, y);
    }
}

static void encode_comparison(blast *b, const hd_node *n, hd_lit *out) {
    HD_ASSERT(hd_expr_width(b->g, n->a) == hd_expr_width(b->g, n->b));
    bool or_equal = n->op == HD_OP_ULE || n->op == HD_OP_SLE;
    bool is_signed = n->op == HD_OP_SLT || n->op == HD_OP_SLE;
    out[0] = hd_bits_less(&b->circuit, bits(b, n->a), bits(b, n->b), hd_expr_width(b->g, n->a),
                          or_equal, is_signed);
}

static void encode_arithmetic(blast *b, const hd_node *n, hd_lit *out) {
    hd_circuit *k = &b->circuit;
    HD_ASSERT(hd_expr_width(b->g, n->a) == n->width && hd_expr_width(b->g, n->b) == n->width);
    const hd_lit *x = bits(b, n->a), *y = bits(b, n->b);
    unsigned w = n->width;
    switch (n->op) {
    case HD_OP_ADD:
        return hd_bits_add(k, out, x, y, w);
    case HD_OP_SUB:
        return hd_bits_subtract(k, out, x, y, w);
    case HD_OP_MUL:
        return hd_bits_multiply(k, out, x, y, w);
    case HD_OP_UDIV:
        return hd_bits_divide(k, out, NULL, x, y, w, false);
    case HD_OP_SDIV:
        return hd_bits_divide(k, out, NULL, x, y, w, true);
    case HD_OP_UREM:
        return hd_bits_divide(k, NULL, out, x, y, w, false);
    case HD_OP_SREM:
        return hd_bits_divide(k, NULL, out, x, y, w, true);
    case HD_OP_SHL:
        return hd_bits_shift_left(k, out, x, y, w);
    case HD_OP_LSHR:
        return hd_bits_shift_right(k, out, x, y, w, HD_LIT_FALSE);
    case HD_OP_ASHR:
        return hd_bits_shift_right(k, out, x, y, w, x[w - 1]);
    }
    HD_BUG("operation %d has no circuit", n->op);
}

static void encode_leaf(blast *b, hd_expr e, const hd_node *n, hd_lit *out) {
    if (n->op == HD_OP_CONST) {
        hd_bits_constant(out, hd_expr_value(b->g, e), n->width);
        return;
    }
    for (unsigned i = 0; i < n->width; i++)
        out[i] = hd_lit_new(&b->circuit);
}

static void encode_node(blast *b, hd_expr e, const hd_node *n, hd_lit *out) {
    switch (n->op) {
    case HD_OP_CONST:
    case HD_OP_VAR:
        return encode_leaf(b, e, n, out);
    case HD_OP_NOT:
        for (unsigned i = 0; i < n->width; i++)
            out[i] = -bits(b, n->a)[i];
        return;
    case HD_OP_AND:
    case HD_OP_OR:
    case HD_OP_XOR:
        return encode_bitwise(b, n, out);
    case HD_OP_EQ:
        out[0] =
            hd_bits_equal(&b->circuit, bits(b, n->a), bits(b, n->b), hd_expr_width(b->g, n->a));
        return;
    case HD_OP_ULT:
    case HD_OP_ULE:
    case HD_OP_SLT:
    case HD_OP_SLE:
        return encode_comparison(b, n, out);
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
        return encode_extension(b, n, out);
    case HD_OP_EXTRACT:
        HD_ASSERT(n->aux + n->width <= hd_expr_width(b->g, n->a));
        memcpy(out, bits(b, n->a) + n->aux, n->width * sizeof *out);
        return;
    case HD_OP_CONCAT:
        return encode_concat(b, n, out);
    case HD_OP_ITE:
        return encode_ite(b, n, out);
    case HD_OP_READ:
        return encode_read(b, n, out);
    default:
        encode_arithmetic(b, n, out);
    }
}

static void push_unless_encoded(blast *b, hd_expr e) {
    if (!is_encoded(b, e))
        hd_vec_push(&b->stack, e);
}

static void push_unless_seen(blast *b, hd_expr e) {
    HD_CHECK(e < b->seen.n);
    if (b->seen.at[e] == b->query)
        return;
    b->seen.at[e] = b->query;
    hd_vec_push(&b->stack, e);
}

/* Operands, the first on top: it is encoded first. */
static void push_operands(blast *b, const hd_node *n, void (*push)(blast *, hd_expr)) {
    for (uint32_t i = hd_node_n_operands(b->g, n); i-- > 0;)
        push(b, hd_node_operand(b->g, n, i));
}

static bool is_too_big(const blast *b, const hd_node *n) {
    return b->circuit.n_clauses > MAX_CLAUSES ||
           (n->op == HD_OP_READ && (uint64_t)hd_table_size(b->g, n->a) * n->width > MAX_TABLE_BITS);
}

/* Operands first; an explicit stack, because expressions of a long loop are deep. */
static void encode(blast *b, hd_expr root) {
    hd_vec_clear(&b->stack);
    push_unless_encoded(b, root);
    while (b->stack.n && !b->too_big) {
        hd_expr e = b->stack.at[b->stack.n - 1];
        size_t before = b->stack.n;
        const hd_node *n = hd_expr_node(b->g, e);
        b->too_big = is_too_big(b, n);
        if (!is_encoded(b, e))
            push_operands(b, n, push_unless_encoded);
        if (b->stack.n > before)
            continue;
        b->stack.n--;
        if (is_encoded(b, e))
            continue;
        HD_ASSERT(n->width >= 1 && n->width <= 64);
        hd_lit out[64];
        encode_node(b, e, n, out);
        hd_vec_reserve(&b->literals, b->literals.n + n->width);
        memcpy(b->literals.at + b->literals.n, out, n->width * sizeof *out);
        b->bits_of.at[e] = (uint32_t)b->literals.n + 1;
        b->literals.n += n->width;
    }
}

static bool encode_all(blast *b, const hd_task *t) {
    make_room(b);
    b->too_big = false;
    for (size_t i = 0; i < t->constraints.n && !b->too_big; i++)
        encode(b, t->constraints.at[i]);
    for (size_t i = 0; i < t->ranges.n && !b->too_big; i++)
        encode(b, t->ranges.at[i]);
    return !b->too_big;
}

static void assume_all(blast *b, const hd_constraints *constraints) {
    for (size_t i = 0; i < constraints->n; i++)
        ccadical_assume(b->sat, bits(b, constraints->at[i])[0]);
}

static void read_model(blast *b, const hd_task *t, hd_model *model) {
    for (size_t i = 0; i < t->vars.n; i++) {
        hd_var v = t->vars.at[i];
        hd_expr e = hd_expr_var(t->g, v, hd_task_width(t, v));
        if (!is_encoded(b, e))
            continue;
        uint64_t value = 0;
        for (unsigned k = 0; k < hd_task_width(t, v); k++)
            value |= (uint64_t)(ccadical_val(b->sat, bits(b, e)[k]) > 0) << k;
        hd_model_set(model, v, value);
    }
}

static bool has_failed(blast *b, const hd_constraints *constraints) {
    for (size_t i = 0; i < constraints->n; i++)
        if (ccadical_failed(b->sat, bits(b, constraints->at[i])[0]))
            return true;
    return false;
}

/* A proof that used the ranges of pointers says nothing about other slices, and it is no proof
 * at all if those ranges leave out values that exist. */
static hd_verdict explain(blast *b, hd_task *t) {
    if (has_failed(b, &t->ranges))
        return t->ranges_are_tight ? HD_UNKNOWN : HD_UNSAT;
    for (size_t i = 0; i < t->constraints.n; i++)
        if (ccadical_failed(b->sat, bits(b, t->constraints.at[i])[0]))
            hd_vec_push(&t->core, t->constraints.at[i]);
    HD_INVARIANT(L2, t->core.n <= t->constraints.n);
    return HD_UNSAT;
}

static hd_verdict solve(blast *b, hd_task *t, hd_model *model) {
    assume_all(b, &t->constraints);
    assume_all(b, &t->ranges);
    uint64_t conflicts = t->options->blast_conflicts;
    ccadical_limit(b->sat, "conflicts", conflicts < INT32_MAX ? (int)conflicts : INT32_MAX);
    int result = ccadical_solve(b->sat);
    HD_ASSERT(result == 0 || result == 10 || result == 20); /* unknown, satisfiable, not */
    if (result == 0)
        return HD_UNKNOWN;
    if (result == 20)
        return explain(b, t);
    read_model(b, t, model);
    HD_INVARIANT(L1, hd_task_holds(t, model));
    return HD_SAT;
}

/* Literals of the circuits that this query consists of. */
static uint64_t count_needed(blast *b, const hd_task *t) {
    uint64_t needed = 0;
    b->query++;
    hd_vec_clear(&b->stack);
    for (size_t i = 0; i < t->constraints.n; i++)
        push_unless_seen(b, t->constraints.at[i]);
    while (b->stack.n) {
        const hd_node *n = hd_expr_node(b->g, b->stack.at[--b->stack.n]);
        needed += n->width;
        push_operands(b, n, push_unless_seen);
    }
    return needed;
}

static void count_waste(blast *b, const hd_task *t) {
    if (b->literals.n < SMALL)
        return;
    uint64_t needed = count_needed(b, t);
    b->waste += b->literals.n > needed ? b->literals.n - needed : 0;
    if (b->waste > FRESH_COST + ENCODE_COST * needed)
        stop_solver(b);
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    blast *b = self;
    b->budget = hd_task_budget(t);
    if (hd_budget_is_spent(&b->budget, hd_clock_cpu()))
        return HD_UNKNOWN;
    hd_pointers_ranges(t);
    if (b->sat && b->circuit.n_clauses > MAX_CLAUSES)
        stop_solver(b);
    if (!b->sat)
        start_solver(b);
    if (!encode_all(b, t))
        return HD_UNKNOWN;
    HD_ASSERT(b->stack.n == 0 && b->circuit.sat == b->sat);
    hd_verdict verdict = solve(b, t, model);
    count_waste(b, t);
    return verdict;
}

const hd_layer_kind hd_layer_blast = {
    .new = blast_new, .free = blast_free, .forget = blast_forget, .ask = ask};
