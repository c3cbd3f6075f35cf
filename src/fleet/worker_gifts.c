/* What a worker gives to others: parts of what is left of its unit, or units that it was given and
 * has not begun. */
#include "base/clock.h"
#include "fleet/worker.h"

#include <unistd.h>

#define WORTH_TELLING  0.001 /* seconds: what is done sooner is told when it is done */
#define FEW            16    /* executions that whoever takes a part may always repeat, */
#define REPEATED_SHARE 128   /* and so many-th of those that were executed here */
#define REFUSALS       50    /* times what it takes to see that nothing is worth giving */

/* Whoever takes a part repeats the executions that it begins with, and both have to do with a unit
 * more: for what is soon done that costs more than it helps.  All parts that this worker gives away
 * may repeat a share of what it has executed.  Those who measure units want to know how small they
 * can be. */
static void ask_what_it_is_worth(hd_worker *w) {
    const hd_orders *o = w->orders;
    uint64_t n = hd_worker_n_executed(w);
    double each = n ? (hd_worker_cpu_seconds() - w->began) / (double)n : 0;
    uint64_t most = w->n_started / REPEATED_SHARE;
    most = FEW + (most > w->n_to_repeat ? most - w->n_to_repeat : 0);
    if (o->options->unit_seconds <= 0 && o->least_gift > 0 && each > 0)
        hd_explorer_set_worth(w->explorer, (hd_worth){1 + o->least_gift / each, most});
}

static bool split(hd_worker *w, hd_commit *c) {
    uint64_t before = hd_explorer_n_to_repeat(w->explorer);
    ask_what_it_is_worth(w);
    bool is_split = hd_explorer_split(w->explorer, &c->split);
    w->n_to_repeat += hd_explorer_n_to_repeat(w->explorer) - before;
    return is_split;
}

bool hd_worker_give(hd_worker *w, hd_commit *c) {
    if (w->orders->options->are_rivals)
        return false;
    bool has_lifted = hd_explorer_lift(w->explorer, &c->lifted);
    if (has_lifted)
        hd_explorer_save_context(w->explorer, &c->context);
    bool gives = has_lifted || split(w, c);
    w->is_shared |= gives;
    return gives;
}

/* Where it turned out that nothing is worth giving, it is not looked at again soon: there may be
 * many open ways to look at. */
static bool give_something(hd_worker *w) {
    double before = hd_worker_cpu_seconds();
    if (before < w->next_gift)
        return false;
    hd_bundle p = hd_worker_begin_bundle(w);
    bool gives = hd_worker_give(w, &p.commit);
    if (gives)
        hd_worker_send_bundle(w, &p, NULL, false);
    else
        hd_bundle_release(&p);
    if (!gives)
        w->next_gift = before + REFUSALS * (hd_worker_cpu_seconds() - before);
    return gives;
}

bool hd_worker_is_long(hd_worker *w, double now) {
    double most = hd_left_alone(w->orders->options->unit_seconds, w->work.unit);
    if (most <= 0 || now < w->next_look)
        return false;
    double left = w->gave + most - hd_worker_cpu_seconds();
    w->next_look = now + left;
    return left <= 0;
}

void hd_worker_begin_giving(hd_worker *w) {
    w->gave = hd_worker_cpu_seconds();
    w->next_look = hd_clock_now() + hd_left_alone(w->orders->options->unit_seconds, w->work.unit);
}

/* Somebody has nothing to do, or it has had this for long. */
static void try_to_give(hd_worker *w) {
    if (hd_explorer_is_rebuilding(w->explorer) || !hd_worker_n_executed(w) || !hd_worker_agree(w))
        return;
    atomic_store(&w->orders->channel->is_asked_to_give, false);
    give_something(w);
    hd_worker_begin_giving(w);
}

void hd_worker_give_all(hd_worker *w) {
    while (w->gives_all && !hd_worker_n_executed(w) && hd_worker_agree(w) && give_something(w))
        ;
}

bool hd_worker_is_awaited(const hd_worker *w) {
    if (!w->work.path.n || w->n_commits || !hd_explorer_counted(w->explorer)->open)
        return false;
    return w->orders->options->unit_seconds > 0 ||
           (atomic_load_explicit(&w->orders->channel->is_somebody_idle, memory_order_relaxed) &&
            hd_worker_cpu_seconds() - w->gave >= WORTH_TELLING);
}

/* ---- units that were not begun ---- */

void hd_worker_queue_work(hd_worker *w) {
    hd_frame_type type;
    const void *payload;
    size_t n;
    bool is_damaged;
    while (hd_inbox_next(&w->inbox, &type, &payload, &n, &is_damaged))
        if (type != HD_FRAME_WORK || !hd_wire_unpack_works(payload, n, &w->queue))
            _exit(1);
}

void hd_worker_read_queue(hd_worker *w) {
    if (!hd_inbox_fill(&w->inbox, w->socket))
        _exit(0);
    hd_worker_queue_work(w);
}

void hd_worker_return_units(hd_worker *w, size_t n_kept) {
    hd_unit_numbers units = {0};
    hd_text payload = {0};
    for (size_t i = n_kept; i < w->queue.n; i++) {
        hd_vec_push(&units, ((hd_unit_at){w->queue.at[i].unit, w->queue.at[i].epoch}));
        hd_work_release(&w->queue.at[i]);
    }
    w->queue.n = n_kept;
    hd_wire_pack_numbers(&payload, &units);
    hd_worker_say(w, HD_FRAME_RETURNED, &payload);
    hd_text_release(&payload);
    hd_vec_release(&units);
}

void hd_worker_give_units_or_parts(hd_worker *w) {
    bool is_asked =
        atomic_load_explicit(&w->orders->channel->is_asked_to_give, memory_order_relaxed);
    if (is_asked)
        hd_worker_read_queue(w);
    if (!is_asked || !w->queue.n) {
        try_to_give(w);
        return;
    }
    atomic_store(&w->orders->channel->is_asked_to_give, false);
    hd_worker_return_units(w, w->queue.n / 2);
}
