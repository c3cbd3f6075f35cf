/* symbolize.h -- from program counters to source lines, through the image's debug information.
 *
 * Opened when the first finding needs it: reading debug information takes milliseconds. */
#ifndef HD_PROGRAM_SYMBOLIZE_H
#define HD_PROGRAM_SYMBOLIZE_H
#include "base/text.h"
#include "program/fields.h"
#include "program/finding.h"

typedef struct hd_symbolizer hd_symbolizer;
/* For the image of the module in `directory`; never NULL: without debug information frames
 * are unknown. */
hd_symbolizer *hd_symbolizer_new(const char *directory);
void hd_symbolizer_free(hd_symbolizer *s);
/* Append one line per frame, inlined ones included, innermost first:
 * "insert at tree.c:14"; fills the finding's file, line and function if they are empty. */
void hd_symbolizer_stack(hd_symbolizer *s, hd_finding *finding, hd_text *out);
/* The names of fields, for as long as the symbolizer lives. */
hd_fields *hd_symbolizer_fields(hd_symbolizer *s);
#endif
