/* How many dscenarios keep to the budgets that their states share (see dscenarios.h).
 *
 * Costs add up, so that numbers of dscenarios multiply as polynomials do: the coefficient of
 * x^i y^j says how many ways cost i of one budget and j of the other, and what is above a budget is
 * cut off.  A cohort is the sum of its members, a block or a dstate the product of what it has, and
 * the answer is the sum of all coefficients of all dstates.
 *
 * A1. A coefficient stands for costs that are all within their budgets. */
#include "mapping/dscenarios.h"
#include "mapping/mapping_int.h"

#define MOST_COEFFICIENTS 256       /* of a polynomial */
#define MOST_IN_BLOCKS    (1 << 20) /* of those of all blocks together */

typedef struct polynomials {
    const hd_mapping *m;
    uint32_t size; /* coefficients: costs as digits, the first budget counts least */
    mpz_t *of;     /* by block */
    mpz_t *product, *cohort;
} polynomials;

/* Coefficients for all costs that are allowed; 0: too many for anybody to multiply. */
static uint32_t size_of(const hd_mapping *m) {
    uint64_t size = 1;
    for (size_t k = 0; k < m->costs.budgets.n && size <= MOST_COEFFICIENTS; k++)
        size *= (uint64_t)m->costs.budgets.at[k] + 1;
    return size > MOST_COEFFICIENTS || size * m->blocks.n > MOST_IN_BLOCKS ? 0 : (uint32_t)size;
}

static mpz_t *new_coefficients(size_t n) {
    mpz_t *list = calloc(n + 1, sizeof *list);
    if (!list)
        hd_out_of_memory();
    for (size_t i = 0; i < n; i++)
        mpz_init(list[i]);
    return list;
}

static void free_coefficients(mpz_t *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        mpz_clear(list[i]);
    free(list);
}

/* The place of a state's costs, or the size if they are above a budget. */
static uint32_t place_of(const polynomials *p, uint32_t state) {
    const hd_mapping_costs *c = &p->m->costs;
    size_t first = (size_t)state * c->budgets.n;
    uint32_t place = 0, step = 1;
    for (size_t k = 0; k < c->budgets.n && first + k < c->of_states.n; k++) {
        if (c->of_states.at[first + k] > c->budgets.at[k])
            return p->size;
        place += step * c->of_states.at[first + k];
        step *= c->budgets.at[k] + 1;
    }
    return place;
}

/* Are the costs of two places together within the budgets?  Then their place is the sum. */
static bool is_allowed(const polynomials *p, uint32_t a, uint32_t b) {
    const hd_states *budgets = &p->m->costs.budgets;
    for (size_t k = 0; k < budgets->n; k++) {
        uint32_t base = budgets->at[k] + 1;
        if (a % base + b % base >= base)
            return false;
        a /= base, b /= base;
    }
    return true;
}

static void add_cohort(polynomials *p, uint32_t cohort) {
    for (uint32_t i = 0; i < p->size; i++)
        mpz_set_ui(p->cohort[i], 0);
    for (uint32_t i = 0; i < hd_cohort_size(p->m, cohort); i++) {
        uint32_t place = place_of(p, hd_cohort_member(p->m, cohort, i));
        if (place < p->size)
            mpz_add_ui(p->cohort[place], p->cohort[place], 1);
    }
}

/* From the dearest place on, so that factors are still there when they are needed. */
static void multiply(const polynomials *p, mpz_t *by_place, const mpz_t *factor) {
    for (uint32_t i = p->size; i-- > 0;) {
        mpz_mul(by_place[i], by_place[i], factor[0]);
        for (uint32_t a = 0; a < i; a++)
            if (is_allowed(p, a, i - a)) /* A1 */
                mpz_addmul(by_place[i], by_place[a], factor[i - a]);
    }
}

static void set_one(const polynomials *p, mpz_t *by_place) {
    for (uint32_t i = 0; i < p->size; i++)
        mpz_set_ui(by_place[i], i == 0);
}

static void multiply_blocks(polynomials *p) {
    for (uint32_t b = 0; b < p->m->blocks.n; b++) {
        if (!hd_block_size(p->m, b))
            continue; /* it is free */
        mpz_t *product = &p->of[(size_t)b * p->size];
        set_one(p, product);
        for (uint32_t n = hd_block_begin(p->m, b); n < hd_block_end(p->m, b); n++) {
            add_cohort(p, hd_block_cohort(p->m, b, n));
            multiply(p, product, (const mpz_t *)p->cohort);
        }
    }
}

static void add_dstate(polynomials *p, uint32_t dstate, mpz_t total) {
    set_one(p, p->product);
    for (uint32_t r = 0; r < p->m->n_ranges; r++) {
        size_t block = *hd_dstate_block(p->m, dstate, r);
        multiply(p, p->product, (const mpz_t *)&p->of[block * p->size]);
    }
    for (uint32_t i = 0; i < p->size; i++)
        mpz_add(total, total, p->product[i]);
}

static void sum_up(polynomials *p, mpz_t total) {
    size_t n = (size_t)p->size * p->m->blocks.n;
    p->of = new_coefficients(n);
    p->product = new_coefficients(p->size);
    p->cohort = new_coefficients(p->size);
    multiply_blocks(p);
    for (uint32_t d = 0; d < p->m->n_dstates; d++)
        if (!hd_dstate_is_free(p->m, d))
            add_dstate(p, d, total);
    free_coefficients(p->of, n);
    free_coefficients(p->product, p->size);
    free_coefficients(p->cohort, p->size);
}

bool hd_dscenarios_count_affordable(const hd_mapping *m, hd_text *decimal) {
    polynomials p = {.m = m, .size = size_of(m)};
    if (!p.size)
        return false;
    mpz_t total;
    mpz_init(total);
    sum_up(&p, total);
    char *text = mpz_get_str(NULL, 10, total);
    hd_text_add(decimal, "%s", text);
    free(text);
    mpz_clear(total);
    return true;
}
