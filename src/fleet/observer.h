/* observer.h -- who watches executions on workers, and adds up what all of them saw (paper 003, 4).
 *
 * An observer has two sides.  On each worker it is told what happens, and says with every bundle
 * what is new, as bytes; in the ledger these are added to a sum, whose bytes the record keeps under
 * the observer's name.  Both sides are plain code; everything between them is done here.
 *
 * What a bundle says counts once, or not at all with the bundle (L1 of ledger.h).
 * A new one is a file in fleet/observers/ and a row here (docs/how-to-add.md). */
#ifndef HD_FLEET_OBSERVER_H
#define HD_FLEET_OBSERVER_H
#include "base/text.h"
#include "machine/machine.h"
#include "record/record.h"

#define HD_OBSERVERS(X) X(firsts) X(growth) X(scenarios) X(ends) X(ways)

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

/* Names with bytes, as hd_observed_find (record.h) reads them. */
void hd_observers_take(hd_observers *o, hd_text *out);
bool hd_observers_add(hd_observers *sums, const void *bytes, size_t n);
void hd_observers_save(const hd_observers *sums, hd_text *out);
void hd_observers_begin_anew(hd_observers *o);
/* What one of them has. */
const void *hd_observers_sum(const hd_observers *sums, const hd_observer *which);
#define HD_MOST_WAYS (UINT32_C(1) << 26) /* of branches: no program has so many */
/* Of `ways`: 1 where somebody went, by the index in hd_batch.coverage; others went nowhere. */
const uint8_t *hd_observers_covered(const hd_observers *sums, size_t *n);
#endif
