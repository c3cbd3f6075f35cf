/* fold.h -- the coordinator of a cluster as a fold over the log of its run (docs/design.md D9).
 *
 * Plain code without a server: entries in, ledger and coordinator changed, and what others must be
 * told comes out.  Everything that decides is in the log, so that whoever reads it from the
 * beginning, on any machine, comes to the same state and can go on.
 *
 * Promise (tests/unit/test_cluster.c, tests/rehearse.c): the state depends on the entries and their
 *     order alone.
 * C2. Entries of one who is not the coordinator any more hand out nothing.
 * C3. With a new coordinator every unit that was out gets another epoch: nobody knows whether it
 *     was ever offered, or to whom.  What its holder commits later is refused.
 * C4. Commits of a hand-out are of one machine: the one whose commit came first.  A server that was
 *     killed may forget that it has given a unit to somebody, and give it to another one too; both
 *     number their commits alike.  Then neither has it any more.
 * C5. Hand-outs of two coordinators never have the same epoch, also if the log has lost entries
 *     that the first one had read.
 * Not here: who writes entries (coordinate.c), the server (post.h). */
#ifndef HD_FLEET_CLUSTER_FOLD_H
#define HD_FLEET_CLUSTER_FOLD_H
#include "base/map.h"
#include "fleet/cluster/log_entry.h"
#include "fleet/ledger.h"

/* A zeroed one has a ledger only. */
typedef struct hd_fold {
    hd_ledger *ledger;
    uint64_t coordinator; /* who it is; 0 = nobody yet */
    uint64_t n_commits, n_refused;
    hd_map committers; /* machines, by the epoch of what they have committed to (C4) */
    hd_map begun;      /* who has ever been the coordinator: an entry that is repeated, by whomever,
                        * does not bring him back */
} hd_fold;
void hd_fold_release(hd_fold *f); /* and its ledger */

typedef enum hd_effect_kind {
    HD_EFFECT_NONE,
    HD_EFFECT_BEGAN,      /* somebody is the coordinator now */
    HD_EFFECT_HANDED_OUT, /* `work` is to be offered by its coordinator; the caller releases it */
    HD_EFFECT_COMMITTED,
    HD_EFFECT_REFUSED /* whoever has this unit in this epoch is to drop it */
} hd_effect_kind;
typedef struct hd_effect {
    hd_effect_kind kind;
    uint64_t unit, epoch;
    bool gives;     /* COMMITTED: there is something for others in it; */
    bool is_done;   /* it was the last of the unit, */
    double seconds; /* which took so much processor time since the one before */
    hd_work work;
} hd_effect;

/* Entries that make no sense change nothing. */
hd_effect hd_fold_apply(hd_fold *f, const void *entry, size_t n);

/* A snapshot: with the entries behind it, it is as good as the whole log.  Its ledger is
 * written first; false if it cannot be. */
bool hd_fold_save(hd_fold *f, hd_text *out, hd_err *err);
/* `record` is empty.  False if damaged: there is nothing to release then. */
bool hd_fold_restore(hd_fold *f, hd_record *record, const hd_run_options *options,
                     const hd_watcher *watcher, const void *bytes, size_t n, hd_err *err);
#endif
