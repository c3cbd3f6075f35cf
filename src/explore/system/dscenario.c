/* Dscenarios: which states go together, and with which inputs (see dscenario.h).
 *
 * States of one dstate have no conflict in what they sent, but their constraints may contradict
 * each other where a packet had symbolic bytes and both sides decided on them later.  A choice for
 * one node after the other, with a step back where nothing fits, finds one that is possible. */
#include "explore/system/dscenario.h"

#include "explore/system/node_event.h"

#include "base/panic.h"

#define MOST_TRIES 10000 /* states that are looked at for one suspect */

/* Putting a dscenario together. */
typedef struct choosing {
    hd_system_search *y;
    const hd_suspect *suspect;
    uint32_t node; /* of the suspect */
    uint32_t dstate;
    uint32_t n_tries;
    uint32_t *sum; /* of faults, by shared budget */
    bool is_unsure;
} choosing;

static hd_verdict add_state(hd_system_search *y, const hd_node_state *s, hd_model *model) {
    hd_few_values_load(&s->values, model);
    return hd_constraints_add(y, &s->constraints, model);
}

/* Budgets that nodes share: each has kept to them by itself.  Does the sum, with this state? */
static bool spend(hd_system_search *y, const hd_indices *spent, uint32_t *sum) {
    return hd_shared_budgets_add(&y->budgets, spent, sum);
}

static uint32_t *new_sum(hd_system_search *y) {
    uint32_t *sum = calloc(y->budgets.n + 1, sizeof *sum);
    if (!sum)
        hd_out_of_memory();
    return sum;
}

static bool fit_budgets(hd_system_search *y, const uint32_t *states) {
    uint32_t *sum = new_sum(y);
    bool fit = true;
    for (uint32_t i = 0; i < hd_mapping_n_nodes(y->mapping) && fit; i++)
        fit = states[i] == HD_NO_STATE || spend(y, &y->states.at[states[i]].spent, sum);
    free(sum);
    return fit;
}

hd_verdict hd_dscenario_solve(hd_system_search *y, const uint32_t *states, hd_model *model) {
    hd_path_truncate(y->x->path, 0);
    hd_model_clear(model);
    if (!fit_budgets(y, states))
        return HD_UNSAT;
    for (uint32_t i = 0; i < hd_mapping_n_nodes(y->mapping); i++) {
        hd_verdict v =
            states[i] == HD_NO_STATE ? HD_SAT : add_state(y, &y->states.at[states[i]], model);
        if (v != HD_SAT)
            return v;
    }
    return HD_SAT;
}

/* Is the state one that a suspect is looked for with? */
static bool may_join(const choosing *c, const hd_node_state *s) {
    if (c->suspect->is_stuck && hd_node_state_next(s) != UINT64_MAX)
        return false;
    return !(c->suspect->is_first && s->node < c->node && hd_node_state_is_stuck(s));
}

/* A state for each node from `node` on that fits what is on the path; all of them are tried.
 */
static bool choose_from(choosing *c, uint32_t node, hd_model *model) {
    hd_system_search *y = c->y;
    if (node == hd_mapping_n_nodes(y->mapping))
        return true;
    if (node == c->node)
        return choose_from(c, node + 1, model);
    uint32_t length = hd_path_length(y->x->path);
    hd_model before = {0};
    hd_states members = {0};
    bool found = false;
    hd_mapping_members(y->mapping, c->dstate, node, &members);
    hd_model_copy(&before, model);
    for (size_t i = 0; i < members.n && !found && c->n_tries < MOST_TRIES; i++) {
        const hd_node_state *s = &y->states.at[members.at[i]];
        c->n_tries++;
        if (!may_join(c, s))
            continue;
        hd_verdict v = spend(y, &s->spent, c->sum) ? add_state(y, s, model) : HD_UNSAT;
        c->is_unsure |= v == HD_UNKNOWN;
        found = v == HD_SAT && choose_from(c, node + 1, model);
        if (found)
            hd_vec_push(&y->chosen, members.at[i]);
        else {
            hd_shared_budgets_take(&y->budgets, &s->spent, c->sum);
            hd_path_truncate(y->x->path, length);
            hd_model_copy(model, &before);
        }
    }
    hd_model_release(&before);
    hd_vec_release(&members);
    return found;
}

static hd_verdict begin(hd_system_search *y, const hd_suspect *s, hd_model *model) {
    const hd_node_state *state = &y->states.at[s->state];
    hd_path_truncate(y->x->path, 0);
    hd_model_clear(model);
    if (!s->has_constraints)
        return add_state(y, state, model);
    hd_few_values_load(&s->values, model);
    return hd_constraints_add(y, &s->constraints, model);
}

/* The dstates of a state, the lowest number first: how the mapping keeps them (in blocks) must not
 * decide which execution is run.  A state may be in millions, and the first will mostly do: a heap.
 */
static void sink_down(hd_states *heap, size_t i) {
    uint32_t *at = heap->at, last = at[i];
    for (size_t next; (next = 2 * i + 1) < heap->n; i = next) {
        next += next + 1 < heap->n && at[next + 1] < at[next];
        if (last <= at[next])
            break;
        at[i] = at[next];
    }
    at[i] = last;
}

static void list_dstates(hd_system_search *y, uint32_t state, hd_states *heap) {
    hd_mapping_dstates_of(y->mapping, state, heap);
    for (size_t i = heap->n / 2; i-- > 0;)
        sink_down(heap, i);
}

static uint32_t take_lowest(hd_states *heap) {
    uint32_t lowest = heap->at[0];
    heap->at[0] = heap->at[--heap->n];
    if (heap->n)
        sink_down(heap, 0);
    return lowest;
}

hd_verdict hd_dscenario_of(hd_system_search *y, const hd_suspect *s, hd_model *model) {
    choosing c = {.y = y, .suspect = s};
    hd_states dstates = {0};
    bool found = false;
    hd_vec_clear(&y->chosen);
    if (!hd_mapping_knows(y->mapping, s->state))
        return HD_UNSAT;
    c.node = hd_mapping_node_of(y->mapping, s->state);
    list_dstates(y, s->state, &dstates);
    while (dstates.n && !found && c.n_tries < MOST_TRIES) {
        c.dstate = take_lowest(&dstates);
        c.sum = new_sum(y);
        const hd_indices *spent = s->has_constraints ? &s->spent : &y->states.at[s->state].spent;
        hd_verdict v = spend(y, spent, c.sum) ? begin(y, s, model) : HD_UNSAT;
        c.is_unsure |= v == HD_UNKNOWN;
        found = v == HD_SAT && choose_from(&c, 0, model);
        free(c.sum);
    }
    hd_vec_release(&dstates);
    hd_vec_push(&y->chosen, s->state);
    return found ? HD_SAT : c.is_unsure || c.n_tries >= MOST_TRIES ? HD_UNKNOWN : HD_UNSAT;
}
