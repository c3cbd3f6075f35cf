/* The coordinator of a run on a cluster (cluster.h).
 *
 * It reads the log and applies what it reads (fold.h); what it decides, it writes, and does when it
 * reads it.  Machines tell how many of their workers are idle: so many units are handed out, and
 * when nothing waits, machines are asked to give parts of theirs away. */
#include "fleet/cluster/cluster.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/panic.h"
#include "fleet/cluster/fold.h"
#include "fleet/cluster/talk.h"
#include "fleet/pace.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define CALL       0.5  /* seconds between two words to the machines */
#define ALIVE      5.0  /* seconds for which a machine that says nothing is counted */
#define GRACE      10.0 /* seconds that machines get to give back what they have */
#define WAIT       0.25 /* seconds that the log is waited for, */
#define SHORT_WAIT 0.01 /* and when somebody is idle: commits end it */
#define LEAST_WORK 0.05 /* seconds between two requests to give away parts of a unit */
#define RESPITE    4    /* times that at most, where units are small */
#define IN_VAIN    3    /* doublings of it at most, where nothing came of them */
#define SEARCH     0.5  /* seconds between two looks for units that nobody has */
#define PROGRESS   0.25
#define WRITING    1.0 /* seconds between two transactions with findings, */
#define SELDOM     4.0 /* and without, because what counts is the log, */
#define WRITE_PART 200 /* and so many times what one takes */
/* A snapshot is taken when so many entries and seconds have passed since the last one, and a
 * multiple of the time that it took: who comes next has little to read, and the log stays short.
 * The first ones come soon, later ones when the run is half as old again. */
#define ENTRIES_BETWEEN 64
#define SECONDS_BETWEEN 2.0
#define MOST_BETWEEN    10.0
#define SNAPSHOT_SHARE  300
/* Bytes that memory is kept for when they are free: commits are copied into new texts, and pages
 * that are given back and asked for again cost more than what is done with them. */
#define KEPT_MEMORY (32 << 20)

/* A unit that was offered. */
typedef struct offer {
    uint64_t unit, epoch, max_executions;
    double since;   /* when it was offered, or last asked for a part */
    double missing; /* since when nobody has it although somebody is idle; 0 = it is not missing */
    unsigned n_in_vain; /* requests since it last gave something away */
} offer;

typedef struct machine {
    hd_news news;
    double heard;
} machine;

typedef struct conductor {
    hd_post *post;
    hd_fold fold;
    const hd_run_options *options;
    const hd_watcher *watcher;
    const hd_chore *chore;
    char *why; /* of 128 bytes; empty until the run is to end */
    hd_err *err;
    uint64_t me, n_written, n_machines_told;
    char host[64];
    bool is_live, is_over; /* our beginning was read; nothing is left */
    unsigned n_asked;      /* hand-outs that were written and not read yet */
    double patience;       /* seconds after which a machine that says nothing is taken for gone */
    double started, deadline, stopping_since, next_call, next_progress, next_snapshot, next_search;
    double written, write_pause; /* when the record was, and how long it is left alone then */
    hd_pace pace;                /* of units that ended */
    double asked_at;             /* when a hand-out was last written */
    uint64_t n_entries;          /* read since the last snapshot */
    uint64_t most_executions, n_findings_before;
    hd_vec(offer) offers;
    pthread_mutex_t lock;
    hd_vec(machine) machines; /* under the lock */
} conductor;

static hd_coordinator *coordinator_of(const conductor *c) {
    return hd_ledger_coordinator(c->fold.ledger);
}

static void say(const conductor *c, const char *sentence) {
    if (c->watcher && c->watcher->note)
        c->watcher->note(c->watcher->context, sentence);
}

/* ---- what machines say ---- */

static void hear(void *context, const void *bytes, size_t n) {
    conductor *c = context;
    machine m = {.heard = hd_clock_now()};
    if (!hd_news_unpack(bytes, n, &m.news))
        return;
    pthread_mutex_lock(&c->lock);
    size_t i = 0;
    while (i < c->machines.n && c->machines.at[i].news.machine != m.news.machine)
        i++;
    if (i == c->machines.n) {
        hd_vec_push(&c->machines, m);
    } else {
        hd_news_release(&c->machines.at[i].news);
        c->machines.at[i] = m;
    }
    pthread_mutex_unlock(&c->lock);
}

/* What is known of all machines that are there. */
typedef struct crowd {
    uint64_t n_machines, n_workers, n_idle, n_held;
} crowd;

static bool is_there(const machine *m, double now) {
    return !m->news.is_leaving && now - m->heard < ALIVE;
}

static crowd look_around(conductor *c, double now) {
    crowd sum = {0};
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->machines.n; i++) {
        const machine *m = &c->machines.at[i];
        if (!is_there(m, now))
            continue;
        sum.n_machines++;
        sum.n_workers += m->news.n_workers;
        sum.n_idle += m->news.n_idle;
        sum.n_held += m->news.held.n;
    }
    pthread_mutex_unlock(&c->lock);
    return sum;
}

/* What machines have told since their last bundles, with all that was committed. */
static hd_run_counters count_all(conductor *c, double now) {
    hd_run_counters sum = hd_ledger_state(c->fold.ledger)->counters;
    hd_observers *live = hd_observers_new();
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->machines.n; i++)
        if (is_there(&c->machines.at[i], now))
            hd_observers_add(live, c->machines.at[i].news.live.at, c->machines.at[i].news.live.n);
    pthread_mutex_unlock(&c->lock);
    const hd_progress *p = hd_observers_progress(live);
    if (p->n_workers)
        hd_counters_add(&sum, &p->counters);
    hd_observers_free(live);
    return sum;
}

static uint64_t count_out(const conductor *c) {
    uint64_t n = 0, unit, epoch;
    for (size_t at = 0; hd_coordinator_next_out(coordinator_of(c), &at, &unit, &epoch);)
        n++;
    return n;
}

/* ---- what machines are told ---- */

/* What is said of the run to those who watch it. */
static void glance(conductor *c, double now, hd_text *out) {
    hd_observers *mine = hd_observers_new();
    hd_run_sight run = {.counters = count_all(c, now),
                        .n_findings = hd_ledger_state(c->fold.ledger)->n_findings,
                        .n_units = hd_coordinator_n_units(coordinator_of(c)),
                        .n_left = hd_coordinator_n_left(coordinator_of(c)),
                        .n_out = count_out(c),
                        .elapsed = now - c->started};
    snprintf(run.host, sizeof run.host, "%s", c->host);
    hd_observers_run_told(mine, &run);
    hd_observers_glance(mine, out);
    hd_observers_free(mine);
}

static void call(conductor *c, const hd_order *order, const hd_text *live) {
    hd_text bytes = {0};
    hd_notice words = {
        .coordinator = c->me, .has_order = order, .live = live->at, .n_live = live->n};
    snprintf(words.host, sizeof words.host, "%s", c->host);
    if (order)
        words.order = *order;
    hd_notice_pack(&bytes, &words);
    hd_post_say(c->post, HD_TALK_ORDERS, &bytes);
    hd_text_release(&bytes);
}

static void order_unit(conductor *c, hd_order_kind kind, uint64_t unit, uint64_t epoch) {
    call(c, &(hd_order){.kind = kind, .unit = unit, .epoch = epoch}, &(hd_text){0});
}

static void call_in_time(conductor *c, double now) {
    if (now < c->next_call || !c->is_live)
        return;
    hd_order stop = {.kind = HD_ORDER_STOP};
    hd_text live = {0};
    c->next_call = now + CALL;
    snprintf(stop.why, sizeof stop.why, "%s", c->why);
    glance(c, now, &live);
    call(c, c->stopping_since > 0 ? &stop : NULL, &live);
    hd_text_release(&live);
}

/* The first reason counts. */
static void stop(conductor *c, const char *why) {
    if (c->why[0])
        return;
    snprintf(c->why, 128, "%s", why);
    c->stopping_since = hd_clock_now();
    c->next_call = 0;
}

/* ---- the log ---- */

static bool write_to_log(conductor *c, hd_log_entry e) {
    char id[64];
    hd_text bytes = {0};
    e.writer = c->me;
    snprintf(id, sizeof id, "o%llx.%llu", (unsigned long long)c->me,
             (unsigned long long)c->n_written++);
    hd_log_entry_pack(&bytes, &e);
    bool ok = hd_post_append(c->post, id, &bytes, c->err);
    hd_text_release(&bytes);
    return ok;
}

static bool write_about(conductor *c, hd_log_entry_kind kind, uint64_t unit, uint64_t epoch) {
    return write_to_log(c, (hd_log_entry){.kind = kind, .unit = unit, .epoch = epoch});
}

/* Executions that nobody has been allowed yet. */
static uint64_t n_not_allowed(const conductor *c) {
    if (!c->most_executions)
        return UINT64_MAX;
    uint64_t used = hd_ledger_state(c->fold.ledger)->counters.explore.executions;
    for (size_t i = 0; i < c->offers.n; i++)
        used += c->offers.at[i].max_executions;
    return used < c->most_executions ? c->most_executions - used : 0;
}

static uint64_t allow(conductor *c, double now) {
    uint64_t left = n_not_allowed(c), n = look_around(c, now).n_workers;
    return left == UINT64_MAX || n < 2 || left < n ? left : left / n;
}

static void forget_old_offers(conductor *c) {
    for (size_t i = 0; i < c->offers.n;)
        if (hd_coordinator_is_out(coordinator_of(c), c->offers.at[i].unit, c->offers.at[i].epoch))
            i++;
        else
            c->offers.at[i] = c->offers.at[--c->offers.n];
}

/* What we wrote was read: the unit goes to whoever takes it first. */
static bool offer_unit(conductor *c, hd_work *work) {
    char id[96];
    hd_text bytes = {0};
    double now = hd_clock_now();
    forget_old_offers(c);
    work->max_executions = allow(c, now);
    hd_vec_push(&c->offers, ((offer){work->unit, work->epoch,
                                     work->max_executions == UINT64_MAX ? 0 : work->max_executions,
                                     now, 0, 0}));
    snprintf(id, sizeof id, "u%llx.%llu", (unsigned long long)c->me,
             (unsigned long long)work->epoch);
    hd_wire_pack_work(&bytes, work);
    bool ok = hd_post_offer(c->post, id, &bytes, c->err);
    hd_text_release(&bytes);
    return ok;
}

/* Somebody is the coordinator from here on: we, in the end. */
static bool note_beginning(conductor *c) {
    if (c->fold.coordinator == c->me) {
        const hd_batch *state = hd_ledger_state(c->fold.ledger);
        uint64_t most = c->options->max_executions;
        c->is_live = true;
        c->most_executions = most ? state->counters.explore.executions + most : 0;
        c->n_findings_before = state->n_findings;
        return hd_post_clear_units(c->post, c->err);
    }
    if (c->is_live) {
        stop(c, "taken over by another coordinator");
        c->is_live = false;
    }
    return true;
}

static void note_commit(conductor *c, const hd_effect *e) {
    if (e->is_done)
        hd_pace_note(&c->pace, e->seconds, LEAST_WORK);
    for (size_t i = 0; i < c->offers.n && e->gives; i++)
        if (c->offers.at[i].unit == e->unit)
            c->offers.at[i].n_in_vain = 0;
}

static bool apply(conductor *c, const hd_text *entry) {
    hd_effect effect = hd_fold_apply(&c->fold, entry->at, entry->n);
    bool ok = true;
    switch (effect.kind) {
    case HD_EFFECT_NONE:
        break;
    case HD_EFFECT_COMMITTED:
        note_commit(c, &effect);
        break;
    case HD_EFFECT_BEGAN:
        ok = note_beginning(c);
        break;
    case HD_EFFECT_HANDED_OUT:
        if (c->is_live)
            ok = offer_unit(c, &effect.work);
        hd_work_release(&effect.work);
        break;
    case HD_EFFECT_REFUSED:
        if (c->is_live)
            order_unit(c, HD_ORDER_DROP, effect.unit, effect.epoch);
        break;
    }
    return ok;
}

/* Our hand-outs come back in the order in which they were written. */
static void note_read(conductor *c, const hd_text *bytes) {
    hd_log_entry e;
    if (hd_log_entry_unpack(bytes->at, bytes->n, &e) && e.kind == HD_ENTRY_HAND_OUT &&
        e.writer == c->me && c->n_asked)
        c->n_asked--;
}

/* Entries that have come; waits for the first one.  False if the run cannot go on. */
static bool read_log(conductor *c, double seconds, bool *has_come) {
    hd_text entry = {0};
    hd_read r;
    *has_come = false;
    for (int i = 0; i < 64; i++) {
        r = hd_post_next(c->post, *has_come ? 0 : seconds, &entry, c->err);
        if (r != HD_READ)
            break;
        *has_come = true;
        c->n_entries++;
        note_read(c, &entry);
        if (!apply(c, &entry)) {
            r = HD_READ_FAILED;
            break;
        }
    }
    hd_text_release(&entry);
    return r != HD_READ_FAILED;
}

/* ---- sharing ---- */

/* Where most units are small and the next is not known to be larger, it is tried now and then:
 * while somebody works on a large one, what waits may become large by itself (D9 of coordinator.h).
 */
static bool is_worth_waiting(const conductor *c, const crowd *all, double now) {
    double pause = hd_pace_pause(&c->pace, LEAST_WORK, RESPITE);
    return c->options->unit_seconds <= 0 && hd_pace_is_slow(&c->pace) && count_out(c) &&
           now - c->asked_at < (all->n_idle ? pause / (double)all->n_idle : pause) &&
           !hd_coordinator_is_next_large(coordinator_of(c));
}

/* One more than there are workers on each machine, so that nobody waits for a unit.  Not where
 * most are small: those that stay here until units beside them are done are handed out together
 * (D9). */
static bool wants_hand_out(const conductor *c, const crowd *all) {
    bool is_slow = hd_pace_is_slow(&c->pace);
    uint64_t enough = all->n_workers + (is_slow ? 0 : all->n_machines);
    return count_out(c) + c->n_asked < (enough ? enough : 1) && n_not_allowed(c) &&
           hd_coordinator_has_waiting(coordinator_of(c)) &&
           !is_worth_waiting(c, all, hd_clock_now());
}

static bool hand_out(conductor *c, const crowd *all) {
    if (!wants_hand_out(c, all))
        return true;
    c->n_asked++;
    c->asked_at = hd_clock_now();
    uint64_t n_waiting = hd_coordinator_n_waiting(coordinator_of(c));
    bool is_whole = c->options->unit_seconds <= 0 &&
                    (all->n_idle <= 1 || hd_pace_is_slow(&c->pace) || n_waiting >= 2 * all->n_idle);
    return write_to_log(c, (hd_log_entry){.kind = HD_ENTRY_HAND_OUT, .is_whole = is_whole});
}

/* When it may be asked again.  Who had nothing to give is asked less and less often. */
static double when_due(const conductor *c, const offer *o) {
    double pause = hd_pace_pause(&c->pace, LEAST_WORK, RESPITE);
    double longer = LEAST_WORK * (double)(1u << (o->n_in_vain < IN_VAIN ? o->n_in_vain : IN_VAIN));
    return o->since + (longer > pause ? longer : pause);
}

static offer *first_due(conductor *c) {
    offer *first = NULL;
    for (size_t i = 0; i < c->offers.n; i++)
        if (!first || when_due(c, &c->offers.at[i]) < when_due(c, first))
            first = &c->offers.at[i];
    return first;
}

/* Nothing waits that is worth it, all that is out is with somebody, and others are idle. */
static void ask_to_give(conductor *c, const crowd *all, double now) {
    forget_old_offers(c);
    if (c->options->no_sharing || !all->n_idle || c->n_asked || all->n_held < c->offers.n ||
        (hd_coordinator_has_waiting(coordinator_of(c)) && !is_worth_waiting(c, all, now)))
        return;
    for (uint64_t i = 0; i < all->n_idle && i < c->offers.n; i++) {
        offer *o = first_due(c);
        if (now < when_due(c, o))
            return;
        o->since = now;
        o->n_in_vain++;
        order_unit(c, HD_ORDER_GIVE, o->unit, o->epoch);
    }
}

/* ---- units that got lost ---- */

static bool is_held(conductor *c, const offer *o, double now) {
    bool is_it = false;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->machines.n && !is_it; i++) {
        const hd_news *news = &c->machines.at[i].news;
        for (size_t k = 0; k < news->held.n && is_there(&c->machines.at[i], now); k++)
            is_it |= news->held.at[k].unit == o->unit && news->held.at[k].epoch == o->epoch;
    }
    pthread_mutex_unlock(&c->lock);
    return is_it;
}

/* A server that is killed may forget what it has just been given: an offer that nobody has, while
 * somebody waits for one, is not in the queue any more.  If it is after all, it has another epoch
 * now, and whoever gets it is refused. */
static bool look_for_lost(conductor *c, const crowd *all, double now) {
    if (now < c->next_search)
        return true;
    c->next_search = now + SEARCH;
    if (now - c->asked_at > 2 * c->patience)
        c->n_asked = 0; /* of what was written nothing came back */
    forget_old_offers(c);
    for (size_t i = 0; i < c->offers.n; i++) {
        offer *o = &c->offers.at[i];
        if (!all->n_idle || is_held(c, o, now))
            o->missing = 0;
        else if (!o->missing)
            o->missing = now;
        else if (now - o->missing > 2 * c->patience) {
            o->missing = 0;
            say(c, "a unit got lost at the server; going on from its last commit");
            if (!write_about(c, HD_ENTRY_GIVE_BACK, o->unit, o->epoch))
                return false;
        }
    }
    return true;
}

/* ---- when to end ---- */

/* What all machines covered together, as committed. */
static bool is_enough(const conductor *c, const hd_batch *state) {
    const hd_run_options *o = c->options;
    return o->is_enough && state->coverage &&
           o->is_enough(o->enough, state->coverage, state->n_branches);
}

static void heed_limits(conductor *c, double now) {
    const hd_batch *state = hd_ledger_state(c->fold.ledger);
    bool is_idle = !c->n_asked && !count_out(c);
    c->is_over = is_idle && !hd_coordinator_has_waiting(coordinator_of(c));
    if (hd_interrupts_why())
        stop(c, hd_interrupts_why());
    if (!c->is_live)
        return;
    if (c->is_over)
        stop(c, HD_STOP_EXHAUSTED);
    if (c->options->stop_at_first && state->n_findings > c->n_findings_before)
        stop(c, HD_STOP_FINDING);
    if (is_enough(c, state))
        stop(c, HD_STOP_GOAL);
    if (is_idle && !n_not_allowed(c))
        stop(c, HD_STOP_EXECUTIONS);
    if (c->deadline > 0 && now >= c->deadline)
        stop(c, HD_STOP_TIME);
}

/* All machines have left, or have had time to; nothing new is in the log. */
static bool has_ended(conductor *c, bool has_come, double now) {
    if (!c->stopping_since || has_come)
        return false;
    bool is_late = *hd_interrupts_count() > 1 || now - c->stopping_since > GRACE;
    return !c->is_live || is_late || !look_around(c, now).n_machines;
}

static void tell_progress(conductor *c, double now) {
    if (now < c->next_progress)
        return;
    c->next_progress = now + PROGRESS;
    hd_run_counters sum = count_all(c, now);
    if (c->watcher && c->watcher->progress)
        c->watcher->progress(c->watcher->context, &sum, hd_ledger_state(c->fold.ledger)->n_findings,
                             now - c->started);
}

static void tell_machines(conductor *c, const crowd *all) {
    char sentence[128];
    if (all->n_machines == c->n_machines_told)
        return;
    c->n_machines_told = all->n_machines;
    snprintf(sentence, sizeof sentence, "%llu machine%s with %llu worker%s",
             (unsigned long long)all->n_machines, all->n_machines == 1 ? "" : "s",
             (unsigned long long)all->n_workers, all->n_workers == 1 ? "" : "s");
    if (!c->stopping_since)
        say(c, sentence);
}

/* ---- snapshots ---- */

static bool keep_snapshot(conductor *c) {
    hd_text bytes = {0};
    bool ok =
        hd_fold_save(&c->fold, &bytes, c->err) && hd_post_keep_snapshot(c->post, &bytes, c->err);
    hd_text_release(&bytes);
    return ok;
}

static bool take_snapshot(conductor *c, double now) {
    if (!c->is_live || c->n_entries < ENTRIES_BETWEEN || now < c->next_snapshot)
        return true;
    bool ok = keep_snapshot(c);
    double then = hd_clock_now(), pause = SNAPSHOT_SHARE * (then - now);
    double least = fmin(fmax((then - c->started) / 2, SECONDS_BETWEEN), MOST_BETWEEN);
    c->next_snapshot = then + fmax(pause, least);
    c->n_entries = 0;
    return ok;
}

/* What a search was divided into is said nowhere else: who goes on with the run has to find it,
 * also if nothing else was written yet. */
static bool open_ledger(conductor *c, hd_record *record) {
    c->fold.ledger = hd_ledger_open(record, c->options, c->watcher, c->err);
    return c->fold.ledger && (!c->options->n_parts || keep_snapshot(c));
}

/* The ledger as a snapshot has it, or as it is at the beginning. */
static bool open_fold(conductor *c, hd_record *record) {
    hd_text bytes = {0};
    bool found = false;
    char sentence[128];
    bool ok = hd_post_read_snapshot(c->post, &bytes, &found, c->err);
    if (ok && found) {
        ok = hd_fold_restore(&c->fold, record, c->options, c->watcher, bytes.at, bytes.n, c->err);
        snprintf(sentence, sizeof sentence, "going on from a snapshot of %llu commits",
                 (unsigned long long)c->fold.n_commits);
        if (ok)
            say(c, sentence);
    } else if (ok) {
        ok = open_ledger(c, record);
    }
    hd_text_release(&bytes);
    return ok;
}

/* The run directory is made anew by whoever coordinates next. */
static bool write_record(conductor *c, double now) {
    double least = hd_ledger_has_found(c->fold.ledger) ? WRITING : SELDOM;
    if (now < c->written + fmax(c->write_pause, least) || !hd_ledger_is_due(c->fold.ledger, now))
        return true;
    bool ok = hd_ledger_write(c->fold.ledger, NULL, c->err);
    double then = hd_clock_now();
    c->written = then;
    c->write_pause = WRITE_PART * (then - now);
    return ok;
}

static bool look_after(conductor *c, double now) {
    if (c->chore && !c->stopping_since && !c->chore->look(c->chore->context, c->err))
        return false;
    return write_record(c, now) && take_snapshot(c, now);
}

static bool share(conductor *c, const crowd *all, double now) {
    if (!c->is_live || c->stopping_since)
        return true;
    ask_to_give(c, all, now);
    return look_for_lost(c, all, now) && hand_out(c, all);
}

/* How long the log is waited for: most of what a coordinator of a few machines takes is waking up.
 */
static double time_to_wait(const conductor *c, const crowd *all, double now) {
    double most = c->stopping_since ? SHORT_WAIT : WAIT, left = c->deadline - now;
    if (all->n_idle)
        most = hd_pace_is_slow(&c->pace) ? LEAST_WORK : SHORT_WAIT;
    return c->deadline > 0 && left < most ? (left > 0 ? left : 0) : most;
}

/* False if the run cannot go on. */
static bool go_on(conductor *c) {
    bool has_come = true;
    while (!has_ended(c, has_come, hd_clock_now())) {
        double now = hd_clock_now();
        crowd all = look_around(c, now);
        if (!read_log(c, time_to_wait(c, &all, now), &has_come))
            return false;
        now = hd_clock_now();
        all = look_around(c, now);
        heed_limits(c, now);
        if (!share(c, &all, now) || !look_after(c, now))
            return false;
        call_in_time(c, now);
        tell_progress(c, now);
        tell_machines(c, &all);
    }
    return true;
}

static bool end(conductor *c) {
    char sentence[128];
    if (hd_ledger_is_complete(c->fold.ledger))
        snprintf(c->why, 128, "%s", HD_STOP_COMPLETE);
    uint64_t n = hd_post_n_dropped(c->post);
    snprintf(sentence, sizeof sentence, "%llu message%s had no seal of this run and %s dropped",
             (unsigned long long)n, n == 1 ? "" : "s", n == 1 ? "was" : "were");
    if (n)
        say(c, sentence);
    /* What is written here is all there is to know: the server can forget a run that is over. */
    return hd_ledger_write(c->fold.ledger, c->why, c->err) &&
           (!c->is_live || !c->is_over || hd_post_erase(c->post, c->err));
}

static bool run(conductor *c) {
    hd_interrupts before;
    hd_interrupts_begin(&before);
    bool ok = hd_post_listen(c->post, HD_TALK_NEWS, hear, c, c->err) &&
              write_to_log(c, (hd_log_entry){.kind = HD_ENTRY_BEGIN}) && go_on(c) && end(c);
    hd_post_stop_listening(c->post);
    hd_interrupts_end(&before);
    return ok;
}

bool hd_cluster_coordinate(hd_post *post, double patience, hd_record *record,
                           const hd_run_options *options, const hd_watcher *watcher,
                           const hd_chore *chore, char why[128], hd_err *err) {
    double now = hd_clock_now();
    conductor c = {.post = post,
                   .patience = patience,
                   .options = options,
                   .watcher = watcher,
                   .chore = chore,
                   .why = why,
                   .err = err,
                   .me = hd_number_make(),
                   .started = now,
                   .deadline = options->max_seconds > 0 ? now + options->max_seconds : 0,
                   .next_snapshot = now + SECONDS_BETWEEN,
                   .lock = PTHREAD_MUTEX_INITIALIZER};
    why[0] = '\0';
    mallopt(M_MMAP_THRESHOLD, KEPT_MEMORY);
    mallopt(M_TRIM_THRESHOLD, KEPT_MEMORY);
    bool ok = open_fold(&c, record);
    hd_host_name(c.host);
    ok = ok && run(&c);
    for (size_t i = 0; i < c.machines.n; i++)
        hd_news_release(&c.machines.at[i].news);
    hd_vec_release(&c.machines);
    hd_vec_release(&c.offers);
    hd_fold_release(&c.fold);
    return ok;
}
