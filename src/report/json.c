/* The documented JSON of docs/json.md: each command prints exactly one object.
 *
 * jansson's integers are signed 64-bit: larger numbers are decimal text, and hashes, which
 * use all bits, hexadecimal text. */
#include "base/shown.h"
#include "report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static json_t *integer(uint64_t value) {
    char text[24];
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

/* Names from sources may hold any bytes; JSON must be UTF-8, so others become '?'. */
static json_t *string(const char *text) {
    json_t *s = json_string(text ? text : "");
    if (s)
        return s;
    char *clean = hd_text_format("%s", text);
    for (char *c = clean; *c; c++)
        if (*c & 0x80)
            *c = '?';
    s = json_string(clean);
    free(clean);
    return s;
}

static json_t *hash(uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    return json_string(text);
}

static void put(json_t *object, const char *name, json_t *value) {
    json_object_set_new(object, name, value);
}

static void print_object(FILE *out, json_t *object) {
    json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', out);
    json_decref(object);
}

static json_t *lines(const char *text) {
    json_t *list = json_array();
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = hd_text_format("%.*s", (int)length, text);
        json_array_append_new(list, string(line));
        free(line);
        text += length + (text[length] == '\n');
    }
    return list;
}

static json_t *finding_object(const hd_found *f) {
    json_t *o = json_object();
    put(o, "number", integer(f->number));
    put(o, "kind", string(hd_finding_kind_name(f->kind)));
    put(o, "message", string(f->message));
    put(o, "file", string(f->file));
    put(o, "line", integer(f->line));
    put(o, "function", string(f->function));
    put(o, "count", integer(f->count));
    put(o, "test", integer(f->test));
    put(o, "stack", lines(f->stack));
    put(o, "story", lines(f->story));
    if (f->kind == HD_FINDING_DATA_RACE)
        put(o, "leads_to", f->leads_to ? integer(f->leads_to) : json_null());
    return o;
}

static json_t *findings_array(const hd_found *findings, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, finding_object(&findings[i]));
    return list;
}

static json_t *layer_object(const hd_layer_counters *l) {
    json_t *o = json_object();
    put(o, "asked", integer(l->asked));
    put(o, "sat", integer(l->sat));
    put(o, "unsat", integer(l->unsat));
    put(o, "unknown", integer(l->unknown));
    put(o, "seconds", json_real(l->seconds));
    return o;
}

static json_t *solver_object(const hd_chain_counters *c) {
    static const char *const names[] = {
#define X(name, symbol, what) #symbol,
        HD_LAYERS(X)
#undef X
    };
    json_t *o = json_object(), *layers = json_object();
    put(o, "queries", integer(c->queries));
    put(o, "sat", integer(c->sat));
    put(o, "unsat", integer(c->unsat));
    put(o, "unknown", integer(c->unknown));
    put(o, "seconds", json_real(c->seconds));
    put(o, "constraints_before", integer(c->constraints_before));
    put(o, "constraints_after", integer(c->constraints_after));
    for (int i = 0; i < HD_N_LAYERS; i++)
        put(layers, names[i], layer_object(&c->layer[i]));
    put(o, "layers", layers);
    return o;
}

static json_t *losses_array(const hd_batch *b) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < b->n_losses; i++) {
        json_t *o = json_object();
        put(o, "kind", string(hd_loss_kind_name(b->losses[i].kind)));
        put(o, "what", string(b->losses[i].what));
        put(o, "file", string(b->losses[i].file));
        put(o, "line", integer(b->losses[i].line));
        put(o, "count", integer(b->losses[i].count));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *labels_object(const hd_batch *b) {
    json_t *o = json_object();
    for (uint32_t i = 0; i < b->n_labels; i++)
        put(o, b->labels[i].name, integer(b->labels[i].count));
    return o;
}

static json_t *coverage_object(const hd_report *r) {
    const hd_run_counters *c = &r->state.counters;
    json_t *o = json_object();
    put(o, "branches", integer(c->branches));
    put(o, "covered", integer(c->branches_covered));
    put(o, "conditions", r->has_conditions ? integer(r->conditions) : json_null());
    put(o, "conditions_covered", r->has_conditions ? integer(r->conditions_covered) : json_null());
    return o;
}

static json_t *search_object(const hd_explorer_counters *x) {
    json_t *o = json_object();
    put(o, "infeasible", integer(x->infeasible));
    put(o, "unknown", integer(x->unknown));
    put(o, "mispredicted", integer(x->mispredicted));
    put(o, "bounded", integer(x->bounded));
    put(o, "open", integer(x->open));
    put(o, "deepest", integer(x->deepest));
    return o;
}

static void put_scenarios(json_t *o, const hd_batch *b) {
    hd_scenarios s = {0};
    size_t n;
    const void *bytes = hd_observed_find(b->observed, b->n_observed, "scenarios", &n);
    bool is_known = bytes && hd_scenarios_unpack(bytes, n, &s);
    put(o, "scenarios", is_known ? string(s.digits) : json_null());
    put(o, "scenarios_exact", is_known ? json_boolean(s.are_possible) : json_null());
    hd_scenarios_release(&s);
}

static json_t *threads_object(const hd_batch *b) {
    const hd_run_counters *c = &b->counters;
    const hd_explorer_counters *x = &c->explore;
    json_t *o = json_object();
    put(o, "threads", integer(c->threads));
    put(o, "processes", integer(c->processes ? c->processes : 1));
    put(o, "classes", integer(x->paths));
    put(o, "redundant", integer(x->redundant));
    put(o, "events", integer(x->events));
    put(o, "longest", integer(x->longest));
    put(o, "races", integer(x->races));
    put(o, "preempted_away", integer(x->preempted_away));
    put(o, "sampled", integer(x->sampled));
    put(o, "node_events", integer(x->node_events));
    put(o, "states", integer(x->states));
    put(o, "dstates", integer(x->dstates));
    put(o, "dstate_groups", integer(x->groups));
    put(o, "largest_group", integer(x->largest));
    put(o, "virtual_time", json_real((double)x->moment / 1e9));
    put(o, "contradictions", integer(x->contradictions));
    put_scenarios(o, b);
    put(o, "estimate", x->estimate > 0 ? json_real(x->estimate) : json_null());
    return o;
}

static json_t *times_object(const hd_run_counters *c) {
    json_t *o = json_object();
    double rate = c->seconds > 0 ? (double)c->explore.executions / c->seconds : 0;
    put(o, "total", json_real(c->seconds));
    put(o, "cpu", json_real(c->cpu_seconds));
    put(o, "work", json_real(c->work_seconds));
    put(o, "samples", json_real(c->sample_seconds));
    put(o, "executions_per_second", json_real(rate));
    return o;
}

static json_t *unit_object(const hd_unit_cost *u) {
    json_t *o = json_object();
    put(o, "number", integer(u->number));
    put(o, "parent", u->parent ? integer(u->parent) : json_null());
    put(o, "given_at", u->parent ? json_real(u->given_at) : json_null());
    put(o, "begun", json_real(u->begun));
    put(o, "seconds", json_real(u->seconds));
    put(o, "lost", json_real(u->lost));
    put(o, "executions", integer(u->executions));
    put(o, "repeated", integer(u->repeated));
    put(o, "hand_outs", integer(u->hand_outs));
    put(o, "state", string(hd_unit_state_words(u->state)));
    return o;
}

static json_t *ends_object(const hd_batch *b) {
    hd_ends ends = {0};
    size_t n;
    const void *bytes = hd_observed_find(b->observed, b->n_observed, "ends", &n);
    if (!bytes || !hd_ends_unpack(bytes, n, &ends))
        return json_null();
    json_t *o = json_object(), *exits = json_object();
    for (unsigned i = 0; i < 256; i++) {
        char status[8];
        snprintf(status, sizeof status, "%u", i);
        if (ends.exits[i])
            put(exits, status, integer(ends.exits[i]));
    }
    put(o, "exit", exits);
    put(o, "rejected", integer(ends.rejected));
    put(o, "finding", integer(ends.findings));
    return o;
}

static json_t *reasons_array(const hd_report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_reasons; i++)
        json_array_append_new(list, string(r->reasons[i]));
    return list;
}

void hd_json_summary(FILE *out, const hd_report *r) {
    const hd_run_counters *c = &r->state.counters;
    json_t *o = json_object();
    put(o, "version", string(r->version));
    put(o, "program", string(r->program));
    put(o, "directory", string(r->directory));
    put(o, "seed", integer(r->seed));
    put(o, "confined_by", r->walls ? string(r->walls) : json_null());
    put(o, "executions", integer(c->explore.executions));
    put(o, "paths", integer(c->explore.paths));
    put(o, "rejected", integer(c->explore.rejected));
    put(o, "complete", json_boolean(r->state.is_complete));
    put(o, "reasons", reasons_array(r));
    put(o, "findings", findings_array(r->state.findings, r->state.n_findings));
    put(o, "tests", integer(r->n_tests));
    put(o, "labels", labels_object(&r->state));
    put(o, "coverage", coverage_object(r));
    put(o, "ends", ends_object(&r->state));
    put(o, "search", search_object(&c->explore));
    put(o, "inputs", integer(c->inputs));
    put(o, "stdin_bytes", integer(c->stdin_bytes));
    put(o, "units", integer(c->units));
    put(o, "workers", integer(c->workers));
    put(o, "repeated", integer(c->repeated));
    put(o, "threads", c->threads > 1 ? threads_object(&r->state) : json_null());
    put(o, "warnings", lines(r->state.warnings));
    put(o, "solver", solver_object(&c->solve));
    put(o, "losses", losses_array(&r->state));
    put(o, "times", times_object(c));
    put(o, "exit_status", json_integer(r->exit_status));
    print_object(out, o);
}

static const char *end_name(hd_end end) {
    return end == HD_END_EXIT ? "exit" : end == HD_END_REJECTED ? "rejected" : "finding";
}

static json_t *input_object(const hd_test *test, uint32_t i) {
    const hd_stored_input *in = &test->inputs[i];
    json_t *o = json_object();
    put(o, "name", string(in->name));
    if (in->kind == HD_VAR_POINTER) {
        hd_text value = {0};
        hd_input_print(test, i, &value);
        put(o, "pointer", string(hd_text_string(&value)));
        hd_text_release(&value);
        return o;
    }
    unsigned shift = in->width >= 64 ? 0 : 64u - in->width;
    int64_t value = (int64_t)(in->value << shift) >> shift;
    put(o, "bits", integer(in->width));
    put(o, "value", in->is_signed ? json_integer(value) : integer(in->value));
    return o;
}

static json_t *test_object(const hd_test *t) {
    static const char *const reasons[] = {"path", "coverage", "finding"};
    json_t *o = json_object(), *inputs = json_array(), *faults = json_array();
    put(o, "number", integer(t->number));
    put(o, "reason", string(reasons[t->reason]));
    put(o, "end", string(end_name(t->end)));
    put(o, "finding",
        t->end == HD_END_FINDING ? string(hd_finding_kind_name(t->finding)) : json_null());
    put(o, "status", json_integer(t->status));
    put(o, "map", string(t->map));
    put(o, "path", string(t->path));
    put(o, "path_hash", hash(t->path_hash));
    put(o, "schedule", hd_test_is_threaded(t) ? string(t->schedule) : json_null());
    put(o, "threads", hd_test_is_threaded(t) ? string(t->threads) : json_null());
    put(o, "trace_hash", hash(t->trace_hash));
    for (uint32_t i = 0; i < t->n_inputs; i++)
        if (!hd_fault_is_name(t->inputs[i].name))
            json_array_append_new(inputs, input_object(t, i));
        else if (t->inputs[i].value)
            json_array_append_new(faults, string(t->inputs[i].name));
    put(o, "inputs", inputs);
    put(o, "faults", faults);
    return o;
}

hd_json_list hd_json_list_begin(FILE *out, const char *name) {
    hd_print(out, "{\"%s\": [", name);
    return (hd_json_list){out, 0};
}

static void add_to_list(hd_json_list *list, json_t *object) {
    fputs(list->n++ ? ",\n" : "\n", list->out);
    json_dumpf(object, list->out, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(object);
}

void hd_json_list_test(hd_json_list *list, const hd_test *test) {
    add_to_list(list, test_object(test));
}

void hd_json_list_finding(hd_json_list *list, const hd_found *finding) {
    add_to_list(list, finding_object(finding));
}

void hd_json_list_unit(hd_json_list *list, const hd_unit_cost *unit) {
    add_to_list(list, unit_object(unit));
}

void hd_json_list_end(hd_json_list *list) {
    fputs("\n]}\n", list->out);
}

static json_t *replayed_finding(const hd_finding *f) {
    json_t *o = json_object();
    put(o, "kind", string(hd_finding_kind_name(f->kind)));
    put(o, "message", string(f->message));
    put(o, "file", string(f->file));
    put(o, "line", integer(f->line));
    put(o, "function", string(f->function));
    return o;
}

static json_t *outcome_finding(const hd_replay_result *r) {
    if (r->replay->outcome.end != HD_END_FINDING)
        return json_null();
    json_t *o = replayed_finding(&r->replay->outcome.finding);
    put(o, "stack", lines(hd_text_string(&r->replay->stack)));
    return o;
}

static json_t *other_findings(const hd_replay *r) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->n_others; i++)
        json_array_append_new(list, replayed_finding(&r->others[i]));
    return list;
}

void hd_json_replay(FILE *out, const hd_replay_result *r) {
    json_t *o = json_object();
    put(o, "test", integer(r->test->number));
    put(o, "end", string(end_name(r->replay->outcome.end)));
    put(o, "status", json_integer(r->replay->outcome.status));
    put(o, "steps", integer(r->replay->outcome.steps));
    put(o, "same_trace", json_boolean(r->is_same_trace));
    put(o, "recorded_trace_hash", hash(r->test->trace_hash));
    put(o, "trace_hash", hash(r->replay->outcome.trace_hash));
    put(o, "finding", outcome_finding(r));
    put(o, "other_findings", other_findings(r->replay));
    put(o, "story", lines(hd_text_string(&r->replay->story)));
    print_object(out, o);
}
