/* Arithmetic on polynomials (polynomial.h). */
#include "solve/polynomial.h"

#include "base/panic.h"

#include <string.h>

hd_polynomial hd_polynomial_constant(int64_t value) {
    hd_polynomial p;
    p.constant = value;
    p.n = 0;
    p.is_lost = false;
    return p;
}

hd_polynomial hd_polynomial_atom(uint32_t atom) {
    HD_ASSERT(atom > 0);
    hd_polynomial p = hd_polynomial_constant(0);
    p.terms[p.n++] = (hd_term){{atom}, 1};
    return p;
}

static int compare(const hd_term *x, const hd_term *y) {
    for (int i = 0; i < HD_DEGREE; i++)
        if (x->atoms[i] != y->atoms[i])
            return x->atoms[i] < y->atoms[i] ? -1 : 1;
    return 0;
}

/* p := p + factor * term (Y1, Y2) */
static void add_term(hd_polynomial *p, int64_t factor, const hd_term *term) {
    uint32_t at = 0;
    int64_t more = 0;
    p->is_lost |= __builtin_mul_overflow(factor, term->factor, &more);
    if (!more || p->is_lost)
        return;
    while (at < p->n && compare(&p->terms[at], term) < 0)
        at++;
    hd_term *x = &p->terms[at];
    if (at < p->n && !compare(x, term)) {
        p->is_lost |= __builtin_add_overflow(x->factor, more, &x->factor);
        if (!x->factor)
            memmove(x, x + 1, (--p->n - at) * sizeof *x);
        return;
    }
    if ((p->is_lost |= p->n == HD_TERMS))
        return;
    memmove(x + 1, x, (p->n++ - at) * sizeof *x);
    *x = *term;
    x->factor = more;
    HD_INVARIANT(Y1, more && (at == 0 || compare(x - 1, x) < 0));
}

hd_polynomial hd_polynomial_add(const hd_polynomial *p, int64_t factor, const hd_polynomial *q) {
    hd_polynomial sum = *p;
    int64_t more;
    sum.is_lost |= q->is_lost || __builtin_mul_overflow(factor, q->constant, &more) ||
                   __builtin_add_overflow(sum.constant, more, &sum.constant);
    for (uint32_t i = 0; i < q->n && !sum.is_lost; i++)
        add_term(&sum, factor, &q->terms[i]);
    return sum;
}

/* False if it has too many atoms. */
static bool join_atoms(const hd_term *x, const hd_term *y, hd_term *product) {
    uint32_t i = 0, j = 0, n = 0;
    *product = (hd_term){.factor = 1};
    for (;;) {
        uint32_t a = i < HD_DEGREE ? x->atoms[i] : 0, b = j < HD_DEGREE ? y->atoms[j] : 0;
        if (!a && !b)
            return true;
        if (n == HD_DEGREE)
            return false;
        product->atoms[n++] = a >= b ? a : b;
        i += a >= b;
        j += a < b;
    }
}

static void add_products(hd_polynomial *sum, const hd_term *x, const hd_polynomial *q) {
    for (uint32_t i = 0; i < q->n && !sum->is_lost; i++) {
        hd_term product;
        sum->is_lost |= !join_atoms(x, &q->terms[i], &product) ||
                        __builtin_mul_overflow(x->factor, q->terms[i].factor, &product.factor);
        add_term(sum, 1, &product);
    }
    add_term(sum, q->constant, x);
}

hd_polynomial hd_polynomial_multiply(const hd_polynomial *p, const hd_polynomial *q) {
    hd_polynomial zero = hd_polynomial_constant(0), sum = hd_polynomial_add(&zero, p->constant, q);
    sum.is_lost |= p->is_lost;
    for (uint32_t i = 0; i < p->n && !sum.is_lost; i++)
        add_products(&sum, &p->terms[i], q);
    HD_INVARIANT(Y2, sum.is_lost || (!p->is_lost && !q->is_lost && sum.n <= HD_TERMS));
    return sum;
}

bool hd_polynomial_is_alike(const hd_polynomial *p, const hd_polynomial *q) {
    if (p->is_lost || q->is_lost || p->n != q->n)
        return false;
    for (uint32_t i = 0; i < p->n; i++)
        if (compare(&p->terms[i], &q->terms[i]) || p->terms[i].factor != q->terms[i].factor)
            return false;
    return true;
}
