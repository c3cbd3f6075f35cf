/* Atoms (atoms.h).
 *
 * That equal inputs have equal remainders, and that equality is transitive, is said by lemmas,
 * which hold for all inputs; what else holds between atoms is not known here, and then a case may
 * fit that no inputs have. */
#include "solve/atoms.h"

#include "base/hash.h"
#include "base/panic.h"
#include "solve/spread.h"

enum {
    MAX_DIVISOR = 256,
    MAX_SINGLE = 1 << 18, /* values of one atom that is alone but for comparisons */
    MAX_NODES = 4000,
    MAX_LEMMAS = 64,
    MAX_FITTING = 16,
    MAX_INSIDE = 12,   /* depth of looking for atoms inside of atoms */
    WIDE_BUDGET = 4,   /* times that of remainders and equalities */
    MAX_TRIALS = 1000, /* values of an input for one case */
};

struct hd_atoms {
    hd_graph *g;
    hd_vec(uint32_t) seen; /* by expression: the last question that met it */
    uint32_t question, n_seen;
    hd_constraints todo, lemmas;
    hd_spread *spread;
    hd_constraints constraints; /* of the task, spread out */
    hd_expr atoms[HD_MAX_LEAVES];
    uint64_t values[HD_MAX_LEAVES];
    uint32_t n, n_fitting;
    bool too_many;
    bool is_wide; /* atoms are parts of any kind that depend on one input */
};

hd_atoms *hd_atoms_new(hd_graph *g) {
    hd_atoms *s = hd_layer_memory(sizeof *s);
    s->g = g;
    s->spread = hd_spread_new(g);
    return s;
}

void hd_atoms_forget(hd_atoms *s) {
    hd_spread_forget(s->spread);
    hd_vec_clear(&s->seen);
    s->question = 0;
}

void hd_atoms_free(hd_atoms *s) {
    hd_vec_release(&s->seen);
    hd_vec_release(&s->todo);
    hd_vec_release(&s->lemmas);
    hd_vec_release(&s->constraints);
    hd_spread_free(s->spread);
    free(s);
}

/* ---- which atoms ---- */

static bool is_variable(const hd_atoms *s, hd_expr e) {
    const hd_node *n = hd_expr_node(s->g, e);
    return n->op == HD_OP_VAR && n->a != HD_UNDEFINED;
}

static bool is_remainder(const hd_atoms *s, const hd_node *n) {
    return n->op == HD_OP_UREM && is_variable(s, n->a) && hd_expr_is_const(s->g, n->b) &&
           hd_expr_value(s->g, n->b) > 0;
}

static bool is_small_remainder(const hd_atoms *s, const hd_node *n) {
    return is_remainder(s, n) && hd_expr_value(s->g, n->b) <= MAX_DIVISOR;
}

static bool is_plain(const hd_atoms *s, hd_expr e) {
    return is_variable(s, e) || hd_expr_is_const(s->g, e);
}

static bool is_equality(const hd_atoms *s, const hd_node *n) {
    return (n->op == HD_OP_EQ || (s->is_wide && n->op > HD_OP_EQ && n->op <= HD_OP_SLE)) &&
           is_plain(s, n->a) && is_plain(s, n->b);
}

/* Of a remainder as many as it is divided by, which is less than its bits say. */
static uint64_t n_values(const hd_atoms *s, hd_expr atom) {
    const hd_node *n = hd_expr_node(s->g, atom);
    uint64_t by =
        n->op == HD_OP_UREM && hd_expr_is_const(s->g, n->b) ? hd_expr_value(s->g, n->b) : 0;
    return n->width == 1 ? 2 : by ? by : hd_expr_range(s->g, atom).most + 1;
}

/* Values that are few, of one input? */
static bool is_few(const hd_atoms *s, hd_expr e) {
    const hd_node *n = hd_expr_node(s->g, e);
    bool is_leaf = n->op == HD_OP_VAR || n->op == HD_OP_CONST;
    uint64_t many = is_remainder(s, n) ? MAX_SINGLE : MAX_DIVISOR;
    return !is_leaf && n->width > 1 && hd_expr_support(s->g, e)->n == 1 &&
           n_values(s, e) - 1 < many; /* all of 64 bits are 0 */
}

static bool has_few_inside(const hd_atoms *s, hd_expr e, int depth) {
    const hd_node *n = hd_expr_node(s->g, e);
    for (uint32_t i = hd_node_n_operands(s->g, n); i-- > 0 && depth > 0;) {
        hd_expr operand = hd_node_operand(s->g, n, i);
        if (is_few(s, operand) || has_few_inside(s, operand, depth - 1))
            return true;
    }
    return false;
}

static bool is_innermost(const hd_atoms *s, hd_expr e) {
    return s->is_wide && is_few(s, e) && !has_few_inside(s, e, MAX_INSIDE);
}

static void push(hd_atoms *s, hd_expr e) {
    while (s->seen.n <= e)
        hd_vec_push(&s->seen, 0);
    if (s->seen.at[e] == s->question)
        return;
    s->seen.at[e] = s->question;
    s->too_many |= ++s->n_seen > MAX_NODES;
    hd_vec_push(&s->todo, e);
}

static void push_operands(hd_atoms *s, const hd_node *n) {
    s->too_many |= n->op == HD_OP_VAR && n->a != HD_UNDEFINED; /* nothing hides it */
    for (uint32_t i = hd_node_n_operands(s->g, n); i-- > 0 && !s->too_many;)
        push(s, hd_node_operand(s->g, n, i));
}

static void add_atom(hd_atoms *s, hd_expr e) {
    if (s->n == HD_MAX_LEAVES)
        s->too_many = true;
    else
        s->atoms[s->n++] = e;
}

/* Many cases of one atom only. */
static bool are_few(const hd_atoms *s) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < s->n && n <= MAX_SINGLE; i++)
        n *= n_values(s, s->atoms[i]) > MAX_DIVISOR ? n_values(s, s->atoms[i]) : 1;
    return n <= MAX_SINGLE;
}

static bool find_atoms(hd_atoms *s, const hd_task *t, bool is_wide) {
    s->is_wide = is_wide;
    if (++s->question == 0)
        hd_atoms_forget(s), s->question = 1;
    s->n = s->n_seen = 0;
    s->too_many = false;
    hd_vec_clear(&s->todo);
    hd_vec_clear(&s->constraints);
    for (size_t i = 0; i < t->constraints.n; i++) {
        hd_vec_push(&s->constraints, hd_spread_of(s->spread, t->constraints.at[i]));
        push(s, s->constraints.at[i]);
    }
    while (s->todo.n && !s->too_many) {
        hd_expr e = s->todo.at[--s->todo.n];
        const hd_node *n = hd_expr_node(s->g, e);
        if (is_small_remainder(s, n) || is_equality(s, n) || is_innermost(s, e))
            add_atom(s, e);
        else
            push_operands(s, n);
    }
    return s->n && !s->too_many && are_few(s);
}

/* ---- what holds between them ---- */

static hd_expr implies(hd_graph *g, hd_expr a, hd_expr b) {
    return hd_expr_binary(g, HD_OP_OR, hd_expr_not(g, a), b);
}

static void add_lemma(hd_atoms *s, hd_expr e) {
    if (!hd_expr_is_const(s->g, e) && s->lemmas.n < MAX_LEMMAS)
        hd_vec_push(&s->lemmas, e);
}

/* The remainder of `x` by the divisor of the atom `like`, if that is an atom. */
static hd_expr same_remainder(const hd_atoms *s, hd_expr x, hd_expr like) {
    hd_expr divisor = hd_expr_node(s->g, like)->b;
    for (uint32_t i = 0; i < s->n; i++) {
        const hd_node *n = hd_expr_node(s->g, s->atoms[i]);
        if (is_remainder(s, n) && n->a == x && n->b == divisor)
            return s->atoms[i];
    }
    return HD_NONE;
}

static hd_expr equality_of(const hd_atoms *s, hd_expr x, hd_expr y) {
    for (uint32_t i = 0; i < s->n; i++) {
        const hd_node *n = hd_expr_node(s->g, s->atoms[i]);
        if (n->op == HD_OP_EQ && ((n->a == x && n->b == y) || (n->a == y && n->b == x)))
            return s->atoms[i];
    }
    return HD_NONE;
}

/* x == y: their remainders are equal. */
static void relate_remainders(hd_atoms *s, hd_expr equality, hd_expr x, hd_expr y) {
    for (uint32_t i = 0; i < s->n; i++) {
        hd_node n = *hd_expr_node(s->g, s->atoms[i]);
        if (!is_remainder(s, &n) || n.a != x)
            continue;
        hd_expr other = hd_expr_is_const(s->g, y) ? hd_expr_binary(s->g, HD_OP_UREM, y, n.b)
                                                  : same_remainder(s, y, s->atoms[i]);
        if (other)
            add_lemma(s,
                      implies(s->g, equality, hd_expr_binary(s->g, HD_OP_EQ, s->atoms[i], other)));
    }
}

/* Is `a`, with `x` in place of `y`, the expression `b`? */
static bool is_same_part(const hd_atoms *s, hd_expr a, hd_expr x, hd_expr b, hd_expr y, int depth) {
    const hd_node *n = hd_expr_node(s->g, a), *m = hd_expr_node(s->g, b);
    if (a == x || b == y)
        return a == x && b == y;
    if (a == b)
        return true;
    bool is_alike = depth > 0 && n->op == m->op && n->width == m->width && n->aux == m->aux &&
                    n->op != HD_OP_CONST && n->op != HD_OP_VAR && n->op != HD_OP_READ;
    for (uint32_t i = 0; is_alike && i < hd_node_n_operands(s->g, n); i++)
        is_alike = is_same_part(s, hd_node_operand(s->g, n, i), x, hd_node_operand(s->g, m, i), y,
                                depth - 1);
    return is_alike;
}

static bool is_part_of(const hd_atoms *s, hd_expr e, hd_expr variable) {
    const hd_support *support = hd_expr_support(s->g, e);
    return hd_expr_width(s->g, e) > 1 && !is_remainder(s, hd_expr_node(s->g, e)) &&
           support->n == 1 && support->v[0] == hd_expr_node(s->g, variable)->a;
}

/* x == y: what is computed of them in the same way is equal too. */
static void relate_parts(hd_atoms *s, hd_expr equality, hd_expr x, hd_expr y) {
    if (!is_variable(s, x) || !is_variable(s, y))
        return;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t k = 0; k < s->n; k++)
            if (is_part_of(s, s->atoms[i], x) && is_part_of(s, s->atoms[k], y) &&
                is_same_part(s, s->atoms[i], x, s->atoms[k], y, MAX_INSIDE))
                add_lemma(s, implies(s->g, equality,
                                     hd_expr_binary(s->g, HD_OP_EQ, s->atoms[i], s->atoms[k])));
}

/* x == y and y == z: x == z. */
static void relate_equalities(hd_atoms *s, hd_expr first, hd_expr second) {
    hd_node a = *hd_expr_node(s->g, first), b = *hd_expr_node(s->g, second);
    hd_expr shared = a.a == b.a || a.a == b.b ? a.a : a.b == b.a || a.b == b.b ? a.b : HD_NONE;
    if (!shared)
        return;
    hd_expr x = a.a == shared ? a.b : a.a, z = b.a == shared ? b.b : b.a;
    hd_expr third = hd_expr_is_const(s->g, x) && hd_expr_is_const(s->g, z)
                        ? hd_expr_binary(s->g, HD_OP_EQ, x, z)
                        : equality_of(s, x, z);
    if (third)
        add_lemma(s, implies(s->g, hd_expr_binary(s->g, HD_OP_AND, first, second), third));
}

static void make_lemmas(hd_atoms *s) {
    hd_vec_clear(&s->lemmas);
    for (uint32_t i = 0; i < s->n; i++) {
        if (hd_expr_node(s->g, s->atoms[i])->op != HD_OP_EQ)
            continue;
        hd_node n = *hd_expr_node(s->g, s->atoms[i]);
        relate_remainders(s, s->atoms[i], n.a, n.b);
        relate_remainders(s, s->atoms[i], n.b, n.a);
        relate_parts(s, s->atoms[i], n.a, n.b);
        for (uint32_t k = 0; k < i; k++)
            if (hd_expr_node(s->g, s->atoms[k])->op == HD_OP_EQ)
                relate_equalities(s, s->atoms[i], s->atoms[k]);
    }
}

static bool compile(hd_atoms *s, hd_straight *straight) {
    hd_straight_begin(straight);
    for (uint32_t i = 0; i < s->n; i++)
        hd_straight_leaf(straight, s->atoms[i]);
    for (size_t i = s->constraints.n; i-- > 0;)
        if (!hd_straight_add(straight, s->constraints.at[i]))
            return false;
    for (size_t i = 0; i < s->lemmas.n; i++)
        if (!hd_straight_add(straight, s->lemmas.at[i]))
            return false;
    return true;
}

/* ---- from a case to inputs ---- */

static bool is_only_about(const hd_atoms *s, hd_expr e, hd_var v) {
    const hd_support *support = hd_expr_support(s->g, e);
    return support->n == 1 && support->v[0] == v;
}

/* Do all atoms of this input alone have the values of the case? */
static bool fits_atoms(const hd_atoms *s, const hd_task *t, hd_var v, const hd_model *model) {
    hd_eval_begin(t->eval, model);
    for (uint32_t i = 0; i < s->n; i++)
        if (is_only_about(s, s->atoms[i], v) && hd_eval_value(t->eval, s->atoms[i]) != s->values[i])
            return false;
    return true;
}

/* An input by trying: its own value, numbers near it, then any. */
static void search_value(const hd_atoms *s, const hd_task *t, hd_var v, hd_model *model) {
    HD_ASSERT(s->is_wide);
    uint64_t old = hd_model_get(model, v), mask = hd_mask(hd_task_width(t, v)), random = v + 1;
    for (uint64_t i = 0; i < MAX_TRIALS && !fits_atoms(s, t, v, model); i++) {
        uint64_t next = i % 2 ? hd_random_next(&random) : old + i / 2;
        hd_model_set(model, v, next & mask);
    }
}

static void search_values(const hd_atoms *s, const hd_task *t, hd_model *model) {
    for (size_t i = 0; i < t->vars.n && s->is_wide; i++)
        search_value(s, t, t->vars.at[i], model);
}

/* Remainders: the quotient stays, or becomes a number of the variable's own. */
static void set_remainders(const hd_atoms *s, const hd_task *t, bool keep, hd_model *model) {
    for (uint32_t i = 0; i < s->n; i++) {
        const hd_node *n = hd_expr_node(s->g, s->atoms[i]);
        if (!is_remainder(s, n))
            continue;
        hd_var v = hd_expr_node(s->g, n->a)->a;
        uint64_t divisor = hd_expr_value(s->g, n->b), old = hd_model_get(t->query->hint, v);
        uint64_t value = (keep ? old - old % divisor : divisor * i) + s->values[i];
        hd_model_set(model, v, value & hd_mask(n->width));
    }
}

static void set_equal(const hd_atoms *s, hd_expr to, hd_expr from, hd_model *model) {
    if (is_variable(s, to))
        hd_model_set(model, hd_expr_node(s->g, to)->a,
                     hd_expr_is_const(s->g, from)
                         ? hd_expr_value(s->g, from)
                         : hd_model_get(model, hd_expr_node(s->g, from)->a));
}

/* In rounds, so that a value comes to all that are equal; a constant comes first. */
static void set_equalities(const hd_atoms *s, hd_model *model) {
    for (uint32_t round = 0; round < s->n; round++)
        for (uint32_t i = 0; i < s->n; i++) {
            const hd_node *n = hd_expr_node(s->g, s->atoms[i]);
            if (n->op == HD_OP_EQ && s->values[i])
                set_equal(s, is_variable(s, n->b) ? n->b : n->a, is_variable(s, n->b) ? n->a : n->b,
                          model);
        }
}

static bool make_inputs(const hd_atoms *s, const hd_task *t, hd_model *model) {
    for (int keep = 1; keep >= 0; keep--) {
        for (size_t i = 0; i < t->vars.n; i++)
            hd_model_set(model, t->vars.at[i], hd_model_get(t->query->hint, t->vars.at[i]));
        set_remainders(s, t, keep, model);
        search_values(s, t, model);
        set_equalities(s, model);
        if (hd_task_holds(t, model))
            return true;
    }
    return false;
}

static bool search(hd_atoms *s, hd_straight *straight, const hd_task *t, uint32_t at,
                   int64_t *budget, hd_model *model) {
    if (at == s->n) {
        s->n_fitting++;
        return make_inputs(s, t, model);
    }
    for (uint64_t value = 0; value < n_values(s, s->atoms[at]); value++) {
        if (*budget <= 0 || s->n_fitting >= MAX_FITTING)
            return false;
        s->values[at] = value;
        hd_straight_set(straight, at, value);
        if (hd_straight_run(straight, at + 1, budget) &&
            search(s, straight, t, at + 1, budget, model))
            return true;
    }
    return false;
}

hd_verdict hd_atoms_try(hd_atoms *s, hd_straight *straight, hd_task *t, int64_t *budget,
                        hd_model *model) {
    if (!find_atoms(s, t, false)) {
        if (t->n_narrow || !find_atoms(s, t, true)) /* bytes have few values anyway */
            return HD_UNKNOWN;
        *budget *= WIDE_BUDGET;
    }
    make_lemmas(s);
    if (!compile(s, straight))
        return HD_UNKNOWN;
    s->n_fitting = 0;
    if (hd_straight_run(straight, 0, budget) && search(s, straight, t, 0, budget, model)) {
        HD_CHECK_INVARIANT(D2, hd_task_holds(t, model));
        return HD_SAT;
    }
    bool is_proved = *budget > 0 && !s->n_fitting;
    HD_CHECK_INVARIANT(D1, !is_proved || hd_task_has_no_model(t));
    return is_proved ? HD_UNSAT : HD_UNKNOWN;
}
