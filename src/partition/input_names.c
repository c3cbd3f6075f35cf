#include "partition/input_names.h"

#include "base/nearest.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Characters that would end a name in one of the formats. */
static bool is_writable(const char *name) {
    for (const char *at = name; *at; at++)
        if (!isprint((unsigned char)*at) || strchr("`|\\#", *at))
            return false;
    return *name != '\0';
}

static bool is_same_place(const hd_var_info *a, const hd_var_info *b) {
    return a->number == b->number && strcmp(a->name, b->name) == 0;
}

static bool is_root_integer(const hd_var_info *info) {
    return info->is_root && info->kind == HD_VAR_INTEGER && is_writable(info->name);
}

/* Two inputs of one name and number differ in their width only: a condition could mean both. */
bool hd_names_has(const hd_names *names, hd_var v) {
    if (v >= hd_variables_n(names->variables))
        return false;
    const hd_var_info *info = hd_variables_info(names->variables, v);
    for (hd_var w = 0; w < hd_variables_n(names->variables); w++)
        if (w != v && is_same_place(info, hd_variables_info(names->variables, w)))
            return false;
    return is_root_integer(info);
}

bool hd_names_is_signed(const hd_names *names, hd_var v) {
    const hd_var_info *info = hd_variables_info(names->variables, v);
    if (!info->type)
        return strncmp(info->name, "choose(-", 8) == 0;
    return names->types && hd_types_get(names->types, info->type)->is_signed;
}

static bool is_only_one(const hd_names *names, hd_var v) {
    const char *name = hd_variables_info(names->variables, v)->name;
    for (hd_var w = 0; w < hd_variables_n(names->variables); w++)
        if (w != v && strcmp(hd_variables_info(names->variables, w)->name, name) == 0)
            return false;
    return true;
}

void hd_names_print(const hd_names *names, hd_var v, hd_text *out) {
    const hd_var_info *info = hd_variables_info(names->variables, v);
    hd_text_add(out, "%s", info->name);
    if (!is_only_one(names, v))
        hd_text_add(out, "#%lu", info->number);
}

/* ---- finding ---- */

static bool refuse(const hd_names *names, const char *name, const char *where, hd_err *err) {
    hd_vec(const char *) known = {0};
    for (hd_var v = 0; v < hd_variables_n(names->variables); v++)
        if (hd_names_has(names, v))
            hd_vec_push(&known, hd_variables_info(names->variables, v)->name);
    hd_vec_push(&known, NULL);
    const char *nearest = hd_nearest_name(name, known.at);
    hd_err_set(err, "%sthe program was not seen to ask for an integer '%s'", where, name);
    if (nearest)
        hd_err_hint(err, "did you mean '%s'?", nearest);
    else
        hd_err_hint(err, "'heddle partition' shows what inputs are called; a larger "
                         "'--shallow-depth' sees more of them");
    hd_vec_release(&known);
    return false;
}

static bool refuse_several(const char *name, const char *where, uint64_t number, hd_err *err) {
    hd_err_set(err, "%sthe program asks for several inputs that are called '%s'", where, name);
    return hd_err_hint(err, "say which one by its number: '%s#%lu'", name, number);
}

bool hd_names_find(const hd_names *names, const char *name, const char *where, hd_var *v,
                   hd_err *err) {
    const char *mark = strrchr(name, '#');
    char *end = NULL,
         *alone = hd_text_format("%.*s", mark ? (int)(mark - name) : (int)strlen(name), name);
    unsigned long number = mark ? strtoul(mark + 1, &end, 10) : 0;
    uint32_t n_found = 0;
    uint64_t first = 0;
    for (hd_var w = 0; w < hd_variables_n(names->variables); w++) {
        const hd_var_info *info = hd_variables_info(names->variables, w);
        if (!hd_names_has(names, w) || strcmp(info->name, alone) != 0 ||
            (mark && (*end || !mark[1] || info->number != number)))
            continue;
        first = n_found++ ? first : info->number;
        *v = w;
    }
    bool is_found = n_found == 1 || (n_found ? refuse_several(alone, where, first, err)
                                             : refuse(names, name, where, err));
    free(alone);
    return is_found;
}
