/* Entries of `nodes:`, and the nodes that they stand for. */
#include "scenario/scenario_int.h"

#include "base/nearest.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#define AT(field) offsetof(hd_node_entry, field)
static const hd_key keys[] = {
    {"name", AT(name), hd_read_text},
    {"program", AT(program), hd_read_words},
    {"flags", AT(flags), hd_read_words},
    {"arguments", AT(arguments), hd_read_words},
    {"environment", AT(environment), hd_read_pairs},
    {"stdin", AT(input), hd_read_text},
    {"address", AT(address), hd_read_text},
    {"after", AT(after), hd_read_words},
    {"idle", AT(may_idle), hd_read_bool},
    {"files", AT(files), hd_read_text},
    {"root", AT(root), hd_read_text},
    {"count", AT(count), hd_read_number},
    {0},
};

void hd_node_entry_release(hd_node_entry *e) {
    hd_piece_release(&e->name);
    hd_piece_release(&e->address);
    hd_piece_release(&e->input);
    hd_piece_release(&e->files);
    hd_piece_release(&e->root);
    hd_pieces_release(&e->program);
    hd_pieces_release(&e->flags);
    hd_pieces_release(&e->arguments);
    hd_pieces_release(&e->environment);
    hd_pieces_release(&e->after);
}

static bool is_complete(hd_reader *r, const hd_node_entry *e) {
    if (!e->name.text) {
        hd_reader_fail(r, e->at, "a node without a name");
        return hd_err_hint(r->err, "add 'name: ...'");
    }
    if (e->program.n == 0) {
        hd_reader_fail(r, e->at, "node '%s' has no program", e->name.text);
        return hd_err_hint(r->err, "add 'program: FILE.c', or a list of files");
    }
    if (e->has_count && e->count > HD_SCENARIO_MOST_NODES) {
        hd_reader_fail(r, e->at, "node '%s' is there %" PRIu64 " times", e->name.text, e->count);
        return hd_err_hint(r->err, "a scenario has at most %d nodes", HD_SCENARIO_MOST_NODES);
    }
    return true;
}

static bool read_entry(hd_reader *r, yaml_node_t *value, void *unused) {
    (void)unused;
    hd_node_entry e = {.at = hd_text_place_of(value)};
    bool ok = hd_read_mapping(r, value, "a node", keys, &e);
    e.has_count = e.count > 0;
    if (!e.has_count)
        e.count = 1;
    ok = ok && is_complete(r, &e) && hd_program_check_entry(r, &e);
    hd_vec_push(&r->entries, e); /* released with the reader, whole or not */
    return ok;
}

bool hd_read_nodes(hd_reader *r, yaml_node_t *value, void *unused) {
    (void)unused;
    return hd_read_list(r, value, "a list of nodes, each beginning with '- name: ...'", read_entry,
                        NULL);
}

/* ---- {index} and the like ---- */

/* The number that the placeholder at `p` stands for; its length, 0 if it is none. */
static size_t placeholder(const hd_node_entry *e, uint64_t index, const char *p, int64_t *value) {
    int64_t at = (int64_t)index, count = (int64_t)e->count;
    size_t n = strcspn(p, "}");
    if (*p != '{' || p[n] != '}')
        return 0;
    if (strncmp(p, "{index}", n + 1) == 0)
        *value = at;
    else if (strncmp(p, "{count}", n + 1) == 0)
        *value = count;
    else if (strncmp(p, "{next}", n + 1) == 0)
        *value = (at + 1) % count;
    else if (strncmp(p, "{previous}", n + 1) == 0)
        *value = (at + count - 1) % count;
    else if (n > 7 && n < 14 && (strncmp(p, "{index+", 7) == 0 || strncmp(p, "{index-", 7) == 0) &&
             strspn(p + 7, "0123456789") == n - 7)
        *value = p[6] == '+' ? at + atol(p + 7) : at - atol(p + 7);
    else
        return 0;
    return n + 1;
}

char *hd_expand(const hd_node_entry *e, uint64_t index, const char *text) {
    hd_text made = {0};
    int64_t value;
    if (!e->has_count)
        return hd_text_format("%s", text);
    for (const char *p = text; *p;) {
        size_t n = placeholder(e, index, p, &value);
        if (n)
            hd_text_add(&made, "%" PRId64, value);
        else
            hd_text_add_bytes(&made, p, n = 1);
        p += n;
    }
    return made.at ? made.at : hd_text_format("%s", "");
}

static void expand_words(const hd_node_entry *e, uint64_t index, const hd_pieces *words,
                         hd_word_list *into) {
    for (size_t i = 0; i < words->n; i++)
        hd_vec_push(into, hd_expand(e, index, words->at[i].text));
}

/* ---- names ---- */

static bool is_name(const char *name) {
    unsigned char address[16];
    for (const char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("-_.", *p))
            return false;
    return *name && strlen(name) < 64 && strcmp(name, "localhost") != 0 &&
           inet_pton(AF_INET, name, address) != 1;
}

static bool check_name(hd_reader *r, const hd_node_entry *e, const char *name) {
    if (!is_name(name)) {
        hd_reader_fail(r, e->name.at, "'%.80s' cannot be the name of a node", name);
        return hd_err_hint(r->err, "a name has letters, digits, '-', '_' and '.', and is no "
                                   "address");
    }
    for (size_t i = 0; i < r->scenario->nodes.n; i++) {
        if (strcmp(r->scenario->nodes.at[i].name, name) != 0)
            continue;
        hd_text_place first = r->entries.at[r->origins.at[i].entry].name.at;
        hd_reader_fail(r, e->name.at, "there are two nodes called '%s'", name);
        if (&r->entries.at[r->origins.at[i].entry] == e)
            return hd_err_hint(r->err, "with 'count' the name needs {index}: 'name: %s{index}'",
                               e->name.text);
        return hd_err_hint(r->err, "the other is in line %u; give one another name", first.line);
    }
    return true;
}

/* ---- expansion ---- */

static bool expand_one(hd_reader *r, size_t number, uint64_t index) {
    const hd_node_entry *e = &r->entries.at[number];
    hd_scenario_node node = {.name = hd_expand(e, index, e->name.text), .may_idle = e->may_idle};
    bool ok = check_name(r, e, node.name) && hd_node_files_expand(r, e, index, &node);
    node.address = e->address.text ? hd_expand(e, index, e->address.text) : NULL;
    node.input = e->input.text ? hd_expand(e, index, e->input.text) : NULL;
    expand_words(e, index, &e->arguments, &node.arguments);
    expand_words(e, index, &e->environment, &node.environment);
    hd_vec_push(&r->scenario->nodes, node);
    hd_origin origin = {number, index};
    hd_vec_push(&r->origins, origin);
    return ok;
}

bool hd_nodes_expand(hd_reader *r) {
    for (size_t n = 0; n < r->entries.n; n++)
        for (uint64_t index = 0; index < r->entries.at[n].count; index++) {
            if (r->scenario->nodes.n == HD_SCENARIO_MOST_NODES) {
                hd_reader_fail(r, r->entries.at[n].at, "there are more than %d nodes",
                               HD_SCENARIO_MOST_NODES);
                return hd_err_hint(r->err, "a scenario has at most %d nodes",
                                   HD_SCENARIO_MOST_NODES);
            }
            if (!expand_one(r, n, index))
                return false;
        }
    return true;
}

/* ---- names that mean nodes ---- */

static bool unknown_node(hd_reader *r, const hd_piece *word, const char *name) {
    size_t n = r->scenario->nodes.n;
    const char *names[HD_SCENARIO_MOST_NODES + 1];
    for (size_t i = 0; i < n; i++)
        names[i] = r->scenario->nodes.at[i].name;
    names[n] = NULL;
    const char *nearest = hd_nearest_name(name, names);
    hd_reader_fail(r, word->at, "there is no node '%.60s'", name);
    if (nearest)
        return hd_err_hint(r->err, "did you mean '%s'?", nearest);
    return hd_err_hint(r->err, "the first node is '%s'", names[0]);
}

bool hd_nodes_meant(hd_reader *r, const hd_piece *word, const char *name,
                    void (*each)(void *context, uint32_t node), void *context) {
    bool is_known = false;
    for (uint32_t i = 0; i < r->scenario->nodes.n; i++)
        if (strcmp(r->scenario->nodes.at[i].name, name) == 0 ||
            strcmp(r->entries.at[r->origins.at[i].entry].name.text, name) == 0) {
            each(context, i);
            is_known = true;
        }
    return is_known || unknown_node(r, word, name);
}
