/* Values of JSON. */
#include "report/json_values.h"

#include "base/panic.h"
#include "base/shown.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>

static void *allocate(size_t n) {
    void *p = malloc(n ? n : 1);
    if (!p)
        hd_out_of_memory();
    return p;
}

void hd_json_begin(void) {
    json_set_alloc_funcs(allocate, free);
}

json_t *hd_json_integer(uint64_t value) {
    char text[24];
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

json_t *hd_json_hash(uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    return json_string(text);
}

json_t *hd_json_text(const char *text) {
    json_t *s = json_string(text ? text : "");
    if (s)
        return s;
    char *clean = hd_text_format("%s", text);
    for (char *c = clean; *c; c++)
        if (*c & 0x80)
            *c = '?';
    s = json_string(clean);
    free(clean);
    return s;
}

json_t *hd_json_shown(const char *text, size_t n) {
    hd_text shown = {0};
    hd_text_add_shown(&shown, text ? text : "", text ? n : 0);
    json_t *s = json_string(hd_text_string(&shown));
    hd_text_release(&shown);
    return s;
}

void hd_json_put(json_t *object, const char *name, json_t *value) {
    json_object_set_new(object, name, value);
}

void hd_json_print(FILE *out, json_t *object) {
    json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    fputc('\n', out);
    json_decref(object);
}
