/* A smaller choice by SAT: a variable for each test that is not essential, one for each element
 * that matters, one for each pair of an obligation that essential tests leave open; and at most k
 * tests. What the essential tests meet is left out of it, and so are tests that show nothing else.
 * Each answer is one test smaller than the last; "no" is the proof. */
#include "cover/suite_int.h"

#include "base/panic.h"
#include "solve/clauses.h"

#include <string.h>

#define MOST_TESTS     300
#define MOST_PAIRS     20000
#define MOST_CONFLICTS 20000

typedef struct exact_question {
    suite_choice *c;
    hd_clauses *clauses;
    hd_vec(uint32_t) open;  /* obligations */
    hd_vec(uint32_t) tests; /* that could help */
    hd_vec(int) variables;  /* of these tests */
    int *element;           /* its variable; 0: none yet, or it is shown by essential tests */
    size_t n_chosen;        /* of these tests, at present */
} exact_question;

static void *zeroed(size_t n, size_t size) {
    void *p = calloc(n + 1, size);
    if (!p)
        hd_out_of_memory();
    return p;
}

/* Only essential tests are chosen now. */
static size_t find_open(exact_question *q) {
    size_t n_pairs = 0;
    for (uint32_t i = 0; i < q->c->n; i++)
        if (!hd_suite_met(q->c, i)) {
            hd_vec_push(&q->open, i);
            n_pairs += q->c->first.at[i + 1] - q->c->first.at[i];
        }
    return n_pairs;
}

static void want(exact_question *q, uint64_t *useful, uint32_t e) {
    if (!q->c->count[e])
        useful[e / 64] |= UINT64_C(1) << e % 64;
}

static void find_useful(exact_question *q, uint64_t *useful) {
    for (size_t i = 0; i < q->open.n; i++)
        for (uint32_t k = q->c->first.at[q->open.at[i]]; k < q->c->first.at[q->open.at[i] + 1];
             k++) {
            want(q, useful, q->c->pairs.at[k].first);
            want(q, useful, q->c->pairs.at[k].second);
        }
}

static bool has_useful(const exact_question *q, const uint64_t *useful, uint32_t t) {
    const uint64_t *row = hd_suite_row(q->c, t);
    for (size_t w = 0; w < q->c->words; w++)
        if (row[w] & useful[w])
            return true;
    return false;
}

/* Does `a` show nothing useful that `b` does not? */
static bool is_below(const exact_question *q, const uint64_t *useful, uint32_t a, uint32_t b) {
    const uint64_t *x = hd_suite_row(q->c, a), *y = hd_suite_row(q->c, b);
    for (size_t w = 0; w < q->c->words; w++)
        if (x[w] & useful[w] & ~y[w])
            return false;
    return true;
}

/* Of tests that show the same the first one stays. */
static bool is_dominated(const exact_question *q, const uint64_t *useful, size_t i) {
    for (size_t k = 0; k < q->tests.n; k++)
        if (k != i && is_below(q, useful, q->tests.at[i], q->tests.at[k]) &&
            (k < i || !is_below(q, useful, q->tests.at[k], q->tests.at[i])))
            return true;
    return false;
}

static void drop_dominated(exact_question *q, const uint64_t *useful) {
    uint8_t *drops = zeroed(q->tests.n, 1);
    size_t kept = 0;
    for (size_t i = 0; i < q->tests.n; i++)
        drops[i] = is_dominated(q, useful, i);
    for (size_t i = 0; i < q->tests.n; i++)
        if (!drops[i])
            q->tests.at[kept++] = q->tests.at[i];
    q->tests.n = kept;
    free(drops);
}

static bool is_shown(const exact_question *q, uint32_t test, uint32_t e) {
    return hd_suite_row(q->c, test)[e / 64] >> e % 64 & 1;
}

/* An element holds only if a test shows it. */
static int variable_of(exact_question *q, uint32_t e) {
    if (q->c->count[e] || q->element[e])
        return q->element[e];
    hd_vec(int) clause = {0};
    q->element[e] = hd_clauses_variable(q->clauses);
    hd_vec_push(&clause, -q->element[e]);
    for (size_t i = 0; i < q->tests.n; i++)
        if (is_shown(q, q->tests.at[i], e))
            hd_vec_push(&clause, q->variables.at[i]);
    hd_clauses_add(q->clauses, clause.at, clause.n);
    hd_vec_release(&clause);
    return q->element[e];
}

static void add_open(exact_question *q, uint32_t obligation) {
    hd_vec(int) one_of = {0};
    for (uint32_t k = q->c->first.at[obligation]; k < q->c->first.at[obligation + 1]; k++) {
        int pair = hd_clauses_variable(q->clauses);
        int sides[] = {variable_of(q, q->c->pairs.at[k].first),
                       variable_of(q, q->c->pairs.at[k].second)};
        for (int i = 0; i < 2; i++)
            if (sides[i])
                hd_clauses_add(q->clauses, (int[]){-pair, sides[i]}, 2);
        hd_vec_push(&one_of, pair);
    }
    hd_clauses_add(q->clauses, one_of.at, one_of.n);
    hd_vec_release(&one_of);
}

static void ask_begin(exact_question *q, size_t k) {
    q->clauses = hd_clauses_new();
    q->element = zeroed(q->c->p->n_elements, sizeof *q->element);
    hd_vec_clear(&q->variables);
    for (size_t i = 0; i < q->tests.n; i++)
        hd_vec_push(&q->variables, hd_clauses_variable(q->clauses));
    for (size_t i = 0; i < q->open.n; i++)
        add_open(q, q->open.at[i]);
    hd_clauses_at_most(q->clauses, q->variables.at, q->variables.n, k);
}

static void ask_end(exact_question *q) {
    hd_clauses_free(q->clauses);
    free(q->element);
}

/* The chosen tests that are not essential, before this began. */
static void take_away(suite_choice *c, uint8_t *was_chosen, size_t *n) {
    for (uint32_t t = 0; t < c->p->n_tests; t++)
        if (c->is_chosen[t] && !c->is_essential[t]) {
            was_chosen[t] = 1;
            hd_suite_drop(c, t);
            ++*n;
        }
}

static void take_answer(exact_question *q, uint8_t *chosen) {
    memset(chosen, 0, q->c->p->n_tests);
    q->n_chosen = 0;
    for (size_t i = 0; i < q->tests.n; i++)
        if (hd_clauses_value(q->clauses, q->variables.at[i])) {
            chosen[q->tests.at[i]] = 1;
            q->n_chosen++;
        }
}

/* One smaller after the other, until there is none. */
static bool descend(exact_question *q, uint8_t *chosen) {
    hd_clauses_answer answer = HD_CLAUSES_YES;
    while (answer == HD_CLAUSES_YES && q->n_chosen > 0) {
        ask_begin(q, q->n_chosen - 1);
        answer = hd_clauses_solve(q->clauses, MOST_CONFLICTS);
        if (answer == HD_CLAUSES_YES)
            take_answer(q, chosen);
        ask_end(q);
    }
    return answer != HD_CLAUSES_UNKNOWN;
}

static bool is_small(exact_question *q, size_t n_pairs) {
    uint64_t *useful = zeroed(q->c->words, sizeof *useful);
    find_useful(q, useful);
    for (uint32_t t = 0; t < q->c->p->n_tests; t++)
        if (!q->c->is_essential[t] && has_useful(q, useful, t))
            hd_vec_push(&q->tests, t);
    if (q->tests.n <= 4 * MOST_TESTS)
        drop_dominated(q, useful);
    free(useful);
    return n_pairs <= MOST_PAIRS && q->tests.n <= MOST_TESTS;
}

bool hd_suite_exact(suite_choice *c) {
    exact_question q = {.c = c};
    uint8_t *chosen = zeroed(c->p->n_tests, 1);
    take_away(c, chosen, &q.n_chosen);
    bool is_known = q.n_chosen == 0 || (is_small(&q, find_open(&q)) && descend(&q, chosen));
    for (uint32_t t = 0; t < c->p->n_tests; t++)
        if (chosen[t])
            hd_suite_add(c, t);
    free(chosen);
    hd_vec_release(&q.open);
    hd_vec_release(&q.tests);
    hd_vec_release(&q.variables);
    return is_known;
}
