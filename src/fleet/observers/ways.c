/* ways: which ways of branches were gone.  A worker says those that are new to it, so that a
 * bundle is not longer for a program with many branches. */
#include "fleet/observer.h"

#include "base/pack.h"
#include "base/vec.h"

typedef struct gone_ways {
    hd_vec(uint32_t) new; /* on a worker: since it was last told */
    hd_vec(uint8_t) ways; /* in a sum: 1 where somebody went */
} gone_ways;

static void coverage_grew(void *self, uint32_t way, double seconds) {
    (void)seconds;
    hd_vec_push(&((gone_ways *)self)->new, way);
}

static void take(void *self, hd_text *out) {
    gone_ways *c = self;
    if (!c->new.n)
        return;
    hd_pack_u32(out, (uint32_t)c->new.n);
    for (size_t i = 0; i < c->new.n; i++)
        hd_pack_u32(out, c->new.at[i]);
    hd_vec_clear(&c->new);
}

static void note_way(gone_ways *c, uint32_t way) {
    while (c->ways.n <= way)
        hd_vec_push(&c->ways, 0);
    c->ways.at[way] = 1;
}

static bool add(void *sum, const void *bytes, size_t n) {
    hd_unpack u = hd_unpack_from(bytes, n);
    for (uint32_t k = hd_unpack_count(&u, 4); k > 0 && hd_unpack_ok(&u); k--) {
        uint32_t way = hd_unpack_u32(&u);
        u.failed |= way >= HD_MOST_WAYS;
        if (hd_unpack_ok(&u))
            note_way(sum, way);
    }
    return hd_unpack_ok(&u) && u.at == u.end;
}

static void save(const void *sum, hd_text *out) {
    const gone_ways *c = sum;
    uint32_t n = 0;
    for (size_t i = 0; i < c->ways.n; i++)
        n += c->ways.at[i];
    if (!n)
        return;
    hd_pack_u32(out, n);
    for (uint32_t i = 0; i < c->ways.n; i++)
        if (c->ways.at[i])
            hd_pack_u32(out, i);
}

static void release(void *self) {
    hd_vec_release(&((gone_ways *)self)->new);
    hd_vec_release(&((gone_ways *)self)->ways);
}

const hd_observer hd_observer_ways = {.name = "ways",
                                      .size = sizeof(gone_ways),
                                      .coverage_grew = coverage_grew,
                                      .take = take,
                                      .add = add,
                                      .save = save,
                                      .release = release};

const uint8_t *hd_observers_covered(const hd_observers *sums, size_t *n) {
    const gone_ways *c = hd_observers_sum(sums, &hd_observer_ways);
    *n = c->ways.n;
    return c->ways.at;
}
