/* order.c -- comparisons between inputs: a graph of differences.
 *
 * Sorting and search trees compare whole integers with each other and with constants.  Read as
 * numbers, such constraints are differences x - y <= c; their closure (all shortest paths)
 * has a negative cycle exactly when they contradict each other, and otherwise every variable
 * can have any value between its bounds, one variable after the other.  x != y tightens a bound
 * that it touches, and is else avoided when values are chosen.
 *
 * Each variable is read as signed or as unsigned, whichever its first comparison says.  What
 * cannot be expressed that way (the other signedness, arithmetic that may wrap around, other
 * shapes) is left out.  Leaving out is sound: a contradiction among the rest is one of the
 * whole, and values are believed only after evaluation of everything. */
#include "solve/solve_int.h"

#include "base/panic.h"

#include <string.h>

enum {
    MAX_NODES = 40,        /* variables and the number zero, which is node 0 */
    MAX_TIGHTENINGS = 300, /* of bounds by != */
    MAX_RETRIES = 12,      /* choices of values for one query */
    GAP = 16,              /* room left beside a chosen value, for later comparisons */
};

typedef __int128 number; /* holds differences of 64-bit values of either sign */

typedef enum view { ANY_VIEW, SIGNED_VIEW, UNSIGNED_VIEW } view;

/* One side of a comparison: a constant, or a variable plus a constant. */
typedef struct term {
    bool is_constant, is_zext, is_sext;
    uint8_t width; /* of the comparison */
    hd_var v;
    uint64_t constant;
} term;

typedef struct comparison {
    hd_op op; /* EQ, ULT (less), ULE (less or equal), or NOT for "different" */
    view view;
    term a, b;
} comparison;

/* value(x) - value(y) != c */
typedef struct difference {
    uint32_t x, y;
    number c;
} difference;

typedef struct order {
    hd_vec(comparison) comparisons;
    hd_vec(difference) different;
    uint32_t n; /* nodes */
    hd_var var_of[MAX_NODES];
    view view_of[MAX_NODES];
    uint8_t width_of[MAX_NODES];
    number limit[MAX_NODES][MAX_NODES]; /* value(i) - value(j) is at most this */
    number value[MAX_NODES];
    bool is_set[MAX_NODES];
    number highest[MAX_NODES], lowest[MAX_NODES]; /* bounds before any value was chosen */
    const difference *obstacle;                   /* what the last failed choice ran into */
} order;

static void *order_new(hd_graph *g) {
    (void)g;
    return hd_layer_memory(sizeof(order));
}

static void order_free(void *self) {
    order *o = self;
    hd_vec_release(&o->comparisons);
    hd_vec_release(&o->different);
    free(o);
}

static bool read_sum(const hd_graph *g, const hd_node *n, term *t) {
    bool right = hd_expr_is_const(g, n->b);
    hd_expr constant = right ? n->b : n->a;
    const hd_node *other = hd_expr_node(g, right ? n->a : n->b);
    if (other->op != HD_OP_VAR || !hd_expr_is_const(g, constant))
        return false;
    t->v = other->a;
    t->constant = hd_expr_value(g, constant);
    return true;
}

static bool read_term(const hd_graph *g, hd_expr e, term *t) {
    const hd_node *n = hd_expr_node(g, e);
    *t = (term){.width = n->width};
    if (n->op == HD_OP_CONST) {
        t->is_constant = true;
        t->constant = hd_expr_value(g, e);
        return true;
    }
    if (n->op == HD_OP_ADD)
        return read_sum(g, n, t);
    t->is_zext = n->op == HD_OP_ZEXT;
    t->is_sext = n->op == HD_OP_SEXT;
    if (t->is_zext || t->is_sext)
        n = hd_expr_node(g, n->a);
    t->v = n->a;
    return n->op == HD_OP_VAR;
}

/* What the 1-bit `e` says if it is `truth`; false if this layer cannot say it. */
static bool read_comparison(const hd_graph *g, hd_expr e, bool truth, comparison *c) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op == HD_OP_NOT)
        return read_comparison(g, n->a, !truth, c);
    if (n->op < HD_OP_EQ || n->op > HD_OP_SLE)
        return false;
    if (!read_term(g, n->a, &c->a) || !read_term(g, n->b, &c->b))
        return false;
    bool is_signed = n->op == HD_OP_SLT || n->op == HD_OP_SLE || c->a.is_sext || c->b.is_sext;
    bool is_strict = n->op == HD_OP_ULT || n->op == HD_OP_SLT;
    c->view = is_signed ? SIGNED_VIEW : n->op == HD_OP_EQ ? ANY_VIEW : UNSIGNED_VIEW;
    if (n->op == HD_OP_EQ) {
        c->op = truth ? HD_OP_EQ : HD_OP_NOT;
        return true;
    }
    HD_CHECK(c->a.width == c->b.width);
    c->op = is_strict == truth ? HD_OP_ULT : HD_OP_ULE;
    if (!truth) {
        term swap = c->a;
        c->a = c->b;
        c->b = swap;
    }
    bool sext_as_unsigned = n->op == HD_OP_ULT || n->op == HD_OP_ULE;
    return !(sext_as_unsigned && (c->a.is_sext || c->b.is_sext));
}

bool hd_order_understands(const hd_graph *g, hd_expr e) {
    comparison c;
    return read_comparison(g, e, true, &c);
}

/* A conjunction of truths counts as its parts. */
static void read_constraint(order *o, const hd_graph *g, hd_expr e, bool truth) {
    const hd_node *n = hd_expr_node(g, e);
    comparison c;
    if (n->op == HD_OP_NOT) {
        read_constraint(o, g, n->a, !truth);
    } else if (n->op == (truth ? HD_OP_AND : HD_OP_OR)) {
        read_constraint(o, g, n->a, truth);
        read_constraint(o, g, n->b, truth);
    } else if (read_comparison(g, e, truth, &c)) {
        hd_vec_push(&o->comparisons, c);
    }
}

/* The node of `v`, made now if there is room; 0 if not, or if `v` is a pointer. */
static uint32_t node_of(order *o, const hd_task *t, hd_var v) {
    for (uint32_t i = 1; i < o->n; i++)
        if (o->var_of[i] == v)
            return i;
    if (o->n == MAX_NODES || hd_task_is_pointer(t, v))
        return 0;
    o->var_of[o->n] = v;
    o->view_of[o->n] = ANY_VIEW;
    o->width_of[o->n] = (uint8_t)hd_task_width(t, v);
    HD_ASSERT(o->n >= 1 && o->width_of[o->n] >= 1 && o->width_of[o->n] <= 64);
    return o->n++;
}

static bool is_plain(const term *x) {
    return !x->is_constant && !x->is_zext && !x->is_sext;
}

static void suggest_view(order *o, const hd_task *t, const term *x, view how) {
    uint32_t i = x->is_constant ? 0 : node_of(o, t, x->v);
    if (i && o->view_of[i] == ANY_VIEW)
        o->view_of[i] = x->is_zext ? UNSIGNED_VIEW : x->is_sext ? SIGNED_VIEW : how;
}

static view view_of_term(order *o, const hd_task *t, const term *x) {
    return is_plain(x) ? o->view_of[node_of(o, t, x->v)] : ANY_VIEW;
}

/* An equality takes over what either side is read as. */
static void settle_equality(order *o, const hd_task *t, comparison *c) {
    if (c->view == ANY_VIEW)
        c->view = view_of_term(o, t, &c->a);
    if (c->view == ANY_VIEW)
        c->view = view_of_term(o, t, &c->b);
    suggest_view(o, t, &c->a, c->view);
    suggest_view(o, t, &c->b, c->view);
}

static void choose_views(order *o, const hd_task *t) {
    for (size_t i = 0; i < o->comparisons.n; i++) {
        suggest_view(o, t, &o->comparisons.at[i].a, o->comparisons.at[i].view);
        suggest_view(o, t, &o->comparisons.at[i].b, o->comparisons.at[i].view);
    }
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < o->comparisons.n; i++)
            settle_equality(o, t, &o->comparisons.at[i]);
    for (uint32_t i = 1; i < o->n; i++)
        if (o->view_of[i] == ANY_VIEW)
            o->view_of[i] = UNSIGNED_VIEW;
    for (size_t i = 0; i < o->comparisons.n; i++)
        if (o->comparisons.at[i].view == ANY_VIEW)
            o->comparisons.at[i].view = UNSIGNED_VIEW;
}

static number lowest_of(view how, unsigned width) {
    return how == SIGNED_VIEW ? -((number)1 << (width - 1)) : 0;
}

static number highest_of(view how, unsigned width) {
    return lowest_of(how, width) + ((number)1 << width) - 1;
}

static number read_as(view how, unsigned width, uint64_t value) {
    HD_CHECK((value & ~hd_mask(width)) == 0);
    return how == SIGNED_VIEW ? (number)hd_signed(value, width) : (number)value;
}

static number upper(const order *o, uint32_t i) {
    return o->limit[i][0];
}

static number lower(const order *o, uint32_t i) {
    return -o->limit[0][i];
}

static void start_graph(order *o) {
    HD_ASSERT(o->n >= 1 && o->n <= MAX_NODES);
    for (uint32_t i = 0; i < o->n; i++)
        for (uint32_t j = 0; j < o->n; j++) {
            number high = i ? highest_of(o->view_of[i], o->width_of[i]) : 0;
            number low = j ? lowest_of(o->view_of[j], o->width_of[j]) : 0;
            o->limit[i][j] = i == j ? 0 : high - low;
        }
}

/* Does adding `offset` keep node i within the numbers of its width, as far as we know? */
static bool stays_inside(const order *o, uint32_t i, number offset) {
    return lower(o, i) + offset >= lowest_of(o->view_of[i], o->width_of[i]) &&
           upper(o, i) + offset <= highest_of(o->view_of[i], o->width_of[i]);
}

/* The term as node plus offset under the comparison's view; false if it is not that. */
static bool place_term(order *o, const hd_task *t, const term *x, view how, uint32_t *node,
                       number *offset) {
    *node = 0;
    *offset = read_as(how, x->width, x->constant);
    if (x->is_constant)
        return true;
    *node = node_of(o, t, x->v);
    if (!*node)
        return false;
    if (x->is_zext || x->is_sext)
        return o->view_of[*node] == (x->is_zext ? UNSIGNED_VIEW : SIGNED_VIEW);
    if (o->view_of[*node] != how)
        return false;
    if (!stays_inside(o, *node, *offset))
        *offset = read_as(SIGNED_VIEW, x->width, x->constant);
    return stays_inside(o, *node, *offset);
}

static void limit_difference(order *o, uint32_t x, uint32_t y, number most) {
    HD_CHECK(x < o->n && y < o->n);
    if (most < o->limit[x][y])
        o->limit[x][y] = most;
}

static void enter_comparison(order *o, const hd_task *t, const comparison *c) {
    uint32_t x, y;
    number a, b;
    if (!place_term(o, t, &c->a, c->view, &x, &a) || !place_term(o, t, &c->b, c->view, &y, &b))
        return;
    if (c->op == HD_OP_NOT)
        hd_vec_push(&o->different, ((difference){x, y, b - a}));
    else
        limit_difference(o, x, y, b - a - (c->op == HD_OP_ULT));
    if (c->op == HD_OP_EQ)
        limit_difference(o, y, x, a - b);
}

static bool has_offset(const comparison *c) {
    return (is_plain(&c->a) && c->a.constant) || (is_plain(&c->b) && c->b.constant);
}

/* Sums come second: whether they wrap around depends on the bounds that the others give. */
static void build_graph(order *o, const hd_task *t) {
    start_graph(o);
    hd_vec_clear(&o->different);
    for (int sums = 0; sums < 2; sums++)
        for (size_t i = 0; i < o->comparisons.n; i++)
            if (has_offset(&o->comparisons.at[i]) == sums)
                enter_comparison(o, t, &o->comparisons.at[i]);
}

static void go_through(order *o, uint32_t k) {
    for (uint32_t i = 0; i < o->n; i++) {
        number to_k = o->limit[i][k];
        for (uint32_t j = 0; j < o->n; j++)
            limit_difference(o, i, j, to_k + o->limit[k][j]);
    }
}

/* All shortest paths; false if there is a negative cycle.  Stopping at the first one matters:
 * going round it again and again would overflow. */
static bool close_graph(order *o) {
    for (uint32_t k = 0; k < o->n; k++) {
        if (o->limit[k][k] < 0)
            return false;
        go_through(o, k);
    }
    for (uint32_t i = 0; i < o->n; i++)
        if (o->limit[i][i] < 0)
            return false;
    return true;
}

/* One limit of a closed graph becomes smaller; false if that closes a negative cycle. */
static bool tighten(order *o, uint32_t x, uint32_t y, number most) {
    HD_ASSERT(x < o->n && y < o->n && x != y);
    if (most + o->limit[y][x] < 0)
        return false;
    for (uint32_t i = 0; i < o->n; i++)
        for (uint32_t j = 0; j < o->n; j++)
            limit_difference(o, i, j, o->limit[i][x] + most + o->limit[y][j]);
    return true;
}

/* x - y != c where c is the largest or the smallest possible difference: take it away.
 * Returns false on a contradiction; counts what it did. */
static bool tighten_by(order *o, const difference *d, uint32_t *done) {
    if (d->x == d->y)
        return d->c != 0;
    if (o->limit[d->x][d->y] == d->c) {
        ++*done;
        return tighten(o, d->x, d->y, d->c - 1);
    }
    if (o->limit[d->y][d->x] == -d->c) {
        ++*done;
        return tighten(o, d->y, d->x, -d->c - 1);
    }
    return true;
}

static bool tighten_all(order *o) {
    for (uint32_t done = 0, before = 1; done != before && done < MAX_TIGHTENINGS;) {
        before = done;
        for (size_t i = 0; i < o->different.n; i++)
            if (!tighten_by(o, &o->different.at[i], &done))
                return false;
    }
    return true;
}

static bool blocks(const order *o, const difference *d, uint32_t i, number value) {
    return (d->x == i && o->is_set[d->y] && value - o->value[d->y] == d->c) ||
           (d->y == i && o->is_set[d->x] && o->value[d->x] - value == d->c);
}

static bool is_taken(order *o, uint32_t i, number value) {
    for (size_t k = 0; k < o->different.n; k++)
        if (blocks(o, &o->different.at[k], i, value)) {
            o->obstacle = &o->different.at[k];
            return true;
        }
    return false;
}

/* The old value if it is possible; else one near it, with room on both sides. */
static number wish(const order *o, const hd_task *t, uint32_t i) {
    number low = lower(o, i), high = upper(o, i);
    HD_ASSERT(low <= high);
    number room = (high - low) / 2 < GAP ? (high - low) / 2 : GAP;
    number old = read_as(o->view_of[i], o->width_of[i], hd_model_get(t->query->hint, o->var_of[i]));
    return old < low ? low + room : old > high ? high - room : old;
}

/* The free value nearest to `wanted`; false if the search, which is short, finds none. */
static bool find_free(order *o, uint32_t i, number wanted, number *value) {
    for (number step = 0; step <= (number)o->different.n; step++) {
        *value = wanted + step;
        if (*value <= upper(o, i) && !is_taken(o, i, *value))
            return true;
        *value = wanted - step;
        if (*value >= lower(o, i) && !is_taken(o, i, *value))
            return true;
    }
    return false;
}

/* The graph is closed, so that the bounds of the others need one step each. */
static void set_value(order *o, uint32_t i, number value) {
    HD_ASSERT(i >= 1 && !o->is_set[i]);
    HD_ASSERT(lower(o, i) <= value && value <= upper(o, i));
    o->value[i] = value;
    o->is_set[i] = true;
    for (uint32_t j = 0; j < o->n; j++) {
        limit_difference(o, j, 0, o->limit[j][i] + value);
        limit_difference(o, 0, j, o->limit[i][j] - value);
    }
}

static bool choose_value(order *o, const hd_task *t, uint32_t i, hd_model *model) {
    number value;
    if (!find_free(o, i, wish(o, t, i), &value))
        return false;
    set_value(o, i, value);
    hd_model_set(model, o->var_of[i], (uint64_t)value & hd_mask(o->width_of[i]));
    return true;
}

static void keep_bounds(order *o) {
    for (uint32_t i = 0; i < o->n; i++) {
        o->highest[i] = upper(o, i);
        o->lowest[i] = lower(o, i);
    }
}

/* Choosing narrows bounds only: the rest of the graph is as it was. */
static void start_choosing(order *o) {
    memset(o->is_set, 0, sizeof o->is_set);
    o->is_set[0] = true;
    o->value[0] = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        o->limit[i][0] = o->highest[i];
        o->limit[0][i] = -o->lowest[i];
    }
}

/* The goal's variables are the first nodes and choose last: the others keep their values. */
static bool choose_all(order *o, const hd_task *t, hd_model *model) {
    keep_bounds(o);
    start_choosing(o);
    for (uint32_t i = o->n; i-- > 1;)
        if (!choose_value(o, t, i, model))
            return false;
    return true;
}

/* Let the smaller of two values that got into each other's way be smaller from the start. */
static bool separate(order *o, const difference *d) {
    HD_ASSERT(d && d->x < o->n && d->y < o->n);
    start_choosing(o);
    if (tighten(o, d->x, d->y, d->c - 1))
        return true;
    return tighten(o, d->y, d->x, -d->c - 1);
}

static bool choose_with_retries(order *o, const hd_task *t, hd_model *model) {
    for (int retry = 0; retry < MAX_RETRIES; retry++) {
        if (choose_all(o, t, model))
            return true;
        if (!separate(o, o->obstacle))
            return false;
    }
    return false;
}

static void start_from_hint(const hd_task *t, hd_model *model) {
    for (size_t i = 0; i < t->vars.n; i++)
        hd_model_set(model, t->vars.at[i], hd_model_get(t->query->hint, t->vars.at[i]));
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    order *o = self;
    hd_vec_clear(&o->comparisons);
    o->n = 1;
    for (size_t i = t->constraints.n; i-- > 0;)
        read_constraint(o, t->g, t->constraints.at[i], true);
    if (!o->comparisons.n)
        return HD_UNKNOWN;
    choose_views(o, t);
    build_graph(o, t);
    HD_ASSERT(o->different.n <= o->comparisons.n);
    if (!close_graph(o) || !tighten_all(o))
        return HD_UNSAT;
    start_from_hint(t, model);
    return choose_with_retries(o, t, model) && hd_task_holds(t, model) ? HD_SAT : HD_UNKNOWN;
}

const hd_layer_kind hd_layer_order = {.new = order_new, .free = order_free, .ask = ask};
