/* Conditions as they are written (condition.h): words, then one function for each level of
 * precedence, which are rows of a table. */
#include "partition/condition.h"

#include "base/panic.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200, MAX_NAME = 200 };

/* A value of C. */
typedef struct value {
    hd_expr e;
    bool is_signed;
} value;

typedef struct condition_parser {
    const hd_names *names;
    hd_graph *g;
    const char *text, *at, *where;
    unsigned depth;
    hd_err *err;
    bool failed;
} condition_parser;

static value parse_choice(condition_parser *p);
static value parse_unary(condition_parser *p);

static value nothing(condition_parser *p) {
    return (value){hd_expr_const(p->g, 32, 0), true};
}

/* The first mistake counts. */
static value fail(condition_parser *p, const char *what) {
    if (!p->failed) {
        hd_err_set(p->err, "%s%s at '%.30s'", p->where, what, *p->at ? p->at : "the end");
        hd_err_hint(p->err, "a condition is written as in C: 'x < 5 && key[0] != 10'");
    }
    p->failed = true;
    return nothing(p);
}

/* ---- types ---- */

static unsigned width_of(const condition_parser *p, value v) {
    return hd_expr_width(p->g, v.e);
}

static value resize(condition_parser *p, value v, unsigned width, bool is_signed) {
    unsigned from = width_of(p, v);
    hd_expr e = from == width  ? v.e
                : from > width ? hd_expr_extract(p->g, v.e, 0, width)
                : v.is_signed  ? hd_expr_sext(p->g, v.e, width)
                               : hd_expr_zext(p->g, v.e, width);
    return (value){e, is_signed};
}

/* Integer promotion: what is narrower than an int becomes one. */
static value promote(condition_parser *p, value v) {
    unsigned width = width_of(p, v);
    if (width < 32)
        return resize(p, v, 32, true);
    return width > 32 && width < 64 ? resize(p, v, 64, v.is_signed) : v;
}

/* The usual arithmetic conversions. */
static void convert(condition_parser *p, value *a, value *b) {
    *a = promote(p, *a);
    *b = promote(p, *b);
    unsigned wa = width_of(p, *a), wb = width_of(p, *b);
    bool is_signed = wa == wb  ? a->is_signed && b->is_signed
                     : wa > wb ? a->is_signed
                               : b->is_signed;
    unsigned width = wa > wb ? wa : wb;
    *a = resize(p, *a, width, is_signed);
    *b = resize(p, *b, width, is_signed);
}

static hd_expr truth_of(condition_parser *p, value v) {
    if (width_of(p, v) == 1)
        return v.e;
    hd_expr zero = hd_expr_const(p->g, width_of(p, v), 0);
    return hd_expr_not(p->g, hd_expr_binary(p->g, HD_OP_EQ, v.e, zero));
}

/* One bit is an int without a sign: 0 or 1. */
static value from_truth(hd_expr e) {
    return (value){e, false};
}

/* ---- words ---- */

static void skip_space(condition_parser *p) {
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Is `word` next, and not the beginning of a longer one? */
static bool take(condition_parser *p, const char *word) {
    size_t n = strlen(word);
    skip_space(p);
    if (strncmp(p->at, word, n) != 0)
        return false;
    char next = p->at[n], last = word[n - 1];
    bool goes_on = is_name_character(last) ? is_name_character(next)
                                           : (last == '&' && n == 1 && next == '&') ||
                                                 (last == '|' && n == 1 && next == '|') ||
                                                 (strchr("<>!=", last) && n == 1 && next == '=') ||
                                                 (strchr("<>", last) && n == 1 && next == last);
    if (goes_on)
        return false;
    p->at += n;
    return true;
}

static bool fits(uint64_t value, unsigned width, bool is_signed) {
    return value <= (is_signed ? hd_mask(width) >> 1 : hd_mask(width));
}

/* The type of a number: the first that has it (C17 6.4.4.1). */
static value number(condition_parser *p, uint64_t v, bool is_decimal, bool is_unsigned,
                    bool is_long) {
    for (unsigned width = is_long ? 64 : 32; width <= 64; width += 32) {
        if (!is_unsigned && fits(v, width, true))
            return (value){hd_expr_const(p->g, width, v), true};
        if ((is_unsigned || !is_decimal) && fits(v, width, false))
            return (value){hd_expr_const(p->g, width, v), false};
    }
    return (value){hd_expr_const(p->g, 64, v), false};
}

static value parse_number(condition_parser *p) {
    bool is_decimal = *p->at != '0', is_unsigned = false, is_long = false;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(p->at, &end, 0);
    if (end == p->at || errno)
        return fail(p, "this is no number of at most 64 bits");
    p->at = end;
    for (; *p->at && strchr("uUlL", *p->at); p->at++) {
        is_unsigned |= *p->at == 'u' || *p->at == 'U';
        is_long |= *p->at == 'l' || *p->at == 'L';
    }
    if (is_name_character(*p->at))
        return fail(p, "this is no number of at most 64 bits");
    return number(p, v, is_decimal, is_unsigned, is_long);
}

/* 'a', '\n', '\\', '\0' */
static value parse_character(condition_parser *p) {
    static const char letters[] = "n\nt\tr\r0\0\\\\''\"\"a\ab\bf\fv\v";
    const char *at = p->at + 1;
    int c = (unsigned char)*at;
    if (c == '\\') {
        c = -1;
        for (size_t i = 0; i + 1 < sizeof letters - 1; i += 2)
            if (letters[i] == at[1] && at[1])
                c = letters[i + 1];
        at++;
    }
    if (c < 0 || !*at || at[1] != '\'')
        return fail(p, "this is no character");
    p->at = at + 2;
    return (value){hd_expr_const(p->g, 32, (uint64_t)(int64_t)(signed char)c & hd_mask(32)), true};
}

static value variable(condition_parser *p, const char *name) {
    hd_var v = 0;
    if (p->failed)
        return nothing(p);
    if (!hd_names_find(p->names, name, p->where, &v, p->err)) {
        p->failed = true;
        return nothing(p);
    }
    hd_expr e = hd_expr_var(p->g, v, hd_variables_info(p->names->variables, v)->width);
    return (value){e, hd_names_is_signed(p->names, v)};
}

/* How long the name at `at` is: words, fields, elements, and a number behind '#'. */
static size_t length_of_name(const char *at) {
    size_t n = 0;
    while (is_name_character(at[n]) || at[n] == '.' || at[n] == '[' || at[n] == ']' || at[n] == '#')
        n++;
    return n;
}

static value parse_name(condition_parser *p) {
    char name[MAX_NAME + 1];
    bool is_quoted = *p->at == '`';
    const char *from = p->at + is_quoted;
    size_t n = is_quoted ? strcspn(from, "`") : length_of_name(from);
    if (n > MAX_NAME || n == 0 || (is_quoted && from[n] != '`'))
        return fail(p, "this is no name of an input");
    memcpy(name, from, n);
    name[n] = '\0';
    value v = variable(p, name);
    p->at = from + n + is_quoted;
    return v;
}

/* ---- casts ---- */

static const struct type_name {
    const char *name;
    unsigned width;
    bool is_signed;
} types[] = {
    {"unsigned long long", 64, false},
    {"unsigned long", 64, false},
    {"unsigned char", 8, false},
    {"unsigned short", 16, false},
    {"unsigned int", 32, false},
    {"unsigned", 32, false},
    {"signed char", 8, true},
    {"long long", 64, true},
    {"long", 64, true},
    {"short", 16, true},
    {"int", 32, true},
    {"char", 8, true},
    {"int8_t", 8, true},
    {"int16_t", 16, true},
    {"int32_t", 32, true},
    {"int64_t", 64, true},
    {"uint8_t", 8, false},
    {"uint16_t", 16, false},
    {"uint32_t", 32, false},
    {"uint64_t", 64, false},
    {"size_t", 64, false},
    {"_Bool", 1, false},
    {"bool", 1, false},
};

/* The type in parentheses that is next, or NULL. */
static const struct type_name *take_type(condition_parser *p) {
    const char *before = p->at;
    if (!take(p, "("))
        return NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *inside = p->at;
        if (take(p, types[i].name) && take(p, ")"))
            return &types[i];
        p->at = inside;
    }
    p->at = before;
    return NULL;
}

static value cast(condition_parser *p, value v, const struct type_name *to) {
    return to->width == 1 ? from_truth(truth_of(p, v)) : resize(p, v, to->width, to->is_signed);
}

/* ---- operators ---- */

static value negate(condition_parser *p, value v) {
    v = promote(p, v);
    hd_expr zero = hd_expr_const(p->g, width_of(p, v), 0);
    return (value){hd_expr_binary(p->g, HD_OP_SUB, zero, v.e), v.is_signed};
}

static value parse_primary(condition_parser *p) {
    skip_space(p);
    if (take(p, "(")) {
        value v = parse_choice(p);
        return take(p, ")") ? v : fail(p, "')' is missing");
    }
    if (isdigit((unsigned char)*p->at))
        return parse_number(p);
    if (*p->at == '\'')
        return parse_character(p);
    if (is_name_character(*p->at) || *p->at == '`')
        return parse_name(p);
    return fail(p, "an input, a number or '(' is missing");
}

static value parse_operand(condition_parser *p) {
    const struct type_name *type = take_type(p);
    if (type)
        return cast(p, parse_unary(p), type);
    if (take(p, "!"))
        return from_truth(hd_expr_not(p->g, truth_of(p, parse_unary(p))));
    if (take(p, "-"))
        return negate(p, parse_unary(p));
    if (take(p, "+"))
        return promote(p, parse_unary(p));
    if (take(p, "~")) {
        value v = promote(p, parse_unary(p));
        return (value){hd_expr_not(p->g, v.e), v.is_signed};
    }
    return parse_primary(p);
}

static value parse_unary(condition_parser *p) {
    if (p->depth == MAX_DEPTH)
        return fail(p, "the condition is nested too deeply");
    p->depth++;
    value v = parse_operand(p);
    p->depth--;
    return v;
}

/* One of the operators on numbers: for unsigned and for signed ones, and whether sides are swapped
 * or the result is negated. */
typedef struct operator_row {
    const char *text;
    hd_op unsigned_op, signed_op;
    bool is_swapped, is_negated, is_comparison;
} operator_row;

static const operator_row products[] = {
    {"*", HD_OP_MUL, HD_OP_MUL, false, false, false},
    {"/", HD_OP_UDIV, HD_OP_SDIV, false, false, false},
    {"%", HD_OP_UREM, HD_OP_SREM, false, false, false},
    {NULL, 0, 0, false, false, false},
};
static const operator_row sums[] = {
    {"+", HD_OP_ADD, HD_OP_ADD, false, false, false},
    {"-", HD_OP_SUB, HD_OP_SUB, false, false, false},
    {NULL, 0, 0, false, false, false},
};
static const operator_row orders[] = {
    {"<=", HD_OP_ULE, HD_OP_SLE, false, false, true},
    {">=", HD_OP_ULE, HD_OP_SLE, true, false, true},
    {"<", HD_OP_ULT, HD_OP_SLT, false, false, true},
    {">", HD_OP_ULT, HD_OP_SLT, true, false, true},
    {NULL, 0, 0, false, false, false},
};
static const operator_row equalities[] = {
    {"==", HD_OP_EQ, HD_OP_EQ, false, false, true},
    {"!=", HD_OP_EQ, HD_OP_EQ, false, true, true},
    {NULL, 0, 0, false, false, false},
};
static const operator_row ands[] = {{"&", HD_OP_AND, HD_OP_AND, false, false, false},
                                    {NULL, 0, 0, false, false, false}};
static const operator_row xors[] = {{"^", HD_OP_XOR, HD_OP_XOR, false, false, false},
                                    {NULL, 0, 0, false, false, false}};
static const operator_row ors[] = {{"|", HD_OP_OR, HD_OP_OR, false, false, false},
                                   {NULL, 0, 0, false, false, false}};

/* Truth values are compared as such. */
static value apply(condition_parser *p, const operator_row *o, value a, value b) {
    bool are_truths = width_of(p, a) == 1 && width_of(p, b) == 1 && o->unsigned_op == HD_OP_EQ;
    if (!are_truths)
        convert(p, &a, &b);
    hd_op op = a.is_signed ? o->signed_op : o->unsigned_op;
    hd_expr e = hd_expr_binary(p->g, op, o->is_swapped ? b.e : a.e, o->is_swapped ? a.e : b.e);
    if (o->is_negated)
        e = hd_expr_not(p->g, e);
    return o->is_comparison ? from_truth(e) : (value){e, a.is_signed};
}

static value parse_level(condition_parser *p, const operator_row *rows,
                         value (*next)(condition_parser *)) {
    value a = next(p);
    while (!p->failed) {
        const operator_row *o = rows;
        while (o->text && !take(p, o->text))
            o++;
        if (!o->text)
            return a;
        a = apply(p, o, a, next(p));
    }
    return a;
}

static value parse_product(condition_parser *p) {
    return parse_level(p, products, parse_unary);
}

static value parse_sum(condition_parser *p) {
    return parse_level(p, sums, parse_product);
}

/* The result has the type of the left side; the amount may be of a longer one. */
static value shift(condition_parser *p, bool is_left, value a, value b) {
    a = promote(p, a);
    b = promote(p, b);
    unsigned width = width_of(p, a), wide = width_of(p, b) > width ? width_of(p, b) : width;
    hd_op op = is_left ? HD_OP_SHL : a.is_signed ? HD_OP_ASHR : HD_OP_LSHR;
    value x = resize(p, a, wide, a.is_signed), n = resize(p, b, wide, false);
    value result = {hd_expr_binary(p->g, op, x.e, n.e), a.is_signed};
    return resize(p, result, width, a.is_signed);
}

static value parse_shift(condition_parser *p) {
    value a = parse_sum(p);
    while (!p->failed) {
        bool is_left = take(p, "<<");
        if (!is_left && !take(p, ">>"))
            return a;
        a = shift(p, is_left, a, parse_sum(p));
    }
    return a;
}

static value parse_order(condition_parser *p) {
    return parse_level(p, orders, parse_shift);
}

static value parse_equality(condition_parser *p) {
    return parse_level(p, equalities, parse_order);
}

static value parse_and(condition_parser *p) {
    return parse_level(p, ands, parse_equality);
}

static value parse_xor(condition_parser *p) {
    return parse_level(p, xors, parse_and);
}

static value parse_or(condition_parser *p) {
    return parse_level(p, ors, parse_xor);
}

static value parse_both(condition_parser *p) {
    value a = parse_or(p);
    while (!p->failed && take(p, "&&")) {
        hd_expr x = truth_of(p, a), y = truth_of(p, parse_or(p));
        a = from_truth(hd_expr_binary(p->g, HD_OP_AND, x, y));
    }
    return a;
}

static value parse_either(condition_parser *p) {
    value a = parse_both(p);
    while (!p->failed && take(p, "||")) {
        hd_expr x = truth_of(p, a), y = truth_of(p, parse_both(p));
        a = from_truth(hd_expr_binary(p->g, HD_OP_OR, x, y));
    }
    return a;
}

static value parse_rest_of_choice(condition_parser *p, hd_expr condition) {
    value yes = parse_choice(p);
    if (!take(p, ":"))
        return fail(p, "':' is missing");
    value no = parse_choice(p);
    if (width_of(p, yes) != 1 || width_of(p, no) != 1)
        convert(p, &yes, &no);
    return (value){hd_expr_ite(p->g, condition, yes.e, no.e), yes.is_signed};
}

static value parse_choice(condition_parser *p) {
    if (p->depth == MAX_DEPTH)
        return fail(p, "the condition is nested too deeply");
    p->depth++;
    value v = parse_either(p);
    if (!p->failed && take(p, "?"))
        v = parse_rest_of_choice(p, truth_of(p, v));
    p->depth--;
    return v;
}

bool hd_condition_parse(const hd_names *names, const char *text, const char *where,
                        hd_expr *condition, hd_err *err) {
    condition_parser p = {
        .names = names, .g = names->graph, .text = text, .at = text, .where = where, .err = err};
    *condition = truth_of(&p, parse_choice(&p));
    skip_space(&p);
    if (*p.at)
        fail(&p, "this is not expected");
    return !p.failed;
}
