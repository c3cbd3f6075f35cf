/* scenario.h -- a scenario: the nodes of a distributed program, as a YAML file names them.
 *
 * docs/scenarios.md is the description of the format for users.  Reading checks everything that
 * can be checked without compiling: keys and types, names, addresses, the start order, and that
 * the files of programs exist.  Each error is one sentence with file, line and column.
 *
 * S1. Nodes stand in the order in which they start; programs in the order in which nodes first use
 *     them: node 0 has program 0.
 * S2. A program (sources and flags) that several nodes have is listed once.
 * S3. Names and addresses of nodes differ; `count: N` is gone, each node is listed.
 * Not here: compiling the programs (compile/), running the nodes (machine/). */
#ifndef HD_SCENARIO_SCENARIO_H
#define HD_SCENARIO_SCENARIO_H
#include "base/err.h"
#include "base/text.h"
#include "base/vec.h"
#include "machine/fault.h"
#include "machine/node.h"

#define HD_SCENARIO_MOST_NODES HD_MOST_NODES
#define HD_SCENARIO_MOST_BYTES (1u << 20) /* of the file */

typedef hd_vec(char *) hd_word_list;

typedef struct hd_scenario_program {
    char *name;           /* of its first source, without folder and suffix */
    hd_word_list sources; /* relative to the current directory, or absolute */
    hd_word_list flags;   /* for clang */
} hd_scenario_program;

typedef struct hd_scenario_node {
    char *name, *address;
    char *input; /* standard input, or NULL */
    uint32_t program;
    hd_set after;             /* nodes that start before it because it says so */
    hd_word_list arguments;   /* without argv[0] */
    hd_word_list environment; /* "NAME=VALUE" */
    bool may_idle;
    hd_node_files files;
    char *root; /* as in hd_network_node */
} hd_scenario_node;

/* Who is in range of whom, as a shape: constant, name in the file, keys that it has beside `nodes`
 * and `routes` (HD_TOPOLOGY_...). */
#define HD_TOPOLOGIES(X)                                                                           \
    X(NONE, none, 0)                                                                               \
    X(LINE, line, 0)                                                                               \
    X(RING, ring, 0)                                                                               \
    X(GRID, grid, HD_TOPOLOGY_COLUMNS | HD_TOPOLOGY_RANGE)                                         \
    X(TORUS, torus, HD_TOPOLOGY_COLUMNS | HD_TOPOLOGY_RANGE)                                       \
    X(STAR, star, HD_TOPOLOGY_CENTER)                                                              \
    X(TREE, tree, HD_TOPOLOGY_CHILDREN)                                                            \
    X(MESH, mesh, 0)                                                                               \
    X(RANDOM, random, HD_TOPOLOGY_RADIUS | HD_TOPOLOGY_SEED)

typedef enum hd_topology_shape {
#define X(constant, name, keys) HD_TOPOLOGY_##constant,
    HD_TOPOLOGIES(X)
#undef X
        HD_N_TOPOLOGIES
} hd_topology_shape;

typedef struct hd_topology {
    bool is_given; /* else everybody reaches everybody */
    hd_topology_shape shape;
    uint32_t n_nodes, columns, range, children, center; /* those that the shape has */
    uint64_t seed;
    double radius;
} hd_topology;

/* When an assertion must hold: constant, key in the file (NULL: none), words for people. */
#define HD_ASSERTION_TIMES(X)                                                                      \
    X(END, NULL, "when nobody can go on any more")                                                 \
    X(ALWAYS, "always", "at every moment")                                                         \
    X(EVENTUALLY, "eventually", "at some moment")

typedef enum hd_assertion_time {
#define X(constant, key, words) HD_ASSERTION_##constant,
    HD_ASSERTION_TIMES(X)
#undef X
        HD_N_ASSERTION_TIMES
} hd_assertion_time;

/* An expression of C over exported variables. */
typedef struct hd_scenario_assertion {
    char *text;
    unsigned line, column; /* of the text */
    hd_assertion_time when;
    uint64_t within; /* EVENTUALLY: so many nanoseconds of virtual time; 0: any */
} hd_scenario_assertion;

typedef struct hd_scenario {
    char *path; /* as given */
    hd_vec(hd_scenario_program) programs;
    hd_vec(hd_scenario_node) nodes;
    hd_vec(hd_link) links; /* the first is that of every node; then by from and to */
    hd_topology topology;
    hd_vec(hd_fault) faults; /* those of the file, then those of the option */
    hd_vec(hd_scenario_assertion) assertions;
} hd_scenario;

/* Read the file; false with `err` and nothing to release if it is no good. */
bool hd_scenario_read(hd_scenario *s, const char *path, hd_err *err);
/* Read the file and the faults of an option: "drop: 1, to: b; crash: 1"; NULL: none. */
bool hd_scenario_read_with(hd_scenario *s, const char *path, const char *faults, hd_err *err);
/* Read `n` bytes of text; `path` is for messages, and its folder is where programs are. */
bool hd_scenario_parse(hd_scenario *s, const char *path, const char *text, size_t n, hd_err *err);
bool hd_scenario_parse_with(hd_scenario *s, const char *path, const char *text, size_t n,
                            const char *faults, hd_err *err);
void hd_scenario_release(hd_scenario *s);

/* The scenario in words, for `heddle check`. */
void hd_scenario_explain(const hd_scenario *s, hd_text *out);

/* A C source that checks the assertions; empty if there are none.  It belongs to program 0. */
void hd_scenario_assertion_source(const hd_scenario *s, hd_text *out);
#endif
