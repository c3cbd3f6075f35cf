/* From the events that a rerun noted to steps with words and places of their own. */
#include "tell/trace.h"

#include "base/panic.h"
#include "program/finding.h"

#include <stdlib.h>
#include <string.h>

typedef struct tracing {
    const hd_rerun *r;
    const hd_image *image;
    hd_storyteller teller;
    hd_tale tale;
    bool *races; /* by event */
    hd_trace *out;
} tracing;

/* ---- places ---- */

static char *place_of(const hd_image *image, uint32_t site, uint32_t *line) {
    const hd_site *s = &image->sites[site < image->n_sites ? site : 0];
    bool is_known = s->file && s->file[0] && s->line && !hd_finding_is_model(s->file);
    *line = is_known ? s->line : 0;
    return hd_text_format("%s", is_known ? s->file : "");
}

/* ---- races ---- */

static bool *find_races(const hd_events *log, size_t n) {
    bool *races = calloc(n + 1, sizeof *races);
    if (!races)
        hd_out_of_memory();
    for (size_t i = 0; log && i < log->races.n; i++) {
        const hd_racing *r = &log->races.at[i];
        hd_action pair[2];
        if (r->is_data_race && r->second < n && hd_events_data_race(log, r, pair))
            races[r->first] = races[r->second] = true;
    }
    return races;
}

/* ---- steps ---- */

static unsigned flags_of(const tracing *t, const hd_action *a, const hd_access *object) {
    bool is_memory = hd_kind_is(a->kind, HD_KIND_MEMORY) && object;
    unsigned flags = 0;
    flags |= is_memory && object->mode == HD_MODE_READ ? HD_STEP_READS : 0;
    flags |= is_memory && object->mode != HD_MODE_READ ? HD_STEP_WRITES : 0;
    flags |= a->flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT) ? HD_STEP_FAILED : 0;
    /* Whoever posts a semaphore need not be who waited for it: nobody holds it. */
    bool is_held = !hd_kind_is(a->kind, HD_KIND_COUNTS) && !(flags & HD_STEP_FAILED);
    flags |= is_held && a->flags & HD_ACTION_ACQUIRES ? HD_STEP_ACQUIRES : 0;
    flags |= is_held && a->flags & HD_ACTION_RELEASES ? HD_STEP_RELEASES : 0;
    flags |= t->teller.is_courier(t->teller.context, a->thread) ? HD_STEP_COURIER : 0;
    return flags;
}

/* "'m' (mutex)" without its quotes and what follows them. */
static char *name_object(const tracing *t, const hd_access *object) {
    hd_text name = {0};
    if (object)
        hd_story_object(&t->teller, object->address, &name);
    const char *text = hd_text_string(&name);
    bool is_quoted = text[0] == '\'' && strrchr(text, '\'') > text;
    char *bare = is_quoted ? hd_text_format("%.*s", (int)(strrchr(text, '\'') - text - 1), text + 1)
                           : hd_text_format("%s", text);
    hd_text_release(&name);
    return bare;
}

/* Negative numbers are more common in C than those that need all bits. */
static uint64_t extended(uint64_t value, uint32_t size) {
    unsigned shift = size >= 8 || !size ? 0 : 64 - 8 * size;
    return (uint64_t)((int64_t)(value << shift) >> shift);
}

static hd_trace_step *add_step(tracing *t, const hd_action *a, uint64_t event) {
    const hd_access *object = hd_story_object_of(a);
    hd_text words = {0};
    hd_trace_step s = {.event = event,
                       .thread = a->thread,
                       .process = t->teller.process_of(t->teller.context, a->thread),
                       .flags = flags_of(t, a, object),
                       .value = object ? extended(a->value, object->size) : 0,
                       .object = name_object(t, object)};
    s.has_value = s.flags & (HD_STEP_READS | HD_STEP_WRITES) && object->size <= sizeof s.value;
    s.file = place_of(t->image, a->site, &s.line);
    hd_story_clause(&t->teller, a, &words);
    s.words = words.at ? words.at : hd_text_format("%s", "");
    hd_vec_push(&t->out->steps, s);
    return &t->out->steps.at[t->out->steps.n - 1];
}

/* What threads stand before in the end makes a matter of it too. */
static bool *what_matters(const hd_tale *tale) {
    hd_vec(hd_action) all = {0};
    for (size_t i = 0; i < tale->n; i++)
        hd_vec_push(&all, tale->events[i]);
    for (size_t i = 0; i < tale->n_waiting; i++)
        hd_vec_push(&all, tale->waiting[i]);
    bool *matters = hd_story_what_matters(all.at, all.n);
    hd_vec_release(&all);
    return matters;
}

static const char *name_of_input(void *context, hd_var v) {
    return hd_variables_info(context, v)->name;
}

#define MOST_WORDS 160

/* "(second > 50) does not hold". */
static char *words_of_decision(const hd_rerun *r, const hd_rerun_decision *d) {
    hd_text condition = {0};
    hd_expr_print(r->graph, d->condition, name_of_input, (void *)r->variables, &condition);
    bool is_long = condition.n > MOST_WORDS;
    char *words = hd_text_format("%.*s%s %s", is_long ? MOST_WORDS : (int)condition.n,
                                 hd_text_string(&condition), is_long ? "..." : "",
                                 d->holds ? "holds" : "does not hold");
    hd_text_release(&condition);
    return words;
}

/* Where there are no orders of threads, decisions are all there is. */
static void add_decision(tracing *t, const hd_rerun_decision *d) {
    uint32_t thread = d->event && d->event <= t->tale.n ? t->tale.events[d->event - 1].thread : 0;
    hd_trace_step s = {.thread = thread,
                       .process = t->teller.process_of(t->teller.context, thread),
                       .flags = HD_STEP_DECIDES | (t->tale.n ? 0 : HD_STEP_SHARED),
                       .words = words_of_decision(t->r, d),
                       .object = hd_text_format("%s", "")};
    s.file = place_of(t->image, d->site, &s.line);
    hd_vec_push(&t->out->steps, s);
}

static size_t add_decisions(tracing *t, size_t next, size_t event) {
    for (; next < t->r->decisions.n && t->r->decisions.at[next].event <= event; next++)
        add_decision(t, &t->r->decisions.at[next]);
    return next;
}

static void add_events(tracing *t) {
    bool *matters = what_matters(&t->tale);
    size_t next = 0;
    for (size_t i = 0; i < t->tale.n; i++) {
        next = add_decisions(t, next, i);
        hd_trace_step *s = add_step(t, &t->tale.events[i], i + 1);
        s->flags |= matters && matters[i] ? HD_STEP_SHARED : 0;
        s->flags |= t->races[i] ? HD_STEP_RACES : 0;
    }
    next = add_decisions(t, next, SIZE_MAX);
    free(matters);
    HD_INVARIANT(B1, t->out->steps.n == t->tale.n + next);
}

static void add_waiting(tracing *t) {
    for (size_t i = 0; i < t->tale.n_waiting; i++) {
        hd_trace_step *s = add_step(t, &t->tale.waiting[i], 0);
        s->flags = (s->flags & ~(unsigned)HD_STEP_ACQUIRES) | HD_STEP_WAITS | HD_STEP_SHARED;
    }
}

/* Others may have gone on after it. */
static void put_failure(tracing *t, hd_trace_step s) {
    const hd_outcome *o = &t->r->outcome;
    hd_vec_push(&t->out->steps, s);
    hd_trace_step *steps = t->out->steps.at;
    size_t last = t->out->steps.n - 1, at = last;
    while (o->failed_thread && at && steps[at - 1].event > o->failed_event)
        at--;
    for (; at < last && !steps[at].event; at++) /* decisions before it */
        ;
    if (at >= last)
        return;
    memmove(&steps[at + 1], &steps[at], (last - at) * sizeof *steps);
    steps[at] = s;
}

static void add_failure(tracing *t) {
    const hd_outcome *o = &t->r->outcome;
    if (o->end != HD_END_FINDING)
        return;
    uint32_t thread = o->failed_thread ? o->failed_thread - 1 : 0;
    hd_trace_step s = {
        .thread = thread,
        .process = t->teller.process_of(t->teller.context, thread),
        .flags = HD_STEP_FAILS | HD_STEP_SHARED | (o->failed_thread ? 0 : HD_STEP_ALL),
        .object = hd_text_format("%s", ""),
        .file = hd_text_format("%s", hd_finding_is_model(o->finding.file) ? "" : o->finding.file),
        .line = o->finding.line};
    /* Who waits for what was told by those who do. */
    bool is_told = !t->tale.failure || !o->finding.message[0];
    s.words =
        hd_text_format("%s", is_told ? hd_finding_kind_words(o->finding.kind) : o->finding.message);
    put_failure(t, s);
}

/* ---- lanes ---- */

static void add_lane(hd_trace *out, bool is_process, const char *name, const hd_image *image,
                     uint32_t site) {
    hd_lane lane = {.name = hd_text_format("%s", name)};
    lane.file = place_of(image, site, &lane.line);
    if (is_process)
        hd_vec_push(&out->processes, lane);
    else
        hd_vec_push(&out->threads, lane);
}

static uint32_t count_threads(const hd_trace *t) {
    uint32_t n = 1;
    for (size_t i = 0; i < t->steps.n; i++)
        n = t->steps.at[i].thread >= n ? t->steps.at[i].thread + 1 : n;
    return n;
}

/* The place where each was created, as far as that was an event. */
static uint32_t birth_of(const tracing *t, uint32_t thread) {
    for (size_t i = 0; thread && i < t->tale.n; i++)
        if (hd_kind_is(t->tale.events[i].kind, HD_KIND_BEARS) && t->tale.events[i].detail == thread)
            return t->tale.events[i].site;
    return 0;
}

static void add_lanes(tracing *t) {
    uint32_t n = count_threads(t->out);
    for (uint32_t i = 0; i < n; i++) {
        char name[32];
        add_lane(t->out, false, hd_story_thread(i, name), t->image, birth_of(t, i));
    }
    for (uint32_t p = 0; t->teller.n_processes > 1 && p < t->teller.n_processes; p++) {
        hd_participant who = {0};
        bool is_there = t->teller.participant(t->teller.context, p, &who);
        add_lane(t->out, true, is_there ? who.name : "", t->image, is_there ? who.site : 0);
    }
}

static void add_rows(tracing *t) {
    hd_chart chart = {0};
    if (t->teller.n_processes < 2)
        return;
    hd_chart_make(&t->teller, &t->tale, &chart);
    for (size_t i = 0; i < chart.rows.n; i++) {
        hd_row *r = &chart.rows.at[i];
        hd_chart_step s = {.kind = r->kind,
                           .from = r->from,
                           .to = r->to,
                           .event = r->event,
                           .mark = r->mark ? r->mark : ' ',
                           .words = hd_text_format("%s", r->text ? r->text : "")};
        s.file = place_of(t->image, r->site, &s.line);
        s.sent_file = place_of(t->image, r->sent, &s.sent_line);
        hd_vec_push(&t->out->rows, s);
    }
    hd_chart_release(&chart);
}

void hd_trace_make(const hd_rerun *r, const hd_image *image, hd_trace *trace) {
    tracing t = {r, image, hd_rerun_teller(r->machine, image), {0}, NULL, trace};
    hd_rerun_tale(r, &t.tale);
    t.races = find_races(r->log, t.tale.n);
    add_events(&t);
    add_waiting(&t);
    add_failure(&t);
    add_lanes(&t);
    add_rows(&t);
    trace->is_cut = r->until && r->outcome.end == HD_END_STOPPED;
    free((char *)t.tale.failure);
    free(t.races);
}

/* ---- the rest ---- */

static void release_lane(hd_lane *lane) {
    free(lane->name);
    free(lane->file);
}

void hd_trace_release(hd_trace *t) {
    for (size_t i = 0; i < t->threads.n; i++)
        release_lane(&t->threads.at[i]);
    for (size_t i = 0; i < t->processes.n; i++)
        release_lane(&t->processes.at[i]);
    for (size_t i = 0; i < t->steps.n; i++) {
        free(t->steps.at[i].words);
        free(t->steps.at[i].object);
        free(t->steps.at[i].file);
    }
    for (size_t i = 0; i < t->rows.n; i++) {
        free(t->rows.at[i].words);
        free(t->rows.at[i].file);
        free(t->rows.at[i].sent_file);
    }
    hd_vec_release(&t->threads);
    hd_vec_release(&t->processes);
    hd_vec_release(&t->steps);
    hd_vec_release(&t->rows);
    *t = (hd_trace){0};
}

void hd_trace_name(const hd_trace *t, const hd_trace_step *s, hd_text *out) {
    const char *process = s->process < t->processes.n ? t->processes.at[s->process].name : "";
    if (s->flags & HD_STEP_COURIER)
        hd_text_add(out, "message to %s", process[0] ? process : "main");
    else if (t->processes.n)
        hd_text_add(out, "%s (thread %u)", process, s->thread);
    else
        hd_text_add(out, "%s", t->threads.at[s->thread].name);
}
