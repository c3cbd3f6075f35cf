/* Actors: processes that exchange messages (paper 000, sections 3 and 7).
 *
 * An actor runs from one receive to its next one without interruption (macro-steps, 3.2): sends
 * and the creation of actors are no events, only the arrival of a message is.  A message holds
 * bytes with their shadow words, so that symbolic values cross from actor to actor (5.2). */
#include "machine/channels/ipc.h"
#include "machine/core/kinds.h"
#include "machine/core/parts.h"
#include "machine/tasks/library.h"

#include "heddle.h"

#define CHANNELS 64

typedef struct message {
    hd_parcel parcel;
    uint32_t from, to; /* processes */
    uint32_t channel, site;
    uint64_t size;
    hd_word *words; /* NULL: nothing is symbolic */
    uint8_t *bytes;
    uint32_t courier;
    uint32_t n_clock, *clock; /* of the sender, of so many processes */
} message;

/* A courier that has brought its only message: when that was, by the receiver's own clock. */
typedef struct idle_courier {
    uint32_t courier, receiver, stamp;
} idle_courier;

/* What a process is willing to receive, and what it got last. */
typedef struct inbox {
    uint64_t accepts; /* set of channels */
    uint32_t site;    /* of the receive that waits */
    message *taken;
} inbox;

struct hd_actors {
    uint64_t fifo;   /* channels that keep their order */
    hd_map couriers; /* of those: from, to and channel -> index */
    uint32_t n;      /* processes and threads below were used since the reset */
    inbox inbox[HD_MAX_PROCESSES];
    hd_vec(uint32_t) clock[HD_MAX_PROCESSES];  /* of processes, by messages and births; 0 behind */
    hd_vec(idle_courier) idle[HD_MAX_THREADS]; /* by the thread whose couriers they are */
};

static void begin(hd_machine *m) {
    struct hd_actors *all = m->actors;
    if (!all)
        return;
    all->fifo = 0;
    if (all->couriers.n)
        hd_map_clear(&all->couriers);
    memset(all->inbox, 0, all->n * sizeof *all->inbox);
    for (uint32_t i = 0; i < all->n; i++) {
        hd_vec_clear(&all->clock[i]);
        hd_vec_clear(&all->idle[i]);
    }
}

static void release(hd_machine *m) {
    if (!m->actors)
        return;
    hd_map_release(&m->actors->couriers);
    for (uint32_t i = 0; i < m->actors->n; i++) {
        hd_vec_release(&m->actors->clock[i]);
        hd_vec_release(&m->actors->idle[i]);
    }
    free(m->actors);
    m->actors = NULL;
}

static void visit(hd_machine *m, hd_visitor *v) {
    struct hd_actors *all = m->actors;
    if (!all)
        return;
    uint32_t most = all->n;
    hd_visit_bytes(v, &all->fifo, sizeof all->fifo);
    hd_visit_map(v, &all->couriers);
    hd_visit_bytes(v, all->inbox, most * sizeof *all->inbox);
    for (uint32_t i = 0; i < most; i++) {
        hd_visit_list(v, &all->clock[i]);
        hd_visit_list(v, &all->idle[i]);
    }
}

static bool is_simple(const hd_machine *m) {
    return !m->actors;
}

const hd_part hd_part_actors = {"actors",
                                {begin, NULL, release, visit},
                                {is_simple, NULL, NULL},
                                HD_PART_NOT_ISOLATED,
                                HD_PART_NO_TASKS};

static struct hd_actors *actors(hd_machine *m) {
    if (!m->actors) {
        m->actors = calloc(1, sizeof *m->actors);
        if (!m->actors)
            hd_out_of_memory();
    }
    return m->actors;
}

/* What is in use grows: a process is the number of no thread that is higher. */
static hd_machine *enter(void) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    struct hd_actors *all = actors(m);
    all->n = all->n > m->threads.n ? all->n : m->threads.n;
    return m;
}

/* The clock of a process, with n entries at least. */
static uint32_t *clock_of(struct hd_actors *all, uint32_t process, uint32_t n) {
    HD_ASSERT(process < HD_MAX_PROCESSES && n <= HD_MAX_PROCESSES);
    all->n = all->n > process ? all->n : process + 1;
    hd_vec_reserve(&all->clock[process], n);
    while (all->clock[process].n < n)
        all->clock[process].at[all->clock[process].n++] = 0;
    return all->clock[process].at;
}

/* ---- bytes that travel ---- */

static bool is_symbolic(uint64_t address, uint64_t n) {
    const hd_word *s = HD_SHADOW_OF(address);
    for (uint64_t i = 0; i < n; i++)
        if (s[i])
            return true;
    return false;
}

static void pack(hd_machine *m, message *x, const void *from, uint64_t n) {
    hd_library_touch(m, from, n);
    x->size = n;
    x->bytes = hd_execution_alloc(m, n + 1);
    if (n)
        memcpy(x->bytes, from, n);
    if (!is_symbolic((uint64_t)from, n))
        return;
    x->words = hd_execution_alloc(m, n * sizeof *x->words);
    memcpy(x->words, HD_SHADOW_OF(from), n * sizeof *x->words);
}

static void unpack(hd_machine *m, void *to, const uint8_t *bytes, const hd_word *words,
                   uint64_t n) {
    memcpy(to, bytes, n);
    if (!words) {
        hd_unpoison((uint64_t)to, n);
        return;
    }
    hd_memory_note_symbolic(m, (uint64_t)to, n);
    HD_CHECK(hd_in_region((uint64_t)to));
    memcpy(HD_SHADOW_OF(to), words, n * sizeof *words);
}

/* ---- couriers with messages ---- */

static const hd_action *standing(const hd_machine *m, uint32_t process) {
    return &m->threads.action[hd_process_at(m, process)->main_thread];
}

static bool is_awaiting(const hd_machine *m, uint32_t process) {
    const hd_action *a = standing(m, process);
    return hd_set_has(m->threads.alive, a->thread) && a->kind == HD_DO_AWAIT;
}

static void fill(hd_machine *m, hd_parcel *p, hd_action *a) {
    const message *x = (const message *)p;
    HD_CHECK(x->to < m->processes->n && x->channel < CHANNELS);
    const inbox *box = &m->actors->inbox[x->to];
    const hd_process *to = hd_process_at(m, x->to);
    a->kind = HD_DO_RECEIVE;
    a->flags = HD_ACTION_WAITS;
    a->site = is_awaiting(m, x->to) ? box->site : x->site;
    a->detail = to->main_thread;
    a->state = x->channel;
    a->expected = box->accepts;
    a->value = (uint64_t)x->from << 32 | x->site;
    a->after[1] = to->born;
    a->n_accesses = 1;
    a->access[0] = (hd_access){HD_TOKEN_INBOX(to->main_thread), 1, HD_MODE_WRITE, true, 0};
}

static bool can_go(hd_machine *m, hd_parcel *p) {
    const message *x = (const message *)p;
    return is_awaiting(m, x->to) && m->actors->inbox[x->to].accepts >> x->channel & 1;
}

static uint32_t deliver(hd_machine *m, hd_parcel *p) {
    message *x = (message *)p;
    struct hd_actors *all = m->actors;
    HD_ASSERT(x->courier < m->threads.n && m->thread[x->courier].is_courier);
    all->inbox[x->to].taken = x;
    uint32_t *clock = clock_of(all, x->to, x->n_clock > x->to ? x->n_clock : x->to + 1);
    for (uint32_t i = 0; i < x->n_clock; i++)
        clock[i] = clock[i] > x->clock[i] ? clock[i] : x->clock[i];
    clock[x->to]++;
    if (!(all->fifo >> x->channel & 1)) {
        uint32_t parent = m->naming.threads.at[x->courier].parent;
        hd_vec_push(&all->idle[parent], ((idle_courier){x->courier, x->to, clock[x->to]}));
    }
    return hd_process_at(m, x->to)->main_thread;
}

/* There are not many couriers.  One that has brought its message can carry another, as if both went
 * over one channel that keeps its order, if the first had arrived before the second was sent in any
 * case: then nothing can turn the two round. */
static uint32_t find_idle(hd_machine *m, const message *x) {
    struct hd_actors *all = m->actors;
    uint32_t me = m->threads.current;
    size_t best = SIZE_MAX; /* the lowest: which that is does not depend on the schedule */
    for (size_t i = 0; i < all->idle[me].n; i++) {
        const idle_courier *found = &all->idle[me].at[i];
        if (clock_of(all, x->from, found->receiver + 1)[found->receiver] >= found->stamp &&
            m->threads.process[found->courier] == x->to &&
            (best == SIZE_MAX || found->courier < all->idle[me].at[best].courier))
            best = i;
    }
    if (best == SIZE_MAX)
        return HD_NOBODY;
    HD_ASSERT(best < all->idle[me].n);
    uint32_t courier = all->idle[me].at[best].courier;
    all->idle[me].at[best] = all->idle[me].at[--all->idle[me].n];
    return courier;
}

/* A channel that keeps its order has one courier between two actors. */
static uint32_t courier_for(hd_machine *m, const message *x) {
    struct hd_actors *all = m->actors;
    if (!(all->fifo >> x->channel & 1)) {
        uint32_t courier = find_idle(m, x);
        return courier != HD_NOBODY ? courier : hd_courier_new(m, x->to);
    }
    uint64_t key = (uint64_t)x->from << 32 | (uint64_t)x->to << 16 | x->channel;
    const uint64_t *known = hd_map_find(&all->couriers, key);
    if (known)
        return (uint32_t)*known;
    uint32_t courier = hd_courier_new(m, x->to);
    hd_map_put(&all->couriers, key, courier);
    return courier;
}

/* What waits for it on channels that it does not listen to. */
static uint32_t count_refused(const hd_machine *m, uint32_t process) {
    uint32_t n = 0;
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive) {
        if (m->thread[t].is_courier && t != m->system.clock && m->threads.process[t] == process)
            for (const hd_parcel *p = m->thread[t].parcels; p; p = p->next)
                n++;
    }
    return n;
}

void hd_actors_describe_wait(hd_machine *m, uint32_t process, hd_text *out) {
    HD_ASSERT(m->actors && process < HD_MAX_PROCESSES);
    uint64_t accepts = m->actors->inbox[process].accepts;
    hd_text_add(out, "waits for a message");
    if (accepts && accepts != UINT64_MAX) /* it may never have waited */
        hd_text_add(out, " on channel %d", __builtin_ctzll(accepts));
    uint32_t n = count_refused(m, process);
    if (n)
        hd_text_add(out, " (%u on other channels)", n);
}

/* ---- sending ---- */

static uint32_t check_actor(hd_machine *m, int actor, const char *function) {
    if (actor < 0 || (uint32_t)actor >= m->processes->n ||
        !hd_process_at(m, (uint32_t)actor)->is_used)
        hd_end_finding(m, HD_FINDING_BAD_MESSAGE, 0,
                       "%s is called for actor %d, which does not exist", function, actor);
    return (uint32_t)actor;
}

static uint32_t check_channel(hd_machine *m, int channel, const char *function) {
    if (channel < 0 || channel >= CHANNELS)
        hd_end_finding(m, HD_FINDING_BAD_MESSAGE, 0,
                       "%s is called with channel %d; channels are numbered from 0 to %d", function,
                       channel, CHANNELS - 1);
    return (uint32_t)channel;
}

void heddle_send_on(int channel, heddle_actor to, const void *bytes, size_t size) {
    hd_machine *m = enter();
    message *x = hd_execution_alloc(m, sizeof *x);
    *x = (message){.parcel = {.fill = fill, .can_go = can_go, .deliver = deliver},
                   .from = hd_process_current(m),
                   .to = check_actor(m, to, "heddle_send"),
                   .channel = check_channel(m, channel, "heddle_send_on"),
                   .site = hd_caller_site(m, __builtin_frame_address(0))};
    pack(m, x, bytes, size);
    x->n_clock = m->processes->n;
    x->clock = hd_execution_alloc(m, x->n_clock * sizeof *x->clock);
    memcpy(x->clock, clock_of(m->actors, x->from, x->n_clock), x->n_clock * sizeof *x->clock);
    x->courier = courier_for(m, x);
    HD_ASSERT(m->thread[x->courier].is_courier);
    hd_courier_give(m, x->courier, &x->parcel);
}

void heddle_send(heddle_actor to, const void *bytes, size_t size) {
    heddle_send_on(0, to, bytes, size);
}

void heddle_fifo(int channel) {
    hd_machine *m = enter();
    m->actors->fifo |=
        channel == -1 ? UINT64_MAX : UINT64_C(1) << check_channel(m, channel, "heddle_fifo");
}

/* ---- receiving ---- */

/* Couriers that come here stand before another receive now. */
static void refresh_couriers(hd_machine *m, uint32_t process) {
    uint32_t t;
    HD_SET_EACH(t, m->threads.alive) {
        if (m->thread[t].is_courier && m->threads.process[t] == process && t != m->system.clock)
            hd_courier_refresh(m, t);
    }
}

static size_t receive(hd_machine *m, uint64_t accepts, void *out, size_t size, uint32_t site) {
    uint32_t me = hd_process_current(m), thread = m->threads.current;
    inbox *box = &m->actors->inbox[me];
    hd_globals_show(m);
    if (thread != hd_process_at(m, me)->main_thread)
        hd_end_finding(m, HD_FINDING_BAD_MESSAGE, site,
                       "only the first thread of an actor receives messages");
    box->accepts = accepts;
    box->site = site;
    hd_action a = {.kind = HD_DO_AWAIT, .flags = HD_ACTION_WAITS, .site = site};
    m->threads.action[thread] = a;
    m->threads.action[thread].thread = thread;
    refresh_couriers(m, me);
    hd_await(m, &a);
    const message *x = box->taken;
    HD_ASSERT(x && x->to == me && accepts >> x->channel & 1);
    m->threads.action[thread].kind = HD_DO_NONE;
    if (x->size > size)
        hd_end_finding(m, HD_FINDING_BAD_MESSAGE, site,
                       "a message of %lu bytes is received into a buffer of %zu bytes",
                       (unsigned long)x->size, size);
    hd_library_write(m, out, x->size);
    unpack(m, out, x->bytes, x->words, x->size);
    return x->size;
}

size_t heddle_receive(void *out, size_t size) {
    hd_machine *m = enter();
    return receive(m, UINT64_MAX, out, size, hd_caller_site(m, __builtin_frame_address(0)));
}

size_t heddle_receive_on(int channel, void *out, size_t size) {
    hd_machine *m = enter();
    uint64_t accepts = UINT64_C(1) << check_channel(m, channel, "heddle_receive_on");
    return receive(m, accepts, out, size, hd_caller_site(m, __builtin_frame_address(0)));
}

static const message *last_message(hd_machine *m, const char *function) {
    const message *x = m->actors->inbox[hd_process_current(m)].taken;
    if (!x)
        hd_end_finding(m, HD_FINDING_BAD_MESSAGE, 0, "%s is called before a message was received",
                       function);
    return x;
}

heddle_actor heddle_sender(void) {
    return (heddle_actor)last_message(enter(), "heddle_sender")->from;
}

int heddle_channel(void) {
    return (int)last_message(enter(), "heddle_channel")->channel;
}

/* ---- life ---- */

typedef struct birth {
    hd_machine *m;
    void (*body)(void *);
    message argument;
} birth;

static void run_actor(void *context) {
    birth b = *(const birth *)context;
    uint32_t me = hd_process_current(b.m), parent = hd_process_at(b.m, me)->parent;
    HD_ASSERT(parent != me);
    uint32_t n = (uint32_t)b.m->actors->clock[parent].n;
    uint32_t *clock = clock_of(b.m->actors, me, n);
    if (n)
        memcpy(clock, clock_of(b.m->actors, parent, n), n * sizeof *clock);
    void *argument = hd_heap_hide(b.m->running.heap, b.argument.bytes, b.argument.size);
    if (argument && b.argument.words)
        unpack(b.m, argument, b.argument.bytes, b.argument.words, b.argument.size);
    b.body(b.argument.size ? argument : NULL);
    b.m->process.has_returned = true;
    hd_exit_program(b.m, 0);
}

heddle_actor heddle_spawn(void (*body)(void *), const void *argument, size_t size) {
    hd_machine *m = enter();
    birth *b = hd_execution_alloc(m, sizeof *b);
    b->m = m;
    b->body = body;
    pack(m, &b->argument, argument, size);
    return (heddle_actor)hd_process_spawn(m, run_actor, b);
}

heddle_actor heddle_self(void) {
    return (heddle_actor)hd_process_current(enter());
}

void heddle_halt(void) {
    hd_exit_program(enter(), 0);
}

void heddle_error(const char *what) {
    hd_machine *m = enter();
    hd_check_range(m, (uint64_t)what, 1, false, 0);
    hd_end_finding(m, HD_FINDING_ERROR, hd_caller_site(m, __builtin_frame_address(0)), "%s", what);
}

void heddle_may_idle(void) {
    hd_machine *m = enter();
    hd_process_at(m, hd_process_current(m))->may_idle = true;
}

void hd_describe_actor(hd_machine *m, const hd_action *a, hd_text *out) {
    hd_actors_describe_wait(m, hd_process_of(m, a->thread), out);
}
