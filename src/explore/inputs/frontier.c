/* Queues of open ways, as the rules of the strategy have them (strategy.h). */
#include "explore/inputs/strategy.h"

#include "base/panic.h"

#include <string.h>

static const hd_strategy_rules *const rules[] = {
#define X(name, rules, text, words) [HD_STRATEGY_##name] = &hd_strategy_##rules,
    HD_STRATEGIES(X)
#undef X
};

bool hd_strategy_remembers_ways(hd_strategy strategy) {
    return rules[strategy]->remembers_ways;
}

bool hd_strategy_shuffles_inputs(hd_strategy strategy) {
    return rules[strategy]->shuffles_inputs;
}

hd_frontier *hd_frontier_new(hd_strategy strategy, uint64_t seed) {
    HD_ASSERT(strategy < HD_N_STRATEGIES);
    hd_frontier *f = hd_vec_grown(NULL, &(size_t){0}, 1, sizeof *f);
    *f = (hd_frontier){.rules = rules[strategy], .random = seed};
    f->own = f->rules->own ? calloc(1, f->rules->own) : NULL;
    if (f->rules->own && !f->own)
        hd_out_of_memory();
    return f;
}

void hd_frontier_free(hd_frontier *f) {
    for (size_t i = 0; i < f->queues.n; i++)
        hd_vec_release(&f->queues.at[i].entries);
    hd_vec_release(&f->queues);
    free(f->own);
    free(f);
}

void hd_frontier_spread(hd_frontier *f) {
    f->spreads = true;
}

void hd_frontier_push(hd_frontier *f, hd_entry e, enum hd_rank rank) {
    size_t number = f->rules->queue(e.depth, rank);
    HD_ASSERT(e.node != HD_NO_NODE && e.serial != 0 && rank < HD_N_RANKS);
    HD_ASSERT(!f->rules->has_ranks || number < HD_N_RANKS); /* rank_of_queue */
    while (f->queues.n <= number)
        hd_vec_push(&f->queues, (hd_open_queue){0});
    hd_vec_push(&f->queues.at[number].entries, e);
    if (number < f->lowest)
        f->lowest = number;
}

void hd_frontier_worked(hd_frontier *f, uint64_t work, bool may_spread) {
    if (f->rules->worked)
        f->rules->worked(f, work, may_spread);
}

static enum hd_rank rank_of_queue(const hd_frontier *f, size_t number) {
    return f->rules->has_ranks ? (enum hd_rank)number : HD_RANK_OLD;
}

static void count_entry(void *n, hd_entry e, enum hd_rank rank) {
    (void)e, (void)rank;
    ++*(size_t *)n;
}

/* All entries: costs a look at each. */
static size_t count_entries(const hd_frontier *f) {
    size_t n = 0;
    hd_frontier_each(f, count_entry, &n);
    return n;
}

bool hd_frontier_pop(hd_frontier *f, hd_entry *e, enum hd_rank *rank) {
    *rank = HD_RANK_OLD;
    if (f->rules->take_held && f->rules->take_held(f, e))
        return true;
    for (; f->lowest < f->queues.n; f->lowest++) {
        hd_open_queue *q = &f->queues.at[f->lowest];
        if (q->first == q->entries.n)
            continue;
        size_t n_left = q->entries.n - q->first;
        *e = f->rules->take(f, q);
        *rank = rank_of_queue(f, f->lowest);
        HD_ASSERT(q->first <= q->entries.n && q->entries.n - q->first + 1 == n_left);
        return true;
    }
    HD_CHECK(count_entries(f) == 0); /* no strategy keeps entries to itself */
    return false;
}

void hd_frontier_each(const hd_frontier *f, void (*each)(void *, hd_entry, enum hd_rank),
                      void *context) {
    if (f->rules->each_held)
        f->rules->each_held(f, each, context);
    for (size_t i = 0; i < f->queues.n; i++)
        for (size_t j = f->queues.at[i].first; j < f->queues.at[i].entries.n; j++)
            each(context, f->queues.at[i].entries.at[j], rank_of_queue(f, i));
}

/* ---- what rules share ---- */

size_t hd_strategy_one_queue(uint32_t depth, enum hd_rank rank) {
    (void)depth, (void)rank;
    return 0;
}

hd_entry hd_strategy_take_newest(hd_frontier *f, hd_open_queue *q) {
    (void)f;
    HD_ASSERT(q->first < q->entries.n);
    return q->entries.at[--q->entries.n];
}

hd_entry hd_strategy_take_oldest(hd_frontier *f, hd_open_queue *q) {
    (void)f;
    HD_ASSERT(q->first < q->entries.n);
    hd_entry e = q->entries.at[q->first++];
    if (q->first * 2 >= q->entries.n && q->first > 64) {
        q->entries.n -= q->first;
        memmove(q->entries.at, q->entries.at + q->first, q->entries.n * sizeof e);
        q->first = 0;
    }
    return e;
}
