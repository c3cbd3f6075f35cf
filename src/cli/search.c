/* One table for `heddle run`; options marked is_search travel with the run. */
#include "cli/search.h"

#include "base/hash.h"

#include <string.h>
#include <unistd.h>

static const char *const strategies[] = {
#define X(name, text, words) text,
    HD_STRATEGIES(X)
#undef X
        NULL};
static const char *const isolations[] = {"auto", "reset", "fork", NULL};
static const char *const keeps[] = {"new", "all", "findings", NULL};

#define AT(field) offsetof(hd_run_values, field)

static const hd_option options[] = {
    {"function", 0, HD_OPTION_TEXT, AT(function), "NAME",
     "test this function: its arguments are the inputs, no main is needed", NULL, false},
    {"checks", 0, HD_OPTION_TEXT, AT(checks), "LIST",
     "compiled-in checks: overflow,shift,divide,bounds; all or none", NULL, false},
    {"strategy", 0, HD_OPTION_CHOICE, AT(strategy), "NAME",
     "dfs (default), random-dfs, bfs, random or coverage", strategies, true},
    {"depth", 0, HD_OPTION_COUNT, AT(depth), "N", "look at the first N decisions of a path only",
     NULL, true},
    {"max-time", 't', HD_OPTION_SECONDS, AT(max_time), "TIME", "stop after 10s, 5m, 1h, ...", NULL,
     false},
    {"max-executions", 'n', HD_OPTION_COUNT, AT(max_executions), "N", "stop after N executions",
     NULL, false},
    {"stop-at-first", 0, HD_OPTION_FLAG, AT(stop_at_first), NULL, "stop at the first finding", NULL,
     false},
    {"max-steps", 0, HD_OPTION_COUNT, AT(max_steps), "N",
     "loop iterations before an execution counts as endless", NULL, true},
    {"max-decisions", 0, HD_OPTION_COUNT, AT(max_decisions), "N",
     "decisions of one execution before it goes on without looking at inputs", NULL, true},
    {"seed", 0, HD_OPTION_COUNT, AT(seed), "N", "of the first inputs (default 1)", NULL, true},
    {"solver-chain", 0, HD_OPTION_TEXT, AT(solver_chain), "LIST",
     "solver layers to use: all, slice,blast,..., or -z3,-cache to leave some out", NULL, true},
    {"query-time", 0, HD_OPTION_SECONDS, AT(query_time), "TIME", "budget of one solver query", NULL,
     true},
    {"no-leaks", 0, HD_OPTION_FLAG, AT(no_leaks), NULL, "do not report memory leaks", NULL, true},
    {"fail-on-exit", 0, HD_OPTION_FLAG, AT(fail_on_exit), NULL,
     "a non-zero exit status is a finding", NULL, true},
    {"isolation", 0, HD_OPTION_CHOICE, AT(isolation), "HOW",
     "auto (default), reset (fast) or fork (a process per execution)", isolations, true},
    {"tests", 0, HD_OPTION_CHOICE, AT(keep), "WHICH",
     "tests to keep: new coverage and findings (new, default), all, findings", keeps, true},
    {"output", 'o', HD_OPTION_TEXT, AT(output), "DIR", "run directory (default heddle-out)", NULL,
     false},
    {"resume", 0, HD_OPTION_OPTIONAL, AT(resume), "DIR",
     "go on with an interrupted run (default: the output directory)", NULL, false},
    {"json", 0, HD_OPTION_FLAG, AT(json), NULL,
     "print the summary as one JSON object on standard output", NULL, false},
    {"quiet", 'q', HD_OPTION_FLAG, AT(quiet), NULL, "findings and verdict only", NULL, false},
    {"verbose", 'v', HD_OPTION_FLAG, AT(verbose), NULL, "more counters, one line per solver layer",
     NULL, false},
};

const hd_option_table hd_run_option_table = {options, sizeof options / sizeof *options, true, true};
_Static_assert(sizeof options / sizeof *options < HD_MAX_OPTIONS, "raise HD_MAX_OPTIONS");

hd_run_values hd_run_default_values(void) {
    return (hd_run_values){.output = "heddle-out", .seed = 1};
}

uint64_t hd_file_hash(const char *path) {
    hd_text bytes = {0};
    bool was_read = hd_text_read_file(&bytes, path);
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

void hd_search_keep(hd_kept_options *kept, const hd_arguments *a) {
    for (size_t i = 0; i < hd_run_option_table.n; i++) {
        const hd_option *o = &options[i];
        if (!o->is_search || !a->given[i])
            continue;
        char *word = o->kind == HD_OPTION_FLAG ? hd_text_format("--%s", o->name)
                                               : hd_text_format("--%s=%s", o->name, a->given[i]);
        hd_vec_push(&kept->search, word);
    }
    hd_vec_push(&kept->program, program_name(a->files.n ? a->files.at[0] : "program"));
    for (size_t i = 0; i < a->program.n; i++)
        hd_vec_push(&kept->program, hd_text_format("%s", a->program.at[i]));
    keep_sources(kept, a);
    kept->directory = getcwd(NULL, 0);
}

bool hd_search_read(hd_record *record, hd_kept_options *kept, hd_run_values *values, hd_err *err) {
    if (!hd_kept_read(kept, hd_record_info(record)->options, err))
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

bool hd_search_options(const hd_run_values *v, const hd_kept_options *kept, hd_run_options *out,
                       hd_err *err) {
    *out = (hd_run_options){.machine = hd_machine_defaults(),
                            .solve = hd_chain_defaults(),
                            .max_seconds = v->max_time,
                            .max_executions = v->max_executions,
                            .stop_at_first = v->stop_at_first,
                            .keep = (hd_keep_tests)v->keep};
    out->explore.strategy = (hd_strategy)v->strategy;
    out->explore.depth = v->depth > UINT32_MAX ? UINT32_MAX : (uint32_t)v->depth;
    out->explore.seed = v->seed;
    out->machine.seed = v->seed;
    out->machine.isolation = (hd_isolation)v->isolation;
    out->machine.fail_on_exit = v->fail_on_exit;
    if (v->no_leaks)
        out->machine.check_leaks = false;
    if (v->max_steps)
        out->machine.max_steps = v->max_steps;
    if (v->max_decisions)
        out->machine.max_decisions = v->max_decisions;
    out->machine.argc = (int)kept->program.n;
    out->machine.argv = kept->program.at;
    if (v->query_time > 0)
        out->solve.query_seconds = v->query_time;
    return !v->solver_chain || hd_chain_parse(v->solver_chain, &out->solve, err);
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
