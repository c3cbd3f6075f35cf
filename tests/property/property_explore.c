/* The explorer against brute force, without the machine: random little programs of branches
 * and assignments over 8-bit inputs are interpreted here, telling the explorer's sink about
 * every decision.  Every strategy must run each path exactly once, also when the search is
 * saved and restored in the middle, and when it is split at random moments and its parts are run in
 * any order.
 *
 *     property_explore [seed [count]] */
#include "base/hash.h"
#include "base/panic.h"
#include "explore/explore.h"

#include <stdio.h>
#include <string.h>

enum { N_INPUTS = 2, N_REGISTERS = 4, MAX_STATEMENTS = 10 };

/* if (r[a] OP constant-or-r[b]) r[target] = r[c] OP2 k, and skip `skip` statements */
typedef struct statement {
    hd_op compare, compute;
    uint8_t a, b, c, target, skip;
    bool with_constant;
    uint8_t constant, k;
} statement;

typedef struct program {
    statement at[MAX_STATEMENTS];
    int n;
    bool has_assume;
} program;

static uint64_t below(uint64_t *random, uint64_t n) {
    return hd_random_next(random) % n;
}

static program random_program(uint64_t *random) {
    static const hd_op compares[] = {HD_OP_EQ, HD_OP_ULT, HD_OP_ULE, HD_OP_SLT, HD_OP_SLE};
    static const hd_op computes[] = {HD_OP_ADD, HD_OP_XOR, HD_OP_MUL, HD_OP_AND, HD_OP_LSHR};
    program p = {.n = 3 + (int)below(random, MAX_STATEMENTS - 3), .has_assume = below(random, 2)};
    for (int i = 0; i < p.n; i++)
        p.at[i] = (statement){.compare = compares[below(random, 5)],
                              .compute = computes[below(random, 5)],
                              .a = (uint8_t)below(random, N_REGISTERS),
                              .b = (uint8_t)below(random, N_REGISTERS),
                              .c = (uint8_t)below(random, N_REGISTERS),
                              .target = (uint8_t)below(random, N_REGISTERS),
                              .skip = (uint8_t)below(random, 3),
                              .with_constant = below(random, 3) > 0,
                              .constant = (uint8_t)hd_random_next(random),
                              .k = (uint8_t)hd_random_next(random)};
    return p;
}

/* ---- concrete: the path of one pair of inputs, as a hash; 0 if the assumption fails ---- */

static uint64_t concrete_path(const program *p, const uint8_t input[N_INPUTS]) {
    uint64_t r[N_REGISTERS] = {input[0], input[1], input[0], 7};
    uint64_t h = 1;
    if (p->has_assume && input[0] > 200)
        return 0;
    for (int i = 0; i < p->n; i++) {
        const statement *s = &p->at[i];
        uint64_t y = s->with_constant ? s->constant : r[s->b];
        bool taken = hd_op_apply(s->compare, 8, r[s->a], y);
        h = hd_hash_add(h, (uint64_t)i * 2 + taken);
        if (!taken)
            continue;
        r[s->target] = hd_op_apply(s->compute, 8, r[s->c], s->k);
        i += s->skip;
    }
    return h;
}

/* ---- the same, telling the sink ---- */

typedef struct world {
    hd_graph *graph;
    hd_variables *variables;
    hd_chain *chain;
    hd_explorer *explorer;
    uint64_t seed;
} world;

static void decide(world *w, const hd_sink *sink, uint32_t site, hd_expr e, bool taken,
                   hd_branch_kind kind) {
    if (!hd_expr_is_const(w->graph, e))
        sink->branch(sink->context, site, e, taken, kind);
}

static uint64_t execute(world *w, const program *p, hd_model *model, hd_outcome *outcome) {
    hd_sink sink = hd_explorer_sink(w->explorer);
    hd_expr r[N_REGISTERS];
    uint8_t input[N_INPUTS];
    *outcome = (hd_outcome){.end = HD_END_EXIT};
    for (uint32_t i = 0; i < N_INPUTS; i++) {
        hd_var v = hd_variables_root(w->variables, i, HD_VAR_INTEGER, 8, 0, "x");
        if (!hd_model_has(model, v))
            hd_model_set(model, v, hd_mix(w->seed + i) & 255);
        input[i] = (uint8_t)hd_model_get(model, v);
        r[i] = hd_expr_var(w->graph, v, 8);
    }
    hd_expr first = r[0];
    r[2] = r[0];
    r[3] = hd_expr_const(w->graph, 8, 7);
    hd_eval *ev = hd_eval_new(w->graph);
    hd_eval_begin(ev, model);
    if (p->has_assume) {
        hd_expr e = hd_expr_binary(w->graph, HD_OP_ULE, first, hd_expr_const(w->graph, 8, 200));
        decide(w, &sink, 999, e, input[0] <= 200, HD_BRANCH_ASSUME);
        if (input[0] > 200)
            outcome->end = HD_END_REJECTED;
    }
    for (int i = 0; i < p->n && outcome->end == HD_END_EXIT; i++) {
        const statement *s = &p->at[i];
        hd_expr y = s->with_constant ? hd_expr_const(w->graph, 8, s->constant) : r[s->b];
        hd_expr e = hd_expr_binary(w->graph, s->compare, r[s->a], y);
        bool taken = hd_eval_value(ev, e);
        decide(w, &sink, (uint32_t)i + 1, e, taken, HD_BRANCH_PROGRAM);
        if (!taken)
            continue;
        r[s->target] =
            hd_expr_binary(w->graph, s->compute, r[s->c], hd_expr_const(w->graph, 8, s->k));
        i += s->skip;
    }
    hd_eval_free(ev);
    return concrete_path(p, input);
}

/* What is asked for may change between any two executions, and must change nothing but their order. */
static uint8_t wanted[1000];

static void want_something_else(uint64_t random) {
    for (size_t i = 0; i < sizeof wanted; i++)
        wanted[i] = (hd_mix(random + i) & 3) == 0;
}

static void open_world(world *w, hd_strategy strategy, uint64_t seed) {
    hd_chain_options options = hd_chain_defaults();
    w->graph = hd_graph_new(false);
    w->variables = hd_variables_new();
    w->chain = hd_chain_new(w->graph, w->variables, &options);
    w->explorer = hd_explorer_new(w->graph, w->variables, w->chain,
                                  &(hd_explorer_options){.strategy = strategy,
                                                         .seed = seed,
                                                         .wanted = seed & 1 ? wanted : NULL,
                                                         .n_wanted = sizeof wanted});
    w->seed = seed;
}

static void close_world(world *w) {
    hd_explorer_free(w->explorer);
    hd_chain_free(w->chain);
    hd_variables_free(w->variables);
    hd_graph_free(w->graph);
}

/* Save, throw everything away, restore in a new world. */
static void move_house(world *w, hd_strategy strategy, uint64_t seed) {
    hd_text bytes = {0};
    hd_err err;
    uint64_t open = hd_explorer_counted(w->explorer)->open;
    hd_explorer_save(w->explorer, &bytes);
    close_world(w);
    open_world(w, strategy, seed);
    HD_ASSERT(hd_explorer_restore(w->explorer, bytes.at, bytes.n, &err));
    /* Stopped here, before anything is rebuilt, it has just as much left. */
    HD_ASSERT(hd_explorer_counted(w->explorer)->open == open);
    HD_ASSERT(!open || !hd_explorer_is_complete(w->explorer));
    hd_text_release(&bytes);
}

typedef struct path_set {
    hd_vec(uint64_t) at;
} path_set;

static int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_paths(path_set *s) {
    if (s->at.n)
        qsort(s->at.at, s->at.n, sizeof *s->at.at, compare_hashes);
}

static void brute_force(const program *p, path_set *out) {
    path_set all = {0};
    for (int x = 0; x < 256; x++)
        for (int y = 0; y < 256; y++) {
            uint64_t h = concrete_path(p, (uint8_t[]){(uint8_t)x, (uint8_t)y});
            if (h)
                hd_vec_push(&all.at, h);
        }
    sort_paths(&all);
    for (size_t i = 0; i < all.at.n; i++)
        if (!i || all.at.at[i] != all.at.at[i - 1])
            hd_vec_push(&out->at, all.at.at[i]);
    hd_vec_release(&all.at);
}

/* Explore everything; `interrupt` > 0 moves house after that many executions. */
static void explore(const program *p, hd_strategy strategy, uint64_t seed, uint64_t interrupt,
                    bool compact, path_set *out) {
    world w;
    hd_model model = {0};
    hd_outcome outcome;
    open_world(&w, strategy, seed);
    for (uint64_t n = 1; hd_explorer_next(w.explorer, &model); n++) {
        bool counts = !hd_explorer_is_rebuilding(w.explorer);
        uint64_t h = execute(&w, p, &model, &outcome);
        want_something_else(seed + n);
        hd_explorer_done(w.explorer, &outcome, &model);
        if (counts && h)
            hd_vec_push(&out->at, h);
        if (interrupt && n % interrupt == 0)
            move_house(&w, strategy, seed);
        if (compact && n % 3 == 0)
            hd_explorer_compact(w.explorer);
    }
    HD_ASSERT(hd_explorer_is_complete(w.explorer));
    HD_ASSERT(hd_explorer_counted(w.explorer)->paths == out->at.n);
    close_world(&w);
    hd_model_release(&model);
    sort_paths(out);
}

/* ---- in parts ---- */

typedef struct parts {
    world world;
    hd_vec(hd_text) waiting; /* journals */
    uint64_t random, n_paths;
} parts;

static void take_part(parts *p, hd_strategy strategy, uint64_t seed) {
    size_t i = below(&p->random, p->waiting.n);
    hd_text bytes = p->waiting.at[i];
    hd_err err;
    p->waiting.at[i] = p->waiting.at[--p->waiting.n];
    open_world(&p->world, strategy, seed);
    HD_ASSERT(hd_explorer_restore(p->world.explorer, bytes.at, bytes.n, &err));
    hd_text_release(&bytes);
}

/* The part under way waits, and another goes on. */
static void leave_part(parts *p, hd_strategy strategy, uint64_t seed) {
    hd_text bytes = {0};
    p->n_paths += hd_explorer_counted(p->world.explorer)->paths;
    hd_explorer_save(p->world.explorer, &bytes);
    hd_vec_push(&p->waiting, bytes);
    close_world(&p->world);
    take_part(p, strategy, seed);
    p->n_paths -= hd_explorer_counted(p->world.explorer)->paths;
}

/* Anything is worth it, or what is expected to be. */
static hd_worth random_worth(uint64_t *random) {
    if (below(random, 2))
        return (hd_worth){0};
    return (hd_worth){1 + (double)below(random, 8), below(random, 6)};
}

/* What is handed over is left neither here nor twice, and repeats no more than it may. */
static void split_part(parts *p) {
    hd_text bytes = {0};
    hd_explorer *x = p->world.explorer;
    hd_worth worth = random_worth(&p->random);
    uint64_t open = hd_explorer_counted(x)->open, before = hd_explorer_n_to_repeat(x);
    bool saved = hd_explorer_is_rebuilding(x); /* their ways are handed over one by one */
    hd_explorer_set_worth(x, worth);
    bool is_split = hd_explorer_split(x, &bytes);
    uint64_t left = hd_explorer_counted(x)->open, repeated = hd_explorer_n_to_repeat(x) - before;
    HD_ASSERT(worth.least > 0 || is_split == (open > 1));
    HD_ASSERT(is_split ? left < open && left >= open - open / 2 : left == open);
    HD_ASSERT(worth.least > 0 || left == open - (is_split ? open / 2 : 0));
    HD_ASSERT(!worth.least || saved || repeated <= worth.most_repeated);
    HD_ASSERT(is_split == (repeated > 0));
    if (is_split)
        hd_vec_push(&p->waiting, bytes);
}

static void run_part(parts *p, const program *program, hd_strategy strategy, uint64_t seed,
                     path_set *out) {
    hd_model model = {0};
    hd_outcome outcome;
    while (hd_explorer_next(p->world.explorer, &model)) {
        bool counts = !hd_explorer_is_rebuilding(p->world.explorer);
        uint64_t h = execute(&p->world, program, &model, &outcome);
        hd_explorer_done(p->world.explorer, &outcome, &model);
        if (counts && h)
            hd_vec_push(&out->at, h);
        if (below(&p->random, 5) == 0)
            split_part(p);
        if (p->waiting.n && below(&p->random, 20) == 0)
            leave_part(p, strategy, seed);
    }
    HD_ASSERT(hd_explorer_is_complete(p->world.explorer));
    p->n_paths += hd_explorer_counted(p->world.explorer)->paths;
    close_world(&p->world);
    hd_model_release(&model);
}

static void explore_in_parts(const program *program, hd_strategy strategy, uint64_t seed,
                             path_set *out) {
    parts p = {.random = hd_mix(seed)};
    open_world(&p.world, strategy, seed);
    run_part(&p, program, strategy, seed, out);
    while (p.waiting.n) {
        take_part(&p, strategy, seed);
        p.n_paths -= hd_explorer_counted(p.world.explorer)->paths;
        run_part(&p, program, strategy, seed, out);
    }
    HD_ASSERT(p.n_paths == out->at.n);
    hd_vec_release(&p.waiting);
    sort_paths(out);
}

static bool is_equal(const path_set *a, const path_set *b) {
    return a->at.n == b->at.n &&
           (!a->at.n || memcmp(a->at.at, b->at.at, a->at.n * sizeof *a->at.at) == 0);
}

static bool check(uint64_t seed) {
    uint64_t random = seed;
    program p = random_program(&random);
    path_set expected = {0};
    brute_force(&p, &expected);
    bool is_right = true;
    for (int variant = 0; variant < 4 * HD_N_STRATEGIES && is_right; variant++) {
        path_set got = {0};
        hd_strategy strategy = (hd_strategy)(variant / 4);
        /* Moving house too often would never get past rebuilding the saved runs. */
        uint64_t interrupt = variant % 4 == 1 ? 60 + seed % 7 : 0;
        if (variant % 4 == 3)
            explore_in_parts(&p, strategy, seed, &got);
        else
            explore(&p, strategy, seed, interrupt, variant % 4 == 2, &got);
        is_right = is_equal(&expected, &got);
        if (!is_right)
            printf("seed %llu, strategy %s, variant %d: %zu paths expected, %zu explored\n",
                   (unsigned long long)seed, hd_strategy_name(strategy), variant % 4, expected.at.n,
                   got.at.n);
        hd_vec_release(&got.at);
    }
    hd_vec_release(&expected.at);
    return is_right;
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 150;
    for (uint64_t i = 0; i < count; i++)
        if (!check(seed + i))
            return 1;
    printf("%llu random programs: every strategy explores every path once\n",
           (unsigned long long)count);
    return 0;
}
