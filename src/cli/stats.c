/* heddle stats -- how whole systems grew while they were searched. */
#include "cli/cli.h"
#include "simulate/grown.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct stats_values {
    bool csv;
    const char *svg;
} stats_values;

#define AT(field) offsetof(stats_values, field)
static const hd_option options[] = {
    {"csv", 0, HD_OPTION_FLAG, AT(csv), NULL, "all points, as comma-separated values", NULL, false},
    {"svg", 0, HD_OPTION_TEXT, AT(svg), "FILE", "draw states and memory over time", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

typedef hd_vec(hd_grown) grown_list;

static bool read_runs(const hd_arguments *a, grown_list *runs, hd_err *err) {
    if (a->files.n == 0) {
        hd_err_set(err, "no run directory given");
        return hd_err_hint(err, "write 'heddle stats DIR', for example 'heddle stats heddle-out'");
    }
    for (size_t i = 0; i < a->files.n; i++) {
        hd_grown g = {0};
        hd_record *record = hd_record_open(a->files.at[i], false, err);
        bool ok = record && hd_grown_read(&g, record, a->files.at[i], err);
        hd_record_close(record);
        hd_vec_push(runs, g);
        if (!ok)
            return false;
    }
    return true;
}

static bool write_drawing(const grown_list *runs, const char *path, hd_err *err) {
    hd_text svg = {0};
    hd_grown_draw(runs->at, runs->n, "growth over processor time", &svg);
    FILE *out = fopen(path, "w");
    bool ok = out && fwrite(svg.at, 1, svg.n, out) == svg.n;
    ok = out && fclose(out) == 0 && ok;
    hd_text_release(&svg);
    if (!ok)
        hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    return ok || hd_err_hint(err, "name a file that can be written with '--svg'");
}

/* About so many lines are shown of a run. */
#define MOST_LINES 20

static void show_run(const hd_grown *g) {
    size_t step = (g->points.n + MOST_LINES - 1) / MOST_LINES;
    hd_print(stdout, "%s\n%10s  %12s  %10s  %10s  %12s  %8s\n", g->name, "seconds", "virtual time",
             "states", "dstates", "events", "MB");
    for (size_t i = (g->points.n - 1) % step; i < g->points.n; i += step) {
        const hd_growth_point *p = &g->points.at[i];
        hd_print(stdout, "%10.3f  %10.6g s  %10" PRIu64 "  %10" PRIu64 "  %12" PRIu64 "  %8.1f\n",
                 p->seconds, (double)p->moment / 1e9, p->states, p->dstates, p->events,
                 (double)p->bytes / 1e6);
    }
}

static bool show(const stats_values *v, const grown_list *runs, hd_err *err) {
    hd_text csv = {0};
    if (v->svg && !write_drawing(runs, v->svg, err))
        return false;
    if (v->csv)
        hd_grown_csv(runs->at, runs->n, &csv);
    hd_print_lines(stdout, hd_text_string(&csv));
    hd_text_release(&csv);
    for (size_t i = 0; i < runs->n && !v->csv; i++)
        show_run(&runs->at[i]);
    return true;
}

static int run(int argc, char **argv) {
    stats_values v = {0};
    hd_arguments arguments = {0};
    grown_list runs = {0};
    hd_err err;
    bool ok = hd_options_parse(&table, argc, argv, &v, &arguments, &err) &&
              read_runs(&arguments, &runs, &err) && show(&v, &runs, &err);
    for (size_t i = 0; i < runs.n; i++)
        hd_grown_release(&runs.at[i]);
    hd_vec_release(&runs);
    hd_arguments_release(&arguments);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_stats = {
    "stats",
    "say how a whole system grew while it was searched",
    "stats DIR... [--csv] [--svg FILE]",
    "Shows states, dstates, events and memory of runs with '--mapping' over processor time and\n"
    "virtual time: some points of each run, or all with --csv.  A drawing has one curve for each\n"
    "run, so that the algorithms can be compared.",
    &table,
    run,
};
