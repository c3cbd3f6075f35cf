/* local.h -- the ledger of this process as a source of units (source.h). */
#ifndef HD_FLEET_LOCAL_H
#define HD_FLEET_LOCAL_H
#include "fleet/ledger.h"
#include "fleet/source.h"

typedef struct hd_local_source {
    hd_source source;
    hd_ledger *ledger;
} hd_local_source;

hd_local_source hd_local_source_of(hd_ledger *ledger);

/* What a worker needs to know beside its unit: what was agreed on, and what is covered. */
hd_work hd_ledger_describe(hd_ledger *l, const hd_unit *u);
#endif
