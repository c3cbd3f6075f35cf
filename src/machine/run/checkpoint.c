/* Checkpoints: what is kept of a state, and how it comes back (see checkpoint.h). */
#include "machine/run/checkpoint.h"

#include "machine/core/parts.h"
#include "machine/tasks/threads.h"

#define MOST       24                 /* checkpoints at a time */
#define MOST_BYTES UINT64_C(0x400000) /* of one */
/* To run the events again would be cheaper than to copy more than so much, or so much for each. */
#define CHEAP_BYTES UINT64_C(0x8000)
#define EVENT_BYTES UINT64_C(0x600)
#define SETTLED     HD_HOSTILE(3, 1) /* executions in a row that came so far before one is taken */
/* Events between two of them, at least: also a part of all, in long executions; and before the
 * first one, because threads begin there. */
#define NEAR       HD_HOSTILE(4, 1)
#define NEAR_PART  HD_HOSTILE(8, UINT64_MAX)
#define NEAR_START HD_HOSTILE(2, 1)

/* So many bytes belong at `to`. */
typedef struct kept_piece {
    void *to;
    size_t n;
} kept_piece;

typedef struct used_input {
    hd_var variable;
    uint64_t value;
} used_input;

struct hd_checkpoint {
    uint64_t n_events;
    uint64_t most_bytes; /* that pay */
    bool is_too_big;
    hd_kept_memory memory;
    hd_kept_members members;
    hd_vec(kept_piece) pieces;
    hd_vec(uint8_t) bytes; /* of the pieces, one after the other */
    hd_vec(uint8_t) aside; /* what parts ask for themselves */
    hd_vec(used_input) inputs;
    hd_snapshot state;  /* in the hostile build: what must be the same again, ... */
    uint32_t n_records; /* ... of so many threads */
};

struct hd_checkpoints {
    hd_checkpoint at[MOST];
    uint32_t n;
    hd_vec(uint64_t) lines; /* of the script, for the last one */
    uint32_t n_rounds;      /* facts of waiting loops that were known */
    uint32_t generation;    /* of the graph of expressions */
    bool is_watching;       /* the data segment was watched */
    bool is_too_big;        /* what would have been kept */
    bool is_in_place;       /* the last execution went through all of them (C3) */
    uint32_t n_common;      /* the last executions repeated so many events, at least; ... */
    uint32_t n_executions;  /* ... so many executions, up to SETTLED */
};

static void release(hd_checkpoint *c) {
    hd_vec_release(&c->memory.stacks);
    hd_vec_release(&c->pieces);
    hd_vec_release(&c->bytes);
    hd_vec_release(&c->aside);
    hd_vec_release(&c->inputs);
    hd_vec_release(&c->state);
}

void hd_checkpoints_free(struct hd_checkpoints *all) {
    if (!all)
        return;
    for (uint32_t i = 0; i < MOST; i++)
        release(&all->at[i]);
    hd_vec_release(&all->lines);
    free(all);
}

/* ---- keeping ---- */

/* C2 */
static bool is_simple(const hd_machine *m) {
#ifdef __SANITIZE_ADDRESS__
    return false; /* stacks hold frames of the host too, with borders that must not be read */
#endif
    return !m->isolation.forks && hd_parts_are_simple(m);
}

void hd_keep(hd_keeper *k, void *at, size_t n) {
    hd_checkpoint *c = k->checkpoint;
    c->is_too_big |= n > c->most_bytes - c->bytes.n;
    if (!n || c->is_too_big)
        return;
    HD_ASSERT(at && c->bytes.n <= c->most_bytes);
    hd_vec_push(&c->pieces, ((kept_piece){at, n}));
    hd_vec_reserve(&c->bytes, c->bytes.n + n);
    memcpy(c->bytes.at + c->bytes.n, at, n);
    c->bytes.n += n;
}

void hd_keep_aside(hd_keeper *k, const void *at, size_t n) {
    hd_checkpoint *c = k->checkpoint;
    hd_vec_reserve(&c->aside, c->aside.n + n);
    if (n)
        memcpy(c->aside.at + c->aside.n, at, n);
    c->aside.n += n;
}

void hd_keep_stack(hd_keeper *k, const hd_thread *t, bool is_gone) {
    hd_kept_stack kept = {0};
    if (t && is_gone) {
        kept.is_gone = true;
        kept.hash = HD_HOSTILE(0, hd_memory_stack_hash(t));
    } else if (t) {
        hd_memory_stack_in_use(t, &kept.stack, &kept.shadow);
        hd_keep(k, (void *)kept.stack, t->stack_top - kept.stack);
        hd_keep(k, HD_SHADOW_OF(kept.shadow), (t->stack_top - kept.shadow) * sizeof(hd_word));
    }
    hd_vec_push(&k->checkpoint->memory.stacks, kept);
}

hd_kept_memory *hd_keeper_memory(hd_keeper *k) {
    return &k->checkpoint->memory;
}

static void keep_inputs(hd_checkpoint *c, const hd_machine *m) {
    uint32_t n;
    const hd_var *used = hd_machine_inputs(m, &n);
    hd_vec_clear(&c->inputs);
    for (uint32_t i = 0; i < n; i++)
        hd_vec_push(&c->inputs, ((used_input){used[i], hd_model_get(m->call.model, used[i])}));
}

/* Threads are most of a state, and many threads have begun in many events. */
static uint64_t most_bytes(uint64_t n_events) {
    uint64_t n = n_events < MOST_BYTES ? n_events * EVENT_BYTES : MOST_BYTES;
    return n < CHEAP_BYTES ? CHEAP_BYTES : n < MOST_BYTES ? n : MOST_BYTES;
}

static void keep_all(hd_checkpoint *c, hd_machine *m) {
    hd_keeper k = {.checkpoint = c, .members = &c->members};
    HD_CHECK_INVARIANT(C2, is_simple(m));
    c->n_events = m->execution.n_events;
    c->most_bytes = most_bytes(c->n_events);
    c->is_too_big = false;
    hd_vec_clear(&c->memory.stacks);
    hd_vec_clear(&c->pieces);
    hd_vec_clear(&c->bytes);
    hd_vec_clear(&c->aside);
    hd_parts_keep(m, &k);
    keep_inputs(c, m);
    if (HD_HOSTILE(false, true))
        hd_parts_copy(m, &c->state);
    c->n_records = m->records.n;
}

/* On the host's stack: the one of the running thread is kept too. */
static void take(void *machine) {
    hd_machine *m = machine;
    struct hd_checkpoints *all = m->checkpoints;
    const hd_script *script = m->call.sink->script;
    HD_INVARIANT(C1, all->n < MOST);
    /* What they keep of the globals is counted in pieces, which are others once watching stops; it
     * stops in what is new of an execution, behind all checkpoints of it. */
    HD_INVARIANT(C1, !all->n || all->is_watching == m->region.is_watching);
    hd_checkpoint *c = &all->at[all->n];
    keep_all(c, m);
    HD_INVARIANT(C1, c->n_events <= script->n);
    HD_INVARIANT(C1, !all->n || all->at[all->n - 1].n_events < c->n_events);
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

/* Checkpoints that the script does not lead through are of no use any more: a search goes depth
 * first (C1). */
static void drop(struct hd_checkpoints *all, const hd_machine *m, const hd_script *script) {
    uint32_t n = all->is_in_place && are_good(all, m, script) ? all->n : 0;
    while (n && !is_on_way(all, &all->at[n - 1], m, script))
        n--;
    HD_ASSERT(n <= all->n && all->n <= MOST);
    if (n < all->n)
        all->n_executions = 0;
    all->n = n;
}

/* Where the next one is to be taken: as far as some executions in a row have come. */
static void plan(struct hd_checkpoints *all, hd_machine *m, const hd_script *script) {
    uint64_t last = all->n ? all->at[all->n - 1].n_events : 0;
    HD_INVARIANT(C1, last <= script->n);
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
    if (!script || !script->n || m->call.n_watches || m->isolation.forks) {
        if (m->checkpoints)
            m->checkpoints->is_in_place = false;
        return NULL;
    }
    if (!m->checkpoints && !(m->checkpoints = calloc(1, sizeof *m->checkpoints)))
        hd_out_of_memory();
    struct hd_checkpoints *all = m->checkpoints;
    drop(all, m, script);
    plan(all, m, script);
    all->is_in_place = true;
    return all->n ? &all->at[all->n - 1] : NULL;
}

bool hd_checkpoint_defers_reset(const hd_machine *m) {
    return m->checkpoints && m->checkpoints->n;
}

void hd_checkpoint_reset_memory(hd_machine *m, const hd_checkpoint *c) {
    HD_INVARIANT(C3, c || !m->checkpoints || !m->checkpoints->n || !m->checkpoints->is_in_place);
    hd_parts_reset(m, c ? &c->memory : NULL);
}

void hd_checkpoint_restore(hd_machine *m, const hd_checkpoint *c) {
    hd_keeper k = {.members = (hd_kept_members *)&c->members,
                   .aside = c->aside.at,
                   .end = c->aside.at + c->aside.n};
    const uint8_t *from = c->bytes.at;
    HD_ASSERT(!c->is_too_big);
    for (size_t i = 0; i < c->pieces.n; from += c->pieces.at[i++].n)
        memcpy(c->pieces.at[i].to, from, c->pieces.at[i].n);
    HD_ASSERT(from == c->bytes.at + c->bytes.n);
    hd_parts_restore(m, &k);
    HD_ASSERT(m->execution.n_events == c->n_events);
    HD_ASSERT(k.aside == k.end);
    /* A thread that nobody had ever seen when it was taken may have come since, and gone. */
    if (!HD_HOSTILE(false, true) || m->records.n != c->n_records)
        return;
    const char *different = hd_parts_compare(m, &c->state);
    if (different)
        HD_BUG("invariant P4 of parts.h is broken: a checkpoint does not bring back what '%s' has",
               different);
}
