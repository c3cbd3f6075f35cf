/* Expressions of machine words as expressions of C (condition.h).
 *
 * An expression of w bits is printed as a C expression of 32 or 64 bits that is equal to it modulo
 * 2^w.  Some are known to be its value as an unsigned or as a signed number too; where that is
 * needed and not known, a cast makes it so. */
#include "partition/condition.h"

#include "base/panic.h"

#include <ctype.h>
#include <string.h>

enum { MAX_PRINTED = 1000, MAX_DEPTH = 200, MAX_ELEMENTS = 64 };

/* How a C expression is equal to what was to be printed. */
typedef enum meaning { LOOSE, UNSIGNED, SIGNED } meaning;

typedef struct printer {
    const hd_names *names;
    const hd_graph *g;
    hd_text *out;
    unsigned n_left, depth;
    bool failed;
} printer;

static void print_as(printer *p, hd_expr e, meaning how);
static void print_truth(printer *p, hd_expr e);
static void print_inner(printer *p, hd_expr e);

static void put(printer *p, const char *text) {
    hd_text_add(p->out, "%s", text);
}

static const hd_node *node_of(const printer *p, hd_expr e) {
    return hd_expr_node(p->g, e);
}

static unsigned container(unsigned width) {
    return width <= 32 ? 32 : 64;
}

static int64_t as_signed(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

/* ---- leaves ---- */

static bool is_plain_name(const char *name) {
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.[]#") ==
           strlen(name);
}

static void print_name(printer *p, hd_var v) {
    hd_text name = {0};
    p->failed |= !hd_names_has(p->names, v);
    if (p->failed)
        return;
    hd_names_print(p->names, v, &name);
    bool is_plain = is_plain_name(name.at);
    hd_text_add(p->out, is_plain ? "%s" : "`%s`", name.at);
    hd_text_release(&name);
}

static const char *suffix(unsigned width) {
    return width > 32 ? "L" : "";
}

static void print_constant(printer *p, uint64_t value, unsigned width, meaning how) {
    int64_t number = as_signed(value, width);
    if (how != UNSIGNED && width > 1 && number == INT64_MIN)
        put(p, "(-9223372036854775807L - 1)");
    else if (how != UNSIGNED && width > 1 && number < 0)
        hd_text_add(p->out, "%lld%s", (long long)number, suffix(width));
    else if (value < 65536)
        hd_text_add(p->out, "%llu%s", (unsigned long long)value, suffix(width));
    else
        hd_text_add(p->out, "0x%llx%s", (unsigned long long)value, suffix(width));
}

/* ---- casts ---- */

static bool has_type(unsigned width) {
    return width == 8 || width == 16 || width == 32 || width == 64;
}

static void print_cast_to(printer *p, unsigned width, bool is_signed) {
    hd_text_add(p->out, "(%sint%u_t)", is_signed ? "" : "u", width);
}

/* A number of bits that no type of C has: by a mask, or by shifts. */
static void print_odd(printer *p, hd_expr e, unsigned width, meaning how) {
    unsigned wide = container(width);
    if (how == UNSIGNED) {
        put(p, "(");
        print_as(p, e, LOOSE);
        hd_text_add(p->out, " & 0x%llx%s)", (unsigned long long)hd_mask(width), suffix(width));
        return;
    }
    put(p, "(");
    print_cast_to(p, wide, true);
    put(p, "(");
    print_as(p, e, LOOSE);
    hd_text_add(p->out, " << %u) >> %u)", wide - width, wide - width);
}

/* A C expression whose value is `e` as an unsigned or signed number. */
static void print_exactly(printer *p, hd_expr e, unsigned width, meaning how) {
    if (!has_type(width)) {
        print_odd(p, e, width, how);
        return;
    }
    print_cast_to(p, width, how == SIGNED);
    print_as(p, e, LOOSE);
}

/* Of 64 bits, if `width` needs that. */
static void print_widened(printer *p, hd_expr e, unsigned width, meaning how) {
    if (width > 32 && hd_expr_width(p->g, e) <= 32)
        print_cast_to(p, 64, how == SIGNED);
    print_as(p, e, how);
}

/* ---- operations ---- */

static void print_pair(printer *p, const char *op, hd_expr a, hd_expr b, meaning how) {
    put(p, "(");
    print_as(p, a, how);
    hd_text_add(p->out, " %s ", op);
    print_as(p, b, how);
    put(p, ")");
}

static void print_shift(printer *p, const char *op, const hd_node *n, meaning how) {
    put(p, "(");
    print_as(p, n->a, how);
    hd_text_add(p->out, " %s ", op);
    print_as(p, n->b, UNSIGNED);
    put(p, ")");
}

/* x / 0 has all bits of its width set, and not those of an int. */
static void print_udiv(printer *p, const hd_node *n) {
    if (hd_expr_is_const(p->g, n->b) && hd_expr_value(p->g, n->b)) {
        print_pair(p, "/", n->a, n->b, UNSIGNED);
        return;
    }
    put(p, "(");
    print_as(p, n->b, UNSIGNED);
    hd_text_add(p->out, " == 0 ? 0x%llx%s : ", (unsigned long long)hd_mask(n->width),
                suffix(n->width));
    print_pair(p, "/", n->a, n->b, UNSIGNED);
    put(p, ")");
}

static void print_not(printer *p, const hd_node *n) {
    put(p, "~");
    print_as(p, n->a, LOOSE);
}

static void print_extract(printer *p, const hd_node *n) {
    if (n->aux == 0) {
        print_as(p, n->a, LOOSE);
        return;
    }
    put(p, "(");
    print_as(p, n->a, UNSIGNED);
    hd_text_add(p->out, " >> %u)", n->aux);
}

static void print_concat(printer *p, const hd_node *n) {
    put(p, "(");
    print_cast_to(p, container(n->width), false);
    print_as(p, n->a, UNSIGNED);
    hd_text_add(p->out, " << %u | ", hd_expr_width(p->g, n->b));
    print_as(p, n->b, UNSIGNED);
    put(p, ")");
}

static void print_choice(printer *p, const hd_node *n, meaning how) {
    put(p, "(");
    print_inner(p, n->a);
    put(p, " ? ");
    print_as(p, n->b, how);
    put(p, " : ");
    print_as(p, n->c, how);
    put(p, ")");
}

static void print_read(printer *p, const hd_node *n, meaning how) {
    uint32_t size = hd_table_size(p->g, n->a);
    p->failed |= size > MAX_ELEMENTS;
    for (uint32_t i = 0; i < size && !p->failed; i++) {
        put(p, "(");
        print_as(p, n->b, UNSIGNED);
        hd_text_add(p->out, " == %u ? ", i);
        print_as(p, hd_table_elements(p->g, n->a)[i], how);
        put(p, " : ");
    }
    print_constant(p, 0, n->width, how);
    for (uint32_t i = 0; i < size && !p->failed; i++)
        put(p, ")");
}

static void print_loose(printer *p, const hd_node *n) {
    static const char *const text[HD_N_OPS] = {
        [HD_OP_ADD] = "+", [HD_OP_SUB] = "-", [HD_OP_MUL] = "*",
        [HD_OP_AND] = "&", [HD_OP_OR] = "|",  [HD_OP_XOR] = "^"};
    if (n->op == HD_OP_NOT)
        print_not(p, n);
    else if (n->op == HD_OP_EXTRACT)
        print_extract(p, n);
    else if (n->op == HD_OP_CONCAT)
        print_concat(p, n);
    else if (n->op == HD_OP_SHL)
        print_shift(p, "<<", n, LOOSE);
    else if (n->op == HD_OP_SDIV)
        print_pair(p, "/", n->a, n->b, SIGNED);
    else if (text[n->op])
        print_pair(p, text[n->op], n->a, n->b, LOOSE);
    else
        p->failed = true; /* not an operation of words */
}

static meaning natural_at(const printer *p, hd_expr e, unsigned depth);

/* An int, or a long, that takes the sign of whatever it meets. */
static bool is_plain_constant(const printer *p, hd_expr e) {
    unsigned width = hd_expr_width(p->g, e);
    return hd_expr_is_const(p->g, e) && hd_expr_value(p->g, e) != (uint64_t)1 << (width - 1);
}

/* Arithmetic of whole ints and longs leaves no bits to cut off. */
static meaning natural_sum(const printer *p, const hd_node *n, unsigned depth) {
    if ((n->width != 32 && n->width != 64) || depth == 0)
        return LOOSE;
    hd_expr b = n->op == HD_OP_NOT ? n->a : n->b;
    meaning x = natural_at(p, n->a, depth - 1), y = natural_at(p, b, depth - 1);
    if (is_plain_constant(p, n->a))
        return y;
    return x == y || is_plain_constant(p, b) ? x : LOOSE;
}

/* Which number the C expression of `e` is anyway; LOOSE if it is neither for certain. */
static meaning natural_at(const printer *p, hd_expr e, unsigned depth) {
    const hd_node *n = node_of(p, e);
    switch ((hd_op)n->op) {
    case HD_OP_VAR:
        return hd_names_is_signed(p->names, n->a) ? SIGNED : UNSIGNED;
    case HD_OP_ZEXT:
    case HD_OP_UDIV:
    case HD_OP_UREM:
    case HD_OP_LSHR:
        return UNSIGNED;
    case HD_OP_SEXT:
    case HD_OP_SREM:
    case HD_OP_ASHR:
        return SIGNED;
    case HD_OP_CONCAT: /* of bits that are where they belong */
        return UNSIGNED;
    case HD_OP_ADD:
    case HD_OP_SUB:
    case HD_OP_MUL:
    case HD_OP_AND:
    case HD_OP_OR:
    case HD_OP_XOR:
    case HD_OP_NOT:
        return natural_sum(p, n, depth);
    default:
        return LOOSE;
    }
}

static meaning natural(const printer *p, hd_expr e) {
    return natural_at(p, e, 6);
}

static void print_natural(printer *p, hd_expr e) {
    const hd_node *n = node_of(p, e);
    switch ((hd_op)n->op) {
    case HD_OP_VAR:
        print_name(p, n->a);
        return;
    case HD_OP_ZEXT:
        print_widened(p, n->a, n->width, UNSIGNED);
        return;
    case HD_OP_SEXT:
        print_widened(p, n->a, n->width, SIGNED);
        return;
    case HD_OP_UDIV:
        print_udiv(p, n);
        return;
    case HD_OP_UREM:
        print_pair(p, "%", n->a, n->b, UNSIGNED);
        return;
    case HD_OP_SREM:
        print_pair(p, "%", n->a, n->b, SIGNED);
        return;
    case HD_OP_LSHR:
        print_shift(p, ">>", n, UNSIGNED);
        return;
    case HD_OP_ASHR:
        print_shift(p, ">>", n, SIGNED);
        return;
    default:
        print_loose(p, n);
    }
}

/* Is the number that is printed for `e` an int, which it is without a sign? */
static bool is_small_int(const printer *p, hd_expr e) {
    const hd_node *n = node_of(p, e);
    if (n->op == HD_OP_VAR)
        return n->width < 32;
    return natural(p, e) == LOOSE && n->op != HD_OP_ITE && n->op != HD_OP_READ &&
           (n->width == 8 || n->width == 16 || n->width == 1);
}

/* What was made longer by zeros has no sign: the C type has to have one all the same. */
static void print_positive(printer *p, const hd_node *n) {
    if (n->width > 32 || !is_small_int(p, n->a))
        print_cast_to(p, container(n->width), true);
    print_as(p, n->a, UNSIGNED);
}

/* A word, but no constant, no choice and no truth value. */
static void print_word(printer *p, hd_expr e, meaning how) {
    meaning is = natural(p, e);
    const hd_node *n = node_of(p, e);
    if (n->op == HD_OP_ZEXT && how == SIGNED)
        print_positive(p, n);
    else if (how == LOOSE || how == is)
        print_natural(p, e);
    else
        print_exactly(p, e, n->width, how);
}

/* A truth value as an int: 1, or -1 if that is its only bit. */
static void print_bit(printer *p, hd_expr e, meaning how) {
    put(p, how == SIGNED ? "-(" : "(");
    print_truth(p, e);
    put(p, node_of(p, e)->op == HD_OP_EXTRACT ? " != 0)" : ")");
}

static bool begin(printer *p) {
    p->failed |= p->n_left == 0 || p->depth == MAX_DEPTH;
    if (p->failed)
        return false;
    p->n_left--;
    p->depth++;
    return true;
}

static void print_as(printer *p, hd_expr e, meaning how) {
    const hd_node *n = node_of(p, e);
    if (!begin(p))
        return;
    if (n->op == HD_OP_CONST)
        print_constant(p, hd_expr_value(p->g, e), n->width, how);
    else if (n->width == 1)
        print_bit(p, e, how);
    else if (n->op == HD_OP_ITE)
        print_choice(p, n, how);
    else if (n->op == HD_OP_READ)
        print_read(p, n, how);
    else
        print_word(p, e, how);
    p->depth--;
}

/* ---- truth values ---- */

static void print_compared(printer *p, const char *op, hd_expr a, hd_expr b, meaning how) {
    print_as(p, a, how);
    hd_text_add(p->out, " %s ", op);
    print_as(p, b, how);
}

/* As signed numbers, if one of them is one anyway. */
static meaning common(const printer *p, hd_expr a, hd_expr b) {
    return natural(p, a) == SIGNED || natural(p, b) == SIGNED ? SIGNED : UNSIGNED;
}

static void print_inner(printer *p, hd_expr e) {
    const hd_node *n = node_of(p, e);
    bool is_bare = n->op == HD_OP_VAR || n->op == HD_OP_CONST ||
                   (n->op == HD_OP_NOT && node_of(p, n->a)->op != HD_OP_EQ);
    put(p, is_bare ? "" : "(");
    print_truth(p, e);
    put(p, is_bare ? "" : ")");
}

static void print_joined(printer *p, const char *op, const hd_node *n) {
    print_inner(p, n->a);
    hd_text_add(p->out, " %s ", op);
    print_inner(p, n->b);
}

static void print_equality(printer *p, const hd_node *n, bool is_equal) {
    const char *op = is_equal ? "==" : "!=";
    if (hd_expr_width(p->g, n->a) == 1)
        print_joined(p, op, n);
    else if (hd_expr_is_const(p->g, n->a))
        print_compared(p, op, n->b, n->a, common(p, n->a, n->b));
    else
        print_compared(p, op, n->a, n->b, common(p, n->a, n->b));
}

/* Of two inputs: does the program ask for the first one later? */
static bool comes_later(const printer *p, hd_expr a, hd_expr b) {
    return node_of(p, a)->op == HD_OP_VAR && node_of(p, b)->op == HD_OP_VAR &&
           node_of(p, a)->a > node_of(p, b)->a;
}

/* a < b, and the same from the other side: constants and later inputs stand right. */
static void print_order(printer *p, const hd_node *n, bool is_strict, meaning how) {
    if (hd_expr_is_const(p->g, n->a) || comes_later(p, n->a, n->b))
        print_compared(p, is_strict ? ">" : ">=", n->b, n->a, how);
    else
        print_compared(p, is_strict ? "<" : "<=", n->a, n->b, how);
}

static void print_negation(printer *p, const hd_node *n) {
    const hd_node *inner = node_of(p, n->a);
    if (inner->op == HD_OP_EQ) {
        print_equality(p, inner, false);
        return;
    }
    put(p, "!");
    print_inner(p, n->a);
}

/* A bit of a word. */
static void print_one_bit(printer *p, const hd_node *n) {
    put(p, "(");
    print_as(p, n->a, UNSIGNED);
    hd_text_add(p->out, " >> %u & 1)", n->aux);
}

static void print_truth_choice(printer *p, const hd_node *n) {
    print_inner(p, n->a);
    put(p, " ? ");
    print_inner(p, n->b);
    put(p, " : ");
    print_inner(p, n->c);
}

static void print_comparison(printer *p, const hd_node *n) {
    bool one_bit = hd_expr_width(p->g, n->a) == 1;
    if (n->op == HD_OP_EQ)
        print_equality(p, n, true);
    else
        print_order(p, n, n->op == HD_OP_ULT || n->op == HD_OP_SLT,
                    n->op == HD_OP_SLT || n->op == HD_OP_SLE ? SIGNED : UNSIGNED);
    p->failed |= one_bit && n->op != HD_OP_EQ; /* nobody compares truth values so */
}

static void print_operation(printer *p, const hd_node *n) {
    switch ((hd_op)n->op) {
    case HD_OP_NOT:
        print_negation(p, n);
        return;
    case HD_OP_AND:
        print_joined(p, "&&", n);
        return;
    case HD_OP_OR:
        print_joined(p, "||", n);
        return;
    case HD_OP_XOR:
        print_joined(p, "!=", n);
        return;
    case HD_OP_EXTRACT:
        print_one_bit(p, n);
        return;
    case HD_OP_ITE:
        print_truth_choice(p, n);
        return;
    case HD_OP_READ:
        print_read(p, n, UNSIGNED);
        return;
    default:
        print_comparison(p, n);
    }
}

/* 0 or 1. */
static void print_truth(printer *p, hd_expr e) {
    const hd_node *n = node_of(p, e);
    HD_ASSERT(n->width == 1);
    if (!begin(p))
        return;
    if (n->op == HD_OP_CONST)
        put(p, hd_expr_value(p->g, e) ? "1" : "0");
    else if (n->op == HD_OP_VAR)
        print_name(p, n->a);
    else if (n->op == HD_OP_EQ || n->op == HD_OP_ULT || n->op == HD_OP_ULE || n->op == HD_OP_SLT ||
             n->op == HD_OP_SLE)
        print_comparison(p, n);
    else if (n->op == HD_OP_NOT || n->op == HD_OP_AND || n->op == HD_OP_OR || n->op == HD_OP_XOR ||
             n->op == HD_OP_EXTRACT || n->op == HD_OP_ITE || n->op == HD_OP_READ)
        print_operation(p, n);
    else
        p->failed = true; /* arithmetic on a single bit */
    p->depth--;
}

/* A condition that is printed in whole is read back as what it is. */
bool hd_condition_print(const hd_names *names, hd_expr condition, hd_text *out) {
    size_t before = out->n;
    printer p = {.names = names, .g = names->graph, .out = out, .n_left = MAX_PRINTED};
    print_truth(&p, condition);
    if (p.failed)
        hd_text_cut(out, before);
    return !p.failed;
}
