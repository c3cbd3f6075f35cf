/* Who holds what since when, and the words for it. */
#include "machine/action/action.h"
#include "machine/sync/sync.h"

#include <stdio.h>

/* ---- lists ---- */

hd_held *hd_sync_held(hd_machine *m, uint32_t t, const void *object) {
    HD_CHECK(m->sync && t < HD_MAX_THREADS);
    hd_sync_thread *thread = hd_sync_thread_of(m, t);
    for (size_t i = thread->held.n; i-- > 0;)
        if (thread->held.at[i].object == (uint64_t)object)
            return &thread->held.at[i];
    return NULL;
}

void hd_sync_hold(hd_machine *m, const void *object, uint32_t size, hd_lock_kind kind) {
    hd_sync_thread *t = hd_sync_thread_of(m, hd_thread_current(m));
    HD_ASSERT(kind < HD_N_LOCKS && size == hd_locks[kind].size);
    hd_vec_push(&t->held, ((hd_held){.object = (uint64_t)object,
                                     .site = m->threads.action[hd_thread_current(m)].site,
                                     .size = size,
                                     .depth = 1,
                                     .kind = (uint8_t)kind}));
    m->sync->n_held++;
    if (t->held.n > 1 && hd_is_threaded(m))
        hd_lock_order_note(m);
}

/* The order of the others stays: it says what was taken under what. */
void hd_sync_drop(hd_machine *m, const void *object) {
    hd_sync_thread *t = hd_sync_thread_of(m, hd_thread_current(m));
    hd_held *held = hd_sync_mine(m, object);
    HD_INVARIANT(Y2, held && m->sync->n_held > 0);
    HD_CHECK(held >= t->held.at && held < t->held.at + t->held.n);
    size_t after = (size_t)(t->held.at + t->held.n - (held + 1));
    memmove(held, held + 1, after * sizeof *held);
    t->held.n--;
    m->sync->n_held--;
}

/* The thread has these locks already, so that the events do not wait (E6). */
void hd_sync_tell_held(hd_machine *m) {
    for (size_t i = 0; m->sync && i < hd_sync_thread_of(m, hd_thread_current(m))->held.n; i++) {
        const hd_held *held = &hd_sync_thread_of(m, hd_thread_current(m))->held.at[i];
        HD_INVARIANT(E6, held->kind < HD_N_LOCKS && held->size == hd_locks[held->kind].size);
        hd_visible(m, &(hd_action){.kind = (uint8_t)hd_locks[held->kind].taking,
                                   .n_accesses = 1,
                                   .flags = HD_ACTION_ACQUIRES,
                                   .site = held->site,
                                   .access[0] = {held->object, held->size,
                                                 hd_lock_is_shared(held->kind) ? HD_MODE_READ
                                                                               : HD_MODE_WRITE,
                                                 true, 0}});
    }
}

/* ---- words ---- */

static const char *kind_of(const hd_object *o) {
    return o->kind == HD_OBJECT_HEAP    ? "heap block"
           : o->kind == HD_OBJECT_INPUT ? "input object"
                                        : "local object";
}

/* "'m'", "'forks[2]'", "'queue.lock'", or where in which block. */
static void describe_address(const hd_machine *m, uint64_t object, hd_text *out) {
    hd_object o;
    char name[128] = "";
    if (hd_stream_locked_by(m, object)) {
        hd_text_add(out, "of %s", hd_stream_locked_by(m, object));
        return;
    }
    size_t length = hd_machine_describe(m, object, name, sizeof name);
    if (length)
        hd_text_add(out, "'%.*s'%s", (int)length, name, name + length);
    else if (hd_object_near(m, object, &o) && o.kind != HD_OBJECT_GLOBAL)
        hd_text_add(out, "at offset %lu of a %s of %lu bytes", object - o.base, kind_of(&o),
                    o.size);
    else
        hd_text_add(out, "at %#lx", object);
}

void hd_sync_describe_object(const hd_machine *m, uint64_t object, const char *kind, hd_text *out) {
    hd_text_add(out, "%s ", kind);
    describe_address(m, object, out);
}

void hd_sync_describe_place(const hd_machine *m, uint32_t site, hd_text *out) {
    HD_ASSERT(site < m->image->n_sites);
    const hd_site *s = &m->image->sites[site];
    if (site && s->line)
        hd_text_add(out, "%s:%u", s->file, s->line);
    else
        hd_text_add(out, "an unknown place");
}

/* ---- reports of the scheduler ---- */

void hd_sync_describe_holders(hd_machine *m, uint64_t object, hd_text *out) {
    bool is_first = true;
    for (uint32_t t = 0; t < m->sync->n_threads; t++) {
        const hd_held *held = hd_sync_held(m, t, (const void *)object);
        if (!held)
            continue;
        hd_text_add(out, "%s thread %u since ", is_first ? " by" : " and", t);
        hd_sync_describe_place(m, held->site, out);
        if (!hd_set_has(m->threads.alive, t) && t != hd_thread_current(m))
            hd_text_add(out, " (which has ended)");
        is_first = false;
    }
}

void hd_sync_describe_lock_wait(hd_machine *m, const hd_action *a, const char *kind, hd_text *out) {
    uint64_t object = hd_action_object(a);
    const hd_held *mine = hd_sync_held(m, a->thread, (const void *)object);
    hd_text_add(out, "waits for ");
    hd_sync_describe_object(m, object, kind, out);
    if (mine) {
        hd_text_add(out, ", which it holds itself since ");
        hd_sync_describe_place(m, mine->site, out);
        return;
    }
    hd_text_add(out, " held");
    hd_sync_describe_holders(m, object, out);
}

void hd_sync_describe_held(hd_machine *m, uint32_t thread, hd_text *out) {
    if (!m->sync)
        return;
    const hd_sync_thread *t = hd_sync_thread_of(m, thread);
    for (size_t i = 0; i < t->held.n; i++) {
        const hd_held *held = &t->held.at[i];
        HD_ASSERT(held->kind < HD_N_LOCKS);
        if (i)
            hd_text_add(out, ", ");
        hd_sync_describe_object(m, held->object, hd_locks[held->kind].words, out);
        hd_text_add(out, "%s since ", hd_lock_is_shared(held->kind) ? " for reading" : "");
        hd_sync_describe_place(m, held->site, out);
    }
}

/* Does a thread that is alive wait for something that `t` holds? */
static bool is_waited_for(hd_machine *m, uint32_t t) {
    HD_ASSERT(t < m->threads.n);
    uint32_t each;
    HD_SET_EACH(each, m->threads.alive) {
        const hd_action *a = &m->threads.action[each];
        if (a->thread != t && a->flags & HD_ACTION_WAITS && a->n_accesses &&
            hd_sync_held(m, t, (const void *)hd_action_object(a)))
            return true;
    }
    return false;
}

bool hd_sync_is_lost_wakeup(hd_machine *m) {
    uint32_t site;
    uint32_t t;
    HD_SET_EACH(t, m->sync ? m->threads.alive : HD_SET_EMPTY) {
        const hd_sync_thread *thread = hd_sync_thread_of(m, t);
        if (thread->condition)
            hd_threads_enter(&m->threads, t); /* the condition lies in memory of its process */
        if (thread->condition && !thread->is_woken &&
            hd_condition_was_in_vain(thread->condition, &site) && !is_waited_for(m, t))
            return true;
    }
    return false;
}

/* ---- findings ---- */

static _Noreturn void end_with(hd_machine *m, hd_finding_kind finding, uint32_t site,
                               hd_text *words) {
    char message[512];
    snprintf(message, sizeof message, "%s", hd_text_string(words));
    hd_text_release(words);
    hd_end_finding(m, finding, site, "%s", message);
}

void hd_sync_end(hd_machine *m, hd_finding_kind finding, const char *before, const void *object,
                 const char *kind, const char *after) {
    hd_text words = {0};
    hd_text_add(&words, "%s ", before);
    hd_sync_describe_object(m, (uint64_t)object, kind, &words);
    hd_text_add(&words, "%s", after);
    hd_sync_describe_holders(m, (uint64_t)object, &words);
    end_with(m, finding, 0, &words);
}

void hd_sync_end_invalid(hd_machine *m, const void *object, const char *kind, uint32_t mark) {
    hd_sync_end(m, HD_FINDING_BAD_LOCK, "use of", object, kind,
                mark == HD_MARK_DESTROYED ? ", which was destroyed"
                                          : ", which was never initialised");
}

/* Of one thread: a lock that it holds, or a condition that it waits for. */
static bool find_use(hd_machine *m, uint32_t t, uint64_t address, uint64_t n, hd_text *words,
                     const char *verb) {
    HD_ASSERT(t < m->sync->n_threads);
    const hd_sync_thread *thread = hd_sync_thread_of(m, t);
    for (size_t i = 0; i < thread->held.n; i++) {
        const hd_held *held = &thread->held.at[i];
        if (held->object - address >= n)
            continue;
        hd_sync_describe_object(m, held->object, hd_locks[held->kind].words, words);
        hd_text_add(words, " is %s while thread %u holds it since ", verb, t);
        hd_sync_describe_place(m, held->site, words);
        return true;
    }
    if (!thread->condition || thread->is_woken || thread->condition - address >= n)
        return false;
    hd_sync_describe_object(m, thread->condition, "condition", words);
    hd_text_add(words, " is %s while thread %u waits for it since ", verb, t);
    hd_sync_describe_place(m, thread->wait_site, words);
    return true;
}

void hd_sync_check_unused(hd_machine *m, uint64_t address, uint64_t n, hd_finding_kind finding,
                          uint32_t site, const char *verb) {
    if (!m->sync || m->sync->n_held == 0)
        return;
    hd_text words = {0};
    for (uint32_t t = 0; t < m->sync->n_threads; t++)
        if (find_use(m, t, address, n, &words, verb))
            end_with(m, finding, site, &words);
}

void hd_sync_check_gone(hd_machine *m, uint64_t address, uint64_t size, uint32_t site) {
    hd_sync_check_unused(m, address, size, HD_FINDING_DESTROYED_LOCKED, site, "freed");
}
