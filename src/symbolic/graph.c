/* The expression graph's memory: hash-consed nodes that never move.
 *
 * Looking up a node that exists is what an execution does at nearly every symbolic
 * instruction, so that path (hd_node_intern) is inlined and touches two cache lines: the
 * slot, and the node, which the caller wants to read anyway. */
#include "base/reserve.h"
#include "symbolic/symbolic_int.h"
#include "symbolic/undefined.h"

#define GRAPH_SIZE   (HD_GRAPH_HEAD + (size_t)HD_MAX_NODES * sizeof(hd_node))
#define MAX_SLOTS    (UINT32_C(1) << 28)
#define FIRST_SLOTS  4096
#define ANSWERS_SIZE (sizeof(hd_answer) << HD_ANSWER_BITS)

static void add_first_nodes(hd_graph *g) {
    g->n_nodes = 1; /* E3 */
    hd_expr no = hd_expr_const(g, 1, 0), yes = hd_expr_const(g, 1, 1);
    HD_INVARIANT(E3, no == HD_FALSE && yes == HD_TRUE);
    hd_expr fresh = hd_expr_undefined(g, 8, 0);
    HD_ASSERT(fresh == HD_EXPR_FRESH);
    for (uint16_t i = 0; i < HD_N_UNDEFINED; i++) {
        hd_expr leaf = hd_expr_undefined(g, 8u << i / HD_UNDEFINED_OF_WIDTH, (uint16_t)(1 + i));
        HD_ASSERT(leaf == HD_EXPR_FRESH + 1 + i);
    }
}

/* What executions in children of fork() add to, and what is each process's own. */
static const size_t sizes[] = {GRAPH_SIZE, MAX_SLOTS * sizeof *((hd_graph *)0)->slots,
                               HD_MAX_NODES * sizeof *((hd_graph *)0)->zeros,
                               HD_MAX_NODES * sizeof *((hd_graph *)0)->support};
static const size_t own_sizes[] = {ANSWERS_SIZE, sizeof(hd_union_memo) << HD_UNION_MEMO_BITS,
                                   HD_MAX_VARIABLES / 8};

hd_graph *hd_graph_new(bool shared) {
    void *at[4], *own[3];
    hd_reserve_group_new(at, sizes, 4, shared);
    hd_reserve_group_new(own, own_sizes, 3, false);
    hd_graph *g = at[0];
    g->shared = shared;
    g->slots = at[1];
    g->slot_mask = FIRST_SLOTS - 1;
    g->zeros = at[2];
    g->support = at[3];
    g->answers = own[0];
    g->unions = own[1];
    g->variable_bits = own[2];
    hd_blocks_init(&g->tables, HD_TABLE_PREFIX, shared);
    hd_support_init(g);
    add_first_nodes(g);
    return g;
}

void hd_graph_free(hd_graph *g) {
    if (!g)
        return;
    hd_blocks_release(&g->tables);
    hd_blocks_release(&g->sets);
    hd_reserve_group_free(g->answers, own_sizes, 3);
    hd_reserve_group_free(g, sizes, 4);
}

uint32_t hd_graph_n_nodes(const hd_graph *g) {
    return g->n_nodes;
}

uint32_t hd_graph_generation(const hd_graph *g) {
    return g->generation;
}

static uint64_t memory_of_blocks(const hd_blocks *b) {
    return ((uint64_t)b->n_words + b->slot_mask + 1) * sizeof(uint32_t);
}

uint64_t hd_graph_memory(const hd_graph *g) {
    uint64_t per_node = sizeof(hd_node) + sizeof *g->zeros + sizeof *g->support;
    return HD_GRAPH_HEAD + g->n_nodes * per_node + ((uint64_t)g->slot_mask + 1) * sizeof *g->slots +
           memory_of_blocks(&g->sets) + memory_of_blocks(&g->tables) +
           (sizeof(hd_union_memo) << HD_UNION_MEMO_BITS);
}

void hd_answers_clear(hd_graph *g) {
    hd_reserve_clear(g->answers, ANSWERS_SIZE);
}

static void put_in_slot(hd_graph *g, uint32_t id, uint64_t hash) {
    HD_CHECK_INVARIANT(G1, id > 0 && id < HD_MAX_NODES);
    uint32_t slot = (uint32_t)hash & g->slot_mask;
    while (g->slots[slot])
        slot = (slot + 1) & g->slot_mask;
    g->slots[slot] = id | hd_node_tag(hash);
}

void hd_graph_rehash(hd_graph *g, uint32_t n_slots) {
    HD_ASSERT(n_slots <= MAX_SLOTS && (n_slots & (n_slots - 1)) == 0);
    HD_INVARIANT(G1, g->n_nodes < n_slots); /* there is an empty slot to end at */
    memset(g->slots, 0, ((size_t)g->slot_mask + 1) * sizeof *g->slots);
    g->slot_mask = n_slots - 1;
    for (uint32_t id = 1; id < g->n_nodes; id++)
        put_in_slot(g, id, hd_node_hash(hd_node_load(g, id)));
}

/* E1 and E2, of a node that is about to be made. */
static bool has_older_operands(const hd_graph *g, const hd_node *n) {
    if (n->op == HD_OP_CONST || n->op == HD_OP_VAR)
        return true;
    return (n->op == HD_OP_READ || n->a < g->n_nodes) && n->b < g->n_nodes && n->c < g->n_nodes;
}

static bool is_masked(const hd_node *n) {
    return n->op != HD_OP_CONST || (((uint64_t)n->b << 32 | n->a) & ~hd_mask(n->width)) == 0;
}

static hd_expr add_node(hd_graph *g, hd_node_words words, uint64_t hash) {
    uint32_t id = g->n_nodes;
    if (id == HD_MAX_NODES)
        hd_out_of_memory();
    hd_node *n = memcpy(hd_node_at(g, id), &words, sizeof words);
    HD_ASSERT(n->op < HD_N_OPS && n->width >= 1 && n->width <= 64);
    HD_INVARIANT(E1, has_older_operands(g, n));
    HD_INVARIANT(E2, is_masked(n));
    HD_CHECK(hd_node_is_normal(g, n));
    g->support[id] = hd_support_of_node(g, n);
    g->zeros[id] = hd_zeros_of_node(g, n);
    HD_ASSERT((g->zeros[id] & ~hd_mask(n->width)) == 0);
    HD_INVARIANT(G2, g->n_nodes == id); /* nothing was made on the way */
    g->n_nodes = id + 1;
    put_in_slot(g, id, hash);
    if (g->n_nodes * 2 > g->slot_mask)
        hd_graph_rehash(g, (g->slot_mask + 1) * 2);
    return id;
}

hd_expr hd_node_find_or_add(hd_graph *g, hd_node_words n, uint64_t hash) {
    for (uint32_t slot = (uint32_t)hash & g->slot_mask; g->slots[slot];
         slot = (slot + 1) & g->slot_mask)
        if (hd_node_is(g, g->slots[slot], n, hash))
            return g->slots[slot] & (HD_MAX_NODES - 1);
    return add_node(g, n, hash);
}

hd_expr hd_expr_const(hd_graph *g, unsigned width, uint64_t value) {
    HD_ASSERT(width >= 1 && width <= 64);
    value &= hd_mask(width);
    return hd_node_make(g, HD_OP_CONST, width, (uint32_t)value, (uint32_t)(value >> 32));
}

hd_expr hd_expr_var(hd_graph *g, hd_var v, unsigned width) {
    HD_ASSERT(width >= 1 && width <= 64 && v < HD_UNDEFINED);
    return hd_node_make(g, HD_OP_VAR, width, v, 0);
}

uint32_t hd_table_size(const hd_graph *g, hd_table t) {
    HD_CHECK(t > HD_TABLE_PREFIX && t < g->tables.n_words);
    return g->tables.words[t];
}

const hd_expr *hd_table_elements(const hd_graph *g, hd_table t) {
    return &g->tables.words[t + 1];
}

uint32_t hd_node_n_operands(const hd_graph *g, const hd_node *n) {
    switch ((hd_op)n->op) {
    case HD_OP_CONST:
    case HD_OP_VAR:
        return 0;
    case HD_OP_NOT:
    case HD_OP_ZEXT:
    case HD_OP_SEXT:
    case HD_OP_EXTRACT:
        return 1;
    case HD_OP_ITE:
        return 3;
    case HD_OP_READ:
        return 1 + hd_table_size(g, n->a);
    default:
        return 2;
    }
}

hd_expr hd_node_operand(const hd_graph *g, const hd_node *n, uint32_t i) {
    HD_ASSERT(i < hd_node_n_operands(g, n));
    if (n->op == HD_OP_READ)
        return i == 0 ? n->b : hd_table_elements(g, n->a)[i - 1];
    return i == 0 ? n->a : i == 1 ? n->b : n->c;
}

bool hd_expr_is_multiple(const hd_graph *g, hd_expr e, unsigned bits) {
    uint64_t low = hd_mask(bits) & hd_mask(hd_expr_width(g, e));
    return (hd_expr_zeros(g, e) & low) == low;
}
