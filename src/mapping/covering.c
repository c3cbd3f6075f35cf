/* The gain of a dstate is the number of its nodes that have a state which is not covered.  Gains
 * only become smaller, so that the queue may have old ones: what comes out of it is asked again. */
#include "mapping/covering.h"

#include "base/panic.h"
#include "mapping/mapping_int.h"

#define MOST_QUESTIONS 100000 /* about one state in one dstate */

static uint64_t gain_of(const hd_covering *c, uint32_t dstate) {
    uint64_t gain = 0;
    for (uint32_t n = 0; n < c->inside.mapping->n_nodes; n++)
        gain += c->n_new.at[hd_dstate_cohort(c->inside.mapping, dstate, n)] > 0;
    return gain;
}

/* ---- the queue: the largest gain first, then the lowest dstate ---- */

static void push(hd_covering *c, uint64_t gain, uint32_t dstate) {
    if (gain == 0)
        return;
    hd_vec_push(&c->queue, gain << 32 | (UINT32_MAX - dstate));
    uint64_t *at = c->queue.at, entry = at[c->queue.n - 1];
    size_t i = c->queue.n - 1;
    for (; i > 0 && at[(i - 1) / 2] < entry; i = (i - 1) / 2)
        at[i] = at[(i - 1) / 2];
    at[i] = entry;
}

static uint64_t pop(hd_covering *c) {
    uint64_t *at = c->queue.at, first = at[0], entry = at[--c->queue.n];
    size_t i = 0, n = c->queue.n;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && at[child + 1] > at[child];
        if (at[child] <= entry)
            break;
        at[i] = at[child];
        i = child;
    }
    at[i] = entry;
    return first;
}

/* ---- one dstate ---- */

static void cover(hd_covering *c, uint32_t state) {
    if (c->is_covered.at[state])
        return;
    const hd_mapping *m = c->inside.mapping;
    c->is_covered.at[state] = true;
    c->n_left--;
    c->n_new.at[hd_state_of(m, state)->cohort]--;
}

/* Each node takes a state that is not covered first, if it has one. */
static void turn_to_new(hd_covering *c, uint32_t dstate) {
    const hd_mapping *m = c->inside.mapping;
    for (uint32_t n = 0; n < m->n_nodes; n++) {
        uint32_t cohort = hd_dstate_cohort(m, dstate, n), i = 0;
        while (c->n_new.at[cohort] && c->is_covered.at[hd_cohort_member(m, cohort, i)])
            i++;
        c->inside.turn.at[n] = i;
    }
}

/* The first dscenario of the dstate in which `node` has this member. */
static const uint32_t *lead_with(hd_covering *c, uint32_t dstate, uint32_t node, uint32_t member) {
    const hd_mapping *m = c->inside.mapping;
    uint32_t state = hd_cohort_member(m, hd_dstate_cohort(m, dstate, node), member);
    c->inside.lead = node;
    c->inside.turn.at[node] = member;
    c->inside.most_questions = c->inside.n_questions + MOST_QUESTIONS;
    hd_explosion_enter(&c->inside, dstate);
    const uint32_t *found = hd_explosion_next(&c->inside);
    c->n_given_up += c->inside.is_cut;
    return found && found[node] == state ? found : NULL;
}

/* A dscenario with a state of this node that is not covered; NULL if there is none. */
static const uint32_t *lead(hd_covering *c, uint32_t dstate, uint32_t node) {
    const hd_mapping *m = c->inside.mapping;
    uint32_t cohort = hd_dstate_cohort(m, dstate, node);
    for (uint32_t i = 0; c->n_new.at[cohort] && i < hd_cohort_size(m, cohort); i++) {
        uint32_t state = hd_cohort_member(m, cohort, i);
        uint64_t key = (uint64_t)dstate << 32 | state;
        if (c->is_covered.at[state] || hd_map_find(&c->in_vain, key))
            continue;
        const uint32_t *found = lead_with(c, dstate, node, i);
        if (found)
            return found;
        hd_map_put(&c->in_vain, key, 1);
    }
    return NULL;
}

static const uint32_t *inside(hd_covering *c, uint32_t dstate) {
    const uint32_t *found = NULL;
    turn_to_new(c, dstate);
    for (uint32_t n = 0; n < c->inside.mapping->n_nodes && !found; n++)
        found = lead(c, dstate, n);
    return found;
}

/* Every state of the dstate is covered, or was looked for in vain. */
static bool is_done_with(const hd_covering *c, uint32_t dstate) {
    const hd_mapping *m = c->inside.mapping;
    for (uint32_t n = 0; n < m->n_nodes; n++) {
        uint32_t cohort = hd_dstate_cohort(m, dstate, n);
        for (uint32_t i = 0; i < hd_cohort_size(m, cohort); i++) {
            uint32_t state = hd_cohort_member(m, cohort, i);
            if (!c->is_covered.at[state] &&
                !hd_map_find(&c->in_vain, (uint64_t)dstate << 32 | state))
                return false;
        }
    }
    return true;
}

/* ---- all of it ---- */

void hd_covering_init(hd_covering *c, const hd_mapping *m, hd_together *together, void *context) {
    *c = (hd_covering){.n_left = m->counts.states};
    hd_explosion_init(&c->inside, m, together, context);
    for (uint32_t s = 0; s < m->states.n; s++)
        hd_vec_push(&c->is_covered, false);
    for (uint32_t k = 0; k < m->cohorts.n; k++)
        hd_vec_push(&c->n_new, hd_cohort_size(m, k));
    for (uint32_t d = 0; d < m->n_dstates; d++)
        if (!hd_dstate_is_free(m, d))
            push(c, gain_of(c, d), d);
}

const uint32_t *hd_covering_next(hd_covering *c) {
    while (c->queue.n) {
        uint64_t entry = pop(c);
        uint32_t dstate = UINT32_MAX - (uint32_t)entry;
        uint64_t gain = gain_of(c, dstate);
        if (gain < entry >> 32) {
            push(c, gain, dstate);
            continue;
        }
        const uint32_t *found = inside(c, dstate);
        if (!found) {
            HD_CHECK_INVARIANT(C2, is_done_with(c, dstate));
            continue;
        }
        uint64_t n_before = c->n_left;
        for (uint32_t n = 0; n < c->inside.mapping->n_nodes; n++)
            cover(c, found[n]);
        HD_INVARIANT(C1, c->n_left < n_before);
        push(c, gain_of(c, dstate), dstate);
        return found;
    }
    return NULL;
}

uint64_t hd_covering_bound(const hd_mapping *m) {
    hd_vec(uint64_t) n_states = {0};
    uint64_t most = 0;
    for (uint32_t n = 0; n < m->n_nodes; n++)
        hd_vec_push(&n_states, 0);
    for (uint32_t s = 0; s < m->states.n; s++)
        if (hd_mapping_knows(m, s)) {
            uint64_t *n = &n_states.at[hd_mapping_node_of(m, s)];
            most = ++*n > most ? *n : most;
        }
    hd_vec_release(&n_states);
    return most;
}

void hd_covering_release(hd_covering *c) {
    hd_explosion_release(&c->inside);
    hd_vec_release(&c->is_covered);
    hd_vec_release(&c->n_new);
    hd_vec_release(&c->queue);
    hd_map_release(&c->in_vain);
}
