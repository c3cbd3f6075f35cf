/* rewrite.c -- what the constraints say about pointers, put into each other.
 *
 * A load through an input pointer is a choice over the objects that it may share
 * (machine/values/alias.c), so constraints are full of "p == q ? ... : ...".  Most of these p == q
 * are constraints themselves, or their negations are: putting in what they must be leaves
 * the plain comparisons that the cheap layers understand.  Of equal pointers only one is left
 * (NULL, or the one that was first).  The conjunction stays the same: the facts themselves
 * are never rewritten. */
#include "solve/solve_int.h"

#include "base/map.h"
#include "base/panic.h"

enum {
    MAX_ROUNDS = 6,    /* what is put in may lay open more */
    MAX_DEPTH = 1000,  /* deeper expressions stay as they are */
    MAX_NODES = 20000, /* built in one round */
};

typedef struct rewriting {
    hd_task *t;
    hd_map same;  /* by pointer variable: another expression that is equal to it */
    hd_map known; /* equalities of what is left of equal pointers: 0 or 1 */
    hd_map done;  /* rewritten form by expression */
    uint32_t left;
} rewriting;

/* Is `e` p == q, or p == constant, for a pointer p?  Only such facts are put in. */
static bool is_pointer_equality(const hd_task *t, hd_expr e) {
    const hd_node *n = hd_expr_node(t->g, e);
    if (n->op != HD_OP_EQ)
        return false;
    const hd_node *a = hd_expr_node(t->g, n->a), *b = hd_expr_node(t->g, n->b);
    bool a_is = a->op == HD_OP_VAR && hd_task_is_pointer(t, a->a);
    bool b_is = b->op == HD_OP_VAR && hd_task_is_pointer(t, b->a);
    return (a_is && (b_is || b->op == HD_OP_CONST)) || (b_is && a->op == HD_OP_CONST);
}

/* The equality that `constraint` fixes, and how; HD_NONE if it is no such fact. */
static hd_expr fact_of(const hd_task *t, hd_expr constraint, bool *value) {
    const hd_node *n = hd_expr_node(t->g, constraint);
    *value = n->op != HD_OP_NOT;
    hd_expr e = *value ? constraint : n->a;
    return is_pointer_equality(t, e) ? e : HD_NONE;
}

/* The one of its equals that is left. */
static hd_expr chosen(const rewriting *r, hd_expr e) {
    const uint64_t *other;
    while ((other = hd_map_find(&r->same, e)))
        e = (hd_expr)*other;
    return e;
}

static bool is_constant(const rewriting *r, hd_expr e) {
    return hd_expr_is_const(r->t->g, e);
}

static void merge(rewriting *r, hd_expr a, hd_expr b) {
    a = chosen(r, a);
    b = chosen(r, b);
    if (a == b || (is_constant(r, a) && is_constant(r, b)))
        return;
    HD_ASSERT(hd_expr_width(r->t->g, a) == hd_expr_width(r->t->g, b));
    bool keeps_a = is_constant(r, a) || (!is_constant(r, b) && a < b);
    hd_map_put(&r->same, keeps_a ? b : a, keeps_a ? a : b);
}

static void learn_facts(rewriting *r, bool equal) {
    for (size_t i = 0; i < r->t->constraints.n; i++) {
        bool value;
        hd_expr e = fact_of(r->t, r->t->constraints.at[i], &value);
        if (!e || value != equal)
            continue;
        const hd_node n = *hd_expr_node(r->t->g, e);
        if (equal)
            merge(r, n.a, n.b);
        else
            hd_map_put(&r->known, hd_expr_binary(r->t->g, HD_OP_EQ, chosen(r, n.a), chosen(r, n.b)),
                       0);
    }
}

static hd_expr rewritten(rewriting *r, hd_expr e, uint32_t depth);

static hd_expr rebuilt(rewriting *r, const hd_node *n, hd_expr e, uint32_t depth) {
    hd_graph *g = r->t->g;
    hd_expr a = n->op == HD_OP_READ ? n->a : rewritten(r, n->a, depth);
    switch (n->op) {
    case HD_OP_NOT:
        return hd_expr_not(g, a);
    case HD_OP_ZEXT:
        return hd_expr_zext(g, a, n->width);
    case HD_OP_SEXT:
        return hd_expr_sext(g, a, n->width);
    case HD_OP_EXTRACT:
        return hd_expr_extract(g, a, n->aux, n->width);
    case HD_OP_CONCAT:
        return hd_expr_concat(g, a, rewritten(r, n->b, depth));
    case HD_OP_ITE: {
        if (hd_expr_is_const(g, a))
            return rewritten(r, hd_expr_value(g, a) ? n->b : n->c, depth);
        hd_expr yes = rewritten(r, n->b, depth), no = rewritten(r, n->c, depth);
        return hd_expr_ite(g, a, yes, no);
    }
    case HD_OP_READ:
        return e;
    default:
        return hd_expr_binary(g, (hd_op)n->op, a, rewritten(r, n->b, depth));
    }
}

static hd_expr rewritten(rewriting *r, hd_expr e, uint32_t depth) {
    const hd_node n = *hd_expr_node(r->t->g, e);
    if (n.op == HD_OP_VAR)
        return chosen(r, e);
    if (n.op == HD_OP_CONST || !hd_task_mentions_pointer(r->t, e))
        return e;
    const uint64_t *done = hd_map_find(&r->done, e);
    if (done)
        return (hd_expr)*done;
    if (depth == MAX_DEPTH || r->left == 0)
        return e;
    HD_ASSERT(depth < MAX_DEPTH && r->left <= MAX_NODES);
    r->left--;
    hd_expr result = rebuilt(r, &n, e, depth + 1);
    const uint64_t *known = hd_map_find(&r->known, result);
    if (known)
        result = hd_expr_const(r->t->g, 1, *known);
    HD_ASSERT(hd_expr_width(r->t->g, result) == n.width);
    hd_map_put(&r->done, e, result);
    return result;
}

/* One constraint, except a fact: that is what the others are rewritten with. */
static bool rewrite_constraint(rewriting *r, size_t i) {
    hd_expr *constraint = &r->t->constraints.at[i];
    bool value;
    if (fact_of(r->t, *constraint, &value) || !hd_task_mentions_pointer(r->t, *constraint))
        return false;
    hd_expr result = rewritten(r, *constraint, 0);
    HD_ASSERT(hd_expr_width(r->t->g, result) == 1);
    bool has_changed = result != *constraint;
    *constraint = result;
    return has_changed;
}

/* True constraints go; the goal stays last, whatever it has become. */
static void drop_trivial(hd_task *t) {
    size_t n = 0;
    for (size_t i = 0; i < t->constraints.n; i++) {
        hd_expr e = t->constraints.at[i];
        bool is_true = hd_expr_is_const(t->g, e) && hd_expr_value(t->g, e);
        if (!is_true || i + 1 == t->constraints.n)
            t->constraints.at[n++] = e;
    }
    HD_ASSERT(n >= 1 && n <= t->constraints.n);
    t->constraints.n = n;
}

/* What was rewritten mentions objects no more that pointers could have pointed to: it stays as it
 * was. */
static bool take_back_losses(hd_task *t, hd_constraints *before) {
    bool loses = hd_pointers_lose_objects(t, before);
    if (loses) {
        hd_constraints rewritten = t->constraints;
        t->constraints = *before;
        *before = rewritten;
    }
    return loses;
}

bool hd_rewrite_pointers(hd_task *t) {
    rewriting r = {.t = t};
    bool has_changed = false, goes_on = true;
    hd_constraints before = {0};
    for (size_t i = 0; i < t->constraints.n; i++)
        hd_vec_push(&before, t->constraints.at[i]);
    for (int round = 0; round < MAX_ROUNDS && goes_on; round++) {
        hd_map_clear(&r.same);
        hd_map_clear(&r.known);
        hd_map_clear(&r.done);
        learn_facts(&r, true);
        learn_facts(&r, false);
        r.left = MAX_NODES;
        goes_on = false;
        for (size_t i = 0; i < t->constraints.n; i++)
            goes_on |= rewrite_constraint(&r, i);
        has_changed |= goes_on;
    }
    hd_map_release(&r.same);
    hd_map_release(&r.known);
    hd_map_release(&r.done);
    has_changed = has_changed && !take_back_losses(t, &before);
    if (has_changed)
        drop_trivial(t);
    hd_vec_release(&before);
    return has_changed;
}
