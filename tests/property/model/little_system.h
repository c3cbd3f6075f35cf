/* little_system.h -- nodes without a machine: states that are nothing but their histories.
 *
 * A script is a number of events; in an event every state of one node decides, by its history and
 * the script's seed alone, whether it does nothing, branches, or sends to neighbours.  So the same
 * script can be run with every algorithm of state mapping, in any order of states, and what comes
 * of it can be compared by histories. */
#ifndef TESTS_LITTLE_SYSTEM_H
#define TESTS_LITTLE_SYSTEM_H
#include "mapping/explosion.h"
#include "mapping/sendings.h"

#define MOST_LITTLE_NODES 9
#define N_LITTLE_BUDGETS  2
extern const uint32_t little_budgets[N_LITTLE_BUDGETS];

typedef enum little_shape {
    LITTLE_LINE,
    LITTLE_RING,
    LITTLE_GRID,
    LITTLE_MESH,
    N_LITTLE_SHAPES
} little_shape;

/* How sends come to the mapping. */
typedef enum little_way {
    LITTLE_AT_ONCE, /* each by itself, when it happens: the paper's */
    LITTLE_NOTED,   /* through sendings.h, what a state had sent before it branched is one packet */
    LITTLE_EQUAL,   /* and equal packets of different states too */
    N_LITTLE_WAYS
} little_way;

typedef struct little_script {
    uint64_t seed;
    unsigned n_nodes, n_events;
    little_shape shape;
    little_way way;
    bool has_constraints; /* branches and packets are about variables of three bits */
    bool has_budgets;     /* some branches cost one of two budgets that all nodes share */
} little_script;

/* A step of a history. */
typedef struct little_step {
    enum { LITTLE_BRANCH, LITTLE_SENT, LITTLE_RECEIVED } kind;
    uint32_t peer;
    uint64_t packet; /* or which way */
} little_step;

typedef struct little_state {
    uint32_t node;
    uint64_t hash; /* of its steps */
    hd_vec(little_step) steps;
    uint16_t known, values; /* of the variables: which it has decided on, and how */
    uint32_t costs[N_LITTLE_BUDGETS];
} little_state;

typedef struct little_system {
    little_script script;
    hd_mapping *mapping;
    hd_vec(little_state) states;
    hd_sendings sendings;
    hd_states to_discard;
    uint64_t most_states; /* a script ends when there are more */
    unsigned n_run;       /* events */
    bool discards;        /* states that contradict the sender, and what no budget allows */
} little_system;

little_script little_script_of(uint64_t seed);
bool little_are_linked(const little_script *s, uint32_t a, uint32_t b);
void little_init(little_system *y, const little_script *script, hd_mapping_kind kind);
void little_run(little_system *y);
void little_release(little_system *y);

/* May there be dscenarios that are impossible? */
static inline bool little_is_limited(const little_script *s) {
    return s->has_constraints || s->has_budgets;
}
/* Do the states of a dscenario agree on variables, and keep to budgets?  A hd_together. */
bool little_agree(void *system, const uint32_t *states, uint32_t node);
/* The dscenario as a hash of the histories of all nodes. */
uint64_t little_hash(const little_system *y, const uint32_t *states);
/* Have two states sent or received what the other has not? */
bool little_conflict(const little_system *y, uint32_t a, uint32_t b);
#endif
