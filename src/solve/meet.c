/* meet.c -- a hash that must be one number: from both ends, until they meet.
 *
 * h = (h ^ byte) * prime, over and over, and the last h is given.  Exclusive or, sums and products
 * with odd numbers can be undone, so that the equation says what must have been before the last
 * bytes, for each value of these; and what comes of the first bytes can be computed, for each value
 * of those.  Where the two agree is a solution, and if they agree nowhere there is none: for n
 * bytes that is about 256^(n/2) steps instead of 256^n.  The byte between the two costs nothing
 * where it is only part of an exclusive or: all bits that it cannot change must agree, the others
 * say which it is.
 *
 *     ((((h0 ^ a) * p ^ b) * p ^ c) * p ^ d) * p == target
 *      `----- computed ------'  |   `---- undone -----'
 *                             between
 *
 * This is the attack on two rounds of encryption by Diffie and Hellman, on an expression.
 *
 * J1. Every solution of the equation is among those that are compared: steps are undone exactly,
 *     modulo a power of two, and variables have all values that constraints on them alone allow. */
#include "base/panic.h"
#include "solve/solve_int.h"
#include "solve/straight.h"

#include <string.h>

enum {
    MIN_VARIABLES = 3,
    MAX_STEPS = 128,
    MAX_COMPUTED = 1 << 17, /* entries of the table */
    MAX_UNDONE = 1 << 25,
    N_SLOTS = 1 << 18,
};

/* From an operation to the operand that has the rest of the inputs. */
typedef struct step {
    uint8_t op;
    bool is_second; /* the rest is the second operand */
    hd_expr other;  /* operand */
    int position;   /* of its variable; -1: it is constant */
    uint64_t constant;
    uint64_t by_value[256]; /* the other operand, for values of its variable */
} step;

/* One entry of the table of computed values; a list for each slot. */
typedef struct computed_value {
    uint64_t value;
    uint32_t next; /* 1 + number of another one in the slot */
} computed_value;

typedef struct meet {
    hd_straight *straight;
    hd_model one;
    uint32_t n;                          /* variables */
    uint8_t allowed[HD_MAX_LEAVES][256]; /* by position in the task's variables: its values */
    uint32_t n_allowed[HD_MAX_LEAVES];
    step steps[MAX_STEPS];
    hd_expr rest[MAX_STEPS + 1]; /* the expression before each step */
    uint32_t n_steps;
    uint64_t target, bits; /* of the equation: a mask of its lowest bits */

    uint32_t cut;       /* steps that are undone; the next one is between */
    uint64_t free_bits; /* that the step between can change */
    uint32_t computed[HD_MAX_LEAVES], n_computed; /* positions */
    uint64_t chosen[HD_MAX_LEAVES];
    hd_vec(computed_value) entries;
    uint32_t *slots;
    int64_t budget;
} meet;

static void *meet_new(hd_graph *g) {
    meet *s = hd_layer_memory(sizeof *s);
    s->straight = hd_straight_new(g);
    return s;
}

static void meet_forget(void *self) {
    hd_straight_forget(((meet *)self)->straight);
}

static void meet_free(void *self) {
    meet *s = self;
    hd_straight_free(s->straight);
    hd_model_release(&s->one);
    hd_vec_release(&s->entries);
    free(s->slots);
    free(s);
}

/* ---- values of single variables ---- */

static int position_of(const hd_task *t, hd_var v) {
    for (size_t i = 0; i < t->vars.n; i++)
        if (t->vars.at[i] == v)
            return (int)i;
    return -1;
}

static uint64_t value_with(meet *s, const hd_task *t, hd_expr e, hd_var v, uint64_t value) {
    hd_model_clear(&s->one);
    hd_model_set(&s->one, v, value);
    hd_eval_begin(t->eval, &s->one);
    return hd_eval_value(t->eval, e);
}

static bool is_allowed(meet *s, const hd_task *t, hd_var v, uint64_t value) {
    for (size_t i = 0; i < t->constraints.n; i++) {
        const hd_support *support = hd_expr_support(t->g, t->constraints.at[i]);
        if (support->n == 1 && support->v[0] == v &&
            !value_with(s, t, t->constraints.at[i], v, value))
            return false;
    }
    return true;
}

static void find_allowed(meet *s, const hd_task *t) {
    s->n = (uint32_t)t->vars.n;
    for (uint32_t i = 0; i < s->n; i++) {
        s->n_allowed[i] = 0;
        for (uint64_t value = 0; value >> hd_task_width(t, t->vars.at[i]) == 0; value++)
            if (is_allowed(s, t, t->vars.at[i], value))
                s->allowed[i][s->n_allowed[i]++] = (uint8_t)value;
    }
}

/* ---- the equation as steps ---- */

static bool are_apart(const hd_support *a, const hd_support *b) {
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t k = 0; k < b->n; k++)
            if (a->v[i] == b->v[k])
                return false;
    return true;
}

/* Can the operation be undone when the other operand is known?  A product needs an odd one. */
static bool can_be_undone(const hd_graph *g, const hd_node *n, hd_expr other) {
    switch (n->op) {
    case HD_OP_ADD:
    case HD_OP_SUB:
    case HD_OP_XOR:
        return true;
    case HD_OP_MUL:
        return hd_expr_is_const(g, other) && (hd_expr_value(g, other) & 1);
    default:
        return false;
    }
}

static void fill_step(meet *s, const hd_task *t, step *x) {
    if (x->position < 0) {
        x->constant = value_with(s, t, x->other, t->vars.at[0], 0);
        return;
    }
    for (uint32_t i = 0; i < s->n_allowed[x->position]; i++) {
        uint8_t value = s->allowed[x->position][i];
        x->by_value[value] = value_with(s, t, x->other, t->vars.at[x->position], value);
    }
}

/* One more step; false if the operation cannot be undone. */
static bool add_step(meet *s, const hd_task *t, const hd_node *n) {
    if (n->op < HD_OP_ADD || n->op > HD_OP_ASHR)
        return false;
    const hd_support *a = hd_expr_support(t->g, n->a), *b = hd_expr_support(t->g, n->b);
    bool is_second = b->n > a->n;
    hd_expr other = is_second ? n->a : n->b;
    const hd_support *of_other = is_second ? a : b;
    if (s->n_steps == MAX_STEPS || of_other->n > 1 || !are_apart(a, b) ||
        !can_be_undone(t->g, n, other))
        return false;
    step *x = &s->steps[s->n_steps++];
    x->op = n->op;
    x->is_second = is_second;
    x->other = other;
    x->position = of_other->n ? position_of(t, of_other->v[0]) : -1;
    s->rest[s->n_steps] = is_second ? n->b : n->a;
    return true;
}

/* Only the lowest bits of the left side are asked for. */
static hd_expr take_low_bits(meet *s, const hd_graph *g, hd_expr e) {
    const hd_node *n = hd_expr_node(g, e);
    uint64_t mask = hd_mask(n->width);
    if (n->op == HD_OP_EXTRACT && n->aux == 0)
        e = n->a;
    else if (n->op == HD_OP_AND && hd_expr_is_const(g, n->b))
        e = n->a, mask = hd_expr_value(g, n->b);
    s->bits = mask;
    return e;
}

/* Is there a step that can be the one between?  Most sums that are compared have none, and trying
 * all values of their inputs would be in vain. */
static bool has_between(const meet *s) {
    for (uint32_t i = 0; i < s->n_steps; i++)
        if (s->steps[i].op == HD_OP_XOR && s->steps[i].position >= 0)
            return true;
    return false;
}

static bool find_steps(meet *s, const hd_task *t, hd_expr e) {
    const hd_node *n = hd_expr_node(t->g, e);
    if (n->op != HD_OP_EQ || hd_expr_is_const(t->g, n->a) == hd_expr_is_const(t->g, n->b))
        return false;
    bool is_left = hd_expr_is_const(t->g, n->a);
    s->target = hd_expr_value(t->g, is_left ? n->a : n->b);
    s->n_steps = 0;
    s->rest[0] = take_low_bits(s, t->g, is_left ? n->b : n->a);
    if ((s->bits & (s->bits + 1)) || (s->target & ~s->bits) ||
        hd_expr_support(t->g, e)->n < MIN_VARIABLES)
        return false;
    while (add_step(s, t, hd_expr_node(t->g, s->rest[s->n_steps])))
        ;
    return has_between(s);
}

static void fill_steps(meet *s, const hd_task *t) {
    if (!s->n)
        find_allowed(s, t);
    for (uint32_t i = 0; i < s->n_steps; i++)
        fill_step(s, t, &s->steps[i]);
}

/* ---- where to cut ---- */

static double n_combinations(const meet *s, const hd_task *t, hd_expr e) {
    const hd_support *support = hd_expr_support(t->g, e);
    double n = 1;
    for (uint32_t i = 0; i < support->n; i++)
        n *= s->n_allowed[position_of(t, support->v[i])];
    return n;
}

/* Bits that the other operand of an exclusive or can change; 0 if it is something else. */
static uint64_t changed_by(const meet *s, const step *x) {
    uint64_t any = 0;
    if (x->op != HD_OP_XOR || x->position < 0)
        return 0;
    for (uint32_t i = 0; i < s->n_allowed[x->position]; i++)
        any |= x->by_value[s->allowed[x->position][i]];
    return any;
}

/* The cut for which both sides are least; false if there is none that is small enough. */
static bool find_cut(meet *s, const hd_task *t) {
    double best = 0, undone = 1;
    for (uint32_t i = 0; i < s->n_steps; i++) {
        const step *x = &s->steps[i];
        double computed = n_combinations(s, t, s->rest[i + 1]);
        if (changed_by(s, x) && computed <= MAX_COMPUTED && undone <= MAX_UNDONE &&
            (best == 0 || computed + undone < best)) {
            best = computed + undone;
            s->cut = i;
        }
        undone *= x->position < 0 ? 1 : s->n_allowed[x->position];
    }
    s->free_bits =
        best > 0 ? hd_mask(64 - (unsigned)__builtin_clzll(changed_by(s, &s->steps[s->cut]))) : 0;
    return best > 0;
}

/* ---- what is computed ---- */

static uint32_t slot_of(const meet *s, uint64_t value) {
    uint64_t key = value & s->bits & ~s->free_bits;
    return (uint32_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> 40) % N_SLOTS;
}

/* Entries stand in the order of the values of their variables, which their number tells. */
static bool compute_from(meet *s, const hd_task *t, uint32_t at, int64_t *budget) {
    if (at == s->n_computed) {
        uint64_t value = hd_straight_value(s->straight, s->rest[s->cut + 1]) & s->bits;
        uint32_t *slot = &s->slots[slot_of(s, value)];
        hd_vec_push(&s->entries, ((computed_value){value, *slot}));
        *slot = (uint32_t)s->entries.n;
        return true;
    }
    uint32_t position = s->computed[at];
    for (uint32_t i = 0; i < s->n_allowed[position]; i++) {
        hd_straight_set(s->straight, at, s->allowed[position][i]);
        hd_straight_run(s->straight, at + 1, budget);
        compute_from(s, t, at + 1, budget);
    }
    return true;
}

static bool compute_all(meet *s, const hd_task *t) {
    hd_expr e = s->rest[s->cut + 1];
    const hd_support *support = hd_expr_support(t->g, e);
    int64_t budget = 0;
    hd_straight_begin(s->straight);
    s->n_computed = support->n;
    for (uint32_t i = 0; i < support->n; i++) {
        s->computed[i] = (uint32_t)position_of(t, support->v[i]);
        hd_straight_leaf(s->straight,
                         hd_expr_var(t->g, support->v[i], hd_task_width(t, support->v[i])));
    }
    if (!hd_straight_compute(s->straight, e))
        return false;
    if (!s->slots)
        s->slots = hd_layer_memory(N_SLOTS * sizeof *s->slots);
    memset(s->slots, 0, N_SLOTS * sizeof *s->slots);
    hd_vec_clear(&s->entries);
    hd_straight_run(s->straight, 0, &budget);
    return compute_from(s, t, 0, &budget);
}

/* The values that entry `number` was computed from. */
static void choose_entry(meet *s, uint32_t number) {
    for (uint32_t i = s->n_computed; i-- > 0;) {
        uint32_t position = s->computed[i];
        s->chosen[position] = s->allowed[position][number % s->n_allowed[position]];
        number /= s->n_allowed[position];
    }
}

/* ---- what is undone ---- */

static uint64_t inverse_of_odd(uint64_t x) {
    uint64_t y = x; /* right in the lowest three bits; each step doubles that */
    for (int i = 0; i < 5; i++)
        y *= 2 - x * y;
    HD_ASSERT(x * y == 1);
    return y;
}

/* What the rest was when `x` gave `value`. */
static uint64_t undone(const step *x, uint64_t value, uint64_t other) {
    switch (x->op) {
    case HD_OP_ADD:
        return value - other;
    case HD_OP_SUB:
        return x->is_second ? other - value : value + other;
    case HD_OP_XOR:
        return value ^ other;
    default:
        return value * other; /* which has been inverted */
    }
}

static bool is_solution(meet *s, const hd_task *t, hd_model *model) {
    for (uint32_t i = 0; i < s->n; i++)
        hd_model_set(model, t->vars.at[i], s->chosen[i]);
    s->budget -= 100;
    return hd_task_holds(t, model);
}

/* Entries that differ from `value` only in what the step between can change. */
static bool meet_at(meet *s, const hd_task *t, uint64_t value, hd_model *model) {
    const step *x = &s->steps[s->cut];
    for (uint32_t k = s->slots[slot_of(s, value)]; k; k = s->entries.at[k - 1].next) {
        uint64_t difference = (s->entries.at[k - 1].value ^ value) & s->bits;
        if (difference & ~s->free_bits)
            continue;
        for (uint32_t i = 0; i < s->n_allowed[x->position]; i++) {
            uint8_t between = s->allowed[x->position][i];
            if ((x->by_value[between] & s->bits) != difference)
                continue;
            choose_entry(s, k - 1);
            s->chosen[x->position] = between;
            if (is_solution(s, t, model))
                return true;
        }
    }
    return false;
}

static bool undo_from(meet *s, const hd_task *t, uint32_t at, uint64_t value, hd_model *model) {
    if (at == s->cut) {
        s->budget--;
        return meet_at(s, t, value, model);
    }
    const step *x = &s->steps[at];
    if (x->position < 0)
        return undo_from(s, t, at + 1, undone(x, value, x->constant), model);
    for (uint32_t i = 0; i < s->n_allowed[x->position] && s->budget > 0; i++) {
        uint8_t chosen = s->allowed[x->position][i];
        s->chosen[x->position] = chosen;
        if (undo_from(s, t, at + 1, undone(x, value, x->by_value[chosen]), model))
            return true;
    }
    return false;
}

/* Variables outside of the equation are not tried: what they do is not known then. */
static bool has_others(const meet *s, const hd_task *t) {
    return hd_expr_support(t->g, s->rest[0])->n != t->vars.n;
}

static hd_verdict solve(meet *s, const hd_task *t, hd_model *model) {
    for (uint32_t i = 0; i < s->n_steps; i++)
        if (s->steps[i].op == HD_OP_MUL)
            s->steps[i].constant = inverse_of_odd(s->steps[i].constant);
    for (uint32_t i = 0; i < s->n; i++)
        s->chosen[i] = hd_model_get(t->query->hint, t->vars.at[i]);
    s->budget = 2 * (int64_t)MAX_UNDONE;
    if (undo_from(s, t, 0, s->target, model))
        return HD_SAT;
    bool is_proved = s->budget > 0 && !has_others(s, t);
    HD_CHECK_INVARIANT(J1, !is_proved || hd_task_has_no_model(t));
    return is_proved ? HD_UNSAT : HD_UNKNOWN;
}

static bool applies(void *self, const hd_task *t) {
    (void)self;
    return t->vars.n >= MIN_VARIABLES && t->vars.n <= HD_MAX_LEAVES && t->n_narrow == t->vars.n;
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    meet *s = self;
    bool is_found = false;
    s->n = 0;
    for (size_t i = t->constraints.n; i-- > 0 && !is_found;) {
        if (hd_expr_support(t->g, t->constraints.at[i])->n < MIN_VARIABLES)
            continue;
        is_found = find_steps(s, t, t->constraints.at[i]);
        if (is_found)
            fill_steps(s, t);
        is_found = is_found && find_cut(s, t);
    }
    return is_found && compute_all(s, t) ? solve(s, t, model) : HD_UNKNOWN;
}

const hd_layer_kind hd_layer_meet = {
    .new = meet_new, .free = meet_free, .forget = meet_forget, .applies = applies, .ask = ask};
