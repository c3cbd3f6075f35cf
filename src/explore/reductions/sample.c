/* Orders of threads by chance: a random walk, or PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte:
 * "A randomized scheduler with probabilistic guarantees of finding bugs", 2010).
 *
 * PCT gives every thread a random priority and runs the highest that can go on; at d-1 random
 * events the running thread falls below all others.  With n threads and at most k events each
 * execution finds a bug of depth d with probability at least 1/(n k^(d-1)).
 *
 * A thread that goes round a loop for long falls below the others too, because it may wait for one
 * of them: else the execution would never end. */
#include "explore/orders/reduction.h"

#include "base/hash.h"
#include "base/panic.h"

#define LEAST_LENGTH 16 /* of an execution, before one was seen */
/* Priorities: first those who gave way in loops, then those of change points, then the others. */
#define CHANGED UINT64_C(0x80000000)
#define DRAWN   UINT64_C(0x100000000)

static uint64_t below(hd_weave *w, uint64_t n) {
    HD_ASSERT(n > 0);
    return hd_random_next(&w->x->random) % n;
}

/* Of the first n threads: of those behind the first few when they are there. */
static void draw_priorities(hd_weave *w, uint32_t n) {
    while (w->priorities.n < n)
        hd_vec_push(&w->priorities, DRAWN + below(w, DRAWN));
}

static void draw_change_points(hd_weave *w) {
    uint64_t length = w->x->counters.longest > LEAST_LENGTH ? w->x->counters.longest : LEAST_LENGTH;
    hd_vec_clear(&w->change_points);
    for (uint32_t i = 1; i < w->x->options.pct_depth; i++)
        hd_vec_push(&w->change_points, below(w, length));
    hd_vec_clear(&w->priorities);
    draw_priorities(w, HD_FEW_THREADS);
    w->lowest = CHANGED;
}

/* One of the first n, with as many chances for the first two as for the last half: an early
 * decision changes more, and a loop that decides in every round has many late ones. */
static uint32_t mostly_early(hd_weave *w, uint32_t n) {
    uint32_t size = 0;
    HD_ASSERT(n > 0 && n <= INT32_MAX);
    while (n >> size)
        size++;
    uint64_t limit = UINT64_C(1) << below(w, size + 1);
    return (uint32_t)below(w, limit < n ? limit : n);
}

/* Now and then other inputs: one decision of the last execution is turned round. */
static void vary_inputs(hd_weave *w, hd_model *model) {
    hd_explorer *x = w->x;
    if (!w->decisions.n || below(w, 2))
        return;
    uint32_t n = mostly_early(w, (uint32_t)w->decisions.n);
    HD_ASSERT(n < w->decisions.n);
    const hd_decision *d = &w->decisions.at[n];
    hd_query q = {.path = x->path,
                  .n = n,
                  .goal = hd_explorer_oriented(x, d->condition, !d->way),
                  .hint = &w->model};
    if (hd_chain_solve(x->chain, &q, model) == HD_SAT)
        hd_explorer_settle_pointers(x, model);
}

void hd_sample_begin(hd_weave *w, hd_model *model) {
    vary_inputs(w, model);
    draw_change_points(w);
}

static uint32_t highest(const hd_weave *w, hd_thread_set among) {
    uint32_t best = hd_set_first(among), t;
    HD_SET_EACH(t, among)
    if (w->priorities.at[t] > w->priorities.at[best])
        best = t;
    return best;
}

/* Priorities below those of all threads: the earlier the point, the higher. */
static void pass_change_points(hd_weave *w, uint32_t running) {
    for (size_t i = 0; i < w->change_points.n; i++)
        if (w->change_points.at[i] == w->n_events)
            w->priorities.at[running] = CHANGED + w->change_points.n - i;
    HD_CHECK(w->lowest <= CHANGED && w->change_points.n < DRAWN - CHANGED);
}

static uint32_t choose_by_priority(hd_weave *w, hd_thread_set enabled) {
    uint32_t best = highest(w, enabled);
    HD_CHECK(best < w->priorities.n && hd_set_has(enabled, best));
    pass_change_points(w, best);
    if (hd_reduce_has_run_long(w, best) && w->lowest)
        w->priorities.at[best] = --w->lowest;
    return highest(w, enabled);
}

static uint32_t choose(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    (void)node;
    const hd_explorer_options *o = &w->x->options;
    hd_thread_set enabled = hd_threads_enabled(threads);
    if (hd_set_is_empty(enabled))
        return HD_SCHEDULE_STUCK;
    draw_priorities(w, threads->n);
    if (o->sample_length && w->n_events >= o->sample_length)
        return HD_SCHEDULE_STOP;
    if (o->sampling == HD_SAMPLING_PCT)
        return choose_by_priority(w, enabled);
    return hd_reduce_draw(w, enabled);
}

/* A sample leaves nothing behind, so that nobody asks what is left. */
const hd_rules hd_rules_sample =
    HD_RULES(false, false, false, choose, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
