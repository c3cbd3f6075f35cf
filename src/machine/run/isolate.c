/* An execution in a forked child, for programs that call code with state of its own.
 *
 * Graph and variables are shared with the child (expr.h, variables.h), so their ids mean the
 * same on both sides.  The child writes its decisions, its model and its outcome to shared
 * memory as it goes; the parent replays the decisions into the sink when the child is gone,
 * however it went.
 *
 * With threads the child asks its own copy of the sink who goes next, and notes every question:
 * who stood before what, who was able to go on, and the answer.  The parent asks the original
 * the same questions afterwards, with a copy of the threads that answers from the notes. */
#include "confine/confine.h"
#include "machine/core/parts.h"
#include "machine/libc/standard_input.h"
#include "machine/tasks/process.h"

#include "base/clock.h"
#include "base/reserve.h"
#include "base/set.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_EVENTS    (UINT64_C(1) << 26)
#define MAX_VARIABLES (UINT32_C(1) << 26)
#define MAX_QUESTIONS (UINT64_C(1) << 24)
#define MAX_STANDING  (UINT64_C(1) << 27) /* threads in all questions */
#define MAX_INNER     (UINT64_C(1) << 22) /* atomic sections */
#define QUESTION      UINT8_MAX           /* kind of an event that is a question */
#define PATIENCE      60    /* seconds of processor time that a child may take, or wait */
#define LEAST_SHARE   0.001 /* of a processor: who gets less does not want it */

/* One call of hd_sink.schedule.  What the threads stood before is in `standing` from `first` on,
 * in order of their indices: before the call, then after it. */
typedef struct question {
    hd_thread_set alive, enabled;
    uint64_t first;
    uint32_t n, current, answer;
    hd_expr content; /* hd_threads_content of the answer */
    uint32_t inner;  /* 1 + which of `inner` the threads had; 0 = none */
} question;

/* Bytes, in the order in which parts left them. */
struct hd_box {
    uint8_t *bytes;
    uint64_t n, at; /* at: those before were taken */
};

struct hd_shared {
    bool is_done;
    bool has_left;  /* by exit(): external code may call it */
    bool left_many; /* so did other processes of the program, which is not what exit() does */
    uint64_t n_questions, n_standing;
    question *questions;
    hd_action *standing;
    uint32_t n_inner;
    hd_inner *inner, last_inner;
    uint16_t process[HD_MAX_THREADS]; /* of threads */
    uint64_t n_events;
    uint32_t n_inputs;
    hd_outcome outcome;
    hd_model model; /* its arrays are shared too */
    hd_event *events;
    hd_var *inputs;
    struct hd_box box; /* what parts leave, at the end */
};

#define EVENTS_SIZE    (MAX_EVENTS * sizeof(hd_event))
#define VALUES_SIZE    (MAX_VARIABLES * sizeof(uint64_t))
#define BOX_SIZE       (UINT64_C(1) << 30)
#define INPUTS_SIZE    (MAX_VARIABLES * sizeof(hd_var))
#define QUESTIONS_SIZE (MAX_QUESTIONS * sizeof(question))
#define STANDING_SIZE  (MAX_STANDING * sizeof(hd_action))
#define INNER_SIZE     (MAX_INNER * sizeof(hd_inner))

/* The counters of the image become shared memory, so that nothing needs copying. */
static bool share_coverage(hd_machine *m, hd_err *err) {
    uint64_t first = (uint64_t)m->image->coverage & ~(HD_PAGE - 1);
    uint64_t end =
        ((uint64_t)m->image->coverage + HD_COVERAGE_BYTES(m->image) + HD_PAGE - 1) & ~(HD_PAGE - 1);
    if (first == end)
        return true;
    void *at = mmap((void *)first, end - first, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return at != MAP_FAILED || hd_err_set(err, "cannot share memory: %s", strerror(errno));
}

bool hd_isolate_init(hd_machine *m, hd_err *err) {
    HD_ASSERT(!m->isolation.shared);
    hd_shared *s = hd_reserve_new(sizeof *s, true);
    s->events = hd_reserve_new(EVENTS_SIZE, true);
    s->inputs = hd_reserve_new(INPUTS_SIZE, true);
    s->box.bytes = hd_reserve_new(BOX_SIZE, true);
    if (m->may.create) {
        s->questions = hd_reserve_new(QUESTIONS_SIZE, true);
        s->standing = hd_reserve_new(STANDING_SIZE, true);
        s->inner = hd_reserve_new(INNER_SIZE, true);
    }
    s->model = (hd_model){.value = hd_reserve_new(VALUES_SIZE, true),
                          .known = hd_reserve_new(MAX_VARIABLES, true),
                          .capacity = MAX_VARIABLES};
    m->isolation.shared = s;
    return share_coverage(m, err);
}

void hd_isolate_release(hd_machine *m) {
    hd_shared *s = m->isolation.shared;
    free(m->isolation.mirror);
    m->isolation.mirror = NULL;
    if (!s)
        return;
    hd_reserve_free(s->model.value, VALUES_SIZE);
    hd_reserve_free(s->model.known, MAX_VARIABLES);
    hd_reserve_free(s->events, EVENTS_SIZE);
    hd_reserve_free(s->inputs, INPUTS_SIZE);
    hd_reserve_free(s->box.bytes, BOX_SIZE);
    if (m->may.create) {
        hd_reserve_free(s->questions, QUESTIONS_SIZE);
        hd_reserve_free(s->standing, STANDING_SIZE);
        hd_reserve_free(s->inner, INNER_SIZE);
    }
    hd_reserve_free(s, sizeof *s);
    m->isolation.shared = NULL;
}

/* ---- what goes from one to the other ---- */

void hd_box_put(hd_box *b, const void *at, size_t n) {
    HD_ASSERT(b->n <= BOX_SIZE);
    if (n > BOX_SIZE - b->n)
        hd_out_of_memory();
    if (n)
        memcpy(b->bytes + b->n, at, n);
    b->n += n;
}

void hd_box_take(hd_box *b, void *at, size_t n) {
    HD_ASSERT(b->at <= b->n);
    HD_ASSERT(n <= b->n - b->at);
    if (n)
        memcpy(at, b->bytes + b->at, n);
    b->at += n;
}

void hd_box_put_map(hd_box *b, const hd_map *map) {
    hd_box_put(b, &map->n, sizeof map->n);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->keys[i] != HD_MAP_EMPTY) {
            hd_box_put(b, &map->keys[i], sizeof map->keys[i]);
            hd_box_put(b, &map->values[i], sizeof map->values[i]);
        }
}

void hd_box_take_map(hd_box *b, hd_map *map) {
    size_t n;
    uint64_t key, value;
    hd_box_take(b, &n, sizeof n);
    for (size_t i = 0; i < n; i++) {
        hd_box_take(b, &key, sizeof key);
        hd_box_take(b, &value, sizeof value);
        hd_map_put(map, key, value);
    }
}

/* ---- the child ---- */

static void copy_inputs(hd_machine *m) {
    hd_shared *s = m->isolation.shared;
    HD_ASSERT(s->n_inputs <= m->input.used.n && m->input.used.n <= MAX_VARIABLES);
    for (; s->n_inputs < m->input.used.n; s->n_inputs++)
        s->inputs[s->n_inputs] = m->input.used.at[s->n_inputs];
}

/* The sink of the child: notes everything, and asks its copy of the real one. */
typedef struct notes {
    hd_machine *m;
    const hd_sink *real;
} notes;

static void add_event(hd_shared *s, hd_event e) {
    if (s->n_events == MAX_EVENTS)
        hd_out_of_memory();
    s->events[s->n_events] = e;
    s->n_events++;
}

static void keep_event(void *context, uint32_t site, hd_expr condition, bool taken,
                       hd_branch_kind kind) {
    notes *n = context;
    add_event(n->m->isolation.shared,
              (hd_event){site, condition, taken, (uint8_t)kind, n->m->threads.spent_since});
    copy_inputs(n->m);
    if (n->m->may.create && n->real->schedule) /* what it chooses depends on this too */
        n->real->branch(n->real->context, site, condition, taken, kind);
}

static void add_standing(hd_shared *s, const hd_threads *t) {
    uint32_t thread;
    HD_SET_EACH(thread, t->alive) {
        if (s->n_standing == MAX_STANDING)
            hd_out_of_memory();
        s->standing[s->n_standing++] = t->action[thread];
    }
}

static uint32_t add_inner(hd_shared *s, const hd_threads *t) {
    if (!t->inner.n)
        return 0;
    if (s->n_inner == MAX_INNER)
        hd_out_of_memory();
    s->inner[s->n_inner++] = t->inner;
    return s->n_inner;
}

static uint32_t keep_question(void *context, hd_threads *t) {
    notes *n = context;
    hd_shared *s = n->m->isolation.shared;
    if (s->n_questions == MAX_QUESTIONS)
        hd_out_of_memory();
    question *q = &s->questions[s->n_questions++];
    *q = (question){.alive = t->alive,
                    .enabled = hd_threads_enabled(t),
                    .first = s->n_standing,
                    .n = t->n,
                    .current = t->current,
                    .inner = add_inner(s, t)};
    memcpy(s->process, t->process, t->n * sizeof *s->process);
    add_standing(s, t);
    q->answer = n->real->schedule(n->real->context, t);
    add_standing(s, t);
    HD_ASSERT(s->n_standing - q->first == UINT64_C(2) * hd_set_count(q->alive));
    HD_ASSERT(q->answer >= HD_MAX_THREADS || hd_set_has(q->alive, q->answer));
    q->content = q->answer < HD_MAX_THREADS ? hd_threads_content(t, q->answer) : HD_NONE;
    add_event(s, (hd_event){.kind = QUESTION});
    return q->answer;
}

static void keep_results(hd_machine *m) {
    hd_shared *s = m->isolation.shared;
    copy_inputs(m);
    memcpy(s->process, m->threads.process, m->threads.n * sizeof *s->process);
    s->last_inner = m->threads.inner;
    hd_parts_leave(m, &s->box);
    HD_ASSERT(!s->is_done && s->box.at == 0);
    s->is_done = true;
}

#define HIGH 901 /* descriptors of ours: far from those that external code gets */
static int nothing = -1;

/* A process that is confined opens nothing to write (confine/confine.h). */
void hd_isolate_prepare(void) {
    int low = nothing < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : -1;
    if (low < 0)
        return;
    nothing = fcntl(low, F_DUPFD_CLOEXEC, HIGH);
    close(low);
}

/* What the program reads and prints itself must not disturb the user's terminal. */
static void hide_terminal(void) {
    hd_standard_input_keep();
    hd_isolate_prepare();
    for (int i = 0; i <= 2 && nothing >= 0; i++)
        dup2(nothing, i);
}

static const hd_machine *of_child;

static void note_exit(void) {
    of_child->isolation.shared->has_left = true;
    of_child->isolation.shared->left_many = of_child->processes && of_child->processes->were_many;
}

/* A child that has had next to no processor time since the last look waits for something.  One that
 * only waits for a processor, because others use it, gets more than that. */
static void look_at_wait(int number) {
    static double before;
    double now = hd_clock_cpu_of(0);
    if (now - before < PATIENCE * LEAST_SHARE) {
        signal(number, SIG_DFL);
        raise(number);
    }
    before = now;
    alarm(PATIENCE);
}

/* SIGPROF ends it after so much processor time, SIGALRM when it has waited for so long (T1 of
 * base/clock.h). */
static void limit_time(void) {
    struct itimerval patience = {.it_value = {.tv_sec = PATIENCE}};
    struct sigaction look = {.sa_handler = look_at_wait, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigaction(SIGALRM, &look, NULL);
    signal(SIGPROF, SIG_DFL);
    setitimer(ITIMER_PROF, &patience, NULL);
    alarm(PATIENCE);
}

static _Noreturn void run_child(hd_machine *m, const hd_sink *real) {
    hd_shared *s = m->isolation.shared;
    notes n = {m, real};
    hd_sink sink = {.context = &n,
                    .branch = keep_event,
                    .learns = real->learns,
                    .schedule = m->may.create && real->schedule ? keep_question : NULL};
    if (!m->options.show_output)
        hide_terminal();
    if (!hd_confine_child())
        HD_BUG("cannot confine a child: %s", strerror(errno));
    of_child = m;
    atexit(note_exit);
    limit_time();
    hd_run_here(m, &s->model, &sink, &s->outcome);
    keep_results(m);
    if (m->options.show_output)
        fflush(NULL);
    _exit(0);
}

/* ---- the parent ---- */

static void lend_model(hd_shared *s, const hd_model *model) {
    if (s->model.n)
        memset(s->model.known, 0, s->model.n);
    s->model.n = 0;
    hd_model_copy(&s->model, model);
}

static void begin_shared(hd_shared *s, const hd_model *model) {
    s->is_done = s->has_left = s->left_many = false;
    s->n_events = s->n_questions = s->n_standing = s->n_inner = 0;
    s->last_inner.n = 0;
    s->n_inputs = 0;
    s->box.n = s->box.at = 0;
    memset(&s->outcome, 0, sizeof s->outcome);
    lend_model(s, model);
}

/* A child that left no outcome: it was killed, or external code called exit.  One that ends with a
 * status in another way, as sanitizers do after a report, was not the program's end.  Who kills, the kernel or the
 * supervisor (fleet/appetite.h), does it for lack of memory. */
static void judge_death(hd_machine *m, int status, const struct rusage *used, hd_outcome *o) {
    HD_ASSERT(!m->isolation.shared->is_done && (WIFEXITED(status) || WIFSIGNALED(status)));
    *o = (hd_outcome){.n_inputs = m->isolation.shared->n_inputs};
    if (WIFEXITED(status) && m->isolation.shared->has_left) {
        o->end = HD_END_EXIT;
        o->status = WEXITSTATUS(status);
    } else if (WIFEXITED(status)) {
        o->end = HD_END_FINDING;
        o->status = WEXITSTATUS(status);
        o->finding.kind = HD_FINDING_LOST_WORKER;
        snprintf(o->finding.message, sizeof o->finding.message,
                 "the process of this execution ended with status %d, and not by exit()",
                 WEXITSTATUS(status));
    } else {
        int signal = WTERMSIG(status);
        o->end = HD_END_FINDING;
        o->status = signal;
        o->finding.kind = signal == SIGABRT ? HD_FINDING_LOST_WORKER : HD_FINDING_SIGNAL;
        if (signal == SIGPROF)
            snprintf(o->finding.message, sizeof o->finding.message,
                     "no end within %d seconds of processor time, probably in external code",
                     PATIENCE);
        else if (signal == SIGALRM)
            snprintf(o->finding.message, sizeof o->finding.message,
                     "it has waited for %d seconds, in external code", PATIENCE);
        else if (signal == SIGKILL)
            snprintf(o->finding.message, sizeof o->finding.message,
                     "the process of this execution was killed; it had %.1f GB of memory",
                     (double)used->ru_maxrss * 1024 / 1e9);
        else
            snprintf(o->finding.message, sizeof o->finding.message,
                     "the process of this execution died of signal %d (%s)", signal,
                     strsignal(signal));
    }
    uint64_t h = 0;
    for (uint64_t i = 0; i < m->isolation.shared->n_events; i++)
        h = hd_hash_add(h, (uint64_t)m->isolation.shared->events[i].site << 1 |
                               m->isolation.shared->events[i].taken);
    o->trace_hash = hd_hash_add(h, (uint64_t)o->status << 8 | o->finding.kind);
}

/* All that a child left that did not come to its end are its inputs. */
static void take_results(hd_machine *m) {
    hd_shared *s = m->isolation.shared;
    hd_parts_clear(m);
    for (uint32_t i = 0; i < s->n_inputs; i++)
        hd_vec_push(&m->input.used, s->inputs[i]);
    if (!s->is_done)
        return;
    hd_parts_take(m, &s->box);
    HD_ASSERT(s->box.at == s->box.n);
}

/* ---- the same questions again ---- */

/* The threads of the child as they were at question `q`. */
struct hd_mirror {
    hd_threads threads; /* first: what its functions get is this */
    const hd_shared *shared;
    const question *q;
};
typedef struct hd_mirror mirror;

/* What a thread stood before at the question, before (0) or after (1) the answer. */
static const hd_action *noted_action(const mirror *r, uint32_t thread, unsigned after) {
    HD_CHECK(after <= 1 && hd_set_has(r->q->alive, thread));
    uint32_t n = hd_set_count(r->q->alive), rank = hd_set_rank(r->q->alive, thread);
    return &r->shared->standing[r->q->first + after * n + rank];
}

static hd_thread_set noted_enabled(hd_threads *t) {
    return ((mirror *)t)->q->enabled;
}

static void settle_as_noted(hd_threads *t, uint32_t thread) {
    t->action[thread] = *noted_action((mirror *)t, thread, 1);
}

static uint32_t noted_content(hd_threads *t, uint32_t thread) {
    const question *q = ((mirror *)t)->q;
    return thread == q->answer ? q->content : HD_NONE;
}

static void ask_again(mirror *r, const hd_sink *sink) {
    hd_threads *t = &r->threads;
    t->alive = r->q->alive;
    HD_ASSERT(r->q->inner <= r->shared->n_inner);
    t->n = r->q->n;
    t->current = r->q->current;
    if (r->q->inner)
        t->inner = r->shared->inner[r->q->inner - 1];
    uint32_t thread;
    HD_SET_EACH(thread, t->alive) {
        t->action[thread] = *noted_action(r, thread, 0);
        t->action[thread].value = noted_action(r, thread, 1)->value;
    }
    uint32_t answer = sink->schedule(sink->context, t);
    HD_ASSERT(answer == r->q->answer);
}

static void repeat_decision(hd_threads *t, const hd_sink *sink, const hd_event *e) {
    t->spent_since = e->since;
    sink->branch(sink->context, e->site, e->condition, e->taken, e->kind);
}

/* The sink may look at the threads after the execution too. */
static void repeat_events(hd_machine *m, const hd_sink *sink) {
    const hd_shared *s = m->isolation.shared;
    if (!m->isolation.mirror && !(m->isolation.mirror = calloc(1, sizeof *m->isolation.mirror)))
        hd_out_of_memory();
    mirror *r = m->isolation.mirror;
    r->shared = s;
    r->q = s->questions;
    hd_threads *t = &r->threads; /* actions are those of questions */
    t->alive = HD_SET_EMPTY;
    t->n = t->current = 0;
    t->inner.n = 0;
    t->enabled = noted_enabled;
    t->settle = settle_as_noted;
    t->content = noted_content;
    t->goes_round = hd_spin_goes_round;
    t->machine = m;
    t->is_elsewhere = t->may_spin = true;
    memcpy(t->process, s->process, sizeof s->process);
    for (uint64_t i = 0; i < s->n_events; i++) {
        const hd_event *e = &s->events[i];
        if (e->kind == QUESTION) {
            HD_ASSERT(r->q < s->questions + s->n_questions);
            ask_again(r, sink);
            r->q++;
        } else
            repeat_decision(t, sink, e);
    }
    if (s->last_inner.n)
        r->threads.inner = s->last_inner;
}

void hd_isolate_run(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome) {
    hd_shared *s = m->isolation.shared;
    int status = 0;
    HD_ASSERT(s && m->isolation.forks && !m->call.is_running);
    HD_INVARIANT(Z3, hd_sets_are_shared()); /* base/set.h */
    begin_shared(s, model);
    pid_t child = fork();
    if (child < 0)
        HD_BUG("cannot fork: %s", strerror(errno));
    if (child == 0)
        run_child(m, sink);
    struct rusage used = {0};
    while (wait4(child, &status, 0, &used) < 0 && errno == EINTR)
        continue;
    hd_model_copy(model, &s->model);
    repeat_events(m, sink);
    if (s->is_done)
        *outcome = s->outcome;
    else
        judge_death(m, status, &used, outcome);
    take_results(m);
    hd_failure_add(m, outcome);
    if (s->left_many)
        hd_bound(m, 0, "exit() was called in code without source, which ended all processes");
    outcome->covered_new = hd_coverage_merge(m, outcome->end);
}

void hd_machine_isolate(hd_machine *m, bool yes) {
    hd_err err;
    if (yes && !m->isolation.shared && !hd_isolate_init(m, &err))
        HD_BUG("%s", err.message);
    m->isolation.forks = yes;
}
