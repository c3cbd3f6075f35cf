/* One search after the other on an abstract machine, compared with what brute force knows (see
 * compare.h). */
#include "property/model/compare.h"
#include "base/hash.h"
#include "base/panic.h"

#include <stdarg.h>
#include <stdio.h>

bool wrong(comparison *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!to->why[0])
        vsnprintf(to->why, sizeof to->why, format, args);
    va_end(args);
    return false;
}

/* ---- Worlds --------------------------------------------------------------------------------- */

void world_open(world *w, const machine *m, const code *c, const hd_explorer_options *options) {
    hd_chain_options all = hd_chain_defaults();
    w->graph = hd_graph_new(false);
    w->variables = hd_variables_new();
    w->chain = c->n_inputs ? hd_chain_new(w->graph, w->variables, &all) : NULL;
    w->explorer = hd_explorer_new(w->graph, w->variables, w->chain, options);
    m->open(c, w->graph, w->variables);
}

void world_close(world *w) {
    hd_explorer_free(w->explorer);
    if (w->chain)
        hd_chain_free(w->chain);
    hd_variables_free(w->variables);
    hd_graph_free(w->graph);
}

/* Save, throw everything away, restore in a new world. */
static void move_house(world *w, const machine *m, const code *c,
                       const hd_explorer_options *options) {
    hd_text bytes = {0};
    hd_err err;
    hd_explorer_save(w->explorer, &bytes);
    world_close(w);
    world_open(w, m, c, options);
    HD_ASSERT(hd_explorer_restore(w->explorer, bytes.at, bytes.n, &err));
    hd_text_release(&bytes);
}

/* ---- One search ------------------------------------------------------------------------------ */

typedef struct search {
    comparison *to;
    const machine *machine;
    const code *code;
    known *known;
    hd_map *trace_of_hash; /* names of classes, over all searches of a program */
    hd_reduction reduction;
    bool is_exact;   /* runs every class once (`optimal`) or every execution at most once, and stops
                      * nothing (`dpor` may) */
    const char *how; /* for messages */
    uint64_t n_paths, n_classes, n_stopped, n_rejected;
    uint64_t n_moves, move_after;
    bool is_retry; /* the last execution only showed that a loop waits */
    bool is_anew;  /* what was run may be run and counted again */
} search;

static bool check_name(search *s, known_class *c, uint64_t hash) {
    uint64_t *trace = hd_map_find(s->trace_of_hash, hash);
    if (trace && *trace != c->trace)
        return wrong(s->to, "%s: one name for two classes", s->how);
    if (c->hash && c->hash != hash)
        return wrong(s->to, "%s: two names for one class", s->how);
    c->hash = hash;
    hd_map_put(s->trace_of_hash, hash, c->trace);
    return true;
}

static bool check_execution(search *s, const hd_explorer *x) {
    const history *h = s->machine->history();
    known_class *c = known_find(s->known, h->trace);
    uint64_t *n_run = hd_map_find(&s->known->n_run_of_sequence, h->sequence);
    bool is_once = s->is_exact && !s->is_anew;
    if (!c || !n_run || c->core != history_core(h))
        return wrong(s->to, "%s: an execution that does not exist", s->how);
    if (c->findings != h->findings ||
        (c->final_state != s->machine->final_state() && !s->code->n_inputs))
        return wrong(s->to, "%s: another end than by brute force", s->how);
    if ((*n_run)++ && is_once)
        return wrong(s->to, "%s: an execution is run twice", s->how);
    ++*hd_map_find(&s->known->n_run_of_core, c->core);
    s->n_classes += c->n_run == 0;
    if (c->n_run++ && s->reduction == HD_REDUCTION_OPTIMAL && is_once)
        return wrong(s->to, "%s: a class is run twice", s->how);
    return check_name(s, c, hd_explorer_class_hash(x));
}

static bool check_stopped(search *s, bool is_counted) {
    if (!is_counted) /* who was to go on had to wait after all */
        return s->machine->may_find_out_waits(s->code) ||
               wrong(s->to, "%s: stopped and not counted", s->how);
    s->n_stopped++;
    return s->reduction == HD_REDUCTION_DPOR || !s->is_exact ||
           wrong(s->to, "%s: an execution is stopped", s->how);
}

/* One call of next() that was answered with yes. */
static bool run_next(search *s, hd_explorer *x, hd_model *inputs) {
    hd_sink sink = hd_explorer_sink(x);
    hd_outcome outcome;
    bool counts = !hd_explorer_is_rebuilding(x);
    uint64_t n_redundant = hd_explorer_counted(x)->redundant;
    s->machine->run(&sink, inputs, &outcome);
    hd_explorer_done(x, &outcome, inputs);
    s->is_retry = outcome.end == HD_END_RETRY;
    if (!counts || s->is_retry)
        return true;
    switch (outcome.end) {
    case HD_END_REJECTED:
        s->n_rejected++;
        return true;
    case HD_END_STOPPED:
        return check_stopped(s, hd_explorer_counted(x)->redundant != n_redundant);
    default:
        s->n_paths++;
        return check_execution(s, x);
    }
}

/* Of a class that is run again `optimal` knows it only if there are decisions. */
static bool check_counters(const search *s, const hd_explorer_counters *c) {
    uint64_t n_run = s->n_paths + s->n_stopped + s->n_rejected;
    bool is_too_high = !s->is_exact && c->paths > s->n_classes;
    if ((c->paths == s->n_classes || is_too_high) &&
        ((c->redundant == s->n_stopped && c->executions == n_run) || !s->is_exact))
        return true;
    return wrong(s->to,
                 "%s: counts %llu classes, %llu redundant and %llu executions, not %llu, %llu "
                 "and %llu",
                 s->how, (unsigned long long)c->paths, (unsigned long long)c->redundant,
                 (unsigned long long)c->executions, (unsigned long long)s->n_classes,
                 (unsigned long long)s->n_stopped, (unsigned long long)n_run);
}

static bool check_none_missed(const search *s) {
    const known *k = s->known;
    size_t n_missed = 0;
    for (size_t i = 0; i < k->classes.n; i++)
        n_missed += *hd_map_find(&k->n_run_of_core, k->classes.at[i].core) == 0;
    return !n_missed ||
           wrong(s->to, "%s: %zu of %zu classes missed", s->how, n_missed, k->classes.n);
}

static bool check_totals(const search *s, const hd_explorer *x) {
    const known *k = s->known;
    uint64_t n_run = s->n_paths + s->n_stopped + s->n_rejected;
    if (!check_none_missed(s))
        return false;
    if (!hd_explorer_is_complete(x))
        return wrong(s->to, "%s: does not call itself complete", s->how);
    if (s->is_anew)
        return true;
    if (s->reduction == HD_REDUCTION_NONE && s->n_paths != k->prompt.n)
        return wrong(s->to, "%s: %llu of %zu executions", s->how, (unsigned long long)s->n_paths,
                     k->prompt.n);
    if (s->reduction != HD_REDUCTION_DPOR && s->is_exact &&
        n_run > k->n_run_of_sequence.n + k->rejected.n)
        return wrong(s->to, "%s: %llu executions, more than there are", s->how,
                     (unsigned long long)n_run);
    return check_counters(s, hd_explorer_counted(x));
}

static bool explore(search *s, const hd_explorer_options *options) {
    world w;
    hd_model inputs = {0};
    uint64_t most = 4 * s->known->n_ends + 100;
    bool is_right = true;
    known_forget_runs(s->known);
    world_open(&w, s->machine, s->code, options);
    for (uint64_t n = 1; is_right && hd_explorer_next(w.explorer, &inputs); n++) {
        is_right = run_next(s, w.explorer, &inputs) &&
                   (n < most || wrong(s->to, "%s: does not end", s->how));
        if (s->n_moves && n % s->move_after == 0) {
            s->n_moves--;
            s->is_anew |= s->is_retry;
            move_house(&w, s->machine, s->code, options);
        }
    }
    is_right = is_right && check_totals(s, w.explorer);
    world_close(&w);
    hd_model_release(&inputs);
    return is_right;
}

/* ---- A search in parts ------------------------------------------------------------------------
 */

/* After so many executions, on average.  A search is split so often at most: what parts of `dpor`
 * do twice becomes more with every split. */
enum { SPLIT_ONE_IN = 3, LEAVE_ONE_IN = 12, MOST_SPLITS = 12 };

typedef struct parts {
    search *search;
    const hd_explorer_options *options;
    world world;
    hd_vec(hd_text) waiting; /* journals */
    uint64_t random, generation, n_splits;
} parts;

static bool happens(parts *p, unsigned one_in) {
    return hd_random_next(&p->random) % one_in == 0;
}

/* Go on with any of the parts that wait. */
static void take_part(parts *p) {
    size_t i = hd_random_next(&p->random) % p->waiting.n;
    hd_text bytes = p->waiting.at[i];
    hd_err err;
    p->waiting.at[i] = p->waiting.at[--p->waiting.n];
    world_open(&p->world, p->search->machine, p->search->code, p->options);
    HD_ASSERT(hd_explorer_restore(p->world.explorer, bytes.at, bytes.n, &err));
    hd_text_release(&bytes);
}

/* The part under way waits, and another goes on; it may be one that was not begun yet. */
static void leave_part(parts *p) {
    hd_text bytes = {0};
    p->search->is_anew |= p->search->is_retry;
    hd_explorer_save(p->world.explorer, &bytes);
    hd_vec_push(&p->waiting, bytes);
    world_close(&p->world);
    take_part(p);
}

static bool split_part(parts *p) {
    hd_text bytes = {0};
    search *s = p->search;
    if (!hd_explorer_split(p->world.explorer, &bytes))
        return true;
    hd_vec_push(&p->waiting, bytes);
    s->to->n_parts++;
    p->n_splits++;
    return s->reduction != HD_REDUCTION_OPTIMAL || !s->is_exact ||
           wrong(s->to, "%s: is split", s->how);
}

/* A part that began anew is the whole search: what was run before does not count. */
static void drop_older_parts(parts *p) {
    if (hd_explorer_generation(p->world.explorer) == p->generation)
        return;
    p->generation = hd_explorer_generation(p->world.explorer);
    known_forget_runs(p->search->known);
    while (p->waiting.n)
        hd_text_release(&p->waiting.at[--p->waiting.n]);
}

/* What is left of the world's part, unless another is taken. */
static bool run_part(parts *p, uint64_t *n_left) {
    hd_model inputs = {0};
    search *s = p->search;
    bool is_right = true;
    while (is_right && hd_explorer_next(p->world.explorer, &inputs)) {
        drop_older_parts(p);
        is_right = run_next(s, p->world.explorer, &inputs) &&
                   (--*n_left || wrong(s->to, "%s: does not end", s->how));
        if (is_right && p->n_splits < MOST_SPLITS && happens(p, SPLIT_ONE_IN))
            is_right = split_part(p);
        if (is_right && p->waiting.n && happens(p, LEAVE_ONE_IN))
            leave_part(p);
    }
    hd_model_release(&inputs);
    return is_right && (hd_explorer_is_complete(p->world.explorer) ||
                        wrong(s->to, "%s: a part does not call itself complete", s->how));
}

static bool explore_in_parts(search *s, const hd_explorer_options *options) {
    uint64_t n_left = 100 * s->known->n_ends + 1000;
    parts p = {.search = s, .options = options, .random = s->known->n_ends + s->reduction};
    known_forget_runs(s->known);
    world_open(&p.world, s->machine, s->code, options);
    bool is_right = run_part(&p, &n_left);
    world_close(&p.world);
    while (is_right && p.waiting.n) {
        take_part(&p);
        is_right = run_part(&p, &n_left);
        world_close(&p.world);
    }
    for (size_t i = 0; i < p.waiting.n; i++)
        hd_text_release(&p.waiting.at[i]);
    hd_vec_release(&p.waiting);
    if (!is_right || !check_none_missed(s))
        return false;
    return s->reduction != HD_REDUCTION_NONE || s->is_anew || s->n_paths == s->known->prompt.n ||
           wrong(s->to, "%s: %llu of %zu executions", s->how, (unsigned long long)s->n_paths,
                 s->known->prompt.n);
}

/* A part may run what another has, unless it is exact. */
static bool is_exact(const comparison *to, const machine *m, const code *c,
                     hd_reduction reduction) {
    if (to->splits && reduction != HD_REDUCTION_NONE && reduction != HD_REDUCTION_OPTIMAL)
        return false;
    return !m->is_foreseeable || m->is_foreseeable(c, reduction);
}

/* ---- All searches ------------------------------------------------------------------------------
 */

static void count_search(comparison *to, const search *s, bool moves) {
    if (!moves)
        to->n_runs[s->reduction] += s->n_paths + s->n_stopped + s->n_rejected;
    bool is_anew = moves && s->machine->may_find_out_waits(s->code);
    if (s->is_exact || s->reduction != HD_REDUCTION_OPTIMAL || is_anew)
        return;
    to->n_classes += s->n_classes;
    to->n_extra += s->n_paths - s->n_classes + s->n_stopped;
}

bool compare_known(comparison *to, const machine *m, const code *c, known *k) {
    hd_map trace_of_hash = {0};
    bool is_right = true;
    m->reset();
    for (unsigned variant = 0; variant < 2 * HD_N_REDUCTIONS && is_right; variant++) {
        hd_reduction reduction = variant / 2;
        bool moves = variant % 2;
        char how[64];
        if (!(to->variants >> variant & 1))
            continue;
        snprintf(how, sizeof how, "%s%s", hd_reduction_name(reduction),
                 to->splits ? ", in parts"
                 : moves    ? ", resumed"
                            : "");
        search s = {.to = to,
                    .machine = m,
                    .code = c,
                    .known = k,
                    .trace_of_hash = &trace_of_hash,
                    .is_anew = m->may_begin_anew(c),
                    .reduction = reduction,
                    .is_exact = is_exact(to, m, c, reduction),
                    .how = how,
                    .n_moves = moves ? 2 : 0,
                    .move_after = 1 + k->classes.n / 3};
        hd_explorer_options options = {
            .strategy = HD_STRATEGY_DFS, .is_threaded = true, .reduction = reduction};
        is_right = to->splits ? explore_in_parts(&s, &options) : explore(&s, &options);
        count_search(to, &s, moves);
    }
    hd_map_release(&trace_of_hash);
    return is_right;
}

answer compare_program(comparison *to, const machine *m, const code *c) {
    known k = {.limit = to->limit};
    answer result = NOT_CHECKED;
    m->collect(&k, c);
    if (k.is_wrong)
        result = wrong(to, "the model is wrong: one trace, two ends") ? RIGHT : WRONG;
    else if (!k.is_beyond && k.n_run_of_sequence.n >= m->few_executions)
        result = compare_known(to, m, c, &k) ? RIGHT : WRONG;
    known_release(&k);
    return result;
}
