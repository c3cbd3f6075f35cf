/* Routes: which neighbour of a node is next on the way to another.  A route that is written goes
 * first, else the way with the fewest links, and of several the one over the node that stands
 * first.
 *
 * Programs learn it from words that are replaced: {hop:NODE} and {neighbours} in arguments,
 * environment and standard input.  Nothing is forwarded by itself: a node reaches its neighbours
 * and nobody else. */
#include "scenario/scenario_int.h"

#include <stdlib.h>
#include <string.h>

#define NO_NODE UINT32_MAX

/* Ways to one node: the next one for each, and how many links it is away. */
typedef struct hops {
    uint32_t to;
    hd_vec(uint32_t) next, distance;
} hops;

typedef struct route_table {
    hd_reader *reader;
    hd_vec(hops) known;
} route_table;

static bool is_linked(const hd_scenario *s, uint32_t from, uint32_t to) {
    return from != to && !hd_link_between(s->links.at, (uint32_t)s->links.n, from, to).is_cut;
}

/* Breadth first from the end of all ways, back along links. */
static void find_ways(const hd_scenario *s, hops *w) {
    hd_vec(uint32_t) queue = {0};
    uint32_t n = (uint32_t)s->nodes.n;
    for (uint32_t i = 0; i < n; i++) {
        hd_vec_push(&w->next, i == w->to ? i : NO_NODE);
        hd_vec_push(&w->distance, 0);
    }
    hd_vec_push(&queue, w->to);
    for (size_t at = 0; at < queue.n; at++) {
        uint32_t reached = queue.at[at];
        for (uint32_t i = 0; i < n; i++) {
            if (!is_linked(s, i, reached))
                continue;
            bool is_new = w->next.at[i] == NO_NODE;
            if (is_new)
                hd_vec_push(&queue, i);
            if (is_new)
                w->distance.at[i] = w->distance.at[reached] + 1;
            if (is_new ||
                (w->distance.at[i] == w->distance.at[reached] + 1 && reached < w->next.at[i]))
                w->next.at[i] = reached;
        }
    }
    hd_vec_release(&queue);
}

static hops *hops_to(route_table *t, uint32_t to) {
    for (size_t i = 0; i < t->known.n; i++)
        if (t->known.at[i].to == to)
            return &t->known.at[i];
    hd_vec_push(&t->known, ((hops){.to = to}));
    find_ways(t->reader->scenario, &t->known.at[t->known.n - 1]);
    return &t->known.at[t->known.n - 1];
}

/* ---- routes that are written ---- */

static void take_node(void *context, uint32_t node) {
    *(uint32_t *)context = node;
}

static bool node_of(hd_reader *r, const hd_piece *word, uint32_t *node) {
    return hd_nodes_meant(r, word, word->text, take_node, node);
}

static bool add_route(route_table *t, const hd_route_entry *e) {
    hd_reader *r = t->reader;
    uint32_t last, from, to;
    if (!node_of(r, &e->path.at[e->path.n - 1], &last))
        return false;
    hops *w = hops_to(t, last);
    for (size_t i = 0; i + 1 < e->path.n; i++) {
        if (!node_of(r, &e->path.at[i], &from) || !node_of(r, &e->path.at[i + 1], &to))
            return false;
        if (!is_linked(r->scenario, from, to)) {
            hd_reader_fail(r, e->path.at[i + 1].at, "'%s' does not reach '%s'", e->path.at[i].text,
                           e->path.at[i + 1].text);
            return hd_err_hint(r->err, "a route goes from neighbour to neighbour; 'heddle check' "
                                       "lists them if it is left out");
        }
        w->next.at[from] = to;
    }
    return true;
}

/* ---- words ---- */

static void add_neighbours(const hd_scenario *s, uint32_t node, hd_text *out) {
    bool is_first = true;
    for (uint32_t i = 0; i < s->nodes.n; i++)
        if (is_linked(s, node, i)) {
            hd_text_add(out, "%s%s", is_first ? "" : ",", s->nodes.at[i].name);
            is_first = false;
        }
}

static bool add_hop(route_table *t, uint32_t node, hd_text_place at, const char *name,
                    hd_text *out) {
    hd_reader *r = t->reader;
    hd_piece word = {(char *)name, at};
    uint32_t to;
    if (!node_of(r, &word, &to))
        return false;
    uint32_t next = hops_to(t, to)->next.at[node];
    if (next == NO_NODE) {
        hd_reader_fail(r, at, "there is no way from '%s' to '%s'", r->scenario->nodes.at[node].name,
                       name);
        return hd_err_hint(r->err, "link them, over other nodes perhaps, or leave out {hop:%s}",
                           name);
    }
    hd_text_add(out, "%s", r->scenario->nodes.at[next].name);
    return true;
}

/* One word; `*used` is how many characters it had, 0 if it is none of these. */
static bool add_word(route_table *t, uint32_t node, hd_text_place at, const char *p, size_t *used,
                     hd_text *out) {
    static const char hop[] = "{hop:", neighbours[] = "{neighbours}";
    const char *end = strchr(p, '}');
    *used = 0;
    if (strncmp(p, neighbours, sizeof neighbours - 1) == 0) {
        *used = sizeof neighbours - 1;
        add_neighbours(t->reader->scenario, node, out);
        return true;
    }
    if (!end || strncmp(p, hop, sizeof hop - 1) != 0)
        return true;
    *used = (size_t)(end - p) + 1;
    char *name = hd_text_format("%.*s", (int)(end - p - (sizeof hop - 1)), p + sizeof hop - 1);
    bool ok = add_hop(t, node, at, name, out);
    free(name);
    return ok;
}

static bool replace(route_table *t, uint32_t node, hd_text_place at, char **text) {
    hd_text made = {0};
    bool ok = true;
    if (!*text || (!strstr(*text, "{hop:") && !strstr(*text, "{neighbours}")))
        return true;
    for (const char *p = *text; ok && *p;) {
        size_t used;
        ok = add_word(t, node, at, p, &used, &made);
        if (!used)
            hd_text_add_bytes(&made, p, used = 1);
        p += used;
    }
    free(*text);
    *text = made.at ? made.at : hd_text_format("%s", "");
    return ok;
}

static bool replace_all(route_table *t, uint32_t node, const hd_pieces *pieces,
                        hd_word_list *words) {
    for (size_t i = 0; i < words->n; i++)
        if (!replace(t, node, pieces->at[i].at, &words->at[i]))
            return false;
    return true;
}

static bool replace_words(route_table *t, uint32_t node) {
    hd_scenario_node *n = &t->reader->scenario->nodes.at[node];
    const hd_node_entry *e = &t->reader->entries.at[t->reader->origins.at[node].entry];
    return replace_all(t, node, &e->arguments, &n->arguments) &&
           replace_all(t, node, &e->environment, &n->environment) &&
           replace(t, node, e->input.at, &n->input);
}

bool hd_routes_resolve(hd_reader *r) {
    route_table t = {.reader = r};
    bool ok = true;
    for (size_t i = 0; ok && i < r->topology.routes.n; i++)
        ok = add_route(&t, &r->topology.routes.at[i]);
    for (uint32_t n = 0; ok && n < r->scenario->nodes.n; n++)
        ok = replace_words(&t, n);
    for (size_t i = 0; i < t.known.n; i++) {
        hd_vec_release(&t.known.at[i].next);
        hd_vec_release(&t.known.at[i].distance);
    }
    hd_vec_release(&t.known);
    return ok;
}
