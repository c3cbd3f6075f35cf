/* What executions have in common (see history.h). */
#include "history.h"
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
