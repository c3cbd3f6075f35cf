/* grid_compile.c -- constraints become instructions on columns (grid.h). */
#include "solve/grid_int.h"

#include "solve/solve_int.h"

#include "base/panic.h"

enum {
    MAX_INSTRUCTIONS = 3000,
    MAX_TABLE = 256,
};

hd_grid *hd_grid_new(const hd_graph *g) {
    hd_grid *s = hd_layer_memory(sizeof *s);
    s->g = g;
    return s;
}

void hd_grid_forget(hd_grid *s) {
    hd_vec_clear(&s->place_of);
    s->stamp = 0;
}

void hd_grid_free(hd_grid *s) {
    for (int i = 0; i < HD_GRID_AXES; i++) {
        hd_vec_release(&s->axes[i].atoms);
        hd_vec_release(&s->axes[i].rows);
        hd_vec_release(&s->axes[i].values_of_rows);
    }
    hd_vec_release(&s->place_of);
    hd_vec_release(&s->todo);
    hd_vec_release(&s->elements);
    hd_vec_release(&s->axes_of);
    hd_vec_release(&s->constant);
    hd_vec_release(&s->is_atom);
    hd_vec_release(&s->code);
    hd_vec_release(&s->memory);
    hd_vec_release(&s->columns);
    hd_vec_release(&s->own);
    hd_vec_release(&s->levels);
    hd_vec_release(&s->slots);
    hd_vec_release(&s->scratch);
    hd_vec_release(&s->level_of);
    hd_vec_release(&s->spread);
    free(s);
}

void hd_grid_begin(hd_grid *s) {
    if (++s->stamp == 0) {
        hd_vec_clear(&s->place_of);
        s->stamp = 1;
    }
    hd_vec_clear(&s->elements);
    hd_vec_clear(&s->axes_of);
    hd_vec_clear(&s->constant);
    hd_vec_clear(&s->is_atom);
    hd_vec_clear(&s->code);
    s->n_axes = 0;
    s->is_hard = false;
}

bool hd_grid_is_hard(const hd_grid *s) {
    return s->is_hard;
}

int64_t hd_grid_cost(const hd_grid *s) {
    int64_t cost = 1;
    for (size_t i = 0; i < s->code.n; i++)
        cost += s->code.at[i].cost;
    return cost;
}

/* ---- registers ---- */

static bool has_register(const hd_grid *s, hd_expr e) {
    return e < s->place_of.n && s->place_of.at[e].stamp == s->stamp;
}

static uint32_t register_of(const hd_grid *s, hd_expr e) {
    HD_CHECK(has_register(s, e));
    return s->place_of.at[e].number;
}

static uint32_t new_register(hd_grid *s, hd_expr e, uint32_t axes, uint64_t constant) {
    while (s->place_of.n <= e)
        hd_vec_push(&s->place_of, (hd_grid_place){0});
    s->place_of.at[e] = (hd_grid_place){s->stamp, (uint32_t)s->axes_of.n};
    hd_vec_push(&s->axes_of, axes);
    hd_vec_push(&s->constant, constant);
    hd_vec_push(&s->is_atom, false);
    return (uint32_t)s->axes_of.n - 1;
}

void hd_grid_axis(hd_grid *s, hd_expr variable, const uint64_t *values, uint32_t n) {
    HD_ASSERT(s->n_axes < HD_GRID_AXES && !has_register(s, variable));
    hd_grid_axis_rows *x = &s->axes[s->n_axes];
    x->variable = new_register(s, variable, UINT32_C(1) << s->n_axes, 0);
    x->values = values;
    x->n_values = n;
    s->n_axes++;
}

void hd_grid_fix(hd_grid *s, hd_expr variable, uint64_t value) {
    HD_ASSERT(!has_register(s, variable));
    new_register(s, variable, 0, value);
}

void hd_grid_make_columns(hd_grid *s) {
    size_t n = s->axes_of.n;
    hd_vec_reserve(&s->memory, n * HD_GRID_BLOCK);
    hd_vec_reserve(&s->columns, n);
    for (size_t i = 0; i < n; i++) {
        uint64_t *column = s->columns.at[i] = s->memory.at + i * HD_GRID_BLOCK;
        for (unsigned k = 0; k < HD_GRID_BLOCK && !s->axes_of.at[i]; k++)
            column[k] = s->constant.at[i];
    }
}

/* ---- nodes ---- */

/* A variable that has no values is not understood. */
static bool add_constant(hd_grid *s, hd_expr e, const hd_node *n) {
    if (n->op == HD_OP_CONST)
        new_register(s, e, 0, hd_expr_value(s->g, e));
    else if (n->a == HD_UNDEFINED)
        new_register(s, e, 0, HD_UNDEFINED_VALUE & hd_mask(n->width));
    else
        return false;
    return true;
}

static bool is_hard(const hd_grid *s, const hd_column_op *x) {
    bool has_constant = !s->axes_of.at[x->a] || !s->axes_of.at[x->b];
    return (x->op == HD_OP_MUL && !has_constant) || (x->op >= HD_OP_UDIV && x->op <= HD_OP_SREM);
}

static uint32_t axes_of_operands(const hd_grid *s, const hd_node *n) {
    uint32_t axes = 0;
    for (uint32_t i = 0; i < hd_node_n_operands(s->g, n); i++)
        axes |= s->axes_of.at[register_of(s, hd_node_operand(s->g, n, i))];
    return axes;
}

/* Operands of one axis of what depends on others too are all that others see of that axis. */
static void mark_atoms(hd_grid *s, const hd_node *n, uint32_t axes) {
    for (uint32_t i = 0; i < hd_node_n_operands(s->g, n); i++) {
        uint32_t from = register_of(s, hd_node_operand(s->g, n, i));
        if (s->axes_of.at[from] && s->axes_of.at[from] != axes && __builtin_popcount(axes) > 1)
            s->is_atom.at[from] = __builtin_popcount(s->axes_of.at[from]) == 1;
    }
}

static void set_operands(hd_grid *s, const hd_node *n, hd_column_op *x) {
    if (n->op == HD_OP_READ) {
        x->a = (uint32_t)s->elements.n;
        x->b = register_of(s, n->b);
        x->c = hd_table_size(s->g, n->a);
        for (uint32_t i = 0; i < x->c; i++)
            hd_vec_push(&s->elements, register_of(s, hd_table_elements(s->g, n->a)[i]));
        return;
    }
    uint32_t count = hd_node_n_operands(s->g, n);
    x->from_width = (uint8_t)hd_expr_width(s->g, n->a);
    x->a = register_of(s, n->a);
    x->b = count > 1 ? register_of(s, n->b) : x->a;
    x->c = count > 2 ? register_of(s, n->c) : x->a;
    if (n->op == HD_OP_CONCAT)
        x->aux = (uint16_t)hd_expr_width(s->g, n->b);
}

/* In columns of one number each. */
static void compute_constant(hd_grid *s, const hd_node *n, const hd_column_op *x) {
    hd_vec_reserve(&s->columns, s->axes_of.n);
    for (uint32_t i = 0; i < hd_node_n_operands(s->g, n); i++) {
        uint32_t from = register_of(s, hd_node_operand(s->g, n, i));
        s->columns.at[from] = &s->constant.at[from];
    }
    s->columns.at[x->result] = &s->constant.at[x->result];
    hd_columns_apply(s->columns.at, s->elements.at, x, 1);
}

/* What depends on no axis is computed at once. */
static void add_instruction(hd_grid *s, hd_expr e, const hd_node *n) {
    uint32_t axes = axes_of_operands(s, n);
    hd_column_op x = {.op = n->op, .width = n->width, .aux = n->aux, .axes = axes};
    x.cost = (uint8_t)hd_columns_cost(&x);
    set_operands(s, n, &x);
    mark_atoms(s, n, axes);
    x.result = new_register(s, e, axes, 0);
    HD_INVARIANT(K2, x.b < x.result);
    if (!axes) {
        compute_constant(s, n, &x);
        return;
    }
    s->is_hard |= x.op != HD_OP_READ && is_hard(s, &x);
    hd_vec_push(&s->code, x);
}

/* Puts the operands that have no register on the stack; false if there are any. */
static bool are_operands_ready(hd_grid *s, const hd_node *n) {
    bool ready = true;
    for (uint32_t i = 0; i < hd_node_n_operands(s->g, n); i++)
        if (!has_register(s, hd_node_operand(s->g, n, i))) {
            hd_vec_push(&s->todo, hd_node_operand(s->g, n, i));
            ready = false;
        }
    return ready;
}

/* One node of the stack: it is done, or its operands come first. */
static bool add_top(hd_grid *s) {
    hd_expr e = s->todo.at[s->todo.n - 1];
    const hd_node *n = hd_expr_node(s->g, e);
    if (has_register(s, e)) {
        s->todo.n--;
        return true;
    }
    if (n->op == HD_OP_READ && hd_table_size(s->g, n->a) > MAX_TABLE)
        return false;
    if (!are_operands_ready(s, n))
        return s->todo.n < MAX_INSTRUCTIONS;
    s->todo.n--;
    if (!hd_node_n_operands(s->g, n))
        return add_constant(s, e, n);
    add_instruction(s, e, n);
    return true;
}

bool hd_grid_add(hd_grid *s, hd_expr constraint) {
    hd_vec_clear(&s->todo);
    hd_vec_push(&s->todo, constraint);
    while (s->todo.n)
        if (s->code.n > MAX_INSTRUCTIONS || !add_top(s))
            return false;
    uint32_t truth = register_of(s, constraint);
    hd_vec_push(&s->code, ((hd_column_op){.op = HD_COLUMN_CHECK,
                                          .width = 1,
                                          .cost = 1,
                                          .a = truth,
                                          .b = truth,
                                          .axes = s->axes_of.at[truth]}));
    return true;
}
