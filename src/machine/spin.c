/* Loops that only wait.
 *
 * An iteration that changed nothing and hands the same state to the next one will do the same
 * again, until it sees something else.  So the thread waits for that, and waiting loops end:
 *
 * - If the iteration consists of one access, "seeing this value here leads round again" is a
 *   fact about the program, which is remembered for all executions.  From then on the access
 *   itself waits while it would see such a value, like a lock; the execution that found out is
 *   run again (HD_END_RETRY), so that iterations in vain are part of no execution.
 * - If there are more, the thread waits behind an iteration in vain until one of the locations
 *   holds something else (SPIN).
 *
 * A write counts as no effect if it stores what was there.  That is known at the thread's next
 * stop: nobody else has run since. */
#include "machine/threads.h"

/* ---- one access ---- */

static uint64_t fact_of(const hd_action *a, uint64_t value) {
    uint64_t h = hd_hash_add((uint64_t)a->state << 32 | a->site, a->access[0].address);
    return hd_hash_add(hd_hash_add(h, a->access[0].size), value) & INT64_MAX;
}

bool hd_spin_goes_round(hd_threads *threads, const hd_action *a, uint64_t value) {
    hd_machine *m = threads->machine;
    return m->rounds.n && hd_map_find(&m->rounds, fact_of(a, value));
}

bool hd_spin_can_access(hd_machine *m, const hd_action *a) {
    const hd_access *x = &a->access[0];
    return !hd_spin_goes_round(&m->threads, a, hd_value_at(x->address & HD_SPACE_MASK, x->size));
}

void hd_spin_begin(const hd_thread *t, hd_action *a, const void *frame) {
    const hd_spin *s = &t->spin;
    if (s->frame != (uint64_t)frame || s->n_events != t->n_events ||
        a->access[0].size > sizeof a->value)
        return;
    a->flags |= HD_ACTION_WAITS | HD_ACTION_SPINS;
    a->state = (uint32_t)hd_hash_add(s->state, s->site);
}

/* Was the iteration that ends here one access that changed nothing? */
static bool is_one_access(const hd_machine *m, const hd_thread *t, const hd_action *a) {
    const hd_access *x = &a->access[0];
    return t->n_events == t->spin.n_events + 1 && (a->flags & HD_ACTION_SPINS) &&
           m->n_decisions == t->spin.n_decisions && m->sink->schedule &&
           hd_value_at(x->address & HD_SPACE_MASK, x->size) == a->value;
}

static _Noreturn void end_with_fact(hd_machine *m, const hd_action *a) {
    m->outcome->new_round = fact_of(a, a->value);
    hd_map_put(&m->rounds, m->outcome->new_round, 1);
    m->has_kept = false;
    m->outcome->end = HD_END_RETRY;
    m->outcome->retry_thread = m->threads.current;
    hd_threads_leave(m);
}

void hd_spin_learn(hd_machine *m, const hd_script *script) {
    for (; m->n_rounds < script->n_rounds; m->n_rounds++)
        hd_map_put(&m->rounds, script->rounds[m->n_rounds], 1);
}

/* ---- several accesses ---- */

static bool is_unchanged(const hd_watched *w) {
    return hd_value_at(w->address & HD_SPACE_MASK, w->size) == w->value;
}

void hd_spin_settle(hd_thread *t) {
    hd_spin *s = &t->spin;
    s->is_writing = false;
    if (s->n_reads && s->n_reads <= HD_MAX_WATCHED && !is_unchanged(&s->watched[s->n_reads - 1]))
        s->has_effect = true;
}

static hd_watched *find_watched(hd_spin *s, const hd_access *x) {
    for (uint32_t i = 0; i < s->n_reads && i < HD_MAX_WATCHED; i++)
        if (s->watched[i].address == x->address && s->watched[i].size == x->size)
            return &s->watched[i];
    return NULL;
}

/* It becomes the last of `watched`. */
static void add_watched(hd_spin *s, const hd_access *x) {
    hd_watched *known = find_watched(s, x), w;
    if (known) {
        s->has_effect |= !is_unchanged(known); /* read twice, and it differs */
        w = *known;
        *known = s->watched[s->n_reads - 1];
        s->watched[s->n_reads - 1] = w;
    } else if (s->n_reads < HD_MAX_WATCHED && x->size <= sizeof w.value)
        s->watched[s->n_reads++] =
            (hd_watched){x->address, hd_value_at(x->address & HD_SPACE_MASK, x->size), x->size};
    else
        s->n_reads = HD_MAX_WATCHED + 1; /* too many to wait for */
}

void hd_spin_note(hd_thread *t, const hd_action *a) {
    hd_spin *s = &t->spin;
    bool is_access = a->kind >= HD_DO_READ && a->kind <= HD_DO_COMPARE && a->n_accesses == 1;
    bool is_section = a->kind == HD_DO_ATOMIC && !(a->flags & HD_ACTION_WAITS);
    if (a->kind == HD_DO_SPIN || is_section || s->has_effect)
        return; /* what a section does is told at its end */
    s->has_effect = !is_access;
    if (!is_access || s->n_reads > HD_MAX_WATCHED)
        return;
    add_watched(s, &a->access[0]);
    s->is_writing = a->access[0].mode == HD_MODE_WRITE;
}

void hd_spin_note_inner(hd_thread *t, const hd_access *x) {
    hd_spin *s = &t->spin;
    s->has_effect |= x->mode != HD_MODE_READ;
    if (!s->has_effect && s->n_reads <= HD_MAX_WATCHED)
        add_watched(s, x);
}

bool hd_spin_is_over(const hd_thread *t) {
    const hd_spin *s = &t->spin;
    for (uint32_t i = 0; i < s->n_reads; i++)
        if (!is_unchanged(&s->watched[i]))
            return true;
    return false;
}

bool hd_spin_sees_shared_change(const hd_thread *t) {
    const hd_spin *s = &t->spin;
    for (uint32_t i = 0; i < s->n_reads; i++)
        if (hd_is_shared(s->watched[i].address) && !is_unchanged(&s->watched[i]))
            return true;
    return false;
}

/* An event in any case: whether something has changed already depends on the order of events. */
static void wait_for_change(hd_machine *m, const hd_thread *t, uint32_t site) {
    hd_action a = {.kind = HD_DO_SPIN, .flags = HD_ACTION_WAITS, .site = site};
    for (uint32_t i = 0; i < t->spin.n_reads; i++)
        hd_action_also(&a, t->spin.watched[i].address, t->spin.watched[i].size, HD_MODE_READ, true);
    hd_visible(m, &a);
}

/* ---- what instrumented code calls ---- */

void __hd_slow_spin(uint64_t state, uint32_t is_entry, uint32_t site) {
    hd_machine *m = hd_enter();
    hd_thread *t = &m->thread[m->threads.current];
    hd_spin *s = &t->spin;
    const hd_action *last = &m->threads.action[m->threads.current];
    uint64_t frame = *(const uint64_t *)__builtin_frame_address(0);
    if (s->is_writing)
        hd_spin_settle(t);
    if (!is_entry && s->site == site && s->frame == frame && s->state == state) {
        if (is_one_access(m, t, last))
            end_with_fact(m, last);
        if (!s->has_effect && s->n_reads && s->n_reads <= HD_MAX_WATCHED)
            wait_for_change(m, t, site);
    }
    s->site = site;
    s->frame = frame;
    s->state = state;
    s->n_events = t->n_events;
    s->n_decisions = m->n_decisions;
    s->n_reads = 0;
    s->has_effect = s->is_writing = false;
}
