/* Loops that only wait.
 *
 * An iteration that changed nothing and hands the same state to the next one will do the same
 * again, until one of the locations that it read holds something else.  So the thread waits for
 * that, as if it had called the scheduler: waiting loops end, and a loop that waits for what
 * nobody will do is found to be one.
 *
 * A write counts as no effect if it stores what was there.  That is known at the thread's next
 * stop: nobody else has run since. */
#include "machine/threads.h"

static uint64_t value_at(uint64_t address, uint32_t size) {
    uint64_t value = 0;
    memcpy(&value, (const void *)address, size);
    return value;
}

static bool is_unchanged(const hd_watched *w) {
    return value_at(w->address, w->size) == w->value;
}

void hd_spin_settle(hd_thread *t) {
    hd_spin *s = &t->spin;
    s->is_writing = false;
    if (s->n_reads && s->n_reads <= HD_MAX_WATCHED && !is_unchanged(&s->watched[s->n_reads - 1]))
        s->has_effect = true;
}

static void add_watched(hd_spin *s, const hd_access *x) {
    for (uint32_t i = 0; i < s->n_reads && i < HD_MAX_WATCHED; i++)
        if (s->watched[i].address == x->address && s->watched[i].size == x->size) {
            s->has_effect |= !is_unchanged(&s->watched[i]); /* read twice, and it differs */
            return;
        }
    if (s->n_reads < HD_MAX_WATCHED && x->size <= sizeof s->watched[0].value)
        s->watched[s->n_reads++] = (hd_watched){x->address, value_at(x->address, x->size), x->size};
    else
        s->n_reads = HD_MAX_WATCHED + 1;
}

/* A write makes what is there now the last of `watched`. */
static void add_write(hd_spin *s, const hd_access *x) {
    for (uint32_t i = 0; i < s->n_reads && i < HD_MAX_WATCHED; i++)
        if (s->watched[i].address == x->address && s->watched[i].size == x->size &&
            i + 1 < s->n_reads) {
            hd_watched w = s->watched[i];
            s->has_effect |= !is_unchanged(&w);
            s->watched[i] = s->watched[s->n_reads - 1];
            s->watched[s->n_reads - 1] = w;
            s->is_writing = true;
            return;
        }
    add_watched(s, x);
    s->is_writing = true;
}

void hd_spin_note(hd_thread *t, const hd_action *a) {
    hd_spin *s = &t->spin;
    bool only_reads =
        a->kind == HD_DO_READ || (a->kind == HD_DO_COMPARE && (a->flags & HD_ACTION_FAILED) != 0);
    if (a->kind == HD_DO_SPIN || s->has_effect)
        return;
    if (only_reads)
        add_watched(s, &a->access[0]);
    else if ((a->kind == HD_DO_WRITE || a->kind == HD_DO_UPDATE || a->kind == HD_DO_COMPARE) &&
             a->n_accesses == 1)
        add_write(s, &a->access[0]);
    else
        s->has_effect = true;
}

bool hd_spin_is_over(const hd_thread *t) {
    const hd_spin *s = &t->spin;
    for (uint32_t i = 0; i < s->n_reads; i++)
        if (!is_unchanged(&s->watched[i]))
            return true;
    return false;
}

/* Locations side by side become one access; false if there are still too many. */
static bool add_accesses(hd_action *a, const hd_spin *s) {
    for (uint32_t i = 0; i < s->n_reads; i++) {
        const hd_watched *w = &s->watched[i];
        bool is_added = false;
        for (unsigned k = 0; k < a->n_accesses && !is_added; k++) {
            hd_access *x = &a->access[k];
            uint64_t low = x->address < w->address ? x->address : w->address;
            uint64_t end = x->address + x->size, other = w->address + w->size;
            uint64_t high = end > other ? end : other;
            is_added = high - low <= (uint64_t)x->size + w->size;
            if (is_added)
                *x = (hd_access){low, (uint32_t)(high - low), HD_MODE_READ, true, 0};
        }
        if (!is_added && a->n_accesses == HD_MAX_ACCESSES)
            return false;
        if (!is_added)
            hd_action_also(a, w->address, w->size, HD_MODE_READ, true);
    }
    return true;
}

static void wait_for_change(hd_machine *m, hd_thread *t, uint32_t site) {
    hd_action a = {.kind = HD_DO_SPIN, .flags = HD_ACTION_WAITS, .site = site};
    if (!hd_spin_is_over(t) && add_accesses(&a, &t->spin))
        hd_visible(m, &a);
}

void __hd_slow_spin(uint64_t state, uint32_t site) {
    hd_machine *m = hd_enter();
    hd_thread *t = &m->thread[m->threads.current];
    hd_spin *s = &t->spin;
    uint64_t frame = *(const uint64_t *)__builtin_frame_address(0);
    if (s->is_writing)
        hd_spin_settle(t);
    if (s->site == site && s->frame == frame && s->state == state && !s->has_effect && s->n_reads &&
        s->n_reads <= HD_MAX_WATCHED)
        wait_for_change(m, t, site);
    s->site = site;
    s->frame = frame;
    s->state = state;
    s->n_reads = 0;
    s->has_effect = s->is_writing = false;
}
