/* Atomic sections of verification benchmarks: __VERIFIER_atomic_begin and _end.
 *
 * While a thread is in one no other runs.  A section is one event, at its beginning, and commutes
 * with whatever touches other memory.  What it touches must be known when the thread stands before
 * it, so it is learned:
 *
 * S1. A section is known by its thread, by how many events that thread has had, and by its place.
 *     All memory that it was ever seen to touch there is its footprint: what it may touch.
 * S2. An execution in which a section touches more is run again (HD_END_RETRY): from before the
 *     section if that was its first time, else the search starts anew, because earlier races may
 *     have been overlooked.  So in the end every section was within its footprint wherever it ran.
 *     That is enough: where a section would leave its footprint, it does so because of something
 *     that it reads within, so that a race leads there.
 * S3. A section that cannot be told in a few ranges, that grows again and again, or that does more
 *     than access memory is big, it and all others of its place.  Only the beginning of a big one
 *     is an event like this; it writes a token that everything outside of sections reads, so that
 *     it is ordered with everything and reversed as a whole: more orders than those that matter,
 *     and none less.  What it does inside are further events. */
#include "machine/core/kinds.h"
#include "machine/core/parts.h"
#include "machine/tasks/threads.h"

#include <stdio.h>

#define MOST_GROWTHS 3                   /* of the sections of one place */
#define MOST_BETWEEN UINT64_C(64)        /* bytes that a range may cover without need */
#define BIG          (UINT64_C(1) << 32) /* in what is known of a place; below: growths */

/* ---- footprints ---- */

static uint64_t end_of(const hd_access *x) {
    return x->address + x->size;
}

static bool covers(const hd_access *x, const hd_access *y) {
    return x->address <= y->address && end_of(y) <= end_of(x) &&
           (x->mode == HD_MODE_WRITE || y->mode == HD_MODE_READ);
}

static bool is_covered(const hd_section *s, const hd_access *x) {
    for (uint32_t i = 0; i < s->n; i++)
        if (covers(&s->access[i], x))
            return true;
    return false;
}

static void unite(hd_access *x, const hd_access *y) {
    uint64_t end = end_of(x) > end_of(y) ? end_of(x) : end_of(y);
    x->address = x->address < y->address ? x->address : y->address;
    HD_ASSERT(end > x->address && end - x->address <= UINT32_MAX);
    x->size = (uint32_t)(end - x->address);
    x->mode = x->mode == HD_MODE_WRITE ? x->mode : y->mode;
}

/* Bytes between two ranges; 0 if they meet. */
static uint64_t gap(const hd_access *x, const hd_access *y) {
    if (end_of(x) < y->address)
        return y->address - end_of(x);
    return end_of(y) < x->address ? x->address - end_of(y) : 0;
}

static bool overlap(const hd_access *x, const hd_access *y) {
    return x->address < end_of(y) && y->address < end_of(x);
}

/* The pair with the least between them, if that is not too much: what meets is one range, if it
 * is used in the same way or at the same bytes. */
static bool unite_nearest(hd_section *s, bool is_full) {
    uint64_t least = UINT64_MAX;
    uint32_t first = 0, second = 0;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t k = i + 1; k < s->n; k++) {
            const hd_access *x = &s->access[i], *y = &s->access[k];
            bool is_one = overlap(x, y) || (gap(x, y) == 0 && x->mode == y->mode);
            uint64_t between = is_one ? 0 : 1 + gap(x, y);
            if (between < least)
                least = between, first = i, second = k;
        }
    if (least > (is_full ? 1 + MOST_BETWEEN : 0))
        return false;
    HD_ASSERT(first < second && second < s->n);
    unite(&s->access[first], &s->access[second]);
    s->access[second] = s->access[--s->n];
    return true;
}

/* False if the section cannot be told in so few ranges. */
static bool add_to_footprint(hd_section *s, const hd_access *x) {
    HD_ASSERT(s->n <= HD_SECTION_RANGES);
    s->access[s->n++] = *x;
    while (unite_nearest(s, false))
        continue;
    while (s->n > HD_SECTION_RANGES && unite_nearest(s, true))
        continue;
    return s->n <= HD_SECTION_RANGES;
}

/* ---- what is known ---- */

static uint64_t key_of(const hd_machine *m, uint32_t site) {
    uint32_t me = m->threads.current;
    return hd_hash_add((uint64_t)site << 8 | me, m->thread[me].n_events) & INT64_MAX;
}

static bool is_big(const hd_machine *m, uint32_t site) {
    const uint64_t *known = hd_map_find(&m->facts.section_places, site);
    return known && *known & BIG;
}

void hd_section_is_big(hd_machine *m, uint32_t site) {
    hd_map_put(&m->facts.section_places, site, BIG);
    m->facts.has_big_sections = true;
}

static void learn(hd_machine *m, const hd_section *s) {
    const uint64_t *known = hd_map_find(&m->facts.section_of, s->key);
    HD_ASSERT(!known || *known < m->facts.sections.n);
    if (known) {
        m->facts.sections.at[*known] = *s;
        return;
    }
    hd_map_put(&m->facts.section_of, s->key, m->facts.sections.n);
    hd_vec_push(&m->facts.sections, *s);
}

void hd_section_learn(hd_machine *m, const hd_section *s) {
    HD_ASSERT(s->is_big || s->n <= HD_SECTION_RANGES);
    const uint64_t *place = hd_map_find(&m->facts.section_places, s->site);
    uint64_t n_growths = place ? *place : 0;
    if (s->is_big || (!s->is_new && n_growths >= MOST_GROWTHS)) {
        hd_section_is_big(m, s->site);
        return;
    }
    if (!s->is_new)
        hd_map_put(&m->facts.section_places, s->site, n_growths + 1);
    learn(m, s);
}

/* The execution does not count: what it found out is known from now on. */
static _Noreturn void retry(hd_machine *m) {
    m->atomic.is_inside = false;
    hd_failures_forget(m);
    hd_section_learn(m, &m->atomic.section);
    m->atomic.retries = true;
    hd_threads_leave(m);
}

static bool has_lesson(const hd_machine *m) {
    return m->atomic.has_grown && m->call.sink->learns;
}

void hd_sections_end_lesson(hd_machine *m) {
    if (m->atomic.is_inside && has_lesson(m)) { /* the last thread ended in it */
        hd_section_learn(m, &m->atomic.section);
        m->atomic.retries = true;
    }
    if (!m->atomic.retries)
        return;
    m->call.outcome->end = HD_END_RETRY;
    m->call.outcome->new_round = 0;
    m->call.outcome->retry_thread =
        m->atomic.section.is_new && !m->atomic.section.is_big ? m->threads.current : HD_RETRY_ALL;
}

/* ---- in a section ---- */

/* False if there are too many. */
static bool note_inner(hd_machine *m, const hd_access *x, uint32_t site) {
    hd_inner *inner = &m->threads.inner;
    hd_inner_access new = {.access = *x, .site = site, .has_value = x->size <= sizeof new.value};
    for (uint32_t i = 0; i < inner->n; i++) {
        const hd_access *y = &inner->at[i].access;
        if (covers(y, x))
            return true;
        new.has_value &= !(y->mode == HD_MODE_WRITE && overlap(y, x));
    }
    if (new.has_value)
        new.value = hd_value_at(x->address & HD_SPACE_MASK, x->size);
    if (new.has_value && m->threads.content)
        new.content = hd_load_content(m, x->address & HD_SPACE_MASK, x->size);
    if (inner->n == HD_MAX_INNER)
        return false;
    inner->at[inner->n++] = new;
    return true;
}

void hd_section_note(hd_machine *m, uint64_t address, uint32_t size, hd_access_mode mode,
                     bool is_atomic, uint32_t site) {
    HD_CHECK(m->atomic.is_inside);
    uint64_t tag = hd_is_shared(address) ? 0 : m->system.space_tag;
    hd_access x = {address | tag, size, mode == HD_MODE_READ ? mode : HD_MODE_WRITE, is_atomic, 0};
    m->atomic.section.is_big = !note_inner(m, &x, site);
    x.is_atomic = true;
    if (!is_covered(&m->atomic.section, &x)) {
        m->atomic.has_grown = true;
        m->atomic.section.is_big |= !add_to_footprint(&m->atomic.section, &x);
    }
    if (m->atomic.section.is_big)
        retry(m);
}

/* An access of memory, or the end of a block of it. */
static bool is_plain(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_PLAIN) &&
           !hd_kind_is(a->kind, HD_KIND_UNTOLD | HD_KIND_SECTION);
}

const hd_action *hd_section_visible(hd_machine *m, const hd_action *a) {
    hd_action *slot = &m->threads.action[m->threads.current];
    m->atomic.section.is_big = !is_plain(a) || a->flags & HD_ACTION_WAITS;
    if (m->atomic.section.is_big)
        retry(m);
    for (unsigned i = 0; i < a->n_accesses; i++)
        hd_section_note(m, a->access[i].address & HD_SPACE_MASK, a->access[i].size,
                        a->access[i].mode, a->access[i].is_atomic, a->site);
    if (a != slot)
        hd_action_copy(slot, a);
    hd_threads_settle(&m->threads, m->threads.current);
    return slot;
}

/* A waiting loop may have sections. */
static void tell_loop(hd_machine *m) {
    hd_thread *t = &m->thread[m->threads.current];
    const hd_inner *inner = &m->threads.inner;
    for (uint32_t i = 0; t->n_spins && i < inner->n; i++)
        hd_spin_note_inner(t, &inner->at[i].access);
}

static void leave_section(hd_machine *m) {
    HD_ASSERT(m->atomic.is_inside);
    if (has_lesson(m))
        retry(m);
    m->atomic.is_inside = false;
}

/* ---- the calls ---- */

static hd_action beginning(bool big, const hd_section *s, uint32_t site) {
    hd_action a = {.kind = HD_DO_ATOMIC, .n_accesses = 1, .site = site};
    HD_ASSERT(!s || s->n <= HD_SECTION_RANGES);
    bool is_open = big || !s; /* conflicts with all others of its kind, if it counts at all */
    a.access[0] = (hd_access){HD_TOKEN_ATOMIC, 1, is_open ? HD_MODE_WRITE : HD_MODE_READ, true, 0};
    a.flags = big ? HD_ACTION_WAITS : 0;
    for (uint32_t i = 0; s && !big && i < s->n; i++)
        a.access[a.n_accesses++] = s->access[i];
    return a;
}

static void begin_small(hd_machine *m, uint64_t key, uint32_t site) {
    const uint64_t *known = hd_map_find(&m->facts.section_of, key);
    m->atomic.section =
        known ? m->facts.sections.at[*known] : (hd_section){.key = key, .site = site};
    m->atomic.section.is_new = !known;
    m->atomic.has_grown = !known; /* also if it touches nothing */
    m->atomic.is_inside = true;
    m->threads.inner.n = 0;
    m->threads.inner.event = m->execution.n_events - 1;
}

void hd_libc_atomic_begin(void) {
    hd_machine *m = hd_enter();
    uint32_t *depth = &m->thread[m->threads.current].section_depth;
    if ((*depth)++)
        return;
    if (hd_is_unseen(m) && !m->system.is_concurrent) {
        m->atomic.owner = 1 + m->threads.current;
        return; /* nobody sees it */
    }
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    bool big = is_big(m, site);
    uint64_t key = key_of(m, site);
    const uint64_t *known = hd_map_find(&m->facts.section_of, key);
    hd_action a = beginning(big, known ? &m->facts.sections.at[*known] : NULL, site);
    *depth = 0; /* the beginning itself is outside */
    hd_visible(m, &a);
    *depth = 1;
    m->atomic.owner = 1 + m->threads.current;
    if (!big)
        begin_small(m, key, site);
}

void hd_libc_atomic_end(void) {
    hd_machine *m = hd_enter();
    uint32_t *depth = &m->thread[m->threads.current].section_depth;
    if (*depth == 0)
        hd_end_finding(m, HD_FINDING_BAD_UNLOCK, hd_caller_site(m, __builtin_frame_address(0)),
                       "an atomic section ends that did not begin");
    if (--*depth)
        return;
    m->atomic.owner = 0;
    if (!m->atomic.is_inside)
        return;
    leave_section(m);
    tell_loop(m);
}

void hd_atomic_leave(hd_machine *m) {
    if (m->atomic.owner != 1 + m->threads.current)
        return;
    m->atomic.owner = m->thread[m->threads.current].section_depth = 0;
    if (m->atomic.is_inside)
        leave_section(m);
}

static void begin(hd_machine *m) {
    m->threads.inner.n = 0;
}

static bool is_simple(const hd_machine *m) {
    return !m->may.have_sections;
}

static void leave(hd_machine *m, hd_box *b) {
    hd_box_put(b, &m->atomic.retries, sizeof m->atomic.retries);
    if (m->atomic.retries)
        hd_box_put(b, &m->atomic.section, sizeof m->atomic.section);
}

static void take(hd_machine *m, hd_box *b) {
    hd_section section;
    bool retries;
    hd_box_take(b, &retries, sizeof retries);
    if (!retries)
        return;
    hd_box_take(b, &section, sizeof section);
    hd_section_learn(m, &section);
}

const hd_part hd_part_sections = {"sections",
                                  {begin, NULL, NULL, NULL},
                                  {is_simple, NULL, NULL},
                                  {leave, take},
                                  HD_PART_NO_TASKS};

/* ---- from one machine to another ---- */

/* "b17:1": the sections of place 17 are big. */
void hd_sections_print(const hd_machine *m, hd_text *out) {
    const hd_map *places = &m->facts.section_places;
    for (size_t i = 0; i < places->capacity; i++)
        if (places->keys[i] != HD_MAP_EMPTY && places->values[i] & BIG)
            hd_text_add(out, "%sb%u:1", out->n ? " " : "", (unsigned)places->keys[i]);
}

/* "s1f:17,4010+4w": of place 17, writes 4 bytes. */
void hd_sections_print_footprints(const hd_machine *m, hd_text *out) {
    for (size_t i = 0; i < m->facts.sections.n; i++) {
        const hd_section *s = &m->facts.sections.at[i];
        hd_text_add(out, "%ss%lx:%u", out->n ? " " : "", (unsigned long)s->key, s->site);
        for (uint32_t k = 0; k < s->n; k++)
            hd_text_add(out, ",%lx+%x%c", (unsigned long)s->access[k].address, s->access[k].size,
                        s->access[k].mode == HD_MODE_WRITE ? 'w' : 'r');
    }
}

const char *hd_section_take(hd_machine *m, const char *text) {
    hd_section s = {0};
    unsigned long key, address;
    unsigned size;
    int n;
    char mode;
    if (sscanf(text, "%lx:%u%n", &key, &s.site, &n) != 2)
        return NULL;
    s.key = key;
    for (text += n; *text == ','; text += n) {
        if (s.n == HD_SECTION_RANGES ||
            sscanf(text, ",%lx+%x%c%n", &address, &size, &mode, &n) != 3 ||
            (mode != 'w' && mode != 'r') || size == 0)
            return NULL;
        s.access[s.n++] =
            (hd_access){address, size, mode == 'w' ? HD_MODE_WRITE : HD_MODE_READ, true, 0};
    }
    learn(m, &s);
    return text;
}

void hd_describe_section(hd_machine *m, const hd_action *a, hd_text *out) {
    (void)m, (void)a;
    hd_text_add(out, "waits for the end of another thread's atomic section");
}
