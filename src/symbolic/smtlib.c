/* Expressions as SMT-LIB 2.6, logic QF_BV.
 *
 * Every expression is a bit-vector term, truth values too ((_ BitVec 1)); where a formula is
 * wanted it is printed as one.  A term that is used twice, or that would nest too deep, gets
 * a name by `let`, in the order of ids, so the text is as long as the graph is large. */
#include "base/vec.h"
#include "symbolic/symbolic_int.h"

enum { MAX_NESTING = 24 };

/* What is known of each node below the largest root. */
typedef struct use {
    uint32_t n_uses;
    uint8_t height; /* of the term as printed, named parts counting nothing */
    bool is_named;
} use;

typedef struct smt_printer {
    const hd_graph *g;
    hd_text *out;
    use *uses;
    uint32_t n_nodes; /* ids below this were looked at */
} smt_printer;

static const char *const smt_operator[HD_N_OPS] = {
#define X(name, text, smt) [HD_OP_##name] = smt,
    HD_OPS(X)
#undef X
};

static void print(smt_printer *p, hd_expr e);
static void print_inside(smt_printer *p, hd_expr e);
static void print_formula(smt_printer *p, hd_expr e);

/* Call visit for each operand of `n`. */
static void each_operand(smt_printer *p, const hd_node *n,
                         void (*visit)(smt_printer *, hd_expr, use *), use *own) {
    if (n->op == HD_OP_CONST || n->op == HD_OP_VAR)
        return;
    if (n->op == HD_OP_READ) {
        const hd_expr *element = hd_table_elements(p->g, n->a);
        for (uint32_t i = 0; i < hd_table_size(p->g, n->a); i++)
            visit(p, element[i], own);
        visit(p, n->b, own); /* the index is printed many times: two visits name it */
        visit(p, n->b, own);
        return;
    }
    visit(p, n->a, own);
    if (n->b)
        visit(p, n->b, own);
    if (n->c)
        visit(p, n->c, own);
}

static void count_use(smt_printer *p, hd_expr e, use *own) {
    (void)own;
    p->uses[e].n_uses++;
}

static void raise_height(smt_printer *p, hd_expr e, use *own) {
    if (!p->uses[e].is_named && p->uses[e].height >= own->height)
        own->height = p->uses[e].height + 1;
}

static void begin(smt_printer *p, const hd_graph *g, const hd_expr *e, uint32_t n, hd_text *out) {
    *p = (smt_printer){.g = g, .out = out, .n_nodes = 1};
    for (uint32_t i = 0; i < n; i++)
        if (e[i] >= p->n_nodes)
            p->n_nodes = e[i] + 1;
    p->uses = calloc(p->n_nodes, sizeof *p->uses);
    if (!p->uses)
        hd_out_of_memory();
    for (uint32_t i = 0; i < n; i++)
        p->uses[e[i]].n_uses++;
    for (uint32_t id = p->n_nodes; id-- > 1;)
        if (p->uses[id].n_uses)
            each_operand(p, hd_expr_node(g, id), count_use, NULL);
    for (uint32_t id = 1; id < p->n_nodes; id++) {
        const hd_node *node = hd_expr_node(g, id);
        use *own = &p->uses[id];
        if (!own->n_uses || node->op == HD_OP_CONST || node->op == HD_OP_VAR)
            continue;
        each_operand(p, node, raise_height, own);
        own->is_named = own->n_uses > 1 || own->height >= MAX_NESTING;
    }
}

static void print_bits(smt_printer *p, uint64_t value, unsigned width) {
    hd_text_add(p->out, "#b");
    for (unsigned i = width; i-- > 0;)
        hd_text_add(p->out, "%u", (unsigned)(value >> i & 1));
}

static void print_constant(smt_printer *p, uint64_t value, unsigned width) {
    if (width % 4)
        print_bits(p, value, width);
    else
        hd_text_add(p->out, "#x%0*llx", (int)width / 4, (unsigned long long)value);
}

/* Elements [from, to) of a table, found by halving. */
static void print_elements(smt_printer *p, const hd_node *n, uint32_t from, uint32_t to) {
    const hd_expr *element = hd_table_elements(p->g, n->a);
    if (to - from == 1) {
        print(p, element[from]);
        return;
    }
    uint32_t middle = from + (to - from) / 2;
    hd_text_add(p->out, "(ite (bvult ");
    print(p, n->b);
    hd_text_add(p->out, " ");
    print_constant(p, middle, hd_expr_width(p->g, n->b));
    hd_text_add(p->out, ") ");
    print_elements(p, n, from, middle);
    hd_text_add(p->out, " ");
    print_elements(p, n, middle, to);
    hd_text_add(p->out, ")");
}

static void print_read(smt_printer *p, const hd_node *n) {
    uint32_t size = hd_table_size(p->g, n->a);
    unsigned width = hd_expr_width(p->g, n->b);
    bool can_be_outside = size <= hd_mask(width);
    if (can_be_outside) {
        hd_text_add(p->out, "(ite (bvult ");
        print(p, n->b);
        hd_text_add(p->out, " ");
        print_constant(p, size, width);
        hd_text_add(p->out, ") ");
    }
    print_elements(p, n, 0, size);
    if (can_be_outside) {
        hd_text_add(p->out, " ");
        print_constant(p, 0, n->width);
        hd_text_add(p->out, ")");
    }
}

static void print_operands(smt_printer *p, const hd_node *n) {
    hd_text_add(p->out, " ");
    print(p, n->a);
    if (n->b) {
        hd_text_add(p->out, " ");
        print(p, n->b);
    }
    hd_text_add(p->out, ")");
}

static void print_cast(smt_printer *p, const hd_node *n) {
    unsigned inner = hd_expr_width(p->g, n->a);
    if (n->op == HD_OP_EXTRACT)
        hd_text_add(p->out, "((_ extract %u %u)", n->aux + n->width - 1u, (unsigned)n->aux);
    else
        hd_text_add(p->out, "((_ %s %u)", n->op == HD_OP_ZEXT ? "zero_extend" : "sign_extend",
                    n->width - inner);
    print_operands(p, n);
}

static void print_choice(smt_printer *p, const hd_node *n) {
    hd_text_add(p->out, "(ite ");
    print_formula(p, n->a);
    hd_text_add(p->out, " ");
    print(p, n->b);
    hd_text_add(p->out, " ");
    print(p, n->c);
    hd_text_add(p->out, ")");
}

/* A comparison as a formula. */
static void print_comparison(smt_printer *p, const hd_node *n) {
    hd_text_add(p->out, "(%s", smt_operator[n->op]);
    print_operands(p, n);
}

static void print_operation(smt_printer *p, const hd_node *n) {
    if (hd_op_is_comparison((hd_op)n->op)) {
        hd_text_add(p->out, "(ite ");
        print_comparison(p, n);
        hd_text_add(p->out, " #b1 #b0)");
        return;
    }
    hd_text_add(p->out, "(%s", smt_operator[n->op]);
    print_operands(p, n);
}

/* The term itself, whether it has a name or not. */
static void print_inside(smt_printer *p, hd_expr e) {
    const hd_node *n = hd_expr_node(p->g, e);
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
        print_constant(p, hd_expr_value(p->g, e), n->width);
        return;
    case HD_OP_VAR:
        hd_text_add(p->out, "v%u", n->a);
        return;
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
    case HD_OP_EXTRACT:
        print_cast(p, n);
        return;
    case HD_OP_ITE:
        print_choice(p, n);
        return;
    case HD_OP_READ:
        print_read(p, n);
        return;
    default:
        print_operation(p, n);
    }
}

static void print(smt_printer *p, hd_expr e) {
    if (p->uses[e].is_named)
        hd_text_add(p->out, "e%u", e);
    else
        print_inside(p, e);
}

static void print_formula(smt_printer *p, hd_expr e) {
    const hd_node *n = hd_expr_node(p->g, e);
    if (hd_op_is_comparison((hd_op)n->op) && !p->uses[e].is_named)
        print_comparison(p, n);
    else if (n->op == HD_OP_NOT && !p->uses[e].is_named) {
        hd_text_add(p->out, "(not ");
        print_formula(p, n->a);
        hd_text_add(p->out, ")");
    } else {
        hd_text_add(p->out, "(= ");
        print(p, e);
        hd_text_add(p->out, " #b1)");
    }
}

void hd_expr_print_smt(const hd_graph *g, hd_expr e, hd_text *out) {
    smt_printer p;
    begin(&p, g, &e, 1, out);
    unsigned n_open = 0;
    for (uint32_t id = 1; id < e; id++)
        if (p.uses[id].is_named) {
            hd_text_add(out, "(let ((e%u ", id);
            print_inside(&p, id);
            hd_text_add(out, ")) ");
            n_open++;
        }
    print_inside(&p, e);
    while (n_open--)
        hd_text_add(out, ")");
    free(p.uses);
}

/* Inputs are declared and shared terms defined, both in the order of ids. */
static void print_names(smt_printer *p) {
    for (uint32_t id = 1; id < p->n_nodes; id++) {
        const hd_node *n = hd_expr_node(p->g, id);
        if (p->uses[id].n_uses && n->op == HD_OP_VAR)
            hd_text_add(p->out, "(declare-fun v%u () (_ BitVec %u))\n", n->a, n->width);
        if (!p->uses[id].is_named)
            continue;
        hd_text_add(p->out, "(define-fun e%u () (_ BitVec %u) ", id, n->width);
        print_inside(p, id);
        hd_text_add(p->out, ")\n");
    }
}

void hd_expr_print_script(const hd_graph *g, const hd_expr *e, uint32_t n, hd_text *out) {
    smt_printer p;
    begin(&p, g, e, n, out);
    hd_text_add(out, "(set-logic QF_BV)\n");
    print_names(&p);
    for (uint32_t i = 0; i < n; i++) {
        hd_text_add(out, "(assert ");
        print_formula(&p, e[i]);
        hd_text_add(out, ")\n");
    }
    hd_text_add(out, "(check-sat)\n");
    free(p.uses);
}
