/* source_map.h -- what clang's counters mean: its coverage mapping, read from object files.
 *
 * For each function that clang has counted in there is a record: regions of the source, each with a
 * counter (or a sum or difference of such), branches with one for each side, and decisions of
 * several conditions with the numbers of their test vectors.  llvm-cov reads the same records; this
 * reader knows of them what obligations need (goals.h), and is tested against it.
 *
 * P1. Every counter, expression and file that a region names is there.
 * Not here: how often something was executed (measure.h). */
#ifndef HD_COVER_SOURCE_MAP_H
#define HD_COVER_SOURCE_MAP_H
#include "base/err.h"
#include "base/vec.h"
#include <stddef.h>
#include <stdint.h>

/* A counter as the mapping has it: 0, a counter of the function, or an expression of its function.
 */
typedef enum hd_tally_kind {
    HD_TALLY_ZERO,
    HD_TALLY_COUNTER,
    HD_TALLY_MINUS,
    HD_TALLY_PLUS
} hd_tally_kind;
typedef struct hd_tally {
    hd_tally_kind kind;
    uint32_t index;
} hd_tally;
typedef struct hd_tally_pair {
    hd_tally left, right;
} hd_tally_pair;

typedef struct hd_span {
    uint32_t file; /* index in hd_mapped.files */
    uint32_t line, column, end_line, end_column;
} hd_span;

/* Code that is executed together. */
typedef struct hd_mapped_region {
    hd_span at;
    hd_tally executed;
    uint32_t record_file;
} hd_mapped_region;

/* A branch, or a condition of a decision. */
typedef struct hd_mapped_branch {
    hd_span at;
    hd_tally taken[2]; /* false, true */
    int32_t condition; /* number in its decision, from 0; -1: of none */
    int32_t
        next[2]; /* the condition that is asked after it, by its value; -1: the decision is made */
    uint32_t record_file; /* its file as the record counts them: each use of a macro is one */
} hd_mapped_branch;

typedef struct hd_mapped_decision {
    hd_span at;
    uint32_t
        end_vector; /* its vectors are the last ones before this, among those of the function */
    uint32_t n_conditions;
    uint32_t record_file;
} hd_mapped_decision;

typedef struct hd_mapped_function {
    uint64_t name; /* the first half of the MD5 sum of its name */
    uint64_t hash;
    char *words; /* its name, "a.c:f" if it is static; NULL: nobody counts in it */
    uint64_t first_counter, n_counters, first_vector, n_vectors; /* of hd_mapped_read's list */
    uint32_t file;                                               /* that it is in */
    hd_vec(hd_tally_pair) expressions;
    hd_vec(hd_mapped_region) regions;
    hd_vec(hd_mapped_branch) branches;
    hd_vec(hd_mapped_decision) decisions;
} hd_mapped_function;

typedef struct hd_mapped {
    hd_vec(char *) files;                 /* absolute */
    hd_vec(hd_mapped_function) functions; /* each shape of a name once */
    uint64_t n_counters, n_vectors;
    hd_vec(char *) objects; /* paths of the object files, for llvm-cov */
    hd_vec(char *) labels;  /* that the program names in heddle_reach and heddle_cover, each once */
} hd_mapped;

/* A pattern of the names of files that Heddle adds to a program, which are nobody's to cover. */
#define HD_ADDED_FILES "(/new-[A-Za-z0-9]{6}/driver\\.c|/source-[0-9a-f]{16}\\.c|/heddle\\.h)$"

/* The mapping of a module that was compiled with it (compiler/counts.c). */
bool hd_mapped_read(hd_mapped *m, const char *module_directory, hd_err *err);
void hd_mapped_release(hd_mapped *m);
/* Mapping of the two sections of one object file and of the list of counters, which is changed, for
 * tests that have no files (tests/fuzz); nothing is left to release if it is false. */
typedef struct hd_mapped_bytes {
    const void *files, *functions;
    size_t n_files, n_functions;
    char *counted;
} hd_mapped_bytes;
bool hd_mapped_parse(hd_mapped *m, const hd_mapped_bytes *bytes);

/* The value of a tally of function f, from all counters of the module. */
uint64_t hd_tally_value(const hd_mapped_function *f, hd_tally t, const uint64_t *counters);
#endif
