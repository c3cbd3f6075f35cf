/* scenario_int.h -- what the files of this folder share while a scenario is read.
 *
 * document.c turns YAML into words with places; node_entry.c, link.c, fault_entry.c and
 * start_order.c make nodes of them. */
#ifndef HD_SCENARIO_SCENARIO_INT_H
#define HD_SCENARIO_SCENARIO_INT_H
#include "scenario/scenario.h"

#include <yaml.h>

typedef struct hd_text_place {
    unsigned line, column; /* from 1 */
} hd_text_place;

typedef struct hd_piece {
    char *text; /* NULL: not given */
    hd_text_place at;
} hd_piece;

typedef hd_vec(hd_piece) hd_pieces;

/* A node as written: `count` nodes. */
typedef struct hd_node_entry {
    hd_text_place at;
    hd_piece name, address, input, files, root;
    hd_pieces program, flags, arguments, environment, after;
    bool may_idle, has_count;
    uint64_t count;
} hd_node_entry;

/* Where a node comes from, beside hd_scenario.nodes. */
typedef struct hd_origin {
    size_t entry;
    uint64_t index; /* among those of the entry */
} hd_origin;

/* A link as written: nothing in from and to means everybody. */
typedef struct hd_link_entry {
    hd_text_place at;
    hd_pieces from, to, between;
    bool has_fifo, is_fifo, has_latency, has_cut, is_cut;
    hd_latency latency;
    uint64_t delay;
    uint32_t segments; /* as in hd_link */
    hd_text_place segments_at;
} hd_link_entry;

/* A fault as written. */
typedef struct hd_fault_count {
    bool is_given;
    uint32_t n; /* HD_NO_BUDGET: any */
    hd_text_place at;
} hd_fault_count;
typedef struct hd_fault_time {
    bool is_given;
    uint64_t nanoseconds;
    hd_text_place at;
} hd_fault_time;
typedef enum hd_fault_per { HD_PER_TOTAL, HD_PER_NODE, HD_PER_LINK } hd_fault_per;
typedef struct hd_fault_entry {
    hd_text_place at, per_at;
    const char *source; /* as in hd_reader */
    hd_fault_kind kind;
    hd_fault_count count[HD_N_FAULTS], total, nth, received;
    hd_fault_per per;
    hd_pieces from, to, between, nodes;
    hd_fault_time after, before, time;
    hd_fault_count window;
} hd_fault_entry;

/* A route as written. */
typedef struct hd_route_entry {
    hd_text_place at;
    hd_pieces path;
} hd_route_entry;

/* The topology as written; what it does not say is 0. */
typedef struct hd_topology_entry {
    hd_text_place at;
    hd_piece shape, radius, center;
    hd_pieces nodes;
    hd_text_place columns_at, children_at;
    uint64_t columns, range, children, seed;
    hd_vec(hd_route_entry) routes;
    hd_vec(uint32_t) members; /* nodes in it, in the order of the file */
    hd_vec(double) x, y;      /* where they are: random */
} hd_topology_entry;

typedef struct hd_reader {
    hd_scenario *scenario;
    const char *source; /* where the text comes from, for messages; NULL: the scenario's file */
    yaml_document_t document;
    hd_vec(hd_node_entry) entries;
    hd_vec(hd_origin) origins;
    hd_vec(hd_link_entry) links;
    hd_topology_entry topology;
    hd_vec(hd_fault_entry) faults;
    hd_err *err;
} hd_reader;

/* Rules of an option are read as lines "- {RULE}". */
#define HD_OPTION_PREFIX 3

/* ---- document.c ---- */

/* "FILE:LINE:COLUMN: ..."; the hint is for the caller to add.  Always false. */
bool hd_reader_fail(hd_reader *r, hd_text_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef bool hd_field_read(hd_reader *r, yaml_node_t *value, void *field);
typedef struct hd_key {
    const char *name;
    size_t offset; /* of its field in the struct that is read */
    hd_field_read *read;
} hd_key;

hd_text_place hd_text_place_of(const yaml_node_t *node);
/* A mapping with some of the keys (ended by one without a name); `what` names it in messages. */
bool hd_read_mapping(hd_reader *r, yaml_node_t *node, const char *what, const hd_key *keys,
                     void *into);
/* Each item of a list; no value is an empty list. */
bool hd_read_list(hd_reader *r, yaml_node_t *node, const char *what, hd_field_read *read,
                  void *into);
/* Field readers: text; true or false; a number from 1; words (a list, one quoted word, or words
 * with blanks between them); a mapping of names to values as words "NAME=VALUE". */
bool hd_read_text(hd_reader *r, yaml_node_t *value, void *field);
bool hd_read_bool(hd_reader *r, yaml_node_t *value, void *field);
bool hd_read_number(hd_reader *r, yaml_node_t *value, void *field);
bool hd_read_words(hd_reader *r, yaml_node_t *value, void *field);
bool hd_read_pairs(hd_reader *r, yaml_node_t *value, void *field);
void hd_piece_release(hd_piece *w);
void hd_pieces_release(hd_pieces *w);

/* ---- node_entry.c: entries, and the nodes that they stand for ---- */
bool hd_read_nodes(hd_reader *r, yaml_node_t *value, void *unused);
bool hd_nodes_expand(hd_reader *r);
void hd_node_entry_release(hd_node_entry *e);
/* The text with {index}, {count} and the like replaced, for a node of this entry. */
bool hd_node_files_expand(hd_reader *r, const hd_node_entry *e, uint64_t index,
                          hd_scenario_node *node);
/* A path from the folder of the scenario on; the caller frees it. */
char *hd_scenario_locate(const hd_reader *r, const char *path);
char *hd_expand(const hd_node_entry *e, uint64_t index, const char *text);
/* Call `each` for the nodes that `word` means: one by its name, or all of an entry by its name as
 * written.  False with an error if there are none. */
bool hd_nodes_meant(hd_reader *r, const hd_piece *word, const char *name,
                    void (*each)(void *context, uint32_t node), void *context);

/* ---- node_address.c ---- */
bool hd_addresses_assign(hd_reader *r);

/* ---- program.c: after the order is known ---- */
bool hd_program_check_entry(hd_reader *r, const hd_node_entry *e);
void hd_programs_assign(hd_reader *r);

/* ---- start_order.c: sorts nodes and origins ---- */
bool hd_nodes_order(hd_reader *r);

/* ---- topology.c ---- */
bool hd_read_topology(hd_reader *r, yaml_node_t *value, void *unused);
/* Which nodes are in it, and what it is like: hd_scenario.topology. */
bool hd_topology_resolve(hd_reader *r);
bool hd_topology_has_all(const hd_reader *r);
/* All pairs of nodes in it. */
void hd_topology_pairs(const hd_reader *r,
                       void (*each)(void *context, uint32_t from, uint32_t to, bool is_cut),
                       void *context);
void hd_topology_entry_release(hd_topology_entry *t);

/* ---- route.c: {hop:NODE} and {neighbours}, when all links are known ---- */
bool hd_routes_resolve(hd_reader *r);

/* ---- link.c ---- */
bool hd_read_links(hd_reader *r, yaml_node_t *value, void *unused);
bool hd_links_resolve(hd_reader *r);
/* The nodes that are named; all if none is. */
bool hd_nodes_listed(hd_reader *r, const hd_pieces *names, hd_set *set);
void hd_link_entry_release(hd_link_entry *l);

/* ---- assertion.c ---- */
bool hd_read_assertions(hd_reader *r, yaml_node_t *value, void *unused);
void hd_assertions_explain(const hd_scenario *s, hd_text *out);

/* ---- fault_entry.c ---- */
/* A field reader: a time with its unit, as hd_fault_time. */
bool hd_read_time(hd_reader *r, yaml_node_t *value, void *field);
/* "2 s" */
void hd_add_time(hd_text *out, uint64_t nanoseconds);
bool hd_read_faults(hd_reader *r, yaml_node_t *value, void *unused);
bool hd_faults_resolve(hd_reader *r);
void hd_fault_entry_release(hd_fault_entry *e);
void hd_fault_explain(const hd_scenario *s, const hd_fault *f, hd_text *out);

/* ---- accepts.c ---- */
/* The source that accepts connections whose cuts are all explored, and where; NULL: none is seen.
 */
const char *hd_scenario_find_accept(const hd_scenario *s, unsigned *line);
#endif
