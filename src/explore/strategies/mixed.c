/* mixed: depth first, which is fast and needs little memory, but starves where the deep end is
 * bottomless.  So it takes turns: after some work depth first a part of as much is spent on the
 * shallowest open ways, which are picked out of the queue before.  Work is counted, not timed: the
 * same search has the same order. */
#include "explore/inputs/strategy.h"

#include "base/panic.h"

/* Work is decisions, and EXECUTION for each execution.  An execution at the shallow end costs two
 * or three of those that depth first makes, so that most searches, which are small, do few of them:
 * one at least in each turn.  A search that is LONG has no end in sight.  In whole systems all
 * executions cost about the same, there are hundreds of decisions in each, and what goes wrong
 * after two faults at its beginning is not found for hours from the deep end: both ends take turns
 * of the same length. */
#define EXECUTION     32
#define DEEP_TURN     UINT64_C(16384)
#define LONG          UINT64_C(0x1000000)
#define SHARE_AT_ONCE 128       /* a shallow turn is such a part of a deep one, ... */
#define SHARE_LATER   4         /* ... and such a part when the search is long */
#define PICKED        64        /* entries at a time */
#define MOST_OPEN     (1 << 20) /* with more, only depth first gets on */

typedef struct mixed {
    bool is_shallow;
    uint64_t work, all_work;       /* of this turn, of all */
    hd_entry picked[PICKED];       /* the shallowest, ascending */
    size_t n_picked, first_picked; /* those before it were taken */
} mixed;

/* Into its place among the picked ones; the one that falls out. */
static hd_entry pick(mixed *m, hd_entry e) {
    hd_entry out = {.node = HD_NO_NODE};
    size_t i = m->n_picked;
    HD_ASSERT(i <= PICKED);
    if (i == PICKED)
        out = m->picked[--i];
    else
        m->n_picked++;
    for (; i && m->picked[i - 1].depth > e.depth; i--)
        m->picked[i] = m->picked[i - 1];
    m->picked[i] = e;
    HD_ASSERT(out.node == HD_NO_NODE || out.depth >= m->picked[PICKED - 1].depth);
    return out;
}

/* Take the shallowest entries out of the queue; the others keep their order, nearly. */
static void pick_shallowest(hd_frontier *f) {
    mixed *m = f->own;
    hd_open_queue *q = &f->queues.at[0];
    size_t kept = 0, n = q->entries.n;
    HD_ASSERT(m->first_picked == m->n_picked); /* none is forgotten */
    m->n_picked = m->first_picked = 0;
    for (size_t i = 0; i < n; i++) {
        hd_entry e = q->entries.at[i];
        if (m->n_picked < PICKED || e.depth < m->picked[PICKED - 1].depth)
            e = pick(m, e);
        if (e.node != HD_NO_NODE)
            q->entries.at[kept++] = e;
    }
    HD_ASSERT(q->first == 0 && kept + m->n_picked == n);
    q->entries.n = kept;
}

static bool has_picked(hd_frontier *f) {
    const mixed *m = f->own;
    if (m->first_picked == m->n_picked && m->is_shallow && f->queues.n &&
        f->queues.at[0].entries.n > 1)
        pick_shallowest(f);
    return m->first_picked < m->n_picked;
}

static void worked(hd_frontier *f, uint64_t work, bool may_spread) {
    mixed *m = f->own;
    m->work += EXECUTION + work;
    m->all_work += EXECUTION + work;
    uint64_t share = f->spreads ? 1 : m->all_work < LONG ? SHARE_AT_ONCE : SHARE_LATER;
    if (m->work < (m->is_shallow ? DEEP_TURN / share : DEEP_TURN))
        return;
    m->work = 0;
    m->is_shallow =
        !m->is_shallow && may_spread && f->queues.n && f->queues.at[0].entries.n <= MOST_OPEN;
}

static bool is_empty(const hd_frontier *f) {
    return !f->queues.n || f->queues.at[0].first == f->queues.at[0].entries.n;
}

static bool take_held(hd_frontier *f, hd_entry *e) {
    mixed *m = f->own;
    if ((!m->is_shallow && !is_empty(f)) || !has_picked(f))
        return false;
    *e = m->picked[m->first_picked++];
    return true;
}

static void each_held(const hd_frontier *f, void (*each)(void *, hd_entry, enum hd_rank),
                      void *context) {
    const mixed *m = f->own;
    for (size_t i = m->first_picked; i < m->n_picked; i++)
        each(context, m->picked[i], HD_RANK_OLD);
}

const hd_strategy_rules hd_strategy_mixed =
    HD_STRATEGY_RULES(sizeof(mixed), false, false, false, hd_strategy_one_queue,
                      hd_strategy_take_newest, worked, take_held, each_held);
