/* Topologies: a shape says of two nodes whether they are in range of each other.  Nodes have places
 * in the order of the file; a node that is not in the topology reaches everybody. */
#include "scenario/scenario_int.h"

#include "base/hash.h"
#include "base/nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keys that only some shapes have. */
enum {
    HD_TOPOLOGY_COLUMNS = 1,
    HD_TOPOLOGY_RANGE = 2,
    HD_TOPOLOGY_CENTER = 4,
    HD_TOPOLOGY_CHILDREN = 8,
    HD_TOPOLOGY_RADIUS = 16,
    HD_TOPOLOGY_SEED = 32,
};

static const struct shape_row {
    const char *name;
    unsigned keys;
} shapes[] = {
#define X(constant, name, keys) {#name, keys},
    HD_TOPOLOGIES(X)
#undef X
};

/* ---- reading ---- */

static bool read_columns(hd_reader *r, yaml_node_t *value, void *field) {
    ((hd_topology_entry *)field)->columns_at = hd_text_place_of(value);
    return hd_read_number(r, value, &((hd_topology_entry *)field)->columns);
}

static bool read_children(hd_reader *r, yaml_node_t *value, void *field) {
    ((hd_topology_entry *)field)->children_at = hd_text_place_of(value);
    return hd_read_number(r, value, &((hd_topology_entry *)field)->children);
}

static bool read_range(hd_reader *r, yaml_node_t *value, void *field) {
    uint64_t *range = &((hd_topology_entry *)field)->range;
    if (!hd_read_number(r, value, range))
        return hd_err_hint(r->err, "write 'range: 4' or 'range: 8'");
    if (*range == 4 || *range == 8)
        return true;
    hd_reader_fail(r, hd_text_place_of(value), "expected 4 or 8, found %llu",
                   (unsigned long long)*range);
    return hd_err_hint(r->err, "4: neighbours in rows and columns; 8: in diagonals too");
}

static bool read_route(hd_reader *r, yaml_node_t *value, void *field) {
    hd_topology_entry *t = field;
    hd_route_entry e = {.at = hd_text_place_of(value)};
    bool ok = hd_read_words(r, value, &e.path);
    hd_vec_push(&t->routes, e);
    if (ok && e.path.n < 2) {
        hd_reader_fail(r, e.at, "a route with fewer than two nodes");
        return hd_err_hint(r->err, "write the nodes from the first to the last: [a, b, c]");
    }
    return ok;
}

static bool read_routes(hd_reader *r, yaml_node_t *value, void *field) {
    return hd_read_list(r, value, "a list of routes, each a list of nodes", read_route, field);
}

#define AT(field) offsetof(hd_topology_entry, field)
static const hd_key keys[] = {
    {"shape", AT(shape), hd_read_text},   {"nodes", AT(nodes), hd_read_words},
    {"columns", 0, read_columns},         {"range", 0, read_range},
    {"center", AT(center), hd_read_text}, {"children", 0, read_children},
    {"radius", AT(radius), hd_read_text}, {"seed", AT(seed), hd_read_number},
    {"routes", 0, read_routes},           {0},
};

bool hd_read_topology(hd_reader *r, yaml_node_t *value, void *unused) {
    (void)unused;
    r->topology.at = hd_text_place_of(value);
    if (!hd_read_mapping(r, value, "a topology", keys, &r->topology))
        return false;
    if (r->topology.shape.text)
        return true;
    hd_reader_fail(r, r->topology.at, "a topology without a shape");
    return hd_err_hint(r->err, "add 'shape: grid', or line, ring, torus, star, tree, mesh, random");
}

void hd_topology_entry_release(hd_topology_entry *t) {
    hd_piece_release(&t->shape);
    hd_piece_release(&t->radius);
    hd_piece_release(&t->center);
    hd_pieces_release(&t->nodes);
    for (size_t i = 0; i < t->routes.n; i++)
        hd_pieces_release(&t->routes.at[i].path);
    hd_vec_release(&t->routes);
    hd_vec_release(&t->members);
    hd_vec_release(&t->x);
    hd_vec_release(&t->y);
}

/* ---- what it is like ---- */

static bool find_shape(hd_reader *r) {
    const char *names[HD_N_TOPOLOGIES + 1] = {0}, *text = r->topology.shape.text;
    for (unsigned i = 0; i < HD_N_TOPOLOGIES; i++) {
        names[i] = shapes[i].name;
        if (strcmp(names[i], text) == 0) {
            r->scenario->topology.shape = (hd_topology_shape)i;
            return true;
        }
    }
    const char *nearest = hd_nearest_name(text, names);
    hd_reader_fail(r, r->topology.shape.at, "unknown topology '%.60s'", text);
    if (nearest)
        return hd_err_hint(r->err, "did you mean '%s'?", nearest);
    return hd_err_hint(r->err,
                       "there are: line, ring, grid, torus, star, tree, mesh, random, none");
}

/* Keys that say something which the shape does not have. */
static bool check_keys(hd_reader *r) {
    const hd_topology_entry *t = &r->topology;
    const struct {
        unsigned key;
        bool is_given;
        const char *name;
    } given[] = {{HD_TOPOLOGY_COLUMNS, t->columns, "columns"},
                 {HD_TOPOLOGY_RANGE, t->range, "range"},
                 {HD_TOPOLOGY_CENTER, t->center.text, "center"},
                 {HD_TOPOLOGY_CHILDREN, t->children, "children"},
                 {HD_TOPOLOGY_RADIUS, t->radius.text, "radius"},
                 {HD_TOPOLOGY_SEED, t->seed, "seed"}};
    const struct shape_row *shape = &shapes[r->scenario->topology.shape];
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i].is_given && !(shape->keys & given[i].key)) {
            hd_reader_fail(r, t->at, "a %s has no '%s'", shape->name, given[i].name);
            return hd_err_hint(r->err, "leave it out, or choose another shape");
        }
    return true;
}

static int compare_origins(const void *one, const void *other, void *context) {
    const hd_reader *r = context;
    const hd_origin *a = &r->origins.at[*(const uint32_t *)one];
    const hd_origin *b = &r->origins.at[*(const uint32_t *)other];
    if (a->entry != b->entry)
        return a->entry < b->entry ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static bool find_members(hd_reader *r) {
    hd_topology_entry *t = &r->topology;
    hd_set set;
    uint32_t node;
    if (!hd_nodes_listed(r, &t->nodes, &set))
        return false;
    HD_SET_EACH(node, set)
    hd_vec_push(&t->members, node);
    qsort_r(t->members.at, t->members.n, sizeof *t->members.at, compare_origins, r);
    r->scenario->topology.n_nodes = (uint32_t)t->members.n;
    return true;
}

static bool set_columns(hd_reader *r) {
    hd_topology_entry *t = &r->topology;
    size_t n = t->members.n;
    uint64_t root = (uint64_t)(sqrt((double)n) + 0.5), columns = t->columns ? t->columns : root;
    if (n % columns != 0) {
        hd_reader_fail(r, t->columns ? t->columns_at : t->at, "%zu nodes do not fill rows of %llu",
                       n, (unsigned long long)columns);
        return hd_err_hint(r->err, t->columns ? "'columns' must divide the number of nodes"
                                              : "say how many columns there are: 'columns: N'");
    }
    r->scenario->topology.columns = (uint32_t)columns;
    r->scenario->topology.range = t->range ? (uint32_t)t->range : 4;
    return true;
}

static void set_position(void *context, uint32_t node) {
    hd_reader *r = context;
    for (uint32_t i = 0; i < r->topology.members.n; i++)
        if (r->topology.members.at[i] == node)
            r->scenario->topology.center = i;
}

static bool set_center(hd_reader *r) {
    const hd_piece *center = &r->topology.center;
    return !center->text || hd_nodes_meant(r, center, center->text, set_position, r);
}

/* Places in a square of side 1; as many bits as every machine draws alike. */
static bool set_places(hd_reader *r) {
    hd_topology_entry *t = &r->topology;
    char *end = "";
    double radius = t->radius.text ? strtod(t->radius.text, &end) : 0.25;
    if (*end || !(radius > 0 && radius <= 2)) {
        hd_reader_fail(r, t->radius.at, "expected a radius above 0 and up to 2, found '%.60s'",
                       t->radius.text);
        return hd_err_hint(r->err, "nodes lie in a square of side 1; 0.25 is usual");
    }
    uint64_t seed = r->scenario->topology.seed = t->seed ? t->seed : 1;
    r->scenario->topology.radius = radius;
    for (size_t i = 0; i < t->members.n; i++) {
        double x = (double)(hd_random_next(&seed) >> 32) / 4294967296.0;
        double y = (double)(hd_random_next(&seed) >> 32) / 4294967296.0;
        hd_vec_push(&t->x, x);
        hd_vec_push(&t->y, y);
    }
    return true;
}

bool hd_topology_resolve(hd_reader *r) {
    hd_topology *made = &r->scenario->topology;
    if (!r->topology.shape.text)
        return true;
    made->is_given = true;
    if (!find_shape(r) || !check_keys(r) || !find_members(r))
        return false;
    unsigned has = shapes[made->shape].keys;
    made->children = r->topology.children ? (uint32_t)r->topology.children : 2;
    return (!(has & HD_TOPOLOGY_COLUMNS) || set_columns(r)) &&
           (!(has & HD_TOPOLOGY_CENTER) || set_center(r)) &&
           (!(has & HD_TOPOLOGY_RADIUS) || set_places(r));
}

/* ---- who is in range ---- */

/* How far apart two places of `n` in a row are, and in a circle. */
static uint32_t apart(uint32_t a, uint32_t b) {
    return a < b ? b - a : a - b;
}
static uint32_t apart_round(uint32_t a, uint32_t b, uint32_t n) {
    uint32_t d = apart(a, b);
    return d < n - d ? d : n - d;
}

static bool is_near(const hd_topology *t, uint32_t rows, uint32_t columns) {
    return t->range == 8 ? rows <= 1 && columns <= 1 : rows + columns <= 1;
}

/* `a` and `b` are places in the topology, and differ. */
static bool are_linked(const hd_reader *r, uint32_t a, uint32_t b) {
    const hd_topology *t = &r->scenario->topology;
    uint32_t n = t->n_nodes, c = t->columns, low = a < b ? a : b, high = a < b ? b : a;
    switch (t->shape) {
    case HD_TOPOLOGY_LINE:
        return apart(a, b) == 1;
    case HD_TOPOLOGY_RING:
        return apart_round(a, b, n) == 1;
    case HD_TOPOLOGY_GRID:
        return is_near(t, apart(a / c, b / c), apart(a % c, b % c));
    case HD_TOPOLOGY_TORUS:
        return is_near(t, apart_round(a / c, b / c, n / c), apart_round(a % c, b % c, c));
    case HD_TOPOLOGY_STAR:
        return a == t->center || b == t->center;
    case HD_TOPOLOGY_TREE:
        return (high - 1) / t->children == low;
    case HD_TOPOLOGY_MESH:
        return true;
    case HD_TOPOLOGY_RANDOM:
        return hypot(r->topology.x.at[a] - r->topology.x.at[b],
                     r->topology.y.at[a] - r->topology.y.at[b]) <= t->radius;
    case HD_TOPOLOGY_NONE:
    case HD_N_TOPOLOGIES:
        break;
    }
    return false;
}

bool hd_topology_has_all(const hd_reader *r) {
    return r->scenario->topology.is_given && r->topology.members.n == r->scenario->nodes.n;
}

void hd_topology_pairs(const hd_reader *r,
                       void (*each)(void *context, uint32_t from, uint32_t to, bool is_cut),
                       void *context) {
    const uint32_t *members = r->topology.members.at;
    for (uint32_t a = 0; a < r->scenario->topology.n_nodes; a++)
        for (uint32_t b = 0; b < r->scenario->topology.n_nodes; b++)
            if (a != b)
                each(context, members[a], members[b], !are_linked(r, a, b));
}
