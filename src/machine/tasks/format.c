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

typedef struct parser {
    const char *format, *at;
    unsigned next; /* argument that is not numbered */
    type types[HD_MAX_FORMATTED];
    unsigned n_arguments, n_found;
    bool is_strange;    /* more than fits, or something that we do not know */
    bool has_errno;     /* "%m" */
    bool has_positions; /* "%2$d" */
    bool has_long;      /* "%Lf" */
    hd_conversion found[HD_MAX_FORMATTED];
} parser;

/* What a call was given for one conversion or '*'. */
typedef struct argument {
    hd_expr e;      /* of a call of ours with "..." */
    uint64_t place; /* in a list that the program made; 0 if it is concrete */
} argument;

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
        p->has_positions = true;
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
    p->has_long |= t == LONG_REAL;
    if (n >= p->n_arguments)
        p->n_arguments = n + 1;
    HD_ASSERT(p->n_arguments <= HD_MAX_FORMATTED);
    return (uint8_t)n;
}

/* A width or precision, if there is one: a number, or '*' for an argument, whose number is the
 * answer; else -1. */
static int8_t parse_number(parser *p, int *value) {
    if (*p->at != '*') {
        if (is_digit(*p->at))
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

static void note(parser *p, hd_conversion c) {
    if (p->n_found < HD_MAX_FORMATTED)
        p->found[p->n_found++] = c;
    else
        p->is_strange = true;
}

static void parse_flags(parser *p, hd_conversion *c) {
    for (; *p->at && strchr("-+ #0'I", *p->at); p->at++) {
        c->is_left |= *p->at == '-';
        c->has_sign |= *p->at == '+' || *p->at == ' ';
        c->has_prefix |= *p->at == '#';
        c->is_zero_filled |= *p->at == '0';
        c->is_odd |= *p->at == '\'' || *p->at == 'I';
    }
}

static void parse_sizes(parser *p, hd_conversion *c) {
    c->width_star = parse_number(p, &c->width);
    if (*p->at != '.')
        return;
    p->at++;
    c->precision = 0;
    c->star = parse_number(p, &c->precision);
}

/* Behind the '%'. */
static void parse_conversion(parser *p) {
    hd_conversion c = {.width = -1,
                       .precision = -1,
                       .width_star = -1,
                       .star = -1,
                       .from = (uint32_t)(p->at - p->format - 1)};
    int number = position(p);
    parse_flags(p, &c);
    parse_sizes(p, &c);
    unsigned modifier = parse_modifier(p);
    c.kind = *p->at;
    p->at += c.kind != '\0';
    p->has_errno |= c.kind == 'm';
    if (c.kind == '%' || c.kind == 'm')
        return;
    if (c.kind && strchr("aefgAEFG", c.kind)) {
        use(p, number, modifier >= 4 && modifier < 'H' ? LONG_REAL : REAL);
        return;
    }
    p->is_strange |= !c.kind || !strchr("diouxXcCpsSnbB", c.kind);
    c.number = use(p, number, WORD);
    c.is_wide = strchr("SC", c.kind) || (strchr("sc", c.kind) && modifier && modifier < 'H');
    c.size = stored_size(modifier);
    c.to = (uint32_t)(p->at - p->format);
    note(p, c);
}

static void parse(parser *p, const char *format) {
    p->format = p->at = format;
    while (!p->is_strange && (p->at = strchr(p->at, '%'))) {
        p->at++;
        parse_conversion(p);
    }
}

/* ---- formats that depend on inputs ---- */

#define INSIDE "0123456789$*.-+ #'IhlqjzZtL" /* what a conversion has before its letter */

/* A byte between conversions is printed as it is. */
static bool is_byte_lost(hd_machine *m, hd_format *f, hd_expr byte, uint32_t at, uint32_t site) {
    hd_conversion itself = {.kind = 'c', .from = at, .to = at + 1};
    return !f->is_kept ||
           (!hd_printed_keep(m, f, &itself, byte, site) && !hd_value_is_decided(m, byte, site));
}

/* Is the byte lost?  Between conversions only whether one begins there is decided. */
static bool decide_format_byte(hd_machine *m, hd_format *f, hd_number byte, uint32_t at,
                               bool is_inside, uint32_t site) {
    if (!byte.e)
        return false;
    if (is_inside) {
        hd_pin_value(m, byte.e, byte.value, site);
        return false;
    }
    hd_expr percent = hd_expr_const(m->graph, 8, '%');
    hd_record(m, site, hd_expr_binary(m->graph, HD_OP_EQ, byte.e, percent), byte.value == '%',
              HD_BRANCH_PROGRAM);
    return byte.value != '%' && is_byte_lost(m, f, byte.e, at, site);
}

/* F2: with other bytes it would have other conversions, which read other arguments. */
static void decide_format(hd_machine *m, hd_format *f, const hd_library_text *t) {
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    bool is_inside = false;
    for (uint64_t i = 0; i < t->n; i++) {
        char c = t->at[i];
        hd_number byte = hd_library_number_of(m, t->at + i, t->words + i, 1);
        f->is_symbolic |= decide_format_byte(m, f, byte, (uint32_t)i, is_inside, site);
        is_inside = is_inside ? strchr(INSIDE, c) != NULL : c == '%';
    }
}

/* ---- the arguments ---- */

static bool takes_pointer(const hd_conversion *c) {
    return c->kind == 's' || c->kind == 'S' || c->kind == 'n';
}

static bool is_pointer(const parser *p, unsigned number) {
    for (unsigned i = 0; i < p->n_found; i++)
        if (p->found[i].number == number && takes_pointer(&p->found[i]))
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
 * value. */
static void look_at(hd_machine *m, const parser *p, unsigned number, va_list list, argument *a) {
    type t = p->types[number];
    uint64_t at = next_place((const hd_va_record *)list, t), n = t == LONG_REAL ? 10 : 8;
    if (!hd_in_region(at))
        return;
    if (*HD_SHADOW_OF(at) == HD_POISON_ARGUMENT) /* nobody passed it */
        hd_check_range(m, at, n, false, hd_caller_site(m, __builtin_frame_address(0)));
    a->place = is_symbolic(at, n) ? at : 0;
}

/* The value of an argument as an integer of so many bytes, or of fewer; HD_NONE if it is concrete. */
static hd_expr value_of(hd_machine *m, const argument *a, unsigned size) {
    if (a->place) {
        hd_expr e = is_symbolic(a->place, size) ? hd_load_words(m, a->place, size) : HD_NONE;
        return hd_define(m, e, HD_USE_ARGUMENT, 0);
    }
    return a->e && hd_expr_width(m->graph, a->e) > 8 * size
               ? hd_expr_extract(m->graph, a->e, 0, 8 * size)
               : a->e;
}

/* The list is one that the program made, and not that of a function of ours with "...", whose frame
 * is below those of the program. */
static bool is_programs(const hd_machine *m, va_list list) {
    uint64_t saved = ((const hd_va_record *)list)->reg_save_area;
    return saved > hd_program_boundary(m, __builtin_frame_address(0));
}

/* An argument that a call of ours with "..." has got. */
static hd_expr given(const hd_format *f, unsigned i) {
    return i < HD_MAX_ARGS - 1 && f->passed >> i & 1 ? f->given[i] : HD_NONE;
}

/* Puts them one behind the other, as a call would; where[i] is the slot of number i. */
static void take(hd_machine *m, const parser *p, hd_format *f, va_list arguments, unsigned *where,
                 argument *all) {
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
            look_at(m, p, i, arguments, &all[i]);
        else
            all[i].e = given(f, fixed + i);
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

/* ---- arguments that depend on inputs ---- */

static bool is_lost(hd_machine *m, const argument *a, type t) {
    if (!a->place && !a->e)
        return false;
    uint32_t site = hd_caller_site(m, __builtin_frame_address(0));
    uint64_t n = t == LONG_REAL ? 10 : 8;
    return a->place ? !hd_words_are_decided(m, HD_SHADOW_OF(a->place), n, site)
                    : !hd_value_is_decided(m, a->e, site);
}

/* A width or a precision, as far as it is one value on this path. */
static int settle_star(hd_machine *m, hd_format *f, int8_t star, int else_this,
                       const unsigned *where, const argument *all) {
    if (star < 0)
        return else_this;
    HD_ASSERT(star < HD_MAX_FORMATTED);
    f->is_symbolic |= is_lost(m, &all[(unsigned)star], WORD);
    return (int)f->slots[where[(unsigned)star]];
}

/* The conversion with its width and precision; those of '*' may be less than 0. */
static hd_conversion settle_sizes(hd_machine *m, hd_format *f, const hd_conversion *from,
                                  const unsigned *where, const argument *all) {
    hd_conversion c = *from;
    c.width = settle_star(m, f, c.width_star, c.width, where, all);
    c.is_left |= c.width_star >= 0 && c.width < 0;
    c.width = c.width_star >= 0 && c.width < 0 ? (c.width == INT_MIN ? 0 : -c.width) : c.width;
    if (takes_pointer(&c))
        return c; /* where a text ends is decided while it is read */
    c.precision = settle_star(m, f, c.star, c.precision, where, all);
    return c;
}

/* An integer or a character: does it keep what it depends on? */
static void keep(hd_machine *m, hd_format *f, const parser *p, const hd_conversion *c,
                 const argument *a) {
    hd_expr e = value_of(m, a, c->kind == 'c' ? sizeof(int) : c->kind == 'p' ? 8 : c->size);
    bool has_gaps = p->has_positions && p->has_long; /* parts of the format mean something else */
    if (e &&
        (has_gaps || !hd_printed_keep(m, f, c, e, hd_caller_site(m, __builtin_frame_address(0)))))
        f->is_symbolic |= is_lost(m, a, WORD);
}

/* A pointer is one address on this path. */
static void settle_pointer(hd_machine *m, const argument *a) {
    hd_expr e = value_of(m, a, 8);
    if (e)
        hd_address_choose(m, e, hd_caller_site(m, __builtin_frame_address(0)));
}

/* Where nobody reads what is printed other values are what they are now. */
static void settle_arguments(hd_machine *m, hd_format *f, parser *p, const unsigned *where,
                             const argument *all) {
    for (unsigned i = 0; i < p->n_arguments; i++)
        if (p->types[i] == WORD && is_pointer(p, i))
            settle_pointer(m, &all[i]);
        else if (!f->is_kept)
            f->is_symbolic |= all[i].place != 0;
        else if (p->types[i] != WORD)
            f->is_symbolic |= is_lost(m, &all[i], p->types[i]);
    for (unsigned i = 0; f->is_kept && i < p->n_found; i++) {
        hd_conversion *c = &p->found[i];
        *c = settle_sizes(m, f, c, where, all);
        if (!takes_pointer(c))
            keep(m, f, p, c, &all[c->number]);
    }
}

/* Arguments of the call that are named in its declaration, or all of them. */
static bool are_named_lost(hd_machine *m, const hd_format *f, va_list arguments, bool all) {
    unsigned n = ((const hd_va_record *)arguments)->gp_offset / 8;
    bool is_lost = false;
    n = all || is_programs(m, arguments) || n > HD_MAX_ARGS - 1 ? HD_MAX_ARGS - 1 : n;
    for (unsigned i = 0; f->passed >> i && i < n; i++)
        is_lost |=
            given(f, i) &&
            !hd_value_is_decided(m, f->given[i], hd_caller_site(m, __builtin_frame_address(0)));
    return is_lost;
}

static bool is_errno_symbolic(const hd_machine *m) {
    uint64_t at = (uint64_t)m->running.errno_at;
    return hd_in_region(at) && is_symbolic(at, sizeof(int));
}

bool hd_errno_is_lost(hd_machine *m) {
    return is_errno_symbolic(m) &&
           !hd_words_are_decided(m, HD_SHADOW_OF(m->running.errno_at), sizeof(int),
                                 hd_caller_site(m, __builtin_frame_address(0)));
}

/* ---- what they point to ---- */

/* The precision of a text: units that are read at most.  Whether it is one at all is decided. */
static hd_number limit_of(hd_machine *m, const hd_format *f, const hd_conversion *c,
                          const unsigned *where, const argument *all) {
    HD_ASSERT(c->star < HD_MAX_FORMATTED);
    hd_expr e = c->star >= 0 ? value_of(m, &all[(unsigned)c->star], sizeof(int)) : HD_NONE;
    int precision = c->star >= 0 ? (int)f->slots[where[(unsigned)c->star]] : c->precision;
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

static void read_text(hd_machine *m, hd_format *f, const hd_conversion *c, const unsigned *where,
                      const argument *all) {
    HD_ASSERT(c->number < HD_MAX_FORMATTED);
    uint64_t *slot = &f->slots[where[c->number]];
    if (!*slot) /* the C library prints "(null)" */
        return;
    hd_number limit = limit_of(m, f, c, where, all);
    uint32_t unit = c->is_wide ? sizeof(wchar_t) : 1;
    hd_library_text t = hd_library_read_limited(m, (const void *)*slot, limit, unit);
    HD_INVARIANT(F2, t.n <= limit.value);
    HD_INVARIANT(F1, t.room ? !hd_in_region((uint64_t)t.at) : (uint64_t)t.at == *slot);
    HD_CHECK_INVARIANT(F1, t.room || !hd_is_threaded(m) || !hd_in_region(*slot) ||
                               hd_is_private(m, *slot));
    note_text(f, (const void *)*slot, (t.n + (t.n < limit.value)) * unit);
    if (!(f->is_kept && unit == 1 && t.is_symbolic && hd_printed_keep_text(m, f, c, &t)))
        f->is_symbolic |= f->is_kept ? hd_library_is_lost(m, &t, unit) : t.is_symbolic;
    *slot = (uint64_t)t.at;
}

/* How much was printed until then: of values that depend on inputs, one of several numbers. */
static void write_count(hd_machine *m, const hd_format *f, const hd_conversion *c, uint64_t slot) {
    if (f->is_symbolic)
        hd_approximate_call(m, "number that '%%n' stores when a symbolic value is printed");
    hd_library_write(m, (void *)slot, c->size);
    hd_unpoison(slot, c->size);
}

static void read_memory(hd_machine *m, hd_format *f, const parser *p, const unsigned *where,
                        const argument *all) {
    for (unsigned i = 0; i < p->n_found; i++)
        if (takes_pointer(&p->found[i]) && p->found[i].kind != 'n')
            read_text(m, f, &p->found[i], where, all);
    for (unsigned i = 0; i < p->n_found; i++)
        if (p->found[i].kind == 'n')
            write_count(m, f, &p->found[i], f->slots[where[p->found[i].number]]);
}

void hd_format_read(hd_machine *m, hd_format *f, const char *format, va_list arguments) {
    parser p;
    unsigned where[HD_MAX_FORMATTED] = {0};
    argument all[HD_MAX_FORMATTED] = {0};
    memset(&p, 0, offsetof(parser, found));
    hd_library_text t =
        format ? hd_library_read_text(m, format, UINT64_MAX, 1) : (hd_library_text){0};
    f->text = t.at;
    f->printed = NULL;
    f->n_printed = 0;
    if (t.is_symbolic)
        decide_format(m, f, &t);
    f->n_texts = 0;
    if (f->text) {
        note_text(f, format, t.n + 1);
        parse(&p, f->text);
    }
    f->is_symbolic |= f->is_kept && are_named_lost(m, f, arguments, p.is_strange);
    if (p.is_strange) {
        hd_approximate(m, hd_caller_site(m, __builtin_frame_address(0)),
                       "printing with a format that is not known, or of more than %d arguments",
                       HD_MAX_FORMATTED);
        va_copy(f->arguments, arguments);
        return;
    }
    take(m, &p, f, arguments, where, all);
    settle_arguments(m, f, &p, where, all);
    f->is_symbolic |= p.has_errno && (f->is_kept ? hd_errno_is_lost(m) : is_errno_symbolic(m));
    read_memory(m, f, &p, where, all);
    hd_va_record list = {ALL_IN_MEMORY, (uint64_t)f->slots, 0};
    _Static_assert(sizeof list == sizeof f->arguments,
                   "a list of arguments is what va_start makes");
    memcpy(&f->arguments, &list, sizeof list);
}
