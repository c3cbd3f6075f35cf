/* The abstract machine of messages: what actions mean, and one execution under an explorer. */
#include "model_messages.h"
#include "base/hash.h"
#include "base/panic.h"

#include <string.h>

/* ---- Programs for people ---------------------------------------------------------------- */

static void print_operation(const operation *o, hd_text *out) {
    static const char *const texts[] = {
#define X(name, text) text,
        MODEL_OPERATION_KINDS(X)
#undef X
    };
    for (const char *c = texts[o->kind]; *c; c++) {
        if (*c != '%') {
            hd_text_add(out, "%c", *c);
            continue;
        }
        c++;
        hd_text_add(out, "%u", *c == 'o' ? o->object : *c == 'v' ? o->value : o->extra);
    }
}

void program_print(const program *p, hd_text *out) {
    hd_text_add(
        out, "fifo channels %x, %u inputs of %u bits (first %u, %u), timeouts %s%s, room for %u\n",
        p->fifo, p->n_inputs, p->input_width, p->first[0], p->first[1],
        p->timeouts_any ? "any" : "last", p->has_pairs ? ", two actors a process" : "",
        p->capacity);
    for (unsigned t = 0; t < p->n_actors; t++) {
        hd_text_add(out, "a%u%s:", t, t < p->n_initial ? "" : " (spawned)");
        for (unsigned i = 0; i < p->n[t]; i++) {
            hd_text_add(out, " ");
            print_operation(&p->at[t][i], out);
            hd_text_add(out, ";");
        }
        hd_text_add(out, "\n");
    }
}

/* ---- Who is there ------------------------------------------------------------------------- */

static operation current_operation(const model *m, uint32_t t) {
    if (m->program->react)
        return (operation){.kind = OPERATION_RECEIVE};
    return m->program->at[t][m->state.actor[t].pc];
}

static bool is_alive(const model *m, uint32_t actor) {
    return m->state.actor[actor].status == ACTOR_ALIVE;
}

/* What the courier carries next; NULL: nothing. */
static const model_message *carried(const model *m, uint32_t courier) {
    const model_state *s = &m->state;
    for (unsigned i = s->n_delivered_first; i < s->n_messages; i++)
        if (s->message[i].courier == courier && !s->message[i].is_delivered)
            return &s->message[i];
    return NULL;
}

static hd_thread_set couriers(const model *m) {
    const model_state *s = &m->state;
    hd_thread_set set = 0;
    for (unsigned i = s->n_delivered_first; i < s->n_messages; i++)
        if (!s->message[i].is_delivered)
            set |= HD_THREAD(s->message[i].courier);
    return set;
}

static bool is_timed(const model *m, const operation *o) {
    return !m->program->timeouts_any &&
           (o->kind == OPERATION_TIMED_TAKE || o->kind == OPERATION_TIMED_POLL ||
            o->kind == OPERATION_SLEEP);
}

/* The next deadline that has not passed; 0: none. */
static unsigned next_deadline(const model *m) {
    unsigned next = 0;
    for (uint32_t t = 0; t < m->program->n_actors; t++) {
        if (!is_alive(m, t))
            continue;
        operation o = current_operation(m, t);
        unsigned deadline = m->state.actor[t].deadline;
        if (is_timed(m, &o) && deadline > m->state.time && (!next || deadline < next))
            next = deadline;
    }
    return next;
}

static hd_thread_set alive(const model *m) {
    hd_thread_set set = couriers(m);
    for (uint32_t t = 0; t < m->program->n_actors; t++)
        if (is_alive(m, t))
            set |= HD_THREAD(t);
    return next_deadline(m) ? set | HD_THREAD(MODEL_CLOCK) : set;
}

/* ---- What they stand before ---------------------------------------------------------------- */

/* The explorer looks at the values of locations, so they are real. */
static uint64_t cells[MODEL_LOCATIONS];
#define LOCATION(n)  ((uint64_t)(uintptr_t)&cells[n])
#define ALL_CHANNELS ((UINT64_C(1) << MODEL_CHANNELS) - 1)

static unsigned process_of(const model *m, uint32_t actor) {
    return m->program->has_pairs ? actor / 2 : actor;
}

/* All queues belong to the process of the last actor. */
static uint64_t ready_token(const model *m, unsigned queue) {
    return HD_TOKEN_READY(process_of(m, m->program->n_actors - 1u)) + queue;
}

static unsigned items_in(const model *m, unsigned queue) {
    return m->state.queue[queue].tail - m->state.queue[queue].head;
}

static uint64_t slot(unsigned queue, unsigned nth) {
    return HD_QUEUE(1 + queue) + nth;
}

static void add_access(hd_action *a, uint64_t address, uint64_t size, hd_access_mode mode) {
    a->access[a->n_accesses++] = (hd_access){
        .address = address, .size = (uint32_t)size, .mode = (uint8_t)mode, .is_atomic = true};
}

static hd_action new_action(const model *m, uint32_t t, hd_action_kind kind, unsigned flags) {
    const model_actor *self = &m->state.actor[t];
    return (hd_action){.kind = (uint8_t)kind,
                       .thread = (uint8_t)t,
                       .flags = (uint8_t)flags,
                       .site = 1 + MODEL_OPERATIONS * t + self->pc,
                       .after = {self->birth}};
}

static bool is_bounded(const model *m, unsigned queue) {
    return queue == 0 && m->program->capacity;
}

static unsigned room_in(const model *m, unsigned queue) {
    return m->program->capacity - items_in(m, queue);
}

/* Room that was made by taking: there would have been none without. */
static void put_accesses(const model *m, hd_action *a, unsigned queue) {
    bool has_room = !is_bounded(m, queue) || room_in(m, queue);
    hd_access_mode mode = has_room ? HD_MODE_WRITE : HD_MODE_READ;
    a->n_accesses = 0;
    a->state = is_bounded(m, queue) ? room_in(m, queue) : 0;
    a->detail = is_bounded(m, queue) ? m->program->capacity : 0;
    add_access(a, HD_QUEUE_TAIL(1 + queue), 1, mode);
    if (has_room) {
        add_access(a, slot(queue, m->state.queue[queue].tail), 1, HD_MODE_WRITE);
        add_access(a, ready_token(m, queue), 1, HD_MODE_ADD);
    }
    if (is_bounded(m, queue) && m->state.queue[queue].tail >= m->program->capacity)
        add_access(a, HD_QUEUE_HEAD(1 + queue), 1, HD_MODE_READ);
}

static hd_action put_action(const model *m, uint32_t t, const operation *o) {
    bool waits = is_bounded(m, o->object) && o->kind != OPERATION_TRY_PUT;
    hd_action a = new_action(m, t, HD_DO_PUT, HD_ACTION_SETTLES | (waits ? HD_ACTION_WAITS : 0));
    put_accesses(m, &a, o->object);
    return a;
}

/* Of a take that gets `n`, and would have got `wanted` if there had been more. */
static void take_accesses(const model *m, hd_action *a, unsigned queue, unsigned n,
                          unsigned wanted) {
    a->n_accesses = 0;
    add_access(a, HD_QUEUE_HEAD(1 + queue), 1, n ? HD_MODE_WRITE : HD_MODE_READ);
    add_access(a, slot(queue, m->state.queue[queue].head), n + (n < wanted),
               n ? HD_MODE_WRITE : HD_MODE_READ);
    if (n)
        add_access(a, ready_token(m, queue), 1, HD_MODE_ADD);
}

static void poll_accesses(const model *m, hd_action *a, const operation *o) {
    a->n_accesses = 0;
    for (unsigned q = 0; q < MODEL_QUEUES && o->kind == OPERATION_POLL_ALL; q++)
        add_access(a, ready_token(m, q), 1, HD_MODE_READ);
    if (o->kind == OPERATION_POLL_VAGUELY)
        add_access(a, ready_token(m, 0), MODEL_QUEUES, HD_MODE_READ);
    if (a->n_accesses)
        return;
    add_access(a, HD_QUEUE_HEAD(1 + o->object), 1, HD_MODE_READ);
    add_access(a, slot(o->object, m->state.queue[o->object].head), 1 + items_in(m, o->object),
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

static hd_action memory_action(const model *m, uint32_t t, hd_action_kind kind, hd_access_mode mode,
                               unsigned location) {
    hd_action a = new_action(m, t, kind, 0);
    add_access(&a, LOCATION(location), sizeof *cells, mode);
    return a;
}

/* A timed wait that can end now, whatever is there: it does not wait any more. */
static bool may_time_out(const model *m, uint32_t t, const operation *o) {
    return m->program->timeouts_any ||
           (is_timed(m, o) && m->state.actor[t].deadline <= m->state.time);
}

static hd_action take_action(const model *m, uint32_t t, const operation *o) {
    bool goes_on =
        o->kind == OPERATION_TRY_TAKE || (o->kind == OPERATION_TIMED_TAKE && may_time_out(m, t, o));
    unsigned waits = goes_on ? 0 : HD_ACTION_WAITS;
    hd_action a = new_action(m, t, HD_DO_TAKE, HD_ACTION_SETTLES | waits);
    unsigned n = n_taken(m, o);
    a.state = o->kind == OPERATION_TAKE_MANY ? UINT32_MAX : 1;
    /* Nobody knows yet what it will be: a take of what comes first. */
    take_accesses(m, &a, o->object, n ? n : 1, wanted_by(o));
    return a;
}

static hd_action poll_action(const model *m, uint32_t t, const operation *o) {
    bool goes_on = o->kind == OPERATION_TIMED_POLL && may_time_out(m, t, o);
    unsigned waits = goes_on ? 0 : HD_ACTION_WAITS;
    hd_action a = new_action(m, t, HD_DO_POLL, HD_ACTION_SETTLES | waits);
    poll_accesses(m, &a, o);
    return a;
}

static hd_action listen_action(const model *m, uint32_t t, const operation *o) {
    hd_action a = new_action(m, t, HD_DO_OBJECT, 0);
    a.state = 1;
    add_access(&a, HD_QUEUE_TAIL(1 + o->object), 1, HD_MODE_WRITE);
    return a;
}

static hd_action actor_action(const model *m, uint32_t t) {
    operation o = current_operation(m, t);
    switch ((operation_kind)o.kind) {
    case OPERATION_RECEIVE:
    case OPERATION_RECEIVE_ON:
        return new_action(m, t, HD_DO_AWAIT, HD_ACTION_WAITS);
    case OPERATION_PUT:
    case OPERATION_PUT_R:
    case OPERATION_CONNECT:
    case OPERATION_TRY_PUT:
        return put_action(m, t, &o);
    case OPERATION_TAKE:
    case OPERATION_TRY_TAKE:
    case OPERATION_TIMED_TAKE:
    case OPERATION_TAKE_MANY:
        return take_action(m, t, &o);
    case OPERATION_POLL:
    case OPERATION_POLL_VAGUELY:
    case OPERATION_TIMED_POLL:
    case OPERATION_POLL_ALL:
        return poll_action(m, t, &o);
    case OPERATION_LISTEN:
        return listen_action(m, t, &o);
    case OPERATION_SLEEP:
        return new_action(m, t, HD_DO_SLEEP, HD_ACTION_WAITS);
    case OPERATION_READ:
        return memory_action(m, t, HD_DO_READ, HD_MODE_READ, o.object);
    case OPERATION_WRITE:
        return memory_action(m, t, HD_DO_WRITE, HD_MODE_WRITE, o.object);
    default:
        HD_BUG("a local operation is no action");
    }
}

/* The set of channels from which the actor would receive now. */
static uint64_t accepted(const model *m, uint32_t t) {
    if (!is_alive(m, t))
        return 0;
    operation o = current_operation(m, t);
    return o.kind == OPERATION_RECEIVE      ? ALL_CHANNELS
           : o.kind == OPERATION_RECEIVE_ON ? UINT64_C(1) << o.object
                                            : 0;
}

static hd_action courier_action(const model *m, uint32_t courier) {
    const model_message *v = carried(m, courier);
    unsigned flags = v->is_for_queue ? HD_ACTION_SETTLES : HD_ACTION_WAITS;
    hd_action a = {.kind = v->is_for_queue ? HD_DO_PUT : HD_DO_RECEIVE,
                   .thread = (uint8_t)courier,
                   .flags = (uint8_t)flags,
                   .site = 1000 + v->to,
                   .after = {v->after}};
    if (v->is_for_queue) {
        put_accesses(m, &a, v->to);
        return a;
    }
    a.detail = v->to;
    a.state = v->channel;
    a.expected = accepted(m, v->to);
    a.after[1] = m->state.actor[v->to].birth;
    add_access(&a, HD_TOKEN_INBOX(v->to), 1, HD_MODE_WRITE);
    return a;
}

static hd_action model_action(const model *m, uint32_t t) {
    if (t == MODEL_CLOCK)
        return (hd_action){
            .kind = HD_DO_TIME, .thread = MODEL_CLOCK, .flags = HD_ACTION_WAITS, .site = 999};
    return t < MODEL_ACTORS ? actor_action(m, t) : courier_action(m, t);
}

/* ---- Outcomes, and who can go on ---------------------------------------------------------- */

static void settle_take(const model *m, hd_action *a, const operation *o) {
    unsigned n = n_taken(m, o);
    take_accesses(m, a, o->object, n, n ? wanted_by(o) : 1);
    if (n == 0)
        a->flags |= o->kind == OPERATION_TRY_TAKE ? HD_ACTION_FAILED : HD_ACTION_TIMEOUT;
}

static hd_action model_settled(const model *m, uint32_t t) {
    hd_action a = model_action(m, t);
    if (t >= MODEL_ACTORS)
        return a;
    operation o = current_operation(m, t);
    if (a.kind == HD_DO_TAKE)
        settle_take(m, &a, &o);
    if (a.kind == HD_DO_POLL) {
        a.state = n_ready(m, &o);
        a.flags |= a.state ? 0 : HD_ACTION_TIMEOUT;
    }
    if (a.kind == HD_DO_PUT && is_bounded(m, o.object) && !room_in(m, o.object))
        a.flags |= HD_ACTION_FAILED;
    if (o.kind == OPERATION_CONNECT && !m->state.queue[o.object].is_open) {
        a.flags |= HD_ACTION_FAILED;
        a.n_accesses = 1;
        a.access[0].mode = HD_MODE_READ;
    }
    return a;
}

static bool is_actor_enabled(const model *m, uint32_t t) {
    operation o = current_operation(m, t);
    bool may_end = may_time_out(m, t, &o);
    switch ((operation_kind)o.kind) {
    case OPERATION_RECEIVE:
    case OPERATION_RECEIVE_ON:
        return false;
    case OPERATION_TAKE:
    case OPERATION_TAKE_MANY:
        return items_in(m, o.object) > 0;
    case OPERATION_TIMED_TAKE:
        return items_in(m, o.object) > 0 || may_end;
    case OPERATION_PUT:
    case OPERATION_PUT_R:
        return !is_bounded(m, o.object) || room_in(m, o.object);
    case OPERATION_POLL:
    case OPERATION_POLL_VAGUELY:
    case OPERATION_POLL_ALL:
        return n_ready(m, &o) > 0;
    case OPERATION_TIMED_POLL:
        return n_ready(m, &o) > 0 || may_end;
    case OPERATION_SLEEP:
        return may_end;
    default:
        return true;
    }
}

static bool is_courier_enabled(const model *m, uint32_t courier) {
    const model_message *v = carried(m, courier);
    return v->is_for_queue || accepted(m, v->to) >> v->channel & 1;
}

hd_thread_set model_enabled(const model *m) {
    hd_thread_set set = 0;
    for (hd_thread_set left = couriers(m); left; left &= left - 1)
        if (is_courier_enabled(m, (uint32_t)__builtin_ctzll(left)))
            set |= left & -left;
    for (uint32_t t = 0; t < m->program->n_actors; t++)
        if (is_alive(m, t) && is_actor_enabled(m, t))
            set |= HD_THREAD(t);
    return set || !next_deadline(m) ? set : HD_THREAD(MODEL_CLOCK);
}

/* ---- What is noted ------------------------------------------------------------------------- */

/* Threads of which things are named: actors, messages of actors, the clock. */
static uint64_t item_name(uint32_t thread, unsigned item) {
    return hd_mix((uint64_t)thread << 32 | item);
}

static uint64_t message_name(const model_message *v) {
    return item_name(1000u + v->sender, v->nth);
}

static void note_decision(model *m, uint32_t t, uint32_t site, bool taken) {
    model_state *s = &m->state;
    uint64_t name = item_name(t, s->actor[t].n_items++);
    s->trace += hd_hash_add(hd_hash_add(name, 1), 2 * site + taken);
    s->sequence = hd_hash_add(hd_hash_add(s->sequence, site), 1000 + taken);
}

static uint64_t action_hash(const hd_action *a) {
    uint64_t h = hd_hash_add(a->kind, a->detail);
    h = hd_hash_add(h, a->flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT));
    for (unsigned i = 0; i < a->n_accesses; i++) {
        h = hd_hash_add(h, a->access[i].address);
        h = hd_hash_add(h, (uint64_t)a->access[i].size << 8 | a->access[i].mode);
    }
    return h;
}

/* The name of the event, and what it is; a receive is the receiver's. */
static uint64_t name_event(model *m, const hd_action *a, uint64_t *what) {
    model_state *s = &m->state;
    *what = action_hash(a);
    if (a->thread == MODEL_CLOCK)
        return item_name(MODEL_CLOCK, s->n_ticks);
    if (a->thread < MODEL_ACTORS)
        return item_name(a->thread, s->actor[a->thread].n_items++);
    const model_message *v = carried(m, a->thread);
    if (v->is_for_queue)
        return message_name(v);
    *what = hd_hash_add(message_name(v), v->channel);
    return item_name(v->to, s->actor[v->to].n_items++);
}

/* Everything is ordered with the clock: what counts is how often it ticked before. */
static void note_event(model *m, const hd_action *a) {
    model_state *s = &m->state;
    uint64_t chosen =
        a->thread < MODEL_FIRST_COURIER ? a->thread : message_name(carried(m, a->thread));
    uint64_t what, name = name_event(m, a, &what);
    s->n_ticks += a->kind == HD_DO_TIME;
    s->sequence = hd_hash_add(s->sequence, chosen);
    s->trace += hd_hash_add(hd_hash_add(name, 2 + s->n_ticks), what);
    for (uint32_t i = 0; i < s->n_events && a->kind != HD_DO_RECEIVE; i++) {
        const model_event *e = &m->event[i];
        if (e->action.thread != a->thread && hd_actions_conflict(&e->action, a))
            s->trace += hd_hash_add(e->name, name);
    }
    HD_ASSERT(s->n_events < MODEL_EVENTS);
    m->event[s->n_events++] = (model_event){.action = *a, .name = name};
}

/* ---- Values ---------------------------------------------------------------------------------- */

static hd_expr as_expr(const model *m, model_value v) {
    return v.expr ? v.expr : hd_expr_const(m->graph, 8, v.is);
}

/* The value, without an expression if that is constant. */
static model_value with_expr(const model *m, unsigned is, hd_expr e) {
    return (model_value){.is = (uint8_t)is, .expr = hd_expr_is_const(m->graph, e) ? HD_NONE : e};
}

static model_value plus(const model *m, model_value a, model_value b) {
    if (!a.expr && !b.expr)
        return (model_value){.is = (uint8_t)(a.is + b.is)};
    return with_expr(m, (unsigned)a.is + b.is,
                     hd_expr_binary(m->graph, HD_OP_ADD, as_expr(m, a), as_expr(m, b)));
}

model_value model_constant(unsigned is) {
    return (model_value){.is = (uint8_t)is};
}

model_value model_input(const model *m, unsigned n) {
    return with_expr(m, m->input_value[n], m->input[n]);
}

static bool decide(model *m, uint32_t t, uint32_t site, hd_expr e, bool taken,
                   hd_branch_kind kind) {
    if (hd_expr_is_const(m->graph, e))
        return taken;
    note_decision(m, t, site, taken);
    if (m->sink)
        m->sink->branch(m->sink->context, site, e, taken, kind);
    return taken;
}

bool model_decide(model *m, uint32_t t, uint32_t site, hd_op op, model_value a, model_value b) {
    bool taken = op == HD_OP_EQ ? a.is == b.is : op == HD_OP_ULT ? a.is < b.is : a.is <= b.is;
    if (!a.expr && !b.expr)
        return taken;
    hd_expr e = hd_expr_binary(m->graph, op, as_expr(m, a), as_expr(m, b));
    return decide(m, t, site, e, taken, HD_BRANCH_PROGRAM);
}

static void reject(model *m, uint32_t t) {
    m->state.actor[t].status = ACTOR_GAVE_UP;
    m->state.is_rejected = true;
}

static void assume_differs(model *m, uint32_t t, uint32_t site, model_value a, model_value b) {
    bool holds = a.is != b.is;
    hd_expr e = hd_expr_binary(m->graph, HD_OP_EQ, as_expr(m, a), as_expr(m, b));
    if (a.expr || b.expr)
        decide(m, t, site, hd_expr_not(m->graph, e), holds, HD_BRANCH_ASSUME);
    if (!holds)
        reject(m, t);
}

/* ---- What an actor does alone -----------------------------------------------------------------
 */

/* The courier of earlier messages of the same FIFO channel, or a new one (courier.h). */
static uint8_t courier_for(model *m, const model_message *v) {
    const model_state *s = &m->state;
    for (unsigned i = 0; i < s->n_messages && m->program->fifo >> v->channel & 1; i++) {
        const model_message *old = &s->message[i];
        if (old->sender == v->sender && old->to == v->to && old->channel == v->channel &&
            old->is_for_queue == v->is_for_queue)
            return old->courier;
    }
    unsigned nth = m->state.actor[v->sender].n_children++;
    uint8_t *name = &m->names.courier[v->sender][nth];
    if (!*name) {
        HD_ASSERT(MODEL_FIRST_COURIER + m->names.n < HD_MAX_THREADS);
        *name = (uint8_t)(MODEL_FIRST_COURIER + m->names.n++);
    }
    return *name;
}

static void give_to_courier(model *m, uint32_t t, model_message v) {
    model_state *s = &m->state;
    HD_ASSERT(s->n_messages < MODEL_MESSAGES);
    v.sender = (uint8_t)t;
    v.nth = s->actor[t].n_sent++;
    v.after = s->n_events;
    v.courier = courier_for(m, &v);
    s->message[s->n_messages++] = v;
}

void model_send(model *m, uint32_t t, uint32_t to, unsigned tag, model_value v) {
    give_to_courier(m, t, (model_message){.to = (uint8_t)to, .tag = (uint8_t)tag, .value = v});
}

static void send_on(model *m, uint32_t t, unsigned to, unsigned channel, model_value v) {
    give_to_courier(m, t,
                    (model_message){.to = (uint8_t)to, .channel = (uint8_t)channel, .value = v});
}

void model_halt(model *m, uint32_t t) {
    m->state.actor[t].status = ACTOR_ENDED;
}

void model_fail(model *m, uint32_t t) {
    m->state.actor[t].status = ACTOR_GAVE_UP;
    m->state.findings |= UINT64_C(1) << (MODEL_OPERATIONS * t + m->state.actor[t].pc);
}

static void check_assertion(model *m, uint32_t t, const operation *o, uint32_t site) {
    model_value value = model_constant(o->value);
    if (o->kind == OPERATION_ASSERT_LINEAR) {
        model_value z = model_input(m, o->object);
        value = plus(m, plus(m, z, z), model_constant(1));
    }
    if (model_decide(m, t, site, HD_OP_EQ, m->state.actor[t].r, value))
        model_fail(m, t);
}

static void start(model *m, uint32_t t);

/* Execute the operation if it is nobody else's business; false if it is an action. */
static bool do_local(model *m, uint32_t t, const operation *o) {
    model_actor *self = &m->state.actor[t];
    uint32_t site = 1 + MODEL_OPERATIONS * t + self->pc;
    switch ((operation_kind)o->kind) {
    case OPERATION_SEND:
        send_on(m, t, o->object, o->extra, model_constant(o->value));
        return true;
    case OPERATION_FORWARD:
        send_on(m, t, o->object, o->extra, self->r);
        return true;
    case OPERATION_REPLY:
        send_on(m, t, self->sender, o->extra, self->r);
        return true;
    case OPERATION_POST:
        give_to_courier(m, t,
                        (model_message){.to = o->object,
                                        .channel = o->extra,
                                        .is_for_queue = true,
                                        .value = model_constant(o->value)});
        return true;
    case OPERATION_SPAWN:
        start(m, o->object);
        return true;
    case OPERATION_HALT:
        model_halt(m, t);
        return true;
    case OPERATION_IDLE:
        self->may_idle = true;
        return true;
    case OPERATION_INPUT:
        self->r = model_input(m, o->object);
        return true;
    case OPERATION_SKIP:
        if (model_decide(m, t, site, HD_OP_EQ, self->r, model_constant(o->value)))
            self->pc = (uint8_t)(self->pc + o->extra);
        return true;
    case OPERATION_ASSERT:
    case OPERATION_ASSERT_LINEAR:
        check_assertion(m, t, o, site);
        return true;
    case OPERATION_ASSUME:
        assume_differs(m, t, site, self->r, model_constant(o->value));
        return true;
    case OPERATION_SLEEP:
        return m->program->timeouts_any; /* orders nothing then */
    default:
        return false;
    }
}

/* Run alone until the next action or the end. */
static void advance(model *m, uint32_t t) {
    model_actor *self = &m->state.actor[t];
    while (self->status == ACTOR_ALIVE && !m->program->react) {
        operation o = {0};
        if (self->pc < m->program->n[t])
            o = current_operation(m, t);
        if (self->pc >= m->program->n[t])
            self->status = ACTOR_ENDED;
        else if (do_local(m, t, &o))
            self->pc++;
        else {
            self->deadline = (uint8_t)(m->state.time + (o.value ? o.value : 1));
            return;
        }
    }
}

static void start(model *m, uint32_t t) {
    m->state.actor[t].status = ACTOR_ALIVE;
    m->state.actor[t].birth = m->state.n_events;
    advance(m, t);
}

/* ---- Effects ------------------------------------------------------------------------------------
 */

static void put(model *m, unsigned queue, model_value v) {
    model_queue *q = &m->state.queue[queue];
    HD_ASSERT(q->tail < MODEL_ITEMS);
    q->item[q->tail++] = v;
}

static void take(model *m, model_actor *self, const operation *o) {
    model_queue *q = &m->state.queue[o->object];
    unsigned n = n_taken(m, o);
    self->r = model_constant(n ? 0 : MODEL_NOTHING);
    for (; n; n--)
        self->r = plus(m, self->r, q->item[q->head++]);
}

/* Which of the queues hold something, as a set. */
static unsigned ready_set(const model *m, const operation *o) {
    unsigned set = 0;
    for (unsigned q = 0; q < MODEL_QUEUES; q++)
        if (items_in(m, q) && (o->kind == OPERATION_POLL_ALL || o->object == q))
            set |= 1u << q;
    return set;
}

static void apply(model *m, uint32_t t, const hd_action *a) {
    model_actor *self = &m->state.actor[t];
    operation o = current_operation(m, t);
    bool failed = a->flags & HD_ACTION_FAILED;
    switch ((hd_action_kind)a->kind) {
    case HD_DO_PUT:
        if (!failed)
            put(m, o.object, o.kind == OPERATION_PUT_R ? self->r : model_constant(o.value));
        if (o.kind == OPERATION_CONNECT || o.kind == OPERATION_TRY_PUT)
            self->r = model_constant(!failed);
        break;
    case HD_DO_TAKE:
        take(m, self, &o);
        break;
    case HD_DO_POLL:
        self->r = model_constant(ready_set(m, &o));
        break;
    case HD_DO_OBJECT:
        m->state.queue[o.object].is_open = true;
        break;
    case HD_DO_READ:
        self->r = m->state.memory[o.object];
        break;
    case HD_DO_WRITE:
        m->state.memory[o.object] = model_constant(o.value);
        break;
    case HD_DO_SLEEP:
        break;
    default:
        HD_BUG("not an action of an actor");
    }
}

static void receive(model *m, const model_message *v) {
    model_actor *self = &m->state.actor[v->to];
    self->sender = v->sender;
    if (m->program->react) {
        m->program->react(m, v->to, v->tag, v->value);
        return;
    }
    self->r = v->value;
    self->pc++;
    advance(m, v->to);
}

static void deliver(model *m, uint32_t courier) {
    model_state *s = &m->state;
    model_message *v = &s->message[carried(m, courier) - s->message];
    v->is_delivered = true;
    while (s->n_delivered_first < s->n_messages && s->message[s->n_delivered_first].is_delivered)
        s->n_delivered_first++;
    if (v->is_for_queue)
        put(m, v->to, v->value);
    else
        receive(m, v);
}

void model_step(model *m, uint32_t t) {
    hd_action a = model_settled(m, t);
    note_event(m, &a);
    if (t == MODEL_CLOCK)
        m->state.time = (uint8_t)next_deadline(m);
    else if (t > MODEL_CLOCK)
        deliver(m, t);
    else {
        apply(m, t, &a);
        m->state.actor[t].pc++;
        advance(m, t);
    }
}

void model_begin(model *m) {
    m->state = (model_state){0};
    for (uint32_t t = 0; t < m->program->n_initial; t++)
        start(m, t);
    if (m->program->begin && !m->program->begin(m))
        for (uint32_t t = 0; t < m->program->n_initial; t++)
            reject(m, t);
}

void model_end(model *m) {
    model_state *s = &m->state;
    bool gave_up = false, waits = false;
    for (uint32_t t = 0; t < m->program->n_actors; t++) {
        gave_up |= s->actor[t].status == ACTOR_GAVE_UP;
        waits |= s->actor[t].status == ACTOR_ALIVE && !s->actor[t].may_idle;
    }
    if (waits && !gave_up)
        s->findings |= FINDING_DEADLOCK;
    if (m->program->holds && !s->is_rejected && !gave_up && !m->program->holds(m))
        s->findings |= FINDING_AT_END;
}

static uint64_t queue_state(const model_queue *q) {
    uint64_t h = hd_hash_add(hd_hash_add(q->head, q->tail), q->is_open);
    for (unsigned i = 0; i < q->tail; i++)
        h = hd_hash_add(h, q->item[i].is);
    return h;
}

uint64_t model_final_state(const model *m) {
    const model_state *s = &m->state;
    uint64_t h = s->time, pending = 0;
    for (unsigned i = 0; i < MODEL_LOCATIONS; i++)
        h = hd_hash_add(h, s->memory[i].is);
    for (unsigned i = 0; i < MODEL_QUEUES; i++)
        h = hd_hash_add(h, queue_state(&s->queue[i]));
    for (unsigned t = 0; t < MODEL_ACTORS; t++) {
        h = hd_hash_add(hd_hash_add(h, s->actor[t].status), s->actor[t].pc);
        h = hd_hash_add(h, s->actor[t].r.is);
        for (unsigned i = 0; i < MODEL_REGISTERS; i++)
            h = hd_hash_add(h, s->actor[t].registers[i].is);
    }
    for (unsigned i = 0; i < s->n_messages; i++)
        pending += s->message[i].is_delivered ? 0 : message_name(&s->message[i]);
    return hd_hash_add(h, pending);
}

/* ---- With an explorer ---------------------------------------------------------------------- */

void model_open(model *m, const program *p, hd_graph *graph, hd_variables *variables) {
    m->program = p;
    m->graph = graph;
    m->sink = NULL;
    m->names = (model_names){0};
    for (uint32_t i = 0; i < p->n_inputs; i++) {
        hd_var v = hd_variables_root(variables, i, HD_VAR_INTEGER, p->input_width, 0, "z");
        m->input[i] = hd_expr_zext(graph, hd_expr_var(graph, v, p->input_width), 8);
        m->input_value[i] = p->first[i];
    }
}

static hd_thread_set threads_enabled(hd_threads *threads) {
    return model_enabled(threads->machine);
}

static void threads_settle(hd_threads *threads, uint32_t t) {
    HD_ASSERT(model_enabled(threads->machine) & HD_THREAD(t));
    threads->action[t] = model_settled(threads->machine, t);
}

static bool threads_go_round(hd_threads *threads, const hd_action *a, uint64_t value) {
    (void)threads, (void)a, (void)value;
    return false;
}

static unsigned process_of_thread(const model *m, uint32_t t) {
    if (t < MODEL_ACTORS)
        return process_of(m, t);
    if (t == MODEL_CLOCK)
        return MODEL_CLOCK;
    const model_message *v = carried(m, t);
    return process_of(m, v->is_for_queue ? m->program->n_actors - 1u : v->to);
}

/* Actors that moved or came stand before other actions now; the rest is left as the explorer may
 * have settled it in an earlier state.  What couriers stand before is always as of now. */
static void show_threads(model *m, hd_thread_set moved) {
    hd_threads *threads = &m->threads;
    hd_thread_set living = alive(m), fresh = living & (moved | ~threads->alive);
    for (uint32_t i = 0; i < MODEL_LOCATIONS; i++)
        cells[i] = m->state.memory[i].is;
    for (hd_thread_set left = living; left; left &= left - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(left);
        if (fresh & HD_THREAD(t) || t >= MODEL_CLOCK)
            threads->action[t] = model_action(m, t);
        if (threads->n <= t)
            threads->n = t + 1;
        threads->process[t] = (uint8_t)process_of_thread(m, t);
    }
    threads->alive = living;
}

/* Whom the sink chooses: settled, and able to go on. */
static uint32_t ask(model *m, const hd_sink *sink) {
    uint32_t t = sink->schedule(sink->context, &m->threads);
    if (t == HD_SCHEDULE_STOP)
        return t;
    if (t == HD_SCHEDULE_STUCK) {
        HD_ASSERT(model_enabled(m) == 0);
        return t;
    }
    HD_ASSERT(t < HD_MAX_THREADS && (model_enabled(m) & HD_THREAD(t)));
    hd_action settled = model_settled(m, t);
    HD_ASSERT(action_hash(&settled) == action_hash(&m->threads.action[t]));
    return t;
}

/* The actor that goes on when `t` does. */
static uint32_t runner(const model *m, uint32_t t) {
    if (t < MODEL_FIRST_COURIER)
        return t;
    const model_message *v = carried(m, t);
    return v->is_for_queue ? t : v->to;
}

static hd_end run_actors(model *m, const hd_sink *sink) {
    hd_thread_set moved = 0;
    m->threads = (hd_threads){.enabled = threads_enabled,
                              .settle = threads_settle,
                              .goes_round = threads_go_round,
                              .machine = m,
                              .n = 1};
    while (alive(m)) {
        show_threads(m, moved);
        uint32_t t = ask(m, sink);
        if (t == HD_SCHEDULE_STOP)
            return HD_END_STOPPED;
        if (t == HD_SCHEDULE_STUCK)
            break;
        m->threads.current = runner(m, t);
        moved = HD_THREAD(m->threads.current);
        model_step(m, t);
    }
    model_end(m);
    return m->state.is_rejected ? HD_END_REJECTED
           : m->state.findings  ? HD_END_FINDING
                                : HD_END_EXIT;
}

static void read_inputs(model *m, hd_model *inputs) {
    for (uint32_t i = 0; i < m->program->n_inputs; i++) {
        if (!hd_model_has(inputs, i))
            hd_model_set(inputs, i, m->program->first[i]);
        m->input_value[i] = (uint8_t)hd_model_get(inputs, i);
    }
}

void model_run(model *m, const hd_sink *sink, hd_model *inputs, hd_outcome *outcome) {
    *outcome = (hd_outcome){0};
    read_inputs(m, inputs);
    m->sink = sink;
    model_begin(m);
    outcome->end = run_actors(m, sink);
    m->sink = NULL;
    outcome->n_events = m->state.n_events;
    if (outcome->end == HD_END_FINDING)
        outcome->finding.kind =
            m->state.findings & FINDING_DEADLOCK ? HD_FINDING_DEADLOCK : HD_FINDING_ASSERTION;
}
