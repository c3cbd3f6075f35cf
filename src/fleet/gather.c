/* What a worker's executions found out since the last batch: which of them become tests, which
 * findings are new, what was lost, reached and covered.
 *
 * Everything counted by the machine and by the explorer is told as what has come since it was told
 * last, without what executions that only rebuild the tree have counted again. */
#include "base/clock.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/vec.h"
#include "fleet/fleet_int.h"
#include "fleet/observer.h"
#include "program/symbolize.h"
#include "record/stored.h"
#include "tell/race.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef hd_vec(uint64_t) numbers;

struct hd_gather {
    const hd_orders *orders;
    const hd_module *module;
    const hd_variables *variables;
    hd_machine *machine;
    const hd_explorer *explorer;
    hd_harm *harm;             /* NULL for a program without threads */
    hd_symbolizer *symbolizer; /* NULL before the first finding */
    hd_vec(hd_found) findings;
    hd_map known;      /* signatures of the whole run */
    hd_map pending_at; /* signature -> index in findings */
    uint8_t *coverage; /* of the run, 2 * n_branches */
    uint32_t n_branches;
    hd_observers *observers;
    hd_growth_point growth; /* that was told last */
    bool is_rebuilding;
    numbers labels_told, losses_told; /* counts that were told, or are not to be, by index */
    hd_vec(hd_lost_way) ways_told;    /* of the explorer */
};

/* HD_MAP_EMPTY is no key. */
static uint64_t as_key(uint64_t h) {
    return h == HD_MAP_EMPTY ? 0 : h;
}

static uint64_t signature_of(const hd_finding *f) {
    return as_key(hd_finding_signature(f));
}

hd_gather *hd_gather_new(const hd_orders *orders, const hd_module *module,
                         const hd_variables *variables, hd_machine *machine,
                         const hd_explorer *explorer) {
    hd_gather *g = hd_allocate(1, sizeof *g);
    *g = (hd_gather){.orders = orders,
                     .module = module,
                     .variables = variables,
                     .machine = machine,
                     .explorer = explorer,
                     .observers = hd_observers_new()};
    if (hd_image_is_concurrent(module->image, orders->options->machine.n_nodes))
        g->harm = hd_harm_new(machine, module->image);
    hd_machine_coverage(machine, &g->n_branches);
    g->coverage = hd_allocate((size_t)2 * g->n_branches + 1, 1);
    return g;
}

void hd_gather_follow(hd_gather *g, const hd_explorer *explorer) {
    HD_ASSERT(explorer);
    g->explorer = explorer;
}

static void take_known(hd_gather *g, const hd_work *work) {
    hd_unpack u = hd_unpack_from(work->known.at, work->known.n);
    hd_map_clear(&g->known);
    while (u.at < u.end && hd_unpack_ok(&u))
        hd_map_put(&g->known, as_key(hd_unpack_u64(&u)), 1);
    for (size_t i = 0; i < g->findings.n; i++) /* what waits for the next bundle */
        hd_map_put(&g->known, as_key(g->findings.at[i].signature), 1);
}

static void take_coverage(hd_gather *g, const hd_work *work) {
    memset(g->coverage, 0, (size_t)2 * g->n_branches);
    if (work->coverage.n == (size_t)2 * g->n_branches && work->coverage.n)
        memcpy(g->coverage, work->coverage.at, work->coverage.n);
    hd_machine_set_coverage(g->machine, g->coverage);
}

void hd_gather_begin_unit(hd_gather *g, const hd_explorer *explorer, const hd_work *work) {
    uint32_t n;
    const hd_lost_way *lost = hd_explorer_lost(explorer, &n);
    hd_gather_follow(g, explorer);
    hd_vec_clear(&g->ways_told);
    for (uint32_t i = 0; i < n; i++)
        hd_vec_push(&g->ways_told, lost[i]);
    take_known(g, work);
    take_coverage(g, work);
}

/* Processor time of this worker, behind all that was committed when it began. */
static double seconds_now(const hd_gather *g) {
    return g->orders->state->counters.work_seconds + hd_clock_cpu();
}

/* Pages that this process has, in bytes. */
static uint64_t bytes_now(void) {
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*u %lu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

#define LEAST_STEP 0.001 /* seconds of processor time between two points */

void hd_gather_grow(hd_gather *g, bool is_last) {
    const hd_explorer_counters *c = g->explorer ? hd_explorer_counted(g->explorer) : NULL;
    if (!c || !c->states || c->node_events == g->growth.events)
        return;
    double seconds = seconds_now(g);
    if (!is_last && seconds < g->growth.seconds + LEAST_STEP)
        return;
    g->growth = (hd_growth_point){.seconds = seconds,
                                  .moment = c->moment,
                                  .states = c->states,
                                  .dstates = c->dstates,
                                  .events = c->node_events,
                                  .bytes = bytes_now()};
    hd_observers_grew(g->observers, &g->growth);
}

/* Add the machine's coverage to the run's; did it grow? */
static bool merge_coverage(hd_gather *g) {
    uint32_t n;
    const uint8_t *now = hd_machine_coverage(g->machine, &n);
    bool grew = false;
    HD_ASSERT(n == g->n_branches);
    for (uint32_t i = 0; i < 2 * n; i++)
        if (now[i] && !g->coverage[i]) {
            g->coverage[i] = grew = true;
            hd_observers_coverage_grew(g->observers, i, seconds_now(g));
        }
    return grew;
}

/* ---- tests ---- */

/* The machine's last execution as a test.  `schedule` becomes the test's. */
static hd_test make_test(hd_gather *g, hd_test_reason reason, const hd_outcome *outcome,
                         const hd_model *model, char *schedule) {
    hd_text path = {0}, map = {0}, threads = {0};
    hd_explorer_print_path(g->explorer, &path);
    hd_machine_print_map(g->machine, model, &map);
    /* In the order of time there is no schedule, but numbers of processes and threads are seen. */
    if ((schedule && schedule[0]) || hd_machine_has_names(g->machine))
        hd_machine_print_names(g->machine, &threads);
    hd_test t = {.reason = reason,
                 .path_hash = hd_explorer_path_hash(g->explorer),
                 .trace_hash = outcome->trace_hash,
                 .end = outcome->end,
                 .finding =
                     outcome->end == HD_END_FINDING ? outcome->finding.kind : HD_FINDING_NONE,
                 .status = outcome->status,
                 .path = path.at,
                 .map = map.at,
                 .schedule = schedule,
                 .threads = threads.at};
    t.inputs = hd_inputs_store(g->machine, g->module, g->variables, model, &t.n_inputs);
    return t;
}

/* Of the execution that the explorer has just seen; NULL for a program without threads. */
static char *schedule_of(const hd_gather *g) {
    hd_text schedule = {0};
    if (g->harm)
        hd_explorer_print_schedule(g->explorer, &schedule);
    return schedule.at;
}

static void add_test(hd_gather *g, hd_test_reason reason, const hd_outcome *outcome,
                     const hd_model *model) {
    hd_observers_kept(g->observers, make_test(g, reason, outcome, model, schedule_of(g)));
}

/* ---- findings ---- */

static hd_symbolizer *symbolizer(hd_gather *g) {
    if (!g->symbolizer)
        g->symbolizer = hd_symbolizer_new(g->module->directory);
    return g->symbolizer;
}

static size_t n_tests(const hd_gather *g) {
    return hd_observers_tests(g->observers)->list.n;
}

/* Shown by the test that was kept last.  `stack` and `story` are the finding's from now on. */
static void push_finding(hd_gather *g, uint64_t signature, const hd_finding *f, hd_text stack,
                         hd_text story) {
    HD_ASSERT(signature != HD_MAP_EMPTY && n_tests(g) > 0);
    hd_found found = {.signature = signature,
                      .kind = f->kind,
                      .message = hd_copy(f->message),
                      .file = hd_copy(f->file),
                      .function = hd_copy(f->function),
                      .stack = stack.at,
                      .story = story.at,
                      .line = f->line,
                      .count = 1,
                      .test = n_tests(g)};
    hd_observers_found(g->observers, signature, seconds_now(g));
    hd_map_put(&g->known, signature, 1);
    hd_map_put(&g->pending_at, signature, g->findings.n);
    hd_vec_push(&g->findings, found);
}

/* The entry of a known finding in this batch. */
static hd_found *known_finding(hd_gather *g, uint64_t signature, hd_finding_kind kind) {
    const uint64_t *at = hd_map_find(&g->pending_at, signature);
    HD_ASSERT(signature != HD_MAP_EMPTY && (!at || *at < g->findings.n));
    if (at)
        return &g->findings.at[*at];
    hd_map_put(&g->pending_at, signature, g->findings.n);
    hd_vec_push(&g->findings, ((hd_found){.signature = signature, .kind = kind}));
    return &g->findings.at[g->findings.n - 1];
}

/* Look for the finding with a simpler schedule; the test is then of that execution.  Labels and
 * losses of these executions are not counted. */
static void make_simpler(hd_gather *g, uint64_t signature, hd_test *t, hd_outcome *outcome,
                         const hd_model *model, hd_text *story) {
    hd_finding wanted = outcome->finding;
    hd_rerun r = hd_rerun_of(g->machine, model, t->schedule);
    r.wanted = &wanted;
    r.deadline = g->orders->deadline;
    hd_gather_set_rebuilding(g, true);
    if (hd_rerun_shorten(&r)) {
        hd_test_release(t);
        *t = make_test(g, HD_TEST_FINDING, &r.outcome, &r.model, hd_rerun_schedule(&r));
        *outcome = r.outcome;
        hd_rerun_tell(&r, g->module->image, story);
        hd_harm_add_failure(g->harm, signature, &r);
    }
    hd_gather_set_rebuilding(g, false);
    hd_rerun_release(&r);
}

/* Symbolising takes milliseconds, so it is done for new findings only.  `t` is the execution as a
 * test. */
static void add_new_finding(hd_gather *g, uint64_t signature, hd_outcome *outcome,
                            const hd_model *model, hd_test t) {
    hd_text stack = {0}, story = {0};
    if (hd_test_is_threaded(&t) || hd_machine_n_processes(g->machine) > 1)
        make_simpler(g, signature, &t, outcome, model, &story);
    hd_symbolizer_stack(symbolizer(g), &outcome->finding, &stack);
    hd_observers_kept(g->observers, t);
    push_finding(g, signature, &outcome->finding, stack, story);
}

/* Failures of the last execution that no execution of the run had before. */
typedef struct fresh {
    uint64_t signature;
    hd_outcome outcome;
    hd_test test;
} fresh;
typedef hd_vec(fresh) fresh_list;

static void sort_failure(hd_gather *g, const hd_outcome *o, const hd_model *model,
                         fresh_list *out) {
    uint64_t signature = signature_of(&o->finding);
    if (hd_map_find(&g->known, signature)) {
        known_finding(g, signature, o->finding.kind)->count++;
        return;
    }
    hd_test t = make_test(g, HD_TEST_FINDING, o, model, schedule_of(g));
    hd_vec_push(out, ((fresh){signature, *o, t}));
}

/* All that went wrong in the last execution.  Was something new?  Of each that is, there is a test
 * before the first is made simpler: that runs the machine, which forgets this execution. */
static bool add_failures(hd_gather *g, const hd_outcome *first, const hd_model *model) {
    fresh_list new = {0};
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(g->machine, &n);
    for (uint32_t i = 0; i < n; i++) {
        hd_outcome o = *first;
        hd_outcome_show(&o, &failures[i]);
        sort_failure(g, &o, model, &new);
    }
    bool found = new.n > 0;
    for (size_t i = 0; i < new.n; i++)
        add_new_finding(g, new.at[i].signature, &new.at[i].outcome, model, new.at[i].test);
    hd_vec_release(&new);
    return found;
}

static void add_new_race(hd_gather *g, uint64_t signature, const hd_race *race,
                         const hd_model *model) {
    hd_text stacks = {0}, story = {0};
    hd_finding finding;
    char *schedule = schedule_of(g);
    hd_rerun r = hd_rerun_of(g->machine, model, schedule);
    free(schedule);
    hd_gather_set_rebuilding(g, true);
    hd_race_look(&r, race, g->module->image, symbolizer(g), &finding, &stacks, &story);
    hd_observers_kept(g->observers,
                      make_test(g, HD_TEST_FINDING, &r.outcome, &r.model, hd_rerun_schedule(&r)));
    push_finding(g, signature, &finding, stacks, story);
    hd_gather_set_rebuilding(g, false);
    hd_rerun_release(&r);
}

/* A race counts even if the execution was stopped because others cover the rest of it, or if an
 * assumption was rejected: it has happened without that, and the explorer tells it once only. */
static bool add_races(hd_gather *g, const hd_model *model) {
    uint32_t n = 0;
    if (!g->harm || g->orders->options->ignore_races)
        return false;
    const hd_race *races = hd_explorer_races(g->explorer, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t signature = as_key(hd_race_signature(g->module->image, &races[i]));
        if (hd_map_find(&g->known, signature))
            known_finding(g, signature, HD_FINDING_DATA_RACE)->count++;
        else
            add_new_race(g, signature, &races[i], model);
        hd_gather_set_rebuilding(g, true);
        hd_harm_add_race(g->harm, signature, &races[i]);
        hd_gather_set_rebuilding(g, false);
    }
    return n > 0;
}

static void take_harm(hd_gather *g) {
    uint64_t race, failure;
    while (g->harm && hd_harm_next(g->harm, &race, &failure))
        known_finding(g, race, HD_FINDING_DATA_RACE)->leads_to = failure;
}

static void add_outcome(hd_gather *g, const hd_outcome *outcome, const hd_model *model,
                        bool covers) {
    hd_keep_tests keep = g->orders->options->keep;
    if (outcome->end == HD_END_FINDING && add_failures(g, outcome, model))
        return;
    if (covers && keep != HD_KEEP_FINDINGS)
        add_test(g, HD_TEST_COVERAGE, outcome, model);
    else if (keep == HD_KEEP_ALL)
        add_test(g, HD_TEST_ALL, outcome, model);
}

bool hd_gather_add(hd_gather *g, const hd_outcome *outcome, const hd_model *model) {
    bool covers = outcome->covered_new && merge_coverage(g);
    bool is_finding = outcome->end == HD_END_FINDING;
    if (outcome->end == HD_END_RETRY)
        return false;
    if (!g->is_rebuilding) /* a sample counts nowhere else either */
        hd_observers_execution_ended(g->observers, outcome);
    /* Before races are looked at: that runs the machine, which forgets this execution.  Races are
     * told of rejected executions too, like failures of other threads: they happened before. */
    if (outcome->end != HD_END_STOPPED && outcome->end != HD_END_REJECTED)
        add_outcome(g, outcome, model, covers);
    bool has_race = add_races(g, model);
    take_harm(g);
    return is_finding || has_race;
}

void hd_gather_end_unit(hd_gather *g) {
    hd_observers_unit_done(g->observers);
}

size_t hd_gather_pending(const hd_gather *g) {
    return hd_observers_tests(g->observers)->bytes;
}

void hd_gather_glance(hd_gather *g, const hd_run_counters *since, hd_text *out) {
    hd_observers_progressed(g->observers, since);
    hd_observers_glance(g->observers, out);
}

static uint64_t *told_at(numbers *told, size_t i) {
    while (told->n <= i)
        hd_vec_push(told, 0);
    return &told->at[i];
}

/* Entering: less what was counted; leaving: plus it.  So what is counted in between is as if it
 * had been told. */
static void add_signed(numbers *told, size_t i, uint64_t count, bool is_entering) {
    *told_at(told, i) += is_entering ? -count : count;
}

/* How many have come since it was told; they are told now. */
static uint64_t tell_new(numbers *told, size_t i, uint64_t count) {
    uint64_t before = *told_at(told, i);
    HD_ASSERT(before <= count);
    told->at[i] = count;
    return count - before;
}

void hd_gather_set_rebuilding(hd_gather *g, bool yes) {
    uint32_t n;
    if (yes == g->is_rebuilding)
        return;
    g->is_rebuilding = yes;
    const hd_label *labels = hd_machine_labels(g->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        add_signed(&g->labels_told, i, labels[i].count, yes);
    const hd_approximation *losses = hd_machine_approximations(g->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        add_signed(&g->losses_told, i, losses[i].count, yes);
    if (!yes)
        merge_coverage(g);
}

void hd_gather_begin_anew(hd_gather *g) {
    uint32_t n;
    const hd_label *labels = hd_machine_labels(g->machine, &n);
    hd_observers_begin_anew(g->observers);
    for (uint32_t i = 0; i < n; i++)
        *told_at(&g->labels_told, i) = g->is_rebuilding ? 0 : labels[i].count;
}

static hd_loss *find_loss(hd_batch *b, hd_loss_kind kind, const char *what, const char *file,
                          uint32_t line) {
    for (uint32_t i = 0; i < b->n_losses; i++) {
        hd_loss *l = &b->losses[i];
        if (l->kind == kind && l->line == line && strcmp(l->what, what) == 0 &&
            strcmp(l->file, file) == 0)
            return l;
    }
    return NULL;
}

static void add_loss(hd_batch *b, hd_loss_kind kind, const char *what, const char *file,
                     uint32_t line, uint64_t count) {
    hd_loss *known = find_loss(b, kind, what, file, line);
    if (known)
        known->count += count;
    else if (count > 0)
        b->losses[b->n_losses++] = (hd_loss){kind, hd_copy(what), hd_copy(file), line, count};
}

static const hd_site *site_at(const hd_gather *g, uint32_t site) {
    const hd_image *image = g->module->image;
    return &image->sites[site < image->n_sites ? site : 0];
}

static const char *or_empty(const char *text) {
    return text ? text : "";
}

/* In a model of a library function the place is its name: users know nothing of its lines. */
static void add_loss_at(hd_batch *b, hd_loss_kind kind, const char *what, const hd_site *s,
                        uint64_t count) {
    if (!s->file || !hd_finding_is_model(s->file)) {
        add_loss(b, kind, what, or_empty(s->file), s->line, count);
        return;
    }
    char *name = hd_text_format("Heddle's model of '%s'", or_empty(s->function));
    add_loss(b, kind, what, name, 0, count);
    free(name);
}

/* How often the way was lost since it was told. */
static uint64_t tell_way(hd_gather *g, const hd_lost_way *way) {
    for (size_t i = 0; i < g->ways_told.n; i++) {
        hd_lost_way *told = &g->ways_told.at[i];
        if (told->site != way->site || told->mispredicted != way->mispredicted)
            continue;
        uint64_t n = way->count - told->count;
        told->count = way->count;
        return n;
    }
    hd_vec_push(&g->ways_told, *way);
    return way->count;
}

static void take_losses(hd_gather *g, hd_batch *b) {
    HD_ASSERT(!g->is_rebuilding);
    uint32_t n_values, n_ways;
    const hd_approximation *values = hd_machine_approximations(g->machine, &n_values);
    const hd_lost_way *ways = hd_explorer_lost(g->explorer, &n_ways);
    size_t room = (size_t)n_values + n_ways;
    b->losses = hd_allocate(room, sizeof *b->losses);
    for (uint32_t i = 0; i < n_values; i++)
        add_loss_at(b, values[i].kind, values[i].what, site_at(g, values[i].site),
                    tell_new(&g->losses_told, i, values[i].count));
    for (uint32_t i = 0; i < n_ways; i++)
        add_loss_at(b, ways[i].mispredicted ? HD_LOSS_MISPREDICTED : HD_LOSS_UNKNOWN, "",
                    site_at(g, ways[i].site), tell_way(g, &ways[i]));
    HD_ASSERT(b->n_losses <= room);
}

static void take_labels(hd_gather *g, hd_batch *b) {
    HD_ASSERT(!g->is_rebuilding);
    uint32_t n;
    const hd_label *labels = hd_machine_labels(g->machine, &n);
    b->labels = hd_allocate(n, sizeof *b->labels);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t count = tell_new(&g->labels_told, i, labels[i].count);
        if (count) /* else reached by executions only that were run again */
            b->labels[b->n_labels++] = (hd_label){hd_copy(labels[i].name), count};
    }
}

/* What the frontier needs to know about threads, and warnings. */
static void take_threads(hd_gather *g, hd_batch *b) {
    hd_text threads = {0}, warnings = {0};
    if (g->harm) {
        hd_machine_print_facts(g->machine, &threads);
        hd_machine_warnings(g->machine, &warnings);
    }
    b->threads = threads.at;
    b->warnings = warnings.at;
}

uint64_t hd_gather_n_threads(const hd_gather *g) {
    return g->harm ? hd_machine_n_thread_names(g->machine) : 0;
}

/* Nodes of a scenario are started by a process that is none of them. */
uint64_t hd_gather_n_processes(const hd_gather *g) {
    return hd_machine_n_names(g->machine) - (g->orders->options->machine.n_nodes > 0);
}

static void tell_scenarios(hd_gather *g) {
    bool are_possible;
    const char *digits = g->explorer ? hd_explorer_dscenarios(g->explorer, &are_possible) : NULL;
    if (digits)
        hd_observers_counted(g->observers, digits, are_possible);
}

void hd_gather_take(hd_gather *g, hd_batch *b) {
    bool was_rebuilding = g->is_rebuilding;
    hd_gather_set_rebuilding(g, false);
    b->findings = g->findings.at;
    b->n_findings = (uint32_t)g->findings.n;
    hd_text observed = {0};
    hd_gather_grow(g, true);
    tell_scenarios(g);
    hd_observers_take(g->observers, &observed);
    b->observed = observed.at;
    b->n_observed = observed.n;
    take_losses(g, b);
    take_labels(g, b);
    take_threads(g, b);
    memset(&g->findings, 0, sizeof g->findings);
    hd_map_clear(&g->pending_at);
    hd_gather_set_rebuilding(g, was_rebuilding);
}

bool hd_gather_is_enough(const hd_gather *g) {
    const hd_run_options *o = g->orders->options;
    return o->is_enough && o->is_enough(o->enough, g->coverage, g->n_branches);
}

void hd_gather_want(const hd_gather *g, const hd_image *image, uint8_t *wanted) {
    const hd_run_options *o = g->orders->options;
    o->want(o->enough, image, g->coverage, wanted);
}

static uint64_t count_covered(const hd_gather *g, uint64_t from, uint64_t to) {
    uint64_t n = 0;
    for (uint64_t i = from; i < to; i++)
        n += g->coverage[i] != 0;
    return n;
}

void hd_gather_coverage(hd_gather *g, hd_run_counters *c) {
    uint64_t n_vectors, all = (uint64_t)2 * g->n_branches;
    hd_machine_vectors(g->machine, &n_vectors);
    c->vectors = (n_vectors + 1) / 2 * 2; /* program/abi.h */
    HD_ASSERT(c->vectors <= all);
    c->branches = all - c->vectors;
    c->branches_covered = count_covered(g, 0, c->branches);
    c->vectors_covered = count_covered(g, c->branches, all);
}
