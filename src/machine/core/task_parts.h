/* task_parts.h -- parts of the machine that are about who runs: threads, processes, the clock,
 * sections. */
#ifndef HD_MACHINE_CORE_TASK_PARTS_H
#define HD_MACHINE_CORE_TASK_PARTS_H
#include "machine/core/memory_parts.h"
#include "machine/fault.h"

/* A value that a thread keeps for a key (pthread_setspecific). */
typedef struct hd_specific {
    uint32_t key;
    hd_shadow shadow;
    uint64_t value;
} hd_specific;

/* One location that a waiting loop has read, and what it saw. */
typedef struct hd_watched {
    uint64_t address, value;
    uint32_t size;
} hd_watched;
#define HD_MAX_WATCHED 16 /* locations of a waiting loop */
#define HD_MAX_TAKEN   4  /* locks within each other */
#define HD_MAX_CHANGED 4  /* locations that are changed for a moment */

/* What an atomic section touches (atomic_section.c). */
#define HD_SECTION_RANGES (HD_OWN_ACCESSES - 1) /* besides the token of all sections */
typedef struct hd_section {
    uint64_t key;
    uint32_t site;
    uint32_t n;
    bool is_new, is_big;
    hd_access access[HD_SECTION_RANGES + 1]; /* one more while a range is added */
} hd_section;

/* What executions of one explorer found out: another explorer has to find it out anew, because it
 * changes what actions are. */
typedef hd_vec(hd_section) hd_sections;
typedef struct hd_facts {
    hd_map rounds;
    uint32_t n_rounds;
    bool has_big_sections;
    hd_sections sections;
    hd_map section_of, section_places;
    hd_map handled;
} hd_facts;

/* An arrival of a thread at the header of a loop, without an effect since then: spin.c. */
typedef struct hd_spin {
    uint32_t loop, site, n_events;
    uint64_t state, frame, n_decisions;
    uint32_t n_reads; /* of `watched` */
    uint32_t n_taken; /* of `taken` */
    uint32_t n_changed;
    uint32_t n_undone; /* iterations before it that were hindered, and changed nothing */
    uint32_t n_idle;   /* and that nobody could see anything of; */
    uint64_t memory;   /* what memory was then: a hash */
    bool is_seen;      /* another thread has looked at what is taken or changed */
    bool is_hindered;  /* and that thread has as many iterations undone itself */
    bool is_stale;     /* something has changed since it was read */
    bool has_stores;   /* of what was there; exchanges and the like not counted */
    hd_watched watched[HD_MAX_WATCHED];
    uint64_t taken[HD_MAX_TAKEN]; /* locks that were locked since then, and not unlocked yet */
    hd_watched changed[HD_MAX_CHANGED]; /* and what it wrote that is not undone yet: as it was */
} hd_spin;
#define HD_MAX_SPINS 4 /* loops within each other */

/* What a switch puts into the record of the running thread, and takes out of that of the next one:
 * members of both hd_thread and hd_running. */
#define HD_CARRIED_BY_THREADS                                                                      \
    uint64_t stack_dirty; /* external code may have written from here up */                        \
    uint64_t virtual_time;                                                                         \
    uint64_t variadic_passed;                                                                      \
    uint64_t variadic_room; /* HD_VARIADIC_ROOM */                                                 \
    const char *variadic_places;                                                                   \
    uint32_t variadic_fixed;                                                                       \
    uint32_t n_roots, n_requests; /* inputs.c */                                                   \
    uint32_t looping_left;                                                                         \
    hd_shadow pinned; /* address that is one value by decisions */
typedef struct hd_carried {
    HD_CARRIED_BY_THREADS
} hd_carried;
#define HD_CARRIED                                                                                 \
    union {                                                                                        \
        struct {                                                                                   \
            HD_CARRIED_BY_THREADS                                                                  \
        };                                                                                         \
        hd_carried carried;                                                                        \
    }

/* What a thread does with signals: tasks/signals.h. */
typedef struct hd_hearing {
    uint64_t blocked;
    uint64_t pending;        /* what was sent to it alone */
    uint64_t blocked_after;  /* the set when its wait is over */
    uint64_t frame;          /* of the first handler that runs in it: what is below is its own */
    uint64_t inner_frame;    /* of the last of them */
    uint32_t depth;          /* handlers that run in it */
    uint32_t n_interrupting; /* of them, those that came by themselves: not by raise() */
    bool is_deaf;            /* it has ended, and takes none any more */
    bool is_waiting;         /* sigsuspend, ppoll: what comes, comes into the wait */
    bool is_between;         /* a handler came between two operations, not into one */
    bool is_taking;          /* it is about to take one, which is an event */
} hd_hearing;

/* A thread of the program.  What every event looks at comes first, and what is big comes last.
 * From `passed` to `lasting` all is zero when it begins, if begin_record in threads.c does not say
 * otherwise. */
typedef struct hd_thread {
    void *saved;                                /* stack pointer: fiber.c */
    uint64_t passed, returned, fuel, stack_low; /* registers */
    HD_CARRIED;

    uint32_t n_spins;
    bool is_writing; /* the last of `watched` of each spin is what was there before a write */
    uint32_t n_events;
    uint32_t copies; /* whose thread-local objects it uses: its own, or those of who forked it */
    uint64_t errno_at;
    bool is_used; /* in this execution */
    bool is_starting, has_ended, is_joined, is_detached;
    bool is_cancelled, ignores_cancel; /* pthread_cancel.c */
    bool is_interrupted;               /* its call fails because of a signal */
    hd_hearing ear;
    bool is_courier;             /* courier.c */
    uint32_t parent, n_children; /* names.c */
    uint32_t creator;            /* who waits until it stands before its first action */
    void *(*start)(void *);
    uint64_t argument, result;
    hd_shadow argument_shadow, result_shadow;
    hd_shadow status_shadow; /* of the exit status that it ends its process with */
    uint64_t cleanup;        /* innermost handler of pthread_cleanup_push */
    uint32_t n_keys;         /* that it made */

    /* courier.c, time.c */
    bool can_go; /* of a thread whose process is not loaded */
    struct hd_parcel *parcels, *last_parcel;
    uint32_t n_objects;             /* that it made: hd_name_object */
    uint64_t n_random;              /* bytes that nobody can know, which it got: libc/entropy.c */
    uint32_t section_depth;         /* atomic sections that it is in */
    uint64_t deadline;              /* UINT64_MAX: none */
    struct hd_lock_wait *lock_wait; /* libc/flock.c */

    char lasting[0];
    uint64_t stack_bottom, stack_top; /* 0: its stack was never needed */
    bool has_borrowed_stack;          /* after fork: the one of the thread that called it; ... */
    hd_range own_stack;               /* ... it had this one in earlier executions */

    hd_vec(hd_specific) specifics;        /* from here on there is memory elsewhere: threads.c */
    hd_shadow variadic_args[HD_MAX_ARGS]; /* of variadic_passed */
    hd_heap heap;
    hd_spin *spin; /* HD_MAX_SPINS, the innermost loop last */
} hd_thread;

/* When a thread could last have crashed with its node. */
typedef struct hd_chance {
    bool is_taken; /* and did nothing since then that others notice */
    uint32_t n;    /* so many there were */
    uint64_t now;
} hd_chance;

/* The number that the message got which a thread is about to send; 0: it has none yet. */
typedef struct hd_numbered {
    uint32_t to, nth;
} hd_numbered;

/* What went wrong so far, and what may still: channels/faults.c. */
typedef struct hd_fault_part {
    HD_PART_LOOSE;
    HD_PART_LISTS;
    hd_vec(hd_fault_event) happened;
    hd_vec(uint32_t) counts;
    hd_vec(uint32_t) used_at;    /* of each count: events before the choice that it counted last */
    hd_vec(hd_chance) chances;   /* by thread */
    hd_vec(hd_numbered) counted; /* by thread */
    hd_vec(uint64_t) cuts;       /* by rule: until when there is no link; 0: there is one */
    hd_vec(struct hd_arrived *) held; /* waits to be overtaken: channels/arrive.c */
    HD_PART_KEPT;
    HD_PART_MAPS;
    hd_map place_of; /* of a counter in `counts` */
} hd_fault_part;

/* (parent, nth child): names.c */
typedef struct hd_thread_name {
    uint32_t parent, nth;
} hd_thread_name;

typedef void (*hd_handler)(void);

/* What executions teach the machine for good, whichever explorer ran them. */
typedef struct hd_lessons {
    hd_thread_set changing;  /* those whose loops have changed something for a moment, and perhaps
                              * others: spin.c */
    bool meets_undefined;    /* some execution has loaded memory that was never written */
    bool knows_readers;      /* they stay what they are */
    hd_map expected_readers; /* of queues, see channels/readers.c: number -> set of processes */
} hd_lessons;

/* names.c: threads by (parent, nth). */
typedef struct hd_naming {
    hd_map thread_of;               /* parent and nth -> index */
    hd_vec(hd_thread_name) threads; /* by index; main's is unused */
} hd_naming;

/* Records of threads. */
typedef struct hd_records {
    uint32_t n;     /* so many were ever used */
    hd_spin *spins; /* HD_MAX_SPINS of each */
} hd_records;

/* The running thread: threads.c. */
typedef struct hd_running {
    hd_heap *heap;
    uint64_t stack_bottom, stack_top;
    uint64_t errno_at;
    HD_CARRIED;
    HD_PART_LOOSE;
    hd_shadow variadic_args[HD_MAX_ARGS]; /* of variadic_passed */
    HD_PART_LISTS;
    HD_PART_KEPT;
    HD_PART_MAPS;
} hd_running;

/* The running process: process.c. */
typedef struct hd_process_part {
    uint32_t n_unjoined;  /* threads that were not joined, the running one included */
    uint32_t n_keys_gone; /* of `keys`: deleted */
    bool is_exiting, has_returned;
    bool is_ending; /* the others do not go on any more */
    HD_PART_LOOSE;
    HD_PART_LISTS;
    hd_vec(hd_handler) at_exit;
    hd_vec(hd_handler) at_quick_exit;
    HD_PART_KEPT;
    HD_PART_MAPS;
    hd_map keys; /* of pthread_key_create -> destructor */
} hd_process_part;

/* atomic_section.c */
typedef struct hd_atomic {
    bool is_inside; /* the running thread is in an atomic section that is a single event */
    bool has_grown; /* the section is more than was known */
    bool retries;   /* so the execution ended */
    uint32_t owner; /* 1 + the thread in an atomic section: the others wait */
    HD_PART_LOOSE;
    hd_section section; /* the running one, or the one that ended the execution */
    HD_PART_LISTS;
    HD_PART_KEPT;
    HD_PART_MAPS;
} hd_atomic;

/* Something that arrives at a node at its time; smaller ones come first, by the members in their
 * order: time_order.c. */
typedef struct hd_due {
    uint64_t time;
    uint32_t host;           /* where */
    uint32_t sender, number; /* whose, and which of those that this host has sent */
    struct hd_parcel *parcel;
} hd_due;

/* All processes, and their clock: process.c, time.c. */
/* A parcel that its courier gets when the time has come. */
typedef struct hd_later {
    uint64_t when;
    uint32_t courier;
    struct hd_parcel *parcel;
} hd_later;

typedef struct hd_system {
    bool is_concurrent;  /* there is, or was, more than one that could go on */
    bool has_checked;    /* the assertions about all processes */
    uint32_t clock;      /* its index among the threads; 0 = nobody waits for it */
    uint64_t now;        /* nanoseconds that the clock of the system has moved; where time orders
                          * events: the clock of the running node */
    uint64_t space_tag;  /* HD_SPACE of the running process */
    hd_set wanted_up;    /* processes for which others wait before they start */
    uint64_t moment;     /* of the last event, where time orders them; ... */
    uint32_t host;       /* ... where it happened; ... */
    bool have_begun;     /* ... all nodes have come to wait; ... */
    bool are_joined;     /* ... what one does may change another at once: time_order.c, W4 */
    uint64_t n_happened; /* events of nodes, where time orders them */
    struct hd_send_row *rows; /* sends that arrive as one and are still kept back: carry.c */
    uint64_t n_cut_places;    /* where sends could have been kept together so, and were not */
    HD_PART_LOOSE;
    HD_PART_LISTS;
    hd_vec(hd_due) due;      /* a heap, the next first: time_order.c */
    hd_vec(uint64_t) clocks; /* of nodes, by host, where time orders events */
    hd_vec(hd_later) later;  /* in the order in which they were sent */
    HD_PART_KEPT;
    HD_PART_MAPS;
} hd_system;

#endif
