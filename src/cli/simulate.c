/* heddle simulate -- how larger fleets would have done, from what the units of a run cost. */
#include "cli/cli.h"
#include "report/simulated.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct simulate_values {
    const char *workers, *svg, *base;
    uint64_t parts;
    double hand_over;
    bool json;
} simulate_values;

#define AT(field) offsetof(simulate_values, field)
static const hd_option options[] = {
    {"workers", 0, HD_OPTION_TEXT, AT(workers), "LIST",
     "sizes of the fleet (default 1,2,4,...,4096)", NULL, false},
    {"parts", 0, HD_OPTION_COUNT, AT(parts), "N",
     "into how many parts it is cut that never talk (default: one for each worker)", NULL, false},
    {"hand-over", 0, HD_OPTION_SECONDS, AT(hand_over), "TIME",
     "from giving a unit away until another worker has it (default 1ms)", NULL, false},
    {"base", 0, HD_OPTION_TEXT, AT(base), "DIR",
     "the same search by one worker, uncut: what speedups are against", NULL, false},
    {"svg", 0, HD_OPTION_TEXT, AT(svg), "FILE", "draw the speedups", NULL, false},
    {"json", 0, HD_OPTION_FLAG, AT(json), NULL, "print one JSON object on standard output", NULL,
     false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

static bool read_values(const simulate_values *v, const hd_arguments *a, hd_sizes *sizes,
                        hd_err *err) {
    if (a->files.n == 0) {
        hd_err_set(err, "no run directory given");
        return hd_err_hint(err, "write 'heddle simulate DIR', for example 'heddle simulate "
                                "heddle-out'");
    }
    if (v->parts > HD_MOST_SIMULATED) {
        hd_err_set(err, "option '--parts' takes at most %d", HD_MOST_SIMULATED);
        return hd_err_hint(err, "leave it out for one part for each worker");
    }
    if (hd_sizes_parse(sizes, v->workers))
        return true;
    hd_err_set(err, "option '--workers' takes numbers that grow, up to %d, and not '%s'",
               HD_MOST_SIMULATED, v->workers);
    return hd_err_hint(err, "for example '--workers 1,2,4,...,4096'");
}

static bool write_drawing(const hd_simulation *s, const char *path, hd_err *err) {
    hd_curve curves[] = {s->share, s->part};
    char title[300];
    hd_text svg = {0};
    snprintf(title, sizeof title, "%.200s: %zu units, simulated", s->directory,
             s->measured->pieces.n);
    hd_curves_draw(curves, 2, title, &svg);
    FILE *out = fopen(path, "w");
    bool ok = out && fwrite(svg.at, 1, svg.n, out) == svg.n;
    ok = out && fclose(out) == 0 && ok;
    hd_text_release(&svg);
    if (!ok)
        hd_err_set(err, "cannot write '%s': %s", path, strerror(errno));
    return ok || hd_err_hint(err, "name a file that can be written with '--svg'");
}

static bool simulate(hd_measured *m, const simulate_values *v, const hd_sizes *sizes,
                     const char *directory, hd_err *err) {
    hd_simulation s = {
        .directory = directory, .measured = m, .share.name = "sharing", .part.name = "parts"};
    m->delays.hand_over = v->hand_over;
    hd_curve_share(&s.share, &m->pieces, sizes, &m->delays);
    hd_curve_part(&s.part, &m->pieces, &m->mets, sizes, (uint32_t)v->parts, &m->delays);
    s.critical_path = hd_work_pieces_critical_path(&m->pieces, &m->delays, &s.last);
    bool ok = !v->svg || write_drawing(&s, v->svg, err);
    if (ok && v->json)
        hd_json_simulation(stdout, &s);
    else if (ok)
        hd_simulation_show(stdout, &s);
    hd_curve_release(&s.share);
    hd_curve_release(&s.part);
    return ok;
}

/* ---- several runs ---- */

static bool add_run(hd_obligations *o, const char *directory, uint64_t *module, hd_err *err) {
    hd_record *record = hd_record_open(directory, false, err);
    bool ok = record && hd_obligations_add(o, record, err);
    uint64_t hash = ok ? hd_record_info(record)->module_hash : 0;
    hd_record_close(record);
    if (!ok || !*module || *module == hash) {
        *module = hash;
        return ok;
    }
    hd_err_set(err, "'%s' is a run of another program than the runs before it", directory);
    return hd_err_hint(err, "name runs of one program, which differ in '--seed'");
}

static void resample(const hd_obligations *o, const hd_first_times *t, hd_sizes *sizes, bool json) {
    hd_resampled r = {.obligations = o, .n_runs = t->n_runs, .sizes = sizes};
    while (sizes->n && sizes->at[sizes->n - 1] > t->n_runs)
        sizes->n--;
    for (size_t i = 0; i < sizes->n; i++)
        hd_vec_push(&r.found, hd_resample(t, sizes->at[i], 1));
    if (json)
        hd_json_resampled(stdout, &r);
    else
        hd_resampled_show(stdout, &r);
    hd_vec_release(&r.found);
}

static bool compare_runs(const simulate_values *v, const hd_arguments *a, hd_sizes *sizes,
                         hd_err *err) {
    hd_obligations o = {0};
    uint64_t module = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < a->files.n; i++)
        ok = add_run(&o, a->files.at[i], &module, err);
    hd_first_times t = {0};
    if (ok)
        t = hd_obligations_times(&o);
    if (ok && !t.n_obligations) {
        ok = hd_err_set(err, "the runs do not say when they came to anything");
        hd_err_hint(err, "an older Heddle recorded them: run them again");
    }
    if (ok)
        resample(&o, &t, sizes, v->json);
    free(t.at);
    hd_obligations_release(&o);
    return ok;
}

static bool read_and_simulate(const simulate_values *v, const hd_arguments *a,
                              const hd_sizes *sizes, hd_err *err) {
    hd_measured m = {0};
    hd_record *record = hd_record_open(a->files.at[0], false, err);
    hd_record *base = record && v->base ? hd_record_open(v->base, false, err) : NULL;
    bool ok = record && (base || !v->base) && hd_measured_read(&m, record, a->files.at[0], err) &&
              (!base || hd_measured_read_base(&m, record, base, v->base, err)) &&
              simulate(&m, v, sizes, a->files.at[0], err);
    hd_record_close(base);
    hd_record_close(record);
    hd_measured_release(&m);
    return ok;
}

static int run(int argc, char **argv) {
    simulate_values v = {.workers = "1,2,4,...,4096", .hand_over = 0.001};
    hd_arguments a = {0};
    hd_sizes sizes = {0};
    hd_err err;
    bool ok = hd_options_parse(&table, argc, argv, &v, &a, &err) &&
              read_values(&v, &a, &sizes, &err) &&
              (a.files.n > 1 ? compare_runs(&v, &a, &sizes, &err)
                             : read_and_simulate(&v, &a, &sizes, &err));
    hd_arguments_release(&a);
    hd_vec_release(&sizes);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_simulate = {
    "simulate",
    "how larger fleets would have done",
    "simulate DIR [--workers LIST] [--parts N] [--hand-over TIME] [--base DIR]\n"
    "           [--svg FILE] [--json]\n"
    "       heddle simulate DIR DIR... [--workers LIST] [--json]",
    "Takes what the units of a run cost ('heddle units') and gives them to fleets of other\n"
    "sizes: a free worker takes the next unit, and a unit is there when the one that gave it\n"
    "away has done as much as it had then.  Prints how long each fleet takes, and when it lacked\n"
    "work.  Beside it, the same work cut into parts that never talk.  'heddle run --unit-time "
    "5ms'\n"
    "makes a run with many units, also with one worker.\n"
    "\n"
    "With several runs of one program ('--strategy random-dfs' with other seeds): how soon as "
    "many\n"
    "of them beside each other would have come to every way of a branch and every finding that\n"
    "any of them came to, on average over draws.",
    &table,
    run,
};
