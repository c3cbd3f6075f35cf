/* every_schedule.h -- a small program under all schedules, by brute force: the set of findings and
 * exit statuses that come up. */
#ifndef HD_TESTS_EVERY_SCHEDULE_H
#define HD_TESTS_EVERY_SCHEDULE_H
#include "tool/machine_program.h"

#define MAX_EVENTS 256
#define MAX_RUNS   20000

typedef struct every {
    uint8_t chosen[MAX_EVENTS];
    hd_thread_set left[MAX_EVENTS]; /* not tried yet after the same beginning */
    hd_action action[MAX_EVENTS];
    size_t n, n_fixed;
    /* The machine may be told what comes first (hd_sink.script). */
    hd_script script;
    uint64_t lines[MAX_EVENTS];
    uint64_t n_asked, n_told;
} every;

static uint32_t schedule(void *context, hd_threads *threads) {
    every *e = ((program *)context)->schedules;
    if (e->script.n_done > e->n) { /* it has gone so far by itself */
        e->n_told += e->script.n_done - e->n;
        e->n = e->script.n_done;
    }
    hd_thread_set enabled = hd_threads_enabled(threads);
    if (hd_set_is_empty(enabled))
        return HD_SCHEDULE_STUCK;
    assert_true(e->n < MAX_EVENTS);
    if (e->n >= e->n_fixed) {
        e->chosen[e->n] = (uint8_t)hd_set_first(enabled);
        e->left[e->n] = hd_set_without(enabled, hd_set_first(enabled));
    }
    uint32_t next = e->chosen[e->n];
    assert_true(hd_set_has(enabled, next));
    hd_threads_settle(threads, next);
    e->action[e->n] = threads->action[next];
    e->lines[e->n] = hd_script_line(&threads->action[next]);
    e->n++;
    e->n_asked++;
    return next;
}

/* The next schedule in depth-first order; false when there is none. */
static bool advance(every *e) {
    while (e->n > 0 && hd_set_is_empty(e->left[e->n - 1]))
        e->n--;
    if (e->n == 0)
        return false;
    hd_thread_set *left = &e->left[e->n - 1];
    e->chosen[e->n - 1] = (uint8_t)hd_set_first(*left);
    *left = hd_set_without(*left, hd_set_first(*left));
    e->n_fixed = e->n;
    return true;
}

/* What came up: kinds of findings, and exit statuses, as sets. */
typedef struct seen {
    uint64_t findings, statuses;
    uint32_t n_runs;
    uint64_t n_asked, n_told;
    uint64_t hash;      /* of all outcomes, in their order, and of the events before them */
    char message[1024]; /* of the first finding */
} seen;

static void note_outcome(seen *s, const hd_outcome *o) {
    s->n_runs++;
    if (o->end != HD_END_FINDING) {
        s->statuses |= UINT64_C(1) << (o->status & 63);
        return;
    }
    if (!s->findings)
        snprintf(s->message, sizeof s->message, "%s", o->finding.message);
    s->findings |= UINT64_C(1) << o->finding.kind;
}

static void note_trace(seen *s, const every *e, const hd_outcome *o) {
    s->hash = 31 * s->hash +
              (uint64_t)(o->end == HD_END_FINDING ? 1000 + (int)o->finding.kind : o->status);
    for (size_t i = 0; i < e->n; i++)
        s->hash = 31 * s->hash + e->lines[i];
}

/* With `is_told` what an execution has in common with the one before is told beforehand.  With
 * `stranger` every so many executions another one comes between, of which nothing is told. */
static seen run_every_way(program *p, bool is_told, uint32_t stranger) {
    every *e = calloc(1, sizeof *e);
    seen s = {0};
    hd_sink sink = {.context = p,
                    .branch = keep_event,
                    .schedule = schedule,
                    .script = is_told ? &e->script : NULL};
    p->schedules = e;
    do {
        if (stranger && s.n_runs % stranger == stranger - 1)
            hd_machine_run(p->machine, &p->model, &(hd_sink){.context = p, .branch = keep_event},
                           &p->outcome);
        e->script = (hd_script){.at = e->lines, .n = e->n_fixed ? (uint32_t)e->n_fixed - 1 : 0};
        e->n = 0;
        p->n_events = 0;
        hd_machine_run(p->machine, &p->model, &sink, &p->outcome);
        if (e->script.n_done > e->n)
            e->n = e->script.n_done;
        note_outcome(&s, &p->outcome);
        note_trace(&s, e, &p->outcome);
    } while (advance(e) && s.n_runs < MAX_RUNS);
    assert_true(s.n_runs < MAX_RUNS);
    s.n_asked = e->n_asked;
    s.n_told = e->n_told;
    free(e);
    return s;
}

static seen run_every(program *p) {
    return run_every_way(p, false, 0);
}

#define F(kind)   (UINT64_C(1) << HD_FINDING_##kind)
#define S(status) (UINT64_C(1) << (status))

/* Several programs in one text, "static int caseN(void)": inputs choose which. */
typedef struct case_of {
    const char *what;
    uint64_t findings, statuses;
} case_of;

/* Every case under every schedule, twice: the reset forgets everything. */
TEST_HELPER void check_cases(const char *text, const case_of *cases, uint32_t n) {
    program *p = open_program(text, NULL);
    hd_model first = {0};
    run_every(p); /* the input has a name then */
    hd_var which = find_variable(p, "which");
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < n; i++) {
            hd_model_copy(&p->model, &first);
            hd_model_set(&p->model, which, i);
            seen s = run_every(p);
            if (s.findings != cases[i].findings || s.statuses != cases[i].statuses)
                fail_msg("%s: findings %#lx, statuses %#lx, expected %#lx, %#lx; %s", cases[i].what,
                         s.findings, s.statuses, cases[i].findings, cases[i].statuses, s.message);
        }
    hd_model_release(&first);
    close_program(p);
}
#endif
