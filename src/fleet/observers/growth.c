/* growth: states, dstates, events and memory of whole systems over time (paper 004, Fig. 10). */
#include "fleet/observer.h"

#include "record/stored.h"

#include <stdlib.h>

#define MOST_POINTS 2000

/* Every other point goes, but the last one stays: there are always enough to draw. */
static void thin_out(hd_growth *g) {
    size_t n = 0;
    if (g->n <= MOST_POINTS)
        return;
    for (size_t i = (g->n - 1) % 2; i < g->n; i += 2)
        g->at[n++] = g->at[i];
    g->n = n;
}

static void grew(void *self, const hd_growth_point *point) {
    hd_growth *g = self;
    hd_vec_push(g, *point);
    thin_out(g);
}

static void save(const void *self, hd_text *out) {
    hd_growth_pack(out, self);
}

static void take(void *self, hd_text *out) {
    save(self, out);
    hd_vec_clear((hd_growth *)self);
}

static bool add(void *sum, const void *bytes, size_t n) {
    if (!hd_growth_unpack(bytes, n, sum))
        return false;
    thin_out(sum);
    return true;
}

static void begin_anew(void *sum) {
    hd_vec_clear((hd_growth *)sum);
}

static void release(void *self) {
    hd_vec_release((hd_growth *)self);
}

const hd_observer hd_observer_growth = {.name = "growth",
                                        .size = sizeof(hd_growth),
                                        .grew = grew,
                                        .take = take,
                                        .add = add,
                                        .save = save,
                                        .begin_anew = begin_anew,
                                        .release = release};
