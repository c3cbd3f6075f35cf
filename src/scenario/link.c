/* Links: each says something about some pairs of nodes; what comes later in the file counts.  At
 * the end there is one link for every node, and one for each pair that differs from it. */
#include "scenario/scenario_int.h"

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

#define AT(field) offsetof(hd_link_entry, field)
static const hd_key keys[] = {
    {"from", AT(from), hd_read_words},
    {"to", AT(to), hd_read_words},
    {"between", AT(between), hd_read_words},
    {"fifo", 0, read_fifo},
    {"latency", 0, read_latency},
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
    if (!l->has_fifo && !l->has_latency) {
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

typedef struct link_table {
    hd_link every;
    uint32_t n;     /* nodes */
    hd_link *pairs; /* from node to node, n * n of them */
} link_table;

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
}

static bool apply(hd_reader *r, const hd_link_entry *l, link_table *t) {
    hd_set from, to;
    bool is_between = l->between.n > 0;
    if (!hd_nodes_listed(r, is_between ? &l->between : &l->from, &from) ||
        !hd_nodes_listed(r, is_between ? &l->between : &l->to, &to))
        return false;
    if (!is_between && !l->from.n && !l->to.n)
        change(l, &t->every);
    uint32_t i, j;
    HD_SET_EACH(i, from)
    HD_SET_EACH(j, to)
    change(l, &t->pairs[(size_t)i * t->n + j]);
    return true;
}

static void list_pairs(hd_scenario *s, const link_table *t) {
    hd_vec_push(&s->links, t->every);
    for (uint32_t i = 0; i < s->nodes.n; i++)
        for (uint32_t j = 0; j < s->nodes.n; j++) {
            hd_link link = t->pairs[(size_t)i * t->n + j];
            if (link.is_fifo == t->every.is_fifo && link.latency == t->every.latency &&
                link.delay == t->every.delay)
                continue;
            link.from = i;
            link.to = j;
            hd_vec_push(&s->links, link);
        }
}

bool hd_links_resolve(hd_reader *r) {
    size_t n = r->scenario->nodes.n;
    hd_link usual = hd_link_between(NULL, 0, HD_EVERY_NODE, HD_EVERY_NODE);
    link_table t = {.every = usual, .n = (uint32_t)n, .pairs = calloc(n * n + 1, sizeof *t.pairs)};
    bool ok = t.pairs != NULL;
    if (!ok)
        return hd_err_set(r->err, "out of memory");
    for (size_t i = 0; i < n * n; i++)
        t.pairs[i] = usual;
    for (size_t i = 0; ok && i < r->links.n; i++)
        ok = apply(r, &r->links.at[i], &t);
    if (ok)
        list_pairs(r->scenario, &t);
    free(t.pairs);
    return ok;
}
