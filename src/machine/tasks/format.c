/* Formats of printf: which arguments there are, what they point to, and how much of it is read.
 *
 * A format is taken apart into conversions with numbered arguments, because "%2$s" may name them in
 * any order; then the arguments are taken from the list, one after the other; then what they point
 * to is read.  They go on to the host in a list of our own, all of them in memory. */
#include "machine/tasks/format.h"

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define ALL_IN_MEMORY HD_VA_GENERAL_END, 304 /* offsets beyond the registers */

typedef enum type { UNUSED, WORD, REAL, LONG_REAL } type;

typedef struct conversion {
    char kind;      /* 's', 'n', ...; 0: a width or precision */
    bool is_wide;   /* ls */
    uint8_t size;   /* bytes that n stores */
    uint8_t number; /* of its argument */
    int precision;  /* -1: none */
    int8_t stars;   /* argument number of a precision; -1: none */
} conversion;

typedef struct parser {
    const char *at;
    unsigned next; /* argument that is not numbered */
    type types[HD_MAX_FORMATTED];
    unsigned n_arguments, n_found;
    bool is_strange;                    /* more than fits, or something that we do not know */
    conversion found[HD_MAX_FORMATTED]; /* those that touch memory */
} parser;

/* ---- the format ---- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static int number_at(parser *p) {
    int n = 0;
    for (; is_digit(*p->at); p->at++)
        n = n < INT_MAX / 10 - 1 ? n * 10 + (*p->at - '0') : INT_MAX;
    return n;
}

/* "12$": the number of an argument, counted from 0; -1 if there is none here. */
static int position(parser *p) {
    const char *start = p->at;
    int n = number_at(p);
    if (p->at > start && *p->at == '$' && n > 0) {
        p->at++;
        return n - 1;
    }
    p->at = start;
    return -1;
}

/* The argument of this number, or the next one, has this type. */
static uint8_t use(parser *p, int number, type t) {
    unsigned n = number >= 0 ? (unsigned)number : p->next++;
    if (n >= HD_MAX_FORMATTED) {
        p->is_strange = true;
        return 0;
    }
    p->types[n] = t;
    if (n >= p->n_arguments)
        p->n_arguments = n + 1;
    HD_ASSERT(p->n_arguments <= HD_MAX_FORMATTED);
    return (uint8_t)n;
}

/* A width or precision: a number, or '*' for an argument, whose number is the answer; else -1. */
static int8_t parse_number(parser *p, int *value) {
    if (*p->at != '*') {
        *value = number_at(p);
        return -1;
    }
    p->at++;
    return (int8_t)use(p, position(p), WORD);
}

/* How often 'l', or 'H' for hh. */
static unsigned parse_modifier(parser *p) {
    unsigned n_long = 0, n_short = 0;
    for (; *p->at && strchr("hlqjzZtL", *p->at); p->at++) {
        n_short += *p->at == 'h';
        n_long += *p->at == 'L' ? 4 : *p->at != 'h';
    }
    return n_long ? n_long : n_short == 1 ? 'h' : n_short ? 'H' : 0;
}

static uint8_t stored_size(unsigned modifier) {
    return modifier == 'H' ? 1 : modifier == 'h' ? 2 : modifier ? 8 : 4;
}

static void note(parser *p, conversion c) {
    if (p->n_found < HD_MAX_FORMATTED)
        p->found[p->n_found++] = c;
    else
        p->is_strange = true;
}

/* Behind the '%'. */
static void parse_conversion(parser *p) {
    conversion c = {.precision = -1, .stars = -1};
    int width, number = position(p);
    while (*p->at && strchr("-+ #0'I", *p->at))
        p->at++;
    parse_number(p, &width);
    if (*p->at == '.') {
        p->at++;
        c.stars = parse_number(p, &c.precision);
    }
    unsigned modifier = parse_modifier(p);
    c.kind = *p->at;
    p->at += c.kind != '\0';
    if (c.kind == '%' || c.kind == 'm')
        return;
    if (c.kind && strchr("aefgAEFG", c.kind)) {
        use(p, number, modifier >= 4 && modifier < 'H' ? LONG_REAL : REAL);
        return;
    }
    p->is_strange |= !c.kind || !strchr("diouxXcCpsSnbB", c.kind);
    c.number = use(p, number, WORD);
    c.is_wide = c.kind == 'S' || (c.kind == 's' && modifier && modifier < 'H');
    c.size = stored_size(modifier);
    if (c.kind == 's' || c.kind == 'S' || c.kind == 'n')
        note(p, c);
}

static void parse(parser *p, const char *format) {
    p->at = format;
    while (!p->is_strange && (p->at = strchr(p->at, '%'))) {
        p->at++;
        parse_conversion(p);
    }
}

/* ---- formats that depend on inputs ---- */

#define INSIDE "0123456789$*.-+ #'IhlqjzZtL" /* what a conversion has before its letter */

static void decide_format_byte(hd_machine *m, hd_number byte, bool is_inside, uint32_t site) {
    hd_expr percent = hd_expr_const(m->graph, 8, '%');
    if (byte.e && is_inside)
        hd_pin_value(m, byte.e, byte.value, site);
    else if (byte.e)
        hd_record(m, site, hd_expr_binary(m->graph, HD_OP_EQ, byte.e, percent), byte.value == '%',
                  HD_BRANCH_PROGRAM);
}

/* F2: with other bytes it would have other conversions, which read other arguments. */
static void decide_format(hd_machine *m, const hd_library_text *t) {
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    bool is_inside = false;
    for (uint64_t i = 0; i < t->n; i++) {
        char c = t->at[i];
        decide_format_byte(m, hd_library_number_of(m, t->at + i, t->words + i, 1), is_inside, site);
        is_inside = is_inside ? strchr(INSIDE, c) != NULL : c == '%';
    }
}

/* ---- the arguments ---- */

static bool is_pointer(const parser *p, unsigned number) {
    for (unsigned i = 0; i < p->n_found; i++)
        if (p->found[i].number == number)
            return true;
    return false;
}

/* Where the next argument of the list lies. */
static uint64_t next_place(const hd_va_record *list, type t) {
    uint64_t overflow = list->overflow_arg_area, saved = list->reg_save_area;
    if (t == LONG_REAL)
        return (overflow + 15) & ~UINT64_C(15);
    uint32_t offset = t == REAL ? list->fp_offset : list->gp_offset;
    return offset < (t == REAL ? HD_VA_SAVED_BYTES : HD_VA_GENERAL_END) ? saved + offset : overflow;
}

static bool is_symbolic(uint64_t at, uint64_t n) {
    for (uint64_t i = 0; i < n; i++)
        if (HD_WORD_IS_SYMBOLIC(*HD_SHADOW_OF(at + i)))
            return true;
    return false;
}

/* An argument in a list that the program has made: its shadow lies in memory, as that of any other
 * value.  A pointer is one address on this path; other values are what they are now. */
static void look_at(hd_machine *m, hd_format *f, const parser *p, unsigned number, va_list list,
                    hd_expr *precision) {
    type t = p->types[number];
    uint64_t at = next_place((const hd_va_record *)list, t), n = t == LONG_REAL ? 10 : 8;
    if (!hd_in_region(at))
        return;
    if (*HD_SHADOW_OF(at) == HD_POISON_ARGUMENT) /* nobody passed it */
        hd_check_range(m, at, n, false, hd_caller_site(m, __builtin_frame_address(0)));
    if (!is_symbolic(at, n))
        return;
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    if (t == WORD)
        precision[number] = hd_load_words(m, at, sizeof(int));
    if (t == WORD && is_pointer(p, number))
        hd_address_choose(m, hd_load_words(m, at, 8), site);
    else
        f->is_symbolic |= !f->is_kept || !hd_words_are_decided(m, HD_SHADOW_OF(at), n, site);
}

/* The list is one that the program made, and not that of a function of ours with "...", whose frame
 * is below those of the program. */
static bool is_programs(const hd_machine *m, va_list list) {
    uint64_t saved = ((const hd_va_record *)list)->reg_save_area;
    return saved > hd_program_boundary(m, __builtin_frame_address(0));
}

/* An argument that a call of ours with "..." has got, as an int; HD_NONE if it is concrete. */
static hd_expr given_int(hd_machine *m, const hd_format *f, unsigned i) {
    hd_expr e = i < HD_MAX_ARGS && f->passed >> i & 1 ? f->given[i] : HD_NONE;
    return e && hd_expr_width(m->graph, e) > 32 ? hd_expr_extract(m->graph, e, 0, 32) : e;
}

/* Puts them one behind the other, as a call would; where[i] is the slot of number i. */
static void take(hd_machine *m, const parser *p, hd_format *f, va_list arguments, unsigned *where,
                 hd_expr *precision) {
    unsigned n = 0;
    bool is_looked_at = p->n_arguments && is_programs(m, arguments);
    unsigned fixed = ((const hd_va_record *)arguments)->gp_offset / 8;
    for (unsigned i = 0; i < p->n_arguments; i++) {
        long double wide;
        double real;
        n += p->types[i] == LONG_REAL && n % 2;
        where[i] = n;
        HD_ASSERT(n + 2 <= sizeof f->slots / sizeof *f->slots);
        if (is_looked_at)
            look_at(m, f, p, i, arguments, precision);
        else
            precision[i] = given_int(m, f, fixed + i);
        switch (p->types[i]) {
        case LONG_REAL:
            wide = va_arg(arguments, long double);
            memcpy(&f->slots[n], &wide, 10);
            n += 2;
            break;
        case REAL:
            real = va_arg(arguments, double);
            memcpy(&f->slots[n++], &real, sizeof real);
            break;
        default:
            f->slots[n++] = va_arg(arguments, uint64_t);
        }
    }
}

/* The precision of a text: units that are read at most.  Whether it is one at all is decided. */
static hd_number limit_of(hd_machine *m, const hd_format *f, const conversion *c,
                          const unsigned *where, const hd_expr *given) {
    HD_ASSERT(c->stars < HD_MAX_FORMATTED);
    hd_expr e = c->stars >= 0 ? given[(unsigned)c->stars] : HD_NONE;
    int precision = c->stars >= 0 ? (int)f->slots[where[(unsigned)c->stars]] : c->precision;
    if (e)
        hd_record(m, hd_caller_site(m, __builtin_frame_address(0)),
                  hd_expr_binary(m->graph, HD_OP_SLT, e,
                                 hd_expr_const(m->graph, hd_expr_width(m->graph, e), 0)),
                  precision < 0, HD_BRANCH_PROGRAM);
    return precision < 0 ? (hd_number){.value = UINT64_MAX}
                         : (hd_number){.value = (uint64_t)precision, .e = e};
}

static void note_text(hd_format *f, const void *p, uint64_t n) {
    HD_ASSERT(f->n_texts < sizeof f->texts / sizeof *f->texts);
    f->texts[f->n_texts++] = (hd_range){(uint64_t)p, n};
}

static void read_text(hd_machine *m, hd_format *f, const conversion *c, const unsigned *where,
                      const hd_expr *given) {
    HD_ASSERT(c->number < HD_MAX_FORMATTED);
    uint64_t *slot = &f->slots[where[c->number]];
    if (!*slot) /* the C library prints "(null)" */
        return;
    hd_number limit = limit_of(m, f, c, where, given);
    uint32_t unit = c->is_wide ? sizeof(wchar_t) : 1;
    hd_library_text t = hd_library_read_limited(m, (const void *)*slot, limit, unit);
    HD_INVARIANT(F2, t.n <= limit.value);
    HD_INVARIANT(F1, t.room ? !hd_in_region((uint64_t)t.at) : (uint64_t)t.at == *slot);
    HD_CHECK_INVARIANT(F1, t.room || !hd_is_threaded(m) || !hd_in_region(*slot) ||
                               hd_is_private(m, *slot));
    note_text(f, (const void *)*slot, (t.n + (t.n < limit.value)) * unit);
    f->is_symbolic |= f->is_kept ? hd_library_is_lost(m, &t, unit) : t.is_symbolic;
    *slot = (uint64_t)t.at;
}

/* How much was printed until then: of values that depend on inputs, one of several numbers. */
static void write_count(hd_machine *m, const hd_format *f, const conversion *c, uint64_t slot) {
    if (f->is_symbolic)
        hd_approximate_call(m, "number that '%%n' stores when a symbolic value is printed");
    hd_library_write(m, (void *)slot, c->size);
    hd_unpoison(slot, c->size);
}

static void read_memory(hd_machine *m, hd_format *f, const parser *p, const unsigned *where,
                        const hd_expr *given) {
    for (unsigned i = 0; i < p->n_found; i++)
        if (p->found[i].kind != 'n')
            read_text(m, f, &p->found[i], where, given);
    for (unsigned i = 0; i < p->n_found; i++)
        if (p->found[i].kind == 'n')
            write_count(m, f, &p->found[i], f->slots[where[p->found[i].number]]);
}

void hd_format_read(hd_machine *m, hd_format *f, const char *format, va_list arguments) {
    parser p;
    unsigned where[HD_MAX_FORMATTED] = {0};
    hd_expr given[HD_MAX_FORMATTED] = {0};
    memset(&p, 0, offsetof(parser, found));
    hd_library_text t =
        format ? hd_library_read_text(m, format, UINT64_MAX, 1) : (hd_library_text){0};
    f->text = t.at;
    if (t.is_symbolic)
        decide_format(m, &t);
    f->is_symbolic |= f->is_kept && format ? hd_library_is_lost(m, &t, 1) : t.is_symbolic;
    f->n_texts = 0;
    if (f->text) {
        note_text(f, format, t.n + 1);
        parse(&p, f->text);
    }
    if (p.is_strange) {
        hd_approximate(m, hd_caller_site(m, __builtin_frame_address(0)),
                       "printing with a format that is not known, or of more than %d arguments",
                       HD_MAX_FORMATTED);
        va_copy(f->arguments, arguments);
        return;
    }
    take(m, &p, f, arguments, where, given);
    read_memory(m, f, &p, where, given);
    hd_va_record list = {ALL_IN_MEMORY, (uint64_t)f->slots, 0};
    _Static_assert(sizeof list == sizeof f->arguments,
                   "a list of arguments is what va_start makes");
    memcpy(&f->arguments, &list, sizeof list);
}
