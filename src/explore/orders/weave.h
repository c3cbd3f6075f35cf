/* weave.h -- the search through orders of threads and inputs together (docs/design.md D6).
 *
 * One path at a time, depth first (paper 002, Figs. 16 to 18): a stack of events, each with what
 * is still to be run from the state before it, and of decisions on inputs between them.  The next
 * execution repeats the path up to its deepest choice that has something left.  What a state has
 * left is the business of the reduction (reduction.h): all enabled threads, threads of races,
 * source sets, wakeup trees.
 *
 * V1. nodes[i] is the state before event i; a decision made after event i has at == i + 1.
 * V2. What is deeper on the stack than the choice that comes next has nothing left: it was
 *     explored, or is covered by what is asleep there.
 * V3. The search goes from one state to another only as hd_weave_enter allows.
 * Not here: events and races (events.h), the tree of sequential programs (tree.h). */
#ifndef HD_EXPLORE_ORDERS_WEAVE_H
#define HD_EXPLORE_ORDERS_WEAVE_H
#include "explore/events/events.h"
#include "explore/explore_int.h"
#include "explore/orders/wakeup.h"

/* A thread that need not go next: whatever begins with its action was explored, for the inputs of
 * its scope: those that lead to an outcome of the action that was explored. */
typedef struct hd_sleeper {
    hd_action action;
    hd_expr scope; /* HD_NONE = all inputs */
    uint32_t next; /* in the list, HD_NO_EVENT = end */
} hd_sleeper;

/* Outcomes of an event of the path that were explored, while others may be left to sleepers. */
typedef struct hd_explored {
    uint32_t event;
    hd_expr scope;
    bool fails; /* as an exchange that finds something else (exchange.c) */
} hd_explored;

typedef struct hd_weave_node {
    uint32_t sleep;       /* list of sleepers; grows when a thread was explored from here */
    uint32_t n_sleepers;  /* length of sleepers[] that this node needs */
    uint32_t tree;        /* optimal: sequences still to be run from here */
    uint32_t preemptions; /* used up before this event */
    hd_thread_set enabled, todo, done; /* the other reductions */
    hd_thread_set asleep;              /* the threads of the list that sleep for all inputs */
    bool has_race;                     /* flip; message: "needs delay" of paper 000, Fig. 12 */
} hd_weave_node;

typedef struct hd_decision {
    uint32_t at; /* events before it */
    uint32_t site;
    hd_expr condition;
    bool way, is_open;
    bool is_tried;    /* its other way, or one was found impossible */
    bool is_left;     /* optimal: the other way was left to sleepers, at least in part */
    bool is_second;   /* its other way was explored, as far as it was not left to sleepers */
    bool was_partial; /* this is the second way, and something of the first was left to them */
    uint8_t kind;
    uint32_t thread;     /* who decided: a new thread does so in the event of its creator */
    uint32_t n_explored; /* length of explored[] when the second way began */
} hd_decision;

typedef struct hd_told_decision {
    uint32_t at, site;
    bool way;
    uint8_t kind;
    hd_expr condition;
    uint32_t since;  /* SPENT: hd_threads.spent_since */
    uint32_t thread; /* who decided */
} hd_told_decision;

/* A thread that had to wait, and what kept it waiting: it could have run before the blockers. */
typedef struct hd_held_thread {
    uint32_t at; /* events before that moment */
    uint32_t n, n_clock;
    size_t first;        /* of held_numbers: n blockers, then n_clock entries of its own clock */
    hd_action action;    /* what it would have been, ... */
    bool is_guess;       /* ... if that can be told */
    bool was_slept_away; /* as in hd_racing */
} hd_held_thread;

typedef struct hd_told_outcome {
    hd_expr outcome, scope; /* as in wakeup.h */
    /* The scope without choices of faults that no budget is left for, as it is from any state with
     * so many events on. */
    hd_expr open_scope;
    uint32_t since;
} hd_told_outcome;

/* Where the search is.  The first four are between executions and say what next() does, the others
 * are of an execution and say what done() makes of it. */
typedef enum hd_weave_state {
    HD_WEAVE_READY,    /* the next execution takes the deepest choice that has something left */
    HD_WEAVE_RETRYING, /* the event of the last node was taken back: the node gets another child */
    HD_WEAVE_ANEW,     /* races were treated on a wrong assumption: from the beginning */
    HD_WEAVE_SAVED,    /* a path was restored, and is run again first */
    HD_WEAVE_GIVEN,    /* a sequence from the beginning was given, and is run first (lift.h) */
    HD_WEAVE_RUNNING,
    HD_WEAVE_REBUILDING, /* the path that was restored is repeated */
    HD_WEAVE_WAITING,    /* the thread that was to go on waits after all: this is no execution */
    HD_WEAVE_STRAYED,    /* what should be repeated is not: nothing of the execution is noted */
    HD_WEAVE_LOST,       /* the path that was restored cannot be repeated: as STRAYED */
    HD_N_WEAVE_STATES
} hd_weave_state;

typedef struct hd_rules hd_rules;

/* A thread that others run from a state above the floor (lift.h). */
typedef struct hd_given {
    uint32_t event;
    hd_action action;
} hd_given;

typedef struct hd_weave {
    hd_explorer *x;
    hd_events log;
    hd_wakeups wakeups;
    hd_vec(hd_weave_node) nodes;
    hd_vec(uint64_t) lines;  /* of the log, for the machine */
    hd_vec(uint64_t) rounds; /* what the machine found out about waiting loops, for the next one */
    hd_script script;
    hd_vec(hd_sleeper) sleepers;
    hd_vec(hd_explored) explored;
    hd_vec(hd_decision) decisions; /* decisions[i] gives path[i] */
    hd_vec(hd_told_decision) told; /* all decisions, those that follow from others too: what names
                                    * a class must not depend on which of two came first */
    hd_vec(hd_wakeup_step) steps;  /* scratch: a sequence */
    uint32_t last_clock[HD_MAX_THREADS];          /* scratch: of its last step */
    hd_thread_steps thread_steps[HD_MAX_THREADS]; /* scratch: of its threads */
    uint32_t n_sequences;                         /* of the last one, from 1 on, again and again */
    uint32_t clear_of_last;                       /* scratch: of that one (sequence.h) */
    hd_vec(hd_told_outcome) step_outcomes;        /* scratch: of each event */
    hd_vec(hd_expr) outcomes;                     /* scratch: of the steps of a sequence */
    hd_vec(uint32_t) way;                         /* scratch: nodes of a tree down to a leaf */
    hd_vec(hd_action) way_actions;
    hd_asleep asleep;       /* scratch: who need not go next in a state */
    hd_needed_steps needed; /* scratch: of a sequence that is asked for */
    hd_eval *eval;          /* scratch: see demand.h */

    /* The current execution. */
    uint32_t n_events, n_decisions;   /* so far */
    uint32_t n_replayed, n_redecided; /* so many are repeated; ... */
    uint32_t n_common;                /* ... so many events repeat the one before: the others were
                                       * told and not run (hd_sink.again) */
    uint32_t n_treated;               /* the races of so many were treated before */
    uint32_t carried;                 /* n_treated of an execution that was not finished */
    uint32_t chosen;                  /* thread of event n_replayed, HD_NO_EVENT = free */
    uint32_t tree;                    /* what guides the rest of it */
    uint32_t free_from;               /* events before it was free */
    bool hit_bound;
    hd_expr foreign; /* HD_NONE, or the restriction that it cannot keep (X4 of restrict.h) */
    hd_threads stuck;            /* who waits at its end, for what */
    hd_vec(hd_held_thread) held; /* who waited when time passed: what follows hides its races */
    hd_vec(uint32_t) held_numbers;
    uint32_t held_clock[HD_MAX_THREADS]; /* scratch: of one of them */
    uint16_t process[HD_MAX_THREADS];    /* of threads and couriers, as far as they were seen */
    hd_model model;                      /* inputs of the last execution, total */
    hd_vec(hd_race) races;               /* to be reported */
    hd_map seen_races, seen_classes;
    hd_vec(uint64_t) new_races, new_classes; /* of them, since they were taken */

    /* Lifted states (lift.h): the first `floor` are somebody else's. */
    uint32_t floor;
    hd_vec(hd_given) given; /* who sleeps in these states besides those that slept before */
    hd_text asked;          /* what executions ask of them, since it was taken */
    hd_map was_asked;       /* hashes of it: nothing is asked for twice */

    /* Inputs that are somebody else's (restrict.h). */
    uint32_t n_restrictions;     /* the first decisions are */
    uint32_t n_given;            /* the first of them were there before the search began */
    hd_expr waiting_restriction; /* holds when the first inputs were found, HD_NONE = none */

    hd_weave_state state;
    /* Facts that hold in any state from when they are found on: what was learned about the program,
     * and (treats_all) what the next conclusion must not leave out. */
    bool has_inner_decisions;    /* threads decide on inputs */
    bool are_alike;              /* but not here: all inputs of the search do the same (alike.h) */
    bool was_alike_in_vain;      /* states were given up, and then inputs were not alike */
    hd_map private_assumptions;  /* what executions decided that was looked at (X7 of alike.h) */
    const hd_rules *rules;       /* those of the reduction that is in force (reduction.h) */
    bool has_fallen_back;        /* `optimal` is `dpor`: see optimal.c */
    bool treats_all;             /* races that were treated before too */
    bool draws;                  /* random-dfs: who goes first in a new state */
    int bound;                   /* on preemptions, now */
    hd_vec(uint64_t) priorities; /* PCT */
    uint64_t lowest;             /* PCT: given to the last thread that gave way in a loop */
    hd_vec(uint64_t) change_points;

    /* Resuming: the path of HD_WEAVE_SAVED. */
    hd_vec(uint32_t) saved_threads;   /* of its events */
    hd_vec(hd_decision) saved_ways;   /* its decisions: at, way, is_open */
    hd_vec(hd_weave_node) saved_rest; /* what its states had left; sleepers and trees are loaded */
} hd_weave;

HD_SEARCH_DECLARE(hd_weave)
static inline hd_weave *hd_weave_of(const hd_explorer *x) {
    return x->state;
}
double hd_weave_estimate(const hd_weave *w);
void hd_weave_enter(hd_weave *w, hd_weave_state state);
/* A decision of the path, behind all others. */
void hd_weave_push_decision(hd_weave *w, hd_decision d);
/* The other way of the decision is not to be tried, or not here. */
static inline void hd_decision_close(hd_decision *d) {
    d->is_tried |= d->is_open;
    d->is_open = false;
}

/* ---- backtrack.c ---- */
/* The first n_replayed events of the log, for the machine. */
void hd_weave_write_script(hd_weave *w);
/* Is something left along the path? */
bool hd_weave_has_open(const hd_weave *w);
/* Only what was executed is kept of the path. */
void hd_weave_cut_rest(hd_weave *w);
/* The last event of a thread turned out to be a round of a waiting loop, which waits from now on:
 * the state before it gets another child, or is done with. */
void hd_weave_take_back(hd_weave *w, uint32_t thread);
/* Give a tree and the inputs it holds back. */
void hd_weave_release_tree(hd_weave *w, uint32_t tree);

/* ---- weave_journal.c ---- */
/* A path with what is left along it: all of it, or a part of it. */
typedef struct hd_weave_view {
    const hd_weave_node *nodes;
    const hd_decision *decisions;
    uint32_t n_nodes, n_decisions;
} hd_weave_view;
/* As hd_weave_save, of a part: which classes were seen is not known there. */
void hd_weave_save_part(const hd_weave *w, const hd_weave_view *view, hd_text *out);
/* The saved path was run again: attach what was left. */
void hd_weave_rebuilt(hd_weave *w);

/* ---- outcome.c: decisions on inputs inside threads, most of it with `optimal` ---- */
/* The outcome of each event of the execution that just ended, into step_outcomes[]; nothing if no
 * thread ever decided. */
void hd_outcome_find(hd_weave *w);
/* What the step of that event covers in a sequence from the state before event `from` on; after hd_outcome_find. */
hd_expr hd_outcome_scope(const hd_weave *w, uint32_t event, uint32_t from);
/* The condition under which the other way of decision n is not left to sleepers, HD_NONE = always;
 * false if it is left to them in any case. */
bool hd_outcome_other_way(hd_weave *w, uint32_t n, hd_expr *condition);
/* Decision n is about to be flipped. */
void hd_outcome_first_way_done(hd_weave *w, uint32_t n);
/* Event `e`, with action `a`, sleeps with the outcomes that were explored, or with all. */
void hd_outcome_put_to_sleep(hd_weave *w, uint32_t e, const hd_action *a);
/* Sequences that wait in states before free events are passed on behind these (W4 of wakeup.h). */
void hd_outcome_pass_on(hd_weave *w);
/* What an assumption rejects need not be run for itself.  But for the inputs that it rejects other
 * threads may do other things, and fail, before the assumption is made, or so that it is never
 * made: that shows in the rejected executions only. */
void hd_outcome_open_assumptions(hd_weave *w);
/* The sequence of w->way and w->way_actions, nodes of a tree down to a leaf. */
hd_sequence hd_outcome_sequence_of_way(hd_weave *w);
/* Is what begins with the sequence, in a state, run behind this event of the state? */
bool hd_outcome_goes_on_behind(const hd_sequence *s, const hd_action *executed);
/* How many decisions were taken before event e. */
uint32_t hd_outcome_decisions_before(const hd_weave *w, uint32_t e);

/* ---- exchange.c: exchanges that inputs decide ---- */
/* The number of the decision that says whether the exchange of event e succeeded; HD_NO_EVENT if it
 * was no exchange, or if nothing was to be decided. */
uint32_t hd_exchange_find_decision(const hd_weave *w, uint32_t e);
static inline uint32_t hd_exchange_decision(const hd_weave *w, uint32_t e) {
    return w->has_inner_decisions ? hd_exchange_find_decision(w, e) : HD_NO_EVENT;
}
/* Action *a becomes what the exchange would be if it failed, or succeeded. */
void hd_exchange_turn(const hd_weave *w, hd_action *a, bool fails);
/* Was memory written to that depends on inputs, in some execution? */
static inline bool hd_exchange_may_depend(const hd_weave *w) {
    return w->log.knows_contents;
}
/* The condition on inputs for the exchange that is the second event of a race to succeed without
 * the first; HD_NONE if it does not depend on them, or is no exchange. */
hd_expr hd_exchange_find_condition(hd_weave *w, uint32_t first, uint32_t second);
static inline hd_expr hd_exchange_condition(hd_weave *w, uint32_t first, uint32_t second) {
    return hd_exchange_may_depend(w) ? hd_exchange_find_condition(w, first, second) : HD_NONE;
}

/* ---- reductions/sample.c ---- */
/* Draw the inputs of the next execution of a sample, and where the priorities of threads change. */
void hd_sample_begin(hd_weave *w, hd_model *model);
#endif
