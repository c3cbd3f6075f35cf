/* Instructions without branches (straight.h). */
#include "solve/straight.h"

#include "solve/solve_int.h"

#include "base/panic.h"

#include <string.h>

enum {
    MAX_INSTRUCTIONS = 4000,
    MAX_TABLE = 256,
    CHECK = HD_N_OPS, /* the instruction that ends a case unless its operand is true */
};

typedef struct instruction {
    uint8_t op, width, from_width; /* from: of the first operand */
    uint16_t aux;
    uint32_t result, a, b, c; /* registers; READ: a = where its elements begin, c = how many */
} instruction;

typedef struct place {
    uint32_t stamp, number; /* register */
} place;

struct hd_straight {
    const hd_graph *g;
    hd_vec(place) place_of; /* by expression */
    uint32_t stamp;
    hd_vec(uint64_t) registers;
    hd_vec(uint8_t) level_of; /* by register: the last leaf that it depends on, 0 = none */
    hd_vec(uint32_t) elements;
    hd_constraints todo;
    hd_vec(instruction) levels[HD_MAX_LEAVES + 1];
    uint32_t leaves[HD_MAX_LEAVES]; /* their registers */
    uint32_t n_leaves, n_instructions;
    bool is_hard;
};

hd_straight *hd_straight_new(const hd_graph *g) {
    hd_straight *s = hd_layer_memory(sizeof *s);
    s->g = g;
    return s;
}

void hd_straight_forget(hd_straight *s) {
    hd_vec_clear(&s->place_of);
    s->stamp = 0;
}

void hd_straight_free(hd_straight *s) {
    for (int i = 0; i <= HD_MAX_LEAVES; i++)
        hd_vec_release(&s->levels[i]);
    hd_vec_release(&s->place_of);
    hd_vec_release(&s->registers);
    hd_vec_release(&s->level_of);
    hd_vec_release(&s->elements);
    hd_vec_release(&s->todo);
    free(s);
}

void hd_straight_begin(hd_straight *s) {
    if (++s->stamp == 0) {
        hd_vec_clear(&s->place_of);
        s->stamp = 1;
    }
    hd_vec_clear(&s->registers);
    hd_vec_clear(&s->level_of);
    hd_vec_clear(&s->elements);
    for (int i = 0; i <= HD_MAX_LEAVES; i++)
        hd_vec_clear(&s->levels[i]);
    s->n_leaves = s->n_instructions = 0;
    s->is_hard = false;
}

bool hd_straight_is_hard(const hd_straight *s) {
    return s->is_hard;
}

/* ---- registers ---- */

static bool has_register(const hd_straight *s, hd_expr e) {
    return e < s->place_of.n && s->place_of.at[e].stamp == s->stamp;
}

static uint32_t register_of(const hd_straight *s, hd_expr e) {
    HD_CHECK(has_register(s, e));
    return s->place_of.at[e].number;
}

static uint32_t new_register(hd_straight *s, hd_expr e, uint64_t value, uint8_t level) {
    while (s->place_of.n <= e)
        hd_vec_push(&s->place_of, (place){0});
    s->place_of.at[e] = (place){s->stamp, (uint32_t)s->registers.n};
    hd_vec_push(&s->registers, value);
    hd_vec_push(&s->level_of, level);
    return (uint32_t)s->registers.n - 1;
}

void hd_straight_leaf(hd_straight *s, hd_expr e) {
    HD_ASSERT(s->n_leaves < HD_MAX_LEAVES && !has_register(s, e));
    uint32_t number = s->n_leaves++;
    s->leaves[number] = new_register(s, e, 0, (uint8_t)(number + 1));
}

void hd_straight_set(hd_straight *s, uint32_t leaf, uint64_t value) {
    HD_CHECK(leaf < s->n_leaves);
    s->registers.at[s->leaves[leaf]] = value;
}

/* ---- nodes ---- */

/* A variable that is no leaf has no value. */
static bool add_constant(hd_straight *s, hd_expr e, const hd_node *n) {
    if (n->op == HD_OP_CONST)
        new_register(s, e, hd_expr_value(s->g, e), 0);
    else if (n->a == HD_UNDEFINED)
        new_register(s, e, HD_UNDEFINED_VALUE & hd_mask(n->width), 0);
    else
        return false;
    return true;
}

static bool is_hard(const hd_straight *s, const hd_node *n) {
    bool has_constant = hd_node_n_operands(s->g, n) == 2 &&
                        (hd_expr_is_const(s->g, n->a) || hd_expr_is_const(s->g, n->b));
    return (n->op == HD_OP_MUL && !has_constant) || (n->op >= HD_OP_UDIV && n->op <= HD_OP_SREM);
}

static uint8_t level_of_operands(const hd_straight *s, const hd_node *n) {
    uint8_t level = 0;
    for (uint32_t i = 0; i < hd_node_n_operands(s->g, n); i++) {
        uint8_t other = s->level_of.at[register_of(s, hd_node_operand(s->g, n, i))];
        level = other > level ? other : level;
    }
    return level;
}

static void set_operands(hd_straight *s, const hd_node *n, instruction *x) {
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
    x->b = count > 1 ? register_of(s, n->b) : 0;
    x->c = count > 2 ? register_of(s, n->c) : 0;
    if (n->op == HD_OP_CONCAT)
        x->aux = (uint16_t)hd_expr_width(s->g, n->b);
}

static void add_instruction(hd_straight *s, hd_expr e, const hd_node *n) {
    uint8_t level = level_of_operands(s, n);
    instruction x = {.op = n->op, .width = n->width, .aux = n->aux};
    set_operands(s, n, &x);
    x.result = new_register(s, e, 0, level);
    HD_INVARIANT(A1, level <= s->n_leaves);
    s->is_hard |= is_hard(s, n);
    s->n_instructions++;
    hd_vec_push(&s->levels[level], x);
}

/* Puts the operands that have no register on the stack; false if there are any. */
static bool are_operands_ready(hd_straight *s, const hd_node *n) {
    bool ready = true;
    for (uint32_t i = 0; i < hd_node_n_operands(s->g, n); i++)
        if (!has_register(s, hd_node_operand(s->g, n, i))) {
            hd_vec_push(&s->todo, hd_node_operand(s->g, n, i));
            ready = false;
        }
    return ready;
}

/* One node of the stack: it is done, or its operands come first. */
static bool add_top(hd_straight *s) {
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

bool hd_straight_compute(hd_straight *s, hd_expr e) {
    hd_vec_clear(&s->todo);
    hd_vec_push(&s->todo, e);
    while (s->todo.n)
        if (s->n_instructions > MAX_INSTRUCTIONS || !add_top(s))
            return false;
    return true;
}

uint64_t hd_straight_value(const hd_straight *s, hd_expr e) {
    return s->registers.at[register_of(s, e)];
}

bool hd_straight_add(hd_straight *s, hd_expr constraint) {
    if (!hd_straight_compute(s, constraint))
        return false;
    uint32_t truth = register_of(s, constraint);
    hd_vec_push(&s->levels[s->level_of.at[truth]], ((instruction){.op = CHECK, .a = truth}));
    return true;
}

/* ---- computing ---- */

static uint64_t read_element(const hd_straight *s, const instruction *x, const uint64_t *r) {
    return r[x->b] < x->c ? r[s->elements.at[x->a + r[x->b]]] : 0;
}

static uint64_t compute(const hd_straight *s, const instruction *x, const uint64_t *r) {
    switch (x->op) {
    case HD_OP_NOT:
        return ~r[x->a] & hd_mask(x->width);
    case HD_OP_ZEXT:
    case HD_OP_EXTRACT:
        return r[x->a] >> x->aux & hd_mask(x->width);
    case HD_OP_SEXT:
        return (uint64_t)hd_signed(r[x->a], x->from_width) & hd_mask(x->width);
    case HD_OP_CONCAT:
        return r[x->a] << x->aux | r[x->b];
    case HD_OP_ITE:
        return r[x->a] ? r[x->b] : r[x->c];
    case HD_OP_READ:
        return read_element(s, x, r);
    case HD_OP_ADD:
        return (r[x->a] + r[x->b]) & hd_mask(x->width);
    case HD_OP_SUB:
        return (r[x->a] - r[x->b]) & hd_mask(x->width);
    case HD_OP_MUL:
        return r[x->a] * r[x->b] & hd_mask(x->width);
    case HD_OP_AND:
        return r[x->a] & r[x->b];
    case HD_OP_OR:
        return r[x->a] | r[x->b];
    case HD_OP_XOR:
        return r[x->a] ^ r[x->b];
    case HD_OP_EQ:
        return r[x->a] == r[x->b];
    case HD_OP_ULT:
        return r[x->a] < r[x->b];
    case HD_OP_ULE:
        return r[x->a] <= r[x->b];
    case HD_OP_SLT:
        return hd_signed(r[x->a], x->from_width) < hd_signed(r[x->b], x->from_width);
    case HD_OP_SLE:
        return hd_signed(r[x->a], x->from_width) <= hd_signed(r[x->b], x->from_width);
    default:
        return hd_op_apply((hd_op)x->op, x->from_width, r[x->a], r[x->b]);
    }
}

bool hd_straight_run(hd_straight *s, uint32_t level, int64_t *budget) {
    uint64_t *r = s->registers.at;
    const instruction *begin = s->levels[level].at, *end = begin + s->levels[level].n;
    const instruction *x = begin;
    bool holds = true;
    for (; x < end && holds; x++)
        if (x->op != CHECK)
            r[x->result] = compute(s, x, r);
        else
            holds = r[x->a];
    *budget -= x - begin;
    return holds;
}
