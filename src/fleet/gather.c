/* What a worker's executions found out since the last batch: which of them become tests, which
 * findings are new, what was lost, reached and covered.
 *
 * A worker may be the second of its run: everything counted by its machine is added to what the
 * committed state says, minus what executions that only rebuild the tree counted again. */
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "fleet/fleet_int.h"
#include "machine/symbolize.h"
#include "record/stored.h"

#include <string.h>

typedef hd_vec(uint64_t) numbers;

struct hd_gather {
    const hd_orders *orders;
    const hd_module *module;
    const hd_variables *variables;
    const hd_machine *machine;
    const hd_explorer *explorer;
    hd_symbolizer *symbolizer; /* NULL before the first finding */
    hd_vec(hd_test) tests;
    size_t pending;
    hd_vec(hd_found) findings;
    hd_map known;      /* signatures of the whole run */
    hd_map pending_at; /* signature -> index in findings */
    uint8_t *coverage; /* of the run, 2 * n_branches */
    uint32_t n_branches;
    bool is_rebuilding;
    numbers label_repeats, loss_repeats; /* counted by executions that rebuild, by index */
};

/* HD_MAP_EMPTY is no key. */
static uint64_t as_key(uint64_t h) {
    return h == HD_MAP_EMPTY ? 0 : h;
}

/* The same bug at another depth of a recursion is the same bug: each frame counts once. */
static uint64_t signature_of(const hd_finding *f) {
    uint64_t h = hd_hash_add(0, f->kind);
    for (uint32_t i = 0; i < f->n_stack; i++) {
        uint32_t first = 0;
        while (f->stack[first] != f->stack[i])
            first++;
        if (first == i)
            h = hd_hash_add(h, f->stack[i] - HD_IMAGE_BASE);
    }
    if (f->n_stack == 0) {
        h = hd_hash_bytes(hd_hash_add(h, f->line), f->file, strlen(f->file));
        h = hd_hash_bytes(h, f->message, strlen(f->message));
    }
    return as_key(h);
}

static void take_committed(hd_gather *g) {
    const hd_batch *state = g->orders->state;
    for (uint32_t i = 0; i < state->n_findings; i++)
        hd_map_put(&g->known, as_key(state->findings[i].signature), 1);
    hd_machine_coverage(g->machine, &g->n_branches);
    g->coverage = hd_allocate((size_t)2 * g->n_branches + 1, 1);
    if (state->n_branches == g->n_branches && state->coverage)
        memcpy(g->coverage, state->coverage, (size_t)2 * g->n_branches);
}

hd_gather *hd_gather_new(const hd_orders *orders, const hd_module *module,
                         const hd_variables *variables, const hd_machine *machine,
                         const hd_explorer *explorer) {
    hd_gather *g = hd_allocate(1, sizeof *g);
    *g = (hd_gather){.orders = orders,
                     .module = module,
                     .variables = variables,
                     .machine = machine,
                     .explorer = explorer};
    take_committed(g);
    return g;
}

/* Add the machine's coverage to the run's; did it grow? */
static bool merge_coverage(hd_gather *g) {
    uint32_t n;
    const uint8_t *now = hd_machine_coverage(g->machine, &n);
    bool grew = false;
    for (uint32_t i = 0; i < 2 * n; i++)
        if (now[i] && !g->coverage[i])
            g->coverage[i] = grew = true;
    return grew;
}

static void add_test(hd_gather *g, hd_test_reason reason, const hd_outcome *outcome,
                     const hd_model *model) {
    hd_text path = {0}, map = {0};
    hd_explorer_print_path(g->explorer, &path);
    hd_machine_print_map(g->machine, model, &map);
    hd_test t = {.reason = reason,
                 .path_hash = hd_explorer_path_hash(g->explorer),
                 .trace_hash = outcome->trace_hash,
                 .end = outcome->end,
                 .finding =
                     outcome->end == HD_END_FINDING ? outcome->finding.kind : HD_FINDING_NONE,
                 .status = outcome->status};
    t.inputs = hd_inputs_store(g->machine, g->module, g->variables, model, &t.n_inputs);
    g->pending += sizeof t + path.n + map.n + t.n_inputs * (sizeof *t.inputs + 16);
    t.path = path.at;
    t.map = map.at;
    hd_vec_push(&g->tests, t);
}

/* Symbolising takes milliseconds, so it is done for new findings only. */
static void add_new_finding(hd_gather *g, uint64_t signature, hd_finding *f) {
    hd_text stack = {0};
    if (!g->symbolizer)
        g->symbolizer = hd_symbolizer_new(g->module->directory);
    hd_symbolizer_stack(g->symbolizer, f, &stack);
    hd_found found = {.signature = signature,
                      .kind = f->kind,
                      .message = hd_copy(f->message),
                      .file = hd_copy(f->file),
                      .function = hd_copy(f->function),
                      .stack = hd_copy(hd_text_string(&stack)),
                      .line = f->line,
                      .count = 1,
                      .test = g->tests.n};
    hd_text_release(&stack);
    hd_map_put(&g->known, signature, 1);
    hd_map_put(&g->pending_at, signature, g->findings.n);
    hd_vec_push(&g->findings, found);
}

static void count_finding(hd_gather *g, uint64_t signature, hd_finding_kind kind) {
    const uint64_t *at = hd_map_find(&g->pending_at, signature);
    if (at) {
        g->findings.at[*at].count++;
        return;
    }
    hd_map_put(&g->pending_at, signature, g->findings.n);
    hd_vec_push(&g->findings, ((hd_found){.signature = signature, .kind = kind, .count = 1}));
}

void hd_gather_add(hd_gather *g, hd_outcome *outcome, const hd_model *model) {
    bool covers = outcome->covered_new && merge_coverage(g);
    if (outcome->end == HD_END_REJECTED)
        return;
    hd_keep_tests keep = g->orders->options->keep;
    bool is_finding = outcome->end == HD_END_FINDING;
    uint64_t signature = is_finding ? signature_of(&outcome->finding) : 0;
    bool is_new = is_finding && !hd_map_find(&g->known, signature);
    if (is_new)
        add_test(g, HD_TEST_FINDING, outcome, model);
    else if (covers && keep != HD_KEEP_FINDINGS)
        add_test(g, HD_TEST_COVERAGE, outcome, model);
    else if (keep == HD_KEEP_ALL)
        add_test(g, HD_TEST_ALL, outcome, model);
    if (is_new)
        add_new_finding(g, signature, &outcome->finding);
    else if (is_finding)
        count_finding(g, signature, outcome->finding.kind);
}

size_t hd_gather_pending(const hd_gather *g) {
    return g->pending;
}

uint64_t hd_gather_n_findings(const hd_gather *g) {
    return g->known.n;
}

/* Entering: remember the counts, negated; leaving: add the new ones.  What is left in
 * `repeats` is what was counted in between. */
static void add_signed(numbers *repeats, size_t i, uint64_t count, bool is_entering) {
    while (repeats->n <= i)
        hd_vec_push(repeats, 0);
    repeats->at[i] += is_entering ? -count : count;
}

void hd_gather_set_rebuilding(hd_gather *g, bool yes) {
    uint32_t n;
    if (yes == g->is_rebuilding)
        return;
    g->is_rebuilding = yes;
    const hd_label *labels = hd_machine_labels(g->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        add_signed(&g->label_repeats, i, labels[i].count, yes);
    const hd_approximation *losses = hd_machine_approximations(g->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        add_signed(&g->loss_repeats, i, losses[i].count, yes);
    if (!yes)
        merge_coverage(g);
}

static uint64_t without_repeats(const numbers *repeats, size_t i, uint64_t count) {
    return i < repeats->n ? count - repeats->at[i] : count;
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

/* The explorer's journal keeps its own losses over restarts; values are added up here. */
static void take_losses(hd_gather *g, hd_batch *b) {
    const hd_batch *state = g->orders->state;
    uint32_t n_values, n_ways;
    const hd_approximation *values = hd_machine_approximations(g->machine, &n_values);
    const hd_lost_way *ways = hd_explorer_lost(g->explorer, &n_ways);
    b->losses = hd_allocate((size_t)state->n_losses + n_values + n_ways, sizeof *b->losses);
    for (uint32_t i = 0; i < state->n_losses; i++) {
        const hd_loss *l = &state->losses[i];
        if (l->kind == HD_LOSS_VALUE)
            add_loss(b, l->kind, or_empty(l->what), or_empty(l->file), l->line, l->count);
    }
    for (uint32_t i = 0; i < n_values; i++) {
        const hd_site *s = site_at(g, values[i].site);
        add_loss(b, HD_LOSS_VALUE, values[i].what, or_empty(s->file), s->line,
                 without_repeats(&g->loss_repeats, i, values[i].count));
    }
    for (uint32_t i = 0; i < n_ways; i++) {
        const hd_site *s = site_at(g, ways[i].site);
        add_loss(b, ways[i].mispredicted ? HD_LOSS_MISPREDICTED : HD_LOSS_UNKNOWN, "",
                 or_empty(s->file), s->line, ways[i].count);
    }
}

static void add_label(hd_batch *b, const char *name, uint64_t count) {
    for (uint32_t i = 0; i < b->n_labels; i++)
        if (strcmp(b->labels[i].name, name) == 0) {
            b->labels[i].count += count;
            return;
        }
    b->labels[b->n_labels++] = (hd_label){hd_copy(name), count};
}

static void take_labels(hd_gather *g, hd_batch *b) {
    const hd_batch *state = g->orders->state;
    uint32_t n;
    const hd_label *labels = hd_machine_labels(g->machine, &n);
    b->labels = hd_allocate((size_t)state->n_labels + n, sizeof *b->labels);
    for (uint32_t i = 0; i < state->n_labels; i++)
        add_label(b, or_empty(state->labels[i].name), state->labels[i].count);
    for (uint32_t i = 0; i < n; i++)
        add_label(b, labels[i].name, without_repeats(&g->label_repeats, i, labels[i].count));
}

void hd_gather_take(hd_gather *g, hd_batch *b) {
    bool was_rebuilding = g->is_rebuilding;
    hd_gather_set_rebuilding(g, false);
    b->tests = g->tests.at;
    b->n_tests = (uint32_t)g->tests.n;
    b->findings = g->findings.at;
    b->n_findings = (uint32_t)g->findings.n;
    take_losses(g, b);
    take_labels(g, b);
    b->n_branches = g->n_branches;
    b->coverage = hd_allocate((size_t)2 * g->n_branches, 1);
    if (b->coverage)
        memcpy(b->coverage, g->coverage, (size_t)2 * g->n_branches);
    memset(&g->tests, 0, sizeof g->tests);
    memset(&g->findings, 0, sizeof g->findings);
    hd_map_clear(&g->pending_at);
    g->pending = 0;
    hd_gather_set_rebuilding(g, was_rebuilding);
}

void hd_gather_coverage(hd_gather *g, uint64_t *branches, uint64_t *covered) {
    *branches = (uint64_t)2 * g->n_branches;
    *covered = 0;
    for (uint64_t i = 0; i < *branches; i++)
        *covered += g->coverage[i] != 0;
}
