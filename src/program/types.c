/* Reading the text of types.h: one pass, each line one record. */
#include "program/types.h"

#include "base/map.h"
#include "base/panic.h"
#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define MAX_TYPES 1000000

struct hd_types {
    hd_vec(hd_type) types; /* by id */
    hd_map keys;           /* address of a marker -> type */
    size_t most;           /* bytes of the file: it has no more types than that */
};

static const hd_type unknown = {.kind = HD_TYPE_UNKNOWN, .name = (char *)"?"};

static char *copy_name(const char *name) {
    char *copy = strdup(strcmp(name, "-") == 0 ? "" : name);
    if (!copy)
        hd_out_of_memory();
    return copy;
}

/* The type with this id, made if nobody mentioned it yet; NULL if the id is nonsense. */
static hd_type *slot_of(hd_types *ts, unsigned long id) {
    if (id == 0 || id >= MAX_TYPES || id > ts->most)
        return NULL;
    while (ts->types.n <= id)
        hd_vec_push(&ts->types, ((hd_type){.kind = HD_TYPE_UNKNOWN}));
    return &ts->types.at[id];
}

/* The rest of the line is a name: where it starts after the scanned part. */
static bool fill(hd_type *t, hd_type_kind kind, uint64_t size, const char *name) {
    if (t->kind != HD_TYPE_UNKNOWN)
        return false;
    t->kind = kind;
    t->size = size;
    t->name = copy_name(name);
    return true;
}

static bool read_type(hd_types *ts, hd_type_id *current, const char *line) {
    unsigned long id, size = 0, count = 0;
    unsigned target = 0, is_signed = 0;
    char word[16];
    int at = 0;
    *current = 0;
    if (sscanf(line, "type %lu %15s %n", &id, word, &at) < 2 || at == 0)
        return false;
    hd_type *t = slot_of(ts, id);
    if (!t)
        return false;
    const char *rest = line + at;
    at = 0;
    if (strcmp(word, "integer") == 0) {
        if (sscanf(rest, "%lu %u %n", &size, &is_signed, &at) < 2 || !at)
            return false;
        t->is_signed = is_signed;
        return size <= 16 && fill(t, HD_TYPE_INTEGER, size, rest + at);
    }
    if (strcmp(word, "pointer") == 0) {
        if (sscanf(rest, "%u %n", &target, &at) < 1 || !at)
            return false;
        t->target = target;
        return fill(t, HD_TYPE_POINTER, 8, rest + at);
    }
    if (strcmp(word, "array") == 0) {
        if (sscanf(rest, "%u %lu %n", &target, &count, &at) < 2 || !at)
            return false;
        t->target = target;
        t->count = count;
        return fill(t, HD_TYPE_ARRAY, 0, rest + at);
    }
    if (strcmp(word, "function") == 0)
        return fill(t, HD_TYPE_FUNCTION, 0, rest);
    if (sscanf(rest, "%lu %n", &size, &at) < 1 || !at)
        return false;
    if (strcmp(word, "struct") == 0) {
        *current = (hd_type_id)id;
        return fill(t, HD_TYPE_STRUCT, size, rest + at);
    }
    if (strcmp(word, "union") == 0)
        return fill(t, HD_TYPE_UNION, size, rest + at);
    return strcmp(word, "float") == 0 && fill(t, HD_TYPE_FLOAT, size, rest + at);
}

static bool read_field(hd_types *ts, hd_type_id current, const char *line) {
    hd_field f = {0};
    unsigned long offset;
    int at = 0;
    if (!current ||
        sscanf(line, "field %lu %u %u %u %n", &offset, &f.type, &f.bit_offset, &f.bit_size, &at) <
            4 ||
        !at || f.bit_size > 64)
        return false;
    hd_type *t = &ts->types.at[current];
    f.offset = offset;
    f.name = copy_name(line + at);
    size_t room = t->n_fields;
    /* Grown one by one: structs are short, and this happens once a run. */
    t->fields = hd_vec_grown(t->fields, &room, t->n_fields + 1, sizeof f);
    t->fields[t->n_fields++] = f;
    return true;
}

static bool read_key(hd_types *ts, const char *line) {
    unsigned long address;
    unsigned type;
    if (sscanf(line, "key %lx %u", &address, &type) < 2 || address == HD_MAP_EMPTY)
        return false;
    hd_map_put(&ts->keys, address, type);
    return true;
}

static bool read_line(hd_types *ts, hd_type_id *current, const char *line) {
    if (line[0] == '\0' || line[0] == '#')
        return true;
    if (strncmp(line, "field ", 6) == 0)
        return read_field(ts, *current, line);
    if (strncmp(line, "type ", 5) == 0)
        return read_type(ts, current, line);
    return strncmp(line, "key ", 4) == 0 && read_key(ts, line);
}

/* Arrays are as big as their elements, which may come later in the file; 0 for a type that
 * contains itself or is too big to be true. */
static uint64_t size_of(hd_types *ts, hd_type *t, unsigned depth) {
    if (t->kind != HD_TYPE_ARRAY || t->size || depth > 64)
        return t->size;
    hd_type *element = slot_of(ts, t->target < ts->types.n ? t->target : 0);
    uint64_t size = element ? size_of(ts, element, depth + 1) : 0;
    if (__builtin_mul_overflow(size, t->count, &t->size))
        t->size = 0;
    return t->size;
}

hd_types *hd_types_parse(char *text, const char *path, hd_err *err) {
    hd_types *ts = calloc(1, sizeof *ts);
    if (!ts)
        hd_out_of_memory();
    hd_type_id current = 0;
    unsigned number = 0;
    bool good = true;
    char *save = NULL;
    ts->most = strlen(text);
    for (char *line = strtok_r(text, "\n", &save); line && good;
         line = strtok_r(NULL, "\n", &save), number++)
        good = read_line(ts, &current, line);
    for (size_t i = 1; i < ts->types.n; i++)
        size_of(ts, &ts->types.at[i], 0);
    if (good)
        return ts;
    hd_err_set(err, "the types in '%s' are damaged at line %u", path, number);
    hd_err_hint(err, "remove the module from the cache and compile again");
    hd_types_free(ts);
    return NULL;
}

hd_types *hd_types_load(const char *path, hd_err *err) {
    hd_text text = {0};
    hd_types *ts = NULL;
    if (hd_text_read_plain(&text, path) || errno == ENOENT)
        ts = hd_types_parse((char *)hd_text_string(&text), path, err);
    else
        hd_err_set(err, "cannot read the types in '%s': %s", path, strerror(errno));
    hd_text_release(&text);
    return ts;
}

void hd_types_free(hd_types *ts) {
    if (!ts)
        return;
    for (size_t i = 0; i < ts->types.n; i++) {
        hd_type *t = &ts->types.at[i];
        for (uint32_t k = 0; k < t->n_fields; k++)
            free(t->fields[k].name);
        free(t->fields);
        free(t->name);
    }
    hd_vec_release(&ts->types);
    hd_map_release(&ts->keys);
    free(ts);
}

const hd_type *hd_types_get(const hd_types *ts, hd_type_id id) {
    if (id == 0 || id >= ts->types.n || ts->types.at[id].kind == HD_TYPE_UNKNOWN)
        return &unknown;
    return &ts->types.at[id];
}

hd_type_id hd_types_key(const hd_types *ts, uint64_t address) {
    const uint64_t *type = hd_map_find(&ts->keys, address);
    return type ? (hd_type_id)*type : 0;
}
