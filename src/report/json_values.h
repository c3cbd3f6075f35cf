/* json_values.h -- values of JSON as all that Heddle writes has them.
 *
 * jansson's integers are signed 64-bit: larger numbers are decimal text, and hashes, which use all
 * bits, hexadecimal text. */
#ifndef HD_REPORT_JSON_VALUES_H
#define HD_REPORT_JSON_VALUES_H
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Memory that jansson does not get ends the process with a sentence, as everywhere in Heddle:
 * jansson itself would leave out a part of what is written, and nobody would notice.  Before
 * anything else of JSON. */
void hd_json_begin(void);

json_t *hd_json_integer(uint64_t value);
json_t *hd_json_hash(uint64_t value);
/* Names from sources may hold any bytes; JSON must be UTF-8, so others become '?'.  NULL is "". */
json_t *hd_json_text(const char *text);
/* Text for a page that people look at: what would drive a terminal or turn a line is an escape. */
json_t *hd_json_shown(const char *text, size_t n);
/* The value becomes the object's. */
void hd_json_put(json_t *object, const char *name, json_t *value);
/* Prints the object on lines of its own, and forgets it. */
void hd_json_print(FILE *out, json_t *object);
#endif
