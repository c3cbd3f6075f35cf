/* kinds.h -- the machine's columns of the table of kinds (action_kinds.h): when an action that
 * waits can run, what it does if it runs now, what a thread that stands before it waits for, and
 * what it makes of an iteration of a waiting loop.
 *
 * Each function is in the file that owns the object it is about, and is declared here by being in
 * the table. */
#ifndef HD_MACHINE_CORE_KINDS_H
#define HD_MACHINE_CORE_KINDS_H
#include "machine/core/state.h"

typedef bool hd_enabler(hd_machine *m, const hd_action *a);
typedef void hd_settler(hd_machine *m, hd_action *a);
typedef void hd_describer(hd_machine *m, const hd_action *a, hd_text *out);
/* The thread, which is in a waiting loop, executes the action now. */
typedef void hd_rounder(hd_thread *t, const hd_action *a);

typedef struct hd_kind {
    const char *words;
    unsigned traits; /* hd_kind_trait */
    hd_enabler *is_enabled;
    hd_settler *settle;
    hd_describer *describe;
    hd_rounder *round;
} hd_kind;
extern const hd_kind hd_kinds[HD_N_ACTIONS];

/* All that are named in the table.  Those that have nothing of their own in a column (run/kinds.c):
 * hd_can_always, hd_can_never (others let it go on), hd_settle_nothing, hd_describe_nothing (it
 * never waits); hd_round_effect (spin.c: something was done, so that the iteration was not in
 * vain). */
#define X(name, words, traits, enabled, settle, describe, round, ...)                              \
    hd_enabler enabled;                                                                            \
    hd_settler settle;                                                                             \
    hd_describer describe;                                                                         \
    hd_rounder round;
HD_ACTIONS(X)
#undef X
#endif
