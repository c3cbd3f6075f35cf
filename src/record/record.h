/* record.h -- the run directory: everything a run found out, in one SQLite database.
 *
 * `heddle-out/run.db` holds the run's description, its tests, findings, coverage, counters
 * and the journal to resume from; `heddle-out/module` is a copy of the module that was run,
 * so that replay works after the sources changed.  A batch is committed in one transaction
 * together with the frontier it belongs to.
 *
 * Promise (tests/resume.sh): what run.db says is always the state after some whole batch: results
 *     and frontier agree, so a resumed run neither loses nor repeats a path.
 * R2. Only the supervisor writes.  Readers may look while it does.
 * R3. A directory that is not a run of Heddle is never written to.
 * Not here: who produces batches (fleet/), how they are shown (report/). */
#ifndef HD_RECORD_RECORD_H
#define HD_RECORD_RECORD_H
#include "base/vec.h"
#include "explore/explore.h"

/* Version 1 knew no threads, those before 4 no costs of units, those before 5 no fingerprints: they
 * can be read, but not gone on with. */
#define HD_RECORD_VERSION     5
#define HD_RECORD_FINGERPRINT 5 /* from which on damage is seen (fingerprint.c) */
#define HD_RECORD_OLDEST      1

/* One input of a test, as stored: enough to rebuild the model in another process, and to
 * lay the value into memory without Heddle (export). */
typedef struct hd_stored_input {
    char *name;
    uint8_t kind; /* hd_var_kind */
    uint8_t width;
    bool is_root;
    bool is_signed;
    uint32_t owner;  /* cells: index in this list of the pointer that owns the object */
    uint64_t number; /* hd_var_info.number */
    uint32_t type;   /* hd_var_info.type */
    uint64_t value; /* integers: the value; pointers: 0, or 1 + index of the pointer whose object it
                       is */
    uint64_t request;     /* hd_var_info: roots, which request of the program */
    uint64_t bit_offset;  /* hd_var_info: in the memory of the request or of the owner's object */
    uint64_t object_size; /* hd_var_info: pointers, bytes of the object they own */
} hd_stored_input;

typedef enum hd_test_reason { HD_TEST_ALL, HD_TEST_COVERAGE, HD_TEST_FINDING } hd_test_reason;

typedef struct hd_test {
    uint64_t number; /* 1, 2, ... in the order found; set by the record */
    hd_test_reason reason;
    uint64_t path_hash, trace_hash;
    hd_end end;
    hd_finding_kind finding; /* HD_FINDING_NONE unless end is HD_END_FINDING */
    int status;
    char *path;     /* decisions, as hd_explorer_print_path */
    char *map;      /* logical input map, "<3,1,3,0>" */
    char *schedule; /* threads of its events, as hd_schedule_print; "" with one thread */
    char *threads;  /* who threads and processes are by index, as hd_machine_print_names */
    hd_stored_input *inputs;
    uint32_t n_inputs;
} hd_test;

typedef struct hd_found {
    uint64_t number;    /* 1, 2, ...; set by the record */
    uint64_t signature; /* hash of kind and stack: what makes it the same finding */
    hd_finding_kind kind;
    char *message, *file, *function, *stack; /* stack: one frame per line */
    char *story; /* of its interleaving, one line per thread's turn; "" with one thread */
    uint32_t line;
    uint64_t count; /* executions that showed it; in a batch: since the one before */
    /* Number of the first test that shows it.  In a batch: 1 + index in its tests, 0 if the
     * batch has none (a finding that is known already). */
    uint64_t test;
    /* Data races: number of the finding that the other order of the two accesses leads to, 0 =
     * none so far.  In a batch: the signature of that finding. */
    uint64_t leads_to;
    bool is_new; /* set by hd_record_commit: this signature was not known before */
} hd_found;

/* A place where precision was lost. */
typedef struct hd_loss {
    hd_loss_kind kind;
    /* what: "" for ways of the search, a whole sentence for bounds, else what was not followed:
     * "floating-point conversion", ... */
    char *what, *file;
    uint32_t line;
    uint64_t count;
} hd_loss;

typedef struct hd_run_counters {
    hd_explorer_counters explore;
    hd_chain_counters solve;
    uint64_t branches, branches_covered; /* directions: two per branch */
    uint64_t vectors, vectors_covered;   /* ways behind those of branches: test vectors (--mcdc) */
    uint64_t threads;   /* that the program made in all, by name, main included; 0 = it has none */
    uint64_t processes; /* that it made in all, by name; 0 or 1: there is one */
    uint64_t inputs;    /* variables of the execution that has most */
    uint64_t stdin_bytes;        /* of standard input that were read as they are */
    uint64_t units;              /* parts of the search that workers had */
    uint64_t workers;            /* processes that have committed something */
    uint64_t repeated;           /* executions that only rebuilt what a journal says */
    double seconds, cpu_seconds; /* over all sittings of the run */
    double work_seconds;         /* of cpu_seconds: what units took */
    double sample_seconds;       /* and samples beside them; the rest is starting workers */
} hd_run_counters;

/* Adds what was counted in a part of the run; of some counters the largest part counts, or the last
 * one that was told. */
void hd_counters_add(hd_run_counters *sum, const hd_run_counters *part);
/* What has been counted between two moments. */
hd_run_counters hd_counters_since(const hd_run_counters *now, const hd_run_counters *before);

/* When something was met for the first time: a way of a branch, by its index in hd_batch.coverage,
 * or a finding, by its signature. */
typedef enum hd_first_kind { HD_FIRST_WAY, HD_FIRST_FINDING, HD_N_FIRST_KINDS } hd_first_kind;
typedef struct hd_first {
    hd_first_kind kind;
    uint64_t what;
    double seconds; /* processor time of who met it, with what had been committed when it began */
} hd_first;
typedef hd_vec(hd_first) hd_firsts;

/* How executions ended. */
typedef struct hd_ends {
    uint64_t exits[256]; /* by status */
    uint64_t rejected, findings;
} hd_ends;

/* How large a whole system was at a moment of its search. */
typedef struct hd_growth_point {
    double seconds;  /* processor time, as in hd_first */
    uint64_t moment; /* of virtual time, in nanoseconds */
    uint64_t states, dstates, events;
    uint64_t bytes; /* of memory that the worker had */
} hd_growth_point;
typedef hd_vec(hd_growth_point) hd_growth;

/* How many scenarios a whole system has: combinations of its node states. */
typedef struct hd_scenarios {
    char *digits;      /* decimal, of any length; NULL: not known */
    bool are_possible; /* all of them; else some may contradict themselves */
} hd_scenarios;
void hd_scenarios_release(hd_scenarios *s);

/* The bytes of one observer (fleet/observer.h) in hd_batch.observed; NULL if there are none. */
const void *hd_observed_find(const void *bytes, size_t n, const char *name, size_t *size);
/* What observers `firsts`, `growth`, `scenarios` and `ends` keep.  False if damaged. */
bool hd_scenarios_unpack(const void *bytes, size_t n, hd_scenarios *s);
bool hd_growth_unpack(const void *bytes, size_t n, hd_growth *appended);
bool hd_firsts_unpack(const void *bytes, size_t n, hd_firsts *appended);
bool hd_ends_unpack(const void *bytes, size_t n, hd_ends *ends);

/* How far a unit is. */
#define HD_UNIT_STATES(X)                                                                          \
    X(OPEN, "open")                                                                                \
    X(DONE, "done")                                                                                \
    X(VOID, "void")       /* the search began anew without it */                                   \
    X(ASIDE, "set aside") /* it took down every worker that had it */
typedef enum hd_unit_state {
#define X(name, words) HD_UNIT_##name,
    HD_UNIT_STATES(X)
#undef X
        HD_N_UNIT_STATES
} hd_unit_state;
const char *hd_unit_state_words(hd_unit_state state);

/* Numbers of units are small, because there is an array of them: a larger one is damage. */
#define HD_MOST_UNITS (UINT64_C(1) << 24)

/* A unit (fleet/coordinator.h) and what it cost, over all hand-outs, as committed. */
typedef struct hd_unit_cost {
    uint64_t number;     /* 1, 2, ... in the order in which they were made */
    uint64_t parent;     /* whose commit gave it away, 0 = nobody's */
    double given_at;     /* processor time that the parent had taken by then */
    double begun;        /* seconds of the run, over all sittings, when it was first handed out */
    double seconds;      /* processor time */
    double lost;         /* processor time that came to nothing, as far as it is known */
    uint64_t executions; /* new ones, */
    uint64_t paths;      /* of them: hd_explorer_counters */
    uint64_t repeated;   /* and those that rebuilt what was known */
    uint64_t hand_outs;  /* also of a unit that was given back before anybody began it */
    hd_unit_state state;
} hd_unit_cost;

/* What one commit adds.  Tests and findings are added; everything else replaces. */
typedef struct hd_batch {
    hd_test *tests;
    uint32_t n_tests;
    hd_found *findings; /* known signatures only raise the count */
    uint32_t n_findings;
    hd_loss *losses;
    uint32_t n_losses;
    hd_label *labels;
    uint32_t n_labels;
    hd_run_counters counters;
    hd_unit_cost *units; /* those that have changed, by number; not filled by hd_record_state */
    uint32_t n_units;
    uint8_t *coverage; /* 2 * n_branches */
    uint32_t n_branches;
    void *frontier; /* hd_explorer_save */
    size_t n_frontier;
    void *observed; /* what observers saw: hd_observed_find */
    size_t n_observed;
    char *threads;  /* names of threads in the frontier, as hd_machine_print_names */
    char *warnings; /* one per line: what is suspicious without having gone wrong */
    bool is_complete;
    char *
        stop_reason; /* why it is not going on: "complete", "time limit", ...; NULL while running */
} hd_batch;
void hd_batch_release(hd_batch *b);
/* Why the search that `state` describes is not complete: one sentence each, with counts and
 * places.  Calls nothing if it is complete. */
void hd_batch_reasons(const hd_batch *state, void (*each)(void *context, const char *reason),
                      void *context);
/* Whether anything but open branches stands between this state and "complete" (X3, losses,
 * executions cut off by the step limit). */
bool hd_batch_is_exact(const hd_batch *state);

/* How the run was started; kept for resume and replay. */
typedef struct hd_run_info {
    char *command; /* the command line, for people */
    char *options; /* JSON: everything that changes the search */
    uint64_t module_hash;
    char *module_directory; /* of the copy inside the run directory */
    uint64_t seed;
    char *walls; /* what kept the program from the machine that began it (confine.h); NULL = not
                  * known */
} hd_run_info;

typedef struct hd_record hd_record;
/* A new run in `directory`: made if missing, emptied of its run if it holds a run of Heddle
 * (other files stay), refused (with a hint) if it holds anything else.  Links or copies the
 * module from info->module_directory.  On failure a run that was there is there still. */
hd_record *hd_record_create(const char *directory, const hd_run_info *info, hd_err *err);
/* An existing run; NULL with one sentence if it is missing, damaged or of a newer version, or,
 * for writing, if it is of an older version or another process is running it. */
hd_record *hd_record_open(const char *directory, bool for_writing, hd_err *err);
/* Does a process of this machine write to the run in `directory`?  Asks the kernel's list of locks,
 * and takes none: a run that begins at this moment must not find one.  False also where the list
 * does not show processes of others. */
bool hd_record_is_running(const char *directory);
/* One that is open for reading has no file open any more, until it is asked something again: a
 * tested program that runs in this process cannot write to what is not open.  One that is open for
 * writing stays so. */
void hd_record_rest(hd_record *r);
void hd_record_close(hd_record *r);
const hd_run_info *hd_record_info(const hd_record *r);
/* False (and nothing changed) when the disk is full or the database is gone.  Writes the
 * numbers it gave into the batch's tests and findings. */
bool hd_record_commit(hd_record *r, hd_batch *b, hd_err *err);
/* The run ended without a batch to say so (its worker is gone): only change the reason. */
bool hd_record_stop(hd_record *r, const char *reason, hd_err *err);

/* Reading back.  What these fill in is the caller's, for hd_test_release or hd_batch_release;
 * what `each` is given is gone when it returns (false ends the listing). */
bool hd_record_test(hd_record *r, uint64_t number, hd_test *test, hd_err *err);
void hd_test_release(hd_test *t);
bool hd_record_tests(hd_record *r, bool (*each)(void *, const hd_test *), void *context,
                     hd_err *err);
/* How many there are, without reading them. */
bool hd_record_count_tests(hd_record *r, uint64_t *n, hd_err *err);
bool hd_record_findings(hd_record *r, bool (*each)(void *, const hd_found *), void *context,
                        hd_err *err);
/* In the order of their numbers; none of a run that an older version recorded. */
bool hd_record_units(hd_record *r, bool (*each)(void *, const hd_unit_cost *), void *context,
                     hd_err *err);
/* Everything but tests and units: counters, losses, labels, coverage, frontier, findings.
 */
bool hd_record_state(hd_record *r, hd_batch *state, hd_err *err);

/* Is a test more than its inputs: does the order of threads belong to it? */
bool hd_test_is_threaded(const hd_test *t);
/* Write the test as a C file of its own that replays the case without Heddle (paper 002, 6.0.1):
 *     cc test_0001.c program.c && ./a.out
 * It ends with status 0 if the program ended as it did under Heddle, 1 if not.  Refused for a test
 * with a schedule: a plain program chooses its own. */
bool hd_export_c(hd_record *r, const hd_test *test, const char *path, hd_err *err);
/* Forms of tests: option of `heddle export` and end of hd_export_NAME, end of names of files, words
 * for its help, whether they have an order of threads and the nodes of a scenario, and objects
 * behind input pointers. */
#define HD_EXPORT_FORMATS(X)                                                                       \
    X(c, "c", "as C files, one per test", false, true)                                             \
    X(test, "test", "as files for 'heddle run ... --test FILE', with inputs, faults and order",    \
      true, true)                                                                                  \
    X(cmocka, "c", "as C files for cmocka, one per test", false, true)                             \
    X(ktest, "ktest", "as .ktest files, which KLEE's tools read", false, false)                    \
    X(xml, "xml", "as XML files of Test-Comp, with metadata.xml", false, false)                    \
    X(corpus, "bin", "as plain bytes, for libFuzzer and AFL", false, false)
#define X(name, suffix, words, has_orders, has_objects)                                            \
    bool hd_export_##name(hd_record *r, const hd_test *test, const char *path, hd_err *err);
HD_EXPORT_FORMATS(X)
#undef X
/* Objects behind input pointers: are there any in it? */
bool hd_test_has_objects(const hd_test *t);
/* metadata.xml, which belongs to the files of hd_export_xml. */
bool hd_export_xml_metadata(const char *file, const char *function, const char *path, hd_err *err);

/* What hd_export_test wrote: a test, number 1, and the findings that it must show. */
typedef struct hd_exported_test {
    hd_test test;
    hd_vec(hd_found) findings;
} hd_exported_test;
/* False with one sentence, and nothing to release, if the file is none. */
bool hd_exported_read(hd_exported_test *t, const char *path, hd_err *err);
/* A test from a text, which is changed; `path` is for sentences. */
bool hd_exported_parse(hd_exported_test *t, char *text, const char *path, hd_err *err);
void hd_exported_release(hd_exported_test *t);
#endif
