/* Orders that are drawn at random never show a class that `optimal` has not run: the programs of
 * tests/programs/threads, tests/programs/messages and bench/threads, as the headers of these
 * programs say that they are to be run.
 *
 *     samples [FILE.c...]     (SOAK: more samples, of programs with more classes)
 *
 * Each program is explored by `optimal`, if that takes few executions, and then sampled by random
 * walks and by PCT on the same machine, so that indices of threads, and thereby names of classes,
 * mean the same.  What is compared are sets of names, not numbers.
 *
 * Iterations of waiting loops that are in vain make classes of their own, which no reduction but
 * `none` looks for (src/explore/orders/reduce.c).  If a program has such iterations, its executions
 * may also have the core of a class: what is left without them.
 *
 * What is sent to a listener's process before it accepts depends on who closes the listener, and
 * once it is accepted on nobody, though accepting and sending are not ordered with each other: who
 * sends cannot tell the difference.  So there are classes that only some orders lead to, and no
 * outcomes.  If a program has such sends, its executions may also have the outcome of a class: the
 * labels that it reaches, and whether it fails. */
#include "base/hash.h"
#include "compile/compile.h"
#include "explore/orders/weave.h"
#include "property/model/history.h"
#include "tool/patience.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 64, SECONDS = 60, LEAST = 30 };
static const char *const folders[] = {"tests/programs/threads", "tests/programs/messages",
                                      "bench/threads"};

typedef struct limits {
    uint64_t executions; /* of `optimal`; a program that needs more is left out */
    uint64_t samples;    /* of each kind */
    uint64_t events;     /* of each kind too: of long executions there are fewer, LEAST at least */
} limits;

/* ---- How a program is run ---------------------------------------------------------------------
 */

typedef struct setting {
    char text[512]; /* what its words are made of */
    char *words[MAX_WORDS];
    const char *compile[MAX_WORDS];
    size_t n_compile;
    hd_machine_options machine;
} setting;

static bool takes(char **words, unsigned *i, const char *name, char **value) {
    if (strcmp(words[*i], name) != 0 || !words[*i + 1])
        return false;
    *value = words[++*i];
    return true;
}

static bool is_about_findings(const char *word) {
    static const char *const known[] = {"--no-races",        "--no-leaks",     "--thread-leaks",
                                        "--fail-on-orphans", "--fail-on-exit", "--reads-conflict"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(word, known[i]) == 0)
            return true;
    return false;
}

/* One option, with its value; false if it changes what is explored in another way than this test
 * knows. */
static bool take_option(setting *s, unsigned *i) {
    hd_machine_options *m = &s->machine;
    char *word = s->words[*i], *value;
    if (strncmp(word, "-D", 2) == 0)
        s->compile[s->n_compile++] = word;
    else if (takes(s->words, i, "--timeouts", &value))
        m->timeouts = strcmp(value, "any") == 0 ? HD_TIMEOUTS_ANY : HD_TIMEOUTS_LAST;
    else if (takes(s->words, i, "--max-timeouts", &value))
        m->max_timeouts = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(word, "--spurious") == 0)
        m->spurious = true;
    else if (strcmp(word, "--partial-io") == 0)
        m->partial_io = true;
    else if (!takes(s->words, i, "--por", &value) && !is_about_findings(word))
        return false;
    return true;
}

/* The words of `s->text`; what comes behind "--" is for the program. */
static bool read_setting(setting *s, char *file) {
    static char *arguments[MAX_WORDS];
    unsigned n = 0;
    char *save;
    s->machine = hd_machine_defaults();
    s->machine.check_leaks = false;
    for (char *w = strtok_r(s->text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        if (n == MAX_WORDS - 1)
            return false;
        s->words[n++] = w;
    }
    arguments[0] = file;
    s->machine.argc = 1;
    s->machine.argv = arguments;
    for (unsigned i = 0; i < n; i++) {
        if (strcmp(s->words[i], "--") == 0) {
            for (i++; i < n; i++)
                arguments[s->machine.argc++] = s->words[i];
        } else if (!take_option(s, &i))
            return false;
    }
    return true;
}

/* ---- Names of executions ----------------------------------------------------------------------
 */

static bool is_access_to(const hd_action *a, const hd_access *x) {
    return a->kind >= HD_DO_READ && a->kind <= HD_DO_COMPARE &&
           a->access[0].address == x->address && a->access[0].size == x->size;
}

/* Marks the iteration that ends before event `end` of a thread that waits for the places of
 * `spin`: it began with the access of a waiting loop.  False if it cannot be told where. */
static bool mark_iteration(const hd_events *log, bool *in_vain, uint32_t last,
                           const hd_action *spin) {
    for (uint32_t e = last; e != HD_NO_EVENT; e = log->at.at[e].previous) {
        const hd_action *a = hd_event_action(log, e);
        bool is_of_it = false;
        for (unsigned i = 0; i < spin->n_accesses; i++)
            is_of_it |= is_access_to(a, &spin->access[i]);
        if (!is_of_it)
            return false;
        in_vain[e] = true;
        if (a->flags & HD_ACTION_SPINS)
            return true;
    }
    return false;
}

/* Which events were in vain; false if that cannot be told. */
static bool find_vain(const hd_weave *w, bool *in_vain, bool *has_any) {
    const hd_events *log = &w->log;
    bool is_known = true;
    for (uint32_t e = 0; e < log->at.n; e++) {
        const hd_action *a = hd_event_action(log, e);
        if (a->kind != HD_DO_SPIN)
            continue;
        *has_any = in_vain[e] = true;
        is_known &= mark_iteration(log, in_vain, log->at.at[e].previous, a);
    }
    uint32_t t;
    HD_SET_EACH(t, w->stuck.alive) {
        const hd_action *a = &w->stuck.action[t];
        if (a->kind != HD_DO_SPIN)
            continue;
        *has_any = true;
        is_known &= mark_iteration(log, in_vain, hd_event_last(log, a->thread), a);
    }
    return is_known;
}

/* As history.h says it, without what was in vain. */
static uint64_t core_of(const hd_events *log, const bool *in_vain) {
    uint64_t sum = 0, *name = calloc(log->at.n, sizeof *name);
    unsigned n_items[HD_MAX_THREADS] = {0};
    for (uint32_t e = 0; e < log->at.n; e++) {
        const hd_action *a = hd_event_action(log, e);
        if (in_vain[e])
            continue;
        name[e] = item_name(a->thread, n_items[a->thread]++);
        sum += hd_hash_add(name[e], action_hash(a));
        for (uint32_t k = 0; k < e; k++)
            if (!in_vain[k] && hd_event_action(log, k)->thread != a->thread &&
                hd_actions_conflict(hd_event_action(log, k), a))
                sum += hd_hash_add(name[k], name[e]);
    }
    free(name);
    return sum;
}

/* Does the action look at the readers of another queue than its own? */
static bool looks_at_listener(const hd_action *a) {
    for (unsigned i = 1; i < a->n_accesses && a->kind >= HD_DO_PUT && a->kind <= HD_DO_POLL; i++) {
        uint64_t address = a->access[i].address;
        bool is_reader = address >= HD_QUEUE(0) &&
                         (uint32_t)address >= (uint32_t)HD_QUEUE_READERS(0) &&
                         (uint32_t)address < (uint32_t)HD_QUEUE_END(0);
        if (is_reader && address >> 32 != a->access[0].address >> 32)
            return true;
    }
    return false;
}

/* ---- One program, in a child ------------------------------------------------------------------
 */

typedef enum answer { RIGHT, WRONG, LEFT_OUT } answer;

/* Shared by the parent and the child. */
typedef struct result {
    answer answer;
    uint64_t n_classes, n_samples;
    uint64_t n_by_core, n_by_outcome; /* samples that were not of a class */
    char why[2048];
} result;

typedef struct subject {
    hd_module module;
    hd_graph *graph;
    hd_variables *variables;
    hd_machine *machine;
    hd_map classes, cores, outcomes; /* that `optimal` ran */
    bool has_cores;                  /* most programs need none, and they cost most */
    bool has_vain, is_vague, has_listeners;
    hd_vec(uint64_t) counts; /* of labels before the execution */
    result *result;
} subject;

typedef struct names {
    uint64_t class, outcome;
} names;

/* Which of several findings an execution keeps depends on the order of events that do not matter
 * to each other. */
static uint64_t outcome_of(subject *s, const hd_outcome *o) {
    uint32_t n;
    const hd_label *labels = hd_machine_labels(s->machine, &n);
    uint64_t sum = o->end;
    for (uint32_t i = 0; i < n; i++) {
        if (i >= s->counts.n)
            hd_vec_push(&s->counts, 0);
        if (labels[i].count != s->counts.at[i])
            sum += hd_hash_bytes(1, labels[i].name, strlen(labels[i].name));
        s->counts.at[i] = labels[i].count;
    }
    return sum;
}

static uint64_t core_name(const hd_explorer *x) {
    const hd_weave *w = hd_weave_of(x);
    bool *in_vain = calloc(w->log.at.n + 1, sizeof *in_vain), has_any = false;
    find_vain(w, in_vain, &has_any);
    uint64_t core = core_of(&w->log, in_vain) >> 1;
    free(in_vain);
    return core;
}

static names names_of(subject *s, const hd_explorer *x, const hd_outcome *o) {
    const hd_weave *w = hd_weave_of(x);
    bool *in_vain = calloc(w->log.at.n + 1, sizeof *in_vain), has_any = false;
    bool is_known = find_vain(w, in_vain, &has_any);
    names n = {.class = hd_explorer_class_hash(x) >> 1, .outcome = outcome_of(s, o) >> 1};
    for (uint32_t e = 0; e < w->log.at.n; e++)
        s->has_listeners |= looks_at_listener(hd_event_action(&w->log, e));
    s->has_vain |= has_any;
    /* Decisions are not part of a core. */
    s->is_vague |= has_any && (!is_known || w->told.n);
    free(in_vain);
    return n;
}

/* Did the execution end by itself?  Others are no class. */
static bool is_whole(const hd_outcome *o) {
    return o->end == HD_END_EXIT ||
           (o->end == HD_END_FINDING && o->finding.kind != HD_FINDING_NON_TERMINATION);
}

static hd_explorer *new_explorer(subject *s, hd_explorer_options options) {
    hd_chain_options chain = hd_chain_defaults();
    options.is_threaded = true;
    options.reduction = HD_REDUCTION_OPTIMAL;
    return hd_explorer_new(s->graph, s->variables, hd_chain_new(s->graph, s->variables, &chain),
                           &options);
}

/* False if the program is too big. */
static bool run_all(subject *s, uint64_t most) {
    hd_explorer *x = new_explorer(s, (hd_explorer_options){.seed = 1});
    hd_sink sink = hd_explorer_sink(x);
    hd_model model = {0};
    hd_outcome outcome;
    while (hd_explorer_next(x, &model)) {
        if (hd_explorer_counted(x)->executions >= most)
            return false;
        hd_machine_run(s->machine, &model, &sink, &outcome);
        hd_explorer_done(x, &outcome, &model);
        if (!is_whole(&outcome))
            continue;
        names n = names_of(s, x, &outcome);
        hd_map_put(&s->classes, n.class, 1);
        if (s->has_cores)
            hd_map_put(&s->cores, core_name(x), 1);
        hd_map_put(&s->outcomes, n.outcome, 1);
    }
    s->result->n_classes = s->classes.n;
    return hd_explorer_is_complete(x);
}

/* The search once more, for the cores of all of its executions. */
static bool has_core(subject *s, uint64_t core) {
    if (!s->has_cores) {
        s->has_cores = true;
        if (!run_all(s, UINT64_MAX))
            return false;
    }
    return hd_map_find(&s->cores, core);
}

/* Is the execution one of those of `optimal`, by the closest name that there is? */
static bool is_known(subject *s, const hd_explorer *x, const names *n) {
    if (hd_map_find(&s->classes, n->class))
        return true;
    if (s->has_vain && !s->is_vague && has_core(s, core_name(x)))
        return ++s->result->n_by_core;
    bool is_enough = s->has_listeners || s->is_vague;
    return is_enough && hd_map_find(&s->outcomes, n->outcome) && ++s->result->n_by_outcome;
}

static bool check_sample(subject *s, const hd_explorer *x, const hd_outcome *o, const char *how) {
    names n = names_of(s, x, o);
    s->result->n_samples++;
    if (is_known(s, x, &n))
        return true;
    hd_text schedule = {0};
    hd_explorer_print_schedule(x, &schedule);
    snprintf(s->result->why, sizeof s->result->why,
             "%s sample %llu is of none of the %zu classes of `optimal`: schedule %s", how,
             (unsigned long long)hd_explorer_counted(x)->executions, s->classes.n,
             hd_text_string(&schedule));
    return false;
}

static bool run_samples(subject *s, hd_sampling sampling, const char *how, uint64_t n,
                        uint64_t most_events) {
    uint64_t n_events = 0, n_run = 0;
    hd_explorer *x = new_explorer(
        s, (hd_explorer_options){.seed = 1, .sampling = sampling, .samples = n, .pct_depth = 3});
    hd_sink sink = hd_explorer_sink(x);
    hd_model model = {0};
    hd_outcome outcome;
    while (hd_explorer_counted(x)->executions < n && (n_events < most_events || n_run < LEAST) &&
           hd_explorer_next(x, &model)) {
        hd_machine_run(s->machine, &model, &sink, &outcome);
        n_events += hd_weave_of(x)->log.at.n;
        n_run++;
        hd_explorer_done(x, &outcome, &model);
        if (is_whole(&outcome) && !check_sample(s, x, &outcome, how))
            return false;
    }
    return true;
}

static bool prepare(subject *s, const char *file, const setting *how) {
    hd_err err = {0};
    hd_compile_request request = {
        .sources = &file, .n_sources = 1, .options = how->compile, .n_options = how->n_compile};
    hd_compile_result compiled;
    if (!hd_compile(&request, &compiled, &err) ||
        !hd_module_load(&s->module, compiled.directory, &err)) {
        snprintf(s->result->why, sizeof s->result->why, "%s", err.message);
        return false;
    }
    s->graph = hd_graph_new(false);
    s->variables = hd_variables_new();
    s->machine = hd_machine_new(&s->module, s->graph, s->variables, &how->machine, &err);
    return s->machine != NULL;
}

static answer leave_out(result *r, const char *why) {
    snprintf(r->why, sizeof r->why, "%s", why);
    return LEFT_OUT;
}

static answer check(subject *s, const char *file, const setting *how, const limits *most) {
    if (!prepare(s, file, how))
        return WRONG;
    if (s->module.has_stateful_imports)
        return leave_out(s->result, "left out, it runs in processes of its own");
    if (!hd_image_is_concurrent(s->module.image, 0))
        return leave_out(s->result, "left out, it has one thread");
    if (!run_all(s, most->executions))
        return leave_out(s->result, "left out, `optimal` takes too long or is not complete");
    bool is_right =
        run_samples(s, HD_SAMPLING_RANDOM, "random", most->samples, most->events) &&
        run_samples(s, HD_SAMPLING_PCT, "PCT", most->samples / 2, most->events / 2);
    return is_right ? RIGHT : WRONG;
}

static void check_in_child(result *r, char *file, const char *text, const limits *most) {
    int status;
    *r = (result){.answer = WRONG};
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        static subject s;
        static setting how;
        limit_seconds(SECONDS);
        snprintf(how.text, sizeof how.text, "%s", text);
        s.result = r;
        r->answer = read_setting(&how, file) ? check(&s, file, &how, most)
                                             : leave_out(r, "left out, for its options");
        _exit(0);
    }
    if (waitpid(pid, &status, 0) != pid || status != 0) {
        r->answer = WRONG;
        snprintf(r->why, sizeof r->why, "ended with status %x", (unsigned)status);
    }
}

/* ---- All programs -------------------------------------------------------------------------------
 */

typedef hd_vec(char *) texts;

static bool has_text(const texts *all, const char *text) {
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->at[i], text) == 0)
            return true;
    return false;
}

/* The options of a line "run: OPTIONS" or "paths: OPTIONS -> NUMBER", without the reduction. */
static bool read_line(char *line, hd_text *options) {
    char *run = strstr(line, " run:"), *paths = strstr(line, " paths:"), *end = strstr(line, "->");
    char *at = run ? run + 5 : paths && end ? paths + 7 : NULL, *save;
    bool has_reduction = false;
    if (!at)
        return false;
    if (!run)
        *end = '\0';
    for (char *w = strtok_r(at, " \n", &save); w; w = strtok_r(NULL, " \n", &save)) {
        if (strcmp(w, "*/") == 0)
            break;
        if (!has_reduction && strcmp(w, "--por") != 0)
            hd_text_add(options, "%s%s", options->n ? " " : "", w);
        has_reduction = strcmp(w, "--por") == 0;
    }
    return true;
}

/* Each way in which the first comment of the file says that it is to be run. */
static void read_header(const char *file, texts *all) {
    FILE *in = fopen(file, "r");
    char line[1024];
    while (in && fgets(line, sizeof line, in)) {
        hd_text options = {0};
        bool is_end = strstr(line, "*/");
        if (read_line(line, &options)) {
            hd_text_add(&options, "%s", "");
            if (!has_text(all, options.at))
                hd_vec_push(all, strdup(options.at));
        }
        hd_text_release(&options);
        if (is_end)
            break;
    }
    if (in)
        fclose(in);
}

static int compare_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_folder(const char *folder, texts *files) {
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (strlen(e->d_name) > 2 && strcmp(e->d_name + strlen(e->d_name) - 2, ".c") == 0)
            hd_vec_push(files, hd_text_format("%s/%s", folder, e->d_name));
    if (d)
        closedir(d);
}

/* The sum over all programs. */
typedef struct sum {
    uint64_t answers[LEFT_OUT + 1];
    uint64_t n_classes, n_samples, n_by_core, n_by_outcome;
} sum;

static void check_file(char *file, const limits *most, result *r, bool is_verbose, sum *to) {
    texts ways = {0};
    read_header(file, &ways);
    for (size_t i = 0; i < ways.n; i++) {
        check_in_child(r, file, ways.at[i], most);
        if (r->answer == WRONG || is_verbose)
            printf("%s %s: %s\n", file, ways.at[i], r->answer == RIGHT ? "right" : r->why);
        to->answers[r->answer]++;
        to->n_classes += r->n_classes;
        to->n_samples += r->n_samples;
        to->n_by_core += r->n_by_core;
        to->n_by_outcome += r->n_by_outcome;
        free(ways.at[i]);
    }
    hd_vec_release(&ways);
}

int main(int argc, char **argv) {
    bool is_soak = getenv("SOAK"), is_verbose = argc > 1;
    limits most = {.executions = is_soak ? 20000 : 1000,
                   .samples = is_soak ? 5000 : 200,
                   .events = is_soak ? UINT64_MAX : 10000};
    texts files = {0};
    sum all = {0};
    result *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 1; i < argc; i++)
        hd_vec_push(&files, argv[i]);
    for (size_t i = 0; argc == 1 && i < sizeof folders / sizeof *folders; i++)
        add_folder(folders[i], &files);
    if (files.n)
        qsort(files.at, files.n, sizeof *files.at, compare_text);
    for (size_t i = 0; i < files.n; i++)
        check_file(files.at[i], &most, r, is_verbose, &all);
    printf("%llu samples of %llu programs are of the %llu classes of `optimal` (%llu but for "
           "iterations in vain, %llu by their outcome); %llu programs failed, %llu were left out\n",
           (unsigned long long)all.n_samples, (unsigned long long)all.answers[RIGHT],
           (unsigned long long)all.n_classes, (unsigned long long)all.n_by_core,
           (unsigned long long)all.n_by_outcome, (unsigned long long)all.answers[WRONG],
           (unsigned long long)all.answers[LEFT_OUT]);
    return all.answers[WRONG] || !all.answers[RIGHT] ? 1 : 0;
}
