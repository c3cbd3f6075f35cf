/* Threads that wait, at the end or for time to pass, with those that keep them waiting. */
#include "explore/orders/reduction.h"

#include "base/panic.h"

static void add_numbers(hd_weave *w, const uint32_t *numbers, uint32_t n) {
    hd_vec_reserve(&w->held_numbers, w->held_numbers.n + n);
    memcpy(w->held_numbers.at + w->held_numbers.n, numbers, n * sizeof *numbers);
    w->held_numbers.n += n;
}

const uint32_t *hd_held_blockers(const hd_weave *w, const hd_held_thread *h) {
    HD_ASSERT(h->n > 0 && h->first + h->n <= w->held_numbers.n);
    return w->held_numbers.at + h->first;
}

/* There may be more threads now than then, which it has not seen. */
const uint32_t *hd_held_clock(hd_weave *w, const hd_held_thread *h) {
    HD_ASSERT(h->first + h->n + h->n_clock <= w->held_numbers.n && h->n_clock <= w->log.stride);
    memcpy(w->held_clock, w->held_numbers.at + h->first + h->n, h->n_clock * sizeof *w->held_clock);
    memset(w->held_clock + h->n_clock, 0, (w->log.stride - h->n_clock) * sizeof *w->held_clock);
    return w->held_clock;
}

/* A thread that waits, at the end or for time to pass, races with those that keep it waiting
 * (PC18).  Who looks at several queues could go on without any of those who emptied one, and who
 * waits in a loop perhaps before any of several writes: each is a way of its own. */
static void note_held(hd_weave *w, uint32_t at, const hd_action *a) {
    uint32_t blockers[HD_MAX_THREADS];
    uint32_t n = a->flags & HD_ACTION_WAITS ? hd_events_blockers(&w->log, a, blockers) : 0;
    bool is_each_enough = hd_kind_is(a->kind, HD_KIND_POLLS) || a->flags & HD_ACTION_SPINS;
    uint32_t n_ways = is_each_enough ? n : n > 0;
    HD_ASSERT(at <= w->log.at.n && (!w->held.n || w->held.at[w->held.n - 1].at <= at));
    for (uint32_t i = 0; i < n_ways; i++) {
        hd_vec_reserve(&w->held, w->held.n + 1);
        hd_held_thread *h = &w->held.at[w->held.n++];
        h->at = at;
        h->n = n / n_ways;
        h->action = *a;
        h->action.flags &= (uint8_t)~HD_ACTION_FAILED; /* a mark of what was killed */
        h->was_slept_away = false;
        h->is_guess = !hd_events_predict_waiting(&w->log, &blockers[i], h->n, &h->action);
        hd_events_own_clock(&w->log, HD_NO_EVENT, &h->action, w->held_clock);
        HD_ASSERT(blockers[i] <= at && blockers[i] < w->log.at.n);
        h->first = w->held_numbers.n;
        h->n_clock = w->log.stride;
        add_numbers(w, &blockers[i], h->n);
        add_numbers(w, w->held_clock, h->n_clock);
    }
}

static void note_all_held(hd_weave *w, uint32_t at, const hd_threads *threads, hd_thread_set set) {
    if (!w->rules->uses_races)
        return;
    uint32_t t;
    HD_SET_EACH(t, set)
    note_held(w, at, &threads->action[t]);
}

void hd_reduce_note_held(hd_weave *w, const hd_threads *threads) {
    note_all_held(w, (uint32_t)w->log.at.n, threads, threads->alive);
}

hd_thread_set hd_reduce_note_ended(hd_weave *w, const hd_threads *threads, uint32_t thread) {
    uint32_t process = threads->process[thread];
    hd_set_maker stopping = {0};
    uint32_t t;
    HD_SET_EACH(t, hd_set_without(threads->alive, thread)) {
        uint8_t kind = threads->action[t].kind;
        if (threads->process[t] == process &&
            (!hd_kind_is(kind, HD_KIND_WORLD) || hd_kind_is(kind, HD_KIND_ENDS)))
            hd_set_maker_add(&stopping, t);
    }
    hd_thread_set stopped = hd_set_made(&stopping);
    HD_CHECK(w->log.at.n > 0 && !hd_set_has(stopped, thread));
    note_all_held(w, (uint32_t)w->log.at.n - 1, threads, stopped);
    return stopped;
}
