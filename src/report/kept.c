/* The options of a run as its record keeps them: a JSON object
 *     {"search": ["--depth=10"], "program": ["arg"], "sources": [{"path": "a.c", "hash": "…"}],
 *      "directory": "/home/me"}
 * The search options stay in the form of a command line, so that one parser reads both. */
#include "report/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static json_t *string_list(char *const *words, size_t n) {
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_string(words[i]));
    return list;
}

static json_t *source_list(const hd_kept_options *kept) {
    json_t *list = json_array();
    for (size_t i = 0; i < kept->sources.n; i++) {
        char text[24];
        snprintf(text, sizeof text, "%016" PRIx64, kept->sources.at[i].hash);
        json_array_append_new(
            list, json_pack("{s:s, s:s}", "path", kept->sources.at[i].path, "hash", text));
    }
    return list;
}

char *hd_kept_write(const hd_kept_options *kept) {
    json_t *o = json_object();
    json_t *search = string_list(kept->search.at, kept->search.n);
    json_t *program = string_list(kept->program.at, kept->program.n);
    json_t *sources = source_list(kept);
    /* jansson refuses text that is not UTF-8, and the list is then too short. */
    bool is_whole = json_array_size(search) == kept->search.n &&
                    json_array_size(program) == kept->program.n &&
                    json_array_size(sources) == kept->sources.n;
    json_object_set_new(o, "search", search);
    json_object_set_new(o, "program", program);
    json_object_set_new(o, "sources", sources);
    if (kept->directory)
        json_object_set_new(o, "directory", json_string(kept->directory));
    char *text = is_whole ? json_dumps(o, JSON_COMPACT) : NULL;
    json_decref(o);
    return text;
}

#define READ_STRINGS(object, field, into)                                                          \
    do {                                                                                           \
        json_t *word_;                                                                             \
        size_t index_;                                                                             \
        json_array_foreach(json_object_get((object), (field)), index_, word_) {                    \
            if (json_is_string(word_))                                                             \
                hd_vec_push((into), hd_text_format("%s", json_string_value(word_)));               \
        }                                                                                          \
    } while (0)

static void read_sources(hd_kept_options *kept, const json_t *list) {
    json_t *o;
    size_t i;
    json_array_foreach(list, i, o) {
        const char *path = json_string_value(json_object_get(o, "path"));
        const char *hash = json_string_value(json_object_get(o, "hash"));
        if (!path || !hash)
            continue;
        hd_kept_source source = {hd_text_format("%s", path), strtoull(hash, NULL, 16)};
        hd_vec_push(&kept->sources, source);
    }
}

bool hd_kept_read(hd_kept_options *kept, const char *text, hd_err *err) {
    json_t *o = json_loads(text ? text : "", 0, NULL);
    if (!json_is_object(o)) {
        json_decref(o);
        hd_err_set(err, "the options in the run's record are damaged");
        return hd_err_hint(err, "explore the program again with 'heddle run'");
    }
    READ_STRINGS(o, "search", &kept->search);
    READ_STRINGS(o, "program", &kept->program);
    read_sources(kept, json_object_get(o, "sources"));
    const char *directory = json_string_value(json_object_get(o, "directory"));
    kept->directory = directory ? hd_text_format("%s", directory) : NULL;
    json_decref(o);
    return true;
}

void hd_kept_release(hd_kept_options *kept) {
    for (size_t i = 0; i < kept->search.n; i++)
        free(kept->search.at[i]);
    for (size_t i = 0; i < kept->program.n; i++)
        free(kept->program.at[i]);
    for (size_t i = 0; i < kept->sources.n; i++)
        free(kept->sources.at[i].path);
    free(kept->directory);
    kept->directory = NULL;
    hd_vec_release(&kept->search);
    hd_vec_release(&kept->program);
    hd_vec_release(&kept->sources);
}
