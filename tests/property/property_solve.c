/* Solver chain against brute force and against Z3, on random formulas.
 *
 *     property_solve [first-seed [count]]
 *
 * Each seed makes one graph, a few variables, a hint, a path that the hint satisfies, and asks
 * for a number of random goals, each through several chains that live as long as the seed.
 * Small worlds and hashes of small inputs are compared with trying all values, big ones and
 * remainders and orders of wide inputs with Z3 alone, pointers with trying all objects.  Prints the
 * failing seed and exits with 1. */
#include "property/model/query_shapes.h"
#include "property/model/query_world.h"
#include "property/random/random_formulas.h"

#include <stdio.h>
#include <stdlib.h>

static void push_constraints(query_world *w, unsigned width, bool simple) {
    for (int i = 0; i < QUERY_CONSTRAINTS; i++)
        hd_path_push(w->path, query_oriented(w, formula_constraint(w, width, simple), true));
}

static hd_query random_query(query_world *w, unsigned width, bool simple) {
    uint32_t n = query_below(w, QUERY_CONSTRAINTS + 1);
    hd_expr goal = formula_constraint(w, width, simple);
    if (n < QUERY_CONSTRAINTS && query_below(w, 2))
        goal = hd_expr_not(w->g, hd_path_at(w->path, n));
    else
        goal = query_oriented(w, goal, query_below(w, 8) == 0);
    return (hd_query){w->path, n, goal, &w->hint};
}

static void test_small(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    unsigned width = 4 + query_below(&w, 5), bits = 0;
    bool simple = query_below(&w, 3) == 0;
    while (w.n_vars < 3 && bits < 10) {
        unsigned own = query_below(&w, 3) ? (width < 6 ? width : 5) : 1 + query_below(&w, 8);
        own = bits + own > 13 ? 13 - bits : own;
        query_add_integer(&w, own);
        bits += own;
    }
    push_constraints(&w, width, simple);
    for (int i = 0; i < QUERY_GOALS; i++) {
        hd_query q = random_query(&w, width, simple);
        query_compare_with_brute_force(&w, &q);
    }
    query_counted.bounds += query_decided_by(&w, QUERY_CHAIN_BOUNDS, HD_LAYER_BOUNDS);
    query_check_counters(&w);
    query_world_end(&w);
}

static void test_big(uint64_t seed) {
    query_world w;
    query_world_begin(&w, seed);
    static const unsigned widths[] = {16, 32, 32, 64};
    unsigned width = widths[query_below(&w, 4)];
    bool simple = query_below(&w, 2) == 0;
    uint32_t n = 2 + query_below(&w, QUERY_VARS - 1);
    while (w.n_vars < n)
        query_add_integer(&w, query_below(&w, 4) ? width : 1 + query_below(&w, width));
    push_constraints(&w, width, simple);
    for (int i = 0; i < QUERY_GOALS; i++) {
        hd_query q = random_query(&w, width, simple);
        hd_model out = {0};
        hd_verdict expected = query_ask(&w, 2, &q, &out);
        hd_model_release(&out);
        if (expected != HD_UNKNOWN)
            query_compare_all(&w, &q, expected, true);
    }
    query_check_counters(&w);
    query_world_end(&w);
}

int main(int argc, char **argv) {
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 30;
    for (query_seed = first; query_seed < first + 5 * count;
         query_seed++) /* small ones: more of them */
        query_test_pointers(query_seed);
    for (query_seed = first; query_seed < first + count; query_seed++) {
        test_small(query_seed);
        query_test_bounded(query_seed);
        query_test_hash(query_seed);
        query_test_bounds(query_seed);
        query_test_line(query_seed);
        query_test_sums(query_seed);
        query_test_equations(query_seed);
        if (query_seed % 2 == 0)
            test_big(query_seed);
        else
            query_test_atoms(query_seed), query_test_moved(query_seed);
    }
    if (query_counted.cases < count) /* of 10 queries each */
        return printf("cases decided only %llu queries of bounded numbers\n",
                      (unsigned long long)query_counted.cases),
               1;
    if (query_counted.aliases < count || query_counted.bounds < count / 4 ||
        query_counted.lines < count || query_counted.sums < count)
        return printf("only %llu queries were decided by aliases, %llu by bounds, %llu by lines, "
                      "%llu by sums\n",
                      (unsigned long long)query_counted.aliases,
                      (unsigned long long)query_counted.bounds,
                      (unsigned long long)query_counted.lines,
                      (unsigned long long)query_counted.sums),
               1;
    if (query_counted.met < count || query_counted.atoms < count || query_counted.moved < count)
        return printf("only %llu queries were decided by meet, %llu by atoms, %llu by order\n",
                      (unsigned long long)query_counted.met,
                      (unsigned long long)query_counted.atoms,
                      (unsigned long long)query_counted.moved),
               1;
    if (query_counted.strides < count || query_counted.halves < count ||
        query_counted.parts < count || query_counted.pruned < count)
        return printf("only %llu boxes had strides, %llu queries were decided by halves, %llu by "
                      "atoms, %llu by pruning\n",
                      (unsigned long long)query_counted.strides,
                      (unsigned long long)query_counted.halves,
                      (unsigned long long)query_counted.parts,
                      (unsigned long long)query_counted.pruned),
               1;
    printf("ok: %llu queries, %llu sat, %llu unsat, %llu unknown; %llu refuted by sums\n",
           (unsigned long long)query_counted.asked, (unsigned long long)query_counted.sat,
           (unsigned long long)query_counted.unsat, (unsigned long long)query_counted.unknown,
           (unsigned long long)query_counted.sums);
    return 0;
}
