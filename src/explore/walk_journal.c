/* What is left of a tree, as bytes: the runs that have open ways, and at which depths. */
#include "explore/walk.h"

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
    if (node->serial != e.serial || node->state[e.way] != HD_WAY_OPEN)
        return;
    const uint64_t *known = hd_map_find(&g->group_of_run, node->run);
    size_t group = known ? *known : g->runs.n;
    if (!known) {
        hd_map_put(&g->group_of_run, node->run, group);
        hd_vec_push(&g->runs, node->run);
        hd_vec_push(&g->ways, (saved_ways){0});
    }
    hd_vec_push(&g->ways.at[group], ((hd_saved_way){node->depth, (uint32_t)rank}));
}

static void save_groups(const grouping *g, hd_text *out) {
    for (size_t i = 0; i < g->runs.n; i++) {
        hd_journal_save_model(g->walk->x, hd_runs_model(&g->walk->x->runs, g->runs.at[i]), out);
        hd_pack_u32(out, (uint32_t)g->ways.at[i].n);
        for (size_t j = 0; j < g->ways.at[i].n; j++) {
            hd_pack_u32(out, g->ways.at[i].at[j].depth);
            hd_pack_u32(out, g->ways.at[i].at[j].rank);
        }
    }
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
        hd_journal_save_model(w->x, &run->model, out);
        hd_pack_u32(out, (uint32_t)run->ways.n);
        for (size_t j = 0; j < run->ways.n; j++) {
            hd_pack_u32(out, run->ways.at[j].depth);
            hd_pack_u32(out, run->ways.at[j].rank);
        }
    }
}

void hd_walk_save(const void *search, hd_text *out) {
    const hd_walk *w = search;
    grouping g = {.walk = w};
    hd_frontier_each(w->frontier, group_entry, &g);
    hd_journal_save_keys(&w->seen_ways, out);
    hd_pack_u32(out, (uint32_t)(g.runs.n + w->saved.n - w->n_rebuilt));
    save_groups(&g, out);
    save_pending(w, out);
    release_groups(&g);
}

/* ---- restoring ---- */

static void restore_run(hd_walk *w, hd_unpack *u, const hd_renaming *names) {
    hd_saved_run run = {0};
    hd_journal_restore_model(w->x, u, names, &run.model);
    uint32_t n = hd_unpack_count(u, 8);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t depth = hd_unpack_u32(u);
        uint32_t rank = hd_unpack_u32(u);
        if (rank >= HD_N_RANKS)
            u->failed = true;
        hd_vec_push(&run.ways, ((hd_saved_way){depth, rank}));
    }
    hd_vec_push(&w->saved, run);
    w->n_saved_ways += run.ways.n;
    w->x->counters.open = w->n_saved_ways;
}

void hd_walk_restore(void *search, hd_unpack *u, const hd_renaming *names) {
    hd_walk *w = search;
    hd_journal_restore_keys(&w->seen_ways, u);
    uint32_t n_runs = hd_unpack_count(u, 8);
    for (uint32_t i = 0; i < n_runs && hd_unpack_ok(u); i++)
        restore_run(w, u, names);
}
