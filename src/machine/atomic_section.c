/* Atomic sections of verification benchmarks: __VERIFIER_atomic_begin and _end.
 *
 * While a thread is in one no other runs.  Only the beginning is an event of its own.  It writes a
 * token that everything outside of sections reads, so that sections are ordered with everything
 * else and are reversed as a whole: more orders than those that matter, and none less. */
#include "machine/libc.h"
#include "machine/threads.h"

void hd_libc_atomic_begin(void) {
    hd_machine *m = hd_enter();
    if (m->atomic_depth++)
        return;
    hd_action a = {.kind = HD_DO_ATOMIC,
                   .flags = HD_ACTION_WAITS,
                   .n_accesses = 1,
                   .access[0] = {HD_TOKEN_ATOMIC, 1, HD_MODE_WRITE, true, 0},
                   .site = hd_caller_site(m, __builtin_frame_address(0))};
    m->atomic_depth = 0; /* the beginning itself is outside */
    hd_visible(m, &a);
    m->atomic_depth = 1;
    m->atomic_owner = 1 + m->threads.current;
}

void hd_libc_atomic_end(void) {
    hd_machine *m = hd_enter();
    if (m->atomic_depth == 0)
        hd_end_finding(m, HD_FINDING_BAD_UNLOCK, hd_caller_site(m, __builtin_frame_address(0)),
                       "an atomic section ends that did not begin");
    if (--m->atomic_depth == 0)
        m->atomic_owner = 0;
}

void hd_atomic_leave(hd_machine *m) {
    if (m->atomic_owner == 1 + m->threads.current)
        m->atomic_owner = m->atomic_depth = 0;
}
