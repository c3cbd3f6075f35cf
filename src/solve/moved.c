/* Inputs that are only moved and compared (moved.h). */
#include "solve/moved.h"

#include "base/panic.h"

enum { MAX_NODES = 4000, MIN_WIDTH = 8 };

/* Two ways to look at an expression: as a number that was moved, or as anything that is made of
 * comparisons. */
enum manner { MOVED, MADE };

typedef struct looked_at {
    hd_expr e;
    enum manner way;
} looked_at;

struct hd_moved {
    const hd_graph *g;
    hd_vec(uint32_t) seen[2]; /* by expression: the last question that looked at it so */
    uint32_t question, n_seen;
    hd_vec(looked_at) todo;
    bool has_failed, has_signed, has_unsigned;
};

hd_moved *hd_moved_new(const hd_graph *g) {
    hd_moved *s = hd_layer_memory(sizeof *s);
    s->g = g;
    return s;
}

void hd_moved_forget(hd_moved *s) {
    hd_vec_clear(&s->seen[MOVED]);
    hd_vec_clear(&s->seen[MADE]);
    s->question = 0;
}

void hd_moved_free(hd_moved *s) {
    hd_vec_release(&s->seen[MOVED]);
    hd_vec_release(&s->seen[MADE]);
    hd_vec_release(&s->todo);
    free(s);
}

static void push(hd_moved *s, hd_expr e, enum manner way) {
    while (s->seen[way].n <= e)
        hd_vec_push(&s->seen[way], 0);
    if (s->seen[way].at[e] == s->question)
        return;
    s->seen[way].at[e] = s->question;
    s->has_failed |= ++s->n_seen > MAX_NODES;
    hd_vec_push(&s->todo, ((looked_at){e, way}));
}

static void push_elements(hd_moved *s, const hd_node *n) {
    for (uint32_t i = 0; i < hd_table_size(s->g, n->a) && !s->has_failed; i++)
        push(s, hd_table_elements(s->g, n->a)[i], MOVED);
    push(s, n->b, MADE);
}

/* A number that was moved is an input, zero, or a choice of such; what is read outside of a table
 * is zero too. */
static void look_at_moved(hd_moved *s, hd_expr e, const hd_node *n) {
    if (n->op == HD_OP_VAR && n->a != HD_UNDEFINED && n->width >= MIN_WIDTH)
        return;
    if (n->op == HD_OP_CONST && hd_expr_value(s->g, e) == 0)
        return;
    if (n->op == HD_OP_READ) {
        push_elements(s, n);
    } else if (n->op == HD_OP_ITE) {
        push(s, n->a, MADE);
        push(s, n->b, MOVED);
        push(s, n->c, MOVED);
    } else {
        s->has_failed = true;
    }
}

/* Input, or choice that some input is the last of? */
static bool ends_in_input(const hd_moved *s, hd_expr e) {
    for (int i = 0; i < MAX_NODES; i++) {
        const hd_node *n = hd_expr_node(s->g, e);
        if (n->op == HD_OP_VAR)
            return true;
        if (n->op == HD_OP_ITE)
            e = hd_expr_is_const(s->g, n->c) ? n->b : n->c;
        else if (n->op == HD_OP_READ)
            e = hd_table_elements(s->g, n->a)[0];
        else
            return false;
    }
    return false;
}

static bool is_comparison(const hd_node *n) {
    return n->op >= HD_OP_EQ && n->op <= HD_OP_SLE;
}

/* Numbers on both sides, or neither: what looks like one and is not fails later. */
static void look_at_comparison(hd_moved *s, const hd_node *n) {
    bool is_of_inputs = ends_in_input(s, n->a) || ends_in_input(s, n->b);
    s->has_signed |= is_of_inputs && (n->op == HD_OP_SLT || n->op == HD_OP_SLE);
    s->has_unsigned |= is_of_inputs && (n->op == HD_OP_ULT || n->op == HD_OP_ULE);
    push(s, n->a, is_of_inputs ? MOVED : MADE);
    push(s, n->b, is_of_inputs ? MOVED : MADE);
}

static void look_at_made(hd_moved *s, const hd_node *n) {
    s->has_failed |= n->op == HD_OP_VAR;
    for (uint32_t i = hd_node_n_operands(s->g, n); i-- > 0 && !s->has_failed;)
        push(s, hd_node_operand(s->g, n, i), MADE);
}

bool hd_moved_only(hd_moved *s, const hd_task *t, bool *has_signs) {
    if (++s->question == 0)
        hd_moved_forget(s), s->question = 1;
    s->n_seen = 0;
    s->has_failed = s->has_signed = s->has_unsigned = false;
    hd_vec_clear(&s->todo);
    for (size_t i = 0; i < t->constraints.n; i++)
        push(s, t->constraints.at[i], MADE);
    while (s->todo.n && !s->has_failed) {
        looked_at x = s->todo.at[--s->todo.n];
        const hd_node *n = hd_expr_node(s->g, x.e);
        if (x.way == MOVED)
            look_at_moved(s, x.e, n);
        else if (is_comparison(n))
            look_at_comparison(s, n);
        else
            look_at_made(s, n);
    }
    *has_signs = s->has_signed;
    return !s->has_failed && !(s->has_signed && s->has_unsigned);
}
