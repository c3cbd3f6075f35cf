/* grid.c -- rows of axes, and the search over them (grid.h).
 *
 * First each axis by itself: its constraints leave out values, and of values that look alike to
 * what depends on other axes one is kept.  Then axes get an order in which constraints are known
 * soon.  The last axes together, up to a block of combinations, are the tail: it is computed in
 * columns; rows of the others, the head, are chosen one by one, in columns of one number. */
#include "solve/grid_int.h"

#include "base/hash.h"
#include "base/panic.h"

#include <string.h>

enum {
    OVERHEAD = 8, /* of an instruction, in units of the budget */
};

typedef hd_grid_axis_rows axis;

/* ---- running ---- */

/* `alive` has a bit for each of n combinations; what is left of it. */
static uint64_t check(const uint64_t *truth, uint64_t alive, unsigned n) {
    uint64_t holds = 0;
    for (unsigned i = 0; i < n; i++)
        holds |= (truth[i] & 1) << i;
    return alive & holds;
}

static uint64_t run(hd_grid *s, const hd_column_op *begin, const hd_column_op *end, unsigned n) {
    uint64_t alive = hd_mask(n);
    int64_t cost = 1;
    HD_ASSERT(n >= 1 && n <= HD_GRID_BLOCK);
    for (const hd_column_op *x = begin; x < end && alive; x++) {
        cost += OVERHEAD + x->cost * n;
        if (x->op == HD_COLUMN_CHECK)
            alive = check(s->columns.at[x->a], alive, n);
        else
            hd_columns_apply(s->columns.at, s->places.elements.at, x, n);
    }
    s->budget -= cost;
    return alive;
}

/* ---- one axis by itself ---- */

static void list_own(hd_grid *s, uint32_t number) {
    hd_vec_clear(&s->own);
    for (size_t i = 0; i < s->code.n; i++)
        if (s->code.at[i].axes == UINT32_C(1) << number)
            hd_vec_push(&s->own, s->code.at[i]);
}

static void list_atoms(hd_grid *s, uint32_t number) {
    axis *x = &s->axes[number];
    hd_vec_clear(&x->atoms);
    for (uint32_t r = 0; r < s->axes_of.n; r++)
        if (s->is_atom.at[r] && s->axes_of.at[r] == UINT32_C(1) << number)
            hd_vec_push(&x->atoms, r);
}

/* While rows are found, they stand one after the other. */
static const uint64_t *atoms_of(const axis *x, uint32_t row) {
    return x->rows.at + row * x->atoms.n;
}

/* The slot of the row with the atoms of entry `i`, or the empty one where it belongs. */
static uint32_t *find_row(hd_grid *s, const axis *x, const uint64_t *atoms) {
    uint64_t hash = 0;
    for (size_t k = 0; k < x->atoms.n; k++)
        hash = hd_mix(hash ^ atoms[k]);
    for (size_t at = hash & (s->slots.n - 1);; at = (at + 1) & (s->slots.n - 1)) {
        uint32_t row = s->slots.at[at];
        if (!row || !memcmp(atoms_of(x, row - 1), atoms, x->atoms.n * sizeof *atoms))
            return &s->slots.at[at];
    }
}

static void add_row(hd_grid *s, axis *x, uint32_t entry, uint64_t value) {
    for (size_t k = 0; k < x->atoms.n; k++)
        hd_vec_push(&x->rows, s->columns.at[x->atoms.at[k]][entry]);
    uint32_t *slot = find_row(s, x, x->rows.at + x->rows.n - x->atoms.n);
    if (*slot) {
        x->rows.n -= x->atoms.n;
        return;
    }
    hd_vec_push(&x->values_of_rows, value);
    *slot = (uint32_t)x->values_of_rows.n;
}

static void clear_slots(hd_grid *s, const axis *x) {
    size_t n = 16;
    while (n < 2 * (size_t)x->n_values)
        n *= 2;
    hd_vec_reserve(&s->slots, n);
    s->slots.n = n;
    memset(s->slots.at, 0, n * sizeof *s->slots.at);
}

/* Atom by atom instead of row by row, so that a block of rows is a piece of a column. */
static void turn_rows(hd_grid *s, axis *x) {
    size_t n = x->values_of_rows.n, n_atoms = x->atoms.n;
    x->n_rows = (uint32_t)n;
    hd_vec_reserve(&s->scratch, n * n_atoms);
    for (size_t i = 0; i < n * n_atoms; i++)
        s->scratch.at[i] = x->rows.at[i];
    for (size_t row = 0; row < n; row++)
        for (size_t k = 0; k < n_atoms; k++)
            x->rows.at[k * n + row] = s->scratch.at[row * n_atoms + k];
}

static uint64_t *atom(const axis *x, size_t k) {
    return x->rows.at + k * x->n_rows;
}

static void find_rows(hd_grid *s, uint32_t number) {
    axis *x = &s->axes[number];
    list_own(s, number);
    list_atoms(s, number);
    clear_slots(s, x);
    hd_vec_clear(&x->rows);
    hd_vec_clear(&x->values_of_rows);
    for (uint32_t at = 0; at < x->n_values && s->budget > 0; at += HD_GRID_BLOCK) {
        uint32_t n = x->n_values - at < HD_GRID_BLOCK ? x->n_values - at : HD_GRID_BLOCK;
        memcpy(s->columns.at[x->variable], x->values + at, n * sizeof *x->values);
        uint64_t alive = run(s, s->own.at, s->own.at + s->own.n, n);
        for (; alive; alive &= alive - 1) {
            uint32_t entry = (uint32_t)__builtin_ctzll(alive);
            add_row(s, x, entry, x->values[at + entry]);
        }
    }
    turn_rows(s, x);
}

/* ---- the order of the axes ---- */

/* Combinations of the axes of `check` that have no place yet, and 0 if all have one. */
static double n_missing(const hd_grid *s, uint32_t axes, uint32_t placed) {
    double n = axes & ~placed ? 1 : 0;
    for (uint32_t left = axes & ~placed; left; left &= left - 1)
        n *= s->axes[__builtin_ctz(left)].n_rows + 0.5;
    return n;
}

static uint32_t fewest_rows(const hd_grid *s, uint32_t axes) {
    uint32_t best = (uint32_t)__builtin_ctz(axes);
    for (; axes; axes &= axes - 1)
        if (s->axes[__builtin_ctz(axes)].n_rows < s->axes[best].n_rows)
            best = (uint32_t)__builtin_ctz(axes);
    return best;
}

/* The axes of the constraint that is known soonest; all that have no place, if there is none. */
static uint32_t next_axes(const hd_grid *s, uint32_t placed) {
    double least = 0;
    uint32_t axes = (uint32_t)hd_mask(s->n_axes) & ~placed;
    for (size_t i = 0; i < s->code.n; i++) {
        const hd_column_op *x = &s->code.at[i];
        double n = x->op == HD_COLUMN_CHECK ? n_missing(s, x->axes, placed) : 0;
        if (n > 0 && (least == 0 || n < least)) {
            least = n;
            axes = x->axes & ~placed;
        }
    }
    return axes;
}

static void find_order(hd_grid *s) {
    uint32_t placed = 0, n = 0;
    while (n < s->n_axes)
        for (uint32_t axes = next_axes(s, placed); axes;) {
            uint32_t next = fewest_rows(s, axes);
            s->order[n++] = next;
            axes &= ~(UINT32_C(1) << next);
            placed |= UINT32_C(1) << next;
        }
}

/* The longest tail that fits into a block, but one axis at least. */
static void cut_tail(hd_grid *s) {
    uint64_t n = s->axes[s->order[s->n_axes - 1]].n_rows;
    HD_INVARIANT(K1, n > 0); /* an axis without rows was refuted */
    s->n_head = s->n_axes - 1;
    while (s->n_head > 0 && n * s->axes[s->order[s->n_head - 1]].n_rows <= HD_GRID_BLOCK)
        n *= s->axes[s->order[--s->n_head]].n_rows;
}

/* ---- levels ---- */

/* From which axis of the order on it is known, counting from 1; all of the tail is one level. */
static uint8_t find_level(const hd_grid *s, uint32_t axes) {
    uint32_t level = s->n_axes;
    while (level > 0 && !(axes >> s->order[level - 1] & 1))
        level--;
    return (uint8_t)(level > s->n_head ? s->n_head + 1 : level);
}

static void find_levels(hd_grid *s) {
    hd_vec_clear(&s->level_of);
    for (size_t r = 0; r < s->axes_of.n; r++)
        hd_vec_push(&s->level_of, find_level(s, s->axes_of.at[r]));
}

static bool is_mixed(const hd_column_op *x) {
    return (x->axes & (x->axes - 1)) != 0;
}

static uint8_t level_of(const hd_grid *s, const hd_column_op *x) {
    return s->level_of.at[x->op == HD_COLUMN_CHECK ? x->a : x->result];
}

static void sort_levels(hd_grid *s) {
    find_levels(s);
    hd_vec_clear(&s->levels);
    for (uint32_t level = 1; level <= s->n_head + 1; level++) {
        s->level_at[level - 1] = (uint32_t)s->levels.n;
        for (size_t i = 0; i < s->code.n; i++)
            if (is_mixed(&s->code.at[i]) && level_of(s, &s->code.at[i]) == level)
                hd_vec_push(&s->levels, s->code.at[i]);
    }
    s->level_at[s->n_head + 1] = (uint32_t)s->levels.n;
    HD_ASSERT(s->levels.n <= s->code.n);
}

static uint64_t run_level(hd_grid *s, uint32_t level, unsigned n) {
    const hd_column_op *code = s->levels.at;
    return run(s, code + s->level_at[level - 1], code + s->level_at[level], n);
}

/* Head registers that the tail uses, each once: its level is not asked for again. */
static void add_spread(hd_grid *s, uint32_t r) {
    if (s->level_of.at[r] > 0 && s->level_of.at[r] <= s->n_head) {
        s->level_of.at[r] = 0;
        hd_vec_push(&s->spread, r);
    }
}

static void find_spread(hd_grid *s) {
    hd_vec_clear(&s->spread);
    for (uint32_t i = s->level_at[s->n_head]; i < s->level_at[s->n_head + 1]; i++) {
        const hd_column_op *x = &s->levels.at[i];
        add_spread(s, x->b);
        if (x->op != HD_OP_READ)
            add_spread(s, x->a);
        if (x->op == HD_OP_ITE)
            add_spread(s, x->c);
        for (uint32_t k = 0; x->op == HD_OP_READ && k < x->c; k++)
            add_spread(s, s->places.elements.at[x->a + k]);
    }
}

/* ---- the search ---- */

static void spread_head(hd_grid *s, uint32_t n) {
    for (size_t i = 0; i < s->spread.n; i++) {
        uint64_t *column = s->columns.at[s->spread.at[i]];
        for (unsigned k = 1; k < n; k++)
            column[k] = column[0];
    }
    s->budget -= (int64_t)(s->spread.n * n);
}

/* Several axes fit into one block: their columns are the same all the time. */
static uint32_t fill_tail(hd_grid *s) {
    uint32_t n = 1;
    for (uint32_t i = s->n_axes; i-- > s->n_head;) {
        const axis *x = &s->axes[s->order[i]];
        n *= x->n_rows;
    }
    if (s->n_head + 1 == s->n_axes)
        return n;
    for (uint32_t i = s->n_axes, period = 1; i-- > s->n_head;) {
        const axis *x = &s->axes[s->order[i]];
        for (size_t k = 0; k < x->atoms.n; k++)
            for (uint32_t entry = 0; entry < n; entry++)
                s->columns.at[x->atoms.at[k]][entry] = atom(x, k)[entry / period % x->n_rows];
        period *= x->n_rows;
    }
    return n;
}

static void choose_tail(hd_grid *s, uint32_t number) {
    for (uint32_t i = s->n_axes; i-- > s->n_head;) {
        uint32_t n = s->axes[s->order[i]].n_rows;
        s->chosen[s->order[i]] = number % n;
        number /= n;
    }
}

/* The only axis of a tail that does not fit: its columns are pieces of its rows. */
static void move_tail(hd_grid *s, uint32_t at) {
    const axis *x = &s->axes[s->order[s->n_axes - 1]];
    for (size_t k = 0; k < x->atoms.n && s->n_head + 1 == s->n_axes; k++)
        s->columns.at[x->atoms.at[k]] = atom(x, k) + at;
}

static bool search_tail(hd_grid *s, uint32_t n_tail) {
    spread_head(s, n_tail < HD_GRID_BLOCK ? n_tail : HD_GRID_BLOCK);
    for (uint32_t at = 0; at < n_tail && s->budget > 0; at += HD_GRID_BLOCK) {
        uint32_t n = n_tail - at < HD_GRID_BLOCK ? n_tail - at : HD_GRID_BLOCK;
        move_tail(s, at);
        uint64_t alive = run_level(s, s->n_head + 1, n);
        if (alive) {
            choose_tail(s, at + (uint32_t)__builtin_ctzll(alive));
            return true;
        }
    }
    return false;
}

static bool search_from(hd_grid *s, uint32_t at, uint32_t n_tail) {
    if (at == s->n_head)
        return search_tail(s, n_tail);
    const axis *x = &s->axes[s->order[at]];
    for (uint32_t row = 0; row < x->n_rows && s->budget > 0; row++) {
        for (size_t k = 0; k < x->atoms.n; k++)
            s->columns.at[x->atoms.at[k]][0] = atom(x, k)[row];
        s->chosen[s->order[at]] = row;
        if (run_level(s, at + 1, 1) && search_from(s, at + 1, n_tail))
            return true;
    }
    return false;
}

static bool has_false_constant(const hd_grid *s) {
    for (size_t i = 0; i < s->code.n; i++)
        if (!s->code.at[i].axes && !s->constant.at[s->code.at[i].a])
            return true;
    return false;
}

static bool find_all_rows(hd_grid *s) {
    hd_grid_make_columns(s);
    for (uint32_t i = 0; i < s->n_axes && s->budget > 0; i++) {
        find_rows(s, i);
        if (!s->axes[i].n_rows)
            return false;
    }
    return true;
}

/* ---- near the first values ---- */

static void list_mixed(hd_grid *s) {
    hd_vec_clear(&s->levels);
    for (size_t i = 0; i < s->code.n; i++)
        if (is_mixed(&s->code.at[i]))
            hd_vec_push(&s->levels, s->code.at[i]);
}

/* All columns of an axis have its first row. */
static void put_first_row(hd_grid *s, const axis *x) {
    for (size_t k = 0; k < x->atoms.n; k++) {
        uint32_t r = x->atoms.at[k];
        s->columns.at[r] = s->memory.at + (size_t)r * HD_GRID_BLOCK;
        for (unsigned i = 0; i < HD_GRID_BLOCK; i++)
            s->columns.at[r][i] = atom(x, k)[0];
    }
}

static bool search_axis(hd_grid *s, uint32_t number) {
    const axis *x = &s->axes[number];
    for (uint32_t at = 0; at < x->n_rows && s->budget > 0; at += HD_GRID_BLOCK) {
        uint32_t n = x->n_rows - at < HD_GRID_BLOCK ? x->n_rows - at : HD_GRID_BLOCK;
        for (size_t k = 0; k < x->atoms.n; k++)
            s->columns.at[x->atoms.at[k]] = atom(x, k) + at;
        uint64_t alive = run(s, s->levels.at, s->levels.at + s->levels.n, n);
        if (alive) {
            s->chosen[number] = at + (uint32_t)__builtin_ctzll(alive);
            return true;
        }
    }
    return false;
}

static bool search_near(hd_grid *s, uint32_t n_near) {
    list_mixed(s);
    memset(s->chosen, 0, sizeof s->chosen);
    for (uint32_t i = 0; i < s->n_axes; i++)
        put_first_row(s, &s->axes[i]);
    for (uint32_t i = 0; i < n_near && i < s->n_axes; i++) {
        if (search_axis(s, i))
            return true;
        put_first_row(s, &s->axes[i]);
    }
    return false;
}

/* ---- all of it ---- */

static bool search_far(hd_grid *s) {
    find_order(s);
    cut_tail(s);
    sort_levels(s);
    find_spread(s);
    return search_from(s, 0, fill_tail(s));
}

hd_verdict hd_grid_search_near(hd_grid *s, uint32_t n_near, int64_t *budget, uint64_t *chosen) {
    HD_ASSERT(s->n_axes >= 1);
    s->budget = *budget;
    bool can_be = !has_false_constant(s) && find_all_rows(s) && s->budget > 0;
    bool found = can_be && ((n_near && search_near(s, n_near)) || search_far(s));
    for (uint32_t i = 0; i < s->n_axes && found; i++)
        chosen[i] = s->axes[i].values_of_rows.at[s->chosen[i]];
    *budget = s->budget;
    return found ? HD_SAT : s->budget > 0 ? HD_UNSAT : HD_UNKNOWN;
}

hd_verdict hd_grid_search(hd_grid *s, int64_t *budget, uint64_t *chosen) {
    return hd_grid_search_near(s, 0, budget, chosen);
}

/* ---- one axis with many values ---- */

static void take_given(hd_grid *s, const uint32_t *offsets, uint32_t n) {
    for (size_t k = 0; k < s->given.n; k++) {
        const uint32_t *values = s->given.at[k].by_offset;
        uint64_t *column = s->columns.at[s->given.at[k].number];
        for (uint32_t i = 0; i < n; i++)
            column[i] = values[offsets[i]];
    }
}

static void put_kept(const hd_grid *s, const uint32_t *offsets, uint32_t n) {
    for (size_t k = 0; k < s->kept.n; k++) {
        const uint64_t *column = s->columns.at[s->kept.at[k].number];
        for (uint32_t i = 0; i < n; i++)
            s->kept.at[k].by_offset[offsets[i]] = (uint32_t)column[i];
    }
}

uint32_t hd_grid_filter(hd_grid *s, uint64_t start, uint64_t mask, uint32_t *offsets, uint32_t n) {
    uint32_t kept = 0;
    HD_ASSERT(s->n_axes == 1);
    if (has_false_constant(s))
        return 0;
    hd_grid_make_columns(s);
    list_own(s, 0);
    uint64_t *column = s->columns.at[s->axes[0].variable];
    for (uint32_t at = 0; at < n; at += HD_GRID_BLOCK) {
        uint32_t n_block = n - at < HD_GRID_BLOCK ? n - at : HD_GRID_BLOCK;
        for (uint32_t i = 0; i < n_block; i++)
            column[i] = (start + offsets[at + i]) & mask;
        take_given(s, offsets + at, n_block);
        uint64_t alive = run(s, s->own.at, s->own.at + s->own.n, n_block);
        put_kept(s, offsets + at, n_block);
        for (; alive; alive &= alive - 1, kept++) {
            uint32_t from = at + (uint32_t)__builtin_ctzll(alive), other = offsets[kept];
            offsets[kept] = offsets[from];
            offsets[from] = other;
        }
    }
    return kept;
}
