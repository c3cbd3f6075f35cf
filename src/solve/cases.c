/* cases.c -- few values in all: every case is tried.
 *
 * Remainders, quotients and products of inputs take a solver of bits seconds, also where the
 * program has said that its inputs are small: the greatest common divisor of two numbers below 50
 * has 2,500 cases, and took 9 s.  Comparisons with constants bound the variables of a slice
 * (arc.h); where the cases are few, all are tried, which is exact both ways.
 *
 * The constraints become instructions without branches, one value each.  What depends only on
 * variables that are chosen already is computed once for all cases of the others, and a constraint
 * that fails leaves those out.  Small numbers come first, because people read the inputs.
 *
 * Where no constraint multiplies or divides, a solver of bits is quick: then only a few thousand
 * instructions are tried. */
#include "solve/arc.h"
#include "solve/interval.h"
#include "solve/solve_int.h"

#include "base/panic.h"

#include <string.h>

enum {
    MAX_VARIABLES = 6,
    MAX_INSTRUCTIONS = 4000,
    MAX_TABLE = 256,
    MAX_CASES = 1 << 22,
    BUDGET = 8000000,    /* instructions for constraints that multiply or divide */
    SMALL_BUDGET = 5000, /* for others */
    CHECK = HD_N_OPS,    /* the instruction that ends a case unless its operand is true */
};

typedef struct instruction {
    uint8_t op, width, from_width; /* from: of the first operand */
    uint16_t aux;
    uint32_t result, a, b, c; /* registers; READ: a = where its elements begin, c = how many */
} instruction;

typedef struct place {
    uint32_t stamp, number; /* register */
} place;

typedef struct cases {
    hd_graph *g;
    hd_intervals *intervals;
    hd_vec(place) place_of; /* by expression */
    uint32_t stamp;
    hd_vec(uint64_t) registers;
    hd_vec(uint8_t) level_of; /* by register: the last variable that it depends on, 0 = none */
    hd_vec(uint32_t) elements;
    hd_constraints todo;
    hd_vec(
        instruction) levels[MAX_VARIABLES + 1]; /* what can be computed once so many are chosen */
    hd_var order[MAX_VARIABLES];
    hd_arc arcs[MAX_VARIABLES];
    uint32_t leaves[MAX_VARIABLES]; /* their registers */
    uint32_t n, n_instructions;
    bool is_hard;
    int64_t budget;
    int luck; /* negative when searches run out of budget */
} cases;

static void *cases_new(hd_graph *g) {
    cases *s = hd_layer_memory(sizeof *s);
    s->g = g;
    s->intervals = hd_intervals_new(g);
    return s;
}

static void cases_forget(void *self) {
    cases *s = self;
    hd_vec_clear(&s->place_of);
    s->stamp = 0;
}

static void cases_free(void *self) {
    cases *s = self;
    for (int i = 0; i <= MAX_VARIABLES; i++)
        hd_vec_release(&s->levels[i]);
    hd_vec_release(&s->place_of);
    hd_vec_release(&s->registers);
    hd_vec_release(&s->level_of);
    hd_vec_release(&s->elements);
    hd_vec_release(&s->todo);
    hd_intervals_free(s->intervals);
    free(s);
}

/* ---- which cases ---- */

static hd_arc arc_of(const hd_task *t, hd_var v) {
    unsigned width = hd_task_width(t, v);
    hd_arc r = hd_arc_all(width);
    for (size_t i = 0; i < t->constraints.n; i++) {
        const hd_support *support = hd_expr_support(t->g, t->constraints.at[i]);
        if (support->n == 1 && support->v[0] == v)
            r = hd_arc_meet(r, hd_arc_by(t->g, t->constraints.at[i], true, width), width);
    }
    return r;
}

/* The variable with the most values last: what does not depend on it is computed least often. */
static void insert_variable(cases *s, hd_var v, hd_arc r) {
    uint32_t at = s->n++;
    for (; at > 0 && s->arcs[at - 1].span > r.span; at--) {
        s->order[at] = s->order[at - 1];
        s->arcs[at] = s->arcs[at - 1];
    }
    s->order[at] = v;
    s->arcs[at] = r;
}

/* A variable without any value is left to the check of its constraints, which fails for the one
 * that it is given. */
static void find_arcs(cases *s, const hd_task *t) {
    s->n = 0;
    for (size_t i = 0; i < t->vars.n; i++) {
        hd_arc r = arc_of(t, t->vars.at[i]);
        insert_variable(s, t->vars.at[i], r.is_empty ? (hd_arc){0} : r);
    }
}

/* Is the goal false wherever its variables are in their arcs?  Most checks for overflow are
 * decided so. */
static bool is_out_of_reach(cases *s, const hd_task *t) {
    hd_intervals_begin(s->intervals);
    for (uint32_t i = 0; i < s->n; i++) {
        unsigned width = hd_task_width(t, s->order[i]);
        const hd_arc *r = &s->arcs[i];
        int64_t least = hd_signed(r->start, width), most = hd_signed(r->start + r->span, width);
        if (width > 1 && least <= most && (uint64_t)most - (uint64_t)least == r->span)
            hd_intervals_bound_signed(s->intervals, s->order[i], least, most);
    }
    return hd_intervals_of(s->intervals, hd_task_goal(t)).most == 0;
}

static bool are_few(const cases *s) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->arcs[i].span >= MAX_CASES || (n *= s->arcs[i].span + 1) > MAX_CASES)
            return false;
    return true;
}

/* ---- instructions ---- */

static bool has_register(const cases *s, hd_expr e) {
    return e < s->place_of.n && s->place_of.at[e].stamp == s->stamp;
}

static uint32_t register_of(const cases *s, hd_expr e) {
    HD_CHECK(has_register(s, e));
    return s->place_of.at[e].number;
}

static uint32_t new_register(cases *s, hd_expr e, uint64_t value, uint8_t level) {
    while (s->place_of.n <= e)
        hd_vec_push(&s->place_of, (place){0});
    s->place_of.at[e] = (place){s->stamp, (uint32_t)s->registers.n};
    hd_vec_push(&s->registers, value);
    hd_vec_push(&s->level_of, level);
    return (uint32_t)s->registers.n - 1;
}

static uint8_t level_of_variable(const cases *s, hd_var v) {
    uint32_t i = 0;
    while (i < s->n && s->order[i] != v)
        i++;
    HD_ASSERT(i < s->n); /* all variables of a task are in it */
    return (uint8_t)(i + 1);
}

static void add_leaf(cases *s, hd_expr e, const hd_node *n) {
    if (n->op == HD_OP_CONST)
        new_register(s, e, hd_expr_value(s->g, e), 0);
    else if (n->a == HD_UNDEFINED)
        new_register(s, e, HD_UNDEFINED_VALUE & hd_mask(n->width), 0);
    else {
        uint8_t level = level_of_variable(s, n->a);
        s->leaves[level - 1] = new_register(s, e, 0, level);
    }
}

/* The operands of an inner node; READ has its index and all elements. */
static uint32_t n_operands(const cases *s, const hd_node *n) {
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
    case HD_OP_VAR:
        return 0;
    case HD_OP_NOT:
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
    case HD_OP_EXTRACT:
        return 1;
    case HD_OP_ITE:
        return 3;
    case HD_OP_READ:
        return 1 + hd_table_size(s->g, n->a);
    default:
        return 2;
    }
}

static hd_expr operand(const cases *s, const hd_node *n, uint32_t i) {
    if (n->op == HD_OP_READ)
        return i == 0 ? n->b : hd_table_elements(s->g, n->a)[i - 1];
    return i == 0 ? n->a : i == 1 ? n->b : n->c;
}

static bool is_hard(const cases *s, const hd_node *n) {
    bool has_constant =
        n_operands(s, n) == 2 && (hd_expr_is_const(s->g, n->a) || hd_expr_is_const(s->g, n->b));
    return (n->op == HD_OP_MUL && !has_constant) || (n->op >= HD_OP_UDIV && n->op <= HD_OP_SREM);
}

static uint8_t level_of_operands(const cases *s, const hd_node *n) {
    uint8_t level = 0;
    for (uint32_t i = 0; i < n_operands(s, n); i++) {
        uint8_t other = s->level_of.at[register_of(s, operand(s, n, i))];
        level = other > level ? other : level;
    }
    return level;
}

static void set_operands(cases *s, const hd_node *n, instruction *x) {
    if (n->op == HD_OP_READ) {
        x->a = (uint32_t)s->elements.n;
        x->b = register_of(s, n->b);
        x->c = hd_table_size(s->g, n->a);
        for (uint32_t i = 0; i < x->c; i++)
            hd_vec_push(&s->elements, register_of(s, hd_table_elements(s->g, n->a)[i]));
        return;
    }
    uint32_t count = n_operands(s, n);
    x->from_width = (uint8_t)hd_expr_width(s->g, n->a);
    x->a = register_of(s, n->a);
    x->b = count > 1 ? register_of(s, n->b) : 0;
    x->c = count > 2 ? register_of(s, n->c) : 0;
    if (n->op == HD_OP_CONCAT)
        x->aux = (uint16_t)hd_expr_width(s->g, n->b);
}

static void add_instruction(cases *s, hd_expr e, const hd_node *n) {
    uint8_t level = level_of_operands(s, n);
    instruction x = {.op = n->op, .width = n->width, .aux = n->aux};
    set_operands(s, n, &x);
    x.result = new_register(s, e, 0, level);
    s->is_hard |= is_hard(s, n);
    s->n_instructions++;
    hd_vec_push(&s->levels[level], x);
}

/* Puts the operands that have no register on the stack; false if there are any. */
static bool are_operands_ready(cases *s, const hd_node *n) {
    bool ready = true;
    for (uint32_t i = 0; i < n_operands(s, n); i++)
        if (!has_register(s, operand(s, n, i))) {
            hd_vec_push(&s->todo, operand(s, n, i));
            ready = false;
        }
    return ready;
}

/* One node of the stack: it is done, or its operands come first. */
static bool add_top(cases *s) {
    hd_expr e = s->todo.at[s->todo.n - 1];
    const hd_node *n = hd_expr_node(s->g, e);
    if (n->op == HD_OP_READ && hd_table_size(s->g, n->a) > MAX_TABLE)
        return false;
    if (has_register(s, e)) {
        s->todo.n--;
        return true;
    }
    if (!are_operands_ready(s, n))
        return s->todo.n < MAX_INSTRUCTIONS;
    s->todo.n--;
    if (n_operands(s, n))
        add_instruction(s, e, n);
    else
        add_leaf(s, e, n);
    return true;
}

static bool add_constraint(cases *s, hd_expr e) {
    hd_vec_clear(&s->todo);
    hd_vec_push(&s->todo, e);
    while (s->todo.n)
        if (s->n_instructions > MAX_INSTRUCTIONS || !add_top(s))
            return false;
    uint8_t level = s->level_of.at[register_of(s, e)];
    hd_vec_push(&s->levels[level], ((instruction){.op = CHECK, .a = register_of(s, e)}));
    return true;
}

static void clear(cases *s) {
    if (++s->stamp == 0) {
        hd_vec_clear(&s->place_of);
        s->stamp = 1;
    }
    hd_vec_clear(&s->registers);
    hd_vec_clear(&s->level_of);
    hd_vec_clear(&s->elements);
    hd_vec_push(&s->registers, 0); /* of a variable that no constraint needs after all */
    hd_vec_push(&s->level_of, 0);
    memset(s->leaves, 0, sizeof s->leaves);
    for (int i = 0; i <= MAX_VARIABLES; i++)
        hd_vec_clear(&s->levels[i]);
    s->n_instructions = 0;
    s->is_hard = false;
}

/* The goal first: it fails most often.  False if there is too much of it. */
static bool compile(cases *s, const hd_task *t) {
    clear(s);
    if (!add_constraint(s, hd_task_goal(t)))
        return false;
    for (size_t i = 0; i + 1 < t->constraints.n; i++)
        if (!add_constraint(s, t->constraints.at[i]))
            return false;
    return true;
}

/* ---- cases ---- */

static uint64_t read_element(const cases *s, const instruction *x, const uint64_t *r) {
    return r[x->b] < x->c ? r[s->elements.at[x->a + r[x->b]]] : 0;
}

static uint64_t compute(const cases *s, const instruction *x, const uint64_t *r) {
    switch (x->op) {
    case HD_OP_NOT:
        return ~r[x->a] & hd_mask(x->width);
    case HD_OP_ZEXT:
    case HD_OP_EXTRACT:
        return r[x->a] >> x->aux & hd_mask(x->width);
    case HD_OP_SEXT:
        return (uint64_t)hd_signed(r[x->a], x->from_width) & hd_mask(x->width);
    case HD_OP_CONCAT:
        return r[x->a] << x->aux | r[x->b];
    case HD_OP_ITE:
        return r[x->a] ? r[x->b] : r[x->c];
    case HD_OP_READ:
        return read_element(s, x, r);
    default:
        return hd_op_apply((hd_op)x->op, x->from_width, r[x->a], r[x->b]);
    }
}

/* False if a constraint fails. */
static bool run_level(cases *s, uint32_t level) {
    uint64_t *r = s->registers.at;
    const instruction *x = s->levels[level].at, *end = x + s->levels[level].n;
    for (; x < end; x++) {
        s->budget--;
        if (x->op != CHECK)
            r[x->result] = compute(s, x, r);
        else if (!r[x->a])
            return false;
    }
    return true;
}

/* Values for the variables from number `at` on; false if there are none, or no budget is left. */
static bool search(cases *s, const hd_task *t, uint32_t at, hd_model *model) {
    if (at == s->n)
        return true;
    const hd_arc *arc = &s->arcs[at];
    hd_var v = s->order[at];
    uint64_t mask = hd_mask(hd_task_width(t, v));
    uint64_t *value = &s->registers.at[s->leaves[at]];
    for (uint64_t i = 0; i <= arc->span && s->budget > 0; i++) {
        *value = (arc->start + i) & mask;
        hd_model_set(model, v, *value);
        if (run_level(s, at + 1) && search(s, t, at + 1, model))
            return true;
    }
    return false;
}

static hd_verdict end_search(cases *s, const hd_task *t, bool found, const hd_model *model) {
    bool ended = found || s->budget > 0;
    s->luck += ended ? 2 : -1;
    s->luck = s->luck > 8 ? 8 : s->luck < -8 ? -8 : s->luck;
    HD_CHECK_INVARIANT(L1, !found || hd_task_holds(t, model));
    HD_CHECK_INVARIANT(G1, found || !ended || hd_task_has_no_model(t)); /* and so L2 */
    return found ? HD_SAT : ended ? HD_UNSAT : HD_UNKNOWN;
}

static bool applies(void *self, const hd_task *t) {
    (void)self;
    return t->vars.n && t->vars.n <= MAX_VARIABLES && !t->has_pointers;
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    cases *s = self;
    find_arcs(s, t);
    if (is_out_of_reach(s, t)) {
        HD_CHECK_INVARIANT(I2, hd_task_has_no_model(t));
        return HD_UNSAT;
    }
    if (!are_few(s) || !compile(s, t))
        return HD_UNKNOWN;
    s->budget = s->is_hard && s->luck > -8 ? BUDGET : SMALL_BUDGET;
    return end_search(s, t, run_level(s, 0) && search(s, t, 0, model), model);
}

const hd_layer_kind hd_layer_cases = {
    .new = cases_new, .free = cases_free, .forget = cases_forget, .applies = applies, .ask = ask};
