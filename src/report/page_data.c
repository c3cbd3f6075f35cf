/* The data of a page: one object of JSON, in which "<" is written as an escape, so that nothing in
 * it can end the element that it stands in. */
#include "report/page.h"

#include "base/panic.h"
#include "base/shown.h"
#include "report/json_values.h"
#include "report/page_graph.h"

#include <inttypes.h>
#include <string.h>

#define INPUTS_SHOWN 160  /* characters of a test's inputs */
#define PATH_SHOWN   1500 /* characters of its decisions, and of its schedule */
#define POINTS_SHOWN 400  /* of a curve */
#define MOST_DEPTH   8

/* ---- values ---- */

static json_t *text_of(const char *text) {
    return hd_json_shown(text, text ? strlen(text) : 0);
}

/* A line of source: tabs stay. */
static json_t *line_of(const char *line, size_t n) {
    hd_text shown = {0};
    for (size_t i = 0, end; i < n; i = end + 1) {
        const char *tab = memchr(line + i, '\t', n - i);
        end = tab ? (size_t)(tab - line) : n;
        hd_text_add_shown(&shown, line + i, end - i);
        if (tab)
            hd_text_add(&shown, "\t");
    }
    json_t *s = json_string(hd_text_string(&shown));
    hd_text_release(&shown);
    return s;
}

/* ---- traces (P2) ---- */

static bool is_index(const json_t *v, size_t limit) {
    return json_is_integer(v) && json_integer_value(v) >= 0 &&
           (uint64_t)json_integer_value(v) < limit;
}

/* Letters say what an item of a list must be: s number of a string, n any number from 0, t text,
 * v text or null, p a number of a thread, q one of a process, l one of a lane, k a kind of row. */
typedef struct trace_sizes {
    size_t strings, threads, processes;
} trace_sizes;

static bool is_item(const json_t *v, char letter, const trace_sizes *z) {
    switch (letter) {
    case 's':
        return is_index(v, z->strings);
    case 'p':
        return is_index(v, z->threads);
    case 'q':
        return is_index(v, z->processes ? z->processes : 1 << 16);
    case 'l':
        return is_index(v, z->processes ? z->processes : 1);
    case 'k':
        return is_index(v, HD_ROW_NOTE + 1);
    case 't':
        return json_is_string(v);
    case 'v':
        return json_is_string(v) || json_is_null(v);
    default:
        return is_index(v, INT64_MAX);
    }
}

static bool are_lists(const json_t *all, const char *letters, const trace_sizes *z) {
    size_t i, n = strlen(letters);
    json_t *list;
    if (!json_is_array(all))
        return false;
    json_array_foreach(all, i, list) {
        if (!json_is_array(list) || json_array_size(list) != n)
            return false;
        for (size_t k = 0; k < n; k++)
            if (!is_item(json_array_get(list, k), letters[k], z))
                return false;
    }
    return true;
}

static bool are_texts(const json_t *all) {
    size_t i;
    json_t *item;
    if (!json_is_array(all))
        return false;
    json_array_foreach(all, i, item) {
        if (!json_is_string(item))
            return false;
    }
    return true;
}

static bool is_trace(const json_t *t) {
    const json_t *left = json_object_get(t, "left_out");
    trace_sizes z = {json_array_size(json_object_get(t, "strings")),
                     json_array_size(json_object_get(t, "threads")),
                     json_array_size(json_object_get(t, "processes"))};
    return json_is_object(t) && are_texts(json_object_get(t, "strings")) &&
           are_lists(json_object_get(t, "threads"), "ssn", &z) &&
           are_lists(json_object_get(t, "processes"), "ssn", &z) &&
           are_lists(json_object_get(t, "steps"), "npqtsssnv", &z) &&
           are_lists(json_object_get(t, "rows"), "kllntssnsn", &z) &&
           json_is_boolean(json_object_get(t, "cut")) &&
           (!left || (json_array_size(left) == 2 && is_index(json_array_get(left, 0), 1 << 24) &&
                      is_index(json_array_get(left, 1), INT64_MAX)));
}

/* A copy with all texts shown: what wrote them may have been taken over. */
static json_t *believed(const json_t *v, unsigned depth) {
    size_t i;
    json_t *item, *copy;
    const char *name;
    if (depth > MOST_DEPTH)
        return json_null();
    if (json_is_string(v))
        return text_of(json_string_value(v));
    if (json_is_array(v)) {
        copy = json_array();
        json_array_foreach(v, i, item) json_array_append_new(copy, believed(item, depth + 1));
        return copy;
    }
    if (json_is_object(v)) {
        copy = json_object();
        json_object_foreach((json_t *)v, name, item)
            hd_json_put(copy, name, believed(item, depth + 1));
        return copy;
    }
    return json_deep_copy(v);
}

static json_t *trace_of(const hd_text *text) {
    json_t *t = text->n ? json_loadb(text->at, text->n, 0, NULL) : NULL;
    json_t *copy = t && is_trace(t) ? believed(t, 0) : json_null();
    json_decref(t);
    return copy;
}

/* Debug information may call a file otherwise than who compiled it did. */
static void note_alias(const hd_page *p, const char *name, json_t *aliases) {
    const hd_source_text *s = name && *name ? hd_sources_find(&p->sources, name) : NULL;
    if (s && strcmp(s->path, name) != 0)
        hd_json_put(aliases, name, text_of(s->path));
}

static void note_name(const hd_page *p, const json_t *strings, const json_t *index,
                      json_t *aliases) {
    size_t i = (size_t)json_integer_value(index);
    note_alias(p, json_string_value(json_array_get(strings, i)), aliases);
}

static void note_names(const hd_page *p, const json_t *trace, json_t *aliases) {
    const json_t *strings = json_object_get(trace, "strings");
    size_t i;
    json_t *list;
    json_array_foreach(json_object_get(trace, "steps"), i, list)
        note_name(p, strings, json_array_get(list, 6), aliases);
    json_array_foreach(json_object_get(trace, "rows"), i, list)
        note_name(p, strings, json_array_get(list, 6), aliases);
}

static json_t *findings_of(const hd_page *p, json_t *aliases) {
    json_t *list = json_array();
    for (size_t i = 0; i < p->findings.n; i++) {
        const hd_page_finding *f = &p->findings.at[i];
        json_t *o = json_object();
        hd_json_put(o, "number", hd_json_integer(f->found->number));
        hd_json_put(o, "file", text_of(f->found->file));
        hd_json_put(o, "line", hd_json_integer(f->found->line));
        json_t *trace = trace_of(&f->trace);
        note_names(p, trace, aliases);
        note_alias(p, f->found->file, aliases);
        hd_json_put(o, "trace", trace);
        hd_json_put(o, "graph", f->has_test ? hd_page_graph_json(&f->test) : json_null());
        json_array_append_new(list, o);
    }
    return list;
}

/* ---- sources ---- */

static json_t *lines_of(const hd_source_text *s) {
    json_t *list = json_array();
    for (const char *at = s->text, *end = s->text + s->n; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((newline ? newline : end) - at), visible = n;
        if (visible && at[visible - 1] == '\r')
            visible--;
        json_array_append_new(list, line_of(at, visible));
        at += n + 1;
    }
    return list;
}

static json_t *files_of(const hd_page *p) {
    static const char *const states[] = {
#define X(name, words) words,
        HD_SOURCE_STATES(X)
#undef X
    };
    json_t *list = json_array();
    for (size_t i = 0; i < p->shown.n; i++) {
        json_t *o = json_object();
        hd_json_put(o, "name", text_of(p->shown.at[i].kept->path));
        hd_json_put(o, "state", text_of(states[p->shown.at[i].state]));
        hd_json_put(o, "lines", lines_of(p->shown.at[i].kept));
        json_array_append_new(list, o);
    }
    return list;
}

/* ---- tests ---- */

static void describe_end(const hd_test *t, hd_text *out) {
    if (t->end == HD_END_FINDING)
        hd_text_add(out, "%s", hd_finding_kind_name(t->finding));
    else if (t->end == HD_END_REJECTED)
        hd_text_add(out, "rejected");
    else
        hd_text_add(out, "exit %d", t->status);
}

static bool is_cut(const char *text) {
    return text && strlen(text) > PATH_SHOWN;
}

/* The beginning of a list of words, up to a blank. */
static json_t *words_of(const char *text) {
    size_t n = text ? strlen(text) : 0;
    if (is_cut(text))
        for (n = PATH_SHOWN; n && text[n] != ' '; n--)
            ;
    char *beginning = hd_text_format("%.*s", (int)n, text ? text : "");
    json_t *s = text_of(beginning);
    free(beginning);
    return s;
}

static bool add_test(void *context, const hd_test *t) {
    json_t *all = context, *row = json_array();
    hd_text end = {0}, inputs = {0}, faults = {0};
    if (json_array_size(all) >= HD_PAGE_TESTS)
        return false;
    describe_end(t, &end);
    hd_inputs_print(t, INPUTS_SHOWN, &inputs);
    hd_test_faults(t, &faults);
    json_array_append_new(row, hd_json_integer(t->number));
    json_array_append_new(row, text_of(hd_text_string(&end)));
    json_array_append_new(row, hd_json_integer(t->end == HD_END_FINDING));
    json_array_append_new(row, text_of(hd_text_string(&inputs)));
    json_array_append_new(row, text_of(hd_text_string(&faults)));
    json_array_append_new(row, words_of(t->path));
    json_array_append_new(row, words_of(t->schedule));
    json_array_append_new(row, json_integer(is_cut(t->path) | is_cut(t->schedule) << 1));
    json_array_append_new(all, row);
    hd_text_release(&end);
    hd_text_release(&inputs);
    hd_text_release(&faults);
    return true;
}

static bool put_tests(json_t *o, hd_record *record, hd_err *err) {
    json_t *list = json_array();
    bool ok = hd_record_tests(record, add_test, list, err);
    HD_INVARIANT(P3, json_array_size(list) <= HD_PAGE_TESTS);
    hd_json_put(o, "tests", list);
    return ok;
}

/* ---- units ---- */

static bool add_unit(void *context, const hd_unit_cost *u) {
    json_t *all = context;
    if (json_array_size(all) >= HD_PAGE_UNITS)
        return false;
    json_array_append_new(all,
                          json_pack("[o, o, f, f, f, o, o, s, o]", hd_json_integer(u->number),
                                    hd_json_integer(u->parent), u->given_at, u->begun, u->seconds,
                                    hd_json_integer(u->executions), hd_json_integer(u->paths),
                                    hd_unit_state_words(u->state), hd_json_integer(u->hand_outs)));
    return true;
}

static bool put_units(json_t *o, hd_record *record, hd_err *err) {
    json_t *list = json_array();
    bool ok = hd_record_units(record, add_unit, list, err);
    HD_INVARIANT(P3, json_array_size(list) <= HD_PAGE_UNITS);
    hd_json_put(o, "units", list);
    return ok;
}

/* ---- times and counters ---- */

static json_t *layers_of(const hd_chain_counters *c) {
    static const char *const names[][2] = {
#define X(name, symbol, what) {#symbol, what},
        HD_LAYERS(X)
#undef X
    };
    json_t *list = json_array();
    for (int i = 0; i < HD_N_LAYERS; i++) {
        const hd_layer_counters *l = &c->layer[i];
        json_array_append_new(list, json_pack("[s, s, o, o, o, o, f]", names[i][0], names[i][1],
                                              hd_json_integer(l->asked), hd_json_integer(l->sat),
                                              hd_json_integer(l->unsat),
                                              hd_json_integer(l->unknown), l->seconds));
    }
    return list;
}

static int by_time(const void *a, const void *b) {
    const hd_first *x = a, *y = b;
    return x->seconds < y->seconds ? -1 : x->seconds > y->seconds;
}

/* How many ways and findings had been met by then, at some of the moments. */
static json_t *curve_of(hd_firsts *firsts) {
    json_t *list = json_array();
    size_t step = firsts->n / POINTS_SHOWN + 1, ways = 0, findings = 0;
    if (firsts->n)
        qsort(firsts->at, firsts->n, sizeof *firsts->at, by_time);
    for (size_t i = 0; i < firsts->n; i++) {
        bool is_finding = firsts->at[i].kind == HD_FIRST_FINDING;
        ways += !is_finding;
        findings += is_finding;
        if (i % step == 0 || is_finding || i + 1 == firsts->n)
            json_array_append_new(list,
                                  json_pack("[f, o, o]", firsts->at[i].seconds,
                                            hd_json_integer(ways), hd_json_integer(findings)));
    }
    return list;
}

static json_t *firsts_of(const hd_batch *b) {
    hd_firsts firsts = {0};
    size_t n;
    const void *bytes = hd_observed_find(b->observed, b->n_observed, "firsts", &n);
    if (bytes && !hd_firsts_unpack(bytes, n, &firsts))
        hd_vec_clear(&firsts);
    json_t *list = curve_of(&firsts);
    hd_vec_release(&firsts);
    return list;
}

static json_t *growth_of(const hd_batch *b) {
    hd_growth growth = {0};
    size_t n;
    json_t *list = json_array();
    const void *bytes = hd_observed_find(b->observed, b->n_observed, "growth", &n);
    if (bytes && !hd_growth_unpack(bytes, n, &growth))
        hd_vec_clear(&growth);
    size_t step = growth.n / POINTS_SHOWN + 1;
    for (size_t i = 0; i < growth.n; i++) {
        const hd_growth_point *g = &growth.at[i];
        if (i % step == 0 || i + 1 == growth.n)
            json_array_append_new(
                list, json_pack("[f, f, o, o, o, o]", g->seconds, (double)g->moment / 1e9,
                                hd_json_integer(g->states), hd_json_integer(g->dstates),
                                hd_json_integer(g->events), hd_json_integer(g->bytes)));
    }
    hd_vec_release(&growth);
    return list;
}

static void put_counters(json_t *o, const hd_run_counters *c) {
    hd_json_put(o, "times",
                json_pack("{s:f, s:f, s:f, s:f}", "total", c->seconds, "cpu", c->cpu_seconds,
                          "work", c->work_seconds, "samples", c->sample_seconds));
    hd_json_put(o, "solver",
                json_pack("{s:o, s:f}", "queries", hd_json_integer(c->solve.queries), "seconds",
                          c->solve.seconds));
    hd_json_put(o, "layers", layers_of(&c->solve));
}

/* ---- sites ---- */

static json_t *sites_of(const hd_text *text) {
    json_t *sites = text->n ? json_loadb(text->at, text->n, 0, NULL) : NULL, *value;
    const char *name;
    json_t *copy = json_object();
    json_object_foreach(sites, name, value) {
        if (json_is_string(value) && strspn(name, "0123456789") == strlen(name)) /* P2 */
            hd_json_put(copy, name, text_of(json_string_value(value)));
    }
    json_decref(sites);
    return copy;
}

/* ---- what no test did ---- */

bool hd_page_has_orders(const hd_page *p) {
    const hd_run_counters *c = &p->report->state.counters;
    return c->threads > 1 || c->processes > 1;
}

bool hd_page_has_all_paths(const hd_page *p) {
    uint64_t n_tests = p->report->n_tests;
    return n_tests >= p->report->state.counters.explore.paths && n_tests <= HD_PAGE_TESTS;
}

/* What is known of a way of a decision that no test took.  With a test for every path of a complete search it has none; a
 * path that an assumption rejected is no test.  Where there are orders, decisions stand before all turns in the tree,
 * which says less than what was decided when. */
static const char *words_of_other_ways(const hd_page *p) {
    const hd_batch *b = &p->report->state;
    if (hd_page_has_orders(p) || !hd_page_has_all_paths(p))
        return "unknown"; /* it may be that of an execution that was not kept */
    return !b->is_complete ? "open" : b->counters.explore.rejected ? "rejected" : "infeasible";
}

/* What is known of a thread that could go on where no test let it: what it does there is in other executions (a
 * sleep set has it, or no race asks for it). */
static const char *words_of_other_turns(const hd_page *p, json_t *able) {
    const hd_batch *b = &p->report->state;
    bool is_known = false;
    size_t i;
    json_t *v;
    json_array_foreach(able, i, v) is_known |= json_string_length(v) > 0;
    if (!is_known)
        return "unknown"; /* or time orders events, and nobody chooses */
    return !b->is_complete ? "open" : b->counters.explore.rejected ? "rejected" : "asleep";
}

/* P2: sets of threads, as tell/able.h writes them. */
static bool is_able(const json_t *v) {
    const char *text = json_is_string(v) ? json_string_value(v) : "x";
    return json_is_null(v) || strspn(text, "0123456789-,* ") == strlen(text);
}

/* One for each test, or none at all. */
static json_t *able_of(const hd_page *p, const json_t *tests) {
    json_t *list = p->able.n ? json_loadb(p->able.at, p->able.n, 0, NULL) : NULL, *v;
    size_t i;
    bool ok = json_is_array(list) && json_array_size(list) == json_array_size(tests);
    json_array_foreach(list, i, v) ok = ok && is_able(v);
    if (ok)
        return list;
    json_decref(list);
    return json_array();
}

static void put_others(json_t *o, const hd_page *p) {
    json_t *able = able_of(p, json_object_get(o, "tests"));
    hd_json_put(o, "other_ways", json_string(words_of_other_ways(p)));
    hd_json_put(o, "other_turns", json_string(words_of_other_turns(p, able)));
    hd_json_put(o, "able", able);
}

/* ---- all of it ---- */

static int add_safe(const char *buffer, size_t size, void *context) {
    hd_text *out = context;
    for (size_t i = 0, n; i < size; i += n) {
        const char *open = memchr(buffer + i, '<', size - i);
        n = open ? (size_t)(open - buffer) - i : size - i;
        hd_text_add_bytes(out, buffer + i, n);
        if (open) {
            hd_text_add(out, "\\u003c");
            n++;
        }
    }
    return 0;
}

bool hd_page_data(hd_page *p, hd_text *out, hd_err *err) {
    json_t *o = json_object(), *aliases = json_object();
    const hd_batch *state = &p->report->state;
    hd_json_put(o, "findings", findings_of(p, aliases));
    hd_json_put(o, "aliases", aliases);
    hd_json_put(o, "files", files_of(p));
    hd_json_put(o, "sites", sites_of(&p->sites));
    hd_json_put(o, "coverage",
                p->coverage ? hd_page_coverage_json(p->coverage, &p->sources) : json_null());
    put_counters(o, &state->counters);
    hd_json_put(o, "firsts", firsts_of(state));
    hd_json_put(o, "growth", growth_of(state));
    bool ok = put_tests(o, p->record, err) && put_units(o, p->record, err);
    if (ok)
        put_others(o, p);
    if (ok)
        json_dump_callback(o, add_safe, out, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(o);
    return ok;
}
