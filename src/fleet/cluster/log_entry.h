/* log_entry.h -- what stands in the log of a run: everything that changes what is left of its
 * search.
 *
 * The coordinator is a fold over these (fold.h): whoever reads the log from its beginning knows
 * what the coordinator knows.  So also what the coordinator decides is written first, and done when
 * it is read. */
#ifndef HD_FLEET_CLUSTER_LOG_ENTRY_H
#define HD_FLEET_CLUSTER_LOG_ENTRY_H
#include "base/pack.h"

typedef enum hd_log_entry_kind {
    HD_ENTRY_BEGIN = 1, /* who writes it is the coordinator from now on */
    HD_ENTRY_HAND_OUT,  /* by the coordinator: the next unit is somebody's */
    HD_ENTRY_COMMIT,    /* by a machine: a bundle (wire.h) */
    HD_ENTRY_GIVE_BACK, /* whoever had the unit has it no longer */
    HD_ENTRY_ASIDE,     /* the unit took down every worker of a machine: deaths and last words */
    HD_N_ENTRIES
} hd_log_entry_kind;

typedef struct hd_log_entry {
    hd_log_entry_kind kind;
    uint64_t writer;      /* number of a coordinator or machine */
    uint64_t unit, epoch; /* GIVE_BACK, ASIDE */
    bool is_whole;        /* HAND_OUT: as large a unit as can be (D9 of coordinator.h) */
    const void *bundle;   /* COMMIT, ASIDE; of an unpacked entry: in its bytes */
    size_t n_bundle;
} hd_log_entry;

void hd_log_entry_pack(hd_text *out, const hd_log_entry *e);
bool hd_log_entry_unpack(const void *bytes, size_t n, hd_log_entry *e);
#endif
