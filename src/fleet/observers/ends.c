/* ends: how executions ended, and with which status. */
#include "fleet/observer.h"

#include "record/stored.h"

#include <string.h>

static void execution_ended(void *self, const hd_outcome *outcome) {
    hd_ends *e = self;
    switch (outcome->end) {
    case HD_END_EXIT:
        e->exits[outcome->status & 0xff]++;
        break;
    case HD_END_REJECTED:
        e->rejected++;
        break;
    case HD_END_FINDING:
        e->findings++;
        break;
    case HD_END_STOPPED:
    case HD_END_RETRY:
        break; /* others cover the rest of it, or it is run again */
    }
}

static void save(const void *self, hd_text *out) {
    hd_ends_pack(out, self);
}

static void take(void *self, hd_text *out) {
    static const hd_ends NONE;
    if (memcmp(self, &NONE, sizeof NONE) != 0)
        save(self, out);
    memset(self, 0, sizeof(hd_ends));
}

static bool add(void *sum, const void *bytes, size_t n) {
    hd_ends *all = sum, more;
    if (!hd_ends_unpack(bytes, n, &more))
        return false;
    for (unsigned i = 0; i < 256; i++)
        all->exits[i] += more.exits[i];
    all->rejected += more.rejected;
    all->findings += more.findings;
    return true;
}

static void begin_anew(void *sum) {
    memset(sum, 0, sizeof(hd_ends));
}

const hd_observer hd_observer_ends = {.name = "ends",
                                      .size = sizeof(hd_ends),
                                      .execution_ended = execution_ended,
                                      .take = take,
                                      .add = add,
                                      .save = save,
                                      .begin_anew = begin_anew};
