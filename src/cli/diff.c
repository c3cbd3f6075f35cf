/* heddle diff -- what changed from one run to another: findings and coverage. */
#include "base/shown.h"
#include "cli/cli.h"
#include "cli/stop_goal.h"
#include "report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct diff_values {
    bool strict, json;
} diff_values;

static const hd_option options[] = {
    {"strict", 0, HD_OPTION_FLAG, offsetof(diff_values, strict), NULL,
     "status 1 also if a smaller share of branches or conditions is covered", NULL, false},
    {"json", 0, HD_OPTION_FLAG, offsetof(diff_values, json), NULL,
     "print one JSON object on standard output", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

typedef struct run_pair {
    const char *directory[2];
    hd_batch state[2];
    uint64_t n_tests[2];
    bool has_conditions[2]; /* runs with --mcdc, as long as their modules are there */
    uint32_t conditions[2], conditions_covered[2];
} run_pair;

/* Lines move when a program is changed: what is said, and in which function, tells a finding. */
static bool is_same(const hd_found *a, const hd_found *b) {
    return a->signature == b->signature ||
           (a->kind == b->kind && strcmp(a->function, b->function) == 0 &&
            strcmp(a->message, b->message) == 0);
}

static const hd_found *find(const hd_batch *in, const hd_found *f) {
    for (uint32_t i = 0; i < in->n_findings; i++)
        if (is_same(&in->findings[i], f))
            return &in->findings[i];
    return NULL;
}

static uint32_t count_only(const run_pair *p, int in) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->state[in].n_findings; i++)
        n += !find(&p->state[!in], &p->state[in].findings[i]);
    return n;
}

static double share(const hd_run_counters *c) {
    return c->branches ? (double)c->branches_covered / (double)c->branches : 1;
}

static double share_of_conditions(const run_pair *p, int i) {
    return p->conditions[i] ? (double)p->conditions_covered[i] / p->conditions[i] : 1;
}

static bool is_less_covered(const run_pair *p) {
    bool both = p->has_conditions[0] && p->has_conditions[1];
    return share(&p->state[1].counters) < share(&p->state[0].counters) ||
           (both && share_of_conditions(p, 1) < share_of_conditions(p, 0));
}

static void list(const run_pair *p, int in, const char *word, bool is_wanted) {
    for (uint32_t i = 0; i < p->state[in].n_findings; i++) {
        const hd_found *f = &p->state[in].findings[i];
        if ((find(&p->state[!in], f) != NULL) != is_wanted)
            continue;
        hd_print(stdout, "%-5s", word);
        hd_finding_line(stdout, f);
    }
}

static void show_run(const run_pair *p, int i) {
    const hd_run_counters *c = &p->state[i].counters;
    hd_print(stdout, "%s: %" PRIu64 " of %" PRIu64 " branch ways covered (%.1f %%), ",
             p->directory[i], c->branches_covered, c->branches, 100 * share(c));
    if (p->has_conditions[i])
        hd_print(stdout, "%u of %u conditions, ", p->conditions_covered[i], p->conditions[i]);
    hd_print(stdout, "%" PRIu64 " tests, %s\n", p->n_tests[i],
             p->state[i].is_complete ? "complete" : "not complete");
}

static void show(const run_pair *p) {
    list(p, 1, "new", false);
    list(p, 0, "gone", false);
    list(p, 1, "same", true);
    for (int i = 0; i < 2; i++)
        show_run(p, i);
    if (is_less_covered(p))
        hd_print(stdout, "a smaller share of %s is covered\n",
                 share(&p->state[1].counters) < share(&p->state[0].counters) ? "branches"
                                                                             : "conditions");
}

static json_t *finding_json(const hd_found *f) {
    json_t *message = json_string(f->message);
    return json_pack("{s:I, s:s, s:o, s:s, s:I}", "number", (json_int_t)f->number, "kind",
                     hd_finding_kind_name(f->kind), "message", message ? message : json_string("?"),
                     "file", f->file, "line", (json_int_t)f->line);
}

static json_t *list_json(const run_pair *p, int in, bool is_wanted) {
    json_t *all = json_array();
    for (uint32_t i = 0; i < p->state[in].n_findings; i++)
        if ((find(&p->state[!in], &p->state[in].findings[i]) != NULL) == is_wanted)
            json_array_append_new(all, finding_json(&p->state[in].findings[i]));
    return all;
}

static json_t *run_json(const run_pair *p, int i) {
    const hd_run_counters *c = &p->state[i].counters;
    bool has = p->has_conditions[i];
    return json_pack("{s:s, s:I, s:I, s:o, s:o, s:I, s:b}", "directory", p->directory[i],
                     "branches", (json_int_t)c->branches, "covered",
                     (json_int_t)c->branches_covered, "conditions",
                     has ? json_integer(p->conditions[i]) : json_null(), "conditions_covered",
                     has ? json_integer(p->conditions_covered[i]) : json_null(), "tests",
                     (json_int_t)p->n_tests[i], "complete", p->state[i].is_complete);
}

static void show_json(const run_pair *p, int status) {
    json_t *o =
        json_pack("{s:o, s:o, s:o, s:[o, o], s:b, s:i}", "new", list_json(p, 1, false), "gone",
                  list_json(p, 0, false), "same", list_json(p, 1, true), "runs", run_json(p, 0),
                  run_json(p, 1), "less_covered", is_less_covered(p), "exit_status", status);
    json_dumpf(o, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(o);
}

/* The module says what vectors mean; findings are compared without it too. */
static void count_conditions(run_pair *p, int i, const char *module) {
    hd_stop_goal goal;
    hd_err err;
    hd_report report = {.state = p->state[i]};
    if (hd_stop_goal_init(&goal, &(hd_run_values){0}, module, &err))
        hd_stop_goal_report(&goal, &report);
    p->state[i].counters = report.state.counters; /* older records count vectors as branches */
    p->has_conditions[i] = report.has_conditions;
    p->conditions[i] = report.conditions;
    p->conditions_covered[i] = report.conditions_covered;
    hd_stop_goal_release(&goal);
}

static bool read_run(run_pair *p, int i, hd_err *err) {
    hd_record *record = hd_record_open(p->directory[i], false, err);
    bool ok = record && hd_record_state(record, &p->state[i], err) &&
              hd_record_count_tests(record, &p->n_tests[i], err);
    if (ok)
        count_conditions(p, i, hd_record_info(record)->module_directory);
    if (record)
        hd_record_close(record);
    return ok;
}

static bool take_words(run_pair *p, const hd_arguments *a, hd_err *err) {
    if (a->files.n != 2) {
        hd_err_set(err, "%s",
                   a->files.n > 2 ? "too many arguments" : "two run directories are needed");
        return hd_err_hint(err, "write 'heddle diff OLD NEW'");
    }
    p->directory[0] = a->files.at[0];
    p->directory[1] = a->files.at[1];
    return true;
}

static int run(int argc, char **argv) {
    diff_values v = {0};
    hd_arguments a = {0};
    run_pair p = {0};
    hd_err err;
    bool ok = hd_options_parse(&table, argc, argv, &v, &a, &err) && take_words(&p, &a, &err) &&
              read_run(&p, 0, &err) && read_run(&p, 1, &err);
    int status = !ok                                                      ? HD_EXIT_ERROR
                 : count_only(&p, 1) || (v.strict && is_less_covered(&p)) ? HD_EXIT_FINDINGS
                                                                          : HD_EXIT_CLEAN;
    if (ok && v.json)
        show_json(&p, status);
    else if (ok)
        show(&p);
    hd_batch_release(&p.state[0]);
    hd_batch_release(&p.state[1]);
    hd_arguments_release(&a);
    return ok ? status : hd_cli_fail(&err);
}

const hd_command hd_command_diff = {
    "diff",
    "compare two runs: new and gone findings, coverage",
    "diff OLD NEW [--strict] [--json]",
    "Lists the findings of the run NEW that OLD does not have, those that are gone, and those that "
    "both\n"
    "have; and how much of the branches, and with --mcdc of the conditions, each covered.  A "
    "finding\n"
    "is the same if its stack is, or if its kind, function and words are: lines may have moved.\n"
    "Exit status: 0 nothing new, 1 new findings (with --strict also if less is covered), 2 an "
    "error.",
    &table,
    run,
};
