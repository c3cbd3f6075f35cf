/* heddle worker -- add this machine to a run on a cluster. */
#include "base/interrupt.h"
#include "base/made_of.h"
#include "cli/cli.h"
#include "cli/cluster_options.h"
#include "cli/run_options.h"
#include "fleet/cluster/cluster.h"
#include "fleet/cluster/desk.h"
#include "fleet/cluster/scratch.h"
#include "machine/libc/standard_input.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct worker_values {
    hd_cluster_values cluster;
    uint64_t jobs;
    bool quiet;
} worker_values;

#define AT(field)      offsetof(worker_values, field)
#define AT_LINE(field) offsetof(worker_values, cluster.field)
static const hd_option options[] = {
    HD_CLUSTER_OPTIONS(AT_LINE),
    {"jobs", 'j', HD_OPTION_COUNT, AT(jobs), "N",
     "workers of this machine (default: one for each processor)", NULL, false},
    {"quiet", 'q', HD_OPTION_FLAG, AT(quiet), NULL, "say only what goes wrong", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

static void show_note(void *quiet, const char *sentence) {
    if (!*(const bool *)quiet)
        hd_print(stderr, "heddle: %s\n", sentence);
}

/* ---- the run, as files of this machine ---- */

typedef struct work_place {
    hd_post *post;
    hd_manifest manifest;
    char directory[HD_SCRATCH_SIZE];
    char *module;
    hd_kept_options kept;
    hd_run_options options;
} work_place;

/* A program that reads standard input finds that of the run; most find nothing. */
static void take_standard_input(const work_place *p) {
    char *path = hd_text_format("%s/stdin", p->directory);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd >= 0)
        close(fd);
    free(path);
    hd_standard_input_load(p->directory);
}

static bool read_options(work_place *p, uint64_t jobs, hd_err *err) {
    hd_run_values values;
    if (!hd_search_parse(p->manifest.options, &p->kept, &values, err))
        return false;
    values.jobs = jobs;
    return hd_search_options(&values, &p->kept, &p->options, err);
}

static bool prepare(work_place *p, const worker_values *v, hd_err *err) {
    if (!hd_cluster_join(p->post, hd_version_made_of(), &p->manifest, err) ||
        !read_options(p, v->jobs, err) || !hd_scratch_make(p->directory, "heddle-worker", err) ||
        !hd_manifest_unload(&p->manifest, p->post, p->directory, err))
        return false;
    p->module = hd_text_format("%s/module", p->directory);
    take_standard_input(p);
    return true;
}

static void leave(work_place *p) {
    hd_post_close(p->post);
    hd_manifest_release(&p->manifest);
    hd_kept_release(&p->kept);
    hd_scratch_remove(p->directory);
    free(p->module);
}

/* ---- working ---- */

static bool work(work_place *p, worker_values *v, hd_err *err) {
    hd_watcher watcher = {.context = &v->quiet, .note = show_note};
    char why[128], sentence[256];
    hd_desk *desk = hd_desk_open(p->post, p->manifest.patience, show_note, &v->quiet, err);
    if (!desk)
        return false;
    snprintf(sentence, sizeof sentence, "working for run '%s' with %u worker%s",
             hd_post_run(p->post), p->options.n_workers, p->options.n_workers == 1 ? "" : "s");
    show_note(&v->quiet, sentence);
    fflush(NULL); /* workers are forks of this process */
    bool ok = hd_fleet_work(hd_desk_source(desk), p->module, &p->options, &watcher, why, err);
    hd_desk_close(desk);
    snprintf(sentence, sizeof sentence, "left run '%s': %s", hd_post_run(p->post), why);
    if (ok)
        show_note(&v->quiet, sentence);
    return ok;
}

static bool join(worker_values *v, hd_err *err) {
    work_place place = {0};
    hd_seal seal;
    hd_line_options line = hd_cluster_line(&v->cluster);
    line.note = show_note;
    line.context = &v->quiet;
    line.n_interrupts = hd_interrupts_count();
    if (!hd_cluster_check(&v->cluster, err) || !hd_seal_read(&seal, v->cluster.token, err))
        return false;
    place.post = hd_post_open(&line, &seal, err);
    bool ok = place.post && prepare(&place, v, err) && work(&place, v, err);
    leave(&place);
    return ok;
}

static int run(int argc, char **argv) {
    worker_values values = {.jobs = HD_NOT_GIVEN};
    hd_arguments arguments = {0};
    hd_err err;
    if (!hd_options_parse(&table, argc, argv, &values, &arguments, &err))
        return hd_cli_fail(&err);
    bool ok =
        hd_cluster_is_given(&values.cluster, &arguments, "worker", &err) && join(&values, &err);
    hd_arguments_release(&arguments);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_worker = {
    "worker",
    "add this machine to a run on a cluster",
    "worker --cluster nats://HOST[,HOST...] --token FILE [-j N]",
    "Takes part in a run that 'heddle run --cluster' has started: fetches its program, checks\n"
    "that its token is the one in FILE, and works until the run ends.  ^C leaves: what is not\n"
    "done is given back, and nothing is lost.  See 'heddle help cluster'.",
    &table,
    run,
};
