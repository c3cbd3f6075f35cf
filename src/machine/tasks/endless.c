/* Brent's algorithm: a copy of one state is compared with each that follows; after 1, 2, 4, 8, ...
 * of them the copy is made anew.  A period of any length is found that way, in a time that is
 * linear in it, with one copy.  Nearly every comparison ends with its first bytes, which are
 * those of the registers. */
#include "machine/tasks/endless.h"
#include "machine/tasks/threads.h"

#define MOST_BYTES (UINT64_C(64) << 20) /* of a state; bigger ones are not looked at */

struct hd_endless {
    bool has_copy, is_too_big;
    bool was_alone; /* when the copy was made */
    uint32_t site;
    uint64_t frame, n_events, n_outside, n_ranges_hot, n_objects;
    uint64_t since, limit; /* arrivals since the copy was made; after so many comes another */
    hd_vec(hd_range) ranges;
    hd_vec(uint8_t) bytes;
    hd_vec(hd_word) shadow; /* of the stack */
};

/* Only the running thread: expressions that nobody asks about any more would make a difference. */
static void forget_inputs(hd_machine *m) {
    if (hd_set_is_empty(hd_set_without(m->threads.alive, m->threads.current)))
        m->execution.is_concrete = true;
}

void hd_endless_begin(hd_machine *m) {
    forget_inputs(m);
    if (!m->endless) {
        m->endless = calloc(1, sizeof *m->endless);
        if (!m->endless)
            hd_out_of_memory();
    }
    m->endless->has_copy = m->endless->is_too_big = false;
    m->endless->limit = 1;
}

void hd_endless_free(hd_machine *m) {
    if (!m->endless)
        return;
    hd_vec_release(&m->endless->ranges);
    hd_vec_release(&m->endless->bytes);
    hd_vec_release(&m->endless->shadow);
    free(m->endless);
}

/* ---- what a state is made of ---- */

static void add_range(struct hd_endless *s, uint64_t from, uint64_t to) {
    if (from < to)
        hd_vec_push(&s->ranges, ((hd_range){from, to - from}));
}

/* The registers of the ABI hold shadows that nobody needs any more. */
static void add_data(const hd_machine *m, struct hd_endless *s, const hd_range *r) {
    uint64_t end = r->address + r->n, hidden = (uint64_t)m->registers;
    uint64_t hidden_end = hidden + sizeof *m->registers;
    if (hidden_end <= r->address || end <= hidden) {
        add_range(s, r->address, end);
        return;
    }
    add_range(s, r->address, hidden);
    add_range(s, hidden_end, end);
}

static void list_ranges(const hd_machine *m, struct hd_endless *s) {
    hd_vec_clear(&s->ranges);
    add_range(s, s->frame, m->running.stack_top);
    for (uint32_t t = 0; t < m->threads.n; t++) {
        const hd_thread *thread = &m->thread[t];
        uint64_t low = (uint64_t)thread->saved;
        if (m->threads.process[t] != m->threads.process[m->threads.current])
            continue; /* what lies at its addresses is this process's */
        if (thread->is_used && t != m->threads.current && low > thread->stack_bottom)
            add_range(s, low, thread->stack_top);
        if (thread->is_used)
            add_range(s, thread->heap.area.base, thread->heap.top);
    }
    for (size_t i = 0; i < m->region.hot.n; i++)
        add_data(m, s, &m->region.hot.at[i]);
    for (size_t i = 0; i < m->input.objects.n; i++)
        add_range(s, m->input.objects.at[i].address,
                  m->input.objects.at[i].address + m->input.objects.at[i].size);
    add_range(s, HD_WORLD_BASE, HD_WORLD_BASE + m->surroundings.writable);
    add_range(s, HD_SHARED_BASE, m->memory.shared_top);
}

static bool is_small(const struct hd_endless *s) {
    uint64_t n = 0;
    for (size_t i = 0; i < s->ranges.n; i++)
        n += s->ranges.at[i].n;
    return n <= MOST_BYTES;
}

/* ---- copying and comparing ---- */

static void copy_ranges(struct hd_endless *s) {
    hd_vec_clear(&s->bytes);
    for (size_t i = 0; i < s->ranges.n; i++) {
        const hd_range *r = &s->ranges.at[i];
        hd_vec_reserve(&s->bytes, s->bytes.n + r->n);
        memcpy(s->bytes.at + s->bytes.n, (const void *)r->address, r->n);
        s->bytes.n += r->n;
    }
}

static void copy_shadow(const hd_machine *m, struct hd_endless *s) {
    HD_INVARIANT(L1, s->frame >= m->running.stack_bottom && s->frame <= m->running.stack_top);
    uint64_t n = m->running.stack_top - s->frame;
    hd_vec_clear(&s->shadow);
    hd_vec_reserve(&s->shadow, n);
    memcpy(s->shadow.at, HD_SHADOW_OF(s->frame), n * sizeof(hd_word));
    s->shadow.n = n;
}

/* Can no other thread go on, whatever this one writes? */
static bool is_alone(hd_machine *m) {
    uint32_t t;
    HD_SET_EACH(t, hd_set_without(m->threads.alive, m->threads.current))
    if (m->threads.action[t].flags & HD_ACTION_SPINS || hd_thread_is_enabled(m, t))
        return false;
    return true;
}

static void copy_state(hd_machine *m, uint32_t site, uint64_t frame) {
    struct hd_endless *s = m->endless;
    s->was_alone = is_alone(m);
    s->site = site;
    s->frame = frame;
    s->n_events = m->execution.n_events;
    s->n_outside = m->registers->n_outside;
    s->n_ranges_hot = m->region.hot.n;
    s->n_objects = m->input.objects.n;
    list_ranges(m, s);
    s->has_copy = is_small(s);
    s->is_too_big = !s->has_copy;
    if (!s->has_copy)
        return;
    copy_ranges(s);
    copy_shadow(m, s);
}

static bool has_same_bytes(const struct hd_endless *s) {
    const uint8_t *copy = s->bytes.at;
    for (size_t i = 0; i < s->ranges.n; i++) {
        if (memcmp((const void *)s->ranges.at[i].address, copy, s->ranges.at[i].n) != 0)
            return false;
        copy += s->ranges.at[i].n;
    }
    HD_INVARIANT(L1, copy == s->bytes.at + s->bytes.n);
    return true;
}

/* Which expressions its bytes have makes no difference to what the program does. */
static bool has_same_poison(const struct hd_endless *s) {
    const hd_word *now = HD_SHADOW_OF(s->frame);
    for (size_t i = 0; i < s->shadow.n; i++)
        if (now[i] != s->shadow.at[i] &&
            (HD_WORD_IS_POISON(now[i]) || HD_WORD_IS_POISON(s->shadow.at[i])))
            return false;
    return true;
}

bool hd_endless_repeats(hd_machine *m, uint32_t site, uint64_t frame) {
    struct hd_endless *s = m->endless;
    HD_CHECK(s && s->limit);
    if (s->is_too_big)
        return false;
    bool is_comparable = s->has_copy &&
                         (s->n_events == m->execution.n_events || (s->was_alone && is_alone(m))) &&
                         s->n_outside == m->registers->n_outside &&
                         s->n_ranges_hot == m->region.hot.n && s->n_objects == m->input.objects.n;
    s->since++;
    if (is_comparable && s->site == site && s->frame == frame && has_same_bytes(s) &&
        has_same_poison(s)) {
        HD_INVARIANT(L2, s->n_outside == m->registers->n_outside);
        return true;
    }
    if (is_comparable && s->since < s->limit)
        return false;
    s->limit = is_comparable ? 2 * s->limit : 1;
    s->since = 0;
    copy_state(m, site, frame);
    return false;
}

uint64_t hd_endless_hash(const hd_machine *m, uint64_t frame) {
    struct hd_endless s = {.frame = frame};
    uint64_t h = 1;
    list_ranges(m, &s);
    bool is_looked_at = is_small(&s);
    for (size_t i = 0; is_looked_at && i < s.ranges.n; i++)
        h = hd_hash_bytes(h, (const void *)s.ranges.at[i].address, s.ranges.at[i].n);
    hd_vec_release(&s.ranges);
    return is_looked_at ? h | 1 : 0;
}

uint64_t hd_endless_period(const hd_machine *m) {
    HD_ASSERT(m->endless && m->endless->has_copy);
    return m->endless->since;
}
