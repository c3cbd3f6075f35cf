/* Wakeup trees: insertion and removal. */
#include "explore/wakeup.h"

void hd_wakeups_init(hd_wakeups *w) {
    *w = (hd_wakeups){0};
    hd_vec_push(&w->at, (hd_wakeup_node){0});
}

void hd_wakeups_release(hd_wakeups *w) {
    hd_vec_release(&w->at);
}

uint32_t hd_wakeups_append(hd_wakeups *w, uint32_t *root) {
    uint32_t node = w->unused;
    if (node)
        w->unused = w->at.at[node].next;
    else {
        node = (uint32_t)w->at.n;
        hd_vec_push(&w->at, (hd_wakeup_node){0});
    }
    w->at.at[node] = (hd_wakeup_node){.run = UINT32_MAX};
    if (*root == HD_NO_WAKEUP) {
        *root = node;
        return node;
    }
    uint32_t last = *root;
    while (w->at.at[last].next)
        last = w->at.at[last].next;
    w->at.at[last].next = node;
    return node;
}

void hd_wakeups_free(hd_wakeups *w, uint32_t node) {
    w->at.at[node].next = w->unused;
    w->unused = node;
}

uint32_t hd_wakeups_take(hd_wakeups *w, uint32_t *root) {
    uint32_t node = *root;
    *root = w->at.at[node].next;
    return node;
}

uint32_t hd_wakeups_width(const hd_wakeups *w, uint32_t root) {
    uint32_t n = 0;
    for (; root; root = w->at.at[root].next)
        n++;
    return n;
}

/* ---- sequences ---- */

static bool is_before(const hd_sequence *s, uint32_t i, uint32_t k) {
    const hd_wakeup_step *a = &s->at[i], *b = &s->at[k];
    if (a->action->thread == b->action->thread)
        return true;
    if (b->event == UINT32_MAX)
        return hd_actions_conflict(a->action, b->action) ||
               (s->last_clock && hd_clock_has_seen(s->log, s->last_clock, a->event));
    return hd_event_before(s->log, a->event, b->event);
}

/* The first step of the thread that is not gone, or n. */
static uint32_t step_of(const hd_sequence *s, uint32_t thread) {
    uint32_t i = 0;
    while (i < s->n && (s->at[i].is_gone || s->at[i].action->thread != thread))
        i++;
    return i;
}

static bool is_initial(const hd_sequence *s, uint32_t k) {
    for (uint32_t i = 0; i < k; i++)
        if (!s->at[i].is_gone && is_before(s, i, k))
            return false;
    return true;
}

static bool conflicts_with_any(const hd_sequence *s, const hd_action *a) {
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->at[i].is_gone && hd_actions_conflict(s->at[i].action, a))
            return true;
    return false;
}

bool hd_sequence_may_begin_with(const hd_sequence *s, const hd_action *action) {
    uint32_t k = step_of(s, action->thread);
    return k < s->n ? is_initial(s, k) : !conflicts_with_any(s, action);
}

enum fit { FITS, FITS_NOT, IS_COVERED };

/* Can the sequence go on below this child?  Then what they share is gone from it. */
static enum fit follow(const hd_wakeup_node *child, hd_sequence *s) {
    uint32_t k = step_of(s, child->action.thread);
    if (k == s->n)
        return conflicts_with_any(s, &child->action) ? FITS_NOT : FITS;
    if (!is_initial(s, k))
        return FITS_NOT;
    s->at[k].is_gone = true;
    return s->at[k].decisions == child->decisions ? FITS : IS_COVERED;
}

static bool is_used_up(const hd_sequence *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (!s->at[i].is_gone)
            return false;
    return true;
}

/* What is left of the sequence, as a chain at the end of the list *root. */
static void add_rest(hd_wakeups *w, uint32_t *root, const hd_sequence *s, uint32_t run) {
    uint32_t above = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->at[i].is_gone)
            continue;
        uint32_t list = 0, *slot = above ? &list : root;
        uint32_t node = hd_wakeups_append(w, slot);
        w->at.at[node].action = *s->at[i].action;
        w->at.at[node].decisions = s->at[i].decisions;
        if (above)
            w->at.at[above].child = node;
        else
            w->at.at[node].run = run;
        above = node;
    }
}

bool hd_wakeups_insert(hd_wakeups *w, uint32_t *root, hd_sequence *s, uint32_t run) {
    uint32_t parent = 0;
    for (uint32_t child = *root; child;) {
        enum fit fit = follow(&w->at.at[child], s);
        if (fit == FITS_NOT) {
            child = w->at.at[child].next;
            continue;
        }
        if (fit == IS_COVERED || !w->at.at[child].child || is_used_up(s))
            return false;
        parent = child;
        child = w->at.at[child].child;
    }
    uint32_t list = parent ? w->at.at[parent].child : *root;
    add_rest(w, &list, s, run);
    if (parent)
        w->at.at[parent].child = list;
    else
        *root = list;
    return true;
}
