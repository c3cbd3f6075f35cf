/* Accesses through symbolic addresses (beyond paper 002, 4.1.6: PC20).
 *
 * The pointer that was indexed says which object is meant (or, for an address that was computed as
 * a number, its constant part).  That the address stays in this object goes on the path, so that
 * the search asks for one that does not: all those are one path, and one finding.  Inside, a read
 * is a read of a table of the object's elements, and a write makes every element "the new value if
 * the index is mine, else the old one": both stay exact for every index.  Objects with too many
 * elements are accessed at the concrete address only, and that goes on the path too.  Pointers that
 * are inputs themselves are different: alias.c.
 *
 * Which questions are asked depends on the expression and on the objects there are, never on the
 * value that the address has now, but for the answers before: otherwise another execution could not
 * be predicted from this one. */
#include "machine/values/values.h"

#define MAX_ELEMENTS  4096
#define MOST_CONSTANT (UINT64_C(1) << 61) /* of constants in an index */

typedef struct access {
    hd_machine *m;
    uint64_t at; /* concrete address */
    hd_expr address;
    uint64_t size;
    bool is_store;
    uint32_t site;
    hd_object object;
    uint64_t origin; /* the pointer that it was indexed from, 0 if that is not known */
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
    HD_CHECK(hd_expr_width(g, from) == hd_expr_width(g, to));
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

static hd_expr offset_from(const access *x, uint64_t base) {
    hd_graph *g = x->m->graph;
    HD_CHECK(hd_expr_width(g, x->address) == 64);
    return hd_expr_binary(g, HD_OP_SUB, x->address, hd_expr_const(g, 64, base));
}

static hd_expr offset_of(const access *x) {
    return offset_from(x, x->object.base);
}

/* "The access is within these bytes", of which there are at least x->size. */
static hd_expr is_inside(const access *x, uint64_t base, uint64_t size) {
    hd_graph *g = x->m->graph;
    HD_ASSERT(size >= x->size);
    hd_expr limit = hd_expr_const(g, 64, size - x->size);
    return hd_expr_binary(g, HD_OP_ULE, offset_from(x, base), limit);
}

#define NEIGHBOURHOOD 64 /* bytes around a pointer that tell its object, as in a[i - 1] */

static bool is_accessible(uint64_t address) {
    return hd_in_region(address) && !HD_WORD_IS_POISON(*HD_SHADOW_OF(address));
}

/* The object that a pointer belongs to, that is or was there; also one just outside it. */
static bool object_of(const hd_machine *m, uint64_t base, hd_object *out) {
    hd_object near;
    bool is_near = hd_object_near(m, base, &near);
    *out = near;
    if (is_near && base - near.base < near.size)
        return true;
    if (is_accessible(base)) /* memory without borders */
        return false;
    for (uint64_t d = 1; d <= NEIGHBOURHOOD; d++)
        if (hd_object_at(m, base + d, out) || hd_object_at(m, base - d, out))
            return true;
    *out = near;
    return is_near;
}

/* What the access is about: an object for sure, one that is guessed, or nobody knows. */
enum belonging { SURELY, PERHAPS, UNKNOWN, BORDERLESS };

static enum belonging find_own(access *x) {
    uint64_t base = x->origin ? x->origin : constant_in(x->m, x->address);
    if (!hd_in_region(base))
        return UNKNOWN;
    if (object_of(x->m, base, &x->object))
        return x->object.size < x->size ? UNKNOWN : x->origin ? SURELY : PERHAPS;
    return is_accessible(base) ? BORDERLESS : UNKNOWN;
}

/* ---- and if not? ---- */

/* Stay at the concrete address. */
static void pin_address(access *x) {
    HD_ASSERT(x->address);
    hd_pin_within(x->m, x->address, x->at, 0, UINT64_MAX, x->site);
    hd_check_range(x->m, x->at, x->size, x->is_store, x->site);
    x->address = HD_NONE;
}

static _Noreturn void end_outside(const access *x) {
    hd_machine *m = x->m;
    if (hd_in_region(x->at))
        hd_check_range(m, x->at, x->size, x->is_store, x->site);
    hd_object other;
    if (hd_object_at(m, x->at, &other))
        hd_end_finding(m, HD_FINDING_OUT_OF_BOUNDS, x->site,
                       "%s of %lu bytes, outside the object that the pointer belongs to",
                       x->is_store ? "write" : "read", x->size);
    hd_end_finding(m, HD_FINDING_OUT_OF_BOUNDS, x->site,
                   "%s of %lu bytes at %#lx, outside any object", x->is_store ? "write" : "read",
                   x->size, x->at);
}

static bool is_hit(const access *x, const hd_object *o) {
    HD_ASSERT(o->size >= x->size);
    return x->at >= o->base && x->at - o->base <= o->size - x->size;
}

/* Is the address NULL, or nearly?  That is a finding of its own kind. */
static void settle_null(const access *x) {
    hd_graph *g = x->m->graph;
    hd_expr limit = hd_expr_const(g, 64, HD_NEAR_NULL);
    bool is_null = x->at < HD_NEAR_NULL;
    hd_record(x->m, x->site, hd_expr_binary(g, HD_OP_ULT, x->address, limit), is_null,
              HD_BRANCH_ADDRESS);
    if (is_null)
        hd_end_bad_access(x->m, x->at, x->size, 0, x->is_store, x->site);
}

#define MOST_CANDIDATES 1024 /* objects that one question is about */

static int by_base(const void *a, const void *b) {
    uint64_t x = ((const hd_object *)a)->base, y = ((const hd_object *)b)->base;
    return x < y ? -1 : x > y;
}

/* Halve them until there are few: one question about all would be too long for a solver. */
static void narrow_candidates(const access *x, hd_objects *all) {
    hd_graph *g = x->m->graph;
    if (all->n > MOST_CANDIDATES)
        qsort(all->at, all->n, sizeof *all->at, by_base);
    while (all->n > MOST_CANDIDATES) {
        size_t half = all->n / 2;
        HD_ASSERT(half && half < all->n);
        uint64_t middle = all->at[half].base;
        hd_expr is_low = hd_expr_binary(g, HD_OP_ULT, x->address, hd_expr_const(g, 64, middle));
        hd_record(x->m, x->site, is_low, x->at < middle, HD_BRANCH_VALUE);
        all->n = x->at < middle ? half : all->n - half;
        if (x->at >= middle)
            memmove(all->at, all->at + half, all->n * sizeof *all->at);
    }
}

/* Put on the path whether the address is in one of the objects; returns the one that it is in, or
 * their number. */
static size_t settle_anywhere_in(const access *x, const hd_objects *all) {
    hd_graph *g = x->m->graph;
    hd_expr anywhere = hd_expr_const(g, 1, 0);
    size_t hit = all->n;
    for (size_t i = 0; i < all->n; i++) {
        hd_expr here = is_inside(x, all->at[i].base, all->at[i].size);
        anywhere = hd_expr_binary(g, HD_OP_OR, anywhere, here);
        hit = is_hit(x, &all->at[i]) ? i : hit;
    }
    hd_record(x->m, x->site, anywhere, hit < all->n, HD_BRANCH_ADDRESS);
    return hit;
}

/* An address that was computed as a number may be in any object.  All that are in none are one
 * path (or, with very many objects, few), which ends here; of the others the object is a decision.
 */
static void settle_anywhere(access *x) {
    hd_machine *m = x->m;
    hd_objects *all = &m->known_inputs.candidates;
    settle_null(x);
    hd_objects_list(m, all, x->size);
    narrow_candidates(x, all);
    size_t hit = settle_anywhere_in(x, all);
    if (hit == all->n) {
        hd_check_range(m, x->at, x->size, x->is_store, x->site);
        hd_end_bad_access(m, x->at, x->size, 0, x->is_store, x->site);
    }
    for (size_t i = 0; i <= hit; i++) {
        hd_expr here = is_inside(x, all->at[i].base, all->at[i].size);
        hd_record(m, x->site, here, i == hit, HD_BRANCH_VALUE);
    }
    x->object = all->at[hit];
    HD_ASSERT(stays_inside(x));
}

/* Put "the address stays in its object" on the path.  x->object is the object that it is in
 * afterwards, or x->address is HD_NONE; false if the access is wrong. */
static bool settle_object(access *x) {
    enum belonging own = find_own(x);
    if (own == BORDERLESS) {
        pin_address(x);
        return true;
    }
    if (own != UNKNOWN) {
        hd_expr inside = is_inside(x, x->object.base, x->object.size);
        hd_record(x->m, x->site, inside, stays_inside(x), HD_BRANCH_ADDRESS);
        if (stays_inside(x))
            return true;
    }
    if (own == SURELY)
        return false;
    settle_anywhere(x);
    return true;
}

static void settle_access(access *x) {
    if (!settle_object(x))
        end_outside(x);
    if (x->address)
        hd_check_range(x->m, x->at, x->size, x->is_store, x->site);
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

/* A term of the sum that was a pointer, which writes through an index may have hit, as far as
 * anybody knows. */
typedef struct patchwork {
    hd_expr term; /* HD_NONE: there is none */
    hd_expr is_whole;
    uint64_t pointer;
} patchwork;

static patchwork patchwork_in(hd_graph *g, hd_expr e) {
    hd_node n = *hd_expr_node(g, e);
    patchwork p = {.term = e};
    if (n.op == HD_OP_CONCAT || n.op == HD_OP_ZEXT)
        p.pointer = hd_unwritten_value(g, e, &p.is_whole);
    else if (n.op == HD_OP_ADD) {
        p = patchwork_in(g, n.a);
        return p.term ? p : patchwork_in(g, n.b);
    }
    return hd_in_region(p.pointer) ? p : (patchwork){0};
}

/* Stay at the concrete address in x->object. */
static void pin_inside(const access *x) {
    const hd_object *o = &x->object;
    HD_ASSERT(stays_inside(x));
    hd_pin_within(x->m, x->address, x->at, o->base, o->base + o->size - x->size, x->site);
}

/* The value that a choice has now; the choice goes on the path. */
static hd_expr settle_choice(access *x, hd_expr choice) {
    HD_ASSERT(choice && x->address);
    hd_machine *m = x->m;
    const hd_node n = *hd_expr_node(m->graph, choice);
    if (n.op == HD_OP_ITE) {
        bool yes = hd_eval_value(m->expressions.eval, n.a);
        hd_record(m, x->site, n.a, yes, HD_BRANCH_VALUE);
        return yes ? n.b : n.c;
    }
    uint64_t index = hd_eval_value(m->expressions.eval, n.b);
    HD_ASSERT(index < hd_table_size(m->graph, n.a));
    hd_pin_within(m, n.b, index, 0, hd_table_size(m->graph, n.a) - 1, x->site);
    return hd_table_elements(m->graph, n.a)[index];
}

/* Whether it still is the pointer that it was, in one question. */
static bool settle_patchwork(access *x, const patchwork *p) {
    bool is_whole = hd_eval_value(x->m->expressions.eval, p->is_whole);
    HD_ASSERT(hd_expr_width(x->m->graph, p->is_whole) == 1);
    hd_record(x->m, x->site, p->is_whole, is_whole, HD_BRANCH_VALUE);
    return is_whole;
}

/* Replace one term of the sum by what it is now; false if no term says more. */
static bool settle_term(access *x) {
    hd_graph *g = x->m->graph;
    patchwork p = patchwork_in(g, x->address);
    hd_expr term = p.term, chosen;
    if (term && settle_patchwork(x, &p))
        chosen = hd_expr_const(g, 64, p.pointer);
    else if ((term = choice_in(g, x->address)))
        chosen = settle_choice(x, term);
    else
        return false;
    x->address = replace_term(g, x->address, term, chosen);
    if (hd_expr_is_const(g, chosen) && hd_in_region(hd_expr_value(g, chosen)))
        x->origin = hd_expr_value(g, chosen);
    return true;
}

/* An address that is one of several pointers: which of them is a decision. */
static void settle_base(access *x) {
    while (!hd_in_region(constant_in(x->m, x->address)) && !pointer_in(x->m, x->address)) {
        if (!settle_term(x))
            return;
        if (hd_expr_is_const(x->m->graph, x->address)) {
            x->address = HD_NONE;
            return;
        }
    }
}

/* The path goes on with the object that the pointer points to now.  Asked in the order in
 * which the objects were made, so that the answers of two executions can be compared. */
static void pin_pointer(hd_machine *m, hd_expr pointer, uint64_t value, uint32_t site) {
    HD_ASSERT(hd_expr_node(m->graph, pointer)->op == HD_OP_VAR && value);
    hd_var variable = hd_expr_node(m->graph, pointer)->a;
    for (size_t i = 0; i < m->input.objects.n; i++) {
        const hd_input_object *o = &m->input.objects.at[i];
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
    HD_ASSERT(hd_expr_node(m->graph, pointer)->op == HD_OP_VAR && value);
    hd_var variable = hd_expr_node(m->graph, pointer)->a;
    for (size_t i = 0; i < m->input.objects.n; i++) {
        const hd_input_object *o = &m->input.objects.at[i];
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
    uint64_t value = hd_eval_value(m->expressions.eval, pointer);
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
    x->origin = value;
    return HD_NONE;
}

/* ---- elements ---- */

static unsigned log2_of(uint64_t n) {
    HD_ASSERT(n && (n & (n - 1)) == 0);
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

static hd_expr plus(hd_graph *g, hd_expr index, uint64_t k) {
    return k ? hd_expr_binary(g, HD_OP_ADD, index, hd_expr_const(g, 64, k)) : index;
}

/* The offset in elements, of which it is a multiple.  What is certain to be added is added after
 * the division, where it can be undone. */
static hd_expr index_of(const access *x, uint32_t element) {
    hd_graph *g = x->m->graph;
    hd_expr offset = offset_of(x);
    if (element == 1)
        return offset;
    uint64_t least = hd_expr_range(g, offset).least & ~(uint64_t)(element - 1);
    hd_expr above = hd_expr_binary(g, HD_OP_SUB, offset, hd_expr_const(g, 64, least));
    hd_expr elements = hd_expr_binary(g, HD_OP_LSHR, above, hd_expr_const(g, 64, log2_of(element)));
    return plus(g, elements, least / element);
}

static hd_expr read_elements(const access *x, uint32_t element) {
    static hd_expr elements[MAX_ELEMENTS];
    hd_machine *m = x->m;
    uint32_t n = (uint32_t)(x->object.size / element);
    HD_ASSERT(n && n <= MAX_ELEMENTS && x->size % element == 0);
    for (uint32_t k = 0; k < n; k++)
        elements[k] = hd_load_expr(m, x->object.base + (uint64_t)k * element, element);
    hd_expr index = index_of(x, element), whole = HD_NONE;
    for (uint32_t i = 0; i < x->size / element; i++) {
        hd_expr part = hd_expr_read(m->graph, elements, n, plus(m->graph, index, i));
        whole = whole ? hd_expr_concat(m->graph, part, whole) : part;
    }
    HD_ASSERT(hd_expr_width(m->graph, whole) == 8 * x->size);
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

/* The elements that the access can reach are those before; `first` is the first of them. */
static uint32_t end_of_reach(const access *x, uint32_t element, uint32_t *first) {
    hd_range_of_values offset = hd_expr_range(x->m->graph, offset_of(x));
    HD_ASSERT(x->object.size >= x->size);
    uint64_t last = x->object.size - x->size;
    last = offset.most < last ? offset.most : last;
    *first = (uint32_t)(offset.least / element);
    return (uint32_t)((last + x->size - 1) / element + 1);
}

static void write_elements(const access *x, uint32_t element, hd_expr value) {
    uint32_t first, end = end_of_reach(x, element, &first);
    HD_ASSERT((uint64_t)end * element <= x->object.size);
    hd_expr index = index_of(x, element);
    for (uint32_t k = first; k < end; k++)
        hd_store_words(x->m, x->object.base + (uint64_t)k * element, element,
                       written_element(x, element, k, index, value));
}

/* ---- members of an array of structs ---- */

/* The offsets that an address can have: first + i * stride, where `index` is i, from 0 to n - 1. */
typedef struct grid {
    hd_expr index;
    uint64_t first, stride, n;
} grid;

/* The constant and the other operand of a sum, which may be alone. */
static hd_expr without_constant(const hd_graph *g, hd_expr e, uint64_t *constant) {
    const hd_node *n = hd_expr_node(g, e);
    *constant = 0;
    if (n->op != HD_OP_ADD || !(hd_expr_is_const(g, n->a) || hd_expr_is_const(g, n->b)))
        return e;
    bool is_left = hd_expr_is_const(g, n->a);
    *constant = hd_expr_value(g, is_left ? n->a : n->b);
    return is_left ? n->b : n->a;
}

static uint64_t factor_of(const hd_graph *g, hd_expr e, hd_expr *other) {
    const hd_node *n = hd_expr_node(g, e);
    bool is_left = n->op == HD_OP_MUL && hd_expr_is_const(g, n->a);
    if ((n->op != HD_OP_MUL && n->op != HD_OP_SHL) || !hd_expr_is_const(g, is_left ? n->a : n->b))
        return 0;
    *other = is_left ? n->b : n->a;
    uint64_t c = hd_expr_value(g, is_left ? n->a : n->b);
    return n->op == HD_OP_MUL ? c : c < 32 ? UINT64_C(1) << c : 0;
}

/* Does no product of the index, negative ones included, come near the ends of 64 bits?  An offset
 * inside of the object is then the sum as a number. */
static bool never_wraps(const hd_graph *g, hd_expr index, uint64_t stride) {
    const hd_node *n = hd_expr_node(g, index);
    uint64_t most =
        n->op == HD_OP_SEXT ? hd_mask(hd_expr_width(g, n->a)) : hd_expr_range(g, index).most;
    return stride < UINT64_C(1) << 31 && most <= (UINT64_C(1) << 62) / stride;
}

/* Such an address reaches one member of each struct, and nothing between them. */
static bool find_grid(const access *x, grid *out) {
    hd_graph *g = x->m->graph;
    uint64_t constant, stride;
    hd_expr index, product = without_constant(g, offset_of(x), &constant);
    if (!(stride = factor_of(g, product, &index)) || stride <= x->size || x->size > 8 ||
        !never_wraps(g, index, stride) || (constant + MOST_CONSTANT) > 2 * MOST_CONSTANT)
        return false;
    int64_t turns = (int64_t)constant / (int64_t)stride;
    turns -= (int64_t)constant < turns * (int64_t)stride;
    out->first = constant - (uint64_t)turns * stride;
    out->stride = stride;
    out->index = plus(g, index, (uint64_t)turns);
    uint64_t last = x->object.size - x->size;
    out->n = out->first <= last ? (last - out->first) / stride + 1 : 0;
    return out->n && out->n <= MAX_ELEMENTS;
}

static hd_expr read_grid(const access *x, const grid *s) {
    static hd_expr elements[MAX_ELEMENTS];
    for (uint64_t i = 0; i < s->n; i++)
        elements[i] =
            hd_load_expr(x->m, x->object.base + s->first + i * s->stride, (uint32_t)x->size);
    return hd_expr_read(x->m->graph, elements, (uint32_t)s->n, s->index);
}

static void write_grid(const access *x, const grid *s, hd_expr value) {
    hd_graph *g = x->m->graph;
    for (uint64_t i = 0; i < s->n; i++) {
        uint64_t at = x->object.base + s->first + i * s->stride;
        hd_expr hit = hd_expr_binary(g, HD_OP_EQ, s->index, hd_expr_const(g, 64, i));
        hd_expr old = hd_load_expr(x->m, at, (uint32_t)x->size);
        hd_store_words(x->m, at, (uint32_t)x->size, hd_expr_ite(g, hit, value, old));
    }
}

/* ---- entry points ---- */

/* Too many elements: stay at the concrete address. */
static bool fits(access *x, uint32_t *element) {
    if (!x->address)
        return false;
    *element = element_size(x);
    HD_ASSERT(stays_inside(x) && x->object.size % *element == 0);
    if (x->object.size / *element <= MAX_ELEMENTS)
        return true;
    pin_inside(x);
    return false;
}

/* The origin is known by the expression as it was computed, memory that nobody wrote included. */
static access begin(hd_machine *m, uint64_t at, hd_expr address, uint64_t size, bool is_store,
                    uint32_t site) {
    const uint64_t *origin = hd_map_find(&m->known_inputs.origins, address);
    hd_expr defined = hd_define(m, address, HD_USE_ADDRESS, site);
    return (access){m, at, defined, size, is_store, site, {0}, origin ? *origin : 0};
}

hd_expr hd_address_load(hd_machine *m, uint64_t at, hd_expr address, uint32_t size, uint32_t site) {
    access x = begin(m, at, address, size, false, site);
    if (!x.address) {
        hd_check_range(m, at, size, false, site);
        return hd_load_words(m, at, size);
    }
    uint32_t element;
    hd_expr pointer = settle_pointer(&x);
    if (x.address)
        settle_access(&x);
    else
        hd_check_range(m, at, size, false, site);
    grid members;
    if (x.address && find_grid(&x, &members))
        return hd_shadow_of(m, read_grid(&x, &members));
    if (fits(&x, &element))
        return hd_shadow_of(m, read_elements(&x, element));
    return pointer ? hd_alias_load(m, at, size, pointer, site) : hd_load_words(m, at, size);
}

void hd_address_store(hd_machine *m, uint64_t at, hd_expr address, hd_expr value, uint32_t size,
                      uint32_t site) {
    access x = begin(m, at, address, size, true, site);
    if (!x.address) {
        hd_check_range(m, at, size, true, site);
        hd_store_words(m, at, size, value);
        return;
    }
    uint32_t element;
    hd_expr pointer = settle_pointer(&x);
    if (x.address)
        settle_access(&x);
    else
        hd_check_range(m, at, size, true, site);
    grid members;
    if (x.address && find_grid(&x, &members)) {
        write_grid(&x, &members, value);
        return;
    }
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
    access x = begin(m, at, address, n, is_store, site);
    if (!x.address)
        return;
    settle_pointer(&x);
    if (!x.address)
        return;
    settle_access(&x);
    if (x.address)
        pin_inside(&x);
}

void hd_address_choose(hd_machine *m, hd_expr value, uint32_t site) {
    hd_graph *g = m->graph;
    value = hd_define(m, value, HD_USE_ARGUMENT, site);
    if (!value)
        return;
    uint64_t concrete = hd_eval_value(m->expressions.eval, value);
    access x = begin(m, concrete, value, 1, false, site);
    if (hd_expr_width(g, value) == 64)
        settle_base(&x);
    hd_expr pointer =
        x.address && hd_expr_width(g, value) == 64 ? pointer_in(m, x.address) : HD_NONE;
    if (pointer) {
        uint64_t object = hd_eval_value(m->expressions.eval, pointer);
        hd_expr is_null = hd_expr_binary(g, HD_OP_EQ, pointer, hd_expr_const(g, 64, 0));
        hd_record(m, site, is_null, object == 0, HD_BRANCH_VALUE);
        if (object)
            pin_pointer(m, pointer, object, site);
        x.address = replace_term(g, x.address, pointer, hd_expr_const(g, 64, object));
    }
    if (x.address && !hd_expr_is_const(g, x.address))
        hd_pin_within(m, x.address, concrete, 0, hd_mask(hd_expr_width(g, x.address)), site);
}

/* Nothing is checked here: what other threads do until it is this one's turn decides what is
 * wrong with the access. */
void hd_address_fix(hd_machine *m, uint64_t at, hd_expr address, uint64_t n, bool is_store,
                    uint32_t site) {
    access x = begin(m, at, address, n, is_store, site);
    if (!x.address)
        return;
    hd_expr pointer = settle_pointer(&x);
    if (pointer)
        pin_pointer(m, pointer, hd_eval_value(m->expressions.eval, pointer), site);
    if (x.address && settle_object(&x) && x.address)
        pin_inside(&x);
}
