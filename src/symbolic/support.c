/* Support sets: which variables an expression mentions.
 *
 * Sets are interned, so a chain of operations on the same inputs shares one set, and the
 * union of two sets met before is one look into a small memo.
 *
 * A checksum over thousands of inputs would make a set for each of its steps, quadratic in
 * all.  So a node whose set would be new and large gets none (0), and it is worked out if
 * somebody asks, which happens for constraints and seldom for the steps between. */
#include "base/map.h"
#include "base/vec.h"
#include "symbolic/symbolic_int.h"

void hd_support_init(hd_graph *g) {
    hd_blocks_init(&g->sets, 0, g->shared);
    bool is_new;
    g->support[0] = hd_blocks_commit(&g->sets, 0, &is_new); /* the empty set */
    HD_ASSERT(is_new && g->support[0] != 0);
}

static uint32_t empty_set(const hd_graph *g) {
    return g->support[0];
}

static uint32_t commit(hd_graph *g, uint32_t n) {
    bool is_new;
    return hd_blocks_commit(&g->sets, n, &is_new);
}

enum { LARGE = 512 };

/* The union, or 0 if it is new and large. */
static uint32_t merge_sets(hd_graph *g, uint32_t a, uint32_t b) {
    uint32_t na = g->sets.words[a], nb = g->sets.words[b], n = 0;
    const uint32_t *x = &g->sets.words[a + 1], *y = &g->sets.words[b + 1];
    uint32_t *to = hd_blocks_room(&g->sets, na + nb);
    for (uint32_t i = 0, j = 0; i < na || j < nb;) {
        if (j == nb || (i < na && x[i] < y[j]))
            to[n++] = x[i++];
        else {
            i += i < na && x[i] == y[j];
            to[n++] = y[j++];
        }
    }
    HD_ASSERT(n >= na && n >= nb && n <= na + nb);
    if (n == na || n == nb)
        return n == na ? a : b;
    return n <= LARGE ? commit(g, n) : 0;
}

static uint32_t join_sets(hd_graph *g, uint32_t a, uint32_t b) {
    if (!a || !b)
        return 0;
    if (a == b || b == empty_set(g))
        return a;
    if (a == empty_set(g))
        return b;
    if (a > b) {
        uint32_t swapped = a;
        a = b, b = swapped;
    }
    HD_CHECK(a < b && b < g->sets.n_words);
    uint64_t hash = hd_mix((uint64_t)a << 32 | b);
    hd_union_memo *memo = &g->unions[hash & ((1u << HD_UNION_MEMO_BITS) - 1)];
    if (memo->a != a || memo->b != b)
        *memo = (hd_union_memo){a, b, merge_sets(g, a, b)};
    return memo->result;
}

static uint32_t set_of_one(hd_graph *g, hd_var v) {
    HD_ASSERT(v <= HD_UNDEFINED);
    *hd_blocks_room(&g->sets, 1) = v;
    return commit(g, 1);
}

uint32_t hd_support_of_node(hd_graph *g, const hd_node *n) {
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
        return empty_set(g);
    case HD_OP_VAR:
        return set_of_one(g, n->a);
    case HD_OP_READ:
        return join_sets(g, g->tables.words[n->a - HD_TABLE_PREFIX], g->support[n->b]);
    default: /* operand 0 has the empty set */
        return join_sets(g, join_sets(g, g->support[n->a], g->support[n->b]), g->support[n->c]);
    }
}

/* A union of many sets at once, through a bit per variable. */
typedef struct gathering {
    hd_graph *g;
    uint32_t low, high; /* words of variable_bits in use */
    bool is_undefined;  /* HD_UNDEFINED is far behind all others */
} gathering;

static gathering begin_gathering(hd_graph *g) {
    return (gathering){g, UINT32_MAX, 0, false};
}

static void gather_set(gathering *all, uint32_t set) {
    const uint32_t *v = &all->g->sets.words[set + 1];
    uint32_t n = all->g->sets.words[set];
    HD_CHECK(n < 2 || v[0] < v[n - 1]);
    if (n && v[n - 1] == HD_UNDEFINED) {
        all->is_undefined = true;
        n--;
    }
    for (uint32_t i = 0; i < n; i++)
        all->g->variable_bits[v[i] / 64] |= UINT64_C(1) << v[i] % 64;
    if (n && v[0] / 64 < all->low)
        all->low = v[0] / 64;
    if (n && v[n - 1] / 64 + 1 > all->high)
        all->high = v[n - 1] / 64 + 1;
}

static uint32_t end_gathering(gathering *all) {
    uint64_t *bits = all->g->variable_bits;
    uint32_t n = 0;
    for (uint32_t w = all->low; w < all->high; w++)
        n += (uint32_t)__builtin_popcountll(bits[w]);
    uint32_t *to = hd_blocks_room(&all->g->sets, n + 1);
    for (uint32_t w = all->low; w < all->high; w++)
        for (; bits[w]; bits[w] &= bits[w] - 1)
            *to++ = w * 64 + (uint32_t)__builtin_ctzll(bits[w]);
    if (all->is_undefined)
        *to = HD_UNDEFINED;
    HD_ASSERT(all->low == UINT32_MAX || all->low < all->high);
    return commit(all->g, n + all->is_undefined);
}

/* The nodes below one whose set is not known, down to those where it is. */
typedef struct undefined_search {
    gathering all;
    hd_map seen;
    hd_vec(hd_expr) todo;
} undefined_search;

static void look_at(undefined_search *s, hd_expr e) {
    uint32_t set = s->all.g->support[e];
    if (set)
        gather_set(&s->all, set);
    else if (!hd_map_find(&s->seen, e)) {
        hd_map_put(&s->seen, e, 1);
        hd_vec_push(&s->todo, e);
    }
}

static void look_at_operands(undefined_search *s, const hd_node *n) {
    if (n->op == HD_OP_READ)
        gather_set(&s->all, s->all.g->tables.words[n->a - HD_TABLE_PREFIX]);
    else
        look_at(s, n->a);
    look_at(s, n->b);
    look_at(s, n->c);
}

static void work_out(hd_graph *g, hd_expr e) {
    undefined_search s = {.all = begin_gathering(g)};
    look_at(&s, e);
    while (s.todo.n)
        look_at_operands(&s, hd_expr_node(g, s.todo.at[--s.todo.n]));
    g->support[e] = end_gathering(&s.all);
    HD_ASSERT(g->support[e] != 0);
    hd_map_release(&s.seen);
    hd_vec_release(&s.todo);
}

const hd_support *hd_expr_support(const hd_graph *g, hd_expr e) {
    if (!g->support[e])
        work_out((hd_graph *)g, e);
    return (const hd_support *)&g->sets.words[g->support[e]];
}

uint32_t hd_support_of_elements(hd_graph *g, const hd_expr *elements, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!g->support[elements[i]])
            work_out(g, elements[i]);
    gathering all = begin_gathering(g);
    for (uint32_t i = 0; i < n; i++)
        if (i == 0 || g->support[elements[i]] != g->support[elements[i - 1]])
            gather_set(&all, g->support[elements[i]]);
    return end_gathering(&all);
}
