/* The start order: the order of the file, as far as `after` allows it.  The next node to start is
 * always the first of the file whose predecessors have all started. */
#include "scenario/scenario_int.h"

#include <string.h>

static void add_to_set(void *context, uint32_t node) {
    hd_set *set = context;
    *set = hd_set_with(*set, node);
}

static bool find_predecessors(hd_reader *r, uint32_t node, hd_set *set) {
    const hd_node_entry *e = &r->entries.at[r->origins.at[node].entry];
    *set = HD_SET_EMPTY;
    for (size_t i = 0; i < e->after.n; i++) {
        char *name = hd_expand(e, r->origins.at[node].index, e->after.at[i].text);
        bool is_known = hd_nodes_meant(r, &e->after.at[i], name, add_to_set, set);
        free(name);
        if (!is_known)
            return false;
    }
    return true;
}

/* The first of those that `node` waits for. */
static uint32_t first_before(const hd_set *before, uint32_t node, hd_set left) {
    return hd_set_first(hd_set_both(before[node], left));
}

/* None of `left` can start: going from one to one that it waits for comes back to where it was. */
static bool cycle(hd_reader *r, const hd_set *before, hd_set left) {
    hd_text list = {0};
    hd_set seen = HD_SET_EMPTY;
    uint32_t at = hd_set_first(left);
    for (; !hd_set_has(seen, at); at = first_before(before, at, left))
        seen = hd_set_with(seen, at);
    uint32_t first = at;
    const hd_node_entry *e = &r->entries.at[r->origins.at[first].entry];
    do {
        at = first_before(before, at, left);
        hd_text_add(&list, "%s '%s'", list.n ? ", which starts after" : "",
                    r->scenario->nodes.at[at].name);
    } while (at != first);
    hd_reader_fail(r, e->after.at[0].at, "node '%s' starts after%s",
                   r->scenario->nodes.at[first].name, hd_text_string(&list));
    hd_text_release(&list);
    return hd_err_hint(r->err, "leave out one 'after', so that one of them can start first");
}

/* A set of nodes by their numbers in the new order. */
static hd_set renumber(const uint32_t *order, uint32_t n, hd_set set) {
    hd_set_maker made = {0};
    for (uint32_t i = 0; i < n && !hd_set_is_empty(set); i++)
        if (hd_set_has(set, order[i]))
            hd_set_maker_add(&made, i);
    return hd_set_made(&made);
}

static void apply(hd_reader *r, const uint32_t *order, const hd_set *before) {
    uint32_t n = (uint32_t)r->scenario->nodes.n;
    hd_vec(hd_scenario_node) nodes = {0};
    hd_vec(hd_origin) origins = {0};
    for (uint32_t i = 0; i < n; i++) {
        hd_vec_push(&nodes, r->scenario->nodes.at[order[i]]);
        nodes.at[i].after = renumber(order, n, before[order[i]]);
        hd_vec_push(&origins, r->origins.at[order[i]]);
    }
    memcpy(r->scenario->nodes.at, nodes.at, n * sizeof *nodes.at);
    memcpy(r->origins.at, origins.at, n * sizeof *origins.at);
    hd_vec_release(&nodes);
    hd_vec_release(&origins);
}

/* Nodes that can start, one after the other, into `order`. */
static bool find_order(hd_reader *r, const hd_set *before, uint32_t n, uint32_t *order) {
    hd_set_maker all = {0};
    for (uint32_t i = 0; i < n; i++)
        hd_set_maker_add(&all, i);
    hd_set left = hd_set_made(&all);
    for (uint32_t n_ordered = 0; n_ordered < n; n_ordered++) {
        uint32_t next = 0;
        while (next < n && (!hd_set_has(left, next) || hd_set_meets(before[next], left)))
            next++;
        if (next == n)
            return cycle(r, before, left);
        order[n_ordered] = next;
        left = hd_set_without(left, next);
    }
    return true;
}

bool hd_nodes_order(hd_reader *r) {
    uint32_t n = (uint32_t)r->scenario->nodes.n;
    hd_vec(hd_set) before = {0};
    hd_vec(uint32_t) order = {0};
    hd_vec_reserve(&before, n);
    hd_vec_reserve(&order, n);
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = find_predecessors(r, i, &before.at[i]);
    ok = ok && find_order(r, before.at, n, order.at);
    if (ok && n)
        apply(r, order.at, before.at);
    hd_vec_release(&before);
    hd_vec_release(&order);
    return ok;
}
