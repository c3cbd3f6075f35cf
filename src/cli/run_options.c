/* One table for `heddle run`; options marked is_search travel with the run. */
#include "cli/run_options.h"
#include "cli/given_partition.h"
#include "cli/opened.h"
#include "compile/checks.h"
#include "confine/confine.h"

#include "base/hash.h"
#include "base/shown.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const strategies[] = {
#define X(name, rules, text, words) text,
    HD_STRATEGIES(X)
#undef X
        NULL};
static const char *const isolations[] = {"auto", "reset", "fork", NULL};
static const char *const reductions[] = {
#define X(name, rules, text, words) text,
    HD_REDUCTIONS(X)
#undef X
        NULL};
/* In the order of hd_sampling. */
static const char *const schedules[] = {"search", "random", "pct", NULL};
/* In the order of hd_timeouts. */
static const char *const timeouts[] = {"last", "any", NULL};
/* In the order of hd_orders_kind. */
static const char *const orders[] = {"all", "time", NULL};
#define NO_MAPPING (-1) /* was given */
enum { HD_EQUAL_ONE, HD_EQUAL_MANY };
/* In the order of hd_mapping_kind, and one more. */
static const char *const mappings[] = {
#define X(constant, suffix, name, words) name,
    HD_MAPPINGS(X)
#undef X
        "none",
    NULL};
/* HD_EQUAL_ONE and HD_EQUAL_MANY. */
static const char *const equal_packets[] = {"one", "many", NULL};
static const char *const keeps[] = {"new", "all", "findings", NULL};

#define AT(field)      offsetof(hd_run_values, field)
#define AT_LINE(field) offsetof(hd_run_values, cluster.field)

static const hd_option options[] = {
    {"function", 0, HD_OPTION_TEXT, AT(function), "NAME",
     "test this function: its arguments are the inputs, no main is needed", NULL, false},
    {"net", 0, HD_OPTION_TEXT, AT(net), "FILE",
     "run the nodes of a scenario; see 'heddle help scenarios'", NULL, false},
    {"test", 0, HD_OPTION_TEXT, AT(test), "FILE",
     "run one test that 'heddle export --test' has written, instead of a search; status 0: it ends "
     "as recorded, 1: it does not",
     NULL, false},
    {"fault", 0, HD_OPTION_RULES, AT(fault), "RULES",
     "what may go wrong in a scenario: 'drop: 1, to: b; crash: 1'; see 'heddle help faults'", NULL,
     false},
    {"checks", 0, HD_OPTION_TEXT, AT(checks), "LIST", "compiled-in checks: " HD_CHECK_WORDS, NULL,
     false},
    {"mcdc", 0, HD_OPTION_FLAG, AT(mcdc), NULL,
     "keep a test for every way through a decision too, and count conditions (MC/DC)", NULL, true},
    {"goal", 0, HD_OPTION_TEXT, AT(goal), "GOAL",
     "stop when it is covered: branch, mcdc, or a share of both: 95%", NULL, false},
    {"checks-end", 0, HD_OPTION_FLAG, AT(checks_end), NULL,
     "an execution ends where a check fails, instead of going on", NULL, true},
    {"strategy", 0, HD_OPTION_CHOICE, AT(strategy), "NAME",
     "mixed (default), dfs, random-dfs, bfs, random or coverage", strategies, true},
    {"depth", 0, HD_OPTION_COUNT, AT(depth), "N", "look at the first N decisions of a path only",
     NULL, true},
    {"max-time", 't', HD_OPTION_SECONDS, AT(max_time), "TIME", "stop after 10s, 5m, 1h, ...", NULL,
     false},
    {"max-executions", 'n', HD_OPTION_COUNT, AT(max_executions), "N", "stop after N executions",
     NULL, false},
    {"max-memory", 0, HD_OPTION_COUNT, AT(max_memory), "BYTES",
     "stop when a worker has more memory than 500M, 2G, ...", NULL, false},
    {"jobs", 'j', HD_OPTION_COUNT, AT(jobs), "N",
     "workers that share the search (default: one for each processor)", NULL, false},
    {"unit-time", 0, HD_OPTION_SECONDS, AT(unit_time), "TIME",
     "split units that take longer, also if no worker is idle: for 'heddle simulate'", NULL, false},
    {"partition", 0, HD_OPTION_TEXT, AT(partition), "HOW",
     "divide the search first: ssp, paths, a file of conditions, or none (rivals)", NULL, true},
    {"shallow-depth", 0, HD_OPTION_COUNT, AT(shallow_depth), "N",
     "decisions of a path to divide by (default " HD_SHALLOW_DEPTH_WORD ")", NULL, true},
    {"queue", 0, HD_OPTION_COUNT, AT(queue), "N",
     "parts that ssp makes at least (default " HD_DEFAULT_PARTS_WORD ")", NULL, true},
    {"no-sharing", 0, HD_OPTION_FLAG, AT(no_sharing), NULL,
     "workers do not give away parts of what they have left", NULL, false},
    {"stop-at-first", 0, HD_OPTION_FLAG, AT(stop_at_first), NULL, "stop at the first finding", NULL,
     false},
    {"max-steps", 0, HD_OPTION_COUNT, AT(max_steps), "N",
     "loop iterations and recursive calls of an execution; then it is endless if its state repeats",
     NULL, true},
    {"max-decisions", 0, HD_OPTION_COUNT, AT(max_decisions), "N",
     "decisions of one execution before it goes on without looking at inputs", NULL, true},
    {"values", 0, HD_OPTION_COUNT, AT(value_bits), "BITS",
     "each value is a path where inputs of up to BITS bits become constants (default 0: one value)",
     NULL, true},
    {"seed", 0, HD_OPTION_COUNT, AT(seed), "N", "of the first inputs (default 1)", NULL, true},
    {"solver-chain", 0, HD_OPTION_TEXT, AT(solver_chain), "LIST",
     "solver layers to use: all, slice,blast,..., or -z3,-cache to leave some out", NULL, true},
    {"query-time", 0, HD_OPTION_SECONDS, AT(query_time), "TIME",
     "processor time of one solver query", NULL, true},
    {"dump-queries", 0, HD_OPTION_TEXT, AT(queries), "FILE",
     "write what solvers are asked, and the answers, to FILE as SMT-LIB", NULL, false},
    {"no-leaks", 0, HD_OPTION_FLAG, AT(no_leaks), NULL, "do not report memory leaks", NULL, true},
    {"fail-on-exit", 0, HD_OPTION_FLAG, AT(fail_on_exit), NULL,
     "a non-zero exit status, of the program or of a node, is a finding", NULL, true},
    {"fail-on-orphans", 0, HD_OPTION_FLAG, AT(fail_on_orphans), NULL,
     "messages that nobody receives and data that nobody reads are findings", NULL, true},
    {"stdin", 0, HD_OPTION_COUNT, AT(stdin_bytes), "N",
     "N bytes on standard input are inputs; default: what is there, as it is", NULL, true},
    {"isolation", 0, HD_OPTION_CHOICE, AT(isolation), "HOW",
     "auto (default), reset (fast) or fork (a process per execution)", isolations, true},
    {"external", 0, HD_OPTION_TEXT, AT(external), "NAMES",
     "functions without a model that run as they are, on concrete values: NAME,NAME,...", NULL,
     true},
    {"allow", 0, HD_OPTION_TEXT, AT(allow), "LIST",
     "what the program may do to this machine: read=PATH, write=PATH, exec, network, or all", NULL,
     true},
    {"tests", 0, HD_OPTION_CHOICE, AT(keep), "WHICH",
     "tests to keep: new coverage and findings (new, default), all, findings", keeps, true},
    {"por", 0, HD_OPTION_CHOICE, AT(reduction), "NAME",
     "orders of threads and messages to run: none, flip, message, dpor or optimal (default)",
     reductions, true},
    {"orders", 0, HD_OPTION_CHOICE, AT(orders), "WHICH",
     "of a scenario: all (default), or the one of virtual time; see 'heddle help systems'", orders,
     true},
    {"mapping", 0, HD_OPTION_CHOICE, AT(mapping), "HOW",
     "--orders time: which node states belong together: sds (default), cow, cob; or none", mappings,
     true},
    {"equal-packets", 0, HD_OPTION_CHOICE, AT(equal_packets), "HOW",
     "--orders time: equal packets that states of a node send at once are one (default), or many",
     equal_packets, true},
    {"until", 0, HD_OPTION_SECONDS, AT(until), "TIME",
     "of nodes: virtual time after which no time limit passes any more", NULL, true},
    {"reads-conflict", 0, HD_OPTION_FLAG, AT(reads_conflict), NULL,
     "treat two reads of the same memory as if their order mattered", NULL, true},
    {"preemptions", 0, HD_OPTION_COUNT, AT(preemptions), "K",
     "only orders with up to K preemptions, fewest first", NULL, true},
    {"schedule", 0, HD_OPTION_CHOICE, AT(schedule), "HOW",
     "orders of threads: search all (default), random, or pct", schedules, true},
    {"samples", 0, HD_OPTION_COUNT, AT(samples), "N",
     "executions of --schedule random or pct (default 10000), or scenarios of --orders time", NULL,
     true},
    {"depth-of-bug", 0, HD_OPTION_COUNT, AT(bug_depth), "D",
     "--schedule pct: ordering constraints of the bugs to find (default 3)", NULL, true},
    {"spurious", 0, HD_OPTION_FLAG, AT(spurious), NULL,
     "waits for condition variables may end without a signal", NULL, true},
    {"max-threads", 0, HD_OPTION_COUNT, AT(max_threads), "N",
     "threads that an execution is followed for", NULL, true},
    {"max-timeouts", 0, HD_OPTION_COUNT, AT(max_timeouts), "N",
     "timeouts of one thread while others can go on", NULL, true},
    {"timeouts", 0, HD_OPTION_CHOICE, AT(timeouts), "WHEN",
     "waits for messages time out last (default: when nobody else can go on) or at any time",
     timeouts, true},
    {"partial-io", 0, HD_OPTION_FLAG, AT(partial_io), NULL,
     "reads and writes of streams may also do one byte only", NULL, true},
    {"no-samples", 0, HD_OPTION_FLAG, AT(no_samples), NULL,
     "draw no orders of threads at random beside a long search", NULL, true},
    {"no-races", 0, HD_OPTION_FLAG, AT(no_races), NULL, "do not report data races", NULL, true},
    {"thread-leaks", 0, HD_OPTION_FLAG, AT(thread_leaks), NULL,
     "report threads that are neither joined nor detached", NULL, true},
    {"output", 'o', HD_OPTION_TEXT, AT(output), "DIR", "run directory (default heddle-out)", NULL,
     false},
    {"resume", 0, HD_OPTION_OPTIONAL, AT(resume), "DIR",
     "go on with an interrupted run (default: the output directory)", NULL, false},
    {"json", 0, HD_OPTION_FLAG, AT(json), NULL,
     "print the summary as one JSON object on standard output", NULL, false},
    {"quiet", 'q', HD_OPTION_FLAG, AT(quiet), NULL, "findings and verdict only", NULL, false},
    {"verbose", 'v', HD_OPTION_FLAG, AT(verbose), NULL,
     "more counters, one line per solver layer; rates of workers", NULL, false},
    HD_CLUSTER_OPTIONS(AT_LINE),
    {"run", 0, HD_OPTION_TEXT, AT(run), "NAME", "the name of a run on a cluster", NULL, false},
    {"replicas", 0, HD_OPTION_COUNT, AT(replicas), "N",
     "copies that a cluster of servers keeps (default 1)", NULL, false},
    {"patience", 0, HD_OPTION_SECONDS, AT(patience), "TIME",
     "a machine of a cluster that is silent for so long is taken for gone (default 30s)", NULL,
     false},
    {"no-workers", 0, HD_OPTION_FLAG, AT(no_workers), NULL,
     "only coordinate a run on a cluster: others work", NULL, false},
};

const hd_option_table hd_run_option_table = {options, sizeof options / sizeof *options, true, true};
_Static_assert(sizeof options / sizeof *options < HD_MAX_OPTIONS, "raise HD_MAX_OPTIONS");

hd_run_values hd_run_default_values(void) {
    return (hd_run_values){.output = "heddle-out",
                           .seed = 1,
                           .jobs = HD_NOT_GIVEN,
                           .shallow_depth = HD_SHALLOW_DEPTH,
                           .queue = HD_DEFAULT_PARTS,
                           .replicas = HD_NOT_GIVEN,
                           .reduction = HD_REDUCTION_OPTIMAL,
                           .mapping = NO_MAPPING,
                           .preemptions = HD_NOT_GIVEN,
                           .samples = HD_NOT_GIVEN,
                           .bug_depth = HD_NOT_GIVEN,
                           .max_threads = HD_NOT_GIVEN,
                           .max_timeouts = HD_NOT_GIVEN};
}

uint64_t hd_file_hash(const char *path) {
    hd_text bytes = {0};
    bool was_read = hd_text_read_plain(&bytes, path);
    uint64_t hash = was_read ? hd_hash_bytes(1, bytes.at, bytes.n) : 0;
    hd_text_release(&bytes);
    return hash;
}

/* What the program finds in argv[0]: the first source without folder and suffix. */
static char *program_name(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash && slash[1] ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return hd_text_format("%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

static void keep_sources(hd_kept_options *kept, const hd_arguments *a) {
    for (size_t i = 0; i < a->files.n; i++) {
        char *path = realpath(a->files.at[i], NULL);
        hd_kept_source source = {path ? path : strdup(a->files.at[i]),
                                 hd_file_hash(a->files.at[i])};
        hd_vec_push(&kept->sources, source);
    }
}

static void keep_word(hd_kept_options *kept, const char *name, const char *value) {
    if (value)
        hd_vec_push(&kept->build, hd_text_format("--%s=%s", name, value));
}

/* What makes the module of these sources: `heddle cover` makes another one of them. */
static void keep_build(hd_kept_options *kept, const hd_run_values *v, const hd_arguments *a) {
    keep_word(kept, "function", v->function);
    keep_word(kept, "net", v->net);
    keep_word(kept, "checks", v->checks);
    for (size_t i = 0; i < a->compiler.n; i++)
        hd_vec_push(&kept->build, hd_text_format("%s", a->compiler.at[i]));
    kept->has_build = true;
}

void hd_search_keep(hd_kept_options *kept, const hd_run_values *v, const hd_arguments *a) {
    for (size_t i = 0; i < hd_run_option_table.n; i++) {
        const hd_option *o = &options[i];
        if (!o->is_search || !a->given[i])
            continue;
        char *word = o->kind == HD_OPTION_FLAG ? hd_text_format("--%s", o->name)
                                               : hd_text_format("--%s=%s", o->name, a->given[i]);
        hd_vec_push(&kept->search, word);
    }
    if (v->mcdc && v->goal) /* which asks for it, given or not */
        hd_vec_push(&kept->search, hd_text_format("--mcdc"));
    hd_vec_push(&kept->program, program_name(v->net       ? v->net
                                             : a->files.n ? a->files.at[0]
                                                          : "program"));
    for (size_t i = 0; i < a->program.n; i++)
        hd_vec_push(&kept->program, hd_text_format("%s", a->program.at[i]));
    keep_build(kept, v, a);
    keep_sources(kept, a);
    kept->directory = getcwd(NULL, 0);
}

/* What somebody else has allowed is not (opened.h). */
static void shut(hd_record *record, const hd_kept_options *kept, hd_run_values *values) {
    static bool was_told;
    if (hd_opened_before(record, kept, values->allow))
        return;
    if (!was_told)
        hd_print(stderr,
                 "heddle: note: '--allow %s' of this run was said by somebody else, or elsewhere, "
                 "and opens nothing here; 'heddle run --resume' with the same '--allow' does\n",
                 values->allow);
    was_told = true;
    values->allow = NULL;
}

bool hd_search_read(hd_record *record, hd_kept_options *kept, hd_run_values *values, hd_err *err) {
    if (!hd_search_parse(hd_record_info(record)->options, kept, values, err))
        return false;
    shut(record, kept, values);
    return true;
}

bool hd_search_parse(const char *text, hd_kept_options *kept, hd_run_values *values, hd_err *err) {
    if (!hd_kept_read(kept, text, err))
        return false;
    hd_vec(char *) words = {0};
    hd_vec_push(&words, (char *)"run");
    for (size_t i = 0; i < kept->search.n; i++)
        hd_vec_push(&words, kept->search.at[i]);
    hd_arguments ignored = {0};
    *values = hd_run_default_values();
    bool parsed =
        hd_options_parse(&hd_run_option_table, (int)words.n, words.at, values, &ignored, err);
    hd_arguments_release(&ignored);
    hd_vec_release(&words);
    return parsed;
}

bool hd_search_check(const hd_arguments *arguments, const hd_run_values *asked,
                     const hd_run_values *recorded, hd_err *err) {
    for (size_t i = 0; i < hd_run_option_table.n; i++) {
        const hd_option *o = &options[i];
        if (!o->is_search || !arguments->given[i] || hd_option_is_same(o, asked, recorded))
            continue;
        hd_err_set(err, "option '--%s' cannot change when a run is resumed", o->name);
        return hd_err_hint(err, "leave it out, or start a new run without '--resume'");
    }
    return true;
}

#define DEFAULT_SAMPLES   10000
#define DEFAULT_BUG_DEPTH 3
#define MOST_BUG_DEPTH    100
#define MOST_PREEMPTIONS  1000
#define MOST_VALUE_BITS   64
#define MOST_STDIN        (1 << 20)

/* A count that was given must lie between `least` and `most`. */
static bool is_between(const char *name, uint64_t value, uint64_t least, uint64_t most,
                       hd_err *err) {
    if (value == HD_NOT_GIVEN || (value >= least && value <= most))
        return true;
    hd_err_set(err, "option '--%s' cannot be %llu", name, (unsigned long long)value);
    return hd_err_hint(err, "give it a number from %llu to %llu", (unsigned long long)least,
                       (unsigned long long)most);
}

static bool needs_schedule(const char *name, uint64_t value, bool has_it, const char *which,
                           hd_err *err) {
    if (value == HD_NOT_GIVEN || has_it)
        return true;
    hd_err_set(err, "option '--%s' has no effect without '--schedule %s'", name, which);
    return hd_err_hint(err, "add '--schedule %s', or leave it out", which);
}

static bool check_thread_options(const hd_run_values *v, hd_err *err) {
    bool is_sample = v->schedule != HD_SAMPLING_OFF, is_pct = v->schedule == HD_SAMPLING_PCT;
    if (is_sample && v->preemptions != HD_NOT_GIVEN) {
        hd_err_set(err,
                   "option '--preemptions' bounds a search and cannot be combined with "
                   "'--schedule %s'",
                   schedules[v->schedule]);
        return hd_err_hint(err, "leave one of the two out");
    }
    return is_between("preemptions", v->preemptions, 0, MOST_PREEMPTIONS, err) &&
           is_between("jobs", v->jobs, 1, HD_MOST_WORKERS, err) &&
           is_between("samples", v->samples, 1, UINT64_MAX - 1, err) &&
           is_between("depth-of-bug", v->bug_depth, 1, MOST_BUG_DEPTH, err) &&
           is_between("max-threads", v->max_threads, 1, HD_MAX_THREADS, err) &&
           is_between("values", v->value_bits, 0, MOST_VALUE_BITS, err) &&
           is_between("stdin", v->stdin_bytes, 0, MOST_STDIN, err) &&
           is_between("max-timeouts", v->max_timeouts, 0, UINT32_MAX, err) &&
           needs_schedule("samples", v->samples, is_sample || v->orders == HD_ORDERS_TIME, "random",
                          err) &&
           needs_schedule("depth-of-bug", v->bug_depth, is_pct, "pct", err);
}

/* Virtual time orders the nodes of a scenario, and leaves no orders to choose from. */
static bool check_time_options(const hd_run_values *v, hd_err *err) {
    bool is_time = v->orders == HD_ORDERS_TIME;
    const char *of_time = v->mapping != NO_MAPPING           ? "mapping"
                          : v->equal_packets != HD_EQUAL_ONE ? "equal-packets"
                                                             : NULL;
    if (of_time && !is_time) {
        hd_err_set(err, "option '--%s' has no effect without '--orders time'", of_time);
        return hd_err_hint(err, "add '--orders time', or leave it out");
    }
    if (v->until > 0 && v->timeouts == HD_TIMEOUTS_ANY) {
        hd_err_set(err,
                   "'--until' is about virtual time, which '--timeouts any' does not let pass");
        return hd_err_hint(err, "leave one of the two out");
    }
    if (is_time && v->schedule != HD_SAMPLING_OFF) {
        hd_err_set(err, "'--orders time' is one order: there is none to draw with '--schedule %s'",
                   schedules[v->schedule]);
        return hd_err_hint(err, "leave one of the two out");
    }
    if (is_time && v->samples != HD_NOT_GIVEN && v->mapping == (int)HD_N_MAPPINGS) {
        hd_err_set(err, "'--samples' are scenarios of node states, and '--mapping none' has none");
        return hd_err_hint(err, "leave one of the two out");
    }
    if (v->equal_packets != HD_EQUAL_ONE && v->mapping == (int)HD_N_MAPPINGS) {
        hd_err_set(err, "'--equal-packets' is about node states, and '--mapping none' has none");
        return hd_err_hint(err, "leave one of the two out");
    }
    if (is_time && v->preemptions != HD_NOT_GIVEN) {
        hd_err_set(err, "'--orders time' is one order: '--preemptions' bounds nothing");
        return hd_err_hint(err, "leave one of the two out");
    }
    if (is_time && v->timeouts != HD_TIMEOUTS_LAST) {
        hd_err_set(err, "with '--orders time' waits time out when their time has come, not at any");
        return hd_err_hint(err, "leave '--timeouts any' out");
    }
    return true;
}

/* The clock does not move for waits that end at any time: what is said in times would never happen,
 * or never end. */
static bool needs_clock(const hd_fault *f) {
    return f->begins || f->ends != UINT64_MAX || (f->kind == HD_FAULT_PARTITION && f->duration);
}

static bool check_fault_times(const hd_run_values *v, const hd_kept_options *kept, hd_err *err) {
    for (size_t i = 0; v->timeouts == HD_TIMEOUTS_ANY && i < kept->faults.n; i++)
        if (needs_clock(&kept->faults.at[i])) {
            hd_err_set(err,
                       "rule %zu of the faults, '%s', has a time, and with '--timeouts any' no "
                       "time passes",
                       i + 1, hd_fault_word(kept->faults.at[i].kind));
            return hd_err_hint(err, "leave '--timeouts any' out, or 'after', 'before' and the "
                                    "'time' of a partition");
        }
    return true;
}

static uint64_t given_or(uint64_t value, uint64_t otherwise) {
    return value == HD_NOT_GIVEN ? otherwise : value;
}

static void set_thread_options(const hd_run_values *v, hd_run_options *out) {
    hd_explorer_options *x = &out->explore;
    hd_machine_options *m = &out->machine;
    x->reduction = (hd_reduction)v->reduction;
    x->reads_conflict = v->reads_conflict;
    x->bounds_preemptions = v->preemptions != HD_NOT_GIVEN;
    x->preemptions = (uint32_t)given_or(v->preemptions, 0);
    x->sampling = (hd_sampling)v->schedule;
    x->no_samples = v->no_samples;
    x->samples = given_or(v->samples, DEFAULT_SAMPLES);
    x->pct_depth = (uint32_t)given_or(v->bug_depth, DEFAULT_BUG_DEPTH);
    m->spurious = v->spurious;
    m->max_threads = (uint32_t)given_or(v->max_threads, m->max_threads);
    m->max_timeouts = (uint32_t)given_or(v->max_timeouts, m->max_timeouts);
    m->timeouts = (hd_timeouts)v->timeouts;
    m->partial_io = v->partial_io;
    m->check_thread_leaks = v->thread_leaks;
    out->ignore_races = v->no_races;
}

/* Processors that this process may use. */
static uint32_t count_processors(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int n = CPU_COUNT(&set);
    return n < 1 ? 1 : n > HD_MOST_WORKERS ? HD_MOST_WORKERS : (uint32_t)n;
}

/* Without a scenario there is one process, with the arguments of the command line. */
static void set_processes(const hd_kept_options *kept, hd_machine_options *m) {
    bool has_nodes = kept->nodes.n > 0;
    m->argc = has_nodes ? kept->nodes.at[0].argc : (int)kept->program.n;
    m->argv = has_nodes ? kept->nodes.at[0].argv : kept->program.at;
    m->nodes = kept->nodes.at;
    m->n_nodes = (uint32_t)kept->nodes.n;
    m->links = kept->links.at;
    m->n_links = (uint32_t)kept->links.n;
    m->faults = kept->faults.at;
    m->n_faults = (uint32_t)kept->faults.n;
}

/* The directories of the sources, ending with NULL. */
static const char *const *list_places(hd_kept_options *kept) {
    for (size_t i = kept->places.n; i < kept->sources.n; i++) {
        char *path = hd_search_locate(kept, kept->sources.at[i].path), *slash = strrchr(path, '/');
        if (slash)
            slash[slash == path] = '\0';
        hd_vec_push(&kept->places, slash ? path : hd_text_format("."));
        if (!slash)
            free(path);
    }
    hd_vec_push(&kept->places, NULL);
    kept->places.n--;
    return (const char *const *)kept->places.at;
}

static bool check_allowed(const hd_run_values *v, const hd_kept_options *kept, hd_err *err) {
    hd_allowed allowed = {0};
    bool ok = hd_allowed_parse(&allowed, v->allow, kept->directory ? kept->directory : ".", err);
    hd_allowed_release(&allowed);
    return ok;
}

bool hd_search_options(const hd_run_values *v, hd_kept_options *kept, hd_run_options *out,
                       hd_err *err) {
    *out = (hd_run_options){.machine = hd_machine_defaults(),
                            .solve = hd_chain_defaults(),
                            .max_seconds = v->max_time,
                            .max_executions = v->max_executions,
                            .max_memory = v->max_memory,
                            .stop_at_first = v->stop_at_first,
                            .unit_seconds = v->unit_time,
                            .keep = (hd_keep_tests)v->keep};
    out->n_workers = v->jobs == HD_NOT_GIVEN ? count_processors() : (uint32_t)v->jobs;
    out->explore.strategy = (hd_strategy)v->strategy;
    out->explore.depth = v->depth > UINT32_MAX ? UINT32_MAX : (uint32_t)v->depth;
    out->explore.seed = v->seed;
    out->machine.seed = v->seed;
    out->machine.isolation = (hd_isolation)v->isolation;
    out->machine.external = v->external;
    out->machine.allow = v->allow;
    out->machine.directory = kept->directory;
    out->machine.given = list_places(kept);
    out->machine.checks_end = v->checks_end;
    out->machine.fail_on_exit = v->fail_on_exit;
    out->machine.fail_on_orphans = v->fail_on_orphans;
    out->machine.stdin_bytes = v->stdin_bytes;
    if (v->no_leaks)
        out->machine.check_leaks = false;
    if (v->max_steps)
        out->machine.max_steps = v->max_steps;
    if (v->max_decisions)
        out->machine.max_decisions = v->max_decisions;
    out->machine.value_bits = (uint32_t)v->value_bits;
    set_processes(kept, &out->machine);
    if (v->query_time > 0)
        out->solve.query_seconds = v->query_time;
    out->queries = v->queries;
    set_thread_options(v, out);
    out->explore.names_paths = v->partition;
    out->are_rivals = v->partition && hd_given_rivals(v->partition);
    out->no_sharing = v->no_sharing || out->are_rivals;
    out->shares_at_once = getenv("HEDDLE_SHARES_AT_ONCE"); /* docs/testing.md */
    out->machine.orders = (hd_orders_kind)v->orders;
    out->explore.has_states = v->orders == HD_ORDERS_TIME && v->mapping < (int)HD_N_MAPPINGS;
    out->explore.mapping = v->mapping == NO_MAPPING ? HD_MAPPING_SDS : (hd_mapping_kind)v->mapping;
    out->explore.tells_equal_apart = v->equal_packets == HD_EQUAL_MANY;
    out->explore.drawn = v->orders == HD_ORDERS_TIME ? given_or(v->samples, 0) : 0;
    out->explore.explodes = v->keep == HD_KEEP_ALL && !out->explore.drawn;
    out->machine.horizon = (uint64_t)(v->until * 1e9);
    if (v->fault && !v->net) {
        hd_err_set(err, "option '--fault' needs a scenario");
        return hd_err_hint(
            err, "give one with '--net FILE.yaml'; a run that is resumed keeps its faults");
    }
    return check_allowed(v, kept, err) && check_thread_options(v, err) &&
           check_time_options(v, err) && check_fault_times(v, kept, err) &&
           hd_given_partition_check(v->shallow_depth, v->queue, err) &&
           (!v->solver_chain || hd_chain_parse(v->solver_chain, &out->solve, err));
}

char *hd_search_locate(const hd_kept_options *kept, const char *file) {
    bool is_here = !kept->directory || !file[0] || file[0] == '/' || access(file, R_OK) == 0;
    return is_here ? hd_text_format("%s", file) : hd_text_format("%s/%s", kept->directory, file);
}

const char *hd_search_changed_source(const hd_kept_options *kept) {
    for (size_t i = 0; i < kept->sources.n; i++)
        if (hd_file_hash(kept->sources.at[i].path) != kept->sources.at[i].hash)
            return kept->sources.at[i].path;
    return NULL;
}
