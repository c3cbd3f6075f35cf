/* cardboard_engine.h -- an engine made of cardboard for tests of supervisor and worker, in place of
 * machine, explorer and solver: whoever includes it is linked with it instead of them.
 *
 * A program has `bits` inputs of one bit, all 2^bits paths of it explored in order.  Paths named in
 * `lethal` kill the process that executes them; an isolated execution survives as a finding, but
 * not on a path in `deadly`, which takes its worker down in any case. */
#ifndef HD_TESTS_CARDBOARD_ENGINE_H
#define HD_TESTS_CARDBOARD_ENGINE_H
#include "base/clock.h"
#include "base/pack.h"
#include "base/vec.h"
#include "fleet/fleet.h"
#include "program/symbolize.h"
#include "tool/thread_program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* Tests need what they have. */
bool hd_machine_confine(const hd_machine *m, bool forks, hd_err *err) {
    (void)m, (void)forks, (void)err;
    return true;
}

/* There are no walls that could refuse anything. */
void hd_machine_tell_unlisted(_Atomic int *number) {
    (void)number;
}

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

void hd_machine_end_time(hd_machine *m) {
    (void)m;
}

uint32_t hd_machine_spent(hd_machine *m, uint32_t rule, uint32_t node) {
    (void)m, (void)rule, (void)node;
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

/* Nobody counts here. */
const uint8_t *hd_machine_vectors(const hd_machine *m, uint64_t *n) {
    (void)m;
    *n = 0;
    return NULL;
}
const uint64_t *hd_machine_counters(const hd_machine *m, uint64_t *n) {
    (void)m;
    *n = 0;
    return NULL;
}
void hd_machine_set_coverage(hd_machine *m, const uint8_t *coverage) {
    memcpy(m->coverage, coverage, sizeof m->coverage);
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

bool hd_machine_has_names(const hd_machine *m) {
    (void)m;
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

const char *hd_explorer_dscenarios(const hd_explorer *x, bool *are_possible) {
    (void)x;
    *are_possible = false;
    return NULL;
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

void hd_explorer_set_worth(hd_explorer *x, hd_worth worth) {
    (void)x, (void)worth;
}

uint64_t hd_explorer_n_to_repeat(const hd_explorer *x) {
    (void)x;
    return 0;
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

void hd_explorer_save_rounds(const hd_explorer *x, hd_text *out) {
    (void)x, (void)out;
}

void hd_journal_renew(hd_text *journal, uint64_t generation, const hd_text *rounds) {
    (void)journal, (void)generation, (void)rounds;
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
#endif
