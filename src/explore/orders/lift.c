/* States that a search gives up, and what it asks of them (lift.h). */
#include "explore/orders/lift.h"

#include "base/hash.h"
#include "base/panic.h"
#include "explore/events/action_bytes.h"
#include "explore/orders/alike.h"
#include "explore/orders/reduction.h"

/* ---- asking ---- */

/* A name for the race that the sequence turns round: its last step, and what comes before that in
 * the sequence.  0: there is none (E2 of needed_steps.h). */
static uint64_t name_race(hd_weave *w, uint32_t e, const hd_sequence *s) {
    size_t before = w->asked.n;
    if (!hd_needed_begin(&w->needed, s))
        return 0;
    hd_needed_end(&w->needed, s);
    hd_events_class_hash(&w->log); /* of each event: what it was, and all that was before it */
    uint64_t h = 0;
    for (uint32_t i = 0; i + 1 < s->n; i++) {
        uint32_t event = s->at[i].event;
        HD_CHECK(event > 0 && event < w->log.sums.n);
        h += w->needed.at[i] ? w->log.sums.at[event] - w->log.sums.at[event - 1] : 0;
    }
    hd_journal_save_action(s->at[s->n - 1].action, &w->asked);
    h = hd_hash_bytes(hd_hash_add(h, e), w->asked.at + before, w->asked.n - before);
    hd_text_cut(&w->asked, before);
    return (h & INT64_MAX) | 1;
}

static uint64_t name_bytes(const hd_weave *w, size_t from) {
    return hd_hash_bytes(0, w->asked.at + from, w->asked.n - from) & INT64_MAX & ~UINT64_C(1);
}

/* Is the request from byte `from` on there before, byte by byte? */
static bool is_among_asked(const hd_weave *w, size_t from) {
    hd_unpack in = hd_unpack_from(w->asked.at, from);
    size_t n = w->asked.n - from;
    bool is_there = false;
    while (in.at < in.end && hd_unpack_ok(&in) && !is_there) {
        const uint8_t *begin = in.at;
        hd_packed_sequence p = {0};
        hd_unpack_u32(&in);
        hd_sequence_unpack(&p, &in);
        hd_packed_sequence_release(&p);
        is_there = (size_t)((const uint8_t *)in.at - begin) == n &&
                   memcmp(begin, w->asked.at + from, n) == 0;
    }
    return is_there;
}

void hd_lift_ask(hd_weave *w, uint32_t e, const hd_sequence *s) {
    size_t before = w->asked.n;
    uint64_t name = name_race(w, e, s);
    if (name && hd_map_find(&w->was_asked, name))
        return;
    hd_pack_u32(&w->asked, e);
    hd_sequence_pack(s, &w->asked);
    name = name ? name : name_bytes(w, before);
    bool is_known = hd_map_find(&w->was_asked, name) != NULL;
    HD_CHECK_INVARIANT(F5, is_known || !is_among_asked(w, before));
    if (is_known)
        hd_text_cut(&w->asked, before);
    else
        hd_map_put(&w->was_asked, name, 1);
}

void hd_weave_take_asked(void *search, hd_text *out) {
    hd_weave *w = search;
    hd_text_add_bytes(out, w->asked.at, w->asked.n);
    hd_text_clear(&w->asked);
}

void hd_weave_save_followed(const void *search, hd_text *out) {
    const hd_weave *w = search;
    uint32_t n = w->floor < w->log.at.n ? w->floor : (uint32_t)w->log.at.n;
    hd_pack_u32(out, n);
    for (uint32_t e = 0; e < n; e++)
        hd_journal_save_action(hd_event_action(&w->log, e), out);
}

void hd_lift_forget(hd_weave *w) {
    w->floor = 0;
    hd_vec_clear(&w->given);
    hd_text_clear(&w->asked);
    hd_map_clear(&w->was_asked);
}

/* ---- lifting ---- */

static void pack_tree(const hd_weave *w, uint32_t tree, hd_text *out) {
    hd_pack_u32(out, hd_wakeups_width(&w->wakeups, tree));
    for (; tree; tree = w->wakeups.at.at[tree].next) {
        hd_journal_save_action(hd_wakeup_action(&w->wakeups, tree), out);
        pack_tree(w, w->wakeups.at.at[tree].child, out);
    }
}

/* Sleepers of the state that were there before it, or those that were explored from it, oldest
 * first: the list has the newest first. */
static void pack_sleepers(const hd_weave *w, const hd_weave_node *node, bool explored,
                          hd_text *out) {
    hd_vec(uint32_t) found = {0};
    for (uint32_t z = node->sleep; z != HD_NO_EVENT; z = w->sleepers.at[z].next)
        if (hd_set_has(node->done, w->sleepers.at[z].action.thread) == explored)
            hd_vec_push(&found, z);
    hd_pack_u32(out, (uint32_t)found.n);
    for (size_t i = found.n; i-- > 0;)
        hd_journal_save_action(&w->sleepers.at[found.at[i]].action, out);
    hd_vec_release(&found);
}

static void pack_state(const hd_weave *w, uint32_t e, hd_text *out) {
    const hd_weave_node *node = &w->nodes.at[e];
    pack_sleepers(w, node, false, out);
    pack_sleepers(w, node, true, out);
    hd_journal_save_action(hd_event_action(&w->log, e), out);
    pack_tree(w, node->tree, out);
}

static bool has_open_decision(const hd_weave *w) {
    for (size_t i = 0; i < w->decisions.n; i++)
        if (w->decisions.at[i].is_open)
            return true;
    return false;
}

static bool can_lift(hd_weave *w) {
    return w->state == HD_WEAVE_READY && w->rules == &hd_rules_optimal && !has_open_decision(w) &&
           (!w->has_inner_decisions || hd_alike_begin(w));
}

/* The first state below the floor that has something to give; HD_NO_EVENT: none. */
static uint32_t find_shallowest(const hd_weave *w) {
    for (uint32_t e = w->floor; e < w->log.at.n; e++)
        if (w->nodes.at[e].tree != HD_NO_WAKEUP)
            return e;
    return HD_NO_EVENT;
}

bool hd_weave_lift(void *search, hd_text *out) {
    hd_weave *w = search;
    hd_lift_end_first(w);
    uint32_t last = can_lift(w) ? find_shallowest(w) : HD_NO_EVENT;
    if (last == HD_NO_EVENT)
        return false;
    HD_INVARIANT(X8, !w->has_inner_decisions); /* alike.h */
    hd_pack_u32(out, last + 1 - w->floor);
    for (uint32_t e = w->floor; e <= last; e++) {
        pack_state(w, e, out);
        hd_weave_release_tree(w, w->nodes.at[e].tree);
        w->nodes.at[e].tree = HD_NO_WAKEUP;
    }
    w->floor = last + 1;
    return true;
}

/* ---- beginning ---- */

/* All of them are awake again at the end of a sequence.  In states that were given whole,
 * those from the floor on, they are what others have run. */
void hd_lift_put_to_sleep(hd_weave *w, uint32_t e) {
    hd_weave_node *node = &w->nodes.at[e];
    for (size_t i = 0; i < w->given.n; i++) {
        const hd_action *a = &w->given.at[i].action;
        if (w->given.at[i].event != e)
            continue;
        hd_reduce_add_sleeper(w, node, a, HD_NONE);
        HD_INVARIANT(F6, e < w->floor || !hd_set_has(node->done, a->thread));
        if (e >= w->floor)
            node->done = hd_set_with(node->done, a->thread);
    }
}

void hd_lift_end_first(hd_weave *w) {
    while (w->given.n && w->given.at[w->given.n - 1].event >= w->floor)
        w->given.n--;
}

void hd_weave_save_context(const void *search, hd_text *out) {
    hd_weave_save_part(search, &(hd_weave_view){0}, out);
}

/* Behind `before`, or the first step behind `above`, or of all. */
static uint32_t append_step(hd_weave *w, uint32_t above, uint32_t before, const hd_action *a) {
    uint32_t root = before, node = hd_wakeups_append(&w->wakeups, &root, before);
    hd_wakeup_do(&w->wakeups, node, a);
    hd_wakeup_node *made = &w->wakeups.at.at[node];
    made->outcome = made->scope = HD_NONE;
    made->run = UINT32_MAX;
    made->is_plain = true;
    if (before == HD_NO_WAKEUP && above)
        w->wakeups.at.at[above].child = node;
    else if (before == HD_NO_WAKEUP)
        w->tree = node;
    return node;
}

static void restore_given(hd_weave *w, uint32_t e, hd_unpack *path) {
    uint32_t n = hd_unpack_count(path, HD_LEAST_ACTION);
    for (uint32_t k = 0; k < n && hd_unpack_ok(path); k++)
        hd_vec_push(&w->given, ((hd_given){e, hd_journal_restore_action(path)}));
}

/* What is planned in the state behind `above`, as pack_tree() writes it, behind the step `before`.
 */
static void restore_planned(hd_weave *w, uint32_t above, uint32_t before, hd_unpack *path) {
    uint32_t n = hd_unpack_count(path, HD_LEAST_ACTION);
    for (uint32_t i = 0; i < n && hd_unpack_ok(path); i++) {
        hd_action a = hd_journal_restore_action(path);
        before = append_step(w, above, before, &a);
        restore_planned(w, before, HD_NO_WAKEUP, path);
    }
}

/* What was run and what is left in the state before event `e`, behind `above`. */
static void restore_rest(hd_weave *w, uint32_t above, uint32_t e, hd_unpack *path) {
    uint32_t step = HD_NO_WAKEUP;
    restore_given(w, e, path);
    if (hd_unpack_u8(path) && hd_unpack_ok(path)) {
        hd_action a = hd_journal_restore_action(path);
        step = append_step(w, above, HD_NO_WAKEUP, &a);
        restore_rest(w, step, e + 1, path);
    }
    restore_planned(w, above, step, path);
}

bool hd_weave_begin_unit(void *search, hd_unpack *path) {
    hd_weave *w = search;
    uint32_t n = hd_unpack_count(path, HD_LEAST_ACTION), above = 0;
    for (uint32_t i = 0; i < n && hd_unpack_ok(path); i++) {
        restore_given(w, i, path);
        hd_action a = hd_journal_restore_action(path);
        above = append_step(w, above, HD_NO_WAKEUP, &a);
    }
    w->floor = n;
    if (n)
        restore_rest(w, above, n, path);
    hd_weave_enter(w, HD_WEAVE_GIVEN);
    return n > 0 && hd_unpack_ok(path);
}
