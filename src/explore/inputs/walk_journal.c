/* What is left of a tree, as bytes: the runs that have open ways, and at which depths. */
#include "explore/inputs/walk.h"

#include "base/panic.h"

#include <stdlib.h>

/* ---- saving ---- */

/* Open ways grouped by run, runs in the order of their first entry in the frontier. */
typedef hd_vec(hd_saved_way) saved_ways;
typedef struct grouping {
    const hd_walk *walk;
    hd_map group_of_run;
    hd_vec(uint32_t) runs;
    hd_vec(saved_ways) ways;
} grouping;

static void group_entry(void *context, hd_entry e, enum hd_rank rank) {
    grouping *g = context;
    const hd_tree_node *node = hd_tree_at(&g->walk->tree, e.node);
    HD_ASSERT(rank < HD_N_RANKS);
    if (node->serial != e.serial || node->state[e.way] != HD_WAY_OPEN)
        return;
    const uint64_t *known = hd_map_find(&g->group_of_run, node->run);
    size_t group = known ? *known : g->runs.n;
    if (!known) {
        hd_map_put(&g->group_of_run, node->run, group);
        hd_vec_push(&g->runs, node->run);
        hd_vec_push(&g->ways, (saved_ways){0});
    }
    HD_ASSERT(group < g->ways.n && node->depth == e.depth);
    hd_vec_push(&g->ways.at[group], ((hd_saved_way){node->depth, (uint32_t)rank}));
}

static void save_run(const hd_walk *w, const hd_model *model, const hd_saved_way *ways, size_t n,
                     hd_text *out) {
    hd_journal_save_model(w->x, model, out);
    hd_pack_short(out, n);
    for (size_t i = 0; i < n; i++)
        hd_pack_short(out, (uint64_t)ways[i].depth * HD_N_RANKS + ways[i].rank);
}

static void save_groups(const grouping *g, hd_text *out) {
    for (size_t i = 0; i < g->runs.n; i++)
        save_run(g->walk, hd_runs_model(&g->walk->x->runs, g->runs.at[i]), g->ways.at[i].at,
                 g->ways.at[i].n, out);
}

static uint64_t n_grouped(const grouping *g) {
    uint64_t n = 0;
    for (size_t i = 0; i < g->ways.n; i++)
        n += g->ways.at[i].n;
    return n;
}

static void release_groups(grouping *g) {
    for (size_t i = 0; i < g->ways.n; i++)
        hd_vec_release(&g->ways.at[i]);
    hd_vec_release(&g->ways);
    hd_vec_release(&g->runs);
    hd_map_release(&g->group_of_run);
}

/* Runs that were loaded and not rebuilt yet are saved as they came. */
static void save_pending(const hd_walk *w, hd_text *out) {
    for (size_t i = w->n_rebuilt; i < w->saved.n; i++) {
        const hd_saved_run *run = &w->saved.at[i];
        save_run(w, &run->model, run->ways.at, run->ways.n, out);
    }
}

static void save_assumed(const hd_walk *w, hd_text *out) {
    hd_journal_save_exprs(w->x->graph, w->assumed.at.at, (uint32_t)w->assumed.at.n, out);
}

void hd_walk_save(const void *search, hd_text *out) {
    const hd_walk *w = search;
    HD_INVARIANT(S1, !w->has_plan);
    grouping g = {.walk = w};
    hd_frontier_each(w->frontier, group_entry, &g);
    HD_INVARIANT(S2, n_grouped(&g) == w->tree.n_open);
    save_assumed(w, out);
    hd_journal_save_keys(&w->seen_ways, out);
    hd_pack_u32(out, (uint32_t)(g.runs.n + w->saved.n - w->n_rebuilt));
    save_groups(&g, out);
    save_pending(w, out);
    release_groups(&g);
}

/* ---- restoring ---- */

#define LEAST_RUN 2 /* bytes: how many inputs it has, and how many ways */

static void restore_assumed(hd_walk *w, hd_unpack *u, const hd_renaming *names) {
    hd_exprs conditions = {0};
    hd_journal_restore_exprs(w->x, u, names, &conditions);
    if (hd_unpack_ok(u))
        hd_walk_assume(w, conditions.at, (uint32_t)conditions.n);
    hd_vec_release(&conditions);
}

static void restore_run(hd_walk *w, hd_unpack *u, const hd_renaming *names) {
    hd_saved_run run = {0};
    hd_journal_restore_model(w->x, u, names, &run.model);
    for (uint64_t n = hd_unpack_short(u); n > 0 && hd_unpack_ok(u); n--) {
        uint64_t way = hd_unpack_short(u), depth = way / HD_N_RANKS;
        u->failed |= depth > UINT32_MAX;
        hd_vec_push(&run.ways, ((hd_saved_way){(uint32_t)depth, (uint32_t)(way % HD_N_RANKS)}));
    }
    hd_vec_push(&w->saved, run);
    w->n_saved_ways += run.ways.n;
    w->x->counters.open = w->n_saved_ways;
}

void hd_walk_restore(void *search, hd_unpack *u, const hd_renaming *names) {
    hd_walk *w = search;
    restore_assumed(w, u, names);
    hd_journal_restore_keys(&w->seen_ways, u);
    uint32_t n_runs = hd_unpack_count(u, LEAST_RUN);
    for (uint32_t i = 0; i < n_runs && hd_unpack_ok(u); i++)
        restore_run(w, u, names);
}

/* ---- splitting ---- */

/* An open way: of the tree, or of a run that was not rebuilt yet. */
typedef struct open_way {
    uint32_t depth;
    size_t number;  /* of all: how they are ordered if they are as deep */
    hd_entry entry; /* of the tree, ... */
    enum hd_rank rank;
    size_t run, nth; /* ... or of saved[run].ways[nth] */
    bool is_saved;
} open_way;

typedef struct splitting {
    const hd_walk *walk;
    hd_vec(open_way) ways;
} splitting;

static void collect_entry(void *context, hd_entry e, enum hd_rank rank) {
    splitting *s = context;
    if (!hd_walk_is_stale(s->walk, e))
        hd_vec_push(&s->ways,
                    ((open_way){.depth = e.depth, .number = s->ways.n, .entry = e, .rank = rank}));
}

static void collect(splitting *s) {
    const hd_walk *w = s->walk;
    hd_frontier_each(w->frontier, collect_entry, s);
    for (size_t i = w->n_rebuilt; i < w->saved.n; i++)
        for (size_t k = 0; k < w->saved.at[i].ways.n; k++)
            hd_vec_push(&s->ways, ((open_way){.depth = w->saved.at[i].ways.at[k].depth,
                                              .number = s->ways.n,
                                              .run = i,
                                              .nth = k,
                                              .is_saved = true}));
}

static int by_depth(const void *a, const void *b) {
    const open_way *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Back into the order of the frontier and of the saved runs: from the last one, so that numbers of
 * saved ways stay what they are while some are taken out. */
static int by_number_downwards(const void *a, const void *b) {
    const open_way *x = a, *y = b;
    return x->number > y->number ? -1 : x->number < y->number;
}

static void save_parts_of_saved(const hd_walk *w, const splitting *s, size_t n, hd_text *out) {
    for (size_t i = n; i-- > 0;) {
        const open_way *way = &s->ways.at[i];
        if (!way->is_saved)
            continue;
        const hd_saved_run *run = &w->saved.at[way->run];
        save_run(w, &run->model, &run->ways.at[way->nth], 1, out);
    }
}

static void take_out(hd_walk *w, const open_way *way) {
    if (!way->is_saved) {
        hd_walk_close(w, way->entry.node, way->entry.way);
        return;
    }
    hd_saved_run *run = &w->saved.at[way->run];
    HD_INVARIANT(S3, way->run >= w->n_rebuilt && way->nth < run->ways.n && w->n_saved_ways > 0);
    run->ways.n--;
    for (size_t i = way->nth; i < run->ways.n; i++)
        run->ways.at[i] = run->ways.at[i + 1];
    w->n_saved_ways--;
}

/* The first n ways. */
static void hand_over(hd_walk *w, const splitting *s, size_t n, hd_text *out) {
    grouping g = {.walk = w};
    size_t n_saved = 0;
    for (size_t i = n; i-- > 0;) {
        n_saved += s->ways.at[i].is_saved;
        if (!s->ways.at[i].is_saved)
            group_entry(&g, s->ways.at[i].entry, s->ways.at[i].rank);
    }
    HD_INVARIANT(S3, n_grouped(&g) + n_saved == n);
    save_assumed(w, out);
    hd_journal_save_keys(&w->seen_ways, out);
    hd_pack_u32(out, (uint32_t)(g.runs.n + n_saved));
    w->x->n_to_repeat += g.runs.n + n_saved;
    save_groups(&g, out);
    save_parts_of_saved(w, s, n, out);
    release_groups(&g);
    for (size_t i = 0; i < n; i++)
        take_out(w, &s->ways.at[i]);
    HD_INVARIANT(S3, w->tree.n_open + w->n_saved_ways == s->ways.n - n);
    w->x->counters.open = w->tree.n_open + w->n_saved_ways;
}

#define BY_ITSELF 64 /* ways that have about all that is left, if it goes depth first */

/* A saved run has no number among runs yet. */
static uint64_t run_of(const hd_walk *w, const open_way *way) {
    return way->is_saved ? (uint64_t)way->run << 32 : hd_tree_at(&w->tree, way->entry.node)->run;
}

/* Does the i-th way go?  Beyond the first ones all ways of a run go or stay: each run of which some
 * go is executed once more by who gets them, and where open ways are many each has few left. */
static bool goes(const splitting *s, size_t i, hd_map *sides, bool *turn) {
    uint64_t run = run_of(s->walk, &s->ways.at[i]);
    const uint64_t *side = i < BY_ITSELF ? NULL : hd_map_find(sides, run);
    if (side)
        return *side;
    bool yes = (*turn = !*turn);
    hd_map_put(sides, run, yes);
    return yes;
}

/* Every second way, from the shallowest on, to the front: how many.  Depth first the shallowest has
 * about half of all that is left, the next a quarter: the shallower half of the ways would be
 * nearly all of it, and who gives it away would have nothing to do soon. */
static size_t choose_ways(splitting *s) {
    hd_map sides = {0};
    size_t n = 0;
    bool turn = false;
    qsort(s->ways.at, s->ways.n, sizeof *s->ways.at, by_depth);
    for (size_t i = 0; i + 1 < s->ways.n; i++) { /* the deepest stays */
        open_way way = s->ways.at[i];
        if (!goes(s, i, &sides, &turn))
            continue;
        s->ways.at[i] = s->ways.at[n];
        s->ways.at[n++] = way;
    }
    hd_map_release(&sides);
    HD_ASSERT(s->ways.n < 2 || (n > 0 && n < s->ways.n));
    return n;
}

/* A run of which ways may go, and how many executions are expected behind these. */
typedef struct given_run {
    double n;
    size_t number; /* in the order in which they were found, */
    size_t rank;   /* and from the one that has most behind it */
} given_run;
typedef struct given_runs {
    hd_map of_run; /* where in `at` */
    hd_vec(given_run) at;
} given_runs;

static given_run *given_run_of(given_runs *c, uint64_t run) {
    const uint64_t *known = hd_map_find(&c->of_run, run);
    size_t i = known ? *known : c->at.n;
    if (!known) {
        hd_map_put(&c->of_run, run, i);
        hd_vec_push(&c->at, ((given_run){.number = i}));
    }
    return &c->at.at[i];
}

static int by_most(const void *a, const void *b) {
    const given_run *x = a, *y = b;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_order(const void *a, const void *b) {
    const given_run *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Of a depth that nothing is known of there may be anything. */
static given_runs find_given_runs(const splitting *s, size_t n) {
    given_runs c = {0};
    double much = s->walk->x->worth.least + 2;
    for (size_t i = 0; i < n; i++)
        given_run_of(&c, run_of(s->walk, &s->ways.at[i]))->n +=
            hd_subtrees_behind(&s->walk->subtrees, s->ways.at[i].depth, much);
    qsort(c.at.at, c.at.n, sizeof *c.at.at, by_most);
    for (size_t i = 0; i < c.at.n; i++)
        c.at.at[i].rank = i;
    qsort(c.at.at, c.at.n, sizeof *c.at.at, by_order);
    return c;
}

/* Who repeats an execution for one new one is no help. */
static bool is_worthy(const hd_worth *worth, const given_run *c) {
    return !worth->least || (c->n >= 2 && c->rank < worth->most_repeated);
}

static double expect(const hd_worth *worth, const given_runs *c) {
    double n = 0;
    for (size_t i = 0; i < c->at.n; i++)
        n += is_worthy(worth, &c->at.at[i]) ? c->at.at[i].n : 0;
    return n;
}

/* Of the first n ways those of runs that are worth repeating, to the front: how many.  None if they
 * are not worth it together. */
static size_t choose_worthy(splitting *s, size_t n) {
    const hd_worth *worth = &s->walk->x->worth;
    given_runs c = find_given_runs(s, n);
    bool is_enough = expect(worth, &c) >= worth->least;
    size_t n_worthy = 0;
    for (size_t i = 0; i < n && is_enough; i++) {
        open_way way = s->ways.at[i];
        if (!is_worthy(worth, given_run_of(&c, run_of(s->walk, &way))))
            continue;
        s->ways.at[i] = s->ways.at[n_worthy];
        s->ways.at[n_worthy++] = way;
    }
    hd_map_release(&c.of_run);
    hd_vec_release(&c.at);
    return n_worthy;
}

bool hd_walk_split(void *search, hd_text *out) {
    hd_walk *w = search;
    HD_INVARIANT(S1, !w->has_plan);
    splitting s = {.walk = w};
    collect(&s);
    HD_INVARIANT(S2, s.ways.n == w->tree.n_open + w->n_saved_ways);
    size_t n = s.ways.n ? choose_worthy(&s, choose_ways(&s)) : 0;
    if (n) {
        qsort(s.ways.at, n, sizeof *s.ways.at, by_number_downwards);
        hand_over(w, &s, n, out);
    }
    hd_vec_release(&s.ways);
    return n > 0;
}

/* ---- nothing of a tree of inputs is ever in common: its parts are handed over ---- */

void hd_walk_save_rounds(const void *search, hd_text *out) {
    (void)search, (void)out;
}

void hd_walk_begin_anew(void *search) {
    (void)search;
    HD_BUG("nothing is found out about a program without threads");
}

void hd_walk_take_classes(void *search, hd_text *out) {
    hd_walk *w = search;
    for (size_t i = 0; i < w->names.n; i++)
        hd_pack_u64(out, w->names.at[i]);
    hd_vec_clear(&w->names);
}

void hd_walk_take_races(void *search, hd_text *out) {
    (void)search, (void)out;
}

bool hd_walk_lift(void *search, hd_text *out) {
    (void)search, (void)out;
    return false;
}

void hd_walk_take_asked(void *search, hd_text *out) {
    (void)search, (void)out;
}

void hd_walk_save_followed(const void *search, hd_text *out) {
    (void)search, (void)out;
}

void hd_walk_save_context(const void *search, hd_text *out) {
    (void)search, (void)out;
}

bool hd_walk_begin_unit(void *search, hd_unpack *path) {
    (void)search, (void)path;
    return false;
}
