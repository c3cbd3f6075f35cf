/* A scenario file from its bytes to its nodes, one step after the other; each step may rely on
 * what those before it have checked. */
#include "scenario/scenario_int.h"

#include "base/panic.h"

#include <errno.h>
#include <string.h>

/* ---- the document ---- */

#define DEEPEST 32 /* mappings and lists in each other */

static hd_text_place place_of_offset(const char *text, size_t n, size_t offset) {
    hd_text_place at = {1, 1};
    for (size_t i = 0; i < offset && i < n; i++) {
        at.column++;
        if (text[i] == '\n')
            at = (hd_text_place){at.line + 1, 1};
    }
    return at;
}

/* libyaml says what it expected; only for bytes that are no text it has an offset instead of a
 * place. */
static bool explain(hd_reader *r, const yaml_parser_t *p, const char *text, size_t n) {
    hd_text_place at = {(unsigned)p->problem_mark.line + 1, (unsigned)p->problem_mark.column + 1};
    if (p->error == YAML_MEMORY_ERROR)
        return hd_err_set(r->err, "out of memory");
    if (p->error == YAML_READER_ERROR)
        at = place_of_offset(text, n, p->problem_offset);
    hd_reader_fail(r, at, "cannot be read as YAML: %s%s%s", p->context ? p->context : "",
                   p->context ? ", " : "", p->problem ? p->problem : "unknown reason");
    return hd_err_hint(r->err, "look at this line and the one before it: blanks in front, ':', "
                               "'-', quotes and brackets");
}

static bool is_single(hd_reader *r, yaml_parser_t *p, const char *text, size_t n) {
    yaml_document_t more;
    if (!yaml_parser_load(p, &more))
        return explain(r, p, text, n);
    yaml_node_t *root = yaml_document_get_root_node(&more);
    if (root) {
        hd_reader_fail(r, hd_text_place_of(root), "a second document begins here");
        hd_err_hint(r->err, "a scenario is one document: leave out '---'");
    }
    yaml_document_delete(&more);
    return !root;
}

static int depth_change(const yaml_event_t *e) {
    switch (e->type) {
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return 1;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return -1;
    default:
        return 0;
    }
}

static bool is_too_deep(hd_reader *r, const yaml_mark_t *mark) {
    hd_text_place at = {(unsigned)mark->line + 1, (unsigned)mark->column + 1};
    hd_reader_fail(r, at, "lists in lists, %d deep", DEEPEST);
    return hd_err_hint(r->err, "no scenario needs that: look for brackets that are not closed");
}

/* What is nested deeply takes libyaml a time that grows with the square of the depth: it is refused
 * where it becomes so.  Mistakes are left to whoever loads the document. */
static bool is_shallow(hd_reader *r, const char *text, size_t n) {
    yaml_parser_t parser;
    yaml_event_t event;
    int depth = 0;
    bool ok = true;
    if (!yaml_parser_initialize(&parser))
        return hd_err_set(r->err, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    for (bool ends = false; ok && !ends && yaml_parser_parse(&parser, &event);) {
        depth += depth_change(&event);
        ok = depth <= DEEPEST || is_too_deep(r, &event.start_mark);
        ends = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return ok;
}

/* r->document is to be deleted if this is true. */
static bool load(hd_reader *r, const char *text, size_t n) {
    yaml_parser_t parser;
    if (!is_shallow(r, text, n))
        return false;
    if (!yaml_parser_initialize(&parser))
        return hd_err_set(r->err, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    bool ok = yaml_parser_load(&parser, &r->document) || explain(r, &parser, text, n);
    if (ok && !is_single(r, &parser, text, n)) {
        yaml_document_delete(&r->document);
        ok = false;
    }
    yaml_parser_delete(&parser);
    return ok;
}

/* ---- its parts ---- */

static const hd_key keys[] = {
    {"nodes", 0, hd_read_nodes},   {"topology", 0, hd_read_topology}, {"links", 0, hd_read_links},
    {"faults", 0, hd_read_faults}, {"assert", 0, hd_read_assertions}, {0},
};

static bool read_parts(hd_reader *r) {
    yaml_node_t *root = yaml_document_get_root_node(&r->document);
    hd_text_place start = root ? hd_text_place_of(root) : (hd_text_place){1, 1};
    if (root && !hd_read_mapping(r, root, "a scenario", keys, r))
        return false;
    if (r->entries.n)
        return true;
    hd_reader_fail(r, start, "a scenario without nodes");
    return hd_err_hint(r->err, "begin with 'nodes:' and a line '  - name: ...'");
}

static void release_reader(hd_reader *r) {
    for (size_t i = 0; i < r->entries.n; i++)
        hd_node_entry_release(&r->entries.at[i]);
    for (size_t i = 0; i < r->links.n; i++)
        hd_link_entry_release(&r->links.at[i]);
    for (size_t i = 0; i < r->faults.n; i++)
        hd_fault_entry_release(&r->faults.at[i]);
    hd_vec_release(&r->faults);
    hd_topology_entry_release(&r->topology);
    hd_vec_release(&r->entries);
    hd_vec_release(&r->links);
    hd_vec_release(&r->origins);
}

/* A rule of the option, also if it was copied from a file with its brackets. */
static void add_rule(hd_text *list, const char *rule, size_t n) {
    size_t blank = strspn(rule, " ");
    bool has_brackets = blank < n && rule[blank] == '{';
    hd_text_add(list, has_brackets ? "- %.*s\n" : "- {%.*s}\n", (int)n, rule);
}

/* The option's faults as a list of YAML: one line for each of them. */
static bool read_option(hd_reader *r, const char *faults) {
    hd_text list = {0};
    if (!faults[strspn(faults, " ")]) {
        hd_err_set(r->err, "option '--fault' is empty");
        return hd_err_hint(r->err, "write what may go wrong, such as 'drop: 1'; or leave it out");
    }
    for (const char *p = faults; *p; p += *p == ';') {
        size_t n = strcspn(p, ";");
        add_rule(&list, p, n);
        p += n;
    }
    r->source = "--fault";
    bool ok = load(r, hd_text_string(&list), list.n);
    if (ok) {
        yaml_node_t *root = yaml_document_get_root_node(&r->document);
        ok = !root || hd_read_faults(r, root, NULL);
        yaml_document_delete(&r->document);
    }
    r->source = NULL;
    hd_text_release(&list);
    return ok;
}

/* What was read becomes nodes: no document is needed any more. */
static bool resolve(hd_reader *r) {
    if (!hd_nodes_expand(r) || !hd_addresses_assign(r) || !hd_nodes_order(r))
        return false;
    for (size_t n = 0; n < r->scenario->nodes.n; n++)
        HD_INVARIANT(S3, r->scenario->nodes.at[n].name && r->scenario->nodes.at[n].address);
    hd_programs_assign(r);
    return hd_links_resolve(r) && hd_faults_resolve(r);
}

bool hd_scenario_parse(hd_scenario *s, const char *path, const char *text, size_t n, hd_err *err) {
    return hd_scenario_parse_with(s, path, text, n, NULL, err);
}

bool hd_scenario_parse_with(hd_scenario *s, const char *path, const char *text, size_t n,
                            const char *faults, hd_err *err) {
    *s = (hd_scenario){.path = hd_text_format("%s", path)};
    hd_reader r = {.scenario = s, .err = err};
    bool ok = n <= HD_SCENARIO_MOST_BYTES;
    if (!ok) {
        hd_err_set(err, "'%s' is too long for a scenario (%zu bytes)", path, n);
        hd_err_hint(err, "a scenario has at most %u bytes", HD_SCENARIO_MOST_BYTES);
    } else if ((ok = load(&r, text, n))) {
        ok = read_parts(&r);
        yaml_document_delete(&r.document);
        ok = ok && (!faults || read_option(&r, faults)) && resolve(&r);
    }
    release_reader(&r);
    if (!ok)
        hd_scenario_release(s);
    return ok;
}

bool hd_scenario_read(hd_scenario *s, const char *path, hd_err *err) {
    return hd_scenario_read_with(s, path, NULL, err);
}

bool hd_scenario_read_with(hd_scenario *s, const char *path, const char *faults, hd_err *err) {
    hd_text text = {0};
    bool ok = hd_text_read_file(&text, path);
    if (ok) {
        ok = hd_scenario_parse_with(s, path, hd_text_string(&text), text.n, faults, err);
    } else {
        hd_err_set(err, "cannot read the scenario '%s': %s", path, strerror(errno));
        hd_err_hint(err, "name a file that exists; 'heddle help scenarios' shows its form");
    }
    hd_text_release(&text);
    return ok;
}

/* ---- the end ---- */

static void release_list(hd_word_list *list) {
    for (size_t i = 0; i < list->n; i++)
        free(list->at[i]);
    hd_vec_release(list);
}

static void release_node(hd_scenario_node *n) {
    free(n->name);
    free(n->address);
    free(n->input);
    free(n->root);
    release_list(&n->arguments);
    release_list(&n->environment);
}

static void release_program(hd_scenario_program *p) {
    free(p->name);
    release_list(&p->sources);
    release_list(&p->flags);
}

void hd_scenario_release(hd_scenario *s) {
    for (size_t i = 0; i < s->programs.n; i++)
        release_program(&s->programs.at[i]);
    for (size_t i = 0; i < s->nodes.n; i++)
        release_node(&s->nodes.at[i]);
    for (size_t i = 0; i < s->assertions.n; i++)
        free(s->assertions.at[i].text);
    hd_vec_release(&s->programs);
    hd_vec_release(&s->nodes);
    hd_vec_release(&s->links);
    hd_vec_release(&s->faults);
    hd_vec_release(&s->assertions);
    free(s->path);
    *s = (hd_scenario){0};
}
