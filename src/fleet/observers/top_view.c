/* top_view: a run on a cluster as its coordinator and its machines tell it, for `heddle top`.  Who
 * has not been heard for a while is not there any more; rates are measured by who listens. */
#include "fleet/observer.h"

#include "base/clock.h"
#include "record/stored.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATE        6.0 /* seconds without a word: it is not there any more */
#define WINDOW      5.0 /* seconds over which rates are measured */
#define LEAST_SIGHT 33  /* bytes of a packed machine */

/* Executions a second: those of the window before, until the running one has lasted a while. */
typedef struct speed {
    double since, rate;
    uint64_t before;
} speed;

typedef struct heard_machine {
    hd_machine_sight told;
    double heard; /* 0: it has left */
    speed speed;
} heard_machine;

typedef struct top_state {
    hd_run_sight run;
    double heard; /* of the run, last; 0: never */
    speed speed;
    hd_vec(heard_machine) machines;
} top_state;

static void measure(speed *s, uint64_t executions, double now) {
    double seconds = now - s->since;
    if (!s->since || executions < s->before) {
        *s = (speed){.since = now, .before = executions};
        return;
    }
    if (seconds > 0.2 && (seconds >= WINDOW || !s->rate || seconds > WINDOW / 4))
        s->rate = (double)(executions - s->before) / seconds;
    if (seconds >= WINDOW) {
        s->since = now;
        s->before = executions;
    }
}

static heard_machine *find_machine(top_state *t, uint64_t number) {
    for (size_t i = 0; i < t->machines.n; i++)
        if (t->machines.at[i].told.machine == number)
            return &t->machines.at[i];
    hd_vec_push(&t->machines, ((heard_machine){.heard = 0}));
    return &t->machines.at[t->machines.n - 1];
}

static void machine_told(void *self, const hd_machine_sight *machine) {
    double now = hd_clock_now();
    heard_machine *m = find_machine(self, machine->machine);
    measure(&m->speed, machine->executions, now);
    m->heard = machine->is_leaving ? 0 : now;
    m->told = *machine;
}

static void run_told(void *self, const hd_run_sight *run) {
    top_state *t = self;
    t->heard = hd_clock_now();
    t->run = *run;
    measure(&t->speed, run->counters.explore.executions, t->heard);
}

/* ---- as bytes ---- */

static void pack_run(hd_text *out, const hd_run_sight *r) {
    hd_pack_string(out, r->host);
    hd_counters_pack(out, &r->counters);
    hd_pack_u64(out, r->n_findings);
    hd_pack_u64(out, r->n_units);
    hd_pack_u64(out, r->n_left);
    hd_pack_u64(out, r->n_out);
    hd_pack_double(out, r->elapsed);
}

static void unpack_word(hd_unpack *u, char *out, size_t size) {
    char *word = hd_unpack_string(u);
    snprintf(out, size, "%s", word);
    free(word);
}

static hd_run_sight unpack_run(hd_unpack *u) {
    hd_run_sight r = {.n_units = 0};
    unpack_word(u, r.host, sizeof r.host);
    r.counters = hd_counters_unpack(u);
    r.n_findings = hd_unpack_u64(u);
    r.n_units = hd_unpack_u64(u);
    r.n_left = hd_unpack_u64(u);
    r.n_out = hd_unpack_u64(u);
    r.elapsed = hd_unpack_double(u);
    return r;
}

static void pack_machine(hd_text *out, const hd_machine_sight *m) {
    hd_pack_u64(out, m->machine);
    hd_pack_string(out, m->host);
    hd_pack_u8(out, m->is_leaving);
    hd_pack_u32(out, m->n_workers);
    hd_pack_u32(out, m->n_idle);
    hd_pack_u32(out, m->n_units);
    hd_pack_u64(out, m->executions);
}

static hd_machine_sight unpack_machine(hd_unpack *u) {
    hd_machine_sight m = {.machine = hd_unpack_u64(u)};
    unpack_word(u, m.host, sizeof m.host);
    m.is_leaving = hd_unpack_below(u, 2);
    m.n_workers = hd_unpack_u32(u);
    m.n_idle = hd_unpack_u32(u);
    m.n_units = hd_unpack_u32(u);
    m.executions = hd_unpack_u64(u);
    return m;
}

static void glance(const void *self, hd_text *out) {
    const top_state *t = self;
    if (!t->heard && !t->machines.n)
        return;
    hd_pack_u8(out, t->heard > 0);
    if (t->heard > 0)
        pack_run(out, &t->run);
    hd_pack_u32(out, (uint32_t)t->machines.n);
    for (size_t i = 0; i < t->machines.n; i++)
        pack_machine(out, &t->machines.at[i].told);
}

typedef hd_vec(hd_machine_sight) sights;

static void unpack_machines(hd_unpack *u, sights *out) {
    for (uint32_t n = hd_unpack_count(u, LEAST_SIGHT); n > 0 && hd_unpack_ok(u); n--) {
        hd_machine_sight m = unpack_machine(u);
        hd_vec_push(out, m);
    }
}

static bool add(void *sum, const void *bytes, size_t n) {
    hd_unpack u = hd_unpack_from(bytes, n);
    sights machines = {0};
    bool has_run = hd_unpack_below(&u, 2);
    hd_run_sight run = has_run ? unpack_run(&u) : (hd_run_sight){.n_units = 0};
    unpack_machines(&u, &machines);
    bool is_right = hd_unpack_ok(&u) && u.at == u.end;
    if (is_right && has_run)
        run_told(sum, &run);
    for (size_t i = 0; i < machines.n && is_right; i++)
        machine_told(sum, &machines.at[i]);
    hd_vec_release(&machines);
    return is_right;
}

/* Nothing of it is counted or kept. */
static void take(void *self, hd_text *out) {
    (void)self, (void)out;
}

static void save(const void *sum, hd_text *out) {
    (void)sum, (void)out;
}

static void release(void *self) {
    hd_vec_release(&((top_state *)self)->machines);
}

/* ---- the picture ---- */

static int by_host(const void *a, const void *b) {
    return strcmp(((const hd_seen_machine *)a)->told.host, ((const hd_seen_machine *)b)->told.host);
}

static void add_machine(hd_picture *p, const heard_machine *m, double now) {
    if (m->heard && now - m->heard < LATE)
        hd_vec_push(&p->machines, ((hd_seen_machine){m->told, m->speed.rate, now - m->heard}));
}

hd_picture hd_observers_look(const hd_observers *sums, double now) {
    const top_state *t = hd_observers_sum(sums, &hd_observer_top_view);
    hd_picture p = {
        .has_coordinator = t->heard && now - t->heard < LATE, .run = t->run, .rate = t->speed.rate};
    for (size_t i = 0; i < t->machines.n; i++)
        add_machine(&p, &t->machines.at[i], now);
    if (p.machines.n)
        qsort(p.machines.at, p.machines.n, sizeof *p.machines.at, by_host);
    return p;
}

void hd_picture_release(hd_picture *p) {
    hd_vec_release(&p->machines);
}

const hd_observer hd_observer_top_view = {.name = "top_view",
                                          .size = sizeof(top_state),
                                          .machine_told = machine_told,
                                          .run_told = run_told,
                                          .glance = glance,
                                          .take = take,
                                          .add = add,
                                          .save = save,
                                          .release = release};
