/* Escapes of HTML. */
#include "report/html.h"

#include "base/shown.h"

#include <string.h>

static const char *entity_of(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void hd_html_add_bytes(hd_text *out, const char *bytes, size_t n) {
    hd_text shown = {0};
    hd_text_add_shown(&shown, bytes, n);
    for (size_t i = 0; i < shown.n; i++) {
        const char *entity = entity_of(shown.at[i]);
        hd_text_add_bytes(out, entity ? entity : &shown.at[i], entity ? strlen(entity) : 1);
    }
    hd_text_release(&shown);
}

void hd_html_add(hd_text *out, const char *text) {
    hd_html_add_bytes(out, text ? text : "", text ? strlen(text) : 0);
}
