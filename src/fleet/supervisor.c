/* The supervisor: give units to workers, take what they send, and go on when one dies.
 *
 * One worker begins.  Others come when the run has lasted a moment and there is something for them
 * to do: a worker that is busy is asked to give away a part of what it has left. */
#include "base/clock.h"
#include "base/hostile.h"
#include "base/interrupt.h"
#include "base/panic.h"
#include "confine/confine.h"
#include "fleet/appetite.h"
#include "fleet/crew.h"
#include "fleet/leftovers.h"
#include "fleet/local.h"
#include "fleet/pace.h"

#include <errno.h>
#include <linux/audit.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define GRACE          5.0  /* seconds that workers get to answer a request to stop */
#define MOST_NOTES     100  /* of a seat: who has more to say was not written by us */
#define LATENESS       0.25 /* seconds that an execution may overrun the time limit, */
#define LATENESS_SHARE 0.02 /* and the share of the limit beside; */
#define FAREWELL       0.05 /* and how long it may take until it is gone, once it was ended */
#define DEATHS_BEFORE_CARE                                                                         \
    8                      /* of a unit, without a commit: then its next executions are isolated */
#define LAST_TRIES    3    /* of such a unit, before it is set aside */
#define MOST_ASIDE    64   /* units, before the run is given up */
#define MOST_UNLISTED 3    /* workers that needed a system call which they do not have */
#define ISOLATED      1000 /* executions of a unit that is tried so */
#define DEATHS_IN_ALL HD_HOSTILE(32, 1000000) /* in a sitting: then all are isolated */
#define SOON          0.02 /* seconds until the first bundle of who replaces a worker */
#define ALONE         HD_HOSTILE(0.25, 0.0) /* seconds that the first worker works alone */
#define LEAST_TIME    0.0005 /* seconds until who has units that it has not begun is asked again */
#define MOST_RESPITE  8      /* times that at most, where units are small */
#define MOST_AT_ONCE  32     /* units that one worker gets */
#define LEAST_WORK                                                                                 \
    HD_HOSTILE(0.005, 0.001) /* seconds between two requests to give something away */

typedef enum verdict { GOES_ON, DIED, FAILED } verdict;

/* A unit whose workers die. */
typedef struct trouble {
    uint64_t unit;
    unsigned deaths; /* since its last commit */
    hd_care care;
} trouble;

typedef struct supervisor {
    hd_source *source;
    const char *module_directory;
    const hd_run_options *options;
    const hd_watcher *watcher;
    char *why; /* of 128 bytes; empty until the run is to end */
    hd_err *err;
    double started, deadline, next_progress, next_look;
    double asked_to_stop;     /* when; 0 = not */
    uint64_t memory_in_all;   /* bytes */
    uint64_t most_executions; /* of the whole run, 0 = no bound */
    hd_seat *seats;
    uint32_t n_seats;
    _Atomic uint8_t *seen_ways; /* memory that all workers share */
    hd_vec(trouble) troubles;
    unsigned deaths, n_aside, n_unlisted;
    hd_pace pace; /* of units that ended in this sitting */
    double tried; /* when something was last handed out */
    hd_leftovers leftovers;
    bool has_committed, has_started, is_careful; /* careful: every execution is isolated */
} supervisor;

static void say(supervisor *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(supervisor *s, const char *format, ...) {
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (s->watcher && s->watcher->note)
        s->watcher->note(s->watcher->context, sentence);
}

#define EACH_SEAT(seat, s) (hd_seat *seat = (s)->seats; seat < (s)->seats + (s)->n_seats; seat++)

static bool is_working(const supervisor *s) {
    for
        EACH_SEAT(seat, s)
    if (seat->has_unit)
        return true;
    return false;
}

/* What workers that are gone have left behind. */
static void end_leftovers(supervisor *s) {
    hd_pids workers = {0};
    for
        EACH_SEAT(seat, s)
    if (seat->pid)
        hd_vec_push(&workers, seat->pid);
    unsigned n = hd_leftovers_sweep(&s->leftovers, &workers);
    if (n)
        say(s, "ended %u process%s that the program had left behind", n, n == 1 ? "" : "es");
    hd_vec_release(&workers);
}

/* The run is to end: the first reason counts. */
static void stop(supervisor *s, const char *why) {
    HD_ASSERT(why[0]);
    if (!s->why[0])
        snprintf(s->why, 128, "%s", why);
    if (s->asked_to_stop > 0)
        return;
    s->asked_to_stop = hd_clock_now();
    for
        EACH_SEAT(seat, s)
    if (seat->pid)
        atomic_store(&seat->channel->is_asked_to_stop, true);
}

/* ---- units ---- */

static trouble *find_trouble(supervisor *s, uint64_t unit) {
    for (size_t i = 0; i < s->troubles.n; i++)
        if (s->troubles.at[i].unit == unit)
            return &s->troubles.at[i];
    return NULL;
}

static void forget_trouble(supervisor *s, uint64_t unit) {
    trouble *t = find_trouble(s, unit);
    if (t)
        *t = s->troubles.at[--s->troubles.n];
}

static const hd_batch *state_of(const supervisor *s) {
    return s->source->calls->state(s->source);
}

/* Executions that nobody has been allowed yet. */
static uint64_t n_not_allowed(const supervisor *s) {
    uint64_t used = state_of(s)->counters.explore.executions;
    if (!s->most_executions)
        return UINT64_MAX;
    for
        EACH_SEAT(seat, s)
    used += seat->has_unit ? seat->max_executions : 0;
    return used < s->most_executions ? s->most_executions - used : 0;
}

/* A share of them for one of the seats. */
static uint64_t allow(const supervisor *s) {
    uint64_t left = n_not_allowed(s), share = left / s->n_seats;
    return left == UINT64_MAX || !share ? left : share;
}

/* Does somebody else know the whole search? */
static bool has_orders(const supervisor *s) {
    return s->source->calls->next_order;
}

/* Small searches that are to be shared are to be given away in parts, too. */
static double least_gift(const supervisor *s) {
    double least = has_orders(s) ? HD_REMOTE_GIFT : HD_LEAST_GIFT;
    return s->options->shares_at_once ? 0 : least;
}

static hd_orders orders_for(const supervisor *s, const hd_seat *seat, bool replaces) {
    return (hd_orders){.options = s->options,
                       .module_directory = s->module_directory,
                       .state = state_of(s),
                       .deadline = s->deadline,
                       .first_bundle = replaces ? SOON : HD_BUNDLE_INTERVAL,
                       .interval = has_orders(s) ? HD_REMOTE_INTERVAL : HD_BUNDLE_INTERVAL,
                       .share = has_orders(s) ? HD_REMOTE_SHARE : HD_BUNDLE_SHARE,
                       .least_gift = least_gift(s),
                       .seen_ways = s->seen_ways,
                       .is_first = !s->has_started,
                       .draws_samples = seat == s->seats};
}

/* A worker with the care that the unit needs: another one, if it has not been started with it. */
static bool prepare_seat(supervisor *s, hd_seat *seat, uint64_t unit) {
    const trouble *t = find_trouble(s, unit);
    hd_care care = t ? t->care : (hd_care){0};
    care.always |= s->is_careful && !care.tells;
    bool fits = !t && seat->care.always == care.always;
    if (seat->pid && fits)
        return true;
    if (seat->pid)
        hd_seat_end(seat);
    seat->care = care;
    bool ok = hd_seat_start(seat, orders_for(s, seat, s->deaths > 0), s->err);
    s->has_started |= ok;
    return ok;
}

static uint64_t count_idle(const supervisor *s) {
    uint64_t n = 0;
    for
        EACH_SEAT(seat, s)
    n += !seat->has_unit;
    return n;
}

/* Is there nobody who would begin with what a large unit could give away, or is there something for
 * everybody?  Those who measure units want to know how small they can be. */
static bool is_whole_better(const supervisor *s) {
    uint64_t n_idle = count_idle(s);
    return s->options->unit_seconds <= 0 && (n_idle <= 1 || hd_pace_is_slow(&s->pace) ||
                                             s->source->calls->n_waiting(s->source) >= 2 * n_idle);
}

/* Where most units are small and the next is not known to be larger, it is tried now and then:
 * while somebody works on a large one, what waits may become large by itself (D9 of coordinator.h).
 */
static bool is_worth_waiting(const supervisor *s, double now) {
    double pause = hd_pace_pause(&s->pace, LEAST_WORK, MOST_RESPITE) / (double)count_idle(s);
    return s->options->unit_seconds <= 0 && hd_pace_is_slow(&s->pace) && is_working(s) &&
           now - s->tried < pause && !s->source->calls->is_next_large(s->source);
}

/* Races ask for units of a few executions by the thousand: to fetch each of them would take longer
 * than to run it.  So whoever is idle gets its share of all that wait, and gives back what it has
 * not begun when somebody else becomes idle.  One at a time where executions are counted or units
 * need care, and where nobody could have them back. */
static uint64_t share_of_waiting(const supervisor *s) {
    uint64_t n_waiting = s->source->calls->n_waiting(s->source), n_idle = count_idle(s);
    if (n_waiting < 2 || s->most_executions || s->troubles.n || s->is_careful ||
        s->options->no_sharing || s->options->are_rivals)
        return n_waiting > 0;
    uint64_t share = (n_waiting + n_idle - 1) / n_idle;
    if (s->options->unit_seconds <= 0 && hd_pace_is_slow(&s->pace))
        return 1;
    return share < MOST_AT_ONCE ? share : MOST_AT_ONCE;
}

/* Units with turns are run for a while only: one after the other.  When a whole state is done, what
 * waits beside it may be handed out whole. */
static void take_share(supervisor *s, hd_works *works) {
    bool is_enough = false, is_whole = is_whole_better(s);
    uint64_t allowed = allow(s);
    hd_work work;
    for (uint64_t n = share_of_waiting(s); works->n < n && !is_enough;) {
        if (!s->source->calls->hand_out(s->source, is_whole, &work))
            return;
        work.max_executions = work.max_executions < allowed ? work.max_executions : allowed;
        is_enough = work.turn || work.is_whole;
        hd_vec_push(works, work);
    }
}

/* A worker that cannot be told is ended; one that is gone is found out when it is listened to. */
static bool hand_out(supervisor *s, hd_seat *seat) {
    hd_works works = {0};
    if (is_worth_waiting(s, hd_clock_now()))
        return true;
    take_share(s, &works);
    s->tried = works.n ? hd_clock_now() : s->tried;
    bool ok = !works.n || prepare_seat(s, seat, works.at[0].unit);
    if (ok && works.n && !hd_seat_send(seat, &works))
        kill(seat->pid, SIGKILL);
    seat->since = hd_clock_now();
    hd_works_release(&works);
    return ok;
}

/* May the seat get a worker now? */
static bool may_work(const supervisor *s, const hd_seat *seat, double now) {
    double alone = s->options->shares_at_once ? 0 : ALONE;
    return !seat->has_unit && (seat->pid || seat == s->seats || now - s->started >= alone);
}

static bool hand_out_all(supervisor *s, double now) {
    for
        EACH_SEAT(seat, s)
    if (may_work(s, seat, now) && n_not_allowed(s) && !s->why[0] && !hand_out(s, seat))
        return false;
    return true;
}

/* Who has units that it has not begun has most to give, and loses nothing by it. */
static hd_seat *longest_at_work(const supervisor *s) {
    hd_seat *longest = NULL;
    for
        EACH_SEAT(seat, s)
    if (seat->has_unit &&
        (!longest || (seat->queue.n == longest->queue.n ? seat->since < longest->since
                                                        : seat->queue.n > longest->queue.n)))
        longest = seat;
    return longest;
}

static void ask_to_give(hd_seat *from, double now) {
    from->since = now;
    atomic_store(&from->channel->is_asked_to_give, true);
}

/* Where what is given away is done sooner than it was given, those who give are asked less often:
 * it costs them as much as the others do of it.  Small units that somebody has not begun are soon
 * done, and then there may be a large one (D9 of coordinator.h). */
static double left_alone(const supervisor *s, const hd_seat *from) {
    bool is_slow = hd_pace_is_slow(&s->pace);
    if (from->queue.n && !is_slow)
        return LEAST_TIME;
    return is_slow ? hd_pace_pause(&s->pace, LEAST_WORK, MOST_RESPITE)
                   : hd_left_alone(LEAST_WORK, from->unit);
}

/* Machines do not know who is idle elsewhere. */
static void tell_about_idle(const supervisor *s, bool is_somebody) {
    for
        EACH_SEAT(seat, s)
    if (seat->has_unit)
        atomic_store_explicit(&seat->channel->is_somebody_idle, is_somebody, memory_order_relaxed);
}

/* Nothing waits, and somebody could work: a worker is asked to give something away. */
static bool ask_for_work(supervisor *s, double now) {
    bool is_idle = false;
    if (s->options->no_sharing)
        return false;
    for
        EACH_SEAT(seat, s)
    is_idle |= may_work(s, seat, now);
    tell_about_idle(s, is_idle || has_orders(s));
    hd_seat *from = longest_at_work(s);
    if (!is_idle || !from || s->why[0] || has_orders(s) || now - from->since < left_alone(s, from))
        return is_idle && !has_orders(s);
    ask_to_give(from, now);
    return true;
}

/* ---- what workers say ---- */

/* The unit is nobody's any more. */
static void release_unit(supervisor *s, hd_seat *seat) {
    if (seat->has_unit)
        s->source->calls->release(s->source, seat->unit, seat->epoch);
    hd_seat_go_on(seat);
}

static void release_units(supervisor *s, hd_seat *seat) {
    while (seat->has_unit)
        release_unit(s, seat);
}

/* A worker whose unit is void, or whose names for threads are, begins with a new machine. */
static void dismiss(supervisor *s, hd_seat *seat) {
    release_units(s, seat);
    if (seat->pid)
        hd_seat_end(seat);
}

static void dismiss_others(supervisor *s, const hd_seat *mine) {
    for
        EACH_SEAT(seat, s)
    if (seat != mine)
        dismiss(s, seat);
    s->troubles.n = 0;
}

/* What is left is as dangerous as it was: a part was given away, or states of nodes were made that
 * the next worker makes again. */
static bool is_as_before(const hd_seat *seat, const hd_bundle *p) {
    const hd_explorer_counters *x = &p->results.counters.explore;
    return (seat->care.gives_all || x->states) && !x->executions && !p->commit.is_done;
}

static void note_end(supervisor *s, hd_seat *seat, const hd_bundle *p) {
    hd_pace_note(&s->pace, p->results.counters.work_seconds, LEAST_WORK);
    seat->since = hd_clock_now();
}

static void note_commit(supervisor *s, hd_seat *seat, const hd_bundle *p) {
    s->has_committed = true;
    seat->n_executed += p->results.counters.explore.executions;
    if (!is_as_before(seat, p))
        forget_trouble(s, p->commit.unit);
    hd_observers_clear(seat->live);
    const char *why = p->results.stop_reason;
    if (p->commit.is_done)
        note_end(s, seat, p);
    if (p->commit.is_done)
        hd_seat_go_on(seat);
    else if (why)
        release_unit(s, seat);
    if (why && strcmp(why, HD_STOP_EXECUTIONS) != 0) /* others may have some left */
        stop(s, why);
    const hd_batch *state = state_of(s);
    if (s->options->is_enough && state->coverage &&
        s->options->is_enough(s->options->enough, state->coverage, state->n_branches))
        stop(s, HD_STOP_GOAL);
}

static verdict take_bundle(supervisor *s, hd_seat *seat, const void *payload, size_t n) {
    hd_bundle p;
    if (!hd_wire_unpack_bundle(payload, n, &p))
        return DIED; /* what it wrote makes no sense: it is not to be trusted any longer */
    if (!seat->has_unit || p.commit.unit != seat->unit || p.commit.epoch != seat->epoch) {
        hd_bundle_release(&p);
        return DIED;
    }
    hd_commit_answer answer = s->source->calls->take(s->source, &p, payload, n);
    verdict v = GOES_ON;
    if (answer == HD_COMMIT_ANEW)
        dismiss_others(s, seat);
    if (answer == HD_COMMIT_APPLIED || answer == HD_COMMIT_ANEW)
        note_commit(s, seat, &p);
    else if (answer == HD_COMMIT_REFUSED)
        dismiss(s, seat);
    else
        v = DIED;
    hd_bundle_release(&p);
    return v;
}

/* A worker ends its unit without anything new. */
static void take_stopped(supervisor *s, hd_seat *seat, const void *payload, size_t n) {
    char why[128];
    snprintf(why, sizeof why, "%.*s", (int)(n < 127 ? n : 127), (const char *)payload);
    release_unit(s, seat);
    stop(s, why);
}

/* Units that the worker has not begun wait again. */
static verdict take_returned(supervisor *s, hd_seat *seat, const void *payload, size_t n) {
    hd_unit_numbers units;
    bool is_right = hd_wire_unpack_numbers(payload, n, &units);
    for (size_t i = 0; i < units.n && is_right; i++) {
        is_right = hd_seat_take_back(seat, units.at[i].unit, units.at[i].epoch);
        if (is_right)
            s->source->calls->release(s->source, units.at[i].unit, units.at[i].epoch);
    }
    hd_vec_release(&units);
    return is_right ? GOES_ON : DIED;
}

static verdict take_frame(supervisor *s, hd_seat *seat, hd_frame_type type, const void *payload,
                          size_t n) {
    switch (type) {
    case HD_FRAME_BUNDLE:
        return take_bundle(s, seat, payload, n);
    case HD_FRAME_GLANCE:
        hd_observers_clear(seat->live);
        return hd_observers_add(seat->live, payload, n) ? GOES_ON : DIED;
    case HD_FRAME_NOTE:
        if (seat->n_notes++ < MOST_NOTES)
            say(s, "%.*s", (int)(n < 255 ? n : 255), (const char *)payload);
        return GOES_ON;
    case HD_FRAME_REFUSED:
        return hd_wire_unpack_error(payload, n, s->err) ? FAILED : DIED;
    case HD_FRAME_STOPPED:
        take_stopped(s, seat, payload, n);
        return GOES_ON;
    case HD_FRAME_RETURNED:
        return take_returned(s, seat, payload, n);
    default:
        return DIED;
    }
}

/* Read what has come; DIED at the end of the stream. */
static verdict listen_to(supervisor *s, hd_seat *seat) {
    bool is_open = hd_inbox_fill(&seat->inbox, seat->socket), is_damaged;
    hd_frame_type type;
    const void *payload;
    size_t n;
    while (hd_inbox_next(&seat->inbox, &type, &payload, &n, &is_damaged)) {
        verdict v = take_frame(s, seat, type, payload, n);
        if (v != GOES_ON || !seat->pid)
            return v;
    }
    return is_open && !is_damaged ? GOES_ON : DIED;
}

/* ---- after a death ---- */

/* All isolated, and what can be given away is; where this does not help, the last one says where it
 * goes down, which one in a child could not. */
static hd_care last_care(unsigned deaths) {
    if (deaths >= DEATHS_BEFORE_CARE + LAST_TRIES - 1)
        return (hd_care){.gives_all = true, .tells = true};
    return (hd_care){
        .windows[0] = {1, ISOLATED}, .n_windows = 1, .when_rebuilding = true, .gives_all = true};
}

static trouble *note_death(supervisor *s, const hd_seat *seat) {
    trouble *t = find_trouble(s, seat->unit);
    if (!t) {
        hd_vec_push(&s->troubles, ((trouble){.unit = seat->unit}));
        t = &s->troubles.at[s->troubles.n - 1];
    }
    s->deaths++;
    t->deaths++;
    HD_ASSERT(t->deaths <= s->deaths && t->deaths <= DEATHS_BEFORE_CARE + LAST_TRIES);
    if (t->deaths < DEATHS_BEFORE_CARE)
        hd_seat_add_care(seat, t->deaths, &t->care);
    else
        t->care = last_care(t->deaths);
    return t;
}

static void take_care(supervisor *s, const trouble *t) {
    if (t->deaths == DEATHS_BEFORE_CARE)
        say(s, "running executions of a unit in child processes: its worker died %u times",
            t->deaths);
    if (s->is_careful || s->deaths < DEATHS_IN_ALL)
        return;
    s->is_careful = true;
    say(s, "running each execution in a child process: the worker died %u times", s->deaths);
}

static void tell_death(supervisor *s, int status) {
    if (WIFSIGNALED(status))
        say(s, "a worker was ended by signal %d; going on from the last commit", WTERMSIG(status));
    else
        say(s, "a worker ended with status %d; going on from the last commit", WEXITSTATUS(status));
}

/* Nothing could ever be run. */
static bool give_up(supervisor *s, unsigned deaths) {
    hd_err_set(s->err, "cannot run the program: its worker process died %u times", deaths);
    return hd_err_hint(s->err, "this should not happen: please report it with the program");
}

/* False if the run cannot go on. */
static bool set_aside(supervisor *s, const hd_seat *seat, const trouble *t) {
    uint64_t unit = t->unit;
    if (!s->has_committed && !state_of(s)->counters.explore.executions)
        return give_up(s, t->deaths);
    hd_last_words words = hd_last_words_read(&seat->channel->words);
    s->source->calls->set_aside(s->source, unit, t->deaths, &words);
    say(s, "set aside what took down %u workers; going on with the rest", t->deaths);
    forget_trouble(s, unit);
    if (s->options->stop_at_first)
        stop(s, HD_STOP_FINDING);
    if (++s->n_aside >= MOST_ASIDE)
        stop(s, "the worker process keeps dying");
    return true;
}

/* Another worker would need the same.  False if the run cannot go on; what was committed is told.
 */
static bool bear_with_list(supervisor *s, int call) {
    char name[64], why[128];
    hd_confine_name_call(call, AUDIT_ARCH_X86_64, name);
    if (++s->n_unlisted < MOST_UNLISTED)
        return true;
    snprintf(why, sizeof why, "workers need the system call %s, which their walls refuse", name);
    if (s->has_committed) {
        stop(s, why);
        return true;
    }
    hd_err_set(s->err, "cannot run the program: %s", why);
    return hd_err_hint(s->err, "this is a bug of Heddle, please report it; '--allow all' runs the "
                               "program without walls");
}

/* False if the run cannot go on. */
static bool survive(supervisor *s, hd_seat *seat) {
    bool had_unit = seat->has_unit;
    trouble *t = had_unit ? note_death(s, seat) : NULL;
    if (had_unit)
        s->source->calls->lose(s->source, seat->unit, hd_seat_counted(seat)->work_seconds);
    bool matters = had_unit && s->asked_to_stop <= 0;
    bool is_last = matters && t->deaths >= DEATHS_BEFORE_CARE + LAST_TRIES;
    if (matters)
        take_care(s, t);
    int unlisted = atomic_load(&seat->channel->unlisted);
    bool can_go_on =
        (!is_last || set_aside(s, seat, t)) && (unlisted < 0 || bear_with_list(s, unlisted));
    release_units(s, seat);
    int status = hd_seat_end(seat);
    end_leftovers(s);
    if (matters && !is_last && unlisted < 0)
        tell_death(s, status);
    return can_go_on;
}

/* ---- watching over them ---- */

/* What all workers said last; the caller frees it. */
static hd_observers *add_glances(const supervisor *s) {
    hd_observers *live = hd_observers_new();
    hd_text bytes = {0};
    for
        EACH_SEAT(seat, s) {
            hd_text_clear(&bytes);
            hd_observers_glance(seat->live, &bytes);
            hd_observers_add(live, bytes.at, bytes.n);
        }
    hd_text_release(&bytes);
    return live;
}

/* What a worker last said about what is left is about its own unit. */
static hd_run_counters add_progress(const supervisor *s, const hd_run_counters *committed) {
    hd_run_counters sum = *committed;
    hd_observers *live = add_glances(s);
    const hd_progress *p = hd_observers_progress(live);
    if (p->n_workers)
        hd_counters_add(&sum, &p->counters);
    if (p->n_workers > 1 || committed->units > 1) {
        sum.explore.open = committed->explore.open;
        sum.explore.estimate = committed->explore.estimate;
    }
    hd_observers_free(live);
    return sum;
}

static void tell_workers(const supervisor *s) {
    hd_worker_progress all[HD_MOST_WORKERS];
    if (!s->watcher || !s->watcher->workers)
        return;
    for (uint32_t i = 0; i < s->n_seats; i++) {
        const hd_seat *seat = &s->seats[i];
        all[i] = (hd_worker_progress){seat->has_unit ? seat->unit + 1 : 0,
                                      seat->n_executed + hd_seat_counted(seat)->explore.executions};
    }
    s->watcher->workers(s->watcher->context, all, s->n_seats);
}

static void tell_progress(supervisor *s, double now) {
    if (now < s->next_progress)
        return;
    s->next_progress = now + HD_GLANCE_INTERVAL;
    const hd_batch *state = state_of(s);
    hd_run_counters sum = add_progress(s, &state->counters);
    tell_workers(s);
    if (s->watcher && s->watcher->progress)
        s->watcher->progress(s->watcher->context, &sum, state->n_findings, now - s->started);
}

/* Seconds that the time limit may be overrun by a worker that does not answer.  One that is at its
 * last bundle is worth waiting for.  One that comes to where another has been has nothing new. */
static double grace_of(const supervisor *s, const hd_seat *seat) {
    double within = LATENESS + LATENESS_SHARE * s->options->max_seconds;
    return atomic_load(&seat->channel->execution) > 0 && within < GRACE ? within : GRACE;
}

/* One that has gigabytes is gone long after it was ended (leftovers.h). */
static void end_soon(supervisor *s, hd_seat *seat) {
    release_units(s, seat);
    if (!seat->pid)
        return;
    s->leftovers.hurry = hd_clock_now() + FAREWELL;
    hd_leftovers_end_all_of(&s->leftovers, seat->pid);
    hd_seat_leave(seat);
}

/* Workers look at limits between executions only.  Those that are stuck inside one are ended from
 * here; what they committed stays.  All of them give their memory back at once, before the first is
 * waited for. */
static void end_overdue(supervisor *s, double now) {
    bool is_late[HD_MOST_WORKERS];
    bool is_deaf =
        s->asked_to_stop > 0 && (*hd_interrupts_count() > 1 || now > s->asked_to_stop + GRACE);
    for (uint32_t i = 0; i < s->n_seats; i++) {
        is_late[i] = s->deadline > 0 && now > s->deadline + grace_of(s, &s->seats[i]);
        if (s->seats[i].pid > 0 && (is_late[i] || is_deaf))
            kill(s->seats[i].pid, SIGKILL);
    }
    for (uint32_t i = 0; i < s->n_seats; i++)
        if (is_late[i] || is_deaf) {
            stop(s, is_late[i] ? HD_STOP_TIME : HD_STOP_INTERRUPTED);
            end_soon(s, &s->seats[i]);
        }
}

/* Seconds until there is something to look at, if nobody says anything: the end of the time that
 * workers have is not waited past. */
static double until_next_look(const supervisor *s, bool is_idle, double now) {
    double most = is_idle ? LEAST_WORK : HD_GLANCE_INTERVAL;
    for
        EACH_SEAT(seat, s) {
            double left = s->deadline + grace_of(s, seat) - now;
            if (s->deadline > 0 && seat->pid && left > 0 && left < most)
                most = left;
        }
    return most;
}

/* The worker is ended; in a forked child the same execution gets a time limit, and is a finding if
 * it meets it. */
static void end_stuck(supervisor *s, double now) {
    for
        EACH_SEAT(seat, s) {
            const char *how = seat->has_unit ? hd_seat_is_stuck(seat, now) : NULL;
            if (!how)
                continue;
            say(s, "an execution %s for more than %.0f seconds", how, HD_PATIENCE);
            HD_ASSERT(seat->pid > 0);
            kill(seat->pid, SIGKILL);
        }
}

/* G1.  What was taken is given back, which takes a while, and the rest of the run goes on. */
static void end_greedy(supervisor *s, hd_seat *seat, const hd_appetite *a, const char *than) {
    HD_INVARIANT(G1, a->process > 1 && a->process != getpid());
    if (seat->was_greedy == a->process)
        return;
    seat->was_greedy = a->process;
    say(s, "a process of the program had %.1f GB of memory and %u threads, %s: it was ended",
        (double)a->memory / 1e9, a->threads, than);
    kill(a->process, SIGKILL);
}

static void bound_appetites(supervisor *s, double now) {
    if (now < s->next_look)
        return;
    s->next_look = now + HD_GLANCE_INTERVAL;
    uint64_t sum = 0, most_of_one = hd_memory_of_one(s->options->max_memory);
    hd_appetite biggest = {0};
    hd_seat *of_biggest = NULL;
    for
        EACH_SEAT(seat, s) {
            hd_appetite a = hd_appetite_of(seat->pid);
            if (!seat->pid || !a.process)
                continue;
            sum += a.memory;
            if (a.threads > HD_MOST_THREADS)
                end_greedy(s, seat, &a, "more threads than a worker has");
            else if (most_of_one && a.memory > most_of_one)
                end_greedy(s, seat, &a, "more than --max-memory allows");
            else if (a.memory > biggest.memory) {
                biggest = a;
                of_biggest = seat;
            }
        }
    if (of_biggest && sum > s->memory_in_all / 4 * 3)
        end_greedy(s, of_biggest, &biggest, "and all of them most of what there is");
}

static verdict listen_to_all(supervisor *s, int milliseconds) {
    struct pollfd sockets[HD_MOST_WORKERS + 1];
    HD_ASSERT(s->n_seats <= HD_MOST_WORKERS);
    for (uint32_t i = 0; i < s->n_seats; i++)
        sockets[i] =
            (struct pollfd){.fd = s->seats[i].pid ? s->seats[i].socket : -1, .events = POLLIN};
    sockets[s->n_seats] = (struct pollfd){
        .fd = has_orders(s) ? s->source->calls->descriptor(s->source) : -1, .events = POLLIN};
    if (poll(sockets, s->n_seats + 1, milliseconds) <= 0)
        return GOES_ON;
    for (uint32_t i = 0; i < s->n_seats; i++) {
        hd_seat *seat = &s->seats[i];
        if (!sockets[i].revents || !seat->pid)
            continue; /* the bundle of another has ended it */
        verdict v = listen_to(s, seat);
        if (v == FAILED || (v == DIED && !survive(s, seat)))
            return FAILED;
    }
    return GOES_ON;
}

/* A worker has used up the processor time that this machine gives a process. */
static bool is_out_of_time(const supervisor *s) {
    for
        EACH_SEAT(seat, s)
    if (seat->pid && atomic_load(&seat->channel->is_out_of_time))
        return true;
    return false;
}

static void heed_limits(supervisor *s, double now) {
    if (hd_interrupts_why())
        stop(s, hd_interrupts_why());
    if (is_out_of_time(s))
        stop(s, HD_STOP_PROCESSOR);
    tell_progress(s, now);
    bound_appetites(s, now);
    end_stuck(s, now);
    end_overdue(s, now);
}

static void obey_one(supervisor *s, const hd_order *order) {
    if (order->kind == HD_ORDER_STOP)
        stop(s, order->why);
    for
        EACH_SEAT(seat, s) {
            bool is_meant =
                seat->has_unit && seat->unit == order->unit && seat->epoch == order->epoch;
            if (is_meant && order->kind == HD_ORDER_GIVE)
                ask_to_give(seat, hd_clock_now());
            if (is_meant && order->kind == HD_ORDER_DROP)
                dismiss(s, seat);
        }
}

static void obey(supervisor *s) {
    hd_order order;
    while (has_orders(s) && s->source->calls->next_order(s->source, &order))
        obey_one(s, &order);
}

static bool tend(supervisor *s, double now) {
    hd_shift shift = {.n_workers = s->n_seats};
    for
        EACH_SEAT(seat, s)
    shift.n_idle += !seat->has_unit;
    shift.live = has_orders(s) ? add_glances(s) : NULL;
    bool ok = s->source->calls->tend(s->source, &shift, now, s->err);
    if (shift.live)
        hd_observers_free(shift.live);
    return ok;
}

/* Nobody works, and nobody will. */
static bool is_over(const supervisor *s) {
    return !is_working(s) && (s->why[0] || !has_orders(s));
}

/* FAILED, or GOES_ON when the run is over. */
static verdict run_workers(supervisor *s) {
    verdict v = GOES_ON;
    while (v == GOES_ON) {
        double now = hd_clock_now();
        obey(s);
        if (!hand_out_all(s, now))
            return FAILED;
        if (is_over(s))
            return GOES_ON;
        bool is_idle = ask_for_work(s, now);
        v = listen_to_all(s, (int)ceil(until_next_look(s, is_idle, now) * 1000));
        heed_limits(s, hd_clock_now());
        if (v == GOES_ON && !tend(s, hd_clock_now()))
            v = FAILED;
    }
    return v;
}

static bool end_run(supervisor *s) {
    if (!s->why[0] && !n_not_allowed(s))
        snprintf(s->why, 128, "%s", HD_STOP_EXECUTIONS);
    return s->source->calls->end(s->source, s->why, s->err);
}

/* What strategies have seen, if there is memory for it: without it each worker goes by what it saw
 * itself. */
static void share_ways(supervisor *s) {
    void *at = mmap(NULL, HD_SEEN_WAYS, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    s->seen_ways = at == MAP_FAILED ? NULL : at;
}

static bool open_seats(supervisor *s, hd_seat *seats) {
    s->seats = seats;
    hd_leftovers_begin(&s->leftovers);
    share_ways(s);
    uint32_t n = s->options->n_workers ? s->options->n_workers : 1;
    for (s->n_seats = 0; s->n_seats < n; s->n_seats++)
        if (!hd_seat_open(&seats[s->n_seats], s->err))
            return false;
    return true;
}

static void close_seats(supervisor *s) {
    for
        EACH_SEAT(seat, s) {
            if (seat->pid)
                hd_seat_end(seat);
            hd_seat_close(seat);
        }
    end_leftovers(s);
    hd_leftovers_end(&s->leftovers);
    if (s->seen_ways)
        munmap((void *)s->seen_ways, HD_SEEN_WAYS);
}

static bool run(supervisor *s) {
    hd_interrupts before;
    hd_interrupts_begin(&before);
    if (s->options->max_executions > 0)
        s->most_executions = state_of(s)->counters.explore.executions + s->options->max_executions;
    bool ok = run_workers(s) == GOES_ON && end_run(s);
    hd_interrupts_end(&before);
    return ok;
}

bool hd_fleet_work(hd_source *source, const char *module_directory, const hd_run_options *options,
                   const hd_watcher *watcher, char why[128], hd_err *err) {
    double now = hd_clock_now();
    hd_seat seats[HD_MOST_WORKERS];
    supervisor s = {.source = source,
                    .module_directory = module_directory,
                    .options = options,
                    .watcher = watcher,
                    .why = why,
                    .err = err,
                    .started = now,
                    .memory_in_all = hd_memory_in_all(),
                    .deadline = options->max_seconds > 0 ? now + options->max_seconds : 0,
                    .next_progress = now + HD_GLANCE_INTERVAL};
    HD_ASSERT(options->n_workers <= HD_MOST_WORKERS);
    why[0] = '\0';
    bool ok = open_seats(&s, seats) && run(&s);
    close_seats(&s);
    hd_vec_release(&s.troubles);
    return ok;
}

bool hd_fleet_run(hd_record *record, const hd_run_options *options, const hd_watcher *watcher,
                  char why[128], hd_err *err) {
    why[0] = '\0';
    hd_ledger *ledger = hd_ledger_open(record, options, watcher, err);
    if (!ledger)
        return false;
    hd_local_source local = hd_local_source_of(ledger);
    bool ok = hd_fleet_work(&local.source, hd_record_info(record)->module_directory, options,
                            watcher, why, err);
    hd_ledger_close(ledger);
    return ok;
}
