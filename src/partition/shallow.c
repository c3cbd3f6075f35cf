#include "partition/shallow.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/panic.h"
#include "partition/part_file.h"

#include <stdlib.h>
#include <string.h>

/* A path, and which way each of its decisions went: '0' for true, so that these come first. */
typedef struct seen_path {
    hd_text ways;
    hd_conditions conditions;
    bool is_deep;
} seen_path;

typedef struct shallow_search {
    hd_graph *graph;
    const hd_names *names;
    uint32_t depth;
    hd_shallow *out;
    hd_sink sink; /* of the explorer, which is told everything */
    hd_vec(seen_path) paths;
    hd_map is_writable; /* by condition */
    hd_map is_assumed;
    /* The execution under way, as the explorer counts its decisions (explore/inputs/walk.c). */
    seen_path now;
    hd_map decided, checked;
    uint32_t n_decisions;
    bool goes_on; /* there are more decisions than the depth */
} shallow_search;

/* ---- one execution ---- */

static bool is_writable(shallow_search *s, hd_expr e) {
    uint64_t *known = hd_map_find(&s->is_writable, e);
    if (known)
        return *known;
    bool is_it = hd_condition_is_writable(s->names, e);
    hd_map_put(&s->is_writable, e, is_it);
    return is_it;
}

/* Conditions one by one: those that cannot be written make the path a larger one. */
static void note_condition(shallow_search *s, hd_expr e) {
    hd_conditions atoms = {0};
    hd_conditions_add(s->graph, &atoms, e);
    for (size_t i = 0; i < atoms.n; i++) {
        if (is_writable(s, atoms.at[i]))
            hd_vec_push(&s->now.conditions, atoms.at[i]);
        else
            s->out->n_left_out++;
    }
    hd_vec_release(&atoms);
}

static void note_assumed(shallow_search *s, hd_expr e) {
    if (hd_map_find(&s->is_assumed, e))
        return;
    hd_map_put(&s->is_assumed, e, 1);
    hd_conditions_add(s->graph, &s->out->assumed, e);
}

/* Does an earlier decision say it already? */
static bool is_decided(shallow_search *s, uint32_t site, hd_expr condition, hd_expr e,
                       hd_branch_kind kind) {
    uint64_t check = hd_hash_add(site, condition) & INT64_MAX;
    if (hd_map_find(&s->decided, e) || (kind == HD_BRANCH_CHECK && hd_map_find(&s->checked, check)))
        return true;
    if (kind == HD_BRANCH_CHECK)
        hd_map_put(&s->checked, check, 1);
    else
        hd_map_put(&s->decided, e, 1);
    return false;
}

static void note_decision(void *context, uint32_t site, hd_expr condition, bool taken,
                          hd_branch_kind kind) {
    shallow_search *s = context;
    s->sink.branch(s->sink.context, site, condition, taken, kind);
    hd_expr e = taken ? condition : hd_expr_not(s->graph, condition);
    if (s->n_decisions == s->depth) {
        s->goes_on = true;
        return;
    }
    if (is_decided(s, site, condition, e, kind))
        return;
    s->n_decisions++;
    hd_text_add(&s->now.ways, kind == HD_BRANCH_CHECK || taken ? "0" : "1");
    if (kind == HD_BRANCH_ASSUME && taken)
        note_assumed(s, e);
    else if (kind != HD_BRANCH_CHECK)
        note_condition(s, e);
}

static void release_path(seen_path *p) {
    hd_text_release(&p->ways);
    hd_vec_release(&p->conditions);
}

/* A rejected execution is no path, unless it went on behind the depth. */
static void note_end(shallow_search *s, const hd_outcome *outcome) {
    s->now.is_deep = s->n_decisions == s->depth;
    if (s->n_decisions > s->out->longest)
        s->out->longest = s->n_decisions;
    if (outcome->end == HD_END_REJECTED && !s->goes_on)
        release_path(&s->now);
    else
        hd_vec_push(&s->paths, s->now);
    s->now = (seen_path){0};
    s->n_decisions = 0;
    s->goes_on = false;
    hd_map_clear(&s->decided);
    hd_map_clear(&s->checked);
    s->out->n_executions++;
}

/* ---- all of them ---- */

static int by_ways(const void *a, const void *b) {
    const seen_path *x = a, *y = b;
    int order = strcmp(hd_text_string(&x->ways), hd_text_string(&y->ways));
    return order ? order
                 : (x->conditions.n > y->conditions.n) - (x->conditions.n < y->conditions.n);
}

/* Paths that differ in checks only, or in what was left out, are one. */
static void keep_path(hd_division *to, hd_map *seen, seen_path *p) {
    uint64_t h = hd_hash_bytes(1, p->conditions.at, p->conditions.n * sizeof *p->conditions.at);
    if (hd_map_find(seen, h & INT64_MAX)) {
        hd_vec_release(&p->conditions);
        return;
    }
    hd_map_put(seen, h & INT64_MAX, 1);
    hd_vec_push(to, p->conditions);
    p->conditions = (hd_conditions){0};
}

static void sort_out(shallow_search *s) {
    hd_map deep = {0}, ended = {0};
    if (s->paths.n)
        qsort(s->paths.at, s->paths.n, sizeof *s->paths.at, by_ways);
    for (size_t i = 0; i < s->paths.n; i++) {
        seen_path *p = &s->paths.at[i];
        HD_INVARIANT(H1, i + 1 == s->paths.n || by_ways(p, p + 1) <= 0);
        keep_path(p->is_deep ? &s->out->deep : &s->out->ended, p->is_deep ? &deep : &ended, p);
        hd_text_release(&p->ways);
    }
    hd_map_release(&deep);
    hd_map_release(&ended);
    hd_vec_release(&s->paths);
}

static void release(shallow_search *s) {
    hd_map_release(&s->is_writable);
    hd_map_release(&s->is_assumed);
    hd_map_release(&s->decided);
    hd_map_release(&s->checked);
}

bool hd_shallow_explore(hd_executor executor, hd_explorer *explorer, const hd_names *names,
                        uint32_t depth, double deadline, hd_shallow *out, hd_err *err) {
    *out = (hd_shallow){0};
    shallow_search s = {.graph = names->graph,
                        .names = names,
                        .depth = depth,
                        .out = out,
                        .sink = hd_explorer_sink(explorer)};
    hd_sink sink = {.context = &s, .branch = note_decision};
    hd_model model = {0};
    hd_outcome outcome;
    while (s.paths.n <= HD_MOST_PATHS && !(deadline > 0 && hd_clock_now() >= deadline) &&
           hd_explorer_next(explorer, &model)) {
        executor.run(executor.context, &model, &sink, &outcome);
        hd_explorer_done(explorer, &outcome, &model);
        note_end(&s, &outcome);
    }
    bool are_too_many = s.paths.n > HD_MOST_PATHS,
         is_late = deadline > 0 && hd_clock_now() >= deadline;
    hd_model_release(&model);
    sort_out(&s);
    release(&s);
    if (is_late) {
        hd_err_set(err, "the time is over before the program is divided");
        return hd_err_hint(err, "give it more with '--max-time', or a smaller '--shallow-depth'");
    }
    if (!are_too_many)
        return true;
    hd_err_set(err, "the program has more than %u paths of at most %u decisions", HD_MOST_PATHS,
               depth);
    return hd_err_hint(err, "divide it by fewer with '--shallow-depth N'");
}

void hd_shallow_release(hd_shallow *s) {
    hd_division_release(&s->deep);
    hd_division_release(&s->ended);
    hd_vec_release(&s->assumed);
}
