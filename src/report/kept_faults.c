/* The faults of a run as its record keeps them: a list of JSON objects
 *     {"kind": "drop", "from": 3, "to": 1, "total": 1, "per_node": 1, "per_link": 1, "nth": 1,
 *      "received": 1, "begins": 0, "ends": 5, "duration": 0, "window": 0, "keeps_files": false}
 * "from" and "to" are sets of nodes, as in kept_options.c; a budget or end that is not there is
 * none. */
#include "report/kept_int.h"

#include <string.h>

static void put_number(json_t *o, const char *key, uint64_t n, uint64_t usual) {
    if (n != usual)
        json_object_set_new(o, key, json_integer((json_int_t)n));
}

static json_t *write_fault(const hd_fault *f) {
    json_t *o = json_pack("{s:s, s:o, s:o}", "kind", hd_fault_word(f->kind), "from",
                          hd_kept_write_set(f->from), "to", hd_kept_write_set(f->to));
    put_number(o, "total", f->total, HD_NO_BUDGET);
    put_number(o, "per_node", f->per_node, HD_NO_BUDGET);
    put_number(o, "per_link", f->per_link, HD_NO_BUDGET);
    put_number(o, "nth", f->nth, 0);
    put_number(o, "received", f->received, 0);
    put_number(o, "begins", f->begins, 0);
    put_number(o, "ends", f->ends, UINT64_MAX);
    put_number(o, "duration", f->duration, 0);
    put_number(o, "window", f->window, 0);
    put_number(o, "keeps_files", f->keeps_files, false);
    return o;
}

json_t *hd_kept_write_faults(const hd_kept_options *kept) {
    json_t *list = json_array();
    for (size_t i = 0; i < kept->faults.n; i++)
        json_array_append_new(list, write_fault(&kept->faults.at[i]));
    return list;
}

static uint64_t number(const json_t *o, const char *key, uint64_t usual) {
    const json_t *n = json_object_get(o, key);
    return n ? (uint64_t)json_integer_value(n) : usual;
}

static bool find_kind(const json_t *o, hd_fault_kind *kind) {
    const char *word = json_string_value(json_object_get(o, "kind"));
    for (unsigned k = 0; word && k < HD_N_FAULTS; k++)
        if (strcmp(word, hd_fault_word((hd_fault_kind)k)) == 0) {
            *kind = (hd_fault_kind)k;
            return true;
        }
    return false;
}

static bool read_fault(hd_kept_options *kept, const json_t *o) {
    hd_fault f = {.total = (uint32_t)number(o, "total", HD_NO_BUDGET),
                  .per_node = (uint32_t)number(o, "per_node", HD_NO_BUDGET),
                  .per_link = (uint32_t)number(o, "per_link", HD_NO_BUDGET),
                  .nth = (uint32_t)number(o, "nth", 0),
                  .received = (uint32_t)number(o, "received", 0),
                  .begins = number(o, "begins", 0),
                  .ends = number(o, "ends", UINT64_MAX),
                  .duration = number(o, "duration", 0),
                  .window = (uint32_t)number(o, "window", 0),
                  .keeps_files = number(o, "keeps_files", false)};
    if (!find_kind(o, &f.kind) || !hd_kept_read_set(json_object_get(o, "from"), &f.from) ||
        !hd_kept_read_set(json_object_get(o, "to"), &f.to))
        return false;
    hd_vec_push(&kept->faults, f);
    return true;
}

bool hd_kept_read_faults(hd_kept_options *kept, const json_t *list) {
    json_t *o;
    size_t i;
    json_array_foreach(list, i, o) {
        if (!read_fault(kept, o))
            return false;
    }
    return true;
}
