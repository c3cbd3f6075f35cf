/* The handlers that clang's undefined-behaviour checks call when a check failed.
 *
 * clang passes a record that starts with the place in the source; what follows depends on
 * the check.  Only the layouts that give a better message are spelled out. */
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

#define END(kind, data, ...) end_check(kind, data, __builtin_frame_address(0), __VA_ARGS__)

static _Noreturn void __attribute__((format(printf, 4, 5))) end_check(hd_finding_kind kind,
                                                                      const check_place *place,
                                                                      const void *frame,
                                                                      const char *format, ...) {
    hd_machine *m = hd_now;
    hd_finding *f = &m->outcome->finding;
    hd_finding_fill(m, kind, 0);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f->message, sizeof f->message, format, arguments);
    va_end(arguments);
    snprintf(f->file, sizeof f->file, "%s", place->file ? place->file : "");
    f->line = place->line;
    hd_stack_walk(m, f, frame);
    hd_end_filled(m);
}

static _Noreturn void end_overflow(const check_data *d, const char *op, uint64_t a, uint64_t b,
                                   const void *frame) {
    char x[32], y[32];
    print_number(x, sizeof x, d->type, a);
    print_number(y, sizeof y, d->type, b);
    hd_finding_kind kind = is_signed(d->type) ? HD_FINDING_OVERFLOW : HD_FINDING_UNDEFINED;
    end_check(kind, &d->place, frame, "%s %s %s cannot be represented in type %s", x, op, y,
              d->type->name);
}

_Noreturn void hd_ubsan_add_overflow_abort(const check_data *d, uint64_t a, uint64_t b) {
    end_overflow(d, "+", a, b, __builtin_frame_address(0));
}

_Noreturn void hd_ubsan_sub_overflow_abort(const check_data *d, uint64_t a, uint64_t b) {
    end_overflow(d, "-", a, b, __builtin_frame_address(0));
}

_Noreturn void hd_ubsan_mul_overflow_abort(const check_data *d, uint64_t a, uint64_t b) {
    end_overflow(d, "*", a, b, __builtin_frame_address(0));
}

_Noreturn void hd_ubsan_negate_overflow_abort(const check_data *d, uint64_t a) {
    END(HD_FINDING_OVERFLOW, &d->place, "-(%ld) cannot be represented in type %s",
        number(d->type, a), d->type->name);
}

_Noreturn void hd_ubsan_divrem_overflow_abort(const check_data *d, uint64_t a, uint64_t b) {
    char x[32];
    print_number(x, sizeof x, d->type, a);
    if (number(d->type, b) == 0)
        END(HD_FINDING_DIVISION_BY_ZERO, &d->place, "%s is divided by zero", x);
    END(HD_FINDING_OVERFLOW, &d->place, "%s / -1 cannot be represented in type %s", x,
        d->type->name);
}

/* type: of the shifted value; second: of the amount. */
_Noreturn void hd_ubsan_shift_out_of_bounds_abort(const check_data *d, uint64_t a, uint64_t b) {
    char x[32], y[32];
    print_number(x, sizeof x, d->type, a);
    print_number(y, sizeof y, d->second, b);
    int64_t amount = number(d->second, b);
    if (amount < 0 || (uint64_t)amount >= width_of(d->type))
        END(HD_FINDING_BAD_SHIFT, &d->place, "shift of %s by %s in type %s of %u bits", x, y,
            d->type->name, width_of(d->type));
    END(HD_FINDING_BAD_SHIFT, &d->place, "%s << %s cannot be represented in type %s", x, y,
        d->type->name);
}

/* type: of the array; second: of the index. */
_Noreturn void hd_ubsan_out_of_bounds_abort(const check_data *d, uint64_t index) {
    char x[32];
    print_number(x, sizeof x, d->second, index);
    END(HD_FINDING_OUT_OF_BOUNDS, &d->place, "index %s is out of bounds for type %s", x,
        d->type->name);
}

/* Of an array that is a member: what lies behind it may be another one, and no other check sees it.
 */
_Noreturn void hd_ubsan_member_out_of_bounds_abort(const check_data *d, uint64_t index) {
    char x[32];
    print_number(x, sizeof x, d->second, index);
    END(HD_FINDING_MEMBER_BOUNDS, &d->place, "index %s is out of bounds for a member of type %s", x,
        d->type->name);
}

_Noreturn void hd_ubsan_builtin_unreachable(const check_data *d) {
    END(HD_FINDING_UNDEFINED, &d->place, "execution reached code that must be unreachable");
}

_Noreturn void hd_ubsan_missing_return(const check_data *d) {
    END(HD_FINDING_UNDEFINED, &d->place, "a function that must return a value ended without one");
}

_Noreturn void hd_ubsan_vla_bound_not_positive_abort(const check_data *d, uint64_t bound) {
    END(HD_FINDING_UNDEFINED, &d->place, "variable-length array of %ld elements",
        number(d->type, bound));
}

_Noreturn void hd_ubsan_float_cast_overflow_abort(const check_data *d) {
    END(HD_FINDING_OVERFLOW, &d->place, "floating-point value is outside the range of type %s",
        d->second->name);
}

_Noreturn void hd_ubsan_load_invalid_value_abort(const check_data *d, uint64_t value) {
    END(HD_FINDING_UNDEFINED, &d->place, "%ld is not a value of type %s", number(d->type, value),
        d->type->name);
}

_Noreturn void hd_ubsan_pointer_overflow_abort(const check_data *d, uint64_t base,
                                               uint64_t result) {
    END(HD_FINDING_UNDEFINED, &d->place, "pointer arithmetic from %#lx to %#lx leaves every object",
        base, result);
}

_Noreturn void hd_ubsan_type_mismatch_v1_abort(const check_data *d, uint64_t pointer) {
    if (pointer == 0)
        END(HD_FINDING_NULL_POINTER, &d->place, "access of type %s through a null pointer",
            d->type->name);
    END(HD_FINDING_UNDEFINED, &d->place, "address is misaligned or too small for type %s",
        d->type->name);
}

_Noreturn void hd_ubsan_invalid_builtin_abort(const check_data *d) {
    END(HD_FINDING_UNDEFINED, &d->place, "zero is passed to a builtin that must not get it");
}

_Noreturn void hd_ubsan_nonnull_arg_abort(const check_data *d) {
    END(HD_FINDING_UNDEFINED, &d->place, "null pointer is passed as an argument that must not be");
}

_Noreturn void hd_ubsan_implicit_conversion_abort(const check_data *d, uint64_t from, uint64_t to) {
    END(HD_FINDING_OVERFLOW, &d->place, "conversion from %s to %s changes %ld to %ld",
        d->type->name, d->second->name, number(d->type, from), number(d->second, to));
}
