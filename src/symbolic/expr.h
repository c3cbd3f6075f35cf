/* expr.h -- the expression graph: what a value is in terms of the inputs.
 *
 * Nodes are hash-consed: equal expressions have equal ids, so equality of ids is syntactic
 * equality.  All arithmetic is machine arithmetic on 1 to 64 bits; a truth value is a
 * 1-bit expression.  Constructors simplify: what they return may be any node of the same
 * meaning.  Division by zero and over-wide shifts mean what SMT-LIB says (x/0 is all ones
 * for udiv, x%0 is x, shl and lshr give 0, ashr gives copies of the sign); the instrumented
 * program never relies on that, because checks stand in front.
 *
 * E1. Operands have smaller ids than the node that uses them.
 * E2. Every constant is a HD_OP_CONST node with its value masked to the width.
 * E3. Node 0 is no expression (HD_NONE): "this value is concrete".
 * E4. Nodes never move and never change until hd_graph_compact().
 * Not here: which inputs exist (variables.h), the constraints of a path (path.h). */
#ifndef HD_SYMBOLIC_EXPR_H
#define HD_SYMBOLIC_EXPR_H
#include "base/text.h"
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t hd_expr;
typedef uint32_t hd_var; /* index of an input variable, variables.h */
#define HD_NONE ((hd_expr)0)
/* The variable of bits that nobody wrote (undefined.h); no model has it. */
#define HD_UNDEFINED       ((hd_var)0xffffff)
#define HD_UNDEFINED_BYTE  0xaa /* what they are in every execution */
#define HD_UNDEFINED_VALUE UINT64_C(0xaaaaaaaaaaaaaaaa)
/* Leaves of it that every graph has, under these ids, so that compiled code can name them: one byte
 * of memory, and for each width of 8, 16, 32 and 64 bits some for variables that are no memory. */
#define HD_EXPR_FRESH         ((hd_expr)3)
#define HD_UNDEFINED_OF_WIDTH 8
#define HD_N_UNDEFINED        (4 * HD_UNDEFINED_OF_WIDTH)
#define HD_EXPR_UNDEFINED(w, n)                                                                    \
    (HD_EXPR_FRESH + 1 + (w) * HD_UNDEFINED_OF_WIDTH + (n)) /* 8 << w bits */

/* name, C-like text, SMT-LIB name */
#define HD_OPS(X)                                                                                  \
    X(CONST, "", "")                                                                               \
    X(VAR, "", "")                                                                                 \
    X(NOT, "~", "bvnot")                                                                           \
    X(ADD, "+", "bvadd")                                                                           \
    X(SUB, "-", "bvsub")                                                                           \
    X(MUL, "*", "bvmul")                                                                           \
    X(UDIV, "/u", "bvudiv")                                                                        \
    X(SDIV, "/", "bvsdiv")                                                                         \
    X(UREM, "%u", "bvurem")                                                                        \
    X(SREM, "%", "bvsrem")                                                                         \
    X(AND, "&", "bvand")                                                                           \
    X(OR, "|", "bvor")                                                                             \
    X(XOR, "^", "bvxor")                                                                           \
    X(SHL, "<<", "bvshl")                                                                          \
    X(LSHR, ">>u", "bvlshr")                                                                       \
    X(ASHR, ">>", "bvashr")                                                                        \
    X(EQ, "==", "=")                                                                               \
    X(ULT, "<u", "bvult")                                                                          \
    X(ULE, "<=u", "bvule")                                                                         \
    X(SLT, "<", "bvslt")                                                                           \
    X(SLE, "<=", "bvsle")                                                                          \
    X(ZEXT, "zext", "")                                                                            \
    X(SEXT, "sext", "")                                                                            \
    X(EXTRACT, "extract", "")                                                                      \
    X(CONCAT, "concat", "concat")                                                                  \
    X(ITE, "?:", "ite")                                                                            \
    X(READ, "read", "")

typedef enum hd_op {
#define X(name, text, smt) HD_OP_##name,
    HD_OPS(X)
#undef X
        HD_N_OPS
} hd_op;

/* One node, 16 bytes.  Operands by op:
 *   CONST    value in a (low half) and b (high half)
 *   VAR      a = variable; aux tells leaves of HD_UNDEFINED apart
 *   EXTRACT  a = operand, aux = lowest bit
 *   CONCAT   a = high part, b = low part
 *   ITE      a = condition, b = then, c = else
 *   READ     a = table (hd_table), b = index; element number index, 0 outside the table
 *   others   a, b */
typedef struct hd_node {
    uint8_t op, width;
    uint16_t aux;
    uint32_t a, b, c;
} hd_node;

/* An interned vector of equally wide expressions, for reads through a symbolic index. */
typedef uint32_t hd_table;

typedef struct hd_graph hd_graph;

/* An empty graph.  A shared one is visible to the parent of a forked child (base/reserve.h). */
hd_graph *hd_graph_new(bool shared);
void hd_graph_free(hd_graph *g);
uint32_t hd_graph_n_nodes(const hd_graph *g);
/* Bytes of memory that nodes, tables and support sets take now. */
uint64_t hd_graph_memory(const hd_graph *g);

/* Keep only what is reachable from roots[0..n), give the survivors new ids (the roots are
 * rewritten in place, so name no place twice), and raise the generation.  Not in a forked child.
 * Everybody who holds other ids must forget them: compare hd_graph_generation() with the one
 * remembered. */
void hd_graph_compact(hd_graph *g, hd_expr **roots, uint32_t n);
uint32_t hd_graph_generation(const hd_graph *g);

/* Nodes lie directly behind the head of the graph: reading one is a single load. */
#define HD_GRAPH_HEAD 4096
static inline const hd_node *hd_expr_node(const hd_graph *g, hd_expr e) {
    return (const hd_node *)((const char *)g + HD_GRAPH_HEAD) + e;
}
static inline uint64_t hd_mask(unsigned width) {
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}
static inline unsigned hd_expr_width(const hd_graph *g, hd_expr e) {
    return hd_expr_node(g, e)->width;
}
static inline bool hd_expr_is_const(const hd_graph *g, hd_expr e) {
    return hd_expr_node(g, e)->op == HD_OP_CONST;
}
/* The value of a constant; `e` must be one. */
static inline uint64_t hd_expr_value(const hd_graph *g, hd_expr e) {
    const hd_node *n = hd_expr_node(g, e);
    return (uint64_t)n->b << 32 | n->a;
}

hd_expr hd_expr_const(hd_graph *g, unsigned width, uint64_t value);
hd_expr hd_expr_var(hd_graph *g, hd_var v, unsigned width);
hd_expr hd_expr_not(hd_graph *g, hd_expr a); /* bitwise; negation of a 1-bit truth value */
/* Any op from ADD to SLE on operands of one width; comparisons give 1 bit. */
hd_expr hd_expr_binary(hd_graph *g, hd_op op, hd_expr a, hd_expr b);
hd_expr hd_expr_zext(hd_graph *g, hd_expr a, unsigned width);
hd_expr hd_expr_sext(hd_graph *g, hd_expr a, unsigned width);
hd_expr hd_expr_extract(hd_graph *g, hd_expr a, unsigned low, unsigned width);
hd_expr hd_expr_concat(hd_graph *g, hd_expr high, hd_expr low);
hd_expr hd_expr_ite(hd_graph *g, hd_expr condition, hd_expr yes, hd_expr no);
/* Element number `index` of `elements` (all of one width, 1 <= n <= 65536); elements may be
 * constants.  The caller guarantees index < n on the path. */
hd_expr hd_expr_read(hd_graph *g, const hd_expr *elements, uint32_t n, hd_expr index);
uint32_t hd_table_size(const hd_graph *g, hd_table t);
const hd_expr *hd_table_elements(const hd_graph *g, hd_table t);

/* The operands of a node, in order: READ has its index, then all elements of its table. */
uint32_t hd_node_n_operands(const hd_graph *g, const hd_node *n);
hd_expr hd_node_operand(const hd_graph *g, const hd_node *n, uint32_t i);

/* No value of `e` is outside of it, as far as its shape tells. */
typedef struct hd_range_of_values {
    uint64_t least, most;
} hd_range_of_values;
hd_range_of_values hd_expr_range(const hd_graph *g, hd_expr e);

/* The constant that was there before writes through indices may have changed it, if `e` is what
 * they make of one (unwritten.c), and 0 otherwise; *is_whole, a condition: none of them has. */
uint64_t hd_unwritten_value(hd_graph *g, hd_expr e, hd_expr *is_whole);

/* True if all values of `e` are multiples of 2^bits, as far as its shape tells. */
bool hd_expr_is_multiple(const hd_graph *g, hd_expr e, unsigned bits);

/* The variables that `e` mentions, ascending; interned, so equal sets are the same pointer. */
typedef struct hd_support {
    uint32_t n;
    hd_var v[];
} hd_support;
const hd_support *hd_expr_support(const hd_graph *g, hd_expr e);

/* The meaning of one binary operation on concrete values of `width` bits: the single place
 * that says what machine arithmetic is.  Comparisons give 0 or 1. */
uint64_t hd_op_apply(hd_op op, unsigned width, uint64_t x, uint64_t y);

/* C-like text, and one SMT-LIB term (variables are named v0, v1, ...). */
void hd_expr_print(const hd_graph *g, hd_expr e, const char *(*name)(void *, hd_var), void *context,
                   hd_text *out);
void hd_expr_print_smt(const hd_graph *g, hd_expr e, hd_text *out);
/* A whole SMT-LIB script (QF_BV) that asks whether all n expressions can hold. */
void hd_expr_print_script(const hd_graph *g, const hd_expr *e, uint32_t n, hd_text *out);
#endif
