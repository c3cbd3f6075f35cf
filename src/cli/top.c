/* heddle top -- a run on a cluster as it goes. */
#include "cli/cli.h"
#include "cli/cluster_options.h"
#include "fleet/cluster/lookout.h"
#include "report/report.h"

#include <signal.h>
#include <unistd.h>

#define FIRST_LOOK 1.6 /* seconds until everybody has said something twice */
#define NEXT_LOOK  1.0
#define CLEAR      "\033[H\033[J"

typedef struct top_values {
    hd_cluster_values cluster;
    bool json, once;
} top_values;

#define AT(field)      offsetof(top_values, field)
#define AT_LINE(field) offsetof(top_values, cluster.field)
static const hd_option options[] = {
    HD_CLUSTER_OPTIONS(AT_LINE),
    {"json", 0, HD_OPTION_FLAG, AT(json), NULL, "how things are now, as one JSON object", NULL,
     false},
    {"once", 0, HD_OPTION_FLAG, AT(once), NULL, "how things are now, instead of all the time", NULL,
     false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

static volatile sig_atomic_t is_enough;

static void note_signal(int number) {
    (void)number;
    is_enough = 1;
}

static void show(hd_lookout *w, hd_post *post, const top_values *v, bool is_terminal) {
    hd_picture p = hd_lookout_look(w);
    if (is_terminal)
        fputs(CLEAR, stdout);
    if (v->json)
        hd_json_top(stdout, hd_post_run(post), &p);
    else
        hd_top_show(stdout, hd_post_run(post), &p);
    fflush(stdout);
    hd_picture_release(&p);
}

/* Until the run is over, or ^C. */
static bool keep_showing(hd_lookout *w, hd_post *post, const top_values *v, hd_err *err) {
    bool is_terminal = isatty(STDOUT_FILENO) && !v->json && !v->once, is_there = true;
    usleep((useconds_t)(FIRST_LOOK * 1e6));
    show(w, post, v, is_terminal);
    while (is_terminal && is_there && !is_enough) {
        usleep((useconds_t)(NEXT_LOOK * 1e6));
        show(w, post, v, is_terminal);
        if (!hd_post_is_there(post, &is_there, err))
            return false;
    }
    return true;
}

static bool check_there(hd_post *post, hd_err *err) {
    bool is_there;
    if (!hd_post_is_there(post, &is_there, err))
        return false;
    if (is_there)
        return true;
    hd_err_set(err, "there is no run '%s' at '%s'", hd_post_run(post), hd_post_servers(post));
    return hd_err_hint(err, "it may have ended");
}

static bool watch(const top_values *v, hd_err *err) {
    hd_seal seal;
    hd_line_options line = hd_cluster_line(&v->cluster);
    if (!hd_cluster_check(&v->cluster, err) || !hd_seal_read(&seal, v->cluster.token, err))
        return false;
    hd_post *post = hd_post_open(&line, &seal, err);
    hd_lookout *w = post && check_there(post, err) ? hd_lookout_open(post, err) : NULL;
    bool ok = w && keep_showing(w, post, v, err);
    if (w)
        hd_lookout_close(w);
    hd_post_close(post);
    return ok;
}

static int run(int argc, char **argv) {
    top_values values = {0};
    hd_arguments arguments = {0};
    hd_err err;
    signal(SIGINT, note_signal);
    if (!hd_options_parse(&table, argc, argv, &values, &arguments, &err))
        return hd_cli_fail(&err);
    bool ok = hd_cluster_is_given(&values.cluster, &arguments, "top", &err) && watch(&values, &err);
    hd_arguments_release(&arguments);
    return ok ? HD_EXIT_CLEAN : hd_cli_fail(&err);
}

const hd_command hd_command_top = {
    "top",
    "watch a run on a cluster",
    "top --cluster nats://HOST[,HOST...] --token FILE [--json]",
    "Shows a running cluster as it goes: machines, workers, units, rates, coverage, findings.\n"
    "On a terminal until the run ends or ^C; elsewhere, and with --json or --once, one picture.",
    &table,
    run,
};
