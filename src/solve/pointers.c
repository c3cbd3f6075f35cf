/* pointers.c -- equalities and inequalities of input pointers (paper 002, 4.1.5 and Fig. 12).
 *
 * Pointers are classes under ==, with edges for !=; NULL and each object address that the slice
 * mentions are members with a fixed value.  The goal is impossible if one class holds two fixed
 * values or both ends of an edge.  Otherwise every class gets a value: a fixed one, the old
 * value of a member, the object of a member, or NULL, always other than its neighbours'.
 * Figure 12 as printed assigns without looking at the neighbours and can break constraints.
 * The classes that the goal touches choose last, so that the others keep what they have.
 *
 * The inputs are well-typed memory graphs: a pointer shares an object only with pointers of its
 * own type.  A pointer owns one object, so that each class has a value of its own to fall back
 * on, unless the slice mentions that very object; only then may the search fail although some
 * object outside the slice would do, and the answer is "unknown".
 *
 * Slices that use pointers in other ways are tried with each combination of such values and
 * with the integers of the hint; solvers get the same values as ranges (L4). */
#include "solve/solve_int.h"

#include "base/map.h"
#include "base/panic.h"

#include <string.h>

enum {
    MAX_NODES = 256,  /* pointers and fixed values of one slice */
    BUDGET = 2000,    /* values tried for one slice */
    MAX_TRIED = 1000, /* constraints evaluated for a mixed slice */
};

#define NO_VARIABLE UINT32_MAX

typedef struct node {
    hd_var v;       /* NO_VARIABLE for a fixed value */
    uint64_t fixed; /* if v is NO_VARIABLE */
    uint32_t parent;
} node;

typedef struct inequality {
    uint32_t a, b;
} inequality;

typedef hd_vec(uint64_t) candidates;

typedef struct pointers {
    node nodes[MAX_NODES];
    uint32_t n_nodes;
    hd_vec(inequality) edges;
    uint32_t order[MAX_NODES], n_classes; /* roots, in the order they choose */
    uint64_t chosen[MAX_NODES];           /* by root; meaningful once it has chosen */
    bool has_chosen[MAX_NODES];
    uint32_t goal_a, goal_b;
    uint32_t budget;
} pointers;

static void *pointers_new(hd_graph *g) {
    (void)g;
    return hd_layer_memory(sizeof(pointers));
}

static void pointers_free(void *self) {
    pointers *p = self;
    hd_vec_release(&p->edges);
    free(p);
}

/* The address of v's own object, or what stands for it until it is made. */
static uint64_t own_object(const hd_task *t, hd_var v) {
    uint64_t object = hd_variables_info(t->variables, v)->object;
    return object ? object : HD_POINTER_FRESH(v);
}

static hd_var owner_of(const hd_task *t, uint64_t value) {
    if (HD_POINTER_IS_FRESH(value))
        return (hd_var)((value - HD_POINTER_FRESH(0)) / 64);
    return hd_variables_owner_of(t->variables, value);
}

/* A pointer of unknown type may point to anything. */
static bool has_right_type(const hd_task *t, hd_var v, uint64_t value) {
    hd_var owner = value ? owner_of(t, value) : NO_VARIABLE;
    uint32_t type = hd_variables_info(t->variables, v)->type;
    return owner == NO_VARIABLE || owner == v || !type ||
           type == hd_variables_info(t->variables, owner)->type ||
           value == hd_model_get(t->query->hint, v);
}

bool hd_pointers_may_be(const hd_task *t, hd_var v, uint64_t value) {
    HD_ASSERT(hd_task_is_pointer(t, v));
    return value == 0 || value == own_object(t, v) || value == hd_model_get(t->query->hint, v);
}

static void add_value(candidates *to, uint64_t value) {
    for (size_t i = 0; i < to->n; i++)
        if (to->at[i] == value)
            return;
    hd_vec_push(to, value);
}

static bool is_pointer_var(const hd_task *t, hd_expr e) {
    const hd_node *n = hd_expr_node(t->g, e);
    return n->op == HD_OP_VAR && hd_task_is_pointer(t, n->a);
}

/* What one walk over the slice finds out about its use of pointers. */
typedef struct usage {
    candidates addresses; /* 64-bit constants that are compared or chosen */
    bool is_odd;          /* a pointer is used otherwise than in == and ?: */
    bool mixes_types;     /* pointers of different types are compared */
    hd_map seen;
    hd_constraints stack;
} usage;

static void look_at_operand(const hd_task *t, usage *u, const hd_node *parent, hd_expr e) {
    bool is_plain = parent->op == HD_OP_EQ || parent->op == HD_OP_ITE;
    if (is_plain && hd_expr_is_const(t->g, e) && hd_expr_width(t->g, e) == 64)
        add_value(&u->addresses, hd_expr_value(t->g, e));
    if (!is_plain && is_pointer_var(t, e))
        u->is_odd = true;
    if (!hd_map_find(&u->seen, e)) {
        hd_map_put(&u->seen, e, 1);
        hd_vec_push(&u->stack, e);
    }
}

static uint32_t type_of(const hd_task *t, hd_expr pointer) {
    return hd_variables_info(t->variables, hd_expr_node(t->g, pointer)->a)->type;
}

static bool compares_types(const hd_task *t, const hd_node *n) {
    return n->op == HD_OP_EQ && is_pointer_var(t, n->a) && is_pointer_var(t, n->b) &&
           type_of(t, n->a) != type_of(t, n->b);
}

static void look_at_operands(const hd_task *t, usage *u, const hd_node *n) {
    if (n->op == HD_OP_CONST || n->op == HD_OP_VAR)
        return;
    u->mixes_types |= compares_types(t, n);
    if (n->op == HD_OP_READ) {
        for (uint32_t i = 0; i < hd_table_size(t->g, n->a); i++)
            look_at_operand(t, u, n, hd_table_elements(t->g, n->a)[i]);
    } else {
        look_at_operand(t, u, n, n->a);
    }
    bool is_unary =
        n->op == HD_OP_NOT || n->op == HD_OP_ZEXT || n->op == HD_OP_SEXT || n->op == HD_OP_EXTRACT;
    if (!is_unary)
        look_at_operand(t, u, n, n->b);
    if (n->op == HD_OP_ITE)
        look_at_operand(t, u, n, n->c);
}

static void find_usage_in(const hd_task *t, const hd_constraints *all, usage *u) {
    for (size_t i = 0; i < all->n; i++)
        hd_vec_push(&u->stack, all->at[i]);
    while (u->stack.n)
        look_at_operands(t, u, hd_expr_node(t->g, u->stack.at[--u->stack.n]));
}

static void find_usage(const hd_task *t, usage *u) {
    find_usage_in(t, &t->constraints, u);
}

static void release_usage(usage *u) {
    hd_vec_release(&u->addresses);
    hd_vec_release(&u->stack);
    hd_map_release(&u->seen);
}

static void add_if_right(const hd_task *t, hd_var v, uint64_t value, candidates *to) {
    if (has_right_type(t, v, value))
        add_value(to, value);
}

/* All values of `v` in this slice, the likeliest first. */
static void list_values(const hd_task *t, const usage *u, hd_var v, candidates *to) {
    hd_vec_clear(to);
    add_value(to, hd_model_get(t->query->hint, v));
    add_value(to, own_object(t, v));
    for (size_t i = 0; i < u->addresses.n; i++)
        add_if_right(t, v, u->addresses.at[i], to);
    for (size_t i = 0; i < t->vars.n; i++)
        if (hd_task_is_pointer(t, t->vars.at[i]))
            add_if_right(t, v, own_object(t, t->vars.at[i]), to);
    add_value(to, 0);
}

static bool mentions_own_object(const hd_task *t, const usage *u) {
    for (size_t i = 0; i < u->addresses.n; i++)
        if (u->addresses.at[i] && owner_of(t, u->addresses.at[i]) != NO_VARIABLE)
            return true;
    return false;
}

static hd_expr range_of(hd_task *t, hd_var v, const candidates *allowed) {
    HD_ASSERT(allowed->n >= 1 && hd_task_width(t, v) == 64);
    hd_expr pointer = hd_expr_var(t->g, v, 64), range = hd_expr_const(t->g, 1, 0);
    for (size_t i = 0; i < allowed->n; i++) {
        hd_expr value = hd_expr_const(t->g, 64, allowed->at[i]);
        hd_expr equal = hd_expr_binary(t->g, HD_OP_EQ, pointer, value);
        range = hd_expr_binary(t->g, HD_OP_OR, range, equal);
    }
    return range;
}

void hd_pointers_ranges(hd_task *t) {
    if (!t->has_pointers || t->ranges.n)
        return;
    usage u = {0};
    candidates allowed = {0};
    find_usage(t, &u);
    t->ranges_are_tight = u.is_odd || mentions_own_object(t, &u);
    for (size_t i = 0; i < t->vars.n; i++)
        if (hd_task_is_pointer(t, t->vars.at[i])) {
            list_values(t, &u, t->vars.at[i], &allowed);
            hd_vec_push(&t->ranges, range_of(t, t->vars.at[i], &allowed));
        }
    HD_INVARIANT(L4, t->ranges.n >= 1 && t->ranges.n <= t->vars.n);
    hd_vec_release(&allowed);
    release_usage(&u);
}

static bool is_among(const candidates *allowed, uint64_t value) {
    for (size_t i = 0; i < allowed->n; i++)
        if (allowed->at[i] == value)
            return true;
    return false;
}

bool hd_pointers_are_allowed(const hd_task *t, const hd_model *model) {
    usage u = {0};
    candidates allowed = {0};
    bool yes = true;
    find_usage(t, &u);
    for (size_t i = 0; i < t->vars.n && yes; i++)
        if (hd_task_is_pointer(t, t->vars.at[i])) {
            list_values(t, &u, t->vars.at[i], &allowed);
            yes = is_among(&allowed, hd_model_get(model, t->vars.at[i]));
        }
    hd_vec_release(&allowed);
    release_usage(&u);
    return yes;
}

/* Pointers of two types are equal in NULL and in objects of no input only, and which of these there
 * are says the slice. */
bool hd_pointers_lose_objects(const hd_task *t, const hd_constraints *before) {
    usage then = {0}, now = {0};
    bool yes = false;
    find_usage(t, &now);
    if (now.mixes_types)
        find_usage_in(t, before, &then);
    for (size_t i = 0; i < then.addresses.n && !yes; i++)
        yes = !is_among(&now.addresses, then.addresses.at[i]);
    release_usage(&then);
    release_usage(&now);
    return yes;
}

static uint32_t root_of(pointers *p, uint32_t i) {
    HD_CHECK(i < p->n_nodes);
    while (p->nodes[i].parent != i)
        i = p->nodes[i].parent = p->nodes[p->nodes[i].parent].parent;
    return i;
}

static uint32_t node_of(pointers *p, hd_var v, uint64_t fixed) {
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (p->nodes[i].v == v && (v != NO_VARIABLE || p->nodes[i].fixed == fixed))
            return i;
    if (p->n_nodes == MAX_NODES)
        return MAX_NODES;
    HD_ASSERT(p->n_nodes < MAX_NODES && (v == NO_VARIABLE || fixed == 0));
    p->nodes[p->n_nodes] = (node){v, fixed, p->n_nodes};
    return p->n_nodes++;
}

static uint32_t node_of_operand(pointers *p, const hd_task *t, hd_expr e) {
    if (hd_expr_is_const(t->g, e))
        return node_of(p, NO_VARIABLE, hd_expr_value(t->g, e));
    return is_pointer_var(t, e) ? node_of(p, hd_expr_node(t->g, e)->a, 0) : MAX_NODES;
}

/* Enter one constraint; false if it has another shape. */
static bool enter(pointers *p, const hd_task *t, hd_expr e) {
    const hd_node *n = hd_expr_node(t->g, e);
    bool equal = n->op != HD_OP_NOT;
    if (!equal)
        n = hd_expr_node(t->g, n->a);
    if (n->op != HD_OP_EQ)
        return false;
    p->goal_a = node_of_operand(p, t, n->a);
    p->goal_b = node_of_operand(p, t, n->b);
    if (p->goal_a == MAX_NODES || p->goal_b == MAX_NODES)
        return false;
    if (equal)
        p->nodes[root_of(p, p->goal_b)].parent = root_of(p, p->goal_a);
    else
        hd_vec_push(&p->edges, ((inequality){p->goal_a, p->goal_b}));
    return true;
}

/* The goal is entered last, so that goal_a and goal_b stay the goal's.  What is not about
 * pointers alone is left out: it is seen when the values are checked. */
static bool enter_all(pointers *p, const hd_task *t) {
    p->n_nodes = 0;
    hd_vec_clear(&p->edges);
    for (size_t i = 0; i < t->constraints.n; i++)
        if (hd_task_mentions_pointer(t, t->constraints.at[i]) && !enter(p, t, t->constraints.at[i]))
            return false;
    return p->n_nodes > 0 && hd_task_mentions_pointer(t, hd_task_goal(t));
}

/* A class with a fixed value has chosen it; false if one has two. */
static bool fix_classes(pointers *p) {
    HD_ASSERT(p->goal_a < p->n_nodes && p->goal_b < p->n_nodes);
    memset(p->has_chosen, 0, sizeof p->has_chosen);
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        uint32_t root = root_of(p, i);
        if (p->nodes[i].v != NO_VARIABLE)
            continue;
        if (p->has_chosen[root])
            return false;
        p->has_chosen[root] = true;
        p->chosen[root] = p->nodes[i].fixed;
    }
    return true;
}

static bool edges_are_possible(pointers *p) {
    for (size_t i = 0; i < p->edges.n; i++)
        if (root_of(p, p->edges.at[i].a) == root_of(p, p->edges.at[i].b))
            return false;
    return true;
}

/* Constraints of other shapes say nothing here. */
bool hd_pointers_contradict(void *self, const hd_task *t) {
    pointers *p = self;
    p->n_nodes = 0;
    hd_vec_clear(&p->edges);
    for (size_t i = 0; i < t->constraints.n; i++)
        if (hd_task_mentions_pointer(t, t->constraints.at[i]))
            enter(p, t, t->constraints.at[i]);
    p->goal_a = p->goal_b = 0;
    return p->n_nodes && (!fix_classes(p) || !edges_are_possible(p));
}

/* Others first, then the class of the goal's left side, then that of its right side. */
static void order_classes(pointers *p) {
    uint32_t a = root_of(p, p->goal_a), b = root_of(p, p->goal_b);
    p->n_classes = 0;
    for (int rank = 0; rank < 3; rank++)
        for (uint32_t i = 0; i < p->n_nodes; i++) {
            int rank_of = i == b ? 2 : i == a ? 1 : 0;
            if (root_of(p, i) == i && rank_of == rank && !p->has_chosen[i])
                p->order[p->n_classes++] = i;
        }
    HD_ASSERT(p->n_classes <= p->n_nodes);
}

/* May the class of `root` have this value next to those that have chosen? */
static bool is_possible(pointers *p, const hd_task *t, uint32_t root, uint64_t value) {
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (root_of(p, i) == root && p->nodes[i].v != NO_VARIABLE &&
            !has_right_type(t, p->nodes[i].v, value))
            return false;
    for (size_t i = 0; i < p->edges.n; i++) {
        uint32_t a = root_of(p, p->edges.at[i].a), b = root_of(p, p->edges.at[i].b);
        uint32_t other = a == root ? b : a;
        if ((a == root || b == root) && p->has_chosen[other] && p->chosen[other] == value)
            return false;
    }
    return true;
}

static bool choose(pointers *p, const hd_task *t, uint32_t at);

static bool try_value(pointers *p, const hd_task *t, uint32_t at, uint64_t value) {
    uint32_t root = p->order[at];
    HD_ASSERT(at < p->n_classes && !p->has_chosen[root]);
    if (!p->budget || !is_possible(p, t, root, value))
        return false;
    p->budget--;
    p->has_chosen[root] = true;
    p->chosen[root] = value;
    if (choose(p, t, at + 1))
        return true;
    p->has_chosen[root] = false;
    return false;
}

/* Old values of members, those of the goal's right side last: so that y moves to x. */
static bool try_old_values(pointers *p, const hd_task *t, uint32_t at) {
    for (int last = 0; last < 2; last++)
        for (uint32_t i = 0; i < p->n_nodes; i++) {
            bool is_member = p->nodes[i].v != NO_VARIABLE && root_of(p, i) == p->order[at];
            if (is_member && (i == p->goal_b) == last &&
                try_value(p, t, at, hd_model_get(t->query->hint, p->nodes[i].v)))
                return true;
        }
    return false;
}

static bool try_objects(pointers *p, const hd_task *t, uint32_t at) {
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (p->nodes[i].v != NO_VARIABLE && root_of(p, i) == p->order[at] &&
            try_value(p, t, at, own_object(t, p->nodes[i].v)))
            return true;
    return false;
}

/* Only when the own objects do not do: objects of the other classes. */
static bool try_other_objects(pointers *p, const hd_task *t, uint32_t at) {
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const node *n = &p->nodes[i];
        uint64_t value = n->v == NO_VARIABLE ? n->fixed : own_object(t, n->v);
        if (root_of(p, i) != p->order[at] && value && try_value(p, t, at, value))
            return true;
    }
    return false;
}

static bool choose(pointers *p, const hd_task *t, uint32_t at) {
    if (at == p->n_classes)
        return true;
    return try_old_values(p, t, at) || try_objects(p, t, at) || try_value(p, t, at, 0) ||
           try_other_objects(p, t, at);
}

/* A fixed value must fit the types, and two fixed classes joined by an edge differ anyway. */
static bool fixed_fit(pointers *p, const hd_task *t) {
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        uint32_t root = root_of(p, i);
        if (p->has_chosen[root] && !is_possible(p, t, root, p->chosen[root]))
            return false;
    }
    return true;
}

static void write_model(pointers *p, hd_model *model) {
    for (uint32_t i = 0; i < p->n_classes; i++)
        HD_ASSERT(p->has_chosen[p->order[i]]);
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (p->nodes[i].v != NO_VARIABLE)
            hd_model_set(model, p->nodes[i].v, p->chosen[root_of(p, i)]);
}

static bool is_own_object_fixed(const pointers *p, const hd_task *t) {
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (p->nodes[i].v == NO_VARIABLE && p->nodes[i].fixed &&
            owner_of(t, p->nodes[i].fixed) != NO_VARIABLE)
            return true;
    return false;
}

static hd_verdict solve_classes(pointers *p, const hd_task *t, hd_model *model) {
    if (!fix_classes(p) || !edges_are_possible(p))
        return HD_UNSAT;
    if (!fixed_fit(p, t))
        return HD_UNSAT;
    order_classes(p);
    p->budget = BUDGET;
    if (choose(p, t, 0)) {
        write_model(p, model);
        return hd_task_holds(t, model) ? HD_SAT : HD_UNKNOWN;
    }
    return p->budget && !is_own_object_fixed(p, t) ? HD_UNSAT : HD_UNKNOWN;
}

static bool try_combinations(const hd_task *t, const usage *u, size_t at, uint32_t *budget,
                             hd_model *model) {
    HD_ASSERT(at <= t->vars.n && *budget <= MAX_TRIED);
    while (at < t->vars.n && !hd_task_is_pointer(t, t->vars.at[at]))
        at++;
    if (at == t->vars.n) {
        *budget -= *budget < t->constraints.n ? *budget : (uint32_t)t->constraints.n;
        return hd_task_holds(t, model);
    }
    candidates allowed = {0};
    bool found = false;
    list_values(t, u, t->vars.at[at], &allowed);
    for (size_t i = 0; i < allowed.n && !found && *budget; i++) {
        hd_model_set(model, t->vars.at[at], allowed.at[i]);
        found = try_combinations(t, u, at + 1, budget, model);
    }
    hd_vec_release(&allowed);
    return found;
}

static hd_verdict solve_mixed(const hd_task *t, hd_model *model) {
    usage u = {0};
    find_usage(t, &u);
    uint32_t budget = MAX_TRIED;
    bool found = try_combinations(t, &u, 0, &budget, model);
    release_usage(&u);
    return found ? HD_SAT : HD_UNKNOWN;
}

static bool applies(void *self, const hd_task *t) {
    (void)self;
    return t->has_pointers;
}

static bool has_false_constraint(const hd_task *t) {
    for (size_t i = 0; i < t->constraints.n; i++)
        if (hd_expr_is_const(t->g, t->constraints.at[i]) &&
            !hd_expr_value(t->g, t->constraints.at[i]))
            return true;
    return false;
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    if (has_false_constraint(t))
        return HD_UNSAT;
    return enter_all(self, t) ? solve_classes(self, t, model) : solve_mixed(t, model);
}

const hd_layer_kind hd_layer_pointers = {
    .new = pointers_new, .free = pointers_free, .applies = applies, .ask = ask};
