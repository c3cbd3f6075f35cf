/* The options of a run as its record keeps them: a JSON object
 *     {"search": ["--depth=10"], "program": ["arg"], "build": ["-DN=3"], "sources": [{"path":
 * "a.c", "hash": "…"}], "directory": "/home/me", "nodes": [{"name": "a", "program": 0, "arguments":
 * ["ring"], "environment": [], "address": "10.0.0.1", "input": "", "after": 0, "idle": false}],
 *      "links": [{"from": 0, "to": 1, "fifo": true, "latency": false}], "faults": []}
 * A link without "from" is that of every node.  "after" is a list of nodes; bits, if all of them
 * are among the first. The search options stay in the form of a command line, so that one parser
 * reads both. */
#include "report/kept_int.h"

#include <inttypes.h>
#include <limits.h>
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

static json_t *ended_list(char *const *words) {
    size_t n = 0;
    while (words[n])
        n++;
    json_t *list = string_list(words, n);
    if (json_array_size(list) == n)
        return list;
    json_decref(list);
    return NULL; /* not UTF-8 */
}

json_t *hd_kept_write_set(hd_set nodes) {
    if (hd_set_is_word(nodes))
        return json_integer((json_int_t)nodes.bits);
    json_t *list = json_array();
    uint32_t node;
    HD_SET_EACH(node, nodes)
    json_array_append_new(list, json_integer(node));
    return list;
}

static json_t *node_list(const hd_kept_options *kept) {
    json_t *list = json_array();
    for (size_t i = 0; i < kept->nodes.n; i++) {
        const hd_network_node *n = &kept->nodes.at[i];
        json_array_append_new(
            list, json_pack("{s:s, s:i, s:o, s:o, s:s, s:s*, s:o, s:b, s:i, s:s*}", "name", n->name,
                            "program", (int)n->program, "arguments", ended_list(n->argv),
                            "environment", ended_list(n->environment), "address", n->address,
                            "input", n->input, "after", hd_kept_write_set(n->after), "idle",
                            n->may_idle, "files", (int)n->files, "root", n->root));
    }
    return list;
}

static json_t *link_list(const hd_kept_options *kept) {
    json_t *list = json_array();
    for (size_t i = 0; i < kept->links.n; i++) {
        const hd_link *l = &kept->links.at[i];
        json_t *o =
            json_pack("{s:b, s:b}", "fifo", l->is_fifo, "latency", l->latency == HD_LATENCY_ANY);
        if (l->is_cut)
            json_object_set_new(o, "cut", json_true());
        if (l->delay)
            json_object_set_new(o, "delay", json_integer((json_int_t)l->delay));
        if (l->segments) {
            json_object_set_new(o, "segments", json_integer(l->segments - 1));
            json_object_set_new(o, "segments_line", json_integer(l->segments_line));
        }
        if (l->from != HD_EVERY_NODE) {
            json_object_set_new(o, "from", json_integer(l->from));
            json_object_set_new(o, "to", json_integer(l->to));
        }
        json_array_append_new(list, o);
    }
    return list;
}

char *hd_kept_write(const hd_kept_options *kept) {
    json_t *o = json_object();
    json_t *search = string_list(kept->search.at, kept->search.n);
    json_t *program = string_list(kept->program.at, kept->program.n);
    json_t *build = string_list(kept->build.at, kept->build.n);
    json_t *sources = source_list(kept);
    json_t *nodes = node_list(kept);
    /* jansson refuses text that is not UTF-8, and the list is then too short. */
    bool is_whole =
        json_array_size(search) == kept->search.n && json_array_size(program) == kept->program.n &&
        json_array_size(build) == kept->build.n && json_array_size(sources) == kept->sources.n &&
        json_array_size(nodes) == kept->nodes.n;
    json_object_set_new(o, "search", search);
    json_object_set_new(o, "program", program);
    if (kept->has_build)
        json_object_set(o, "build", build);
    json_decref(build);
    json_object_set_new(o, "sources", sources);
    if (kept->nodes.n)
        json_object_set(o, "nodes", nodes);
    if (kept->nodes.n)
        json_object_set_new(o, "links", link_list(kept));
    if (kept->faults.n)
        json_object_set_new(o, "faults", hd_kept_write_faults(kept));
    json_decref(nodes);
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

/* ---- nodes ---- */

/* A list ended by NULL; NULL if `list` is none of strings. */
static char **read_ended(const json_t *list, int *n) {
    hd_vec(char *) words = {0};
    json_t *word;
    size_t i;
    bool is_good = json_is_array(list) && json_array_size(list) < INT_MAX;
    json_array_foreach(list, i, word) {
        const char *text = json_string_value(word);
        is_good = is_good && text;
        hd_vec_push(&words, hd_text_format("%s", text ? text : ""));
    }
    *n = (int)words.n;
    hd_vec_push(&words, NULL);
    for (size_t k = 0; !is_good && k < words.n; k++)
        free(words.at[k]);
    if (!is_good)
        hd_vec_release(&words);
    return words.at;
}

static char *read_text(const json_t *o, const char *field) {
    const char *text = json_string_value(json_object_get(o, field));
    return text ? hd_text_format("%s", text) : NULL;
}

bool hd_kept_read_set(const json_t *o, hd_set *nodes) {
    uint64_t bits = (uint64_t)json_integer_value(o);
    for (; bits; bits &= bits - 1)
        *nodes = hd_set_with(*nodes, (uint32_t)__builtin_ctzll(bits));
    for (size_t i = 0; i < json_array_size(o); i++) {
        const json_t *node = json_array_get(o, i);
        json_int_t number = json_integer_value(node);
        if (!json_is_integer(node) || number < 0 || number >= HD_MOST_NODES)
            return false;
        *nodes = hd_set_with(*nodes, (uint32_t)number);
    }
    return true;
}

static bool read_node(hd_kept_options *kept, const json_t *o) {
    int ignored;
    json_int_t program = json_integer_value(json_object_get(o, "program"));
    hd_network_node n = {.name = read_text(o, "name"),
                         .program = (uint32_t)program,
                         .address = read_text(o, "address"),
                         .input = read_text(o, "input"),
                         .may_idle = json_is_true(json_object_get(o, "idle")),
                         .files = (hd_node_files)json_integer_value(json_object_get(o, "files")),
                         .root = read_text(o, "root")};
    n.argv = read_ended(json_object_get(o, "arguments"), &n.argc);
    n.environment = read_ended(json_object_get(o, "environment"), &ignored);
    bool has_set = hd_kept_read_set(json_object_get(o, "after"), &n.after);
    hd_vec_push(&kept->nodes, n);
    return has_set && n.files <= HD_FILES_LOST && n.name && n.address && n.argv && n.argc > 0 &&
           n.environment && program >= 0 && program < UINT32_MAX;
}

static bool read_nodes(hd_kept_options *kept, const json_t *list) {
    json_t *o;
    size_t i;
    json_array_foreach(list, i, o) {
        if (!read_node(kept, o))
            return false;
    }
    return true;
}

static bool read_end(const hd_kept_options *kept, const json_t *end, uint32_t *node) {
    json_int_t n = end ? json_integer_value(end) : HD_EVERY_NODE;
    *node = (uint32_t)n;
    return !end || (json_is_integer(end) && n >= 0 && (size_t)n < kept->nodes.n);
}

static bool read_segments(const json_t *o, hd_link *l) {
    const json_t *n = json_object_get(o, "segments"), *line = json_object_get(o, "segments_line");
    if (!n)
        return true;
    l->segments = (uint32_t)json_integer_value(n) + 1;
    l->segments_line = (uint32_t)json_integer_value(line);
    return json_is_integer(n) && json_integer_value(n) >= 0 &&
           json_integer_value(n) <= HD_MOST_CUTS && json_is_integer(line);
}

static bool read_links(hd_kept_options *kept, const json_t *list) {
    json_t *o;
    size_t i;
    json_array_foreach(list, i, o) {
        hd_link l = {.is_fifo = json_is_true(json_object_get(o, "fifo")),
                     .latency = json_is_true(json_object_get(o, "latency")) ? HD_LATENCY_ANY
                                                                            : HD_LATENCY_NONE,
                     .is_cut = json_is_true(json_object_get(o, "cut")),
                     .delay = (uint64_t)json_integer_value(json_object_get(o, "delay"))};
        if (!read_end(kept, json_object_get(o, "from"), &l.from) ||
            !read_end(kept, json_object_get(o, "to"), &l.to) || !read_segments(o, &l))
            return false;
        hd_vec_push(&kept->links, l);
    }
    return true;
}

static void free_ended(char **words) {
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

static void release_network(hd_kept_options *kept) {
    for (size_t i = 0; i < kept->nodes.n; i++) {
        hd_network_node *n = &kept->nodes.at[i];
        free((char *)n->name);
        free((char *)n->address);
        free((char *)n->input);
        free((char *)n->root);
        free_ended(n->argv);
        free_ended(n->environment);
    }
    hd_vec_release(&kept->nodes);
    hd_vec_release(&kept->links);
    hd_vec_release(&kept->faults);
}

bool hd_kept_is_same_network(const hd_kept_options *a, const hd_kept_options *b) {
    json_t *of_a = json_pack("[o, o, o]", node_list(a), link_list(a), hd_kept_write_faults(a));
    json_t *of_b = json_pack("[o, o, o]", node_list(b), link_list(b), hd_kept_write_faults(b));
    bool is_same = json_equal(of_a, of_b);
    json_decref(of_a);
    json_decref(of_b);
    return is_same;
}

/* ---- all of it ---- */

static bool is_damaged(hd_err *err) {
    hd_err_set(err, "the options in the run's record are damaged");
    return hd_err_hint(err, "explore the program again with 'heddle run'");
}

bool hd_kept_read(hd_kept_options *kept, const char *text, hd_err *err) {
    json_t *o = json_loads(text ? text : "", 0, NULL);
    if (!json_is_object(o)) {
        json_decref(o);
        return is_damaged(err);
    }
    READ_STRINGS(o, "search", &kept->search);
    READ_STRINGS(o, "program", &kept->program);
    READ_STRINGS(o, "build", &kept->build);
    kept->has_build = json_object_get(o, "build") != NULL;
    read_sources(kept, json_object_get(o, "sources"));
    const char *directory = json_string_value(json_object_get(o, "directory"));
    kept->directory = directory ? hd_text_format("%s", directory) : NULL;
    bool ok = read_nodes(kept, json_object_get(o, "nodes")) &&
              read_links(kept, json_object_get(o, "links")) &&
              hd_kept_read_faults(kept, json_object_get(o, "faults"));
    json_decref(o);
    return ok || is_damaged(err);
}

void hd_kept_release(hd_kept_options *kept) {
    for (size_t i = 0; i < kept->search.n; i++)
        free(kept->search.at[i]);
    for (size_t i = 0; i < kept->program.n; i++)
        free(kept->program.at[i]);
    for (size_t i = 0; i < kept->build.n; i++)
        free(kept->build.at[i]);
    hd_vec_release(&kept->build);
    for (size_t i = 0; i < kept->sources.n; i++)
        free(kept->sources.at[i].path);
    for (size_t i = 0; i < kept->places.n; i++)
        free(kept->places.at[i]);
    hd_vec_release(&kept->places);
    release_network(kept);
    free(kept->directory);
    kept->directory = NULL;
    hd_vec_release(&kept->search);
    hd_vec_release(&kept->program);
    hd_vec_release(&kept->sources);
}
