/* Sequences (sequence.h). */
#include "explore/orders/sequence.h"

#include "base/panic.h"
#include "explore/events/action_bytes.h"

bool hd_sequence_is_before(const hd_sequence *s, uint32_t i, uint32_t k) {
    const hd_wakeup_step *a = &s->at[i], *b = &s->at[k];
    HD_CHECK(i < k && a->event != UINT32_MAX);
    if (a->action->thread == b->action->thread)
        return true;
    if (s->order)
        return s->order[i * s->n + k];
    if (b->event == UINT32_MAX || !s->log)
        return hd_actions_conflict(a->action, b->action) ||
               (s->log && s->last_clock && hd_clock_has_seen(s->log, s->last_clock, a->event));
    return hd_event_before(s->log, a->event, b->event);
}

uint32_t hd_sequence_look_through(const hd_sequence *s, uint32_t thread) {
    uint32_t i = s->n_gone;
    while (i < s->n && s->at[i].action->thread != thread)
        i = hd_sequence_behind(s, i);
    return i;
}

/* Is the last event that happened before step k a step that is not gone?  It is a step if it came
 * after the place of the sequence: what depends on `first` happens before no step. */
static bool has_last_cause(const hd_sequence *s, uint32_t k) {
    uint32_t event = s->at[k].event;
    uint32_t cause = event == UINT32_MAX ? HD_NO_EVENT : s->log->at.at[event].cause;
    if (cause == HD_NO_EVENT || cause <= s->from)
        return false;
    uint32_t i = hd_sequence_step_of(s, hd_event_action(s->log, cause)->thread);
    return i < s->n && s->at[i].event <= cause;
}

/* As hd_sequence_is_before for all steps before step k, which is an event of the log: a thread has
 * seen its own events too. */
static bool is_initial_in_log(const hd_sequence *s, uint32_t k) {
    const uint32_t *clock = hd_event_clock(s->log, s->at[k].event);
    for (uint32_t i = s->n_gone; i < k; i = hd_sequence_behind(s, i)) {
        const hd_logged *l = &s->log->at.at[s->at[i].event];
        HD_CHECK(hd_sequence_is_before(s, i, k) == (clock[l->action.thread] >= l->nth));
        if (clock[l->action.thread] >= l->nth)
            return false;
    }
    return true;
}

static bool is_initial_by_looking(const hd_sequence *s, uint32_t k) {
    for (uint32_t i = s->n_gone; i < k; i = hd_sequence_behind(s, i))
        if (hd_sequence_is_before(s, i, k))
            return false;
    return true;
}

/* The steps of a thread go in their order. */
static bool is_gone(const hd_sequence *s, uint32_t i) {
    return s->by_thread[s->at[i].action->thread].first > i;
}

/* As hd_sequence_is_before, of a step of the log and the last one. */
static inline bool is_before_last(const hd_sequence *s, uint32_t i, const hd_action *last) {
    const hd_logged *l = &s->log->at.at[s->at[i].event];
    uint32_t thread = l->action.thread;
    return thread == last->thread || (s->last_clock && s->last_clock[thread] >= l->nth) ||
           hd_actions_conflict(&l->action, last);
}

/* Steps do not come back while a sequence goes down a tree: each is compared with the last one
 * once, until one is found that comes before it, and the others are when that one is gone. */
static bool is_last_initial(const hd_sequence *s, uint32_t last) {
    uint32_t i = s->n_gone > *s->clear_of_last ? s->n_gone : *s->clear_of_last;
    const hd_action *a = s->at[last].action;
    while (i < last && is_gone(s, i))
        i = hd_sequence_behind(s, i);
    while (i < last && !is_before_last(s, i, a))
        i = hd_sequence_behind(s, i);
    *s->clear_of_last = i;
    HD_CHECK((i >= last) == is_initial_by_looking(s, last));
    return i >= last;
}

static bool is_initial(const hd_sequence *s, uint32_t k) {
    if (k == s->n_gone)
        return true;
    if (s->by_thread && has_last_cause(s, k))
        return false;
    if (s->log && s->at[k].event != UINT32_MAX)
        return is_initial_in_log(s, k);
    if (s->clear_of_last && k + 1 == s->n)
        return is_last_initial(s, k);
    return is_initial_by_looking(s, k);
}

/* The last step is what the sequence is for, and conflicts most often. */
static bool conflicts_with_any(const hd_sequence *s, const hd_action *a) {
    if (s->by_thread && !is_gone(s, s->n - 1) && hd_actions_conflict(s->at[s->n - 1].action, a))
        return true;
    for (uint32_t i = s->n_gone; i < s->n; i = hd_sequence_behind(s, i))
        if (hd_actions_conflict(s->at[i].action, a))
            return true;
    return false;
}

static bool is_same_meeting(const hd_action *a, const hd_action *b) {
    return hd_is_same_barrier(a, b) && a->detail == b->detail;
}

uint64_t hd_sequence_arrived_before(const hd_sequence *s, const hd_action *a) {
    uint64_t n = 0;
    for (uint32_t i = 0; s->order && i < s->n; i++)
        if (is_same_meeting(s->at[i].action, a))
            return s->n_arrived[i];
    for (uint32_t e = 0; s->log && e < s->from; e++)
        n += is_same_meeting(hd_event_action(s->log, e), a);
    return n;
}

/* Arrivals of one generation commute, but there is room for so many only: would the last of the
 * sequence find it full if `a`, which is not among them, came first? */
static bool overfills(const hd_sequence *s, const hd_action *a) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        n += is_same_meeting(s->at[i].action, a);
    if (n == 0 || !(s->log || s->order))
        return n != 0;
    return n + hd_sequence_arrived_before(s, a) + s->n_foreign + 1 > a->expected;
}

static bool conflicts_with_rest(const hd_sequence *s, const hd_action *a) {
    return conflicts_with_any(s, a) || (hd_kind_is(a->kind, HD_KIND_MEETS) && overfills(s, a));
}

bool hd_sequence_may_begin_with_step(const hd_sequence *s, uint32_t k, const hd_action *action) {
    return k < s->n ? is_initial(s, k) : !conflicts_with_rest(s, action);
}

bool hd_sequence_may_begin_with(const hd_sequence *s, const hd_action *action) {
    return hd_sequence_may_begin_with_step(s, hd_sequence_step_of(s, action->thread), action);
}

/* Does each step that is not gone count those right before it as the one before counts them? */
static bool is_laid_out(const hd_sequence *s) {
    uint32_t n_gone = s->n_gone, i = n_gone;
    for (; i < s->n; i = hd_sequence_behind(s, i)) {
        if (s->at[i].n_gone_before != n_gone)
            return false;
        n_gone = s->at[i].n_gone;
    }
    return i == s->n;
}

void hd_sequence_let_go(hd_sequence *s, uint32_t k) {
    const hd_wakeup_step *step = &s->at[k];
    uint32_t before = k - step->n_gone_before, behind = hd_sequence_behind(s, k);
    HD_INVARIANT(W5, k < s->n && behind <= s->n && (before > 0 || k == s->n_gone));
    if (k == s->n_gone)
        s->n_gone = behind;
    else
        s->at[before - 1].n_gone = behind - before;
    if (behind < s->n)
        s->at[behind].n_gone_before = behind - before;
    HD_CHECK_INVARIANT(W5, is_laid_out(s));
    if (!s->by_thread)
        return;
    hd_thread_steps *own = &s->by_thread[step->action->thread];
    HD_INVARIANT(W6, own->first == k);
    own->first = step->next;
}

void hd_sequence_look_up_anew(hd_sequence *s) {
    for (uint32_t i = 0; i < s->n; i++)
        s->by_thread[s->at[i].action->thread].first = s->n;
    for (uint32_t i = s->n_gone; i < s->n; i = hd_sequence_behind(s, i)) {
        hd_thread_steps *own = &s->by_thread[s->at[i].action->thread];
        own->first = own->first < i ? own->first : i;
    }
    if (s->clear_of_last)
        *s->clear_of_last = 0;
}

/* ---- sequences as bytes ---- */

/* As hd_sequence_is_before: there are as many questions as pairs of steps, and the log answers most
 * of them. */
static inline bool is_before_in_log(const hd_sequence *s, const hd_logged *first, uint32_t i,
                                    uint32_t k) {
    uint32_t event = s->at[k].event;
    if (!s->log || event == UINT32_MAX)
        return hd_sequence_is_before(s, i, k);
    return hd_event_clock(s->log, event)[first->action.thread] >= first->nth;
}

/* Which steps behind step i it comes before: a bit each. */
static void pack_order(const hd_sequence *s, uint32_t i, hd_text *out) {
    const hd_logged *first =
        s->log && s->at[i].event != UINT32_MAX ? &s->log->at.at[s->at[i].event] : NULL;
    for (uint32_t k = i + 1; k < s->n;) {
        uint8_t bytes[8] = {0};
        uint32_t n = 0;
        for (; n < 64 && k < s->n; k++, n++)
            bytes[n / 8] |= (uint8_t)(is_before_in_log(s, first, i, k) << n % 8);
        hd_text_add_bytes(out, bytes, (n + 7) / 8);
    }
}

static void unpack_order(hd_unpack *u, uint32_t i, uint32_t n, uint8_t *row) {
    for (uint32_t k = i + 1; k < n && hd_unpack_ok(u); k += 8) {
        unsigned bits = hd_unpack_u8(u);
        for (uint32_t bit = 0; bit < 8 && k + bit < n; bit++)
            row[k + bit] = bits >> bit & 1;
    }
}

void hd_sequence_pack(const hd_sequence *s, hd_text *out) {
    HD_INVARIANT(F3, s->n_gone == 0 && s->n > 0);
    hd_pack_u32(out, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        const hd_action *a = s->at[i].action;
        bool meets = hd_kind_is(a->kind, HD_KIND_MEETS);
        hd_journal_save_action(a, out);
        hd_pack_short(out, meets ? (uint32_t)hd_sequence_arrived_before(s, a) : 0);
        pack_order(s, i, out);
    }
}

static void unpack_step(hd_packed_sequence *p, hd_unpack *u, uint32_t i, uint32_t n) {
    p->actions.at[i] = hd_journal_restore_action(u);
    p->n_arrived.at[i] = (uint32_t)hd_unpack_short(u);
    p->steps.at[i] =
        (hd_wakeup_step){.action = &p->actions.at[i], .event = i + 1 < n ? i : UINT32_MAX};
    unpack_order(u, i, n, p->order.at + (size_t)i * n);
}

/* Bits about all pairs of steps are there as well: as many steps as could be there without would
 * take far more memory than the bytes do. */
static uint32_t unpack_n_steps(hd_unpack *u) {
    uint64_t n = hd_unpack_count(u, HD_LEAST_ACTION + 1), left = (uint64_t)(u->end - u->at);
    u->failed |= n * n / 16 > n + left;
    return u->failed ? 0 : (uint32_t)n;
}

hd_sequence hd_sequence_unpack(hd_packed_sequence *p, hd_unpack *u) {
    uint32_t n = unpack_n_steps(u);
    hd_vec_reserve(&p->actions, n);
    hd_vec_reserve(&p->steps, n);
    hd_vec_reserve(&p->n_arrived, n);
    hd_vec_reserve(&p->order, (size_t)n * n);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++)
        unpack_step(p, u, i, n);
    return (hd_sequence){.at = p->steps.at,
                         .n = hd_unpack_ok(u) ? n : 0,
                         .order = p->order.at,
                         .n_arrived = p->n_arrived.at,
                         .is_plain = true};
}

void hd_packed_sequence_release(hd_packed_sequence *p) {
    hd_vec_release(&p->actions);
    hd_vec_release(&p->steps);
    hd_vec_release(&p->order);
    hd_vec_release(&p->n_arrived);
}
