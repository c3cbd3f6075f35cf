/* Searches in parts against the single search, without the machine: random little programs that ask
 * for inputs as they go, some on some paths only, are interpreted here, telling the explorer's sink
 * about every decision.  Whatever they are divided by (ssp and paths of random depths and sizes, or
 * conditions that overlap and leave inputs out), the parts and what they leave out come to the same
 * paths together; paths have the same names in all parts; parts of some inputs come to no others.
 * Parts are also left and gone on with elsewhere, and split.
 *
 *     property_partition [seed [count]]     (SOAK: many more) */
#include "base/hash.h"
#include "base/map.h"
#include "base/pack.h"
#include "base/panic.h"
#include "partition/cover.h"
#include "partition/part_file.h"
#include "partition/shallow.h"
#include "partition/ssp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_REGISTERS = 4, MAX_STATEMENTS = 12 };

/* ask: r[target] = input.  Otherwise: if (r[a] OP constant-or-r[b]) r[target] = r[c] OP2 k, and
 * skip `skip` statements; a check goes on in the same way whether it holds or not; an assumption
 * ends the execution where it does not. */
typedef enum statement_kind { ASK, ASK_BIT, BRANCH, CHECK, ASSUME } statement_kind;
typedef struct statement {
    statement_kind kind;
    hd_op compare, compute;
    uint8_t a, b, c, target, skip, constant, k;
    bool with_constant;
} statement;

typedef struct program {
    statement at[MAX_STATEMENTS];
    int n;
} program;

static uint64_t below(uint64_t *random, uint64_t n) {
    return hd_random_next(random) % n;
}

static statement_kind random_kind(uint64_t *random, int i, bool with_checks) {
    uint64_t n = below(random, 12);
    if (i == 0)
        return ASK;
    return n < 2                   ? ASK
           : n == 2                ? ASK_BIT
           : n == 3                ? ASSUME
           : n == 4 && with_checks ? CHECK
                                   : BRANCH;
}

static program random_program(uint64_t *random, bool with_checks) {
    static const hd_op compares[] = {HD_OP_EQ,  HD_OP_EQ,  HD_OP_ULT,
                                     HD_OP_ULE, HD_OP_SLT, HD_OP_SLE};
    static const hd_op computes[] = {HD_OP_ADD, HD_OP_XOR, HD_OP_MUL, HD_OP_AND, HD_OP_UDIV};
    program p = {.n = 4 + (int)below(random, MAX_STATEMENTS - 3)};
    for (int i = 0; i < p.n; i++)
        p.at[i] = (statement){.kind = random_kind(random, i, with_checks),
                              .compare = compares[below(random, 6)],
                              .compute = computes[below(random, 5)],
                              .a = (uint8_t)below(random, N_REGISTERS),
                              .b = (uint8_t)below(random, N_REGISTERS),
                              .c = (uint8_t)below(random, N_REGISTERS),
                              .target = (uint8_t)below(random, N_REGISTERS),
                              .skip = (uint8_t)below(random, 3),
                              .constant = (uint8_t)below(random, 6),
                              .k = (uint8_t)(1 + below(random, 9)),
                              .with_constant = below(random, 3) > 0};
    return p;
}

/* ---- executions ---- */

typedef struct world {
    const program *program;
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_explorer *explorer;
    hd_eval *eval;
    uint64_t path; /* of the last execution: which branches were taken, checks left out */
} world;

typedef struct execution {
    world *w;
    hd_model *model;
    const hd_sink *sink;
    hd_expr r[N_REGISTERS];
    uint32_t n_inputs;
} execution;

static void ask(execution *x, const statement *s) {
    world *w = x->w;
    unsigned width = s->kind == ASK_BIT ? 1 : 8;
    hd_var v = hd_variables_root(w->variables, x->n_inputs++, HD_VAR_INTEGER, width, 0,
                                 width == 1 ? "b" : "x");
    if (!hd_model_has(x->model, v))
        hd_model_set(x->model, v, hd_mix(v) & 7 & hd_mask(width));
    x->r[s->target] = hd_expr_zext(w->graph, hd_expr_var(w->graph, v, width), 8);
}

static bool decide(execution *x, const statement *s, uint32_t site) {
    world *w = x->w;
    hd_expr y = s->with_constant ? hd_expr_const(w->graph, 8, s->constant) : x->r[s->b];
    hd_expr e = hd_expr_binary(w->graph, s->compare, x->r[s->a], y);
    bool taken = hd_eval_value(w->eval, e);
    hd_branch_kind kind = s->kind == CHECK    ? HD_BRANCH_CHECK
                          : s->kind == ASSUME ? HD_BRANCH_ASSUME
                                              : HD_BRANCH_PROGRAM;
    if (!hd_expr_is_const(w->graph, e))
        x->sink->branch(x->sink->context, site, e, taken, kind);
    if (s->kind != CHECK)
        w->path = hd_hash_add(w->path, (uint64_t)site * 2 + taken);
    return taken;
}

static void compute(execution *x, const statement *s) {
    hd_expr k = hd_expr_const(x->w->graph, 8, s->k);
    x->r[s->target] = hd_expr_binary(x->w->graph, s->compute, x->r[s->c], k);
}

static void run(void *context, hd_model *model, const hd_sink *sink, hd_outcome *outcome) {
    world *w = context;
    execution x = {.w = w, .model = model, .sink = sink};
    *outcome = (hd_outcome){.end = HD_END_EXIT};
    w->path = 1;
    for (int i = 0; i < N_REGISTERS; i++)
        x.r[i] = hd_expr_const(w->graph, 8, (uint64_t)i);
    hd_eval_begin(w->eval, model);
    for (int i = 0; i < w->program->n && outcome->end == HD_END_EXIT; i++) {
        const statement *s = &w->program->at[i];
        if (s->kind == ASK || s->kind == ASK_BIT) {
            ask(&x, s);
            continue;
        }
        bool taken = decide(&x, s, (uint32_t)i + 1);
        if (s->kind == ASSUME && !taken)
            outcome->end = HD_END_REJECTED;
        if (s->kind != BRANCH || !taken)
            continue;
        compute(&x, s);
        i += s->skip;
    }
}

static void open_world(world *w, const program *p, hd_strategy strategy, uint64_t seed) {
    hd_chain_options options = hd_chain_defaults();
    *w = (world){.program = p, .graph = hd_graph_new(false), .variables = hd_variables_new()};
    w->chain = hd_chain_new(w->graph, w->variables, &options);
    w->eval = hd_eval_new(w->graph);
    w->explorer = hd_explorer_new(
        w->graph, w->variables, w->chain,
        &(hd_explorer_options){.strategy = strategy, .seed = seed, .names_paths = true});
}

static void close_world(world *w) {
    hd_explorer_free(w->explorer);
    hd_eval_free(w->eval);
    hd_chain_free(w->chain);
    hd_variables_free(w->variables);
    hd_graph_free(w->graph);
}

/* ---- searches ---- */

typedef struct found {
    hd_map paths; /* as they were executed, */
    hd_map names; /* and as the explorer calls them */
    uint64_t n_counted;
} found;

static void release_found(found *f) {
    hd_map_release(&f->paths);
    hd_map_release(&f->names);
}

static void take_names(hd_explorer *x, found *f) {
    hd_text names = {0};
    hd_explorer_take_classes(x, &names);
    hd_unpack u = hd_unpack_from(names.at, names.n);
    for (size_t i = 0; i < names.n / 8; i++)
        hd_map_put(&f->names, hd_unpack_u64(&u) & INT64_MAX, 1);
    hd_text_release(&names);
}

typedef hd_vec(hd_text) journals;

static void save_or_split(world *w, journals *waiting, uint64_t *random, found *f) {
    hd_text bytes = {0};
    hd_err err;
    if (below(random, 6) == 0 && hd_explorer_split(w->explorer, &bytes)) {
        hd_vec_push(waiting, bytes);
        return;
    }
    hd_text_release(&bytes);
    if (below(random, 40))
        return;
    hd_explorer_options options = {.strategy = HD_STRATEGY_DFS, .names_paths = true};
    take_names(w->explorer, f);
    f->n_counted += hd_explorer_counted(w->explorer)->paths;
    hd_explorer_save(w->explorer, &bytes);
    hd_explorer_free(w->explorer);
    w->explorer = hd_explorer_new(w->graph, w->variables, w->chain, &options);
    HD_ASSERT(hd_explorer_restore(w->explorer, bytes.at, bytes.n, &err));
    f->n_counted -= hd_explorer_counted(w->explorer)->paths;
    hd_text_release(&bytes);
}

/* Runs the world's search to its end; parts of it that are split off wait. */
static void search(world *w, journals *waiting, uint64_t *random, found *f) {
    hd_model model = {0};
    hd_outcome outcome;
    f->n_counted -= hd_explorer_counted(w->explorer)->paths;
    while (hd_explorer_next(w->explorer, &model)) {
        hd_sink sink = hd_explorer_sink(w->explorer);
        bool counts = !hd_explorer_is_rebuilding(w->explorer);
        run(w, &model, &sink, &outcome);
        hd_explorer_done(w->explorer, &outcome, &model);
        if (counts && outcome.end == HD_END_EXIT)
            hd_map_put(&f->paths, w->path & INT64_MAX, 1);
        if (waiting)
            save_or_split(w, waiting, random, f);
        if (waiting && below(random, 9) == 0)
            hd_explorer_compact(w->explorer);
    }
    HD_ASSERT(hd_explorer_is_complete(w->explorer));
    take_names(w->explorer, f);
    f->n_counted += hd_explorer_counted(w->explorer)->paths;
    hd_model_release(&model);
}

static void search_journal(const program *p, hd_text *journal, journals *waiting, uint64_t *random,
                           found *f) {
    world w;
    hd_err err;
    open_world(&w, p, (hd_strategy)below(random, HD_N_STRATEGIES), 1);
    HD_ASSERT(hd_explorer_restore(w.explorer, journal->at, journal->n, &err));
    hd_text_release(journal);
    search(&w, waiting, random, f);
    close_world(&w);
}

/* ---- parts ---- */

static hd_expr random_condition(const world *w, uint64_t *random) {
    static const hd_op compares[] = {HD_OP_EQ, HD_OP_ULT, HD_OP_SLE};
    hd_var v = (hd_var)below(random, hd_variables_n(w->variables));
    unsigned width = hd_variables_info(w->variables, v)->width;
    hd_expr x = hd_expr_var(w->graph, v, width);
    hd_expr c = hd_expr_const(w->graph, width, below(random, 8) & hd_mask(width));
    hd_expr e = hd_expr_binary(w->graph, width == 1 ? HD_OP_EQ : compares[below(random, 3)], x, c);
    return below(random, 2) ? e : hd_expr_not(w->graph, e);
}

/* Conditions of a user: they overlap, leave something out, and contradict each other. */
static void make_random_parts(const world *w, uint64_t *random, hd_division *parts) {
    for (uint64_t n = below(random, 5); hd_variables_n(w->variables) && n > 0; n--) {
        hd_conditions part = {0};
        for (uint64_t k = 1 + below(random, 3); k > 0; k--)
            hd_conditions_add(w->graph, &part, random_condition(w, random));
        hd_vec_push(parts, part);
    }
}

static void take_all(hd_division *to, hd_division *from) {
    for (size_t i = 0; i < from->n; i++)
        hd_vec_push(to, from->at[i]);
    hd_vec_release(from);
}

/* ssp, paths or random parts; those of the first two are written and read again now and then. */
static void make_parts(world *w, uint64_t *random, hd_division *parts) {
    uint32_t depth = 1 + (uint32_t)below(random, 7);
    hd_names names = {w->graph, w->variables, NULL};
    hd_explorer_options options = {.strategy = HD_STRATEGY_DFS, .depth = depth};
    hd_explorer *x = hd_explorer_new(w->graph, w->variables, w->chain, &options);
    hd_shallow shallow;
    hd_err err;
    HD_ASSERT(hd_shallow_explore((hd_executor){w, run}, x, &names, depth, 0, &shallow, &err));
    hd_explorer_free(x);
    uint64_t how = below(random, 3);
    hd_ssp ssp = {0};
    if (how == 0) {
        hd_ssp_make(w->graph, &shallow.deep, &shallow.assumed, 1 + below(random, 20), &ssp);
        take_all(parts, &ssp.queue);
    } else if (how == 1) {
        take_all(parts, &shallow.deep);
        take_all(parts, &shallow.ended);
    } else
        make_random_parts(w, random, parts);
    hd_ssp_release(&ssp);
    hd_shallow_release(&shallow);
    if (parts->n && below(random, 2)) {
        hd_text text = {0};
        hd_division_print(&names, parts, (hd_part_format)below(random, 2), &text);
        hd_division_release(parts);
        HD_ASSERT(hd_division_parse(&names, "parts", text.at, parts, &err));
        hd_text_release(&text);
    }
}

static void save_part(const world *w, const hd_conditions *part, journals *out) {
    hd_text journal = {0};
    hd_explorer *x = hd_explorer_new(w->graph, w->variables, w->chain, &(hd_explorer_options){0});
    hd_explorer_assume(x, part->at, (uint32_t)part->n);
    hd_explorer_save(x, &journal);
    hd_explorer_free(x);
    hd_vec_push(out, journal);
}

/* Journals of the parts; the last one is of what they leave out, if that is anything. */
static bool divide(const program *p, uint64_t *random, journals *out) {
    world w;
    hd_division parts = {0};
    hd_conditions rest = {0};
    hd_model model = {0};
    open_world(&w, p, HD_STRATEGY_DFS, 1);
    make_parts(&w, random, &parts);
    hd_division_drop_empty(&(hd_cover){w.graph, w.chain}, &parts);
    hd_division_make_rest(w.graph, &parts, &rest);
    bool has_rest = hd_conditions_solve(&(hd_cover){w.graph, w.chain}, &rest, &model) != HD_UNSAT;
    for (size_t i = 0; i < parts.n; i++)
        save_part(&w, &parts.at[i], out);
    if (has_rest)
        save_part(&w, &rest, out);
    hd_model_release(&model);
    hd_vec_release(&rest);
    hd_division_release(&parts);
    close_world(&w);
    return has_rest;
}

/* ---- comparing ---- */

static bool is_within(const hd_map *a, const hd_map *b) {
    for (size_t i = 0; i < a->capacity; i++)
        if (a->keys[i] != HD_MAP_EMPTY && !hd_map_find(b, a->keys[i]))
            return false;
    return true;
}

static bool is_same(const hd_map *a, const hd_map *b) {
    return a->n == b->n && is_within(a, b);
}

static uint64_t n_parts, n_shared; /* in all: parts, and paths that several have */

/* With checks the explorer runs some paths more than once, for what fails on them. */
static bool check_parts(const program *p, const found *whole, uint64_t *random, bool with_checks) {
    journals waiting = {0};
    found all = {0};
    bool has_rest = divide(p, random, &waiting), is_right = true;
    n_parts += waiting.n;
    hd_text rest = has_rest ? waiting.at[--waiting.n] : (hd_text){0};
    while (waiting.n) {
        hd_text journal = waiting.at[--waiting.n];
        search_journal(p, &journal, &waiting, random, &all);
    }
    is_right = is_within(&all.paths, &whole->paths);
    if (has_rest)
        hd_vec_push(&waiting, rest);
    while (waiting.n) {
        hd_text journal = waiting.at[--waiting.n];
        search_journal(p, &journal, &waiting, random, &all);
    }
    is_right &= is_same(&all.paths, &whole->paths);
    is_right &= with_checks || is_same(&all.names, &whole->names);
    n_shared += all.n_counted - all.names.n;
    hd_vec_release(&waiting);
    release_found(&all);
    return is_right;
}

static bool check(uint64_t seed) {
    uint64_t random = seed;
    bool with_checks = seed % 4 == 0, is_right = true;
    program p = random_program(&random, with_checks);
    found whole = {0};
    world w;
    open_world(&w, &p, HD_STRATEGY_DFS, 1);
    search(&w, NULL, NULL, &whole);
    close_world(&w);
    HD_ASSERT(with_checks || (whole.names.n == whole.paths.n && whole.n_counted == whole.names.n));
    for (int i = 0; i < 4 && is_right; i++)
        is_right = check_parts(&p, &whole, &random, with_checks);
    release_found(&whole);
    return is_right;
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : getenv("SOAK") ? 20000 : 600;
    for (uint64_t i = 0; i < count; i++)
        if (!check(seed + i)) {
            printf("seed %llu: the parts do not come to the same paths\n",
                   (unsigned long long)(seed + i));
            return 1;
        }
    printf("%llu random programs in %llu parts: together they come to the same paths, %llu of them "
           "more than once\n",
           (unsigned long long)count, (unsigned long long)n_parts, (unsigned long long)n_shared);
    return n_parts < count || !n_shared; /* else nothing was shown */
}
