/* All strategies are a row of queues: depth-first, mixed and random keep one, breadth-first one per
 * depth, coverage one per rank.  Breadth-first and coverage take the oldest entry of the first
 * queue that has one; depth-first the newest; random any.  Mixed takes the newest too, but in its
 * shallow turns entries that it has picked out of the queue before. */
#include "explore/frontier.h"

#include "base/hash.h"

#include <string.h>

typedef struct queue {
    hd_vec(hd_entry) entries;
    size_t first; /* entries before it were taken */
} queue;

/* Work is decisions, and EXECUTION for each execution.  An execution at the shallow end costs two or
 * three of those that depth first makes, so that most searches, which are small, do few of them:
 * one at least in each turn.  A search that is LONG has no end in sight. */
#define EXECUTION     32
#define DEEP_TURN     UINT64_C(16384)
#define LONG          UINT64_C(0x1000000)
#define SHARE_AT_ONCE 128 /* a shallow turn is such a part of a deep one, ... */
#define SHARE_LATER   4   /* ... and such a part when the search is long */
#define PICKED        64  /* entries at a time */
#define MOST_OPEN     (1 << 20) /* with more, only depth first gets on */

struct hd_frontier {
    hd_strategy strategy;
    uint64_t random;
    hd_vec(queue) queues;
    size_t lowest; /* no queue before it has an entry */

    /* mixed */
    bool is_shallow;
    uint64_t work, all_work;       /* of this turn, of all */
    hd_entry picked[PICKED];       /* the shallowest, ascending */
    size_t n_picked, first_picked; /* those before it were taken */
};

hd_frontier *hd_frontier_new(hd_strategy strategy, uint64_t seed) {
    hd_frontier *f = hd_vec_grown(NULL, &(size_t){0}, 1, sizeof *f);
    *f = (hd_frontier){.strategy = strategy, .random = seed};
    return f;
}

void hd_frontier_free(hd_frontier *f) {
    for (size_t i = 0; i < f->queues.n; i++)
        hd_vec_release(&f->queues.at[i].entries);
    hd_vec_release(&f->queues);
    free(f);
}

static size_t queue_number(const hd_frontier *f, uint32_t depth, enum hd_rank rank) {
    if (f->strategy == HD_STRATEGY_BFS)
        return depth;
    return f->strategy == HD_STRATEGY_COVERAGE ? (size_t)rank : 0;
}

void hd_frontier_push(hd_frontier *f, hd_entry e, enum hd_rank rank) {
    size_t number = queue_number(f, e.depth, rank);
    while (f->queues.n <= number)
        hd_vec_push(&f->queues, (queue){0});
    hd_vec_push(&f->queues.at[number].entries, e);
    if (number < f->lowest)
        f->lowest = number;
}

static hd_entry take_oldest(queue *q) {
    hd_entry e = q->entries.at[q->first++];
    if (q->first * 2 >= q->entries.n && q->first > 64) {
        q->entries.n -= q->first;
        memmove(q->entries.at, q->entries.at + q->first, q->entries.n * sizeof e);
        q->first = 0;
    }
    return e;
}

static hd_entry take_any(queue *q, uint64_t random) {
    size_t left = q->entries.n - q->first;
    size_t chosen = q->first + random % left;
    hd_entry e = q->entries.at[chosen];
    q->entries.at[chosen] = q->entries.at[--q->entries.n];
    return e;
}

static hd_entry take(hd_frontier *f, queue *q) {
    switch (f->strategy) {
    case HD_STRATEGY_BFS:
    case HD_STRATEGY_COVERAGE:
        return take_oldest(q);
    case HD_STRATEGY_RANDOM:
        return take_any(q, hd_random_next(&f->random));
    default:
        return q->entries.at[--q->entries.n];
    }
}

/* ---- turns of the mixed strategy ---- */

/* Into its place among the picked ones; the one that falls out. */
static hd_entry pick(hd_frontier *f, hd_entry e) {
    hd_entry out = {.node = HD_NO_NODE};
    size_t i = f->n_picked;
    if (i == PICKED)
        out = f->picked[--i];
    else
        f->n_picked++;
    for (; i && f->picked[i - 1].depth > e.depth; i--)
        f->picked[i] = f->picked[i - 1];
    f->picked[i] = e;
    return out;
}

/* Take the shallowest entries out of the queue; the others keep their order, nearly. */
static void pick_shallowest(hd_frontier *f) {
    queue *q = &f->queues.at[0];
    size_t kept = 0;
    f->n_picked = f->first_picked = 0;
    for (size_t i = 0; i < q->entries.n; i++) {
        hd_entry e = q->entries.at[i];
        if (f->n_picked < PICKED || e.depth < f->picked[PICKED - 1].depth)
            e = pick(f, e);
        if (e.node != HD_NO_NODE)
            q->entries.at[kept++] = e;
    }
    q->entries.n = kept;
}

static bool has_picked(hd_frontier *f) {
    if (f->first_picked == f->n_picked && f->is_shallow && f->queues.n &&
        f->queues.at[0].entries.n > 1)
        pick_shallowest(f);
    return f->first_picked < f->n_picked;
}

void hd_frontier_worked(hd_frontier *f, uint64_t work, bool may_spread) {
    if (f->strategy != HD_STRATEGY_MIXED)
        return;
    f->work += EXECUTION + work;
    f->all_work += EXECUTION + work;
    uint64_t share = f->all_work < LONG ? SHARE_AT_ONCE : SHARE_LATER;
    if (f->work < (f->is_shallow ? DEEP_TURN / share : DEEP_TURN))
        return;
    f->work = 0;
    f->is_shallow = !f->is_shallow && may_spread && f->queues.n &&
                    f->queues.at[0].entries.n <= MOST_OPEN;
}

static bool is_empty(const hd_frontier *f) {
    return !f->queues.n || f->queues.at[0].first == f->queues.at[0].entries.n;
}

bool hd_frontier_pop(hd_frontier *f, hd_entry *e, enum hd_rank *rank) {
    if (f->strategy == HD_STRATEGY_MIXED && (f->is_shallow || is_empty(f)) && has_picked(f)) {
        *e = f->picked[f->first_picked++];
        *rank = HD_RANK_OLD;
        return true;
    }
    for (; f->lowest < f->queues.n; f->lowest++) {
        queue *q = &f->queues.at[f->lowest];
        if (q->first == q->entries.n)
            continue;
        *e = take(f, q);
        *rank = f->strategy == HD_STRATEGY_COVERAGE ? (enum hd_rank)f->lowest : HD_RANK_OLD;
        return true;
    }
    return false;
}

void hd_frontier_each(const hd_frontier *f, void (*each)(void *, hd_entry, enum hd_rank),
                      void *context) {
    for (size_t i = f->first_picked; i < f->n_picked; i++)
        each(context, f->picked[i], HD_RANK_OLD);
    for (size_t i = 0; i < f->queues.n; i++)
        for (size_t j = f->queues.at[i].first; j < f->queues.at[i].entries.n; j++)
            each(context, f->queues.at[i].entries.at[j],
                 f->strategy == HD_STRATEGY_COVERAGE ? (enum hd_rank)i : HD_RANK_OLD);
}
