/* The documented JSON of docs/json.md: each command prints exactly one object.
 */
#include "base/shown.h"
#include "report/json_values.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

static json_t *lines(const char *text) {
    json_t *list = json_array();
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        char *line = hd_text_format("%.*s", (int)length, text);
        json_array_append_new(list, hd_json_text(line));
        free(line);
        text += length + (text[length] == '\n');
    }
    return list;
}

static json_t *finding_object(const hd_found *f) {
    json_t *o = json_object();
    hd_json_put(o, "number", hd_json_integer(f->number));
    hd_json_put(o, "kind", hd_json_text(hd_finding_kind_name(f->kind)));
    hd_json_put(o, "message", hd_json_text(f->message));
    hd_json_put(o, "file", hd_json_text(f->file));
    hd_json_put(o, "line", hd_json_integer(f->line));
    hd_json_put(o, "function", hd_json_text(f->function));
    hd_json_put(o, "count", hd_json_integer(f->count));
    hd_json_put(o, "test", hd_json_integer(f->test));
    hd_json_put(o, "stack", lines(f->stack));
    hd_json_put(o, "story", lines(f->story));
    if (f->kind == HD_FINDING_DATA_RACE)
        hd_json_put(o, "leads_to", f->leads_to ? hd_json_integer(f->leads_to) : json_null());
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
    hd_json_put(o, "asked", hd_json_integer(l->asked));
    hd_json_put(o, "sat", hd_json_integer(l->sat));
    hd_json_put(o, "unsat", hd_json_integer(l->unsat));
    hd_json_put(o, "unknown", hd_json_integer(l->unknown));
    hd_json_put(o, "seconds", json_real(l->seconds));
    return o;
}

static json_t *solver_object(const hd_chain_counters *c) {
    static const char *const names[] = {
#define X(name, symbol, what) #symbol,
        HD_LAYERS(X)
#undef X
    };
    json_t *o = json_object(), *layers = json_object();
    hd_json_put(o, "queries", hd_json_integer(c->queries));
    hd_json_put(o, "sat", hd_json_integer(c->sat));
    hd_json_put(o, "unsat", hd_json_integer(c->unsat));
    hd_json_put(o, "unknown", hd_json_integer(c->unknown));
    hd_json_put(o, "seconds", json_real(c->seconds));
    hd_json_put(o, "constraints_before", hd_json_integer(c->constraints_before));
    hd_json_put(o, "constraints_after", hd_json_integer(c->constraints_after));
    for (int i = 0; i < HD_N_LAYERS; i++)
        hd_json_put(layers, names[i], layer_object(&c->layer[i]));
    hd_json_put(o, "layers", layers);
    return o;
}

static json_t *losses_array(const hd_batch *b) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < b->n_losses; i++) {
        json_t *o = json_object();
        hd_json_put(o, "kind", hd_json_text(hd_loss_kind_name(b->losses[i].kind)));
        hd_json_put(o, "what", hd_json_text(b->losses[i].what));
        hd_json_put(o, "file", hd_json_text(b->losses[i].file));
        hd_json_put(o, "line", hd_json_integer(b->losses[i].line));
        hd_json_put(o, "count", hd_json_integer(b->losses[i].count));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *labels_object(const hd_batch *b) {
    json_t *o = json_object();
    for (uint32_t i = 0; i < b->n_labels; i++)
        hd_json_put(o, b->labels[i].name, hd_json_integer(b->labels[i].count));
    return o;
}

static json_t *coverage_object(const hd_report *r) {
    const hd_run_counters *c = &r->state.counters;
    json_t *o = json_object();
    hd_json_put(o, "branches", hd_json_integer(c->branches));
    hd_json_put(o, "covered", hd_json_integer(c->branches_covered));
    hd_json_put(o, "conditions", r->has_conditions ? hd_json_integer(r->conditions) : json_null());
    hd_json_put(o, "conditions_covered",
                r->has_conditions ? hd_json_integer(r->conditions_covered) : json_null());
    return o;
}

static json_t *search_object(const hd_explorer_counters *x) {
    json_t *o = json_object();
    hd_json_put(o, "infeasible", hd_json_integer(x->infeasible));
    hd_json_put(o, "unknown", hd_json_integer(x->unknown));
    hd_json_put(o, "mispredicted", hd_json_integer(x->mispredicted));
    hd_json_put(o, "bounded", hd_json_integer(x->bounded));
    hd_json_put(o, "open", hd_json_integer(x->open));
    hd_json_put(o, "deepest", hd_json_integer(x->deepest));
    return o;
}

static void put_scenarios(json_t *o, const hd_batch *b) {
    hd_scenarios s = {0};
    size_t n;
    const void *bytes = hd_observed_find(b->observed, b->n_observed, "scenarios", &n);
    bool is_known = bytes && hd_scenarios_unpack(bytes, n, &s);
    hd_json_put(o, "scenarios", is_known ? hd_json_text(s.digits) : json_null());
    hd_json_put(o, "scenarios_exact", is_known ? json_boolean(s.are_possible) : json_null());
    hd_scenarios_release(&s);
}

static json_t *threads_object(const hd_batch *b) {
    const hd_run_counters *c = &b->counters;
    const hd_explorer_counters *x = &c->explore;
    json_t *o = json_object();
    hd_json_put(o, "threads", hd_json_integer(c->threads));
    hd_json_put(o, "processes", hd_json_integer(c->processes ? c->processes : 1));
    hd_json_put(o, "classes", hd_json_integer(x->paths));
    hd_json_put(o, "redundant", hd_json_integer(x->redundant));
    hd_json_put(o, "events", hd_json_integer(x->events));
    hd_json_put(o, "longest", hd_json_integer(x->longest));
    hd_json_put(o, "races", hd_json_integer(x->races));
    hd_json_put(o, "preempted_away", hd_json_integer(x->preempted_away));
    hd_json_put(o, "sampled", hd_json_integer(x->sampled));
    hd_json_put(o, "node_events", hd_json_integer(x->node_events));
    hd_json_put(o, "states", hd_json_integer(x->states));
    hd_json_put(o, "dstates", hd_json_integer(x->dstates));
    hd_json_put(o, "dstate_groups", hd_json_integer(x->groups));
    hd_json_put(o, "largest_group", hd_json_integer(x->largest));
    hd_json_put(o, "virtual_time", json_real((double)x->moment / 1e9));
    hd_json_put(o, "contradictions", hd_json_integer(x->contradictions));
    put_scenarios(o, b);
    hd_json_put(o, "estimate", x->estimate > 0 ? json_real(x->estimate) : json_null());
    return o;
}

static json_t *times_object(const hd_run_counters *c) {
    json_t *o = json_object();
    double rate = c->seconds > 0 ? (double)c->explore.executions / c->seconds : 0;
    hd_json_put(o, "total", json_real(c->seconds));
    hd_json_put(o, "cpu", json_real(c->cpu_seconds));
    hd_json_put(o, "work", json_real(c->work_seconds));
    hd_json_put(o, "samples", json_real(c->sample_seconds));
    hd_json_put(o, "executions_per_second", json_real(rate));
    return o;
}

static json_t *unit_object(const hd_unit_cost *u) {
    json_t *o = json_object();
    hd_json_put(o, "number", hd_json_integer(u->number));
    hd_json_put(o, "parent", u->parent ? hd_json_integer(u->parent) : json_null());
    hd_json_put(o, "given_at", u->parent ? json_real(u->given_at) : json_null());
    hd_json_put(o, "begun", json_real(u->begun));
    hd_json_put(o, "seconds", json_real(u->seconds));
    hd_json_put(o, "lost", json_real(u->lost));
    hd_json_put(o, "executions", hd_json_integer(u->executions));
    hd_json_put(o, "repeated", hd_json_integer(u->repeated));
    hd_json_put(o, "hand_outs", hd_json_integer(u->hand_outs));
    hd_json_put(o, "state", hd_json_text(hd_unit_state_words(u->state)));
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
            hd_json_put(exits, status, hd_json_integer(ends.exits[i]));
    }
    hd_json_put(o, "exit", exits);
    hd_json_put(o, "rejected", hd_json_integer(ends.rejected));
    hd_json_put(o, "finding", hd_json_integer(ends.findings));
    return o;
}

static json_t *reasons_array(const hd_report *r) {
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_reasons; i++)
        json_array_append_new(list, hd_json_text(r->reasons[i]));
    return list;
}

void hd_json_summary(FILE *out, const hd_report *r) {
    const hd_run_counters *c = &r->state.counters;
    json_t *o = json_object();
    hd_json_put(o, "version", hd_json_text(r->version));
    hd_json_put(o, "program", hd_json_text(r->program));
    hd_json_put(o, "directory", hd_json_text(r->directory));
    hd_json_put(o, "seed", hd_json_integer(r->seed));
    hd_json_put(o, "confined_by", r->walls ? hd_json_text(r->walls) : json_null());
    hd_json_put(o, "executions", hd_json_integer(c->explore.executions));
    hd_json_put(o, "paths", hd_json_integer(c->explore.paths));
    hd_json_put(o, "rejected", hd_json_integer(c->explore.rejected));
    hd_json_put(o, "complete", json_boolean(r->state.is_complete));
    hd_json_put(o, "reasons", reasons_array(r));
    hd_json_put(o, "findings", findings_array(r->state.findings, r->state.n_findings));
    hd_json_put(o, "tests", hd_json_integer(r->n_tests));
    hd_json_put(o, "labels", labels_object(&r->state));
    hd_json_put(o, "coverage", coverage_object(r));
    hd_json_put(o, "ends", ends_object(&r->state));
    hd_json_put(o, "search", search_object(&c->explore));
    hd_json_put(o, "inputs", hd_json_integer(c->inputs));
    hd_json_put(o, "stdin_bytes", hd_json_integer(c->stdin_bytes));
    hd_json_put(o, "units", hd_json_integer(c->units));
    hd_json_put(o, "workers", hd_json_integer(c->workers));
    hd_json_put(o, "repeated", hd_json_integer(c->repeated));
    hd_json_put(o, "threads", c->threads > 1 ? threads_object(&r->state) : json_null());
    hd_json_put(o, "warnings", lines(r->state.warnings));
    hd_json_put(o, "solver", solver_object(&c->solve));
    hd_json_put(o, "losses", losses_array(&r->state));
    hd_json_put(o, "times", times_object(c));
    hd_json_put(o, "exit_status", json_integer(r->exit_status));
    hd_json_print(out, o);
}

static const char *end_name(hd_end end) {
    return end == HD_END_EXIT ? "exit" : end == HD_END_REJECTED ? "rejected" : "finding";
}

static json_t *input_object(const hd_test *test, uint32_t i) {
    const hd_stored_input *in = &test->inputs[i];
    json_t *o = json_object();
    hd_json_put(o, "name", hd_json_text(in->name));
    if (in->kind == HD_VAR_POINTER) {
        hd_text value = {0};
        hd_input_print(test, i, &value);
        hd_json_put(o, "pointer", hd_json_text(hd_text_string(&value)));
        hd_text_release(&value);
        return o;
    }
    unsigned shift = in->width >= 64 ? 0 : 64u - in->width;
    int64_t value = (int64_t)(in->value << shift) >> shift;
    hd_json_put(o, "bits", hd_json_integer(in->width));
    hd_json_put(o, "value", in->is_signed ? json_integer(value) : hd_json_integer(in->value));
    return o;
}

static json_t *test_object(const hd_test *t) {
    static const char *const reasons[] = {"path", "coverage", "finding"};
    json_t *o = json_object(), *inputs = json_array(), *faults = json_array();
    hd_json_put(o, "number", hd_json_integer(t->number));
    hd_json_put(o, "reason", hd_json_text(reasons[t->reason]));
    hd_json_put(o, "end", hd_json_text(end_name(t->end)));
    hd_json_put(o, "finding",
                t->end == HD_END_FINDING ? hd_json_text(hd_finding_kind_name(t->finding))
                                         : json_null());
    hd_json_put(o, "status", json_integer(t->status));
    hd_json_put(o, "map", hd_json_text(t->map));
    hd_json_put(o, "path", hd_json_text(t->path));
    hd_json_put(o, "path_hash", hd_json_hash(t->path_hash));
    hd_json_put(o, "schedule", hd_test_is_threaded(t) ? hd_json_text(t->schedule) : json_null());
    hd_json_put(o, "threads", hd_test_is_threaded(t) ? hd_json_text(t->threads) : json_null());
    hd_json_put(o, "trace_hash", hd_json_hash(t->trace_hash));
    for (uint32_t i = 0; i < t->n_inputs; i++)
        if (!hd_fault_is_name(t->inputs[i].name))
            json_array_append_new(inputs, input_object(t, i));
        else if (t->inputs[i].value)
            json_array_append_new(faults, hd_json_text(t->inputs[i].name));
    hd_json_put(o, "inputs", inputs);
    hd_json_put(o, "faults", faults);
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
    hd_json_put(o, "kind", hd_json_text(hd_finding_kind_name(f->kind)));
    hd_json_put(o, "message", hd_json_text(f->message));
    hd_json_put(o, "file", hd_json_text(f->file));
    hd_json_put(o, "line", hd_json_integer(f->line));
    hd_json_put(o, "function", hd_json_text(f->function));
    return o;
}

static json_t *outcome_finding(const hd_replay_result *r) {
    if (r->replay->outcome.end != HD_END_FINDING)
        return json_null();
    json_t *o = replayed_finding(&r->replay->outcome.finding);
    hd_json_put(o, "stack", lines(hd_text_string(&r->replay->stack)));
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
    hd_json_put(o, "test", hd_json_integer(r->test->number));
    hd_json_put(o, "end", hd_json_text(end_name(r->replay->outcome.end)));
    hd_json_put(o, "status", json_integer(r->replay->outcome.status));
    hd_json_put(o, "steps", hd_json_integer(r->replay->outcome.steps));
    hd_json_put(o, "same_trace", json_boolean(r->is_same_trace));
    hd_json_put(o, "recorded_trace_hash", hd_json_hash(r->test->trace_hash));
    hd_json_put(o, "trace_hash", hd_json_hash(r->replay->outcome.trace_hash));
    hd_json_put(o, "finding", outcome_finding(r));
    hd_json_put(o, "other_findings", other_findings(r->replay));
    hd_json_put(o, "story", lines(hd_text_string(&r->replay->story)));
    hd_json_print(out, o);
}
