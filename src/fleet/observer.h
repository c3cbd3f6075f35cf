/* observer.h -- who watches executions on workers, and adds up what all of them saw (paper 003, 4).
 *
 * An observer has two sides.  On each worker it is told what happens, and says with every bundle
 * what is new, as bytes; in the ledger these are added to a sum, whose bytes the record keeps under
 * the observer's name.  Both sides are plain code; everything between them is done here.
 *
 * An observer may also say something between bundles, for those who watch the run: a glance.  It
 * goes from workers to their supervisor, from machines to the coordinator, and from all of them to
 * `heddle top`; whoever hears several adds them to a sum.
 *
 * Promise (tests/unit/test_fleet.c): what a bundle says counts once, or not at all with the bundle
 *     (L1 of ledger.h).
 * Promise (tests/unit/test_observers.c): a glance replaces the one before it of the same speaker.
 *     Nothing depends on one that was not heard, and nothing of it is kept.
 * A new one is a file in fleet/observers/ and a row here (docs/how-to-add.md). */
#ifndef HD_FLEET_OBSERVER_H
#define HD_FLEET_OBSERVER_H
#include "base/text.h"
#include "base/vec.h"
#include "fleet/glance.h"
#include "machine/machine.h"
#include "record/record.h"

#define HD_OBSERVERS(X)                                                                            \
    X(firsts) X(growth) X(scenarios) X(ends) X(ways) X(kept_tests) X(live_progress) X(top_view)

/* An observer: the calls of its two sides.  All but `take`, `add` and `save` may be NULL.
 * Executions that only rebuild are not told.  `seconds` is the processor time of the run so far, as
 * far as the worker knows it: what was committed when it began, and its own. */
typedef struct hd_observer {
    const char *name;
    size_t size; /* of the state of either side, which is zeroed at first */
    void (*execution_ended)(void *self, const hd_outcome *outcome);
    void (*coverage_grew)(void *self, uint32_t way,
                          double seconds);                         /* index in hd_batch.coverage */
    void (*found)(void *self, uint64_t signature, double seconds); /* new to this worker */
    void (*grew)(void *self, const hd_growth_point *point);        /* whole systems */
    void (*counted)(void *self, const char *digits, bool are_possible); /* hd_scenarios */
    void (*unit_done)(void *self);
    void (*kept)(void *self, hd_test *test); /* of an execution; it becomes the one observer's */
    /* Just before a glance: what a worker has counted since its last bundle; how a machine is; how
     * the run is. */
    void (*progressed)(void *self, const hd_run_counters *since);
    void (*machine_told)(void *self, const hd_machine_sight *machine);
    void (*run_told)(void *self, const hd_run_sight *run);
    void (*glance)(const void *self, hd_text *out);      /* of either side, for `add` */
    void (*take)(void *self, hd_text *out);              /* what is new, which is told then */
    bool (*add)(void *sum, const void *bytes, size_t n); /* of `take` or `save`; false: damaged */
    void (*save)(const void *sum, hd_text *out);
    /* The search counts from zero again, here or in the sum; NULL: what was seen stays. */
    void (*begin_anew)(void *self);
    void (*release)(void *self);
} hd_observer;
#define X(name) extern const hd_observer hd_observer_##name;
HD_OBSERVERS(X)
#undef X

/* All of them, on a worker or in the ledger. */
typedef struct hd_observers hd_observers;
hd_observers *hd_observers_new(void);
void hd_observers_free(hd_observers *o);

void hd_observers_execution_ended(hd_observers *o, const hd_outcome *outcome);
void hd_observers_coverage_grew(hd_observers *o, uint32_t way, double seconds);
void hd_observers_found(hd_observers *o, uint64_t signature, double seconds);
void hd_observers_grew(hd_observers *o, const hd_growth_point *point);
void hd_observers_counted(hd_observers *o, const char *digits, bool are_possible);
void hd_observers_unit_done(hd_observers *o);
void hd_observers_kept(hd_observers *o, hd_test test);
void hd_observers_progressed(hd_observers *o, const hd_run_counters *since);
void hd_observers_machine_told(hd_observers *o, const hd_machine_sight *machine);
void hd_observers_run_told(hd_observers *o, const hd_run_sight *run);
/* As if nothing had been seen. */
void hd_observers_clear(hd_observers *o);

/* Names with bytes, as hd_observed_find (record.h) reads them. */
void hd_observers_take(hd_observers *o, hd_text *out);
bool hd_observers_add(hd_observers *sums, const void *bytes, size_t n);
void hd_observers_save(const hd_observers *sums, hd_text *out);
void hd_observers_glance(const hd_observers *o, hd_text *out);
void hd_observers_begin_anew(hd_observers *o);
/* What one of them has. */
const void *hd_observers_sum(const hd_observers *sums, const hd_observer *which);
#define HD_MOST_WAYS (UINT32_C(1) << 26) /* of branches: no program has so many */
/* Of `ways`: 1 where somebody went, by the index in hd_batch.coverage; others went nowhere. */
const uint8_t *hd_observers_covered(const hd_observers *sums, size_t *n);
/* Of `kept_tests`: those that wait, on a worker for the next bundle, in the ledger for the next
 * transaction.  Whoever has them written clears them. */
hd_kept_tests *hd_observers_tests(hd_observers *o);
void hd_kept_tests_clear(hd_kept_tests *tests);
/* Of `live_progress`. */
const hd_progress *hd_observers_progress(const hd_observers *sums);
/* Of `top_view`: the run as it is at a moment (hd_clock_now); the caller releases it. */
hd_picture hd_observers_look(const hd_observers *sums, double now);
#endif
