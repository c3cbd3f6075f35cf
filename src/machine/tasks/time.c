/* The clock of the whole system (issue of timeouts; --timeouts).
 *
 * A wait with a time limit ends by its time when nobody else can go on: then the clock, which is a
 * courier like others, moves to the earliest deadline.  That is an event which comes after
 * everything before and before everything after it.  With --timeouts any a timed wait may end at
 * once, as if the message had been late; it then never waits for the clock. */
#include "machine/core/kinds.h"
#include "machine/tasks/process.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

/* Number of the clock among the children of main: no thread has it. */
#define CLOCK_CHILD UINT32_MAX

uint64_t hd_time_now(const hd_machine *m) {
    return m->running.virtual_time > m->system.now ? m->running.virtual_time : m->system.now;
}

bool hd_timeouts_are_free(const hd_machine *m) {
    return m->options.timeouts == HD_TIMEOUTS_ANY;
}

bool hd_time_is_up(const hd_machine *m, uint32_t thread) {
    uint64_t deadline = m->thread[thread].deadline;
    return deadline != UINT64_MAX && deadline <= hd_time_of(m, thread);
}

static uint64_t earliest_deadline(hd_machine *m) {
    uint64_t earliest = UINT64_MAX;
    uint32_t each;
    HD_SET_EACH(each, m->threads.alive) {
        const hd_thread *t = &m->thread[each];
        if (!t->is_courier && t->deadline < earliest)
            earliest = t->deadline;
    }
    for (size_t i = 0; i < m->system.later.n; i++)
        if (m->system.later.at[i].when < earliest)
            earliest = m->system.later.at[i].when;
    uint64_t alarm = m->may.signal ? hd_signals_first_alarm(m) : UINT64_MAX;
    return alarm < earliest ? alarm : earliest;
}

static bool has_clock(const hd_machine *m) {
    return m->system.clock && hd_set_has(m->threads.alive, m->system.clock);
}

static bool is_too_late(const hd_machine *m, uint64_t time) {
    return m->options.horizon && time > m->options.horizon;
}

bool hd_clock_can_go(hd_machine *m) {
    uint64_t next = has_clock(m) ? earliest_deadline(m) : UINT64_MAX;
    return next != UINT64_MAX && !is_too_late(m, next);
}

bool hd_clock_is_over(hd_machine *m) {
    uint64_t next = has_clock(m) ? earliest_deadline(m) : UINT64_MAX;
    return next != UINT64_MAX && is_too_late(m, next);
}

static void fill_time(hd_machine *m, hd_parcel *p, hd_action *a) {
    (void)m, (void)p;
    a->kind = HD_DO_TIME;
    a->flags = HD_ACTION_WAITS;
}

static bool can_pass(hd_machine *m, hd_parcel *p) {
    (void)p;
    return hd_clock_can_go(m);
}

void hd_courier_give_at(hd_machine *m, uint32_t courier, hd_parcel *p, uint64_t when) {
    HD_ASSERT(m->thread[courier].is_courier && when > m->system.now);
    hd_vec_push(&m->system.later, ((hd_later){when, courier, p}));
    hd_clock_start(m);
}

static void give_due(hd_machine *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->system.later.n; i++) {
        hd_later l = m->system.later.at[i];
        if (l.when <= m->system.now)
            hd_courier_give(m, l.courier, l.parcel);
        else
            m->system.later.at[kept++] = l;
    }
    m->system.later.n = kept;
}

/* Threads whose time has come are able to go on now. */
static uint32_t pass_time(hd_machine *m, hd_parcel *p) {
    uint64_t deadline = earliest_deadline(m);
    HD_ASSERT(deadline != UINT64_MAX);
    hd_globals_pass(m, deadline);
    if (deadline > m->system.now)
        m->system.now = deadline;
    if (m->may.signal) {
        hd_signals_ring(m);
        hd_signals_note_deaf(m, true);
    }
    give_due(m);
    hd_courier_give(m, m->system.clock, p);
    return HD_NOBODY;
}

void hd_clock_start(hd_machine *m) {
    if (m->system.clock || hd_time_orders(m))
        return;
    uint32_t index = hd_name_thread(m, 0, CLOCK_CHILD);
    if (index == HD_MAX_THREADS)
        hd_thread_check_limit(m);
    HD_ASSERT(index && index < HD_MAX_THREADS);
    hd_thread_enlist_courier(m, index, 0);
    m->system.clock = index;
    hd_parcel *p = hd_execution_alloc(m, sizeof *p);
    *p = (hd_parcel){.fill = fill_time, .can_go = can_pass, .deliver = pass_time};
    hd_courier_give(m, index, p);
}

/* Others could have gone on after the deadline: such orders are left out. */
static void tell_bound(hd_machine *m) {
    if (hd_time_orders(m))
        return; /* they pass when their time has come */
    hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
             "time limits pass only when nothing else can happen (--timeouts any: at "
             "any time)");
}

/* Could anybody do something before a time limit passes? */
static bool has_others(const hd_machine *m) {
    return m->system.is_concurrent || hd_is_threaded(m);
}

void hd_timer_tell_running(hd_machine *m) {
    if (!has_others(m) || hd_time_orders(m))
        return;
    if (!hd_timeouts_are_free(m))
        tell_bound(m);
    else
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "that a timer expires before it is looked at or set anew is no choice of order");
}

void hd_alarm_start(hd_machine *m) {
    if (!hd_timeouts_are_free(m))
        tell_bound(m);
    else
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "alarms ring only when nothing else can happen");
    hd_clock_start(m);
}

void hd_wait_until(hd_machine *m, uint64_t deadline) {
    hd_wait_of(m, m->threads.current, deadline);
}

void hd_wait_of(hd_machine *m, uint32_t thread, uint64_t deadline) {
    HD_ASSERT(thread < m->threads.n && !m->thread[thread].is_courier);
    m->thread[thread].deadline = deadline;
    if (deadline == UINT64_MAX)
        return;
    if (has_others(m) && !hd_timeouts_are_free(m))
        tell_bound(m);
    hd_clock_start(m);
    hd_time_limit(m, hd_process_of(m, thread), thread, deadline);
}

void hd_sleep_until(hd_machine *m, uint64_t deadline) {
    if (m->system.is_concurrent && !hd_timeouts_are_free(m) && deadline > m->system.now) {
        hd_wait_until(m, deadline);
        hd_action a = hd_action_on(m, HD_DO_SLEEP, HD_ACTION_WAITS, NULL, 0, HD_MODE_READ);
        a.n_accesses = 0;
        hd_visible(m, &a);
        bool has_slept = hd_time_is_up(m, hd_thread_current(m));
        if (!has_slept)
            hd_signals_interrupt(m, false);
        hd_wait_until(m, UINT64_MAX);
        if (!has_slept)
            return;
    }
    if (m->running.virtual_time < deadline)
        m->running.virtual_time = deadline;
}

bool hd_can_sleep(hd_machine *m, const hd_action *a) {
    return hd_time_is_up(m, a->thread) || hd_signal_is_due(m, a->thread) ||
           hd_thread_is_cancelled(m, a->thread) || hd_signal_is_awaited(m, a) ||
           hd_lock_is_awaited(m, a);
}

/* `expected`: signals that it takes (libc/signal_wait.c). */
void hd_describe_sleep(hd_machine *m, const hd_action *a, hd_text *out) {
    if (a->expected)
        hd_text_add(out, "waits for a signal");
    else if (a->detail) /* libc/flock.c */
        hd_text_add(out, "waits for a lock of a file");
    else
        hd_describe_queue(m, a, out);
}

/* ---- clocks of the library ---- */

int64_t hd_clock_first(int clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
        return HD_START_OF_TIME;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
        return HD_TIME_SINCE_BOOT;
    default: /* of processes and threads */
        return 0;
    }
}

uint64_t hd_clock_until(int clock, const struct timespec *when) {
    int64_t seconds = when->tv_sec - hd_clock_first(clock);
    if (seconds < 0)
        return 0;
    if (seconds > INT64_MAX / 1000000000 - 1)
        return UINT64_MAX;
    return UINT64_C(1000000000) * (uint64_t)seconds + (uint64_t)when->tv_nsec;
}

void hd_clock_reach(hd_machine *m, int clock, const struct timespec *when) {
    uint64_t then = hd_clock_until(clock, when);
    if (then != UINT64_MAX && m->running.virtual_time < then)
        m->running.virtual_time = then;
}
