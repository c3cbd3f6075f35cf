/* none: every thread that could go on (paper 002, Fig. 16). */
#include "explore/orders/reduction.h"

#include "base/panic.h"

/* Others may send the process a signal, or end it. */
static bool is_signal_token(uint64_t at) {
    return at >= HD_TOKEN_ALIVE(0) && at < HD_TOKEN_SIGNALS;
}
_Static_assert(HD_TOKEN_ALIVE(HD_MAX_THREADS) <= HD_TOKEN_SIGNAL(0) &&
                   HD_TOKEN_SIGNAL(0) - HD_TOKEN_ALIVE(0) == HD_TOKENS(1),
               "nothing else lies between the tokens");

/* On the stack of a thread: nobody else looks at it without being given it. */
static bool is_on_stack(const hd_access *c) {
    uint64_t at = c->address & HD_SPACE_MASK;
    return (at < HD_TOKEN_LIMIT && !is_signal_token(at)) ||
           (at >= HD_STACK_BASE && at < HD_HEAP_BASE);
}

/* Creating and joining order threads and touch nothing else (PC15): they are no choices.  Unless
 * others may see what they write, or a join may come before the end of its thread, or a signal may
 * come from elsewhere. */
static bool is_no_choice(const hd_action *a) {
    if (!hd_kind_is(a->kind, HD_KIND_BEARS | HD_KIND_JOINS) || a->flags & HD_ACTION_SETTLES)
        return false;
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (!is_on_stack(&a->access[i]))
            return false;
    return true;
}

hd_thread_set hd_none_without_choice(const hd_threads *threads, hd_thread_set enabled) {
    uint32_t t;
    HD_SET_EACH(t, enabled)
    if (is_no_choice(&threads->action[t]))
        return hd_set_of(t);
    return enabled;
}

static uint32_t choose(hd_weave *w, hd_weave_node *node, hd_threads *threads) {
    uint32_t end;
    hd_thread_set enabled = hd_reduce_enabled(node, threads, &end);
    if (hd_set_is_empty(enabled))
        return end;
    node->enabled = hd_none_without_choice(threads, enabled);
    HD_ASSERT(!hd_set_is_empty(node->enabled) && hd_set_is_empty(node->asleep)); /* nobody sleeps */
    return hd_reduce_choose_awake(w, node, threads, node->enabled);
}

hd_thread_set hd_none_untried(const hd_weave *w, const hd_weave_node *node, hd_thread_set tried) {
    (void)w;
    return hd_set_minus(node->enabled, tried);
}

const hd_rules hd_rules_none =
    HD_RULES(false, false, false, choose, hd_reduce_note_decisions, hd_none_untried,
             hd_reduce_has_untried, hd_reduce_next_untried, hd_reduce_other_untried, NULL,
             hd_reduce_keep_all, hd_reduce_leave_all, hd_reduce_give);
