/* settle.c -- solved pointers as a memory graph that the machine can build.
 *
 * What a solution says about pointers is which are NULL and which are equal; which object a
 * solver picked for each class of equal pointers means nothing.  The machine makes objects in
 * the order in which pointers are initialised, roots first to last, each with its cells.  An
 * object belongs to the first pointer that leads to it, so that the same graph always has
 * the same names (variables.h, N2), and its contents are what the path knows about the cells
 * of that pointer. */
#include "explore/explore_int.h"

#include "base/panic.h"

#include <string.h>

typedef struct settling {
    hd_variables *variables;
    hd_model *model;
    hd_model old;     /* the same before anything was renamed */
    hd_map new_owner; /* by old address: objects that have been met */
} settling;

static hd_var owner_of(const hd_variables *vs, uint64_t value) {
    if (HD_POINTER_IS_FRESH(value))
        return (hd_var)((value - HD_POINTER_FRESH(0)) / 64);
    return value ? hd_variables_owner_of(vs, value) : UINT32_MAX;
}

static uint64_t own_object(const hd_variables *vs, hd_var v) {
    uint64_t object = hd_variables_info(vs, v)->object;
    HD_ASSERT(hd_variables_info(vs, v)->kind == HD_VAR_POINTER);
    return object ? object : HD_POINTER_FRESH(v);
}

/* "q->next" for cell "p->next" of p, when q takes over. */
static char *renamed(const char *cell, const char *from, const char *to) {
    const char *at = strstr(cell, from);
    if (!at)
        return hd_text_format("%s's %s", to, cell);
    return hd_text_format("%.*s%s%s", (int)(at - cell), cell, to, at + strlen(from));
}

/* The cell of `owner`'s object that is what `cell` is of its own. */
static hd_var twin_of(settling *s, hd_var cell, hd_var owner) {
    const hd_var_info *info = hd_variables_info(s->variables, cell);
    if (info->owner == owner)
        return cell;
    char *name = renamed(info->name, hd_variables_info(s->variables, info->owner)->name,
                         hd_variables_info(s->variables, owner)->name);
    hd_var twin = hd_variables_cell(s->variables, owner, info->number, info->kind, info->width,
                                    info->type, name);
    free(name);
    HD_ASSERT(hd_variables_info(s->variables, twin)->owner == owner);
    return twin;
}

typedef hd_vec(hd_var) vars;

static int compare_numbers(const void *a, const void *b, void *variables) {
    uint64_t x = hd_variables_info(variables, *(const hd_var *)a)->number;
    uint64_t y = hd_variables_info(variables, *(const hd_var *)b)->number;
    return (x > y) - (x < y);
}

/* The roots, or the cells of `owner`'s object, in order. */
static void list_known(const settling *s, bool roots, hd_var owner, vars *out) {
    uint32_t n = hd_variables_n(s->variables);
    for (hd_var v = 0; v < n; v++) {
        const hd_var_info *info = hd_variables_info(s->variables, v);
        bool is_ours = roots ? info->is_root : !info->is_root && info->owner == owner;
        if (is_ours && hd_model_has(&s->old, v))
            hd_vec_push(out, v);
    }
    if (out->n)
        qsort_r(out->at, out->n, sizeof *out->at, compare_numbers, s->variables);
}

static void put_pointer(settling *s, hd_var v, hd_var from);

/* Variable `v` gets what `from` was in the old naming. */
static void put(settling *s, hd_var v, hd_var from) {
    HD_INVARIANT(N4, hd_variables_info(s->variables, v)->kind ==
                             hd_variables_info(s->variables, from)->kind &&
                         hd_variables_info(s->variables, v)->width ==
                             hd_variables_info(s->variables, from)->width);
    if (hd_variables_info(s->variables, v)->kind == HD_VAR_POINTER)
        put_pointer(s, v, from);
    else
        hd_model_set(s->model, v, hd_model_get(&s->old, from));
}

/* The object's contents are what the path knows of it: the cells of the pointer through which
 * it is reached, else those of the pointer that it is named after. */
static void put_cells(settling *s, hd_var v, hd_var from) {
    vars cells = {0};
    list_known(s, false, from, &cells);
    hd_var named = owner_of(s->variables, hd_model_get(&s->old, from));
    if (!cells.n && named != UINT32_MAX)
        list_known(s, false, named, &cells);
    for (size_t i = 0; i < cells.n; i++)
        put(s, twin_of(s, cells.at[i], v), cells.at[i]);
    hd_vec_release(&cells);
}

static void put_pointer(settling *s, hd_var v, hd_var from) {
    uint64_t object = hd_model_get(&s->old, from);
    const uint64_t *met = object ? hd_map_find(&s->new_owner, object) : NULL;
    if (!object || met) {
        hd_model_set(s->model, v, met ? own_object(s->variables, (hd_var)*met) : 0);
        return;
    }
    HD_INVARIANT(N2, !hd_model_has(s->model, v)); /* it has no object yet */
    hd_map_put(&s->new_owner, object, v);
    hd_model_set(s->model, v, own_object(s->variables, v));
    put_cells(s, v, from);
}

static void settle(hd_explorer *x, hd_model *model) {
    settling s = {.variables = x->variables, .model = model};
    vars roots = {0};
    hd_model_copy(&s.old, model);
    hd_model_clear(model); /* cells of objects that are gone would pass for known ones later */
    list_known(&s, true, 0, &roots);
    for (size_t i = 0; i < roots.n; i++)
        put(&s, roots.at[i], roots.at[i]);
    for (size_t i = 0; i < roots.n; i++)
        HD_ASSERT(hd_model_has(model, roots.at[i]));
    hd_vec_release(&roots);
    hd_model_release(&s.old);
    hd_map_release(&s.new_owner);
}

/* Is the graph one that has its names already? */
static bool is_settled(hd_explorer *x, const hd_model *model) {
    hd_model again = {0};
    hd_model_copy(&again, model);
    settle(x, &again);
    bool is_it = true;
    for (hd_var v = 0; v < hd_variables_n(x->variables) && is_it; v++)
        is_it = hd_model_has(model, v) == hd_model_has(&again, v) &&
                hd_model_get(model, v) == hd_model_get(&again, v);
    hd_model_release(&again);
    return is_it;
}

void hd_explorer_settle(hd_explorer *x, hd_model *model) {
    settle(x, model);
    HD_CHECK_INVARIANT(N2, is_settled(x, model));
}
