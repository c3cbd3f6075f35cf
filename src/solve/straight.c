/* Instructions without branches (straight.h). */
#include "solve/straight.h"

#include "solve/places.h"
#include "solve/solve_int.h"

#include "base/panic.h"

#include <string.h>

enum {
    MAX_INSTRUCTIONS = 4000,
    CHECK = HD_N_OPS, /* the instruction that ends a case unless its operand is true */
};

typedef struct instruction {
    uint8_t op, width, from_width; /* from: of the first operand */
    uint16_t aux;
    uint32_t result, a, b, c; /* registers; READ: a = where its elements begin, c = how many */
} instruction;

struct hd_straight {
    hd_places places; /* registers of expressions */
    hd_vec(uint64_t) registers;
    hd_vec(uint8_t) level_of; /* by register: the last leaf that it depends on, 0 = none */
    hd_vec(instruction) levels[HD_MAX_LEAVES + 1];
    uint32_t leaves[HD_MAX_LEAVES]; /* their registers */
    uint32_t n_leaves, n_instructions;
    bool is_hard;
};

hd_straight *hd_straight_new(const hd_graph *g) {
    hd_straight *s = hd_layer_memory(sizeof *s);
    s->places.g = g;
    return s;
}

void hd_straight_forget(hd_straight *s) {
    hd_places_forget(&s->places);
}

void hd_straight_free(hd_straight *s) {
    for (int i = 0; i <= HD_MAX_LEAVES; i++)
        hd_vec_release(&s->levels[i]);
    hd_places_release(&s->places);
    hd_vec_release(&s->registers);
    hd_vec_release(&s->level_of);
    free(s);
}

void hd_straight_begin(hd_straight *s) {
    hd_places_begin(&s->places);
    hd_vec_clear(&s->registers);
    hd_vec_clear(&s->level_of);
    for (int i = 0; i <= HD_MAX_LEAVES; i++)
        hd_vec_clear(&s->levels[i]);
    s->n_leaves = s->n_instructions = 0;
    s->is_hard = false;
}

bool hd_straight_is_hard(const hd_straight *s) {
    return s->is_hard;
}

/* ---- registers ---- */

static uint32_t register_of(const hd_straight *s, hd_expr e) {
    return hd_place_of(&s->places, e);
}

static uint32_t new_register(hd_straight *s, hd_expr e, uint64_t value, uint8_t level) {
    uint32_t number = hd_places_add(&s->places, e);
    HD_CHECK(number == s->registers.n);
    hd_vec_push(&s->registers, value);
    hd_vec_push(&s->level_of, level);
    return number;
}

void hd_straight_leaf(hd_straight *s, hd_expr e) {
    HD_ASSERT(s->n_leaves < HD_MAX_LEAVES && !hd_places_have(&s->places, e));
    uint32_t number = s->n_leaves++;
    s->leaves[number] = new_register(s, e, 0, (uint8_t)(number + 1));
}

void hd_straight_set(hd_straight *s, uint32_t leaf, uint64_t value) {
    HD_CHECK(leaf < s->n_leaves);
    s->registers.at[s->leaves[leaf]] = value;
}

/* ---- nodes ---- */

static const hd_graph *graph_of(const hd_straight *s) {
    return s->places.g;
}

/* A variable that is no leaf has no value. */
static bool add_constant(hd_straight *s, hd_expr e) {
    uint64_t value;
    if (!hd_leaf_value(graph_of(s), e, &value))
        return false;
    new_register(s, e, value, 0);
    return true;
}

static bool is_hard(const hd_straight *s, const hd_node *n) {
    bool has_constant =
        hd_node_n_operands(graph_of(s), n) == 2 &&
        (hd_expr_is_const(graph_of(s), n->a) || hd_expr_is_const(graph_of(s), n->b));
    return (n->op == HD_OP_MUL && !has_constant) || (n->op >= HD_OP_UDIV && n->op <= HD_OP_SREM);
}

static uint8_t level_of_operands(const hd_straight *s, const hd_node *n) {
    uint8_t level = 0;
    for (uint32_t i = 0; i < hd_node_n_operands(graph_of(s), n); i++) {
        uint8_t other = s->level_of.at[register_of(s, hd_node_operand(graph_of(s), n, i))];
        level = other > level ? other : level;
    }
    return level;
}

static void add_instruction(hd_straight *s, hd_expr e, const hd_node *n) {
    uint8_t level = level_of_operands(s, n);
    hd_operand_places from = hd_places_of_operands(&s->places, n);
    instruction x = {n->op,  n->width, from.from_width, from.aux, new_register(s, e, 0, level),
                     from.a, from.b,   from.c};
    HD_INVARIANT(A1, level <= s->n_leaves);
    s->is_hard |= is_hard(s, n);
    s->n_instructions++;
    hd_vec_push(&s->levels[level], x);
}

static bool add_node(hd_straight *s, hd_expr e) {
    const hd_node *n = hd_expr_node(graph_of(s), e);
    if (!hd_node_n_operands(graph_of(s), n))
        return add_constant(s, e);
    add_instruction(s, e, n);
    return true;
}

bool hd_straight_compute(hd_straight *s, hd_expr e) {
    hd_expr next;
    hd_places_want(&s->places, e);
    while (s->places.todo.n)
        if (s->n_instructions > MAX_INSTRUCTIONS ||
            !hd_places_next(&s->places, MAX_INSTRUCTIONS, &next) || (next && !add_node(s, next)))
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
    return r[x->b] < x->c ? r[s->places.elements.at[x->a + r[x->b]]] : 0;
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
