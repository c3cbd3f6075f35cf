/* aliases.c -- which pointers are equal: each case by itself.
 *
 * A load through a pointer that may share its object is a choice: p == q ? q's cell : p's own. What
 * the constraints say about p == q themselves has been put in (rewrite.c); where they leave it
 * open, solvers of bits compare addresses of 64 bits, of which each has ten values.  Here an
 * equality that is open is taken to hold, and not to hold, and is put in; mostly the other
 * constraints contradict it at once, because a list that is linked both ways leaves one place for
 * each node.  When no equality is open, what is left are comparisons of pointers alone (pointers.c)
 * and of numbers alone (order.c).
 *
 * F1. A case has no solution only if a constraint is false, equal pointers are to differ, or its
 *     numbers have no order: what values pointers may have (L4) is no part of a proof. */
#include "base/map.h"
#include "base/panic.h"
#include "solve/solve_int.h"

enum {
    MAX_DEPTH = 12, /* equalities in one case */
    MAX_CASES = 64,
    MAX_LOOK = 200, /* depth of an expression */
};

#define UNSEEN  0
#define NO_ATOM 1 /* which is no equality: ids of expressions that have inputs are greater */

typedef struct aliases {
    hd_graph *g;
    void *pointers, *order;
    hd_task cases[MAX_DEPTH + 1];
    hd_task plain, numbers; /* what is left of a case: about pointers, and about numbers */
    hd_model plain_model, numbers_model;
    hd_vec(hd_expr) atom_of; /* by expression: an equality of pointers in it */
    uint32_t budget;
} aliases;

static void *aliases_new(hd_graph *g) {
    aliases *s = hd_layer_memory(sizeof *s);
    s->g = g;
    s->pointers = hd_layer_pointers.new(g);
    s->order = hd_layer_order.new(g);
    return s;
}

static void aliases_forget(void *self) {
    aliases *s = self;
    hd_vec_clear(&s->atom_of);
    if (hd_layer_order.forget)
        hd_layer_order.forget(s->order);
}

static void release_task(hd_task *t) {
    hd_vec_release(&t->constraints);
    hd_vec_release(&t->vars);
    hd_vec_release(&t->ranges);
    hd_vec_release(&t->core);
}

static void aliases_free(void *self) {
    aliases *s = self;
    for (int i = 0; i <= MAX_DEPTH; i++)
        release_task(&s->cases[i]);
    release_task(&s->plain);
    release_task(&s->numbers);
    hd_model_release(&s->plain_model);
    hd_model_release(&s->numbers_model);
    hd_vec_release(&s->atom_of);
    hd_layer_pointers.free(s->pointers);
    hd_layer_order.free(s->order);
    free(s);
}

/* A task without constraints for the same question. */
static void begin_task(hd_task *to, const hd_task *from) {
    to->g = from->g;
    to->variables = from->variables;
    to->options = from->options;
    to->query = from->query;
    to->eval = from->eval;
    to->has_pointers = from->has_pointers;
    hd_vec_clear(&to->constraints);
}

/* ---- equalities that are open ---- */

static bool is_pointer(const hd_task *t, hd_expr e) {
    const hd_node *n = hd_expr_node(t->g, e);
    return n->op == HD_OP_VAR && n->a != HD_UNDEFINED && hd_task_is_pointer(t, n->a);
}

static bool is_equality(const hd_task *t, hd_expr e) {
    const hd_node *n = hd_expr_node(t->g, e);
    if (n->op != HD_OP_EQ)
        return false;
    bool a = is_pointer(t, n->a), b = is_pointer(t, n->b);
    return (a && (b || hd_expr_is_const(t->g, n->b))) || (b && hd_expr_is_const(t->g, n->a));
}

/* Is `e` said outright, so that it is put in everywhere? */
static bool is_fact(const hd_task *t, hd_expr e) {
    const hd_node *n = hd_expr_node(t->g, e);
    return is_equality(t, n->op == HD_OP_NOT ? n->a : e);
}

static hd_expr atom_in(aliases *s, const hd_task *t, hd_expr e, int depth);

static hd_expr look_for_atom(aliases *s, const hd_task *t, const hd_node *n, int depth) {
    hd_expr found = NO_ATOM;
    bool is_unary =
        n->op == HD_OP_NOT || n->op == HD_OP_ZEXT || n->op == HD_OP_SEXT || n->op == HD_OP_EXTRACT;
    if (n->op == HD_OP_CONST || n->op == HD_OP_VAR || n->op == HD_OP_READ)
        return NO_ATOM;
    found = atom_in(s, t, n->a, depth);
    if (found == NO_ATOM && !is_unary)
        found = atom_in(s, t, n->b, depth);
    if (found == NO_ATOM && n->op == HD_OP_ITE)
        found = atom_in(s, t, n->c, depth);
    return found;
}

static hd_expr atom_in(aliases *s, const hd_task *t, hd_expr e, int depth) {
    if (depth == 0)
        return NO_ATOM;
    if (is_equality(t, e))
        return e;
    while (s->atom_of.n <= e)
        hd_vec_push(&s->atom_of, UNSEEN);
    if (s->atom_of.at[e] == UNSEEN) {
        hd_expr found = look_for_atom(s, t, hd_expr_node(t->g, e), depth - 1);
        s->atom_of.at[e] = found;
    }
    return s->atom_of.at[e];
}

/* In the goal before the others: it is what contradicts. */
static hd_expr find_open(aliases *s, const hd_task *t) {
    for (size_t i = t->constraints.n; i-- > 0;) {
        hd_expr found = is_fact(t, t->constraints.at[i])
                            ? NO_ATOM
                            : atom_in(s, t, t->constraints.at[i], MAX_LOOK);
        if (found != NO_ATOM)
            return found;
    }
    return HD_NONE;
}

/* ---- a case ---- */

static bool has_false_constraint(const hd_task *t) {
    for (size_t i = 0; i < t->constraints.n; i++)
        if (hd_expr_is_const(t->g, t->constraints.at[i]) &&
            !hd_expr_value(t->g, t->constraints.at[i]))
            return true;
    return false;
}

static void part(aliases *s, const hd_task *t) {
    begin_task(&s->plain, t);
    begin_task(&s->numbers, t);
    for (size_t i = 0; i < t->constraints.n; i++) {
        hd_expr e = t->constraints.at[i];
        if (hd_task_mentions_pointer(t, e))
            hd_vec_push(&s->plain.constraints, e);
        else if (!hd_expr_is_const(t->g, e))
            hd_vec_push(&s->numbers.constraints, e);
    }
}

static hd_verdict solve_part(const hd_layer_kind *kind, void *self, hd_task *t, hd_model *model) {
    hd_vec_clear(&t->vars);
    hd_model_clear(model);
    if (!t->constraints.n)
        return HD_SAT;
    hd_task_gather(t, model);
    return hd_task_holds(t, model) ? HD_SAT : kind->ask(self, t, model);
}

static void take(const hd_task *from, const hd_model *values, hd_model *model) {
    for (size_t i = 0; i < from->vars.n; i++)
        hd_model_set(model, from->vars.at[i], hd_model_get(values, from->vars.at[i]));
}

/* The values of both parts, checked against the whole question. */
static bool put_together(const aliases *s, const hd_task *whole, hd_model *model) {
    for (size_t i = 0; i < whole->vars.n; i++)
        hd_model_set(model, whole->vars.at[i], hd_model_get(whole->query->hint, whole->vars.at[i]));
    take(&s->plain, &s->plain_model, model);
    take(&s->numbers, &s->numbers_model, model);
    return hd_task_holds(whole, model) && hd_pointers_are_allowed(whole, model);
}

static hd_verdict solve_closed(aliases *s, const hd_task *t, const hd_task *whole,
                               hd_model *model) {
    part(s, t);
    hd_verdict numbers = solve_part(&hd_layer_order, s->order, &s->numbers, &s->numbers_model);
    if (numbers != HD_SAT) /* F1 */
        return numbers;
    hd_verdict plain = solve_part(&hd_layer_pointers, s->pointers, &s->plain, &s->plain_model);
    return plain == HD_SAT && put_together(s, whole, model) ? HD_SAT : HD_UNKNOWN;
}

/* The equality comes first, so that the goal stays last. */
static void make_case(hd_task *to, const hd_task *from, hd_expr fact) {
    begin_task(to, from);
    hd_vec_push(&to->constraints, fact);
    for (size_t i = 0; i < from->constraints.n; i++)
        hd_vec_push(&to->constraints, from->constraints.at[i]);
    hd_rewrite_pointers(to);
    HD_INVARIANT(F1, to->constraints.n >= 1); /* the goal stays, whatever it has become */
}

static hd_verdict solve_case(aliases *s, uint32_t depth, const hd_task *whole, hd_model *model) {
    HD_ASSERT(depth <= MAX_DEPTH && s->budget <= MAX_CASES);
    hd_task *t = &s->cases[depth];
    if (has_false_constraint(t) || hd_pointers_contradict(s->pointers, t))
        return HD_UNSAT;
    hd_expr open = find_open(s, t);
    if (!open)
        return solve_closed(s, t, whole, model);
    if (depth == MAX_DEPTH || !s->budget)
        return HD_UNKNOWN;
    hd_verdict all = HD_UNSAT;
    for (int truth = 1; truth >= 0 && all != HD_SAT; truth--) {
        s->budget -= s->budget > 0;
        make_case(&s->cases[depth + 1], t, truth ? open : hd_expr_not(t->g, open));
        hd_verdict one = solve_case(s, depth + 1, whole, model);
        all = one == HD_UNSAT ? all : one;
    }
    return all;
}

static bool applies(void *self, const hd_task *t) {
    (void)self;
    return t->has_pointers;
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    aliases *s = self;
    hd_task *first = &s->cases[0];
    begin_task(first, t);
    for (size_t i = 0; i < t->constraints.n; i++)
        hd_vec_push(&first->constraints, t->constraints.at[i]);
    s->budget = MAX_CASES;
    return solve_case(s, 0, t, model);
}

const hd_layer_kind hd_layer_aliases = {.new = aliases_new,
                                        .free = aliases_free,
                                        .forget = aliases_forget,
                                        .applies = applies,
                                        .ask = ask};
