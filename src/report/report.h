/* report.h -- what a user gets to see of a run: progress, findings, summary, JSON.
 *
 * Everything is printed to a stream that the caller names, so that the command decides what
 * goes to standard output and what beside it.
 * Not here: what happened (record/), where output goes and the exit status (cli/). */
#ifndef HD_REPORT_REPORT_H
#define HD_REPORT_REPORT_H
#include "base/vec.h"
#include "fleet/cluster/lookout.h"
#include "fleet/fleet.h"
#include <stdio.h>

/* ---- Inputs and source lines -------------------------------------------------------- */

/* One value as a C programmer would write it: "-3", "97 'a'", "NULL", "new object",
 * "object of 'p'". */
void hd_input_print(const hd_test *test, uint32_t index, hd_text *out);
/* "x = 3, buf = "ab\n", p = NULL"; bytes of one array become a string.  At most about
 * `limit` characters (0 = all), then "...". */
void hd_inputs_print(const hd_test *test, size_t limit, hd_text *out);
/* The inputs that are no choices of faults. */
uint32_t hd_inputs_count(const hd_test *test);
/* The faults that happen in it: "drop a->b #1, crash b #2"; nothing if there are none. */
void hd_test_faults(const hd_test *test, hd_text *out);

/* Lines `line - around` to `line + around` of `file`, the line itself marked; nothing if
 * the file cannot be read. */
void hd_source_show(FILE *out, const char *file, uint32_t line, uint32_t around);

/* Lines around a place of a text that is a whole file. */
void hd_source_show_text(FILE *out, const char *text, uint32_t line, uint32_t around);

/* ---- Findings ----------------------------------------------------------------------- */

/* One finding on one screen: what broke, where, source, stack, inputs, how to replay it.
 * `test` may be NULL when it cannot be read. */
void hd_finding_show(FILE *out, const hd_found *finding, const hd_test *test,
                     const char *directory);
/* What a replay showed: a finding without number and count. */
void hd_finding_show_outcome(FILE *out, const hd_found *finding, const hd_test *test);
/* "  story: ..." over several lines; nothing for an empty one. */
void hd_story_show(FILE *out, const char *story);
/* Steps of an execution, one line each: the last `most`, 0 = all. */
void hd_trace_show(FILE *out, const hd_trace *trace, size_t most);
/* A finding in one line: "#1 assertion bank.c:14 in main: assertion 'x > 0' failed (3 times)". */
void hd_finding_line(FILE *out, const hd_found *finding);

/* ---- Live progress ------------------------------------------------------------------ */

/* On a terminal one line that is rewritten, elsewhere a line every few seconds. */
typedef struct hd_live_line {
    FILE *out; /* NULL: silent */
    bool is_terminal, is_line_open;
    double next; /* elapsed seconds at which the next plain line is due */
    double last_elapsed, rate;
    uint64_t last_executions;
    /* With hd_live_line_workers. */
    struct hd_worker_rate {
        uint64_t unit, executions, last;
        double rate;
    } *workers;
    uint32_t n_workers;
} hd_live_line;
hd_live_line hd_live_line_begin(FILE *out);
void hd_live_line_end(hd_live_line *p);
/* The next update shows rates of workers too. */
void hd_live_line_workers(hd_live_line *p, const hd_worker_progress *workers, uint32_t n);
void hd_live_line_update(hd_live_line *p, const hd_run_counters *c, uint64_t findings,
                         double elapsed);
/* Erase the live line, so that something else can be printed. */
void hd_live_line_clear(hd_live_line *p);

/* ---- The closing summary ------------------------------------------------------------ */

/* Are most of a great many classes about how streams are cut?  And what to do about it. */
bool hd_cuts_explode(const hd_explorer_counters *x);
void hd_cuts_advise(const hd_explorer_counters *x, hd_text *out);

/* All that the summary says, read back from the record. */
typedef struct hd_report {
    const char *version, *directory;
    char *program; /* "bank.c" */
    uint64_t seed;
    char *walls; /* of the machine that began the run, or NULL */
    uint64_t n_nodes; /* of a scenario; 0: there is none */
    hd_batch state; /* with its units */
    uint64_t n_tests;
    /* Of runs with --mcdc: conditions of decisions, and those with an independence pair. */
    bool has_conditions;
    uint32_t conditions, conditions_covered;
    char **reasons; /* why the run is not complete, one sentence each */
    size_t n_reasons;
    int exit_status;
} hd_report;
bool hd_report_read(hd_report *r, hd_record *record, hd_err *err);
void hd_report_release(hd_report *r);

void hd_summary_show(FILE *out, const hd_report *r, bool verbose);
/* "complete: every path was explored, nothing was found", or "not complete". */
void hd_verdict_add(const hd_batch *state, hd_text *out);
/* Findings in one line each and the verdict. */
void hd_summary_brief(FILE *out, const hd_report *r);

/* ---- JSON (docs/json.md) ------------------------------------------------------------ */

void hd_json_summary(FILE *out, const hd_report *r);
/* An object with one list in it, written piece by piece: a run may have a million tests. */
typedef struct hd_json_list {
    FILE *out;
    size_t n;
} hd_json_list;
hd_json_list hd_json_list_begin(FILE *out, const char *name);
void hd_json_list_test(hd_json_list *list, const hd_test *test);
void hd_json_list_unit(hd_json_list *list, const hd_unit_cost *unit);
void hd_json_list_finding(hd_json_list *list, const hd_found *finding);
void hd_json_list_end(hd_json_list *list);

/* ---- A cluster at work --------------------------------------------------------------- */
void hd_top_show(FILE *out, const char *run, const hd_picture *p);
void hd_json_top(FILE *out, const char *run, const hd_picture *p);

typedef struct hd_replay_result {
    const hd_test *test;
    const hd_replay *replay;
    bool is_same_trace;
} hd_replay_result;
void hd_json_replay(FILE *out, const hd_replay_result *result);

/* What a run's record keeps of its command line, as JSON text (hd_run_info.options):
 * the options that change the search, the program's arguments or the nodes of a scenario,
 * and which sources it was built from, so that replay can tell when they changed. */
typedef struct hd_kept_source {
    char *path;
    uint64_t hash;
} hd_kept_source;
typedef struct hd_kept_options {
    hd_vec(char *) search;  /* "--strategy=bfs", ... */
    hd_vec(char *) program; /* arguments of the program */
    hd_vec(char *) build;   /* options that change the module: "--function=f", "-DN=3"; older versions kept none */
    bool has_build;
    hd_vec(hd_kept_source) sources;
    hd_vec(hd_network_node) nodes; /* of a scenario; all that they point to is their own */
    hd_vec(hd_link) links;
    hd_vec(hd_fault) faults;
    hd_vec(char *) places; /* directories of the sources, as far as they were asked for */
    char *directory; /* where the command was given: relative file names start there */
} hd_kept_options;
/* The caller frees the text; NULL if a word is not UTF-8. */
char *hd_kept_write(const hd_kept_options *kept);
bool hd_kept_read(hd_kept_options *kept, const char *text, hd_err *err);
void hd_kept_release(hd_kept_options *kept);
/* Do both start the same nodes with the same links and faults? */
bool hd_kept_is_same_network(const hd_kept_options *a, const hd_kept_options *b);
#endif
