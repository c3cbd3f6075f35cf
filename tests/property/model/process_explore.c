/* Explorations, each in a child of its own: one module in memory is enough for all of them, and a
 * search that goes wrong takes nothing else down. */
#include "property/model/process_explore.h"

#include "tool/patience.h"

#include "base/hash.h"
#include "base/map.h"
#include "compile/compile.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 60 };

static hd_module module;

bool explore_load(const char *source, hd_err *err) {
    hd_compile_request request = {.sources = &source, .n_sources = 1};
    hd_compile_result compiled;
    return hd_compile(&request, &compiled, err) && hd_module_load(&module, compiled.directory, err);
}

/* ---- In the child ---------------------------------------------------------------------------- */

typedef struct search {
    hd_machine *machine;
    hd_explorer *explorer;
    hd_graph *graph;
    hd_variables *variables;
    hd_explorer_options options;
    hd_vec(hd_text) parts; /* journals of what was given away */
    uint64_t n_run, generation;
    hd_outcome outcome;
    explored found;
    hd_map index;               /* outcome -> its number + 1 */
    hd_map classes;             /* that were seen */
    hd_vec(uint64_t) counts;    /* of labels before the execution */
    hd_vec(const char *) names; /* of the labels of the execution */
} search;

static int compare_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int compare_outcomes(const void *a, const void *b) {
    return strcmp(((const explored_outcome *)a)->text, ((const explored_outcome *)b)->text);
}

static void note_labels(search *s) {
    uint32_t n;
    const hd_label *labels = hd_machine_labels(s->machine, &n);
    hd_vec_clear(&s->names);
    for (uint32_t i = 0; i < n; i++) {
        if (i >= s->counts.n)
            hd_vec_push(&s->counts, 0);
        if (labels[i].count != s->counts.at[i])
            hd_vec_push(&s->names, labels[i].name);
        s->counts.at[i] = labels[i].count;
    }
    if (s->names.n)
        qsort(s->names.at, s->names.n, sizeof *s->names.at, compare_text);
}

static char *failure_text(const hd_failure *f) {
    return hd_text_format("%s:%u", hd_finding_kind_name(f->finding.kind), f->finding.line);
}

/* The order of failures depends on the order of events that do not matter to each other: only what
 * a class as a whole decides belongs to its outcome. */
static void add_failures(const search *s, hd_text *out) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(s->machine, &n);
    hd_vec(char *) words = {0};
    for (uint32_t i = 0; i < n; i++)
        hd_vec_push(&words, failure_text(&failures[i]));
    if (n)
        qsort(words.at, n, sizeof *words.at, compare_text);
    for (uint32_t i = 0; i < n; i++) {
        hd_text_add(out, "%s ", words.at[i]);
        free(words.at[i]);
    }
    hd_vec_release(&words);
}

static void add_crashes(const search *s, hd_text *out) {
    uint32_t n;
    const hd_fault_event *faults = hd_machine_faults(s->machine, &n);
    for (uint32_t p = 0; p <= HD_MOST_NODES && n; p++)
        for (uint32_t i = 0; i < n; i++)
            if (hd_fault_subject_of(faults[i].kind) == HD_FAULT_OF_NODES && faults[i].to == p)
                hd_text_add(out, "%s:%u ", hd_fault_word(faults[i].kind), p);
}

static char *outcome_text(const search *s) {
    hd_text text = {0};
    for (size_t i = 0; i < s->names.n; i++)
        hd_text_add(&text, "%s ", s->names.at[i]);
    add_failures(s, &text);
    add_crashes(s, &text);
    return hd_text_add(&text, "%s", ""), text.at;
}

static void note_outcome(search *s) {
    char *text = outcome_text(s);
    uint64_t hash = hd_hash_bytes(1, text, strlen(text)) >> 1;
    uint64_t class = hd_explorer_class_hash(s->explorer) >> 1;
    uint64_t *known = hd_map_find(&s->index, hash);
    if (!known) {
        hd_vec_push(&s->found.outcomes, ((explored_outcome){text, 0}));
        hd_map_put(&s->index, hash, s->found.outcomes.n);
    }
    uint64_t number = known ? *known : s->found.outcomes.n;
    if (known)
        free(text);
    if (hd_map_find(&s->classes, class))
        return;
    hd_map_put(&s->classes, class, 1);
    s->found.outcomes.at[number - 1].n_classes++;
}

/* Adds it if it is not there yet. */
#define ADD_ONCE(list, words)                                                                      \
    do {                                                                                           \
        char *new_ = (words);                                                                      \
        bool is_there_ = false;                                                                    \
        for (size_t i_ = 0; i_ < (list)->n; i_++)                                                  \
            is_there_ |= strcmp((list)->at[i_], new_) == 0;                                        \
        if (is_there_)                                                                             \
            free(new_);                                                                            \
        else                                                                                       \
            hd_vec_push((list), new_);                                                             \
    } while (0)

static void note_execution(search *s) {
    uint32_t n;
    note_labels(s);
    if (s->outcome.end != HD_END_EXIT && s->outcome.end != HD_END_FINDING)
        return;
    note_outcome(s);
    const hd_failure *failures = hd_machine_failures(s->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        ADD_ONCE(&s->found.findings, failure_text(&failures[i]));
}

static void note_losses(search *s) {
    uint32_t n;
    const hd_approximation *lost = hd_machine_approximations(s->machine, &n);
    for (uint32_t i = 0; i < n; i++)
        ADD_ONCE(&s->found.losses, hd_text_format("%s", lost[i].what));
}

static void count(search *s) {
    const hd_explorer_counters *c = hd_explorer_counted(s->explorer);
    explored *e = &s->found;
    e->executions = c->executions;
    e->redundant = c->redundant;
    e->mispredicted += c->mispredicted;
    e->classes = s->classes.n;
    e->is_complete &= hd_explorer_is_complete(s->explorer);
}

/* The search begins again, knowing more: what it saw before does not count. */
static void forget(search *s) {
    for (size_t i = 0; i < s->found.outcomes.n; i++)
        free(s->found.outcomes.at[i].text);
    hd_vec_clear(&s->found.outcomes);
    hd_map_clear(&s->index);
    hd_map_clear(&s->classes);
}

static void new_explorer(search *s) {
    hd_chain_options chain = hd_chain_defaults();
    s->explorer = hd_explorer_new(s->graph, s->variables,
                                  hd_chain_new(s->graph, s->variables, &chain), &s->options);
}

/* Another search goes on with what the journal says. */
static void go_on_with(search *s, hd_text *journal) {
    hd_err err = {0};
    hd_explorer_free(s->explorer);
    new_explorer(s);
    if (!hd_explorer_restore(s->explorer, journal->at, journal->n, &err))
        _exit(1);
    hd_text_release(journal);
    s->generation = hd_explorer_generation(s->explorer);
}

static bool take_part(search *s) {
    if (!s->parts.n)
        return false;
    count(s);
    go_on_with(s, &s->parts.at[--s->parts.n]);
    return true;
}

/* Others would have a search that began anew again. */
static void drop_parts(search *s) {
    if (hd_explorer_generation(s->explorer) == s->generation)
        return;
    s->generation = hd_explorer_generation(s->explorer);
    while (s->parts.n)
        hd_text_release(&s->parts.at[--s->parts.n]);
    forget(s);
}

/* Something is given away after every other execution; the rest is saved after some. */
static void share(search *s) {
    hd_text text = {0};
    if (hd_explorer_is_rebuilding(s->explorer))
        return;
    if (s->n_run % 2 && hd_explorer_split(s->explorer, &text)) {
        hd_vec_push(&s->parts, text);
    } else if (s->n_run % 5 == 0) {
        hd_explorer_save(s->explorer, &text);
        go_on_with(s, &text);
    }
}

static void explore(search *s, const exploration *x) {
    hd_model model = {0};
    s->found.is_complete = true;
    while (s->n_run++ < x->max_executions) {
        hd_sink sink = hd_explorer_sink(s->explorer);
        if (!hd_explorer_next(s->explorer, &model)) {
            if (take_part(s))
                continue;
            s->found.is_finished = true;
            break;
        }
        drop_parts(s);
        bool is_again = hd_explorer_is_rebuilding(s->explorer);
        hd_machine_run(s->machine, &model, &sink, &s->outcome);
        hd_explorer_done(s->explorer, &s->outcome, &model);
        if (s->outcome.end == HD_END_RETRY && s->outcome.retry_thread == HD_RETRY_ALL)
            forget(s);
        if (!is_again)
            note_execution(s);
        else
            note_labels(s);
        if (x->is_shared)
            share(s);
    }
    count(s);
    note_losses(s);
}

/* One line each; no text has a newline in it. */
static void write_explored(explored *e, FILE *to) {
    fprintf(to, "n %d %d %llu %llu %llu %llu\n", e->is_finished, e->is_complete,
            (unsigned long long)e->executions, (unsigned long long)e->classes,
            (unsigned long long)e->redundant, (unsigned long long)e->mispredicted);
    if (e->outcomes.n)
        qsort(e->outcomes.at, e->outcomes.n, sizeof *e->outcomes.at, compare_outcomes);
    for (size_t i = 0; i < e->outcomes.n; i++)
        fprintf(to, "o %llu %s\n", (unsigned long long)e->outcomes.at[i].n_classes,
                e->outcomes.at[i].text);
    for (size_t i = 0; i < e->findings.n; i++)
        fprintf(to, "f %s\n", e->findings.at[i]);
    for (size_t i = 0; i < e->losses.n; i++)
        fprintf(to, "l %s\n", e->losses.at[i]);
    fprintf(to, ".\n");
}

static _Noreturn void run_child(const exploration *x, int to) {
    static search s;
    hd_err err = {0};
    hd_machine_options options = hd_machine_defaults();
    s.options = (hd_explorer_options){
        .strategy = HD_STRATEGY_DFS, .is_threaded = true, .reduction = x->reduction, .seed = 1};
    options.argc = x->argc;
    options.argv = x->argv;
    options.timeouts = x->timeouts;
    options.partial_io = x->partial_io;
    options.check_leaks = false;
    options.external = "get_phys_pages";
    options.nodes = x->nodes;
    options.n_nodes = x->n_nodes;
    options.links = x->link;
    options.n_links = x->link != NULL;
    options.faults = x->faults;
    options.n_faults = x->n_faults;
    limit_seconds(SECONDS);
    s.graph = hd_graph_new(false);
    s.variables = hd_variables_new();
    s.machine = hd_machine_new(&module, s.graph, s.variables, &options, &err);
    if (!s.machine)
        _exit(1);
    new_explorer(&s);
    explore(&s, x);
    FILE *stream = fdopen(to, "w");
    write_explored(&s.found, stream);
    fflush(stream);
    _exit(0);
}

/* ---- In the parent --------------------------------------------------------------------------- */

static bool read_line(char *line, explored *out) {
    int finished, complete, at = 0;
    unsigned long long n[4];
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == 'n' && sscanf(line, "n %d %d %llu %llu %llu %llu", &finished, &complete, &n[0],
                                 &n[1], &n[2], &n[3]) == 6) {
        out->is_finished = finished;
        out->is_complete = complete;
        out->executions = n[0];
        out->classes = n[1];
        out->redundant = n[2];
        out->mispredicted = n[3];
    } else if (line[0] == 'o' && sscanf(line, "o %llu %n", &n[0], &at) == 1) {
        hd_vec_push(&out->outcomes, ((explored_outcome){strdup(line + at), n[0]}));
    } else if (line[0] == 'f') {
        hd_vec_push(&out->findings, strdup(line + 2));
    } else if (line[0] == 'l') {
        hd_vec_push(&out->losses, strdup(line + 2));
    }
    return line[0] == '.';
}

static bool read_explored(int from, explored *out) {
    FILE *stream = fdopen(from, "r");
    char *line = NULL;
    size_t size = 0;
    bool is_whole = false;
    while (stream && getline(&line, &size, stream) > 0)
        is_whole |= read_line(line, out);
    free(line);
    if (stream)
        fclose(stream);
    if (out->findings.n)
        qsort(out->findings.at, out->findings.n, sizeof *out->findings.at, compare_text);
    if (out->losses.n)
        qsort(out->losses.at, out->losses.n, sizeof *out->losses.at, compare_text);
    return is_whole;
}

bool explore_run(const exploration *x, explored *out) {
    int ends[2], status;
    *out = (explored){0};
    fflush(NULL);
    if (pipe(ends) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        run_child(x, ends[1]);
    }
    close(ends[1]);
    bool is_whole = read_explored(ends[0], out);
    return waitpid(pid, &status, 0) == pid && status == 0 && is_whole;
}

void explored_release(explored *e) {
    for (size_t i = 0; i < e->outcomes.n; i++)
        free(e->outcomes.at[i].text);
    for (size_t i = 0; i < e->findings.n; i++)
        free(e->findings.at[i]);
    for (size_t i = 0; i < e->losses.n; i++)
        free(e->losses.at[i]);
    hd_vec_release(&e->outcomes);
    hd_vec_release(&e->findings);
    hd_vec_release(&e->losses);
}
