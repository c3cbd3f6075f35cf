/* Threads made of cardboard: each is a list of actions on a few bytes of memory, executed in the
 * order that a sink asks for.  READ takes what is there, WRITE puts back one more; LOCK waits.  A
 * READ that spins is all of a loop that waits for something else than 0: this is found out by going
 * round, once.  ATOMIC is a section that writes to its object, EXIT the end of a process, which
 * does so too.  A thread may do all of it several times, at other sites. */
#ifndef HD_TESTS_THREAD_PROGRAM_H
#define HD_TESTS_THREAD_PROGRAM_H
#include "machine/machine.h"

#include <string.h>

#define CARD_THREADS 6
#define CARD_ACTIONS 8

typedef struct card {
    hd_action_kind kind;
    unsigned object; /* index in memory, or another thread */
    uint32_t site;
    bool spins;
    uint64_t token; /* what it is about instead of an object, 0 = nothing */
} card;

typedef struct card_program {
    card cards[CARD_THREADS][CARD_ACTIONS]; /* HD_DO_NONE ends a thread */
    uint32_t n_threads;
    uint32_t base; /* the number of the first thread */
    /* Of the first thread: how often it does all of it again, and at how many sites. */
    uint32_t n_again, n_sites;
    uint64_t written_at_birth; /* where CREATE writes to, 0 = nowhere */
    uint64_t also_at;          /* a token that LOCK reads too, 0 = none */
    uint64_t locked_at;        /* a token that is the lock, 0 = it is in memory */
    bool are_processes;        /* each thread is one, from 0 on */
    bool refuses;              /* the second thread's first LOCK waits until the first has run */
    /* While running. */
    uint8_t memory[8], is_held[8];
    uint8_t taken[CARD_THREADS];
    uint32_t next[CARD_THREADS];
    uint32_t round; /* of the first thread */
    bool is_stuck;
    uint64_t n_done;    /* events */
    bool knows_rounds;  /* kept from one execution to the next */
    uint32_t retry;     /* 1 + the thread that went round and was not known to */
    hd_threads threads; /* last: it is big */
} card_program;

static hd_thread_set card_enabled(hd_threads *t) {
    card_program *p = t->machine;
    hd_thread_set set = HD_SET_EMPTY;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        const card *c = &p->cards[i][p->next[i]];
        bool waits = (c->kind == HD_DO_LOCK && p->is_held[c->object]) ||
                     (p->refuses && i == 1 && !p->next[0] && !p->next[1]) ||
                     (c->spins && p->knows_rounds && !p->memory[c->object]);
        if (hd_set_has(t->alive, p->base + i) && !waits)
            set = hd_set_with(set, p->base + i);
    }
    return set;
}

static const card *card_of(const card_program *p, uint32_t thread) {
    return &p->cards[thread - p->base][p->next[thread - p->base]];
}

static void card_place(card_program *p, uint32_t thread) {
    if (thread == p->base && card_of(p, thread)->kind == HD_DO_NONE && p->round < p->n_again) {
        p->next[0] = 0;
        p->round++;
    }
    const card *c = card_of(p, thread);
    hd_action *a = &p->threads.action[thread];
    *a = (hd_action){.kind = (uint8_t)c->kind, .thread = thread, .site = c->site};
    if (thread == p->base && p->n_sites)
        a->site += p->round % p->n_sites;
    p->threads.alive = hd_set_without(p->threads.alive, thread);
    if (c->kind == HD_DO_NONE)
        return;
    p->threads.alive = hd_set_with(p->threads.alive, thread);
    if (c->kind == HD_DO_CREATE || c->kind == HD_DO_JOIN) {
        a->detail = c->object;
        a->n_accesses = p->written_at_birth != 0;
        a->access[0] =
            (hd_access){.address = p->written_at_birth, .size = 1, .mode = HD_MODE_WRITE};
        return;
    }
    a->n_accesses = 1;
    a->access[0] = (hd_access){.address = (uintptr_t)&p->memory[c->object],
                               .size = 1,
                               .mode = c->kind == HD_DO_READ ? HD_MODE_READ : HD_MODE_WRITE,
                               .is_atomic = c->kind != HD_DO_READ && c->kind != HD_DO_WRITE};
    if (c->kind == HD_DO_EXIT) /* a set that depends on the order */
        a->expected =
            hd_set_with(hd_set_of(thread), thread + 2 * CARD_THREADS + (uint32_t)p->n_done).bits;
    if (c->token)
        a->access[0].address = c->token;
    if (p->locked_at && (c->kind == HD_DO_LOCK || c->kind == HD_DO_UNLOCK))
        a->access[0].address = p->locked_at;
    if (c->kind == HD_DO_LOCK) {
        a->flags = HD_ACTION_WAITS | HD_ACTION_ACQUIRES;
        a->n_accesses += p->also_at != 0;
        a->access[1] = (hd_access){.address = p->also_at, .size = 1, .mode = HD_MODE_READ};
    } else if (c->kind == HD_DO_UNLOCK) {
        a->flags = HD_ACTION_RELEASES;
    } else if (c->spins) {
        a->flags = HD_ACTION_WAITS | HD_ACTION_SPINS;
        a->access[0].is_atomic = true;
    }
}

static bool card_goes_round(hd_threads *t, const hd_action *a, uint64_t value) {
    (void)a;
    return ((card_program *)t->machine)->knows_rounds && value == 0;
}

/* What the section that is this event did. */
static void card_note_inner(card_program *p, const card *c, const hd_action *a) {
    p->threads.inner.event = p->n_done;
    p->threads.inner.n = 1;
    p->threads.inner.at[0] = (hd_inner_access){.access = a->access[0], .site = c->site};
    p->threads.inner.at[0].access.is_atomic = false;
}

static void card_execute(card_program *p, uint32_t thread) {
    const card *c = card_of(p, thread);
    p->next[thread - p->base]++;
    if (c->spins && !p->memory[c->object])
        p->retry = thread + 1;
    if (c->kind == HD_DO_ATOMIC)
        card_note_inner(p, c, &p->threads.action[thread]);
    p->n_done++;
    if (c->kind == HD_DO_READ)
        p->taken[thread - p->base] = p->memory[c->object];
    else if (c->kind == HD_DO_WRITE)
        p->memory[c->object] = (uint8_t)(p->taken[thread - p->base] + 1);
    else if (c->kind == HD_DO_LOCK || c->kind == HD_DO_UNLOCK)
        p->is_held[c->object] = c->kind == HD_DO_LOCK;
    card_place(p, thread);
    p->threads.current = thread;
}

/* All stand before their first action. */
static void card_begin(card_program *p) {
    memset(p->memory, 0, sizeof p->memory);
    memset(p->is_held, 0, sizeof p->is_held);
    memset(p->next, 0, sizeof p->next);
    p->round = 0;
    p->n_done = p->retry = 0;
    memset(&p->threads, 0, offsetof(hd_threads, process)); /* what is by thread is big */
    memset(p->threads.process, 0, (p->base + CARD_THREADS) * sizeof *p->threads.process);
    p->threads.n = p->base + p->n_threads;
    p->threads.enabled = card_enabled;
    p->threads.goes_round = card_goes_round;
    p->threads.machine = p;
    p->threads.current = p->base + CARD_THREADS; /* nobody has run yet */
    p->is_stuck = false;
    for (uint32_t i = 0; i < p->n_threads; i++) {
        p->threads.process[p->base + i] = (uint16_t)(p->are_processes ? i : 0);
        card_place(p, p->base + i);
    }
}

/* One execution; how many events it had. */
static __attribute__((unused)) uint64_t card_run(card_program *p, const hd_sink *sink) {
    uint64_t n = 0;
    card_begin(p);
    while (!hd_set_is_empty(p->threads.alive)) {
        uint32_t thread = sink->schedule(sink->context, &p->threads);
        p->is_stuck = thread == HD_SCHEDULE_STUCK;
        if (p->is_stuck)
            break;
        card_execute(p, thread);
        n++;
    }
    return n;
}
#endif
