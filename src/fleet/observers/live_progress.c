/* live_progress: what workers have counted since their last bundles, for the line that shows how a
 * run goes.  What bundles say is in the counters of the ledger already. */
#include "fleet/observer.h"

#include "record/stored.h"

#include <string.h>

static void progressed(void *self, const hd_run_counters *since) {
    *(hd_progress *)self = (hd_progress){1, *since};
}

static void glance(const void *self, hd_text *out) {
    const hd_progress *p = self;
    if (!p->n_workers)
        return;
    hd_pack_u32(out, p->n_workers);
    hd_counters_pack(out, &p->counters);
}

static bool add(void *sum, const void *bytes, size_t n) {
    hd_progress *p = sum;
    hd_unpack u = hd_unpack_from(bytes, n);
    uint32_t n_workers = hd_unpack_u32(&u);
    hd_run_counters more = hd_counters_unpack(&u);
    if (!hd_unpack_ok(&u) || u.at != u.end)
        return false;
    p->n_workers += n_workers;
    hd_counters_add(&p->counters, &more);
    return true;
}

/* The bundle says all of it. */
static void take(void *self, hd_text *out) {
    (void)out;
    memset(self, 0, sizeof(hd_progress));
}

static void save(const void *sum, hd_text *out) {
    (void)sum, (void)out;
}

static void begin_anew(void *self) {
    memset(self, 0, sizeof(hd_progress));
}

const hd_progress *hd_observers_progress(const hd_observers *sums) {
    return hd_observers_sum(sums, &hd_observer_live_progress);
}

const hd_observer hd_observer_live_progress = {.name = "live_progress",
                                               .size = sizeof(hd_progress),
                                               .progressed = progressed,
                                               .glance = glance,
                                               .take = take,
                                               .add = add,
                                               .save = save,
                                               .begin_anew = begin_anew};
