/* kinds.h -- the machine's columns of the table of kinds (action_kinds.h): when an action that
 * waits can run, what it does if it runs now, and what a thread that stands before it waits for.
 *
 * Each function is in the file that owns the kind. */
#ifndef HD_MACHINE_CORE_KINDS_H
#define HD_MACHINE_CORE_KINDS_H
#include "machine/core/state.h"

typedef struct hd_kind {
    const char *words;
    unsigned traits; /* hd_kind_trait */
    bool (*is_enabled)(hd_machine *m, const hd_action *a);
    void (*settle)(hd_machine *m, hd_action *a);
    void (*describe)(hd_machine *m, const hd_action *a, hd_text *out);
} hd_kind;
extern const hd_kind hd_kinds[HD_N_ACTIONS];

/* ---- kinds.c: those that have nothing of their own in a column ---- */
bool hd_can_always(hd_machine *m, const hd_action *a);
bool hd_can_never(hd_machine *m, const hd_action *a); /* others let it go on */
void hd_settle_nothing(hd_machine *m, hd_action *a);
void hd_describe_nothing(hd_machine *m, const hd_action *a, hd_text *out); /* it never waits */

/* ---- memory and loops: threads.c, spin.c, deadlock.c, atomic_section.c ---- */
bool hd_can_spinning(hd_machine *m, const hd_action *a); /* HD_ACTION_SPINS */
bool hd_can_spin(hd_machine *m, const hd_action *a);
void hd_settle_compare(hd_machine *m, hd_action *a);
void hd_describe_spin(hd_machine *m, const hd_action *a, hd_text *out);
void hd_describe_section(hd_machine *m, const hd_action *a, hd_text *out);

/* ---- pthread_thread.c ---- */
bool hd_can_join(hd_machine *m, const hd_action *a);
void hd_settle_join(hd_machine *m, hd_action *a);
void hd_describe_join(hd_machine *m, const hd_action *a, hd_text *out);

/* ---- sync.c, sync/held.c: locks by their size; the others are in sync.h ---- */
bool hd_can_lock(hd_machine *m, const hd_action *a);
void hd_settle_lock(hd_machine *m, hd_action *a);
void hd_describe_lock(hd_machine *m, const hd_action *a, hd_text *out);
void hd_describe_once(hd_machine *m, const hd_action *a, hd_text *out);
void hd_describe_semaphore(hd_machine *m, const hd_action *a, hd_text *out);

/* ---- actor.c, ipc.c, channels/describe.c, libc/fork.c, time.c, node_start.c ---- */
void hd_describe_actor(hd_machine *m, const hd_action *a, hd_text *out);
bool hd_can_queue(hd_machine *m, const hd_action *a);
void hd_describe_queue(hd_machine *m, const hd_action *a, hd_text *out);
bool hd_can_poll(hd_machine *m, const hd_action *a);
void hd_settle_poll(hd_machine *m, hd_action *a);
void hd_describe_poll(hd_machine *m, const hd_action *a, hd_text *out);
bool hd_can_sleep(hd_machine *m, const hd_action *a);
bool hd_can_start(hd_machine *m, const hd_action *a);
#endif
