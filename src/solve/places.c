/* Places, and the walk that gives them (places.h). */
#include "solve/places.h"

enum { MAX_TABLE = 256 };

void hd_places_release(hd_places *p) {
    hd_vec_release(&p->of);
    hd_vec_release(&p->todo);
    hd_vec_release(&p->elements);
}

void hd_places_begin(hd_places *p) {
    if (++p->stamp == 0) { /* once in 2^32 times */
        hd_vec_clear(&p->of);
        p->stamp = 1;
    }
    hd_vec_clear(&p->elements);
    p->n = 0;
}

void hd_places_forget(hd_places *p) {
    hd_vec_clear(&p->of);
    p->stamp = 0;
}

uint32_t hd_places_add(hd_places *p, hd_expr e) {
    while (p->of.n <= e)
        hd_vec_push(&p->of, (hd_place_of_expr){0});
    p->of.at[e] = (hd_place_of_expr){p->stamp, p->n};
    return p->n++;
}

/* ---- the walk ---- */

void hd_places_want(hd_places *p, hd_expr e) {
    hd_vec_clear(&p->todo);
    hd_vec_push(&p->todo, e);
}

/* Puts the operands that have no place on the stack; false if there are any. */
static bool are_operands_ready(hd_places *p, const hd_node *n) {
    bool ready = true;
    for (uint32_t i = 0; i < hd_node_n_operands(p->g, n); i++)
        if (!hd_places_have(p, hd_node_operand(p->g, n, i))) {
            hd_vec_push(&p->todo, hd_node_operand(p->g, n, i));
            ready = false;
        }
    return ready;
}

bool hd_places_next(hd_places *p, uint32_t most, hd_expr *next) {
    *next = HD_NONE;
    while (p->todo.n && !*next) {
        hd_expr e = p->todo.at[p->todo.n - 1];
        const hd_node *n = hd_expr_node(p->g, e);
        if (hd_places_have(p, e)) {
            p->todo.n--;
            continue;
        }
        if (n->op == HD_OP_READ && hd_table_size(p->g, n->a) > MAX_TABLE)
            return false;
        if (are_operands_ready(p, n)) {
            p->todo.n--;
            *next = e;
        } else if (p->todo.n >= most)
            return false;
    }
    HD_CHECK_INVARIANT(S1, !*next || are_operands_ready(p, hd_expr_node(p->g, *next)));
    return true;
}

/* ---- nodes ---- */

hd_operand_places hd_places_of_operands(hd_places *p, const hd_node *n) {
    if (n->op == HD_OP_READ) {
        hd_operand_places x = {(uint32_t)p->elements.n, hd_place_of(p, n->b),
                               hd_table_size(p->g, n->a), 0, n->aux};
        for (uint32_t i = 0; i < x.c; i++)
            hd_vec_push(&p->elements, hd_place_of(p, hd_table_elements(p->g, n->a)[i]));
        return x;
    }
    uint32_t count = hd_node_n_operands(p->g, n), first = hd_place_of(p, n->a);
    return (hd_operand_places){
        first, count > 1 ? hd_place_of(p, n->b) : first, count > 2 ? hd_place_of(p, n->c) : first,
        (uint8_t)hd_expr_width(p->g, n->a),
        n->op == HD_OP_CONCAT ? (uint16_t)hd_expr_width(p->g, n->b) : n->aux};
}

bool hd_leaf_value(const hd_graph *g, hd_expr e, uint64_t *value) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op == HD_OP_CONST)
        *value = hd_expr_value(g, e);
    else
        *value = HD_UNDEFINED_VALUE & hd_mask(n->width);
    return n->op == HD_OP_CONST || n->a == HD_UNDEFINED;
}
