/* The abstract machine of messages: what is about queues. */
#include "base/hash.h"
#include "base/panic.h"
#include "property/model/model_messages_int.h"

/* ---- What actors stand before --------------------------------------------------------------- */

/* All queues belong to the process of the last actor. */
static uint64_t ready_token(const model *m, unsigned queue) {
    return HD_TOKEN_READY(model_process_of(m, m->program->code.n_threads - 1u)) + queue;
}

static unsigned items_in(const model *m, unsigned queue) {
    return m->state.queue[queue].tail - m->state.queue[queue].head;
}

static uint64_t slot(unsigned queue, unsigned nth) {
    return HD_QUEUE(1 + queue) + nth;
}

static bool is_bounded(const model *m, unsigned queue) {
    return queue == 0 && m->program->capacity;
}

static unsigned room_in(const model *m, unsigned queue) {
    return m->program->capacity - items_in(m, queue);
}

/* Room that was made by taking: there would have been none without. */
void queue_put_accesses(const model *m, hd_action *a, unsigned queue) {
    bool has_room = !is_bounded(m, queue) || room_in(m, queue);
    hd_access_mode mode = has_room ? HD_MODE_WRITE : HD_MODE_READ;
    a->n_accesses = 0;
    a->state = is_bounded(m, queue) ? room_in(m, queue) : 0;
    a->detail = is_bounded(m, queue) ? m->program->capacity : 0;
    model_add_access(a, HD_QUEUE_TAIL(1 + queue), 1, mode);
    if (has_room) {
        model_add_access(a, slot(queue, m->state.queue[queue].tail), 1, HD_MODE_WRITE);
        model_add_access(a, ready_token(m, queue), 1, HD_MODE_ADD);
    }
    if (is_bounded(m, queue) && m->state.queue[queue].tail >= m->program->capacity)
        model_add_access(a, HD_QUEUE_HEAD(1 + queue), 1, HD_MODE_READ);
}

static hd_action put_action(const model *m, uint32_t t, const operation *o) {
    bool waits = is_bounded(m, o->object) && o->kind != OPERATION_TRY_PUT;
    hd_action a =
        model_new_action(m, t, HD_DO_PUT, HD_ACTION_SETTLES | (waits ? HD_ACTION_WAITS : 0));
    queue_put_accesses(m, &a, o->object);
    return a;
}

/* Of a take that gets `n`, and would have got `wanted` if there had been more. */
static void take_accesses(const model *m, hd_action *a, unsigned queue, unsigned n,
                          unsigned wanted) {
    a->n_accesses = 0;
    model_add_access(a, HD_QUEUE_HEAD(1 + queue), 1, n ? HD_MODE_WRITE : HD_MODE_READ);
    model_add_access(a, slot(queue, m->state.queue[queue].head), n + (n < wanted),
                     n ? HD_MODE_WRITE : HD_MODE_READ);
    if (n)
        model_add_access(a, ready_token(m, queue), 1, HD_MODE_ADD);
}

static void poll_accesses(const model *m, hd_action *a, const operation *o) {
    a->n_accesses = 0;
    for (unsigned q = 0; q < MODEL_QUEUES && o->kind == OPERATION_POLL_ALL; q++)
        model_add_access(a, ready_token(m, q), 1, HD_MODE_READ);
    if (o->kind == OPERATION_POLL_VAGUELY)
        model_add_access(a, ready_token(m, 0), MODEL_QUEUES, HD_MODE_READ);
    if (a->n_accesses)
        return;
    model_add_access(a, HD_QUEUE_HEAD(1 + o->object), 1, HD_MODE_READ);
    model_add_access(a, slot(o->object, m->state.queue[o->object].head), 1 + items_in(m, o->object),
                     HD_MODE_READ);
}

static unsigned wanted_by(const operation *o) {
    return o->kind == OPERATION_TAKE_MANY ? o->value : 1;
}

static unsigned n_taken(const model *m, const operation *o) {
    unsigned there = items_in(m, o->object), wanted = wanted_by(o);
    return there < wanted ? there : wanted;
}

/* How many of the queues that it looks at hold something. */
static unsigned n_ready(const model *m, const operation *o) {
    unsigned n = 0;
    for (unsigned q = 0; q < MODEL_QUEUES; q++)
        n += items_in(m, q) && (o->kind == OPERATION_POLL_ALL || o->object == q);
    return n;
}

static hd_action take_action(const model *m, uint32_t t, const operation *o) {
    bool goes_on = o->kind == OPERATION_TRY_TAKE ||
                   (o->kind == OPERATION_TIMED_TAKE && model_may_time_out(m, t, o));
    unsigned waits = goes_on ? 0 : HD_ACTION_WAITS;
    hd_action a = model_new_action(m, t, HD_DO_TAKE, HD_ACTION_SETTLES | waits);
    unsigned n = n_taken(m, o);
    a.state = o->kind == OPERATION_TAKE_MANY ? UINT32_MAX : 1;
    /* Nobody knows yet what it will be: a take of what comes first. */
    take_accesses(m, &a, o->object, n ? n : 1, wanted_by(o));
    return a;
}

static hd_action poll_action(const model *m, uint32_t t, const operation *o) {
    bool goes_on = o->kind == OPERATION_TIMED_POLL && model_may_time_out(m, t, o);
    unsigned waits = goes_on ? 0 : HD_ACTION_WAITS;
    hd_action a = model_new_action(m, t, HD_DO_POLL, HD_ACTION_SETTLES | waits);
    poll_accesses(m, &a, o);
    return a;
}

static hd_action listen_action(const model *m, uint32_t t, const operation *o) {
    hd_action a = model_new_action(m, t, HD_DO_OBJECT, 0);
    a.state = 1;
    model_add_access(&a, HD_QUEUE_TAIL(1 + o->object), 1, HD_MODE_WRITE);
    return a;
}

hd_action queue_action(const model *m, uint32_t t, const operation *o) {
    switch ((operation_kind)o->kind) {
    case OPERATION_PUT:
    case OPERATION_PUT_R:
    case OPERATION_CONNECT:
    case OPERATION_TRY_PUT:
        return put_action(m, t, o);
    case OPERATION_TAKE:
    case OPERATION_TRY_TAKE:
    case OPERATION_TIMED_TAKE:
    case OPERATION_TAKE_MANY:
        return take_action(m, t, o);
    case OPERATION_POLL:
    case OPERATION_POLL_VAGUELY:
    case OPERATION_TIMED_POLL:
    case OPERATION_POLL_ALL:
        return poll_action(m, t, o);
    case OPERATION_LISTEN:
        return listen_action(m, t, o);
    default:
        HD_BUG("not an operation on queues");
    }
}

/* ---- Outcomes, and who can go on ---------------------------------------------------------- */

static void settle_take(const model *m, hd_action *a, const operation *o) {
    unsigned n = n_taken(m, o);
    take_accesses(m, a, o->object, n, n ? wanted_by(o) : 1);
    if (n == 0)
        a->flags |= o->kind == OPERATION_TRY_TAKE ? HD_ACTION_FAILED : HD_ACTION_TIMEOUT;
}

void queue_settle(const model *m, hd_action *a, const operation *o) {
    if (a->kind == HD_DO_TAKE)
        settle_take(m, a, o);
    if (a->kind == HD_DO_POLL) {
        a->state = n_ready(m, o);
        a->flags |= a->state ? 0 : HD_ACTION_TIMEOUT;
    }
    if (a->kind == HD_DO_PUT && is_bounded(m, o->object) && !room_in(m, o->object))
        a->flags |= HD_ACTION_FAILED;
    if (o->kind == OPERATION_CONNECT && !m->state.queue[o->object].is_open) {
        a->flags |= HD_ACTION_FAILED;
        a->n_accesses = 1;
        a->access[0].mode = HD_MODE_READ;
    }
}

bool operation_uses_queue(const operation *o) {
    return o->kind >= OPERATION_PUT && o->kind <= OPERATION_CONNECT;
}

bool queue_is_enabled(const model *m, uint32_t t, const operation *o) {
    switch ((operation_kind)o->kind) {
    case OPERATION_TAKE:
    case OPERATION_TAKE_MANY:
        return items_in(m, o->object) > 0;
    case OPERATION_TIMED_TAKE:
        return items_in(m, o->object) > 0 || model_may_time_out(m, t, o);
    case OPERATION_PUT:
    case OPERATION_PUT_R:
        return !is_bounded(m, o->object) || room_in(m, o->object);
    case OPERATION_POLL:
    case OPERATION_POLL_VAGUELY:
    case OPERATION_POLL_ALL:
        return n_ready(m, o) > 0;
    case OPERATION_TIMED_POLL:
        return n_ready(m, o) > 0 || model_may_time_out(m, t, o);
    default:
        return true;
    }
}

/* ---- Effects ----------------------------------------------------------------------------------
 */

void queue_put(model *m, unsigned queue, model_value v) {
    model_queue *q = &m->state.queue[queue];
    HD_ASSERT(q->tail < MODEL_ITEMS);
    q->item[q->tail++] = v;
}

static void take(model *m, model_actor *self, const operation *o) {
    model_queue *q = &m->state.queue[o->object];
    unsigned n = n_taken(m, o);
    self->r = value_constant(n ? 0 : MODEL_NOTHING);
    for (; n; n--)
        self->r = value_plus(&m->inputs, self->r, q->item[q->head++]);
}

/* Which of the queues hold something, as a set. */
static unsigned ready_set(const model *m, const operation *o) {
    unsigned set = 0;
    for (unsigned q = 0; q < MODEL_QUEUES; q++)
        if (items_in(m, q) && (o->kind == OPERATION_POLL_ALL || o->object == q))
            set |= 1u << q;
    return set;
}

void queue_apply(model *m, uint32_t t, const hd_action *a, const operation *o) {
    model_actor *self = &m->state.actor[t];
    bool failed = a->flags & HD_ACTION_FAILED;
    switch ((hd_action_kind)a->kind) {
    case HD_DO_PUT:
        if (!failed)
            queue_put(m, o->object,
                      o->kind == OPERATION_PUT_R ? self->r : value_constant(o->value));
        if (o->kind == OPERATION_CONNECT || o->kind == OPERATION_TRY_PUT)
            self->r = value_constant(!failed);
        break;
    case HD_DO_TAKE:
        take(m, self, o);
        break;
    case HD_DO_POLL:
        self->r = value_constant(ready_set(m, o));
        break;
    case HD_DO_OBJECT:
        m->state.queue[o->object].is_open = true;
        break;
    default:
        HD_BUG("not an action of an actor");
    }
}

uint64_t queue_state(const model_queue *q) {
    uint64_t h = hd_hash_add(hd_hash_add(q->head, q->tail), q->is_open);
    for (unsigned i = 0; i < q->tail; i++)
        h = hd_hash_add(h, q->item[i].is);
    return h;
}
