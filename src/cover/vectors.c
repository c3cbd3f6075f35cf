/* The numbers at the edges: those of inner edges say how many ways lead into the next condition by
 * edges that were looked at before; those of edges that make the decision are given out last, the
 * widest conditions first.  Code of clang adds up the same numbers while it evaluates a decision.
 */
#include "cover/vectors.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

typedef struct vector_edge {
    uint64_t width;
    uint32_t order, condition;
    int side;
} vector_edge;

typedef struct numbering {
    const hd_decision_graph *g;
    uint64_t width[HD_MOST_CONDITIONS]; /* ways that lead there */
    uint32_t n_in[HD_MOST_CONDITIONS];
    uint64_t at_edge[HD_MOST_CONDITIONS][2];
    vector_edge last[2 * HD_MOST_CONDITIONS];
    uint32_t n_last;
    uint32_t queue[HD_MOST_CONDITIONS], n_queue;
} numbering;

static bool is_graph(const hd_decision_graph *g) {
    if (g->n == 0 || g->n > HD_MOST_CONDITIONS)
        return false;
    for (uint32_t i = 0; i < g->n; i++)
        for (int k = 0; k < 2; k++)
            if (g->next[i][k] == 0 || g->next[i][k] >= (int32_t)g->n)
                return false;
    return true;
}

static void leave(numbering *b, uint32_t condition, int side) {
    int32_t next = b->g->next[condition][side];
    if (next < 0) {
        b->last[b->n_last] = (vector_edge){b->width[condition], b->n_last, condition, side};
        b->n_last++;
        return;
    }
    b->at_edge[condition][side] = b->width[next];
    b->width[next] += b->width[condition];
    if (--b->n_in[next] == 0)
        b->queue[b->n_queue++] = (uint32_t)next;
}

static int by_width(const void *a, const void *b) {
    const vector_edge *x = a, *y = b;
    if (x->width != y->width)
        return x->width > y->width ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

/* How many vectors there are; 0: a condition that nothing leads to, or a circle. */
static uint64_t number_edges(numbering *b) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < b->g->n; i++)
        for (int k = 0; k < 2; k++)
            if (b->g->next[i][k] > 0)
                b->n_in[b->g->next[i][k]]++;
    b->width[0] = 1;
    b->queue[b->n_queue++] = 0;
    for (uint32_t i = 0; i < b->n_queue; i++)
        for (int k = 0; k < 2; k++)
            leave(b, b->queue[i], k);
    if (b->n_queue != b->g->n)
        return 0;
    qsort(b->last, b->n_last, sizeof *b->last, by_width);
    for (uint32_t i = 0; i < b->n_last; i++) {
        b->at_edge[b->last[i].condition][b->last[i].side] = n;
        n += b->last[i].width;
        if (n > HD_MOST_VECTORS)
            return 0;
    }
    return n;
}

static void walk(const numbering *b, uint32_t condition, uint64_t number, hd_vector v,
                 hd_vectors *out) {
    for (int side = 0; side < 2; side++) {
        hd_vector w = v;
        w.asked |= UINT64_C(1) << condition;
        w.values |= (uint64_t)side << condition;
        uint64_t sum = number + b->at_edge[condition][side];
        int32_t next = b->g->next[condition][side];
        if (next >= 0) {
            walk(b, (uint32_t)next, sum, w, out);
            continue;
        }
        w.result = side;
        HD_INVARIANT(X1, sum < out->n && !out->at[sum].asked);
        out->at[sum] = w;
    }
}

bool hd_vectors_make(const hd_decision_graph *g, hd_vectors *out) {
    numbering b = {.g = g};
    uint64_t n = is_graph(g) ? number_edges(&b) : 0;
    hd_vec_clear(out);
    hd_vec_reserve(out, n + 1);
    out->n = n;
    memset(out->at, 0, n * sizeof *out->at);
    if (n)
        walk(&b, 0, 0, (hd_vector){0}, out);
    return n > 0;
}

int hd_vectors_pair(const hd_vector *a, const hd_vector *b) {
    uint64_t differ = (a->values ^ b->values) & a->asked & b->asked;
    bool is_pair = a->result != b->result && differ && !(differ & (differ - 1));
    return is_pair ? __builtin_ctzll(differ) : -1;
}
