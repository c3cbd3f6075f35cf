/* Sums of products with GMP; a dscenario of a number is found by going back the same way. */
#include "mapping/dscenarios.h"

#include "base/hash.h"
#include "mapping/mapping_int.h"

#include <math.h>

/* ---- their number ---- */

/* Most nodes have one state in most dstates: products of small numbers are made in a word. */
static void product_of(const hd_mapping *m, uint32_t block, mpz_t product) {
    uint32_t first = m->blocks.at[block].range * m->width, end = first + m->width;
    unsigned long word = 1;
    mpz_set_ui(product, 1);
    for (uint32_t n = first; n < end && n < m->n_nodes; n++) {
        unsigned long size = hd_cohort_size(m, hd_block_cohort(m, block, n)), next;
        if (!__builtin_mul_overflow(word, size, &next)) {
            word = next;
            continue;
        }
        mpz_mul_ui(product, product, word);
        word = size;
    }
    mpz_mul_ui(product, product, word);
}

/* Products of blocks, which many dstates have. */
static mpz_t *new_products(const hd_mapping *m) {
    mpz_t *of = calloc(m->blocks.n + 1, sizeof *of);
    if (!of)
        hd_out_of_memory();
    for (uint32_t b = 0; b < m->blocks.n; b++) {
        mpz_init(of[b]);
        if (hd_block_size(m, b)) /* else it is free */
            product_of(m, b, of[b]);
    }
    return of;
}

static void free_products(const hd_mapping *m, mpz_t *of) {
    for (uint32_t b = 0; b < m->blocks.n; b++)
        mpz_clear(of[b]);
    free(of);
}

static void product_of_dstate(const hd_mapping *m, const mpz_t *of, uint32_t dstate,
                              mpz_t product) {
    mpz_set(product, of[*hd_dstate_block(m, dstate, 0)]);
    for (uint32_t r = 1; r < m->n_ranges; r++)
        mpz_mul(product, product, of[*hd_dstate_block(m, dstate, r)]);
}

static void sum(const hd_mapping *m, mpz_t total) {
    mpz_t product, *of = new_products(m);
    mpz_init(product);
    mpz_set_ui(total, 0);
    for (uint32_t d = 0; d < m->n_dstates; d++) {
        if (hd_dstate_is_free(m, d))
            continue;
        product_of_dstate(m, (const mpz_t *)of, d, product);
        mpz_add(total, total, product);
    }
    mpz_clear(product);
    free_products(m, of);
}

void hd_dscenarios_count(const hd_mapping *m, hd_text *decimal) {
    mpz_t total;
    mpz_init(total);
    sum(m, total);
    char *text = mpz_get_str(NULL, 10, total);
    hd_text_add(decimal, "%s", text);
    free(text);
    mpz_clear(total);
}

/* GMP says nothing about numbers that are too large for a double. */
double hd_dscenarios_estimate(const hd_mapping *m) {
    mpz_t total;
    mpz_init(total);
    sum(m, total);
    double estimate = mpz_sizeinbase(total, 2) > 1023 ? INFINITY : mpz_get_d(total);
    mpz_clear(total);
    return estimate;
}

/* ---- draws ---- */

#define MOST_IN_VAIN 10000

void hd_sample_init(hd_sample *s, const hd_mapping *m, uint64_t seed, hd_together *together,
                    void *context) {
    mpz_t *of = new_products(m);
    *s = (hd_sample){.seed = seed};
    hd_explosion_init(&s->one, m, together, context);
    for (uint32_t d = 0; d < m->n_dstates; d++)
        if (!hd_dstate_is_free(m, d))
            hd_vec_push(&s->dstates, d);
    s->ends = calloc(s->dstates.n + 1, sizeof *s->ends);
    if (!s->ends)
        hd_out_of_memory();
    for (size_t i = 0; i < s->dstates.n; i++) {
        mpz_init(s->ends[i]);
        product_of_dstate(m, (const mpz_t *)of, s->dstates.at[i], s->ends[i]);
        if (i > 0)
            mpz_add(s->ends[i], s->ends[i], s->ends[i - 1]);
    }
    free_products(m, of);
    for (uint32_t n = 0; n < m->n_nodes; n++)
        hd_vec_push(&s->members, 0);
}

void hd_sample_release(hd_sample *s) {
    for (size_t i = 0; i < s->dstates.n; i++)
        mpz_clear(s->ends[i]);
    free(s->ends);
    hd_explosion_release(&s->one);
    hd_vec_release(&s->dstates);
    hd_vec_release(&s->members);
    hd_map_release(&s->drawn);
}

/* A number below `limit`, each with the same probability: as many bits as it has, until they are
 * below it. */
static void draw(hd_sample *s, mpz_t number, const mpz_t limit) {
    size_t bits = mpz_sizeinbase(limit, 2);
    do {
        mpz_set_ui(number, 0);
        for (size_t i = 0; i < bits; i += 64) {
            uint64_t word = hd_random_next(&s->seed);
            mpz_mul_2exp(number, number, 64);
            mpz_add_ui(number, number, word);
        }
        mpz_fdiv_r_2exp(number, number, bits);
    } while (mpz_cmp(number, limit) >= 0);
}

/* Was the number drawn before?  Large ones are known by their hash: one in 2^63 is wrongly left
 * out. */
static bool is_known(hd_sample *s, const mpz_t number) {
    uint64_t key = mpz_fdiv_ui(number, UINT64_MAX >> 1);
    for (size_t i = 0; mpz_sizeinbase(number, 2) > 62 && i < mpz_size(number); i++)
        key = hd_hash_add(key, mpz_getlimbn(number, (mp_size_t)i)) >> 1;
    if (hd_map_find(&s->drawn, key))
        return true;
    hd_map_put(&s->drawn, key, 1);
    return false;
}

/* The place of the dstate that has the dscenario of this number, which becomes its number there. */
static size_t find_dstate(const hd_sample *s, mpz_t number) {
    size_t low = 0, high = s->dstates.n - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (mpz_cmp(number, s->ends[middle]) < 0)
            high = middle;
        else
            low = middle + 1;
    }
    if (low > 0)
        mpz_sub(number, number, s->ends[low - 1]);
    return low;
}

static const uint32_t *dscenario_of(hd_sample *s, mpz_t number) {
    uint32_t dstate = s->dstates.at[find_dstate(s, number)];
    const hd_mapping *m = s->one.mapping;
    for (uint32_t n = 0; n < m->n_nodes; n++) {
        uint32_t size = hd_cohort_size(m, hd_dstate_cohort(m, dstate, n));
        s->members.at[n] = (uint32_t)mpz_fdiv_q_ui(number, number, size);
    }
    HD_INVARIANT(N1, mpz_sgn(number) == 0);
    return hd_explosion_one(&s->one, dstate, s->members.at);
}

const uint32_t *hd_sample_next(hd_sample *s) {
    const uint32_t *found = NULL;
    mpz_t number;
    mpz_init(number);
    for (unsigned in_vain = 0; !found && !s->has_given_up && s->dstates.n; in_vain++) {
        const mpz_t *total = &s->ends[s->dstates.n - 1];
        if (mpz_cmp_ui(*total, s->n_drawn) <= 0)
            break;
        s->has_given_up = in_vain == MOST_IN_VAIN;
        draw(s, number, *total);
        if (is_known(s, number))
            continue;
        s->n_drawn++;
        found = dscenario_of(s, number);
        s->n_impossible += !found;
    }
    mpz_clear(number);
    return found;
}
