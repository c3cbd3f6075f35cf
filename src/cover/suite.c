/* Pairs make this more than a set to be covered.  For the greedy part one pair of each obligation
 * is fixed, the one that needs least that is not needed anyway; everything after it looks at all
 * pairs again. */
#include "cover/suite_int.h"

#include "base/panic.h"

#include <string.h>

#define MOST_WORK UINT64_C(60000000) /* of replacing several by one */

static void *zeroed(size_t n, size_t size) {
    void *p = calloc(n + 1, size);
    if (!p)
        hd_out_of_memory();
    return p;
}

const uint64_t *hd_suite_row(const suite_choice *c, uint32_t test) {
    return c->p->shown + c->words * test;
}

#define EACH_ELEMENT(e, c, test)                                                                   \
    for (size_t w_ = 0; w_ < (c)->words; w_++)                                                     \
        for (uint64_t bits_ = hd_suite_row((c), (test))[w_]; bits_; bits_ &= bits_ - 1)            \
            if ((e) = (uint32_t)(64 * w_ + (unsigned)__builtin_ctzll(bits_)), true)

/* ---- what is needed ---- */

static void take_obligations(suite_choice *c) {
    const hd_suite_problem *p = c->p;
    hd_vec_push(&c->first, 0);
    for (uint32_t i = 0; i < p->n_obligations; i++) {
        for (uint32_t k = p->first_pair[i]; k < p->first_pair[i + 1]; k++)
            if (c->count[p->pairs[k].first] && c->count[p->pairs[k].second])
                hd_vec_push(&c->pairs, p->pairs[k]);
        if (c->pairs.n > c->first.at[c->n]) {
            hd_vec_push(&c->first, (uint32_t)c->pairs.n);
            c->n++;
        }
    }
}

static void each_use(const suite_choice *c,
                     void (*visit)(void *, uint32_t element, uint32_t obligation), void *context) {
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = c->first.at[i]; k < c->first.at[i + 1]; k++) {
            visit(context, c->pairs.at[k].first, i);
            if (c->pairs.at[k].second != c->pairs.at[k].first)
                visit(context, c->pairs.at[k].second, i);
        }
}

static void count_use(void *context, uint32_t element, uint32_t obligation) {
    (void)obligation;
    suite_choice *c = context;
    c->first_use[element + 1]++;
}

static void put_use(void *context, uint32_t element, uint32_t obligation) {
    suite_choice *c = context;
    c->uses[c->first_use[element]++] = obligation;
}

static void index_uses(suite_choice *c) {
    uint32_t n = c->p->n_elements;
    c->first_use = zeroed(n + 1, sizeof *c->first_use);
    each_use(c, count_use, c);
    for (uint32_t e = 0; e < n; e++)
        c->first_use[e + 1] += c->first_use[e];
    c->uses = zeroed(c->first_use[n], sizeof *c->uses);
    each_use(c, put_use, c);
    for (uint32_t e = n; e > 0; e--)
        c->first_use[e] = c->first_use[e - 1];
    c->first_use[0] = 0;
}

bool hd_suite_met(const suite_choice *c, uint32_t obligation) {
    for (uint32_t k = c->first.at[obligation]; k < c->first.at[obligation + 1]; k++)
        if (c->count[c->pairs.at[k].first] && c->count[c->pairs.at[k].second])
            return true;
    return false;
}

/* ---- adding and dropping ---- */

void hd_suite_add(suite_choice *c, uint32_t test) {
    uint32_t e;
    EACH_ELEMENT(e, c, test) {
        c->count[e]++;
        c->work++;
    }
    c->is_chosen[test] = 1;
}

void hd_suite_drop(suite_choice *c, uint32_t test) {
    uint32_t e;
    EACH_ELEMENT(e, c, test) {
        c->count[e]--;
        c->work++;
    }
    c->is_chosen[test] = 0;
}

/* Are all obligations still met that use an element which this test alone had shown? */
static bool is_superfluous(suite_choice *c, uint32_t dropped) {
    uint32_t e;
    EACH_ELEMENT(e, c, dropped) {
        c->work++;
        for (uint32_t k = c->first_use[e]; !c->count[e] && k < c->first_use[e + 1]; k++) {
            c->work++;
            if (!hd_suite_met(c, c->uses[k]))
                return false;
        }
    }
    return true;
}

static bool try_to_drop(suite_choice *c, uint32_t test) {
    hd_suite_drop(c, test);
    if (is_superfluous(c, test))
        return true;
    hd_suite_add(c, test);
    return false;
}

/* ---- essential tests ---- */

/* All tests are chosen before, and only these after. */
static uint32_t find_essential(suite_choice *c) {
    uint32_t n = 0;
    for (uint32_t t = 0; t < c->p->n_tests; t++) {
        c->is_essential[t] = !try_to_drop(c, t);
        if (!c->is_essential[t])
            hd_suite_add(c, t);
        n += c->is_essential[t];
    }
    for (uint32_t t = 0; t < c->p->n_tests; t++)
        if (!c->is_essential[t])
            hd_suite_drop(c, t);
    return n;
}

/* ---- greedily ---- */

static bool is_wanted(const uint64_t *wanted, uint32_t e) {
    return wanted[e / 64] >> e % 64 & 1;
}

static void want(const suite_choice *c, uint64_t *wanted, uint32_t e) {
    if (!c->count[e])
        wanted[e / 64] |= UINT64_C(1) << e % 64;
}

static unsigned cost_of(const suite_choice *c, const uint64_t *wanted, hd_element_pair p) {
    unsigned first = !c->count[p.first] && !is_wanted(wanted, p.first);
    unsigned second = p.second != p.first && !c->count[p.second] && !is_wanted(wanted, p.second);
    return first + second;
}

/* Obligations with one pair first: they leave no choice. */
static void choose_pairs(suite_choice *c, uint64_t *wanted) {
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < c->n; i++) {
            bool has_one = c->first.at[i + 1] - c->first.at[i] == 1;
            if (has_one == (round == 1) || hd_suite_met(c, i))
                continue;
            uint32_t best = c->first.at[i];
            for (uint32_t k = best; k < c->first.at[i + 1]; k++)
                if (cost_of(c, wanted, c->pairs.at[k]) < cost_of(c, wanted, c->pairs.at[best]))
                    best = k;
            want(c, wanted, c->pairs.at[best].first);
            want(c, wanted, c->pairs.at[best].second);
        }
}

static uint32_t gain_of(const suite_choice *c, const uint64_t *wanted, uint32_t test) {
    const uint64_t *row = hd_suite_row(c, test);
    uint32_t n = 0;
    for (size_t w = 0; w < c->words; w++)
        n += (uint32_t)__builtin_popcountll(row[w] & wanted[w]);
    return n;
}

/* Gains only fall: one that is still the largest when it is computed again is the largest. */
static uint32_t best_test(const suite_choice *c, const uint64_t *wanted, uint32_t *gain) {
    for (;;) {
        uint32_t best = 0;
        for (uint32_t t = 1; t < c->p->n_tests; t++)
            if (gain[t] > gain[best])
                best = t;
        uint32_t now = gain_of(c, wanted, best);
        if (now == gain[best])
            return best;
        gain[best] = now;
    }
}

static void choose_greedily(suite_choice *c) {
    uint64_t *wanted = zeroed(c->words, sizeof *wanted);
    uint32_t *gain = zeroed(c->p->n_tests, sizeof *gain);
    choose_pairs(c, wanted);
    for (uint32_t t = 0; t < c->p->n_tests; t++)
        gain[t] = gain_of(c, wanted, t);
    while (c->p->n_tests) {
        uint32_t best = best_test(c, wanted, gain);
        if (gain[best] == 0)
            break;
        hd_suite_add(c, best);
        for (size_t w = 0; w < c->words; w++)
            wanted[w] &= ~hd_suite_row(c, best)[w];
    }
    free(wanted);
    free(gain);
}

/* ---- better ---- */

/* Tests with fewer elements go first. */
static void drop_superfluous(suite_choice *c) {
    for (uint32_t t = c->p->n_tests; t-- > 0;)
        if (c->is_chosen[t] && !c->is_essential[t])
            try_to_drop(c, t);
}

/* One more test, if two can go for it. */
static bool try_to_replace(suite_choice *c, uint32_t candidate) {
    hd_vec(uint32_t) dropped = {0};
    hd_suite_add(c, candidate);
    for (uint32_t t = 0; t < c->p->n_tests; t++)
        if (t != candidate && c->is_chosen[t] && !c->is_essential[t] && try_to_drop(c, t))
            hd_vec_push(&dropped, t);
    bool is_better = dropped.n > 1;
    if (!is_better) {
        for (size_t i = 0; i < dropped.n; i++)
            hd_suite_add(c, dropped.at[i]);
        hd_suite_drop(c, candidate);
    }
    hd_vec_release(&dropped);
    return is_better;
}

static void improve(suite_choice *c) {
    c->work = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (uint32_t t = 0; t < c->p->n_tests && c->work < MOST_WORK; t++)
            goes_on |= !c->is_chosen[t] && try_to_replace(c, t);
        drop_superfluous(c);
    }
}

/* ---- all of it ---- */

static void begin(suite_choice *c, const hd_suite_problem *p) {
    *c = (suite_choice){.p = p, .words = HD_SUITE_WORDS(p->n_elements)};
    c->count = zeroed(p->n_elements, sizeof *c->count);
    c->is_chosen = zeroed(p->n_tests, 1);
    c->is_essential = zeroed(p->n_tests, 1);
    for (uint32_t t = 0; t < p->n_tests; t++)
        hd_suite_add(c, t);
    take_obligations(c);
    index_uses(c);
}

static void end(suite_choice *c) {
    hd_vec_release(&c->first);
    hd_vec_release(&c->pairs);
    free(c->first_use);
    free(c->uses);
    free(c->count);
    free(c->is_chosen);
    free(c->is_essential);
}

void hd_suite_reduce(const hd_suite_problem *p, hd_suite *out) {
    suite_choice c;
    *out = (hd_suite){0};
    begin(&c, p);
    out->n_essential = find_essential(&c);
    choose_greedily(&c);
    drop_superfluous(&c);
    improve(&c);
    out->is_smallest = hd_suite_exact(&c);
    drop_superfluous(&c);
    for (uint32_t i = 0; i < c.n; i++)
        HD_INVARIANT(U1, hd_suite_met(&c, i));
    for (uint32_t t = 0; t < p->n_tests; t++)
        HD_CHECK_INVARIANT(U2, !c.is_chosen[t] || !try_to_drop(&c, t));
    for (uint32_t t = 0; t < p->n_tests; t++)
        if (c.is_chosen[t])
            hd_vec_push(&out->tests, t);
    end(&c);
}

void hd_suite_release(hd_suite *s) {
    hd_vec_release(&s->tests);
}
