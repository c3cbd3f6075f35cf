/* One event of a node state, in all its ways (see node_event.h).
 *
 * The ways of an event are a tree of decisions, walked depth first: an execution shows a path, and
 * every decision of it behind those that it was run for is flipped once.  A check that holds is
 * flipped to see it fail, but that is no other way: the program goes on as before. */
#include "explore/system/node_event.h"

#include "base/hash.h"
#include "base/panic.h"
#include "symbolic/undefined.h"

typedef struct seen_decision {
    hd_expr condition;
    uint32_t site;
    bool taken;
    hd_branch_kind kind;
} seen_decision;

/* A packet, and how many decisions of the event came before it. */
typedef struct seen_send {
    hd_sent *sent;
    size_t n_decisions;
} seen_send;

/* One execution of the node. */
typedef struct execution {
    hd_system_search *y;
    const hd_indices *others;
    hd_vec(const hd_happening *) recipe; /* in their order; the last one is the event */
    size_t n_happened;
    bool is_new;          /* the event has begun, */
    bool waits;           /* and all threads wait after it */
    uint32_t n_decisions; /* before the event */
    uint64_t decisions;
    hd_vec(seen_decision) seen; /* in the event */
    hd_vec(seen_send) sends;
    hd_wait_end own;
    hd_outcome outcome;
} execution;

/* A way that is still to be run. */
typedef struct way {
    hd_model model;
    hd_exprs steps; /* the first decisions of the event, as they will be */
    bool is_check;  /* it is run to see the last of them fail */
} way;

typedef struct ways {
    hd_system_search *y;
    uint32_t state;
    hd_node_state before; /* as it was, without what happens now */
    hd_happening *happening;
    hd_indices others; /* what other nodes have used of shared budgets, in any case */
    hd_vec(way) left;
    bool has_first; /* the state is one of the ways now */
} ways;

/* ---- one execution ---- */

/* A fault that was not chosen may be one that no budget is left for when the recipe is repeated. */
static uint64_t add_decision(uint64_t hash, uint32_t site, hd_branch_kind kind, bool taken) {
    uint64_t what = kind == HD_BRANCH_SPENT ? HD_BRANCH_VALUE : kind;
    return hd_hash_add(hash, (uint64_t)site << 8 | what << 1 | taken);
}

static void see_decision(void *context, uint32_t site, hd_expr condition, bool taken,
                         hd_branch_kind kind) {
    execution *e = context;
    if (e->is_new) {
        hd_vec_push(&e->seen, ((seen_decision){condition, site, taken, kind}));
        return;
    }
    e->n_decisions++;
    e->decisions = add_decision(e->decisions, site, kind, taken);
}

static void see_packet(void *context, const hd_packet *packet) {
    execution *e = context;
    if (e->is_new)
        hd_vec_push(&e->sends, ((seen_send){hd_sent_new(packet), e->seen.n}));
}

/* A node that does what it did before would have come to nothing by itself before the packet, and
 * to the same otherwise.  One that reads a clock of the machine, say, does not: it strays. */
static bool comes_by_itself(const hd_wait_end *own, const hd_happening *h) {
    return !h->sent ? own->time == h->time
                    : own->time >= h->time || h->sent->packet.kind == HD_PACKET_CUT;
}

static bool say_next(void *context, const hd_wait_end *own, hd_node_event *event) {
    execution *e = context;
    if (e->n_happened == e->recipe.n) {
        e->own = *own;
        e->waits = true;
        return false;
    }
    const hd_happening *h = e->recipe.at[e->n_happened];
    if (!comes_by_itself(own, h))
        return false;
    e->n_happened++;
    *event = (hd_node_event){h->time, h->sent ? &h->sent->packet : NULL};
    e->is_new = e->n_happened == e->recipe.n;
    return true;
}

static uint32_t say_spent(void *context, uint32_t rule, uint32_t node) {
    const execution *e = context;
    const hd_shared_budgets *b = &e->y->budgets;
    for (size_t k = 0; k < b->n; k++)
        if (b->at[k].rule == rule && b->at[k].node == node)
            return e->others->at[k];
    return 0;
}

static void list_recipe(execution *e, const hd_happening *last) {
    size_t n = last ? last->n : 0;
    hd_vec_reserve(&e->recipe, n + 1);
    e->recipe.n = n;
    for (; last; last = last->before)
        e->recipe.at[--n] = last;
    HD_ASSERT(n == 0);
}

static void execute(execution *e, const ways *w, hd_model *model) {
    hd_system_search *y = w->y;
    *e = (execution){
        .y = y, .others = &w->others, .recipe = e->recipe, .seen = e->seen, .sends = e->sends};
    hd_vec_clear(&e->seen);
    hd_vec_clear(&e->sends);
    list_recipe(e, w->happening);
    e->is_new = e->recipe.n == 0;
    hd_outside outside = {e, w->before.node, see_packet, say_next, y->budgets.n ? say_spent : NULL};
    hd_sink sink = {.context = e, .branch = see_decision, .outside = &outside};
    hd_machine_run(y->machine, model, &sink, &e->outcome);
    y->x->counters.node_events++;
}

static void release_execution(execution *e) {
    hd_vec_release(&e->recipe);
    hd_vec_release(&e->seen);
    hd_vec_release(&e->sends);
}

/* ---- constraints ---- */

hd_verdict hd_constraints_add(hd_system_search *y, const hd_exprs *constraints, hd_model *model) {
    hd_explorer *x = y->x;
    for (size_t i = 0; i < constraints->n; i++) {
        hd_expr c = constraints->at[i];
        const hd_support *s = hd_expr_support(x->graph, c);
        for (uint32_t k = 0; k < s->n; k++)
            if (!hd_model_has(model, s->v[k]))
                hd_model_set(model, s->v[k], 0);
        uint32_t n = hd_path_length(x->path);
        if (hd_path_contains(x->path, n, c))
            continue;
        hd_eval_begin(y->eval, model);
        if (!hd_eval_value(y->eval, c)) {
            hd_model hint = {0};
            hd_model_copy(&hint, model);
            hd_verdict v = hd_chain_solve(x->chain, &(hd_query){x->path, n, c, &hint}, model);
            hd_model_release(&hint);
            if (v != HD_SAT)
                return v;
            hd_explorer_settle_pointers(x, model);
        }
        hd_path_push(x->path, c);
    }
    return HD_SAT;
}

/* The path is these constraints; what it has in common with them stays. */
static void set_path(hd_explorer *x, const hd_exprs *constraints) {
    uint32_t n = hd_path_length(x->path), common = 0;
    while (common < n && common < constraints->n &&
           hd_path_at(x->path, common) == constraints->at[common])
        common++;
    hd_path_truncate(x->path, common);
    for (size_t i = common; i < constraints->n; i++)
        hd_path_push(x->path, constraints->at[i]);
}

static void lose(hd_system_search *y, uint32_t site, bool mispredicted) {
    if (mispredicted)
        y->x->counters.mispredicted++;
    else
        y->x->counters.unknown++;
    hd_explorer_lose(y->x, site, mispredicted);
}

/* What the receiver must know of the sender's inputs: the constraints that share inputs with the
 * packet's bytes. */
static void add_constraints(hd_system_search *y, hd_sent *s, const hd_exprs *all, size_t n,
                            const hd_model *model) {
    hd_explorer *x = y->x;
    hd_indices found = {0};
    hd_map is_in = {0};
    hd_expr last = HD_NONE;
    for (uint32_t i = 0; s->packet.bytes.words && i < s->packet.bytes.n; i++) {
        uint32_t word = s->packet.bytes.words[i];
        hd_expr e = HD_WORD_EXPR(word);
        if (!HD_WORD_IS_SYMBOLIC(word) || word == HD_WORD_FRESH || e == last ||
            hd_expr_is_undefined(x->graph, e))
            continue;
        last = e;
        hd_path_slice(x->path, (uint32_t)n, e, &found);
        for (size_t k = 0; k < found.n; k++)
            if (!hd_map_find(&is_in, found.at[k])) {
                hd_map_put(&is_in, found.at[k], 1);
                hd_vec_push(&s->constraints, all->at[found.at[k]]);
            }
    }
    if (last != HD_NONE)
        hd_few_values_keep(&s->values, model);
    hd_vec_release(&found);
    hd_map_release(&is_in);
}

static void set_key(hd_sent *s) {
    const hd_packet *p = &s->packet;
    uint64_t h = hd_hash_add(hd_hash_add(p->to, p->arrives), p->kind);
    h = hd_hash_add(hd_hash_add(h, p->rule), p->until);
    h = hd_hash_add(hd_hash_add(h, p->cable << 1 | p->to_server), p->id);
    h = hd_hash_bytes(h, &p->source, sizeof p->source);
    h = hd_hash_bytes(h, &p->target, sizeof p->target);
    h = hd_hash_add(h, p->bytes.n);
    for (uint32_t i = 0; i < p->bytes.n; i++) {
        uint32_t word = p->bytes.words ? p->bytes.words[i] : 0;
        h = hd_hash_add(h, word ? (uint64_t)word << 8 : p->bytes.at[i]);
    }
    for (size_t i = 0; i < s->constraints.n; i++)
        h = hd_hash_add(h, s->constraints.at[i]);
    s->key = h;
}

/* ---- ways ---- */

/* Constraints of the state with the first decisions of the event. */
static void put_together(hd_exprs *all, const hd_exprs *before, const hd_exprs *steps, size_t n) {
    hd_exprs_copy(all, before);
    for (size_t i = 0; i < n; i++)
        hd_vec_push(all, steps->at[i]);
}

static void push_way(ways *w, const hd_model *model, const hd_exprs *steps, size_t n, hd_expr last,
                     bool is_check) {
    way next = {.is_check = is_check};
    hd_model_copy(&next.model, model);
    for (size_t i = 0; i < n; i++)
        hd_vec_push(&next.steps, steps->at[i]);
    if (last != HD_NONE)
        hd_vec_push(&next.steps, last);
    hd_vec_push(&w->left, next);
}

static void release_way(way *w) {
    hd_model_release(&w->model);
    hd_vec_release(&w->steps);
}

/* Steps [0, n) stay, and then `goal`. */
static void flip(ways *w, const hd_exprs *steps, size_t n, hd_expr goal, const hd_model *hint,
                 const seen_decision *d) {
    hd_explorer *x = w->y->x;
    hd_model model = {0};
    uint32_t length = (uint32_t)(w->before.constraints.n + n);
    hd_query q = {.path = x->path, .n = length, .goal = goal, .hint = hint};
    hd_verdict v = hd_chain_solve(x->chain, &q, &model);
    if (v == HD_SAT) {
        hd_explorer_settle_pointers(x, &model);
        push_way(w, &model, steps, n, goal, d->kind == HD_BRANCH_CHECK);
    } else if (v == HD_UNSAT)
        x->counters.infeasible++;
    else
        lose(w->y, d->site, false);
    hd_model_release(&model);
}

/* A decision that is implied by earlier ones is none. */
static bool is_step(const hd_explorer *x, hd_expr e) {
    return !hd_expr_is_const(x->graph, e) && !hd_path_contains(x->path, hd_path_length(x->path), e);
}

/* As in explore/inputs/walk.c. */
static bool has_other_way(const seen_decision *d) {
    return d->kind == HD_BRANCH_CHECK    ? d->taken
           : d->kind == HD_BRANCH_ASSUME ? !d->taken
                                         : d->kind != HD_BRANCH_SPENT;
}

/* The decisions of the event that are choices, on the path too; at[i]: how many came before the
 * decision number i.  What is behind the first `bound` of them is flipped. */
static void walk(ways *w, const execution *e, const hd_model *model, size_t bound, hd_exprs *steps,
                 hd_indices *at) {
    hd_explorer *x = w->y->x;
    set_path(x, &w->before.constraints);
    for (size_t i = 0; i < e->seen.n; i++) {
        const seen_decision *d = &e->seen.at[i];
        hd_expr taken = hd_explorer_oriented(x, d->condition, d->taken);
        hd_expr other = hd_explorer_oriented(x, d->condition, !d->taken);
        bool is_check = d->kind == HD_BRANCH_CHECK, is_new = is_step(x, taken);
        hd_vec_push(at, (uint32_t)steps->n);
        if (!is_new)
            continue;
        if (steps->n >= bound && has_other_way(d))
            flip(w, steps, steps->n, other, model, d);
        if (is_check)
            continue;
        hd_vec_push(steps, taken);
        hd_path_push(x->path, taken);
    }
    hd_vec_push(at, (uint32_t)steps->n);
}

static bool went_as_planned(const way *wanted, const hd_exprs *steps) {
    size_t n = wanted->steps.n - wanted->is_check;
    for (size_t i = 0; i < n; i++)
        if (i >= steps->n || steps->at[i] != wanted->steps.at[i])
            return false;
    return true;
}

/* What the model does is what it did before (R1); one that does not is told as a stray. */
static bool came_to_state(const ways *w, const execution *e) {
    return e->n_happened == e->recipe.n && e->n_decisions == w->before.n_decisions &&
           e->decisions == w->before.decisions;
}

/* What was sent before the event branched is one packet in any case. */
static uint64_t key_for(const ways *w, const hd_sent *s) {
    return w->y->x->options.tells_equal_apart ? hd_hash_add(s->key, w->state + 1) : s->key;
}

static void note_sends(ways *w, uint32_t state, execution *e, const hd_exprs *all,
                       const hd_indices *at, const hd_model *model) {
    hd_system_search *y = w->y;
    for (size_t i = 0; i < e->sends.n; i++) {
        hd_sent *s = e->sends.at[i].sent;
        size_t n = w->before.constraints.n + at->at[e->sends.at[i].n_decisions];
        add_constraints(y, s, all, n, model);
        set_key(s);
        s->place = y->n_rounds << 32 | i;
        hd_sendings_add(&y->sendings, state, s->packet.to, key_for(w, s), y->sent.n);
        hd_vec_push(&y->sent, s);
    }
    e->sends.n = 0;
}

static void forget_sends(execution *e) {
    for (size_t i = 0; i < e->sends.n; i++)
        hd_sent_drop(e->sends.at[i].sent);
    e->sends.n = 0;
}

/* The number of the state that goes this way. */
static uint32_t place_way(ways *w) {
    hd_system_search *y = w->y;
    if (!w->has_first) {
        w->has_first = true;
        return w->state;
    }
    uint32_t child = hd_system_new_state(y);
    hd_node_state_copy(&y->states.at[child], &w->before);
    hd_mapping_branch(y->mapping, w->state, child);
    return child;
}

/* What depends on inputs is like nothing else. */
static uint64_t shown_now(hd_system_search *y) {
    bool is_symbolic;
    uint64_t shown = hd_machine_shown(y->machine, &is_symbolic);
    return is_symbolic ? hd_hash_add(shown, ++y->n_unlike) : shown;
}

/* Where there are pointers, what they mean is settled between the solver and the execution. */
static bool satisfies(hd_explorer *x, const hd_exprs *all, const hd_model *model) {
    hd_eval *eval = hd_eval_new(x->graph);
    bool is_it = true;
    hd_eval_begin(eval, model);
    for (size_t i = 0; i < all->n && is_it; i++)
        is_it = hd_eval_value(eval, all->at[i]);
    hd_eval_free(eval);
    return is_it;
}

static void become(ways *w, uint32_t number, const execution *e, const hd_exprs *all,
                   const hd_model *model) {
    hd_node_state *s = &w->y->states.at[number];
    hd_happening_drop(s->last);
    s->last = hd_happening_use(w->happening);
    bool waits = e->waits && !e->own.has_ended;
    s->status = waits ? HD_STATE_WAITING : HD_STATE_ENDED;
    s->own = waits ? e->own : (hd_wait_end){.time = UINT64_MAX};
    s->may_answer = e->waits;
    if (!waits)
        hd_node_state_forget(s);
    s->n_decisions = e->n_decisions;
    s->decisions = e->decisions;
    for (size_t i = 0; i < e->seen.n; i++) {
        const seen_decision *d = &e->seen.at[i];
        s->n_decisions++;
        s->decisions = add_decision(s->decisions, d->site, d->kind, d->taken);
    }
    hd_exprs_copy(&s->constraints, all);
    hd_few_values_keep(&s->values, model);
    HD_CHECK_INVARIANT(R1, w->y->x->has_pointers || satisfies(w->y->x, all, model));
    hd_shared_budgets_spent(&w->y->budgets, w->y->machine, &s->spent);
    hd_mapping_spend(w->y->mapping, number, s->spent.at);
    s->shown = shown_now(w->y);
    hd_system_enqueue(w->y, number);
}

/* An execution went some way: it becomes a state. */
static void keep_way(ways *w, execution *e, const hd_exprs *steps, const hd_indices *at,
                     const hd_model *model) {
    hd_system_search *y = w->y;
    hd_exprs all = {0};
    put_together(&all, &w->before.constraints, steps, steps->n);
    uint32_t number = place_way(w);
    become(w, number, e, &all, model);
    hd_system_suspect(y, number, &all, model);
    note_sends(w, number, e, &all, at, model);
    if (e->outcome.covered_new) {
        hd_vec_push(&y->states.at[number].covered, (uint32_t)y->fresh.n);
        hd_vec_push(&y->fresh, number);
    }
    hd_vec_release(&all);
}

static void run_way(ways *w, way *next, execution *e) {
    hd_system_search *y = w->y;
    hd_exprs steps = {0};
    hd_indices at = {0};
    execute(e, w, &next->model);
    if (!came_to_state(w, e)) {
        lose(y, 0, true);
        forget_sends(e);
        return;
    }
    walk(w, e, &next->model, next->is_check ? SIZE_MAX : next->steps.n, &steps, &at);
    if (!went_as_planned(next, &steps))
        lose(y, e->seen.n ? e->seen.at[e->seen.n - 1].site : 0, true);
    else if (next->is_check) {
        hd_exprs all = {0};
        put_together(&all, &w->before.constraints, &next->steps, next->steps.n);
        hd_system_suspect(y, w->state, &all, &next->model);
        hd_vec_release(&all);
    } else if (e->outcome.end != HD_END_REJECTED)
        keep_way(w, e, &steps, &at, &next->model);
    else
        y->x->counters.rejected++;
    forget_sends(e);
    hd_vec_release(&steps);
    hd_vec_release(&at);
}

/* What arrives says something about inputs of its sender.  False: this cannot happen. */
static bool learn(ways *w, hd_model *model) {
    hd_system_search *y = w->y;
    const hd_sent *s = w->happening ? w->happening->sent : NULL;
    set_path(y->x, &w->before.constraints);
    if (!s)
        return true;
    hd_few_values_load(&s->values, model);
    hd_verdict v = hd_constraints_add(y, &s->constraints, model);
    y->x->counters.contradictions += v == HD_UNSAT;
    if (v == HD_UNKNOWN)
        lose(y, s->packet.site, false);
    if (v != HD_SAT)
        return false;
    hd_vec_clear(&w->before.constraints);
    for (uint32_t i = 0; i < hd_path_length(y->x->path); i++)
        hd_vec_push(&w->before.constraints, hd_path_at(y->x->path, i));
    return true;
}

void hd_node_event_run(hd_system_search *y, uint32_t state) {
    ways w = {.y = y, .state = state};
    execution e = {0};
    hd_model model = {0};
    hd_node_state *s = &y->states.at[state];
    w.happening = s->status == HD_STATE_NEW ? NULL : hd_node_state_take(s);
    hd_node_state_copy(&w.before, s);
    for (size_t k = 0; k < y->budgets.n; k++)
        hd_vec_push(&w.others, hd_mapping_others(y->mapping, state)[k]);
    hd_few_values_load(&w.before.values, &model);
    if (learn(&w, &model))
        push_way(&w, &model, &(hd_exprs){0}, 0, HD_NONE, false);
    while (w.left.n) {
        way next = w.left.at[--w.left.n];
        run_way(&w, &next, &e);
        release_way(&next);
    }
    if (!w.has_first)
        hd_vec_push(&y->impossible, state);
    hd_model_release(&model);
    hd_happening_drop(w.happening);
    hd_node_state_release(&w.before);
    hd_vec_release(&w.left);
    hd_vec_release(&w.others);
    release_execution(&e);
}
