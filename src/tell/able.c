/* A sink that notes, before it lets the schedule's own sink choose, who could be chosen.  Sets are
 * text at once: those of many threads are entries of a table that is collected (base/set.h). */
#include "tell/able.h"

#include "base/panic.h"

#include <string.h>

#define MOST_EVENTS  20000
#define MOST_RETRIES 1000 /* each time the machine has learned something (rerun.c) */

typedef struct able_watch {
    hd_sink follow;
    hd_text set, last; /* before this event, and before the one before it */
    size_t n_last;     /* how often `last` came in a row */
    size_t n_events;
    hd_text out;
} able_watch;

static void print_set(hd_thread_set set, hd_text *out) {
    uint32_t thread, first = 0, end = 0; /* of a range; it is empty at first */
    hd_text_clear(out);
    HD_SET_EACH(thread, set) {
        if (thread == end && end > first) {
            end++;
            continue;
        }
        if (end > first + 1)
            hd_text_add(out, "-%u", end - 1);
        hd_text_add(out, "%s%u", out->n ? "," : "", thread);
        first = thread, end = thread + 1;
    }
    if (end > first + 1)
        hd_text_add(out, "-%u", end - 1);
}

static void end_row(able_watch *w) {
    if (!w->n_last)
        return;
    hd_text_add(&w->out, "%s%s", w->out.n ? " " : "", hd_text_string(&w->last));
    if (w->n_last > 1)
        hd_text_add(&w->out, "*%zu", w->n_last);
    w->n_last = 0;
}

static void note(able_watch *w, hd_thread_set able) {
    print_set(able, &w->set);
    if (w->n_last && strcmp(hd_text_string(&w->set), hd_text_string(&w->last)) == 0) {
        w->n_last++;
        return;
    }
    end_row(w);
    hd_text last = w->last;
    w->last = w->set;
    w->set = last;
    w->n_last = 1;
}

static uint32_t schedule(void *context, hd_threads *t) {
    able_watch *w = context;
    hd_thread_set able = hd_threads_enabled(t);
    if (w->n_events++ < MOST_EVENTS && !hd_set_is_empty(able))
        note(w, able);
    return w->follow.schedule(w->follow.context, t);
}

static void ignore_branch(void *context, uint32_t site, hd_expr condition, bool taken,
                          hd_branch_kind kind) {
    (void)context, (void)site, (void)condition, (void)taken, (void)kind;
}

static void begin(able_watch *w, hd_follow *f) {
    hd_follow_begin(f);
    hd_text_clear(&w->out);
    w->n_last = w->n_events = 0;
}

bool hd_able_run(hd_machine *machine, const hd_model *inputs, const char *text, hd_text *out) {
    hd_follow f = {0};
    hd_model model = {0};
    hd_outcome outcome = {0};
    able_watch w = {.follow = hd_follow_sink(&f)};
    hd_sink sink = {.context = &w, .branch = ignore_branch, .schedule = schedule};
    bool can_be_read = hd_schedule_parse(text, &f.plan);
    for (unsigned n = 0; can_be_read && n < MOST_RETRIES; n++) {
        begin(&w, &f);
        hd_model_copy(&model, inputs);
        hd_machine_run(machine, &model, &sink, &outcome);
        if (outcome.end != HD_END_RETRY)
            break;
    }
    end_row(&w);
    bool is_whole = can_be_read && outcome.end != HD_END_RETRY && !f.strayed &&
                    f.next == f.plan.n && w.n_events <= MOST_EVENTS;
    HD_ASSERT(!is_whole || f.n_followed == f.plan.n);
    if (is_whole)
        hd_text_add(out, "%s", hd_text_string(&w.out));
    hd_text_release(&w.out);
    hd_text_release(&w.set);
    hd_text_release(&w.last);
    hd_model_release(&model);
    hd_follow_release(&f);
    return is_whole;
}
