/* domain.c -- goals over bytes: sets of at most 256 values.
 *
 * A constraint over one variable of at most 8 bits is the set of values that satisfy it.  The
 * set is found once, by evaluating the constraint 256 times, and kept by expression id; from
 * then on a query over that variable alone is an intersection of sets, exact both ways.
 *
 * When the slice ties several variables together, the sets prune: an empty one proves that
 * nothing satisfies the slice, and so does a goal that is false for all numbers between the least
 * and the greatest of each (interval.h).  Otherwise a backtracking search (goal's variables first,
 * the hint's value of each first) tries the values left, a few times by evaluation, which sees only
 * what it needs, then in blocks (grid.h), until its budget is gone.  Wide variables, and all after
 * the first MAX_SEARCHED, keep the hint's values.  If the search ends within its budget and no
 * variable was kept that way, it has tried everything. */
#include "solve/grid.h"
#include "solve/interval.h"
#include "solve/solve_int.h"
#include "solve/split.h"

#include "base/hostile.h"
#include "base/panic.h"

#include <string.h>

enum {
    N_WORDS = 4,
    MAX_SEARCHED = 24, /* variables in one search */
    BUDGET = 6000, /* evaluations of a constraint in one search, if they do not fit into a grid */
    POOR_BUDGET = 300,                /* evaluations after searches that mostly led nowhere */
    FIRST_BUDGET = HD_HOSTILE(24, 2), /* evaluations before a grid is made */
    GRID_BUDGET = 600000,             /* units of grid.h */
    POOR_GRID_BUDGET = 60000,
    PUT_COST = 300,             /* of a constraint into which a value is put, likewise */
    MAX_SPLIT = 16,             /* values of a variable that chooses among others */
    CURIOUS = 16,               /* one in so many is split although that mostly led nowhere */
    MAX_SPLITS = 4,             /* such variables */
    HARD_GRID_BUDGET = 3000000, /* where constraints multiply or divide */
};

typedef struct values {
    uint64_t word[N_WORDS];
} values;

typedef struct domain {
    hd_graph *g;
    hd_vec(uint32_t) slot_of; /* by expression id: 1 + index in sets, 0 where not computed */
    hd_vec(values) sets;
    hd_model one; /* a variable and the value it is tried with */
    hd_intervals *intervals;
    int search_luck; /* high when searches end, negative when they run out of budget */

    /* One search. */
    values allowed[MAX_SEARCHED];        /* by position in the task's variables */
    hd_vec(uint32_t) position;           /* by variable */
    uint32_t n;                          /* variables searched */
    hd_constraints checks[MAX_SEARCHED]; /* constraints whose last variable is at this position */
    uint32_t budget;
    hd_grid *grid;
    uint64_t lists[MAX_SEARCHED][64 * N_WORDS]; /* the values of each axis */

    /* What is left of a task when one variable has a value. */
    hd_split *split;
    uint32_t depth; /* variables that have one */
    int64_t left;   /* units of grid.h for all that is left to do in this question */
    int split_luck; /* as search_luck */
    uint32_t n_skipped;
    struct domain *inner;
    hd_task rest;
    hd_model rest_model;
    hd_constraints refuted; /* rests that have no solution, each with HD_NONE at its end */
} domain;

static void *domain_new(hd_graph *g) {
    domain *d = hd_layer_memory(sizeof *d);
    d->g = g;
    d->intervals = hd_intervals_new(g);
    d->grid = hd_grid_new(g);
    d->split = hd_split_new(g);
    return d;
}

static void domain_forget(void *self) {
    domain *d = self;
    hd_vec_clear(&d->slot_of);
    hd_vec_clear(&d->sets);
    hd_grid_forget(d->grid);
    hd_split_forget(d->split);
    if (d->inner)
        domain_forget(d->inner);
}

static void domain_free(void *self) {
    domain *d = self;
    for (int i = 0; i < MAX_SEARCHED; i++)
        hd_vec_release(&d->checks[i]);
    hd_vec_release(&d->slot_of);
    hd_vec_release(&d->sets);
    hd_vec_release(&d->position);
    hd_intervals_free(d->intervals);
    hd_grid_free(d->grid);
    hd_split_free(d->split);
    hd_vec_release(&d->rest.constraints);
    hd_vec_release(&d->rest.vars);
    hd_vec_release(&d->rest.ranges);
    hd_vec_release(&d->rest.core);
    hd_vec_release(&d->refuted);
    hd_model_release(&d->rest_model);
    if (d->inner)
        domain_free(d->inner);
    hd_model_release(&d->one);
    free(d);
}

static bool has(const values *s, unsigned value) {
    HD_CHECK(value < 64 * N_WORDS);
    return s->word[value / 64] >> value % 64 & 1;
}

static bool is_empty(const values *s) {
    return !(s->word[0] | s->word[1] | s->word[2] | s->word[3]);
}

static void intersect(values *s, const values *with) {
    for (int i = 0; i < N_WORDS; i++)
        s->word[i] &= with->word[i];
}

static values all_values(unsigned width) {
    values s = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    if (width < 8)
        s.word[2] = s.word[3] = 0;
    if (width < 7)
        s.word[1] = 0;
    if (width < 6)
        s.word[0] = (UINT64_C(1) << (1u << width)) - 1;
    return s;
}

/* Some member; a printable character if there is one, because people read the inputs. */
static unsigned some_value(const values *s) {
    HD_ASSERT(!is_empty(s));
    uint64_t printable = s->word[0] >> 32 << 32;
    if (printable)
        return (unsigned)__builtin_ctzll(printable);
    uint64_t letters = s->word[1] & ~(UINT64_C(1) << 63);
    if (letters)
        return 64 + (unsigned)__builtin_ctzll(letters);
    for (unsigned i = 0;; i++)
        if (s->word[i])
            return 64 * i + (unsigned)__builtin_ctzll(s->word[i]);
}

/* What mentions no variable is kept for variables of all widths. */
static values compute_set(domain *d, const hd_task *t, hd_expr e, hd_var v) {
    values s = {{0}};
    HD_ASSERT(hd_task_width(t, v) <= 8);
    HD_ASSERT(hd_expr_support(t->g, e)->n <= 1);
    unsigned width = hd_expr_support(t->g, e)->n ? hd_task_width(t, v) : 8;
    hd_model_clear(&d->one);
    for (unsigned value = 0; value >> width == 0; value++) {
        hd_model_set(&d->one, v, value);
        hd_eval_begin(t->eval, &d->one);
        s.word[value / 64] |= hd_eval_value(t->eval, e) << value % 64;
    }
    return s;
}

static void remember_set(domain *d, hd_expr e, values set) {
    if (e >= d->slot_of.n) {
        size_t n = d->slot_of.n, wanted = (size_t)hd_graph_n_nodes(d->g) + 1;
        hd_vec_reserve(&d->slot_of, wanted);
        memset(d->slot_of.at + n, 0, (d->slot_of.capacity - n) * sizeof *d->slot_of.at);
        d->slot_of.n = d->slot_of.capacity;
    }
    HD_ASSERT(d->slot_of.at[e] == 0); /* a set is made once */
    hd_vec_push(&d->sets, set);
    d->slot_of.at[e] = (uint32_t)d->sets.n;
}

/* The values of `v` that satisfy `e`, which mentions no other variable. */
static const values *set_of(domain *d, const hd_task *t, hd_expr e, hd_var v) {
    if (__builtin_expect(e >= d->slot_of.n || !d->slot_of.at[e], 0))
        remember_set(d, e, compute_set(d, t, e, v));
    HD_CHECK(d->slot_of.at[e] && d->slot_of.at[e] <= d->sets.n);
    return &d->sets.at[d->slot_of.at[e] - 1];
}

static hd_verdict solve_one(domain *d, hd_task *t, hd_model *model) {
    hd_var v = t->vars.at[0];
    values left = all_values(hd_task_width(t, v));
    for (size_t i = t->constraints.n; i-- > 0;)
        intersect(&left, set_of(d, t, t->constraints.at[i], v));
    if (is_empty(&left))
        return HD_UNSAT;
    hd_model_set(model, v, some_value(&left));
    HD_CHECK_INVARIANT(L1, hd_task_holds(t, model));
    return HD_SAT;
}

static uint32_t position_of(const domain *d, hd_var v) {
    return d->position.at[v];
}

static bool is_searched(const domain *d, const hd_task *t, hd_var v) {
    return position_of(d, v) < d->n && hd_task_width(t, v) <= 8;
}

static bool is_about_one(const domain *d, const hd_task *t, const hd_support *support) {
    return support->n == 1 && is_searched(d, t, support->v[0]);
}

/* The others have the hint's value from the start; earlier layers may have left another. */
static void place_variables(domain *d, const hd_task *t, hd_model *model) {
    d->n = t->vars.n < MAX_SEARCHED ? (uint32_t)t->vars.n : MAX_SEARCHED;
    HD_ASSERT(d->n >= 1);
    hd_vec_reserve(&d->position, hd_variables_n(t->variables));
    for (size_t i = 0; i < t->vars.n; i++) {
        d->position.at[t->vars.at[i]] = (uint32_t)i;
        hd_model_set(model, t->vars.at[i], hd_model_get(t->query->hint, t->vars.at[i]));
    }
}

static void list_core(hd_task *t, hd_var v) {
    for (size_t i = 0; i < t->constraints.n; i++) {
        const hd_support *support = hd_expr_support(t->g, t->constraints.at[i]);
        if (support->n == 1 && support->v[0] == v)
            hd_vec_push(&t->core, t->constraints.at[i]);
    }
}

/* Sets from the constraints over one variable; false if one is empty. */
static bool intersect_all(domain *d, hd_task *t) {
    for (uint32_t i = 0; i < d->n; i++)
        if (is_searched(d, t, t->vars.at[i]))
            d->allowed[i] = all_values(hd_task_width(t, t->vars.at[i]));
    for (size_t i = t->constraints.n; i-- > 0;) {
        const hd_support *support = hd_expr_support(t->g, t->constraints.at[i]);
        if (!is_about_one(d, t, support))
            continue;
        values *allowed = &d->allowed[position_of(d, support->v[0])];
        intersect(allowed, set_of(d, t, t->constraints.at[i], support->v[0]));
        if (is_empty(allowed)) {
            list_core(t, support->v[0]);
            return false;
        }
    }
    return true;
}

static uint32_t last_position(const domain *d, const hd_task *t, const hd_support *support) {
    uint32_t last = 0;
    for (uint32_t k = 0; k < support->n; k++)
        if (is_searched(d, t, support->v[k]) && position_of(d, support->v[k]) > last)
            last = position_of(d, support->v[k]);
    return last;
}

/* Sort the other constraints by the position from which they can be checked. */
static void place_checks(domain *d, const hd_task *t) {
    for (uint32_t i = 0; i < d->n; i++)
        hd_vec_clear(&d->checks[i]);
    for (size_t i = t->constraints.n; i-- > 0;) {
        const hd_support *support = hd_expr_support(t->g, t->constraints.at[i]);
        if (!is_about_one(d, t, support))
            hd_vec_push(&d->checks[last_position(d, t, support)], t->constraints.at[i]);
    }
}

static bool checks_hold(domain *d, const hd_task *t, uint32_t at, const hd_model *model) {
    HD_CHECK(at < d->n);
    const hd_constraints *checks = &d->checks[at];
    if (checks->n)
        hd_eval_begin(t->eval, model);
    for (size_t i = 0; i < checks->n; i++) {
        if (!d->budget)
            return false;
        d->budget--;
        if (!hd_eval_value(t->eval, checks->at[i]))
            return false;
    }
    return true;
}

static bool search(domain *d, const hd_task *t, uint32_t at, hd_model *model);

static bool try_value(domain *d, const hd_task *t, uint32_t at, uint64_t value, hd_model *model) {
    hd_model_set(model, t->vars.at[at], value);
    return checks_hold(d, t, at, model) && search(d, t, at + 1, model);
}

static bool try_others(domain *d, const hd_task *t, uint32_t at, uint64_t first, hd_model *model) {
    values left = d->allowed[at];
    while (!is_empty(&left) && d->budget) {
        unsigned value = some_value(&left);
        left.word[value / 64] &= ~(UINT64_C(1) << value % 64);
        if (value != first && try_value(d, t, at, value, model))
            return true;
    }
    return false;
}

/* Values for the variables from position `at` on; false if none, or no budget is left. */
static bool search(domain *d, const hd_task *t, uint32_t at, hd_model *model) {
    if (at == d->n)
        return true;
    hd_var v = t->vars.at[at];
    if (!is_searched(d, t, v))
        return checks_hold(d, t, at, model) && search(d, t, at + 1, model);
    uint64_t first = hd_model_get(t->query->hint, v);
    if (has(&d->allowed[at], (unsigned)first & 255) && try_value(d, t, at, first, model))
        return true;
    return try_others(d, t, at, first, model);
}

/* Searches that mostly run out of budget get a small one, so that the solver is asked soon. */
static hd_verdict end_search(domain *d, const hd_task *t, bool found, bool ended) {
    ended |= found;
    d->search_luck += ended ? 2 : -1;
    d->search_luck = d->search_luck > 10 ? 10 : d->search_luck < -20 ? -20 : d->search_luck;
    if (found)
        return HD_SAT;
    bool tried_all = ended && t->n_narrow == t->vars.n && d->n == t->vars.n;
    return tried_all ? HD_UNSAT : HD_UNKNOWN;
}

/* ---- in blocks ---- */

/* The values of an axis: the hint's first, then as one would choose (some_value). */
static uint32_t list_values(domain *d, const hd_task *t, uint32_t at) {
    uint64_t *list = d->lists[at], first = hd_model_get(t->query->hint, t->vars.at[at]);
    values left = d->allowed[at];
    uint32_t n = 0;
    if (has(&left, (unsigned)first & 255))
        list[n++] = first;
    while (!is_empty(&left)) {
        unsigned value = some_value(&left);
        left.word[value / 64] &= ~(UINT64_C(1) << value % 64);
        if (value != first)
            list[n++] = value;
    }
    return n;
}

/* Constraints on one variable are in its list already. */
static bool make_grid(domain *d, const hd_task *t) {
    hd_grid_begin(d->grid);
    for (uint32_t i = 0; i < t->vars.n; i++) {
        hd_var v = t->vars.at[i];
        hd_expr e = hd_expr_var(t->g, v, hd_task_width(t, v));
        if (is_searched(d, t, v))
            hd_grid_axis(d->grid, e, d->lists[i], list_values(d, t, i));
        else
            hd_grid_fix(d->grid, e, hd_model_get(t->query->hint, v));
    }
    for (size_t i = t->constraints.n; i-- > 0;)
        if (!is_about_one(d, t, hd_expr_support(t->g, t->constraints.at[i])) &&
            !hd_grid_add(d->grid, t->constraints.at[i]))
            return false;
    return true;
}

static void take_chosen(const domain *d, const hd_task *t, const uint64_t *chosen,
                        hd_model *model) {
    for (uint32_t i = 0; i < t->vars.n; i++) {
        hd_var v = t->vars.at[i];
        hd_model_set(model, v, is_searched(d, t, v) ? *chosen++ : hd_model_get(t->query->hint, v));
    }
}

static int64_t budget_of(const domain *d) {
    HD_ASSERT(d->left <= HARD_GRID_BUDGET && d->depth <= MAX_SPLITS);
    int64_t wanted = d->search_luck < 0         ? POOR_GRID_BUDGET
                     : hd_grid_is_hard(d->grid) ? HARD_GRID_BUDGET
                                                : GRID_BUDGET;
    return wanted < d->left ? wanted : d->left;
}

static hd_verdict search_grid(domain *d, const hd_task *t, hd_model *model) {
    uint64_t chosen[HD_GRID_AXES];
    int64_t budget = budget_of(d), before = budget;
    hd_verdict verdict = hd_grid_search_near(d->grid, t->n_goal_vars, &budget, chosen);
    d->left -= before - budget;
    if (verdict == HD_SAT)
        take_chosen(d, t, chosen, model);
    HD_CHECK_INVARIANT(L1, verdict != HD_SAT || hd_task_holds(t, model));
    return end_search(d, t, verdict == HD_SAT, verdict == HD_UNSAT);
}

static bool search_with(domain *d, const hd_task *t, uint32_t budget, hd_model *model) {
    d->budget = budget;
    return search(d, t, 0, model);
}

static unsigned least_value(const values *s) {
    unsigned i = 0;
    HD_ASSERT(!is_empty(s));
    while (!s->word[i])
        i++;
    return 64 * i + (unsigned)__builtin_ctzll(s->word[i]);
}

static unsigned greatest_value(const values *s) {
    unsigned i = N_WORDS - 1;
    HD_ASSERT(!is_empty(s));
    while (!s->word[i])
        i--;
    return 64 * i + 63 - (unsigned)__builtin_clzll(s->word[i]);
}

/* Is the goal false wherever its variables are between their bounds? */
static bool is_out_of_reach(domain *d, const hd_task *t) {
    hd_intervals_begin(d->intervals);
    for (uint32_t i = 0; i < d->n && i < t->n_goal_vars; i++) {
        hd_var v = t->vars.at[i];
        if (is_searched(d, t, v))
            hd_intervals_bound(d->intervals, v, hd_task_width(t, v), least_value(&d->allowed[i]),
                               greatest_value(&d->allowed[i]));
    }
    return hd_intervals_of(d->intervals, hd_task_goal(t)).most == 0;
}

/* The goal, and what bounds its variables. */
static void list_bounds(hd_task *t) {
    for (uint32_t i = 0; i < t->n_goal_vars; i++)
        list_core(t, t->vars.at[i]);
    if (t->n_goal_vars > 1) /* else it is among them */
        hd_vec_push(&t->core, hd_task_goal(t));
}

/* ---- a variable that chooses among others: each of its values by itself ---- */

static hd_verdict solve(domain *d, hd_task *t, hd_model *model);

static unsigned n_values(const values *s) {
    unsigned n = 0;
    for (int i = 0; i < N_WORDS; i++)
        n += (unsigned)__builtin_popcountll(s->word[i]);
    return n;
}

static bool find_chooser(domain *d, const hd_task *t, hd_var *v) {
    for (size_t i = 0; i < t->constraints.n; i++)
        if (hd_split_variable(d->split, t->constraints.at[i], v) && is_searched(d, t, *v) &&
            n_values(&d->allowed[position_of(d, *v)]) <= MAX_SPLIT)
            return true;
    return false;
}

static bool is_constant(const hd_task *t, hd_expr e, bool value) {
    return hd_expr_is_const(t->g, e) && hd_expr_value(t->g, e) == value;
}

/* The constraints that are left; false if `v` cannot have the value, or nobody knows (*is_known).
 */
static bool make_rest(domain *d, const hd_task *t, hd_var v, uint64_t value, bool *is_known) {
    hd_task *rest = &d->rest;
    rest->g = t->g;
    rest->variables = t->variables;
    rest->options = t->options;
    rest->query = t->query;
    rest->eval = t->eval;
    hd_vec_clear(&rest->constraints);
    for (size_t i = 0; i < t->constraints.n; i++) {
        hd_expr e = hd_split_put(d->split, t->constraints.at[i], v, value);
        *is_known = e != HD_NONE;
        if (!e || is_constant(t, e, false))
            return false;
        if (!is_constant(t, e, true))
            hd_vec_push(&rest->constraints, e);
    }
    return true;
}

/* Values that leave the same constraints have the same answer. */
static bool is_refuted(const domain *d) {
    const hd_constraints *rest = &d->rest.constraints;
    size_t same = 0;
    for (size_t i = 0; i < d->refuted.n; i++)
        if (!d->refuted.at[i]) {
            if (same == rest->n)
                return true;
            same = 0;
        } else if (same <= rest->n) { /* past the end: it differs */
            same = same < rest->n && d->refuted.at[i] == rest->at[same] ? same + 1 : rest->n + 1;
        }
    return false;
}

static void remember_refuted(domain *d) {
    for (size_t i = 0; i < d->rest.constraints.n; i++)
        hd_vec_push(&d->refuted, d->rest.constraints.at[i]);
    hd_vec_push(&d->refuted, HD_NONE);
}

static hd_verdict solve_rest(domain *d) {
    if (!d->rest.constraints.n) {
        hd_vec_clear(&d->rest.vars);
        return HD_SAT;
    }
    if (is_refuted(d))
        return HD_UNSAT;
    if (!d->inner) {
        d->inner = domain_new(d->g);
        d->inner->depth = d->depth + 1;
    }
    hd_task_gather(&d->rest, &d->rest_model);
    d->inner->left = d->left;
    hd_verdict verdict = d->rest.n_narrow ? solve(d->inner, &d->rest, &d->rest_model) : HD_UNKNOWN;
    d->left = d->inner->left;
    if (verdict == HD_UNSAT)
        remember_refuted(d);
    return verdict;
}

static hd_verdict try_rest(domain *d, const hd_task *t, hd_var v, uint64_t value, hd_model *model) {
    bool is_known = true;
    d->left -= (int64_t)t->constraints.n * PUT_COST;
    if (d->left <= 0)
        return HD_UNKNOWN;
    if (!make_rest(d, t, v, value, &is_known))
        return is_known ? HD_UNSAT : HD_UNKNOWN;
    hd_verdict verdict = solve_rest(d);
    if (verdict != HD_SAT)
        return verdict;
    for (size_t i = 0; i < t->vars.n; i++)
        hd_model_set(model, t->vars.at[i], hd_model_get(t->query->hint, t->vars.at[i]));
    for (size_t i = 0; i < d->rest.vars.n; i++)
        hd_model_set(model, d->rest.vars.at[i], hd_model_get(&d->rest_model, d->rest.vars.at[i]));
    hd_model_set(model, v, value);
    HD_CHECK_INVARIANT(W1, hd_task_holds(t, model));
    return HD_SAT;
}

static hd_verdict try_split(domain *d, const hd_task *t, hd_model *model) {
    hd_var v;
    if (d->depth == MAX_SPLITS || !find_chooser(d, t, &v) ||
        (d->split_luck < 0 && ++d->n_skipped % CURIOUS))
        return HD_UNKNOWN;
    uint32_t at = position_of(d, v), n = list_values(d, t, at);
    hd_verdict all = HD_UNSAT;
    hd_vec_clear(&d->refuted);
    for (uint32_t i = 0; i < n && all != HD_SAT; i++) {
        hd_verdict verdict = try_rest(d, t, v, d->lists[at][i], model);
        all = verdict == HD_UNSAT ? all : verdict;
    }
    d->split_luck += all == HD_UNKNOWN ? -1 : 2;
    d->split_luck = d->split_luck > 20 ? 20 : d->split_luck < -20 ? -20 : d->split_luck;
    return all;
}

static hd_verdict solve_many(domain *d, hd_task *t, hd_model *model) {
    place_variables(d, t, model);
    if (!intersect_all(d, t))
        return HD_UNSAT;
    if (is_out_of_reach(d, t)) {
        list_bounds(t);
        HD_CHECK_INVARIANT(I2, hd_task_has_no_model(t));
        return HD_UNSAT;
    }
    place_checks(d, t);
    bool found = search_with(d, t, FIRST_BUDGET, model);
    if (found || d->budget)
        return end_search(d, t, found, true);
    hd_verdict verdict = try_split(d, t, model);
    if (verdict != HD_UNKNOWN)
        return verdict;
    if (make_grid(d, t))
        return search_grid(d, t, model);
    found = search_with(d, t, d->search_luck < 0 ? POOR_BUDGET : BUDGET, model);
    return end_search(d, t, found, d->budget);
}

static bool applies(void *self, const hd_task *t) {
    (void)self;
    return t->n_narrow;
}

static hd_verdict solve(domain *d, hd_task *t, hd_model *model) {
    return t->vars.n == 1 ? solve_one(d, t, model) : solve_many(d, t, model);
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    ((domain *)self)->left = HARD_GRID_BUDGET;
    return solve(self, t, model);
}

const hd_layer_kind hd_layer_domain = {.new = domain_new,
                                       .free = domain_free,
                                       .forget = domain_forget,
                                       .applies = applies,
                                       .ask = ask};
