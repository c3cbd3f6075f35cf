/* An execution in a forked child, for programs that call code with state of its own.
 *
 * Graph and variables are shared with the child (expr.h, variables.h), so their ids mean the
 * same on both sides.  The child writes its decisions, its model and its outcome to shared
 * memory as it goes; the parent replays the decisions into the sink when the child is gone,
 * however it went. */
#include "machine/machine_int.h"

#include "base/reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_EVENTS         (UINT64_C(1) << 26)
#define MAX_VARIABLES      (UINT32_C(1) << 26)
#define MAX_OBJECTS        (UINT32_C(1) << 20)
#define MAX_APPROXIMATIONS 4096
#define NAMES_SIZE         65536
#define PATIENCE           60 /* seconds that a child may take */

struct hd_shared {
    bool is_done;
    uint64_t n_events;
    uint32_t n_inputs, n_objects, n_approximations;
    uint64_t inputs_big_top;
    hd_outcome outcome;
    hd_model model; /* its arrays are shared too */
    hd_event *events;
    hd_var *inputs;
    hd_input_object *objects;
    hd_approximation approximations[MAX_APPROXIMATIONS];
    size_t names_used;
    char names[NAMES_SIZE]; /* labels reached, each with its end */
};

#define EVENTS_SIZE  (MAX_EVENTS * sizeof(hd_event))
#define VALUES_SIZE  (MAX_VARIABLES * sizeof(uint64_t))
#define INPUTS_SIZE  (MAX_VARIABLES * sizeof(hd_var))
#define OBJECTS_SIZE (MAX_OBJECTS * sizeof(hd_input_object))

/* The counters of the image become shared memory, so that nothing needs copying. */
static bool share_coverage(hd_machine *m, hd_err *err) {
    uint64_t first = (uint64_t)m->image->coverage & ~(HD_PAGE - 1);
    uint64_t end =
        ((uint64_t)m->image->coverage + 2 * m->image->n_branches + HD_PAGE - 1) & ~(HD_PAGE - 1);
    if (first == end)
        return true;
    void *at = mmap((void *)first, end - first, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    return at != MAP_FAILED || hd_err_set(err, "cannot share memory: %s", strerror(errno));
}

bool hd_isolate_init(hd_machine *m, hd_err *err) {
    hd_shared *s = hd_reserve_new(sizeof *s, true);
    s->events = hd_reserve_new(EVENTS_SIZE, true);
    s->inputs = hd_reserve_new(INPUTS_SIZE, true);
    s->objects = hd_reserve_new(OBJECTS_SIZE, true);
    s->model = (hd_model){.value = hd_reserve_new(VALUES_SIZE, true),
                          .known = hd_reserve_new(MAX_VARIABLES, true),
                          .capacity = MAX_VARIABLES};
    m->shared = s;
    return share_coverage(m, err);
}

void hd_isolate_release(hd_machine *m) {
    hd_shared *s = m->shared;
    if (!s)
        return;
    hd_reserve_free(s->model.value, VALUES_SIZE);
    hd_reserve_free(s->model.known, MAX_VARIABLES);
    hd_reserve_free(s->events, EVENTS_SIZE);
    hd_reserve_free(s->inputs, INPUTS_SIZE);
    hd_reserve_free(s->objects, OBJECTS_SIZE);
    hd_reserve_free(s, sizeof *s);
    m->shared = NULL;
}

/* ---- the child ---- */

static void copy_inputs(hd_machine *m) {
    hd_shared *s = m->shared;
    for (; s->n_inputs < m->inputs.n; s->n_inputs++)
        s->inputs[s->n_inputs] = m->inputs.at[s->n_inputs];
}

static void keep_event(void *context, uint32_t site, hd_expr condition, bool taken,
                       hd_branch_kind kind) {
    hd_machine *m = context;
    hd_shared *s = m->shared;
    if (s->n_events == MAX_EVENTS)
        hd_out_of_memory();
    s->events[s->n_events] = (hd_event){site, condition, taken, (uint8_t)kind};
    s->n_events++;
    copy_inputs(m);
}

static void keep_names(hd_machine *m) {
    hd_shared *s = m->shared;
    for (size_t i = 0; i < m->reached.n; i++) {
        const char *name = m->labels.at[m->reached.at[i]].name;
        size_t n = strlen(name) + 1;
        if (n > NAMES_SIZE - s->names_used)
            return;
        memcpy(s->names + s->names_used, name, n);
        s->names_used += n;
    }
}

static void keep_results(hd_machine *m) {
    hd_shared *s = m->shared;
    copy_inputs(m);
    s->n_objects = (uint32_t)(m->objects.n < MAX_OBJECTS ? m->objects.n : MAX_OBJECTS);
    if (s->n_objects)
        memcpy(s->objects, m->objects.at, s->n_objects * sizeof *s->objects);
    size_t n = m->approximations.n < MAX_APPROXIMATIONS ? m->approximations.n : MAX_APPROXIMATIONS;
    if (n)
        memcpy(s->approximations, m->approximations.at, n * sizeof *s->approximations);
    s->n_approximations = (uint32_t)n;
    s->inputs_big_top = m->inputs_big_top;
    keep_names(m);
    s->is_done = true;
}

/* What the program reads and prints itself must not disturb the user's terminal. */
static void hide_terminal(void) {
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0)
        return;
    for (int i = 0; i <= 2; i++)
        dup2(nothing, i);
    if (nothing > 2)
        close(nothing);
}

static _Noreturn void run_child(hd_machine *m) {
    hd_shared *s = m->shared;
    hd_sink sink = {.context = m, .branch = keep_event};
    if (!m->options.show_output)
        hide_terminal();
    alarm(PATIENCE);
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
    s->is_done = false;
    s->n_events = 0;
    s->n_inputs = s->n_objects = s->n_approximations = 0;
    s->names_used = 0;
    memset(&s->outcome, 0, sizeof s->outcome);
    lend_model(s, model);
}

/* A child that left no outcome: it was killed, or external code called exit. */
static void judge_death(hd_machine *m, int status, hd_outcome *o) {
    *o = (hd_outcome){.n_inputs = m->shared->n_inputs};
    if (WIFEXITED(status)) {
        o->end = HD_END_EXIT;
        o->status = WEXITSTATUS(status);
    } else {
        int signal = WTERMSIG(status);
        o->end = HD_END_FINDING;
        o->status = signal;
        o->finding.kind = signal == SIGABRT ? HD_FINDING_LOST_WORKER : HD_FINDING_SIGNAL;
        if (signal == SIGALRM)
            snprintf(o->finding.message, sizeof o->finding.message,
                     "no end within %d seconds, probably in external code", PATIENCE);
        else
            snprintf(o->finding.message, sizeof o->finding.message,
                     "the process of this execution died of signal %d (%s)", signal,
                     strsignal(signal));
    }
    uint64_t h = 0;
    for (uint64_t i = 0; i < m->shared->n_events; i++)
        h = hd_hash_add(h, (uint64_t)m->shared->events[i].site << 1 | m->shared->events[i].taken);
    o->trace_hash = hd_hash_add(h, (uint64_t)o->status << 8 | o->finding.kind);
}

static void take_lists(hd_machine *m) {
    hd_shared *s = m->shared;
    hd_vec_clear(&m->inputs);
    for (uint32_t i = 0; i < s->n_inputs; i++)
        hd_vec_push(&m->inputs, s->inputs[i]);
    hd_vec_clear(&m->objects);
    for (uint32_t i = 0; i < s->n_objects; i++)
        hd_vec_push(&m->objects, s->objects[i]);
    if (s->is_done)
        m->inputs_big_top = s->inputs_big_top;
    hd_vec_clear(&m->reached);
    for (size_t at = 0; at < s->names_used; at += strlen(s->names + at) + 1)
        hd_label_reach(m, s->names + at);
}

/* The child's list is ours with higher counts, and new ones behind. */
static void take_approximations(hd_machine *m) {
    hd_shared *s = m->shared;
    for (uint32_t i = 0; i < s->n_approximations; i++) {
        const hd_approximation *a = &s->approximations[i];
        if (i >= m->approximations.n)
            hd_approximate(m, a->site, "%s", a->what);
        m->approximations.at[i].count = a->count;
    }
}

void hd_isolate_run(hd_machine *m, hd_model *model, const hd_sink *sink, hd_outcome *outcome) {
    hd_shared *s = m->shared;
    int status = 0;
    begin_shared(s, model);
    pid_t child = fork();
    if (child < 0)
        HD_BUG("cannot fork: %s", strerror(errno));
    if (child == 0)
        run_child(m);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    hd_model_copy(model, &s->model);
    for (uint64_t i = 0; i < s->n_events; i++)
        sink->branch(sink->context, s->events[i].site, s->events[i].condition, s->events[i].taken,
                     s->events[i].kind);
    if (s->is_done)
        *outcome = s->outcome;
    else
        judge_death(m, status, outcome);
    take_lists(m);
    take_approximations(m);
    outcome->covered_new = hd_coverage_merge(m);
}

void hd_machine_isolate(hd_machine *m, bool yes) {
    hd_err err;
    if (yes && !m->shared && !hd_isolate_init(m, &err))
        HD_BUG("%s", err.message);
    m->forks = yes;
}
