/* "At most k" is a counter that goes along the variables: s[i][j] holds if more than j of the first
 * i + 1 do (Sinz's sequential counter). */
#include "solve/clauses.h"

#include "base/panic.h"

#include <ccadical.h>
#include <stdlib.h>

struct hd_clauses {
    CCaDiCaL *sat;
    int n;
};

hd_clauses *hd_clauses_new(void) {
    hd_clauses *c = calloc(1, sizeof *c);
    if (!c)
        hd_out_of_memory();
    c->sat = ccadical_init();
    ccadical_set_option(c->sat, "quiet", 1);
    return c;
}

void hd_clauses_free(hd_clauses *c) {
    ccadical_release(c->sat);
    free(c);
}

int hd_clauses_variable(hd_clauses *c) {
    return ++c->n;
}

void hd_clauses_add(hd_clauses *c, const int *literals, size_t n) {
    for (size_t i = 0; i < n; i++)
        ccadical_add(c->sat, literals[i]);
    ccadical_add(c->sat, 0);
}

static void add_two(hd_clauses *c, int a, int b) {
    hd_clauses_add(c, (int[]){a, b}, 2);
}

/* `before` and `now` are counters of k; before the first variable there is none. */
static void count_on(hd_clauses *c, int variable, const int *before, const int *now, size_t k) {
    if (k)
        add_two(c, -variable, now[0]);
    for (size_t j = 0; before && j < k; j++) {
        add_two(c, -before[j], now[j]);
        if (j + 1 < k)
            hd_clauses_add(c, (int[]){-variable, -before[j], now[j + 1]}, 3);
    }
    if (before && k)
        add_two(c, -variable, -before[k - 1]);
    if (!k)
        hd_clauses_add(c, (int[]){-variable}, 1);
}

void hd_clauses_at_most(hd_clauses *c, const int *variables, size_t n, size_t k) {
    int *counters = calloc(n * k + 1, sizeof *counters);
    if (!counters)
        hd_out_of_memory();
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < k; j++)
            counters[i * k + j] = hd_clauses_variable(c);
        count_on(c, variables[i], i ? counters + (i - 1) * k : NULL, counters + i * k, k);
    }
    free(counters);
}

hd_clauses_answer hd_clauses_solve(hd_clauses *c, int conflicts) {
    ccadical_limit(c->sat, "conflicts", conflicts);
    int answer = ccadical_solve(c->sat);
    return answer == 10 ? HD_CLAUSES_YES : answer == 20 ? HD_CLAUSES_NO : HD_CLAUSES_UNKNOWN;
}

bool hd_clauses_value(hd_clauses *c, int variable) {
    return ccadical_val(c->sat, variable) > 0;
}
