/* The solver chain as a whole: its options, its counters, its contract C1-C3, and small programs
 * whose number of paths is known. */
#include "base/clock.h"
#include "tool/questions.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <z3.h>

static hd_verdict ask(uint32_t n, hd_expr goal) {
    hd_query q = {path, n, goal, &hint};
    return hd_chain_solve(chain, &q, &out);
}

static const hd_layer_counters *layer(hd_layer l) {
    return &hd_chain_counted(chain)->layer[l];
}

static void list_of_names_switches_on(void **state) {
    (void)state;
    hd_chain_options o = hd_chain_defaults();
    hd_err err;
    assert_true(hd_chain_parse("slice,blast", &o, &err));
    for (int i = 0; i < HD_N_LAYERS; i++)
        assert_int_equal(o.enabled[i], i == HD_LAYER_SLICE || i == HD_LAYER_BLAST);
}

static void minus_switches_off(void **state) {
    (void)state;
    hd_chain_options o = hd_chain_defaults();
    hd_err err;
    assert_true(hd_chain_parse("-z3,-cache", &o, &err));
    for (int i = 0; i < HD_N_LAYERS; i++)
        assert_int_equal(o.enabled[i], i != HD_LAYER_Z3 && i != HD_LAYER_CACHE);
    assert_true(hd_chain_parse("all,-order", &o, &err));
    assert_true(o.enabled[HD_LAYER_Z3] && !o.enabled[HD_LAYER_ORDER]);
}

static void unknown_name_is_refused(void **state) {
    (void)state;
    hd_chain_options o = hd_chain_defaults(), before = o;
    hd_err err;
    assert_false(hd_chain_parse("slice,magic", &o, &err));
    assert_string_equal(err.message, "there is no solver layer 'magic'");
    assert_non_null(strstr(err.hint, "contradiction, slice"));
    assert_memory_equal(&o, &before, sizeof o);
    assert_false(hd_chain_parse("", &o, &err));
    assert_false(hd_chain_parse("slice,", &o, &err));
}

static void negation_on_the_path_is_impossible(void **state) {
    (void)state;
    open_chain("all");
    hd_expr x = input(0, 32, 7), less = op(HD_OP_SLT, x, k(32, 10));
    hd_path_push(path, less);
    assert_int_equal(ask(1, hd_expr_not(g, less)), HD_UNSAT);
    assert_int_equal(layer(HD_LAYER_CONTRADICTION)->unsat, 1);
    assert_int_equal(ask(0, hd_expr_not(g, less)), HD_SAT);
    assert_int_equal(value_of(less), 0);
}

static void only_the_slice_changes(void **state) {
    (void)state;
    open_chain("all");
    hd_expr x = input(0, 8, 1), y = input(1, 8, 2), z = input(2, 8, 3);
    hd_path_push(path, op(HD_OP_EQ, y, k(8, 2)));
    hd_path_push(path, op(HD_OP_ULT, x, k(8, 5)));
    hd_path_push(path, op(HD_OP_ULT, x, z));
    assert_int_equal(ask(3, op(HD_OP_EQ, x, k(8, 4))), HD_SAT);
    assert_int_equal(value_of(x), 4);
    assert_int_equal(value_of(y), 2);
    assert_true(value_of(z) > 4);
    const hd_chain_counters *n = hd_chain_counted(chain);
    assert_int_equal(n->constraints_before, 4);
    assert_int_equal(n->constraints_after, 3);
}

static void out_is_untouched_unless_satisfiable(void **state) {
    (void)state;
    open_chain("all");
    hd_expr x = input(0, 8, 1);
    hd_model_set(&out, 0, 99);
    hd_path_push(path, op(HD_OP_ULT, x, k(8, 5)));
    assert_int_equal(ask(1, op(HD_OP_ULT, k(8, 200), x)), HD_UNSAT);
    assert_int_equal(hd_model_get(&out, 0), 99);
}

/* Without a layer that can decide, the answer is "unknown" and never "unsat". */
static void giving_up_is_unknown(void **state) {
    (void)state;
    open_chain("contradiction,slice,cache,invert");
    hd_expr x = input(0, 32, 3);
    hd_expr square = op(HD_OP_MUL, x, x);
    assert_int_equal(ask(0, op(HD_OP_EQ, square, k(32, 2))), HD_UNKNOWN);
    const hd_chain_counters *n = hd_chain_counted(chain);
    assert_int_equal(n->unknown, 1);
    assert_int_equal(layer(HD_LAYER_INVERT)->unknown, 1);
    assert_int_equal(layer(HD_LAYER_CACHE)->unknown, 0);
    assert_int_equal(layer(HD_LAYER_CACHE)->asked, 1);
}

/* p * q == a product of two primes in the middle of the range: too hard for the budgets given. */
static hd_expr hard_goal(void) {
    hd_expr p = hd_expr_zext(g, input(0, 32, 3), 64), q = hd_expr_zext(g, input(1, 32, 5), 64);
    hd_expr product = op(HD_OP_MUL, p, q);
    hd_expr bounds = op(HD_OP_AND, op(HD_OP_ULT, k(64, 1), p), op(HD_OP_ULT, p, q));
    return op(HD_OP_AND, bounds, op(HD_OP_EQ, product, k(64, UINT64_C(3267000013) * 2860486313u)));
}

static void deadline_ends_a_query(void **state) {
    (void)state;
    open_chain("all");
    hd_expr goal = hard_goal();
    hd_chain_set_deadline(chain, hd_clock_now() + 0.3);
    double start = hd_clock_cpu();
    hd_verdict verdict = ask(0, goal);
    assert_true(hd_clock_cpu() - start < 5);
    assert_int_not_equal(verdict, HD_UNSAT);
}

static void deadline_in_the_past_gives_up(void **state) {
    (void)state;
    open_chain("slice,blast,z3");
    hd_expr x = input(0, 32, 3);
    hd_chain_set_deadline(chain, hd_clock_now() - 1);
    assert_int_equal(ask(0, op(HD_OP_EQ, x, k(32, 9))), HD_UNKNOWN);
    hd_chain_set_deadline(chain, 0);
    assert_int_equal(ask(0, op(HD_OP_EQ, x, k(32, 9))), HD_SAT);
}

/* While others use all processors too, a query gets the processor time that it was given: it is
 * not ended early, and ends. */
static void budget_is_processor_time(void **state) {
    (void)state;
    const char *layers[] = {"slice,blast", "slice,z3"};
    pid_t busy[4];
    for (unsigned i = 0; i < 4; i++)
        if ((busy[i] = fork()) == 0)
            for (alarm(60);;)
                continue;
    for (unsigned i = 0; i < 2; i++) {
        hd_chain_options options = hd_chain_defaults();
        hd_err err;
        assert_true(hd_chain_parse(layers[i], &options, &err));
        options.query_seconds = 0.3;
        options.blast_conflicts = 1000000000;
        chain = hd_chain_new(g, variables, &options);
        double start = hd_clock_cpu();
        assert_int_equal(ask(0, hard_goal()), HD_UNKNOWN);
        double used = hd_clock_cpu() - start;
        assert_true(used > 0.25 && used < 3);
        hd_chain_free(chain);
        chain = NULL;
    }
    for (unsigned i = 0; i < 4; i++) {
        kill(busy[i], SIGKILL);
        waitpid(busy[i], NULL, 0);
    }
}

static void conflict_limit_hands_over(void **state) {
    (void)state;
    hd_chain_options options = hd_chain_defaults();
    options.blast_conflicts = 1;
    options.query_seconds = 0.2;
    chain = hd_chain_new(g, variables, &options);
    assert_int_not_equal(ask(0, hard_goal()), HD_UNSAT);
    assert_int_equal(layer(HD_LAYER_BLAST)->asked, 1);
    assert_int_equal(layer(HD_LAYER_Z3)->asked, 1);
}

/* After a compaction all ids mean something else. */
static void forgets_when_the_graph_is_compacted(void **state) {
    (void)state;
    open_chain("slice,cache,domain,blast");
    hd_expr x = input(0, 8, 1), y = input(1, 32, 1);
    for (uint64_t i = 0; i < 40; i++) {
        assert_int_equal(ask(0, op(HD_OP_EQ, x, k(8, i))), HD_SAT);
        assert_int_equal(ask(0, op(HD_OP_EQ, op(HD_OP_MUL, y, y), k(32, i * i))), HD_SAT);
    }
    hd_expr *roots[] = {&y};
    hd_graph_compact(g, roots, 1);
    hd_chain_forget(chain);
    x = hd_expr_var(g, 0, 8);
    for (uint64_t i = 0; i < 40; i++) {
        hd_expr goal = op(HD_OP_EQ, op(HD_OP_XOR, x, k(8, 85)), k(8, i));
        assert_int_equal(ask(0, goal), HD_SAT);
        assert_int_equal(value_of(goal), 1);
    }
}

static void the_same_query_is_answered_from_memory(void **state) {
    (void)state;
    open_chain("slice,cache,blast");
    hd_expr x = input(0, 32, 3), y = input(1, 32, 4);
    hd_path_push(path, op(HD_OP_ULT, x, y));
    hd_expr sat = op(HD_OP_EQ, op(HD_OP_MUL, x, y), k(32, 35));
    assert_int_equal(ask(1, sat), HD_SAT);
    assert_int_equal(ask(1, sat), HD_SAT);
    assert_int_equal(layer(HD_LAYER_CACHE)->sat, 1);
    hd_expr unsat = op(HD_OP_EQ, op(HD_OP_SHL, x, k(32, 1)), k(32, 7));
    assert_int_equal(ask(1, unsat), HD_UNSAT);
    assert_int_equal(ask(1, unsat), HD_UNSAT);
}

/* A core is smaller than the query it came from and answers others that contain it. */
static void cores_answer_bigger_queries(void **state) {
    (void)state;
    open_chain("slice,cache,blast");
    hd_expr x = input(0, 32, 3), y = input(1, 32, 4), z = input(2, 32, 9);
    hd_path_push(path, op(HD_OP_ULT, x, y));
    hd_path_push(path, op(HD_OP_ULT, y, z));
    hd_path_push(path, op(HD_OP_ULT, op(HD_OP_MUL, x, z), k(32, 1000)));
    hd_expr goal = op(HD_OP_ULT, z, x);
    assert_int_equal(ask(2, goal), HD_UNSAT);
    assert_int_equal(layer(HD_LAYER_BLAST)->unsat, 1);
    assert_int_equal(ask(3, goal), HD_UNSAT);
    assert_int_equal(layer(HD_LAYER_BLAST)->unsat, 1);
    assert_int_equal(layer(HD_LAYER_CACHE)->unsat, 1);
}

static void recent_models_are_tried(void **state) {
    (void)state;
    open_chain("slice,cache,blast");
    hd_expr x = input(0, 32, 3);
    assert_int_equal(ask(0, op(HD_OP_EQ, op(HD_OP_MUL, x, k(32, 3)), k(32, 300))), HD_SAT);
    assert_int_equal(value_of(x), 100);
    assert_int_equal(ask(0, op(HD_OP_ULT, k(32, 50), x)), HD_SAT);
    assert_int_equal(layer(HD_LAYER_CACHE)->sat, 1);
    assert_int_equal(value_of(x), 100);
}

enum { N = 4 };
static hd_expr item[N];
static uint32_t at, n_paths;

static bool branch(hd_expr condition) {
    if (hd_expr_is_const(g, condition))
        return hd_expr_value(g, condition);
    bool taken = hd_eval_value(eval, condition);
    hd_expr held = taken ? condition : hd_expr_not(g, condition);
    if (at >= hd_path_length(path) || hd_path_at(path, at) != held) {
        hd_path_truncate(path, at);
        hd_path_push(path, held);
    }
    at++;
    return taken;
}

static void insertion_sort(void) {
    hd_expr a[N];
    memcpy(a, item, sizeof a);
    for (int i = 1; i < N; i++) {
        hd_expr key = a[i];
        int j = i - 1;
        for (; j >= 0 && branch(op(HD_OP_SLT, key, a[j])); j--)
            a[j + 1] = a[j];
        a[j + 1] = key;
    }
}

static void search_tree(void) {
    int child[N][2];
    memset(child, 0xff, sizeof child);
    for (int i = 1; i < N; i++)
        for (int c = 0; !branch(op(HD_OP_EQ, item[i], item[c]));) {
            int *next = &child[c][branch(op(HD_OP_SLT, item[i], item[c]))];
            if (*next < 0) {
                *next = i;
                break;
            }
            c = *next;
        }
}

static void explore(void (*program)(void), const hd_model *model, uint32_t bound) {
    at = 0;
    hd_eval_begin(eval, model);
    program();
    hd_path_truncate(path, at);
    n_paths++;
    for (uint32_t i = at; i-- > bound;) {
        hd_query q = {path, i, hd_expr_not(g, hd_path_at(path, i)), model};
        hd_model next = {0};
        hd_verdict verdict = hd_chain_solve(chain, &q, &next);
        assert_int_not_equal(verdict, HD_UNKNOWN);
        if (verdict == HD_SAT)
            explore(program, &next, i + 1);
        hd_model_release(&next);
    }
}

static uint32_t count_paths(const char *layers, void (*program)(void)) {
    open_chain(layers);
    for (uint32_t i = 0; i < N; i++)
        item[i] = input(i, 32, 40 - 9 * i);
    n_paths = 0;
    explore(program, &hint, 0);
    return n_paths;
}

static void insertion_sort_has_n_factorial_paths(void **state) {
    (void)state;
    assert_int_equal(count_paths("all", insertion_sort), 24);
    assert_int_equal(layer(HD_LAYER_BLAST)->asked, 0);
}

static void search_tree_has_ordered_bell_paths(void **state) {
    (void)state;
    assert_int_equal(count_paths("all", search_tree), 75);
    assert_int_equal(layer(HD_LAYER_BLAST)->asked, 0);
}

static void blasting_alone_counts_the_same(void **state) {
    (void)state;
    assert_int_equal(count_paths("blast", search_tree), 75);
}

/* Z3 says of each script what the chain said. */
static void queries_are_written_for_others(void **state) {
    (void)state;
    char text[16384];
    FILE *file = tmpfile();
    assert_non_null(file);
    hd_chain_options options = hd_chain_defaults();
    options.dump_to = fileno(file);
    chain = hd_chain_new(g, variables, &options);
    hd_expr x = input(0, 8, 1), y = input(1, 32, 1);
    hd_path_push(path, op(HD_OP_ULT, x, k(8, 5)));
    assert_int_equal(ask(1, op(HD_OP_EQ, op(HD_OP_ADD, x, x), k(8, 6))), HD_SAT);
    assert_int_equal(ask(1, op(HD_OP_EQ, op(HD_OP_ADD, x, x), k(8, 16))), HD_UNSAT);
    assert_int_equal(ask(1, op(HD_OP_EQ, op(HD_OP_MUL, y, y), k(32, 49))), HD_SAT);
    assert_int_equal(ask(1, hd_expr_not(g, op(HD_OP_ULT, x, k(8, 5)))), HD_UNSAT);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    Z3_context z3 = Z3_mk_context(NULL);
    assert_string_equal(Z3_eval_smtlib2_string(z3, text), "sat\nunsat\nsat\n");
    Z3_del_context(z3);
    const char *first = strstr(text, ":status sat"), *second = strstr(text, ":status unsat");
    assert_true(first && second && first < second && strstr(second, ":status sat"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(list_of_names_switches_on),
        TEST(minus_switches_off),
        TEST(unknown_name_is_refused),
        TEST(negation_on_the_path_is_impossible),
        TEST(only_the_slice_changes),
        TEST(out_is_untouched_unless_satisfiable),
        TEST(giving_up_is_unknown),
        TEST(deadline_ends_a_query),
        TEST(deadline_in_the_past_gives_up),
        TEST(budget_is_processor_time),
        TEST(conflict_limit_hands_over),
        TEST(forgets_when_the_graph_is_compacted),
        TEST(the_same_query_is_answered_from_memory),
        TEST(cores_answer_bigger_queries),
        TEST(recent_models_are_tried),
        TEST(insertion_sort_has_n_factorial_paths),
        TEST(search_tree_has_ordered_bell_paths),
        TEST(blasting_alone_counts_the_same),
        TEST(queries_are_written_for_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
