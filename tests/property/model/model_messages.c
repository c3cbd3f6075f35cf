/* The abstract machine of messages: actors, couriers and the clock, and one execution under an
 * explorer.  What is about queues is in model_queues.c. */
#include "base/hash.h"
#include "base/panic.h"
#include "property/model/model_messages_int.h"

/* ---- Programs for people ---------------------------------------------------------------- */

void messages_print(const program *p, hd_text *out) {
    static const char *const texts[] = {
#define X(name, text) text,
        MODEL_OPERATION_KINDS(X)
#undef X
    };
    const code *c = &p->code;
    hd_text_add(
        out, "fifo channels %x, %u inputs of %u bits (first %u, %u), timeouts %s%s, room for %u\n",
        p->fifo, c->n_inputs, c->input_width, c->first[0], c->first[1],
        p->timeouts_any ? "any" : "last", p->has_pairs ? ", two actors a process" : "",
        p->capacity);
    code_print(c, texts, 'a', "spawned", out);
}

/* ---- Who is there ------------------------------------------------------------------------- */

operation messages_operation(const model *m, uint32_t t) {
    if (m->program->react)
        return (operation){.kind = OPERATION_RECEIVE};
    return m->program->code.at[t][m->state.actor[t].pc];
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

static model_set couriers(const model *m) {
    const model_state *s = &m->state;
    model_set set = 0;
    for (unsigned i = s->n_delivered_first; i < s->n_messages; i++)
        if (!s->message[i].is_delivered)
            set |= MODEL_THREAD(s->message[i].courier);
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
    for (uint32_t t = 0; t < m->program->code.n_threads; t++) {
        if (!is_alive(m, t))
            continue;
        operation o = messages_operation(m, t);
        unsigned deadline = m->state.actor[t].deadline;
        if (is_timed(m, &o) && deadline > m->state.time && (!next || deadline < next))
            next = deadline;
    }
    return next;
}

bool model_may_time_out(const model *m, uint32_t t, const operation *o) {
    return m->program->timeouts_any ||
           (is_timed(m, o) && m->state.actor[t].deadline <= m->state.time);
}

static model_set alive(const model *m) {
    model_set set = couriers(m);
    for (uint32_t t = 0; t < m->program->code.n_threads; t++)
        if (is_alive(m, t))
            set |= MODEL_THREAD(t);
    return next_deadline(m) ? set | MODEL_THREAD(MODEL_CLOCK) : set;
}

/* ---- What they stand before ---------------------------------------------------------------- */

/* The explorer looks at the values of locations, so they are real. */
static uint64_t cells[MODEL_LOCATIONS];
#define LOCATION(n)  ((uint64_t)(uintptr_t)&cells[n])
#define ALL_CHANNELS ((UINT64_C(1) << MODEL_CHANNELS) - 1)

/* Some programs number them from the last one on, so that anybody may be the first process. */
unsigned model_process_of(const model *m, uint32_t actor) {
    const code *c = &m->program->code;
    unsigned from_last = c->n_threads - 1u - actor;
    unsigned number = c->n[0] % 4 == 1 && actor < c->n_threads ? from_last : actor;
    return m->program->has_pairs ? number / 2 : number;
}

void model_add_access(hd_action *a, uint64_t address, uint64_t size, hd_access_mode mode) {
    a->access[a->n_accesses++] = (hd_access){
        .address = address, .size = (uint32_t)size, .mode = (uint8_t)mode, .is_atomic = true};
}

hd_action model_new_action(const model *m, uint32_t t, hd_action_kind kind, unsigned flags) {
    const model_actor *self = &m->state.actor[t];
    return (hd_action){.kind = (uint8_t)kind,
                       .thread = t,
                       .flags = (uint8_t)flags,
                       .site = 1 + MODEL_OPERATIONS * t + self->pc,
                       .after = {self->birth}};
}

static hd_action memory_action(const model *m, uint32_t t, hd_action_kind kind, hd_access_mode mode,
                               unsigned location) {
    hd_action a = model_new_action(m, t, kind, 0);
    model_add_access(&a, LOCATION(location), sizeof *cells, mode);
    return a;
}

static hd_action actor_action(const model *m, uint32_t t) {
    operation o = messages_operation(m, t);
    switch ((operation_kind)o.kind) {
    case OPERATION_RECEIVE:
    case OPERATION_RECEIVE_ON:
        return model_new_action(m, t, HD_DO_AWAIT, HD_ACTION_WAITS);
    case OPERATION_SLEEP:
        return model_new_action(m, t, HD_DO_SLEEP, HD_ACTION_WAITS);
    case OPERATION_READ:
        return memory_action(m, t, HD_DO_READ, HD_MODE_READ, o.object);
    case OPERATION_WRITE:
        return memory_action(m, t, HD_DO_WRITE, HD_MODE_WRITE, o.object);
    default:
        return queue_action(m, t, &o);
    }
}

/* The set of channels from which the actor would receive now. */
static uint64_t accepted(const model *m, uint32_t t) {
    if (!is_alive(m, t))
        return 0;
    operation o = messages_operation(m, t);
    return o.kind == OPERATION_RECEIVE      ? ALL_CHANNELS
           : o.kind == OPERATION_RECEIVE_ON ? UINT64_C(1) << o.object
                                            : 0;
}

static hd_action courier_action(const model *m, uint32_t courier) {
    const model_message *v = carried(m, courier);
    unsigned flags = v->is_for_queue ? HD_ACTION_SETTLES : HD_ACTION_WAITS;
    hd_action a = {.kind = v->is_for_queue ? HD_DO_PUT : HD_DO_RECEIVE,
                   .thread = courier,
                   .flags = (uint8_t)flags,
                   .site = 1000 + v->to,
                   .after = {v->after}};
    if (v->is_for_queue) {
        queue_put_accesses(m, &a, v->to);
        return a;
    }
    a.detail = v->to;
    a.state = v->channel;
    a.expected = accepted(m, v->to);
    a.after[1] = m->state.actor[v->to].birth;
    model_add_access(&a, HD_TOKEN_INBOX(v->to), 1, HD_MODE_WRITE);
    return a;
}

static hd_action model_action(const model *m, uint32_t t) {
    if (t == MODEL_CLOCK)
        return (hd_action){
            .kind = HD_DO_TIME, .thread = MODEL_CLOCK, .flags = HD_ACTION_WAITS, .site = 999};
    return t < MODEL_ACTORS ? actor_action(m, t) : courier_action(m, t);
}

/* ---- Outcomes, and who can go on ---------------------------------------------------------- */

static hd_action model_settled(const model *m, uint32_t t) {
    hd_action a = model_action(m, t);
    if (t < MODEL_ACTORS) {
        operation o = messages_operation(m, t);
        queue_settle(m, &a, &o);
    }
    return a;
}

static bool is_actor_enabled(const model *m, uint32_t t) {
    operation o = messages_operation(m, t);
    switch ((operation_kind)o.kind) {
    case OPERATION_RECEIVE:
    case OPERATION_RECEIVE_ON:
        return false;
    case OPERATION_SLEEP:
        return model_may_time_out(m, t, &o);
    default:
        return !operation_uses_queue(&o) || queue_is_enabled(m, t, &o);
    }
}

static bool is_courier_enabled(const model *m, uint32_t courier) {
    const model_message *v = carried(m, courier);
    return v->is_for_queue || accepted(m, v->to) >> v->channel & 1;
}

model_set messages_enabled(const model *m) {
    model_set set = 0;
    for (model_set left = couriers(m); left; left &= left - 1)
        if (is_courier_enabled(m, (uint32_t)__builtin_ctzll(left)))
            set |= left & -left;
    for (uint32_t t = 0; t < m->program->code.n_threads; t++)
        if (is_alive(m, t) && is_actor_enabled(m, t))
            set |= MODEL_THREAD(t);
    return set || !next_deadline(m) ? set : MODEL_THREAD(MODEL_CLOCK);
}

/* ---- What is noted ------------------------------------------------------------------------- */

/* Threads of which things are named: actors, messages of actors, the clock. */
static uint64_t message_name(const model_message *v) {
    return item_name(1000u + v->sender, v->nth);
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
    s->history.sequence = hd_hash_add(s->history.sequence, chosen);
    history_add(&s->history, m->event, a, name, hd_hash_add(s->n_ticks, what),
                a->kind != HD_DO_RECEIVE);
}

/* ---- Values ---------------------------------------------------------------------------------- */

model_value model_input(const model *m, unsigned n) {
    return value_of_input(&m->inputs, n);
}

static bool decide(model *m, uint32_t t, uint32_t site, hd_expr e, bool taken,
                   hd_branch_kind kind) {
    history_decide(&m->state.history, item_name(t, m->state.actor[t].n_items++), site, taken);
    if (m->sink)
        m->sink->branch(m->sink->context, site, e, taken, kind);
    return taken;
}

bool model_decide(model *m, uint32_t t, uint32_t site, hd_op op, model_value a, model_value b) {
    bool taken = op == HD_OP_EQ ? a.is == b.is : op == HD_OP_ULT ? a.is < b.is : a.is <= b.is;
    hd_expr e = value_compare(&m->inputs, op, a, b);
    return e ? decide(m, t, site, e, taken, HD_BRANCH_PROGRAM) : taken;
}

static void reject(model *m, uint32_t t) {
    m->state.actor[t].status = ACTOR_GAVE_UP;
    m->state.history.is_rejected = true;
}

static void assume_differs(model *m, uint32_t t, uint32_t site, model_value a, model_value b) {
    bool holds = a.is != b.is;
    hd_expr e = value_compare(&m->inputs, HD_OP_EQ, a, b);
    if (e)
        decide(m, t, site, hd_expr_not(m->inputs.graph, e), holds, HD_BRANCH_ASSUME);
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
        HD_ASSERT(MODEL_FIRST_COURIER + m->names.n < 64);
        *name = (uint8_t)(MODEL_FIRST_COURIER + m->names.n++);
    }
    return *name;
}

static void give_to_courier(model *m, uint32_t t, model_message v) {
    model_state *s = &m->state;
    HD_ASSERT(s->n_messages < MODEL_MESSAGES);
    v.sender = (uint8_t)t;
    v.nth = s->actor[t].n_sent++;
    v.after = s->history.n_events;
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
    m->state.history.findings |= UINT64_C(1) << (MODEL_OPERATIONS * t + m->state.actor[t].pc);
}

static void check_assertion(model *m, uint32_t t, const operation *o, uint32_t site) {
    model_value value = value_constant(o->value);
    if (o->kind == OPERATION_ASSERT_LINEAR) {
        model_value z = model_input(m, o->object);
        value = value_plus(&m->inputs, value_plus(&m->inputs, z, z), value_constant(1));
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
        send_on(m, t, o->object, o->extra, value_constant(o->value));
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
                                        .value = value_constant(o->value)});
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
        if (model_decide(m, t, site, HD_OP_EQ, self->r, value_constant(o->value)))
            self->pc = (uint8_t)(self->pc + o->extra);
        return true;
    case OPERATION_ASSERT:
    case OPERATION_ASSERT_LINEAR:
        check_assertion(m, t, o, site);
        return true;
    case OPERATION_ASSUME:
        assume_differs(m, t, site, self->r, value_constant(o->value));
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
        if (self->pc < m->program->code.n[t])
            o = messages_operation(m, t);
        if (self->pc >= m->program->code.n[t])
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
    m->state.actor[t].birth = m->state.history.n_events;
    advance(m, t);
}

/* ---- Effects ------------------------------------------------------------------------------------
 */

static void apply(model *m, uint32_t t, const hd_action *a) {
    operation o = messages_operation(m, t);
    switch ((hd_action_kind)a->kind) {
    case HD_DO_READ:
        m->state.actor[t].r = m->state.memory[o.object];
        break;
    case HD_DO_WRITE:
        m->state.memory[o.object] = value_constant(o.value);
        break;
    case HD_DO_SLEEP:
        break;
    default:
        queue_apply(m, t, a, &o);
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
        queue_put(m, v->to, v->value);
    else
        receive(m, v);
}

void messages_step(model *m, uint32_t t) {
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

void messages_begin(model *m) {
    m->state = (model_state){0};
    for (uint32_t t = 0; t < m->program->code.n_initial; t++)
        start(m, t);
    if (m->program->begin && !m->program->begin(m))
        for (uint32_t t = 0; t < m->program->code.n_initial; t++)
            reject(m, t);
}

void messages_end(model *m) {
    model_state *s = &m->state;
    bool gave_up = false, waits = false;
    for (uint32_t t = 0; t < m->program->code.n_threads; t++) {
        gave_up |= s->actor[t].status == ACTOR_GAVE_UP;
        waits |= s->actor[t].status == ACTOR_ALIVE && !s->actor[t].may_idle;
    }
    if (waits && !gave_up)
        s->history.findings |= FINDING_DEADLOCK;
    if (m->program->holds && !s->history.is_rejected && !gave_up && !m->program->holds(m))
        s->history.findings |= FINDING_AT_END;
}

uint64_t messages_final_state(const model *m) {
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

void messages_open(model *m, const program *p, hd_graph *graph, hd_variables *variables) {
    m->program = p;
    m->sink = NULL;
    inputs_open(&m->inputs, &p->code, graph, variables);
}

static hd_thread_set threads_enabled(hd_threads *threads) {
    return set_of_model(messages_enabled(threads->machine));
}

static void threads_settle(hd_threads *threads, uint32_t t) {
    HD_ASSERT(messages_enabled(threads->machine) & MODEL_THREAD(t));
    threads->action[t] = model_settled(threads->machine, t);
}

static bool threads_go_round(hd_threads *threads, const hd_action *a, uint64_t value) {
    (void)threads, (void)a, (void)value;
    return false;
}

static unsigned process_of_thread(const model *m, uint32_t t) {
    if (t < MODEL_ACTORS)
        return model_process_of(m, t);
    if (t == MODEL_CLOCK)
        return MODEL_CLOCK;
    const model_message *v = carried(m, t);
    return model_process_of(m, v->is_for_queue ? m->program->code.n_threads - 1u : v->to);
}

/* Actors that moved or came stand before other actions now; the rest is left as the explorer may
 * have settled it in an earlier state.  What couriers stand before is always as of now. */
static void show_threads(model *m, model_set moved) {
    hd_threads *threads = &m->threads;
    model_set living = alive(m), fresh = living & (moved | ~model_of_set(threads->alive));
    for (uint32_t i = 0; i < MODEL_LOCATIONS; i++)
        cells[i] = m->state.memory[i].is;
    for (model_set left = living; left; left &= left - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(left);
        if (fresh & MODEL_THREAD(t) || t >= MODEL_CLOCK)
            threads->action[t] = model_action(m, t);
        if (threads->n <= t)
            threads->n = t + 1;
        threads->process[t] = (uint16_t)process_of_thread(m, t);
    }
    threads->alive = set_of_model(living);
}

/* Whom the sink chooses: settled, and able to go on. */
static uint32_t ask(model *m, const hd_sink *sink) {
    uint32_t t = script_follow(sink->script, &m->threads, m->state.history.n_events);
    if (t == HD_MAX_THREADS)
        t = sink->schedule(sink->context, &m->threads);
    if (t == HD_SCHEDULE_STOP)
        return t;
    if (t == HD_SCHEDULE_STUCK) {
        HD_ASSERT(messages_enabled(m) == 0);
        return t;
    }
    HD_ASSERT(t < HD_MAX_THREADS && (messages_enabled(m) & MODEL_THREAD(t)));
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
    model_set moved = 0;
    hd_threads *threads = &m->threads;
    clear_threads(threads);
    threads->enabled = threads_enabled;
    threads->settle = threads_settle;
    threads->goes_round = threads_go_round;
    threads->machine = m;
    threads->n = 1;
    threads->first = has_first(&m->program->code) ? first_enabled : NULL;
    while (alive(m)) {
        show_threads(m, moved);
        uint32_t t = ask(m, sink);
        if (t == HD_SCHEDULE_STOP)
            return HD_END_STOPPED;
        if (t == HD_SCHEDULE_STUCK)
            break;
        m->threads.current = runner(m, t);
        moved = MODEL_THREAD(m->threads.current);
        messages_step(m, t);
    }
    messages_end(m);
    return m->state.history.is_rejected ? HD_END_REJECTED
           : m->state.history.findings  ? HD_END_FINDING
                                        : HD_END_EXIT;
}

void messages_run(model *m, const hd_sink *sink, hd_model *inputs, hd_outcome *outcome) {
    *outcome = (hd_outcome){0};
    inputs_read(&m->inputs, &m->program->code, inputs);
    m->sink = sink;
    messages_begin(m);
    outcome->end = run_actors(m, sink);
    m->sink = NULL;
    outcome->n_events = m->state.history.n_events;
    if (outcome->end == HD_END_FINDING)
        outcome->finding.kind = m->state.history.findings & FINDING_DEADLOCK ? HD_FINDING_DEADLOCK
                                                                             : HD_FINDING_ASSERTION;
}
