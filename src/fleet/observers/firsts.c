/* firsts: when each way of a branch and each finding was met for the first time. */
#include "fleet/observer.h"

#include "record/stored.h"

#include <stdlib.h>

typedef struct firsts {
    hd_firsts met; /* in a sum: in order, each once, the earliest */
} firsts;

static void coverage_grew(void *self, uint32_t way, double seconds) {
    firsts *f = self;
    hd_vec_push(&f->met, ((hd_first){HD_FIRST_WAY, way, seconds}));
}

static void found(void *self, uint64_t signature, double seconds) {
    firsts *f = self;
    hd_vec_push(&f->met, ((hd_first){HD_FIRST_FINDING, signature, seconds}));
}

static void save(const void *self, hd_text *out) {
    const firsts *f = self;
    if (f->met.n)
        hd_firsts_pack(out, &f->met);
}

static void take(void *self, hd_text *out) {
    firsts *f = self;
    save(self, out);
    hd_vec_clear(&f->met);
}

static int compare(const void *left, const void *right) {
    const hd_first *a = left, *b = right;
    return a->kind != b->kind         ? (a->kind < b->kind ? -1 : 1)
           : a->what != b->what       ? (a->what < b->what ? -1 : 1)
           : a->seconds != b->seconds ? (a->seconds < b->seconds ? -1 : 1)
                                      : 0;
}

static void keep_earliest(hd_firsts *f) {
    size_t n = 0;
    if (!f->n)
        return;
    qsort(f->at, f->n, sizeof *f->at, compare);
    for (size_t i = 0; i < f->n; i++)
        if (!n || f->at[n - 1].kind != f->at[i].kind || f->at[n - 1].what != f->at[i].what)
            f->at[n++] = f->at[i];
    f->n = n;
}

static bool add(void *sum, const void *bytes, size_t n) {
    firsts *f = sum;
    if (!hd_firsts_unpack(bytes, n, &f->met))
        return false;
    keep_earliest(&f->met);
    return true;
}

static void release(void *self) {
    hd_vec_release(&((firsts *)self)->met);
}

const hd_observer hd_observer_firsts = {.name = "firsts",
                                        .size = sizeof(firsts),
                                        .coverage_grew = coverage_grew,
                                        .found = found,
                                        .take = take,
                                        .add = add,
                                        .save = save,
                                        .release = release};
