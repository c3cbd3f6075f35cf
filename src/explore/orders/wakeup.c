/* Wakeup trees: insertion and removal. */
#include "explore/orders/wakeup.h"

#include "base/hostile.h"
#include "base/panic.h"

void hd_wakeups_init(hd_wakeups *w) {
    *w = (hd_wakeups){0};
    hd_shared_actions_init(&w->actions);
    hd_vec_push(&w->at, (hd_wakeup_node){0});
}

void hd_wakeups_release(hd_wakeups *w) {
    hd_vec_release(&w->at);
    hd_shared_actions_release(&w->actions);
    hd_vec_release(&w->way);
    hd_vec_release(&w->asleep);
    hd_vec_release(&w->needed);
}

static uint32_t new_node(hd_wakeups *w) {
    uint32_t node = w->unused;
    if (node)
        w->unused = w->at.at[node].next;
    else {
        node = (uint32_t)w->at.n;
        hd_vec_push(&w->at, (hd_wakeup_node){0});
    }
    hd_wakeup_node *n = &w->at.at[node]; /* what it does is for the caller to say */
    HD_ASSERT(!n->does && !n->outcome && !n->scope);
    n->child = n->next = HD_NO_WAKEUP;
    n->run = UINT32_MAX;
    n->is_plain = false;
    return node;
}

/* The node is the last to be run. */
static void put_behind(hd_wakeups *w, uint32_t last, uint32_t node) {
    HD_INVARIANT(W2, last != node && w->at.at[last].next == HD_NO_WAKEUP);
    w->at.at[last].next = node;
    HD_INVARIANT(W2, w->at.at[node].next == HD_NO_WAKEUP);
}

uint32_t hd_wakeups_append(hd_wakeups *w, uint32_t *root, uint32_t last) {
    uint32_t node = new_node(w);
    HD_INVARIANT(W2, (last == HD_NO_WAKEUP) == (*root == HD_NO_WAKEUP));
    if (last == HD_NO_WAKEUP)
        *root = node;
    else
        put_behind(w, last, node);
    return node;
}

void hd_wakeups_free(hd_wakeups *w, uint32_t node) {
    HD_ASSERT(node != HD_NO_WAKEUP && node < w->at.n && node != w->unused);
    hd_shared_actions_let_go(&w->actions, w->at.at[node].does);
    w->at.at[node].does = 0;
    w->at.at[node].outcome = w->at.at[node].scope = HD_NONE;
    HD_ASSERT(w->at.at[node].child != node); /* a mark of those that are free already */
    w->at.at[node].child = node;
    w->at.at[node].next = w->unused;
    w->unused = node;
}

uint32_t hd_wakeups_take(hd_wakeups *w, uint32_t *root) {
    uint32_t node = *root;
    HD_ASSERT(node != HD_NO_WAKEUP && node < w->at.n && w->at.at[node].child != node);
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
    for (; root; root = w->at.at[root].next) {
        HD_CHECK(root < w->at.n);
        n++;
    }
    return n;
}

enum fit { FITS, FITS_NOT, FITS_SOME };

/* Can the sequence go on below this child, for all inputs or for those of the child's scope?  Step
 * *k is what they share, or n. */
static enum fit fit(const hd_wakeup_node *child, const hd_action *a, const hd_sequence *s,
                    uint32_t *k) {
    *k = hd_sequence_step_of(s, a->thread);
    if (*k < s->n && !hd_is_same_way(a, s->at[*k].action))
        return FITS_NOT;
    if (*k != s->n_gone && !hd_sequence_may_begin_with_step(s, *k, a))
        return FITS_NOT; /* what is first may come first */
    if (!child->child)
        return !s->is_plain || !child->is_plain ? FITS_NOT
               : *k == s->n && child->scope     ? FITS_SOME
                                                : FITS;
    bool is_open = *k == s->n || s->at[*k].event == UINT32_MAX;
    if (is_open)
        return child->scope ? FITS_SOME : FITS;
    return s->at[*k].outcome == child->outcome ? FITS : FITS_NOT;
}

/* ---- as much as is needed ---- */

static void push_children(hd_wakeups *w, uint32_t from, uint32_t end) {
    for (; from != end; from = w->at.at[from].next)
        hd_vec_push(&w->asleep, hd_wakeup_action(w, from));
}

static void let_wake(hd_wakeups *w, const hd_action *executed) {
    size_t n = 0;
    for (size_t i = 0; i < w->asleep.n; i++)
        if (hd_stays_asleep(w->asleep.at[i], executed))
            w->asleep.at[n++] = w->asleep.at[i];
    w->asleep.n = n;
}

/* Who sleeps behind the way that the insertion went down, and is run from there before it. */
static void find_asleep(hd_wakeups *w, uint32_t tree, const hd_asleep *at_root) {
    hd_vec_clear(&w->asleep);
    for (size_t i = 0; i < at_root->n; i++)
        hd_vec_push(&w->asleep, at_root->at[i]);
    for (size_t i = 0; i < w->way.n; i++) {
        push_children(w, tree, w->way.at[i]);
        let_wake(w, hd_wakeup_action(w, w->way.at[i]));
        tree = w->at.at[w->way.at[i]].child;
    }
    push_children(w, tree, HD_NO_WAKEUP);
}

/* False: all of the sequence is needed. */
static bool find_needed(hd_wakeups *w, uint32_t tree, const hd_sequence *s,
                        const hd_asleep *at_root) {
    if (!at_root || !s->is_plain || !hd_needed_begin(&w->needed, s))
        return false;
    find_asleep(w, tree, at_root);
    for (size_t i = 0; i < w->asleep.n; i++)
        if (!hd_needed_wake(&w->needed, s, w->asleep.at[i]))
            return false;
    hd_needed_end(&w->needed, s);
    return true;
}

/* What is left of the sequence as a chain, for the end of a list: its first node.  With `needed`,
 * so much of it. */
static uint32_t make_chain(hd_wakeups *w, const hd_sequence *s, bool is_shorter, uint32_t run) {
    uint32_t first = HD_NO_WAKEUP, above = HD_NO_WAKEUP;
    HD_ASSERT(!hd_sequence_is_used_up(s));
    for (uint32_t i = s->n_gone; i < s->n; i = hd_sequence_behind(s, i)) {
        if (is_shorter && !w->needed.at[i])
            continue;
        HD_CHECK_INVARIANT(W1, s->at[i].event != UINT32_MAX || i + 1 == s->n);
        uint32_t node = new_node(w);
        hd_wakeup_do(w, node, s->at[i].action);
        w->at.at[node].outcome = s->at[i].outcome;
        w->at.at[node].scope = s->at[i].scope;
        w->at.at[node].is_plain = s->is_plain;
        if (above)
            w->at.at[above].child = node;
        else
            first = node;
        above = node;
    }
    w->at.at[first].run = run;
    return first;
}

static void insert_below(hd_wakeups *w, uint32_t parent, uint32_t *root, hd_sequence *s,
                         hd_demand *d, const hd_asleep *asleep);

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
    if (!hd_sequence_is_used_up(s) && hd_demand_narrow(&part, w->at.at[child].outcome))
        insert_below(w, child, NULL, s, &part, NULL);
    s->n_foreign = n_foreign;
    s->n_gone = n_gone;
    HD_ASSERT(before.n == s->n);
    memcpy(s->at, before.at, s->n * sizeof *s->at);
    if (s->by_thread)
        hd_sequence_look_up_anew(s);
    hd_vec_release(&before);
    hd_demand_release(&part);
}

static void insert_below(hd_wakeups *w, uint32_t parent, uint32_t *root, hd_sequence *s,
                         hd_demand *d, const hd_asleep *asleep) {
    uint32_t child = parent ? w->at.at[parent].child : *root, last = HD_NO_WAKEUP;
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
            last = child;
            child = w->at.at[child].next;
            continue;
        }
        if (k < s->n)
            hd_sequence_let_go(s, k);
        else
            s->n_foreign += hd_kind_is(hd_wakeup_action(w, child)->kind, HD_KIND_MEETS);
        if (!w->at.at[child].child || hd_sequence_is_used_up(s))
            return;
        if (k == s->n && w->at.at[child].outcome && !hd_demand_narrow(d, w->at.at[child].outcome))
            return; /* its assumption rejects all of them */
        hd_vec_push(&w->way, child);
        parent = child;
        child = w->at.at[child].child;
        last = HD_NO_WAKEUP;
    }
    bool is_shorter = !hd_sequence_is_one_step(s) && HD_HOSTILE(!hd_needed_are_all(s), true) &&
                      find_needed(w, root ? *root : HD_NO_WAKEUP, s, asleep);
    uint32_t chain = make_chain(w, s, is_shorter, hd_demand_run(d)); /* nodes may move */
    if (last)
        put_behind(w, last, chain);
    else
        *(parent ? &w->at.at[parent].child : root) = chain;
}

void hd_wakeups_insert(hd_wakeups *w, uint32_t *root, hd_sequence *s, hd_demand *d,
                       const hd_asleep *asleep) {
    HD_CHECK(s->n > 0 && !hd_sequence_is_used_up(s));
    hd_vec_clear(&w->way);
    insert_below(w, HD_NO_WAKEUP, root, s, d, asleep);
}
