/* A scenario on its way to a run. */
#include "cli/given_scenario.h"

#include "cli/gathered_sources.h"
#include "cli/time_left.h"

#include <string.h>

static bool refuse(const char *what, const char *hint, hd_err *err) {
    hd_err_set(err, "%s cannot be combined with '--net'", what);
    return hd_err_hint(err, "%s", hint);
}

/* A fault that is chosen when a datagram is sent does not know how many its receiver gets before.
 */
static bool fit_all_orders(const hd_scenario *s, hd_err *err) {
    for (size_t i = 0; i < s->faults.n; i++)
        if (s->faults.at[i].received) {
            hd_err_set(err,
                       "which datagram is number %u that a node receives is open until it "
                       "arrives: rules with 'received' need '--orders time'",
                       s->faults.at[i].received);
            return hd_err_hint(err, "add '--orders time', or write 'nth', which counts what one "
                                    "node sends to another");
        }
    return true;
}

/* With '--timeouts any' no clock moves: nothing would ever be late. */
static bool fit_timeouts(const hd_run_values *v, const hd_scenario *s, hd_err *err) {
    for (size_t i = 0; v->timeouts == HD_TIMEOUTS_ANY && i < s->assertions.n; i++)
        if (s->assertions.at[i].within) {
            hd_err_set(err,
                       "%s:%u:%u: an assertion 'within' a time, and with '--timeouts any' no time "
                       "passes",
                       s->path, s->assertions.at[i].line, s->assertions.at[i].column);
            return hd_err_hint(err, "leave '--timeouts any' out, or 'within'");
        }
    return true;
}

bool hd_network_read(const hd_run_values *v, const hd_arguments *a, hd_scenario *scenario,
                     hd_err *err) {
    if (a->files.n) {
        hd_err_set(err, "'%s' cannot be combined with '--net'", a->files.at[0]);
        return hd_err_hint(err, "the scenario names the programs of its nodes");
    }
    if (v->function)
        return refuse("option '--function'", "every node runs the main of its program", err);
    if (a->program.n)
        return refuse("what follows '--'", "the scenario has 'arguments:' for each node", err);
    if (!hd_scenario_read_with(scenario, v->net, v->fault, err))
        return false;
    if (fit_timeouts(v, scenario, err) &&
        (v->orders != HD_ORDERS_ALL || fit_all_orders(scenario, err)))
        return true;
    hd_scenario_release(scenario);
    return false;
}

/* ---- compiling ---- */

typedef struct request {
    hd_vec(hd_compile_program) programs;
    hd_vec(hd_gathered_sources) gathered; /* of each of them */
} request;

/* Program 0 has the assertions of the scenario among its sources. */
static bool add_program(request *r, const hd_scenario_program *p, const char *assertions,
                        hd_err *err) {
    hd_vec(const char *) files = {0};
    for (size_t i = 0; i < p->sources.n; i++)
        hd_vec_push(&files, p->sources.at[i]);
    if (assertions)
        hd_vec_push(&files, assertions);
    hd_gathered_sources g;
    bool ok = hd_sources_gather(&g, files.at, files.n, err);
    hd_compile_program made = {p->name,    (const char *const *)g.paths.at,
                               g.paths.n,  (const char *const *)p->flags.at,
                               p->flags.n, g.of_sources.at};
    hd_vec_push(&r->gathered, g);
    hd_vec_push(&r->programs, made);
    hd_vec_release(&files);
    return ok;
}

static void release_request(request *r) {
    for (size_t i = 0; i < r->gathered.n; i++)
        hd_gathered_sources_release(&r->gathered.at[i]);
    hd_vec_release(&r->gathered);
    hd_vec_release(&r->programs);
}

bool hd_network_compile(const hd_scenario *s, const hd_arguments *a, const char *checks,
                        const char *allow, hd_compile_result *module, hd_err *err) {
    request r = {0};
    hd_text source = {0};
    char path[4096];
    hd_scenario_assertion_source(s, &source);
    bool ok = source.n == 0 || hd_compile_keep_source(hd_text_string(&source), path, err);
    for (size_t i = 0; ok && i < s->programs.n; i++)
        ok = add_program(&r, &s->programs.at[i], source.n && i == 0 ? path : NULL, err);
    hd_compile_request whole = {.programs = r.programs.at,
                                .n_programs = r.programs.n,
                                .options = a->compiler.at,
                                .n_options = a->compiler.n,
                                .checks = checks,
                                .allow = allow,
                                .deadline = hd_time_deadline()};
    ok = ok && hd_compile(&whole, module, err);
    release_request(&r);
    hd_text_release(&source);
    return ok;
}

/* ---- keeping ---- */

static char *copy(const char *text) {
    return hd_text_format("%s", text);
}

/* A list ended by NULL, with `first` in front if that is not NULL. */
static char **copy_list(const char *first, const hd_word_list *words) {
    hd_word_list made = {0};
    if (first)
        hd_vec_push(&made, copy(first));
    for (size_t i = 0; i < words->n; i++)
        hd_vec_push(&made, copy(words->at[i]));
    hd_vec_push(&made, NULL);
    return made.at;
}

static void keep_node(hd_kept_options *kept, const hd_scenario *s, const hd_scenario_node *n) {
    hd_network_node node = {.name = copy(n->name),
                            .program = n->program,
                            .argc = 1 + (int)n->arguments.n,
                            .argv = copy_list(s->programs.at[n->program].name, &n->arguments),
                            .environment = copy_list(NULL, &n->environment),
                            .address = copy(n->address),
                            .input = n->input ? copy(n->input) : NULL,
                            .after = n->after,
                            .may_idle = n->may_idle,
                            .files = n->files,
                            .root = n->root ? copy(n->root) : NULL};
    hd_vec_push(&kept->nodes, node);
}

static bool is_kept(const hd_kept_options *kept, const char *path) {
    for (size_t i = 0; i < kept->sources.n; i++)
        if (strcmp(kept->sources.at[i].path, path) == 0)
            return true;
    return false;
}

static void keep_source(hd_kept_options *kept, const char *source) {
    char *path = realpath(source, NULL);
    if (!path)
        path = copy(source);
    if (is_kept(kept, path)) {
        free(path);
        return;
    }
    hd_kept_source made = {path, hd_file_hash(source)};
    hd_vec_push(&kept->sources, made);
}

void hd_network_keep(const hd_scenario *s, hd_kept_options *kept) {
    for (size_t i = 0; i < s->nodes.n; i++)
        keep_node(kept, s, &s->nodes.at[i]);
    for (size_t i = 0; i < s->links.n; i++)
        hd_vec_push(&kept->links, s->links.at[i]);
    for (size_t i = 0; i < s->faults.n; i++)
        hd_vec_push(&kept->faults, s->faults.at[i]);
    for (size_t i = 0; i < s->programs.n; i++)
        for (size_t j = 0; j < s->programs.at[i].sources.n; j++)
            keep_source(kept, s->programs.at[i].sources.at[j]);
}
