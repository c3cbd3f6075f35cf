/* Accesses through symbolic addresses (beyond paper 002, 4.1.6: PC20).
 *
 * The concrete address says which object is meant.  That the address stays in this object
 * goes on the path, so that the search asks for one that does not.  Inside, a read is a read
 * of a table of the object's elements, and a write makes every element "the new value if
 * the index is mine, else the old one": both stay exact for every index.  Objects with too
 * many elements are accessed at the concrete address only, and that goes on the path too.
 * Pointers that are inputs themselves are different: alias.c. */
#include "machine/machine_int.h"

#define MAX_ELEMENTS 4096

typedef struct access {
    hd_machine *m;
    uint64_t at; /* concrete address */
    hd_expr address;
    uint64_t size;
    bool is_store;
    uint32_t site;
    hd_object object;
} access;

/* ---- the shape of an address ---- */

/* The pointer variable among the terms of the sum `e`, or HD_NONE. */
static hd_expr pointer_in(hd_machine *m, hd_expr e) {
    const hd_node *n = hd_expr_node(m->graph, e);
    if (n->op == HD_OP_VAR)
        return hd_variables_info(m->variables, n->a)->kind == HD_VAR_POINTER ? e : HD_NONE;
    if (n->op != HD_OP_ADD)
        return HD_NONE;
    hd_expr left = pointer_in(m, n->a);
    return left ? left : pointer_in(m, n->b);
}

/* `e` with the term `from` of its sum replaced. */
static hd_expr replace_term(hd_graph *g, hd_expr e, hd_expr from, hd_expr to) {
    if (e == from)
        return to;
    const hd_node *n = hd_expr_node(g, e);
    if (n->op != HD_OP_ADD)
        return e;
    hd_expr a = n->a, b = n->b;
    return hd_expr_binary(g, HD_OP_ADD, replace_term(g, a, from, to), replace_term(g, b, from, to));
}

static bool are_in_one_object(hd_machine *m, uint64_t a, uint64_t b) {
    hd_object x, y;
    return hd_object_near(m, a, &x) && hd_object_near(m, b, &y) && x.base == y.base;
}

/* The constant terms of the sum `e`: where its object starts, when it is base + index.  A
 * choice between two places of one object is such an index too. */
static uint64_t constant_in(hd_machine *m, hd_expr e) {
    const hd_node *n = hd_expr_node(m->graph, e);
    uint64_t a, b;
    switch (n->op) {
    case HD_OP_CONST:
        return hd_expr_value(m->graph, e);
    case HD_OP_ADD:
        return constant_in(m, n->a) + constant_in(m, n->b);
    case HD_OP_SUB:
        return constant_in(m, n->a) - constant_in(m, n->b);
    case HD_OP_ITE:
        a = constant_in(m, n->b);
        b = constant_in(m, n->c);
        return are_in_one_object(m, a, b) ? a : 0;
    default:
        return 0;
    }
}

/* ---- is it inside? ---- */

static bool stays_inside(const access *x) {
    const hd_object *o = &x->object;
    return x->at >= o->base && x->at - o->base <= o->size && x->size <= o->size - (x->at - o->base);
}

static bool all_accessible(const access *x) {
    if (!hd_in_region(x->at) || x->at + x->size > HD_REGION + HD_REGION_SIZE)
        return false;
    const hd_word *s = HD_SHADOW_OF(x->at);
    for (uint64_t i = 0; i < x->size; i++)
        if (HD_WORD_IS_POISON(s[i]))
            return false;
    return true;
}

static hd_expr offset_of(const access *x) {
    hd_graph *g = x->m->graph;
    return hd_expr_binary(g, HD_OP_SUB, x->address, hd_expr_const(g, 64, x->object.base));
}

/* Which object does the program mean?  The one that it hits, else the one that the constant
 * part of the address points to. */
static bool find_object(access *x, bool *has_base) {
    uint64_t base = constant_in(x->m, x->address);
    hd_object o;
    *has_base = hd_in_region(base);
    if (all_accessible(x) && hd_object_at(x->m, x->at, &x->object) && stays_inside(x))
        return true;
    if (*has_base && hd_object_near(x->m, base, &o)) {
        x->object = o;
        return true;
    }
    return hd_object_near(x->m, x->at, &x->object);
}

/* Stay at the concrete address. */
static void pin_address(access *x) {
    hd_pin_value(x->m, x->address, x->at, x->site);
    hd_check_range(x->m, x->at, x->size, x->is_store, x->site);
    x->address = HD_NONE;
}

/* Put "the address stays in its object" on the path, and end here if it does not.  An address
 * that was itself read from a table moves between objects: another object is another value
 * then, not an error. */
static void settle_object(access *x) {
    hd_machine *m = x->m;
    hd_graph *g = m->graph;
    bool has_base;
    if (!find_object(x, &has_base) || !has_base || x->object.size < x->size) {
        pin_address(x);
        return;
    }
    hd_expr limit = hd_expr_const(g, 64, x->object.size - x->size);
    hd_expr inside = hd_expr_binary(g, HD_OP_ULE, offset_of(x), limit);
    hd_record(m, x->site, inside, stays_inside(x), HD_BRANCH_ADDRESS);
    hd_check_range(m, x->at, x->size, x->is_store, x->site);
    if (!stays_inside(x)) {
        hd_object other; /* nobody's memory, far from any poison */
        if (!hd_object_at(m, x->at, &other))
            hd_end_bad_access(m, x->at, x->size, 0, x->is_store, x->site);
        pin_address(x);
    }
}

/* A term of the sum that is a choice between values, or HD_NONE. */
static hd_expr choice_in(const hd_graph *g, hd_expr e) {
    const hd_node *n = hd_expr_node(g, e);
    if (n->op == HD_OP_ITE || n->op == HD_OP_READ)
        return e;
    if (n->op != HD_OP_ADD)
        return HD_NONE;
    hd_expr left = choice_in(g, n->a);
    return left ? left : choice_in(g, n->b);
}

/* The value that a choice has now; the choice goes on the path. */
static hd_expr settle_choice(access *x, hd_expr choice) {
    hd_machine *m = x->m;
    const hd_node n = *hd_expr_node(m->graph, choice);
    if (n.op == HD_OP_ITE) {
        bool yes = hd_eval_value(m->eval, n.a);
        hd_record(m, x->site, n.a, yes, HD_BRANCH_VALUE);
        return yes ? n.b : n.c;
    }
    uint64_t index = hd_eval_value(m->eval, n.b);
    HD_ASSERT(index < hd_table_size(m->graph, n.a));
    hd_pin_value(m, n.b, index, x->site);
    return hd_table_elements(m->graph, n.a)[index];
}

/* An address that is one of several pointers: which of them is a decision. */
static void settle_base(access *x) {
    hd_graph *g = x->m->graph;
    while (!hd_in_region(constant_in(x->m, x->address)) && !pointer_in(x->m, x->address)) {
        hd_expr choice = choice_in(g, x->address);
        if (!choice)
            return;
        x->address = replace_term(g, x->address, choice, settle_choice(x, choice));
        if (hd_expr_is_const(g, x->address)) {
            x->address = HD_NONE;
            return;
        }
    }
}

/* The path goes on with the object that the pointer points to now.  Asked in the order in
 * which the objects were made, so that the answers of two executions can be compared. */
static void pin_pointer(hd_machine *m, hd_expr pointer, uint64_t value, uint32_t site) {
    hd_var variable = hd_expr_node(m->graph, pointer)->a;
    for (size_t i = 0; i < m->objects.n; i++) {
        const hd_input_object *o = &m->objects.at[i];
        if (o->owner == variable || !hd_inputs_may_point(m, variable, o))
            continue;
        hd_record(m, site, hd_alias_points_to(m, pointer, o), o->address == value, HD_BRANCH_VALUE);
        if (o->address == value)
            return;
    }
}

/* Objects that were freed are not among those that an access may share (alias.c): whether the
 * pointer points to one is a decision, and the other side of it is a finding. */
static void settle_freed(hd_machine *m, hd_expr pointer, uint64_t value, uint32_t site) {
    hd_var variable = hd_expr_node(m->graph, pointer)->a;
    for (size_t i = 0; i < m->objects.n; i++) {
        const hd_input_object *o = &m->objects.at[i];
        if (o->is_freed && o->owner != variable && hd_inputs_may_point(m, variable, o))
            hd_record(m, site, hd_alias_points_to(m, pointer, o), o->address == value,
                      HD_BRANCH_VALUE);
    }
}

/* A pointer variable in the address: it is not NULL, and if there is an index too, it is
 * the object that it points to now.  Afterwards x->address has no pointer variable, or is
 * HD_NONE when nothing else was symbolic.  Returns the variable's expression. */
static hd_expr settle_pointer(access *x) {
    hd_machine *m = x->m;
    hd_graph *g = m->graph;
    settle_base(x);
    hd_expr pointer = x->address ? pointer_in(m, x->address) : HD_NONE;
    if (!pointer)
        return HD_NONE;
    uint64_t value = hd_eval_value(m->eval, pointer);
    hd_expr is_null = hd_expr_binary(g, HD_OP_EQ, pointer, hd_expr_const(g, 64, 0));
    hd_record(m, x->site, hd_expr_not(g, is_null), value != 0, HD_BRANCH_ADDRESS);
    if (value == 0)
        hd_end_bad_access(m, x->at, x->size, 0, x->is_store, x->site);
    settle_freed(m, pointer, value, x->site);
    hd_expr rest = replace_term(g, x->address, pointer, hd_expr_const(g, 64, value));
    if (hd_expr_is_const(g, rest)) {
        x->address = HD_NONE;
        return pointer;
    }
    pin_pointer(m, pointer, value, x->site);
    x->address = rest;
    return HD_NONE;
}

/* ---- elements ---- */

static unsigned log2_of(uint64_t n) {
    return (unsigned)__builtin_ctzl(n);
}

/* Elements as big as the access when the index always hits them exactly, else bytes. */
static uint32_t element_size(const access *x) {
    bool is_power = x->size <= 8 && (x->size & (x->size - 1)) == 0;
    if (is_power && x->object.size % x->size == 0 &&
        hd_expr_is_multiple(x->m->graph, offset_of(x), log2_of(x->size)))
        return (uint32_t)x->size;
    return 1;
}

static hd_expr index_of(const access *x, uint32_t element) {
    hd_graph *g = x->m->graph;
    hd_expr offset = offset_of(x);
    return element == 1
               ? offset
               : hd_expr_binary(g, HD_OP_LSHR, offset, hd_expr_const(g, 64, log2_of(element)));
}

static hd_expr plus(hd_graph *g, hd_expr index, uint64_t k) {
    return k ? hd_expr_binary(g, HD_OP_ADD, index, hd_expr_const(g, 64, k)) : index;
}

static hd_expr read_elements(const access *x, uint32_t element) {
    static hd_expr elements[MAX_ELEMENTS];
    hd_machine *m = x->m;
    uint32_t n = (uint32_t)(x->object.size / element);
    for (uint32_t k = 0; k < n; k++)
        elements[k] = hd_load_expr(m, x->object.base + (uint64_t)k * element, element);
    hd_expr index = index_of(x, element), whole = HD_NONE;
    for (uint32_t i = 0; i < x->size / element; i++) {
        hd_expr part = hd_expr_read(m->graph, elements, n, plus(m->graph, index, i));
        whole = whole ? hd_expr_concat(m->graph, part, whole) : part;
    }
    return whole;
}

/* Element k becomes part i of the value where index + i == k, for the parts that reach it.
 * All of them at once: between two stores memory would not agree with the shadow. */
static hd_expr written_element(const access *x, uint32_t element, uint32_t k, hd_expr index,
                               hd_expr value) {
    hd_graph *g = x->m->graph;
    hd_expr e = hd_load_expr(x->m, x->object.base + (uint64_t)k * element, element);
    for (uint32_t i = 0; i < x->size / element && i <= k; i++) {
        hd_expr part = hd_expr_extract(g, value, 8 * element * i, 8 * element);
        hd_expr hit = hd_expr_binary(g, HD_OP_EQ, index, hd_expr_const(g, 64, k - i));
        e = hd_expr_ite(g, hit, part, e);
    }
    return e;
}

static void write_elements(const access *x, uint32_t element, hd_expr value) {
    uint32_t n = (uint32_t)(x->object.size / element);
    hd_expr index = index_of(x, element);
    for (uint32_t k = 0; k < n; k++)
        hd_store_words(x->m, x->object.base + (uint64_t)k * element, element,
                       written_element(x, element, k, index, value));
}

/* ---- entry points ---- */

/* Too many elements: stay at the concrete address. */
static bool fits(access *x, uint32_t *element) {
    if (!x->address)
        return false;
    *element = element_size(x);
    if (x->object.size / *element <= MAX_ELEMENTS)
        return true;
    hd_pin_value(x->m, x->address, x->at, x->site);
    return false;
}

hd_expr hd_address_load(hd_machine *m, uint64_t at, hd_expr address, uint32_t size, uint32_t site) {
    access x = {m, at, address, size, false, site, {0}};
    uint32_t element;
    hd_expr pointer = settle_pointer(&x);
    if (x.address)
        settle_object(&x);
    else
        hd_check_range(m, at, size, false, site);
    if (fits(&x, &element))
        return hd_shadow_of(m, read_elements(&x, element));
    return pointer ? hd_alias_load(m, at, size, pointer, site) : hd_load_words(m, at, size);
}

void hd_address_store(hd_machine *m, uint64_t at, hd_expr address, hd_expr value, uint32_t size,
                      uint32_t site) {
    access x = {m, at, address, size, true, site, {0}};
    uint32_t element;
    hd_expr pointer = settle_pointer(&x);
    if (x.address)
        settle_object(&x);
    else
        hd_check_range(m, at, size, true, site);
    if (fits(&x, &element)) {
        write_elements(&x, element, value);
        return;
    }
    if (pointer)
        hd_alias_store(m, at, size, pointer, value);
    else
        hd_store_words(m, at, size, value);
}

void hd_address_pin(hd_machine *m, uint64_t at, hd_expr address, uint64_t n, bool is_store,
                    uint32_t site) {
    access x = {m, at, address, n, is_store, site, {0}};
    settle_pointer(&x);
    if (!x.address)
        return;
    settle_object(&x);
    if (x.address)
        hd_pin_value(m, x.address, at, site);
}

void hd_address_choose(hd_machine *m, hd_expr value, uint32_t site) {
    hd_graph *g = m->graph;
    uint64_t concrete = hd_eval_value(m->eval, value);
    access x = {m, concrete, value, 1, false, site, {0}};
    if (hd_expr_width(g, value) == 64)
        settle_base(&x);
    hd_expr pointer =
        x.address && hd_expr_width(g, value) == 64 ? pointer_in(m, x.address) : HD_NONE;
    if (pointer) {
        uint64_t object = hd_eval_value(m->eval, pointer);
        hd_expr is_null = hd_expr_binary(g, HD_OP_EQ, pointer, hd_expr_const(g, 64, 0));
        hd_record(m, site, is_null, object == 0, HD_BRANCH_VALUE);
        if (object)
            pin_pointer(m, pointer, object, site);
        x.address = replace_term(g, x.address, pointer, hd_expr_const(g, 64, object));
    }
    if (x.address && !hd_expr_is_const(g, x.address))
        hd_pin_value(m, x.address, concrete, site);
}

/* Nothing is checked here: what other threads do until it is this one's turn decides what is
 * wrong with the access. */
void hd_address_fix(hd_machine *m, uint64_t at, hd_expr address, uint64_t n, bool is_store,
                    uint32_t site) {
    hd_graph *g = m->graph;
    access x = {m, at, address, n, is_store, site, {0}};
    hd_object other;
    bool has_base;
    hd_expr pointer = settle_pointer(&x);
    if (pointer)
        pin_pointer(m, pointer, hd_eval_value(m->eval, pointer), site);
    if (!x.address)
        return;
    if (find_object(&x, &has_base) && has_base && x.object.size >= n) {
        hd_expr limit = hd_expr_const(g, 64, x.object.size - n);
        hd_expr inside = hd_expr_binary(g, HD_OP_ULE, offset_of(&x), limit);
        hd_record(m, site, inside, stays_inside(&x), HD_BRANCH_ADDRESS);
        if (!stays_inside(&x) && !hd_object_at(m, at, &other))
            return; /* the access will say what is wrong */
    }
    hd_pin_value(m, x.address, at, site);
}
