/* domain.c -- goals over bytes: sets of at most 256 values.
 *
 * A constraint over one variable of at most 8 bits is the set of values that satisfy it.  The
 * set is found once, by evaluating the constraint 256 times, and kept by expression id; from
 * then on a query over that variable alone is an intersection of sets, exact both ways.
 *
 * When the slice ties several variables together, the sets prune: an empty one proves that
 * nothing satisfies the slice, and so does a goal that is false for all numbers between the least
 * and the greatest of each (interval.h).  Otherwise a backtracking search (goal's variables first,
 * the hint's value of each first) tries the values left until its budget is gone.  Wide
 * variables, and all after the first MAX_SEARCHED, keep the hint's values.  If the search ends
 * within its budget and no variable was kept that way, it has tried everything. */
#include "solve/interval.h"
#include "solve/solve_int.h"

#include "base/panic.h"

#include <string.h>

enum {
    N_WORDS = 4,
    MAX_SEARCHED = 24, /* variables in one search */
    BUDGET = 6000,     /* evaluations of a constraint in one search */
    POOR_BUDGET = 300, /* evaluations after searches that mostly led nowhere */
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
} domain;

static void *domain_new(hd_graph *g) {
    domain *d = hd_layer_memory(sizeof *d);
    d->g = g;
    d->intervals = hd_intervals_new(g);
    return d;
}

static void domain_forget(void *self) {
    domain *d = self;
    hd_vec_clear(&d->slot_of);
    hd_vec_clear(&d->sets);
}

static void domain_free(void *self) {
    domain *d = self;
    for (int i = 0; i < MAX_SEARCHED; i++)
        hd_vec_release(&d->checks[i]);
    hd_vec_release(&d->slot_of);
    hd_vec_release(&d->sets);
    hd_vec_release(&d->position);
    hd_intervals_free(d->intervals);
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

static values compute_set(domain *d, const hd_task *t, hd_expr e, hd_var v) {
    values s = {{0}};
    HD_ASSERT(hd_task_width(t, v) <= 8);
    HD_ASSERT(hd_expr_support(t->g, e)->n <= 1);
    hd_model_clear(&d->one);
    for (unsigned value = 0; value >> hd_task_width(t, v) == 0; value++) {
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

/* The others have the hint's value from the start; earlier layers may have left another (L3). */
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
static hd_verdict end_search(domain *d, const hd_task *t, bool found) {
    HD_ASSERT(d->budget <= BUDGET);
    bool ended = found || d->budget;
    d->search_luck += ended ? 2 : -1;
    d->search_luck = d->search_luck > 20 ? 20 : d->search_luck < -20 ? -20 : d->search_luck;
    if (found)
        return HD_SAT;
    bool tried_all = d->budget && t->n_narrow == t->vars.n && d->n == t->vars.n;
    return tried_all ? HD_UNSAT : HD_UNKNOWN;
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
    d->budget = d->search_luck < 0 ? POOR_BUDGET : BUDGET;
    return end_search(d, t, search(d, t, 0, model));
}

static bool applies(void *self, const hd_task *t) {
    (void)self;
    return t->n_narrow;
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    return t->vars.n == 1 ? solve_one(self, t, model) : solve_many(self, t, model);
}

const hd_layer_kind hd_layer_domain = {.new = domain_new,
                                       .free = domain_free,
                                       .forget = domain_forget,
                                       .applies = applies,
                                       .ask = ask};
