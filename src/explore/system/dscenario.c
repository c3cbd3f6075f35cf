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
    uint32_t *sum; /* of faults, by rule */
    bool is_unsure;
} choosing;

static hd_verdict add_state(hd_system_search *y, const hd_node_state *s, hd_model *model) {
    hd_few_values_load(&s->values, model);
    return hd_constraints_add(y, &s->constraints, model);
}

/* Budgets in total are about all nodes, of which each has kept to them by itself.  Does the sum,
 * with this state or without it from now on? */
static bool spend(hd_system_search *y, const hd_indices *spent, uint32_t *sum, bool is_in) {
    const hd_explorer_options *o = &y->x->options;
    bool fits = true;
    for (uint32_t i = 0, k = 0; i < o->n_faults && k < spent->n; i++) {
        if (o->faults[i].total == HD_NO_BUDGET)
            continue;
        sum[i] += is_in ? spent->at[k] : -spent->at[k];
        fits &= sum[i] <= o->faults[i].total;
        k++;
    }
    return fits;
}

static uint32_t *new_sum(hd_system_search *y) {
    uint32_t *sum = calloc(y->x->options.n_faults + 1, sizeof *sum);
    if (!sum)
        hd_out_of_memory();
    return sum;
}

static bool fit_budgets(hd_system_search *y, const uint32_t *states) {
    uint32_t *sum = new_sum(y);
    bool fit = true;
    for (uint32_t i = 0; i < hd_mapping_n_nodes(y->mapping) && fit; i++)
        fit = states[i] == HD_NO_STATE || spend(y, &y->states.at[states[i]].spent, sum, true);
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

/* A state for each node from `node` on that fits what is on the path; all of them are tried (Y2).
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
        hd_verdict v = spend(y, &s->spent, c->sum, true) ? add_state(y, s, model) : HD_UNSAT;
        c->is_unsure |= v == HD_UNKNOWN;
        found = v == HD_SAT && choose_from(c, node + 1, model);
        if (found)
            hd_vec_push(&y->chosen, members.at[i]);
        else {
            spend(y, &s->spent, c->sum, false);
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

hd_verdict hd_dscenario_of(hd_system_search *y, const hd_suspect *s, hd_model *model) {
    choosing c = {.y = y, .suspect = s};
    hd_states dstates = {0};
    bool found = false;
    hd_vec_clear(&y->chosen);
    if (!hd_mapping_knows(y->mapping, s->state))
        return HD_UNSAT;
    c.node = hd_mapping_node_of(y->mapping, s->state);
    hd_mapping_dstates_of(y->mapping, s->state, &dstates);
    for (size_t i = 0; i < dstates.n && !found && c.n_tries < MOST_TRIES; i++) {
        c.dstate = dstates.at[i];
        c.sum = new_sum(y);
        const hd_indices *spent = s->has_constraints ? &s->spent : &y->states.at[s->state].spent;
        hd_verdict v = spend(y, spent, c.sum, true) ? begin(y, s, model) : HD_UNSAT;
        c.is_unsure |= v == HD_UNKNOWN;
        found = v == HD_SAT && choose_from(&c, 0, model);
        free(c.sum);
    }
    hd_vec_release(&dstates);
    hd_vec_push(&y->chosen, s->state);
    return found ? HD_SAT : c.is_unsure || c.n_tries >= MOST_TRIES ? HD_UNKNOWN : HD_UNSAT;
}
