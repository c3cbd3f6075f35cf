/* Nobody can go on: what to say about it.
 *
 * Every thread that is left is named, with what it waits for and what it holds. */
#include "machine/threads.h"

#include <stdio.h>

static void describe_spin(hd_machine *m, const hd_action *a, hd_text *out) {
    char what[128];
    hd_machine_describe(m, a->access[0].address, what, sizeof what);
    hd_text_add(out, "waits in a loop for %s%s%s to change", what[0] ? "'" : "memory", what,
                what[0] ? "'" : "");
}

static void describe_wait(hd_machine *m, const hd_action *a, hd_text *out) {
    switch (a->kind) {
    case HD_DO_JOIN:
        hd_text_add(out, "waits for thread %u to end", a->detail);
        break;
    case HD_DO_SPIN:
        describe_spin(m, a, out);
        break;
    default:
        hd_sync_describe_wait(m, a, out);
    }
}

static void describe_place(const hd_machine *m, uint32_t site, hd_text *out) {
    const hd_site *s = &m->image->sites[site];
    if (site && site < m->image->n_sites && s->file)
        hd_text_add(out, " at %s:%u", s->file, s->line);
}

static void describe_thread(hd_machine *m, uint32_t thread, hd_text *out) {
    const hd_action *a = &m->threads.action[thread];
    hd_text held = {0};
    hd_text_add(out, "%sthread %u ", out->n ? "; " : "", thread);
    describe_wait(m, a, out);
    describe_place(m, a->site, out);
    hd_sync_describe_held(m, thread, &held);
    if (held.n)
        hd_text_add(out, " and holds %s", hd_text_string(&held));
    hd_text_release(&held);
}

/* Frame pointer of a thread that does not run: the last of the registers on its stack. */
static const void *frame_of(const hd_machine *m, uint32_t thread) {
    return thread == m->threads.current ? __builtin_frame_address(0)
                                        : ((void *const *)m->thread[thread].saved)[6];
}

static hd_finding_kind kind_of_stuck(hd_machine *m) {
    for (hd_thread_set rest = m->threads.alive; rest; rest &= rest - 1)
        if (m->threads.action[__builtin_ctzl(rest)].kind == HD_DO_SPIN)
            return HD_FINDING_NON_TERMINATION;
    return hd_sync_is_lost_wakeup(m) ? HD_FINDING_LOST_WAKEUP : HD_FINDING_DEADLOCK;
}

void hd_end_stuck(hd_machine *m) {
    hd_finding *f = &m->outcome->finding;
    hd_text text = {0};
    uint32_t first = (uint32_t)__builtin_ctzl(m->threads.alive);
    for (hd_thread_set rest = m->threads.alive; rest; rest &= rest - 1)
        describe_thread(m, (uint32_t)__builtin_ctzl(rest), &text);
    hd_finding_kind kind = kind_of_stuck(m);
    if (kind == HD_FINDING_NON_TERMINATION)
        hd_text_add(&text, ", and nobody will");
    hd_finding_fill(m, kind, m->threads.action[first].site);
    snprintf(f->message, sizeof f->message, "%s", hd_text_string(&text));
    hd_text_release(&text);
    hd_stack_walk(m, f, frame_of(m, first));
    m->outcome->failed_thread = 0;
    m->outcome->failed_event = m->n_events;
    hd_threads_leave(m);
}
