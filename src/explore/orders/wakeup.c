/* Wakeup trees: insertion and removal. */
#include "explore/orders/wakeup.h"

#include "base/panic.h"

void hd_wakeups_init(hd_wakeups *w) {
    *w = (hd_wakeups){0};
    hd_shared_actions_init(&w->actions);
    hd_vec_push(&w->at, (hd_wakeup_node){0});
}

void hd_wakeups_release(hd_wakeups *w) {
    hd_vec_release(&w->at);
    hd_shared_actions_release(&w->actions);
}

uint32_t hd_wakeups_append(hd_wakeups *w, uint32_t *root) {
    uint32_t node = w->unused;
    if (node)
        w->unused = w->at.at[node].next;
    else {
        node = (uint32_t)w->at.n;
        hd_vec_push(&w->at, (hd_wakeup_node){0});
    }
    hd_wakeup_node *n = &w->at.at[node]; /* what it does is for the caller to say */
    n->does = 0;
    n->outcome = n->scope = HD_NONE;
    n->child = n->next = HD_NO_WAKEUP;
    n->run = UINT32_MAX;
    n->is_plain = false;
    if (*root == HD_NO_WAKEUP) {
        *root = node;
        return node;
    }
    uint32_t last = *root;
    while (w->at.at[last].next)
        last = w->at.at[last].next;
    HD_INVARIANT(W2, last != node); /* the new one is the last to be run */
    w->at.at[last].next = node;
    return node;
}

void hd_wakeups_free(hd_wakeups *w, uint32_t node) {
    HD_ASSERT(node != HD_NO_WAKEUP && node < w->at.n && node != w->unused);
    hd_shared_actions_let_go(&w->actions, w->at.at[node].does);
    w->at.at[node].outcome = w->at.at[node].scope = HD_NONE;
    w->at.at[node].next = w->unused;
    w->unused = node;
}

uint32_t hd_wakeups_take(hd_wakeups *w, uint32_t *root) {
    uint32_t node = *root;
    HD_ASSERT(node != HD_NO_WAKEUP && node < w->at.n);
    *root = w->at.at[node].next;
    return node;
}

void hd_wakeups_drop_first(hd_wakeups *w, uint32_t *root, hd_runs *runs) {
    uint32_t fork = HD_NO_WAKEUP; /* the deepest node with other children than the first */
    for (uint32_t at = *root; at; at = w->at.at[at].child)
        if (w->at.at[at].child && w->at.at[w->at.at[at].child].next)
            fork = at;
    uint32_t list = fork ? w->at.at[fork].child : *root;
    uint32_t node = hd_wakeups_take(w, &list);
    *(fork ? &w->at.at[fork].child : root) = list;
    while (node) {
        uint32_t child = w->at.at[node].child;
        if (w->at.at[node].run != UINT32_MAX)
            hd_runs_drop(runs, w->at.at[node].run);
        hd_wakeups_free(w, node);
        node = child;
    }
}

uint32_t hd_wakeups_width(const hd_wakeups *w, uint32_t root) {
    uint32_t n = 0;
    for (; root; root = w->at.at[root].next)
        n++;
    return n;
}

/* ---- sequences ---- */

/* The step behind step i that is not gone, or n. */
static inline uint32_t behind(const hd_sequence *s, uint32_t i) {
    return i + 1 + s->at[i].n_gone;
}

static bool is_before(const hd_sequence *s, uint32_t i, uint32_t k) {
    const hd_wakeup_step *a = &s->at[i], *b = &s->at[k];
    HD_CHECK(i < k && a->event != UINT32_MAX);
    if (a->action->thread == b->action->thread)
        return true;
    if (b->event == UINT32_MAX || !s->log)
        return hd_actions_conflict(a->action, b->action) ||
               (s->log && s->last_clock && hd_clock_has_seen(s->log, s->last_clock, a->event));
    return hd_event_before(s->log, a->event, b->event);
}

uint32_t hd_sequence_step_of(const hd_sequence *s, uint32_t thread) {
    if (s->by_thread) {
        const hd_thread_steps *own = &s->by_thread[thread];
        return own->sequence == s->number && own->first < s->n ? own->first : s->n;
    }
    uint32_t i = s->n_gone;
    while (i < s->n && s->at[i].action->thread != thread)
        i = behind(s, i);
    return i;
}

/* Is the last event that happened before step k a step that is not gone?  It is a step if it came
 * after the place of the sequence: what depends on `first` happens before no step. */
static bool has_last_cause(const hd_sequence *s, uint32_t k) {
    uint32_t event = s->at[k].event;
    uint32_t cause = event == UINT32_MAX ? HD_NO_EVENT : s->log->at.at[event].cause;
    if (cause == HD_NO_EVENT || cause <= s->from)
        return false;
    uint32_t i = hd_sequence_step_of(s, hd_event_action(s->log, cause)->thread);
    return i < s->n && s->at[i].event <= cause;
}

static bool is_initial(const hd_sequence *s, uint32_t k) {
    if (k == s->n_gone)
        return true;
    if (s->by_thread && has_last_cause(s, k))
        return false;
    for (uint32_t i = s->n_gone; i < k; i = behind(s, i))
        if (is_before(s, i, k))
            return false;
    return true;
}

static bool conflicts_with_any(const hd_sequence *s, const hd_action *a) {
    for (uint32_t i = s->n_gone; i < s->n; i = behind(s, i))
        if (hd_actions_conflict(s->at[i].action, a))
            return true;
    return false;
}

/* Arrivals of one generation commute, but there is room for so many only: would the last of the
 * sequence find it full if `a`, which is not among them, came first? */
static bool overfills(const hd_sequence *s, const hd_action *a) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        n += hd_is_same_barrier(s->at[i].action, a) && s->at[i].action->detail == a->detail;
    if (n == 0 || !s->log)
        return n != 0;
    for (uint32_t e = 0; e < s->from; e++) {
        const hd_action *b = hd_event_action(s->log, e);
        n += hd_is_same_barrier(b, a) && b->detail == a->detail;
    }
    return n + s->n_foreign + 1 > a->expected;
}

static bool conflicts_with_rest(const hd_sequence *s, const hd_action *a) {
    return conflicts_with_any(s, a) || (hd_kind_is(a->kind, HD_KIND_MEETS) && overfills(s, a));
}

bool hd_sequence_may_begin_with(const hd_sequence *s, const hd_action *action) {
    uint32_t k = hd_sequence_step_of(s, action->thread);
    return k < s->n ? is_initial(s, k) : !conflicts_with_rest(s, action);
}

enum fit { FITS, FITS_NOT, FITS_SOME };

/* Can the sequence go on below this child, for all inputs or for those of the child's scope?  Step
 * *k is what they share, or n. */
static enum fit fit(const hd_wakeup_node *child, const hd_action *a, const hd_sequence *s,
                    uint32_t *k) {
    *k = hd_sequence_step_of(s, a->thread);
    if (*k < s->n && !hd_is_same_way(a, s->at[*k].action))
        return FITS_NOT;
    if (*k == s->n ? conflicts_with_rest(s, a) : !is_initial(s, *k))
        return FITS_NOT;
    if (!child->child)
        return !s->is_plain || !child->is_plain ? FITS_NOT
               : *k == s->n && child->scope     ? FITS_SOME
                                                : FITS;
    bool is_open = *k == s->n || s->at[*k].event == UINT32_MAX;
    if (is_open)
        return child->scope ? FITS_SOME : FITS;
    return s->at[*k].outcome == child->outcome ? FITS : FITS_NOT;
}

void hd_sequence_let_go(hd_sequence *s, uint32_t k) {
    uint32_t *n_gone = &s->n_gone, i = s->n_gone;
    for (; i < k; i = behind(s, i))
        n_gone = &s->at[i].n_gone;
    HD_INVARIANT(W5, i == k);
    *n_gone += 1 + s->at[k].n_gone;
    if (!s->by_thread)
        return;
    hd_thread_steps *own = &s->by_thread[s->at[k].action->thread];
    HD_INVARIANT(W6, own->first == k);
    own->first = s->at[k].next;
}

/* Steps that were gone are there again. */
static void look_up_anew(hd_sequence *s) {
    for (uint32_t i = 0; i < s->n; i++)
        s->by_thread[s->at[i].action->thread].first = s->n;
    for (uint32_t i = s->n_gone; i < s->n; i = behind(s, i)) {
        hd_thread_steps *own = &s->by_thread[s->at[i].action->thread];
        own->first = own->first < i ? own->first : i;
    }
}

static bool is_used_up(const hd_sequence *s) {
    return s->n_gone == s->n;
}

/* What is left of the sequence, as a chain at the end of the list *root. */
static void add_rest(hd_wakeups *w, uint32_t *root, const hd_sequence *s, uint32_t run) {
    uint32_t above = 0;
    for (uint32_t i = s->n_gone; i < s->n; i = behind(s, i)) {
        HD_CHECK_INVARIANT(W1, s->at[i].event != UINT32_MAX || i + 1 == s->n);
        uint32_t list = 0, *slot = above ? &list : root;
        uint32_t node = hd_wakeups_append(w, slot);
        hd_wakeup_do(w, node, s->at[i].action);
        w->at.at[node].outcome = s->at[i].outcome;
        w->at.at[node].scope = s->at[i].scope;
        w->at.at[node].is_plain = s->is_plain;
        if (above)
            w->at.at[above].child = node;
        else
            w->at.at[node].run = run;
        above = node;
    }
}

static void insert_below(hd_wakeups *w, uint32_t parent, uint32_t *root, hd_sequence *s,
                         hd_demand *d);

/* The part of the demand that leads to the outcome of `child` goes on below it. */
static void insert_part(hd_wakeups *w, uint32_t child, hd_sequence *s, uint32_t k,
                        const hd_demand *d) {
    hd_demand part = hd_demand_copy(d);
    hd_vec(hd_wakeup_step) before = {0};
    HD_INVARIANT(W3, w->at.at[child].scope != HD_NONE);
    s->is_plain = false;
    for (uint32_t i = 0; i < s->n; i++)
        hd_vec_push(&before, s->at[i]);
    uint32_t n_foreign = s->n_foreign, n_gone = s->n_gone;
    if (k < s->n)
        hd_sequence_let_go(s, k);
    else
        s->n_foreign += hd_kind_is(hd_wakeup_action(w, child)->kind, HD_KIND_MEETS);
    if (!is_used_up(s) && hd_demand_narrow(&part, w->at.at[child].outcome))
        insert_below(w, child, NULL, s, &part);
    s->n_foreign = n_foreign;
    s->n_gone = n_gone;
    memcpy(s->at, before.at, s->n * sizeof *s->at);
    if (s->by_thread)
        look_up_anew(s);
    hd_vec_release(&before);
    hd_demand_release(&part);
}

static void insert_below(hd_wakeups *w, uint32_t parent, uint32_t *root, hd_sequence *s,
                         hd_demand *d) {
    uint32_t child = parent ? w->at.at[parent].child : *root;
    while (child) {
        uint32_t k;
        enum fit how = fit(&w->at.at[child], hd_wakeup_action(w, child), s, &k);
        if (how == FITS_SOME) {
            if (w->at.at[child].child) /* else it is covered there */
                insert_part(w, child, s, k, d);
            if (!hd_demand_narrow(d, hd_expr_not(d->x->graph, w->at.at[child].scope)))
                return;
        }
        if (how != FITS) {
            s->is_plain = s->is_plain && w->at.at[child].is_plain && !w->at.at[child].outcome;
            child = w->at.at[child].next;
            continue;
        }
        if (k < s->n)
            hd_sequence_let_go(s, k);
        else
            s->n_foreign += hd_kind_is(hd_wakeup_action(w, child)->kind, HD_KIND_MEETS);
        if (!w->at.at[child].child || is_used_up(s))
            return;
        if (k == s->n && w->at.at[child].outcome && !hd_demand_narrow(d, w->at.at[child].outcome))
            return; /* its assumption rejects all of them */
        parent = child;
        child = w->at.at[child].child;
    }
    uint32_t list = parent ? w->at.at[parent].child : *root;
    add_rest(w, &list, s, hd_demand_run(d));
    *(parent ? &w->at.at[parent].child : root) = list;
}

void hd_wakeups_insert(hd_wakeups *w, uint32_t *root, hd_sequence *s, hd_demand *d) {
    HD_CHECK(s->n > 0 && !is_used_up(s));
    insert_below(w, HD_NO_WAKEUP, root, s, d);
}
