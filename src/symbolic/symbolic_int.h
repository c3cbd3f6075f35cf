/* symbolic_int.h -- the inside of the expression graph, for the files of this folder only.
 *
 * Everything that a constructor changes lives in reserves, the head of the graph included,
 * so that a shared graph that a forked child has extended is whole in the parent.
 *
 *     head | node 0 | node 1 | ...            one reserve, never moves
 *     slots    hash table of node ids         grown in place, refilled from the nodes
 *     support  per node: block in `sets`      which variables it mentions; 0 if not yet known
 *     zeros    per node: bits always zero     upper bounds, alignment, disjointness
 *     sets, tables                            interned blocks of words (blocks.c)
 *
 * G1. A slot holds 0 or an id (low HD_ID_BITS bits) and a few bits of the node's hash.
 * G2. A node is complete before n_nodes counts it, and counted before a slot names it: a child
 *     that dies in between leaves at worst a node that is made once more. */
#ifndef HD_SYMBOLIC_INT_H
#define HD_SYMBOLIC_INT_H
#include "base/hash.h"
#include "base/hostile.h"
#include "base/panic.h"
#include "symbolic/expr.h"
#include <string.h>

#define HD_ID_BITS       27
#define HD_MAX_NODES     (UINT32_C(1) << HD_ID_BITS)
#define HD_MAX_VARIABLES (UINT32_C(1) << 24)

/* Made with every graph, and kept by compaction. */
#define HD_FALSE ((hd_expr)1)
#define HD_TRUE  ((hd_expr)2)
/* and the leaves of HD_UNDEFINED */
#define HD_FIRST_FREE (HD_EXPR_FRESH + 1 + HD_N_UNDEFINED)

/* Interned arrays of 32-bit words.  A block is named by the offset of its length word; its
 * elements follow, and `prefix` words in front of it belong to the user. */
typedef struct hd_blocks {
    uint32_t *words;
    uint32_t *slots;
    uint32_t n_words, n_blocks, slot_mask, prefix;
} hd_blocks;

void hd_blocks_init(hd_blocks *b, uint32_t prefix, bool shared);
void hd_blocks_release(hd_blocks *b);
/* Where the next block's elements may be written before hd_blocks_commit. */
uint32_t *hd_blocks_room(hd_blocks *b, uint32_t n);
/* Intern the n elements in the room; *is_new tells whether the prefix must be filled in. */
uint32_t hd_blocks_commit(hd_blocks *b, uint32_t n, bool *is_new);
/* Keep the blocks whose offset is set in `keep` (a byte per word); writes the new offset of
 * each to moved[old]. */
void hd_blocks_compact(hd_blocks *b, const uint8_t *keep, uint32_t *moved);
/* Refill the hash table, after elements were changed in place. */
void hd_blocks_rehash(hd_blocks *b);

typedef struct hd_union_memo {
    uint32_t a, b, result;
} hd_union_memo;
#define HD_UNION_MEMO_BITS 14

/* What a constructor answered, by its arguments: an execution asks again what the one before
 * it asked, and most rules need several look-ups. */
typedef struct hd_answer {
    uint32_t a, b, what; /* what 0 is an empty entry: nobody asks for CONST here */
    hd_expr result;
} hd_answer;
#define HD_ANSWER_BITS 14

struct hd_graph {
    uint32_t n_nodes, slot_mask;
    uint32_t *slots;
    uint64_t *zeros;
    uint32_t *support;
    uint32_t generation;
    bool shared;
    hd_blocks sets, tables;
    /* Never shared, so that a child that dies while writing spoils nothing: */
    hd_answer *answers;
    hd_union_memo *unions;
    uint64_t *variable_bits; /* scratch for unions of many sets, zero between uses */
};
_Static_assert(sizeof(struct hd_graph) <= HD_GRAPH_HEAD, "the head of a graph must fit");

/* Words in front of a table: support set and known zero bits of its elements. */
enum { HD_TABLE_PREFIX = 3 };

static inline hd_node *hd_node_at(hd_graph *g, uint32_t i) {
    return (hd_node *)((char *)g + HD_GRAPH_HEAD) + i;
}

/* A node as two words, which is how it is hashed and compared: assembling it field by field in
 * memory and reading it back would stall the CPU on each look-up. */
typedef struct hd_node_words {
    uint64_t w[2];
} hd_node_words;
_Static_assert(sizeof(hd_node) == sizeof(hd_node_words), "a node is two words");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "fields of a node from low to high");

static inline hd_node_words hd_node_pack(hd_op op, unsigned width, unsigned aux, uint32_t a,
                                         uint32_t b, uint32_t c) {
    return (hd_node_words){
        {(uint64_t)a << 32 | aux << 16 | width << 8 | (unsigned)op, (uint64_t)c << 32 | b}};
}
static inline hd_node_words hd_node_load(const hd_graph *g, uint32_t i) {
    hd_node_words n;
    memcpy(&n, hd_expr_node(g, i), sizeof n);
    return n;
}
/* One wide multiplication mixes all 16 bytes. */
static inline uint64_t hd_node_hash(hd_node_words n) {
    uint64_t x = n.w[0] ^ 0x9e3779b97f4a7c15u, y = n.w[1] ^ 0xe7037ed1a0b428dbu;
    __uint128_t product = (__uint128_t)x * y;
    return hd_hostile_hash((uint64_t)product ^ (uint64_t)(product >> 64));
}
static inline uint32_t hd_node_tag(uint64_t hash) {
    return (uint32_t)(hash >> 32) & ~(HD_MAX_NODES - 1);
}
/* Does the slot's entry mean exactly this node? */
static inline bool hd_node_is(const hd_graph *g, uint32_t entry, hd_node_words n, uint64_t hash) {
    uint32_t id = entry & (HD_MAX_NODES - 1);
    if (entry != (id | hd_node_tag(hash)))
        return false;
    hd_node_words there = hd_node_load(g, id);
    return there.w[0] == n.w[0] && there.w[1] == n.w[1];
}

/* The node is not in its first slot: probe on, and make it if it is nowhere. */
hd_expr hd_node_find_or_add(hd_graph *g, hd_node_words n, uint64_t hash);
void hd_graph_rehash(hd_graph *g, uint32_t n_slots);
/* binary.c: has a node the form that N1 to N4 say?  For checks. */
bool hd_node_is_normal(const hd_graph *g, const hd_node *n);

/* The id of exactly this node, without simplification. */
static inline hd_expr hd_node_intern(hd_graph *g, hd_node_words n) {
    uint64_t hash = hd_node_hash(n);
    uint32_t entry = g->slots[hash & g->slot_mask];
    if (__builtin_expect(hd_node_is(g, entry, n, hash), 1))
        return entry & (HD_MAX_NODES - 1);
    return hd_node_find_or_add(g, n, hash);
}
static inline hd_expr hd_node_make(hd_graph *g, hd_op op, unsigned width, hd_expr a, hd_expr b) {
    return hd_node_intern(g, hd_node_pack(op, width, 0, a, b, 0));
}

/* Where the answer of what(a, b) is or goes.  `what` is an op, with a third operand above its
 * low five bits; b is whatever else tells the calls of one op apart. */
static inline hd_answer *hd_answer_slot(const hd_graph *g, uint32_t what, uint32_t a, uint32_t b) {
    uint64_t key = ((uint64_t)a << 32 | b) + what * UINT64_C(0x3c6ef372fe94f82b);
    key = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;
    return &g->answers[key >> (64 - HD_ANSWER_BITS)];
}
static inline bool hd_answer_is(const hd_answer *at, uint32_t what, uint32_t a, uint32_t b) {
    return at->a == a && at->b == b && at->what == what;
}
static inline hd_expr hd_answer_put(hd_answer *at, uint32_t what, uint32_t a, uint32_t b,
                                    hd_expr e) {
    *at = (hd_answer){a, b, what, e};
    return e;
}
_Static_assert(HD_N_OPS <= 32 && HD_ID_BITS + 5 <= 32, "an op and an id fit one word");
/* Forget all; ids are about to change. */
void hd_answers_clear(hd_graph *g);

/* support.c */
void hd_support_init(hd_graph *g);
uint32_t hd_support_of_node(hd_graph *g, const hd_node *n);
uint32_t hd_support_of_elements(hd_graph *g, const hd_expr *elements, uint32_t n);

/* zeros.c: which bits of a node are zero whatever the inputs are */
uint64_t hd_zeros_of_node(const hd_graph *g, const hd_node *n);
static inline uint64_t hd_expr_zeros(const hd_graph *g, hd_expr e) {
    return g->zeros[e];
}
/* No value of e is greater. */
static inline uint64_t hd_expr_max(const hd_graph *g, hd_expr e) {
    return ~g->zeros[e] & hd_mask(hd_expr_width(g, e));
}

static inline bool hd_op_is_comparison(hd_op op) {
    return op >= HD_OP_EQ && op <= HD_OP_SLE;
}
static inline bool hd_op_is_commutative(hd_op op) {
    return op == HD_OP_ADD || op == HD_OP_MUL || op == HD_OP_AND || op == HD_OP_OR ||
           op == HD_OP_XOR || op == HD_OP_EQ;
}
static inline uint64_t hd_sign_bit(unsigned width) {
    return UINT64_C(1) << (width - 1);
}
static inline int64_t hd_signed(uint64_t value, unsigned width) {
    uint64_t sign = hd_sign_bit(width);
    return (int64_t)((value ^ sign) - sign);
}
/* Sign extension of the low `from` bits of `value` to `to` bits. */
static inline uint64_t hd_sext_value(uint64_t value, unsigned from, unsigned to) {
    return (uint64_t)hd_signed(value & hd_mask(from), from) & hd_mask(to);
}
static inline hd_expr hd_expr_bool(bool value) {
    return value ? HD_TRUE : HD_FALSE;
}
static inline bool hd_expr_has_op(const hd_graph *g, hd_expr e, hd_op op) {
    return hd_expr_node(g, e)->op == op;
}
/* Is `e` op(x, constant)? */
static inline bool hd_expr_is_with_const(const hd_graph *g, hd_expr e, hd_op op, hd_expr *x,
                                         uint64_t *constant) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op != op || !hd_expr_is_const(g, n->b))
        return false;
    *x = n->a;
    *constant = hd_expr_value(g, n->b);
    return true;
}
static inline hd_expr hd_expr_with_const(hd_graph *g, hd_op op, hd_expr a, uint64_t constant) {
    return hd_expr_binary(g, op, a, hd_expr_const(g, hd_expr_width(g, a), constant));
}

/* Does `e` take one of two constants, as a condition says? */
typedef struct hd_two_values {
    hd_expr condition;
    uint64_t yes, no;
} hd_two_values;
bool hd_expr_two_values(const hd_graph *g, hd_expr e, hd_two_values *out);

/* Can the low `width` bits of `e` be had without a new EXTRACT? */
bool hd_expr_truncates_freely(const hd_graph *g, hd_expr e, unsigned width);
/* a | b as a concatenation, when all of one lies above all of the other; else HD_NONE. */
hd_expr hd_expr_join_disjoint(hd_graph *g, hd_expr a, hd_expr b);

/* The rules for one group of operations.  Operands are not both constant and, where the
 * operation commutes, ordered: a constant stands right. */
hd_expr hd_simplify_arithmetic(hd_graph *g, hd_op op, hd_expr a, hd_expr b);
hd_expr hd_simplify_division(hd_graph *g, hd_op op, hd_expr a, hd_expr b);
hd_expr hd_simplify_bitwise(hd_graph *g, hd_op op, hd_expr a, hd_expr b);
hd_expr hd_simplify_shift(hd_graph *g, hd_op op, hd_expr a, hd_expr b);
hd_expr hd_simplify_equal(hd_graph *g, hd_expr a, hd_expr b);
hd_expr hd_simplify_order(hd_graph *g, hd_op op, hd_expr a, hd_expr b);
#endif
