/* Values of one variable (values_left.h). */
#include "solve/values_left.h"

#include "solve/arc.h"
#include "solve/grid.h"

#include "base/panic.h"

enum {
    N_LINES = 4,
    MAX_VALUES = 1 << 20,
    BUDGET = 300000000,    /* for one question that multiplies or divides, in units of grid.h */
    SMALL_BUDGET = 600000, /* for others */
};

typedef struct left_entry {
    hd_expr constraint;
    uint32_t n;
} left_entry;

/* One variable; others may take its place. */
typedef struct values_line {
    hd_var v;
    hd_arc arc; /* the values; no entries if it was never used */
    hd_vec(left_entry) entries;
    hd_vec(uint32_t) offsets;
} values_line;

struct hd_values_left {
    hd_grid *grid;
    values_line lines[N_LINES];
};

hd_values_left *hd_values_left_new(const hd_graph *g) {
    hd_values_left *s = hd_layer_memory(sizeof *s);
    s->grid = hd_grid_new(g);
    return s;
}

void hd_values_left_forget(hd_values_left *s) {
    for (int i = 0; i < N_LINES; i++)
        hd_vec_clear(&s->lines[i].entries);
    hd_grid_forget(s->grid);
}

void hd_values_left_free(hd_values_left *s) {
    for (int i = 0; i < N_LINES; i++) {
        hd_vec_release(&s->lines[i].entries);
        hd_vec_release(&s->lines[i].offsets);
    }
    hd_grid_free(s->grid);
    free(s);
}

/* The values that the first constraints leave, as few of these as make them few enough: so that
 * questions of one path begin with the same ones. */
static bool find_arc(const hd_task *t, hd_arc *arc) {
    unsigned width = hd_task_width(t, t->vars.at[0]);
    *arc = hd_arc_all(width);
    for (size_t i = 0; i + 1 < t->constraints.n && arc->span >= MAX_VALUES; i++)
        *arc = hd_arc_meet(*arc, hd_arc_by(t->g, t->constraints.at[i], true, width), width);
    return !arc->is_empty && arc->span < MAX_VALUES;
}

static bool is_same(const values_line *x, hd_var v, hd_arc arc) {
    return x->entries.n && x->v == v && x->arc.start == arc.start && x->arc.span == arc.span;
}

static void begin_line(values_line *x, hd_var v, hd_arc arc) {
    x->v = v;
    x->arc = arc;
    hd_vec_clear(&x->entries);
    hd_vec_clear(&x->offsets);
    for (uint32_t i = 0; i <= arc.span; i++)
        hd_vec_push(&x->offsets, i);
}

static uint32_t n_before(const values_line *x, size_t i) {
    return i ? x->entries.at[i - 1].n : (uint32_t)x->arc.span + 1;
}

/* Where the question has the opposite of the next constraint, as that of the other way of a branch,
 * all others are those: they come first. */
static bool take_opposite(values_line *x, const hd_task *t, size_t i) {
    if (i >= x->entries.n || i >= t->constraints.n ||
        hd_expr_not(t->g, x->entries.at[i].constraint) != t->constraints.at[i])
        return false;
    uint32_t n = n_before(x, i), n_others = n - x->entries.at[i].n;
    for (uint32_t low = 0, high = n - 1; low < n_others && high >= n_others && high > low;
         low++, high--) {
        uint32_t other = x->offsets.at[low];
        x->offsets.at[low] = x->offsets.at[high];
        x->offsets.at[high] = other;
    }
    x->entries.at[i] = (left_entry){t->constraints.at[i], n_others};
    return true;
}

/* Back to the constraints that this question has too. */
static void keep_common(values_line *x, const hd_task *t) {
    size_t n = 0;
    while (n < x->entries.n && n < t->constraints.n &&
           x->entries.at[n].constraint == t->constraints.at[n])
        n++;
    x->entries.n = n + take_opposite(x, t, n);
}

static uint32_t n_left(const values_line *x) {
    return n_before(x, x->entries.n);
}

/* False if the next constraint takes too long. */
static bool add_entry(hd_values_left *s, values_line *x, const hd_task *t, int64_t *spent) {
    hd_expr constraint = t->constraints.at[x->entries.n];
    unsigned width = hd_task_width(t, x->v);
    hd_grid_begin(s->grid);
    hd_grid_axis(s->grid, hd_expr_var(t->g, x->v, width), NULL, 0);
    if (!hd_grid_add(s->grid, constraint))
        return false;
    uint32_t n = n_left(x);
    *spent += n * hd_grid_cost(s->grid);
    if (*spent > (hd_grid_is_hard(s->grid) ? BUDGET : SMALL_BUDGET))
        return false;
    n = hd_grid_filter(s->grid, x->arc.start, hd_mask(width), x->offsets.at, n);
    HD_INVARIANT(N1, n <= n_left(x));
    hd_vec_push(&x->entries, ((left_entry){constraint, n}));
    return true;
}

static void take_least(const values_line *x, const hd_task *t, hd_model *model) {
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < n_left(x); i++)
        least = x->offsets.at[i] < least ? x->offsets.at[i] : least;
    hd_model_set(model, x->v, (x->arc.start + least) & hd_mask(hd_task_width(t, x->v)));
}

hd_verdict hd_values_left_ask(hd_values_left *s, hd_task *t, hd_model *model) {
    HD_ASSERT(t->vars.n == 1);
    hd_arc arc;
    hd_var v = t->vars.at[0];
    values_line *x = &s->lines[v % N_LINES];
    int64_t spent = 0;
    if (!find_arc(t, &arc))
        return HD_UNKNOWN;
    if (!is_same(x, v, arc))
        begin_line(x, v, arc);
    keep_common(x, t);
    while (n_left(x) && x->entries.n < t->constraints.n)
        if (!add_entry(s, x, t, &spent))
            return HD_UNKNOWN;
    if (!n_left(x)) {
        HD_CHECK_INVARIANT(N1, hd_task_has_no_model(t));
        return HD_UNSAT;
    }
    take_least(x, t, model);
    HD_CHECK_INVARIANT(N1, hd_task_holds(t, model));
    return HD_SAT;
}
