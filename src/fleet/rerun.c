/* Running again, and telling what happened. */
#include "fleet/rerun.h"

#include "fleet/shorten.h"

#include <stdio.h>
#include <string.h>

#define MOST_RUNS    300
#define MOST_RETRIES 1000
#define MOST_SECONDS 0.5 /* for one finding */

hd_rerun hd_rerun_of(hd_machine *machine, const hd_model *inputs, const char *schedule) {
    hd_rerun r = {.machine = machine, .inputs = inputs};
    if (!hd_schedule_parse(schedule ? schedule : "", &r.schedule))
        hd_vec_clear(&r.schedule);
    return r;
}

void hd_rerun_release(hd_rerun *r) {
    hd_vec_release(&r->schedule);
    hd_model_release(&r->model);
    hd_follow_release(&r->follow);
}

/* Each time that it must be run again the machine has learned of one more waiting loop. */
static void run_plan(hd_rerun *r) {
    hd_sink sink = hd_follow_sink(&r->follow);
    unsigned n = 0;
    do {
        hd_model_copy(&r->model, r->inputs);
        hd_follow_begin(&r->follow);
        hd_machine_run(r->machine, &r->model, &sink, &r->outcome);
    } while (r->outcome.end == HD_END_RETRY && ++n < MOST_RETRIES);
}

/* What was executed is a schedule that can be followed to its end. */
static void take_executed(hd_rerun *r) {
    hd_vec_clear(&r->schedule);
    for (size_t i = 0; i < r->follow.events.n; i++)
        hd_vec_push(&r->schedule, r->follow.events.at[i].thread);
}

void hd_rerun_run(hd_rerun *r) {
    hd_vec_clear(&r->follow.plan);
    for (size_t i = 0; i < r->schedule.n; i++)
        hd_vec_push(&r->follow.plan, r->schedule.at[i]);
    run_plan(r);
    take_executed(r);
}

bool hd_outcome_is_alike(const hd_outcome *a, const hd_outcome *b) {
    const hd_finding *x = &a->finding, *y = &b->finding;
    if (a->end != HD_END_FINDING || b->end != HD_END_FINDING || x->kind != y->kind)
        return false;
    if (x->n_stack && y->n_stack)
        return x->stack[0] == y->stack[0];
    return x->line == y->line && strcmp(x->file, y->file) == 0;
}

typedef struct wish {
    hd_rerun *rerun;
    const hd_outcome *wanted;
} wish;

static bool shows_wanted(void *context, hd_follow *f) {
    wish *w = context;
    (void)f; /* is the rerun's */
    run_plan(w->rerun);
    return hd_outcome_is_alike(&w->rerun->outcome, w->wanted);
}

bool hd_rerun_shorten(hd_rerun *r, const hd_outcome *wanted) {
    wish w = {r, wanted};
    hd_shortener s = {.context = &w,
                      .run = shows_wanted,
                      .max_runs = MOST_RUNS,
                      .max_seconds = MOST_SECONDS,
                      .follow = &r->follow};
    if (!hd_shorten(&s, &r->schedule))
        return false;
    hd_rerun_run(r);
    return hd_outcome_is_alike(&r->outcome, wanted);
}

char *hd_rerun_schedule(const hd_rerun *r) {
    hd_text text = {0};
    hd_text_add(&text, "%s", "");
    hd_schedule_print(&r->schedule, &text);
    return text.at;
}

/* ---- telling ---- */

static void describe(void *context, uint64_t address, char *out, size_t size) {
    hd_machine_describe(context, address, out, size);
}

hd_storyteller hd_rerun_teller(hd_machine *machine, const hd_image *image) {
    return (hd_storyteller){image->sites, image->n_sites, machine, describe};
}

static void add_end(const hd_outcome *o, hd_text *out) {
    char who[32] = "then", place[300] = "";
    const hd_finding *f = &o->finding;
    if (f->kind == HD_FINDING_DEADLOCK) { /* who waits for what was just told */
        hd_story_add(out, who, hd_finding_kind_words(f->kind));
        return;
    }
    if (o->failed_thread)
        hd_story_thread(o->failed_thread - 1, who);
    const char *slash = strrchr(f->file, '/');
    if (f->file[0])
        snprintf(place, sizeof place, " at %s:%u", slash ? slash + 1 : f->file, f->line);
    char *what =
        hd_text_format("%s%s", f->message[0] ? f->message : hd_finding_kind_words(f->kind), place);
    hd_story_add(out, who, what);
    free(what);
}

/* Others go on after a failure (E5); that is no part of the story. */
static size_t events_told(const hd_rerun *r) {
    const hd_outcome *o = &r->outcome;
    bool is_early = o->end == HD_END_FINDING && o->failed_thread;
    return is_early && o->failed_event < r->follow.events.n ? o->failed_event : r->follow.events.n;
}

void hd_rerun_tell(const hd_rerun *r, const hd_image *image, hd_text *out) {
    hd_storyteller teller = hd_rerun_teller(r->machine, image);
    size_t n = events_told(r), n_waiting = n < r->follow.events.n ? 0 : r->follow.waiting.n;
    hd_vec(hd_action) told = {0};
    if (r->follow.events.n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        hd_vec_push(&told, r->follow.events.at[i]);
    for (size_t i = 0; i < n_waiting; i++)
        hd_vec_push(&told, r->follow.waiting.at[i]);
    hd_story_tell(&teller, told.at, told.n, n_waiting, out);
    hd_vec_release(&told);
    if (r->outcome.end == HD_END_FINDING)
        add_end(&r->outcome, out);
}
