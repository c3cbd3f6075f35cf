/* cost.c -- what executions of a program cost, and nothing else.
 *
 *     cost [-n EXECUTIONS] [-r] [-p REDUCTION] [OPTIONS of clang...] FILE.c
 *
 * The search of one worker, in this process: without a record, bundles and the clock, so that two
 * runs do the same instructions.  -n: so many executions at most.  -r: everything is repeated until
 * a second has passed, and the fastest counts.  -p: as '--por' says, if it has threads.  Prints
 *
 *     executions N  classes N  microseconds N  kilobytes N
 *
 * with microseconds of processor time for each execution, and the most memory that the process had.
 * Instructions: `valgrind --tool=callgrind --vex-iropt-register-updates=allregs-at-mem-access
 * build/bench/cost -n 5000 ...`, without those of `-n 1`; the option because code goes on after a
 * fault.
 */
#include "base/clock.h"
#include "compile/compile.h"
#include "explore/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_WORDS = 32 };

typedef struct request {
    const char *flags[MOST_WORDS], *file;
    unsigned n_flags;
    uint64_t most;
    hd_reduction reduction;
    bool repeats;
} request;

typedef struct result {
    uint64_t executions, classes;
    double seconds;
} result;

static request read_request(char **words) {
    request r = {.most = UINT64_MAX, .reduction = HD_REDUCTION_OPTIMAL};
    for (; *words; words++)
        if (strcmp(*words, "-n") == 0 && words[1])
            r.most = strtoull(*++words, NULL, 10);
        else if (strcmp(*words, "-p") == 0 && words[1] &&
                 hd_reduction_parse(words[1], &r.reduction))
            words++;
        else if (strcmp(*words, "-r") == 0)
            r.repeats = true;
        else if ((*words)[0] == '-' && r.n_flags < MOST_WORDS - 1)
            r.flags[r.n_flags++] = *words;
        else
            r.file = *words;
    return r;
}

static void check(bool ok, const hd_err *err) {
    if (ok)
        return;
    fprintf(stderr, "cost: %s\n", err->message);
    exit(2);
}

static result search(hd_module *module, const request *asked) {
    static char *arguments[] = {(char *)"program", NULL};
    hd_err err = {0};
    hd_machine_options options = hd_machine_defaults();
    options.argc = 1;
    options.argv = arguments;
    hd_graph *graph = hd_graph_new(false);
    hd_variables *variables = hd_variables_new();
    hd_machine *machine = hd_machine_new(module, graph, variables, &options, &err);
    check(machine != NULL, &err);
    hd_chain_options solving = hd_chain_defaults();
    hd_chain *chain = hd_chain_new(graph, variables, &solving);
    hd_explorer *explorer =
        hd_explorer_new(graph, variables, chain,
                        &(hd_explorer_options){.is_threaded = module->image->is_threaded,
                                               .reduction = asked->reduction});
    hd_sink sink = hd_explorer_sink(explorer);
    hd_model model = {0};
    static hd_outcome outcome;
    double began = hd_clock_cpu();
    const hd_explorer_counters *c = hd_explorer_counted(explorer);
    while (c->executions < asked->most && hd_explorer_next(explorer, &model)) {
        hd_machine_run(machine, &model, &sink, &outcome);
        hd_explorer_done(explorer, &outcome, &model);
    }
    result r = {c->executions, c->paths, hd_clock_cpu() - began};
    hd_explorer_free(explorer);
    hd_chain_free(chain);
    hd_model_release(&model);
    hd_machine_free(machine);
    hd_variables_free(variables);
    hd_graph_free(graph);
    return r;
}

static void print(const result *r) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("executions %lu  classes %lu  microseconds %.3f  kilobytes %ld\n", r->executions,
           r->classes, r->seconds * 1e6 / (double)r->executions, usage.ru_maxrss);
}

int main(int argc, char **argv) {
    hd_err err = {0};
    request r = read_request(argv + 1);
    if (argc < 2 || !r.file) {
        fprintf(stderr,
                "usage: cost [-n EXECUTIONS] [-r] [-p REDUCTION] [-DNAME=VALUE...] FILE.c\n");
        return 2;
    }
    hd_compile_request what = {
        .sources = &r.file, .n_sources = 1, .options = r.flags, .n_options = r.n_flags};
    static hd_compile_result compiled;
    hd_module module;
    check(hd_compile(&what, &compiled, &err), &err);
    check(hd_module_load(&module, compiled.directory, &err), &err);
    double began = hd_clock_now();
    result best = search(&module, &r);
    while (r.repeats && hd_clock_now() < began + 1) {
        result again = search(&module, &r);
        best = again.seconds < best.seconds ? again : best;
    }
    print(&best);
    hd_module_unload(&module);
    return 0;
}
