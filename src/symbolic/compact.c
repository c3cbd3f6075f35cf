/* Compaction of the graph: keep what the roots reach and slide it down.
 *
 * Operands have smaller ids (E1), so one walk downwards marks, one walk upwards numbers, and
 * every node moves to a place that is free already.  The order of ids is kept, and with it
 * the order of operands that the constructors chose. */
#include "base/reserve.h"
#include "symbolic/symbolic_int.h"

#include <stdlib.h>

typedef struct compaction {
    hd_graph *g;
    uint8_t *keep;   /* by node */
    uint32_t *moved; /* by node: its new id */
    uint8_t *keep_table, *keep_set;
    uint32_t *moved_table, *moved_set;
} compaction;

static void *allocate(size_t n, size_t size) {
    void *at = calloc(n + 1, size);
    if (!at)
        hd_out_of_memory();
    return at;
}

static void begin(compaction *c, hd_graph *g) {
    *c = (compaction){.g = g,
                      .keep = allocate(g->n_nodes, 1),
                      .moved = allocate(g->n_nodes, sizeof(uint32_t)),
                      .keep_table = allocate(g->tables.n_words, 1),
                      .moved_table = allocate(g->tables.n_words, sizeof(uint32_t)),
                      .keep_set = allocate(g->sets.n_words, 1),
                      .moved_set = allocate(g->sets.n_words, sizeof(uint32_t))};
}

static void end(compaction *c) {
    free(c->keep);
    free(c->moved);
    free(c->keep_table);
    free(c->moved_table);
    free(c->keep_set);
    free(c->moved_set);
}

static void mark_table(compaction *c, hd_table t) {
    HD_ASSERT(t > HD_TABLE_PREFIX && t < c->g->tables.n_words);
    if (c->keep_table[t])
        return;
    c->keep_table[t] = 1;
    c->keep_set[c->g->tables.words[t - HD_TABLE_PREFIX]] = 1;
    const hd_expr *element = hd_table_elements(c->g, t);
    for (uint32_t i = 0; i < hd_table_size(c->g, t); i++)
        c->keep[element[i]] = 1;
}

static void mark_operands(compaction *c, const hd_node *n) {
    if (n->op == HD_OP_CONST || n->op == HD_OP_VAR)
        return;
    if (n->op == HD_OP_READ)
        mark_table(c, n->a);
    else
        c->keep[n->a] = 1;
    c->keep[n->b] = c->keep[n->c] = 1; /* node 0 stays where it is anyway */
}

static void mark(compaction *c, hd_expr **roots, uint32_t n) {
    for (hd_expr id = HD_NONE; id < HD_FIRST_FREE; id++)
        c->keep[id] = 1;
    for (uint32_t i = 0; i < n; i++) {
        HD_ASSERT(*roots[i] < c->g->n_nodes);
        c->keep[*roots[i]] = 1;
    }
    for (uint32_t id = c->g->n_nodes; id-- > 1;)
        if (c->keep[id])
            mark_operands(c, hd_node_at(c->g, id));
}

/* New ids for the nodes that stay; returns how many. */
static uint32_t number_nodes(compaction *c) {
    uint32_t n = 0;
    for (uint32_t id = 0; id < c->g->n_nodes; id++)
        if (c->keep[id]) {
            HD_ASSERT(n <= id);
            c->moved[id] = n++;
            c->keep_set[c->g->support[id]] = 1;
        }
    return n;
}

static void rename_tables(compaction *c) {
    hd_blocks *b = &c->g->tables;
    hd_blocks_compact(b, c->keep_table, c->moved_table);
    for (uint32_t t = 1 + b->prefix; t < b->n_words; t += 1 + b->words[t] + b->prefix) {
        uint32_t *set = &b->words[t - HD_TABLE_PREFIX];
        HD_ASSERT(c->moved_set[*set]); /* what a table that stays names has stayed */
        *set = c->moved_set[*set];
        for (uint32_t i = 1; i <= b->words[t]; i++)
            b->words[t + i] = c->moved[b->words[t + i]];
    }
    hd_blocks_rehash(b);
}

static hd_node renamed(const compaction *c, hd_node n) {
    if (n.op == HD_OP_CONST || n.op == HD_OP_VAR)
        return n;
    n.a = n.op == HD_OP_READ ? c->moved_table[n.a] : c->moved[n.a];
    n.b = c->moved[n.b];
    n.c = c->moved[n.c];
    return n;
}

static void slide_nodes(compaction *c, uint32_t n_left) {
    hd_graph *g = c->g;
    for (uint32_t id = 0; id < g->n_nodes; id++) {
        if (!c->keep[id])
            continue;
        uint32_t to = c->moved[id];
        HD_INVARIANT(E1, to <= id && to < n_left);
        *hd_node_at(g, to) = renamed(c, *hd_node_at(g, id));
        g->zeros[to] = g->zeros[id];
        g->support[to] = c->moved_set[g->support[id]];
    }
    g->n_nodes = n_left;
}

/* Give whole pages behind the first `used` bytes of an array back to the system. */
static void give_back(void *array, size_t used, size_t before) {
    size_t from = (used + 4095) & ~(size_t)4095;
    if (from < before)
        hd_reserve_clear((char *)array + from, before - from);
}

static void give_memory_back(hd_graph *g, const hd_graph *before) {
    if (g->shared)
        return; /* pages of a shared reserve cannot be dropped */
    give_back(g, HD_GRAPH_HEAD + g->n_nodes * sizeof(hd_node),
              HD_GRAPH_HEAD + before->n_nodes * sizeof(hd_node));
    give_back(g->zeros, g->n_nodes * sizeof *g->zeros, before->n_nodes * sizeof *g->zeros);
    give_back(g->support, g->n_nodes * sizeof *g->support, before->n_nodes * sizeof *g->support);
    give_back(g->sets.words, g->sets.n_words * sizeof(uint32_t),
              before->sets.n_words * sizeof(uint32_t));
    give_back(g->tables.words, g->tables.n_words * sizeof(uint32_t),
              before->tables.n_words * sizeof(uint32_t));
    give_back(g->slots, ((size_t)g->slot_mask + 1) * sizeof *g->slots,
              ((size_t)before->slot_mask + 1) * sizeof *g->slots);
}

static uint32_t slots_for(uint32_t n_nodes) {
    uint32_t n = 4096;
    while (n < n_nodes * 4)
        n *= 2;
    return n;
}

void hd_graph_compact(hd_graph *g, hd_expr **roots, uint32_t n) {
    hd_graph before = *g;
    compaction c;
    begin(&c, g);
    mark(&c, roots, n);
    uint32_t n_left = number_nodes(&c);
    HD_ASSERT(n_left >= HD_FIRST_FREE && n_left <= g->n_nodes);
    hd_blocks_compact(&g->sets, c.keep_set, c.moved_set);
    rename_tables(&c);
    slide_nodes(&c, n_left);
    for (uint32_t i = 0; i < n; i++)
        *roots[i] = c.moved[*roots[i]];
    hd_reserve_clear(g->unions, sizeof(hd_union_memo) << HD_UNION_MEMO_BITS);
    hd_answers_clear(g);
    uint32_t n_slots = slots_for(n_left);
    hd_graph_rehash(g, n_slots < before.slot_mask + 1 ? n_slots : before.slot_mask + 1);
    give_memory_back(g, &before);
    g->generation++;
    HD_INVARIANT(E4, g->generation != before.generation); /* who holds ids can see it */
    end(&c);
}
