/* bits.c -- gates by Tseitin's encoding, and the textbook circuits made of them.
 *
 * Ripple-carry adders, shift-and-add multiplication (signed digits for constants), restoring
 * division, barrel shifters.  Simple circuits are right here: most queries are small, and the
 * constants in them fold most gates away. */
#include "solve/bits.h"

#include "base/hash.h"
#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

enum { GATE_AND, GATE_XOR, GATE_MUX, GATE_MAJORITY };

static void end_clause(hd_circuit *k) {
    ccadical_add(k->sat, 0);
    k->n_clauses++;
}

static void add_clause2(hd_circuit *k, hd_lit a, hd_lit b) {
    ccadical_add(k->sat, a);
    ccadical_add(k->sat, b);
    end_clause(k);
}

static void add_clause3(hd_circuit *k, hd_lit a, hd_lit b, hd_lit c) {
    ccadical_add(k->sat, c);
    add_clause2(k, a, b);
}

void hd_circuit_init(hd_circuit *k, CCaDiCaL *sat) {
    *k = (hd_circuit){.sat = sat};
    hd_lit yes = hd_lit_new(k);
    HD_INVARIANT(B1, yes == HD_LIT_TRUE);
    ccadical_add(sat, yes);
    end_clause(k);
}

void hd_circuit_release(hd_circuit *k) {
    HD_ASSERT(k->n_gates <= k->capacity);
    free(k->gates);
    *k = (hd_circuit){0};
}

hd_lit hd_lit_new(hd_circuit *k) {
    HD_ASSERT(k->n_literals < INT32_MAX);
    return ++k->n_literals;
}

static uint64_t hash_gate(int kind, hd_lit a, hd_lit b, hd_lit c) {
    return hd_hash_add(hd_mix((uint64_t)(uint32_t)a << 32 | (uint32_t)b),
                       (uint64_t)(uint32_t)c << 2 | (unsigned)kind);
}

static hd_gate *gate_slot(const hd_circuit *k, int kind, hd_lit a, hd_lit b, hd_lit c) {
    HD_CHECK(k->n_gates < k->capacity); /* there is an empty slot to end at */
    size_t slot = hash_gate(kind, a, b, c) & (k->capacity - 1);
    for (;; slot = (slot + 1) & (k->capacity - 1)) {
        hd_gate *gate = &k->gates[slot];
        if (!gate->output || (gate->kind == kind && gate->a == a && gate->b == b && gate->c == c))
            return gate;
    }
}

static void grow_gates(hd_circuit *k) {
    hd_gate *old = k->gates;
    size_t n = k->capacity;
    k->capacity = n ? 2 * n : 1024;
    HD_ASSERT((k->capacity & (k->capacity - 1)) == 0);
    k->gates = calloc(k->capacity, sizeof *k->gates);
    if (!k->gates)
        hd_out_of_memory();
    for (size_t i = 0; i < n; i++)
        if (old[i].output)
            *gate_slot(k, old[i].kind, old[i].a, old[i].b, old[i].c) = old[i];
    free(old);
}

/* The output of this gate; `*is_new` says that it has no clauses yet. */
static hd_lit gate_output(hd_circuit *k, int kind, hd_lit a, hd_lit b, hd_lit c, bool *is_new) {
    HD_CHECK(a && b && abs(a) <= k->n_literals && abs(b) <= k->n_literals);
    HD_CHECK(abs(c) <= k->n_literals);
    if ((k->n_gates + 1) * 2 > k->capacity)
        grow_gates(k);
    hd_gate *gate = gate_slot(k, kind, a, b, c);
    *is_new = !gate->output;
    if (*is_new) {
        *gate = (hd_gate){kind, a, b, c, hd_lit_new(k)};
        k->n_gates++;
    }
    return gate->output;
}

static void sort_pair(hd_lit *a, hd_lit *b) {
    if (*a > *b) {
        hd_lit swap = *a;
        *a = *b;
        *b = swap;
    }
}

hd_lit hd_lit_and(hd_circuit *k, hd_lit a, hd_lit b) {
    if (a == HD_LIT_FALSE || b == HD_LIT_FALSE || a == -b)
        return HD_LIT_FALSE;
    if (a == HD_LIT_TRUE || a == b)
        return b;
    if (b == HD_LIT_TRUE)
        return a;
    sort_pair(&a, &b);
    bool is_new;
    hd_lit out = gate_output(k, GATE_AND, a, b, 0, &is_new);
    if (is_new) {
        add_clause2(k, -out, a);
        add_clause2(k, -out, b);
        add_clause3(k, out, -a, -b);
    }
    return out;
}

static hd_lit make_xor(hd_circuit *k, hd_lit a, hd_lit b) {
    bool is_new;
    sort_pair(&a, &b);
    hd_lit out = gate_output(k, GATE_XOR, a, b, 0, &is_new);
    if (is_new) {
        add_clause3(k, -out, a, b);
        add_clause3(k, -out, -a, -b);
        add_clause3(k, out, -a, b);
        add_clause3(k, out, a, -b);
    }
    return out;
}

hd_lit hd_lit_xor(hd_circuit *k, hd_lit a, hd_lit b) {
    if (abs(a) == HD_LIT_TRUE)
        return a == HD_LIT_TRUE ? -b : b;
    if (abs(b) == HD_LIT_TRUE)
        return b == HD_LIT_TRUE ? -a : a;
    if (abs(a) == abs(b))
        return a == b ? HD_LIT_FALSE : HD_LIT_TRUE;
    hd_lit out = make_xor(k, abs(a), abs(b));
    return (a < 0) != (b < 0) ? -out : out;
}

static hd_lit make_mux(hd_circuit *k, hd_lit c, hd_lit yes, hd_lit no) {
    bool is_new;
    hd_lit out = gate_output(k, GATE_MUX, c, yes, no, &is_new);
    if (is_new) {
        add_clause3(k, -c, -yes, out);
        add_clause3(k, -c, yes, -out);
        add_clause3(k, c, -no, out);
        add_clause3(k, c, no, -out);
        /* Implied, but lets unit propagation see it before the condition is known. */
        add_clause3(k, -yes, -no, out);
        add_clause3(k, yes, no, -out);
    }
    return out;
}

hd_lit hd_lit_mux(hd_circuit *k, hd_lit c, hd_lit yes, hd_lit no) {
    if (abs(c) == HD_LIT_TRUE || yes == no)
        return c == HD_LIT_FALSE ? no : yes;
    if (yes == -no)
        return hd_lit_xor(k, c, no);
    if (yes == HD_LIT_TRUE || yes == c)
        return hd_lit_or(k, c, no);
    if (yes == HD_LIT_FALSE || yes == -c)
        return hd_lit_and(k, -c, no);
    if (no == HD_LIT_TRUE || no == -c)
        return hd_lit_or(k, -c, yes);
    if (no == HD_LIT_FALSE || no == c)
        return hd_lit_and(k, c, yes);
    if (c < 0)
        return hd_lit_mux(k, -c, no, yes);
    return no < 0 ? -make_mux(k, c, -yes, -no) : make_mux(k, c, yes, no);
}

static hd_lit make_majority(hd_circuit *k, hd_lit a, hd_lit b, hd_lit c) {
    bool is_new;
    hd_lit out = gate_output(k, GATE_MAJORITY, a, b, c, &is_new);
    if (is_new) {
        add_clause3(k, -a, -b, out);
        add_clause3(k, -a, -c, out);
        add_clause3(k, -b, -c, out);
        add_clause3(k, a, b, -out);
        add_clause3(k, a, c, -out);
        add_clause3(k, b, c, -out);
    }
    return out;
}

/* True if at least two of the three are. */
static hd_lit majority(hd_circuit *k, hd_lit a, hd_lit b, hd_lit c) {
    sort_pair(&a, &b);
    sort_pair(&b, &c);
    sort_pair(&a, &b);
    if (a == b || b == c)
        return b;
    if (a == -b)
        return c;
    if (a == -c)
        return b;
    if (b == -c)
        return a;
    if (abs(a) == HD_LIT_TRUE)
        return a == HD_LIT_TRUE ? hd_lit_or(k, b, c) : hd_lit_and(k, b, c);
    if (abs(b) == HD_LIT_TRUE)
        return b == HD_LIT_TRUE ? hd_lit_or(k, a, c) : hd_lit_and(k, a, c);
    if (abs(c) == HD_LIT_TRUE)
        return c == HD_LIT_TRUE ? hd_lit_or(k, a, b) : hd_lit_and(k, a, b);
    return make_majority(k, a, b, c);
}

void hd_bits_constant(hd_lit *out, uint64_t value, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        out[i] = value >> i & 1 ? HD_LIT_TRUE : HD_LIT_FALSE;
}

/* a + b + carry, or a + ~b + carry. */
static void add_with_carry(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *b, unsigned n,
                           bool negate_b, hd_lit carry) {
    for (unsigned i = 0; i < n; i++) {
        hd_lit x = a[i], y = negate_b ? -b[i] : b[i];
        out[i] = hd_lit_xor(k, hd_lit_xor(k, x, y), carry);
        if (i + 1 < n)
            carry = majority(k, x, y, carry);
    }
}

void hd_bits_add(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *b, unsigned n) {
    add_with_carry(k, out, a, b, n, false, HD_LIT_FALSE);
}

void hd_bits_subtract(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *b, unsigned n) {
    add_with_carry(k, out, a, b, n, true, HD_LIT_TRUE);
}

static bool is_constant(const hd_lit *a, unsigned n, uint64_t *value) {
    *value = 0;
    for (unsigned i = 0; i < n; i++) {
        if (abs(a[i]) != HD_LIT_TRUE)
            return false;
        *value |= (uint64_t)(a[i] == HD_LIT_TRUE) << i;
    }
    return true;
}

/* sum := sum +- (a << by) */
static void accumulate(hd_circuit *k, hd_lit *sum, const hd_lit *a, unsigned by, unsigned n,
                       bool subtract) {
    HD_ASSERT(by < n && n <= 64);
    hd_lit old[64];
    memcpy(old, sum, n * sizeof *sum);
    add_with_carry(k, sum + by, old + by, a, n - by, subtract,
                   subtract ? HD_LIT_TRUE : HD_LIT_FALSE);
}

/* A constant has few digits 1 and -1 when no two neighbours are nonzero. */
static void multiply_constant(hd_circuit *k, hd_lit *out, const hd_lit *a, uint64_t b, unsigned n) {
    hd_bits_constant(out, 0, n);
    for (unsigned i = 0; i < n && b; i++, b >>= 1) {
        if (!(b & 1))
            continue;
        bool negative = (b & 3) == 3;
        accumulate(k, out, a, i, n, negative);
        b = negative ? b + 1 : b - 1;
    }
}

static unsigned n_constant_bits(const hd_lit *a, unsigned n) {
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        count += abs(a[i]) == HD_LIT_TRUE;
    return count;
}

void hd_bits_multiply(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *b, unsigned n) {
    HD_ASSERT(n >= 1 && n <= 64 && out != a && out != b);
    if (n_constant_bits(a, n) > n_constant_bits(b, n)) {
        const hd_lit *swap = a;
        a = b;
        b = swap;
    }
    uint64_t value;
    if (is_constant(b, n, &value)) {
        multiply_constant(k, out, a, value, n);
        return;
    }
    hd_bits_constant(out, 0, n);
    for (unsigned i = 0; i < n; i++) {
        hd_lit row[64];
        for (unsigned j = 0; j + i < n; j++)
            row[j] = hd_lit_and(k, a[j], b[i]);
        if (b[i] != HD_LIT_FALSE)
            accumulate(k, out, row, i, n, false);
    }
}

static void select_bits(hd_circuit *k, hd_lit *out, hd_lit condition, const hd_lit *yes,
                        const hd_lit *no, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        out[i] = hd_lit_mux(k, condition, yes[i], no[i]);
}

/* Bits up to the highest that is not always zero; at least one. */
static unsigned n_significant(const hd_lit *a, unsigned n) {
    while (n > 1 && a[n - 1] == HD_LIT_FALSE)
        n--;
    return n;
}

/* Restoring division: bring down one bit of the dividend, subtract the divisor if it fits.  The
 * rest needs one bit more than the divisor before the subtraction, and no more bits than the
 * divisor has: by a small constant, a step is a table of a few bits.  By zero, what was divided is
 * the rest. */
static void divide_unsigned(hd_circuit *k, hd_lit *quotient, hd_lit *rest, const hd_lit *a,
                            const hd_lit *b, unsigned n) {
    unsigned m = n_significant(b, n);
    HD_ASSERT(m >= 1 && m <= n && n <= 64);
    hd_lit wide[65], divisor[65], less[65], zero[64] = {0};
    memcpy(divisor, b, m * sizeof *b);
    divisor[m] = HD_LIT_FALSE;
    hd_bits_constant(rest, 0, n);
    hd_bits_constant(zero, 0, m);
    for (unsigned i = n; i-- > 0;) {
        memcpy(wide + 1, rest, m * sizeof *rest);
        wide[0] = a[i];
        quotient[i] = -hd_bits_less(k, wide, divisor, m + 1, false, false);
        add_with_carry(k, less, wide, divisor, m, true, HD_LIT_TRUE);
        select_bits(k, rest, quotient[i], less, wide, m);
    }
    if (m < n)
        select_bits(k, rest, hd_bits_equal(k, b, zero, m), a, rest, n);
}

static void negate_if(hd_circuit *k, hd_lit *out, hd_lit condition, const hd_lit *a, unsigned n) {
    hd_lit zero[64] = {0}, negated[64];
    if (condition == HD_LIT_FALSE) {
        memcpy(out, a, n * sizeof *a);
        return;
    }
    hd_bits_constant(zero, 0, n);
    hd_bits_subtract(k, negated, zero, a, n);
    select_bits(k, out, condition, negated, a, n);
}

/* Signed division rounds to zero, and the rest has the sign of the dividend: divide the
 * magnitudes and put the signs back. */
void hd_bits_divide(hd_circuit *k, hd_lit *quotient, hd_lit *remainder, const hd_lit *a,
                    const hd_lit *b, unsigned n, bool is_signed) {
    HD_ASSERT(n >= 1 && n <= 64 && (quotient || remainder));
    hd_lit sign_a = is_signed ? a[n - 1] : HD_LIT_FALSE;
    hd_lit sign_b = is_signed ? b[n - 1] : HD_LIT_FALSE;
    hd_lit x[64], y[64], q[64], r[64];
    negate_if(k, x, sign_a, a, n);
    negate_if(k, y, sign_b, b, n);
    divide_unsigned(k, q, r, x, y, n);
    if (quotient)
        negate_if(k, quotient, hd_lit_xor(k, sign_a, sign_b), q, n);
    if (remainder)
        negate_if(k, remainder, sign_a, r, n);
}

void hd_bits_shift_right(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *by, unsigned n,
                         hd_lit fill) {
    HD_ASSERT(n >= 1 && out != a && out != by);
    memcpy(out, a, n * sizeof *a);
    hd_lit too_far = HD_LIT_FALSE;
    for (unsigned stage = 0; stage < n; stage++) {
        uint64_t distance = stage < 32 ? UINT64_C(1) << stage : UINT64_MAX;
        if (distance >= n) {
            too_far = hd_lit_or(k, too_far, by[stage]);
            continue;
        }
        for (unsigned i = 0; i < n; i++)
            out[i] = hd_lit_mux(k, by[stage], i + distance < n ? out[i + distance] : fill, out[i]);
    }
    for (unsigned i = 0; i < n; i++)
        out[i] = hd_lit_mux(k, too_far, fill, out[i]);
}

static void reverse(hd_lit *out, const hd_lit *a, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        out[i] = a[n - 1 - i];
}

void hd_bits_shift_left(hd_circuit *k, hd_lit *out, const hd_lit *a, const hd_lit *by, unsigned n) {
    HD_ASSERT(n <= 64 && out != a);
    hd_lit mirrored[64] = {0}, shifted[64];
    reverse(mirrored, a, n);
    hd_bits_shift_right(k, shifted, mirrored, by, n, HD_LIT_FALSE);
    reverse(out, shifted, n);
}

/* One wide gate: true if all n literals are.  Overwrites `a`. */
static hd_lit conjunction(hd_circuit *k, hd_lit *a, unsigned n) {
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++) {
        if (a[i] == HD_LIT_FALSE)
            return HD_LIT_FALSE;
        if (a[i] != HD_LIT_TRUE)
            a[kept++] = a[i];
    }
    if (kept <= 2)
        return kept == 0 ? HD_LIT_TRUE : kept == 1 ? a[0] : hd_lit_and(k, a[0], a[1]);
    hd_lit out = hd_lit_new(k);
    for (unsigned i = 0; i < kept; i++)
        add_clause2(k, -out, a[i]);
    for (unsigned i = 0; i < kept; i++)
        ccadical_add(k->sat, -a[i]);
    ccadical_add(k->sat, out);
    end_clause(k);
    return out;
}

hd_lit hd_bits_equal(hd_circuit *k, const hd_lit *a, const hd_lit *b, unsigned n) {
    HD_ASSERT(n >= 1 && n <= 64);
    hd_lit same[64];
    for (unsigned i = 0; i < n; i++)
        same[i] = -hd_lit_xor(k, a[i], b[i]);
    return conjunction(k, same, n);
}

/* From the lowest bit up: less so far, unless this bit decides.  The sign bit counts the other
 * way round. */
hd_lit hd_bits_less(hd_circuit *k, const hd_lit *a, const hd_lit *b, unsigned n, bool or_equal,
                    bool is_signed) {
    hd_lit less = or_equal ? HD_LIT_TRUE : HD_LIT_FALSE;
    for (unsigned i = 0; i < n; i++) {
        bool is_sign = is_signed && i + 1 == n;
        less = is_sign ? majority(k, a[i], -b[i], less) : majority(k, -a[i], b[i], less);
    }
    return less;
}

/* Each bit of the index halves the table. */
void hd_bits_select(hd_circuit *k, hd_lit *out, hd_lit *rows, size_t n_rows, unsigned n,
                    const hd_lit *index, unsigned index_width) {
    HD_ASSERT(n_rows >= 1 && index_width >= 1 && index_width <= 64);
    hd_lit outside = HD_LIT_FALSE;
    for (unsigned bit = 0; bit < index_width; bit++) {
        if (n_rows == 1) {
            outside = hd_lit_or(k, outside, index[bit]);
            continue;
        }
        if (n_rows % 2)
            hd_bits_constant(rows + n_rows++ * n, 0, n);
        n_rows /= 2;
        for (size_t i = 0; i < n_rows; i++)
            for (unsigned j = 0; j < n; j++)
                rows[i * n + j] =
                    hd_lit_mux(k, index[bit], rows[(2 * i + 1) * n + j], rows[2 * i * n + j]);
    }
    for (unsigned j = 0; j < n; j++)
        out[j] = hd_lit_and(k, -outside, rows[j]);
}
