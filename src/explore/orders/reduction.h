/* reduction.h -- reductions: which orders must still be tried from a state.
 *
 * A reduction is one file (reductions/NAME.c) with one row of rules, and one line of HD_REDUCTIONS
 * in explore.h.  The search asks the rules that are in force, and never which ones these are:
 *
 *   none     every thread that could go on (paper 002, Fig. 16)
 *   flip     another thread where a race begins; races persist with the path (Figs. 17 and 18,
 *            with the corrections PC17 and PC18)
 *   message  all messages of one process, others if a send may have come too late (paper 000)
 *   dpor     source sets and sleep sets (in place of Fig. 19: PC19)
 *   optimal  source sets, sleep sets and wakeup trees (wakeup.h)
 *
 * Two more are no choice of the user's: `bounded` is in force while preemptions are, `sample` while
 * orders are drawn by chance.  `optimal` becomes `dpor` where it cannot foresee (optimal.c).
 *
 * R1. What a state has left is its tree, or what `untried` says of its sets: never both.
 * R2. dpor: the thread that went next in a state of the path was asked for there, also where
 *     `optimal` has chosen it before it became `dpor`: what it covers is not asked for again. */
#ifndef HD_EXPLORE_ORDERS_REDUCTION_H
#define HD_EXPLORE_ORDERS_REDUCTION_H
#include "explore/orders/weave.h"

struct hd_rules {
    /* Races matter: threads that wait are noted with those that keep them waiting, and an event
     * that others were compared with is not simply taken back. */
    bool uses_races;
    /* Every class is run once, so that nobody needs to remember classes. */
    bool is_once;
    /* Threads sleep with the outcomes that were explored (outcome.c), not for all inputs. */
    bool sleeps_by_outcome;
    /* A thread for a new state; HD_SCHEDULE_STUCK, STOP or VAIN. */
    uint32_t (*choose)(hd_weave *w, hd_weave_node *node, hd_threads *threads);
    /* An execution has ended: what it says about states of its path.  NULL = nothing. */
    void (*conclude)(hd_weave *w);
    /* The threads that are left in a state from which some were tried.  NULL = trees have them. */
    hd_thread_set (*untried)(const hd_weave *w, const hd_weave_node *node, hd_thread_set tried);
    /* Has the state before event `e` something left?  NULL = if its tree has. */
    bool (*has_next)(const hd_weave *w, uint32_t e);
    /* The next thread from that state, as hd_reduce_next. */
    uint32_t (*next)(hd_weave *w, uint32_t e, hd_model *model);
    /* The event of the node was taken back: the next thread, HD_NO_EVENT = choose freely (or, if
     * threads were explored from there already, nothing is left). */
    uint32_t (*instead)(hd_weave *w, hd_weave_node *node, hd_model *model);
    /* The thread of event `e` was explored from the state before it.  NULL = nobody ever sleeps. */
    void (*sleep)(hd_weave *w, uint32_t e);
    /* Splits (weave_split.c): all three columns, or NULL in all = the search cannot be split.
     * A state that both parts have: what executions there may still ask of it is tried here. */
    void (*keep)(hd_weave_node *here);
    /* The copy of a state that the other part gets has nothing left. */
    void (*leave)(hd_weave_node *there);
    /* After `leave`: `thread`, the first that the state has left, is run there and not here. */
    void (*give)(hd_weave_node *here, hd_weave_node *there, uint32_t thread);
};

/* A row: all columns, in this order.  One that is left out does not compile. */
#define HD_RULES(uses_races, is_once, sleeps_by_outcome, choose, conclude, untried, has_next,      \
                 next, instead, sleep, keep, leave, give)                                          \
    {uses_races, is_once, sleeps_by_outcome, choose, conclude, untried,                            \
     has_next,   next,    instead,           sleep,  keep,     leave,                              \
     give}

#define X(name, rules, text, words) extern const hd_rules hd_rules_##rules;
HD_REDUCTIONS(X)
#undef X
extern const hd_rules hd_rules_bounded, hd_rules_sample;

/* ---- what the search asks ---- */

/* The rules of the options are in force, or others in their place: after a change of `bound` or
 * `has_fallen_back`. */
void hd_reduce_set(hd_weave *w);
/* Time is about to pass, because nobody else can go on: those who wait now are noted with what
 * keeps them waiting (held_threads.c). */
void hd_reduce_note_held(hd_weave *w, const hd_threads *threads);
/* The last event is the end of the thread's process, which stops its other threads for good: those
 * that wait for what threads do. */
hd_thread_set hd_reduce_note_ended(hd_weave *w, const hd_threads *threads, uint32_t thread);
/* Has the state before event `e` something left?  Asked for most states after every execution. */
static inline bool hd_reduce_has_next(const hd_weave *w, uint32_t e) {
    return w->rules->has_next ? w->rules->has_next(w, e) : w->nodes.at[e].tree != HD_NO_WAKEUP;
}
/* The next thread from the state before event `e`, whose thread was explored; sets w->tree, and the
 * inputs if they must be others.  HD_NO_EVENT if nothing is left after all. */
uint32_t hd_reduce_next(hd_weave *w, uint32_t e, hd_model *model);
/* The sleepers of the state after event `e`. */
void hd_reduce_sleep_after(hd_weave *w, uint32_t e, hd_weave_node *next);
/* Has the thread only gone round some loop for long? */
bool hd_reduce_goes_round(const hd_weave *w, uint32_t thread, uint32_t end);
#define HD_LOOK_EVERY 7 /* events: prime, so that it is another place of a loop each time */
static inline bool hd_reduce_has_run_long(const hd_weave *w, uint32_t thread) {
    return w->n_events >= HD_LONG_RUN && w->n_events % HD_LOOK_EVERY == 0 &&
           hd_reduce_goes_round(w, thread, w->n_events);
}

/* ---- what rules share ---- */

void hd_reduce_add_sleeper(hd_weave *w, hd_weave_node *node, const hd_action *a, hd_expr scope);

/* New states.  Who can go on, without those behind an iteration in vain; if nobody can, how the
 * execution ends is in *end. */
hd_thread_set hd_reduce_enabled(hd_weave_node *node, hd_threads *threads, uint32_t *end);
/* The running thread if it is among them, else the first (paper 002, 2.2 and 5.3). */
static inline uint32_t hd_reduce_prefer_same(const hd_threads *threads, hd_thread_set among) {
    return hd_set_has(among, threads->current) ? threads->current : hd_set_first(among);
}
/* Any of them, by the seed; there is one. */
uint32_t hd_reduce_draw(hd_weave *w, hd_thread_set among);
/* A thread for a new state of source sets, which begin with one: what the others could do need not
 * be known.  HD_MAX_THREADS if it must be. */
uint32_t hd_reduce_choose_first(const hd_weave *w, hd_weave_node *node, hd_threads *threads);
/* One of `enabled` that does not sleep: the running thread, unless it has gone round for long; with
 * random-dfs any. */
uint32_t hd_reduce_choose_awake(hd_weave *w, hd_weave_node *node, const hd_threads *threads,
                                hd_thread_set enabled);
/* Can the running thread go on for sure, without a look at all others? */
static inline bool hd_reduce_current_can_go_on(const hd_weave *w, const hd_threads *threads,
                                               const hd_weave_node *node) {
    if (w->draws || hd_reduce_has_run_long(w, threads->current))
        return false;
    return hd_set_has(threads->alive, threads->current) &&
           !hd_set_has(node->asleep, threads->current) &&
           !(threads->action[threads->current].flags & HD_ACTION_WAITS);
}

/* What is left in sets: the columns of rules that have `untried`. */
hd_thread_set hd_reduce_candidates(const hd_weave *w, const hd_weave_node *node, uint32_t e);
bool hd_reduce_has_untried(const hd_weave *w, uint32_t e);
uint32_t hd_reduce_next_untried(hd_weave *w, uint32_t e, hd_model *model);
uint32_t hd_reduce_other_untried(hd_weave *w, hd_weave_node *node, hd_model *model);
/* Threads that were asked for, and are awake. */
hd_thread_set hd_reduce_awake_todo(const hd_weave *w, const hd_weave_node *node,
                                   hd_thread_set tried);

/* Splits.  A state of which no execution can ask for more than it has: all that could go on are
 * tried here, or nobody is left there. */
void hd_reduce_keep_all(hd_weave_node *here);
void hd_reduce_leave_all(hd_weave_node *there);
/* The thread is tried there, and not here. */
void hd_reduce_give(hd_weave_node *here, hd_weave_node *there, uint32_t thread);

/* Every thread that could go on (none.c); a thread that creates or joins goes alone, because
 * that is no choice. */
hd_thread_set hd_none_untried(const hd_weave *w, const hd_weave_node *node, hd_thread_set tried);
hd_thread_set hd_none_without_choice(const hd_threads *threads, hd_thread_set enabled);

/* Sequences (reduce_sequence.c).  What happened after the earliest of `first` and does not depend
 * on any of them, up to event `end`, then `last` (notdep in the paper on optimal reduction), whose
 * own clock this is. */
hd_sequence hd_reduce_independent_of(hd_weave *w, const uint32_t *first, uint32_t n, uint32_t end,
                                     const hd_action *last, const uint32_t *clock_of_last);
static inline uint32_t hd_reduce_earliest(const uint32_t *first, uint32_t n) {
    uint32_t e = first[0];
    for (uint32_t i = 1; i < n; i++)
        e = first[i] < e ? first[i] : e;
    return e;
}

/* The blockers of a thread that waited, and its own clock with an entry for each thread, which is
 * good until the next one is asked for. */
const uint32_t *hd_held_blockers(const hd_weave *w, const hd_held_thread *h);
const uint32_t *hd_held_clock(hd_weave *w, const hd_held_thread *h);

/* The end of an execution, in this order.  First: who waits is noted, and whether inputs decide
 * about exchanges. */
void hd_reduce_begin_conclusion(hd_weave *w);
/* Decisions inside threads are told, for rules that do not turn races round themselves. */
void hd_reduce_note_decisions(hd_weave *w);
/* A thread that goes round for ever before another gets its turn is no order that a fair scheduler
 * makes: it is left out, and said. */
bool hd_reduce_is_unfair(hd_weave *w, const hd_racing *r);

typedef void hd_turn_race(hd_weave *w, hd_racing *r, uint32_t *run);
typedef void hd_turn_held(hd_weave *w, hd_held_thread *h, uint32_t *run);

/* Every race of the execution that was not treated before, and every thread that waited, is given
 * to these; the outcomes are found already.  Inline: they are known where it is called.
 *
 * What a sequence holds besides its race depends on the whole execution: a race of the repeated
 * part that a sleeper covered may need a sequence now that it does not cover.  An outcome after the
 * race may be the other one now. */
static inline void hd_reduce_turn_races(hd_weave *w, hd_turn_race *race, hd_turn_held *held) {
    uint32_t run = UINT32_MAX;
    if (w->has_inner_decisions)
        hd_outcome_open_assumptions(w);
    bool treats_all = w->treats_all || w->has_inner_decisions;
    for (size_t i = 0; i < w->log.races.n; i++) {
        hd_racing *r = &w->log.races.at[i];
        bool is_done = r->covered_by < w->n_treated && !w->treats_all;
        if (r->is_reversible && !is_done &&
            (r->second >= w->n_treated || r->covered_by != HD_NO_EVENT || r->was_slept_away ||
             treats_all) &&
            !(r->first >= HD_LONG_RUN && hd_reduce_is_unfair(w, r)))
            race(w, r, &run);
    }
    for (size_t i = 0; i < w->held.n; i++)
        if (w->held.at[i].at >= w->n_treated || w->held.at[i].was_slept_away || w->treats_all)
            held(w, &w->held.at[i], &run);
    w->treats_all = false;
}
/* Races, and threads that waited, as `dpor` treats them: for `optimal` where it falls back. */
void hd_dpor_turn_races(hd_weave *w);
#endif
