/* Depth first through the nodes of a dstate that have several states.  Nodes with one state come
 * first, all at once: most nodes of a large system are such, and they are the same for everything
 * that follows.  Dstates differ in what was sent, so that for each to come once nobody need
 * remember what came before. */
#include "mapping/explosion.h"

#include "mapping/mapping_int.h"

void hd_explosion_init(hd_explosion *e, const hd_mapping *m, hd_together *together, void *context) {
    *e = (hd_explosion){.mapping = m,
                        .together = together,
                        .context = context,
                        .end = m->n_dstates,
                        .lead = HD_NO_NODE};
    mpz_init(e->pruned);
    for (uint32_t n = 0; n < m->n_nodes; n++) {
        hd_vec_push(&e->states, HD_NO_STATE);
        hd_vec_push(&e->turn, 0);
    }
}

void hd_explosion_release(hd_explosion *e) {
    mpz_clear(e->pruned);
    hd_vec_release(&e->states);
    hd_vec_release(&e->choices);
    hd_vec_release(&e->chosen);
    hd_vec_release(&e->turn);
}

void hd_explosion_pruned(const hd_explosion *e, hd_text *out) {
    char *decimal = mpz_get_str(NULL, 10, e->pruned);
    hd_text_add(out, "%s", decimal);
    free(decimal);
}

static uint32_t cohort_at(const hd_explosion *e, uint32_t node) {
    return hd_dstate_cohort(e->mapping, e->dstate, node);
}

/* What is not formed: all ways to choose for the nodes from choice `from` on. */
static void count_pruned(hd_explosion *e, size_t from) {
    mpz_t ways;
    mpz_init_set_ui(ways, 1);
    for (size_t i = from; i < e->choices.n; i++)
        mpz_mul_ui(ways, ways, hd_cohort_size(e->mapping, cohort_at(e, e->choices.at[i])));
    mpz_add(e->pruned, e->pruned, ways);
    mpz_clear(ways);
}

/* False, and counted, if what was chosen does not go together. */
static bool is_possible(hd_explosion *e, uint32_t node) {
    e->n_questions++;
    e->is_cut = e->most_questions && e->n_questions > e->most_questions;
    if (e->is_cut)
        return false;
    if (!e->together || e->together(e->context, e->states.at, node))
        return true;
    count_pruned(e, e->chosen.n);
    return false;
}

/* Nodes without a choice; false if they do not go together. */
static bool enter(hd_explosion *e) {
    hd_vec_clear(&e->choices);
    hd_vec_clear(&e->chosen);
    for (uint32_t n = 0; n < e->mapping->n_nodes; n++) {
        bool is_single = hd_cohort_size(e->mapping, cohort_at(e, n)) == 1;
        e->states.at[n] =
            is_single ? hd_cohort_member(e->mapping, cohort_at(e, n), 0) : HD_NO_STATE;
        if (!is_single)
            hd_vec_push(&e->choices, n);
        if (!is_single && n == e->lead) {
            e->choices.at[e->choices.n - 1] = e->choices.at[0];
            e->choices.at[0] = n;
        }
    }
    return is_possible(e, HD_NO_NODE);
}

/* The member that is `i`-th for this node. */
static uint32_t member_at(const hd_explosion *e, uint32_t node, uint32_t i) {
    uint32_t cohort = cohort_at(e, node);
    return hd_cohort_member(e->mapping, cohort,
                            (i + e->turn.at[node]) % hd_cohort_size(e->mapping, cohort));
}

/* Choose member `first` or a later one for the next node; false if none goes. */
static bool choose(hd_explosion *e, uint32_t first) {
    uint32_t node = e->choices.at[e->chosen.n], cohort = cohort_at(e, node);
    for (uint32_t i = first; i < hd_cohort_size(e->mapping, cohort) && !e->is_cut; i++) {
        hd_vec_push(&e->chosen, i);
        e->states.at[node] = member_at(e, node, i);
        if (is_possible(e, node))
            return true;
        e->chosen.n--;
    }
    e->states.at[node] = HD_NO_STATE;
    return false;
}

/* Another member for the last node that has one left; false if none has. */
static bool choose_again(hd_explosion *e) {
    while (e->chosen.n && !e->is_cut)
        if (choose(e, e->chosen.at[--e->chosen.n] + 1))
            return true;
    return false;
}

/* Go on until all nodes are chosen; false if the dstate has no other dscenario. */
static bool complete(hd_explosion *e) {
    while (e->chosen.n < e->choices.n)
        if (!choose(e, 0) && !choose_again(e))
            return false;
    return true;
}

void hd_explosion_enter(hd_explosion *e, uint32_t dstate) {
    e->dstate = dstate;
    e->end = dstate + 1;
    e->is_inside = e->is_cut = false;
}

const uint32_t *hd_explosion_one(hd_explosion *e, uint32_t dstate, const uint32_t *members) {
    hd_explosion_enter(e, dstate);
    if (!enter(e))
        return NULL;
    for (size_t i = 0; i < e->choices.n; i++) {
        uint32_t node = e->choices.at[i];
        e->states.at[node] = hd_cohort_member(e->mapping, cohort_at(e, node), members[node]);
        if (!is_possible(e, node))
            return NULL;
    }
    return e->states.at;
}

const uint32_t *hd_explosion_next(hd_explosion *e) {
    for (; e->dstate < e->end; e->dstate++) {
        if (hd_dstate_is_free(e->mapping, e->dstate))
            continue;
        bool is_there = e->is_inside ? choose_again(e) : enter(e);
        e->is_inside = is_there && complete(e);
        if (e->is_inside)
            return e->states.at;
    }
    return NULL;
}
