/* All memory of one execution, filled, copied or compared (P3 and P4 of core/parts.h). */
#include "machine/core/parts.h"

#define GARBAGE 3 /* entries of a map */

struct hd_visitor {
    void (*see)(hd_visitor *v, void *at, size_t n);
    bool scribbles;
    uint8_t pattern;
    hd_snapshot *copy;
    size_t at;             /* in the copy */
    const char *part;      /* that is seen now */
    const char *different; /* the first one that is */
};

/* ---- what is done with bytes ---- */

static void fill(hd_visitor *v, void *at, size_t n) {
    memset(at, v->pattern, n);
}

static void copy(hd_visitor *v, void *at, size_t n) {
    hd_vec_reserve(v->copy, v->copy->n + n);
    if (n)
        memcpy(v->copy->at + v->copy->n, at, n);
    v->copy->n += n;
}

static void compare(hd_visitor *v, void *at, size_t n) {
    HD_ASSERT(v->at <= v->copy->n);
    bool is_same = n <= v->copy->n - v->at && (n == 0 || memcmp(v->copy->at + v->at, at, n) == 0);
    if (!is_same && !v->different)
        v->different = v->part;
    v->at += n <= v->copy->n - v->at ? n : v->copy->n - v->at;
}

/* ---- what parts tell of ---- */

void hd_visit_part(hd_visitor *v, const char *name) {
    HD_ASSERT(name);
    v->part = name;
}

void hd_visit_bytes(hd_visitor *v, void *at, size_t n) {
    HD_ASSERT(v->part && (at || !n));
    v->see(v, at, n);
}

void hd_visit_loose(hd_visitor *v, void *at, size_t n) {
    if (v->scribbles)
        v->see(v, at, n);
}

void hd_visit_extent(hd_visitor *v, uint32_t *n, uint32_t most) {
    if (v->scribbles)
        *n = most;
    else
        v->see(v, n, sizeof *n);
}

/* An empty list may have no memory yet. */
void hd_visit_any_list(hd_visitor *v, void *list, size_t element) {
    char *bytes = list;
    size_t *n = (size_t *)(bytes + offsetof(hd_any_list, n));
    size_t capacity = *(size_t *)(bytes + offsetof(hd_any_list, capacity));
    if (!v->scribbles)
        v->see(v, n, sizeof *n);
    else if (capacity) {
        memset(*(void **)list, v->pattern, capacity * element);
        *n = capacity;
    }
}

void hd_visit_map(hd_visitor *v, hd_map *map) {
    if (!v->scribbles)
        v->see(v, &map->n, sizeof map->n);
    for (uint64_t i = 0; v->scribbles && i < GARBAGE; i++)
        hd_map_put(map, v->pattern + i, v->pattern);
}

/* ---- all of it ---- */

void hd_parts_scribble(hd_machine *m, uint8_t pattern) {
    hd_visitor v = {.see = fill, .scribbles = true, .pattern = pattern};
    hd_parts_visit(m, &v);
}

void hd_parts_copy(hd_machine *m, hd_snapshot *out) {
    hd_visitor v = {.see = copy, .copy = out};
    hd_vec_clear(out);
    hd_parts_visit(m, &v);
}

const char *hd_parts_compare(hd_machine *m, const hd_snapshot *with) {
    hd_visitor v = {.see = compare, .copy = (hd_snapshot *)with};
    hd_parts_visit(m, &v);
    return v.at == with->n || v.different ? v.different : "what there is";
}
