/* Inequalities (linear.h). */
#include "solve/linear.h"

#include "solve/solve_int.h"

#include "base/panic.h"

#include <string.h>

enum {
    MAX_UNKNOWNS = 20,
    MAX_ROWS = 80,
    MAX_PAIRS = 300, /* of rows that are added, for one answer */
};

typedef __int128 coefficient;

/* The sum of all factors * unknowns is at most `most`. */
typedef struct row {
    coefficient factors[MAX_UNKNOWNS];
    coefficient most;
} row;

struct hd_linear {
    hd_term unknowns[MAX_UNKNOWNS];
    uint32_t n_unknowns;
    row rows[MAX_ROWS], others[MAX_ROWS];
    uint32_t n_rows, n_pairs;
    bool is_impossible;
};

hd_linear *hd_linear_new(void) {
    return hd_layer_memory(sizeof(hd_linear));
}

void hd_linear_free(hd_linear *s) {
    free(s);
}

void hd_linear_begin(hd_linear *s) {
    s->n_unknowns = s->n_rows = s->n_pairs = 0;
    s->is_impossible = false;
}

uint32_t hd_linear_n_unknowns(const hd_linear *s) {
    return s->n_unknowns;
}

const hd_term *hd_linear_unknown(const hd_linear *s, uint32_t i) {
    HD_ASSERT(i < s->n_unknowns);
    return &s->unknowns[i];
}

/* ---- rows ---- */

static coefficient common_divisor(coefficient a, coefficient b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        coefficient rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static coefficient floor_of(coefficient a, coefficient b) {
    return a / b - (a % b < 0);
}

/* Without the common divisor of its factors; whole numbers leave the floor of the bound. */
static void make_short(row *r) {
    coefficient common = 0;
    for (int i = 0; i < MAX_UNKNOWNS; i++)
        common = r->factors[i] ? common_divisor(common, r->factors[i]) : common;
    for (int i = 0; i < MAX_UNKNOWNS && common > 1; i++)
        r->factors[i] /= common;
    r->most = common > 1 ? floor_of(r->most, common) : r->most;
}

static bool is_without_unknowns(const row *r) {
    for (int i = 0; i < MAX_UNKNOWNS; i++)
        if (r->factors[i])
            return false;
    return true;
}

/* One of two rows that differ in their bounds only is enough. */
static bool is_there(row *rows, uint32_t n, const row *r) {
    for (uint32_t i = 0; i < n; i++)
        if (!memcmp(rows[i].factors, r->factors, sizeof r->factors)) {
            rows[i].most = r->most < rows[i].most ? r->most : rows[i].most;
            return true;
        }
    return false;
}

static void keep(hd_linear *s, row *rows, uint32_t *n, row *r) {
    make_short(r);
    if (is_without_unknowns(r))
        s->is_impossible |= r->most < 0;
    else if (!is_there(rows, *n, r) && *n < MAX_ROWS)
        rows[(*n)++] = *r;
}

/* The number of a product of atoms; MAX_UNKNOWNS if there are too many. */
static uint32_t unknown_of(hd_linear *s, const hd_term *term) {
    uint32_t i = 0;
    while (i < s->n_unknowns && memcmp(s->unknowns[i].atoms, term->atoms, sizeof term->atoms) != 0)
        i++;
    if (i == s->n_unknowns && i < MAX_UNKNOWNS)
        s->unknowns[s->n_unknowns++] = *term;
    return i;
}

void hd_linear_add(hd_linear *s, int64_t factor, const hd_polynomial *p, coefficient most) {
    row r;
    memset(&r, 0, sizeof r);
    r.most = most - (coefficient)factor * p->constant;
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t unknown = unknown_of(s, &p->terms[i]);
        if (unknown == MAX_UNKNOWNS)
            return;
        r.factors[unknown] = (coefficient)factor * p->terms[i].factor;
    }
    if (!p->is_lost)
        keep(s, s->rows, &s->n_rows, &r);
}

/* ---- elimination ---- */

/* x * times_x + y * times_y; false if it does not fit. */
static bool combine(const row *x, coefficient times_x, const row *y, coefficient times_y,
                    row *sum) {
    coefficient a, b;
    bool fits = !__builtin_mul_overflow(x->most, times_x, &a) &&
                !__builtin_mul_overflow(y->most, times_y, &b) &&
                !__builtin_add_overflow(a, b, &sum->most);
    for (int i = 0; i < MAX_UNKNOWNS && fits; i++)
        fits = !__builtin_mul_overflow(x->factors[i], times_x, &a) &&
               !__builtin_mul_overflow(y->factors[i], times_y, &b) &&
               !__builtin_add_overflow(a, b, &sum->factors[i]);
    return fits;
}

/* The rows that elimination of an unknown would leave more than there are now. */
static int64_t price_of(const hd_linear *s, uint32_t unknown) {
    int64_t above = 0, below = 0;
    for (uint32_t i = 0; i < s->n_rows; i++) {
        above += s->rows[i].factors[unknown] > 0;
        below += s->rows[i].factors[unknown] < 0;
    }
    return above + below ? above * below - above - below : INT64_MAX;
}

static void add_pairs(hd_linear *s, uint32_t unknown, const row *above, uint32_t *n) {
    for (uint32_t i = 0; i < s->n_rows && !s->is_impossible; i++) {
        const row *below = &s->rows[i];
        row sum;
        if (below->factors[unknown] >= 0 || s->n_pairs++ >= MAX_PAIRS ||
            !combine(above, -below->factors[unknown], below, above->factors[unknown], &sum))
            continue;
        HD_INVARIANT(M1, sum.factors[unknown] == 0);
        keep(s, s->others, n, &sum);
    }
}

static void eliminate(hd_linear *s, uint32_t unknown) {
    uint32_t n = 0;
    HD_ASSERT(unknown < s->n_unknowns && s->n_rows <= MAX_ROWS);
    for (uint32_t i = 0; i < s->n_rows; i++)
        if (!s->rows[i].factors[unknown])
            s->others[n++] = s->rows[i];
    for (uint32_t i = 0; i < s->n_rows && !s->is_impossible; i++)
        if (s->rows[i].factors[unknown] > 0)
            add_pairs(s, unknown, &s->rows[i], &n);
    memcpy(s->rows, s->others, n * sizeof *s->rows);
    s->n_rows = n;
}

bool hd_linear_is_impossible(hd_linear *s) {
    while (s->n_rows && !s->is_impossible) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < s->n_unknowns; i++)
            best = price_of(s, i) < price_of(s, best) ? i : best;
        if (price_of(s, best) == INT64_MAX)
            break;
        eliminate(s, best);
    }
    return s->is_impossible;
}
