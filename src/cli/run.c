/* heddle run -- explore a program: compile it, make a record, let the fleet work, report. */
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/given_partition.h"
#include "cli/given_program.h"
#include "cli/given_scenario.h"
#include "cli/opened.h"
#include "cli/replay.h"
#include "cli/run_cluster.h"
#include "cli/run_options.h"
#include "cli/stop_goal.h"
#include "cli/time_left.h"
#include "confine/confine.h"
#include "machine/libc/standard_input.h"
#include "program/recorded_units.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* What the watcher's functions need. */
typedef struct run_view {
    const hd_run_values *values;
    hd_record *record;
    hd_live_line progress;
    FILE *findings; /* where findings are shown while running */
    bool has_advised;
    hd_stop_goal goal;
} run_view;

static void show_note(void *context, const char *sentence);

/* Once, as soon as the estimate says so: such a search does not come to its summary by itself. */
static void advise(run_view *view, const hd_explorer_counters *x) {
    hd_text text = {0};
    if (view->has_advised || !hd_cuts_explode(x))
        return;
    view->has_advised = true;
    hd_cuts_advise(x, &text);
    show_note(view, hd_text_string(&text));
    hd_text_release(&text);
}

static void show_progress(void *context, const hd_run_counters *counters, uint64_t findings,
                          double elapsed) {
    run_view *view = context;
    hd_live_line_update(&view->progress, counters, findings, elapsed);
    advise(view, &counters->explore);
}

static void show_workers(void *context, const hd_worker_progress *workers, uint32_t n) {
    run_view *view = context;
    if (view->values->verbose)
        hd_live_line_workers(&view->progress, workers, n);
}

static void show_finding(void *context, const hd_found *finding) {
    run_view *view = context;
    if (!view->findings)
        return;
    hd_live_line_clear(&view->progress);
    hd_test test = {0};
    hd_err ignored;
    bool has_test = hd_record_test(view->record, finding->test, &test, &ignored);
    hd_finding_show(view->findings, finding, has_test ? &test : NULL, view->values->output);
    fflush(view->findings);
    hd_test_release(&test);
}

static void show_note(void *context, const char *sentence) {
    run_view *view = context;
    if (view->values->quiet)
        return;
    hd_live_line_clear(&view->progress);
    hd_print(stderr, "heddle: %s\n", sentence);
}

/* Values that the program's own calls fixed are said in the verdict, but they are no limit
 * that another run with a larger budget would lift.  Executions that ended before the program did
 * have not shown what it does. */
static int exit_status_of(const hd_batch *state) {
    const hd_explorer_counters *x = &state->counters.explore;
    if (state->n_findings)
        return HD_EXIT_FINDINGS;
    if (state->stop_reason && strcmp(state->stop_reason, HD_STOP_GOAL) == 0)
        return HD_EXIT_CLEAN;
    bool was_cut = x->open || x->bounded || x->unknown || x->mispredicted || !x->executions;
    for (uint32_t i = 0; i < state->n_losses; i++)
        was_cut |= hd_loss_kind_is_bound(state->losses[i].kind) ||
                   hd_loss_kind_ends(state->losses[i].kind);
    return state->is_complete || !was_cut ? HD_EXIT_CLEAN : HD_EXIT_LIMIT;
}

static int report_run(run_view *view) {
    const hd_run_values *v = view->values;
    hd_report report = {.version = HD_VERSION, .directory = v->output};
    hd_err err;
    if (!hd_report_read(&report, view->record, &err)) {
        hd_report_release(&report);
        return hd_cli_fail(&err);
    }
    int status = report.exit_status = exit_status_of(&report.state);
    hd_stop_goal_report(&view->goal, &report);
    if (v->json)
        hd_json_summary(stdout, &report);
    else if (v->quiet)
        hd_summary_brief(stdout, &report);
    else
        hd_summary_show(stdout, &report, v->verbose);
    hd_report_release(&report);
    return status;
}

/* On this machine; on a cluster: hd_run_place_explore. */
typedef bool explore_how(void *place, hd_record *record, const hd_run_options *options,
                         const hd_watcher *watcher, char why[128], hd_err *err);

static bool explore_here(void *place, hd_record *record, const hd_run_options *options,
                         const hd_watcher *watcher, char why[128], hd_err *err) {
    (void)place;
    return hd_fleet_run(record, options, watcher, why, err);
}

typedef struct exploration {
    explore_how *how;
    void *place;
    const hd_partition *parts; /* of a search that was divided, or NULL */
} exploration;

static void take_parts(const hd_partition *parts, hd_run_options *options) {
    options->parts = parts->journals.at;
    options->n_parts = parts->journals.n;
    options->parts_may_begin_anew = parts->has_orders;
}

/* What keeps the program from this machine. */
static hd_walls find_walls(const char *allow, const char *directory, bool *is_all_allowed,
                           hd_text *words) {
    hd_allowed allowed = {0};
    hd_err ignored;
    hd_allowed_parse(&allowed, allow, directory ? directory : ".", &ignored);
    hd_walls walls = hd_walls_here(&allowed);
    hd_walls_describe(&walls, words);
    *is_all_allowed = allowed.all;
    hd_allowed_release(&allowed);
    return walls;
}

/* With -v, and always if nothing does. */
static void tell_walls(const hd_run_values *v, const char *directory) {
    hd_text words = {0};
    bool is_all_allowed;
    hd_walls walls = find_walls(v->allow, directory, &is_all_allowed, &words);
    if (v->verbose)
        hd_print(stderr, "heddle: the program is confined by: %s\n", hd_text_string(&words));
    else if (!is_all_allowed && !v->quiet && (!walls.has_filter || !walls.landlock))
        hd_print(stderr,
                 "heddle: warning: on this kernel the program is confined by %s only; see 'heddle "
                 "help security'\n",
                 hd_text_string(&words));
    hd_text_release(&words);
}

/* Explore from where the record stands; its findings so far count too. */
static int explore(hd_record *record, const hd_run_values *v, hd_kept_options *kept,
                   const exploration *how) {
    run_view view = {
        .values = v, .record = record, .progress = hd_live_line_begin(v->quiet ? NULL : stderr)};
    view.findings = v->quiet ? NULL : v->json ? stderr : stdout;
    hd_watcher watcher = {&view, show_progress, show_finding, show_note, show_workers};
    hd_run_options options;
    hd_err err;
    char why[128] = "";
    if (!hd_search_options(v, kept, &options, &err) ||
        !hd_stop_goal_init(&view.goal, v, hd_record_info(record)->module_directory, &err))
        return hd_cli_fail(&err);
    options.is_enough = v->goal ? hd_stop_goal_is_met : NULL;
    options.enough = &view.goal;
    options.want = view.goal.has_map ? hd_stop_goal_want : NULL;
    if (how->parts)
        take_parts(how->parts, &options);
    options.max_seconds = hd_time_left(options.max_seconds, hd_clock_now());
    if (!v->quiet)
        hd_print(stderr, "heddle: exploring %s with seed %" PRIu64 ", results in %s\n",
                 kept->program.n ? kept->program.at[0] : "the program", v->seed, v->output);
    tell_walls(v, kept->directory);
    fflush(NULL); /* workers are forks of this process */
    hd_standard_input_share();
    bool was_run = how->how(how->place, record, &options, &watcher, why, &err) &&
                   hd_standard_input_save(v->output, &err);
    hd_live_line_end(&view.progress);
    int status = was_run ? report_run(&view) : hd_cli_fail(&err);
    hd_stop_goal_release(&view.goal);
    return status;
}

static char *command_line(int argc, char **argv) {
    hd_text line = {0};
    hd_text_add(&line, "heddle");
    for (int i = 0; i < argc; i++)
        hd_text_add(&line, " %s", argv[i]);
    return line.at;
}

static hd_record *create_record(const hd_run_values *v, hd_kept_options *kept, char *command,
                                hd_compile_result *module, hd_err *err) {
    char *options = hd_kept_write(kept);
    if (!options) {
        hd_err_set(err, "a word of the command line is not UTF-8 and cannot be recorded");
        hd_err_hint(err, "rename the file, or give the program other arguments");
        return NULL;
    }
    hd_text walls = {0};
    bool is_all_allowed;
    find_walls(v->allow, ".", &is_all_allowed, &walls);
    hd_run_info info = {command,           options, module->hash,
                        module->directory, v->seed, (char *)hd_text_string(&walls)};
    hd_record *record = hd_record_create(v->output, &info, err);
    hd_text_release(&walls);
    if (record)
        hd_opened_note(record, kept, v->allow);
    if (!record && !err->hint[0])
        hd_err_hint(err, "name another directory with '-o DIR'");
    free(options);
    return record;
}

static bool find_with(const hd_run_values *v, const hd_arguments *a, hd_kept_options *kept,
                      hd_compile_result *module, hd_err *err) {
    hd_scenario scenario;
    if (!v->net && (v->orders == HD_ORDERS_TIME || v->until > 0)) {
        hd_err_set(err, "'%s' is about the nodes of a scenario, and there is none",
                   v->until > 0 ? "--until" : "--orders time");
        return hd_err_hint(err, "name one with '--net FILE', or leave it out");
    }
    if (!v->net)
        return hd_program_find(a, v->function, v->checks, v->allow, module, err);
    if (!hd_network_read(v, a, &scenario, err))
        return false;
    bool ok = hd_network_compile(&scenario, a, v->checks, v->allow, module, err);
    hd_network_keep(&scenario, kept);
    hd_scenario_release(&scenario);
    return ok;
}

/* The module of what the command line names, program or scenario; the latter's nodes go into
 * `kept`. */
static bool find_module(const hd_run_values *v, const hd_arguments *given, hd_kept_options *kept,
                        hd_compile_result *module, hd_err *err) {
    hd_arguments a = hd_arguments_counted(given, v->mcdc ? HD_COUNTED_VECTORS : HD_COUNTED_NOTHING);
    bool ok = find_with(v, &a, kept, module, err);
    hd_arguments_release(&a);
    return ok;
}
/* A module that cannot be loaded must not cost the results of the run that it would replace. */
static bool may_replace(const hd_run_values *v, const hd_compile_result *module, hd_err *err) {
    char *old = hd_text_format("%s/run.db", v->output);
    bool replaces = access(old, F_OK) == 0, is_threaded = false;
    free(old);
    return !replaces || hd_program_check(module, &is_threaded, err);
}

static bool make_rivals(const hd_compile_result *module, const hd_run_options *o,
                        hd_partition *parts, hd_err *err) {
    hd_explorer_options explore = o->explore;
    bool is_threaded = false;
    if (!hd_program_check(module, &is_threaded, err))
        return false;
    explore.is_threaded = (is_threaded || o->machine.n_nodes) && o->machine.orders == HD_ORDERS_ALL;
    return hd_partition_make_rivals(&explore, o->n_workers, parts, err);
}

/* The parts that '--partition' asks for; none without it. */
static bool divide(const hd_run_values *v, hd_kept_options *kept, const hd_compile_result *module,
                   hd_partition *parts, hd_err *err) {
    hd_run_options o;
    if (!v->partition)
        return true;
    if (!hd_search_options(v, kept, &o, err))
        return false;
    hd_partition_request request = {.module_directory = module->directory,
                                    .machine = o.machine,
                                    .explore = o.explore,
                                    .solve = o.solve,
                                    .depth = (uint32_t)v->shallow_depth,
                                    .queue = v->queue,
                                    .deadline =
                                        o.max_seconds > 0 ? hd_time_began() + o.max_seconds : 0};
    if (o.are_rivals)
        return make_rivals(module, &o, parts, err);
    fflush(NULL);
    hd_standard_input_share();
    bool ok =
        hd_given_partition(v->partition, &request, err) && hd_partition_make(&request, parts, err);
    for (size_t i = 0; ok && i < parts->notes.n && !v->quiet; i++)
        hd_print(stderr, "heddle: %s\n", hd_text_string(&parts->notes.at[i]));
    if (ok && !v->quiet)
        hd_print(stderr, "heddle: the search is divided into %zu part%s\n", parts->journals.n,
                 parts->journals.n == 1 ? "" : "s");
    return ok;
}

/* ---- one test from a file ---- */

/* The run has this test and nothing else. */
static bool keep_test(hd_record *record, hd_exported_test *t, hd_err *err) {
    hd_test test = t->test;
    hd_batch b = {.tests = &test,
                  .n_tests = 1,
                  .findings = t->findings.at,
                  .n_findings = (uint32_t)t->findings.n,
                  .stop_reason = "one test was run"};
    return hd_record_commit(record, &b, err);
}

static int run_test(const hd_run_values *v, const hd_arguments *a, char *command) {
    hd_compile_result module = {0};
    hd_kept_options kept = {0};
    hd_run_options unused;
    hd_exported_test test = {0};
    hd_record *record = NULL;
    hd_err err;
    hd_search_keep(&kept, v, a);
    bool ok = hd_exported_read(&test, v->test, &err) &&
              hd_search_options(v, &kept, &unused, &err) &&
              find_module(v, a, &kept, &module, &err) && may_replace(v, &module, &err) &&
              (record = create_record(v, &kept, command, &module, &err)) != NULL &&
              keep_test(record, &test, &err);
    if (record)
        hd_record_close(record);
    int status = ok ? hd_replay_exported(v->output, &test, v->json) : hd_cli_fail(&err);
    hd_exported_release(&test);
    hd_kept_release(&kept);
    return status;
}

#define TEST_OUTPUT "heddle-test" /* the run that the test came from stays */

static bool check_test(hd_run_values *v, hd_err *err) {
    if (v->test && strcmp(v->output, hd_run_default_values().output) == 0)
        v->output = TEST_OUTPUT;
    if (!v->test || (!v->resume && !v->cluster.servers))
        return true;
    hd_err_set(err, "option '--test' cannot be combined with '%s'",
               v->resume ? "--resume" : "--cluster");
    return hd_err_hint(err, "it is one execution, on this machine");
}

static int start_run(const hd_run_values *v, const hd_arguments *a, char *command) {
    hd_compile_result module = {0};
    hd_kept_options kept = {0};
    hd_run_options unused;
    hd_partition parts = {0};
    hd_record *record = NULL;
    hd_err err;
    hd_search_keep(&kept, v, a);
    /* Options are checked before anything old is replaced. */
    if (hd_search_options(v, &kept, &unused, &err) && find_module(v, a, &kept, &module, &err) &&
        may_replace(v, &module, &err) && divide(v, &kept, &module, &parts, &err))
        record = create_record(v, &kept, command, &module, &err);
    if (record && !v->quiet)
        hd_program_note_refused(&module, v->external);
    int status = record ? explore(record, v, &kept, &(exploration){explore_here, NULL, &parts})
                        : hd_cli_fail(&err);
    if (record)
        hd_record_close(record);
    hd_partition_release(&parts);
    hd_kept_release(&kept);
    return status;
}

/* The record's search with this command line's limits and ways of reporting. */
static void take_limits(hd_run_values *recorded, const hd_run_values *asked) {
    recorded->output = asked->output;
    recorded->max_time = asked->max_time;
    recorded->max_executions = asked->max_executions;
    recorded->max_memory = asked->max_memory;
    recorded->jobs = asked->jobs;
    recorded->unit_time = asked->unit_time;
    recorded->no_sharing = asked->no_sharing;
    recorded->goal = asked->goal;
    recorded->stop_at_first = asked->stop_at_first;
    recorded->queries = asked->queries;
    recorded->json = asked->json;
    recorded->quiet = asked->quiet;
    recorded->verbose = asked->verbose;
}

/* ---- on a cluster ---- */

/* A run that is divided already has its parts at the server. */
static bool divide_on_cluster(hd_run_place *place, const hd_run_values *v, hd_kept_options *kept,
                              const hd_compile_result *module, hd_partition *parts, hd_err *err) {
    bool has_begun = false;
    return !v->partition || (hd_run_place_has_begun(place, &has_begun, err) &&
                             (has_begun || divide(v, kept, module, parts, err)));
}

/* The record of a run that is at a server, from its program here or from what is there. */
static hd_record *find_on_cluster(hd_run_place *place, hd_run_values *v, hd_arguments *a,
                                  hd_kept_options *kept, char *command, hd_partition *parts,
                                  hd_err *err) {
    hd_compile_result module = {0};
    hd_run_options unused;
    hd_run_values recorded;
    if (!a->files.n && !v->net) {
        if (!hd_run_place_take(place, kept, &recorded, &module, err) ||
            !hd_search_check(a, v, &recorded, err))
            return NULL;
        take_limits(&recorded, v);
        *v = recorded;
    } else {
        hd_search_keep(kept, v, a);
        if (!hd_search_options(v, kept, &unused, err) || !find_module(v, a, kept, &module, err) ||
            !may_replace(v, &module, err) ||
            !hd_run_place_found(place, v, kept, command, &module, err))
            return NULL;
    }
    if (!divide_on_cluster(place, v, kept, &module, parts, err))
        return NULL;
    return create_record(v, kept, command, &module, err);
}

static int run_on_cluster(hd_run_values *v, hd_arguments *a, char *command) {
    hd_run_place place = {0};
    hd_kept_options kept = {0};
    hd_partition parts = {0};
    hd_record *record = NULL;
    hd_err err;
    if (hd_run_place_open(&place, v, &err))
        record = find_on_cluster(&place, v, a, &kept, command, &parts, &err);
    exploration how = {hd_run_place_explore, &place, &parts};
    int status = record ? explore(record, v, &kept, &how) : hd_cli_fail(&err);
    if (record)
        hd_record_close(record);
    hd_run_place_close(&place);
    hd_partition_release(&parts);
    hd_kept_release(&kept);
    return status;
}

/* The run directory that --resume means: its own value, a directory among the files, -o. */
static const char *directory_to_resume(const hd_run_values *v, hd_arguments *a) {
    if (v->resume[0])
        return v->resume;
    if (a->files.n == 1 && !hd_program_is_source(a->files.at[0]) &&
        !hd_program_is_module(a->files.at[0]) && !hd_recorded_units_are_in(a->files.at[0]))
        return a->files.at[--a->files.n];
    return v->output;
}

/* Sources or a scenario on the command line of a resumed run must still be what was recorded. */
static bool is_same_program(const hd_run_values *v, const hd_arguments *a, hd_record *record,
                            const hd_kept_options *recorded, hd_err *err) {
    hd_compile_result module = {0};
    hd_kept_options now = {0};
    if (a->files.n == 0 && !v->net)
        return true;
    if (!find_module(v, a, &now, &module, err)) {
        hd_kept_release(&now);
        return false;
    }
    bool is_same = module.hash == hd_record_info(record)->module_hash &&
                   hd_kept_is_same_network(&now, recorded);
    hd_kept_release(&now);
    if (is_same)
        return true;
    hd_err_set(err, "cannot resume '%s': the %s was changed since it was recorded", v->output,
               v->net ? "scenario" : "program");
    return hd_err_hint(err,
                       "leave out %s to go on with what was recorded, or leave out "
                       "'--resume' to start again",
                       v->net ? "'--net'" : "the files");
}

/* A suite that was made of runs has their tests, and no search to go on with: it would begin anew,
 * and count twice. */
static bool has_search(hd_record *record, const char *directory, hd_err *err) {
    hd_batch state;
    if (!hd_record_state(record, &state, err))
        return false;
    bool is_suite = state.stop_reason && strcmp(state.stop_reason, HD_STOP_REDUCED) == 0;
    hd_batch_release(&state);
    if (!is_suite)
        return true;
    hd_err_set(err, "cannot resume '%s': it is a suite that 'heddle reduce' made, without a search",
               directory);
    return hd_err_hint(err, "resume the run that it was made of");
}

/* Whoever says it again means it. */
static bool may_open(const hd_run_values *asked, const hd_run_values *recorded, hd_record *record,
                     const hd_kept_options *kept, hd_err *err) {
    if (asked->allow)
        hd_opened_note(record, kept, asked->allow);
    if (asked->allow || hd_opened_before(record, kept, recorded->allow))
        return true;
    hd_err_set(err, "the run has '--allow %s' of somebody else, or of another machine",
               recorded->allow);
    return hd_err_hint(err, "say the same '--allow' if its program is to be trusted with that");
}

static int resume_run(hd_run_values *v, hd_arguments *a) {
    hd_kept_options kept = {0};
    hd_run_values recorded;
    hd_err err;
    v->output = directory_to_resume(v, a);
    hd_record *record = hd_record_open(v->output, true, &err);
    int status = HD_EXIT_ERROR;
    if (record && has_search(record, v->output, &err) &&
        hd_search_parse(hd_record_info(record)->options, &kept, &recorded, &err) &&
        hd_search_check(a, v, &recorded, &err) && may_open(v, &recorded, record, &kept, &err) &&
        (v->mcdc = recorded.mcdc, true) && is_same_program(v, a, record, &kept, &err)) {
        take_limits(&recorded, v);
        hd_standard_input_load(v->output);
        status = explore(record, &recorded, &kept, &(exploration){explore_here, NULL, NULL});
    } else {
        status = hd_cli_fail(&err);
    }
    if (record)
        hd_record_close(record);
    hd_kept_release(&kept);
    return status;
}

/* The file of --dump-queries, empty: workers append to it. */
static bool begin_queries(const hd_run_values *v, hd_err *err) {
    if (!v->queries)
        return true;
    if (v->cluster.servers) {
        hd_err_set(err, "'--dump-queries' writes a file of this machine, and not with '--cluster'");
        return hd_err_hint(err, "explore on one machine to look at queries");
    }
    FILE *file = fopen(v->queries, "w");
    bool ok =
        file && fputs("; queries of 'heddle run', each with the answer of its layer\n", file) >= 0;
    if ((!file || fclose(file) == 0) && ok)
        return true;
    hd_err_set(err, "cannot write queries to '%s': %s", v->queries, strerror(errno));
    return hd_err_hint(err, "name a file in a directory that can be written");
}

static int run(int argc, char **argv) {
    hd_run_values values = hd_run_default_values();
    hd_arguments arguments = {0};
    hd_err err;
    int status = HD_EXIT_ERROR;
    bool is_read = hd_options_parse(&hd_run_option_table, argc, argv, &values, &arguments, &err);
    hd_time_allow(is_read ? values.max_time : 0);
    if (!is_read || !hd_run_place_check(&values, &err) || !check_test(&values, &err) ||
        !hd_stop_goal_check(&values, &err) || !begin_queries(&values, &err)) {
        status = hd_cli_fail(&err);
    } else if (values.resume) {
        status = resume_run(&values, &arguments);
    } else {
        char *command = command_line(argc, argv);
        status = values.test              ? run_test(&values, &arguments, command)
                 : values.cluster.servers ? run_on_cluster(&values, &arguments, command)
                                          : start_run(&values, &arguments, command);
        free(command);
    }
    hd_arguments_release(&arguments);
    return status;
}

const hd_command hd_command_run = {
    "run",
    "explore every path of a program",
    "run [OPTIONS] FILE.c... [-- PROGRAM ARGUMENTS]\n"
    "       heddle run [OPTIONS] --net FILE.yaml",
    "Compiles the files with clang, runs the program again and again with inputs chosen so\n"
    "that each run takes another path, and reports what goes wrong on any of them.  Results go\n"
    "to the output directory.  A module made by 'heddle build' may stand in place of the files.\n"
    "With --net the programs and their nodes come from a scenario ('heddle help scenarios').\n"
    "Options -I -D -U -O -std= -W -f -m -g -include -isystem are passed on to clang.\n"
    "\n"
    "With --resume the program and the options that change the search come from the record;\n"
    "limits and ways of reporting come from the new command line.",
    &hd_run_option_table,
    run,
};
