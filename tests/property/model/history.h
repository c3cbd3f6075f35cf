/* history.h -- what executions of an abstract machine have in common, as numbers.
 *
 *   sequence  what was chosen, and the decisions, in the order in which they came: one execution
 *   trace     what each thread did, with outcomes and decisions, and the order of each pair of
 *             conflicting events: the same for equivalent executions and for no others
 *             (Mazurkiewicz trace); a sum, so that it does not depend on the order otherwise
 *
 *   core      the trace without what was in vain: iterations of waiting loops that changed nothing
 * and were gone through again.  Without them the same happens: a loop could as well have begun
 * later.  Executions with the same core end in the same way
 *
 * Events and decisions have names that do not depend on the order: their thread, and the how
 * manieth item of it they are. */
#ifndef HD_TESTS_HISTORY_H
#define HD_TESTS_HISTORY_H
#include "machine/machine.h"

/* Models have few threads: their sets are words, whatever the explorer's are. */
typedef uint64_t model_set;
#define MODEL_THREAD(t) (UINT64_C(1) << (t))
static inline hd_thread_set set_of_model(model_set members) {
    hd_set_maker k = {0};
    for (; members; members &= members - 1)
        hd_set_maker_add(&k, (uint32_t)__builtin_ctzll(members));
    return hd_set_made(&k);
}
static inline model_set model_of_set(hd_thread_set s) {
    model_set members = 0;
    uint32_t t;
    HD_SET_EACH(t, s)
    members |= MODEL_THREAD(t);
    return members;
}
/* What threads stand before is shown when they are alive. */
static inline void clear_threads(hd_threads *t) {
    memset(t, 0, offsetof(hd_threads, process));
}

/* Who is next if the script says it, before event n; HD_MAX_THREADS: the sink is asked.  Programs
 * are deterministic, so that what it says can be done; machines follow all of a script, half of it
 * or nothing, by how long it is. */
uint32_t script_follow(hd_script *script, hd_threads *threads, uint32_t n);
/* hd_threads.first of machines that know who is enabled. */
uint32_t first_enabled(hd_threads *threads, hd_thread_set among);

enum { MODEL_EVENTS = 128 }; /* of one execution */

typedef struct history {
    uint64_t sequence, trace;
    uint64_t core;     /* 0: the trace itself */
    uint64_t findings; /* bits, whatever they mean to the machine */
    uint32_t n_events;
    bool is_rejected; /* by an assumption */
} history;

typedef struct model_event {
    hd_action action;
    uint64_t name;
} model_event;

static inline uint64_t history_core(const history *h) {
    return h->core ? h->core : h->trace;
}
uint64_t item_name(uint32_t thread, unsigned item);
/* Equal for actions that are the same, with the same outcome. */
uint64_t action_hash(const hd_action *a);
void history_decide(history *h, uint64_t name, uint32_t site, bool taken);
/* The event becomes the last of `events`, behind those that it conflicts with (`looks_back`: or
 * with none). */
void history_add(history *h, model_event *events, const hd_action *a, uint64_t name, uint64_t what,
                 bool looks_back);
/* At the end, if there were no decisions: the core, without the events of a set. */
enum { EVENT_WORDS = MODEL_EVENTS / 64 };
void history_leave_out(history *h, const model_event *events, const uint64_t *in_vain);
#endif
