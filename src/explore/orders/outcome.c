/* Outcomes: what threads decide on inputs, as a part of their events.
 *
 * The wakeup trees of the paper know no inputs.  Here an event is its action together with its
 * outcome, the decisions on inputs until the next event of its thread: the same action with
 * another outcome is another event, and two events may be impossible together although they do not
 * conflict, because no inputs lead to both.  For each single vector of inputs the search must be
 * that of the paper.  So
 *
 *  - a thread sleeps with the outcomes that were explored, for the inputs that lead to them;
 *  - a sequence must be run unless what sleeps covers it for all inputs that follow it;
 *  - the other way of a decision must be run unless what still sleeps after its event covers that:
 *    in a sequence that is guided past sleepers one way of a decision may be all there is to do.
 *
 * A fault that no budget is left for is decided too, always the same way: inputs that would have it
 * are no others.  Once a budget is used up it stays so, in every state behind the choice that did
 * it; there its condition is no part of a scope, or the inputs that it leaves would be run for
 * nothing, once more.  Where that choice is among what a sequence leaves out it may be open again.
 *
 * Every state is then explored for all inputs that lead to it, apart from what is asleep there.
 * What a search with one vector of inputs keeps in its sleep sets and trees is here the part of
 * them that the vector satisfies. */
#include "explore/orders/reduction.h"

#include "base/panic.h"

uint32_t hd_outcome_decisions_before(const hd_weave *w, uint32_t e) {
    uint32_t n = (uint32_t)w->decisions.n;
    while (n && w->decisions.at[n - 1].at > e)
        n--;
    return n;
}

/* An assumption that holds: those for whom it does not are rejected. */
static bool is_assumed(uint8_t kind, bool way) {
    return kind == HD_BRANCH_ASSUME && way;
}

static void add_told(hd_weave *w, const hd_told_decision *t, hd_told_outcome *o) {
    hd_expr holds = hd_explorer_oriented(w->x, t->condition, t->way);
    HD_CHECK_INVARIANT(W1, hd_demand_holds(w->x, &w->model, holds)); /* it is what was done */
    o->outcome = hd_demand_both(w->x, o->outcome, holds);
    if (is_assumed(t->kind, t->way))
        return;
    o->scope = hd_demand_both(w->x, o->scope, holds);
    if (t->kind != HD_BRANCH_SPENT)
        o->open_scope = hd_demand_both(w->x, o->open_scope, holds);
    else if (t->since > o->since)
        o->since = t->since;
}

hd_expr hd_outcome_scope(const hd_weave *w, uint32_t event, uint32_t from) {
    const hd_told_outcome *o = &w->step_outcomes.at[event];
    return o->since <= from ? o->open_scope : o->scope;
}

void hd_outcome_find(hd_weave *w) {
    hd_vec_clear(&w->step_outcomes);
    if (!w->has_inner_decisions)
        return;
    _Static_assert(HD_NONE == 0, "no outcome is all zeros");
    hd_vec_reserve(&w->step_outcomes, w->log.at.n);
    w->step_outcomes.n = w->log.at.n;
    if (w->log.at.n)
        memset(w->step_outcomes.at, 0, w->log.at.n * sizeof *w->step_outcomes.at);
    for (size_t i = 0; i < w->told.n; i++) {
        const hd_told_decision *t = &w->told.at[i];
        if (t->at == 0 || t->at > w->log.at.n)
            continue;
        add_told(w, t, &w->step_outcomes.at[t->at - 1]);
    }
}

/* ---- sleeping with an outcome ---- */

static hd_expr other_inputs(hd_weave *w, hd_expr scope) {
    return hd_expr_not(w->x->graph, scope);
}

bool hd_outcome_other_way(hd_weave *w, uint32_t n, hd_expr *condition) {
    *condition = HD_NONE;
    HD_ASSERT(n < w->decisions.n);
    uint32_t at = w->decisions.at[n].at;
    if (at == 0 || !w->rules->sleeps_by_outcome)
        return true;
    hd_action other; /* what the event is the other way */
    hd_action_copy(&other, hd_event_action(&w->log, at - 1));
    if (hd_exchange_decision(w, at - 1) == n)
        hd_exchange_turn(w, &other, !(other.flags & HD_ACTION_FAILED));
    const hd_action *executed = &other;
    for (uint32_t s = w->nodes.at[at - 1].sleep; s != HD_NO_EVENT; s = w->sleepers.at[s].next) {
        const hd_sleeper *z = &w->sleepers.at[s];
        if (z->action.thread != executed->thread &&
            (hd_actions_conflict(&z->action, executed) || hd_is_same_barrier(&z->action, executed)))
            continue;
        if (!z->scope)
            return false;
        *condition = hd_demand_both(w->x, *condition, other_inputs(w, z->scope));
    }
    return true;
}

/* The last decision of the event of decision n that is partial, or `n`. */
static uint32_t last_partial(const hd_weave *w, uint32_t n) {
    uint32_t last = n, at = w->decisions.at[n].at;
    for (uint32_t i = n + 1; i < w->decisions.n && w->decisions.at[i].at == at; i++)
        if (w->decisions.at[i].is_left || w->decisions.at[i].was_partial)
            last = i;
    return last;
}

/* What was explored last has the outcome that the decisions up to number `last` say.  Outcomes that
 * were noted for ways of later decisions are part of it. */
static void note_explored(hd_weave *w, uint32_t last) {
    uint32_t at = w->decisions.at[last].at, first = last;
    HD_ASSERT(at > 0 && at <= w->log.at.n);
    while (first && w->decisions.at[first - 1].at == at)
        first--;
    size_t kept = w->explored.n;
    while (kept && w->explored.at[kept - 1].event == at - 1)
        kept--;
    hd_expr scope = HD_NONE;
    for (uint32_t i = first; i <= last; i++) {
        const hd_decision *d = &w->decisions.at[i];
        kept = d->n_explored > kept ? d->n_explored : kept;
        if (!is_assumed(d->kind, d->way) && d->kind != HD_BRANCH_SPENT)
            scope = hd_demand_both(w->x, scope, hd_explorer_oriented(w->x, d->condition, d->way));
    }
    w->explored.n = kept;
    bool fails = hd_event_action(&w->log, at - 1)->flags & HD_ACTION_FAILED;
    HD_ASSERT(!w->explored.n || w->explored.at[w->explored.n - 1].event <= at - 1);
    hd_vec_push(&w->explored, ((hd_explored){at - 1, scope, fails}));
}

void hd_outcome_first_way_done(hd_weave *w, uint32_t n) {
    uint32_t at = w->decisions.at[n].at;
    if (at == 0 || !w->rules->sleeps_by_outcome || w->nodes.at[at - 1].sleep == HD_NO_EVENT)
        return;
    while (w->explored.n && w->explored.at[w->explored.n - 1].event >= at)
        w->explored.n--; /* of events that are cut off now: they would hide what is below them */
    uint32_t last = last_partial(w, n);
    w->decisions.at[n].was_partial = last > n;
    note_explored(w, last);
    w->decisions.at[n].n_explored = (uint32_t)w->explored.n;
}

static void sleep_for(hd_weave *w, uint32_t e, const hd_action *a, hd_expr scope, bool fails) {
    hd_action way;
    hd_action_copy(&way, a);
    if (hd_kind_is(a->kind, HD_KIND_EXCHANGES))
        hd_exchange_turn(w, &way, fails);
    hd_reduce_add_sleeper(w, &w->nodes.at[e], &way, scope);
}

/* All outcomes were explored.  An exchange that went both ways sleeps as two actions. */
static void sleep_for_all(hd_weave *w, uint32_t e, const hd_action *a) {
    uint32_t n = hd_exchange_decision(w, e);
    if (n == HD_NO_EVENT || !w->decisions.at[n].is_second) {
        hd_reduce_add_sleeper(w, &w->nodes.at[e], a, HD_NONE);
        return;
    }
    hd_expr succeeds = w->decisions.at[n].condition;
    sleep_for(w, e, a, succeeds, false);
    sleep_for(w, e, a, other_inputs(w, succeeds), true);
}

void hd_outcome_put_to_sleep(hd_weave *w, uint32_t e, const hd_action *a) {
    HD_ASSERT(e < w->nodes.n && e < w->log.at.n);
    uint32_t n = (uint32_t)w->decisions.n, last = UINT32_MAX;
    for (uint32_t i = n; i-- > 0 && w->decisions.at[i].at > e;)
        if (w->decisions.at[i].at == e + 1 && last == UINT32_MAX &&
            (w->decisions.at[i].is_left || w->decisions.at[i].was_partial))
            last = i;
    if (last != UINT32_MAX)
        note_explored(w, last);
    if (last == UINT32_MAX)
        sleep_for_all(w, e, a);
    for (size_t i = w->explored.n; i-- > 0 && w->explored.at[i].event == e && last != UINT32_MAX;)
        sleep_for(w, e, a, w->explored.at[i].scope, w->explored.at[i].fails);
}

/* ---- sequences that go on behind the end of another (W4) ---- */

static bool has_arrival(const hd_sequence *s, const hd_action *a) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->at[i].action->thread != a->thread && hd_is_same_barrier(s->at[i].action, a))
            return true;
    return false;
}

hd_sequence hd_outcome_sequence_of_way(hd_weave *w) {
    hd_vec_clear(&w->steps);
    for (size_t i = 0; i < w->way.n; i++) {
        const hd_wakeup_node *node = &w->wakeups.at.at[w->way.at[i]];
        hd_vec_push(&w->steps,
                    ((hd_wakeup_step){.action = &w->way_actions.at[i],
                                      .outcome = node->outcome,
                                      .scope = node->scope,
                                      .event = i + 1 < w->way.n ? (uint32_t)i : UINT32_MAX}));
    }
    return (hd_sequence){.at = w->steps.at, .n = (uint32_t)w->steps.n};
}

bool hd_outcome_goes_on_behind(const hd_sequence *s, const hd_action *executed) {
    uint32_t k = hd_sequence_step_of(s, executed->thread);
    return hd_sequence_may_begin_with(s, executed) && !has_arrival(s, executed) &&
           (k == s->n || hd_is_same_way(s->at[k].action, executed));
}

/* The sequence that w->way leads to goes on after event e. */
static void pass_on(hd_weave *w, uint32_t e) {
    hd_sequence s = hd_outcome_sequence_of_way(w);
    const hd_action *executed = hd_event_action(&w->log, e);
    HD_INVARIANT(W4, s.n > 0 && e + 1 < w->nodes.n);
    if (!hd_outcome_goes_on_behind(&s, executed))
        return;
    uint32_t k = hd_sequence_step_of(&s, executed->thread), run = UINT32_MAX;
    if (k + 1 < s.n && s.at[k].outcome != w->step_outcomes.at[e].outcome)
        return;
    if (k < s.n)
        hd_sequence_let_go(&s, k);
    if (k < s.n && s.n == 1)
        return;
    hd_demand d = {.x = w->x,
                   .site = executed->site,
                   .n = hd_outcome_decisions_before(w, e + 1),
                   .first = &w->model,
                   .run = &run};
    bool is_possible = true;
    for (uint32_t i = 0; i < s.n && is_possible; i++)
        is_possible = !s.at[i].outcome || hd_demand_narrow(&d, s.at[i].outcome);
    if (is_possible)
        hd_wakeups_insert(&w->wakeups, &w->nodes.at[e + 1].tree, &s, &d, NULL);
    hd_demand_release(&d);
}

/* All sequences of the tree, whose beginning is in w->way. */
static void pass_on_tree(hd_weave *w, uint32_t e, uint32_t tree) {
    for (; tree; tree = w->wakeups.at.at[tree].next) {
        hd_vec_push(&w->way, tree);
        hd_vec_push(&w->way_actions, *hd_wakeup_action(&w->wakeups, tree));
        if (w->wakeups.at.at[tree].child)
            pass_on_tree(w, e, w->wakeups.at.at[tree].child);
        else
            pass_on(w, e);
        HD_ASSERT(w->way.n == w->way_actions.n && w->way.at[w->way.n - 1] == tree);
        w->way.n--;
        w->way_actions.n--;
    }
}

void hd_outcome_pass_on(hd_weave *w) {
    for (uint32_t e = w->free_from ? w->free_from - 1 : 0; e + 1 < w->log.at.n; e++)
        if (w->nodes.at[e].tree != HD_NO_WAKEUP)
            pass_on_tree(w, e, w->nodes.at[e].tree);
}

/* ---- assumptions ---- */

/* Supports are sorted. */
static bool share_inputs(const hd_weave *w, hd_expr a, hd_expr b) {
    const hd_support *p = hd_expr_support(w->x->graph, a), *q = hd_expr_support(w->x->graph, b);
    for (uint32_t i = 0, k = 0; i < p->n && k < q->n;) {
        HD_CHECK((!i || p->v[i - 1] < p->v[i]) && (!k || q->v[k - 1] < q->v[k]));
        if (p->v[i] == q->v[k])
            return true;
        if (p->v[i] < q->v[k])
            i++;
        else
            k++;
    }
    return false;
}

/* The first event of the thread after event e; HD_NO_EVENT if there is none. */
static uint32_t next_event(const hd_weave *w, uint32_t thread, uint32_t e) {
    uint32_t next = HD_NO_EVENT;
    for (uint32_t k = hd_event_last(&w->log, thread); k != HD_NO_EVENT && k > e;
         k = w->log.at.at[k].previous)
        next = k;
    return next;
}

/* Do other threads decide on inputs that the assumption, made after event e, is linked with?  What
 * is after the assumption is after the next event of its thread. */
static bool others_decide_on(hd_weave *w, uint32_t e, const hd_decision *d) {
    hd_expr condition = d->condition;
    hd_indices linked = {0};
    hd_path_slice(w->x->path, hd_path_length(w->x->path), condition, &linked);
    uint32_t next = next_event(w, d->thread, e);
    bool found = false;
    for (uint32_t f = e + 1; f < w->log.at.n && !found; f++) {
        HD_CHECK(f < w->step_outcomes.n);
        hd_expr outcome = w->step_outcomes.at[f].outcome;
        if (!outcome || (next != HD_NO_EVENT && hd_event_before(&w->log, next, f)))
            continue;
        found = share_inputs(w, condition, outcome);
        for (size_t i = 0; i < linked.n && !found; i++)
            found = share_inputs(w, hd_path_at(w->x->path, linked.at[i]), outcome);
    }
    hd_vec_release(&linked);
    return found;
}

void hd_outcome_open_assumptions(hd_weave *w) {
    for (size_t i = 0; i < w->decisions.n; i++) {
        hd_decision *d = &w->decisions.at[i];
        if (d->kind == HD_BRANCH_ASSUME && d->way && d->at && !d->is_open && !d->is_tried)
            d->is_open = others_decide_on(w, d->at - 1, d);
    }
}
