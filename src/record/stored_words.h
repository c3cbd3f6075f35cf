/* stored_words.h -- how enumerations are written in the database: as words, which outlive numbers.
 */
#ifndef HD_RECORD_STORED_WORDS_H
#define HD_RECORD_STORED_WORDS_H
#include "record/record.h"

const char *hd_test_reason_name(hd_test_reason reason);
const char *hd_end_name(hd_end end);
/* Back again; false for a word that we did not write. */
bool hd_test_reason_parse(const char *word, hd_test_reason *reason);
bool hd_end_parse(const char *word, hd_end *end);
bool hd_unit_state_parse(const char *word, hd_unit_state *state);
bool hd_finding_kind_parse(const char *word, hd_finding_kind *kind);
#endif
