/* Expressions as bytes: the conditions that a search keeps beyond the execution that made them.
 *
 * What decisions of the path are about is found out by executing it again (journal.c).  Sleepers
 * and wakeup trees know conditions from executions that are gone, so these are saved: every node
 * that is reachable, operands first, and then which of them are meant. */
#include "explore/explore_int.h"

#include "base/panic.h"

#define MAX_READ 65536 /* elements of a table, see hd_expr_read */

/* ---- saving ---- */

typedef struct expr_writer {
    const hd_graph *g;
    hd_vec(uint32_t) number; /* by expression: 1 + where it is saved; while marking: 1 = needed */
    hd_text *out;
} expr_writer;

static void mark(expr_writer *s, hd_expr e) {
    HD_INVARIANT(E1, e != HD_NONE && e < s->number.n);
    s->number.at[e] = 1;
}

static void mark_operands(expr_writer *s, const hd_node *n) {
    for (uint32_t i = 0; i < hd_node_n_operands(s->g, n); i++)
        mark(s, hd_node_operand(s->g, n, i));
}

static void save_operand(expr_writer *s, hd_expr e) {
    HD_ASSERT(e < s->number.n && s->number.at[e] > 0); /* it was saved before */
    hd_pack_u32(s->out, s->number.at[e] - 1);
}

static void save_node(expr_writer *s, const hd_node *n) {
    HD_ASSERT(n->op < HD_N_OPS && n->width >= 1 && n->width <= 64);
    hd_pack_u8(s->out, n->op);
    hd_pack_u8(s->out, n->width);
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
        hd_pack_u64(s->out, (uint64_t)n->b << 32 | n->a);
        return;
    case HD_OP_VAR:
        hd_pack_u32(s->out, n->a);
        return;
    case HD_OP_READ:
        HD_ASSERT(hd_table_size(s->g, n->a) <= MAX_READ);
        hd_pack_u32(s->out, hd_table_size(s->g, n->a));
        for (uint32_t i = 0; i < hd_table_size(s->g, n->a); i++)
            save_operand(s, hd_table_elements(s->g, n->a)[i]);
        save_operand(s, n->b);
        return;
    default:
        save_operand(s, n->a);
        if (n->op == HD_OP_EXTRACT)
            hd_pack_u32(s->out, n->aux);
        else if (n->op != HD_OP_NOT && n->op != HD_OP_ZEXT && n->op != HD_OP_SEXT)
            save_operand(s, n->b);
        if (n->op == HD_OP_ITE)
            save_operand(s, n->c);
    }
}

void hd_journal_save_exprs(const hd_graph *g, const hd_expr *roots, uint32_t n, hd_text *out) {
    expr_writer s = {.g = g, .out = out};
    hd_expr highest = HD_NONE;
    uint32_t n_needed = 0;
    for (uint32_t i = 0; i < n; i++)
        highest = roots[i] > highest ? roots[i] : highest;
    for (hd_expr e = 0; e <= highest; e++)
        hd_vec_push(&s.number, 0);
    for (uint32_t i = 0; i < n; i++) {
        HD_ASSERT(hd_expr_width(g, roots[i]) == 1); /* or it is not read back */
        mark(&s, roots[i]);
    }
    for (hd_expr e = highest; e > 0; e--) /* operands have smaller numbers (E1 of expr.h) */
        if (s.number.at[e])
            mark_operands(&s, hd_expr_node(g, e));
    for (hd_expr e = 1; e <= highest; e++)
        if (s.number.at[e])
            s.number.at[e] = ++n_needed;
    hd_pack_u32(out, n_needed);
    for (hd_expr e = 1; e <= highest; e++)
        if (s.number.at[e])
            save_node(&s, hd_expr_node(g, e));
    hd_pack_u32(out, n);
    for (uint32_t i = 0; i < n; i++)
        save_operand(&s, roots[i]);
    hd_vec_release(&s.number);
}

/* ---- restoring ---- */

typedef struct expr_reader {
    hd_explorer *x;
    hd_unpack *u;
    const hd_renaming *names;
    hd_exprs made;
} expr_reader;

/* HD_NONE, and failure, if it was not made before. */
static hd_expr restore_operand(expr_reader *r) {
    uint32_t i = hd_unpack_u32(r->u);
    if (i < r->made.n)
        return r->made.at[i];
    r->u->failed = true;
    return HD_NONE;
}

static bool have_width(expr_reader *r, hd_expr a, hd_expr b) {
    bool is_good = a && b && hd_expr_width(r->x->graph, a) == hd_expr_width(r->x->graph, b);
    r->u->failed |= !is_good;
    return is_good;
}

static hd_expr restore_read(expr_reader *r, unsigned width) {
    uint32_t n = hd_unpack_count(r->u, 4);
    hd_exprs elements = {0};
    hd_expr read = HD_NONE;
    for (uint32_t i = 0; i < n && hd_unpack_ok(r->u); i++)
        hd_vec_push(&elements, restore_operand(r));
    hd_expr index = restore_operand(r);
    bool is_good = hd_unpack_ok(r->u) && n >= 1 && n <= MAX_READ;
    for (uint32_t i = 0; i < n && is_good; i++)
        is_good = hd_expr_width(r->x->graph, elements.at[i]) == width;
    if (is_good)
        read = hd_expr_read(r->x->graph, elements.at, n, index);
    hd_vec_release(&elements);
    return read;
}

static hd_expr restore_variable(expr_reader *r, unsigned width) {
    uint32_t saved = hd_unpack_u32(r->u);
    if (saved >= r->names->n ||
        hd_variables_info(r->x->variables, r->names->at[saved])->width != width)
        return HD_NONE;
    return hd_expr_var(r->x->graph, r->names->at[saved], width);
}

static hd_expr restore_part(expr_reader *r, hd_op op, unsigned width) {
    hd_graph *g = r->x->graph;
    hd_expr a = restore_operand(r);
    uint32_t low = op == HD_OP_EXTRACT ? hd_unpack_u32(r->u) : 0;
    unsigned wide = a ? hd_expr_width(g, a) : 0;
    if (!a || (op == HD_OP_EXTRACT ? low >= 64 || low + width > wide : width < wide))
        return HD_NONE;
    return op == HD_OP_EXTRACT ? hd_expr_extract(g, a, low, width)
           : op == HD_OP_ZEXT  ? hd_expr_zext(g, a, width)
                               : hd_expr_sext(g, a, width);
}

static hd_expr restore_several(expr_reader *r, hd_op op) {
    hd_graph *g = r->x->graph;
    hd_expr a = restore_operand(r), b = restore_operand(r);
    if (op == HD_OP_ITE) {
        hd_expr c = restore_operand(r);
        bool is_good = a && hd_expr_width(g, a) == 1 && have_width(r, b, c);
        return is_good ? hd_expr_ite(g, a, b, c) : HD_NONE;
    }
    if (op == HD_OP_CONCAT)
        return a && b && hd_expr_width(g, a) + hd_expr_width(g, b) <= 64 ? hd_expr_concat(g, a, b)
                                                                         : HD_NONE;
    return have_width(r, a, b) ? hd_expr_binary(g, op, a, b) : HD_NONE;
}

static hd_expr restore_expr(expr_reader *r) {
    uint8_t op = hd_unpack_u8(r->u), width = hd_unpack_u8(r->u);
    if (op >= HD_N_OPS || width < 1 || width > 64)
        return HD_NONE;
    switch ((hd_op)op) {
    case HD_OP_CONST:
        return hd_expr_const(r->x->graph, width, hd_unpack_u64(r->u) & hd_mask(width));
    case HD_OP_VAR:
        return restore_variable(r, width);
    case HD_OP_NOT: {
        hd_expr a = restore_operand(r);
        return a ? hd_expr_not(r->x->graph, a) : HD_NONE;
    }
    case HD_OP_READ:
        return restore_read(r, width);
    case HD_OP_EXTRACT:
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
        return restore_part(r, op, width);
    default:
        return restore_several(r, op);
    }
}

void hd_journal_restore_exprs(hd_explorer *x, hd_unpack *u, const hd_renaming *names,
                              hd_exprs *roots) {
    expr_reader r = {.x = x, .u = u, .names = names};
    uint32_t n = hd_unpack_count(u, 6);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++) {
        hd_expr e = restore_expr(&r);
        u->failed |= !e;
        hd_vec_push(&r.made, e);
    }
    n = hd_unpack_count(u, 4);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++) {
        hd_expr e = restore_operand(&r);
        u->failed |= !e || hd_expr_width(x->graph, e) != 1;
        hd_vec_push(roots, e);
    }
    hd_vec_release(&r.made);
}
