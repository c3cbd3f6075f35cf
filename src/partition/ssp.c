/* The seven steps (ssp.h), one after the other. */
#include "partition/ssp.h"

#include "base/map.h"
#include "base/panic.h"

typedef struct ssp_maker {
    hd_graph *g;
    const hd_conditions *assumed;
    hd_ssp *out;
    hd_map place;     /* by condition: where it is in the list */
    hd_map var_place; /* by variable: the same */
    hd_map used;      /* variables that are no longer to be had */
} ssp_maker;

/* ---- steps 2 and 3: what occurs how often ---- */

static bool mentions(const hd_graph *g, hd_expr e, hd_var v) {
    const hd_support *s = hd_expr_support(g, e);
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i] == v)
            return true;
    return false;
}

#define COUNT(list, map, thing, times)                                                             \
    do {                                                                                           \
        uint64_t *at_ = hd_map_find((map), (thing));                                               \
        if (!at_) {                                                                                \
            hd_map_put((map), (thing), (list)->n);                                                 \
            hd_vec_push((list), ((hd_counted){.what = (thing)}));                                  \
        }                                                                                          \
        (list)->at[at_ ? *at_ : (list)->n - 1].count += (times);                                   \
    } while (0)

static void count_conditions(ssp_maker *m, const hd_division *paths) {
    for (size_t i = 0; i < paths->n; i++)
        for (size_t k = 0; k < paths->at[i].n; k++)
            COUNT(&m->out->conditions, &m->place, paths->at[i].at[k], 1);
}

static void count_variables(ssp_maker *m) {
    for (size_t i = 0; i < m->out->conditions.n; i++) {
        hd_counted c = m->out->conditions.at[i];
        const hd_support *s = hd_expr_support(m->g, c.what);
        for (uint32_t k = 0; k < s->n; k++)
            COUNT(&m->out->variables, &m->var_place, s->v[k], c.count);
    }
}

/* ---- step 4: what is expensive ---- */

static bool is_expensive_op(hd_op op) {
    return op == HD_OP_MUL || op == HD_OP_UDIV || op == HD_OP_SDIV || op == HD_OP_UREM ||
           op == HD_OP_SREM;
}

static void push_operands(const hd_graph *g, const hd_node *n, hd_conditions *todo) {
    if (n->op == HD_OP_CONST || n->op == HD_OP_VAR)
        return;
    if (n->op == HD_OP_READ)
        for (uint32_t i = 0; i < hd_table_size(g, n->a); i++)
            hd_vec_push(todo, hd_table_elements(g, n->a)[i]);
    else
        hd_vec_push(todo, n->a);
    if (n->b)
        hd_vec_push(todo, n->b);
    if (n->c)
        hd_vec_push(todo, n->c);
}

/* Does something in it multiply or divide? */
static bool is_expensive(const hd_graph *g, hd_expr e) {
    hd_conditions todo = {0};
    hd_map seen = {0};
    bool is_it = false;
    hd_vec_push(&todo, e);
    while (todo.n && !is_it) {
        hd_expr at = todo.at[--todo.n];
        if (hd_map_find(&seen, at))
            continue;
        hd_map_put(&seen, at, 1);
        is_it = is_expensive_op((hd_op)hd_expr_node(g, at)->op);
        push_operands(g, hd_expr_node(g, at), &todo);
    }
    hd_vec_release(&todo);
    hd_map_release(&seen);
    return is_it;
}

static void find_expensive(ssp_maker *m) {
    for (size_t i = 0; i < m->out->conditions.n; i++) {
        hd_expr e = m->out->conditions.at[i].what;
        const hd_support *s = hd_expr_support(m->g, e);
        bool is_it = is_expensive(m->g, e);
        for (uint32_t k = 0; k < s->n && is_it; k++)
            m->out->variables.at[*hd_map_find(&m->var_place, s->v[k])].is_expensive = true;
    }
}

/* ---- step 6a: the next variable ---- */

static bool is_available(const ssp_maker *m, const hd_counted *v) {
    return !hd_map_find(&m->used, v->what);
}

/* NULL if none is left. */
static const hd_counted *next_variable(const ssp_maker *m) {
    const hd_counted *best = NULL;
    for (size_t i = 0; i < m->out->variables.n; i++) {
        const hd_counted *v = &m->out->variables.at[i];
        if (!is_available(m, v))
            continue;
        if (!best || v->is_expensive < best->is_expensive ||
            (v->is_expensive == best->is_expensive && v->count > best->count))
            best = v;
    }
    return best;
}

/* ---- step 6b: an input of few values ---- */

/* Is `e` "v == constant", or its negation? */
static bool is_equality(const hd_graph *g, hd_expr e, hd_var v, hd_expr *constant) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op == HD_OP_NOT)
        n = hd_expr_node(g, n->a);
    if (n->op != HD_OP_EQ)
        return false;
    bool has_first = hd_expr_is_const(g, n->a);
    hd_expr variable = has_first ? n->b : n->a, number = has_first ? n->a : n->b;
    if (hd_expr_node(g, variable)->op != HD_OP_VAR || hd_expr_node(g, variable)->a != v ||
        !hd_expr_is_const(g, number))
        return false;
    *constant = number;
    return true;
}

static void note_constant(hd_conditions *all, hd_expr c) {
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i] == c)
            return;
    hd_vec_push(all, c);
}

/* The constants that the variable is compared with; false if it is used otherwise as well. */
static bool find_constants(const ssp_maker *m, hd_var v, hd_conditions *all) {
    for (size_t i = 0; i < m->out->conditions.n; i++) {
        hd_expr e = m->out->conditions.at[i].what, c;
        if (!mentions(m->g, e, v))
            continue;
        if (!is_equality(m->g, e, v, &c))
            return false;
        note_constant(all, c);
    }
    return all->n > 0;
}

typedef struct bounds {
    uint64_t least, most;              /* unsigned, */
    int64_t signed_least, signed_most; /* and signed */
} bounds;

static int64_t as_signed(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static void narrow_unsigned(bounds *b, uint64_t c, bool is_lower, bool is_strict) {
    if (is_strict && c == (is_lower ? UINT64_MAX : 0))
        return;
    c = is_lower ? c + is_strict : c - is_strict;
    if (is_lower && c > b->least)
        b->least = c;
    if (!is_lower && c < b->most)
        b->most = c;
}

static void narrow_signed(bounds *b, int64_t c, bool is_lower, bool is_strict) {
    if (is_strict && c == (is_lower ? INT64_MAX : INT64_MIN))
        return;
    c = is_lower ? c + is_strict : c - is_strict;
    if (is_lower && c > b->signed_least)
        b->signed_least = c;
    if (!is_lower && c < b->signed_most)
        b->signed_most = c;
}

/* What "v < c" and the like say; other conditions say nothing. */
static void narrow(const hd_graph *g, bounds *b, hd_expr e, hd_var v) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op != HD_OP_ULT && n->op != HD_OP_ULE && n->op != HD_OP_SLT && n->op != HD_OP_SLE)
        return;
    bool is_lower = hd_expr_is_const(g, n->a), is_strict = n->op == HD_OP_ULT || n->op == HD_OP_SLT;
    const hd_node *variable = hd_expr_node(g, is_lower ? n->b : n->a);
    hd_expr number = is_lower ? n->a : n->b;
    if (variable->op != HD_OP_VAR || variable->a != v || !hd_expr_is_const(g, number))
        return;
    uint64_t c = hd_expr_value(g, number);
    if (n->op == HD_OP_ULT || n->op == HD_OP_ULE)
        narrow_unsigned(b, c, is_lower, is_strict);
    else
        narrow_signed(b, as_signed(c, variable->width), is_lower, is_strict);
}

static bounds range_of(const ssp_maker *m, hd_var v, unsigned width) {
    bounds b = {0, hd_mask(width), INT64_MIN >> (64 - width), INT64_MAX >> (64 - width)};
    for (size_t i = 0; i < m->assumed->n; i++)
        narrow(m->g, &b, m->assumed->at[i], v);
    return b;
}

/* How many values the variable may have, less one. */
static uint64_t size_of_range(const bounds *b) {
    uint64_t n = b->most - b->least;
    uint64_t n_signed = (uint64_t)b->signed_most - (uint64_t)b->signed_least;
    return n < n_signed ? n : n_signed;
}

static bool is_in_range(const bounds *b, uint64_t c, unsigned width) {
    return c >= b->least && c <= b->most && as_signed(c, width) >= b->signed_least &&
           as_signed(c, width) <= b->signed_most;
}

static void add_alternative(hd_division *set, hd_expr e) {
    hd_conditions one = {0};
    hd_vec_push(&one, e);
    hd_vec_push(set, one);
}

/* One alternative for each constant, and one for the other values of the range. */
static void make_values(ssp_maker *m, hd_var v, const hd_conditions *all, hd_division *set) {
    unsigned width = hd_expr_width(m->g, all->at[0]);
    bounds b = range_of(m, v, width);
    hd_conditions others = {0};
    uint64_t n_within = 0;
    for (size_t i = 0; i < all->n; i++) {
        hd_expr e = hd_expr_binary(m->g, HD_OP_EQ, hd_expr_var(m->g, v, width), all->at[i]);
        n_within += is_in_range(&b, hd_expr_value(m->g, all->at[i]), width);
        add_alternative(set, e);
        hd_vec_push(&others, hd_expr_not(m->g, e));
    }
    if (n_within > size_of_range(&b))
        hd_vec_release(&others);
    else
        hd_vec_push(set, others);
}

/* False if the variable has too many values for that. */
static bool try_values(ssp_maker *m, hd_var v, hd_division *set) {
    hd_conditions all = {0};
    bool is_small = find_constants(m, v, &all);
    if (is_small) {
        bounds b = range_of(m, v, hd_expr_width(m->g, all.at[0]));
        is_small = size_of_range(&b) < 2 * (uint64_t)all.n;
    }
    if (is_small)
        make_values(m, v, &all, set);
    hd_vec_release(&all);
    return is_small;
}

/* ---- step 6b: any other input ---- */

static hd_expr most_frequent(const ssp_maker *m, hd_var v) {
    const hd_counted *best = NULL;
    for (size_t i = 0; i < m->out->conditions.n; i++) {
        const hd_counted *c = &m->out->conditions.at[i];
        if (mentions(m->g, c->what, v) && (!best || c->count > best->count))
            best = c;
    }
    HD_ASSERT(best); /* or it would not be in the list of variables */
    return best->what;
}

static void make_set(ssp_maker *m, hd_var v, hd_division *set) {
    if (try_values(m, v, set))
        return;
    hd_expr e = most_frequent(m, v);
    add_alternative(set, e);
    add_alternative(set, hd_expr_not(m->g, e));
}

/* ---- step 6c ---- */

static void use_variables(ssp_maker *m, const hd_division *set) {
    for (size_t i = 0; i < set->n; i++)
        for (size_t k = 0; k < set->at[i].n; k++) {
            const hd_support *s = hd_expr_support(m->g, set->at[i].at[k]);
            for (uint32_t j = 0; j < s->n; j++)
                hd_map_put(&m->used, s->v[j], 1);
        }
}

static void make_sets(ssp_maker *m, uint64_t size) {
    uint64_t n = 1;
    const hd_counted *v;
    while (n < size && (v = next_variable(m))) {
        hd_division set = {0};
        make_set(m, v->what, &set);
        use_variables(m, &set);
        if (n * set.n > HD_MOST_PARTS) {
            hd_division_release(&set);
            return;
        }
        n *= set.n;
        hd_vec_push(&m->out->sets, set);
    }
}

/* ---- step 7 ---- */

static uint64_t count_combinations(const hd_ssp *s) {
    uint64_t n = 1;
    for (size_t i = 0; i < s->sets.n; i++)
        n *= s->sets.at[i].n;
    return n;
}

/* The first set has the lowest digit. */
static void make_combination(ssp_maker *m, uint64_t number) {
    hd_conditions part = {0};
    for (size_t i = 0; i < m->out->sets.n; i++) {
        const hd_division *set = &m->out->sets.at[i];
        const hd_conditions *one = &set->at[number % set->n];
        for (size_t k = 0; k < one->n; k++)
            hd_vec_push(&part, one->at[k]);
        number /= set->n;
    }
    hd_vec_push(&m->out->queue, part);
}

void hd_ssp_make(hd_graph *g, const hd_division *paths, const hd_conditions *assumed, uint64_t size,
                 hd_ssp *out) {
    ssp_maker m = {.g = g, .assumed = assumed, .out = out};
    *out = (hd_ssp){0};
    count_conditions(&m, paths);
    count_variables(&m);
    find_expensive(&m);
    make_sets(&m, size);
    for (uint64_t i = 0; i < count_combinations(out); i++)
        make_combination(&m, i);
    hd_map_release(&m.place);
    hd_map_release(&m.var_place);
    hd_map_release(&m.used);
}

void hd_ssp_release(hd_ssp *s) {
    for (size_t i = 0; i < s->sets.n; i++)
        hd_division_release(&s->sets.at[i]);
    hd_vec_release(&s->sets);
    hd_vec_release(&s->conditions);
    hd_vec_release(&s->variables);
    hd_division_release(&s->queue);
}
