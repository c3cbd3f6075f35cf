/* A part of a search through orders, for another search: its shallowest choice.
 *
 * The part is the whole path with one choice left: one thread of a state, or the other way of a
 * decision.  Everything else is left here, where that choice counts as tried from now on.  The
 * other search runs the path once again, goes to its choice, and is a search like any other from
 * there on.
 *
 * What it may rely on: whatever begins like this path is explored here.  So the thread of the path
 * sleeps there, as it would here; but nobody sleeps here for the part, because siblings must not
 * wait for each other in a circle.  What a race there could ask of a state of the path has to be
 * done somewhere.  `none` has all of it in any case.  With `flip` and `message` all threads of
 * these states are tried here, whether a race asks for them or not: there are few, because the
 * shallowest choice is given.  With `dpor` it is done there, even if it is asked for here too.  So
 * no class is lost, and some are run more often than without a split, which reductions allow that
 * do not run every class once.  `optimal` is shared in other ways (lift.h, restrict.h).
 *
 * A search that must start anew (a loop turned out to be waiting) does so from the beginning of the
 * program, also if it is a part: the other parts are void then (hd_explorer_generation). */
#include "explore/orders/reduction.h"
#include "explore/orders/restrict.h"

#include "base/panic.h"

/* The path as it is there. */
typedef struct part {
    hd_vec(hd_weave_node) nodes;
    hd_vec(hd_decision) decisions;
} part;

/* A choice of the path: decision `number`, or a thread of the state before event `number`. */
typedef struct split_choice {
    uint32_t number;
    bool is_decision, is_found;
} split_choice;

/* Decisions come before the event that follows them (V1). */
static split_choice find_shallowest(const hd_weave *w) {
    uint32_t d = 0, n = (uint32_t)w->decisions.n;
    for (uint32_t e = 0; e <= w->log.at.n; e++) {
        for (; d < n && w->decisions.at[d].at <= e; d++)
            if (w->decisions.at[d].is_open)
                return (split_choice){.number = d, .is_decision = true, .is_found = true};
        if (e < w->log.at.n && hd_reduce_has_next(w, e) &&
            !hd_set_is_empty(hd_reduce_candidates(w, &w->nodes.at[e], e)))
            return (split_choice){.number = e, .is_found = true};
    }
    return (split_choice){.is_found = false};
}

/* The path with nothing left. */
static void copy_path(const hd_weave *w, part *p) {
    for (uint32_t e = 0; e < w->log.at.n; e++) {
        hd_vec_push(&p->nodes, w->nodes.at[e]);
        w->rules->leave(&p->nodes.at[e]);
        HD_INVARIANT(S3, hd_set_is_empty(hd_reduce_candidates(w, &p->nodes.at[e], e)));
    }
    for (size_t i = 0; i < w->decisions.n; i++) {
        hd_vec_push(&p->decisions, w->decisions.at[i]);
        hd_decision_close(&p->decisions.at[i]);
    }
}

/* How many choices the path has left, in the states of `nodes`. */
static size_t count_left(const hd_weave *w, const hd_weave_node *nodes,
                         const hd_decision *decisions) {
    size_t n = 0;
    for (uint32_t e = 0; e < w->log.at.n; e++)
        n += hd_set_count(hd_reduce_candidates(w, &nodes[e], e));
    for (size_t i = 0; i < w->decisions.n; i++)
        n += decisions[i].is_open;
    return n;
}

/* The choice is there, and not here. */
static void give(hd_weave *w, split_choice c, part *there) {
    if (c.is_decision) {
        there->decisions.at[c.number] = w->decisions.at[c.number];
        hd_decision_close(&w->decisions.at[c.number]);
        return;
    }
    hd_weave_node *here = &w->nodes.at[c.number];
    HD_INVARIANT(S3, !hd_set_is_empty(hd_reduce_candidates(w, here, c.number)));
    uint32_t thread = hd_set_first(hd_reduce_candidates(w, here, c.number));
    w->rules->give(here, &there->nodes.at[c.number], thread);
}

/* The states that both have: those up to the choice. */
static void keep_common(hd_weave *w, split_choice c) {
    uint32_t n = c.is_decision ? w->decisions.at[c.number].at : c.number + 1;
    for (uint32_t e = 0; e < n; e++)
        w->rules->keep(&w->nodes.at[e]);
}

/* Not given after all. */
static void give_back(hd_weave *w, split_choice c, hd_weave_node node, hd_decision decision) {
    if (c.is_decision)
        w->decisions.at[c.number] = decision;
    else
        w->nodes.at[c.number] = node;
}

static void save_part(const hd_weave *w, const part *p, hd_text *out) {
    hd_weave_view view = {.nodes = p->nodes.at,
                          .decisions = p->decisions.at,
                          .n_nodes = (uint32_t)p->nodes.n,
                          .n_decisions = (uint32_t)p->decisions.n};
    hd_weave_save_part(w, &view, out);
}

static bool hand_over(hd_weave *w, split_choice c, hd_text *out) {
    part there = {0};
    hd_weave_node node = c.is_decision ? (hd_weave_node){0} : w->nodes.at[c.number];
    hd_decision decision = c.is_decision ? w->decisions.at[c.number] : (hd_decision){0};
    size_t n_left = count_left(w, w->nodes.at, w->decisions.at);
    copy_path(w, &there);
    give(w, c, &there);
    HD_INVARIANT(S3, count_left(w, there.nodes.at, there.decisions.at) == 1);
    HD_INVARIANT(S3, count_left(w, w->nodes.at, w->decisions.at) + 1 == n_left);
    bool is_left = hd_weave_has_open(w); /* S3: what is given is not left here any more */
    if (is_left) {
        keep_common(w, c);
        save_part(w, &there, out);
    } else
        give_back(w, c, node, decision);
    HD_INVARIANT(S3, hd_weave_has_open(w)); /* something is left here, or all of it */
    hd_vec_release(&there.nodes);
    hd_vec_release(&there.decisions);
    return is_left;
}

bool hd_weave_split(void *search, hd_text *out) {
    hd_weave *w = search;
    if (!w->rules->give)
        return hd_restrict_split(w, out);
    if (w->state != HD_WEAVE_READY)
        return false;
    split_choice c = find_shallowest(w);
    return c.is_found && hand_over(w, c, out);
}
