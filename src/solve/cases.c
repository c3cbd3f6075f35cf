/* cases.c -- few values in all: every case is tried.
 *
 * Remainders, quotients and products of inputs take a solver of bits seconds, also where the
 * program has said that its inputs are small: the greatest common divisor of two numbers below 50
 * has 2,500 cases, and took 9 s.  Comparisons with constants bound the variables of a slice
 * (arc.h); where the cases are few, all are tried, which is exact both ways.
 *
 * Where inputs have many values, parts of the constraints may have few: a remainder by a constant,
 * as in a hash table, or whether two inputs are equal.  If these atoms hide all inputs (atoms.h),
 * their cases are tried: none is a proof, and from one that fits inputs are made, and checked.
 *
 * Where inputs are only moved and compared (moved.h), the cases are their orders.
 *
 * Where there are many cases but constraints multiply, some are drawn: small numbers, ends of what
 * is allowed, constants of the constraints.  A product that must be one number mostly has many
 * solutions, which a solver of bits does not see.
 *
 * Before all that, the two sides of the goal may be the same sum of products (sums.h).
 *
 * The constraints become instructions (straight.h).  A constraint that fails leaves out all cases
 * of what is chosen later.  Small numbers come first, because people read the inputs.
 *
 * Where no constraint multiplies or divides, a solver of bits is quick: then only a few thousand
 * instructions are tried. */
#include "base/hash.h"
#include "base/panic.h"
#include "solve/atoms.h"
#include "solve/box.h"
#include "solve/grid.h"
#include "solve/halves.h"
#include "solve/interval.h"
#include "solve/moved.h"
#include "solve/prune.h"
#include "solve/solve_int.h"
#include "solve/straight.h"
#include "solve/sums.h"
#include "solve/values_left.h"

enum {
    MAX_VARIABLES = 6, /* of which all cases are tried */
    MAX_CASES = 1 << 22,
    BUDGET = 8000000,       /* instructions for constraints that multiply or divide */
    SMALL_BUDGET = 5000,    /* for others */
    GRID_BUDGET = 60000000, /* units of grid.h, likewise */
    SMALL_GRID_BUDGET = 600000,
    DRAW_BUDGET = 1000000,
    ATOM_BUDGET = 2000000,
    MOVED_BUDGET = 1000000,
    MAX_MOVED = 5, /* inputs */
    MAX_LUCK = 8,
};

typedef struct cases {
    hd_intervals *intervals;
    hd_straight *straight;
    hd_grid *grid;
    hd_values_left *line;
    hd_atoms *atoms;
    hd_moved *moved;
    hd_sums *sums;
    hd_halves *halves;
    hd_side sides[HD_MAX_LEAVES];
    uint32_t n;
    int64_t budget;
    int luck, draw_luck; /* negative when searches lead nowhere */
    hd_vec(uint64_t) likely;
    hd_vec(uint64_t) values; /* of axes */
    uint64_t random;
} cases;

static void *cases_new(hd_graph *g) {
    cases *s = hd_layer_memory(sizeof *s);
    s->intervals = hd_intervals_new(g);
    s->straight = hd_straight_new(g);
    s->grid = hd_grid_new(g);
    s->line = hd_values_left_new(g);
    s->atoms = hd_atoms_new(g);
    s->moved = hd_moved_new(g);
    s->sums = hd_sums_new(g);
    s->halves = hd_halves_new(g);
    s->random = 1;
    return s;
}

static void cases_forget(void *self) {
    cases *s = self;
    hd_straight_forget(s->straight);
    hd_grid_forget(s->grid);
    hd_values_left_forget(s->line);
    hd_atoms_forget(s->atoms);
    hd_moved_forget(s->moved);
    hd_halves_forget(s->halves);
}

static void cases_free(void *self) {
    cases *s = self;
    hd_straight_free(s->straight);
    hd_grid_free(s->grid);
    hd_values_left_free(s->line);
    hd_vec_release(&s->values);
    hd_atoms_free(s->atoms);
    hd_moved_free(s->moved);
    hd_sums_free(s->sums);
    hd_halves_free(s->halves);
    hd_vec_release(&s->likely);
    hd_intervals_free(s->intervals);
    free(s);
}

static void add_luck(int *luck, int how_much) {
    *luck += how_much;
    *luck = *luck > MAX_LUCK ? MAX_LUCK : *luck < -MAX_LUCK ? -MAX_LUCK : *luck;
}

/* ---- which cases ---- */

/* Is the goal false wherever its variables are in their arcs?  Most checks for overflow are
 * decided so. */
static bool is_out_of_reach(cases *s, const hd_task *t) {
    hd_intervals_begin(s->intervals);
    for (uint32_t i = 0; i < s->n; i++) {
        const hd_side *side = &s->sides[i];
        unsigned width = side->width;
        int64_t least = hd_signed(side->start, width),
                most = hd_signed(hd_side_value(side, side->n_more), width);
        if (width > 1 && least <= most &&
            (uint64_t)most - (uint64_t)least == side->n_more * side->by)
            hd_intervals_bound_signed(s->intervals, side->v, least, most);
    }
    return hd_intervals_of(s->intervals, hd_task_goal(t)).most == 0;
}

static bool are_few(const cases *s) {
    return s->n <= MAX_VARIABLES && hd_box_is_few(s->sides, s->n, MAX_CASES);
}

static hd_expr variable_of(const cases *s, const hd_task *t, uint32_t i) {
    return hd_expr_var(t->g, s->sides[i].v, s->sides[i].width);
}

/* The goal first: it fails most often.  False if there is too much of it. */
static bool compile(cases *s, const hd_task *t) {
    hd_straight_begin(s->straight);
    for (uint32_t i = 0; i < s->n; i++)
        hd_straight_leaf(s->straight, variable_of(s, t, i));
    for (size_t i = t->constraints.n; i-- > 0;)
        if (!hd_straight_add(s->straight, t->constraints.at[i]))
            return false;
    return true;
}

/* ---- all cases ---- */

/* Values for the variables from number `at` on; false if there are none, or no budget is left. */
static bool search(cases *s, uint32_t at, hd_model *model) {
    if (at == s->n)
        return true;
    const hd_side *side = &s->sides[at];
    for (uint64_t i = 0; i <= side->n_more && s->budget > 0; i++) {
        hd_straight_set(s->straight, at, hd_side_value(side, i));
        if (hd_straight_run(s->straight, at + 1, &s->budget) && search(s, at + 1, model)) {
            hd_model_set(model, side->v, hd_side_value(side, i));
            return true;
        }
    }
    return false;
}

static hd_verdict end_search(cases *s, const hd_task *t, bool found, const hd_model *model) {
    bool ended = found || s->budget > 0;
    add_luck(&s->luck, ended ? 2 : -1);
    HD_CHECK_INVARIANT(L1, !found || hd_task_holds(t, model));
    HD_CHECK_INVARIANT(G1, found || !ended || hd_task_has_no_model(t)); /* and so L2 */
    return found ? HD_SAT : ended ? HD_UNSAT : HD_UNKNOWN;
}

/* Strides are of remainders, too. */
static bool has_strides(const cases *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->sides[i].by > 1)
            return true;
    return false;
}

static hd_verdict try_all(cases *s, const hd_task *t, hd_model *model) {
    bool is_hard = hd_straight_is_hard(s->straight) || has_strides(s);
    s->budget = is_hard && s->luck > -MAX_LUCK ? BUDGET : SMALL_BUDGET;
    bool found = hd_straight_run(s->straight, 0, &s->budget) && search(s, 0, model);
    return end_search(s, t, found, model);
}

/* ---- all cases, a block at a time ---- */

static bool are_axes(const cases *s) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->sides[i].n_more >= HD_GRID_ROWS)
            return false;
    return true;
}

static uint64_t *list_values(cases *s) {
    hd_vec_clear(&s->values);
    for (uint32_t i = 0; i < s->n; i++)
        for (uint64_t k = 0; k <= s->sides[i].n_more; k++)
            hd_vec_push(&s->values, hd_side_value(&s->sides[i], k));
    return s->values.at;
}

/* The goal first: it fails most often.  False if there is too much of it. */
static bool make_grid(cases *s, const hd_task *t) {
    uint64_t *values = list_values(s);
    hd_grid_begin(s->grid);
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t n = (uint32_t)s->sides[i].n_more + 1;
        hd_grid_axis(s->grid, variable_of(s, t, i), values, n);
        values += n;
    }
    for (size_t i = t->constraints.n; i-- > 0;)
        if (!hd_grid_add(s->grid, t->constraints.at[i]))
            return false;
    return true;
}

static hd_verdict try_grid(cases *s, const hd_task *t, hd_model *model) {
    uint64_t chosen[HD_GRID_AXES];
    bool has_much = hd_grid_is_hard(s->grid) && s->luck > -MAX_LUCK;
    int64_t budget = has_much ? GRID_BUDGET : SMALL_GRID_BUDGET;
    hd_verdict verdict = hd_grid_search(s->grid, &budget, chosen);
    for (uint32_t i = 0; i < s->n && verdict == HD_SAT; i++)
        hd_model_set(model, s->sides[i].v, chosen[i]);
    add_luck(&s->luck, verdict != HD_UNKNOWN ? 2 : -1);
    HD_CHECK_INVARIANT(L1, verdict != HD_SAT || hd_task_holds(t, model));
    HD_CHECK_INVARIANT(K1, verdict != HD_UNSAT || hd_task_has_no_model(t));
    return verdict;
}

/* ---- some cases ---- */

/* Constants of the constraints, and a few numbers that matter in every product. */
static void list_likely(cases *s, const hd_task *t) {
    hd_vec_clear(&s->likely);
    for (size_t i = t->constraints.n; i-- > 0 && s->likely.n < 32;) {
        const hd_node *n = hd_expr_node(t->g, t->constraints.at[i]);
        while (n->op == HD_OP_NOT)
            n = hd_expr_node(t->g, n->a);
        if (n->op < HD_OP_EQ || n->op > HD_OP_SLE)
            continue;
        if (hd_expr_is_const(t->g, n->a))
            hd_vec_push(&s->likely, hd_expr_value(t->g, n->a));
        if (hd_expr_is_const(t->g, n->b))
            hd_vec_push(&s->likely, hd_expr_value(t->g, n->b));
    }
    hd_vec_push(&s->likely, 1);
    hd_vec_push(&s->likely, UINT64_MAX);
}

static uint64_t any_value(const hd_side *side, uint64_t random) {
    return hd_side_value(side, side->n_more == UINT64_MAX ? random : random % (side->n_more + 1));
}

static uint64_t draw_value(cases *s, const hd_task *t, uint32_t i) {
    const hd_side *side = &s->sides[i];
    uint64_t r = hd_random_next(&s->random), value = 0, kind = r % 8, more = r >> 8;
    if (kind < 2)
        value = s->likely.at[more % s->likely.n];
    else if (kind == 2)
        value = hd_side_value(side, more & 1 ? side->n_more : 0);
    else if (kind == 3)
        value = hd_model_get(t->query->hint, side->v);
    else if (kind == 4)
        value = any_value(side, more);
    else if (kind == 5)
        value = more % 16;
    else if (kind == 6) /* the ends of numbers with a sign */
        value = (hd_mask(side->width) >> 1) + (more & 1);
    value &= hd_mask(side->width);
    uint64_t way = (value - side->start) & hd_mask(side->width);
    bool is_allowed = way % side->by == 0 && way / side->by <= side->n_more;
    return is_allowed ? value : any_value(side, more);
}

/* All levels with these values; those before `from` are computed. */
static bool draw_one(cases *s, const hd_task *t, uint32_t from, hd_model *model) {
    for (uint32_t i = from; i < s->n; i++) {
        uint64_t value = draw_value(s, t, i);
        hd_straight_set(s->straight, i, value);
        hd_model_set(model, s->sides[i].v, value);
        if (!hd_straight_run(s->straight, i + 1, &s->budget))
            return false;
    }
    return true;
}

static hd_verdict draw(cases *s, const hd_task *t, hd_model *model) {
    list_likely(s, t);
    s->random = 1; /* the same question has the same answer */
    s->budget = s->draw_luck > -MAX_LUCK ? DRAW_BUDGET : SMALL_BUDGET;
    bool found = false, can_hold = hd_straight_run(s->straight, 0, &s->budget);
    while (can_hold && !found && s->budget-- > 0)
        found = draw_one(s, t, 0, model);
    add_luck(&s->draw_luck, found ? 4 : -1);
    HD_CHECK_INVARIANT(L1, !found || hd_task_holds(t, model));
    return found ? HD_SAT : HD_UNKNOWN;
}

/* ---- cases of orders ---- */

/* Small numbers stand for all others (O1). */
static hd_verdict try_orders(cases *s, const hd_task *t, bool has_signs, hd_model *model) {
    uint64_t n = s->n;
    for (uint32_t i = 0; i < s->n; i++)
        s->sides[i] = (hd_side){.v = s->sides[i].v,
                                .width = s->sides[i].width,
                                .start = (has_signs ? 0 - n : 0) & hd_mask(s->sides[i].width),
                                .by = 1,
                                .n_more = has_signs ? 2 * n : n};
    if (!compile(s, t))
        return HD_UNKNOWN;
    s->budget = MOVED_BUDGET;
    bool found = hd_straight_run(s->straight, 0, &s->budget) && search(s, 0, model);
    bool is_proved = !found && s->budget > 0;
    HD_CHECK_INVARIANT(L1, !found || hd_task_holds(t, model));
    HD_CHECK_INVARIANT(O1, !is_proved || hd_task_has_no_model(t));
    return found ? HD_SAT : is_proved ? HD_UNSAT : HD_UNKNOWN;
}

/* ---- cases of atoms ---- */

static hd_verdict try_atoms(cases *s, hd_task *t, hd_model *model) {
    int64_t budget = ATOM_BUDGET;
    hd_verdict verdict = hd_atoms_try(s->atoms, s->straight, t, &budget, model);
    HD_CHECK_INVARIANT(L1, verdict != HD_SAT || hd_task_holds(t, model));
    HD_CHECK_INVARIANT(C2, verdict != HD_UNSAT || hd_task_has_no_model(t));
    return verdict;
}

/* Bytes have been searched (domain.c): more of the same seldom helps. */
static bool is_of_bytes(const hd_task *t) {
    return t->n_narrow == t->vars.n && t->options->enabled[HD_LAYER_DOMAIN];
}

static bool is_tried(const cases *s, const hd_task *t) {
    return is_of_bytes(t) && !hd_grid_is_hard(s->grid);
}

static bool applies(void *self, const hd_task *t) {
    (void)self;
    return t->vars.n && t->vars.n <= HD_MAX_LEAVES && !t->has_pointers;
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    cases *s = self;
    s->n = (uint32_t)t->vars.n;
    hd_box_find(t, s->sides);
    if (is_out_of_reach(s, t)) {
        HD_CHECK_INVARIANT(I2, hd_task_has_no_model(t));
        return HD_UNSAT;
    }
    if (hd_sums_refute(s->sums, t)) {
        HD_CHECK_INVARIANT(P1, hd_task_has_no_model(t));
        return HD_UNSAT;
    }
    hd_verdict verdict = t->vars.n == 1 ? hd_values_left_ask(s->line, t, model) : HD_UNKNOWN;
    if (verdict != HD_UNKNOWN)
        return verdict;
    hd_box_take_strides(t, s->sides);
    if (t->vars.n > 1 && are_few(s) && are_axes(s) && make_grid(s, t))
        return is_tried(s, t) ? HD_UNKNOWN : try_grid(s, t, model);
    if (are_few(s))
        return compile(s, t) ? try_all(s, t, model) : HD_UNKNOWN;
    bool has_signs;
    if (s->n <= MAX_MOVED && hd_moved_only(s->moved, t, &has_signs))
        return try_orders(s, t, has_signs, model);
    verdict = try_atoms(s, t, model);
    if (verdict != HD_UNKNOWN || is_of_bytes(t) || !compile(s, t) ||
        !hd_straight_is_hard(s->straight))
        return verdict;
    if (hd_prune_refute(s->intervals, t, s->sides, s->n)) {
        HD_CHECK_INVARIANT(Z1, hd_task_has_no_model(t));
        return HD_UNSAT;
    }
    verdict = t->vars.n > 1 ? hd_halves_try(s->halves, t, s->sides, model) : HD_UNKNOWN;
    return verdict != HD_UNKNOWN ? verdict : draw(s, t, model);
}

const hd_layer_kind hd_layer_cases = {
    .new = cases_new, .free = cases_free, .forget = cases_forget, .applies = applies, .ask = ask};
