/* Values of one variable (values_left.h). */
#include "solve/values_left.h"

#include "solve/arc.h"
#include "solve/grid.h"

#include "base/hostile.h"
#include "base/panic.h"

#include <string.h>

enum {
    N_LINES = 4,
    N_COLUMNS = HD_HOSTILE(32, 3),    /* of a line */
    MAX_NUMBERS = 1 << 24,            /* in all of them */
    FEW_VALUES = HD_HOSTILE(1024, 8), /* which are computed again */
    MAX_VALUES = 1 << 20,
    BUDGET = 300000000,    /* for one question that multiplies or divides, in units of grid.h */
    SMALL_BUDGET = 600000, /* for others */
};

typedef struct left_entry {
    hd_expr constraint;
    uint32_t n;
} left_entry;

/* The values of an expression by offset (N2). */
typedef struct kept_column {
    hd_expr e;
    size_t n_entries; /* whose values it is right for */
    hd_vec(uint32_t) by_offset;
} kept_column;

/* One variable; others may take its place. */
typedef struct values_line {
    hd_var v;
    hd_arc arc; /* the values; no entries if it was never used */
    hd_vec(left_entry) entries;
    hd_vec(uint32_t) offsets;
    kept_column columns[N_COLUMNS]; /* later ones need as many constraints, or more */
    uint32_t n_columns;
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
        hd_vec_clear(&s->lines[i].entries), s->lines[i].n_columns = 0;
    hd_grid_forget(s->grid);
}

void hd_values_left_free(hd_values_left *s) {
    for (int i = 0; i < N_LINES; i++) {
        hd_vec_release(&s->lines[i].entries);
        hd_vec_release(&s->lines[i].offsets);
        for (int k = 0; k < N_COLUMNS; k++)
            hd_vec_release(&s->lines[i].columns[k].by_offset);
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
    x->n_columns = 0;
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
    while (x->n_columns && x->columns[x->n_columns - 1].n_entries > n)
        x->n_columns--;
    x->entries.n = n + take_opposite(x, t, n);
}

static uint32_t n_left(const values_line *x) {
    return n_before(x, x->entries.n);
}

static void give_columns(hd_values_left *s, const values_line *x) {
    for (uint32_t i = 0; i < x->n_columns; i++)
        hd_grid_give(s->grid, x->columns[i].e, x->columns[i].by_offset.at);
}

/* The oldest makes room: later constraints seldom ask for it. */
static kept_column *new_column(values_line *x) {
    if (x->n_columns == N_COLUMNS || (x->n_columns + 1) * x->offsets.n > MAX_NUMBERS) {
        kept_column oldest = x->columns[0];
        x->n_columns--;
        memmove(x->columns, x->columns + 1, x->n_columns * sizeof *x->columns);
        x->columns[x->n_columns] = oldest;
    }
    return &x->columns[x->n_columns++];
}

static void keep_column(hd_values_left *s, values_line *x, hd_expr e) {
    kept_column *c = new_column(x);
    c->e = e;
    c->n_entries = x->entries.n;
    HD_INVARIANT(N2, x->n_columns == 1 || c[-1].n_entries <= c->n_entries);
    hd_vec_reserve(&c->by_offset, x->offsets.n);
    hd_grid_keep(s->grid, e, c->by_offset.at);
}

static bool is_kept(const values_line *x, hd_expr e) {
    for (uint32_t i = 0; i < x->n_columns; i++)
        if (x->columns[i].e == e)
            return true;
    return false;
}

/* What the constraint compares, if it computes that. */
static void keep_operand(hd_values_left *s, values_line *x, const hd_graph *g, hd_expr e) {
    unsigned width = hd_expr_width(g, e);
    if (width > 1 && width <= 32 && hd_node_n_operands(g, hd_expr_node(g, e)) && !is_kept(x, e))
        keep_column(s, x, e);
}

static void keep_columns(hd_values_left *s, values_line *x, const hd_graph *g, hd_expr constraint) {
    hd_expr heaviest = hd_grid_heaviest(s->grid);
    if (!heaviest || n_left(x) < FEW_VALUES)
        return;
    keep_column(s, x, heaviest);
    const hd_node *n = hd_expr_node(g, constraint);
    while (n->op == HD_OP_NOT)
        n = hd_expr_node(g, n->a);
    if (n->op >= HD_OP_EQ && n->op <= HD_OP_SLE) {
        keep_operand(s, x, g, n->a);
        keep_operand(s, x, g, n->b);
    }
}

static bool compile(hd_values_left *s, const values_line *x, const hd_task *t, hd_expr constraint) {
    hd_grid_begin(s->grid);
    hd_grid_axis(s->grid, hd_expr_var(t->g, x->v, hd_task_width(t, x->v)), NULL, 0);
    give_columns(s, x);
    return hd_grid_add(s->grid, constraint);
}

/* Where the goal multiplies or divides, the constraints before it are worth as much as it is.  A
 * solver of bits is quick at others. */
static bool is_affordable(hd_values_left *s, values_line *x, const hd_task *t, int64_t spent) {
    if (spent <= SMALL_BUDGET || spent > BUDGET || hd_grid_is_hard(s->grid))
        return spent <= BUDGET;
    bool is_hard = compile(s, x, t, hd_task_goal(t)) && hd_grid_is_hard(s->grid);
    return is_hard && compile(s, x, t, t->constraints.at[x->entries.n]);
}

/* False if the next constraint takes too long. */
static bool add_entry(hd_values_left *s, values_line *x, const hd_task *t, int64_t *spent) {
    hd_expr constraint = t->constraints.at[x->entries.n];
    uint32_t n = n_left(x);
    if (!compile(s, x, t, constraint))
        return false;
    *spent += n * hd_grid_cost(s->grid);
    if (!is_affordable(s, x, t, *spent))
        return false;
    keep_columns(s, x, t->g, constraint);
    n = hd_grid_filter(s->grid, x->arc.start, hd_mask(hd_task_width(t, x->v)), x->offsets.at, n);
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
