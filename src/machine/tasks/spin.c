/* Loops that only wait.
 *
 * An iteration that changed nothing and hands the same state to the next one was in vain.  The next
 * one will do the same again, until it sees something else.  So the thread waits for that, and
 * waiting loops end:
 *
 * - If the iteration consists of one access, "seeing this value here leads round again" is a
 *   fact about the program, which is remembered for all executions.  From then on the access
 *   itself waits while it would see such a value, like a lock; the execution that found out is
 *   run again (HD_END_RETRY), so that iterations in vain are part of no execution.
 * - If there are more, the thread waits behind an iteration in vain until one of the locations
 *   holds something else (SPIN).  A search through all orders need not let it go on then: without
 *   the iteration the same happens, and that is another order (explore/orders/reduce.c).
 *
 * Loops within each other are all followed: each has its own arrival, and what the inner ones do is
 * part of an iteration of the outer ones.  An arrival with an effect after it is forgotten.
 *
 * An iteration that does nothing that anybody sees waits for a handler of a signal, if one can run:
 * what that will touch may not be known yet (handler_memory.c).  But it must have changed nothing
 * at all: memory of a process without threads nobody sees.
 *
 * A write counts as no effect if it stores what was there, or if it is undone in the same iteration
 * and nobody else has looked meanwhile.  What it did is known at the thread's next stop: nobody
 * else has run since.  A lock that is locked and unlocked again counts as none if nobody tried it
 * meanwhile: those who wait for it do not know for whom. */
#include "machine/core/kinds.h"
#include "machine/tasks/endless.h"
#include "machine/tasks/signals.h"

/* ---- one access ---- */

static uint64_t fact_of(const hd_action *a, uint64_t value) {
    uint64_t h = hd_hash_add((uint64_t)a->state << 32 | a->site, a->access[0].address);
    return hd_hash_add(hd_hash_add(h, a->access[0].size), value) & INT64_MAX;
}

bool hd_spin_goes_round(hd_threads *threads, const hd_action *a, uint64_t value) {
    hd_machine *m = threads->machine;
    return m->facts.rounds.n && hd_map_find(&m->facts.rounds, fact_of(a, value));
}

bool hd_spin_can_access(hd_machine *m, const hd_action *a) {
    const hd_access *x = &a->access[0];
    return !hd_spin_goes_round(&m->threads, a, hd_value_at(x->address & HD_SPACE_MASK, x->size));
}

/* Loops that begin at the same access lead round together: what is known holds for the states of
 * all of them. */
void hd_spin_begin(const hd_thread *t, hd_action *a, const void *frame) {
    HD_CHECK(t->n_spins && a->n_accesses);
    const hd_spin *inner = &t->spin[t->n_spins - 1];
    if (inner->frame != (uint64_t)frame || inner->n_events != t->n_events ||
        a->access[0].size > sizeof a->value)
        return;
    a->flags |= HD_ACTION_WAITS | HD_ACTION_SPINS;
    a->state = (uint32_t)hd_hash_add(inner->state, inner->site);
    for (const hd_spin *s = inner; s > t->spin && s[-1].n_events == t->n_events; s--)
        a->state = (uint32_t)hd_hash_add(s[-1].state, a->state);
}

/* Was the iteration that ends here one access that changed nothing? */
static bool is_one_access(const hd_machine *m, const hd_thread *t, const hd_spin *s,
                          const hd_action *a) {
    const hd_access *x = &a->access[0];
    return t->n_events == s->n_events + 1 && (a->flags & HD_ACTION_SPINS) &&
           m->execution.n_decisions == s->n_decisions && m->call.sink->schedule &&
           m->options.orders == HD_ORDERS_ALL &&
           hd_value_at(x->address & HD_SPACE_MASK, x->size) == a->value;
}

static _Noreturn void end_with_fact(hd_machine *m, const hd_action *a) {
    m->call.outcome->new_round = fact_of(a, a->value);
    hd_map_put(&m->facts.rounds, m->call.outcome->new_round, 1);
    hd_failures_forget(m);
    m->call.outcome->end = HD_END_RETRY;
    m->call.outcome->retry_thread = m->threads.current;
    hd_threads_leave(m);
}

void hd_spin_learn(hd_machine *m, const hd_script *script) {
    for (; m->facts.n_rounds < script->n_rounds; m->facts.n_rounds++)
        hd_map_put(&m->facts.rounds, script->rounds[m->facts.n_rounds], 1);
}

/* ---- several accesses ---- */

static bool is_unchanged(const hd_watched *w) {
    return hd_value_at(w->address & HD_SPACE_MASK, w->size) == w->value;
}

static void forget(hd_thread *t, uint32_t n) {
    HD_ASSERT(n < t->n_spins && t->n_spins <= HD_MAX_SPINS);
    for (uint32_t i = n + 1; i < t->n_spins; i++)
        t->spin[i - 1] = t->spin[i];
    t->n_spins--;
}

static hd_watched *find_changed(hd_spin *s, const hd_watched *w) {
    for (uint32_t i = 0; i < s->n_changed; i++)
        if (s->changed[i].address == w->address && s->changed[i].size == w->size)
            return &s->changed[i];
    return NULL;
}

/* The last write of an iteration has changed something: for a moment, or it has undone that.  False
 * if there is too much of it. */
static bool settle_change(hd_spin *s) {
    HD_ASSERT(s->n_reads && s->n_reads <= HD_MAX_WATCHED);
    HD_ASSERT(s->n_changed <= HD_MAX_CHANGED);
    hd_watched *last = &s->watched[s->n_reads - 1], *known = find_changed(s, last);
    uint64_t now = hd_value_at(last->address & HD_SPACE_MASK, last->size);
    if (!known && s->n_changed == HD_MAX_CHANGED)
        return false;
    if (!known)
        s->changed[s->n_changed++] = *last;
    else if (known->value == now)
        *known = s->changed[--s->n_changed];
    last->value = now;
    return true;
}

void hd_spin_settle(hd_thread *t) {
    t->is_writing = false;
    for (uint32_t i = t->n_spins; i-- > 0;) {
        hd_spin *s = &t->spin[i];
        if (is_unchanged(&s->watched[s->n_reads - 1]))
            continue;
        if (!settle_change(s))
            forget(t, i);
        hd_now->lessons.changing =
            hd_set_with(hd_now->lessons.changing, (uint32_t)(t - hd_now->thread));
    }
}

static bool looks_at(const hd_action *a, const hd_watched *w) {
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (a->access[i].address < w->address + w->size &&
            w->address < a->access[i].address + a->access[i].size)
            return true;
    return hd_kind_is(a->kind, HD_KIND_SECTION); /* what its section looks at is not known yet */
}

static bool looks_at_change(const hd_action *a, const hd_spin *s) {
    for (uint32_t i = 0; i < s->n_changed; i++)
        if (looks_at(a, &s->changed[i]))
            return true;
    return false;
}

/* By the running thread, which may be in a loop of its own that does no better. */
static void see(const hd_machine *m, hd_spin *s) {
    const hd_thread *by = &m->thread[m->threads.current];
    s->is_seen = true;
    for (uint32_t i = 0; i < by->n_spins; i++)
        s->is_hindered |= by->spin[i].n_undone + 1 >= s->n_undone;
}

/* Has a loop of the thread changed something, for now? */
static bool is_changing(const hd_thread *t) {
    for (uint32_t i = 0; i < t->n_spins; i++)
        if (t->spin[i].n_changed)
            return !t->has_ended;
    return false;
}

void hd_spin_note_looks(hd_machine *m, const hd_action *a) {
    uint32_t each;
    HD_SET_EACH(each, hd_set_without(m->lessons.changing, a->thread)) {
        hd_thread *t = &m->thread[each];
        for (uint32_t i = t->n_spins; i-- > 0 && hd_set_has(m->threads.alive, each);)
            if (looks_at_change(a, &t->spin[i]))
                see(m, &t->spin[i]);
        if (!is_changing(t))
            m->lessons.changing = hd_set_without(m->lessons.changing, each);
    }
}

static hd_watched *find_watched(hd_spin *s, const hd_access *x) {
    for (uint32_t i = 0; i < s->n_reads; i++)
        if (s->watched[i].address == x->address && s->watched[i].size == x->size)
            return &s->watched[i];
    return NULL;
}

/* The access becomes the last of `watched`; false if there are too many to wait for. */
static bool add_watched(hd_spin *s, const hd_access *x) {
    HD_ASSERT(s->n_reads <= HD_MAX_WATCHED);
    hd_watched *known = find_watched(s, x), *last = &s->watched[s->n_reads - (known != NULL)];
    if (x->size > sizeof last->value || (!known && s->n_reads == HD_MAX_WATCHED))
        return false;
    if (known) {
        s->is_stale |= !is_unchanged(known);
        *known = *last;
    } else
        s->n_reads++;
    *last = (hd_watched){x->address, hd_value_at(x->address & HD_SPACE_MASK, x->size), x->size};
    return true;
}

/* ---- locks in the loop ---- */

static uint64_t *find_taken(hd_spin *s, uint64_t lock) {
    for (uint32_t i = 0; i < s->n_taken; i++)
        if (s->taken[i] == lock)
            return &s->taken[i];
    return NULL;
}

static bool add_taken(hd_spin *s, uint64_t lock) {
    HD_ASSERT(s->n_taken <= HD_MAX_TAKEN);
    if (s->n_taken == HD_MAX_TAKEN)
        return false;
    s->taken[s->n_taken++] = lock;
    return true;
}

static bool remove_taken(hd_spin *s, uint64_t lock) {
    uint64_t *found = find_taken(s, lock);
    if (found)
        *found = s->taken[--s->n_taken];
    return found;
}

void hd_round_lock(hd_thread *t, const hd_action *a) {
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_OBJECT) && a->n_accesses);
    for (uint32_t i = t->n_spins; i-- > 0;)
        if (!add_taken(&t->spin[i], a->access[0].address))
            forget(t, i);
    t->is_writing = false;
}

void hd_round_unlock(hd_thread *t, const hd_action *a) {
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_OBJECT) && a->n_accesses);
    for (uint32_t i = t->n_spins; i-- > 0;)
        if (!remove_taken(&t->spin[i], a->access[0].address))
            forget(t, i);
    t->is_writing = false;
}

void hd_spin_note_effect(hd_thread *t) {
    t->n_spins = 0;
    t->is_writing = false;
}

void hd_spin_note_seen(hd_machine *m, const hd_action *attempt) {
    uint32_t each;
    HD_SET_EACH(each, m->threads.alive) {
        hd_thread *t = &m->thread[each];
        for (uint32_t i = t->n_spins; i-- > 0;)
            if (find_taken(&t->spin[i], attempt->access[0].address))
                see(m, &t->spin[i]);
    }
}

/* ---- what happens in an iteration: a column of the table of kinds ---- */

/* Of one place; that the thread may be killed or interrupted is true of all that it does. */
static bool is_one_place(const hd_action *a) {
    return a->n_accesses == 1 || (a->n_accesses && a->access[1].address < HD_TOKEN_LIMIT);
}

static void note_access(hd_thread *t, const hd_access *x, bool is_store) {
    HD_CHECK(t->n_spins && t->n_spins <= HD_MAX_SPINS);
    for (uint32_t i = t->n_spins; i-- > 0;)
        if (!add_watched(&t->spin[i], x))
            forget(t, i);
        else
            t->spin[i].has_stores |= is_store;
    t->is_writing = t->n_spins && x->mode == HD_MODE_WRITE;
}

void hd_round_nothing(hd_thread *t, const hd_action *a) {
    (void)t, (void)a;
}

void hd_round_effect(hd_thread *t, const hd_action *a) {
    (void)a;
    hd_spin_note_effect(t);
}

void hd_round_access(hd_thread *t, const hd_action *a) {
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_MEMORY));
    if (is_one_place(a))
        note_access(t, &a->access[0], false);
    else
        hd_spin_note_effect(t);
}

void hd_round_store(hd_thread *t, const hd_action *a) {
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_MEMORY));
    if (is_one_place(a))
        note_access(t, &a->access[0], true);
    else
        hd_spin_note_effect(t);
}

/* An attempt to lock that failed has looked at the first word of a mutex or spinlock, which says
 * whether it is locked. */
void hd_round_try(hd_thread *t, const hd_action *a) {
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_TRIES) && a->n_accesses);
    hd_access word = a->access[0];
    word.size = sizeof(uint32_t);
    if (!(a->flags & HD_ACTION_FAILED))
        hd_round_lock(t, a);
    else if (a->n_accesses == 1 && !(a->flags & HD_ACTION_WAITS))
        note_access(t, &word, false);
    else
        hd_spin_note_effect(t);
}

/* What a section does is told at its end (hd_spin_note_inner). */
void hd_round_section(hd_thread *t, const hd_action *a) {
    HD_CHECK(hd_kind_is(a->kind, HD_KIND_SECTION));
    if (a->flags & HD_ACTION_WAITS)
        hd_spin_note_effect(t);
}

/* The loop that a thread stands before the next iteration of. */
static const hd_spin *waiting_loop(const hd_thread *t) {
    HD_ASSERT(t->n_spins && t->n_spins <= HD_MAX_SPINS);
    return &t->spin[t->n_spins - 1];
}

uint64_t hd_spin_place(const hd_thread *t) {
    return waiting_loop(t)->n_reads ? waiting_loop(t)->watched[0].address : 0;
}

void hd_spin_note_inner(hd_thread *t, const hd_access *x) {
    for (uint32_t i = t->n_spins; i-- > 0;)
        if (x->mode != HD_MODE_READ || !add_watched(&t->spin[i], x))
            forget(t, i);
}

bool hd_spin_is_over(const hd_thread *t) {
    const hd_spin *s = waiting_loop(t);
    for (uint32_t i = 0; i < s->n_reads && !s->is_stale; i++)
        if (!is_unchanged(&s->watched[i]))
            return true;
    return s->is_stale;
}

bool hd_spin_sees_shared_change(const hd_thread *t) {
    const hd_spin *s = waiting_loop(t);
    for (uint32_t i = 0; i < s->n_reads; i++)
        if (hd_is_shared(s->watched[i].address) && !is_unchanged(&s->watched[i]))
            return true;
    return s->is_stale;
}

/* An event in any case: whether something has changed already depends on the order of events. */
static void wait_for_change(hd_machine *m, const hd_spin *s) {
    hd_action a = {.kind = HD_DO_SPIN, .flags = HD_ACTION_WAITS, .site = s->site};
    m->threads.may_spin = true;
    for (uint32_t i = 0; i < s->n_reads && i < HD_OWN_ACCESSES; i++)
        hd_action_also(&a, s->watched[i].address, s->watched[i].size, HD_MODE_READ, true);
    hd_visible(m, &a);
}

/* ---- what instrumented code calls ---- */

static hd_spin *find_arrival(hd_thread *t, uint32_t loop, uint64_t frame) {
    for (uint32_t i = t->n_spins; i-- > 0;)
        if (t->spin[i].loop == loop && t->spin[i].frame == frame)
            return &t->spin[i];
    return NULL;
}

/* Two threads that undo what they did because of each other, and stand where they stood before, can
 * do so for ever. */
#define MAX_UNDONE 10

static void check_progress(hd_machine *m, const hd_spin *s) {
    if (s->n_undone >= MAX_UNDONE)
        hd_end_finding(
            m, HD_FINDING_LIVELOCK, s->site,
            "thread %u can go round this loop for ever: it undoes what it did because of "
            "others, which do the same (%u times here)",
            m->threads.current, s->n_undone);
}

static bool is_power(uint32_t n) {
    return n && !(n & (n - 1));
}

/* Nobody saw anything of the iteration that ends here: did it change anything at all?  A process
 * without threads writes to its memory and nobody is told.  Memory is looked at after 1, 2, 4, 8,
 * ... iterations and once more: that costs little where it does change. */
static bool is_in_vain(const hd_machine *m, hd_spin *s, uint64_t stack) {
    uint32_t n = ++s->n_idle;
    bool is_compared = is_power(n - 1), is_kept = is_power(n);
    uint64_t now = is_compared || is_kept ? hd_endless_hash(m, stack) : 0;
    bool is_same = is_compared && now && now == s->memory;
    if (is_kept)
        s->memory = now;
    return is_same;
}

/* Did the iteration that ends here leave everything as it was?  Then the thread waits.  One that
 * stores because others were faster would not store the same again: it counts as useful.  So does
 * one that others have seen. */
static void look_at_iteration(hd_machine *m, const hd_thread *t, hd_spin *s, uint64_t state,
                              uint64_t stack) {
    const hd_action *last = &m->threads.action[m->threads.current];
    bool is_undone = s->state == state && !s->n_taken && !s->n_changed;
    s->n_undone = is_undone && s->is_hindered ? s->n_undone + 1 : 0;
    check_progress(m, s);
    if (!is_undone || s->is_seen)
        return;
    if (is_one_access(m, t, s, last))
        end_with_fact(m, last);
    bool is_interruptible =
        m->may.signal && t->n_events == s->n_events && hd_signals_matter_to(m, m->threads.current);
    if (!is_interruptible)
        s->n_idle = 0;
    if ((s->n_reads && !(s->is_stale && s->has_stores)) ||
        (is_interruptible && is_in_vain(m, s, stack)))
        wait_for_change(m, s);
}

void __hd_slow_spin(uint64_t state, uint32_t way, uint32_t site) {
    if (hd_is_unseen(hd_now))
        return; /* nobody to wait for */
    hd_machine *m = hd_enter();
    hd_thread *t = &m->thread[m->threads.current];
    const uint64_t *own = __builtin_frame_address(0);
    uint64_t frame = own[0];
    if (t->is_writing)
        hd_spin_settle(t);
    hd_spin *s = find_arrival(t, way / 2, frame);
    if (s && way % 2) { /* of another time */
        forget(t, (uint32_t)(s - t->spin));
        s = NULL;
    }
    if (s) {
        t->n_spins = (uint32_t)(s - t->spin) + 1; /* inner loops are over */
        look_at_iteration(m, t, s, state, (uint64_t)(own + 2));
    } else {
        if (t->n_spins == HD_MAX_SPINS)
            forget(t, 0);
        s = &t->spin[t->n_spins++];
        s->n_undone = s->n_idle = 0;
    }
    s->loop = way / 2;
    s->site = site;
    s->frame = frame;
    s->state = state;
    s->n_events = t->n_events;
    s->n_decisions = m->execution.n_decisions;
    s->n_reads = s->n_taken = s->n_changed = 0;
    s->is_stale = s->has_stores = s->is_seen = s->is_hindered = false;
}

bool hd_can_spin(hd_machine *m, const hd_action *a) {
    return hd_spin_is_over(&m->thread[a->thread]) || hd_signal_is_due(m, a->thread);
}
