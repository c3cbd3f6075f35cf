/* Schedules as text, and the sink that follows one.
 *
 * A plan need not fit: a schedule that was made shorter by guessing names threads that are
 * not able to go on.  What cannot be done is left out, the rest of the plan is followed, and
 * what really happened is noted, so that the notes are a schedule that fits. */
#include "explore/follow.h"

#include "base/panic.h"

#include <string.h>

#define LONG_RUN   1000 /* events */
#define LOOK_EVERY 7    /* events: prime, so that it is another place of a loop each time */

#define MOST_EVENTS ((size_t)1 << 26) /* of a schedule in a file that may be damaged */

static bool parse_number(const char **at, size_t limit, size_t *number) {
    if (**at < '0' || **at > '9')
        return false;
    for (*number = 0; **at >= '0' && **at <= '9'; (*at)++) {
        *number = *number * 10 + (size_t)(**at - '0');
        if (*number > limit)
            return false;
    }
    return true;
}

static bool parse_run(const char **at, hd_schedule *out) {
    size_t thread, n = 1;
    if (!parse_number(at, HD_MAX_THREADS - 1, &thread))
        return false;
    if (**at == '*') {
        (*at)++;
        if (!parse_number(at, MOST_EVENTS - out->n, &n) || n == 0)
            return false;
    }
    HD_ASSERT(thread < HD_MAX_THREADS && n > 0);
    hd_vec_reserve(out, out->n + n);
    for (size_t end = out->n + n; out->n < end;)
        out->at[out->n++] = (uint16_t)thread;
    return out->n <= MOST_EVENTS;
}

bool hd_schedule_parse(const char *text, hd_schedule *out) {
    hd_vec_clear(out);
    while (*text) {
        if (!parse_run(&text, out) || (*text && *text != ' '))
            return false;
        text += *text == ' ';
    }
    return true;
}

void hd_schedule_print(const hd_schedule *s, hd_text *out) {
    for (size_t i = 0, n; i < s->n; i += n) {
        for (n = 1; i + n < s->n && s->at[i + n] == s->at[i]; n++)
            ;
        hd_text_add(out, "%s%u", i ? " " : "", s->at[i]);
        if (n > 1)
            hd_text_add(out, "*%zu", n);
    }
}

void hd_follow_begin(hd_follow *f) {
    f->next = f->n_followed = 0;
    f->strayed = false;
    f->n_preemptions = 0;
    hd_vec_clear(&f->events);
    hd_vec_clear(&f->waiting);
    hd_vec_clear(&f->seen);
}

void hd_follow_release(hd_follow *f) {
    hd_vec_release(&f->plan);
    hd_vec_release(&f->events);
    hd_vec_release(&f->waiting);
    hd_vec_release(&f->seen);
}

/* The plan's next thread that is able to go on; what it wanted in between is given up. */
static bool take_planned(hd_follow *f, hd_thread_set enabled, uint32_t *thread) {
    while (f->next < f->plan.n) {
        *thread = f->plan.at[f->next++];
        if (hd_set_has(enabled, *thread)) {
            f->n_followed += !f->strayed;
            HD_ASSERT(f->n_followed <= f->next && (f->strayed || f->n_followed == f->next));
            return true;
        }
        f->strayed = true;
    }
    return false;
}

/* A thread that has had many turns in a row gives way: it may wait for another in a loop. */
static bool has_run_long(const hd_follow *f, uint32_t thread) {
    size_t n = f->events.n;
    if (n < LONG_RUN || n % LOOK_EVERY)
        return false;
    for (size_t e = n - LONG_RUN; e < n; e++)
        if (f->events.at[e].thread != thread)
            return false;
    return true;
}

static uint32_t choose(hd_follow *f, const hd_threads *t, hd_thread_set enabled) {
    uint32_t thread;
    if (take_planned(f, enabled, &thread))
        return thread;
    hd_thread_set others = hd_set_without(enabled, t->current);
    if (!hd_set_is_empty(others) && has_run_long(f, t->current))
        return hd_set_first(others);
    return hd_set_has(enabled, t->current) ? t->current : hd_set_first(enabled);
}

static void note_waiting(hd_follow *f, const hd_threads *t) {
    uint32_t i;
    HD_SET_EACH(i, t->alive)
    hd_vec_push(&f->waiting, t->action[i]);
}

static uint32_t follow(void *context, hd_threads *t) {
    hd_follow *f = context;
    hd_thread_set enabled = hd_threads_enabled(t);
    if (hd_set_is_empty(enabled)) {
        note_waiting(f, t);
        return HD_SCHEDULE_STUCK;
    }
    uint32_t thread = choose(f, t, enabled);
    HD_ASSERT(hd_set_has(enabled, thread));
    hd_threads_settle(t, thread);
    f->n_preemptions += thread != t->current && hd_set_has(enabled, t->current);
    hd_vec_push(&f->events, t->action[thread]);
    HD_ASSERT(f->n_preemptions <= f->events.n && f->events.at[f->events.n - 1].thread == thread);
    return thread;
}

/* Time goes on for very long where nothing is found; no story has so many rows. */
#define MOST_SEEN ((size_t)1 << 20)

static void see(void *context, const hd_threads *t, const hd_action *a) {
    hd_follow *f = context;
    if (!a)
        note_waiting(f, t);
    else if (f->seen.n < MOST_SEEN)
        hd_vec_push(&f->seen, *a);
}

static void ignore_branch(void *context, uint32_t site, hd_expr condition, bool taken,
                          hd_branch_kind kind) {
    (void)context, (void)site, (void)condition, (void)taken, (void)kind;
}

hd_sink hd_follow_sink(hd_follow *f) {
    return (hd_sink){.context = f, .branch = ignore_branch, .schedule = follow, .see = see};
}
