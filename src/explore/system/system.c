/* The search of whole systems (see system.h): whose turn it is, what the mapping asks for, and
 * which executions are handed out. */
#include "explore/system/dscenario.h"
#include "explore/system/judged.h"
#include "explore/system/node_event.h"

#include "base/hash.h"
#include "base/hostile.h"
#include "base/panic.h"

HD_SEARCH_DECLARE(hd_system)

/* ---- states ---- */

uint32_t hd_system_new_state(hd_system_search *y) {
    if (y->unused.n)
        return y->unused.at[--y->unused.n];
    hd_vec_push(&y->states, (hd_node_state){0});
    return (uint32_t)y->states.n - 1;
}

static uint32_t fork_state(void *context, uint32_t state) {
    hd_system_search *y = context;
    uint32_t copy = hd_system_new_state(y);
    hd_node_state_copy(&y->states.at[copy], &y->states.at[state]);
    hd_system_enqueue(y, copy);
    return copy;
}

static void release_state(void *context, uint32_t state) {
    hd_system_search *y = context;
    hd_node_state_release(&y->states.at[state]);
    hd_vec_push(&y->unused, state);
}

/* ---- turns ---- */

static bool is_before(const hd_turn_of_state *a, const hd_turn_of_state *b) {
    if (a->time != b->time)
        return a->time < b->time;
    if (a->begins != b->begins)
        return a->begins;
    return a->node != b->node ? a->node < b->node : a->state < b->state;
}

static hd_turn_of_state turn_of(const hd_system_search *y, uint32_t state) {
    const hd_node_state *s = &y->states.at[state];
    return (hd_turn_of_state){hd_node_state_next(s), s->status == HD_STATE_NEW, s->node, state};
}

void hd_system_enqueue(hd_system_search *y, uint32_t state) {
    hd_turn_of_state t = turn_of(y, state);
    if (t.time == UINT64_MAX)
        return;
    hd_vec_push(&y->turns, t);
    hd_turn_of_state *heap = y->turns.at;
    size_t i = y->turns.n - 1;
    for (; i && is_before(&t, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = t;
}

static void take_turn(hd_system_search *y) {
    hd_turn_of_state *heap = y->turns.at, last = heap[--y->turns.n];
    size_t i = 0, n = y->turns.n;
    for (size_t next; (next = 2 * i + 1) < n; i = next) {
        if (next + 1 < n && is_before(&heap[next + 1], &heap[next]))
            next++;
        if (!is_before(&heap[next], &last))
            break;
        heap[i] = heap[next];
    }
    heap[i] = last;
}

/* The next turn that is not out of date; NULL: there is none. */
static const hd_turn_of_state *next_turn(hd_system_search *y) {
    while (y->turns.n) {
        const hd_turn_of_state *t = &y->turns.at[0];
        hd_turn_of_state now = turn_of(y, t->state);
        if (y->states.at[t->state].status != HD_STATE_UNUSED && !is_before(t, &now) &&
            !is_before(&now, t))
            return t;
        take_turn(y);
    }
    return NULL;
}

/* ---- one round (Y1) ---- */

static bool is_late(hd_system_search *y) {
    const hd_explorer_options *o = &y->x->options;
    return hd_explorer_is_late(y->x) || (o->may_go_on && !o->may_go_on(o->context));
}

static void deliver(void *context, uint64_t packet, const hd_sending *senders, size_t n_senders,
                    const hd_states *receivers) {
    hd_system_search *y = context;
    (void)senders, (void)n_senders;
    for (size_t i = 0; i < receivers->n; i++) {
        hd_node_state *s = &y->states.at[receivers->at[i]];
        if (!hd_node_state_hears(s, &y->sent.at[packet]->packet))
            continue;
        hd_node_state_give(s, y->sent.at[packet]);
        hd_system_enqueue(y, receivers->at[i]);
    }
}

static void count_states(hd_system_search *y) {
    hd_mapping_counts c = hd_mapping_count(y->mapping);
    y->x->counters.states = c.states;
    y->x->counters.dstates = c.dstates;
}

static void end_round(hd_system_search *y) {
    hd_sendings_flush(&y->sendings, y->mapping, deliver, y);
    for (size_t i = 0; i < y->sent.n; i++)
        hd_sent_drop(y->sent.at[i]);
    hd_vec_clear(&y->sent);
    count_states(y);
}

/* States that contradict what was delivered to them, when their suspects have been asked: a
 * finding may come before what makes the rest impossible. */
static void discard_impossible(hd_system_search *y) {
    HD_INVARIANT(Y3, !y->suspects.n);
    for (size_t i = 0; i < y->impossible.n; i++)
        if (hd_mapping_knows(y->mapping, y->impossible.at[i]))
            hd_mapping_discard(y->mapping, y->impossible.at[i]);
    hd_vec_clear(&y->impossible);
}

/* States that are gone with their dstates are none of the round. */
static void prune(hd_system_search *y, hd_states *now) {
    size_t n = 0;
    hd_mapping_prune(y->mapping, now->at, now->n);
    for (size_t i = 0; i < now->n; i++)
        if (hd_mapping_knows(y->mapping, now->at[i]))
            now->at[n++] = now->at[i];
    now->n = n;
}

/* Every dstate has a state of the first node. */
static void prune_all(hd_system_search *y) {
    hd_states first = {0};
    for (uint32_t i = 0; i < y->states.n; i++)
        if (hd_mapping_knows(y->mapping, i) && y->states.at[i].node == 0)
            hd_vec_push(&first, i);
    hd_mapping_prune(y->mapping, first.at, first.n);
    hd_vec_release(&first);
}

/* All states of the node whose turn it is, each one event. */
static void run_round(hd_system_search *y, hd_turn_of_state first) {
    hd_states now = {0};
    const hd_turn_of_state *t;
    HD_INVARIANT(Y1, first.time >= y->x->counters.moment);
    y->x->counters.moment = first.time;
    y->n_rounds++;
    while ((t = next_turn(y)) && t->time == first.time && t->begins == first.begins &&
           t->node == first.node) {
        if (!now.n || now.at[now.n - 1] != t->state)
            hd_vec_push(&now, t->state);
        take_turn(y);
    }
    prune(y, &now);
    for (size_t i = 0; i < now.n && !y->is_stopped; i++) {
        HD_INVARIANT(Y4, hd_mapping_knows(y->mapping, now.at[i]));
        HD_INVARIANT(Y1, y->states.at[now.at[i]].node == first.node);
        hd_node_event_run(y, now.at[i]);
        y->n_run++;
        y->is_stopped = is_late(y);
    }
    end_round(y);
    hd_vec_release(&now);
}

static void share_budgets(hd_system_search *y) {
    hd_states most = {0};
    hd_shared_budgets_list(&y->x->options, &y->budgets);
    for (size_t k = 0; k < y->budgets.n; k++)
        hd_vec_push(&most, y->budgets.at[k].most);
    hd_mapping_share_budgets(y->mapping, most.at, (uint32_t)most.n);
    hd_vec_release(&most);
}

/* The mapping begins with a state of each node that has not begun. */
static void begin(hd_system_search *y) {
    uint32_t n = y->x->options.n_nodes;
    hd_states first = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t state = hd_system_new_state(y);
        y->states.at[state] = (hd_node_state){.status = HD_STATE_NEW, .node = i};
        hd_vec_push(&first, state);
    }
    y->mapping = hd_mapping_new(y->x->options.mapping, n, first.at,
                                (hd_mapping_owner){y, fork_state, release_state});
    share_budgets(y);
    for (uint32_t i = 0; i < n; i++)
        hd_system_enqueue(y, first.at[i]);
    hd_vec_release(&first);
}

/* ---- what is worth an execution ---- */

static bool was_shown(const hd_system_search *y, uint64_t key) {
    return hd_map_find(&y->shown, key >> 1) != NULL;
}

static void push_suspect(hd_system_search *y, uint32_t state, const hd_finding *f,
                         const hd_exprs *constraints, const hd_model *model) {
    hd_suspect s = {.state = state, .has_constraints = true};
    s.signature = hd_finding_signature(f) | 1;
    if (was_shown(y, s.signature))
        return;
    hd_exprs_copy(&s.constraints, constraints);
    hd_few_values_keep(&s.values, model);
    hd_shared_budgets_spent(&y->budgets, y->machine, &s.spent);
    hd_vec_push(&y->suspects, s);
}

static void release_suspect(hd_suspect *s) {
    hd_vec_release(&s->constraints);
    hd_vec_release(&s->values);
    hd_vec_release(&s->spent);
}

void hd_system_suspect(hd_system_search *y, uint32_t state, const hd_exprs *constraints,
                       const hd_model *model) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(y->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        push_suspect(y, state, &failures[i].finding, constraints, model);
}

/* Is there an execution of this kind?  That nobody knows is said. */
static bool try_suspect(hd_system_search *y, const hd_suspect *s, hd_model *model) {
    hd_verdict v = hd_dscenario_of(y, s, model);
    if (v == HD_UNKNOWN) {
        y->x->counters.unknown++;
        hd_explorer_lose(y->x, 0, false);
    }
    return v == HD_SAT;
}

/* Inputs of the next suspect whose finding was not shown yet (Y3); false if there is none. */
static bool next_suspect(hd_system_search *y, hd_model *model) {
    bool found = false;
    while (y->suspects.n && !found) {
        hd_suspect s = y->suspects.at[--y->suspects.n];
        found = !was_shown(y, s.signature) && try_suspect(y, &s, model);
        y->signature = found ? s.signature : 0;
        if (found)
            hd_map_put(&y->shown, s.signature >> 1, 1);
        release_suspect(&s);
    }
    return found;
}

/* States change no more: one execution shows all that each of its states has done. */
static void note_run(hd_system_search *y) {
    HD_ASSERT(y->is_over);
    for (size_t i = 0; i < y->chosen.n; i++)
        hd_map_put(&y->was_run, y->chosen.at[i], 1);
}

static bool has_covered(const hd_system_search *y, uint32_t state, uint32_t what) {
    const hd_indices *all = &y->states.at[state].covered;
    for (size_t i = 0; hd_mapping_knows(y->mapping, state) && i < all->n; i++)
        if (all->at[i] == what)
            return true;
    return false;
}

/* HD_SAT: the state is in an execution that is to be run; HD_UNKNOWN: it was in one. */
static hd_verdict try_fresh(hd_system_search *y, uint32_t state, uint32_t what, hd_model *model) {
    if (!has_covered(y, state, what))
        return HD_UNSAT;
    if (hd_map_find(&y->was_run, state))
        return HD_UNKNOWN;
    return try_suspect(y, &(hd_suspect){.state = state}, model) ? HD_SAT : HD_UNSAT;
}

/* A state that has covered something, and is in no execution yet: the first that did, or, if that
 * is in no possible one, what came of it. */
static bool next_fresh(hd_system_search *y, hd_model *model) {
    while (y->fresh.n) {
        uint32_t what = (uint32_t)y->fresh.n - 1, first = y->fresh.at[--y->fresh.n];
        y->signature = 0;
        hd_verdict v = try_fresh(y, first, what, model);
        for (uint32_t i = 0; v == HD_UNSAT && i < y->states.n; i++)
            v = i == first ? HD_UNSAT : try_fresh(y, i, what, model);
        y->is_missed |= v == HD_UNSAT;
        if (v != HD_SAT)
            continue;
        note_run(y);
        return true;
    }
    return false;
}

/* What only impossible states were the first to cover others may have covered after them, and
 * nobody knows who: each that is in no execution yet is put into one. */
static bool next_missed(hd_system_search *y, hd_model *model) {
    for (; y->is_missed && y->n_looked_at < y->states.n; y->n_looked_at++) {
        uint32_t state = y->n_looked_at;
        if (!hd_mapping_knows(y->mapping, state) || hd_map_find(&y->was_run, state) ||
            !try_suspect(y, &(hd_suspect){.state = state}, model))
            continue;
        note_run(y);
        return true;
    }
    return false;
}

/* When it is too late nothing is. */
static bool are_together(void *context, const uint32_t *states, uint32_t node) {
    hd_system_search *y = context;
    (void)node;
    y->is_stopped |= is_late(y);
    return !y->is_stopped && hd_dscenario_solve(y, states, &y->scratch) != HD_UNSAT;
}

/* The next of all; NULL at their end. */
static const uint32_t *explode(hd_system_search *y) {
    if (!y->is_exploding)
        hd_explosion_init(&y->explosion, y->mapping, are_together, y);
    y->is_exploding = true;
    return hd_explosion_next(&y->explosion);
}

/* The next of those that are drawn; NULL when they are enough. */
static const uint32_t *draw(hd_system_search *y) {
    if (!y->is_drawing)
        hd_sample_init(&y->sample, y->mapping, y->x->options.seed, are_together, y);
    y->is_drawing = true;
    bool is_enough = y->sample.n_drawn - y->sample.n_impossible >= y->x->options.drawn;
    return is_enough ? NULL : hd_sample_next(&y->sample);
}

/* Are these states an execution?  That nobody knows is said. */
static bool is_execution(hd_system_search *y, const uint32_t *states, hd_model *model) {
    hd_verdict v = hd_dscenario_solve(y, states, model);
    if (v == HD_UNKNOWN) {
        y->x->counters.unknown++;
        hd_explorer_lose(y->x, 0, false);
    }
    return v == HD_SAT;
}

static bool next_whole(hd_system_search *y, hd_model *model) {
    const uint32_t *states;
    y->signature = 0;
    while ((states = y->x->options.explodes ? explode(y) : draw(y)) && !y->is_stopped)
        if (is_execution(y, states, model)) {
            if (y->x->options.judges && y->x->options.explodes)
                hd_judged_begin(y, 0);
            return true;
        }
    return false;
}

/* One for each combination of what nodes showed. */
static bool next_shown(hd_system_search *y, hd_model *model) {
    const uint32_t *states;
    y->signature = 0;
    while (y->x->options.judges && (states = hd_judged_next(y, are_together)) && !y->is_stopped)
        if (is_execution(y, states, model)) {
            hd_judged_cover(y);
            return true;
        }
    return false;
}

static bool next_judged(hd_system_search *y, hd_model *model) {
    HD_INVARIANT(J4, y->is_over && !y->is_looking);
    if (!next_shown(y, model))
        return false;
    hd_judged_begin(y, 0);
    return true;
}

/* ---- looks before the end (Y5) ---- */

#define FIRST_LOOK HD_HOSTILE(4096, 32) /* events: small systems come to their end before it */

static bool begin_look(hd_system_search *y) {
    y->is_looking =
        !y->x->options.explodes && y->n_run >= (y->next_look ? y->next_look : FIRST_LOOK);
    if (y->is_looking)
        y->next_look = 2 * y->n_run;
    return y->is_looking;
}

/* The first that covered something since the last look, if it still is there. */
static bool next_fresh_so_far(hd_system_search *y, hd_model *model) {
    while (y->n_fresh_looked_at < y->fresh.n && !y->is_stopped) {
        uint32_t what = (uint32_t)y->n_fresh_looked_at++;
        if (has_covered(y, y->fresh.at[what], what) &&
            try_suspect(y, &(hd_suspect){.state = y->fresh.at[what]}, model))
            return true;
    }
    return false;
}

/* What assertions decide on inputs is not flipped here: decisions of nodes that are to come are not
 * told from theirs. */
static bool next_of_look(hd_system_search *y, hd_model *model) {
    if (next_shown(y, model) || next_fresh_so_far(y, model))
        return true;
    HD_INVARIANT(Y5, y->next_look == 2 * y->n_run); /* no event was run meanwhile */
    hd_judged_restart(y, false);
    y->is_looking = false;
    return false;
}

/* ---- how many there are ---- */

/* Is an input of the state also one of another node's?  `owners`: node + 1, by input. */
static bool shares_inputs(hd_system_search *y, const hd_node_state *s, hd_map *owners) {
    for (size_t i = 0; i < s->constraints.n; i++) {
        const hd_support *inputs = hd_expr_support(y->x->graph, s->constraints.at[i]);
        for (uint32_t k = 0; k < inputs->n; k++) {
            const uint64_t *owner = hd_map_find(owners, inputs->v[k]);
            if (owner && *owner != s->node + 1)
                return true;
            if (!owner)
                hd_map_put(owners, inputs->v[k], s->node + 1);
        }
    }
    return false;
}

/* Each state is possible by itself; together they are if they know nothing of each other, and keep
 * to budgets. */
static bool are_independent(hd_system_search *y) {
    hd_map owners = {0};
    bool shares = false;
    for (uint32_t i = 0; i < y->states.n && !shares; i++)
        shares = hd_mapping_knows(y->mapping, i) && shares_inputs(y, &y->states.at[i], &owners);
    hd_map_release(&owners);
    return !shares;
}

/* What others could execute: docs/systems.md says why they do not. */
static void count_groups(hd_system_search *y) {
    hd_mapping_groups g = hd_mapping_group(y->mapping);
    y->x->counters.groups = g.n;
    y->x->counters.largest = g.largest;
}

static void count_dscenarios(hd_system_search *y) {
    hd_text_clear(&y->x->dscenarios);
    y->x->are_possible = hd_dscenarios_count_affordable(y->mapping, &y->x->dscenarios);
    if (!y->x->are_possible)
        hd_dscenarios_count(y->mapping, &y->x->dscenarios);
    y->x->are_possible = y->x->are_possible && are_independent(y);
}

/* All states that wait for ever: if that is a deadlock, the whole system shows it. */
static void list_stuck(hd_system_search *y, bool is_first) {
    for (uint32_t i = 0; i < y->states.n; i++)
        if (hd_node_state_is_stuck(&y->states.at[i]))
            hd_vec_push(&y->stuck,
                        ((hd_suspect){.state = i, .is_stuck = true, .is_first = is_first}));
}

/* An execution for each place where somebody is stuck (Y3). */
static bool next_stuck(hd_system_search *y, hd_model *model) {
    while (y->stuck.n) {
        hd_suspect s = y->stuck.at[--y->stuck.n];
        const hd_node_state *state = &y->states.at[s.state];
        uint64_t key = hd_hash_add(state->node, state->own.stacks);
        y->signature = 0;
        if (was_shown(y, key) || !try_suspect(y, &s, model))
            continue;
        hd_map_put(&y->shown, key >> 1, 1);
        note_run(y);
        return true;
    }
    return false;
}

/* ---- the search ---- */

void *hd_system_new(hd_explorer *x) {
    hd_system_search *y = calloc(1, sizeof *y);
    if (!y)
        hd_out_of_memory();
    y->x = x;
    y->machine = x->options.machine;
    y->eval = hd_eval_new(x->graph);
    return y;
}

void hd_system_free(void *search) {
    hd_system_search *y = search;
    if (y->is_exploding)
        hd_explosion_release(&y->explosion);
    hd_judged_release(y);
    if (y->is_drawing)
        hd_sample_release(&y->sample);
    if (y->mapping)
        hd_mapping_free(y->mapping);
    for (size_t i = 0; i < y->states.n; i++)
        hd_node_state_release(&y->states.at[i]);
    hd_vec_release(&y->states);
    hd_vec_release(&y->unused);
    hd_vec_release(&y->turns);
    hd_sendings_release(&y->sendings);
    hd_vec_release(&y->sent);
    hd_vec_release(&y->impossible);
    for (size_t i = 0; i < y->suspects.n; i++)
        release_suspect(&y->suspects.at[i]);
    hd_vec_release(&y->suspects);
    hd_vec_release(&y->stuck);
    hd_vec_release(&y->budgets);
    hd_map_release(&y->shown);
    hd_map_release(&y->run);
    hd_vec_release(&y->fresh);
    hd_vec_release(&y->chosen);
    hd_map_release(&y->was_run);
    hd_eval_free(y->eval);
    hd_model_release(&y->scratch);
    free(y);
}

/* Nothing is left to do, or nothing that would be in time. */
static void end_rounds(hd_system_search *y) {
    if (y->is_cut)
        hd_machine_end_time(y->machine);
    hd_judged_restart(y, true);
    list_stuck(y, false);
    list_stuck(y, true); /* these are asked first */
}

/* Rounds until there is a suspect, it is time to look or nothing is left; false if it is too late
 * to go on. */
static bool advance(hd_system_search *y) {
    const hd_turn_of_state *t;
    uint64_t horizon = y->x->options.horizon;
    while (!y->is_over && !y->suspects.n) {
        y->is_stopped |= is_late(y);
        if (y->is_stopped)
            return false; /* in the middle of a round, perhaps: there is no way on from here */
        discard_impossible(y);
        if (begin_look(y))
            return true;
        t = next_turn(y);
        y->is_cut |= t && horizon && t->time > horizon;
        y->is_over = !t || y->is_cut;
        if (!y->is_over) {
            run_round(y, *t);
            continue;
        }
        prune_all(y);
        count_states(y);
        count_groups(y);
        count_dscenarios(y);
        end_rounds(y);
    }
    return true;
}

static bool find_next(hd_system_search *y, hd_model *model) {
    for (;;) {
        if (y->is_looking && next_of_look(y, model))
            return true;
        if (!advance(y))
            return false;
        if (next_suspect(y, model))
            return true;
        if (y->is_over)
            break;
    }
    y->signature = 0;
    if (hd_judged_flip(y, model))
        return true;
    if (y->x->options.explodes)
        return next_whole(y, model);
    return next_judged(y, model) || next_stuck(y, model) || next_fresh(y, model) ||
           next_missed(y, model) || (y->x->options.drawn && next_whole(y, model));
}

/* Equal inputs are one execution: what it shows and covers was seen.  Assertions that are
 * to be judged by it may still decide something on inputs (J3), and samples are as many as asked
 * for. */
static bool is_repeated(hd_system_search *y, const hd_model *model) {
    hd_few_values values = {0};
    uint64_t h = 1;
    hd_few_values_keep(&values, model);
    for (size_t i = 0; i < values.n; i++)
        h = hd_hash_add(hd_hash_add(h, values.at[i].variable), values.at[i].value);
    bool is_known = hd_map_find(&y->run, h >> 1) != NULL;
    hd_map_put(&y->run, h >> 1, 1);
    hd_vec_release(&values);
    if (is_known && !y->n_unlike)
        y->judged.is_watching = false;
    return is_known && !y->signature && !y->judged.is_watching && !y->is_drawing &&
           !y->x->options.explodes;
}

/* What was handed out before the search was saved is left out; but what assertions decided in it
 * (J3) is known when it has run again. */
static bool is_to_run(hd_system_search *y) {
    bool is_old = y->n_handed_out++ < y->n_skipped;
    y->is_rebuilding = is_old && y->judged.is_watching;
    return !is_old || y->is_rebuilding;
}

bool hd_system_next(void *search, hd_model *model) {
    hd_system_search *y = search;
    y->x->has_started = true;
    if (!y->mapping)
        begin(y);
    hd_model_clear(model);
    do
        if (!find_next(y, model)) {
            y->x->counters.open = y->is_stopped;
            return false;
        }
    while (is_repeated(y, model) || !is_to_run(y));
    y->x->counters.open = 1;
    return true;
}

/* A finding of a node must be one of the whole system. */
static void judge(hd_system_search *y) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(y->machine, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t signature = hd_finding_signature(&failures[i].finding) | 1;
        if (signature == y->signature)
            return;
    }
    y->x->counters.mispredicted++;
    hd_explorer_lose(y->x, 0, true);
}

void hd_system_done(void *search, const hd_outcome *outcome, const hd_model *model) {
    hd_system_search *y = search;
    hd_explorer_counters *c = &y->x->counters;
    hd_judged_end(y, model);
    if (y->is_rebuilding) {
        y->is_rebuilding = false;
        return;
    }
    c->executions++;
    c->paths += outcome->end != HD_END_REJECTED;
    c->rejected += outcome->end == HD_END_REJECTED;
    c->node_events += outcome->n_node_events;
    if (y->signature)
        judge(y);
}

/* What nodes decide is known; what assertions about all of them decide is not. */
static void see(void *context, uint32_t site, hd_expr condition, bool taken, hd_branch_kind kind) {
    hd_system_search *y = context;
    (void)site;
    if (y->judged.is_watching && kind == HD_BRANCH_PROGRAM)
        hd_vec_push(&y->judged.seen, ((hd_judged_decision){condition, taken}));
}

hd_sink hd_system_sink(void *search) {
    return (hd_sink){.context = search, .branch = see};
}

bool hd_system_is_exhausted(const void *search) {
    return ((const hd_system_search *)search)->x->counters.open == 0;
}

/* Everything is made again from the beginning, and what was handed out is left out: rounds do not
 * depend on how long they take. */
void hd_system_save(const void *search, hd_text *out) {
    const hd_system_search *y = search;
    hd_pack_u64(out, y->n_handed_out > y->n_skipped ? y->n_handed_out : y->n_skipped);
}

void hd_system_restore(void *search, hd_unpack *u, const hd_renaming *names) {
    (void)names;
    ((hd_system_search *)search)->n_skipped = hd_unpack_u64(u);
}
