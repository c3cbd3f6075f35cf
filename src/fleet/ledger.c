/* The results of a run, added up (ledger.h). */
#include "fleet/ledger.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/panic.h"
#include "fleet/costs.h"
#include "fleet/observer.h"
#include "fleet/turns.h"
#include "record/stored.h"
#include "tell/left_out.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC UINT32_C(0x31464448) /* "HDF1" */
#define SOON  0.1                  /* seconds between two transactions, at least, */
#define SHARE 40 /* and so many times what one takes: all that is left is written each time */

/* What a unit last said that it has open, and how many paths it guesses that it has in all. */
typedef struct open_ways {
    uint64_t unit, n;
    double estimate;
} open_ways;

struct hd_ledger {
    hd_record *record;
    const hd_run_options *options;
    const hd_watcher *watcher;
    hd_coordinator *coordinator;
    hd_agreement agreement;
    hd_batch state; /* all but tests; of its findings signature, kind and count */
    hd_map known;   /* signatures of findings, with their index in state */
    /* Since the last transaction. */
    hd_vec(hd_found) findings; /* tests are an observer's */
    bool has_changed, has_found;
    double next_write;
    /* Classes: those of searches that come to each once, and names of others (D9). */
    uint64_t n_once;
    hd_map classes;
    hd_map races;  /* pairs of places, by name */
    bool is_whole; /* no unit left anything out */
    hd_vec(open_ways) open;
    hd_costs costs;
    hd_turns turns;
    hd_observers *observers;
    double began, seconds_before;
};

/* ---- what the record says ---- */

static void save_names(const hd_map *names, hd_text *out) {
    hd_pack_u32(out, (uint32_t)names->n);
    for (size_t i = 0; i < names->capacity; i++)
        if (names->keys[i] != HD_MAP_EMPTY)
            hd_pack_u64(out, names->keys[i]);
}

static void add_names(hd_map *names, hd_unpack *u, size_t n) {
    for (size_t i = 0; i < n; i++)
        hd_map_put(names, hd_unpack_u64(u) & INT64_MAX, 1);
}

static void save_frontier(const hd_ledger *l, hd_text *out) {
    hd_text coordinator = {0};
    hd_coordinator_save(l->coordinator, &coordinator);
    hd_pack_u32(out, MAGIC);
    hd_pack_u64(out, l->n_once);
    hd_pack_u8(out, l->is_whole);
    hd_pack_bytes(out, coordinator.at, coordinator.n);
    save_names(&l->classes, out);
    save_names(&l->races, out);
    hd_text_release(&coordinator);
}

static bool damaged(hd_err *err) {
    hd_err_set(err, "the journal of the run is damaged");
    return hd_err_hint(err, "explore the program again with 'heddle run'");
}

/* A journal of one explorer, as it was before there were many workers, is one unit. */
static bool restore_frontier(hd_ledger *l, const void *bytes, size_t n, hd_err *err) {
    hd_unpack u = hd_unpack_from(bytes, n);
    l->is_whole = true;
    l->n_once = l->state.counters.explore.paths;
    if (n == 0 || hd_unpack_u32(&u) != MAGIC) {
        bool is_divided = n == 0 && l->options->n_parts;
        l->coordinator = is_divided
                             ? hd_coordinator_new_parts(l->options->parts, l->options->n_parts,
                                                        l->options->parts_may_begin_anew)
                             : hd_coordinator_new(bytes, n);
        return true;
    }
    l->n_once = hd_unpack_u64(&u);
    l->is_whole = hd_unpack_u8(&u);
    size_t size;
    const void *coordinator = hd_unpack_bytes(&u, &size);
    add_names(&l->classes, &u, hd_unpack_count(&u, 8));
    add_names(&l->races, &u, hd_unpack_count(&u, 8));
    if (!hd_unpack_ok(&u) || u.at != u.end)
        return damaged(err);
    l->coordinator = hd_coordinator_restore(coordinator, size, err);
    return l->coordinator != NULL;
}

static void note_known(hd_ledger *l) {
    for (uint32_t i = 0; i < l->state.n_findings; i++)
        hd_map_put(&l->known, l->state.findings[i].signature & INT64_MAX, i);
}

hd_ledger *hd_ledger_open(hd_record *record, const hd_run_options *options,
                          const hd_watcher *watcher, hd_err *err) {
    hd_ledger *l = hd_allocate(1, sizeof *l);
    *l = (hd_ledger){.record = record,
                     .options = options,
                     .watcher = watcher,
                     .turns = hd_turns_begin(options->explore.strategy, options->explore.seed),
                     .began = hd_clock_now()};
    l->observers = hd_observers_new();
    bool ok = hd_record_state(record, &l->state, err) &&
              restore_frontier(l, l->state.frontier, l->state.n_frontier, err) &&
              hd_costs_read(&l->costs, record, err);
    if (ok && !hd_observers_add(l->observers, l->state.observed, l->state.n_observed))
        ok = damaged(err);
    if (ok && !hd_agreement_read(&l->agreement, l->state.threads ? l->state.threads : ""))
        ok = hd_err_set(err, "cannot go on: the names of threads in the record are damaged");
    if (!ok) {
        hd_ledger_close(l);
        return NULL;
    }
    l->seconds_before = l->state.counters.seconds;
    note_known(l);
    return l;
}

static void forget_pending(hd_ledger *l) {
    hd_batch b = {.findings = l->findings.at, .n_findings = (uint32_t)l->findings.n};
    hd_batch_release(&b);
    hd_kept_tests_clear(hd_observers_tests(l->observers));
    memset(&l->findings, 0, sizeof l->findings);
}

void hd_ledger_close(hd_ledger *l) {
    forget_pending(l);
    if (l->coordinator)
        hd_coordinator_free(l->coordinator);
    hd_agreement_release(&l->agreement);
    hd_batch_release(&l->state);
    hd_map_release(&l->known);
    hd_map_release(&l->classes);
    hd_map_release(&l->races);
    hd_vec_release(&l->open);
    hd_costs_release(&l->costs);
    hd_turns_release(&l->turns);
    hd_observers_free(l->observers);
    free(l);
}

const hd_batch *hd_ledger_state(const hd_ledger *l) {
    return &l->state;
}

const hd_agreement *hd_ledger_agreement(const hd_ledger *l) {
    return &l->agreement;
}

hd_coordinator *hd_ledger_coordinator(hd_ledger *l) {
    return l->coordinator;
}

/* ---- what units cost ---- */

static double seconds_so_far(const hd_ledger *l) {
    return l->seconds_before + hd_clock_now() - l->began;
}

uint64_t hd_ledger_take_turn(hd_ledger *l, uint64_t unit) {
    return hd_turns_take(&l->turns, unit);
}

bool hd_ledger_hand_out(hd_ledger *l, bool is_whole, hd_unit *unit) {
    uint64_t nth = hd_turns_next(&l->turns, l->coordinator);
    if (!hd_coordinator_hand_out(l->coordinator, nth, is_whole, unit))
        return false;
    hd_costs_hand_out(&l->costs, unit, seconds_so_far(l));
    return true;
}

void hd_ledger_note_lost(hd_ledger *l, uint64_t unit, double seconds) {
    hd_costs_lose(&l->costs, unit, seconds);
}

/* ---- counters ---- */

static void begin_anew(hd_ledger *l) {
    hd_explorer_counters *c = &l->state.counters.explore;
    c->executions = c->paths = c->rejected = c->redundant = c->preempted_away = 0;
    l->n_once = 0;
    l->is_whole = true;
    for (uint32_t i = 0; i < l->state.n_labels; i++)
        free(l->state.labels[i].name);
    l->state.n_labels = 0;
    hd_map_clear(&l->classes);
    hd_vec_clear(&l->open);
}

static void note_open(hd_ledger *l, const hd_bundle *p) {
    size_t i = 0;
    while (i < l->open.n && l->open.at[i].unit != p->commit.unit)
        i++;
    if (i == l->open.n)
        hd_vec_push(&l->open, ((open_ways){.unit = p->commit.unit}));
    l->open.at[i].n = p->results.counters.explore.open;
    l->open.at[i].estimate = p->results.counters.explore.estimate;
    if (p->commit.is_done)
        l->open.at[i] = l->open.at[--l->open.n];
}

/* Units that have said nothing yet have something open. */
static uint64_t count_open(const hd_ledger *l, uint64_t n_left) {
    uint64_t n = 0;
    for (size_t i = 0; i < l->open.n; i++)
        n += l->open.at[i].n;
    return n + (n_left > l->open.n ? n_left - l->open.n : 0);
}

/* What a unit has left: as it guesses, or as others had before they were done. */
static double estimate_left(const hd_ledger *l, const open_ways *o, double mean) {
    double in_all = o->estimate > 0 ? o->estimate : mean;
    double done = (double)hd_costs_paths(&l->costs, o->unit);
    return in_all > done ? in_all - done : 0;
}

/* Paths of all units.  0: none of them guesses, or nothing is left. */
static double estimate_all(const hd_ledger *l, uint64_t n_left) {
    double mean = hd_costs_mean_paths(&l->costs), left = 0, guessed = 0;
    for (size_t i = 0; i < l->open.n; i++) {
        left += estimate_left(l, &l->open.at[i], mean);
        guessed += l->open.at[i].estimate;
    }
    left += n_left > l->open.n ? (double)(n_left - l->open.n) * mean : 0;
    return guessed > 0 ? (double)l->state.counters.explore.paths + left : 0;
}

static void add_counters(hd_ledger *l, const hd_bundle *p) {
    hd_run_counters *sum = &l->state.counters;
    hd_unpack classes = hd_unpack_from(p->classes.at, p->classes.n);
    hd_unpack races = hd_unpack_from(p->races.at, p->races.n);
    uint64_t n_named = p->classes.n / 8, n_races = sum->explore.races, n_before = l->races.n;
    hd_counters_add(sum, &p->results.counters);
    add_names(&l->classes, &classes, n_named);
    add_names(&l->races, &races, p->races.n / 8);
    l->n_once += p->results.counters.explore.paths - n_named;
    sum->explore.paths = l->n_once + l->classes.n;
    sum->explore.races = n_races + l->races.n - n_before;
    sum->units = hd_coordinator_n_units(l->coordinator);
    note_open(l, p);
    uint64_t n_left = hd_coordinator_n_left(l->coordinator);
    sum->explore.open = count_open(l, n_left);
    if (sum->units > 1)
        sum->explore.estimate = estimate_all(l, n_left);
}

/* ---- the rest ---- */

static bool is_same_loss(const hd_loss *a, const hd_loss *b) {
    return a->kind == b->kind && a->line == b->line && strcmp(a->what, b->what) == 0 &&
           strcmp(a->file, b->file) == 0;
}

/* `loss` is taken over. */
static void add_loss(hd_batch *state, hd_loss loss) {
    for (uint32_t i = 0; i < state->n_losses; i++)
        if (is_same_loss(&state->losses[i], &loss)) {
            state->losses[i].count += loss.count;
            free(loss.what);
            free(loss.file);
            return;
        }
    state->losses = realloc(state->losses, (state->n_losses + 1) * sizeof *state->losses);
    if (!state->losses)
        hd_out_of_memory();
    state->losses[state->n_losses++] = loss;
}

static void add_label(hd_batch *state, hd_label label) {
    for (uint32_t i = 0; i < state->n_labels; i++)
        if (strcmp(state->labels[i].name, label.name) == 0) {
            state->labels[i].count += label.count;
            free(label.name);
            return;
        }
    state->labels = realloc(state->labels, (state->n_labels + 1) * sizeof *state->labels);
    if (!state->labels)
        hd_out_of_memory();
    state->labels[state->n_labels++] = label;
}

static void add_losses_and_labels(hd_batch *state, hd_batch *from) {
    for (uint32_t i = 0; i < from->n_losses; i++)
        add_loss(state, from->losses[i]);
    for (uint32_t i = 0; i < from->n_labels; i++)
        add_label(state, from->labels[i]);
    from->n_losses = from->n_labels = 0;
}

static void make_room_for_ways(hd_batch *state, uint64_t branches, uint64_t vectors) {
    if (branches > HD_MOST_WAYS || vectors > HD_MOST_WAYS - branches ||
        branches + vectors == (uint64_t)2 * state->n_branches)
        return;
    free(state->coverage);
    state->n_branches = (uint32_t)((branches + vectors) / 2);
    state->coverage = hd_allocate(2 * (size_t)state->n_branches, 1);
}

/* All have the same branches; what was covered is what the observer has, and what a record of
 * before there was one says. */
static void add_coverage(hd_ledger *l, const hd_run_counters *part) {
    hd_batch *state = &l->state;
    hd_run_counters *c = &state->counters;
    size_t n_ways;
    const uint8_t *ways = hd_observers_covered(l->observers, &n_ways);
    make_room_for_ways(state, part->branches, part->vectors);
    uint64_t all = (uint64_t)2 * state->n_branches, n[2] = {0};
    c->vectors = part->vectors <= all ? part->vectors : 0;
    c->branches = all - c->vectors;
    for (uint64_t i = 0; i < all; i++)
        n[i >= c->branches] += state->coverage[i] |= i < n_ways && ways[i];
    c->branches_covered = n[0];
    c->vectors_covered = n[1];
}

static uint64_t ways_covered(const hd_run_counters *c) {
    return c->branches_covered + c->vectors_covered;
}

static bool has_line(const char *lines, const char *line, size_t length) {
    while (lines && *lines) {
        size_t n = strcspn(lines, "\n");
        if (n == length && strncmp(lines, line, n) == 0)
            return true;
        lines += n + (lines[n] == '\n');
    }
    return false;
}

static void add_warnings(hd_batch *state, const char *new) {
    hd_text all = {0};
    hd_text_add(&all, "%s", state->warnings ? state->warnings : "");
    while (new && *new) {
        size_t n = strcspn(new, "\n");
        if (!has_line(all.at, new, n))
            hd_text_add(&all, "%.*s\n", (int)n, new);
        new += n + (new[n] == '\n');
    }
    free(state->warnings);
    state->warnings = all.at;
}

static void remember_finding(hd_ledger *l, const hd_found *f) {
    hd_batch *s = &l->state;
    uint64_t key = f->signature & INT64_MAX, *known = hd_map_find(&l->known, key);
    if (known) {
        s->findings[*known].count += f->count;
        return;
    }
    s->findings = realloc(s->findings, (s->n_findings + 1) * sizeof *s->findings);
    if (!s->findings)
        hd_out_of_memory();
    hd_map_put(&l->known, key, s->n_findings);
    s->findings[s->n_findings++] =
        (hd_found){.signature = f->signature, .kind = f->kind, .count = f->count};
    l->has_found = true;
}

/* Parts of a search may come to the same path: if all are kept, it is kept once.  Of a new finding
 * it is kept again. */
static bool is_repeated(const hd_ledger *l, const hd_test *t) {
    return l->options->keep == HD_KEEP_ALL && t->reason != HD_TEST_FINDING &&
           hd_map_find(&l->classes, t->path_hash & INT64_MAX);
}

/* A test of a finding that another worker has found meanwhile is not needed, unless all are kept.
 */
static bool is_needed(const hd_ledger *l, hd_test *t, bool is_of_known) {
    if (is_of_known)
        t->reason = HD_TEST_ALL;
    return (!is_of_known || l->options->keep == HD_KEEP_ALL) && !is_repeated(l, t);
}

/* Of the tests that came with a bundle, from `first` on: which show a finding that is known? */
static bool *find_known(const hd_ledger *l, const hd_batch *from, size_t n_new) {
    bool *is_of_known = hd_allocate(n_new + 1, 1);
    for (uint32_t i = 0; i < from->n_findings; i++) {
        const hd_found *f = &from->findings[i];
        bool is_known = hd_map_find(&l->known, f->signature & INT64_MAX);
        is_of_known[f->test <= n_new ? f->test : 0] |= is_known;
    }
    return is_of_known;
}

/* Keeps those that are needed; where each is from then on, 0: nowhere. */
static uint64_t *keep_needed(hd_ledger *l, hd_kept_tests *tests, size_t first,
                             const bool *is_of_known) {
    size_t n = first, n_new = tests->list.n - first;
    uint64_t *number = hd_allocate(n_new + 1, sizeof *number);
    for (size_t i = 0; i < n_new; i++) {
        hd_test *t = &tests->list.at[first + i];
        if (!is_needed(l, t, is_of_known[i + 1])) {
            hd_test_release(t);
            continue;
        }
        tests->list.at[n++] = *t;
        number[i + 1] = n;
    }
    tests->list.n = n;
    return number;
}

/* Tests from `first` on came with the bundle; they and findings wait for the next transaction. */
static void add_findings(hd_ledger *l, hd_batch *from, size_t first) {
    hd_kept_tests *tests = hd_observers_tests(l->observers);
    size_t n_new = tests->list.n - first;
    bool *is_of_known = find_known(l, from, n_new);
    uint64_t *number = keep_needed(l, tests, first, is_of_known);
    for (uint32_t i = 0; i < from->n_findings; i++) {
        hd_found *f = &from->findings[i];
        remember_finding(l, f);
        f->test = f->test <= n_new ? number[f->test] : 0;
        hd_vec_push(&l->findings, *f);
    }
    from->n_findings = 0; /* theirs no longer */
    free(is_of_known);
    free(number);
}

/* ---- what is set aside ---- */

static char *tell_prefix(const hd_last_words *w) {
    hd_text t = {0};
    if (w->inputs[0])
        hd_text_add(&t, "inputs that were chosen: %s\n", w->inputs);
    if (w->schedule[0])
        hd_text_add(&t, "turns of threads that were planned: %s\n", w->schedule);
    if (w->prefix[0])
        hd_text_add(&t, "decisions (site, way) and turns (t): %s\n", w->prefix);
    if (!w->is_running)
        hd_text_add(&t, "the workers went down outside of an execution\n");
    hd_text_add(&t, "there is no test of it: whoever runs it goes down; --resume tries it again\n");
    return t.at;
}

/* A unit is the same in another sitting. */
static uint64_t signature_of_unit(uint64_t unit) {
    return hd_hash_add(hd_hash_bytes(0, "set aside", 9), unit) & INT64_MAX;
}

void hd_ledger_set_aside(hd_ledger *l, uint64_t unit, unsigned deaths, const hd_last_words *words) {
    hd_found f = {.signature = signature_of_unit(unit),
                  .kind = HD_FINDING_LOST_WORKER,
                  .message = hd_text_format("took down %u workers and was set aside: unit %llu of "
                                            "the search, after %llu decisions",
                                            deaths, (unsigned long long)unit + 1,
                                            (unsigned long long)words->n_decisions),
                  .file = hd_copy(words->file),
                  .function = hd_copy(words->function),
                  .stack = hd_copy(""),
                  .story = tell_prefix(words),
                  .line = words->line,
                  .count = 1};
    hd_coordinator_set_aside(l->coordinator, unit);
    hd_costs_set_state(&l->costs, unit, HD_UNIT_ASIDE);
    remember_finding(l, &f);
    hd_vec_push(&l->findings, f);
    l->has_changed = l->has_found = true;
}

/* ---- bundles ---- */

/* Names of threads: false if the sender has others than were agreed on. */
static bool agree(hd_ledger *l, const hd_agreement *theirs) {
    if (hd_agreement_fits(&l->agreement, theirs))
        return true;
    hd_agreement_learn_names(&l->agreement, theirs);
    return false;
}

/* Findings before counters: these bring the names of their paths. */
static void add_results(hd_ledger *l, hd_bundle *p) {
    size_t n_tests = hd_observers_tests(l->observers)->list.n;
    hd_costs_add(&l->costs, p->commit.unit, &p->results.counters, p->commit.is_done);
    hd_observers_add(l->observers, p->results.observed, p->results.n_observed);
    add_findings(l, &p->results, n_tests);
    add_counters(l, p);
    add_losses_and_labels(&l->state, &p->results);
    uint64_t n_covered = ways_covered(&l->state.counters);
    add_coverage(l, &p->results.counters);
    hd_turns_note(&l->turns, p->commit.unit, ways_covered(&l->state.counters) > n_covered);
    add_warnings(&l->state, p->results.warnings);
    if (p->commit.is_done)
        l->is_whole &= p->is_whole;
    l->has_changed = true;
}

/* What cannot be added is found out before anything is. */
static bool can_be_added(const hd_batch *results) {
    hd_observers *scratch = hd_observers_new();
    bool can =
        !results->n_tests && hd_observers_add(scratch, results->observed, results->n_observed);
    hd_observers_free(scratch);
    return can;
}

/* One of them has done all that the others have left. */
static void drop_rivals(hd_ledger *l) {
    hd_coordinator_drop_units(l->coordinator);
    hd_vec_clear(&l->open);
}

hd_commit_answer hd_ledger_take(hd_ledger *l, hd_bundle *p) {
    hd_agreement theirs;
    if (!can_be_added(&p->results))
        return HD_COMMIT_DAMAGED;
    if (!hd_agreement_read(&theirs, p->results.threads ? p->results.threads : ""))
        return HD_COMMIT_DAMAGED;
    hd_commit_answer answer = HD_COMMIT_REFUSED;
    p->commit.work = hd_costs_work(&l->costs, p->commit.unit, &p->results.counters);
    if (!agree(l, &theirs))
        hd_coordinator_suspect(l->coordinator, p->commit.unit);
    else
        answer = hd_coordinator_commit(l->coordinator, &p->commit);
    if (answer == HD_COMMIT_ANEW) {
        begin_anew(l);
        hd_costs_begin_anew(&l->costs, p->commit.unit);
        hd_observers_begin_anew(l->observers);
    }
    if (answer == HD_COMMIT_APPLIED || answer == HD_COMMIT_ANEW) {
        hd_agreement_learn_names(&l->agreement, &theirs);
        hd_agreement_copy_facts(&l->agreement, &theirs);
        if (p->commit.is_done && l->options->are_rivals)
            drop_rivals(l);
        add_results(l, p);
        HD_INVARIANT(L1, !p->results.n_tests && !p->results.n_findings);
    }
    hd_agreement_release(&theirs);
    return answer;
}

/* ---- writing ---- */

bool hd_ledger_has_found(const hd_ledger *l) {
    return l->has_found;
}

bool hd_ledger_is_due(const hd_ledger *l, double now) {
    return l->has_found || (l->has_changed && now >= l->next_write);
}

static void drop_bounds(hd_batch *state) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < state->n_losses; i++)
        if (state->losses[i].kind == HD_LOSS_BOUND) {
            free(state->losses[i].what);
            free(state->losses[i].file);
        } else
            state->losses[n++] = state->losses[i];
    state->n_losses = n;
}

static void add_bound(void *state, const char *sentence) {
    add_loss(state, (hd_loss){HD_LOSS_BOUND, hd_copy(sentence), hd_copy(""), 0, 1});
}

/* What options left out is said of the whole search. */
static void tell_bounds(hd_ledger *l) {
    drop_bounds(&l->state);
    hd_bounds_tell(&l->options->explore, &l->state.counters.explore, l->state.counters.threads,
                   add_bound, &l->state);
}

bool hd_ledger_is_complete(const hd_ledger *l) {
    return hd_coordinator_is_complete(l->coordinator) && l->is_whole &&
           hd_batch_is_exact(&l->state);
}

static void tell_found(hd_ledger *l) {
    for (size_t i = 0; i < l->findings.n; i++)
        if (l->findings.at[i].is_new && l->watcher && l->watcher->found)
            l->watcher->found(l->watcher->context, &l->findings.at[i]);
}

bool hd_ledger_write(hd_ledger *l, const char *why, hd_err *err) {
    double began = hd_clock_now();
    hd_text frontier = {0}, threads = {0}, observed = {0};
    hd_observers_save(l->observers, &observed);
    l->state.counters.seconds = seconds_so_far(l);
    tell_bounds(l);
    save_frontier(l, &frontier);
    hd_agreement_print(&l->agreement, &threads);
    hd_batch b = l->state;
    const hd_kept_tests *tests = hd_observers_tests(l->observers);
    hd_costs_take_changed(&l->costs, &b);
    b.tests = tests->list.at;
    b.n_tests = (uint32_t)tests->list.n;
    b.findings = l->findings.at;
    b.n_findings = (uint32_t)l->findings.n;
    b.observed = observed.at;
    b.n_observed = observed.n;
    b.frontier = frontier.at;
    b.n_frontier = frontier.n;
    b.threads = threads.at;
    b.is_complete = hd_ledger_is_complete(l);
    HD_INVARIANT(L2, !b.is_complete || hd_coordinator_n_left(l->coordinator) == 0);
    b.stop_reason = (char *)why;
    bool ok = hd_record_commit(l->record, &b, err);
    if (ok)
        tell_found(l);
    hd_text_release(&frontier);
    hd_text_release(&threads);
    hd_text_release(&observed);
    free(b.units);
    forget_pending(l);
    l->has_changed = l->has_found = false;
    double now = hd_clock_now(), pause = SHARE * (now - began);
    l->next_write = now + (pause > SOON ? pause : SOON);
    return ok;
}

/* ---- what the record does not have ---- */

hd_record *hd_ledger_record(const hd_ledger *l) {
    return l->record;
}

void hd_ledger_save_owners(const hd_ledger *l, hd_text *out) {
    hd_text coordinator = {0};
    hd_coordinator_save(l->coordinator, &coordinator);
    hd_pack_bytes(out, coordinator.at, coordinator.n);
    hd_text_release(&coordinator);
    hd_turns_save(&l->turns, out);
    hd_pack_u32(out, (uint32_t)l->open.n);
    for (size_t i = 0; i < l->open.n; i++) {
        hd_pack_u64(out, l->open.at[i].unit);
        hd_pack_u64(out, l->open.at[i].n);
        hd_pack_double(out, l->open.at[i].estimate);
    }
}

bool hd_ledger_restore_owners(hd_ledger *l, hd_unpack *u, hd_err *err) {
    size_t size;
    const void *bytes = hd_unpack_bytes(u, &size);
    hd_coordinator *exact = hd_coordinator_restore_exactly(bytes, size, err);
    if (!exact)
        return false;
    hd_coordinator_free(l->coordinator);
    l->coordinator = exact;
    bool ok = hd_turns_restore(&l->turns, u);
    for (uint32_t n = hd_unpack_count(u, 24); n > 0 && hd_unpack_ok(u); n--) {
        open_ways o = {.unit = hd_unpack_u64(u), .n = hd_unpack_u64(u)};
        o.estimate = hd_unpack_double(u);
        hd_vec_push(&l->open, o);
    }
    return (ok && hd_unpack_ok(u)) || damaged(err);
}
