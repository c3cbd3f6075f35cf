/* Tests outlive the worker that found them, and variable numbers and addresses do not: a stored
 * input is named by its position (root number, or owner and cell), and a pointer's value by the
 * pointer whose object it points to.  Going back, the same names give the variables of the new
 * process, and HD_POINTER_FRESH lets the machine choose the addresses. */
#include "fleet/fleet_int.h"

#include "record/stored.h"

#include <stdlib.h>

#define NO_VARIABLE UINT32_MAX

/* Where in the list each variable stands.  Entries of variables that are not listed are stale:
 * find() checks. */
typedef struct positions {
    const hd_var *inputs;
    uint32_t n, *at;
    uint32_t n_variables;
} positions;

static void index_inputs(positions *p, const hd_variables *vs) {
    p->n_variables = hd_variables_n(vs);
    p->at = hd_allocate(p->n_variables, sizeof *p->at);
    for (uint32_t i = 0; i < p->n; i++) {
        HD_ASSERT(p->inputs[i] < p->n_variables);
        p->at[p->inputs[i]] = i;
    }
}

static bool find(const positions *p, hd_var v, uint32_t *index) {
    if (v >= p->n_variables || p->at[v] >= p->n || p->inputs[p->at[v]] != v)
        return false;
    *index = p->at[v];
    HD_CHECK(*index < p->n);
    return true;
}

static uint64_t stored_pointer(const positions *p, const hd_variables *vs, uint64_t address) {
    uint32_t index;
    if (address == 0 || !find(p, hd_variables_owner_of(vs, address), &index))
        return 0;
    return 1 + (uint64_t)index;
}

static hd_stored_input store(const positions *p, const hd_module *module, const hd_variables *vs,
                             hd_var v, uint64_t value) {
    const hd_var_info *info = hd_variables_info(vs, v);
    bool is_pointer = info->kind == HD_VAR_POINTER;
    hd_stored_input in = {.name = hd_copy(info->name ? info->name : ""),
                          .kind = (uint8_t)info->kind,
                          .width = info->width,
                          .is_root = info->is_root,
                          .is_signed = hd_types_get(module->types, info->type)->is_signed,
                          .number = info->number,
                          .type = info->type,
                          .value = is_pointer ? stored_pointer(p, vs, value) : value,
                          .request = info->request,
                          .bit_offset = info->bit_offset,
                          .object_size = info->object_size};
    if (!info->is_root && !find(p, info->owner, &in.owner))
        in.is_root = true; /* an owner that was not used: keep the value, if only to be shown */
    return in;
}

hd_stored_input *hd_inputs_store(const hd_machine *m, const hd_module *module,
                                 const hd_variables *vs, const hd_model *model, uint32_t *n) {
    positions p = {0};
    p.inputs = hd_machine_inputs(m, &p.n);
    index_inputs(&p, vs);
    hd_stored_input *stored = hd_allocate(p.n, sizeof *stored);
    for (uint32_t i = 0; i < p.n; i++)
        stored[i] = store(&p, module, vs, p.inputs[i], hd_model_get(model, p.inputs[i]));
    free(p.at);
    *n = p.n;
    return stored;
}

/* The variable of input i, if its owner has one already. */
static hd_var variable_of(const hd_stored_input *in, const hd_var *made, hd_variables *vs) {
    hd_var_kind kind = (hd_var_kind)in->kind;
    if (in->is_root)
        return hd_variables_root(vs, in->number, kind, in->width, in->type, in->name);
    if (made[in->owner] == NO_VARIABLE)
        return NO_VARIABLE;
    return hd_variables_cell(vs, made[in->owner], (uint32_t)in->number, kind, in->width, in->type,
                             in->name);
}

/* Owners nearly always come first; go round until nothing changes for the rest. */
static bool make_variables(const hd_test *test, hd_variables *vs, hd_var *made) {
    uint32_t left = test->n_inputs, before;
    for (uint32_t i = 0; i < test->n_inputs; i++)
        made[i] = NO_VARIABLE;
    do {
        before = left;
        for (uint32_t i = 0; i < test->n_inputs; i++)
            if (made[i] == NO_VARIABLE &&
                (made[i] = variable_of(&test->inputs[i], made, vs)) != NO_VARIABLE)
                left--;
    } while (left > 0 && left < before);
    return left == 0;
}

bool hd_inputs_model(const hd_test *test, hd_variables *vs, hd_model *model) {
    hd_var *made = hd_allocate(test->n_inputs, sizeof *made);
    bool ok = make_variables(test, vs, made);
    for (uint32_t i = 0; ok && i < test->n_inputs; i++) {
        const hd_stored_input *in = &test->inputs[i];
        uint64_t value = in->value;
        if (in->kind == HD_VAR_POINTER && value != 0)
            value = HD_POINTER_FRESH(made[value - 1]);
        hd_model_set(model, made[i], value);
    }
    free(made);
    return ok;
}
