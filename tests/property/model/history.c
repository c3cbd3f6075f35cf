/* What executions have in common (see history.h). */
#include "property/model/history.h"
#include "base/hash.h"
#include "base/panic.h"

uint64_t item_name(uint32_t thread, unsigned item) {
    return hd_mix((uint64_t)thread << 32 | item);
}

uint64_t action_hash(const hd_action *a) {
    uint64_t h = hd_hash_add(a->kind, a->detail);
    h = hd_hash_add(h, a->flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT));
    for (unsigned i = 0; i < a->n_accesses; i++) {
        h = hd_hash_add(h, a->access[i].address);
        h = hd_hash_add(h, (uint64_t)a->access[i].size << 8 | a->access[i].mode);
    }
    return h;
}

uint32_t script_follow(hd_script *script, hd_threads *threads, uint32_t n) {
    if (!script)
        return HD_MAX_THREADS;
    uint32_t most[] = {0, script->n, script->n / 2};
    if (n >= most[script->n % 3])
        return HD_MAX_THREADS;
    uint32_t t = hd_script_thread(script->at[n]);
    HD_ASSERT(hd_set_has(hd_threads_enabled(threads), t));
    hd_threads_settle(threads, t);
    HD_ASSERT(hd_script_line(&threads->action[t]) == script->at[n]);
    script->n_done = n + 1;
    return t;
}

uint32_t first_enabled(hd_threads *threads, hd_thread_set among) {
    hd_thread_set able = hd_set_both(among, hd_threads_enabled(threads));
    return hd_set_is_empty(able) ? HD_MAX_THREADS : hd_set_first(able);
}

void history_decide(history *h, uint64_t name, uint32_t site, bool taken) {
    h->trace += hd_hash_add(hd_hash_add(name, 1), 2 * site + taken);
    h->sequence = hd_hash_add(hd_hash_add(h->sequence, site), 1000 + taken);
}

void history_add(history *h, model_event *events, const hd_action *a, uint64_t name, uint64_t what,
                 bool looks_back) {
    h->trace += hd_hash_add(name, what);
    for (uint32_t i = 0; i < h->n_events && looks_back; i++)
        if (events[i].action.thread != a->thread && hd_actions_conflict(&events[i].action, a))
            h->trace += hd_hash_add(events[i].name, name);
    HD_ASSERT(h->n_events < MODEL_EVENTS);
    events[h->n_events++] = (model_event){.action = *a, .name = name};
}

static bool is_in(const uint64_t *set, uint32_t event) {
    return set[event / 64] >> event % 64 & 1;
}

void history_leave_out(history *h, const model_event *events, const uint64_t *in_vain) {
    static model_event left[MODEL_EVENTS];
    unsigned n_items[64] = {0};
    history rest = {0};
    for (uint32_t i = 0; i < h->n_events; i++) {
        const hd_action *a = &events[i].action;
        if (is_in(in_vain, i))
            continue;
        history_add(&rest, left, a, item_name(a->thread, n_items[a->thread]++), action_hash(a),
                    true);
    }
    h->core = rest.trace;
}
