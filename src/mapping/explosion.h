/* explosion.h -- a mapping's dscenarios, one after the other, in memory for one.
 *
 * What the mapping keeps small has to be written out for tests (paper 004, section IV-C).  A dstate
 * is gone through node by node; who knows constraints says early that some states do not go
 * together, and nothing with them is formed.
 *
 * Promise (tests/property/property_mapping.c): each dscenario comes once for each dstate that has
 *     it, dstates in the order of their numbers; no two dstates have the same dscenario
 *     (mapping.h), so once.  Every dscenario comes or is counted as pruned.
 * The mapping must not change meanwhile. */
#ifndef HD_MAPPING_EXPLOSION_H
#define HD_MAPPING_EXPLOSION_H
#include "base/text.h"
#include "mapping/mapping.h"

#include <gmp.h>

#define HD_NO_NODE UINT32_MAX

/* Can these states be together?  states[n] is the one of node n, or HD_NO_STATE if none was chosen
 * so far; `node` was chosen last, and everything without it was asked before.  The first question
 * of a dstate is about all nodes that have no choice in it, with `node` HD_NO_NODE. */
typedef bool hd_together(void *context, const uint32_t *states, uint32_t node);

typedef struct hd_explosion {
    const hd_mapping *mapping;
    hd_together *together; /* NULL: all are */
    void *context;
    uint32_t dstate, end;
    hd_states states;  /* by node */
    hd_states choices; /* nodes of the dstate with several states */
    hd_states chosen;  /* for each of the first few of them: number of the member */
    bool is_inside;    /* of a dstate */
    /* For who wants other dscenarios first (covering.h): this node is chosen for first, and for node n
     * its member turn[n], then those behind it, then those before it. */
    uint32_t lead; /* HD_NO_NODE: the lowest */
    hd_states turn;
    mpz_t pruned;
    uint64_t n_questions, most_questions; /* 0: as many as there are */
    bool is_cut; /* they were too many: next has ended the dstate before its end */
} hd_explosion;

void hd_explosion_init(hd_explosion *e, const hd_mapping *m, hd_together *together, void *context);
/* The next dscenario, by node, good until the next call; NULL at the end. */
const uint32_t *hd_explosion_next(hd_explosion *e);
/* Go to the beginning of a dstate, and stay there: next gives its dscenarios only. */
void hd_explosion_enter(hd_explosion *e, uint32_t dstate);
/* One dscenario of a dstate: member number members[n] of each node n.  NULL if they do not go
 * together. */
const uint32_t *hd_explosion_one(hd_explosion *e, uint32_t dstate, const uint32_t *members);
/* How many dscenarios were left out so far, in decimal. */
void hd_explosion_pruned(const hd_explosion *e, hd_text *out);
void hd_explosion_release(hd_explosion *e);
#endif
