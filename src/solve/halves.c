/* Halves of equations (halves.h). */
#include "solve/halves.h"

#include "solve/equation.h"

#include "base/panic.h"

enum {
    MAX_TABLE = 1 << 20, /* values of the half that is put into a table */
    MAX_LOOKED_UP = 1 << 22,
    MAX_KEPT = 1 << 16,    /* slots of the table for the next question */
    MAX_SOLUTIONS = 20000, /* of the equation, which fail another constraint */
    MAX_EQUATIONS = 8,     /* that are looked at */
    BUDGET = 60000000,     /* instructions */
};

typedef struct tabled {
    uint64_t value, which; /* of the half, and the number of its case */
    uint32_t next;         /* 1 + number of another one in the slot */
} tabled;

/* Variables that are tried together, and the terms that they decide. */
typedef struct half {
    uint32_t sides[HD_MAX_LEAVES], n;
    uint64_t n_cases;
    uint32_t terms[HD_EQUATION_TERMS], n_terms;
} half;

struct hd_halves {
    hd_straight *straight;
    hd_equation equation;
    const hd_side *sides;
    uint32_t n;
    uint32_t group[HD_MAX_LEAVES]; /* by side: those of one group share terms; n: not in it */
    half first, second;
    uint64_t chosen[HD_MAX_LEAVES]; /* by side: which value */
    hd_vec(tabled) table;
    hd_vec(uint32_t) slots; /* 1 + number in the table */
    int64_t budget;
    uint32_t n_solutions;
    bool is_partial; /* not all solutions were looked at */

    hd_expr factor; /* of the variable that is had by dividing; HD_NONE: 1 */
    uint32_t last;  /* its side */
};

hd_halves *hd_halves_new(const hd_graph *g) {
    hd_halves *s = hd_layer_memory(sizeof *s);
    s->straight = hd_straight_new(g);
    return s;
}

void hd_halves_forget(hd_halves *s) {
    hd_straight_forget(s->straight);
}

void hd_halves_free(hd_halves *s) {
    hd_straight_free(s->straight);
    hd_vec_release(&s->table);
    hd_vec_release(&s->slots);
    free(s);
}

/* ---- groups ---- */

static uint32_t side_of(const hd_halves *s, hd_var v) {
    uint32_t i = 0;
    while (i < s->n && s->sides[i].v != v)
        i++;
    return i;
}

static void join_groups(hd_halves *s, uint32_t a, uint32_t b) {
    for (uint32_t i = 0, from = s->group[b]; i < s->n; i++)
        s->group[i] = s->group[i] == from ? s->group[a] : s->group[i];
}

static void find_groups(hd_halves *s, const hd_task *t) {
    bool is_used[HD_MAX_LEAVES] = {0};
    for (uint32_t i = 0; i < s->n; i++)
        s->group[i] = i;
    for (uint32_t i = 0; i < s->equation.n; i++) {
        const hd_support *support = hd_expr_support(t->g, s->equation.terms[i]);
        for (uint32_t k = 0; k < support->n; k++) {
            is_used[side_of(s, support->v[k])] = true;
            join_groups(s, side_of(s, support->v[0]), side_of(s, support->v[k]));
        }
    }
    for (uint32_t i = 0; i < s->n; i++)
        s->group[i] = is_used[i] ? s->group[i] : s->n;
}

static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t n_values(const hd_halves *s, uint32_t side) {
    uint64_t n = s->sides[side].n_more;
    return n + (n < UINT64_MAX);
}

static uint64_t cases_of_group(const hd_halves *s, uint32_t group) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < s->n; i++)
        n = s->group[i] == group ? times(n, n_values(s, i)) : n;
    return n;
}

static bool is_in(const half *h, uint32_t side) {
    for (uint32_t i = 0; i < h->n; i++)
        if (h->sides[i] == side)
            return true;
    return false;
}

static void add_group(const hd_halves *s, half *h, uint32_t group) {
    HD_ASSERT(group < s->n);
    h->n_cases = times(h->n_cases, cases_of_group(s, group));
    for (uint32_t i = 0; i < s->n; i++)
        if (s->group[i] == group)
            h->sides[h->n++] = i;
}

/* The group that is in neither half and has the most cases. */
static bool find_greatest(const hd_halves *s, uint32_t *group) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t at = s->group[i];
        if (at < s->n && !is_in(&s->first, i) && !is_in(&s->second, i) &&
            cases_of_group(s, at) > most) {
            most = cases_of_group(s, at);
            *group = at;
        }
    }
    return most > 0;
}

static void list_terms(const hd_halves *s, const hd_task *t, half *h) {
    for (uint32_t i = 0; i < s->equation.n; i++) {
        const hd_support *support = hd_expr_support(t->g, s->equation.terms[i]);
        if (support->n && is_in(h, side_of(s, support->v[0])))
            h->terms[h->n_terms++] = i;
    }
}

/* False if one of them has too many cases, or there is only one group. */
static bool make_halves(hd_halves *s, const hd_task *t) {
    uint32_t group = 0;
    s->first = s->second = (half){.n_cases = 1};
    while (find_greatest(s, &group))
        add_group(s, s->first.n_cases < s->second.n_cases ? &s->first : &s->second, group);
    if (s->first.n_cases > s->second.n_cases) {
        half other = s->first;
        s->first = s->second;
        s->second = other;
    }
    list_terms(s, t, &s->first);
    list_terms(s, t, &s->second);
    return s->first.n && s->first.n_cases <= MAX_TABLE && s->second.n_cases <= MAX_LOOKED_UP;
}

/* ---- cases of a half ---- */

static bool has_all(const hd_halves *s, const hd_task *t, const half *h, hd_expr e) {
    const hd_support *support = hd_expr_support(t->g, e);
    for (uint32_t i = 0; i < support->n; i++)
        if (!is_in(h, side_of(s, support->v[i])))
            return false;
    return true;
}

/* Terms, and the constraints that this half decides. */
static bool compile(hd_halves *s, const hd_task *t, const half *h) {
    hd_straight_begin(s->straight);
    for (uint32_t i = 0; i < h->n; i++) {
        const hd_side *side = &s->sides[h->sides[i]];
        hd_straight_leaf(s->straight, hd_expr_var(t->g, side->v, side->width));
    }
    for (size_t i = 0; i < t->constraints.n; i++)
        if (has_all(s, t, h, t->constraints.at[i]) &&
            !hd_straight_add(s->straight, t->constraints.at[i]))
            return false;
    for (uint32_t i = 0; i < h->n_terms; i++)
        if (!hd_straight_compute(s->straight, s->equation.terms[h->terms[i]]))
            return false;
    return true;
}

static uint64_t sum_of(const hd_halves *s, const half *h) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < h->n_terms; i++)
        sum += s->equation.factors[h->terms[i]] *
               hd_straight_value(s->straight, s->equation.terms[h->terms[i]]);
    return sum;
}

static bool is_spent(const hd_halves *s) {
    return s->budget <= 0 || s->n_solutions > MAX_SOLUTIONS;
}

/* Calls `found` for every case of the half that its constraints allow; true as soon as that is. */
typedef struct half_visit {
    hd_halves *s;
    const hd_task *t;
    hd_model *model;
    const half *h;
    bool (*found)(const struct half_visit *v);
} half_visit;

static bool visit(const half_visit *v, uint32_t at) {
    hd_halves *s = v->s;
    if (at == v->h->n)
        return v->found(v);
    HD_CHECK(v->h->sides[at] < s->n);
    const hd_side *side = &s->sides[v->h->sides[at]];
    for (uint64_t i = 0; i <= side->n_more && !is_spent(s); i++) {
        s->chosen[v->h->sides[at]] = i;
        hd_straight_set(s->straight, at, hd_side_value(side, i));
        if (hd_straight_run(s->straight, at + 1, &s->budget) && visit(v, at + 1))
            return true;
    }
    return false;
}

static bool visit_all(const half_visit *v) {
    return hd_straight_run(v->s->straight, 0, &v->s->budget) && visit(v, 0);
}

/* ---- solutions ---- */

static void set_chosen(const half_visit *v, const half *h) {
    for (uint32_t i = 0; i < h->n; i++) {
        const hd_side *side = &v->s->sides[h->sides[i]];
        hd_model_set(v->model, side->v, hd_side_value(side, v->s->chosen[h->sides[i]]));
    }
}

/* Variables that are not in the equation have the values of the hint: if these do not fit, others
 * may. */
static bool is_solution(const half_visit *v) {
    hd_halves *s = v->s;
    s->n_solutions++;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->group[i] == s->n) {
            hd_model_set(v->model, s->sides[i].v, hd_model_get(v->t->query->hint, s->sides[i].v));
            s->is_partial = true;
        }
    return hd_task_holds(v->t, v->model);
}

static uint32_t slot_of(const hd_halves *s, uint64_t value) {
    HD_CHECK(s->slots.n && (s->slots.n & (s->slots.n - 1)) == 0);
    return (uint32_t)((value * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (uint32_t)(s->slots.n - 1);
}

static bool put_into_table(const half_visit *v) {
    hd_halves *s = v->s;
    uint64_t which = 0;
    for (uint32_t i = 0; i < v->h->n; i++)
        which = which * n_values(s, v->h->sides[i]) + s->chosen[v->h->sides[i]];
    uint64_t value = sum_of(s, v->h) & hd_mask(s->equation.width);
    uint32_t *slot = &s->slots.at[slot_of(s, value)];
    hd_vec_push(&s->table, ((tabled){value, which, *slot}));
    *slot = (uint32_t)s->table.n;
    return false;
}

static void choose_again(hd_halves *s, const half *h, uint64_t which) {
    HD_CHECK(which < h->n_cases);
    for (uint32_t i = h->n; i-- > 0;) {
        s->chosen[h->sides[i]] = which % n_values(s, h->sides[i]);
        which /= n_values(s, h->sides[i]);
    }
}

static bool look_up(const half_visit *v) {
    hd_halves *s = v->s;
    uint64_t wanted = (0 - s->equation.constant - sum_of(s, v->h)) & hd_mask(s->equation.width);
    for (uint32_t i = s->slots.at[slot_of(s, wanted)]; i && !is_spent(s);) {
        const tabled *x = &s->table.at[i - 1];
        s->budget--;
        i = x->next;
        if (x->value != wanted)
            continue;
        choose_again(s, &s->first, x->which);
        set_chosen(v, &s->first);
        set_chosen(v, v->h);
        if (is_solution(v))
            return true;
    }
    return false;
}

static void begin_table(hd_halves *s) {
    size_t n = 16;
    while (n < s->first.n_cases)
        n *= 2;
    HD_ASSERT(s->first.n_cases <= MAX_TABLE);
    hd_vec_clear(&s->table);
    hd_vec_clear(&s->slots);
    while (s->slots.n < n)
        hd_vec_push(&s->slots, 0);
}

static hd_verdict end(const hd_halves *s, const hd_task *t, bool found) {
    bool is_proved = !found && !is_spent(s) && !s->is_partial;
    HD_CHECK_INVARIANT(V1, !is_proved || hd_task_has_no_model(t));
    return found ? HD_SAT : is_proved ? HD_UNSAT : HD_UNKNOWN;
}

static hd_verdict meet_halves(hd_halves *s, const hd_task *t, hd_model *model) {
    begin_table(s);
    if (!compile(s, t, &s->first))
        return HD_UNKNOWN;
    visit_all(&(half_visit){s, t, model, &s->first, put_into_table});
    if (is_spent(s) || !compile(s, t, &s->second))
        return HD_UNKNOWN;
    bool found = visit_all(&(half_visit){s, t, model, &s->second, look_up});
    if (s->slots.n > MAX_KEPT) { /* seldom, and 30 MB */
        hd_vec_release(&s->table);
        hd_vec_release(&s->slots);
    }
    return end(s, t, found);
}

/* ---- one variable by dividing ---- */

/* The variable itself, or with zeros before it? */
static bool is_plain(const hd_task *t, hd_expr e, hd_var v) {
    const hd_node *n = hd_expr_node(t->g, e);
    n = n->op == HD_OP_ZEXT ? hd_expr_node(t->g, n->a) : n;
    return n->op == HD_OP_VAR && n->a == v;
}

static bool mentions(const hd_task *t, hd_expr e, hd_var v) {
    const hd_support *support = hd_expr_support(t->g, e);
    for (uint32_t i = 0; i < support->n; i++)
        if (support->v[i] == v)
            return true;
    return false;
}

/* Is `v` in one term only, as a factor?  The other one is left in s->factor. */
static bool is_factor(hd_halves *s, const hd_task *t, hd_var v, uint32_t *term) {
    uint32_t n_terms = 0;
    for (uint32_t i = 0; i < s->equation.n; i++)
        if (mentions(t, s->equation.terms[i], v)) {
            *term = i;
            n_terms++;
        }
    if (n_terms != 1)
        return false;
    const hd_node *n = hd_expr_node(t->g, s->equation.terms[*term]);
    s->factor = HD_NONE;
    if (n->op != HD_OP_MUL)
        return is_plain(t, s->equation.terms[*term], v);
    s->factor = is_plain(t, n->a, v) ? n->b : n->a;
    return (is_plain(t, n->a, v) || is_plain(t, n->b, v)) && !mentions(t, s->factor, v);
}

/* All others are the first half; the last variable's term, without it, is not in its sum. */
static bool set_apart(hd_halves *s, const hd_task *t, uint32_t side, uint32_t term) {
    s->first = (half){.n_cases = 1};
    s->last = side;
    for (uint32_t i = 0; i < s->n; i++)
        if (i != side && s->group[i] < s->n) {
            s->first.sides[s->first.n++] = i;
            s->first.n_cases = times(s->first.n_cases, n_values(s, i));
        }
    for (uint32_t i = 0; i < s->equation.n; i++)
        if (i != term)
            s->first.terms[s->first.n_terms++] = i;
    s->second = (half){.n = 1, .sides = {side}, .n_terms = 1, .terms = {term}};
    return s->first.n_cases <= MAX_LOOKED_UP && compile(s, t, &s->first) &&
           (!s->factor || hd_straight_compute(s->straight, s->factor));
}

static uint64_t odd_inverse(uint64_t a) {
    uint64_t x = a;
    for (int i = 0; i < 6; i++)
        x *= 2 - a * x;
    HD_CHECK(a * x == 1);
    return x;
}

/* A value, if it is on its side. */
static bool choose_value(hd_halves *s, uint32_t i, uint64_t value) {
    const hd_side *side = &s->sides[i];
    uint64_t way = (value - side->start) & hd_mask(side->width);
    s->chosen[i] = way / side->by;
    return value <= hd_mask(side->width) && way % side->by == 0 && s->chosen[i] <= side->n_more;
}

/* factor * x = -(all the rest): x is known but for the bits above those that the factor has. */
static bool divide(const half_visit *v) {
    hd_halves *s = v->s;
    unsigned width = s->equation.width;
    uint64_t mask = hd_mask(width), rest = (0 - s->equation.constant - sum_of(s, v->h)) & mask,
             factor = s->equation.factors[s->second.terms[0]] *
                          (s->factor ? hd_straight_value(s->straight, s->factor) : 1) &
                      mask;
    unsigned zeros = factor ? (unsigned)__builtin_ctzll(factor) : width;
    if (rest & hd_mask(zeros) && zeros)
        return false;
    uint64_t x = zeros == width ? 0 : (rest >> zeros) * odd_inverse(factor >> zeros),
             step = UINT64_C(1) << (width - zeros) % 64;
    x &= hd_mask(width - zeros) & -(uint64_t)(zeros < width);
    for (int i = 0; i < 4 && x <= hd_mask(s->sides[s->last].width); i++) {
        if (choose_value(s, s->last, x)) {
            set_chosen(v, v->h);
            set_chosen(v, &s->second);
            if (is_solution(v))
                return true;
        }
        if (zeros == 0 || __builtin_add_overflow(x, step, &x))
            return false;
    }
    s->is_partial |= x <= hd_mask(s->sides[s->last].width);
    return false;
}

static hd_verdict divide_for_one(hd_halves *s, const hd_task *t, hd_model *model) {
    for (uint32_t side = s->n; side-- > 0;) {
        uint32_t term = 0;
        if (s->group[side] == s->n || !is_factor(s, t, s->sides[side].v, &term) ||
            !set_apart(s, t, side, term))
            continue;
        return end(s, t, visit_all(&(half_visit){s, t, model, &s->first, divide}));
    }
    return HD_UNKNOWN;
}

/* ---- equations ---- */

static hd_verdict try_equation(hd_halves *s, const hd_task *t, hd_model *model) {
    s->budget = BUDGET;
    s->n_solutions = 0;
    s->is_partial = false;
    find_groups(s, t);
    return make_halves(s, t) ? meet_halves(s, t, model) : divide_for_one(s, t, model);
}

hd_verdict hd_halves_try(hd_halves *s, hd_task *t, const hd_side *sides, hd_model *model) {
    int n_tried = 0;
    hd_verdict verdict = HD_UNKNOWN;
    s->sides = sides;
    s->n = (uint32_t)t->vars.n;
    HD_ASSERT(s->n <= HD_MAX_LEAVES);
    for (size_t i = t->constraints.n; i-- > 0 && verdict == HD_UNKNOWN && n_tried < MAX_EQUATIONS;)
        if (hd_expr_support(t->g, t->constraints.at[i])->n > 1 &&
            hd_equation_read(t->g, t->constraints.at[i], &s->equation)) {
            verdict = try_equation(s, t, model);
            n_tried++;
        }
    return verdict;
}
