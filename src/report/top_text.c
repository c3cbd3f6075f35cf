/* A cluster at work, for a terminal and for scripts (docs/cluster.md). */
#include "base/shown.h"
#include "report/json_values.h"
#include "report/report.h"

#include <inttypes.h>

static void show_machine(FILE *out, const hd_seen_machine *seen) {
    const hd_machine_sight *m = &seen->told;
    hd_print(out, "  %-24s %7u %5u %6u %12" PRIu64 " %9.0f\n", m->host, m->n_workers,
             m->n_workers - m->n_idle, m->n_units, m->executions, seen->rate);
}

static void show_run(FILE *out, const hd_picture *p) {
    const hd_run_sight *v = &p->run;
    const hd_explorer_counters *x = &v->counters.explore;
    hd_print(out, "executions  %" PRIu64 ", %.0f a second; %" PRIu64 " %s", x->executions, p->rate,
             x->paths, v->counters.threads > 1 ? "classes" : "paths");
    if (x->estimate > (double)x->paths)
        hd_print(out, " of about %.3g", x->estimate);
    hd_print(out, ", %" PRIu64 " open\n", x->open);
    hd_print(out,
             "units       %" PRIu64 " left, of which %" PRIu64 " with machines; %" PRIu64 " done\n",
             v->n_left, v->n_out, v->n_units > v->n_left ? v->n_units - v->n_left : 0);
    hd_print(out, "branches    %" PRIu64 " of %" PRIu64 " ways covered\n",
             v->counters.branches_covered, v->counters.branches);
    hd_print(out, "findings    %" PRIu64 "\n", v->n_findings);
}

void hd_top_show(FILE *out, const char *run, const hd_picture *p) {
    uint64_t n_workers = 0;
    for (size_t i = 0; i < p->machines.n; i++)
        n_workers += p->machines.at[i].told.n_workers;
    hd_print(out, "run '%s'", run);
    if (p->has_coordinator)
        hd_print(out, ", coordinated on %s for %.0f s\n", p->run.host, p->run.elapsed);
    else
        hd_print(out, ": nobody coordinates it\n");
    if (p->has_coordinator)
        show_run(out, p);
    hd_print(out, "machines    %zu with %" PRIu64 " worker%s\n", p->machines.n, n_workers,
             n_workers == 1 ? "" : "s");
    if (p->machines.n)
        hd_print(out, "\n  %-24s %7s %5s %6s %12s %9s\n", "host", "workers", "busy", "units",
                 "executions", "a second");
    for (size_t i = 0; i < p->machines.n; i++)
        show_machine(out, &p->machines.at[i]);
}

static json_t *describe_machines(const hd_picture *p) {
    json_t *list = json_array();
    for (size_t i = 0; i < p->machines.n; i++) {
        const hd_machine_sight *m = &p->machines.at[i].told;
        json_array_append_new(list,
                              json_pack("{s:s, s:I, s:I, s:I, s:I, s:f}", "host", m->host,
                                        "workers", (json_int_t)m->n_workers, "busy",
                                        (json_int_t)(m->n_workers - m->n_idle), "units",
                                        (json_int_t)m->n_units, "executions",
                                        (json_int_t)m->executions, "rate", p->machines.at[i].rate));
    }
    return list;
}

static json_t *describe_run(const hd_picture *p) {
    const hd_run_sight *v = &p->run;
    const hd_explorer_counters *x = &v->counters.explore;
    return json_pack(
        "{s:s, s:f, s:I, s:f, s:I, s:I, s:f, s:I, s:{s:I, s:I, s:I}, s:{s:I, s:I}}", "host",
        v->host, "elapsed", v->elapsed, "executions", (json_int_t)x->executions, "rate", p->rate,
        "paths", (json_int_t)x->paths, "open", (json_int_t)x->open, "estimate", x->estimate,
        "findings", (json_int_t)v->n_findings, "units", "all", (json_int_t)v->n_units, "left",
        (json_int_t)v->n_left, "out", (json_int_t)v->n_out, "coverage", "branches",
        (json_int_t)v->counters.branches, "covered", (json_int_t)v->counters.branches_covered);
}

void hd_json_top(FILE *out, const char *run, const hd_picture *p) {
    json_t *all = json_pack("{s:s, s:o, s:o}", "run", run, "coordinator",
                            p->has_coordinator ? describe_run(p) : json_null(), "machines",
                            describe_machines(p));
    hd_json_print(out, all);
}
