/* Dscenarios by what nodes showed (see judged.h).
 *
 * The explosion goes through all of them, and asks about every choice.  For the choices so far it
 * is counted how many combinations below them were handed out; when these are all that there can
 * be, other states that showed the same are not looked at. */
#include "explore/system/judged.h"

#include "base/hash.h"

/* Sums of these do not depend on the order of nodes. */
static uint64_t part_of(const hd_system_search *y, uint32_t node, uint32_t state) {
    return hd_mix(hd_hash_add(node + 1, y->states.at[state].shown));
}

static uint64_t shown_by(const hd_system_search *y, const uint32_t *states) {
    uint64_t sum = 0;
    for (uint32_t n = 0; n < hd_mapping_n_nodes(y->mapping); n++)
        if (states[n] != HD_NO_STATE)
            sum += part_of(y, n, states[n]);
    return sum;
}

static uint64_t count_of(const hd_map *map, uint64_t key) {
    const uint64_t *found = hd_map_find(map, key >> 1);
    return found ? *found : 0;
}

static uint64_t in_dstate(const hd_judged *j, uint64_t sum) {
    return hd_hash_add(sum, j->explosion.dstate + 1);
}

/* How many different things the states of a node showed. */
static uint32_t n_shown(hd_system_search *y, uint32_t node) {
    hd_states members = {0};
    hd_map seen = {0};
    hd_mapping_members(y->mapping, y->judged.explosion.dstate, node, &members);
    for (size_t i = 0; i < members.n; i++)
        hd_map_put(&seen, y->states.at[members.at[i]].shown >> 1, 1);
    uint32_t n = (uint32_t)seen.n;
    hd_map_release(&seen);
    hd_vec_release(&members);
    return n;
}

static void enter_dstate(hd_system_search *y) {
    hd_vec_clear(&y->judged.n_shown);
    for (uint32_t n = 0; n < hd_mapping_n_nodes(y->mapping); n++)
        hd_vec_push(&y->judged.n_shown, n_shown(y, n));
}

/* Combinations of nodes that have no state yet. */
static uint64_t n_below(const hd_system_search *y, const uint32_t *states) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < y->judged.n_shown.n; i++)
        if (states[i] == HD_NO_STATE &&
            __builtin_mul_overflow(n, (uint64_t)y->judged.n_shown.at[i], &n))
            return UINT64_MAX;
    return n;
}

/* All choices that led to this combination have one more below them, once. */
static void count(hd_system_search *y, const uint32_t *states) {
    hd_judged *j = &y->judged;
    const hd_states *choices = &j->explosion.choices;
    uint64_t sum = shown_by(y, states);
    if (count_of(&j->below, in_dstate(j, sum)))
        return;
    for (size_t d = choices->n + 1; d-- > 0;) {
        uint64_t key = in_dstate(j, sum);
        hd_map_put(&j->below, key >> 1, count_of(&j->below, key) + 1);
        if (d)
            sum -= part_of(y, choices->at[d - 1], states[choices->at[d - 1]]);
    }
}

static bool is_wanted(void *context, const uint32_t *states, uint32_t node) {
    hd_system_search *y = context;
    hd_judged *j = &y->judged;
    if (node == HD_NO_NODE)
        enter_dstate(y);
    uint64_t sum = shown_by(y, states), left = n_below(y, states);
    bool is_whole = left == 1 && j->explosion.chosen.n == j->explosion.choices.n;
    if (is_whole && count_of(&j->done, sum))
        count(y, states); /* another dstate had it */
    uint64_t n_done = count_of(&j->below, in_dstate(j, sum));
    HD_INVARIANT(J2, n_done <= left);
    if (n_done == left)
        return false;
    return j->together(y, states, node);
}

const uint32_t *hd_judged_next(hd_system_search *y, hd_together *together) {
    hd_judged *j = &y->judged;
    if (!j->is_begun)
        hd_explosion_init(&j->explosion, y->mapping, is_wanted, y);
    j->is_begun = true;
    j->together = together;
    return hd_explosion_next(&j->explosion);
}

void hd_judged_restart(hd_system_search *y, bool forgets) {
    hd_judged *j = &y->judged;
    if (j->is_begun)
        hd_explosion_release(&j->explosion);
    j->is_begun = false;
    hd_map_clear(&j->below);
    if (forgets)
        hd_map_clear(&j->done);
}

void hd_judged_cover(hd_system_search *y) {
    hd_judged *j = &y->judged;
    const uint32_t *states = j->explosion.states.at;
    HD_INVARIANT(J1, !count_of(&j->done, shown_by(y, states)));
    hd_map_put(&j->done, shown_by(y, states) >> 1, 1);
    count(y, states);
}

/* ---- what assertions decide (J3) ---- */

void hd_judged_begin(hd_system_search *y, size_t bound) {
    y->judged.is_watching = true;
    y->judged.bound = bound;
    hd_vec_clear(&y->judged.seen);
}

/* Decisions of nodes are on the path; checks that hold are none. */
static bool is_of_assertion(const hd_explorer *x, hd_expr taken) {
    return !hd_expr_is_const(x->graph, taken) &&
           !hd_path_contains(x->path, hd_path_length(x->path), taken);
}

static void flip(hd_system_search *y, hd_expr other, size_t n, const hd_model *hint) {
    hd_explorer *x = y->x;
    hd_flip made = {.bound = n + 1};
    HD_INVARIANT(J3, is_of_assertion(x, other));
    hd_query q = {.path = x->path, .n = hd_path_length(x->path), .goal = other, .hint = hint};
    hd_verdict v = hd_chain_solve(x->chain, &q, &made.model);
    if (v == HD_SAT) {
        hd_explorer_settle_pointers(x, &made.model);
        hd_vec_push(&y->judged.flips, made);
        return;
    }
    hd_model_release(&made.model);
    x->counters.infeasible += v == HD_UNSAT;
    if (v == HD_UNKNOWN) {
        x->counters.unknown++;
        hd_explorer_lose(x, 0, false);
    }
}

void hd_judged_end(hd_system_search *y, const hd_model *model) {
    hd_judged *j = &y->judged;
    hd_explorer *x = y->x;
    uint32_t length = hd_path_length(x->path);
    size_t n = 0;
    for (size_t i = 0; j->is_watching && i < j->seen.n; i++) {
        hd_expr taken = hd_explorer_oriented(x, j->seen.at[i].condition, j->seen.at[i].taken);
        if (!is_of_assertion(x, taken))
            continue;
        if (n >= j->bound)
            flip(y, hd_explorer_oriented(x, j->seen.at[i].condition, !j->seen.at[i].taken), n,
                 model);
        hd_path_push(x->path, taken);
        n++;
    }
    hd_path_truncate(x->path, length);
    j->is_watching = false;
}

bool hd_judged_flip(hd_system_search *y, hd_model *model) {
    if (!y->judged.flips.n)
        return false;
    hd_flip next = y->judged.flips.at[--y->judged.flips.n];
    hd_model_copy(model, &next.model);
    hd_model_release(&next.model);
    hd_judged_begin(y, next.bound);
    return true;
}

void hd_judged_release(hd_system_search *y) {
    for (size_t i = 0; i < y->judged.flips.n; i++)
        hd_model_release(&y->judged.flips.at[i].model);
    hd_vec_release(&y->judged.flips);
    hd_vec_release(&y->judged.seen);
    if (y->judged.is_begun)
        hd_explosion_release(&y->judged.explosion);
    hd_vec_release(&y->judged.n_shown);
    hd_map_release(&y->judged.done);
    hd_map_release(&y->judged.below);
}
