/* run_parts.h -- parts of the machine that are about an execution as a whole: what is asked for,
 * how far it has come, what went wrong, what is told. */
#ifndef HD_MACHINE_CORE_RUN_PARTS_H
#define HD_MACHINE_CORE_RUN_PARTS_H
#include "machine/core/memory_parts.h"

typedef struct hd_event {
    uint32_t site;
    hd_expr condition;
    uint8_t taken, kind;
    uint32_t since; /* hd_threads.spent_since */
} hd_event;

/* A decision that the sink was told of, and after how many events of threads. */
typedef struct hd_decided {
    hd_event decision;
    uint32_t n_events;
} hd_decided;

typedef struct hd_shared hd_shared; /* what a forked child leaves behind: isolate.c */

/* What the program may do, as far as the functions tell that it calls. */
typedef struct hd_may {
    bool create;         /* threads or processes */
    bool ask_for_serial; /* somebody looks at what a wait at a barrier answers */
    bool handle_end;     /* by handlers for the end of the program */
    bool end_last;       /* main may end before others: one of them handles the end */
    bool tell_ends;      /* joins may go on before the other thread ends: its end is an event */
    bool cancel;         /* threads */
    bool delete_keys;    /* of values that threads have of their own */
    bool lock_streams;
    bool use_streams;   /* threads may come to use a standard stream together */
    bool wait;          /* for processes */
    bool ask;           /* ask who its parent is */
    bool signal;        /* it has handlers of signals, perhaps */
    bool kill;          /* end other processes */
    bool watch;         /* it asserts something about every moment of all processes, or one */
    bool judge;         /* it asserts something about all processes at the end */
    bool have_sections; /* atomic ones */
    bool see_undefined; /* the module was compiled to see memory that was never written */
    bool read_flags;    /* of floating point */
} hd_may;

/* What is told about all executions. */
typedef struct hd_told {
    uint8_t *coverage, *coverage_alone; /* of executions with all nodes, and of one */
    hd_vec(hd_approximation) approximations;
    hd_map approximation_at;
    hd_vec(hd_label) labels;
    hd_vec(char *) labels_alone;  /* that one node has reached by itself */
    hd_vec(uint32_t) weak_orders; /* sites of atomic operations that allow more than is shown */
} hd_told;

/* What the caller of hd_machine_run gives, and how to come back to it. */
typedef struct hd_call {
    hd_model *model;
    const hd_sink *sink;
    hd_outcome *outcome;
    void *host_stack;
    bool is_running;
    bool is_alone;     /* one node is run (outside.h) */
    hd_watch *watches; /* of the next execution */
    uint32_t n_watches;
    uint64_t n_followed;    /* before so many events the script is asked who is next, ... */
    uint64_t n_repeated;    /* ... and before so many nobody looks at what is done */
    uint64_t checkpoint_at; /* events; UINT64_MAX: none is to be taken */
    bool is_followed;       /* by tasks/recall.h, which asks ... */
    uint64_t n_entries;     /* ... how often the machine was entered (hd_enter) */
    uint64_t n_looks;       /* at globals, while HD_IS_WATCHED */
    bool is_answered;       /* the sink was asked already who is next where its script ends, ... */
    uint32_t answer;        /* ... and has said that nobody is */
} hd_call;

/* isolate.c: executions in forked children. */
typedef struct hd_isolation_part {
    bool forks;
    char reason[256];
    hd_shared *shared;
    struct hd_mirror *mirror;
} hd_isolation_part;

/* How far the execution has come. */
typedef struct hd_execution {
    uint64_t hash;
    uint64_t fuel;
    uint64_t n_events;
    uint64_t n_decisions;
    uint64_t exit_since;    /* events before somebody wanted to end the program */
    uint32_t n_used;        /* threads so far, those that have ended included */
    bool is_concrete;       /* it had too many decisions: nothing is symbolic any more */
    bool has_approximated;  /* something in it was not exact */
    bool handled_has_grown; /* what handlers touch: handler_memory.c */
    HD_PART_LOOSE;
    HD_PART_LISTS;
    hd_vec(uint32_t) looping; /* sites seen after the fuel was gone */
    hd_vec(uint32_t) reached; /* labels; if one node is run: those that are new */
    HD_PART_KEPT;
    hd_vec(hd_decided) decided; /* all decisions, if there may be checkpoints */
    hd_vec(uint64_t) pinned;    /* pin.c: threads and variables that they have decided */
    HD_PART_MAPS;
    hd_map far_objects; /* thread-local ones of threads behind the first few: perthread.c */
} hd_execution;

/* failures.c */
typedef struct hd_failing {
    bool has_kept;        /* something went wrong or was rejected, and others went on (E5) */
    bool has_stopped;     /* some thread stopped there: that others wait for it means nothing */
    uint32_t n_undefined; /* findings about memory that was never written, told or not */
    HD_PART_LOOSE;
    hd_outcome kept; /* the outcome of the first such thing */
    HD_PART_LISTS;
    hd_vec(hd_failure) failures;
    HD_PART_KEPT;
    HD_PART_MAPS;
    hd_map noted;         /* ubsan.c: checks that failed in this execution, by place and caller */
    hd_map failed_checks; /* slow_control.c: by thread and site */
} hd_failing;

#endif
