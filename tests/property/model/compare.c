/* One search after the other on an abstract machine, compared with what brute force knows (see
 * compare.h). */
#include "property/model/compare.h"
#include "base/hash.h"
#include "base/panic.h"
#include "fleet/coordinator.h"
#include "fleet/turns.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

/* An execution as brute force knows it. */
typedef struct execution {
    uint64_t trace, sequence;
    bool is_named; /* others may run it too: it counts once by its name */
} execution;
typedef hd_vec(execution) executions;

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
    uint64_t n_counted; /* executions that count */
    uint64_t n_moves, move_after;
    uint64_t anew_after; /* so many executions it begins anew, and in the middle of a sequence after
                          * that; 0: it does not */
    bool is_retry;       /* the last execution only showed that a loop waits */
    bool was_cut;        /* the last execution is none: it was not run to its end */
    bool is_anew;        /* what was run may be run and counted again */
    bool is_divided;     /* by inputs, before it begins: what parts have in common is run by each */
    executions *later;   /* what was run counts later, if ever: it is added here; NULL = at once */
    bool is_otherwise;   /* it is no search by a reduction: it may run anything again */
    uint64_t n_samples;  /* 0: it comes to everything */
    tally *tally;
} search;

enum { MOST_BOUNDED = 200 }; /* executions of a program that is run with bounds */

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

/* An execution that counts. */
static bool count_execution(search *s, execution e) {
    known_class *c = known_find(s->known, e.trace);
    bool is_once = s->is_exact && !s->is_anew && (c->was_unnamed || !e.is_named);
    s->n_counted++;
    c->was_unnamed |= !e.is_named;
    if ((*hd_map_find(&s->known->n_run_of_sequence, e.sequence))++ && is_once)
        return wrong(s->to, "%s: an execution is run twice", s->how);
    ++*hd_map_find(&s->known->n_run_of_core, c->core);
    s->n_classes += c->n_run == 0;
    s->tally->classes += c->n_run == 0;
    if (c->n_run++ && s->reduction == HD_REDUCTION_OPTIMAL && is_once)
        return wrong(s->to, "%s: a class is run twice", s->how);
    return true;
}

/* Only a search that may come to what another has names what it runs. */
static bool is_named(hd_explorer *x) {
    hd_text names = {0};
    hd_explorer_take_classes(x, &names);
    bool is_it = names.n;
    hd_text_release(&names);
    return is_it;
}

static bool check_execution(search *s, hd_explorer *x) {
    const history *h = s->machine->history();
    known_class *c = known_find(s->known, h->trace);
    execution e = {h->trace, h->sequence, is_named(x) || s->is_divided};
    if (!c || !hd_map_find(&s->known->n_run_of_sequence, h->sequence) || c->core != history_core(h))
        return wrong(s->to, "%s: an execution that does not exist", s->how);
    if (c->findings != h->findings ||
        (c->final_state != s->machine->final_state() && !s->code->n_inputs))
        return wrong(s->to, "%s: another end than by brute force", s->how);
    if (s->later)
        hd_vec_push(s->later, e);
    return (s->later || count_execution(s, e)) && check_name(s, c, hd_explorer_class_hash(x));
}

static bool check_stopped(search *s, bool is_counted) {
    if (!is_counted) /* who was to go on had to wait after all */
        return s->machine->may_find_out_waits(s->code) ||
               wrong(s->to, "%s: stopped and not counted", s->how);
    s->n_stopped++;
    return s->reduction == HD_REDUCTION_DPOR || !s->is_exact ||
           wrong(s->to, "%s: an execution is stopped", s->how);
}

/* An execution has ended, whatever comes of it. */
static void tally_execution(search *s, hd_explorer *x, const hd_sink *sink,
                            const hd_outcome *outcome) {
    hd_text order = {0};
    hd_explorer_print_schedule(x, &order);
    hd_text_add(&order, "/");
    hd_explorer_print_path(x, &order);
    tally *t = s->tally;
    t->executions++;
    t->ended += outcome->end == HD_END_EXIT || outcome->end == HD_END_FINDING;
    t->stopped += outcome->end == HD_END_STOPPED;
    t->rejected += outcome->end == HD_END_REJECTED;
    t->events += outcome->n_events;
    t->repeated += sink->script->n;
    t->order = hd_hash_bytes(t->order, order.at, order.n);
    hd_text_release(&order);
}

/* One call of next() that was answered with yes. */
static bool run_next(search *s, hd_explorer *x, hd_model *inputs) {
    hd_sink sink = hd_explorer_sink(x);
    hd_outcome outcome;
    bool counts = !hd_explorer_is_rebuilding(x);
    uint64_t n_redundant = hd_explorer_counted(x)->redundant;
    s->machine->run(&sink, inputs, &outcome);
    hd_explorer_done(x, &outcome, inputs);
    tally_execution(s, x, &sink, &outcome);
    s->is_retry = s->was_cut = outcome.end == HD_END_RETRY;
    if (!counts || s->is_retry)
        return true;
    s->was_cut = outcome.end == HD_END_STOPPED && hd_explorer_counted(x)->redundant == n_redundant;
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
        ((c->redundant == s->n_stopped && c->executions == n_run && c->rejected == s->n_rejected) ||
         !s->is_exact))
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

static bool check_samples(const search *s, const hd_explorer *x) {
    const hd_explorer_counters *c = hd_explorer_counted(x);
    if (hd_explorer_is_complete(x) || c->mispredicted)
        return wrong(s->to, "%s: calls itself complete, or strays", s->how);
    return (c->executions == s->n_samples && c->paths == s->n_classes) ||
           wrong(s->to, "%s: %llu executions of %llu classes", s->how,
                 (unsigned long long)c->executions, (unsigned long long)c->paths);
}

static bool check_totals(const search *s, const hd_explorer *x) {
    const known *k = s->known;
    uint64_t n_run = s->n_paths + s->n_stopped + s->n_rejected;
    if (s->n_samples)
        return check_samples(s, x);
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

/* What was run is forgotten: from now on it is a search like a new one. */
static void begin_anew(search *s, hd_explorer *x) {
    hd_explorer_begin_anew(x);
    known_forget_runs(s->known);
    s->n_paths = s->n_classes = s->n_stopped = s->n_rejected = s->n_counted = 0;
}

/* Executions after which the graph is compacted: whoever keeps an expression must say so, as of
 * sets (base/set.h). */
enum { COMPACT_AFTER = 3 };

enum { FOREIGN = MODEL_INPUTS }; /* a variable of no program */

static void compact(world *w, uint64_t n) {
    if (w->chain && n % COMPACT_AFTER == 0)
        hd_explorer_compact(w->explorer);
}

static void tidy_up(world *w, uint64_t n) {
    hd_sets_collect();
    compact(w, n);
}

/* After so many executions, and once where one was cut short after that. */
static bool is_time_to_begin_anew(search *s, uint64_t n) {
    if (!s->anew_after || n < s->anew_after || (n > s->anew_after && !s->was_cut))
        return false;
    s->anew_after = n > s->anew_after ? 0 : s->anew_after;
    return true;
}

/* What a search said of itself before it was asked for more.  Without inputs, of which some may
 * turn out to be impossible, it knows what is left. */
typedef struct claims {
    uint64_t n_open; /* it is not counted: none or one */
    bool is_complete;
} claims;

static claims claims_of(const hd_explorer *x) {
    return (claims){hd_explorer_counted(x)->open, hd_explorer_is_complete(x)};
}

static bool check_claims(search *s, claims said, bool has_next) {
    bool is_known =
        !s->code->n_inputs && s->is_exact && s->reduction != HD_REDUCTION_DPOR && !s->was_cut;
    if (said.n_open > 1)
        return wrong(s->to, "%s: says that more than one is open", s->how);
    if (has_next && (said.is_complete || (!said.n_open && !s->is_otherwise)))
        return wrong(s->to, "%s: nothing is said to be left, and it goes on", s->how);
    return has_next || !said.n_open || !is_known ||
           wrong(s->to, "%s: something is said to be left, and it ends", s->how);
}

/* What is in the model before is nobody's business. */
static bool find_next(search *s, world *w, hd_model *inputs) {
    hd_model_clear(inputs);
    hd_model_set(inputs, FOREIGN, 1);
    bool has_next = hd_explorer_next(w->explorer, inputs);
    if (has_next && hd_model_has(inputs, FOREIGN))
        wrong(s->to, "%s: goes on with the inputs of another search", s->how);
    return has_next;
}

static bool explore(search *s, const hd_explorer_options *options) {
    world w;
    hd_model inputs = {0};
    uint64_t most = (s->is_otherwise ? 40 : 4) * s->known->n_ends + 100;
    bool is_right = true;
    known_forget_runs(s->known);
    world_open(&w, s->machine, s->code, options);
    bool has_next =
        find_next(s, &w, &inputs) &&
        (!hd_model_has(&inputs, 0) || wrong(s->to, "%s: begins with inputs of its own", s->how));
    for (uint64_t n = 1; is_right && has_next; n++) {
        is_right = run_next(s, w.explorer, &inputs) &&
                   (n < most || wrong(s->to, "%s: does not end", s->how));
        bool is_anew = is_time_to_begin_anew(s, n);
        if (is_anew)
            begin_anew(s, w.explorer);
        bool moves = s->n_moves && n % s->move_after == 0;
        if (moves) {
            s->n_moves--;
            s->is_anew |= s->is_retry;
            move_house(&w, s->machine, s->code, options);
        }
        tidy_up(&w, n);
        claims said = claims_of(w.explorer);
        has_next = find_next(s, &w, &inputs);
        is_right =
            is_right && !s->to->why[0] && (moves || is_anew || check_claims(s, said, has_next));
    }
    is_right = is_right && check_totals(s, w.explorer);
    s->tally->infeasible += hd_explorer_counted(w.explorer)->infeasible;
    s->tally->races += hd_explorer_counted(w.explorer)->races;
    world_close(&w);
    hd_model_release(&inputs);
    return is_right;
}

/* ---- A search that many share ------------------------------------------------------------------
 */

/* One in so many: a search gives something away, commits, dies, is taken for dead, begins anew; a
 * commit comes late, twice; the coordinator dies.  A search is split so often at most: what parts
 * of `dpor` do twice becomes more with every split. */
enum {
    MOST_WORKERS = 16,
    FEW_WORKERS = 3,
    MOST_SPLITS = 12,
    GIVE = 3,
    COMMIT = 6,
    DIE = 40,
    DOUBT = 60,
    ANEW = 60,
    LATE = 2,
    TWICE = 10,
    REBUILD = 50
};

/* A commit under way, with what was run since the one before. */
typedef struct letter {
    hd_commit commit;
    executions executions;
} letter;

typedef struct worker {
    world world;
    bool is_busy;
    uint64_t unit, epoch, n_commits, generation;
    executions executions; /* since its last commit */
} worker;

typedef struct shared {
    search *search;
    const hd_explorer_options *options;
    hd_coordinator *coordinator;
    worker workers[MOST_WORKERS];
    uint64_t n_workers;
    hd_turns turns; /* strategies as ranks of units, half of the time; else any unit is next */
    hd_vec(letter *) post;
    uint64_t random;
    uint64_t n_splits;
    uint64_t n_harms; /* that may still be done */
    bool is_orderly;  /* few workers, and what is first comes first: as large units as can be */
} shared;

static uint64_t draw(shared *f, uint64_t n) {
    return hd_random_next(&f->random) % n;
}

static bool is_harmed(shared *f, unsigned one_in) {
    if (!f->n_harms || draw(f, one_in))
        return false;
    f->n_harms--;
    return true;
}

/* ---- letters ---- */

static void throw_away(letter *l) {
    hd_commit_release(&l->commit);
    hd_vec_release(&l->executions);
    free(l);
}

/* Something that is left is given away, if it can be. */
static void give_away(shared *f, hd_explorer *x, hd_commit *c) {
    if (hd_explorer_lift(x, &c->lifted))
        hd_explorer_save_context(x, &c->context);
    else if (f->n_splits < MOST_SPLITS && hd_explorer_split(x, &c->split))
        f->n_splits++;
}

static void send(shared *f, worker *w, bool gives, bool is_done) {
    letter *l = calloc(1, sizeof *l);
    HD_ASSERT(l);
    hd_explorer *x = w->world.explorer;
    hd_commit *c = &l->commit;
    c->unit = w->unit, c->epoch = w->epoch, c->number = w->n_commits++;
    c->generation = hd_explorer_generation(x);
    c->is_done = is_done;
    hd_explorer_save_followed(x, &c->followed);
    if (gives)
        give_away(f, x, c);
    hd_explorer_take_asked(x, &c->asked);
    hd_explorer_save_rounds(x, &c->rounds);
    if (!is_done)
        hd_explorer_save(x, &c->journal);
    l->executions = w->executions;
    w->executions = (executions){0};
    hd_vec_push(&f->post, l);
}

static bool count_letter(search *s, const letter *l) {
    bool is_right = true;
    for (size_t i = 0; i < l->executions.n && is_right; i++)
        is_right = count_execution(s, l->executions.at[i]);
    return is_right;
}

static void stop_working(worker *w) {
    world_close(&w->world);
    hd_vec_clear(&w->executions);
    w->is_busy = false;
}

/* Whoever sent it learns that somebody else has the unit. */
static void tell_refused(shared *f, const hd_commit *c) {
    for (worker *w = f->workers; w < f->workers + MOST_WORKERS; w++)
        if (w->is_busy && w->unit == c->unit && w->epoch == c->epoch)
            stop_working(w);
}

/* The search of who sent it began anew, and is the whole one, or the other parts begin anew too. */
static void begin_shared_anew(shared *f, const hd_commit *c) {
    known_forget_runs(f->search->known);
    f->search->n_counted = 0;
    for (worker *w = f->workers; w < f->workers + MOST_WORKERS; w++)
        if (w->is_busy && (w->unit != c->unit || w->epoch != c->epoch))
            stop_working(w);
}

static bool apply_letter(shared *f, const letter *l, hd_commit_answer answer) {
    if (answer == HD_COMMIT_DAMAGED)
        return wrong(f->search->to, "%s: a commit is damaged", f->search->how);
    if (answer == HD_COMMIT_REFUSED)
        tell_refused(f, &l->commit);
    if (answer == HD_COMMIT_ANEW)
        begin_shared_anew(f, &l->commit);
    bool is_applied = answer == HD_COMMIT_APPLIED || answer == HD_COMMIT_ANEW;
    return !is_applied || count_letter(f->search, l);
}

/* A letter that was read may come once more. */
static bool deliver(shared *f) {
    size_t i = draw(f, LATE) ? 0 : draw(f, f->post.n);
    letter *l = f->post.at[i];
    hd_commit_answer answer = hd_coordinator_commit(f->coordinator, &l->commit);
    bool is_right = apply_letter(f, l, answer);
    hd_turns_note(&f->turns, l->commit.unit, draw(f, 2));
    if (answer == HD_COMMIT_EARLY || is_harmed(f, TWICE))
        return is_right;
    throw_away(l);
    for (f->post.n--; i < f->post.n; i++)
        f->post.at[i] = f->post.at[i + 1];
    return is_right;
}

/* The coordinator dies; another is made of what it has stored. */
static void rebuild(shared *f) {
    hd_text bytes = {0};
    hd_err err = {0};
    hd_coordinator_save(f->coordinator, &bytes);
    hd_coordinator_free(f->coordinator);
    f->coordinator = hd_coordinator_restore(bytes.at, bytes.n, &err);
    HD_ASSERT(f->coordinator);
    hd_text_release(&bytes);
}

/* ---- workers ---- */

static void note_unit(worker *w, const hd_unit *u) {
    w->is_busy = true;
    w->unit = u->number, w->epoch = u->epoch, w->n_commits = u->n_commits;
}

static bool is_owned(const shared *f, uint64_t unit, uint64_t epoch) {
    for (const worker *w = f->workers; w < f->workers + MOST_WORKERS; w++)
        if (w->is_busy && w->unit == unit && w->epoch == epoch)
            return true;
    for (size_t i = 0; i < f->post.n; i++)
        if (f->post.at[i]->commit.unit == unit && f->post.at[i]->commit.epoch == epoch)
            return true;
    return false;
}

/* There is nothing to do: units whose owners are gone are free again. */
static void look_for_the_dead(shared *f) {
    uint64_t unit, epoch;
    size_t at = 0;
    while (hd_coordinator_next_out(f->coordinator, &at, &unit, &epoch))
        if (!is_owned(f, unit, epoch))
            hd_coordinator_suspect(f->coordinator, unit);
}

static uint64_t next_unit(shared *f) {
    if (f->is_orderly)
        return 0;
    return draw(f, 2) ? draw(f, 1000) : hd_turns_next(&f->turns, f->coordinator);
}

static void take_unit(shared *f, worker *w) {
    hd_unit u;
    hd_err err = {0};
    if (!hd_coordinator_hand_out(f->coordinator, next_unit(f), f->is_orderly || draw(f, 2), &u)) {
        look_for_the_dead(f);
        return;
    }
    world_open(&w->world, f->search->machine, f->search->code, f->options);
    if (u.journal->n)
        HD_ASSERT(hd_explorer_restore(w->world.explorer, u.journal->at, u.journal->n, &err));
    else if (u.path->n)
        HD_ASSERT(hd_explorer_begin_unit(w->world.explorer, u.context, u.path));
    note_unit(w, &u);
    hd_turns_take(&f->turns, u.number);
    w->generation = hd_explorer_generation(w->world.explorer);
    f->search->to->n_parts++;
    f->search->to->n_whole += u.is_whole;
    if (is_harmed(f, DIE)) /* with others before it, and has not begun this one */
        stop_working(w);
}

/* One execution, and perhaps a commit after it. */
static bool work(shared *f, worker *w) {
    hd_model inputs = {0};
    search *s = f->search;
    s->machine->open(s->code, w->world.graph, w->world.variables);
    s->later = &w->executions;
    if (!hd_explorer_next(w->world.explorer, &inputs)) {
        bool is_complete = hd_explorer_is_complete(w->world.explorer);
        hd_model_release(&inputs);
        send(f, w, false, true);
        stop_working(w);
        return is_complete || wrong(s->to, "%s: a unit does not call itself complete", s->how);
    }
    if (hd_explorer_generation(w->world.explorer) != w->generation)
        hd_vec_clear(&w->executions);
    w->generation = hd_explorer_generation(w->world.explorer);
    bool is_right = run_next(s, w->world.explorer, &inputs);
    hd_model_release(&inputs);
    compact(&w->world, draw(f, COMPACT_AFTER)); /* no sets: coordinators never collect any */
    if (!is_right || s->is_retry || hd_explorer_is_rebuilding(w->world.explorer))
        return is_right;
    if (draw(f, GIVE) == 0)
        send(f, w, true, false);
    else if (draw(f, COMMIT) == 0)
        send(f, w, false, false);
    if (is_harmed(f, DIE))
        stop_working(w);
    else if (is_harmed(f, DOUBT))
        hd_coordinator_suspect(f->coordinator, w->unit);
    else if (is_harmed(f, ANEW))
        hd_explorer_begin_anew(w->world.explorer);
    return true;
}

static bool take_turn(shared *f) {
    worker *w = &f->workers[draw(f, f->n_workers)];
    if (is_harmed(f, REBUILD))
        rebuild(f);
    if (f->post.n && draw(f, 3) == 0)
        return deliver(f);
    if (w->is_busy)
        return work(f, w);
    take_unit(f, w);
    return true;
}

/* ---- a search that is divided by its inputs before it begins ---- */

enum { MOST_DIVIDED = 4, MOST_CONDITIONS = 2 };

static hd_expr random_condition(shared *f, const world *w) {
    static const hd_op compares[] = {HD_OP_EQ, HD_OP_ULT, HD_OP_ULE};
    hd_var v = (hd_var)draw(f, f->search->code->n_inputs);
    unsigned width = hd_variables_info(w->variables, v)->width;
    hd_expr e = hd_expr_binary(w->graph, compares[draw(f, 3)], hd_expr_var(w->graph, v, width),
                               hd_expr_const(w->graph, width, draw(f, 4) & hd_mask(width)));
    return draw(f, 2) ? e : hd_expr_not(w->graph, e);
}

static void save_part(const shared *f, const world *w, const hd_expr *conditions, uint32_t n,
                      hd_text *journal) {
    hd_explorer *x = hd_explorer_new(w->graph, w->variables, w->chain, f->options);
    hd_explorer_assume(x, conditions, n);
    hd_explorer_save(x, journal);
    hd_explorer_free(x);
}

/* Parts that overlap, or have no inputs; the last one has what the others leave out. */
static hd_coordinator *divide(shared *f) {
    world w;
    hd_text journals[MOST_DIVIDED] = {{0}};
    hd_expr rest[MOST_DIVIDED];
    uint32_t n = (uint32_t)draw(f, MOST_DIVIDED);
    world_open(&w, f->search->machine, f->search->code, f->options);
    for (uint32_t i = 0; i < n; i++) {
        hd_expr part[MOST_CONDITIONS] = {random_condition(f, &w), random_condition(f, &w)};
        rest[i] = hd_expr_not(w.graph, hd_expr_binary(w.graph, HD_OP_AND, part[0], part[1]));
        save_part(f, &w, part, MOST_CONDITIONS, &journals[i]);
    }
    save_part(f, &w, rest, n, &journals[n]);
    world_close(&w);
    hd_coordinator *c = hd_coordinator_new_parts(journals, n + 1, true);
    for (uint32_t i = 0; i <= n; i++)
        hd_text_release(&journals[i]);
    f->search->to->n_divided += n + 1;
    return c;
}

static bool explore_shared(search *s, const hd_explorer_options *options) {
    uint64_t n_left = 400 * s->known->n_ends + 5000;
    shared f = {.search = s,
                .options = options,
                .random = s->known->n_ends + 7 + s->reduction,
                .n_harms = 8};
    bool is_right = true;
    if (s->is_divided)
        n_left *= MOST_DIVIDED;
    f.coordinator = s->is_divided ? divide(&f) : hd_coordinator_new(NULL, 0);
    f.is_orderly = draw(&f, 2);
    f.n_workers = 1 + draw(&f, f.is_orderly ? FEW_WORKERS : MOST_WORKERS);
    f.turns = hd_turns_begin((hd_strategy)draw(&f, HD_N_STRATEGIES), f.random);
    known_forget_runs(s->known);
    while (is_right && !hd_coordinator_is_complete(f.coordinator))
        is_right = take_turn(&f) && (--n_left || wrong(s->to, "%s: does not end", s->how));
    for (worker *w = f.workers; w < f.workers + MOST_WORKERS; w++) {
        if (w->is_busy)
            stop_working(w);
        hd_vec_release(&w->executions);
    }
    while (f.post.n)
        throw_away(f.post.at[--f.post.n]);
    hd_vec_release(&f.post);
    hd_turns_release(&f.turns);
    hd_coordinator_free(f.coordinator);
    s->later = NULL;
    if (!is_right || !check_none_missed(s))
        return false;
    return s->reduction != HD_REDUCTION_NONE || s->is_anew || s->is_divided ||
           s->n_counted == s->known->prompt.n ||
           wrong(s->to, "%s: %llu of %zu executions", s->how, (unsigned long long)s->n_counted,
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

/* Samples, or all orders with few preemptions, then with more, until all were run: no search of
 * another kind than a reduction says how often it runs something. */
static bool explore_otherwise(comparison *to, const machine *m, const code *c, known *k,
                              hd_map *trace_of_hash, tally_of kind) {
    static const char *const names[] = {"bounded", "walk", "pct"};
    hd_explorer_options options = {
        .is_threaded = true, .reduction = HD_REDUCTION_OPTIMAL, .seed = k->classes.n};
    if (kind == TALLY_BOUNDED) {
        options.bounds_preemptions = true;
        options.preemptions = MODEL_EVENTS;
    } else {
        options.sampling = kind == TALLY_PCT ? HD_SAMPLING_PCT : HD_SAMPLING_RANDOM;
        options.samples = 10;
        options.pct_depth = 3;
    }
    search s = {.to = to,
                .machine = m,
                .code = c,
                .known = k,
                .trace_of_hash = trace_of_hash,
                .is_anew = true,
                .is_otherwise = true,
                .n_samples = options.samples,
                .reduction = HD_REDUCTION_OPTIMAL,
                .how = names[kind - TALLY_BOUNDED],
                .tally = &to->tallies[kind]};
    return explore(&s, &options);
}

/* Of some programs where one is resumed, of some behind that. */
static uint64_t anew_after(uint64_t n_classes) {
    return n_classes % 2 ? 1 + n_classes / 3 + n_classes / 2 % 2 : 0;
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
        bool is_drawn = (to->splits || moves) && k->classes.n % 2 == 0;
        bool is_divided = to->splits && c->n_inputs && k->classes.n % 3 != 0;
        snprintf(how, sizeof how, "%s%s%s%s", hd_reduction_name(reduction),
                 to->splits ? ", in parts"
                 : moves    ? ", resumed"
                            : "",
                 is_divided ? ", divided" : "", is_drawn ? ", drawn" : "");
        search s = {.to = to,
                    .machine = m,
                    .code = c,
                    .known = k,
                    .trace_of_hash = &trace_of_hash,
                    .is_anew = m->may_begin_anew(c),
                    .is_divided = is_divided,
                    .reduction = reduction,
                    .is_exact = is_exact(to, m, c, reduction),
                    .how = how,
                    .n_moves = moves ? 2 : 0,
                    .move_after = 1 + k->classes.n / 3,
                    .anew_after = anew_after(k->classes.n),
                    .tally = &to->tallies[variant]};
        hd_explorer_options options = {.strategy =
                                           is_drawn ? HD_STRATEGY_RANDOM_DFS : HD_STRATEGY_DFS,
                                       .is_threaded = true,
                                       .reduction = reduction,
                                       .names_paths = is_divided,
                                       .seed = k->classes.n};
        is_right = to->splits ? explore_shared(&s, &options) : explore(&s, &options);
        count_search(to, &s, moves);
    }
    for (tally_of kind = TALLY_BOUNDED; kind < N_TALLIES && is_right && !to->splits; kind++)
        if (kind != TALLY_BOUNDED || k->n_ends <= MOST_BOUNDED)
            is_right = explore_otherwise(to, m, c, k, &trace_of_hash, kind);
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
