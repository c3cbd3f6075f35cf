/* A run on a cluster, from the machine that coordinates it (run_cluster.h).
 *
 * The workers of this machine are those of any other: a `heddle worker` of their own, started
 * beside the coordinator.  So it runs no tested code, and no process that has threads of libnats
 * is in their way. */
#include "cli/run_cluster.h"
#include "cli/cli.h"
#include "cli/given_partition.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/made_of.h"
#include "machine/libc/standard_input.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOCAL          "local"
#define MOST_REPLICAS  5
#define LEAST_PATIENCE 1.0
#define MOST_WORDS     32
#define TOO_SOON       2.0 /* seconds: workers that end so soon are not started again */
#define LONG_ENOUGH    8.0 /* seconds that workers get to leave */

/* ---- options ---- */

static bool needs_cluster(const char *name, bool is_given, const hd_run_values *v, hd_err *err) {
    if (!is_given || v->cluster.servers)
        return true;
    hd_err_set(err, "option '--%s' has no effect without '--cluster'", name);
    return hd_err_hint(err, "add '--cluster nats://HOST', or leave it out");
}

static bool needs_nothing(const hd_run_values *v, hd_err *err) {
    return needs_cluster("run", v->run, v, err) &&
           needs_cluster("token", v->cluster.token, v, err) &&
           needs_cluster("no-workers", v->no_workers, v, err) &&
           needs_cluster("replicas", v->replicas != HD_NOT_GIVEN, v, err) &&
           needs_cluster("patience", v->patience > 0, v, err);
}

static bool check_numbers(const hd_run_values *v, hd_err *err) {
    if (v->replicas != HD_NOT_GIVEN && (v->replicas < 1 || v->replicas > MOST_REPLICAS)) {
        hd_err_set(err, "option '--replicas' cannot be %llu", (unsigned long long)v->replicas);
        return hd_err_hint(err, "give it a number from 1 to %d", MOST_REPLICAS);
    }
    if (v->patience > 0 && v->patience < LEAST_PATIENCE) {
        hd_err_set(err, "option '--patience' cannot be less than a second");
        return hd_err_hint(err, "machines must have time to say that they are there");
    }
    return true;
}

bool hd_run_place_check(const hd_run_values *v, hd_err *err) {
    if (!v->cluster.servers)
        return needs_nothing(v, err);
    if (v->resume) {
        hd_err_set(err, "a run on a cluster is gone on with by its name, not with '--resume'");
        return hd_err_hint(err, "leave out '--resume', and name it with '--run NAME'");
    }
    if (!v->run && strcmp(v->cluster.servers, LOCAL) != 0) {
        hd_err_set(err, "a run on a cluster needs a name");
        return hd_err_hint(err, "give it one with '--run NAME'");
    }
    if (v->partition && hd_given_rivals(v->partition)) {
        hd_err_set(err, "'--partition none' is for the workers of one machine: on a cluster nobody "
                        "knows how many rivals there will be");
        return hd_err_hint(err, "leave out '--partition' to share the search, or '--cluster'");
    }
    return check_numbers(v, err) && hd_run_name_check(v->run ? v->run : LOCAL, err) &&
           hd_cluster_check(&v->cluster, err);
}

/* ---- connecting ---- */

static bool is_of_run(const hd_run_place *p, const char *run, hd_err *err) {
    if (strcmp(p->seal.run, run) == 0)
        return true;
    hd_err_set(err, "'%s' is the token of run '%s', not of '%s'", p->token, p->seal.run, run);
    return hd_err_hint(err, "name another file with '--token', or another run with '--run'");
}

/* The token of the run: what the file says, or a new one. */
static bool find_token(hd_run_place *p, const hd_run_values *v, hd_err *err) {
    const char *run = v->run ? v->run : LOCAL;
    p->token = v->cluster.token ? hd_text_format("%s", v->cluster.token)
               : p->server.pid  ? hd_text_format("%s/token", p->server.directory)
                                : hd_text_format("%s.token", run);
    if (access(p->token, F_OK) == 0)
        return hd_seal_read(&p->seal, p->token, err) && is_of_run(p, run, err);
    return hd_seal_make(&p->seal, run, err) && hd_seal_write(&p->seal, p->token, err);
}

static void show_note(void *place, const char *sentence) {
    if (!((const hd_run_place *)place)->is_quiet)
        hd_print(stderr, "heddle: %s\n", sentence);
}

bool hd_run_place_open(hd_run_place *p, const hd_run_values *v, hd_err *err) {
    p->line = v->cluster;
    p->is_quiet = v->quiet;
    p->has_workers = !v->no_workers;
    p->jobs = v->jobs == HD_NOT_GIVEN ? NULL : hd_text_format("%llu", (unsigned long long)v->jobs);
    if (strcmp(p->line.servers, LOCAL) == 0) {
        if (!hd_server_start(&p->server, NULL, err))
            return false;
        p->line.servers = p->server.url;
    }
    hd_line_options line = hd_cluster_line(&p->line);
    line.replicas = v->replicas == HD_NOT_GIVEN ? 1 : (uint32_t)v->replicas;
    line.note = show_note;
    line.context = p;
    line.n_interrupts = hd_interrupts_count();
    return find_token(p, v, err) && (p->post = hd_post_open(&line, &p->seal, err));
}

void hd_run_place_close(hd_run_place *p) {
    hd_post_close(p->post);
    hd_manifest_release(&p->manifest);
    hd_scratch_remove(p->scratch);
    hd_server_stop(&p->server);
    free(p->token);
    free(p->jobs);
    *p = (hd_run_place){0};
}

/* ---- the run ---- */

/* A file on standard input goes to all machines; what comes through a pipe or from a terminal
 * comes once, and cannot. */
static const char *take_standard_input(void) {
    struct stat status;
    const uint8_t *bytes;
    if (fstat(STDIN_FILENO, &status) != 0 || !S_ISREG(status.st_mode))
        return NULL;
    while (hd_standard_input_read(hd_standard_input_size(), 1 << 20, &bytes) > 0)
        ;
    return "/proc/self/fd/0";
}

/* What makes it this search, wherever the program lies. */
static char *describe_search(const hd_kept_options *kept) {
    hd_kept_options bare = *kept;
    bare.sources.n = 0;
    bare.has_build = false; /* the module says it */
    bare.directory = NULL;
    return hd_kept_write(&bare);
}

bool hd_run_place_found(hd_run_place *p, const hd_run_values *v, const hd_kept_options *kept,
                        const char *command, const hd_compile_result *module, hd_err *err) {
    char *options = hd_kept_write(kept), *search = describe_search(kept);
    bool ok = options && search, was_there = false;
    if (!ok)
        hd_err_set(err, "a word of the command line is not UTF-8 and cannot be sent to others");
    else
        p->manifest =
            hd_manifest_new(hd_version_made_of(), command, options, search, module->hash, v->seed);
    if (v->patience > 0)
        p->manifest.patience = v->patience;
    ok = ok && hd_cluster_found(p->post, &p->manifest, module->directory, take_standard_input(),
                                &was_there, err);
    free(options);
    free(search);
    if (ok && was_there)
        show_note(p, "the run is there already: going on with it");
    return ok;
}

bool hd_run_place_take(hd_run_place *p, hd_kept_options *kept, hd_run_values *values,
                       hd_compile_result *module, hd_err *err) {
    if (!hd_cluster_join(p->post, hd_version_made_of(), &p->manifest, err) ||
        !hd_search_parse(p->manifest.options, kept, values, err) ||
        !hd_scratch_make(p->scratch, "heddle-run", err) ||
        !hd_manifest_unload(&p->manifest, p->post, p->scratch, err))
        return false;
    bool was_there;
    snprintf(module->directory, sizeof module->directory, "%s/module", p->scratch);
    module->hash = p->manifest.module_hash;
    hd_standard_input_load(p->scratch);
    hd_manifest same =
        hd_manifest_new(hd_version_made_of(), p->manifest.command, p->manifest.options,
                        p->manifest.search, p->manifest.module_hash, p->manifest.seed);
    bool ok = hd_cluster_found(p->post, &same, module->directory, NULL, &was_there, err);
    hd_manifest_release(&same);
    return ok;
}

bool hd_run_place_has_begun(hd_run_place *p, bool *has_begun, hd_err *err) {
    hd_text snapshot = {0};
    bool ok = hd_post_read_snapshot(p->post, &snapshot, has_begun, err);
    hd_text_release(&snapshot);
    return ok;
}

/* ---- workers of this machine ---- */

/* The command of our workers; `words` has room for all of it. */
static void name_workers(const hd_run_place *p, const char *words[MOST_WORDS]) {
    const hd_cluster_values *l = &p->line;
    const char *const all[][2] = {
        {"--cluster", l->servers}, {"--token", p->token},   {"-j", p->jobs},
        {"--creds", l->creds},     {"--nkey", l->nkey},     {"--nkey-seed", l->nkey_seed},
        {"--tls-ca", l->ca},       {"--tls-cert", l->cert}, {"--tls-key", l->key}};
    size_t n = 0;
    words[n++] = "heddle";
    words[n++] = "worker";
    words[n++] = "-q";
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i][1]) {
            words[n++] = all[i][0];
            words[n++] = all[i][1];
        }
    words[n] = NULL;
}

static _Noreturn void become_workers(const hd_run_place *p, pid_t parent) {
    const char *words[MOST_WORDS];
    name_workers(p, words);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0); /* ^C is for the coordinator, which tells all */
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    if (getppid() == parent)
        execv("/proc/self/exe", (char *const *)words);
    _exit(127);
}

static bool start_workers(hd_run_place *p, hd_err *err) {
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become_workers(p, parent);
    if (pid < 0)
        return hd_err_set(err, "cannot start workers: %s", strerror(errno));
    p->workers = pid;
    p->started = hd_clock_now();
    return true;
}

/* Workers that were killed come again. */
static bool look_after_workers(void *place, hd_err *err) {
    hd_run_place *p = place;
    if (!p->has_workers || !p->workers || waitpid(p->workers, NULL, WNOHANG) != p->workers)
        return true;
    p->workers = 0;
    if (hd_clock_now() - p->started < TOO_SOON) {
        hd_err_set(err, "the workers of this machine end as soon as they are started");
        return hd_err_hint(err, "their own message is above; without workers here: '--no-workers'");
    }
    show_note(p, "the workers of this machine have ended: starting them again");
    return start_workers(p, err);
}

static void end_workers(hd_run_place *p) {
    double until = hd_clock_now() + LONG_ENOUGH;
    if (!p->workers)
        return;
    kill(p->workers, SIGTERM);
    while (waitpid(p->workers, NULL, WNOHANG) == 0) {
        if (hd_clock_now() > until)
            kill(p->workers, SIGKILL);
        usleep(10000);
    }
    p->workers = 0;
}

bool hd_run_place_explore(void *place, hd_record *record, const hd_run_options *options,
                          const hd_watcher *watcher, char why[128], hd_err *err) {
    hd_run_place *p = place;
    hd_chore chore = {look_after_workers, p};
    char *sentence = hd_text_format("run '%s' at %s; add machines with 'heddle worker --cluster %s "
                                    "--token %s'",
                                    p->seal.run, p->line.servers, p->line.servers, p->token);
    if (!p->server.pid)
        show_note(p, sentence);
    free(sentence);
    if (p->has_workers && !start_workers(p, err))
        return false;
    bool ok = hd_cluster_coordinate(p->post, p->manifest.patience, record, options, watcher, &chore,
                                    why, err);
    end_workers(p);
    return ok;
}
