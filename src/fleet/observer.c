/* All observers, one after the other (observer.h). */
#include "fleet/observer.h"

#include "base/pack.h"
#include "record/stored.h"

#include <stdlib.h>
#include <string.h>

static const hd_observer *const ALL[] = {
#define X(name) &hd_observer_##name,
    HD_OBSERVERS(X)
#undef X
};
enum { N_OBSERVERS = sizeof ALL / sizeof *ALL };

struct hd_observers {
    void *state[N_OBSERVERS];
};

hd_observers *hd_observers_new(void) {
    hd_observers *o = hd_allocate(1, sizeof *o);
    for (size_t i = 0; i < N_OBSERVERS; i++)
        o->state[i] = hd_allocate(1, ALL[i]->size);
    return o;
}

void hd_observers_free(hd_observers *o) {
    for (size_t i = 0; i < N_OBSERVERS; i++) {
        if (ALL[i]->release)
            ALL[i]->release(o->state[i]);
        free(o->state[i]);
    }
    free(o);
}

#define TELL(o, what, ...)                                                                         \
    for (size_t i = 0; i < N_OBSERVERS; i++)                                                       \
        if (ALL[i]->what)                                                                          \
    ALL[i]->what((o)->state[i] __VA_OPT__(, ) __VA_ARGS__)

void hd_observers_execution_ended(hd_observers *o, const hd_outcome *outcome) {
    TELL(o, execution_ended, outcome);
}

void hd_observers_coverage_grew(hd_observers *o, uint32_t way, double seconds) {
    TELL(o, coverage_grew, way, seconds);
}

void hd_observers_found(hd_observers *o, uint64_t signature, double seconds) {
    TELL(o, found, signature, seconds);
}

void hd_observers_grew(hd_observers *o, const hd_growth_point *point) {
    TELL(o, grew, point);
}

void hd_observers_counted(hd_observers *o, const char *digits, bool are_possible) {
    TELL(o, counted, digits, are_possible);
}

void hd_observers_unit_done(hd_observers *o) {
    TELL(o, unit_done);
}

void hd_observers_kept(hd_observers *o, hd_test test) {
    TELL(o, kept, &test);
}

void hd_observers_progressed(hd_observers *o, const hd_run_counters *since) {
    TELL(o, progressed, since);
}

void hd_observers_machine_told(hd_observers *o, const hd_machine_sight *machine) {
    TELL(o, machine_told, machine);
}

void hd_observers_run_told(hd_observers *o, const hd_run_sight *run) {
    TELL(o, run_told, run);
}

void hd_observers_clear(hd_observers *o) {
    for (size_t i = 0; i < N_OBSERVERS; i++) {
        if (ALL[i]->release)
            ALL[i]->release(o->state[i]);
        memset(o->state[i], 0, ALL[i]->size);
    }
}

void hd_observers_begin_anew(hd_observers *o) {
    TELL(o, begin_anew);
}

const void *hd_observers_sum(const hd_observers *sums, const hd_observer *which) {
    size_t i = 0;
    while (ALL[i] != which)
        i++;
    return sums->state[i];
}

/* ---- as bytes ---- */

static void pack_one(hd_text *out, const char *name, const hd_text *bytes) {
    if (!bytes->n)
        return;
    hd_pack_string(out, name);
    hd_pack_bytes(out, bytes->at, bytes->n);
}

void hd_observers_take(hd_observers *o, hd_text *out) {
    for (size_t i = 0; i < N_OBSERVERS; i++) {
        hd_text bytes = {0};
        ALL[i]->take(o->state[i], &bytes);
        pack_one(out, ALL[i]->name, &bytes);
        hd_text_release(&bytes);
    }
}

void hd_observers_save(const hd_observers *sums, hd_text *out) {
    for (size_t i = 0; i < N_OBSERVERS; i++) {
        hd_text bytes = {0};
        ALL[i]->save(sums->state[i], &bytes);
        pack_one(out, ALL[i]->name, &bytes);
        hd_text_release(&bytes);
    }
}

void hd_observers_glance(const hd_observers *o, hd_text *out) {
    for (size_t i = 0; i < N_OBSERVERS; i++) {
        hd_text bytes = {0};
        if (ALL[i]->glance)
            ALL[i]->glance(o->state[i], &bytes);
        pack_one(out, ALL[i]->name, &bytes);
        hd_text_release(&bytes);
    }
}

bool hd_observers_add(hd_observers *sums, const void *bytes, size_t n) {
    for (size_t i = 0; i < N_OBSERVERS; i++) {
        size_t size;
        const void *part = hd_observed_find(bytes, n, ALL[i]->name, &size);
        if (part && !ALL[i]->add(sums->state[i], part, size))
            return false;
    }
    return true;
}
