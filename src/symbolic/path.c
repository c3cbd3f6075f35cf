/* The path constraint, indexed by variable.
 *
 * `first` is a sparse set: first[e] = i says that e is constraint i if and only if i is below
 * the length and constraint i really is e.  So truncating need not touch it. */
#include "symbolic/path.h"

#include "base/panic.h"

#include "base/reserve.h"
#include "symbolic/symbolic_int.h"

struct hd_path {
    const hd_graph *g;
    uint32_t generation;
    hd_vec(hd_expr) constraints;
    uint32_t *first;                /* by expression: its first index, if it is on the path */
    hd_vec(hd_indices) occurrences; /* by variable */
    /* Scratch of hd_path_slice: */
    hd_vec(uint32_t) variable_stamp;
    uint32_t stamp;
    hd_vec(hd_var) todo;
    hd_vec(uint64_t) chosen; /* a bit per constraint, zero between slices */
};

#define FIRST_SIZE (HD_MAX_NODES * sizeof(uint32_t))

hd_path *hd_path_new(const hd_graph *g) {
    hd_path *p = calloc(1, sizeof *p);
    if (!p)
        hd_out_of_memory();
    p->g = g;
    p->generation = hd_graph_generation(g);
    p->first = hd_reserve_new(FIRST_SIZE, false);
    return p;
}

void hd_path_free(hd_path *p) {
    if (!p)
        return;
    hd_reserve_free(p->first, FIRST_SIZE);
    for (size_t v = 0; v < p->occurrences.n; v++)
        hd_vec_release(&p->occurrences.at[v]);
    hd_vec_release(&p->occurrences);
    hd_vec_release(&p->constraints);
    hd_vec_release(&p->variable_stamp);
    hd_vec_release(&p->todo);
    hd_vec_release(&p->chosen);
    free(p);
}

uint32_t hd_path_length(const hd_path *p) {
    return (uint32_t)p->constraints.n;
}

hd_expr hd_path_at(const hd_path *p, uint32_t i) {
    HD_CHECK(i < p->constraints.n);
    return p->constraints.at[i];
}

hd_expr *hd_path_slot(hd_path *p, uint32_t i) {
    HD_ASSERT(i < p->constraints.n);
    return &p->constraints.at[i];
}

static bool is_first(const hd_path *p, uint32_t i, hd_expr e) {
    return i < p->constraints.n && p->constraints.at[i] == e;
}

/* After a compaction the constraints have new names: find their first indices again. */
static void follow_graph(hd_path *p) {
    if (__builtin_expect(p->generation == hd_graph_generation(p->g), 1))
        return;
    p->generation = hd_graph_generation(p->g);
    for (size_t i = p->constraints.n; i-- > 0;)
        p->first[p->constraints.at[i]] = (uint32_t)i;
}

static hd_indices *occurrences_of(hd_path *p, hd_var v) {
    while (p->occurrences.n <= v) {
        hd_vec_push(&p->occurrences, (hd_indices){0});
        hd_vec_push(&p->variable_stamp, 0);
    }
    return &p->occurrences.at[v];
}

void hd_path_push(hd_path *p, hd_expr constraint) {
    follow_graph(p);
    HD_ASSERT(constraint != HD_NONE && hd_expr_width(p->g, constraint) == 1);
    uint32_t index = (uint32_t)p->constraints.n;
    if (!is_first(p, p->first[constraint], constraint))
        p->first[constraint] = index;
    hd_vec_push(&p->constraints, constraint);
    const hd_support *s = hd_expr_support(p->g, constraint);
    for (uint32_t i = 0; i < s->n; i++) {
        hd_indices *list = occurrences_of(p, s->v[i]);
        HD_CHECK_INVARIANT(P2, !list->n || list->at[list->n - 1] < index);
        hd_vec_push(list, index);
    }
}

void hd_path_truncate(hd_path *p, uint32_t n) {
    HD_INVARIANT(P1, n <= p->constraints.n);
    while (p->constraints.n > n) {
        const hd_support *s = hd_expr_support(p->g, p->constraints.at[--p->constraints.n]);
        for (uint32_t i = 0; i < s->n; i++) {
            hd_indices *list = &p->occurrences.at[s->v[i]];
            HD_CHECK_INVARIANT(P2, list->n && list->at[list->n - 1] == p->constraints.n);
            list->n--;
        }
    }
}

bool hd_path_contains(const hd_path *p, uint32_t n, hd_expr constraint) {
    follow_graph((hd_path *)p);
    uint32_t i = p->first[constraint];
    return i < n && is_first(p, i, constraint);
}

const hd_indices *hd_path_occurrences(const hd_path *p, hd_var v) {
    static const hd_indices none = {0};
    return v < p->occurrences.n ? &p->occurrences.at[v] : &none;
}

/* Variables of `e` that were not met before wait for their constraints to be looked at. */
static void meet_variables(hd_path *p, hd_expr e) {
    const hd_support *s = hd_expr_support(p->g, e);
    for (uint32_t i = 0; i < s->n; i++) {
        hd_var v = s->v[i];
        if (v >= p->occurrences.n || p->variable_stamp.at[v] == p->stamp)
            continue;
        p->variable_stamp.at[v] = p->stamp;
        hd_vec_push(&p->todo, v);
    }
}

static void choose(hd_path *p, uint32_t i, hd_indices *out) {
    uint64_t bit = UINT64_C(1) << i % 64;
    if (p->chosen.at[i / 64] & bit || p->first[p->constraints.at[i]] != i)
        return; /* met before, or a duplicate of an earlier one (OPT 2) */
    p->chosen.at[i / 64] |= bit;
    hd_vec_push(out, i);
    meet_variables(p, p->constraints.at[i]);
}

static int compare_indices(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* Sort what was chosen and clear the bits: by reading the bits back when they are dense, so
 * that neither a short nor a long slice pays for the length of the path. */
static void sort_chosen(hd_path *p, hd_indices *out) {
    size_t n_words = p->chosen.n, to = 0;
    if (out->n * 8 < n_words) {
        for (size_t i = 0; i < out->n; i++)
            p->chosen.at[out->at[i] / 64] = 0;
        if (out->n > 1)
            qsort(out->at, out->n, sizeof *out->at, compare_indices);
        return;
    }
    for (size_t w = 0; w < n_words && to < out->n; w++) {
        for (uint64_t bits = p->chosen.at[w]; bits; bits &= bits - 1)
            out->at[to++] = (uint32_t)w * 64 + (uint32_t)__builtin_ctzll(bits);
        p->chosen.at[w] = 0;
    }
    HD_ASSERT(to == out->n);
}

static void begin_slice(hd_path *p) {
    if (++p->stamp == 0) { /* stamps of 2^32 slices ago would look fresh */
        if (p->variable_stamp.n)
            memset(p->variable_stamp.at, 0, p->variable_stamp.n * sizeof *p->variable_stamp.at);
        p->stamp = 1;
    }
    while (p->chosen.n * 64 < p->constraints.n)
        hd_vec_push(&p->chosen, 0);
    hd_vec_clear(&p->todo);
    HD_ASSERT(p->variable_stamp.n == p->occurrences.n);
}

void hd_path_slice(hd_path *p, uint32_t n, hd_expr goal, hd_indices *out) {
    follow_graph(p);
    HD_ASSERT(n <= p->constraints.n);
    begin_slice(p);
    hd_vec_clear(out);
    meet_variables(p, goal);
    while (p->todo.n) {
        const hd_indices *list = &p->occurrences.at[p->todo.at[--p->todo.n]];
        for (size_t i = 0; i < list->n && list->at[i] < n; i++)
            choose(p, list->at[i], out);
    }
    sort_chosen(p, out);
}
