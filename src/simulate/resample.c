/* Draws (resample.h). */
#include "simulate/resample.h"

#include "base/hash.h"
#include "base/panic.h"

#include <stdlib.h>

static double earliest(const hd_first_times *t, uint32_t obligation, const uint32_t *drawn,
                       uint32_t x) {
    double first = -1;
    for (uint32_t i = 0; i < x; i++) {
        double at = t->at[(size_t)drawn[i] * t->n_obligations + obligation];
        if (at >= 0 && (first < 0 || at < first))
            first = at;
    }
    return first;
}

static bool is_met_by_any(const hd_first_times *t, uint32_t obligation) {
    for (uint32_t run = 0; run < t->n_runs; run++)
        if (t->at[(size_t)run * t->n_obligations + obligation] >= 0)
            return true;
    return false;
}

static void add_draw(const hd_first_times *t, const uint32_t *drawn, uint32_t x,
                     hd_found_all *sum) {
    double last = 0;
    sum->n_draws++;
    for (uint32_t o = 0; o < t->n_obligations; o++) {
        double first = earliest(t, o, drawn, x);
        if (first < 0 && is_met_by_any(t, o)) {
            sum->n_missed++;
            return;
        }
        last = first > last ? first : last;
    }
    sum->seconds += last;
}

/* How many choices there are, as far as HD_DRAWS + 1. */
static uint64_t count_choices(uint32_t n, uint32_t x) {
    uint64_t count = 1;
    x = x > n - x ? n - x : x;
    for (uint32_t i = 1; i <= x && count <= HD_DRAWS; i++)
        count = count * (n - x + i) / i;
    return count <= HD_DRAWS ? count : HD_DRAWS + 1;
}

/* The next choice in the order of the alphabet; false after the last one. */
static bool next_choice(uint32_t *drawn, uint32_t x, uint32_t n) {
    for (uint32_t i = x; i-- > 0;)
        if (drawn[i] < n - x + i) {
            drawn[i]++;
            for (uint32_t k = i + 1; k < x; k++)
                drawn[k] = drawn[k - 1] + 1;
            return true;
        }
    return false;
}

static void draw_all(const hd_first_times *t, uint32_t *drawn, uint32_t x, hd_found_all *sum) {
    sum->are_all = true;
    do
        add_draw(t, drawn, x, sum);
    while (next_choice(drawn, x, t->n_runs));
}

/* The first x of the runs, after each has changed places with any behind it. */
static void draw_some(const hd_first_times *t, uint32_t *order, uint32_t x, uint64_t seed,
                      hd_found_all *sum) {
    for (uint64_t draw = 0; draw < HD_DRAWS; draw++) {
        for (uint32_t i = 0; i < x; i++) {
            uint64_t random = hd_mix(hd_hash_add(hd_hash_add(seed, draw), i));
            uint32_t other = i + (uint32_t)(random % (t->n_runs - i)), kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        add_draw(t, order, x, sum);
    }
}

hd_found_all hd_resample(const hd_first_times *t, uint32_t x, uint64_t seed) {
    HD_ASSERT(x >= 1 && x <= t->n_runs);
    hd_found_all sum = {0};
    uint32_t *order = malloc(t->n_runs * sizeof *order);
    if (!order)
        hd_out_of_memory();
    for (uint32_t i = 0; i < t->n_runs; i++)
        order[i] = i;
    if (count_choices(t->n_runs, x) <= HD_DRAWS)
        draw_all(t, order, x, &sum);
    else
        draw_some(t, order, x, seed, &sum);
    free(order);
    if (sum.n_draws > sum.n_missed)
        sum.seconds /= (double)(sum.n_draws - sum.n_missed);
    return sum;
}
