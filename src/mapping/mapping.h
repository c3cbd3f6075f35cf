/* mapping.h -- state mapping: which states of which nodes belong together (paper 004, section III).
 *
 * A system of k nodes is executed symbolically by executing states of its nodes.  A *dscenario* is
 * a state for each node, which together are one concrete execution of the system; a *dstate* is a
 * set of states, one at least for each node, of which every choice of one for each node is a
 * dscenario. The mapping knows which dstates there are, and changes them when a state branches or
 * sends:
 *
 *     cob   a dstate has one state for each node; a branch copies all of it
 *     cow   a branch adds a state to its dstate; a send whose sender has rivals copies the dstate
 *     sds   a state may be in several dstates; a send copies the receiving states and nobody else
 *
 * All three have the same dscenarios.  States are numbers, those of the engine that executes them:
 * nothing here knows what a state is.
 *
 * M1. A dstate has one cohort for each node: the states of that node in it.  No cohort is empty.
 * M2. A state is in one cohort, of its node.
 * M3. A cohort is in one dstate at least; with cob and cow in just one.
 * M4. A cohort knows its dstates and its members, and they know it.
 * Promise (tests/property/property_mapping.c): states of one dstate have no conflict: what one sent
 *     to the node of the other, the other has received.  Only who knows histories can check this.
 * M6. A block has the cohorts of one range of nodes, and is in one dstate at least; a dstate has
 *     one block for each range (mapping_int.h).
 * Not here: one dscenario after the other (explosion.h), how many there are (dscenarios.h), sends
 * of many states in their order (sendings.h). */
#ifndef HD_MAPPING_MAPPING_H
#define HD_MAPPING_MAPPING_H
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_NO_STATE UINT32_MAX

/* The algorithms: constant, suffix of its row (src/mapping/NAME.c), name, words for the help. */
#define HD_MAPPINGS(X)                                                                             \
    X(COB, cob, "cob", "copy on branch: each dscenario has its own states")                        \
    X(COW, cow, "cow", "copy on write: all states of a dstate are copied when rivals differ")      \
    X(SDS, sds, "sds", "super dstates: only receivers are copied")

typedef enum hd_mapping_kind {
#define X(constant, suffix, name, words) HD_MAPPING_##constant,
    HD_MAPPINGS(X)
#undef X
        HD_N_MAPPINGS
} hd_mapping_kind;

const char *hd_mapping_name(hd_mapping_kind kind);
/* The algorithm of that name; HD_N_MAPPINGS if there is none. */
hd_mapping_kind hd_mapping_named(const char *name);

/* Who has the states.  Their numbers should be small, because there is an array of them; a number
 * may be used again when its state was released. */
typedef struct hd_mapping_owner {
    void *context;
    /* Make a copy of a state that is not executing, with everything that is under way to it;
     * return the copy's number. */
    uint32_t (*fork)(void *context, uint32_t state);
    /* No dscenario has this state any more (hd_mapping_discard). */
    void (*release)(void *context, uint32_t state);
} hd_mapping_owner;

typedef hd_vec(uint32_t) hd_states;
typedef struct hd_mapping hd_mapping;

/* One dstate: state first[n] for each node n. */
hd_mapping *hd_mapping_new(hd_mapping_kind kind, uint32_t n_nodes, const uint32_t *first,
                           hd_mapping_owner owner);
void hd_mapping_free(hd_mapping *m);

/* `state` has branched: `child` goes the other way, and is known to nobody so far.  With cob all
 * others of the dscenario are forked. */
void hd_mapping_branch(hd_mapping *m, uint32_t state, uint32_t child);

/* A packet for node `to` is sent, by `n_senders` states of one node: the same packet by all of them
 * (section III-D: equal content, time and constraints), usually by one.  Others of that node, which
 * do not send it now, are rivals of the senders.  Targets are forked as it is necessary; those that
 * get the packet are put into `receivers` (which is cleared first), in an order that depends on
 * nothing but the calls so far; their copies, which do not get it, stay as they were.
 * A node that sends to itself needs no mapping: the receivers are the senders. */
void hd_mapping_send(hd_mapping *m, const uint32_t *senders, size_t n_senders, uint32_t to,
                     hd_states *receivers);

/* Budgets that the states of a dscenario share (dstate_costs.c): a state costs so much of each, at first
 * nothing, and a dscenario whose states cost more together than some budget is impossible.  To be
 * called before anything else happens. */
void hd_mapping_share_budgets(hd_mapping *m, const uint32_t *budgets, uint32_t n);
/* What a state costs now, of each budget: not less than before.  A copy costs what its origin does,
 * and a child of a branch nothing until it is said. */
void hd_mapping_spend(hd_mapping *m, uint32_t state, const uint32_t *costs);
/* Drop what no budget allows of the dstates that these states are in, and those of them that are in
 * no possible dscenario then: as hd_mapping_discard, so they may not be known any more.  Nothing
 * without budgets. */
void hd_mapping_prune(hd_mapping *m, const uint32_t *states, size_t n);
/* What states of other nodes cost at least in every possible dscenario with this state, which was
 * asked about in the last hd_mapping_prune; good until the mapping changes. */
const uint32_t *hd_mapping_others(hd_mapping *m, uint32_t state);

/* Every dscenario with this state is impossible: its constraints contradict those of the state that
 * it received from, say.  It is released, and so are states that were only in dscenarios with it.
 * (A state that has ended, or whose node has crashed, is no such state: it stays what it is.) */
void hd_mapping_discard(hd_mapping *m, uint32_t state);

hd_mapping_kind hd_mapping_kind_of(const hd_mapping *m);
uint32_t hd_mapping_n_nodes(const hd_mapping *m);
/* The node of a state; does the mapping know the state at all? */
uint32_t hd_mapping_node_of(const hd_mapping *m, uint32_t state);
bool hd_mapping_knows(const hd_mapping *m, uint32_t state);

/* The dstates that a state is in, and the states of a node in a dstate; the lists are cleared first.
 */
void hd_mapping_dstates_of(const hd_mapping *m, uint32_t state, hd_states *out);
void hd_mapping_members(const hd_mapping *m, uint32_t dstate, uint32_t node, hd_states *out);

/* How it grows. */
typedef struct hd_mapping_counts {
    uint64_t states, dstates;
    uint64_t virtual_states; /* pairs of a state and a dstate that it is in */
    uint64_t cohorts;
    uint64_t branches, sends;
    uint64_t forks;     /* states that were copied, here or on a branch */
    uint64_t joined;    /* senders that needed no send of their own, as another sent the same */
    uint64_t discarded; /* states that were released */
    uint64_t too_dear;  /* dstates that no budget allowed */
    uint64_t touched;   /* entries that all calls together looked at: the cost */
    uint64_t bytes;     /* of memory */
} hd_mapping_counts;
hd_mapping_counts hd_mapping_count(const hd_mapping *m);

/* Groups of dstates that have no state in common, directly or by others between them: each could be
 * executed by itself.  How many, and states of the largest; costs as much as there is. */
typedef struct hd_mapping_groups {
    uint64_t n, largest;
} hd_mapping_groups;
hd_mapping_groups hd_mapping_group(const hd_mapping *m);

/* All of M1 to M4 and M6, asserted; costs as much as there is.  Debug and hostile builds call it after
 * every change of a small mapping. */
void hd_mapping_check(const hd_mapping *m);
#endif
