/* The handlers that clang's undefined-behaviour checks call when a check failed.
 *
 * clang passes a record that starts with the place in the source; what follows depends on
 * the check.  Only the layouts that give a better message are spelled out.
 *
 * What is wrong is noted, and the execution goes on with the value that the processor makes, so
 * that nothing behind it is hidden; with --checks-end it ends.  A loop may come here millions of
 * times: one place, with one caller, is described once in an execution.  The handlers whose names
 * end with _abort never return: what they are called for has no result at all. */
#include "machine/values/values.h"

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
    HD_ASSERT(width);
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
    HD_ASSERT(kind != HD_FINDING_NONE);
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
    say(f, HD_FINDING_FLOAT_OVERFLOW, "floating-point value is outside the range of type %s",
        d->second->name);
}

static void describe_load_invalid_value(hd_finding *f, const check_data *d, uint64_t value,
                                        uint64_t b) {
    (void)b;
    say(f, HD_FINDING_BAD_VALUE, "%ld is not a value of type %s", number(d->type, value),
        d->type->name);
}

/* Between them are less than half of all addresses: which is greater says where it went. */
static bool moves_right(uint64_t from, uint64_t to) {
    return from != 0 && to != 0 && ((int64_t)(to - from) >= 0) == (to >= from);
}

static void describe_pointer_overflow(hd_finding *f, const check_data *d, uint64_t from,
                                      uint64_t to) {
    (void)d;
    int64_t distance = (int64_t)(to - from);
    if (from == 0 && to == 0)
        say(f, HD_FINDING_POINTER_OVERFLOW, "arithmetic on a null pointer");
    else if (from == 0)
        say(f, HD_FINDING_POINTER_OVERFLOW, "%ld is added to a null pointer", distance);
    else if (to == 0)
        say(f, HD_FINDING_POINTER_OVERFLOW, "pointer arithmetic makes a null pointer");
    else if (!moves_right(from, to))
        say(f, HD_FINDING_POINTER_OVERFLOW, "adding %ld to a pointer leaves the address space",
            distance);
    else if (distance == 0) /* a product that was too large */
        say(f, HD_FINDING_POINTER_OVERFLOW, "the sum of a pointer and a number goes round");
    else
        say(f, HD_FINDING_POINTER_OVERFLOW, "%lu is %s a pointer, which goes round",
            distance < 0 ? (uint64_t)distance : -(uint64_t)distance,
            distance < 0 ? "added to" : "subtracted from");
}

typedef struct mismatch_data {
    check_place place;
    const check_type *type;
    uint8_t log_alignment, access;
} mismatch_data;

static void describe_type_mismatch_v1(hd_finding *f, const check_data *d, uint64_t pointer,
                                      uint64_t b) {
    (void)b;
    uint64_t alignment = UINT64_C(1) << ((const mismatch_data *)d)->log_alignment;
    if (pointer == 0)
        say(f, HD_FINDING_NULL_POINTER, "access of type %s through a null pointer", d->type->name);
    else
        say(f, HD_FINDING_MISALIGNED,
            "address for type %s is not a multiple of %lu: %lu bytes too high", d->type->name,
            alignment, pointer & (alignment - 1));
}

/* aligned_alloc and __builtin_assume_aligned promise something about their result. */
static void describe_alignment_assumption(hd_finding *f, const check_data *d, uint64_t pointer,
                                          uint64_t alignment) {
    (void)d;
    say(f, HD_FINDING_MISALIGNED,
        "an address is taken for a multiple of %lu, and is %lu bytes too high", alignment,
        alignment ? pointer % alignment : pointer);
}

static void describe_member_of_null(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    (void)a, (void)b;
    say(f, HD_FINDING_NULL_POINTER, "member of %s at a null pointer", d->type->name);
}

static void describe_invalid_builtin(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    (void)d, (void)a, (void)b;
    say(f, HD_FINDING_UNDEFINED, "zero is passed to a builtin that must not get it");
}

typedef struct argument_data {
    check_place place, attribute;
    int32_t number; /* from 1 */
} argument_data;

static void describe_nonnull_arg(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    (void)a, (void)b;
    say(f, HD_FINDING_NULL_ARGUMENT,
        "null pointer is passed as argument %d, which must not be null",
        ((const argument_data *)d)->number);
}

static void describe_nonnull_return_v1(hd_finding *f, const check_data *d, uint64_t a, uint64_t b) {
    (void)d, (void)a, (void)b;
    say(f, HD_FINDING_NULL_ARGUMENT, "null pointer is returned from a function that must not");
}

static void describe_function_type_mismatch(hd_finding *f, const check_data *d, uint64_t function,
                                            uint64_t b) {
    (void)function, (void)b;
    say(f, HD_FINDING_WRONG_FUNCTION, "a function of another type is called as %s", d->type->name);
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
    if (hd_map_find(&m->failing.noted, key))
        return true;
    hd_map_put(&m->failing.noted, key, 1);
    return false;
}

static void fill(hd_machine *m, describe *what, const check_data *d, uint64_t a, uint64_t b,
                 const frame *at) {
    hd_finding *f = &m->call.outcome->finding;
    hd_finding_fill(m, HD_FINDING_UNDEFINED, 0);
    what(f, d, a, b);
    /* A null result comes with the place of its return; the record has that of the attribute. */
    const check_place *place = what == describe_nonnull_return_v1 ? (const void *)a : &d->place;
    snprintf(f->file, sizeof f->file, "%s", place->file ? place->file : "");
    f->line = place->line;
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

/* ---- marks: compiler/pointer_checks.c, callees.c ---- */

/* Is there an input pointer in it?  Then it is one plus something, or a choice between such. */
static bool has_pointer(hd_machine *m, hd_expr e) {
    const hd_node *n = hd_expr_node(m->graph, e);
    if (n->op == HD_OP_VAR)
        return hd_variables_info(m->variables, n->a)->kind == HD_VAR_POINTER;
    hd_expr first = n->op == HD_OP_ITE ? n->b : n->a, second = n->op == HD_OP_ITE ? n->c : n->b;
    return (n->op == HD_OP_ADD || n->op == HD_OP_ITE) &&
           (has_pointer(m, first) || has_pointer(m, second));
}

/* Objects of input pointers are aligned for every type. */
static hd_expr low_bits(hd_machine *m, hd_expr e, unsigned bits) {
    hd_graph *g = m->graph;
    hd_node n = *hd_expr_node(g, e); /* which may move */
    if (!has_pointer(m, e))
        return hd_expr_extract(g, e, 0, bits);
    if (n.op == HD_OP_ADD)
        return hd_expr_binary(g, HD_OP_ADD, low_bits(m, n.a, bits), low_bits(m, n.b, bits));
    if (n.op == HD_OP_ITE)
        return hd_expr_ite(g, n.a, low_bits(m, n.b, bits), low_bits(m, n.c, bits));
    return hd_expr_const(g, bits, 0);
}

/* Put a check on the path that is no branch of the program. */
static void ask(hd_machine *m, hd_expr holds, uint32_t site) {
    __hd_slow_branch(holds, (uint32_t)hd_eval_value(m->expressions.eval, holds), site);
}

/* Addresses that nobody has written are told by the access. */
static bool is_unwritten(const hd_machine *m, hd_shadow address) {
    return address && hd_expr_is_undefined(m->graph, address);
}

void __hd_slow_aligned(const void *p, hd_shadow address, uint64_t mask, const void *data,
                       uint32_t site) {
    hd_machine *m = hd_enter();
    hd_graph *g = m->graph;
    unsigned bits = (unsigned)__builtin_popcountll(mask);
    bool holds = ((uint64_t)p & mask) == 0;
    if (is_unwritten(m, address))
        return;
    if (address)
        ask(m, hd_expr_binary(g, HD_OP_EQ, low_bits(m, address, bits), hd_expr_const(g, bits, 0)),
            site);
    if (!holds)
        note_check(describe_type_mismatch_v1, data, (uint64_t)p, 0, __builtin_frame_address(0));
}

static hd_expr is_not_null(hd_graph *g, hd_expr e) {
    return hd_expr_not(g, hd_expr_binary(g, HD_OP_EQ, e, hd_expr_const(g, 64, 0)));
}

/* Input pointers are null or objects of the region. */
static hd_expr moves_right_expr(hd_machine *m, hd_expr from, hd_expr to) {
    hd_graph *g = m->graph;
    const hd_node *n = hd_expr_node(g, from);
    while (n->op == HD_OP_ADD && has_pointer(m, from)) {
        from = has_pointer(m, n->a) ? n->a : n->b;
        n = hd_expr_node(g, from);
    }
    if (has_pointer(m, from))
        return is_not_null(g, from);
    hd_expr distance = hd_expr_binary(g, HD_OP_SUB, to, from);
    hd_expr is_down = hd_expr_extract(g, distance, 63, 1);
    hd_expr is_less = hd_expr_binary(g, HD_OP_ULT, to, from);
    hd_expr both = hd_expr_binary(g, HD_OP_AND, is_not_null(g, from), is_not_null(g, to));
    return hd_expr_binary(g, HD_OP_AND, both, hd_expr_binary(g, HD_OP_EQ, is_down, is_less));
}

void __hd_slow_moved(const void *p, uint64_t shadows, const void *q, uint32_t step,
                     const void *data, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t from = (uint64_t)p, to = (uint64_t)q;
    hd_expr first = (uint32_t)shadows, second = (uint32_t)(shadows >> 32);
    if ((!first && step != HD_STEP_ANY && hd_in_region(from)) || is_unwritten(m, first) ||
        is_unwritten(m, second))
        return;
    if (first || second)
        ask(m, moves_right_expr(m, hd_expr_of(m, first, 64, from), hd_expr_of(m, second, 64, to)),
            site);
    if (!moves_right(from, to))
        note_check(step == HD_STEP_MEMBER ? describe_member_of_null : describe_pointer_overflow,
                   data, from, to, __builtin_frame_address(0));
}

void __hd_slow_called(const void *function, uint64_t type, const void *data) {
    hd_machine *m = hd_enter();
    const hd_function_mark *mark = (const hd_function_mark *)function - 1;
    uint64_t at = (uint64_t)function;
    if (at < m->module->code_start + sizeof *mark || at >= m->module->code_end ||
        mark->signature != HD_FUNCTION_SIGNATURE)
        return;
    if (mark->way == type >> 32)
        note_check(describe_function_type_mismatch, data, at, 0, __builtin_frame_address(0));
    else
        end_check(describe_function_type_mismatch, data, at, 0, __builtin_frame_address(0));
}

void __hd_miscalled(const char *name, uint32_t is_lost, uint32_t site) {
    static const char words[] = "function '%s' is called with other arguments, or for another "
                                "result, than it is defined with";
    if (is_lost)
        hd_end_finding(hd_enter(), HD_FINDING_WRONG_FUNCTION, site, words, name);
    hd_note_finding(hd_enter(), HD_FINDING_WRONG_FUNCTION, site, words, name);
}

/* ---- wrong places ---- */

void __hd_slow_goto(const void *label, const void **cache, const void *const *labels, uint32_t n,
                    uint32_t site) {
    for (uint32_t i = 0; i < n; i++)
        if (labels[i] == label) {
            cache[((uint64_t)label >> 2) % HD_LABEL_CACHE] = label;
            return;
        }
    hd_end_finding(hd_enter(), HD_FINDING_WRONG_GOTO, site,
                   "the goto leads to something that is no label of its function");
}

static _Noreturn void end_overlap(hd_machine *m, uint32_t site) {
    hd_end_finding(m, HD_FINDING_OVERLAP, site,
                   "what is copied and where it goes overlap (memmove may do that)");
}

/* n <= to - from, or to == from; both differences as numbers that may wrap. */
static hd_expr is_apart(hd_machine *m, hd_expr to, hd_expr from, hd_expr n) {
    hd_graph *g = m->graph;
    hd_expr up = hd_expr_binary(g, HD_OP_SUB, to, from),
            down = hd_expr_binary(g, HD_OP_SUB, from, to);
    hd_expr both = hd_expr_binary(g, HD_OP_AND, hd_expr_binary(g, HD_OP_ULE, n, up),
                                  hd_expr_binary(g, HD_OP_ULE, n, down));
    return hd_expr_binary(g, HD_OP_OR, both, hd_expr_binary(g, HD_OP_EQ, to, from));
}

/* Input pointers are whole objects: the copy itself decides which. */
void __hd_slow_overlap(const void *to, hd_shadow to_shadow, const void *from, hd_shadow from_shadow,
                       uint64_t n, hd_shadow n_shadow, uint32_t site) {
    hd_machine *m = hd_enter();
    uint64_t target = (uint64_t)to, source = (uint64_t)from;
    if (is_unwritten(m, to_shadow) || is_unwritten(m, from_shadow) || is_unwritten(m, n_shadow))
        return;
    hd_expr x = hd_expr_of(m, to_shadow, 64, target), y = hd_expr_of(m, from_shadow, 64, source);
    bool is_input = has_pointer(m, x) || has_pointer(m, y);
    if ((to_shadow || from_shadow || n_shadow) && !is_input)
        ask(m, is_apart(m, x, y, hd_expr_of(m, n_shadow, 64, n)), site);
    if (target != source && (target - source < n || source - target < n))
        end_overlap(m, site);
}

/* For models, which look themselves. */
_Noreturn void hd_ubsan_overlap(void) {
    hd_machine *m = hd_enter();
    end_overlap(m, hd_caller_site(m, __builtin_frame_address(0)));
}
