/* Accesses through input pointers, which may share their objects (beyond paper 002, 4.1.6: PC20).
 *
 * A pointer variable points to an object of its own, or to that of a variable that came before
 * it (variables.h, N2); which, is up to the inputs.  So a load through it reads the cell of
 * whichever object it points to, and a store writes to every object that it may point to, on
 * the condition that it does.  Both are exact for every way of sharing, and make no decision:
 * `*p = 0; *q = 1; if (*p == 1)` becomes the condition p == q.
 *
 * A pointer that shares another's object in this execution has none of its own.  What that
 * would hold is kept as well, because the condition may come out the other way: its cells are
 * variables (inputs.c), and stores to them are remembered here. */
#include "machine/values/values.h"

hd_expr hd_alias_points_to(hd_machine *m, hd_expr pointer, const hd_input_object *object) {
    hd_graph *g = m->graph;
    HD_ASSERT(hd_expr_width(g, pointer) == 64);
    bool is_owners = hd_model_get(m->call.model, object->owner) == object->address;
    hd_expr there =
        is_owners ? hd_expr_var(g, object->owner, 64) : hd_expr_const(g, 64, object->address);
    return hd_expr_binary(g, HD_OP_EQ, pointer, there);
}

typedef struct alias_access {
    hd_machine *m;
    hd_expr pointer;
    hd_var variable; /* of the pointer */
    const hd_input_object *target;
    uint64_t offset; /* in the target */
    uint32_t size;
} alias_access;

/* False if the access does not lie in an input object. */
static bool find_target(alias_access *x, uint64_t at) {
    const hd_input_object *o = hd_inputs_object_at(x->m, at);
    if (!o || x->size > 8 || at - o->address + x->size > o->size)
        return false;
    x->target = o;
    x->offset = at - o->address;
    HD_ASSERT(hd_expr_node(x->m->graph, x->pointer)->op == HD_OP_VAR);
    x->variable = hd_expr_node(x->m->graph, x->pointer)->a;
    return true;
}

/* Can this access mean `object` too? */
static bool may_hit(const alias_access *x, const hd_input_object *object) {
    return object->type == x->target->type && !object->is_freed &&
           hd_inputs_may_point(x->m, x->variable, object);
}

/* ---- objects that are not there ---- */

static bool overlaps(const hd_own_store *store, uint64_t offset, uint32_t size) {
    return store->offset < offset + size && offset < store->offset + store->size;
}

/* What the cell of the object that `owner` would have for its own holds now; HD_NONE if that
 * cannot be said. */
static hd_expr own_content(const alias_access *x, hd_var owner) {
    HD_ASSERT(x->target && x->size && x->size <= 8);
    hd_machine *m = x->m;
    for (size_t i = m->input.own_stores.n; i-- > 0;) {
        const hd_own_store *store = &m->input.own_stores.at[i];
        if (store->owner != owner || !overlaps(store, x->offset, x->size))
            continue;
        return store->offset == x->offset && store->size == x->size ? store->value : HD_NONE;
    }
    return hd_inputs_own_cell(m, owner, x->target->owner, 8 * x->offset, 8 * x->size);
}

static bool shares(const hd_machine *m, hd_var pointer, uint32_t type) {
    const hd_var_info *info = hd_variables_info(m->variables, pointer);
    if (info->kind != HD_VAR_POINTER || info->type != type)
        return false;
    const hd_input_object *o = hd_inputs_object_at(m, hd_model_get(m->call.model, pointer));
    return o && o->owner != pointer;
}

/* The pointers that share an object and may own the one that the access means. */
static void store_to_own(const alias_access *x, hd_expr value) {
    HD_ASSERT(!value || hd_expr_width(x->m->graph, value) == 8 * x->size);
    hd_machine *m = x->m;
    uint32_t type = hd_variables_info(m->variables, x->variable)->type;
    for (size_t i = 0; i < m->input.used.n; i++) {
        hd_var owner = m->input.used.at[i];
        if (!shares(m, owner, type))
            continue;
        hd_expr now = value;
        if (owner != x->variable) {
            hd_expr old = own_content(x, owner);
            hd_expr same =
                hd_expr_binary(m->graph, HD_OP_EQ, x->pointer, hd_expr_var(m->graph, owner, 64));
            now = old ? hd_expr_ite(m->graph, same, value, old) : HD_NONE;
        }
        hd_vec_push(&m->input.own_stores, ((hd_own_store){owner, x->size, x->offset, now}));
        if (owner == x->variable)
            return; /* later pointers cannot be meant: they point to earlier ones' objects */
    }
}

/* ---- stores ---- */

/* The cell of `object` gets the value if the pointer points there. */
static void store_if(const alias_access *x, const hd_input_object *object, hd_expr value) {
    hd_machine *m = x->m;
    HD_ASSERT(x->offset + x->size <= object->size);
    uint64_t address = object->address + x->offset;
    hd_expr old = hd_load_expr(m, address, x->size);
    hd_expr hit = hd_alias_points_to(m, x->pointer, object);
    hd_store_words(m, address, x->size, hd_expr_ite(m->graph, hit, value, old));
}

void hd_alias_store(hd_machine *m, uint64_t at, uint32_t size, hd_expr pointer, hd_expr value) {
    alias_access x = {.m = m, .pointer = pointer, .size = size};
    if (!find_target(&x, at)) {
        hd_store_words(m, at, size, value);
        return;
    }
    store_to_own(&x, value);
    for (size_t i = 0; i < m->input.objects.n; i++) {
        const hd_input_object *o = &m->input.objects.at[i];
        /* The pointer's own object needs no condition: whoever reads it asks the pointer first. */
        if (o->owner == x.variable && o == x.target)
            hd_store_words(m, at, size, value);
        else if (may_hit(&x, o))
            store_if(&x, o, value);
    }
}

/* ---- loads ---- */

/* What the load sees if the pointer points to none of the objects that are there. */
static hd_expr load_own(const alias_access *x, uint64_t at) {
    if (x->target->owner == x->variable)
        return hd_load_expr(x->m, at, x->size);
    return own_content(x, x->variable);
}

hd_expr hd_alias_load(hd_machine *m, uint64_t at, uint32_t size, hd_expr pointer, uint32_t site) {
    alias_access x = {.m = m, .pointer = pointer, .size = size};
    if (!find_target(&x, at))
        return hd_load_words(m, at, size);
    hd_expr e = load_own(&x, at);
    if (!e)
        hd_approximate(m, site, "part of an object that two input pointers may share");
    for (size_t i = m->input.objects.n; i-- > 0;) {
        const hd_input_object *o = &m->input.objects.at[i];
        if (o->owner == x.variable || !may_hit(&x, o))
            continue;
        HD_ASSERT(x.offset + size <= o->size);
        hd_expr there = hd_load_expr(m, o->address + x.offset, size);
        e = e ? hd_expr_ite(m->graph, hd_alias_points_to(m, pointer, o), there, e) : there;
    }
    return e ? hd_shadow_of(m, e) : hd_load_words(m, at, size);
}
