/* heddle replay -- recorded tests again, exactly, with the program's output shown.
 *
 * One test runs in this process.  Of several each has a process of its own, because one that has
 * run a test is confined; the record is looked over once, for all of them. */
#include "cli/replay.h"
#include "base/panic.h"
#include "cli/cli.h"
#include "cli/gdb.h"
#include "cli/run_options.h"
#include "machine/libc/standard_input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define HIGH       902
#define LAST_STEPS 20 /* that --until shows */

typedef struct replay_values {
    bool gdb, json, trace;
    uint64_t until;
} replay_values;

static const hd_option options[] = {
    {"gdb", 'g', HD_OPTION_FLAG, offsetof(replay_values, gdb), NULL,
     "under gdb, stopped where the finding is", NULL, false},
    {"trace", 0, HD_OPTION_FLAG, offsetof(replay_values, trace), NULL,
     "print every event and decision with its place in the source", NULL, false},
    {"until", 0, HD_OPTION_COUNT, offsetof(replay_values, until), "EVENT",
     "stop after this event, by its number in --trace", NULL, false},
    {"json", 0, HD_OPTION_FLAG, offsetof(replay_values, json), NULL,
     "print one JSON object; the program's output goes to standard error", NULL, false},
};
static const hd_option_table table = {options, sizeof options / sizeof *options, false, false};

typedef struct replay {
    const char *directory;
    hd_vec(uint64_t) numbers; /* of all that are asked for, in their order */
    bool is_all;              /* whatever the record has */
    uint64_t number;          /* the one that is run */
    replay_values values;
    hd_record *record;
    hd_kept_options kept;
    hd_test test;
    hd_replay result;
    const hd_exported_test *expected; /* of another build, perhaps: how it ended counts */
} replay;

/* Threads under gdb, and an event to stop after, are those of one test. */
static bool check_options(const replay *r, hd_err *err) {
    if (r->values.json && (r->values.trace || r->values.until)) {
        hd_err_set(err, "option '--json' cannot be combined with '%s'",
                   r->values.trace ? "--trace" : "--until");
        return hd_err_hint(err, "leave one of them out");
    }
    if ((r->numbers.n > 1 || r->is_all) && (r->values.gdb || r->values.until)) {
        hd_err_set(err, "option '%s' is for one test", r->values.gdb ? "--gdb" : "--until");
        return hd_err_hint(err, "name one: 'heddle replay %s 1'", r->directory);
    }
    return true;
}

static bool take_numbers(replay *r, const hd_arguments *a, hd_err *err) {
    r->is_all = a->files.n == 2 && strcmp(a->files.at[1], "all") == 0;
    for (size_t i = 1; i < a->files.n && !r->is_all; i++) {
        uint64_t number;
        if (!hd_parse_number(a->files.at[i], "test number", &number, err))
            return false;
        hd_vec_push(&r->numbers, number);
    }
    return true;
}

static bool take_words(replay *r, const hd_arguments *a, hd_err *err) {
    if (a->files.n < 2) {
        hd_err_set(err, "%s", a->files.n ? "no test number given" : "no run directory given");
        return hd_err_hint(err, "write 'heddle replay DIR N', or 'heddle replay DIR all'; 'heddle "
                                "tests DIR' lists the tests");
    }
    r->directory = a->files.at[0];
    return take_numbers(r, a, err) && check_options(r, err);
}

/* With --json standard output belongs to the object alone. */
static int divert_output(const replay *r) {
    fflush(stdout);
    if (!r->values.json)
        return -1;
    int saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, HIGH); /* kept when it is confined */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    return saved;
}

static void restore_output(int saved) {
    fflush(stdout);
    if (saved < 0)
        return;
    dup2(saved, STDOUT_FILENO);
    close(saved);
}

static bool run_again(replay *r, hd_err *err) {
    hd_run_values values;
    hd_run_options options_of_run;
    if (!hd_search_read(r->record, &r->kept, &values, err) ||
        !hd_search_options(&values, &r->kept, &options_of_run, err))
        return false;
    options_of_run.machine.show_output = true;
    r->result.is_traced = r->values.trace || r->values.until;
    r->result.until = r->values.until;
    int saved = divert_output(r);
    bool was_run = hd_fleet_replay(r->record, &r->test, &options_of_run, &r->result, err);
    restore_output(saved);
    return was_run;
}

/* A data race does not end an execution: the record says that this test shows one. */
static void show_race(const replay *r) {
    for (size_t i = 0; i < r->result.recorded.n; i++) {
        hd_found found = r->result.recorded.at[i];
        if (found.kind != HD_FINDING_DATA_RACE)
            continue;
        found.file = hd_search_locate(&r->kept, found.file);
        hd_finding_show_outcome(stdout, &found, NULL);
        free(found.file);
        return;
    }
}

/* Threads go on when one of them fails. */
static void show_others(const replay *r) {
    for (uint32_t i = 0; i < r->result.n_others; i++) {
        const hd_finding *f = &r->result.others[i];
        hd_print(stdout, "also in this execution: %s", f->message);
        if (f->file[0])
            hd_print(stdout, " at %s:%u", f->file, f->line);
        putchar('\n');
    }
}

static void show_outcome(replay *r) {
    const hd_outcome *o = &r->result.outcome;
    if (r->values.trace || r->values.until)
        hd_trace_show(stdout, &r->result.trace, r->values.trace ? 0 : LAST_STEPS);
    if (o->end == HD_END_STOPPED) {
        hd_print(stdout, "test %" PRIu64 " was stopped after event %" PRIu64 "\n", r->number,
                 r->values.until);
        return;
    }
    if (hd_test_is_threaded(&r->test))
        show_race(r);
    if (o->end == HD_END_EXIT)
        hd_print(stdout, "test %" PRIu64 " ended with exit status %d\n", r->number, o->status);
    else if (o->end == HD_END_REJECTED)
        hd_print(stdout, "test %" PRIu64 " was rejected by an assumption\n", r->number);
    if (o->end != HD_END_FINDING) {
        hd_story_show(stdout, hd_text_string(&r->result.story));
        return;
    }
    hd_finding f = o->finding;
    hd_found found = {.kind = f.kind,
                      .message = f.message,
                      .file = hd_search_locate(&r->kept, f.file),
                      .function = f.function,
                      .stack = r->result.stack.at,
                      .story = r->result.story.at,
                      .line = f.line,
                      .count = 1,
                      .test = r->number};
    hd_finding_show_outcome(stdout, &found, &r->test);
    free(found.file);
    show_others(r);
}

static bool is_finding(const hd_finding *f, const hd_found *expected) {
    return f->kind == expected->kind && strcmp(f->message, expected->message) == 0;
}

static bool shows(const hd_replay *r, const hd_found *expected) {
    bool is_shown = r->outcome.end == HD_END_FINDING && is_finding(&r->outcome.finding, expected);
    for (uint32_t i = 0; i < r->n_others; i++)
        is_shown |= is_finding(&r->others[i], expected);
    return is_shown || expected->kind == HD_FINDING_DATA_RACE; /* no end of an execution */
}

/* Places may have moved; the order may not be possible any more. */
static bool ended_as_expected(const replay *r) {
    const hd_outcome *o = &r->result.outcome;
    bool is_same = !r->result.strayed && o->end == r->expected->test.end &&
                   (o->end == HD_END_FINDING || o->status == r->expected->test.status);
    for (size_t i = 0; i < r->expected->findings.n; i++)
        is_same = is_same && shows(&r->result, &r->expected->findings.at[i]);
    return is_same;
}

static bool is_same_trace(const replay *r) {
    if (r->expected)
        return ended_as_expected(r);
    return r->result.outcome.trace_hash == r->test.trace_hash && !r->result.strayed;
}

/* What was asked for is the recorded behaviour: showing it, finding or not, is success. */
static int verdict_of(const replay *r) {
    hd_err err;
    if (r->result.outcome.end == HD_END_STOPPED && !r->result.strayed)
        return HD_EXIT_CLEAN;
    if (r->expected) {
        if (!r->values.json)
            hd_print(stdout, "%s\n",
                     ended_as_expected(r) ? "as recorded"
                     : r->result.strayed  ? "NOT AS RECORDED: that order is not possible"
                                          : "NOT AS RECORDED");
        return ended_as_expected(r) ? HD_EXIT_CLEAN : HD_EXIT_FINDINGS;
    }
    if (is_same_trace(r)) {
        if (!r->values.json)
            hd_print(stdout, "the same trace as recorded (%016" PRIx64 ")\n", r->test.trace_hash);
        return HD_EXIT_CLEAN;
    }
    hd_err_set(&err,
               "test %" PRIu64 " of '%s' took another %s than recorded: the program is not "
               "deterministic, or its module was rebuilt",
               r->number, r->directory, r->result.strayed ? "order of threads" : "path");
    hd_err_hint(&err, "look for time, addresses, uninitialised memory or files that it reads; "
                      "'--isolation fork' may help");
    return hd_cli_fail(&err);
}

static int report_replay(replay *r) {
    const char *changed = hd_search_changed_source(&r->kept);
    if (changed)
        hd_print(stderr,
                 "heddle: '%s' changed since it was recorded: this is the recorded program, "
                 "and source lines may be off\n",
                 changed);
    hd_replay_result result = {&r->test, &r->result, is_same_trace(r)};
    if (r->values.json)
        hd_json_replay(stdout, &result);
    else
        show_outcome(r);
    return verdict_of(r);
}

/* ---- where gdb stops ---- */

/* Of a data race the second access, by the event before it.  In memory that a child shares: a
 * process that has replayed is confined and starts no gdb. */
typedef struct second_access {
    uint64_t event;
    uint32_t thread;
    char race[1024]; /* in words; as long as those of hd_finding */
} second_access;

static const hd_found *recorded_race(const replay *r) {
    for (size_t i = 0; i < r->result.recorded.n; i++)
        if (r->result.recorded.at[i].kind == HD_FINDING_DATA_RACE)
            return &r->result.recorded.at[i];
    return NULL;
}

/* The last access at the finding's line that nothing orders with another. */
static void find_second_access(const replay *r, second_access *found) {
    const hd_found *race = recorded_race(r);
    for (size_t i = 0; race && i < r->result.trace.steps.n; i++) {
        const hd_trace_step *s = &r->result.trace.steps.at[i];
        if (!(s->flags & HD_STEP_RACES) || s->line != race->line || s->event < 2)
            continue;
        found->event = s->event - 1;
        found->thread = s->thread;
        snprintf(found->race, sizeof found->race, "%s", race->message);
    }
}

static void look_for_race(replay *r, second_access *found) {
    hd_err err;
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    r->values.trace = true;
    if (run_again(r, &err))
        find_second_access(r, found);
    _exit(0);
}

/* What ends an execution is stopped at by itself. */
static second_access *find_race(replay *r) {
    second_access *found =
        mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED)
        hd_out_of_memory();
    fflush(NULL);
    int child = r->values.until || r->test.end == HD_END_FINDING ? -1 : fork();
    if (child == 0)
        look_for_race(r, found);
    if (child > 0)
        waitpid(child, NULL, 0);
    return found;
}

static void debug(replay *r, hd_err *err) {
    second_access *found = find_race(r);
    bool is_race = found->event > 0;
    hd_gdb_stop stop = {is_race ? found->event : r->values.until, is_race ? found->race : NULL,
                        found->thread};
    hd_gdb_replay(hd_record_info(r->record)->module_directory, r->directory, r->number, &stop, err);
    munmap(found, sizeof *found);
}

static int replay_test(replay *r) {
    hd_err err;
    if (!hd_record_test(r->record, r->number, &r->test, &err))
        return hd_cli_fail(&err);
    if (r->values.gdb) {
        debug(r, &err);
        return hd_cli_fail(&err);
    }
    return run_again(r, &err) ? report_replay(r) : hd_cli_fail(&err);
}

/* ---- several ---- */

static bool take_number(void *context, const hd_test *test) {
    replay *r = context;
    hd_vec_push(&r->numbers, test->number);
    return true;
}

/* A process that ran a tested program can end in any way. */
static int status_of(int ended, uint64_t number) {
    if (WIFEXITED(ended))
        return WEXITSTATUS(ended);
    hd_err err;
    hd_err_set(&err, "test %" PRIu64 " took its process down: %s", number,
               strsignal(WTERMSIG(ended)));
    hd_err_hint(&err, "look at it alone: 'heddle replay DIR %" PRIu64 " --gdb'", number);
    return hd_cli_fail(&err);
}

/* Test r->number in a child, which asks the record anew. */
static int replay_apart(replay *r) {
    hd_record_rest(r->record); /* a child must not have it */
    fflush(NULL);
    int ended = 0;
    pid_t child = fork();
    if (child == 0) {
        int status = replay_test(r);
        fflush(NULL);
        _exit(status);
    }
    if (child < 0) {
        hd_err err;
        hd_err_set(&err, "cannot start a process for test %" PRIu64 ": %s", r->number,
                   strerror(errno));
        hd_err_hint(&err, "replay fewer at a time, or end other processes");
        return hd_cli_fail(&err);
    }
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    return status_of(ended, r->number);
}

static int replay_several(replay *r) {
    size_t n_good = 0;
    int worst = HD_EXIT_CLEAN;
    for (size_t i = 0; i < r->numbers.n; i++) {
        r->number = r->numbers.at[i];
        int status = replay_apart(r);
        n_good += status == HD_EXIT_CLEAN;
        worst = status > worst ? status : worst;
    }
    if (!r->values.json)
        hd_print(stdout, "%zu of %zu tests went as recorded\n", n_good, r->numbers.n);
    return worst;
}

/* What r->numbers, or r->is_all, asks for. */
static int replay_tests(replay *r) {
    hd_err err;
    r->record = hd_record_open(r->directory, false, &err);
    if (!r->record || (r->is_all && !hd_record_tests(r->record, take_number, r, &err)))
        return hd_cli_fail(&err);
    hd_standard_input_load(r->directory);
    if (r->is_all || r->numbers.n > 1)
        return replay_several(r);
    r->number = r->numbers.at[0];
    return replay_test(r);
}

static void release(replay *r) {
    if (r->record)
        hd_record_close(r->record);
    hd_test_release(&r->test);
    hd_replay_release(&r->result);
    hd_kept_release(&r->kept);
    hd_vec_release(&r->numbers);
}

int hd_replay_exported(const char *directory, const hd_exported_test *test, bool json) {
    replay r = {.directory = directory, .expected = test};
    r.values.json = json;
    hd_vec_push(&r.numbers, 1);
    int status = replay_tests(&r);
    release(&r);
    return status;
}

static int run(int argc, char **argv) {
    replay r = {0};
    hd_arguments a = {0};
    hd_err err;
    bool parsed =
        hd_options_parse(&table, argc, argv, &r.values, &a, &err) && take_words(&r, &a, &err);
    int status = parsed ? replay_tests(&r) : hd_cli_fail(&err);
    release(&r);
    hd_arguments_release(&a);
    return status;
}

const hd_command hd_command_replay = {
    "replay",
    "run recorded tests again, exactly",
    "replay DIR N...|all [--trace] [--until EVENT] [--gdb] [--json]",
    "Runs test N of the run in DIR again with the program's output shown, says how it ends,\n"
    "and checks that it took the recorded path.  Exit status: 0 it went as recorded (a finding\n"
    "included), 2 it could not be replayed or went another way.\n"
    "\n"
    "Several numbers, or 'all': one after the other, each in a process of its own; the last line\n"
    "says how many went as recorded, and the status is 0 if all did.  With --json there is an\n"
    "object for each.\n"
    "\n"
    "With --trace every event of threads and processes, and every decision on inputs, is printed "
    "with\n"
    "its place; --until EVENT stops after one of them and shows the last twenty before it.\n"
    "\n"
    "With --gdb the same happens under gdb, which stops in the program's source when the finding "
    "is\n"
    "reported, where threads stand that cannot go on, before the second access of a data race, or\n"
    "after event --until.  'info heddle' lists the program's threads, 'heddle thread N' looks at "
    "the\n"
    "stack of one, 'heddle back' goes back.  To see what was earlier, run it again with the number "
    "of\n"
    "an earlier event.",
    &table,
    run,
};
