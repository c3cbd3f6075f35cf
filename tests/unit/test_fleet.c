/* Supervisor and worker with an engine made of cardboard (tool/cardboard_engine.h).  Whatever is
 * killed, and when: each path is recorded exactly once. */
#include "base/clock.h"
#include "fleet/leftovers.h"
#include "tool/cardboard_engine.h"

#include <dirent.h>
#include <sys/stat.h>

static char top[200], out[216];

static int make_top(void **state) {
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/heddle-fleet-XXXXXX", temporary ? temporary : "/tmp");
    if (!mkdtemp(top))
        return -1;
    snprintf(out, sizeof out, "%s/out", top);
    memset(&program, 0, sizeof program);
    atomic_store(n_executed, 0);
    program.bits = 10;
    return 0;
}

static int drop_top(void **state) {
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    return system(command);
}

static hd_record *new_run(void) {
    hd_err err;
    hd_run_info info = {.command = "test", .options = "{}"};
    hd_record *r = hd_record_create(out, &info, &err);
    if (!r)
        fail_msg("%s", err.message);
    return r;
}

static hd_run_options keep_all = {.keep = HD_KEEP_ALL};

static void run_well(hd_record *r, const hd_run_options *options, const hd_watcher *watcher,
                     const char *expected) {
    char why[128];
    hd_err err;
    if (!hd_fleet_run(r, options, watcher, why, &err))
        fail_msg("%s", err.message);
    assert_string_equal(why, expected);
}

static bool mark_path(void *context, const hd_test *test) {
    uint8_t *seen = context;
    assert_true(test->path_hash < n_paths());
    assert_int_equal(test->n_inputs, program.bits);
    uint64_t path = 0;
    for (unsigned i = 0; i < program.bits; i++)
        path |= test->inputs[i].value << i;
    assert_int_equal(path, test->path_hash);
    seen[test->path_hash]++;
    return true;
}

/* Every path is there once, and the counters say so. */
static void assert_all_paths(hd_record *r) {
    hd_err err;
    hd_batch s;
    uint8_t *seen = calloc(n_paths(), 1);
    assert_true(hd_record_tests(r, mark_path, seen, &err));
    for (uint64_t i = 0; i < n_paths(); i++)
        assert_int_equal(seen[i], 1);
    free(seen);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.counters.explore.executions, n_paths());
    assert_int_equal(s.n_labels, 1);
    assert_int_equal(s.labels[0].count, n_paths() / 2);
    assert_int_equal(s.counters.branches_covered, 2);
    hd_batch_release(&s);
}

static void all_paths_once(void **state) {
    (void)state;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE); /* nothing left, nothing added */
    assert_all_paths(r);
    hd_record_close(r);
}

static void only_tests_that_add_something_are_kept(void **state) {
    (void)state;
    hd_run_options options = {.keep = HD_KEEP_NEW};
    hd_err err;
    hd_test t;
    program.assertion = 8;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_true(hd_record_test(r, 3, &t, &err));
    assert_int_equal(t.reason, HD_TEST_FINDING);
    assert_int_equal(t.path_hash, 7);
    hd_test_release(&t);
    assert_false(hd_record_test(r, 4, &t, &err));
    hd_record_close(r);
}

static void limits_add_up_over_sittings(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    options.max_executions = 400;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_EXECUTIONS);
    run_well(r, &options, NULL, HD_STOP_EXECUTIONS);
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    hd_record_close(r);
}

static void time_is_a_limit(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    options.max_seconds = 0.1;
    program.microseconds = 1000;
    hd_record *r = new_run();
    double began = hd_clock_now();
    run_well(r, &options, NULL, HD_STOP_TIME);
    assert_true(hd_clock_now() - began < 60); /* and not for ever; the machine may be busy */
    program.microseconds = 0;
    options.max_seconds = 0;
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    hd_record_close(r);
}

typedef struct listener {
    unsigned found;
    uint64_t last_test;
    char last_file[32];
} listener;

static void hear_found(void *context, const hd_found *f) {
    listener *l = context;
    l->found++;
    l->last_test = f->test;
    snprintf(l->last_file, sizeof l->last_file, "%s", f->file);
}

static void the_first_finding_stops(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    listener l = {0};
    hd_watcher watcher = {.context = &l, .found = hear_found};
    options.stop_at_first = true;
    program.assertion = 101;
    hd_record *r = new_run();
    run_well(r, &options, &watcher, HD_STOP_FINDING);
    assert_int_equal(l.found, 1);
    assert_int_equal(l.last_test, 101);
    assert_string_equal(l.last_file, "card.c");
    run_well(r, &options, &watcher, HD_STOP_COMPLETE);
    assert_int_equal(l.found, 1);
    hd_record_close(r);
}

static void the_step_limit_is_not_complete(void **state) {
    (void)state;
    program.endless = 5;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_EXHAUSTED);
    assert_all_paths(r);
    hd_record_close(r);
}

static void lethal_executions_become_findings(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.lethal[0] = 1;
    program.lethal[1] = 300;
    program.lethal[2] = 301;
    program.lethal[3] = 1024;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_EXHAUSTED); /* they may have had more to show */
    assert_all_paths(r);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(s.findings[i].kind, HD_FINDING_LOST_WORKER);
        assert_int_equal(s.findings[i].count, 1);
        assert_int_equal(s.findings[i].test, program.lethal[i]);
    }
    hd_batch_release(&s);
    hd_record_close(r);
}

static bool count_aside(void *context, const hd_unit_cost *u) {
    *(unsigned *)context += u->state == HD_UNIT_ASIDE;
    return true;
}

/* All paths but those that take down every worker; these are findings, and nothing is complete. */
static void assert_set_aside(hd_record *r, unsigned n) {
    hd_err err;
    hd_batch s;
    unsigned n_aside = 0;
    uint8_t *seen = calloc(n_paths(), 1);
    assert_true(hd_record_tests(r, mark_path, seen, &err));
    for (uint64_t i = 0; i < n_paths(); i++)
        assert_int_equal(seen[i], !is_deadly(i));
    free(seen);
    assert_true(hd_record_units(r, count_aside, &n_aside, &err));
    assert_int_equal(n_aside, n);
    assert_true(hd_record_state(r, &s, &err));
    assert_false(s.is_complete);
    assert_int_equal(s.counters.explore.open, n);
    assert_int_equal(s.n_findings, n);
    for (unsigned i = 0; i < n; i++) {
        assert_int_equal(s.findings[i].kind, HD_FINDING_LOST_WORKER);
        assert_string_equal(s.findings[i].file, "card.c");
        assert_int_equal(s.findings[i].line, 7);
        assert_int_equal(s.findings[i].test, 0);
        assert_non_null(strstr(s.findings[i].story, "bit = 1"));
    }
    hd_batch_release(&s);
}

static void what_takes_down_every_worker_is_set_aside(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.deadly[0] = 301;
    program.deadly[1] = 302;
    program.deadly[2] = 1024;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_ASIDE);
    assert_set_aside(r, 3);
    run_well(r, &keep_all, NULL, HD_STOP_ASIDE); /* it is tried again, in vain */
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 3);
    assert_int_equal(s.findings[0].count, 2);
    hd_batch_release(&s);
    memset(program.deadly, 0, sizeof program.deadly); /* the reason is gone */
    run_well(r, &keep_all, NULL, HD_STOP_EXHAUSTED);  /* as with other lost workers */
    assert_all_paths(r);
    hd_record_close(r);
}

static void three_workers_set_aside(void **state) {
    (void)state;
    program.microseconds = 1000;
    program.deadly[0] = 2;
    program.deadly[1] = 700;
    keep_all.n_workers = 3;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_ASIDE);
    assert_set_aside(r, 2);
    hd_record_close(r);
    keep_all.n_workers = 1;
}

/* Nothing could ever be run: that is no finding of the program. */
static void a_first_execution_that_is_deadly_is_an_error(void **state) {
    (void)state;
    char why[128];
    hd_err err = {.message = ""};
    program.deadly[0] = 1;
    program.bits = 0; /* there is nothing else to try */
    hd_record *r = new_run();
    assert_false(hd_fleet_run(r, &keep_all, NULL, why, &err));
    assert_non_null(strstr(err.message, "died 11 times"));
    hd_record_close(r);
}

static void a_worker_that_cannot_start_says_why(void **state) {
    (void)state;
    char why[128];
    hd_err err = {.message = ""};
    program.refuses = true;
    hd_record *r = new_run();
    assert_false(hd_fleet_run(r, &keep_all, NULL, why, &err));
    assert_non_null(strstr(err.message, "cannot load module"));
    assert_string_equal(err.hint, "build it again");
    hd_record_close(r);
}

static const hd_found *find_kind(const hd_batch *s, hd_finding_kind kind) {
    for (uint32_t i = 0; i < s->n_findings; i++)
        if (s->findings[i].kind == kind)
            return &s->findings[i];
    return NULL;
}

static void assert_told(const hd_batch *s) {
    const hd_found *f = find_kind(s, HD_FINDING_ASSERTION);
    const hd_found *race = find_kind(s, HD_FINDING_DATA_RACE);
    assert_non_null(f);
    assert_string_equal(f->story, "thread 1          reads 'counter' at card.c:7\n"
                                  "thread 0 (main)   reads 'counter' at card.c:7, "
                                  "writes 'counter' at card.c:7\n"
                                  "thread 1          writes 'counter' at card.c:7\n"
                                  "then              as planned at card.c:7\n");
    assert_non_null(race);
    assert_non_null(strstr(race->message, "writes 'counter' (card.c:7) while thread"));
    assert_non_null(strstr(race->message, "holds no lock; thread"));
    assert_non_null(strstr(race->message, "holds 'm'"));
    assert_string_equal(race->stack, "thread 0\nmain at card.c:7\nthread 1\nmain at card.c:8\n");
    assert_int_equal(race->leads_to, f->number);
}

/* Which of the two reads or writes first decides about the assertion, so the race is harmful. */
static void threads_are_told(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    hd_test t;
    program.bits = 4;
    program.is_threaded = true;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 2);
    assert_told(&s);
    assert_int_equal(s.counters.threads, 2);
    assert_string_equal(s.threads, "0:0");
    assert_string_equal(s.warnings, "locks 'a' and 'b'\n");
    assert_true(hd_record_test(r, find_kind(&s, HD_FINDING_ASSERTION)->test, &t, &err));
    assert_string_equal(t.schedule, "1 0*2 1");
    hd_replay again = {0};
    assert_true(hd_fleet_replay(r, &t, &keep_all, &again, &err));
    assert_int_equal(again.outcome.finding.kind, HD_FINDING_ASSERTION);
    assert_true(again.outcome.trace_hash == t.trace_hash);
    assert_false(again.strayed);
    assert_string_equal(hd_text_string(&again.story), find_kind(&s, HD_FINDING_ASSERTION)->story);
    hd_replay_release(&again);
    hd_test_release(&t);
    hd_batch_release(&s);
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE); /* the names go to the next worker */
    hd_record_close(r);
}

static void races_can_be_ignored(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    hd_run_options options = keep_all;
    options.ignore_races = true;
    program.bits = 4;
    program.is_threaded = true;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 1);
    hd_batch_release(&s);
    hd_record_close(r);
}

static void samples_are_never_complete(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    options.explore.sampling = HD_SAMPLING_RANDOM;
    program.bits = 4;
    program.is_threaded = true;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_EXHAUSTED);
    hd_record_close(r);
}

/* The last worker that was started: workers are the only children of this process. */
static pid_t find_worker(void) {
    char path[64];
    int pid = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    while (fscanf(f, "%d", &pid) == 1)
        ;
    fclose(f);
    return pid;
}

static unsigned n_kills;
static void kill_worker(void *context, const hd_run_counters *c, uint64_t findings, double t) {
    (void)context, (void)c, (void)findings, (void)t;
    pid_t worker = find_worker();
    if (worker > 0 && n_kills < 8) {
        usleep((useconds_t)rand() % 30000);
        n_kills += kill(worker, SIGKILL) == 0;
    }
}

static void workers_may_be_killed(void **state) {
    (void)state;
    hd_watcher watcher = {.progress = kill_worker};
    hd_err err;
    hd_batch s;
    program.microseconds = 500;
    srand(3);
    n_kills = 0;
    hd_record *r = new_run();
    run_well(r, &keep_all, &watcher, HD_STOP_COMPLETE);
    assert_true(n_kills >= 3);
    assert_all_paths(r);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 0); /* killed from outside: nothing is claimed */
    hd_batch_release(&s);
    hd_record_close(r);
}

/* The same with several workers, each execution long enough for others to come. */
static void with_three(void (*test)(void **)) {
    keep_all.n_workers = 3;
    test(NULL);
    keep_all.n_workers = 1;
}

typedef struct cost_sums {
    uint64_t n, executions, repeated, hand_outs;
    double seconds, lost, given_at; /* given_at: of unit 1, the latest */
    bool are_done, have_parents;
} cost_sums;

static bool add_cost(void *context, const hd_unit_cost *u) {
    cost_sums *s = context;
    assert_int_equal(u->number, ++s->n);
    s->executions += u->executions;
    s->repeated += u->repeated;
    s->hand_outs += u->hand_outs;
    s->seconds += u->seconds;
    s->lost += u->lost;
    s->are_done &= u->state == HD_UNIT_DONE;
    s->have_parents &= (u->number == 1) == (u->parent == 0);
    if (u->parent == 1 && u->given_at > s->given_at)
        s->given_at = u->given_at;
    return true;
}

/* The costs of all units are those of the run. */
static cost_sums assert_costs_add_up(hd_record *r) {
    hd_err err;
    hd_batch s;
    cost_sums sums = {.are_done = true, .have_parents = true};
    assert_true(hd_record_units(r, add_cost, &sums, &err));
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(sums.n, s.counters.units);
    assert_int_equal(sums.executions, s.counters.explore.executions);
    assert_int_equal(sums.repeated, s.counters.repeated);
    assert_true(sums.seconds > 0.999 * s.counters.work_seconds &&
                sums.seconds < 1.001 * s.counters.work_seconds + 1e-9);
    assert_true(s.counters.work_seconds <= s.counters.cpu_seconds);
    assert_true(sums.have_parents);
    hd_batch_release(&s);
    return sums;
}

/* What whoever watches is told about workers. */
typedef struct watched {
    uint32_t n;
    uint64_t executions, units;
} watched;

static void hear_workers(void *context, const hd_worker_progress *workers, uint32_t n) {
    watched *w = context;
    uint64_t executions = 0;
    w->n = n;
    for (uint32_t i = 0; i < n; i++) {
        executions += workers[i].executions;
        w->units += workers[i].unit > 0;
    }
    assert_true(executions >= w->executions && executions <= n_paths());
    w->executions = executions;
}

static void workers_are_watched(void **state) {
    (void)state;
    watched w = {0};
    hd_watcher watcher = {.context = &w, .workers = hear_workers};
    program.microseconds = 1000;
    keep_all.n_workers = 3;
    hd_record *r = new_run();
    run_well(r, &keep_all, &watcher, HD_STOP_COMPLETE);
    assert_int_equal(w.n, 3);
    assert_true(w.executions > 0 && w.units > 0);
    hd_record_close(r);
    keep_all.n_workers = 1;
}

/* Also if nobody is idle. */
static void long_units_are_split(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    options.unit_seconds = 1e-6; /* after each execution */
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    cost_sums sums = assert_costs_add_up(r);
    assert_true(sums.n >= 32 && sums.are_done);
    hd_record_close(r);
}

static void three_workers_share_all_paths(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.microseconds = 1000; /* a second in all: longer than the first works alone */
    with_three(all_paths_once);
    hd_record *r = hd_record_open(out, false, &err);
    assert_non_null(r);
    assert_true(hd_record_state(r, &s, &err));
    assert_true(s.counters.units > 1); /* else nothing was shared */
    hd_batch_release(&s);
    hd_record_close(r);
}

static void three_workers_keep_limits(void **state) {
    (void)state;
    program.microseconds = 1000;
    with_three(limits_add_up_over_sittings);
}

/* What observers on all workers saw is added up, over deaths and sittings: each execution once. */
static void assert_observed(hd_record *r, uint64_t n_findings) {
    hd_err err;
    hd_batch s;
    hd_ends ends;
    hd_firsts firsts = {0};
    size_t n;
    assert_true(hd_record_state(r, &s, &err));
    const void *bytes = hd_observed_find(s.observed, s.n_observed, "ends", &n);
    assert_true(bytes && hd_ends_unpack(bytes, n, &ends));
    assert_int_equal(ends.exits[0], n_paths() - n_findings);
    assert_int_equal(ends.findings, n_findings);
    assert_int_equal(ends.rejected, 0);
    bytes = hd_observed_find(s.observed, s.n_observed, "firsts", &n);
    assert_true(bytes && hd_firsts_unpack(bytes, n, &firsts));
    assert_int_equal(firsts.n, 2 + n_findings); /* both ways of the branch */
    assert_true(firsts.at[0].kind == HD_FIRST_WAY && firsts.at[0].what == 0);
    assert_true(firsts.at[1].kind == HD_FIRST_WAY && firsts.at[1].what == 1);
    assert_true(firsts.at[0].seconds <= firsts.at[1].seconds);
    hd_vec_release(&firsts);
    hd_batch_release(&s);
}

static void observers_see_each_execution_once(void **state) {
    (void)state;
    hd_watcher watcher = {.progress = kill_worker};
    hd_run_options options = keep_all;
    options.max_executions = 900;
    options.n_workers = 3;
    program.microseconds = 500;
    program.assertion = 8;
    srand(4);
    n_kills = 0;
    hd_record *r = new_run();
    run_well(r, &options, &watcher, HD_STOP_EXECUTIONS);
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    assert_observed(r, 1);
    hd_record_close(r);
}

static void costs_are_recorded(void **state) {
    (void)state;
    hd_run_options options = keep_all;
    program.microseconds = 1000;
    options.n_workers = 3;
    hd_record *r = new_run();
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    cost_sums sums = assert_costs_add_up(r);
    assert_true(sums.n > 1 && sums.are_done && sums.given_at > 0);
    assert_true(sums.hand_outs >= sums.n); /* more, if one was given back before it was begun */
    assert_int_equal(sums.repeated, 0); /* parts of the cardboard search have nothing to rebuild */
    hd_record_close(r);
}

/* Over deaths and sittings; who takes over has to rebuild. */
static void costs_of_the_dead_are_merged(void **state) {
    (void)state;
    hd_watcher watcher = {.progress = kill_worker};
    hd_run_options options = keep_all;
    options.max_executions = 900;
    program.microseconds = 500;
    srand(3);
    n_kills = 0;
    hd_record *r = new_run();
    run_well(r, &options, &watcher, HD_STOP_EXECUTIONS);
    assert_false(assert_costs_add_up(r).are_done);
    run_well(r, &options, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    cost_sums sums = assert_costs_add_up(r);
    assert_true(sums.are_done && n_kills >= 2);
    assert_int_equal(sums.n, 1);
    assert_in_range(sums.hand_outs, 3, n_kills + 2); /* who is killed may not have had it yet */
    assert_true(sums.repeated >= 1 && sums.repeated <= n_kills + 1);
    hd_record_close(r);
}

static void three_workers_may_die(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.microseconds = 1000;
    program.lethal[0] = 1;
    program.lethal[1] = 500;
    program.lethal[2] = 1024;
    keep_all.n_workers = 3;
    hd_record *r = new_run();
    run_well(r, &keep_all, NULL, HD_STOP_EXHAUSTED);
    assert_all_paths(r);
    assert_true(hd_record_state(r, &s, &err));
    assert_int_equal(s.n_findings, 3);
    hd_batch_release(&s);
    hd_record_close(r);
    keep_all.n_workers = 1;
}

static pid_t start_supervisor(void) {
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    char why[128];
    hd_err err;
    hd_record *r = hd_record_open(out, true, &err);
    bool ok = r && hd_fleet_run(r, &keep_all, NULL, why, &err);
    hd_record_close(r);
    _exit(ok ? 0 : 2);
}

static void supervisors_may_be_killed(void **state) {
    (void)state;
    hd_err err;
    int status = 1;
    program.microseconds = 400;
    hd_record_close(new_run());
    srand(5);
    for (int i = 0; i < 8; i++) {
        pid_t pid = start_supervisor();
        usleep(20000 + (useconds_t)rand() % 300000);
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
    }
    program.microseconds = 0;
    hd_record *r = hd_record_open(out, true, &err);
    if (!r)
        fail_msg("%s", err.message);
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    hd_record_close(r);
}

static void three_workers_may_be_killed(void **state) {
    (void)state;
    with_three(workers_may_be_killed);
}

static void supervisors_of_three_may_be_killed(void **state) {
    (void)state;
    with_three(supervisors_may_be_killed);
}

static void an_interrupt_loses_nothing(void **state) {
    (void)state;
    hd_err err;
    hd_batch s;
    program.microseconds = 1000;
    hd_record_close(new_run());
    pid_t pid = start_supervisor();
    while (atomic_load(n_executed) < 20)
        usleep(1000);
    kill(pid, SIGINT);
    int status = 1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    hd_record *r = hd_record_open(out, true, &err);
    assert_true(hd_record_state(r, &s, &err));
    assert_string_equal(s.stop_reason, HD_STOP_INTERRUPTED);
    assert_true(s.counters.explore.executions > 5);
    hd_batch_release(&s);
    program.microseconds = 0;
    run_well(r, &keep_all, NULL, HD_STOP_COMPLETE);
    assert_all_paths(r);
    hd_record_close(r);
}

/* A process that sleeps, and has one that sleeps; both have the pipe open until they are ended. */
static pid_t start_parent(int ends[2]) {
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (fork() == 0 && write(ends[1], "x", 1) == 1)
            sleep(60);
        sleep(60);
        _exit(1);
    }
    char x;
    close(ends[1]);
    assert_int_equal(read(ends[0], &x, 1), 1);
    return pid;
}

/* Waited for or not: nothing that came of the worker runs on. */
static void what_a_worker_has_started_ends_with_it(void **state) {
    (void)state;
    for (int hurries = 0; hurries < 2; hurries++) {
        int ends[2];
        char x;
        hd_leftovers all;
        hd_leftovers_begin(&all);
        all.hurry = hurries ? hd_clock_now() - 1 : 0;
        pid_t worker = start_parent(ends);
        hd_leftovers_end_all_of(&all, worker);
        assert_int_equal(read(ends[0], &x, 1), 0);
        assert_true(hurries || waitpid(worker, NULL, WNOHANG) < 0);
        assert_int_equal(hd_leftovers_sweep(&all, &(hd_pids){0}), 0);
        while (hurries && waitpid(-1, NULL, 0) > 0)
            ;
        hd_leftovers_end(&all);
        close(ends[0]);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_top, drop_top)
int main(void) {
    n_executed =
        mmap(NULL, sizeof *n_executed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const struct CMUnitTest tests[] = {
        TEST(all_paths_once),
        TEST(only_tests_that_add_something_are_kept),
        TEST(limits_add_up_over_sittings),
        TEST(time_is_a_limit),
        TEST(the_first_finding_stops),
        TEST(the_step_limit_is_not_complete),
        TEST(lethal_executions_become_findings),
        TEST(what_takes_down_every_worker_is_set_aside),
        TEST(a_first_execution_that_is_deadly_is_an_error),
        TEST(a_worker_that_cannot_start_says_why),
        TEST(threads_are_told),
        TEST(races_can_be_ignored),
        TEST(samples_are_never_complete),
        TEST(workers_may_be_killed),
        TEST(supervisors_may_be_killed),
        TEST(three_workers_share_all_paths),
        TEST(workers_are_watched),
        TEST(long_units_are_split),
        TEST(observers_see_each_execution_once),
        TEST(costs_are_recorded),
        TEST(costs_of_the_dead_are_merged),
        TEST(three_workers_keep_limits),
        TEST(three_workers_may_die),
        TEST(three_workers_set_aside),
        TEST(three_workers_may_be_killed),
        TEST(supervisors_of_three_may_be_killed),
        TEST(an_interrupt_loses_nothing),
        cmocka_unit_test(what_a_worker_has_started_ends_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
