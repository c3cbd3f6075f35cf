/* The logical input map of an execution as people read it, `<3,1,3,0>` (machine.h): the cells of
 * the roots, then those of each object, and pointers as the number of the first cell that they
 * point to. */
#include "machine/core/parts.h"
#include "machine/values/values.h"

/* Logical address of the first cell of object number i. */
static uint64_t logical_base(const hd_machine *m, size_t object) {
    uint64_t base = 1;
    for (size_t k = 0; k < m->input.used.n; k++) {
        const hd_var_info *info = hd_variables_info(m->variables, m->input.used.at[k]);
        bool is_before = info->is_root;
        for (size_t o = 0; o < object && !is_before; o++)
            is_before = info->owner == m->input.objects.at[o].owner;
        base += is_before;
    }
    return base;
}

static void print_cell(const hd_machine *m, const hd_model *model, hd_var v, hd_text *out) {
    const hd_var_info *info = hd_variables_info(m->variables, v);
    uint64_t value = hd_model_get(model, v);
    hd_text_add(out, out->n && out->at[out->n - 1] != '<' ? "," : "");
    if (info->kind == HD_VAR_INTEGER) {
        bool is_signed = hd_types_get(m->module->types, info->type)->is_signed;
        int64_t number = (int64_t)(value << (64 - info->width)) >> (64 - info->width);
        hd_text_add(out, is_signed ? "%ld" : "%lu", is_signed ? number : (int64_t)value);
        return;
    }
    for (size_t i = 0; i < m->input.objects.n; i++)
        if (value && m->input.objects.at[i].address == value) {
            hd_text_add(out, "%lu", logical_base(m, i));
            return;
        }
    hd_text_add(out, "0");
}

void hd_machine_print_map(const hd_machine *m, const hd_model *model, hd_text *out) {
    hd_text_add(out, "<");
    for (size_t k = 0; k < m->input.used.n; k++)
        if (hd_variables_info(m->variables, m->input.used.at[k])->is_root)
            print_cell(m, model, m->input.used.at[k], out);
    for (size_t i = 0; i < m->input.objects.n; i++)
        for (size_t k = 0; k < m->input.used.n; k++) {
            const hd_var_info *info = hd_variables_info(m->variables, m->input.used.at[k]);
            if (!info->is_root && info->owner == m->input.objects.at[i].owner)
                print_cell(m, model, m->input.used.at[k], out);
        }
    hd_text_add(out, ">");
}
