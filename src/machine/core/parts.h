/* parts.h -- the parts of the machine that have state of their own, and what happens to all of
 * them.
 *
 * Threads, processes and executions come and go in tasks/ and run/.  Rooms that keep something for
 * each of them say in one row what they do then; whoever makes it happen asks the table, and knows
 * none of them.
 *
 * P1. A row has all its columns: one that is left out does not compile.  NULL: nothing to do.
 * P2. Rows are asked in the order of the table, which is that of the rooms from the last to the
 *     first: what uses something lets it go before that goes. */
#ifndef HD_MACHINE_CORE_PARTS_H
#define HD_MACHINE_CORE_PARTS_H
#include "machine/core/state.h"

typedef struct hd_part {
    const char *name;
    /* An execution is about to begin: everything as before the first one. */
    void (*begin)(hd_machine *m);
    /* The machine goes: so does all memory. */
    void (*release)(hd_machine *m);
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
} hd_part;

/* ---- run/parts.c ---- */
void hd_parts_begin(hd_machine *m);
void hd_parts_release(hd_machine *m);
void hd_parts_become_threaded(hd_machine *m);
void hd_parts_end_thread(hd_machine *m, uint32_t thread);
void hd_parts_fork(hd_machine *m, uint32_t parent, uint32_t child);
void hd_parts_end_process(hd_machine *m, uint32_t process, bool is_killed);
void hd_parts_interrupt(hd_machine *m, uint32_t thread);
void hd_parts_resume(hd_machine *m, uint32_t thread);
#endif
