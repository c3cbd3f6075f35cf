/* What goes wrong in one execution (E5): there may be more than one thing.
 *
 * A thread that fails while others are alive only stops.  Nothing orders what the others do next
 * with its end, so whatever goes wrong there as well happens in a real execution too, in which the
 * first one is slow.  A search with one execution per class must therefore tell all of it: the
 * class in which both fail is run once, in one order.  And what is wrong with the end of a process,
 * such as a leak, stops nobody.  Nor does an operation that is undefined in C but has a result on
 * every machine, such as an overflow: the execution goes on with it (ubsan.c).
 *
 * The first failure is the outcome; all are listed, each once. */
#include "machine/machine_int.h"

static bool is_known(const hd_machine *m, const hd_finding *f) {
    uint64_t signature = hd_finding_signature(f);
    for (size_t i = 0; i < m->failures.n; i++)
        if (hd_finding_signature(&m->failures.at[i].finding) == signature)
            return true;
    return false;
}

/* An index that is out of bounds was noted, and now it is used: that is the same mistake. */
static bool is_consequence(const hd_machine *m, const hd_finding *f) {
    const hd_finding *last = m->failures.n ? &m->failures.at[m->failures.n - 1].finding : NULL;
    return last && m->noted.n && f->kind == HD_FINDING_OUT_OF_BOUNDS &&
           (last->kind == f->kind || last->kind == HD_FINDING_MEMBER_BOUNDS) && f->line &&
           last->line == f->line && strcmp(last->file, f->file) == 0;
}

void hd_failure_add(hd_machine *m, const hd_outcome *o) {
    if (o->end == HD_END_FINDING && !is_known(m, &o->finding) && !is_consequence(m, &o->finding))
        hd_vec_push(&m->failures, ((hd_failure){.finding = o->finding,
                                                .status = o->status,
                                                .thread = o->failed_thread,
                                                .event = o->failed_event}));
}

void hd_failure_keep(hd_machine *m) {
    const hd_outcome *o = m->outcome;
    hd_failure_add(m, o);
    if (m->has_kept && (m->kept.end == HD_END_FINDING || o->end != HD_END_FINDING))
        return;
    m->has_kept = true;
    m->kept = *o;
}

void hd_failure_note(hd_machine *m) {
    hd_outcome *o = m->outcome;
    o->failed_thread = m->threads.current + 1;
    o->failed_event = m->n_events;
    hd_failure_keep(m);
    o->end = HD_END_EXIT;
}

void hd_failures_forget(hd_machine *m) {
    m->has_kept = m->has_stopped = false;
    hd_vec_clear(&m->failures);
    if (m->noted.n)
        hd_map_clear(&m->noted);
    if (m->failed_checks.n)
        hd_map_clear(&m->failed_checks);
}

/* What the last thread left is one more of these: a failure goes before a rejection. */
void hd_failures_finish(hd_machine *m) {
    hd_failure_add(m, m->outcome);
    if (!m->has_kept)
        return;
    if (m->outcome->end == HD_END_FINDING)
        hd_failure_keep(m);
    *m->outcome = m->kept;
}

const hd_failure *hd_machine_failures(const hd_machine *m, uint32_t *n) {
    *n = (uint32_t)m->failures.n;
    return m->failures.at;
}

void hd_outcome_show(hd_outcome *o, const hd_failure *f) {
    o->finding = f->finding;
    o->status = f->status;
    o->failed_thread = f->thread;
    o->failed_event = f->event;
}
