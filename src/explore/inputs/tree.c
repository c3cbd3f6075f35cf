#include "explore/inputs/tree.h"

#include "base/panic.h"

void hd_tree_init(hd_tree *t) {
    *t = (hd_tree){.root = HD_NO_NODE};
}

void hd_tree_release(hd_tree *t) {
    hd_vec_release(&t->nodes);
    hd_vec_release(&t->unused);
}

static hd_node_id *first_child(hd_tree *t, hd_node_id parent, bool way) {
    HD_CHECK(parent == HD_NO_NODE || way || hd_tree_at(t, parent)->kind != HD_BRANCH_CHECK);
    return parent == HD_NO_NODE ? &t->root : &hd_tree_at(t, parent)->child[way];
}

hd_node_id hd_tree_find(const hd_tree *t, hd_node_id parent, bool way, uint32_t site,
                        hd_branch_kind kind) {
    hd_node_id id = *first_child((hd_tree *)t, parent, way);
    while (id != HD_NO_NODE && (hd_tree_at(t, id)->site != site || hd_tree_at(t, id)->kind != kind))
        id = hd_tree_at(t, id)->variant;
    HD_CHECK(id == HD_NO_NODE ||
             (hd_tree_at(t, id)->parent == parent && hd_tree_at(t, id)->parent_way == way));
    return id;
}

static hd_node_id unused_slot(hd_tree *t) {
    if (t->unused.n)
        return t->unused.at[--t->unused.n];
    hd_vec_push(&t->nodes, (hd_tree_node){0});
    return (hd_node_id)(t->nodes.n - 1);
}

/* Zero is the serial of slots that nobody uses, also after 2^32 nodes. */
static uint32_t new_serial(hd_tree *t) {
    t->next_serial += t->next_serial == UINT32_MAX ? 2 : 1;
    return t->next_serial;
}

static bool keeps_alive(hd_way_state state) {
    return state == HD_WAY_OPEN || state == HD_WAY_PLANNED;
}

/* What n_live should be: costs a look at all children. */
static uint32_t count_live(const hd_tree *t, hd_node_id id) {
    const hd_tree_node *node = hd_tree_at(t, id);
    uint32_t n = keeps_alive(node->state[0]) + keeps_alive(node->state[1]);
    for (int way = 0; way < 2; way++)
        for (hd_node_id c = node->child[way]; c != HD_NO_NODE; c = hd_tree_at(t, c)->variant)
            n++;
    return n;
}

hd_node_id hd_tree_add(hd_tree *t, hd_node_id parent, bool way, uint32_t site,
                       hd_branch_kind kind) {
    hd_node_id id = unused_slot(t);
    hd_node_id *first = first_child(t, parent, way);
    HD_INVARIANT(T2, hd_tree_at(t, id)->serial == 0);
    HD_CHECK(hd_tree_find(t, parent, way, site, kind) == HD_NO_NODE);
    *hd_tree_at(t, id) = (hd_tree_node){
        .parent = parent,
        .parent_way = way,
        .child = {HD_NO_NODE, HD_NO_NODE},
        .variant = *first,
        .site = site,
        .kind = (uint8_t)kind,
        .depth = parent == HD_NO_NODE ? 0 : hd_tree_at(t, parent)->depth + 1,
        .serial = new_serial(t),
    };
    *first = id;
    if (parent != HD_NO_NODE)
        hd_tree_at(t, parent)->n_live++;
    HD_CHECK_INVARIANT(T1, parent == HD_NO_NODE ||
                               hd_tree_at(t, parent)->n_live == count_live(t, parent));
    return id;
}

void hd_tree_set_way(hd_tree *t, hd_node_id id, bool way, hd_way_state state) {
    hd_tree_node *node = hd_tree_at(t, id);
    hd_way_state old = node->state[way];
    HD_INVARIANT(T1, !keeps_alive(old) || node->n_live > 0);
    HD_INVARIANT(T2, node->serial != 0);
    HD_INVARIANT(X1, old != HD_WAY_TAKEN); /* what was taken stays so */
    HD_INVARIANT(X1, state != HD_WAY_OPEN || !(node->was_open >> way & 1));
    HD_INVARIANT(X1, state != HD_WAY_PLANNED || old == HD_WAY_OPEN);
    node->was_open |= (uint8_t)((state == HD_WAY_OPEN) << way) & 3;
    node->n_live += keeps_alive(state);
    node->n_live -= keeps_alive(old);
    t->n_open += state == HD_WAY_OPEN;
    t->n_open -= old == HD_WAY_OPEN;
    node->state[way] = (uint8_t)state;
    HD_CHECK_INVARIANT(T1, node->n_live == count_live(t, id));
}

static void unlink_child(hd_tree *t, hd_node_id id) {
    const hd_tree_node *node = hd_tree_at(t, id);
    hd_node_id *link = first_child(t, node->parent, node->parent_way);
    while (*link != id) {
        HD_INVARIANT(T1, *link != HD_NO_NODE);
        link = &hd_tree_at(t, *link)->variant;
    }
    *link = node->variant;
}

static bool has_open_below(const hd_tree_node *node) {
    return keeps_alive(node->state[0]) || keeps_alive(node->state[1]) ||
           node->child[0] != HD_NO_NODE || node->child[1] != HD_NO_NODE;
}

void hd_tree_prune(hd_tree *t, hd_node_id id) {
    while (id != HD_NO_NODE && hd_tree_at(t, id)->n_live == 0) {
        hd_node_id parent = hd_tree_at(t, id)->parent;
        HD_INVARIANT(T2, hd_tree_at(t, id)->serial != 0);
        HD_CHECK_INVARIANT(T1, count_live(t, id) == 0);
        HD_INVARIANT(X2, !has_open_below(hd_tree_at(t, id)));
        HD_INVARIANT(T1, parent == HD_NO_NODE || hd_tree_at(t, parent)->n_live > 0);
        unlink_child(t, id);
        hd_tree_at(t, id)->serial = 0;
        hd_vec_push(&t->unused, id);
        if (parent != HD_NO_NODE)
            hd_tree_at(t, parent)->n_live--;
        id = parent;
    }
}
