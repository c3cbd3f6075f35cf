/* From a YAML document to words with places.
 *
 * A struct is read by a table of its keys; everything that can be wrong with a value's type is said
 * here, with the place of that value.  Values are never followed deeper than the tables go, so that
 * anchors which contain themselves do no harm. */
#include "scenario/scenario_int.h"

#include "base/nearest.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hd_reader_fail(hd_reader *r, hd_text_place at, const char *format, ...) {
    char sentence[sizeof r->err->message - 64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (r->source && at.column > HD_OPTION_PREFIX) /* what the user did not write */
        at.column -= HD_OPTION_PREFIX;
    return hd_err_set(r->err, "%s:%u:%u: %s", r->source ? r->source : r->scenario->path, at.line,
                      at.column, sentence);
}

hd_text_place hd_text_place_of(const yaml_node_t *node) {
    return (hd_text_place){(unsigned)node->start_mark.line + 1,
                           (unsigned)node->start_mark.column + 1};
}

static const char *kind_of(const yaml_node_t *node) {
    return node->type == YAML_MAPPING_NODE    ? "a mapping"
           : node->type == YAML_SEQUENCE_NODE ? "a list"
                                              : "a single value";
}

static bool is_scalar(const yaml_node_t *node) {
    return node->type == YAML_SCALAR_NODE;
}

static bool is_plain(const yaml_node_t *node) {
    return is_scalar(node) && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static const char *text_of(const yaml_node_t *node) {
    return (const char *)node->data.scalar.value;
}

/* `key:` with nothing behind it. */
static bool is_nothing(const yaml_node_t *node) {
    return is_plain(node) && (!*text_of(node) || strcmp(text_of(node), "~") == 0 ||
                              strcmp(text_of(node), "null") == 0);
}

static bool wrong_type(hd_reader *r, const yaml_node_t *node, const char *wanted) {
    if (is_nothing(node))
        hd_reader_fail(r, hd_text_place_of(node), "expected %s, found nothing", wanted);
    else if (is_scalar(node))
        hd_reader_fail(r, hd_text_place_of(node), "expected %s, found '%.60s'", wanted,
                       text_of(node));
    else
        hd_reader_fail(r, hd_text_place_of(node), "expected %s, found %s", wanted, kind_of(node));
    if (node->type == YAML_MAPPING_NODE && node->data.mapping.style == YAML_FLOW_MAPPING_STYLE)
        return hd_err_hint(r->err, "a value that begins with '{' needs quotes: \"{index}\"");
    return hd_err_hint(r->err, "'heddle help scenarios' shows the form of a scenario");
}

/* A scalar that can be a string of C. */
static bool check_text(hd_reader *r, const yaml_node_t *node, const char *wanted) {
    if (!is_scalar(node))
        return wrong_type(r, node, wanted);
    if (memchr(text_of(node), '\0', node->data.scalar.length)) {
        hd_reader_fail(r, hd_text_place_of(node), "a text cannot contain a NUL byte");
        return hd_err_hint(r->err, "leave out '\\0'");
    }
    return true;
}

/* ---- mappings and lists ---- */

#define MOST_KEYS 32

static bool unknown_key(hd_reader *r, const yaml_node_t *key, const char *what,
                        const hd_key *keys) {
    const char *names[MOST_KEYS + 1];
    hd_text list = {0};
    size_t n = 0;
    for (; keys[n].name && n < MOST_KEYS; n++) {
        names[n] = keys[n].name;
        hd_text_add(&list, "%s%s", n ? ", " : "", keys[n].name);
    }
    names[n] = NULL;
    const char *nearest = hd_nearest_name(text_of(key), names);
    hd_reader_fail(r, hd_text_place_of(key), "unknown key '%.60s' in %s", text_of(key), what);
    if (strchr(text_of(key), ':'))
        hd_err_hint(r->err, "a blank belongs behind ':'");
    else if (nearest)
        hd_err_hint(r->err, "did you mean '%s'?", nearest);
    else
        hd_err_hint(r->err, "%s has: %s", what, hd_text_string(&list));
    hd_text_release(&list);
    return false;
}

static bool read_pair(hd_reader *r, const yaml_node_pair_t *pair, const char *what,
                      const hd_key *keys, void *into, uint32_t *seen) {
    yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
    yaml_node_t *value = yaml_document_get_node(&r->document, pair->value);
    if (!check_text(r, key, "a key"))
        return false;
    for (unsigned i = 0; keys[i].name; i++) {
        if (strcmp(keys[i].name, text_of(key)) != 0)
            continue;
        if (*seen >> i & 1) {
            hd_reader_fail(r, hd_text_place_of(key), "the key '%s' is here twice", keys[i].name);
            return hd_err_hint(r->err, "keep one of the two");
        }
        *seen |= 1u << i;
        return keys[i].read(r, value, (char *)into + keys[i].offset);
    }
    return unknown_key(r, key, what, keys);
}

bool hd_read_mapping(hd_reader *r, yaml_node_t *node, const char *what, const hd_key *keys,
                     void *into) {
    uint32_t seen = 0;
    if (node->type != YAML_MAPPING_NODE) {
        char wanted[80];
        snprintf(wanted, sizeof wanted, "%s with 'key: value' lines", what);
        return wrong_type(r, node, wanted);
    }
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
         p++)
        if (!read_pair(r, p, what, keys, into, &seen))
            return false;
    return true;
}

bool hd_read_list(hd_reader *r, yaml_node_t *node, const char *what, hd_field_read *read,
                  void *into) {
    if (is_nothing(node))
        return true;
    if (node->type != YAML_SEQUENCE_NODE)
        return wrong_type(r, node, what);
    for (yaml_node_item_t *i = node->data.sequence.items.start; i < node->data.sequence.items.top;
         i++)
        if (!read(r, yaml_document_get_node(&r->document, *i), into))
            return false;
    return true;
}

/* ---- fields ---- */

bool hd_read_text(hd_reader *r, yaml_node_t *value, void *field) {
    hd_piece *word = field;
    if (is_nothing(value))
        return wrong_type(r, value, "a text");
    if (!check_text(r, value, "a text"))
        return false;
    word->text = hd_text_format("%s", text_of(value));
    word->at = hd_text_place_of(value);
    return true;
}

bool hd_read_bool(hd_reader *r, yaml_node_t *value, void *field) {
    static const char *const words[] = {"false", "no", "off", "true", "yes", "on"};
    for (unsigned i = 0; is_plain(value) && i < 6; i++)
        if (strcmp(text_of(value), words[i]) == 0) {
            *(bool *)field = i >= 3;
            return true;
        }
    return wrong_type(r, value, "true or false");
}

bool hd_read_number(hd_reader *r, yaml_node_t *value, void *field) {
    const char *text = is_plain(value) ? text_of(value) : "";
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || number == 0)
        return wrong_type(r, value, "a whole number from 1");
    *(uint64_t *)field = number;
    return true;
}

static void add_word(hd_pieces *words, hd_text_place at, const char *text, size_t n) {
    hd_piece word = {hd_text_format("%.*s", (int)n, text), at};
    hd_vec_push(words, word);
}

static bool read_item(hd_reader *r, yaml_node_t *item, void *field) {
    if (!check_text(r, item, "a word"))
        return false;
    add_word(field, hd_text_place_of(item), text_of(item), item->data.scalar.length);
    return true;
}

static void split(hd_pieces *words, hd_text_place at, const char *text) {
    for (const char *p = text; *(p += strspn(p, " \t\n"));) {
        size_t n = strcspn(p, " \t\n");
        add_word(words, (hd_text_place){at.line, at.column + (unsigned)(p - text)}, p, n);
        p += n;
    }
}

bool hd_read_words(hd_reader *r, yaml_node_t *value, void *field) {
    if (value->type == YAML_MAPPING_NODE)
        return wrong_type(r, value, "words, or a list of them");
    if (!is_scalar(value) || is_nothing(value))
        return hd_read_list(r, value, "a list of words", read_item, field);
    if (!is_plain(value))
        return read_item(r, value, field);
    split(field, hd_text_place_of(value), text_of(value));
    return true;
}

static bool check_variable(hd_reader *r, const yaml_node_t *key) {
    if (!check_text(r, key, "the name of a variable"))
        return false;
    if (*text_of(key) && !strchr(text_of(key), '='))
        return true;
    hd_reader_fail(r, hd_text_place_of(key), "'%.60s' cannot be the name of a variable",
                   text_of(key));
    return hd_err_hint(r->err, "write 'environment: {NAME: value}'");
}

bool hd_read_pairs(hd_reader *r, yaml_node_t *value, void *field) {
    hd_pieces *words = field;
    if (is_nothing(value))
        return true;
    if (value->type != YAML_MAPPING_NODE)
        return wrong_type(r, value, "variables with 'NAME: value' lines");
    for (yaml_node_pair_t *p = value->data.mapping.pairs.start; p < value->data.mapping.pairs.top;
         p++) {
        yaml_node_t *key = yaml_document_get_node(&r->document, p->key);
        yaml_node_t *text = yaml_document_get_node(&r->document, p->value);
        if (!check_variable(r, key) || !check_text(r, text, "a text"))
            return false;
        hd_piece word = {hd_text_format("%s=%s", text_of(key), text_of(text)),
                         hd_text_place_of(key)};
        hd_vec_push(words, word);
    }
    return true;
}

void hd_piece_release(hd_piece *w) {
    free(w->text);
    w->text = NULL;
}

void hd_pieces_release(hd_pieces *w) {
    for (size_t i = 0; i < w->n; i++)
        free(w->at[i].text);
    hd_vec_release(w);
}
