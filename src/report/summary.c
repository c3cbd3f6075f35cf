/* The closing summary: what was done, what was found, and whether anything is left.
 * "Complete" is never said without what was lost on the way (design, promise 6). */
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

static const char *const layer_names[] = {
#define X(name, text, what) text,
    HD_LAYERS(X)
#undef X
};

static const char *plural(uint64_t n) {
    return n == 1 ? "" : "s";
}

/* Messages that are under way count as threads, so that with several processes the number of
 * threads says nothing. */
static void show_threads(FILE *out, const hd_run_counters *c) {
    const hd_explorer_counters *x = &c->explore;
    bool has_processes = c->processes > 1;
    fprintf(out, "\n%s %" PRIu64 ", with %" PRIu64 " event%s (at most %" PRIu64 " in an execution)",
            has_processes ? "processes  " : "threads    ",
            has_processes ? c->processes : c->threads, x->events, plural(x->events), x->longest);
    if (!has_processes || x->races)
        fprintf(out, ", data races at %" PRIu64 " pair%s of places", x->races, plural(x->races));
    if (x->open && x->estimate > (double)x->paths)
        fprintf(out, "; about %.3g classes in all", x->estimate);
}

static void show_search(FILE *out, const hd_report *r) {
    const hd_run_counters *c = &r->state.counters;
    const hd_explorer_counters *x = &c->explore;
    bool is_threaded = c->threads > 1;
    const char *unit =
        is_threaded ? (x->paths == 1 ? "class" : "classes") : (x->paths == 1 ? "path" : "paths");
    fprintf(out, "executions  %" PRIu64 " (%" PRIu64 " %s, %" PRIu64 " rejected", x->executions,
            x->paths, unit, x->rejected);
    fprintf(out, is_threaded ? ", %" PRIu64 " redundant)" : ")", x->redundant);
    if (c->seconds > 0)
        fprintf(out, ", %.0f per second", (double)x->executions / c->seconds);
    if (x->sampled)
        fprintf(out, "; %" PRIu64 " sampled beside", x->sampled);
    if (is_threaded)
        show_threads(out, c);
    fprintf(out, "\nbranches    %" PRIu64 " of %" PRIu64 " ways covered\n", c->branches_covered,
            c->branches);
    fprintf(out,
            "solver      %" PRIu64 " quer%s: %" PRIu64 " with a solution, %" PRIu64
            " without, %" PRIu64 " unknown\n",
            c->solve.queries, c->solve.queries == 1 ? "y" : "ies", c->solve.sat, c->solve.unsat,
            c->solve.unknown);
    fprintf(out, "time        %.3g s, of which solver %.3g s\n", c->seconds, c->solve.seconds);
    fprintf(out, "tests       %" PRIu64 " in %s\n", r->n_tests, r->directory);
    fprintf(out, "seed        %" PRIu64 "\n", r->seed);
}

static void show_layers(FILE *out, const hd_chain_counters *c) {
    fprintf(out, "\n%-14s %10s %10s %10s %10s %10s\n", "solver layer", "asked", "sat", "unsat",
            "unknown", "seconds");
    for (int i = 0; i < HD_N_LAYERS; i++) {
        const hd_layer_counters *l = &c->layer[i];
        fprintf(out, "%-14s %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10.3f\n",
                layer_names[i], l->asked, l->sat, l->unsat, l->unknown, l->seconds);
    }
    fprintf(out, "constraints before slicing %" PRIu64 ", after %" PRIu64 "\n",
            c->constraints_before, c->constraints_after);
}

static void show_details(FILE *out, const hd_run_counters *c) {
    const hd_explorer_counters *x = &c->explore;
    fprintf(out,
            "ways        %" PRIu64 " infeasible, %" PRIu64 " unknown, %" PRIu64
            " mispredicted, %" PRIu64 " open; deepest path %" PRIu32 " decisions\n",
            x->infeasible, x->unknown, x->mispredicted, x->open, x->deepest);
    fprintf(out, "cpu time    %.3g s\n", c->cpu_seconds);
}

static void show_labels(FILE *out, const hd_batch *b) {
    for (uint32_t i = 0; i < b->n_labels; i++)
        fprintf(out, "reached     '%s' in %" PRIu64 " execution%s\n", b->labels[i].name,
                b->labels[i].count, b->labels[i].count == 1 ? "" : "s");
}

static void show_findings(FILE *out, const hd_batch *b) {
    if (b->n_findings)
        fprintf(out, "\n%" PRIu32 " finding%s\n", b->n_findings, b->n_findings == 1 ? "" : "s");
    for (uint32_t i = 0; i < b->n_findings; i++) {
        fputs("  ", out);
        hd_finding_line(out, &b->findings[i]);
    }
}

static const char *what_was_explored(const hd_run_counters *c) {
    return c->processes > 1 ? "path and every order of messages that matters"
           : c->threads > 1 ? "path and every order of threads that matters"
                            : "path";
}

static void show_verdict(FILE *out, const hd_report *r) {
    const char *found = r->state.n_findings ? "" : ", nothing was found";
    if (r->state.is_complete)
        fprintf(out, "complete: every %s was explored%s\n", what_was_explored(&r->state.counters),
                found);
    else
        fprintf(out, "not complete%s:\n", found);
    for (size_t i = 0; i < r->n_reasons; i++)
        fprintf(out, "  - %s\n", r->reasons[i]);
    if (r->state.counters.explore.open)
        fprintf(out, "  go on with: heddle run --resume %s\n", r->directory);
}

static void show_warnings(FILE *out, const char *lines) {
    if (lines && *lines)
        fputs("\nwarnings\n", out);
    while (lines && *lines) {
        size_t length = strcspn(lines, "\n");
        fprintf(out, "  %.*s\n", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

void hd_summary_show(FILE *out, const hd_report *r, bool verbose) {
    fputc('\n', out);
    show_search(out, r);
    if (verbose)
        show_details(out, &r->state.counters);
    show_labels(out, &r->state);
    if (verbose)
        show_layers(out, &r->state.counters.solve);
    show_findings(out, &r->state);
    show_warnings(out, r->state.warnings);
    fputc('\n', out);
    show_verdict(out, r);
}

void hd_summary_brief(FILE *out, const hd_report *r) {
    for (uint32_t i = 0; i < r->state.n_findings; i++)
        hd_finding_line(out, &r->state.findings[i]);
    show_verdict(out, r);
}
