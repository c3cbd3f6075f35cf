/* Atoms (atoms.h).
 *
 * That equal inputs have equal remainders, and that equality is transitive, is said by lemmas,
 * which hold for all inputs; what else holds between atoms is not known here, and then a case may
 * fit that no inputs have. */
#include "solve/atoms.h"

#include "base/panic.h"
#include "solve/spread.h"

enum { MAX_DIVISOR = 256, MAX_NODES = 4000, MAX_LEMMAS = 64, MAX_FITTING = 16 };

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
           hd_expr_value(s->g, n->b) > 0 && hd_expr_value(s->g, n->b) <= MAX_DIVISOR;
}

static bool is_plain(const hd_atoms *s, hd_expr e) {
    return is_variable(s, e) || hd_expr_is_const(s->g, e);
}

static bool is_equality(const hd_atoms *s, const hd_node *n) {
    return n->op == HD_OP_EQ && is_plain(s, n->a) && is_plain(s, n->b);
}

static uint64_t n_values(const hd_atoms *s, hd_expr atom) {
    const hd_node *n = hd_expr_node(s->g, atom);
    return n->op == HD_OP_UREM ? hd_expr_value(s->g, n->b) : 2;
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

static bool find_atoms(hd_atoms *s, const hd_task *t) {
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
        if (is_remainder(s, n) || is_equality(s, n))
            add_atom(s, e);
        else
            push_operands(s, n);
    }
    return s->n && !s->too_many;
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
        if (n->op == HD_OP_UREM && n->a == x && n->b == divisor)
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
        if (n.op != HD_OP_UREM || n.a != x)
            continue;
        hd_expr other = hd_expr_is_const(s->g, y) ? hd_expr_binary(s->g, HD_OP_UREM, y, n.b)
                                                  : same_remainder(s, y, s->atoms[i]);
        if (other)
            add_lemma(s,
                      implies(s->g, equality, hd_expr_binary(s->g, HD_OP_EQ, s->atoms[i], other)));
    }
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

/* Remainders: the quotient stays, or becomes a number of the variable's own. */
static void set_remainders(const hd_atoms *s, const hd_task *t, bool keep, hd_model *model) {
    for (uint32_t i = 0; i < s->n; i++) {
        const hd_node *n = hd_expr_node(s->g, s->atoms[i]);
        if (n->op != HD_OP_UREM)
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
    if (!find_atoms(s, t))
        return HD_UNKNOWN;
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
