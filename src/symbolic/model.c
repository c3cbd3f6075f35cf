#include "symbolic/model.h"

#include "base/panic.h"
#include "base/vec.h"

#include <string.h>

void hd_model_release(hd_model *m) {
    free(m->value);
    free(m->known);
    *m = (hd_model){0};
}

void hd_model_clear(hd_model *m) {
    m->n = 0;
}

static void make_room(hd_model *m, uint32_t n) {
    if (n <= m->capacity)
        return;
    size_t values = m->capacity, flags = m->capacity;
    m->value = hd_vec_grown(m->value, &values, n, sizeof *m->value);
    m->known = hd_vec_grown(m->known, &flags, n, sizeof *m->known);
    HD_ASSERT(values == flags && values >= n);
    m->capacity = (uint32_t)values;
}

void hd_model_copy(hd_model *to, const hd_model *from) {
    if (to == from)
        return;
    make_room(to, from->n);
    to->n = from->n;
    if (from->n == 0)
        return;
    memcpy(to->value, from->value, from->n * sizeof *to->value);
    memcpy(to->known, from->known, from->n * sizeof *to->known);
}

void hd_model_set(hd_model *m, hd_var v, uint64_t value) {
    HD_CHECK(v < HD_UNDEFINED); /* which no model knows */
    make_room(m, v + 1);
    if (v >= m->n) {
        memset(m->known + m->n, 0, v + 1 - m->n);
        m->n = v + 1;
    }
    m->value[v] = value;
    m->known[v] = 1;
}
