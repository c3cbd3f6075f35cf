/* The handlers that clang's undefined-behaviour checks call when a check failed.
 *
 * clang passes a record that starts with the place in the source; what follows depends on
 * the check.  Only the layouts that give a better message are spelled out.
 *
 * What is wrong is noted, and the execution goes on with the value that the processor makes, so
 * that nothing behind it is hidden; with --checks-end it ends.  A loop may come here millions of
 * times: one place, with one caller, is described once in an execution.  The handlers whose names
 * end with _abort never return: what they are called for has no result at all. */
#include "machine/machine_int.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct check_place {
    const char *file;
    uint32_t line, column;
} check_place;

typedef struct check_type {
    uint16_t kind; /* 0: integer */
    uint16_t info; /* bit 0: signed; above: log2 of the width */
    char name[];   /* in quotes */
} check_type;

typedef struct check_data {
    check_place place;
    const check_type *type, *second;
} check_data;

static bool is_signed(const check_type *t) {
    return t->kind == 0 && (t->info & 1);
}

static unsigned width_of(const check_type *t) {
    return t->kind == 0 ? 1u << (t->info >> 1) : 64;
}

/* A value is passed as itself, or by its address if it is wider than a register. */
static int64_t number(const check_type *t, uint64_t value) {
    unsigned width = width_of(t);
    if (width > 64) {
        uint64_t low;
        memcpy(&low, (const void *)value, sizeof low);
        return (int64_t)low;
    }
    return is_signed(t) ? (int64_t)(value << (64 - width)) >> (64 - width)
                        : (int64_t)(value & hd_mask(width));
}

static void print_number(char *out, size_t n, const check_type *t, uint64_t value) {
    snprintf(out, n, is_signed(t) ? "%ld" : "%lu", number(t, value));
}

/* What is wrong: fills in kind and message. */
typedef void describe(hd_finding *f, const check_data *d, uint64_t a, uint64_t b);

static void __attribute__((format(printf, 3, 4))) say(hd_finding *f, hd_finding_kind kind,
                                                      const char *format, ...) {
    va_list arguments;
    f->kind = kind;
    va_start(arguments, format);
    vsnprintf(f->message, sizeof f->message, format, arguments);
    va_end(arguments);
}

/* -- What is wrong ---------------------------------------------------------------------------- */

static void describe_overflow(hd_finding *f, const check_data *d, const char *op, uint64_t a,
                              uint64_t b) {
    char x[32], y[32];
    print_number(x, sizeof x, d->type, a);
    print_number(y, sizeof y, d->type, b);
    say(f, is_signed(d->type) ? HD_FINDING_OVERFLOW : HD_FINDING_UNDEFINED,
        "%s %s %s cannot be represented in type %s", x, op, y, d->type->name);
}

static void describe_add_overflow(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    describe_overflow(f, d, "+", a, b);
}

static void describe_sub_overflow(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    describe_overflow(f, d, "-", a, b);
}

static void describe_mul_overflow(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    describe_overflow(f, d, "*", a, b);
}

static void describe_negate_overflow(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    (void)b;
    say(f, HD_FINDING_OVERFLOW, "-(%ld) cannot be represented in type %s", number(d->type, a),
        d->type->name);
}

static void describe_divrem_overflow(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    char x[32];
    print_number(x, sizeof x, d->type, a);
    if (number(d->type, b) == 0)
        say(f, HD_FINDING_DIVISION_BY_ZERO, "%s is divided by zero", x);
    else
        say(f, HD_FINDING_OVERFLOW, "%s / -1 cannot be represented in type %s", x, d->type->name);
}

/* type: of the shifted value; second: of the amount. */
static void describe_shift_out_of_bounds(hd_finding *f, const check_data *d, uint64_t a,
                                         uint64_t b) {
    char x[32], y[32];
    print_number(x, sizeof x, d->type, a);
    print_number(y, sizeof y, d->second, b);
    int64_t amount = number(d->second, b);
    if (amount < 0 || (uint64_t)amount >= width_of(d->type))
        say(f, HD_FINDING_BAD_SHIFT, "shift of %s by %s in type %s of %u bits", x, y, d->type->name,
            width_of(d->type));
    else
        say(f, HD_FINDING_BAD_SHIFT, "%s << %s cannot be represented in type %s", x, y,
            d->type->name);
}

/* type: of the array; second: of the index. */
static void describe_out_of_bounds(hd_finding *f, const check_data *d, uint64_t index, uint64_t b) {
    char x[32];
    (void)b;
    print_number(x, sizeof x, d->second, index);
    say(f, HD_FINDING_OUT_OF_BOUNDS, "index %s is out of bounds for type %s", x, d->type->name);
}

/* Of an array that is a member: what lies behind it may be another one, and no other check sees it.
 */
static void describe_member_out_of_bounds(hd_finding *f, const check_data *d, uint64_t index,
                                          uint64_t b) {
    char x[32];
    (void)b;
    print_number(x, sizeof x, d->second, index);
    say(f, HD_FINDING_MEMBER_BOUNDS, "index %s is out of bounds for a member of type %s", x,
        d->type->name);
}

static void describe_builtin_unreachable(hd_finding *f, const check_data *d, uint64_t a,
                                         uint64_t b) {
    (void)d, (void)a, (void)b;
    say(f, HD_FINDING_UNDEFINED, "execution reached code that must be unreachable");
}

static void describe_missing_return(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    (void)d, (void)a, (void)b;
    say(f, HD_FINDING_UNDEFINED, "a function that must return a value ended without one");
}

static void describe_vla_bound_not_positive(hd_finding *f, const check_data *d, uint64_t bound,
                                            uint64_t b) {
    (void)b;
    say(f, HD_FINDING_UNDEFINED, "variable-length array of %ld elements", number(d->type, bound));
}

static void describe_float_cast_overflow(hd_finding *f, const check_data *d, uint64_t a,
                                         uint64_t b) {
    (void)a, (void)b;
    say(f, HD_FINDING_OVERFLOW, "floating-point value is outside the range of type %s",
        d->second->name);
}

static void describe_load_invalid_value(hd_finding *f, const check_data *d, uint64_t value,
                                        uint64_t b) {
    (void)b;
    say(f, HD_FINDING_UNDEFINED, "%ld is not a value of type %s", number(d->type, value),
        d->type->name);
}

static void describe_pointer_overflow(hd_finding *f, const check_data *d, uint64_t base,
                                      uint64_t result) {
    (void)d;
    say(f, HD_FINDING_UNDEFINED, "pointer arithmetic from %#lx to %#lx leaves every object", base,
        result);
}

static void describe_type_mismatch_v1(hd_finding *f, const check_data *d, uint64_t pointer,
                                      uint64_t b) {
    (void)b;
    if (pointer == 0)
        say(f, HD_FINDING_NULL_POINTER, "access of type %s through a null pointer", d->type->name);
    else
        say(f, HD_FINDING_UNDEFINED, "address is misaligned or too small for type %s",
            d->type->name);
}

static void describe_invalid_builtin(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    (void)d, (void)a, (void)b;
    say(f, HD_FINDING_UNDEFINED, "zero is passed to a builtin that must not get it");
}

static void describe_nonnull_arg(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    (void)d, (void)a, (void)b;
    say(f, HD_FINDING_UNDEFINED, "null pointer is passed as an argument that must not be");
}

static void describe_implicit_conversion(hd_finding *f, const check_data *d, uint64_t from,
                                         uint64_t to) {
    say(f, HD_FINDING_OVERFLOW, "conversion from %s to %s changes %ld to %ld", d->type->name,
        d->second->name, number(d->type, from), number(d->second, to));
}

/* -- What happens then ------------------------------------------------------------------------ */

/* The frame of a handler: the one before it, and where it returns to. */
typedef struct frame {
    const struct frame *before;
    uint64_t returns_to;
} frame;

static bool is_noted(hd_machine *m, const check_data *d, const frame *at) {
    uint64_t key = hd_hash_add((uint64_t)d, at->before ? at->before->returns_to : 0) & INT64_MAX;
    if (hd_map_find(&m->noted, key))
        return true;
    hd_map_put(&m->noted, key, 1);
    return false;
}

static void fill(hd_machine *m, describe *what, const check_data *d, uint64_t a, uint64_t b,
                 const frame *at) {
    hd_finding *f = &m->outcome->finding;
    hd_finding_fill(m, HD_FINDING_UNDEFINED, 0);
    what(f, d, a, b);
    snprintf(f->file, sizeof f->file, "%s", d->place.file ? d->place.file : "");
    f->line = d->place.line;
    hd_stack_walk(m, f, at);
}

static _Noreturn void end_check(describe *what, const check_data *d, uint64_t a, uint64_t b,
                                const frame *at) {
    fill(hd_now, what, d, a, b, at);
    hd_end_filled(hd_now);
}

static void note_check(describe *what, const check_data *d, uint64_t a, uint64_t b,
                       const frame *at) {
    hd_machine *m = hd_enter();
    if (m->options.checks_end)
        end_check(what, d, a, b, at);
    if (is_noted(m, d, at))
        return;
    fill(m, what, d, a, b, at);
    hd_note_filled(m);
}

#define X(name)                                                                                    \
    void hd_ubsan_##name(const check_data *d, uint64_t a, uint64_t b) {                            \
        note_check(describe_##name, d, a, b, __builtin_frame_address(0));                          \
    }                                                                                              \
    _Noreturn void hd_ubsan_##name##_abort(const check_data *d, uint64_t a, uint64_t b) {          \
        end_check(describe_##name, d, a, b, __builtin_frame_address(0));                           \
    }
HD_CHECK_HANDLERS(X)
#undef X

_Noreturn void hd_ubsan_builtin_unreachable(const check_data *d) {
    end_check(describe_builtin_unreachable, d, 0, 0, __builtin_frame_address(0));
}

_Noreturn void hd_ubsan_missing_return(const check_data *d) {
    end_check(describe_missing_return, d, 0, 0, __builtin_frame_address(0));
}
