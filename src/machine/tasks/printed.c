/* What printing makes of values that depend on inputs (format.h, F3).
 *
 * The host prints; here is said of which bytes of its text a value decides what they are.  Where
 * they lie must not depend on inputs: the sign of a number and how many digits it has are decided,
 * as a loop of the program that prints digit by digit would decide them.  Zeros that fill a number
 * up are digits as any other, so that "%02x" of a byte decides nothing. */
#include "machine/tasks/format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- before it is printed: the layout ---- */

/* False: there is no room for more. */
static bool push(hd_machine *m, hd_format *f, hd_printed p) {
    if (!f->printed)
        f->printed = hd_execution_alloc(m, HD_MAX_FORMATTED * sizeof *f->printed);
    if (f->n_printed == HD_MAX_FORMATTED)
        return false;
    f->printed[f->n_printed++] = p;
    return true;
}

static unsigned base_of(char kind) {
    switch (kind) {
    case 'd':
    case 'i':
    case 'u':
        return 10;
    case 'x':
    case 'X':
        return 16;
    case 'o':
        return 8;
    default:
        return kind == 'b' || kind == 'B' ? 2 : 0;
    }
}

/* base to the power of n; 0 if no number of that many bits is as large. */
static uint64_t power(unsigned base, unsigned n, unsigned width) {
    uint64_t result = 1;
    for (; n; n--)
        if (__builtin_mul_overflow(result, base, &result) || result > hd_mask(width))
            return 0;
    return result;
}

/* A decision about a number: how it compares with a constant. */
static bool decide(hd_machine *m, hd_op op, hd_expr e, uint64_t constant, bool taken,
                   uint32_t site) {
    hd_expr other = hd_expr_const(m->graph, hd_expr_width(m->graph, e), constant);
    hd_record(m, site, hd_expr_binary(m->graph, op, e, other), taken, HD_BRANCH_PROGRAM);
    return taken;
}

/* How many digits are printed, if there are at least so many. */
static unsigned count_digits(hd_machine *m, hd_expr e, uint64_t value, unsigned base,
                             unsigned least, uint32_t site) {
    unsigned n = least, width = hd_expr_width(m->graph, e);
    HD_ASSERT(base >= 2 && width <= 64);
    for (uint64_t first; (first = power(base, n, width)); n++)
        if (decide(m, HD_OP_ULT, e, first, value < first, site))
            return n;
    while (n && !power(base, n - 1, width)) /* zeros in front of the largest number */
        n--;
    return n;
}

/* The digits that there are at least: `taken` characters of the width are something else. */
static unsigned least_digits(const hd_conversion *c, unsigned taken) {
    if (c->precision >= 0)
        return (unsigned)c->precision;
    bool is_filled = c->is_zero_filled && !c->is_left && c->width > (int)taken;
    return is_filled ? (unsigned)c->width - taken : 1;
}

/* The number without its sign, which is decided. */
static hd_expr without_sign(hd_machine *m, hd_expr e, uint64_t *value, bool *is_negative,
                            uint32_t site) {
    unsigned width = hd_expr_width(m->graph, e);
    *is_negative = decide(m, HD_OP_SLT, e, 0, *value >> (width - 1) & 1, site);
    if (!*is_negative)
        return e;
    *value = -*value & hd_mask(width);
    return hd_expr_binary(m->graph, HD_OP_SUB, hd_expr_const(m->graph, width, 0), e);
}

/* A prefix of octal numbers is a digit more, unless there is a zero already: that is left out. */
static bool is_kept(const hd_conversion *c) {
    bool is_filled = c->precision >= 0 || c->is_zero_filled;
    return !c->is_odd && !(c->has_prefix && c->kind == 'o' && is_filled);
}

static bool keep_number(hd_machine *m, hd_format *f, const hd_conversion *c, hd_expr e,
                        uint32_t site) {
    bool is_signed = c->kind == 'd' || c->kind == 'i', is_negative = false;
    unsigned base = base_of(c->kind), taken = 0;
    uint64_t value = hd_eval_value(m->expressions.eval, e);
    if (is_signed) {
        e = without_sign(m, e, &value, &is_negative, site);
        taken = is_negative || c->has_sign;
    }
    if (c->has_prefix && base != 10 && !decide(m, HD_OP_EQ, e, 0, value == 0, site))
        taken = base == 8 ? 0 : 2;
    unsigned n = count_digits(m, e, value, base, least_digits(c, taken), site);
    return push(m, f, (hd_printed){.conversion = *c, .base = base, .n = n, .e = e});
}

bool hd_printed_keep(hd_machine *m, hd_format *f, const hd_conversion *c, hd_expr e,
                     uint32_t site) {
    unsigned width = hd_expr_width(m->graph, e);
    if (c->kind == 'c' && !c->is_wide && width >= 8) {
        hd_expr byte = hd_expr_extract(m->graph, e, 0, 8);
        return push(m, f, (hd_printed){.conversion = *c, .n = 1, .e = byte});
    }
    return base_of(c->kind) && width == 8u * c->size && is_kept(c) && keep_number(m, f, c, e, site);
}

bool hd_printed_keep_text(hd_machine *m, hd_format *f, const hd_conversion *c,
                          const hd_library_text *t) {
    return push(m, f, (hd_printed){.conversion = *c, .n = (unsigned)t->n, .words = t->words});
}

/* ---- afterwards: which bytes ---- */

static int print(hd_machine *m, const hd_format *f, const char *format, char *out, uint64_t n) {
    va_list again;
    va_copy(again, *(va_list *)&f->arguments);
    errno = *(int *)m->running.errno_at;
    int printed = vsnprintf(out, n, format, again);
    va_end(again);
    return printed;
}

int hd_format_print(hd_machine *m, const hd_format *f, char *out, uint64_t n) {
    return print(m, f, f->text, out, n);
}

/* What the first `to` characters of the format print. */
static uint64_t length_until(hd_machine *m, const hd_format *f, uint32_t to) {
    char *start = hd_execution_alloc(m, to + 1);
    memcpy(start, f->text, to);
    start[to] = '\0';
    int n = print(m, f, start, NULL, 0);
    return n < 0 ? 0 : (uint64_t)n;
}

/* The character of a digit of less than `base`. */
static hd_expr character(hd_graph *g, hd_expr digit, const hd_printed *p) {
    char letter = p->conversion.kind == 'X' ? 'A' : 'a';
    hd_expr number = hd_expr_binary(g, HD_OP_ADD, digit, hd_expr_const(g, 8, '0'));
    if (p->base <= 10)
        return number;
    hd_expr ten = hd_expr_const(g, 8, 10);
    hd_expr after = hd_expr_const(g, 8, (uint8_t)(letter - 10));
    return hd_expr_ite(g, hd_expr_binary(g, HD_OP_ULT, digit, ten), number,
                       hd_expr_binary(g, HD_OP_ADD, digit, after));
}

/* Digit n, counted from the last one, as a number of 8 bits. */
static hd_expr digit_of(hd_graph *g, const hd_printed *p, unsigned n) {
    unsigned width = hd_expr_width(g, p->e);
    if (p->base == 10) {
        uint64_t unit = power(10, n, width);
        HD_ASSERT(unit); /* count_digits: there is such a digit */
        hd_expr first = hd_expr_binary(g, HD_OP_UDIV, p->e, hd_expr_const(g, width, unit));
        hd_expr e = hd_expr_binary(g, HD_OP_UREM, first, hd_expr_const(g, width, 10));
        return width > 8 ? hd_expr_extract(g, e, 0, 8) : e;
    }
    unsigned bits = p->base == 16 ? 4 : p->base == 8 ? 3 : 1;
    HD_ASSERT(n * bits < width);
    unsigned there = width - n * bits < bits ? width - n * bits : bits;
    return hd_expr_zext(g, hd_expr_extract(g, p->e, n * bits, there), 8);
}

static void put_word(hd_machine *m, hd_word *words, const char *text, uint64_t at, hd_expr e) {
    words[at] = hd_expr_is_const(m->graph, e) ? 0 : HD_WORD(e, 0);
    HD_INVARIANT(F3, hd_eval_value(m->expressions.eval, e) == (uint8_t)text[at]);
}

static void put_number(hd_machine *m, const hd_printed *p, hd_word *words, const char *text,
                       uint64_t end) {
    while (p->conversion.is_left && end && text[end - 1] == ' ')
        end--;
    HD_ASSERT(p->n <= end);
    for (unsigned i = 0; i < p->n; i++)
        put_word(m, words, text, end - 1 - i, character(m->graph, digit_of(m->graph, p, i), p));
}

static void put(hd_machine *m, const hd_format *f, const hd_printed *p, hd_word *words,
                const char *text) {
    uint64_t start = length_until(m, f, p->conversion.from);
    uint64_t end = length_until(m, f, p->conversion.to);
    if (p->base) {
        put_number(m, p, words, text, end);
        return;
    }
    HD_ASSERT(start + p->n <= end);
    uint64_t at = p->conversion.is_left ? start : end - p->n;
    if (p->words)
        memcpy(words + at, p->words, p->n * sizeof *words);
    else
        put_word(m, words, text, at, p->e);
}

const hd_word *hd_format_words(hd_machine *m, const hd_format *f, const char *text, uint64_t n) {
    if (!f->n_printed || !n)
        return NULL;
    hd_word *words = hd_execution_alloc(m, n * sizeof *words);
    memset(words, 0, n * sizeof *words);
    for (uint32_t i = 0; i < f->n_printed; i++)
        put(m, f, &f->printed[i], words, text);
    return words;
}
