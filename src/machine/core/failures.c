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
#include "machine/core/parts.h"

static bool is_known(const hd_machine *m, const hd_finding *f) {
    uint64_t signature = hd_finding_signature(f);
    for (size_t i = 0; i < m->failing.failures.n; i++)
        if (hd_finding_signature(&m->failing.failures.at[i].finding) == signature)
            return true;
    return false;
}

/* What was noted of an index or a pointer, and what follows when it is used. */
static const struct {
    hd_finding_kind noted, follows;
} consequences[] = {
    {HD_FINDING_OUT_OF_BOUNDS, HD_FINDING_OUT_OF_BOUNDS},
    {HD_FINDING_MEMBER_BOUNDS, HD_FINDING_OUT_OF_BOUNDS},
    {HD_FINDING_NULL_ARGUMENT, HD_FINDING_NULL_POINTER},
    {HD_FINDING_NULL_POINTER, HD_FINDING_NULL_POINTER}, /* a member, and the access to it */
    {HD_FINDING_MISALIGNED, HD_FINDING_MISALIGNED},     /* a struct, and its member */
};

static bool follows(hd_finding_kind noted, hd_finding_kind kind) {
    for (size_t i = 0; i < sizeof consequences / sizeof *consequences; i++)
        if (consequences[i].noted == noted && consequences[i].follows == kind)
            return true;
    return false;
}

static const hd_finding *last_failure(const hd_machine *m) {
    return m->failing.failures.n ? &m->failing.failures.at[m->failing.failures.n - 1].finding
                                 : NULL;
}

static bool is_on_line_of(const hd_finding *a, const hd_finding *b) {
    return a->line && a->line == b->line && strcmp(a->file, b->file) == 0;
}

/* A check that failed was noted, and now the value is used: that is the same mistake. */
static bool is_consequence(const hd_machine *m, const hd_finding *f) {
    const hd_finding *last = last_failure(m);
    return last && m->failing.noted.n && follows(last->kind, f->kind) && is_on_line_of(f, last);
}

/* p[i] of a wrong pointer is arithmetic first; the access says it better. */
static void forget_cause(hd_machine *m, const hd_finding *f) {
    const hd_finding *last = last_failure(m);
    bool is_access = f->kind == HD_FINDING_NULL_POINTER || f->kind == HD_FINDING_OUT_OF_BOUNDS;
    if (!last || !is_access || last->kind != HD_FINDING_POINTER_OVERFLOW || !is_on_line_of(f, last))
        return;
    if (m->failing.has_kept &&
        hd_finding_signature(&m->failing.kept.finding) == hd_finding_signature(last))
        m->failing.has_kept = false;
    m->failing.failures.n--;
}

void hd_failure_add(hd_machine *m, const hd_outcome *o) {
    HD_ASSERT(o->end != HD_END_FINDING ||
              (o->finding.kind > HD_FINDING_NONE && o->finding.kind < HD_N_FINDING_KINDS));
    if (o->end == HD_END_FINDING)
        forget_cause(m, &o->finding);
    if (o->end == HD_END_FINDING && !is_known(m, &o->finding) && !is_consequence(m, &o->finding))
        hd_vec_push(&m->failing.failures, ((hd_failure){.finding = o->finding,
                                                        .status = o->status,
                                                        .thread = o->failed_thread,
                                                        .event = o->failed_event}));
}

void hd_failure_keep(hd_machine *m) {
    const hd_outcome *o = m->call.outcome;
    HD_ASSERT(o->end == HD_END_FINDING || o->end == HD_END_REJECTED);
    hd_failure_add(m, o);
    if (m->failing.has_kept && (m->failing.kept.end == HD_END_FINDING || o->end != HD_END_FINDING))
        return;
    m->failing.has_kept = true;
    m->failing.kept = *o;
}

void hd_failure_note(hd_machine *m) {
    hd_outcome *o = m->call.outcome;
    HD_ASSERT(o->end == HD_END_FINDING && m->threads.current < HD_MAX_THREADS);
    o->failed_thread = m->threads.current + 1;
    o->failed_event = m->execution.n_events;
    hd_failure_keep(m);
    o->end = HD_END_EXIT;
}

static void begin(hd_machine *m) {
    hd_undefined_begin(&m->expressions.undefined, m->graph);
}

static void release(hd_machine *m) {
    hd_undefined_release(&m->expressions.undefined);
}

static bool is_simple(const hd_machine *m) {
    return !m->failing.has_kept && !m->failing.has_stopped;
}

static void leave(hd_machine *m, hd_box *b) {
    hd_box_put_list(b, &m->failing.failures);
}

static void take(hd_machine *m, hd_box *b) {
    hd_box_take_list(b, &m->failing.failures);
}

const hd_part hd_part_failures = {"failures",
                                  {begin, NULL, release, NULL},
                                  {is_simple, NULL, NULL},
                                  {leave, take},
                                  HD_PART_NO_TASKS};

void hd_failures_forget(hd_machine *m) {
    m->failing.has_kept = m->failing.has_stopped = false;
    hd_vec_clear(&m->failing.failures);
    begin(m);
    m->failing.n_undefined = 0;
    if (m->failing.noted.n)
        hd_map_clear(&m->failing.noted);
    if (m->failing.failed_checks.n)
        hd_map_clear(&m->failing.failed_checks);
}

/* What the last thread left is one more of these: a failure goes before a rejection. */
void hd_failures_finish(hd_machine *m) {
    hd_failure_add(m, m->call.outcome);
    if (!m->failing.has_kept)
        return;
    if (m->call.outcome->end == HD_END_FINDING)
        hd_failure_keep(m);
    *m->call.outcome = m->failing.kept;
    HD_ASSERT(m->call.outcome->end == HD_END_FINDING || !m->failing.failures.n);
}

const hd_failure *hd_machine_failures(const hd_machine *m, uint32_t *n) {
    *n = (uint32_t)m->failing.failures.n;
    return m->failing.failures.at;
}

void hd_outcome_show(hd_outcome *o, const hd_failure *f) {
    HD_ASSERT(f->thread <= HD_MAX_THREADS && f->finding.kind != HD_FINDING_NONE);
    o->finding = f->finding;
    o->status = f->status;
    o->failed_thread = f->thread;
    o->failed_event = f->event;
}
