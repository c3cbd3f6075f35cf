/* html.h -- text inside of a page of HTML, between tags and in attributes alike.
 *
 * The tested program is taken for hostile: whatever came from it goes through hd_html_add, which
 * leaves nothing that a browser would take for markup, and shows what has no glyph (base/shown.h).
 */
#ifndef HD_REPORT_HTML_H
#define HD_REPORT_HTML_H
#include "base/text.h"

void hd_html_add(hd_text *out, const char *text);
void hd_html_add_bytes(hd_text *out, const char *bytes, size_t n);
#endif
