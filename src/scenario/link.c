/* Links: each says something about some pairs of nodes; what comes later in the file counts.  At
 * the end there is one link for every node, and one for each pair that differs from it. */
#include "scenario/scenario_int.h"

#include "base/map.h"

#include <stdlib.h>
#include <string.h>

static bool read_fifo(hd_reader *r, yaml_node_t *value, void *field) {
    hd_link_entry *l = field;
    l->has_fifo = true;
    return hd_read_bool(r, value, &l->is_fifo);
}

#define MOST_DELAY 1e6 /* seconds */

/* "5ms": nanoseconds; false if it is no duration. */
static bool read_delay(const char *text, uint64_t *delay) {
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}};
    char *end;
    double n = text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : -1;
    for (size_t i = 0; n >= 0 && i < sizeof units / sizeof *units; i++)
        if (strcmp(end + (*end == ' '), units[i].unit) == 0 && n * units[i].seconds <= MOST_DELAY) {
            *delay = (uint64_t)(n * units[i].seconds * 1e9 + 0.5);
            return true;
        }
    return false;
}

static bool read_latency(hd_reader *r, yaml_node_t *value, void *field) {
    hd_link_entry *l = field;
    hd_piece word = {0};
    if (!hd_read_text(r, value, &word))
        return false;
    bool is_none = strcmp(word.text, "none") == 0, is_any = strcmp(word.text, "any") == 0;
    bool is_time = !is_none && !is_any && read_delay(word.text, &l->delay);
    l->has_latency = true;
    l->latency = is_none || (is_time && !l->delay) ? HD_LATENCY_NONE : HD_LATENCY_ANY;
    if (!is_none && !is_any && !is_time) {
        hd_reader_fail(r, word.at, "expected 'none', 'any' or a time, found '%.60s'", word.text);
        hd_err_hint(r->err, "none: a message is there as soon as it is sent; any: some time later; "
                            "5ms: so much of virtual time later ('heddle help systems')");
    }
    hd_piece_release(&word);
    return is_none || is_any || is_time;
}

static bool read_connected(hd_reader *r, yaml_node_t *value, void *field) {
    hd_link_entry *l = field;
    bool is_connected;
    if (!hd_read_bool(r, value, &is_connected))
        return false;
    l->has_cut = true;
    l->is_cut = !is_connected;
    return true;
}

/* "together", or how many cuts. */
static bool read_segments(hd_reader *r, yaml_node_t *value, void *field) {
    hd_link_entry *l = field;
    hd_piece word = {0};
    if (!hd_read_text(r, value, &word))
        return false;
    char *end = word.text;
    bool is_together = strcmp(word.text, "together") == 0;
    unsigned long n = word.text[0] >= '0' && word.text[0] <= '9' ? strtoul(word.text, &end, 10) : 0;
    bool ok = is_together || (end != word.text && !*end && n <= HD_MOST_CUTS);
    l->segments = (uint32_t)n + 1;
    l->segments_at = word.at;
    if (!ok) {
        hd_reader_fail(r, word.at, "expected 'together' or a number of cuts up to %d, found '%.60s'",
                       HD_MOST_CUTS, word.text);
        hd_err_hint(r->err, "together: what is sent in a row on a connection arrives as one; 2: it "
                            "is cut at most twice on each connection");
    }
    hd_piece_release(&word);
    return ok;
}

#define AT(field) offsetof(hd_link_entry, field)
static const hd_key keys[] = {
    {"from", AT(from), hd_read_words},
    {"to", AT(to), hd_read_words},
    {"between", AT(between), hd_read_words},
    {"fifo", 0, read_fifo},
    {"latency", 0, read_latency},
    {"connected", 0, read_connected},
    {"segments", 0, read_segments},
    {0},
};

static bool is_complete(hd_reader *r, const hd_link_entry *l) {
    if (l->between.n && (l->from.n || l->to.n)) {
        hd_reader_fail(r, l->at, "a link has either 'between', or 'from' and 'to'");
        return hd_err_hint(r->err, "'between' is both ways, 'from' and 'to' one way");
    }
    if (l->between.n == 1) {
        hd_reader_fail(r, l->between.at[0].at, "expected two nodes or more, found one");
        return hd_err_hint(r->err, "write 'between: [a, b]'");
    }
    if (!l->has_fifo && !l->has_latency && !l->has_cut && !l->segments) {
        hd_reader_fail(r, l->at, "a link that says nothing");
        return hd_err_hint(r->err, "add 'fifo: true', 'fifo: false', 'latency: none' or 'latency: "
                                   "any'");
    }
    return true;
}

static bool read_link(hd_reader *r, yaml_node_t *value, void *unused) {
    (void)unused;
    hd_link_entry l = {.at = hd_text_place_of(value)};
    bool ok = hd_read_mapping(r, value, "a link", keys, &l) && is_complete(r, &l);
    hd_vec_push(&r->links, l);
    return ok;
}

bool hd_read_links(hd_reader *r, yaml_node_t *value, void *unused) {
    (void)unused;
    return hd_read_list(r, value, "a list of links, each beginning with '- '", read_link, NULL);
}

void hd_link_entry_release(hd_link_entry *l) {
    hd_pieces_release(&l->from);
    hd_pieces_release(&l->to);
    hd_pieces_release(&l->between);
}

/* ---- to pairs ---- */

/* Pairs that somebody has said something about; there are few, compared with all of them. */
typedef struct link_table {
    hd_link every;
    hd_map places; /* of pairs in the list */
    hd_vec(hd_link) pairs;
} link_table;

static hd_link *pair_of(link_table *t, uint32_t from, uint32_t to) {
    uint64_t key = (uint64_t)from << 32 | to, *place = hd_map_find(&t->places, key);
    if (place)
        return &t->pairs.at[*place];
    hd_link link = t->every;
    link.from = from;
    link.to = to;
    hd_map_put(&t->places, key, t->pairs.n);
    hd_vec_push(&t->pairs, link);
    return &t->pairs.at[t->pairs.n - 1];
}

static void add_to_set(void *context, uint32_t node) {
    hd_set *set = context;
    *set = hd_set_with(*set, node);
}

bool hd_nodes_listed(hd_reader *r, const hd_pieces *names, hd_set *set) {
    hd_set_maker all = {0};
    for (uint32_t i = 0; i < r->scenario->nodes.n && !names->n; i++)
        hd_set_maker_add(&all, i);
    *set = hd_set_made(&all);
    for (size_t i = 0; i < names->n; i++)
        if (!hd_nodes_meant(r, &names->at[i], names->at[i].text, add_to_set, set))
            return false;
    return true;
}

static void change(const hd_link_entry *l, hd_link *link) {
    if (l->has_fifo)
        link->is_fifo = l->is_fifo;
    if (l->has_latency)
        link->latency = l->latency, link->delay = l->delay;
    if (l->has_cut)
        link->is_cut = l->is_cut;
    if (l->segments)
        link->segments = l->segments, link->segments_line = (uint32_t)l->segments_at.line;
}

static void apply_to_all(const hd_link_entry *l, link_table *t) {
    change(l, &t->every);
    for (size_t i = 0; i < t->pairs.n; i++)
        change(l, &t->pairs.at[i]);
}

static bool apply(hd_reader *r, const hd_link_entry *l, link_table *t) {
    hd_set from, to;
    bool is_between = l->between.n > 0;
    if (!hd_nodes_listed(r, is_between ? &l->between : &l->from, &from) ||
        !hd_nodes_listed(r, is_between ? &l->between : &l->to, &to))
        return false;
    if (!is_between && !l->from.n && !l->to.n) {
        apply_to_all(l, t);
        return true;
    }
    uint32_t i, j;
    HD_SET_EACH(i, from)
    HD_SET_EACH(j, to)
    if (i != j)
        change(l, pair_of(t, i, j));
    return true;
}

static int compare_pairs(const void *one, const void *other) {
    const hd_link *a = one, *b = other;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return a->to < b->to ? -1 : a->to > b->to;
}

static void list_pairs(hd_scenario *s, link_table *t) {
    hd_vec_push(&s->links, t->every);
    if (t->pairs.n)
        qsort(t->pairs.at, t->pairs.n, sizeof *t->pairs.at, compare_pairs);
    for (size_t i = 0; i < t->pairs.n; i++) {
        hd_link link = t->pairs.at[i];
        if (link.is_fifo != t->every.is_fifo || link.latency != t->every.latency ||
            link.delay != t->every.delay || link.is_cut != t->every.is_cut ||
            link.segments != t->every.segments)
            hd_vec_push(&s->links, link);
    }
}

static void set_cut(void *context, uint32_t from, uint32_t to, bool is_cut) {
    if (is_cut != ((link_table *)context)->every.is_cut)
        pair_of(context, from, to)->is_cut = is_cut;
}

bool hd_links_resolve(hd_reader *r) {
    link_table t = {.every = hd_link_between(NULL, 0, HD_EVERY_NODE, HD_EVERY_NODE)};
    bool ok = hd_topology_resolve(r);
    t.every.is_cut = ok && hd_topology_has_all(r);
    if (ok)
        hd_topology_pairs(r, set_cut, &t);
    for (size_t i = 0; ok && i < r->links.n; i++)
        ok = apply(r, &r->links.at[i], &t);
    if (ok)
        list_pairs(r->scenario, &t);
    hd_map_release(&t.places);
    hd_vec_release(&t.pairs);
    return ok && hd_routes_resolve(r);
}
