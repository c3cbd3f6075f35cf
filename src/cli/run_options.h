/* run_options.h -- the options of `heddle run`, and the part of them that a run's record keeps.
 *
 * A run is repeated exactly by its module, the options that change the search and the
 * program's arguments; resume and replay take all three from the record. */
#ifndef HD_CLI_RUN_OPTIONS_H
#define HD_CLI_RUN_OPTIONS_H
#include "cli/cluster_options.h"
#include "cli/options.h"
#include "report/report.h"

#define HD_NOT_GIVEN UINT64_MAX /* counts for which 0 means something */

typedef struct hd_run_values {
    const char *function, *net, *fault, *checks, *solver_chain, *external, *allow, *output, *resume,
        *partition;
    const char *queries; /* a file for them */
    const char *goal;    /* of coverage, at which the search stops */
    bool mcdc;
    const char *test; /* a file of `heddle export --test`, to run instead of a search */
    uint64_t shallow_depth, queue;
    int strategy, isolation, keep, reduction, schedule, timeouts, orders, mapping;
    int equal_packets;
    uint64_t depth, max_executions, max_memory, max_steps, max_decisions, value_bits, seed;
    uint64_t jobs; /* HD_NOT_GIVEN: one for each processor */
    uint64_t preemptions, samples, bug_depth, max_threads, max_timeouts; /* HD_NOT_GIVEN */
    uint64_t stdin_bytes;
    double max_time, query_time, unit_time, until;
    bool stop_at_first, checks_end, no_leaks, fail_on_exit, fail_on_orphans;
    bool reads_conflict, spurious, no_races, no_samples, thread_leaks, partial_io;
    bool json, quiet, verbose, no_sharing;
    hd_cluster_values cluster;
    const char *run;   /* its name on a cluster */
    uint64_t replicas; /* HD_NOT_GIVEN */
    double patience;
    bool no_workers;
} hd_run_values;

extern const hd_option_table hd_run_option_table;
hd_run_values hd_run_default_values(void);

/* The given search options, the program's name and arguments, and the hashes of its sources (those
 * of a scenario: given_scenario.h). */
void hd_search_keep(hd_kept_options *kept, const hd_run_values *values,
                    const hd_arguments *arguments);
/* Back from the record.  `kept` must live as long as the values, which borrow from it.  What the
 * run was allowed is, if this user has said so (opened.h). */
bool hd_search_read(hd_record *record, hd_kept_options *kept, hd_run_values *values, hd_err *err);
/* From the text of its options alone. */
bool hd_search_parse(const char *options, hd_kept_options *kept, hd_run_values *values,
                     hd_err *err);
/* Refuse a resumed run whose command line asks for another search than the record's. */
bool hd_search_check(const hd_arguments *arguments, const hd_run_values *asked,
                     const hd_run_values *recorded, hd_err *err);
/* The values as the library's options; borrows the program's arguments from `kept`. */
bool hd_search_options(const hd_run_values *values, hd_kept_options *kept, hd_run_options *options,
                       hd_err *err);
/* A hash of the file's bytes; 0 if it cannot be read. */
uint64_t hd_file_hash(const char *path);
/* The name under which a file of the program can be opened from here, if it can be: the
 * caller frees it. */
char *hd_search_locate(const hd_kept_options *kept, const char *file);
/* The first recorded source whose bytes are others now, or NULL. */
const char *hd_search_changed_source(const hd_kept_options *kept);
#endif
