/* meaning.h -- what a kind of finding means, in the words of docs/findings.md, which is linked as
 * it is: tests/docs.sh looks that it has every kind. */
#ifndef HD_REPORT_MEANING_H
#define HD_REPORT_MEANING_H
#include "base/text.h"

/* Append the paragraph on a kind ("data-race") as plain text without newlines; nothing if there is
 * none. */
void hd_meaning_add(hd_text *out, const char *kind);
#endif
