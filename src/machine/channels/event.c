/* Events on queues: put, take, look, change.
 *
 * Which addresses an action touches is said once here (action.h: PUT writes the tail and its slot
 * and adds to the readiness of the owner; TAKE the same with the head). */
#include "machine/action/action.h"
#include "machine/channels/ipc.h"
#include "machine/tasks/signals.h"

#include "machine/sync/sync.h"

#define DOOR_ID HD_DOORS /* names that come from addresses */

/* ---- addresses of queues ---- */

uint32_t hd_ipc_id(const hd_queue *q) {
    return q->door ? DOOR_ID | (q->door & (DOOR_ID - 1)) : q->id;
}

uint64_t hd_ipc_door(uint32_t door) {
    return HD_QUEUE_TAIL(DOOR_ID | (door & (DOOR_ID - 1)));
}

uint64_t hd_ipc_tail(const hd_queue *q) {
    return HD_QUEUE_TAIL(hd_ipc_id(q));
}

uint64_t hd_ipc_head(const hd_queue *q) {
    return HD_QUEUE_HEAD(hd_ipc_id(q));
}

/* Whether it has ended: closing one more of its sources commutes with closing another. */
uint64_t hd_ipc_end_of(const hd_queue *q) {
    return HD_QUEUE_END(hd_ipc_id(q));
}

/* Whether those who put into it were told that nobody reads it. */
uint64_t hd_ipc_reset_of(const hd_queue *q) {
    return HD_QUEUE(hd_ipc_id(q)) | UINT64_C(0xffffffc0);
}

uint64_t hd_ipc_slot(const hd_queue *q, uint32_t number) {
    HD_CHECK(number < HD_QUEUE_PLACES);
    return HD_QUEUE(hd_ipc_id(q)) + number;
}

/* Queues of one thread get tokens that follow each other, queues of other threads those between.
 * Two queues may share a token: they are then taken for one where all are looked at, no more. */
uint64_t hd_ipc_ready(uint32_t owner, uint32_t id) {
    HD_CHECK(owner < HD_MAX_PROCESSES);
    return HD_TOKEN_READY(owner) + (id + (id >> 20) * 11) % HD_READY_TOKENS;
}

uint64_t hd_ipc_ready_of(const hd_queue *q) {
    return hd_ipc_ready(q->owner, hd_ipc_id(q));
}

static void touch(hd_action *a, uint64_t address, hd_access_mode mode) {
    hd_action_also(a, address, 1, mode, true);
}

/* ---- standing before an action ---- */

const hd_action *hd_ipc_stand(hd_machine *m, hd_action_kind kind, unsigned flags,
                              const hd_ipc_request *r) {
    uint32_t me = hd_thread_current(m);
    HD_ASSERT(r->settle && !m->thread[me].is_courier);
    HD_CHECK_INVARIANT(I1, !hd_in_region((uint64_t)r->polled));
    hd_action a = hd_action_on(m, kind, flags | HD_ACTION_SETTLES, NULL, 0, HD_MODE_READ);
    a.n_accesses = 0;
    m->ipc->request[me] = *r;
    r->settle(m, r, &a);
    a.flags = (uint8_t)(flags | HD_ACTION_SETTLES); /* the outcome is told when it is its turn */
    if (flags & HD_ACTION_WAITS)
        hd_action_cancellable(m, &a);
    const hd_action *done = hd_visible(m, &a);
    HD_INVARIANT(E1, hd_thread_current(m) == me);
    if ((flags & HD_ACTION_WAITS || r->is_poll) && done->flags & HD_ACTION_FAILED) {
        hd_action failed; /* handlers use the slot */
        hd_action_copy(&failed, done);
        hd_thread_test_cancel(m);
        if (!hd_signals_interrupt(m, !hd_kind_is(kind, HD_KIND_POLLS)))
            return hd_ipc_stand(m, kind, flags, r);
        hd_action_copy(&m->threads.action[me], &failed);
    }
    if (!(flags & HD_ACTION_WAITS) && hd_ipc_has_running_timer(m, r))
        hd_timer_tell_running(m);
    hd_wait_until(m, UINT64_MAX);
    m->ipc->request[me].until = 0;
    return done;
}

uint64_t hd_ipc_deadline(hd_machine *m, uint64_t nanoseconds) {
    uint64_t now = hd_time_now(m);
    return nanoseconds && nanoseconds < UINT64_MAX - now ? now + nanoseconds : UINT64_MAX;
}

/* A wait that ended by its time waits no more: it could have ended in other states too. */
void hd_ipc_set_failed(hd_action *a, bool fails) {
    bool is_timed = a->flags & (HD_ACTION_WAITS | HD_ACTION_TIMEOUT);
    a->flags &= (uint8_t)~(HD_ACTION_FAILED | HD_ACTION_TIMEOUT | HD_ACTION_WAITS);
    if (fails)
        a->flags |= HD_ACTION_FAILED | (is_timed ? HD_ACTION_TIMEOUT : 0);
    else if (is_timed)
        a->flags |= HD_ACTION_WAITS;
}

/* A timed wait that ended by its time. */
static void note_timeout(hd_machine *m, uint64_t deadline) {
    if (!deadline || deadline == UINT64_MAX)
        return;
    hd_sync_thread_of(m, hd_thread_current(m))->n_timeouts++;
    if (m->running.virtual_time < deadline)
        m->running.virtual_time = deadline;
}

bool hd_ipc_wait(hd_machine *m, hd_action_kind kind, const hd_ipc_request *r, uint64_t deadline) {
    if (deadline)
        hd_wait_until(m, deadline);
    const hd_action *done = hd_ipc_stand(m, kind, deadline ? HD_ACTION_WAITS : 0, r);
    if (!(done->flags & HD_ACTION_FAILED))
        return true;
    if (!m->thread[hd_thread_current(m)].is_interrupted)
        note_timeout(m, deadline && r->until ? hd_ipc_due(r) : deadline);
    return false;
}

/* ---- taking ---- */

static bool has_item(hd_machine *m, const hd_ipc_request *r) {
    (void)m;
    return !hd_queue_is_empty(r->queue) || (r->queue->has_ended && !r->wants_data);
}

/* The first who finds the end of a connection may be told that it was reset, others that have the
 * same socket are not. */
static bool is_told_once(const hd_machine *m, const hd_file *f) {
    return f && f->kind == HD_FILE_SOCKET && hd_ipc_has_rivals(m, f);
}

/* An end of file is looked at, not taken; and so is the place of the item that is not there. */
static void settle_take(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    const hd_queue *q = r->queue;
    bool takes = !hd_queue_is_empty(q), ends = !takes && q->has_ended && !r->wants_data;
    hd_access_mode mode = takes ? HD_MODE_WRITE : HD_MODE_READ;
    a->n_accesses = 0;
    touch(a, hd_ipc_head(q), ends && is_told_once(m, r->file) ? HD_MODE_WRITE : mode);
    touch(a, hd_ipc_slot(q, q->n_taken), mode);
    if (takes)
        touch(a, hd_ipc_ready_of(q), HD_MODE_ADD);
    else if (q->can_end && !r->wants_data)
        touch(a, hd_ipc_end_of(q), HD_MODE_READ);
    if (!takes)
        hd_ipc_look_at_listener(a, r->file);
    a->detail = ends && q->is_shut;
    hd_ipc_set_failed(a, !takes && !ends);
    HD_CHECK(a->n_accesses <= HD_OWN_ACCESSES);
}

static void describe_take(hd_machine *m, const hd_ipc_request *r, hd_text *out) {
    bool accepts =
        r->file && r->file->kind == HD_FILE_SOCKET && r->file->socket->state == HD_SOCKET_LISTENING;
    hd_text_add(out, accepts ? "waits for a connection at " : "waits to receive from ");
    hd_ipc_describe_file(m, r->file, out);
}

void hd_ipc_note_taker(hd_machine *m, hd_queue *q) {
    q->takers = hd_set_with(q->takers, hd_thread_current(m));
    if (q->is_shared && !m->lessons.knows_readers)
        hd_readers_expect(m, hd_ipc_id(q), hd_ipc_process(m));
}

/* Does the thread stand before a put into the queue, through a file that was closed meanwhile? */
static bool puts_through_closed(const hd_machine *m, uint32_t t, const hd_queue *q) {
    const hd_action *a = &m->threads.action[t];
    const hd_ipc_request *r = &m->ipc->request[t];
    return hd_kind_is(a->kind, HD_KIND_PUTS) && !m->thread[t].is_courier &&
           a->flags & HD_ACTION_SETTLES && r->queue == q && r->file && !r->file->n_references;
}

/* The end of a queue was found although somebody is about to put something there: Linux keeps the
 * file until that is done. */
static void note_early_end(hd_machine *m, const hd_queue *q) {
    uint32_t t;
    if (!q->has_ended || !hd_queue_is_empty(q))
        return;
    HD_SET_EACH(t, m->threads.alive)
    if (puts_through_closed(m, t, q))
        hd_bound(m, m->threads.action[t].site,
                 "a file that is closed while a thread writes to it is gone before that is done");
}

static bool take(hd_machine *m, hd_queue *q, hd_file *file, uint64_t deadline, bool wants_data) {
    hd_ipc_request r = {.is_ready = has_item,
                        .settle = settle_take,
                        .describe = describe_take,
                        .queue = q,
                        .file = file,
                        .wants_data = wants_data};
    if (!hd_ipc_wait(m, HD_DO_TAKE, &r, deadline))
        return false;
    HD_CHECK(has_item(m, &r));
    note_early_end(m, q);
    hd_ipc_note_taker(m, q);
    return true;
}

bool hd_ipc_take(hd_machine *m, hd_queue *q, hd_file *file, uint64_t deadline) {
    return take(m, q, file, deadline, false);
}

bool hd_ipc_take_more(hd_machine *m, hd_queue *q, hd_file *file) {
    return take(m, q, file, 0, true);
}

static void settle_peek(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    const hd_queue *q = r->queue;
    a->n_accesses = 0;
    hd_action_also(a, hd_ipc_slot(q, q->n_taken), q->n_put - q->n_taken + 1, HD_MODE_READ, true);
    touch(a, hd_ipc_head(q),
          hd_queue_is_empty(q) && is_told_once(m, r->file) ? HD_MODE_WRITE : HD_MODE_READ);
    if (q->can_end)
        touch(a, hd_ipc_end_of(q), HD_MODE_READ);
    hd_ipc_look_at_listener(a, r->file);
    a->state = !hd_queue_is_empty(q);
    a->detail = q->has_ended;
    hd_ipc_set_failed(a, !has_item(m, r));
}

bool hd_ipc_peek(hd_machine *m, hd_queue *q, hd_file *file, uint64_t deadline) {
    hd_ipc_request r = {.is_ready = has_item,
                        .settle = settle_peek,
                        .describe = describe_take,
                        .queue = q,
                        .file = file};
    return hd_ipc_wait(m, HD_DO_POLL, &r, deadline);
}

static void settle_inspection(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    settle_peek(m, r, a);
    if (hd_ipc_has_rivals(m, r->file))
        touch(a, hd_ipc_state_of(r->file), HD_MODE_READ);
    HD_CHECK(a->n_accesses <= HD_OWN_ACCESSES);
}

void hd_ipc_inspect(hd_machine *m, hd_queue *q, hd_file *file) {
    hd_ipc_request r = {.is_ready = has_item,
                        .settle = settle_inspection,
                        .describe = describe_take,
                        .queue = q,
                        .file = file};
    hd_ipc_wait(m, HD_DO_POLL, &r, 0);
}

/* ---- putting ---- */

void hd_ipc_fill_put(hd_action *a, const hd_queue *q, bool succeeds, bool has_rivals) {
    a->n_accesses = 0;
    hd_ipc_set_failed(a, !succeeds);
    touch(a, hd_ipc_tail(q), succeeds && has_rivals ? HD_MODE_WRITE : HD_MODE_READ);
    if (!succeeds)
        return;
    touch(a, hd_ipc_slot(q, q->n_put), HD_MODE_WRITE);
    touch(a, hd_ipc_ready_of(q), HD_MODE_ADD);
    if (q->first_door) /* who has it decides who is found */
        touch(a, hd_ipc_door(q->first_door), HD_MODE_READ);
}

void hd_ipc_fill_refused(hd_action *a, uint64_t tail) {
    a->n_accesses = 0;
    hd_ipc_set_failed(a, true);
    touch(a, tail, HD_MODE_READ);
    hd_ipc_look_at_all_readers(a, tail);
}

static bool is_shut(const hd_file *f) {
    return f && f->kind == HD_FILE_SOCKET && f->socket->has_shut_writing;
}

static void settle_put(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    hd_ipc_fill_put(a, r->queue, !r->queue->is_closed && !is_shut(r->file), true);
    hd_ipc_look_at_readers(m, a, r->queue);
    const hd_queue *listener = hd_ipc_listener_of(r->file);
    if (listener)
        hd_ipc_look_at_readers(m, a, listener);
}

bool hd_ipc_put(hd_machine *m, hd_queue *q, hd_file *file, hd_item *item) {
    hd_ipc_request r = {.settle = settle_put, .queue = q, .file = file};
    if (hd_ipc_stand(m, HD_DO_PUT, 0, &r)->flags & HD_ACTION_FAILED)
        return false;
    HD_ASSERT(!q->is_closed);
    hd_queue_put(&hd_ipc_net(m)->arena, q, item);
    return true;
}

/* ---- changing and looking ---- */

/* Whether an address is free depends on all who have it. */
static void change(hd_machine *m, uint64_t tail, uint32_t first_door, uint64_t ready,
                   hd_opening what, const hd_file *f) {
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, (const void *)tail, 1, HD_MODE_WRITE);
    hd_ipc_look_at_all_readers(&a, tail);
    if (first_door)
        touch(&a, hd_ipc_door(first_door), HD_MODE_WRITE);
    if (ready)
        touch(&a, ready, HD_MODE_ADD);
    a.state = what;
    if (f && hd_ipc_has_rivals(m, f))
        touch(&a, hd_ipc_state_of(f), HD_MODE_WRITE);
    hd_visible(m, &a);
}

void hd_ipc_change(hd_machine *m, const hd_queue *q, hd_opening what, const hd_file *f) {
    HD_INVARIANT(I2, !q->door || hd_ipc_tail(q) == hd_ipc_door(q->door));
    change(m, hd_ipc_tail(q), q->first_door, hd_ipc_ready_of(q), what, f);
}

void hd_ipc_change_door(hd_machine *m, uint32_t door, hd_opening what, const hd_file *f) {
    change(m, hd_ipc_door(door), 0, 0, what, f);
}

hd_action hd_ipc_closing_source(hd_machine *m, const hd_queue *q) {
    hd_action a = hd_action_on(m, HD_DO_PUT, 0, (const void *)hd_ipc_end_of(q), 1, HD_MODE_ADD);
    touch(&a, hd_ipc_ready_of(q), HD_MODE_ADD);
    return a;
}

void hd_ipc_shut(hd_machine *m, const hd_queue *q, bool is_final, const hd_queue *other) {
    HD_ASSERT(q != other);
    hd_action a = hd_ipc_closing_source(m, q);
    a.state = HD_ENDS_AT_ONCE;
    if (is_final)
        touch(&a, hd_ipc_tail(q), HD_MODE_WRITE);
    if (other)
        touch(&a, hd_ipc_end_of(other), HD_MODE_ADD);
    hd_visible(m, &a);
}

bool hd_ipc_has_rivals(const hd_machine *m, const hd_file *f) {
    return f->is_shared || hd_ipc_is_shared_table(m);
}

/* Who sends through a socket next, or shuts it. */
static uint64_t senders_of(const hd_queue *own) {
    return HD_QUEUE(hd_ipc_id(own)) | UINT64_C(0xffffffb0);
}

void hd_ipc_look(hd_machine *m, const hd_queue *q, const hd_queue *own) {
    HD_ASSERT(q || own);
    hd_action a = hd_action_on(m, HD_DO_PUT, 0, NULL, 0, HD_MODE_READ);
    a.n_accesses = 0;
    if (q)
        touch(&a, hd_ipc_reset_of(q), HD_MODE_READ);
    if (own)
        touch(&a, senders_of(own), HD_MODE_WRITE);
    hd_visible(m, &a);
}

bool hd_ipc_is_look(const hd_action *a, const hd_queue *q) {
    return a->kind == HD_DO_PUT && a->n_accesses && a->access[0].mode == HD_MODE_READ &&
           a->access[0].address == hd_ipc_reset_of(q);
}

bool hd_ipc_is_question(const hd_action *a) {
    uint64_t first = a->access[0].address;
    return a->kind == HD_DO_OBJECT && a->n_accesses && a->access[0].mode == HD_MODE_READ &&
           first >= HD_TOKEN_NUMBER(0, 0) && first < HD_TOKEN_NUMBER(HD_MAX_PROCESSES, 0);
}
