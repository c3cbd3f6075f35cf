/* The tree of lifted states: what is added, counted, done and forgotten (lifted.h). */
#include "fleet/lifted.h"

#include "base/panic.h"

#define PLANNED HD_LIFTED_PLANNED
#define DONE    HD_LIFTED_DONE

void hd_lifted_init(hd_lifted_tree *tree) {
    *tree = (hd_lifted_tree){.unused = HD_NO_STATE};
}

void hd_lifted_release(hd_lifted_tree *tree) {
    for (size_t i = 0; i < tree->at.n; i++) {
        hd_vec_release(&tree->at.at[i].kids);
        hd_vec_release(&tree->at.at[i].sleepers);
    }
    hd_vec_release(&tree->at);
}

/* ---- counting (T1) ---- */

/* The state had `before` sequences: what is above it learns how many it has now. */
static void tell_above(hd_lifted_tree *tree, uint32_t state, uint32_t before) {
    for (;;) {
        const hd_lifted *l = &tree->at.at[state];
        uint32_t now = hd_lifted_n_ready(l);
        if (now == before)
            return;
        if (l->parent == HD_NO_STATE) {
            tree->n_ready += (uint64_t)now - before;
            return;
        }
        state = l->parent;
        hd_lifted *parent = &tree->at.at[state];
        if (l->place >= parent->n_visible)
            return;
        uint32_t parents = hd_lifted_n_ready(parent);
        parent->n_below += now - before;
        before = parents;
    }
}

/* Children that can be seen now count, behind those that could be before. */
static void see_more(hd_lifted_tree *tree, uint32_t state) {
    hd_lifted *l = &tree->at.at[state];
    uint32_t before = hd_lifted_n_ready(l);
    while (l->n_visible < l->kids.n &&
           (!l->n_visible || tree->at.at[l->kids.at[l->n_visible - 1]].is_known))
        l->n_below += hd_lifted_n_ready(&tree->at.at[l->kids.at[l->n_visible++]]);
    tell_above(tree, state, before);
}

void hd_lifted_set_kind(hd_lifted_tree *tree, uint32_t state, hd_lifted_kind kind) {
    HD_ASSERT(kind < HD_N_LIFTED_KINDS);
    uint32_t before = hd_lifted_n_ready(&tree->at.at[state]);
    tree->at.at[state].kind = kind;
    tell_above(tree, state, before);
}

void hd_lifted_set_known(hd_lifted_tree *tree, uint32_t state) {
    hd_lifted *l = &tree->at.at[state];
    if (l->is_known)
        return;
    l->is_known = true;
    if (l->parent != HD_NO_STATE)
        see_more(tree, l->parent);
}

/* ---- adding ---- */

static uint32_t new_state(hd_lifted_tree *tree) {
    uint32_t number = tree->unused;
    if (number == HD_NO_STATE) {
        hd_vec_push(&tree->at, (hd_lifted){0});
        return (uint32_t)tree->at.n - 1;
    }
    hd_lifted *l = &tree->at.at[number];
    tree->unused = l->parent;
    hd_vec_clear(&l->kids);
    hd_vec_clear(&l->sleepers);
    l->is_known = l->is_free = false;
    l->depth = l->place = l->n_visible = l->n_below = 0;
    return number;
}

static void add_kid(hd_lifted_tree *tree, uint32_t state, uint32_t kid) {
    hd_lifted *l = &tree->at.at[state];
    uint32_t before = hd_lifted_n_ready(l);
    tree->at.at[kid].depth = l->depth + 1;
    tree->at.at[kid].place = (uint32_t)l->kids.n;
    hd_vec_push(&l->kids, kid);
    tell_above(tree, state, before); /* no sequence ends there any more */
    see_more(tree, state);
}

uint32_t hd_lifted_add(hd_lifted_tree *tree, uint32_t parent, const hd_action *a, hd_gift given) {
    uint32_t number = new_state(tree);
    hd_lifted *l = &tree->at.at[number];
    l->parent = parent;
    l->given = given;
    l->kind = PLANNED;
    if (a)
        hd_action_copy(&l->action, a);
    if (parent == HD_NO_STATE)
        tree->n_ready++;
    else
        add_kid(tree, parent, number);
    return number;
}

/* ---- what is done ---- */

static bool are_done(const hd_lifted_tree *tree, const hd_lifted *l) {
    for (size_t i = 0; i < l->kids.n; i++)
        if (tree->at.at[l->kids.at[i]].kind != DONE)
            return false;
    return true;
}

void hd_lifted_finish(hd_lifted_tree *tree, uint32_t state) {
    do {
        hd_lifted_set_kind(tree, state, DONE);
        state = tree->at.at[state].parent;
    } while (state != HD_NO_STATE && tree->at.at[state].kind == HD_LIFTED_KNOWN &&
             are_done(tree, &tree->at.at[state]));
}

void hd_lifted_open_again(hd_lifted_tree *tree, uint32_t state) {
    for (; state != HD_NO_STATE && tree->at.at[state].kind == DONE;
         state = tree->at.at[state].parent)
        hd_lifted_set_kind(tree, state, HD_LIFTED_KNOWN);
}

/* ---- what is forgotten (T2) ---- */

static void give_back(hd_lifted_tree *tree, uint32_t state) {
    tree->at.at[state].parent = tree->unused;
    tree->unused = state;
}

/* All states below it are given back. */
static void drop_below(hd_lifted_tree *tree, uint32_t state) {
    HD_ASSERT(!hd_lifted_n_ready(&tree->at.at[state]));
    tree->at.at[state].n_visible = tree->at.at[state].n_below = 0;
    hd_state_numbers below = {0};
    hd_vec_push(&below, state);
    while (below.n) {
        uint32_t at = below.at[--below.n];
        hd_lifted *l = &tree->at.at[at];
        for (size_t i = 0; i < l->kids.n; i++)
            hd_vec_push(&below, l->kids.at[i]);
        hd_vec_clear(&l->kids);
        if (at != state)
            give_back(tree, at);
    }
    hd_vec_release(&below);
}

static void forget_below(hd_lifted_tree *tree, uint32_t state) {
    HD_INVARIANT(T2, tree->at.at[state].kind == DONE);
    drop_below(tree, state);
}

void hd_lifted_give_below(hd_lifted_tree *tree, uint32_t state) {
    HD_ASSERT(tree->at.at[state].kind == HD_LIFTED_OUT);
    drop_below(tree, state);
}

bool hd_lifted_is_settled(const hd_lifted_tree *tree, uint32_t state) {
    while (!hd_lifted_is_root(tree, state)) {
        const hd_lifted *l = &tree->at.at[state], *parent = &tree->at.at[l->parent];
        for (uint32_t i = 0; i < l->place; i++)
            if (tree->at.at[parent->kids.at[i]].kind != DONE)
                return false;
        if (parent->is_free)
            return true;
        state = l->parent;
    }
    return true;
}

/* The child of the state is settled: what is done from there on is forgotten, up to the first that
 * is not done, and below that. */
static void fold_from(hd_lifted_tree *tree, uint32_t state, uint32_t place) {
    while (place < tree->at.at[state].kids.n) {
        uint32_t kid = tree->at.at[state].kids.at[place];
        if (tree->at.at[kid].kind == DONE) {
            forget_below(tree, kid);
            place++;
        } else {
            state = kid;
            place = 0;
        }
    }
}

bool hd_lifted_fold(hd_lifted_tree *tree, uint32_t state) {
    HD_ASSERT(tree->at.at[state].kind == DONE);
    uint32_t parent;
    for (; (parent = tree->at.at[state].parent) != HD_NO_STATE && tree->at.at[parent].kind == DONE;
         state = parent)
        if (tree->at.at[state].is_free)
            forget_below(tree, state);
    if (parent == HD_NO_STATE)
        return false;
    if (hd_lifted_is_settled(tree, state))
        fold_from(tree, parent, tree->at.at[state].place);
    else if (tree->at.at[state].is_free)
        forget_below(tree, state);
    return true;
}

void hd_lifted_drop_root(hd_lifted_tree *tree, uint32_t root) {
    HD_ASSERT(hd_lifted_is_root(tree, root));
    hd_lifted_set_kind(tree, root, DONE);
    forget_below(tree, root);
    give_back(tree, root);
}

/* ---- what can be handed out ---- */

void hd_lifted_list_ready(const hd_lifted_tree *tree, uint32_t state, hd_state_numbers *out) {
    const hd_lifted *l = &tree->at.at[state];
    if (!hd_lifted_n_ready(l))
        return;
    if (!l->kids.n)
        hd_vec_push(out, state);
    for (uint32_t i = 0; i < l->n_visible; i++)
        hd_lifted_list_ready(tree, l->kids.at[i], out);
}

uint32_t hd_lifted_nth_ready(const hd_lifted_tree *tree, uint32_t state, uint64_t n) {
    HD_INVARIANT(T1, n < hd_lifted_n_ready(&tree->at.at[state]));
    while (tree->at.at[state].kids.n) {
        const uint32_t *kid = tree->at.at[state].kids.at;
        for (; n >= hd_lifted_n_ready(&tree->at.at[*kid]); kid++)
            n -= hd_lifted_n_ready(&tree->at.at[*kid]);
        state = *kid;
    }
    return state;
}

/* *n: how many sequences were found. */
static bool is_right_below(const hd_lifted_tree *tree, uint32_t state, bool settled, uint64_t *n) {
    const hd_lifted *l = &tree->at.at[state];
    bool is_open = l->kind == PLANNED || l->kind == HD_LIFTED_KNOWN, is_right = true;
    settled |= l->is_free;
    *n = l->kind == PLANNED && !l->kids.n;
    for (size_t i = 0; i < l->kids.n; i++) {
        const hd_lifted *kid = &tree->at.at[l->kids.at[i]];
        uint64_t more;
        is_right &= is_right_below(tree, l->kids.at[i], settled, &more) && kid->place == i;
        *n += is_open ? more : 0;
        is_open &= kid->is_known;
        settled &= kid->kind == DONE;
    }
    bool is_kept = !(l->kind == DONE && settled && l->kids.n);
    return is_right && is_kept && *n == hd_lifted_n_ready(l);
}

bool hd_lifted_is_right(const hd_lifted_tree *tree, uint32_t root) {
    uint64_t n;
    return is_right_below(tree, root, true, &n);
}
