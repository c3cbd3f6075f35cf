/* All strategies are a row of queues: depth-first and random keep one, breadth-first one per
 * depth, coverage one per rank.  Breadth-first and coverage take the oldest entry of the first
 * queue that has one; depth-first the newest; random any. */
#include "explore/frontier.h"

#include "base/hash.h"

#include <string.h>

typedef struct queue {
    hd_vec(hd_entry) entries;
    size_t first; /* entries before it were taken */
} queue;

struct hd_frontier {
    hd_strategy strategy;
    uint64_t random;
    hd_vec(queue) queues;
    size_t lowest; /* no queue before it has an entry */
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

void hd_frontier_push(hd_frontier *f, hd_entry e, uint32_t depth, enum hd_rank rank) {
    size_t number = queue_number(f, depth, rank);
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

bool hd_frontier_pop(hd_frontier *f, hd_entry *e, enum hd_rank *rank) {
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
    for (size_t i = 0; i < f->queues.n; i++)
        for (size_t j = f->queues.at[i].first; j < f->queues.at[i].entries.n; j++)
            each(context, f->queues.at[i].entries.at[j],
                 f->strategy == HD_STRATEGY_COVERAGE ? (enum hd_rank)i : HD_RANK_OLD);
}
