/* system.h -- the search of whole systems: node states instead of executions (paper 004).
 *
 * The nodes of a scenario are run one event at a time, in the order of virtual time, each from a
 * node state.  Where inputs or faults decide, an event is run once for each way, and the state
 * becomes several.  Which of them belong together is the mapping's business; a *dscenario*, one
 * state of each node, is an execution of the whole system.  What next() hands out are such
 * executions: those that show a finding, those that cover something, or all.  They are run as whole
 * systems by the same machine, so that whatever is reported was seen there.
 *
 * Y1. All states of one node with the same next moment are run, and then what they sent is mapped:
 *     the order is (time, node), and what one dscenario does in it is what the machine does with
 *     all nodes (W1 of machine/tasks/time_order.h).
 *
 * Promise (tests/property/property_mapping.c): every combination of ways is in some dscenario.  One
 *     whose constraints contradict each other is no execution: it is found out at a delivery, or
 *     when the dscenario is put together.
 *
 * Y3. Whatever shows a finding in a node is asked for its dscenarios before anything else happens,
 *     until one of them is an execution: that one state is in none says nothing about others.
 *
 * Y4. What no shared budget allows (budget.h) is dropped before the states whose turn it is run: it
 *     costs no event.
 *
 * Y5. A search that is cut short has looked at most of what it had by then: each time that it has
 * run twice as many events as at its last look, an execution is handed out for each combination of
 *     what nodes have shown so far, and for what they have covered since.  Looks are counted in
 *     events, not timed, and change no state.
 *
 * Not here: running an event (node_event.h), choosing a dscenario (dscenario.h). */
#ifndef HD_EXPLORE_SYSTEM_SYSTEM_H
#define HD_EXPLORE_SYSTEM_SYSTEM_H
#include "explore/system/budget.h"
#include "explore/system/node_state.h"
#include "mapping/dscenarios.h"
#include "mapping/sendings.h"

/* States that have something to do, by (time, node, number); nodes begin before anything else
 * happens. */
typedef struct hd_turn_of_state {
    uint64_t time;
    bool begins;
    uint32_t node, state;
} hd_turn_of_state;

/* An execution of the whole system that is worth running. */
typedef struct hd_suspect {
    uint32_t state;
    uint64_t signature; /* of the finding that it must show; 0: it need not show any */
    bool is_stuck;      /* nobody must have anything left to do, */
    bool is_first;      /* and no node before this one be stuck: a deadlock is blamed on one */
    bool has_constraints;
    hd_exprs constraints; /* of its node, instead of the state's; */
    hd_few_values values;
    hd_indices spent;
} hd_suspect;

typedef struct hd_judged_decision {
    hd_expr condition;
    bool taken;
} hd_judged_decision;

/* Inputs for the states of the last dscenario, whose first decisions of assertions are these. */
typedef struct hd_flip {
    hd_model model;
    size_t bound;
} hd_flip;

/* Dscenarios by what their nodes showed: judged.h. */
typedef struct hd_judged {
    hd_explosion explosion; /* is_begun */
    hd_together *together;
    hd_indices n_shown; /* by node: how many different things in this dstate */
    hd_map done;        /* combinations that were handed out */
    hd_map below;       /* by choices in a dstate: so many of those were */
    bool is_begun;
    bool is_watching; /* an execution is under way that assertions judge */
    size_t bound;
    hd_vec(hd_judged_decision) seen;
    hd_vec(hd_flip) flips;
} hd_judged;

typedef struct hd_system_search {
    hd_explorer *x;
    hd_machine *machine;
    hd_mapping *mapping; /* NULL before the first event */
    hd_shared_budgets budgets;
    hd_vec(hd_node_state) states;
    hd_vec(uint32_t) unused;
    hd_vec(hd_turn_of_state) turns; /* a heap; entries may be out of date */
    hd_sendings sendings;
    hd_vec(hd_sent *) sent;      /* of this round: sendings name them by index */
    hd_vec(uint32_t) impossible; /* of this round: no dscenario has them */
    hd_vec(hd_suspect) suspects;
    hd_vec(hd_suspect) stuck; /* when nothing is left to do */
    hd_map shown;             /* findings, and places where somebody is stuck: see Y3 */
    hd_map run;               /* inputs of executions that were handed out */
    hd_vec(uint32_t) fresh;   /* states that have covered something new, in their order */
    hd_vec(uint32_t) chosen;  /* of the last dscenario that was put together for a suspect */
    hd_map was_run;           /* states in an execution, when nothing is left to do */
    uint64_t n_rounds, n_run, next_look; /* events that were run, and at how many it looks (Y5) */
    size_t n_fresh_looked_at;
    uint64_t n_handed_out, n_skipped;
    uint64_t signature; /* of the execution under way */
    hd_eval *eval;
    hd_model scratch;
    hd_explosion explosion; /* is_exploding */
    hd_sample sample;       /* is_drawing */
    hd_judged judged;
    uint64_t n_unlike;    /* states that showed what depends on inputs */
    uint32_t n_looked_at; /* of the states, for what was missed */
    bool is_exploding, is_drawing, is_looking, is_over, is_cut, is_stopped;
    bool is_missed; /* something was covered first by states that are in no possible execution */
    bool is_rebuilding; /* the execution under way was handed out before the search was saved */
} hd_system_search;

/* ---- system.c ---- */
/* The state becomes this one; the copy's number, for the mapping. */
uint32_t hd_system_new_state(hd_system_search *y);
/* The state has a next moment. */
void hd_system_enqueue(hd_system_search *y, uint32_t state);
/* A finding was seen in the last execution of a node, from this state on. */
void hd_system_suspect(hd_system_search *y, uint32_t state, const hd_exprs *constraints,
                       const hd_model *model);
#endif
