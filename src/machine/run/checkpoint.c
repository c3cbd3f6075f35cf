/* Checkpoints: what is kept of a state, and how it comes back (see checkpoint.h). */
#include "machine/run/checkpoint.h"

#include "machine/sync/sync.h"
#include "machine/tasks/process.h"

#define MOST       24               /* checkpoints at a time */
#define MOST_BYTES UINT64_C(0x8000) /* of one: to run the events again would be cheaper */
#define SETTLED    HD_HOSTILE(3, 1) /* executions in a row that came so far before one is taken */
/* Events between two of them, at least: also a part of all, in long executions; and before the
 * first one, because threads begin there. */
#define NEAR       HD_HOSTILE(4, 1)
#define NEAR_PART  HD_HOSTILE(8, UINT64_MAX)
#define NEAR_START HD_HOSTILE(2, 1)

/* So many bytes belong at `to`. */
typedef struct piece {
    void *to;
    size_t n;
} piece;

typedef struct kept_input {
    hd_var variable;
    uint64_t value;
} kept_input;

struct hd_checkpoint {
    uint64_t n_events, hash;
    hd_thread_set alive, threads; /* threads: of the process, alive or not */
    uint32_t n, n_kept, current, n_unjoined, n_used;
    bool may_spin, is_too_big;
    uint64_t is_threaded;
    size_t n_hot;
    hd_vec(hd_kept_stack) thread; /* n of them: kept from there on, and zero below */
    hd_vec(piece) pieces;
    hd_vec(uint8_t) bytes; /* of the pieces, one after the other, then of the locks */
    hd_vec(kept_input) inputs;
    hd_vec(hd_decided) decided;
};

struct hd_checkpoints {
    hd_checkpoint at[MOST];
    uint32_t n;
    hd_vec(uint64_t) lines; /* of the script, for the last one */
    uint32_t n_rounds;      /* facts of waiting loops that were known */
    uint32_t generation;    /* of the graph of expressions */
    bool is_watching;       /* the data segment was watched */
    bool is_too_big;        /* what would have been kept */
    uint32_t n_common;      /* the last executions repeated so many events, at least; ... */
    uint32_t n_executions;  /* ... so many executions, up to SETTLED */
};

void hd_checkpoints_free(struct hd_checkpoints *all) {
    for (uint32_t i = 0; all && i < MOST; i++) {
        hd_vec_release(&all->at[i].pieces);
        hd_vec_release(&all->at[i].bytes);
        hd_vec_release(&all->at[i].inputs);
        hd_vec_release(&all->at[i].decided);
        hd_vec_release(&all->at[i].thread);
    }
    if (all)
        hd_vec_release(&all->lines);
    free(all);
}

/* ---- what can be kept (C2) ---- */

/* A stack that is dirty has been used by functions of the host, of which nothing is known: they may
 * call the program, and hold memory meanwhile. */
static bool is_simple_thread(const hd_thread *t) {
    return !t->is_courier && !t->has_borrowed_stack && t->stack_dirty == t->stack_top &&
           t->heap.top == t->heap.area.base && !t->specifics.n && !t->variadic_passed &&
           !t->looping_left && !t->argument_shadow && !t->result_shadow &&
           t->deadline == UINT64_MAX;
}

/* Choices of which thread is woken and the like are in no memory. */
static bool has_inputs_in_memory(const hd_machine *m) {
    return m->input.objects.n || m->memory.symbolic_globals.n || m->calls.byval_passed ||
           m->calls.has_printed || m->execution.is_concrete || m->input.own_stores.n ||
           m->input.moved.n;
}

static bool uses_world(const hd_machine *m) {
    const hd_process *p = hd_process_at(m, 0);
    return m->system.is_concurrent || m->processes->were_many || m->ipc || m->actors ||
           m->system.now || m->system.clock || !hd_set_is_empty(m->system.wanted_up) ||
           p->signals || p->streams || p->spare_streams || p->stream_locks[0] ||
           p->stream_locks[1] || p->stream_locks[2] || m->memory.shared_top != HD_SHARED_BASE ||
           hd_execution_has_memory(m);
}

static bool is_ending(const hd_machine *m) {
    return m->process.is_ending || m->process.is_exiting || m->process.has_returned ||
           m->failing.has_kept || m->failing.has_stopped || m->failing.failures.n ||
           m->execution.exit_since || m->execution.looping.n || hd_process_at(m, 0)->ended_by;
}

/* That is counted over all executions, or must be done at the end of each. */
static bool has_said_something(const hd_machine *m) {
    return m->calls.n_pending || m->execution.has_approximated || m->execution.reached.n ||
           m->process.at_exit.n || m->process.keys.n;
}

static bool is_simple(const hd_machine *m) {
#ifdef __SANITIZE_ADDRESS__
    return false; /* stacks hold frames of the host too, with borders that must not be read */
#endif
    if (m->may.have_sections || m->may.signal || m->isolation.forks || !m->sync || m->sync->names.n)
        return false;
    if (has_inputs_in_memory(m) || uses_world(m) || is_ending(m) || has_said_something(m))
        return false;
    for (uint32_t i = 0; i < m->threads.n; i++)
        if (m->thread[i].is_used &&
            (!is_simple_thread(&m->thread[i]) || m->sync->thread[i].spurious.n))
            return false;
    return true;
}

/* ---- keeping ---- */

static void keep_bytes(hd_checkpoint *c, const void *at, size_t n) {
    c->is_too_big |= n > MOST_BYTES - c->bytes.n;
    if (c->is_too_big)
        return;
    hd_vec_reserve(&c->bytes, c->bytes.n + n);
    memcpy(c->bytes.at + c->bytes.n, at, n);
    c->bytes.n += n;
}

static void keep(hd_checkpoint *c, void *at, size_t n) {
    if (!n)
        return;
    hd_vec_push(&c->pieces, ((piece){at, n}));
    keep_bytes(c, at, n);
}

/* A record as far as it has no memory of its own, which may be elsewhere later. */
static void keep_record(hd_checkpoint *c, hd_thread *t) {
    keep(c, t, offsetof(hd_thread, specifics));
    keep(c, t->spin, t->n_spins * sizeof *t->spin);
}

static void keep_stack(hd_checkpoint *c, const hd_thread *t, hd_kept_stack *kept) {
    hd_memory_stack_in_use(t, &kept->stack, &kept->shadow);
    keep(c, (void *)kept->stack, t->stack_top - kept->stack);
    keep(c, HD_SHADOW_OF(kept->shadow), (t->stack_top - kept->shadow) * sizeof(hd_word));
}

static void keep_thread(hd_checkpoint *c, hd_machine *m, uint32_t i) {
    hd_kept_stack *kept = &c->thread.at[i];
    *kept = (hd_kept_stack){0};
    if (!m->thread[i].is_used)
        return;
    keep_stack(c, &m->thread[i], kept);
    keep_record(c, &m->thread[i]);
    keep(c, &m->threads.action[i], sizeof m->threads.action[i]);
}

/* Objects of synchronisation are memory of the program; beside them is who holds what. */
static void keep_sync(hd_checkpoint *c, hd_machine *m) {
    hd_sync *s = m->sync;
    keep(c, s, offsetof(hd_sync, names));
    for (uint32_t i = 0; i < s->n_threads; i++) {
        char *start = (char *)&s->thread[i];
        keep(c, start + offsetof(hd_sync_thread, condition),
             sizeof s->thread[i] - offsetof(hd_sync_thread, condition));
    }
    for (uint32_t i = 0; i < s->n_threads; i++) {
        c->thread.at[i].n_held = s->thread[i].held.n;
        keep_bytes(c, s->thread[i].held.at, s->thread[i].held.n * sizeof *s->thread[i].held.at);
    }
}

static void keep_inputs(hd_checkpoint *c, const hd_machine *m) {
    hd_vec_clear(&c->inputs);
    for (size_t i = 0; i < m->input.used.n; i++)
        hd_vec_push(&c->inputs, ((kept_input){m->input.used.at[i],
                                              hd_model_get(m->call.model, m->input.used.at[i])}));
    hd_vec_clear(&c->decided);
    for (size_t i = 0; i < m->execution.decided.n; i++)
        hd_vec_push(&c->decided, m->execution.decided.at[i]);
}

static void keep_all(hd_checkpoint *c, hd_machine *m) {
    c->n_events = m->execution.n_events;
    c->hash = m->execution.hash;
    c->alive = m->threads.alive;
    c->n = m->threads.n;
    c->current = m->threads.current;
    c->may_spin = m->threads.may_spin;
    c->threads = hd_process_at(m, 0)->threads;
    c->is_threaded = m->registers->is_threaded;
    c->n_unjoined = m->process.n_unjoined;
    c->n_used = m->execution.n_used;
    c->is_too_big = false;
    hd_vec_clear(&c->pieces);
    hd_vec_clear(&c->bytes);
    c->n_hot = m->region.hot.n;
    for (size_t i = 0; i < m->region.hot.n; i++)
        keep(c, (void *)m->region.hot.at[i].address, m->region.hot.at[i].n);
    keep(c, (void *)HD_WORLD_BASE, m->surroundings.writable);
    c->n_kept = m->threads.n > m->sync->n_threads ? m->threads.n : m->sync->n_threads;
    hd_vec_reserve(&c->thread, c->n_kept);
    for (uint32_t i = 0; i < c->n_kept; i++)
        keep_thread(c, m, i);
    keep_sync(c, m);
    keep_inputs(c, m);
}

/* On the host's stack: the one of the running thread is kept too. */
static void take(void *machine) {
    hd_machine *m = machine;
    struct hd_checkpoints *all = m->checkpoints;
    const hd_script *script = m->call.sink->script;
    hd_checkpoint *c = &all->at[all->n];
    keep_all(c, m);
    all->is_too_big = c->is_too_big;
    if (c->is_too_big)
        return;
    all->n++;
    all->n_rounds = script->n_rounds;
    all->generation = m->expressions.generation;
    all->is_watching = m->region.is_watching;
    hd_vec_clear(&all->lines);
    hd_vec_reserve(&all->lines, c->n_events);
    memcpy(all->lines.at, script->at, c->n_events * sizeof *script->at);
}

void hd_checkpoint_take(hd_machine *m) {
    hd_thread *t = &m->thread[m->threads.current];
    m->call.checkpoint_at = UINT64_MAX;
    hd_thread_put_away(m);
    if (is_simple(m))
        hd_fiber_switch_through(&t->saved, &t->saved, m->call.host_stack, take, m);
    hd_follow_script(m);
}

/* ---- going on from one ---- */

static bool has_same_inputs(const hd_checkpoint *c, const hd_model *model) {
    for (size_t i = 0; i < c->inputs.n; i++)
        if (!hd_model_has(model, c->inputs.at[i].variable) ||
            hd_model_get(model, c->inputs.at[i].variable) != c->inputs.at[i].value)
            return false;
    return true;
}

static bool is_on_way(const struct hd_checkpoints *all, const hd_checkpoint *c, const hd_machine *m,
                      const hd_script *script) {
    return c->n_events <= script->n &&
           memcmp(all->lines.at, script->at, c->n_events * sizeof *script->at) == 0 &&
           has_same_inputs(c, m->call.model);
}

/* Is what they were taken with the same, besides the events? */
static bool are_good(const struct hd_checkpoints *all, const hd_machine *m,
                     const hd_script *script) {
    return all->n_rounds == script->n_rounds && all->is_watching == m->region.is_watching &&
           all->generation == hd_graph_generation(m->graph);
}

/* Those that the script does not lead through are of no use any more: a search goes depth first. */
static void drop(struct hd_checkpoints *all, const hd_machine *m, const hd_script *script) {
    uint32_t n = are_good(all, m, script) ? all->n : 0;
    while (n && !is_on_way(all, &all->at[n - 1], m, script))
        n--;
    if (n < all->n)
        all->n_executions = 0;
    all->n = n;
}

/* Where the next one is to be taken: as far as some executions in a row have come. */
static void plan(struct hd_checkpoints *all, hd_machine *m, const hd_script *script) {
    uint64_t last = all->n ? all->at[all->n - 1].n_events : 0;
    if (all->n_executions++ == 0 || script->n < all->n_common)
        all->n_common = script->n;
    if (all->n_executions < SETTLED)
        return;
    all->n_executions = 0;
    uint64_t n = all->n_common, near = last ? NEAR : NEAR_START;
    if (n >= last + near && n >= last + n / NEAR_PART && all->n < MOST && !all->is_too_big)
        m->call.checkpoint_at = n;
}

void hd_checkpoints_forget(hd_machine *m) {
    if (m->checkpoints)
        m->checkpoints->n = m->checkpoints->n_executions = 0;
}

const hd_checkpoint *hd_checkpoint_find(hd_machine *m) {
    const hd_script *script = m->call.sink->script;
    m->call.checkpoint_at = UINT64_MAX;
    if (!script || !script->n || m->call.n_watches || m->isolation.forks)
        return NULL;
    if (!m->checkpoints && !(m->checkpoints = calloc(1, sizeof *m->checkpoints)))
        hd_out_of_memory();
    struct hd_checkpoints *all = m->checkpoints;
    drop(all, m, script);
    plan(all, m, script);
    return all->n ? &all->at[all->n - 1] : NULL;
}

bool hd_checkpoint_defers_reset(const hd_machine *m) {
    return m->checkpoints && m->checkpoints->n;
}

void hd_checkpoint_reset_memory(hd_machine *m, const hd_checkpoint *c) {
    if (!c) {
        hd_memory_reset(m, NULL);
        return;
    }
    hd_kept_memory kept = {.stacks = c->thread.at, .n = c->n, .n_hot = c->n_hot};
    hd_memory_reset(m, &kept);
}

/* The sink is told again: it follows the path, and has the same inputs. */
static void restore_inputs(hd_machine *m, const hd_checkpoint *c) {
    for (size_t i = 0; i < c->inputs.n; i++)
        hd_input_note_use(m, c->inputs.at[i].variable);
    m->execution.n_decisions = c->decided.n;
    for (size_t i = 0; i < c->decided.n; i++) {
        const hd_decided *d = &c->decided.at[i];
        hd_vec_push(&m->execution.decided, *d);
        m->call.sink->script->n_done = d->n_events;
        m->call.sink->branch(m->call.sink->context, d->decision.site, d->decision.condition,
                             d->decision.taken, (hd_branch_kind)d->decision.kind);
    }
    m->call.sink->script->n_done = (uint32_t)c->n_events;
}

void hd_checkpoint_restore(hd_machine *m, const hd_checkpoint *c) {
    const uint8_t *from = c->bytes.at;
    for (size_t i = 0; i < c->pieces.n; from += c->pieces.at[i++].n)
        memcpy(c->pieces.at[i].to, from, c->pieces.at[i].n);
    for (uint32_t i = 0; i < m->sync->n_threads; i++) {
        hd_sync_thread *t = &m->sync->thread[i];
        size_t n = i < c->n_kept ? c->thread.at[i].n_held : 0;
        hd_vec_reserve(&t->held, n);
        if (n)
            memcpy(t->held.at, from, n * sizeof *t->held.at);
        t->held.n = n;
        from += n * sizeof *t->held.at;
    }
    m->execution.n_events = c->n_events;
    m->execution.hash = c->hash;
    m->threads.alive = m->lessons.changing = c->alive;
    m->threads.n = c->n;
    m->threads.may_spin = c->may_spin;
    memset(m->threads.process, 0, c->n * sizeof *m->threads.process);
    hd_process_at(m, 0)->threads = c->threads;
    m->process.n_unjoined = c->n_unjoined;
    m->execution.n_used = c->n_used;
    hd_thread_take_out(m, c->current);
    m->registers->is_threaded = c->is_threaded;
    restore_inputs(m, c);
}
