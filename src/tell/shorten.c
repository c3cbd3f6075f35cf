/* Greedy: a move that helps is kept and the search goes on from there, until no move helps.
 * The moves on segments s1 x s2, where s1 and s2 are turns of one thread and x is what others
 * did in between, are s1 s2 x and x s1 s2; and to give up the plan after some segment, so that
 * threads go on until they have to stop.  Most interleavings that show a bug have a handful of
 * segments left after a few such steps, and bugs need few preemptions (Musuvathi and Qadeer,
 * "Iterative context bounding", 2007). */
#include "tell/shorten.h"

#include "base/clock.h"
#include "base/panic.h"

#include <string.h>

typedef struct segment {
    size_t from, to;
} segment;

typedef struct cost {
    uint32_t preemptions;
    uint64_t needed;
    size_t switches;
} cost;

typedef struct shortening {
    hd_shortener *s;
    hd_schedule *best;
    cost least;
    hd_vec(segment) segments; /* of best */
} shortening;

static bool is_spent(const shortening *a) {
    return a->s->n_runs >= a->s->max_runs || a->s->n_events >= a->s->max_events ||
           (a->s->deadline > 0 && hd_clock_now() >= a->s->deadline);
}

static cost cost_of(const hd_shortener *s) {
    const hd_follow *f = s->follow;
    cost c = {f->n_preemptions, s->n_needed, 0};
    for (size_t i = 1; i < f->events.n; i++)
        c.switches += f->events.at[i].thread != f->events.at[i - 1].thread;
    return c;
}

static bool is_less(cost a, cost b) {
    if (a.preemptions != b.preemptions)
        return a.preemptions < b.preemptions;
    return a.needed != b.needed ? a.needed < b.needed : a.switches < b.switches;
}

/* What was executed, which need not be what was planned. */
static void keep(shortening *a) {
    const hd_follow *f = a->s->follow;
    hd_vec_clear(a->best);
    for (size_t i = 0; i < f->events.n; i++)
        hd_vec_push(a->best, f->events.at[i].thread);
    a->least = cost_of(a->s);
    HD_INVARIANT(P1, a->best->n == f->events.n);
    hd_vec_clear(&a->segments);
    for (size_t i = 0, end; i < a->best->n; i = end) {
        for (end = i + 1; end < a->best->n && a->best->at[end] == a->best->at[i]; end++)
            ;
        hd_vec_push(&a->segments, ((segment){i, end}));
    }
}

static bool run(shortening *a) {
    hd_follow_begin(a->s->follow);
    a->s->n_runs++;
    HD_INVARIANT(P2, a->s->n_runs <= a->s->max_runs || a->s->n_runs == 1);
    bool shows = a->s->run(a->s->context, a->s->follow);
    a->s->n_events += a->s->follow->events.n;
    return shows;
}

/* Run the plan; keep it if it is better. */
static bool improves(shortening *a) {
    if (!run(a) || !is_less(cost_of(a->s), a->least))
        return false;
    keep(a);
    return true;
}

static void plan_segments(shortening *a, size_t from, size_t to) {
    hd_schedule *plan = &a->s->follow->plan;
    for (size_t i = from; i < to; i++) {
        segment g = a->segments.at[i];
        hd_vec_reserve(plan, plan->n + (g.to - g.from));
        memcpy(plan->at + plan->n, a->best->at + g.from, g.to - g.from);
        plan->n += g.to - g.from;
    }
}

/* Segments i and k of one thread become neighbours: k comes to i, or i goes to k. */
static bool join_segments(shortening *a, size_t i, size_t k, bool at_front) {
    hd_vec_clear(&a->s->follow->plan);
    plan_segments(a, 0, i);
    if (!at_front)
        plan_segments(a, i + 1, k);
    plan_segments(a, i, i + 1);
    plan_segments(a, k, k + 1);
    if (at_front)
        plan_segments(a, i + 1, k);
    plan_segments(a, k + 1, a->segments.n);
    return improves(a);
}

static size_t next_of_thread(const shortening *a, size_t i) {
    uint16_t thread = a->best->at[a->segments.at[i].from];
    size_t k = i + 1;
    while (k < a->segments.n && a->best->at[a->segments.at[k].from] != thread)
        k++;
    return k;
}

/* Early cuts gain most and are tried one by one, later ones in growing steps. */
static bool cut_plan(shortening *a) {
    bool has_improved = false;
    for (size_t i = 0; i + 1 < a->segments.n && !is_spent(a); i += 1 + i / 4) {
        hd_vec_clear(&a->s->follow->plan);
        plan_segments(a, 0, i);
        has_improved |= improves(a);
    }
    return has_improved;
}

static bool join_at(shortening *a, size_t i) {
    size_t k = next_of_thread(a, i);
    if (k >= a->segments.n || is_spent(a))
        return false;
    if (join_segments(a, i, k, true))
        return true;
    return !is_spent(a) && join_segments(a, i, k, false);
}

static bool join_turns(shortening *a) {
    bool has_improved = false;
    for (size_t i = 0; i < a->segments.n;)
        if (join_at(a, i))
            has_improved = true; /* what stands at i is another segment now, or a longer one */
        else
            i++;
    return has_improved;
}

bool hd_shorten(hd_shortener *s, hd_schedule *schedule) {
    shortening a = {.s = s, .best = schedule};
    s->n_runs = 0;
    s->n_events = 0;
    hd_vec_clear(&s->follow->plan);
    hd_vec_reserve(&s->follow->plan, schedule->n);
    for (size_t i = 0; i < schedule->n; i++)
        hd_vec_push(&s->follow->plan, schedule->at[i]);
    bool shows = run(&a);
    if (shows) {
        keep(&a);
        while (!is_spent(&a) && (cut_plan(&a) | join_turns(&a)))
            ;
    }
    hd_vec_release(&a.segments);
    return shows;
}
