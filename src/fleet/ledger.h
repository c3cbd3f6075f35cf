/* ledger.h -- what a run has so far: the results of all its parts, and what is left of it.
 *
 * Bundles of workers are added up here; now and then all is written to the record in one
 * transaction.
 *
 * L1. A bundle is taken whole or not at all: results, and what is left after them.
 * L2. What is written is the state after some whole bundles (record/record.h).
 * Not here: who works (supervisor.c), which parts there are (coordinator.h). */
#ifndef HD_FLEET_LEDGER_H
#define HD_FLEET_LEDGER_H
#include "fleet/agreement.h"
#include "fleet/fleet.h"
#include "fleet/last_words.h"
#include "fleet/wire.h"

typedef struct hd_ledger hd_ledger;

/* From what the record says.  NULL if that is damaged. */
hd_ledger *hd_ledger_open(hd_record *record, const hd_run_options *options,
                          const hd_watcher *watcher, hd_err *err);
void hd_ledger_close(hd_ledger *l);
/* A bundle came; *p is emptied.  After REFUSED and DAMAGED the sender must not go on with its unit;
 * after ANEW nobody else may.  REFUSED also if the sender has other names for threads than were
 * agreed on meanwhile (agreement.h). */
hd_commit_answer hd_ledger_take(hd_ledger *l, hd_bundle *p);
/* Does something wait to be written that should not wait longer? */
bool hd_ledger_is_due(const hd_ledger *l, double now);
/* Is something of it a finding that nobody was told of? */
bool hd_ledger_has_found(const hd_ledger *l);
/* Write all; `why` if the run ends, NULL if it goes on.  Then new findings are told. */
bool hd_ledger_write(hd_ledger *l, const char *why, hd_err *err);
/* Is nothing left, and was nothing lost or left out? */
bool hd_ledger_is_complete(const hd_ledger *l);
const hd_batch *hd_ledger_state(const hd_ledger *l);
const hd_agreement *hd_ledger_agreement(const hd_ledger *l);
/* The next unit: turns.h says which one, coordinator.h hands it out (there: is_whole), costs.h
 * notes it. */
bool hd_ledger_hand_out(hd_ledger *l, bool is_whole, hd_unit *unit);
/* As hd_turns_take. */
uint64_t hd_ledger_take_turn(hd_ledger *l, uint64_t unit);
/* Who had the unit is gone, with so much processor time that it had not committed. */
void hd_ledger_note_lost(hd_ledger *l, uint64_t unit, double seconds);
/* So many workers went down with the unit: it is left alone, and that is a finding. */
void hd_ledger_set_aside(hd_ledger *l, uint64_t unit, unsigned deaths, const hd_last_words *words);
hd_coordinator *hd_ledger_coordinator(hd_ledger *l);

/* ---- snapshot.c: a ledger with its record as bytes ---- */
/* What waits is written first; false if it cannot be, or if the record cannot be read. */
bool hd_ledger_save(hd_ledger *l, hd_text *out, hd_err *err);
/* Into a record that is empty.  It answers everything as the one would that was saved: also who has
 * units is the same.  NULL if damaged, or if it cannot be written. */
hd_ledger *hd_ledger_restore(hd_record *record, const hd_run_options *options,
                             const hd_watcher *watcher, const void *bytes, size_t n, hd_err *err);
/* For these two: what the record does not have. */
hd_record *hd_ledger_record(const hd_ledger *l);
void hd_ledger_save_owners(const hd_ledger *l, hd_text *out);
bool hd_ledger_restore_owners(hd_ledger *l, hd_unpack *u, hd_err *err);
#endif
