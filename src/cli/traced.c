/* A child does the work and writes a text into a pipe; an empty text is a failure. */
#include "cli/traced.h"

#include "base/clock.h"
#include "cli/run_options.h"
#include "machine/libc/standard_input.h"
#include "record/stored.h"
#include "report/page.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define HIGH 902 /* kept when the process is confined */
#define MOST_TEXT                                                                                  \
    ((size_t)32 << 20) /* more than any trace: who writes so much is not ours any more */
#define MARK '\1'      /* before the words of a failure */

typedef struct task {
    const hd_traced *traced;
    void (*work)(const struct task *t, hd_text *out);
    uint64_t number;
    const uint32_t *sites;
    size_t n_sites;
    size_t most_tests;
} task;

/* ---- in the child ---- */

static void say_failure(hd_text *out, const char *words) {
    hd_text_clear(out);
    hd_text_add(out, "%c%s", MARK, words);
}

/* As they were given to the run.  What they refer to is never released: the child ends soon. */
static bool read_options(const task *t, hd_record *record, hd_run_options *options, hd_err *err) {
    hd_kept_options *kept = hd_allocate(1, sizeof *kept);
    hd_run_values *values = hd_allocate(1, sizeof *values);
    hd_standard_input_load(t->traced->directory);
    return hd_search_read(record, kept, values, err) &&
           hd_search_options(values, kept, options, err);
}

static bool replay(const task *t, hd_record *record, hd_replay *result, hd_err *err) {
    hd_run_options options;
    hd_test test = {0};
    return hd_record_test(record, t->number, &test, err) &&
           read_options(t, record, &options, err) &&
           hd_fleet_replay(record, &test, &options, result, err);
}

static void trace_test(const task *t, hd_text *out) {
    hd_err err;
    hd_replay result = {.is_traced = true};
    hd_record *record = hd_record_open(t->traced->directory, false, &err);
    if (!record || !replay(t, record, &result, &err))
        say_failure(out, err.message);
    else if (result.strayed)
        say_failure(out, "the order that was recorded is not possible any more");
    else
        hd_trace_write(&result.trace, t->traced->most_steps, out);
}

/* ---- who could go on ---- */

typedef struct number_list {
    hd_vec(uint64_t) at;
    size_t most;
} number_list;

static bool add_number(void *context, const hd_test *test) {
    number_list *numbers = context;
    hd_vec_push(&numbers->at, test->number);
    return numbers->at.n < numbers->most;
}

/* The first tests of the record, all in memory: it is closed when they run. */
static size_t read_tests(const task *t, hd_record *record, const hd_test ***tests, hd_err *err) {
    number_list numbers = {.most = t->most_tests};
    if (!hd_record_tests(record, add_number, &numbers, err))
        return 0;
    *tests = hd_allocate(numbers.at.n + 1, sizeof **tests);
    for (size_t i = 0; i < numbers.at.n; i++) {
        hd_test *test = hd_allocate(1, sizeof *test);
        if (!hd_record_test(record, numbers.at.at[i], test, err))
            return 0;
        (*tests)[i] = test;
    }
    return numbers.at.n;
}

static void add_able(void *context, size_t index, const char *able) {
    hd_text *out = context;
    hd_text_add(out, "%c", index ? ',' : '[');
    hd_text_add(out, able ? "\"%s\"" : "null", able);
}

static void find_able(const task *t, hd_text *out) {
    hd_err err;
    hd_run_options options;
    const hd_test **tests;
    hd_record *record = hd_record_open(t->traced->directory, false, &err);
    size_t n = record ? read_tests(t, record, &tests, &err) : 0;
    if (!n || !read_options(t, record, &options, &err))
        return;
    options.module_directory = hd_record_info(record)->module_directory;
    hd_record_rest(record);
    if (hd_fleet_replay_able(tests, n, &options, add_able, out, &err))
        hd_text_add(out, "]");
    else
        hd_text_clear(out);
}

static void name_sites(const task *t, hd_text *out) {
    hd_module module;
    hd_err err;
    char *directory = hd_text_format("%s/module", t->traced->directory);
    if (hd_module_load(&module, directory, &err))
        hd_sites_write(module.image, t->sites, t->n_sites, out);
    free(directory);
}

static void write_all(int fd, const hd_text *text) {
    for (size_t done = 0; done < text->n;) {
        ssize_t n = write(fd, text->at + done, text->n - done);
        if (n < 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

/* What the program writes is not asked for. */
static void be_child(const task *t, int channel, double seconds) {
    struct rlimit limit = {(rlim_t)seconds + 2, (rlim_t)seconds + 2};
    hd_text out = {0};
    int nothing = open("/dev/null", O_RDWR);
    int high = fcntl(channel, F_DUPFD, HIGH);
    setrlimit(RLIMIT_CPU, &limit);
    for (int fd = 0; fd < 3; fd++)
        dup2(nothing, fd);
    t->work(t, &out);
    write_all(high, &out);
    _exit(0);
}

/* ---- in the parent ---- */

/* False if time is over, or the text is too long. */
static bool read_all(int fd, double deadline, hd_text *out) {
    char chunk[65536];
    for (;;) {
        double left = deadline - hd_clock_now();
        struct pollfd p = {fd, POLLIN, 0};
        int ready = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0 || out->n > MOST_TEXT)
            return false;
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n <= 0)
            return n == 0;
        hd_text_add_bytes(out, chunk, (size_t)n);
    }
}

static bool run_task(const task *t, hd_text *out, char **why) {
    int channel[2];
    double left = t->traced->deadline - hd_clock_now();
    if (left <= 0) {
        *why = hd_text_format("the time for running tests again was over (--replay-time)");
        return false;
    }
    fflush(NULL);
    pid_t child = pipe2(channel, O_CLOEXEC) == 0 ? fork() : -1;
    if (child < 0) {
        *why = hd_text_format("no process could be started: %s", strerror(errno));
        return false;
    }
    if (child == 0)
        be_child(t, channel[1], left);
    close(channel[1]);
    bool is_whole = read_all(channel[0], t->traced->deadline, out);
    close(channel[0]);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    if (!is_whole)
        *why = hd_text_format("its test took too long (--replay-time)");
    else if (!out->n)
        *why = hd_text_format("its test took the process down that ran it");
    else if (out->at[0] == MARK)
        *why = hd_text_format("%s", out->at + 1);
    if (*why)
        hd_text_clear(out);
    return !*why;
}

bool hd_traced_test(const hd_traced *t, uint64_t number, hd_text *trace, char **why) {
    task work = {.traced = t, .work = trace_test, .number = number};
    *why = NULL;
    return run_task(&work, trace, why);
}

void hd_traced_able(const hd_traced *t, size_t most, hd_text *able) {
    task work = {.traced = t, .work = find_able, .most_tests = most};
    char *why = NULL;
    run_task(&work, able, &why);
    free(why);
}

void hd_traced_sites(const hd_traced *t, const uint32_t *sites, size_t n, hd_text *places) {
    task work = {.traced = t, .work = name_sites, .sites = sites, .n_sites = n};
    char *why = NULL;
    run_task(&work, places, &why);
    free(why);
}
