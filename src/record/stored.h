/* stored.h -- test inputs and counters as bytes: blobs of the database, parts of what workers send.
 */
#ifndef HD_RECORD_STORED_H
#define HD_RECORD_STORED_H
#include "base/pack.h"
#include "record/record.h"

void hd_inputs_pack(hd_text *out, const hd_stored_input *inputs, uint32_t n);
/* Owners and targets are valid indices in what it returns; NULL and 0 (and `u` failed) if the
 * bytes are damaged. */
hd_stored_input *hd_inputs_unpack(hd_unpack *u, uint32_t *n);
void hd_inputs_free(hd_stored_input *inputs, uint32_t n);

void hd_counters_pack(hd_text *out, const hd_run_counters *c);
hd_run_counters hd_counters_unpack(hd_unpack *u);

/* A byte below `limit`; fails otherwise. */
uint8_t hd_unpack_below(hd_unpack *u, unsigned limit);
/* `n` zeroed elements of `size` bytes; NULL for none, never NULL otherwise. */
void *hd_allocate(size_t n, size_t size);
/* A heap copy; never NULL. */
char *hd_copy(const char *text);
/* What observers say (observed.c). */
void hd_firsts_pack(hd_text *out, const hd_firsts *f);
void hd_growth_pack(hd_text *out, const hd_growth *g);
void hd_scenarios_pack(hd_text *out, const hd_scenarios *s);
void hd_ends_pack(hd_text *out, const hd_ends *e);
#endif
