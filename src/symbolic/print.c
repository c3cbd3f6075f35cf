/* Expressions as C-like text, for people.
 *
 * The graph shares, text does not: after a number of nodes the rest is "...".  Casts carry the
 * type's name, operators that C spells alike for signed and unsigned get a u: a <u b. */
#include "symbolic/symbolic_int.h"

enum { MAX_PRINTED = 2000, MAX_DEPTH = 200, MAX_ELEMENTS = 8 };

typedef struct c_printer {
    const hd_graph *g;
    const char *(*name)(void *, hd_var);
    void *context;
    hd_text *out;
    unsigned n_left;
} c_printer;

static const char *const c_operator[HD_N_OPS] = {
#define X(name, text, smt) [HD_OP_##name] = text,
    HD_OPS(X)
#undef X
};

static void print(c_printer *p, hd_expr e, unsigned depth);

static bool is_leaf(const hd_graph *g, hd_expr e) {
    hd_op op = hd_expr_node(g, e)->op;
    return op == HD_OP_CONST || op == HD_OP_VAR || op == HD_OP_READ || op == HD_OP_CONCAT;
}

/* An operand: in parentheses unless nothing could be misread. */
static void print_operand(c_printer *p, hd_expr e, unsigned depth) {
    bool bare = is_leaf(p->g, e);
    hd_text_add(p->out, bare ? "" : "(");
    print(p, e, depth);
    hd_text_add(p->out, bare ? "" : ")");
}

static void print_constant(c_printer *p, uint64_t value, unsigned width, bool is_signed) {
    int64_t number = hd_signed(value, width);
    if (is_signed && width > 1 && number < 0 && number > -65536)
        hd_text_add(p->out, "%lld", (long long)number);
    else if (value < 65536)
        hd_text_add(p->out, "%llu", (unsigned long long)value);
    else
        hd_text_add(p->out, "0x%llx", (unsigned long long)value);
}

static void print_variable(c_printer *p, hd_var v) {
    const char *name = p->name ? p->name(p->context, v) : NULL;
    if (name && *name)
        hd_text_add(p->out, "%s", name);
    else
        hd_text_add(p->out, "v%u", v);
}

static void print_type(c_printer *p, unsigned width, bool is_signed) {
    const char *sign = is_signed ? "" : "u";
    if (width == 8 || width == 16 || width == 32 || width == 64)
        hd_text_add(p->out, "(%sint%u_t)", sign, width);
    else if (width == 1)
        hd_text_add(p->out, "(bool)");
    else
        hd_text_add(p->out, "(%sint%u)", sign, width);
}

/* A constant takes its sign from the operation: x <u 255, x < -1. */
static void print_side(c_printer *p, hd_op op, hd_expr e, unsigned depth) {
    bool is_unsigned = op == HD_OP_ULT || op == HD_OP_ULE || op == HD_OP_UDIV || op == HD_OP_UREM ||
                       op == HD_OP_AND || op == HD_OP_OR || op == HD_OP_XOR;
    if (hd_expr_is_const(p->g, e))
        print_constant(p, hd_expr_value(p->g, e), hd_expr_width(p->g, e), !is_unsigned);
    else
        print_operand(p, e, depth);
}

static void print_infix(c_printer *p, const char *text, hd_op op, hd_expr a, hd_expr b,
                        unsigned depth) {
    print_side(p, op, a, depth);
    hd_text_add(p->out, " %s ", text);
    print_side(p, op, b, depth);
}

/* x + -3 is x - 3 */
static void print_sum(c_printer *p, const hd_node *n, unsigned depth) {
    uint64_t c = hd_expr_is_const(p->g, n->b) ? hd_expr_value(p->g, n->b) : 0;
    if (!(c & hd_sign_bit(n->width)) || c == hd_sign_bit(n->width)) {
        print_infix(p, "+", HD_OP_ADD, n->a, n->b, depth);
        return;
    }
    print_operand(p, n->a, depth);
    hd_text_add(p->out, " - ");
    print_constant(p, (0 - c) & hd_mask(n->width), n->width, false);
}

static void print_binary(c_printer *p, const hd_node *n, unsigned depth) {
    hd_op op = (hd_op)n->op;
    bool is_truth = n->width == 1 && !hd_op_is_comparison(op);
    const char *text = c_operator[op];
    if (is_truth && op == HD_OP_AND)
        text = "&&";
    if (is_truth && op == HD_OP_OR)
        text = "||";
    if (is_truth && op == HD_OP_XOR)
        text = "!=";
    if (op == HD_OP_ADD)
        print_sum(p, n, depth);
    else
        print_infix(p, text, op, n->a, n->b, depth);
}

static void print_not(c_printer *p, const hd_node *n, unsigned depth) {
    const hd_node *inner = hd_expr_node(p->g, n->a);
    if (inner->op == HD_OP_EQ || (n->width == 1 && inner->op == HD_OP_XOR)) {
        const char *text = inner->op == HD_OP_EQ ? "!=" : "==";
        print_infix(p, text, HD_OP_EQ, inner->a, inner->b, depth);
        return;
    }
    hd_text_add(p->out, n->width == 1 ? "!" : "~");
    print_operand(p, n->a, depth);
}

/* An extension of the upper bits of x is a right shift of x. */
static void print_extension(c_printer *p, const hd_node *n, unsigned depth) {
    const hd_node *inner = hd_expr_node(p->g, n->a);
    bool is_signed = n->op == HD_OP_SEXT;
    if (inner->op == HD_OP_EXTRACT && inner->aux && hd_expr_width(p->g, inner->a) == n->width &&
        inner->aux + inner->width == n->width) {
        print_operand(p, inner->a, depth);
        hd_text_add(p->out, " %s %u", c_operator[is_signed ? HD_OP_ASHR : HD_OP_LSHR], inner->aux);
        return;
    }
    print_type(p, n->width, is_signed);
    print_operand(p, n->a, depth);
}

static void print_extract(c_printer *p, const hd_node *n, unsigned depth) {
    print_type(p, n->width, false);
    if (n->aux == 0) {
        print_operand(p, n->a, depth);
        return;
    }
    hd_text_add(p->out, "(");
    print_operand(p, n->a, depth);
    hd_text_add(p->out, " >> %u)", n->aux);
}

static void print_concat(c_printer *p, const hd_node *n, unsigned depth) {
    hd_text_add(p->out, "concat(");
    print(p, n->a, depth);
    const hd_node *rest = hd_expr_node(p->g, n->b);
    for (; rest->op == HD_OP_CONCAT; n = rest, rest = hd_expr_node(p->g, n->b)) {
        hd_text_add(p->out, ", ");
        print(p, rest->a, depth);
    }
    hd_text_add(p->out, ", ");
    print(p, n->b, depth);
    hd_text_add(p->out, ")");
}

static void print_choice(c_printer *p, const hd_node *n, unsigned depth) {
    print_operand(p, n->a, depth);
    hd_text_add(p->out, " ? ");
    print_operand(p, n->b, depth);
    hd_text_add(p->out, " : ");
    print_operand(p, n->c, depth);
}

static void print_read(c_printer *p, const hd_node *n, unsigned depth) {
    uint32_t size = hd_table_size(p->g, n->a);
    const hd_expr *element = hd_table_elements(p->g, n->a);
    hd_text_add(p->out, "{");
    for (uint32_t i = 0; i < size && i < MAX_ELEMENTS; i++) {
        hd_text_add(p->out, i ? ", " : "");
        print(p, element[i], depth);
    }
    hd_text_add(p->out, size > MAX_ELEMENTS ? ", ...}[" : "}[");
    print(p, n->b, depth);
    hd_text_add(p->out, "]");
}

static void print_operation(c_printer *p, const hd_node *n, unsigned depth) {
    switch ((hd_op)n->op) {
    case HD_OP_NOT:
        print_not(p, n, depth);
        return;
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
        print_extension(p, n, depth);
        return;
    case HD_OP_EXTRACT:
        print_extract(p, n, depth);
        return;
    case HD_OP_CONCAT:
        print_concat(p, n, depth);
        return;
    case HD_OP_ITE:
        print_choice(p, n, depth);
        return;
    case HD_OP_READ:
        print_read(p, n, depth);
        return;
    default:
        print_binary(p, n, depth);
    }
}

static void print(c_printer *p, hd_expr e, unsigned depth) {
    const hd_node *n = hd_expr_node(p->g, e);
    if (n->op == HD_OP_CONST)
        print_constant(p, hd_expr_value(p->g, e), n->width, true);
    else if (n->op == HD_OP_VAR)
        print_variable(p, n->a);
    else if (p->n_left == 0 || depth == MAX_DEPTH)
        hd_text_add(p->out, "...");
    else {
        p->n_left--;
        print_operation(p, n, depth + 1);
    }
}

void hd_expr_print(const hd_graph *g, hd_expr e, const char *(*name)(void *, hd_var), void *context,
                   hd_text *out) {
    c_printer p = {g, name, context, out, MAX_PRINTED};
    print(&p, e, 0);
}
