/* action_bytes.h -- actions as bytes, for journals and for others who have parts of a search. */
#ifndef HD_EXPLORE_EVENTS_ACTION_BYTES_H
#define HD_EXPLORE_EVENTS_ACTION_BYTES_H
#include "base/pack.h"
#include "machine/action/action.h"

/* Bytes that one takes at least, for hd_unpack_count. */
#define HD_LEAST_ACTION 1

void hd_journal_save_action(const hd_action *a, hd_text *out);
/* `u` fails if it is none. */
hd_action hd_journal_restore_action(hd_unpack *u);
#endif
