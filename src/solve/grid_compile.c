/* grid_compile.c -- constraints become instructions on columns (grid.h). */
#include "solve/grid_int.h"

#include "solve/solve_int.h"

#include "base/panic.h"

enum { MAX_INSTRUCTIONS = 3000 };

hd_grid *hd_grid_new(const hd_graph *g) {
    hd_grid *s = hd_layer_memory(sizeof *s);
    s->places.g = g;
    return s;
}

void hd_grid_forget(hd_grid *s) {
    hd_places_forget(&s->places);
}

void hd_grid_free(hd_grid *s) {
    for (int i = 0; i < HD_GRID_AXES; i++) {
        hd_vec_release(&s->axes[i].atoms);
        hd_vec_release(&s->axes[i].rows);
        hd_vec_release(&s->axes[i].values_of_rows);
    }
    hd_places_release(&s->places);
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
    hd_vec_release(&s->given);
    hd_vec_release(&s->kept);
    free(s);
}

void hd_grid_begin(hd_grid *s) {
    hd_places_begin(&s->places);
    hd_vec_clear(&s->axes_of);
    hd_vec_clear(&s->constant);
    hd_vec_clear(&s->is_atom);
    hd_vec_clear(&s->code);
    hd_vec_clear(&s->given);
    s->n_axes = 0;
    s->is_hard = false;
    s->heaviest = HD_NONE;
    hd_vec_clear(&s->kept);
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

static uint32_t register_of(const hd_grid *s, hd_expr e) {
    return hd_place_of(&s->places, e);
}

static uint32_t new_register(hd_grid *s, hd_expr e, uint32_t axes, uint64_t constant) {
    uint32_t number = hd_places_add(&s->places, e);
    HD_CHECK(number == s->axes_of.n);
    hd_vec_push(&s->axes_of, axes);
    hd_vec_push(&s->constant, constant);
    hd_vec_push(&s->is_atom, false);
    return number;
}

void hd_grid_axis(hd_grid *s, hd_expr variable, const uint64_t *values, uint32_t n) {
    HD_ASSERT(s->n_axes < HD_GRID_AXES && !hd_places_have(&s->places, variable));
    hd_grid_axis_rows *x = &s->axes[s->n_axes];
    x->variable = new_register(s, variable, UINT32_C(1) << s->n_axes, 0);
    x->values = values;
    x->n_values = n;
    s->n_axes++;
}

void hd_grid_fix(hd_grid *s, hd_expr variable, uint64_t value) {
    HD_ASSERT(!hd_places_have(&s->places, variable));
    new_register(s, variable, 0, value);
}

void hd_grid_give(hd_grid *s, hd_expr e, const uint32_t *by_offset) {
    HD_ASSERT(s->n_axes == 1 && !s->code.n && !hd_places_have(&s->places, e));
    hd_vec_push(&s->given, ((hd_grid_given){new_register(s, e, 1, 0), by_offset}));
}

hd_expr hd_grid_heaviest(const hd_grid *s) {
    return s->heaviest;
}

void hd_grid_keep(hd_grid *s, hd_expr e, uint32_t *by_offset) {
    HD_ASSERT(s->n_axes == 1 && hd_expr_width(s->places.g, e) <= 32);
    hd_vec_push(&s->kept, ((hd_grid_kept){hd_place_of(&s->places, e), by_offset}));
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

static const hd_graph *graph_of(const hd_grid *s) {
    return s->places.g;
}

/* A variable that has no values is not understood. */
static bool add_constant(hd_grid *s, hd_expr e) {
    uint64_t value;
    if (!hd_leaf_value(graph_of(s), e, &value))
        return false;
    new_register(s, e, 0, value);
    return true;
}

static bool is_hard(const hd_grid *s, const hd_column_op *x) {
    bool has_constant = !s->axes_of.at[x->a] || !s->axes_of.at[x->b];
    return (x->op == HD_OP_MUL && !has_constant) || (x->op >= HD_OP_UDIV && x->op <= HD_OP_SREM);
}

/* One step from the input itself: computed again as soon as it is read. */
static bool is_shallow(const hd_grid *s, const hd_column_op *x) {
    return x->a == s->axes[0].variable && !s->axes_of.at[x->b];
}

static uint32_t axes_of_operands(const hd_grid *s, const hd_node *n) {
    uint32_t axes = 0;
    for (uint32_t i = 0; i < hd_node_n_operands(graph_of(s), n); i++)
        axes |= s->axes_of.at[register_of(s, hd_node_operand(graph_of(s), n, i))];
    return axes;
}

/* Operands of one axis of what depends on others too are all that others see of that axis. */
static void mark_atoms(hd_grid *s, const hd_node *n, uint32_t axes) {
    for (uint32_t i = 0; i < hd_node_n_operands(graph_of(s), n); i++) {
        uint32_t from = register_of(s, hd_node_operand(graph_of(s), n, i));
        if (s->axes_of.at[from] && s->axes_of.at[from] != axes && __builtin_popcount(axes) > 1)
            s->is_atom.at[from] = __builtin_popcount(s->axes_of.at[from]) == 1;
    }
}

/* In columns of one number each. */
static void compute_constant(hd_grid *s, const hd_node *n, const hd_column_op *x) {
    hd_vec_reserve(&s->columns, s->axes_of.n);
    for (uint32_t i = 0; i < hd_node_n_operands(graph_of(s), n); i++) {
        uint32_t from = register_of(s, hd_node_operand(graph_of(s), n, i));
        s->columns.at[from] = &s->constant.at[from];
    }
    s->columns.at[x->result] = &s->constant.at[x->result];
    hd_columns_apply(s->columns.at, s->places.elements.at, x, 1);
}

/* What depends on no axis is computed at once. */
static void add_instruction(hd_grid *s, hd_expr e, const hd_node *n) {
    uint32_t axes = axes_of_operands(s, n);
    hd_operand_places from = hd_places_of_operands(&s->places, n);
    hd_column_op x = {.op = n->op,
                      .width = n->width,
                      .from_width = from.from_width,
                      .aux = from.aux,
                      .axes = axes,
                      .a = from.a,
                      .b = from.b,
                      .c = from.c};
    x.cost = (uint8_t)hd_columns_cost(&x);
    mark_atoms(s, n, axes);
    x.result = new_register(s, e, axes, 0);
    HD_INVARIANT(K2, x.b < x.result);
    if (!axes) {
        compute_constant(s, n, &x);
        return;
    }
    if (x.op != HD_OP_READ && is_hard(s, &x)) {
        s->is_hard = true;
        s->heaviest = x.width <= 32 && !is_shallow(s, &x) ? e : s->heaviest;
    }
    hd_vec_push(&s->code, x);
}

static bool add_node(hd_grid *s, hd_expr e) {
    const hd_node *n = hd_expr_node(graph_of(s), e);
    if (!hd_node_n_operands(graph_of(s), n))
        return add_constant(s, e);
    add_instruction(s, e, n);
    return true;
}

static bool is_operand(const hd_grid *s, const hd_column_op *x, uint32_t r) {
    if (x->op != HD_OP_READ)
        return x->a == r || x->b == r || (x->op == HD_OP_ITE && x->c == r);
    bool found = x->b == r;
    for (uint32_t k = 0; k < x->c && !found; k++)
        found = s->places.elements.at[x->a + k] == r;
    return found;
}

/* Of what is given, only that which the constraint asks for: it was a product or quotient. */
static void drop_unused(hd_grid *s) {
    size_t n = 0;
    for (size_t i = 0; i < s->given.n; i++) {
        bool is_used = false;
        for (size_t k = 0; k < s->code.n && !is_used; k++)
            is_used = is_operand(s, &s->code.at[k], s->given.at[i].number);
        if (is_used)
            s->given.at[n++] = s->given.at[i];
    }
    s->given.n = n;
    s->is_hard |= n > 0;
}

bool hd_grid_add(hd_grid *s, hd_expr constraint) {
    hd_expr next;
    hd_places_want(&s->places, constraint);
    while (s->places.todo.n)
        if (s->code.n > MAX_INSTRUCTIONS || !hd_places_next(&s->places, MAX_INSTRUCTIONS, &next) ||
            (next && !add_node(s, next)))
            return false;
    uint32_t truth = register_of(s, constraint);
    hd_vec_push(&s->code, ((hd_column_op){.op = HD_COLUMN_CHECK,
                                          .width = 1,
                                          .cost = 1,
                                          .a = truth,
                                          .b = truth,
                                          .axes = s->axes_of.at[truth]}));
    drop_unused(s);
    return true;
}
