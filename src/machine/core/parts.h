/* parts.h -- the parts of the machine that have state of their own, and what happens to all of
 * them.
 *
 * Threads, processes and executions come and go in tasks/ and run/.  Rooms that keep something for
 * each of them say in one row what they do then; whoever makes it happen asks the table, and knows
 * none of them.  Members of hd_machine that are of one execution need no row for what their layout
 * tells (layout.h): they are begun, kept, restored and released by it.
 *
 * P1. A row has all its columns: one that is left out does not compile.  NULL: nothing to do.
 * P2. Rows are asked in the order of the table, which is that of the rooms from the last to the
 *     first: who uses something lets it go before it goes itself.  Keep and restore go the other
 *     way: what is used is back before who uses it.
 * P3. After `begin` the state of an execution depends on nothing that the one before left: what was
 *     in the memory that hd_parts_visit tells of makes no difference.
 * P4. After `restore` the state is what it was when it was kept, byte by byte.
 * P3 and P4 are checked by tests/unit/test_parts.c, and always in the hostile build. */
#ifndef HD_MACHINE_CORE_PARTS_H
#define HD_MACHINE_CORE_PARTS_H
#include "machine/core/state.h"

/* ---- run/visit.c: somebody who looks at all memory of one execution ---- */
typedef struct hd_visitor hd_visitor;
/* What comes next is of that part. */
void hd_visit_part(hd_visitor *v, const char *name);
/* Bytes that are the same whenever an execution begins. */
void hd_visit_bytes(hd_visitor *v, void *at, size_t n);
/* Bytes that may be anything when an execution begins. */
void hd_visit_loose(hd_visitor *v, void *at, size_t n);
/* *n entries of a table are in use, of `most` that there are; the others are as they begin. */
void hd_visit_extent(hd_visitor *v, uint32_t *n, uint32_t most);
/* Lists and maps, which are empty when an execution begins. */
void hd_visit_any_list(hd_visitor *v, void *list, size_t element);
#define hd_visit_list(v, list) hd_visit_any_list(v, list, sizeof *(list)->at)
void hd_visit_map(hd_visitor *v, hd_map *map);

/* ---- run/checkpoint.c: somebody who keeps a state in the middle of an execution ---- */
struct hd_kept_memory;
/* The members of hd_machine as far as their layout says that bytes are kept. */
typedef struct hd_kept_members {
#define HD_MEMBER(type, name) uint8_t name[offsetof(type, loose)];
    HD_PARTS_OF_EXECUTION(HD_MEMBER)
#undef HD_MEMBER
} hd_kept_members;
typedef struct hd_keeper {
    struct hd_checkpoint *checkpoint;
    hd_kept_members *members;
    const uint8_t *aside, *end; /* bytes kept aside that are still to be asked for */
} hd_keeper;
/* Bytes that come back where they are. */
void hd_keep(hd_keeper *k, void *at, size_t n);
/* Bytes that `restore` asks for again, in the same order: what is small is back faster that way. */
void hd_keep_aside(hd_keeper *k, const void *at, size_t n);
static inline void hd_bring_back(hd_keeper *k, void *at, size_t n) {
    HD_ASSERT(n <= (size_t)(k->end - k->aside));
    if (n)
        memcpy(at, k->aside, n);
    k->aside += n;
}
/* The stack of the next thread, in the order of their indices; NULL: it has none in use.  That of
 * one which is gone, and never runs again in the execution, stays where it is (C3 of checkpoint.h).
 */
void hd_keep_stack(hd_keeper *k, const hd_thread *t, bool is_gone);
/* What of memory is kept: the reset leaves that. */
struct hd_kept_memory *hd_keeper_memory(hd_keeper *k);

/* ---- run/isolate.c: what goes from a forked child back to its parent ---- */
typedef struct hd_box hd_box;
void hd_box_put(hd_box *b, const void *at, size_t n);
/* Bytes come out in the order in which they were put there. */
void hd_box_take(hd_box *b, void *at, size_t n);
#define hd_box_put_list(b, list)                                                                   \
    (hd_box_put(b, &(list)->n, sizeof(list)->n),                                                   \
     hd_box_put(b, (list)->at, (list)->n * sizeof *(list)->at))
#define hd_box_take_list(b, list)                                                                  \
    (hd_box_take(b, &(list)->n, sizeof(list)->n), hd_vec_reserve(list, (list)->n),                 \
     hd_box_take(b, (list)->at, (list)->n * sizeof *(list)->at))

void hd_box_put_map(hd_box *b, const hd_map *map);
/* Into a map, beside what is there. */
void hd_box_take_map(hd_box *b, hd_map *map);

/* ---- a row ---- */
typedef struct hd_part_life {
    /* An execution is about to begin: everything as before the first one.  Members of hd_machine
     * are so already. */
    void (*begin)(hd_machine *m);
    /* Memory of the program as before the first execution, but what is kept (NULL: nothing). */
    void (*reset)(hd_machine *m, const struct hd_kept_memory *kept);
    /* The machine goes: so does all memory. */
    void (*release)(hd_machine *m);
    /* Memory of one execution that is elsewhere than in hd_machine itself (P3). */
    void (*visit)(hd_machine *m, hd_visitor *v);
} hd_part_life;

typedef struct hd_part_checkpoint {
    /* Would `keep` tell all there is (C2 of run/checkpoint.h)? */
    bool (*is_simple)(const hd_machine *m);
    void (*keep)(hd_machine *m, hd_keeper *k);
    /* After `begin`: what was kept aside; bytes are back in their places. */
    void (*restore)(hd_machine *m, hd_keeper *k);
} hd_part_checkpoint;

/* An execution is over that was run in a forked child: what its parent must know. */
typedef struct hd_part_isolated {
    void (*leave)(hd_machine *m, hd_box *b);
    void (*take)(hd_machine *m, hd_box *b);
} hd_part_isolated;

typedef struct hd_part_tasks {
    /* The running process, which had one thread, creates another. */
    void (*become_threaded)(hd_machine *m);
    /* The running thread has done all it does, and ends. */
    void (*end_thread)(hd_machine *m, uint32_t thread);
    /* The running process forks. */
    void (*fork)(hd_machine *m, uint32_t parent, uint32_t child);
    /* A process ends: the running one, or one that another one kills. */
    void (*end_process)(hd_machine *m, uint32_t process, bool is_killed);
    /* A handler runs in the middle of what the thread does, and is done. */
    void (*interrupt)(hd_machine *m, uint32_t thread);
    void (*resume)(hd_machine *m, uint32_t thread);
} hd_part_tasks;

typedef struct hd_part {
    const char *name;
    hd_part_life life;
    hd_part_checkpoint checkpoint;
    hd_part_isolated isolated;
    hd_part_tasks tasks;
} hd_part;
/* Groups of columns in which a part has nothing to do. */
#define HD_PART_NO_LIFE       {NULL, NULL, NULL, NULL}
#define HD_PART_NO_CHECKPOINT {NULL, NULL, NULL}
#define HD_PART_NOT_ISOLATED  {NULL, NULL}
#define HD_PART_NO_TASKS      {NULL, NULL, NULL, NULL, NULL, NULL}

/* ---- run/parts.c ---- */
/* The layouts of HD_PARTS_OF_EXECUTION, in hd_machine. */
const hd_layout *hd_parts_layouts(size_t *n);
void hd_parts_begin(hd_machine *m);
void hd_parts_reset(hd_machine *m, const struct hd_kept_memory *kept);
void hd_parts_release(hd_machine *m);
/* All memory of one execution, in hd_machine and elsewhere. */
void hd_parts_visit(hd_machine *m, hd_visitor *v);
bool hd_parts_are_simple(const hd_machine *m);
void hd_parts_keep(hd_machine *m, hd_keeper *k);
void hd_parts_restore(hd_machine *m, hd_keeper *k);
/* Lists and maps of hd_machine are empty from now on. */
void hd_parts_clear(hd_machine *m);
void hd_parts_leave(hd_machine *m, hd_box *b);
void hd_parts_take(hd_machine *m, hd_box *b);
void hd_parts_become_threaded(hd_machine *m);
void hd_parts_end_thread(hd_machine *m, uint32_t thread);
void hd_parts_fork(hd_machine *m, uint32_t parent, uint32_t child);
void hd_parts_end_process(hd_machine *m, uint32_t process, bool is_killed);
void hd_parts_interrupt(hd_machine *m, uint32_t thread);
void hd_parts_resume(hd_machine *m, uint32_t thread);

/* ---- run/visit.c ---- */
/* Fill all memory of one execution with a pattern, before one begins (P3). */
void hd_parts_scribble(hd_machine *m, uint8_t pattern);
/* A copy of all of it that is not loose; and the name of the first part in which the state differs
 * from that, NULL: in none.  By it L1 of layout.h is checked (tests/unit/test_parts.c: what was
 * filled before an execution begins), and L2 (checkpoint.c in the hostile build). */
typedef hd_vec(uint8_t) hd_snapshot;
void hd_parts_copy(hd_machine *m, hd_snapshot *out);
const char *hd_parts_compare(hd_machine *m, const hd_snapshot *with);
#endif
