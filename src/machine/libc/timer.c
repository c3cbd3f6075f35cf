/* Timers of a process: timer_create and its like.
 *
 * A timer is kept with the signals of its process, and expires as alarms do (tasks/signals.c). Each
 * has one signal under way at most; what expires until that is taken is its overrun.  Timers that
 * start a thread, or send their signal to one, and timers of processor time are refused. */
#include "machine/channels/ipc.h"
#include "machine/libc/libc.h"
#include "machine/libc/timespec.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include <errno.h>


/* Who takes signals of the process, or sets a timer, may be another thread. */
static hd_signals *enter_event(hd_machine *m, hd_access_mode mode) {
    if (m->system.is_concurrent || hd_is_threaded(m)) {
        hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, mode);
        a.access[0].address = HD_TOKEN_SIGNAL(hd_process_current(m));
        hd_visible(m, &a);
    }
    return hd_signals_of(m, hd_process_current(m));
}

/* NULL: none, which errno says. */
static hd_timer *timer_of(hd_machine *m, hd_signals *s, uint64_t id) {
    if (id < HD_MOST_TIMERS && s->timers[id].is_used)
        return &s->timers[id];
    hd_errno_set(m, EINVAL);
    return NULL;
}

/* ---- making ---- */

static bool is_clock(hd_machine *m, int clock) {
    if (clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0 ||
        clock == CLOCK_TAI || clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
        hd_ipc_refuse(m, "timer of a clock of another kind (executions end there)");
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
}

static int read_int(hd_machine *m, const int *from) {
    int value;
    hd_library_get(m, &value, from, sizeof value);
    return value;
}

/* Of an event only what its kind needs has to have been written. */
static bool read_event(hd_machine *m, const struct sigevent *event, hd_timer *t) {
    int how = read_int(m, &event->sigev_notify);
    if (how == SIGEV_THREAD || how == SIGEV_THREAD_ID)
        hd_ipc_refuse(m, "timer that starts a thread, or sends to one (executions end there)");
    t->is_silent = how == SIGEV_NONE;
    if (how != SIGEV_SIGNAL)
        return t->is_silent;
    t->signal = read_int(m, &event->sigev_signo);
    hd_number value = hd_library_number(m, &event->sigev_value, sizeof value.value);
    t->value = value.value;
    t->shadow = value.e;
    return t->signal >= 1 && t->signal <= 64;
}

static uint32_t find_free(const hd_signals *s) {
    uint32_t i = 0;
    while (i < HD_MOST_TIMERS && s->timers[i].is_used)
        i++;
    return i;
}

int hd_libc_timer_create(int clock, const struct sigevent *event, timer_t *out) {
    hd_machine *m = hd_ipc_enter();
    hd_timer t = {.is_used = true, .clock = clock, .signal = SIGALRM};
    if (!is_clock(m, clock) || (event && !read_event(m, event, &t)))
        return hd_ipc_fail(m, EINVAL);
    hd_signals *s = enter_event(m, HD_MODE_WRITE);
    uint32_t i = find_free(s);
    if (i == HD_MOST_TIMERS)
        hd_ipc_refuse(m, "more than %u timers of a process (executions end there)", HD_MOST_TIMERS);
    if (!event)
        t.value = i;
    s->timers[i] = t;
    timer_t id = (timer_t)(uint64_t)i;
    hd_library_store(m, out, &id, sizeof id);
    return 0;
}

int hd_libc_timer_delete(uint64_t id) {
    hd_machine *m = hd_ipc_enter();
    hd_signals *s = enter_event(m, HD_MODE_WRITE);
    hd_timer *t = timer_of(m, s, id);
    if (!t)
        return -1;
    hd_notes_leave_timer(s, (uint32_t)id);
    HD_ASSERT(!hd_note_is_of_timer(s, (uint32_t)id));
    *t = (hd_timer){0};
    return 0;
}

/* ---- setting ---- */

/* Nobody has made a silent one go on. */
static uint64_t time_left(const hd_timer *t, uint64_t now) {
    HD_ASSERT(t->is_used);
    if (!t->at || t->at > now)
        return t->at ? t->at - now : 0;
    if (!t->interval)
        return t->is_silent ? 0 : 1;
    return t->interval - (now - t->at) % t->interval;
}

static struct itimerspec setting_of(const hd_timer *t, uint64_t now) {
    return (struct itimerspec){hd_timespec_of(t->interval), hd_timespec_of(time_left(t, now))};
}

static uint64_t expiry_of(const hd_timer *t, int flags, const struct timespec *when, uint64_t now) {
    HD_ASSERT(t->is_used && hd_timespec_is_valid(when));
    if (!hd_timespec_read(when))
        return 0;
    uint64_t then =
        flags & TIMER_ABSTIME ? hd_clock_until(t->clock, when) : now + hd_timespec_read(when);
    return then ? then : 1; /* long ago */
}

int hd_libc_timer_settime(uint64_t id, int flags, const struct itimerspec *wanted,
                          struct itimerspec *old) {
    hd_machine *m = hd_ipc_enter();
    struct itimerspec given;
    hd_library_get(m, &given, wanted, sizeof given);
    if (!hd_timespec_is_valid(&given.it_value) || !hd_timespec_is_valid(&given.it_interval))
        return hd_ipc_fail(m, EINVAL);
    hd_timer *t = timer_of(m, enter_event(m, HD_MODE_WRITE), id);
    if (!t)
        return -1;
    uint64_t now = hd_time_now(m);
    struct itimerspec before = setting_of(t, now);
    t->at = expiry_of(t, flags, &given.it_value, now);
    t->interval = t->at ? hd_timespec_read(&given.it_interval) : 0;
    t->n_missed = t->n_overrun = 0;
    if (t->at && !t->is_silent) {
        hd_time_limit(m, hd_process_current(m), UINT32_MAX, t->at);
        hd_alarm_start(m);
    }
    hd_signals_note(m);
    if (old)
        hd_library_store(m, old, &before, sizeof before);
    return 0;
}

int hd_libc_timer_gettime(uint64_t id, struct itimerspec *out) {
    hd_machine *m = hd_ipc_enter();
    const hd_timer *t = timer_of(m, enter_event(m, HD_MODE_READ), id);
    if (!t)
        return -1;
    struct itimerspec now = setting_of(t, hd_time_now(m));
    hd_library_store(m, out, &now, sizeof now);
    return 0;
}

int hd_libc_timer_getoverrun(uint64_t id) {
    hd_machine *m = hd_ipc_enter();
    const hd_timer *t = timer_of(m, enter_event(m, HD_MODE_READ), id);
    return t ? t->n_overrun : -1;
}
