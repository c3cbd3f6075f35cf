/* Supervisor and worker with an engine made of cardboard: a program with `bits` inputs of one
 * bit, all 2^bits paths of it explored in order.  Paths named in `lethal` kill the process that
 * executes them; an isolated execution survives as a finding, but not on a path in `deadly`, which
 * takes its worker down in any case.  Whatever is killed, and when: each path is recorded exactly
 * once. */
#include "base/clock.h"
#include "base/pack.h"
#include "base/vec.h"
#include "fleet/fleet.h"
#include "program/symbolize.h"
#include "tool/thread_program.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What the cardboard program does; set by each test before the worker is forked. */
static struct {
    unsigned bits;
    unsigned microseconds; /* an execution takes */
    uint64_t lethal[4];
    uint64_t deadly[3];
    uint64_t assertion; /* path that fails an assertion */
    uint64_t endless;   /* path that never ends */
    bool refuses;
    bool is_threaded; /* two threads add one to a counter: the bits are who goes first */
} program;
static atomic_uint *n_executed; /* by all workers */

/* ---- the engine ---- */

static hd_site sites[2] = {{"unknown", "", 0, 0, UINT32_MAX, 0}, {"main", "card.c", 7, 1, 0, 1}};
static hd_image image = {.n_sites = 2, .sites = sites};
static const card_program adders = {
    .cards = {{{HD_DO_READ, 0, 1}, {HD_DO_WRITE, 0, 1}}, {{HD_DO_READ, 0, 1}, {HD_DO_WRITE, 0, 1}}},
    .n_threads = 2};

bool hd_module_load(hd_module *m, const char *directory, hd_err *err) {
    if (program.refuses) {
        hd_err_set(err, "cannot load module '%s'", directory);
        return hd_err_hint(err, "build it again");
    }
    image.is_threaded = program.is_threaded;
    *m = (hd_module){.image = &image, .directory = (char *)directory};
    return true;
}

void hd_module_unload(hd_module *m) {
    (void)m;
}

const hd_type *hd_types_get(const hd_types *ts, hd_type_id id) {
    static const hd_type unknown;
    (void)ts, (void)id;
    return &unknown;
}

hd_symbolizer *hd_symbolizer_new(const char *directory) {
    (void)directory;
    return NULL;
}

void hd_symbolizer_free(hd_symbolizer *s) {
    (void)s;
}

void hd_symbolizer_stack(hd_symbolizer *s, hd_finding *finding, hd_text *out) {
    (void)s;
    hd_text_add(out, "main at card.c:%u\n", finding->line);
}

struct hd_machine {
    hd_variables *variables;
    bool is_isolated;
    hd_var inputs[32];
    uint8_t coverage[2];
    card_program cards;
    hd_watch *watches;
    char names[16];
    hd_label label;
    hd_approximation approximation;
    hd_failure failures[4];
    uint32_t n_failures;
};

hd_machine *hd_machine_new(hd_module *module, hd_graph *graph, hd_variables *variables,
                           const hd_machine_options *options, hd_err *err) {
    (void)module, (void)graph, (void)options, (void)err;
    hd_machine *m = calloc(1, sizeof *m);
    m->variables = variables;
    m->label.name = "odd";
    return m;
}

void hd_machine_free(hd_machine *m) {
    free(m);
}

bool hd_machine_forks(const hd_machine *m) {
    return m->is_isolated;
}

const char *hd_machine_fork_reason(const hd_machine *m) {
    (void)m;
    return "";
}

void hd_machine_isolate(hd_machine *m, bool yes) {
    m->is_isolated = yes;
}

/* The last one is the outcome. */
static void fail_execution(hd_machine *m, hd_outcome *o, hd_finding_kind kind, uint32_t line) {
    o->end = HD_END_FINDING;
    o->finding = (hd_finding){.kind = kind, .file = "card.c", .message = "as planned"};
    o->finding.line = line;
    m->failures[0].finding = o->finding;
    m->n_failures = 1;
}

const hd_fault_event *hd_machine_faults(const hd_machine *m, uint32_t *n) {
    (void)m;
    *n = 0;
    return NULL;
}

uint32_t hd_machine_spent(hd_machine *m, uint32_t rule) {
    (void)m, (void)rule;
    return 0;
}

const hd_failure *hd_machine_failures(const hd_machine *m, uint32_t *n) {
    *n = m->n_failures;
    return m->failures;
}

void hd_outcome_show(hd_outcome *o, const hd_failure *f) {
    o->finding = f->finding;
}

static bool is_lethal(uint64_t path) {
    for (unsigned i = 0; i < 4; i++)
        if (program.lethal[i] == path + 1)
            return true;
    return false;
}

static bool is_deadly(uint64_t path) {
    for (unsigned i = 0; i < 3; i++)
        if (program.deadly[i] == path + 1)
            return true;
    return false;
}

static void look(hd_machine *m) {
    for (unsigned i = 0; m->watches && i < 2; i++) {
        m->watches[i].at = (hd_finding){.line = 7 + i};
        snprintf(m->watches[i].locks, sizeof m->watches[i].locks, "%s", i ? "'m'" : "");
    }
    m->watches = NULL;
}

/* The lost update is what fails. */
static void run_threads(hd_machine *m, const hd_sink *sink, hd_outcome *o) {
    strcpy(m->names, "0:0");
    m->cards = adders;
    o->n_events = card_run(&m->cards, sink);
    for (uint32_t i = 0; i < 2; i++)
        o->trace_hash = o->trace_hash * 31 + m->cards.taken[i];
    if (m->cards.memory[0] != 2)
        fail_execution(m, o, HD_FINDING_ASSERTION, 7);
    look(m);
}

void hd_machine_run(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *o) {
    uint64_t path = 0;
    atomic_fetch_add(n_executed, 1);
    for (unsigned i = 0; i < program.bits; i++) {
        m->inputs[i] = hd_variables_root(m->variables, i, HD_VAR_INTEGER, 1, 0, "bit");
        path |= hd_model_get(model, m->inputs[i]) << i;
    }
    *o = (hd_outcome){.trace_hash = path};
    m->n_failures = 0;
    o->covered_new = !m->coverage[path & 1];
    m->coverage[path & 1] = 1;
    m->label.count += path & 1;
    if (program.microseconds)
        usleep(program.microseconds);
    if (program.is_threaded)
        run_threads(m, sink, o);
    if (sink->branch)
        sink->branch(sink->context, 1, 0, path & 1, HD_BRANCH_PROGRAM);
    if (is_deadly(path) || (is_lethal(path) && !m->is_isolated))
        raise(SIGKILL);
    if (is_lethal(path))
        fail_execution(m, o, HD_FINDING_LOST_WORKER, (uint32_t)path);
    if (program.assertion == path + 1)
        fail_execution(m, o, HD_FINDING_ASSERTION, 7);
    if (program.endless == path + 1)
        fail_execution(m, o, HD_FINDING_NON_TERMINATION, 8);
}

const hd_var *hd_machine_inputs(const hd_machine *m, uint32_t *n) {
    *n = program.bits;
    return m->inputs;
}

const hd_approximation *hd_machine_approximations(const hd_machine *m, uint32_t *n) {
    *n = 0;
    return &m->approximation;
}

const hd_label *hd_machine_labels(const hd_machine *m, uint32_t *n) {
    *n = 1;
    return &m->label;
}

const uint8_t *hd_machine_coverage(const hd_machine *m, uint32_t *n_branches) {
    *n_branches = 1;
    return m->coverage;
}

void hd_machine_print_map(const hd_machine *m, const hd_model *model, hd_text *out) {
    (void)m, (void)model;
    hd_text_add(out, "<>");
}

uint32_t hd_machine_n_thread_names(const hd_machine *m) {
    uint32_t n = 1;
    for (const char *at = m->names; *at; at++)
        n += *at == ':';
    return n;
}

void hd_machine_print_names(const hd_machine *m, hd_text *out) {
    hd_text_add(out, "%s", m->names);
}

void hd_machine_print_facts(const hd_machine *m, hd_text *out) {
    hd_machine_print_names(m, out);
}

bool hd_machine_take_names(hd_machine *m, const char *names) {
    assert_string_equal(names, "0:0");
    snprintf(m->names, sizeof m->names, "%s", names);
    return true;
}

void hd_machine_watch(hd_machine *m, hd_watch *watches, uint32_t n) {
    assert_int_equal(n, watches ? 2 : 0);
    m->watches = watches;
}

size_t hd_machine_describe(const hd_machine *m, uint64_t address, char *text, size_t size) {
    (void)m, (void)address;
    snprintf(text, size, "counter");
    return strlen(text);
}

void hd_machine_exchange_facts(hd_machine *m) {
    (void)m;
}

void hd_machine_forget_facts(hd_machine *m) {
    (void)m;
}

uint32_t hd_machine_n_processes(const hd_machine *m) {
    (void)m;
    return 1;
}

uint32_t hd_machine_n_names(const hd_machine *m) {
    (void)m;
    return 1;
}

bool hd_machine_participant(const hd_machine *m, uint32_t number, hd_participant *out) {
    (void)m, (void)number, (void)out;
    return false;
}

uint32_t hd_machine_process_of(const hd_machine *m, uint32_t thread) {
    (void)m, (void)thread;
    return 0;
}

bool hd_machine_is_courier(const hd_machine *m, uint32_t thread) {
    (void)m, (void)thread;
    return false;
}

void hd_machine_warnings(const hd_machine *m, hd_text *out) {
    (void)m;
    hd_text_add(out, "locks 'a' and 'b'\n");
}

/* Paths in order; after a restore the last one runs again, to rebuild. */
struct hd_explorer {
    hd_variables *variables;
    hd_explorer_counters counters;
    uint64_t end;
    uint64_t next, current;
    hd_vec(hd_action) events; /* of the execution */
    bool has_raced;
    bool must_rebuild, is_rebuilding;
};

static uint64_t n_paths(void) {
    return UINT64_C(1) << program.bits;
}

hd_explorer *hd_explorer_new(hd_graph *graph, hd_variables *variables, hd_chain *chain,
                             const hd_explorer_options *options) {
    (void)graph, (void)chain, (void)options;
    hd_explorer *x = calloc(1, sizeof *x);
    x->variables = variables;
    x->end = n_paths();
    return x;
}

/* Bit i says who is at event i, if that thread can go on. */
static uint32_t choose_thread(void *context, hd_threads *t) {
    hd_explorer *x = context;
    hd_thread_set enabled = hd_threads_enabled(t);
    uint32_t wanted = x->current >> x->events.n & 1;
    uint32_t thread = hd_set_has(enabled, wanted) ? wanted : 1 - wanted;
    hd_vec_push(&x->events, t->action[thread]);
    return thread;
}

hd_sink hd_explorer_sink(hd_explorer *x) {
    return (hd_sink){.context = x, .schedule = choose_thread};
}

bool hd_explorer_next(hd_explorer *x, hd_model *model) {
    x->is_rebuilding = x->must_rebuild;
    if (!x->must_rebuild && x->next == x->end)
        return false;
    x->current = x->must_rebuild ? x->next - 1 : x->next++;
    x->must_rebuild = false;
    hd_vec_clear(&x->events);
    hd_model_clear(model);
    for (unsigned i = 0; i < program.bits; i++)
        hd_model_set(model, hd_variables_root(x->variables, i, HD_VAR_INTEGER, 1, 0, "bit"),
                     x->current >> i & 1);
    return true;
}

void hd_explorer_done(hd_explorer *x, const hd_outcome *outcome, const hd_model *model) {
    (void)outcome, (void)model;
    x->counters.executions += !x->is_rebuilding;
    x->counters.paths = x->counters.executions;
    x->counters.open = x->end - x->next;
}

uint64_t hd_explorer_path_hash(const hd_explorer *x) {
    return x->current;
}

void hd_explorer_print_path(const hd_explorer *x, hd_text *out) {
    hd_text_add(out, "%llu", (unsigned long long)x->current);
}

void hd_explorer_print_schedule(const hd_explorer *x, hd_text *out) {
    for (size_t i = 0; i < x->events.n; i++)
        hd_text_add(out, "%s%u", i ? " " : "", x->events.at[i].thread);
}

/* A write and the other's read after it: at the same two places in all executions. */
const hd_race *hd_explorer_races(const hd_explorer *x, uint32_t *n) {
    static hd_race race;
    *n = 0;
    for (size_t i = 0; i + 1 < x->events.n; i++) {
        const hd_action *a = &x->events.at[i], *b = a + 1;
        if (a->kind != HD_DO_WRITE || b->kind != HD_DO_READ || a->thread == b->thread)
            continue;
        race = (hd_race){{i, i + 1}, {*a, *b}};
        *n = 1;
    }
    return &race;
}

const hd_explorer_counters *hd_explorer_counted(const hd_explorer *x) {
    return &x->counters;
}

void hd_explorer_count_sample(hd_explorer *x) {
    x->counters.sampled++;
}

void hd_explorer_free(hd_explorer *x) {
    hd_vec_release(&x->events);
    free(x);
}

const hd_lost_way *hd_explorer_lost(const hd_explorer *x, uint32_t *n) {
    (void)x;
    *n = 0;
    return NULL;
}

bool hd_explorer_is_exhausted(const hd_explorer *x) {
    return x->next == x->end;
}

void hd_explorer_compact(hd_explorer *x) {
    (void)x;
}

static void save_part(uint64_t next, uint64_t end, uint64_t executions, hd_text *out) {
    hd_pack_u64(out, next);
    hd_pack_u64(out, end);
    hd_pack_u64(out, executions);
}

void hd_explorer_save(const hd_explorer *x, hd_text *out) {
    save_part(x->next, x->end, x->counters.executions, out);
}

/* The second half of what is left. */
bool hd_explorer_split(hd_explorer *x, hd_text *out) {
    uint64_t middle = x->end - (x->end - x->next) / 2;
    if (middle == x->end)
        return false;
    save_part(middle, x->end, 0, out);
    x->end = middle;
    x->counters.open = x->end - x->next;
    return true;
}

bool hd_explorer_lift(hd_explorer *x, hd_text *out) {
    (void)x, (void)out;
    return false;
}

void hd_explorer_take_asked(hd_explorer *x, hd_text *out) {
    (void)x, (void)out;
}

void hd_explorer_take_classes(hd_explorer *x, hd_text *out) {
    (void)x, (void)out;
}

void hd_explorer_take_races(hd_explorer *x, hd_text *out) {
    (void)x, (void)out;
}

void hd_explorer_save_followed(const hd_explorer *x, hd_text *out) {
    (void)x, (void)out;
}

void hd_explorer_save_context(hd_explorer *x, hd_text *out) {
    (void)x, (void)out;
}

bool hd_explorer_begin_unit(hd_explorer *x, const hd_text *context, const hd_text *path) {
    (void)x, (void)context, (void)path;
    return false;
}

void hd_explorer_begin_anew(hd_explorer *x) {
    (void)x;
}

uint64_t hd_explorer_generation(const hd_explorer *x) {
    (void)x;
    return 0;
}

bool hd_explorer_restore(hd_explorer *x, const void *bytes, size_t n, hd_err *err) {
    hd_unpack u = hd_unpack_from(bytes, n);
    x->next = hd_unpack_u64(&u);
    x->end = hd_unpack_u64(&u);
    x->counters.executions = x->counters.paths = hd_unpack_u64(&u);
    x->counters.open = x->end - x->next;
    x->must_rebuild = x->counters.executions > 0; /* of a part that was split off none was run */
    return hd_unpack_ok(&u) || hd_err_set(err, "damaged");
}

bool hd_explorer_is_rebuilding(const hd_explorer *x) {
    return x->is_rebuilding;
}

hd_chain *hd_chain_new(hd_graph *g, const hd_variables *variables,
                       const hd_chain_options *options) {
    (void)g, (void)variables, (void)options;
    return NULL;
}

void hd_chain_free(hd_chain *c) {
    (void)c;
}

const hd_chain_counters *hd_chain_counted(hd_chain *c) {
    static hd_chain_counters none;
    (void)c;
    return &none;
}

void hd_chain_set_deadline(hd_chain *c, double deadline) {
    (void)c, (void)deadline;
}

/* ---- the tests ---- */

static char top[200], out[216];

static int make_top(void **state) {
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/heddle-fleet-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(top))
        return -1;
    snprintf(out, sizeof out, "%s/out", top);
    memset(&program, 0, sizeof program);
    atomic_store(n_executed, 0);
    program.bits = 10;
    return 0;
}

static int drop_top(void **state) {
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    return system(command);
}

static hd_record *new_run(void) {
    hd_err err;
    hd_run_info info = {.command = "test", .options = "{}"};
    hd_record *r = hd_record_create(out, &info, &err);
    if (!r)
        fail_msg("%s", err.message);
    return r;
}

static hd_run_options keep_all = {.keep = HD_KEEP_ALL};

static void run_well(hd_record *r, const hd_run_options *options, const hd_watcher *watcher,
                     const char *expected) {
    char why[128];
    hd_err err;
    if (!hd_fleet_run(r, options, watcher, why, &err))
        fail_msg("%s", err.message);
    assert_string_equal(why, expected);
}

static bool mark_path(void *context, const hd_test *test) {
    uint8_t *seen = context;
    assert_true(test->path_hash < n_paths());
    assert_int_equal(test->n_inputs, program.bits);
    uint64_t path = 0;
    for (unsigned i = 0; i < program.bits; i++)
        path |= test->inputs[i].value << i;
    assert_int_equal(path, test->path_hash);
    seen[test->path_hash]++;
    return true;
}

/* Every path is there once, and the counters say so. */
static void assert_all_paths(hd_record *r) {
    hd_err err;
    hd_batch s;
    uint8_t *seen = calloc(n_paths(), 1);
    assert_true(hd_record_tests(r, mark_path, seen, &err));
    for (uint64_t i = 0; i < n_paths(); i++)
        assert_int_equal(seen[i], 1);
    free(seen);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.counters.explore.executions, n_paths());
    assert_int_equal(s.n_labels, 1);
    assert_int_equal(s.labels[0].count, n_paths() / 2);
    assert_int_equal(s.counters.branches_covered, 2);
    hd_batch_release(&s);
}

static void all_paths_once(void **state) {
    (void)state;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE); /* nothing left, nothing added */
    assert_all_paths(r);
    hd_record_close(r);
}

static void only_tests_that_add_something_are_kept(void **state) {
    (void)state;
    hd_run_options options = {.keep = HD_KEEP_NEW};
    hd_err err;
    hd_test t;
    program.assertion = 8;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_true(hd_record_test(r, 3, &t, &err));
    assert_int_equal(t.reason, HD_TEST_FINDING);
    assert_int_equal(t.path_hash, 7);
    hd_test_release(&t);
    assert_false(hd_record_test(r, 4, &t, &err));
    hd_record_close(r);
}

static void limits_add_up_over_sittings(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    options.max_executions = 400;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_EXECUTIONS);
    run_well(r, &options, NULL, HD_STOP_EXECUTIONS);
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    hd_record_close(r);
}

static void time_is_a_limit(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    options.max_seconds = 0.1;
    program.microseconds = 1000;
    hd_record *r = new_run();
    double began = hd_clock_now();
    run_well(r, &options, NULL, HD_STOP_TIME);
    assert_true(hd_clock_now() - began < 60); /* and not for ever; the machine may be busy */
    program.microseconds = 0;
    options.max_seconds = 0;
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    hd_record_close(r);
}

typedef struct listener {
    unsigned found;
    uint64_t last_test;
    char last_file[32];
} listener;

static void hear_found(void *context, const hd_found *f) {
    listener *l = context;
    l->found++;
    l->last_test = f->test;
    snprintf(l->last_file, sizeof l->last_file, "%s", f->file);
}

static void the_first_finding_stops(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    listener l = {0};
    hd_watcher watcher = {.context = &l, .found = hear_found};
    options.stop_at_first = true;
    program.assertion = 101;
    hd_record *r = new_run();
    run_well(r, &options, &watcher, HD_STOP_FINDING);
    assert_int_equal(l.found, 1);
    assert_int_equal(l.last_test, 101);
    assert_string_equal(l.last_file, "card.c");
    run_well(r, &options, &watcher, HD_STOP_COMPLETE);
    assert_int_equal(l.found, 1);
    hd_record_close(r);
}

static void the_step_limit_is_not_complete(void **state) {
    (void)state;
    program.endless = 5;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_EXHAUSTED);
    assert_all_paths(r);
    hd_record_close(r);
}

static void lethal_executions_become_findings(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.lethal[0] = 1;
    program.lethal[1] = 300;
    program.lethal[2] = 301;
    program.lethal[3] = 1024;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_EXHAUSTED); /* they may have had more to show */
    assert_all_paths(r);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(s.findings[i].kind, HD_FINDING_LOST_WORKER);
        assert_int_equal(s.findings[i].count, 1);
        assert_int_equal(s.findings[i].test, program.lethal[i]);
    }
    hd_batch_release(&s);
    hd_record_close(r);
}

static bool count_aside(void *context, const hd_unit_cost *u) {
    *(unsigned *)context += u->state == HD_UNIT_ASIDE;
    return true;
}

/* All paths but those that take down every worker; these are findings, and nothing is complete. */
static void assert_set_aside(hd_record *r, unsigned n) {
    hd_err err;
    hd_batch s;
    unsigned n_aside = 0;
    uint8_t *seen = calloc(n_paths(), 1);
    assert_true(hd_record_tests(r, mark_path, seen, &err));
    for (uint64_t i = 0; i < n_paths(); i++)
        assert_int_equal(seen[i], !is_deadly(i));
    free(seen);
    assert_true(hd_record_units(r, count_aside, &n_aside, &err));
    assert_int_equal(n_aside, n);
    assert_true(hd_record_state(r, &s, &err));
    assert_false(s.is_complete);
    assert_int_equal(s.counters.explore.open, n);
    assert_int_equal(s.n_findings, n);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(s.findings[i].kind, HD_FINDING_LOST_WORKER);
        assert_string_equal(s.findings[i].file, "card.c");
        assert_int_equal(s.findings[i].line, 7);
        assert_int_equal(s.findings[i].test, 0);
        assert_non_null(strstr(s.findings[i].story, "bit = 1"));
    }
    hd_batch_release(&s);
}

static void what_takes_down_every_worker_is_set_aside(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.deadly[0] = 301;
    program.deadly[1] = 302;
    program.deadly[2] = 1024;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_ASIDE);
    assert_set_aside(r, 3);
    run_well(r, &keep_all, NULL, HD_STOP_ASIDE); /* it is tried again, in vain */
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 3);
    assert_int_equal(s.findings[0].count, 2);
    hd_batch_release(&s);
    memset(program.deadly, 0, sizeof program.deadly); /* the reason is gone */
    run_well(r, &keep_all, NULL, HD_STOP_EXHAUSTED);  /* as with other lost workers */
    assert_all_paths(r);
    hd_record_close(r);
}

static void three_workers_set_aside(void **state) {
    (void)state;
    program.microseconds = 1000;
    program.deadly[0] = 2;
    program.deadly[1] = 700;
    keep_all.n_workers = 3;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_ASIDE);
    assert_set_aside(r, 2);
    hd_record_close(r);
    keep_all.n_workers = 1;
}

/* Nothing could ever be run: that is no finding of the program. */
static void a_first_execution_that_is_deadly_is_an_error(void **state) {
    (void)state;
    char why[128];
    hd_err err = {.message = ""};
    program.deadly[0] = 1;
    program.bits = 0; /* there is nothing else to try */
    hd_record *r = new_run();
    assert_false(hd_fleet_run(r, &keep_all, NULL, why, &err));
    assert_non_null(strstr(err.message, "died 11 times"));
    hd_record_close(r);
}

static void a_worker_that_cannot_start_says_why(void **state) {
    (void)state;
    char why[128];
    hd_err err = {.message = ""};
    program.refuses = true;
    hd_record *r = new_run();
    assert_false(hd_fleet_run(r, &keep_all, NULL, why, &err));
    assert_non_null(strstr(err.message, "cannot load module"));
    assert_string_equal(err.hint, "build it again");
    hd_record_close(r);
}

static const hd_found *find_kind(const hd_batch *s, hd_finding_kind kind) {
    for (uint32_t i = 0; i < s->n_findings; i++)
        if (s->findings[i].kind == kind)
            return &s->findings[i];
    return NULL;
}

static void assert_told(const hd_batch *s) {
    const hd_found *f = find_kind(s, HD_FINDING_ASSERTION);
    const hd_found *race = find_kind(s, HD_FINDING_DATA_RACE);
    assert_non_null(f);
    assert_string_equal(f->story, "thread 1          reads 'counter' at card.c:7\n"
                                  "thread 0 (main)   reads 'counter' at card.c:7, "
                                  "writes 'counter' at card.c:7\n"
                                  "thread 1          writes 'counter' at card.c:7\n"
                                  "then              as planned at card.c:7\n");
    assert_non_null(race);
    assert_non_null(strstr(race->message, "writes 'counter' (card.c:7) while thread"));
    assert_non_null(strstr(race->message, "holds no lock; thread"));
    assert_non_null(strstr(race->message, "holds 'm'"));
    assert_string_equal(race->stack, "thread 0\nmain at card.c:7\nthread 1\nmain at card.c:8\n");
    assert_int_equal(race->leads_to, f->number);
}

/* Which of the two reads or writes first decides about the assertion, so the race is harmful. */
static void threads_are_told(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    hd_test t;
    program.bits = 4;
    program.is_threaded = true;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 2);
    assert_told(&s);
    assert_int_equal(s.counters.threads, 2);
    assert_string_equal(s.threads, "0:0");
    assert_string_equal(s.warnings, "locks 'a' and 'b'\n");
    assert_true(hd_record_test(r, find_kind(&s, HD_FINDING_ASSERTION)->test, &t, &err));
    assert_string_equal(t.schedule, "1 0*2 1");
    hd_replay again = {0};
    assert_true(hd_fleet_replay(r, &t, &keep_all, &again, &err));
    assert_int_equal(again.outcome.finding.kind, HD_FINDING_ASSERTION);
    assert_true(again.outcome.trace_hash == t.trace_hash);
    assert_false(again.strayed);
    assert_string_equal(hd_text_string(&again.story), find_kind(&s, HD_FINDING_ASSERTION)->story);
    hd_replay_release(&again);
    hd_test_release(&t);
    hd_batch_release(&s);
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE); /* the names go to the next worker */
    hd_record_close(r);
}

static void races_can_be_ignored(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    hd_run_options options = keep_all;
    options.ignore_races = true;
    program.bits = 4;
    program.is_threaded = true;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 1);
    hd_batch_release(&s);
    hd_record_close(r);
}

static void samples_are_never_complete(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    options.explore.sampling = HD_SAMPLING_RANDOM;
    program.bits = 4;
    program.is_threaded = true;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_EXHAUSTED);
    hd_record_close(r);
}

/* The last worker that was started: workers are the only children of this process. */
static pid_t find_worker(void) {
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    while (fscanf(f, "%d", &pid) == 1)
        ;
    fclose(f);
    return pid;
}

static unsigned n_kills;
static void kill_worker(void *context, const hd_run_counters *c, uint64_t findings, double t) {
    (void)context, (void)c, (void)findings, (void)t;
    pid_t worker = find_worker();
    if (worker > 0 && n_kills < 8) {
        usleep((useconds_t)rand() % 30000);
        n_kills += kill(worker, SIGKILL) == 0;
    }
}

static void workers_may_be_killed(void **state) {
    (void)state;
    hd_watcher watcher = {.progress = kill_worker};
    hd_err err;
    hd_batch s;
    program.microseconds = 500;
    srand(3);
    n_kills = 0;
    hd_record *r = new_run();
    run_well(r, &keep_all, &watcher, HD_STOP_COMPLETE);
    assert_true(n_kills >= 3);
    assert_all_paths(r);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 0); /* killed from outside: nothing is claimed */
    hd_batch_release(&s);
    hd_record_close(r);
}

/* The same with several workers, each execution long enough for others to come. */
static void with_three(void (*test)(void **)) {
    keep_all.n_workers = 3;
    test(NULL);
    keep_all.n_workers = 1;
}

typedef struct cost_sums {
    uint64_t n, executions, repeated, hand_outs;
    double seconds, lost, given_at; /* given_at: of unit 1, the latest */
    bool are_done, have_parents;
} cost_sums;

static bool add_cost(void *context, const hd_unit_cost *u) {
    cost_sums *s = context;
    assert_int_equal(u->number, ++s->n);
    s->executions += u->executions;
    s->repeated += u->repeated;
    s->hand_outs += u->hand_outs;
    s->seconds += u->seconds;
    s->lost += u->lost;
    s->are_done &= u->state == HD_UNIT_DONE;
    s->have_parents &= (u->number == 1) == (u->parent == 0);
    if (u->parent == 1 && u->given_at > s->given_at)
        s->given_at = u->given_at;
    return true;
}

/* The costs of all units are those of the run. */
static cost_sums assert_costs_add_up(hd_record *r) {
    hd_err err;
    hd_batch s;
    cost_sums sums = {.are_done = true, .have_parents = true};
    assert_true(hd_record_units(r, add_cost, &sums, &err));
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(sums.n, s.counters.units);
    assert_int_equal(sums.executions, s.counters.explore.executions);
    assert_int_equal(sums.repeated, s.counters.repeated);
    assert_true(sums.seconds > 0.999 * s.counters.work_seconds &&
                sums.seconds < 1.001 * s.counters.work_seconds + 1e-9);
    assert_true(s.counters.work_seconds <= s.counters.cpu_seconds);
    assert_true(sums.have_parents);
    hd_batch_release(&s);
    return sums;
}

/* What whoever watches is told about workers. */
typedef struct watched {
    uint32_t n;
    uint64_t executions, units;
} watched;

static void hear_workers(void *context, const hd_worker_progress *workers, uint32_t n) {
    watched *w = context;
    uint64_t executions = 0;
    w->n = n;
    for (uint32_t i = 0; i < n; i++) {
        executions += workers[i].executions;
        w->units += workers[i].unit > 0;
    }
    assert_true(executions >= w->executions && executions <= n_paths());
    w->executions = executions;
}

static void workers_are_watched(void **state) {
    (void)state;
    watched w = {0};
    hd_watcher watcher = {.context = &w, .workers = hear_workers};
    program.microseconds = 1000;
    keep_all.n_workers = 3;
    hd_record *r = new_run();
    run_well(r, &keep_all, &watcher, HD_STOP_COMPLETE);
    assert_int_equal(w.n, 3);
    assert_true(w.executions > 0 && w.units > 0);
    hd_record_close(r);
    keep_all.n_workers = 1;
}

/* Also if nobody is idle. */
static void long_units_are_split(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    options.unit_seconds = 1e-6; /* after each execution */
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    cost_sums sums = assert_costs_add_up(r);
    assert_true(sums.n >= 32 && sums.are_done);
    hd_record_close(r);
}

static void three_workers_share_all_paths(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.microseconds = 1000; /* a second in all: longer than the first works alone */
    with_three(all_paths_once);
    hd_record *r = hd_record_open(out, false, &err);
    assert_non_null(r);
    assert_true(hd_record_state(r, &s, &err));
    assert_true(s.counters.units > 1); /* else nothing was shared */
    hd_batch_release(&s);
    hd_record_close(r);
}

static void three_workers_keep_limits(void **state) {
    (void)state;
    program.microseconds = 1000;
    with_three(limits_add_up_over_sittings);
}

/* What observers on all workers saw is added up, over deaths and sittings: each execution once. */
static void assert_observed(hd_record *r, uint64_t n_findings) {
    hd_err err;
    hd_batch s;
    hd_ends ends;
    hd_firsts firsts = {0};
    size_t n;
    assert_true(hd_record_state(r, &s, &err));
    const void *bytes = hd_observed_find(s.observed, s.n_observed, "ends", &n);
    assert_true(bytes && hd_ends_unpack(bytes, n, &ends));
    assert_int_equal(ends.exits[0], n_paths() - n_findings);
    assert_int_equal(ends.findings, n_findings);
    assert_int_equal(ends.rejected, 0);
    bytes = hd_observed_find(s.observed, s.n_observed, "firsts", &n);
    assert_true(bytes && hd_firsts_unpack(bytes, n, &firsts));
    assert_int_equal(firsts.n, 2 + n_findings); /* both ways of the branch */
    assert_true(firsts.at[0].kind == HD_FIRST_WAY && firsts.at[0].what == 0);
    assert_true(firsts.at[1].kind == HD_FIRST_WAY && firsts.at[1].what == 1);
    assert_true(firsts.at[0].seconds <= firsts.at[1].seconds);
    hd_vec_release(&firsts);
    hd_batch_release(&s);
}

static void observers_see_each_execution_once(void **state) {
    (void)state;
    hd_watcher watcher = {.progress = kill_worker};
    hd_run_options options = keep_all;
    options.max_executions = 900;
    options.n_workers = 3;
    program.microseconds = 500;
    program.assertion = 8;
    srand(4);
    n_kills = 0;
    hd_record *r = new_run();
    run_well(r, &options, &watcher, HD_STOP_EXECUTIONS);
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    assert_observed(r, 1);
    hd_record_close(r);
}

static void costs_are_recorded(void **state) {
    (void)state;
    program.microseconds = 1000;
    keep_all.n_workers = 3;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    cost_sums sums = assert_costs_add_up(r);
    assert_true(sums.n > 1 && sums.are_done && sums.given_at > 0);
    assert_int_equal(sums.hand_outs, sums.n);
    assert_int_equal(sums.repeated, 0); /* parts of the cardboard search have nothing to rebuild */
    hd_record_close(r);
    keep_all.n_workers = 1;
}

/* Over deaths and sittings; who takes over has to rebuild. */
static void costs_of_the_dead_are_merged(void **state) {
    (void)state;
    hd_watcher watcher = {.progress = kill_worker};
    hd_run_options options = keep_all;
    options.max_executions = 900;
    program.microseconds = 500;
    srand(3);
    n_kills = 0;
    hd_record *r = new_run();
    run_well(r, &options, &watcher, HD_STOP_EXECUTIONS);
    assert_false(assert_costs_add_up(r).are_done);
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    cost_sums sums = assert_costs_add_up(r);
    assert_true(sums.are_done && n_kills >= 2);
    assert_int_equal(sums.n, 1);
    assert_int_equal(sums.hand_outs, n_kills + 2);
    assert_true(sums.repeated >= 1 && sums.repeated <= n_kills + 1);
    hd_record_close(r);
}

static void three_workers_may_die(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.microseconds = 1000;
    program.lethal[0] = 1;
    program.lethal[1] = 500;
    program.lethal[2] = 1024;
    keep_all.n_workers = 3;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_EXHAUSTED);
    assert_all_paths(r);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 3);
    hd_batch_release(&s);
    hd_record_close(r);
    keep_all.n_workers = 1;
}

static pid_t start_supervisor(void) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    char why[128];
    hd_err err;
    hd_record *r = hd_record_open(out, true, &err);
    bool ok = r && hd_fleet_run(r, &keep_all, NULL, why, &err);
    hd_record_close(r);
    _exit(ok ? 0 : 2);
}

static void supervisors_may_be_killed(void **state) {
    (void)state;
    hd_err err;
    int status = 1;
    program.microseconds = 400;
    hd_record_close(new_run());
    srand(5);
    for (int i = 0; i < 8; i++) {
        pid_t pid = start_supervisor();
        usleep(20000 + (useconds_t)rand() % 300000);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
    }
    program.microseconds = 0;
    hd_record *r = hd_record_open(out, true, &err);
    if (!r)
        fail_msg("%s", err.message);
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    hd_record_close(r);
}

static void three_workers_may_be_killed(void **state) {
    (void)state;
    with_three(workers_may_be_killed);
}

static void supervisors_of_three_may_be_killed(void **state) {
    (void)state;
    with_three(supervisors_may_be_killed);
}

static void an_interrupt_loses_nothing(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.microseconds = 1000;
    hd_record_close(new_run());
    pid_t pid = start_supervisor();
    while (atomic_load(n_executed) < 20)
        usleep(1000);
    kill(pid, SIGINT);
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    hd_record *r = hd_record_open(out, true, &err);
    assert_true(hd_record_state(r, &s, &err));
    assert_string_equal(s.stop_reason, HD_STOP_INTERRUPTED);
    assert_true(s.counters.explore.executions > 5);
    hd_batch_release(&s);
    program.microseconds = 0;
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    hd_record_close(r);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_top, drop_top)
int main(void) {
    n_executed =
        mmap(NULL, sizeof *n_executed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const struct CMUnitTest tests[] = {
        TEST(all_paths_once),
        TEST(only_tests_that_add_something_are_kept),
        TEST(limits_add_up_over_sittings),
        TEST(time_is_a_limit),
        TEST(the_first_finding_stops),
        TEST(the_step_limit_is_not_complete),
        TEST(lethal_executions_become_findings),
        TEST(what_takes_down_every_worker_is_set_aside),
        TEST(a_first_execution_that_is_deadly_is_an_error),
        TEST(a_worker_that_cannot_start_says_why),
        TEST(threads_are_told),
        TEST(races_can_be_ignored),
        TEST(samples_are_never_complete),
        TEST(workers_may_be_killed),
        TEST(supervisors_may_be_killed),
        TEST(three_workers_share_all_paths),
        TEST(workers_are_watched),
        TEST(long_units_are_split),
        TEST(observers_see_each_execution_once),
        TEST(costs_are_recorded),
        TEST(costs_of_the_dead_are_merged),
        TEST(three_workers_keep_limits),
        TEST(three_workers_may_die),
        TEST(three_workers_set_aside),
        TEST(three_workers_may_be_killed),
        TEST(supervisors_of_three_may_be_killed),
        TEST(an_interrupt_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
