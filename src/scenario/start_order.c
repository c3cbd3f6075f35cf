/* The start order: the order of the file, as far as `after` allows it.  The next node to start is
 * always the first of the file whose predecessors have all started. */
#include "scenario/scenario_int.h"

#include <string.h>

#define MOST HD_SCENARIO_MOST_NODES

/* Sets of nodes are bits. */
_Static_assert(MOST < 64, "a set of nodes is 64 bits");

static void add_to_set(void *context, uint32_t node) {
    *(uint64_t *)context |= UINT64_C(1) << node;
}

static bool find_predecessors(hd_reader *r, uint32_t node, uint64_t *set) {
    const hd_node_entry *e = &r->entries.at[r->origins.at[node].entry];
    *set = 0;
    for (size_t i = 0; i < e->after.n; i++) {
        char *name = hd_expand(e, r->origins.at[node].index, e->after.at[i].text);
        bool is_known = hd_nodes_meant(r, &e->after.at[i], name, add_to_set, set);
        free(name);
        if (!is_known)
            return false;
    }
    return true;
}

/* None of `left` can start: going from one to one that it waits for comes back to where it was. */
static bool cycle(hd_reader *r, const uint64_t *before, uint64_t left) {
    hd_text list = {0};
    uint64_t seen = 0;
    uint32_t at = (uint32_t)__builtin_ctzll(left);
    for (; !(seen >> at & 1); at = (uint32_t)__builtin_ctzll(before[at] & left))
        seen |= UINT64_C(1) << at;
    uint32_t first = at;
    const hd_node_entry *e = &r->entries.at[r->origins.at[first].entry];
    do {
        at = (uint32_t)__builtin_ctzll(before[at] & left);
        hd_text_add(&list, "%s '%s'", list.n ? ", which starts after" : "",
                    r->scenario->nodes.at[at].name);
    } while (at != first);
    hd_reader_fail(r, e->after.at[0].at, "node '%s' starts after%s",
                   r->scenario->nodes.at[first].name, hd_text_string(&list));
    hd_text_release(&list);
    return hd_err_hint(r->err, "leave out one 'after', so that one of them can start first");
}

/* A set of nodes by their numbers in the new order. */
static uint64_t renumber(const uint32_t *order, size_t n, uint64_t set) {
    uint64_t made = 0;
    for (size_t i = 0; i < n; i++)
        made |= (set >> order[i] & 1) << i;
    return made;
}

static void apply(hd_reader *r, const uint32_t *order, const uint64_t *before) {
    size_t n = r->scenario->nodes.n;
    hd_scenario_node nodes[MOST];
    hd_origin origins[MOST];
    for (size_t i = 0; i < n; i++) {
        nodes[i] = r->scenario->nodes.at[order[i]];
        nodes[i].after = renumber(order, n, before[order[i]]);
        origins[i] = r->origins.at[order[i]];
    }
    memcpy(r->scenario->nodes.at, nodes, n * sizeof *nodes);
    memcpy(r->origins.at, origins, n * sizeof *origins);
}

bool hd_nodes_order(hd_reader *r) {
    uint32_t n = (uint32_t)r->scenario->nodes.n, order[MOST], n_ordered = 0;
    uint64_t before[MOST], left = (UINT64_C(1) << n) - 1;
    for (uint32_t i = 0; i < n; i++)
        if (!find_predecessors(r, i, &before[i]))
            return false;
    while (left) {
        uint32_t next = 0;
        while (next < n && (!(left >> next & 1) || before[next] & left))
            next++;
        if (next == n)
            return cycle(r, before, left);
        order[n_ordered++] = next;
        left &= ~(UINT64_C(1) << next);
    }
    apply(r, order, before);
    return true;
}
