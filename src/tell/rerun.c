/* Running again, and telling what happened. */
#include "tell/rerun.h"

#include "tell/chart.h"
#include "tell/shorten.h"

#include <stdio.h>
#include <string.h>

#define MOST_RUNS    300
#define MOST_RETRIES 1000
#define MOST_EVENTS  500000 /* for one finding: about half a second */

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
    hd_vec_release(&r->decisions);
}

/* The failure that is wanted, or at least one of its kind and place. */
static void show_wanted(hd_rerun *r) {
    uint32_t n;
    const hd_failure *failures = hd_machine_failures(r->machine, &n), *best = NULL;
    uint64_t signature = hd_finding_signature(r->wanted);
    for (uint32_t i = 0; i < n; i++)
        if (!best && hd_finding_is_alike(&failures[i].finding, r->wanted))
            best = &failures[i];
    for (uint32_t i = 0; i < n; i++)
        if (hd_finding_signature(&failures[i].finding) == signature)
            best = &failures[i];
    if (best)
        hd_outcome_show(&r->outcome, best);
}

/* ---- what a run leaves behind ---- */

typedef struct rerun_watch {
    hd_rerun *rerun;
    hd_sink follow;
} rerun_watch;

/* The log is kept of so many events: it has a clock for each of them. */
#define MOST_LOGGED 20000

/* A place for debuggers to stop at (cli/gdb.c). */
__attribute__((noinline)) void hd_rerun_reached(uint64_t event) {
    __asm__ volatile("" : : "r"(event) : "memory");
}

static uint32_t watch_schedule(void *context, hd_threads *t) {
    rerun_watch *w = context;
    hd_rerun *r = w->rerun;
    if (r->until && r->follow.events.n >= r->until) {
        hd_rerun_reached(r->until);
        return HD_SCHEDULE_STOP;
    }
    uint32_t thread = w->follow.schedule(w->follow.context, t);
    if (r->log && thread < HD_MAX_THREADS && r->log->at.n < MOST_LOGGED) {
        r->log->threads = t;
        hd_events_append(r->log, &t->action[thread], t->n);
    }
    return thread;
}

static void watch_branch(void *context, uint32_t site, hd_expr condition, bool taken,
                         hd_branch_kind kind) {
    rerun_watch *w = context;
    hd_rerun *r = w->rerun;
    bool is_choice =
        kind == HD_BRANCH_PROGRAM || kind == HD_BRANCH_EXCHANGE || kind == HD_BRANCH_VALUE;
    hd_rerun_decision d = {condition, site, (uint32_t)r->follow.events.n, taken};
    if (r->graph && is_choice && r->decisions.n < MOST_LOGGED)
        hd_vec_push(&r->decisions, d);
}

static hd_sink watching_sink(rerun_watch *w) {
    return (hd_sink){.context = w, .branch = watch_branch, .schedule = watch_schedule};
}

/* Each time that it must be run again the machine has learned of one more waiting loop. */
static void run_plan(hd_rerun *r) {
    rerun_watch w = {r, hd_follow_sink(&r->follow)};
    hd_sink sink = r->log || r->until ? watching_sink(&w) : w.follow;
    unsigned n = 0;
    do {
        hd_model_copy(&r->model, r->inputs);
        hd_follow_begin(&r->follow);
        hd_vec_clear(&r->decisions);
        if (r->log)
            hd_events_truncate(r->log, 0);
        hd_machine_run(r->machine, &r->model, &sink, &r->outcome);
    } while (r->outcome.end == HD_END_RETRY && ++n < MOST_RETRIES);
    if (r->wanted && r->outcome.end == HD_END_FINDING)
        show_wanted(r);
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

bool hd_rerun_shows_wanted(const hd_rerun *r) {
    return r->outcome.end == HD_END_FINDING && hd_finding_is_alike(&r->outcome.finding, r->wanted);
}

typedef struct rerun_attempt {
    hd_rerun *rerun;
    hd_shortener *shortener;
} rerun_attempt;

static bool try_plan(void *context, hd_follow *f) {
    rerun_attempt *a = context;
    (void)f; /* is the rerun's */
    run_plan(a->rerun);
    if (hd_machine_n_processes(a->rerun->machine) > 1)
        a->shortener->n_needed = a->rerun->outcome.failed_event;
    return hd_rerun_shows_wanted(a->rerun);
}

bool hd_rerun_shorten(hd_rerun *r) {
    rerun_attempt a = {.rerun = r};
    hd_shortener s = {.context = &a,
                      .run = try_plan,
                      .max_runs = MOST_RUNS,
                      .max_events = MOST_EVENTS,
                      .deadline = r->deadline,
                      .follow = &r->follow};
    a.shortener = &s;
    if (!hd_shorten(&s, &r->schedule))
        return false;
    hd_rerun_run(r);
    return hd_rerun_shows_wanted(r);
}

char *hd_rerun_schedule(const hd_rerun *r) {
    hd_text text = {0};
    hd_text_add(&text, "%s", "");
    hd_schedule_print(&r->schedule, &text);
    return text.at;
}

/* ---- telling ---- */

static size_t describe(void *context, uint64_t address, char *out, size_t size) {
    return hd_machine_describe(context, address, out, size);
}

static bool participant(void *context, uint32_t number, hd_participant *out) {
    return hd_machine_participant(context, number, out);
}

static uint32_t process_of(void *context, uint32_t thread) {
    return hd_machine_process_of(context, thread);
}

static bool is_courier(void *context, uint32_t thread) {
    return hd_machine_is_courier(context, thread);
}

hd_storyteller hd_rerun_teller(hd_machine *machine, const hd_image *image) {
    return (hd_storyteller){.sites = image->sites,
                            .n_sites = image->n_sites,
                            .context = machine,
                            .describe = describe,
                            .participant = participant,
                            .process_of = process_of,
                            .is_courier = is_courier,
                            .n_processes = hd_machine_n_processes(machine)};
}

/* The finding in words; NULL for deadlocks: who waits for what is told anyway. */
static char *words_of_end(const hd_outcome *o) {
    const hd_finding *f = &o->finding;
    const char *slash = strrchr(f->file, '/');
    char place[300] = "";
    if (o->end != HD_END_FINDING || f->kind == HD_FINDING_DEADLOCK ||
        f->kind == HD_FINDING_LOST_WAKEUP)
        return NULL;
    if (f->file[0])
        snprintf(place, sizeof place, " at %s:%u", slash ? slash + 1 : f->file, f->line);
    return hd_text_format("%s%s", f->message[0] ? f->message : hd_finding_kind_words(f->kind),
                          place);
}

static void add_end(const hd_outcome *o, const char *failure, hd_text *out) {
    char who[32] = "then";
    if (o->failed_thread && failure)
        hd_story_thread(o->failed_thread - 1, who);
    hd_story_add(out, who, failure ? failure : hd_finding_kind_words(o->finding.kind));
}

/* Others go on after a failure (E5); that is no part of the story. */
static size_t events_told(const hd_rerun *r, size_t n) {
    const hd_outcome *o = &r->outcome;
    bool is_early = o->end == HD_END_FINDING && o->failed_thread;
    return is_early && o->failed_event < n ? o->failed_event : n;
}

static void tell_threads(const hd_storyteller *teller, const hd_tale *tale, hd_text *out) {
    hd_vec(hd_action) told = {0};
    for (size_t i = 0; i < tale->n_told; i++)
        hd_vec_push(&told, tale->events[i]);
    for (size_t i = 0; i < tale->n_waiting; i++)
        hd_vec_push(&told, tale->waiting[i]);
    hd_story_tell(teller, told.at, told.n, tale->n_waiting, out);
    hd_vec_release(&told);
}

void hd_rerun_tale(const hd_rerun *r, hd_tale *tale) {
    const hd_follow *f = &r->follow;
    uint32_t n_faults;
    bool is_by_time = f->seen.n > 0;
    *tale = (hd_tale){.events = is_by_time ? f->seen.at : f->events.at,
                      .n = is_by_time ? f->seen.n : f->events.n,
                      .waiting = f->waiting.at};
    tale->n_told = events_told(r, tale->n);
    tale->faults = hd_machine_faults(r->machine, &n_faults);
    tale->n_faults = n_faults;
    tale->is_over = tale->n_told == tale->n && !r->until;
    tale->failed_thread = r->outcome.failed_thread;
    /* Who waits for a thread that failed does so for that reason only. */
    tale->n_waiting = tale->is_over && !tale->failed_thread ? f->waiting.n : 0;
    tale->failure = words_of_end(&r->outcome);
}

void hd_rerun_tell(const hd_rerun *r, const hd_image *image, hd_text *out) {
    hd_storyteller teller = hd_rerun_teller(r->machine, image);
    hd_tale tale;
    hd_rerun_tale(r, &tale);
    if (teller.n_processes > 1) {
        hd_chart_tell(&teller, &tale, out);
    } else if (tale.n > 0) {
        tell_threads(&teller, &tale, out);
        if (r->outcome.end == HD_END_FINDING)
            add_end(&r->outcome, tale.failure, out);
    }
    free((char *)tale.failure);
}
