/* The abstract machine of threads: what actions mean, and one execution under an explorer. */
#include "model_threads.h"
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
    hd_text_add(out, "semaphore %u, barrier of %u, %u inputs of %u bits (first %u, %u)\n",
                p->semaphore, p->barrier, p->n_inputs, p->input_width, p->first[0], p->first[1]);
    for (unsigned t = 0; t < p->n_threads; t++) {
        hd_text_add(out, "t%u%s:", t, t < p->n_initial ? "" : " (created)");
        for (unsigned i = 0; i < p->n[t]; i++) {
            hd_text_add(out, " ");
            print_operation(&p->at[t][i], out);
            hd_text_add(out, ";");
        }
        hd_text_add(out, "\n");
    }
}

/* ---- What a thread stands before --------------------------------------------------------- */

/* The explorer looks at the values of locations, so they are real and in one word or two. */
static _Alignas(8) uint32_t cells[MODEL_LOCATIONS];
#define LOCATION(n) ((uint64_t)(uintptr_t)&cells[n])
#define LOCK(n)     (UINT64_C(0x20000000) + 64 * (n))
#define CONDITION   UINT64_C(0x20001000)
#define SEMAPHORE   UINT64_C(0x20002000)
#define BARRIER     UINT64_C(0x20003000)

static const operation *current_operation(const model *m, uint32_t t) {
    return &m->program->at[t][m->state.thread[t].pc];
}

static void add_access(hd_action *a, uint64_t address, uint64_t size, hd_access_mode mode,
                       bool is_atomic) {
    a->access[a->n_accesses++] = (hd_access){
        .address = address, .size = (uint32_t)size, .mode = (uint8_t)mode, .is_atomic = is_atomic};
}

static hd_action new_action(const model *m, uint32_t t, hd_action_kind kind, unsigned flags) {
    const model_thread *self = &m->state.thread[t];
    return (hd_action){.kind = (uint8_t)kind,
                       .thread = (uint8_t)t,
                       .flags = (uint8_t)flags,
                       .site = 1 + 2 * (MODEL_OPERATIONS * t + self->pc) + self->is_inside};
}

static hd_action memory_action(const model *m, uint32_t t, hd_action_kind kind, unsigned flags,
                               hd_access_mode mode) {
    const operation *o = current_operation(m, t);
    bool is_pair = o->kind == OPERATION_READ_PAIR || o->kind == OPERATION_WRITE_PAIR;
    hd_action a = new_action(m, t, kind, flags);
    add_access(&a, LOCATION(o->object), is_pair ? 8 : 4, mode,
               kind != HD_DO_READ && kind != HD_DO_WRITE);
    a.expected = kind == HD_DO_COMPARE ? o->value : 0;
    if (flags & HD_ACTION_SPINS)
        a.state = MODEL_OPERATIONS * t + m->state.thread[t].pc;
    return a;
}

static hd_action object_action(const model *m, uint32_t t, hd_action_kind kind, unsigned flags,
                               uint64_t object, hd_access_mode mode) {
    hd_action a = new_action(m, t, kind, flags);
    add_access(&a, object, 40, mode, true);
    return a;
}

static hd_action thread_action(const model *m, uint32_t t, hd_action_kind kind, unsigned flags) {
    hd_action a = new_action(m, t, kind, flags);
    a.detail = current_operation(m, t)->object;
    return a;
}

static hd_action exit_action(const model *m, uint32_t t) {
    hd_action a = new_action(m, t, HD_DO_EXIT, HD_ACTION_WAITS);
    add_access(&a, HD_TOKEN_EXIT, 1, HD_MODE_WRITE, true);
    return a;
}

static hd_action wait_action(const model *m, uint32_t t) {
    uint64_t lock = LOCK(current_operation(m, t)->object);
    hd_action a = object_action(m, t, HD_DO_WAIT, HD_ACTION_RELEASES, lock, HD_MODE_WRITE);
    add_access(&a, CONDITION, 48, HD_MODE_WRITE, true);
    return a;
}

static hd_action wake_action(const model *m, uint32_t t) {
    const operation *o = current_operation(m, t);
    bool is_timed = o->kind == OPERATION_TIMED_WAIT;
    unsigned flags = HD_ACTION_WAITS | HD_ACTION_ACQUIRES | (is_timed ? HD_ACTION_SETTLES : 0);
    hd_action a = object_action(m, t, is_timed ? HD_DO_TIMED_WAKE : HD_DO_WAKE, flags,
                                LOCK(o->object), HD_MODE_WRITE);
    if (is_timed)
        add_access(&a, CONDITION, 48, HD_MODE_WRITE, true);
    else
        a.detail = m->state.thread[t].signaller;
    return a;
}

/* An operation of two actions, before its second. */
static hd_action second_action(const model *m, uint32_t t) {
    const operation *o = current_operation(m, t);
    hd_action a;
    switch (o->kind) {
    case OPERATION_BARRIER:
        a = object_action(m, t, HD_DO_LEAVE, HD_ACTION_WAITS, BARRIER, HD_MODE_LEAVE);
        a.detail = m->state.thread[t].seen;
        return a;
    default:
        return wake_action(m, t);
    }
}

static hd_thread_set alive(const model *m) {
    hd_thread_set set = 0;
    for (uint32_t t = 0; t < m->program->n_threads; t++)
        if (m->state.thread[t].status == THREAD_ALIVE)
            set |= HD_THREAD(t);
    return set;
}

/* Are there others, or were there some that were not joined? */
static bool is_threaded(const model *m) {
    hd_thread_set living = alive(m);
    return (living & (living - 1)) || (m->state.unjoined & ~living);
}

/* The next lock that a thread has to tell of before it creates another; MODEL_LOCKS: none. */
static unsigned untold_lock(const model *m, uint32_t t) {
    const model_thread *self = &m->state.thread[t];
    unsigned lock = is_threaded(m) ? MODEL_LOCKS : 0;
    while (lock < MODEL_LOCKS &&
           (self->told >> lock & 1 || !(self->held >> lock & 1 || self->read_depth[lock])))
        lock++;
    return lock;
}

static hd_action create_action(const model *m, uint32_t t) {
    unsigned lock = untold_lock(m, t);
    if (lock == MODEL_LOCKS)
        return thread_action(m, t, HD_DO_CREATE, 0);
    bool writes = m->state.thread[t].held >> lock & 1;
    return object_action(m, t, writes ? HD_DO_LOCK : HD_DO_READ_LOCK, HD_ACTION_ACQUIRES,
                         LOCK(lock), writes ? HD_MODE_WRITE : HD_MODE_READ);
}

static hd_action first_action(const model *m, uint32_t t) {
    enum {
        WAITS = HD_ACTION_WAITS,
        ACQUIRES = HD_ACTION_ACQUIRES,
        SETTLES = HD_ACTION_SETTLES,
        SPINS = HD_ACTION_SPINS
    };
    const operation *o = current_operation(m, t);
    uint64_t lock = LOCK(o->object);
    switch ((operation_kind)o->kind) {
    case OPERATION_READ:
    case OPERATION_READ_PAIR:
        return memory_action(m, t, HD_DO_READ, 0, HD_MODE_READ);
    case OPERATION_SPIN:
        return memory_action(m, t, HD_DO_READ, WAITS | SPINS, HD_MODE_READ);
    case OPERATION_SPIN_LOCK:
        return memory_action(m, t, HD_DO_COMPARE, WAITS | SPINS | SETTLES, HD_MODE_WRITE);
    case OPERATION_WRITE:
    case OPERATION_WRITE_PAIR:
    case OPERATION_STORE:
        return memory_action(m, t, HD_DO_WRITE, 0, HD_MODE_WRITE);
    case OPERATION_ADD:
        return memory_action(m, t, HD_DO_UPDATE, 0, HD_MODE_WRITE);
    case OPERATION_COMPARE:
        return memory_action(m, t, HD_DO_COMPARE, SETTLES, HD_MODE_WRITE);
    case OPERATION_LOCK:
        return object_action(m, t, HD_DO_LOCK, WAITS | ACQUIRES, lock, HD_MODE_WRITE);
    case OPERATION_TRY_LOCK:
        return object_action(m, t, HD_DO_TRY_LOCK, ACQUIRES | SETTLES, lock, HD_MODE_WRITE);
    case OPERATION_UNLOCK:
        return object_action(m, t, HD_DO_UNLOCK, HD_ACTION_RELEASES, lock, HD_MODE_WRITE);
    case OPERATION_READ_LOCK:
        return object_action(m, t, HD_DO_READ_LOCK, WAITS | ACQUIRES, lock, HD_MODE_READ);
    case OPERATION_TRY_READ_LOCK:
        return object_action(m, t, HD_DO_TRY_READ_LOCK, ACQUIRES | SETTLES, lock, HD_MODE_READ);
    case OPERATION_READ_UNLOCK:
        return object_action(m, t, HD_DO_READ_UNLOCK, HD_ACTION_RELEASES, lock, HD_MODE_READ);
    case OPERATION_TAKE:
        return object_action(m, t, HD_DO_SEMAPHORE_WAIT, WAITS | ACQUIRES | SETTLES, SEMAPHORE,
                             HD_MODE_WRITE);
    case OPERATION_TRY_TAKE:
        return object_action(m, t, HD_DO_SEMAPHORE_TRY, ACQUIRES | SETTLES, SEMAPHORE,
                             HD_MODE_WRITE);
    case OPERATION_POST:
        return object_action(m, t, HD_DO_SEMAPHORE_POST, HD_ACTION_RELEASES | SETTLES, SEMAPHORE,
                             HD_MODE_WRITE);
    case OPERATION_WAIT:
    case OPERATION_TIMED_WAIT:
        return wait_action(m, t);
    case OPERATION_SIGNAL:
        return object_action(m, t, HD_DO_SIGNAL, SETTLES, CONDITION, HD_MODE_WRITE);
    case OPERATION_BROADCAST:
        return object_action(m, t, HD_DO_BROADCAST, SETTLES, CONDITION, HD_MODE_WRITE);
    case OPERATION_BARRIER:
        return object_action(m, t, HD_DO_ARRIVE, SETTLES, BARRIER, HD_MODE_ARRIVE);
    case OPERATION_CREATE:
        return create_action(m, t);
    case OPERATION_JOIN:
        return thread_action(m, t, HD_DO_JOIN, WAITS);
    case OPERATION_EXIT:
        return exit_action(m, t);
    default:
        HD_BUG("a local operation is no action");
    }
}

hd_action model_action(const model *m, uint32_t t) {
    return m->state.thread[t].is_inside ? second_action(m, t) : first_action(m, t);
}

/* ---- Outcomes, and who can go on ---------------------------------------------------------- */

static void fail(hd_action *a, hd_access_mode mode) {
    a->flags |= HD_ACTION_FAILED;
    a->access[0].mode = (uint8_t)mode;
}

/* Whom a signal wakes up: the lowest waiting thread; a broadcast: all. */
static unsigned woken_by(const model *m, hd_action_kind kind) {
    unsigned waiting = m->state.waiting;
    return kind == HD_DO_BROADCAST ? waiting : waiting & -waiting;
}

hd_action model_settled(const model *m, uint32_t t) {
    const model_state *s = &m->state;
    const operation *o = current_operation(m, t);
    hd_action a = model_action(m, t);
    switch ((hd_action_kind)a.kind) {
    case HD_DO_COMPARE:
        /* One that inputs decide counts as a write either way, as in the machine. */
        if (!s->memory[o->object].expr && s->memory[o->object].is != o->value)
            fail(&a, HD_MODE_READ);
        break;
    case HD_DO_TRY_LOCK:
        /* Failed because of readers it commutes neither with their coming nor their going. */
        if (s->lock[o->object].writer || s->lock[o->object].readers)
            fail(&a, s->lock[o->object].readers ? HD_MODE_WRITE : HD_MODE_READ);
        break;
    case HD_DO_TRY_READ_LOCK:
        if (s->lock[o->object].writer)
            fail(&a, HD_MODE_READ);
        break;
    case HD_DO_SEMAPHORE_TRY:
        if (!s->semaphore)
            fail(&a, HD_MODE_READ);
        a.state = s->semaphore;
        break;
    case HD_DO_SEMAPHORE_WAIT:
    case HD_DO_SEMAPHORE_POST:
        a.state = s->semaphore;
        break;
    case HD_DO_SIGNAL:
    case HD_DO_BROADCAST:
        if (!s->waiting)
            a.access[0].mode = HD_MODE_READ;
        break;
    case HD_DO_TIMED_WAKE:
        if (!(s->woken >> t & 1))
            a.flags |= HD_ACTION_TIMEOUT;
        break;
    case HD_DO_ARRIVE:
        a.detail = s->generation;
        break;
    default:
        break;
    }
    return a;
}

static bool is_exit(const model *m, uint32_t t) {
    return current_operation(m, t)->kind == OPERATION_EXIT;
}

static bool are_others_stuck(const model *m, uint32_t self) {
    for (uint32_t t = 0; t < m->program->n_threads; t++)
        if (t != self && m->state.thread[t].status == THREAD_ALIVE && !is_exit(m, t) &&
            model_is_enabled(m, t))
            return false;
    return true;
}

/* Does the operation, a waiting loop, go round again when it sees what is there now? */
static bool goes_round(const model *m, const operation *o) {
    bool is_equal = m->state.memory[o->object].is == o->value;
    return o->kind == OPERATION_SPIN ? is_equal : !is_equal;
}

static bool is_spin(const operation *o) {
    return o->kind == OPERATION_SPIN || o->kind == OPERATION_SPIN_LOCK;
}

/* Under an explorer a loop waits only for what is known to lead round it. */
static bool is_spin_enabled(const model *m, uint32_t t, const operation *o) {
    if (!m->sink)
        return !goes_round(m, o);
    return !m->goes_round[t][m->state.thread[t].pc][m->state.memory[o->object].is];
}

bool model_is_enabled(const model *m, uint32_t t) {
    const model_state *s = &m->state;
    const operation *o = current_operation(m, t);
    if (is_spin(o))
        return is_spin_enabled(m, t, o);
    if (o->kind == OPERATION_CREATE)
        return true;
    hd_action_kind kind = model_action(m, t).kind;
    switch (kind) {
    case HD_DO_LOCK:
    case HD_DO_TIMED_WAKE:
        return !s->lock[o->object].writer && !s->lock[o->object].readers;
    case HD_DO_WAKE:
        return (s->woken >> t & 1) && !s->lock[o->object].writer && !s->lock[o->object].readers;
    case HD_DO_READ_LOCK:
        return !s->lock[o->object].writer;
    case HD_DO_SEMAPHORE_WAIT:
        return s->semaphore > 0;
    case HD_DO_LEAVE:
        return s->generation != s->thread[t].seen;
    case HD_DO_JOIN:
        return s->thread[o->object].status == THREAD_ENDED;
    case HD_DO_EXIT:
        return are_others_stuck(m, t);
    default:
        return true;
    }
}

hd_thread_set model_enabled(const model *m) {
    hd_thread_set set = 0;
    for (uint32_t t = 0; t < m->program->n_threads; t++)
        if (m->state.thread[t].status == THREAD_ALIVE && model_is_enabled(m, t))
            set |= HD_THREAD(t);
    return set;
}

/* Is what `t` does an event?  Not if it is alone and has joined all others, except that creating a
 * thread always is. */
static bool is_event(const model *m, uint32_t t) {
    return is_threaded(m) || current_operation(m, t)->kind == OPERATION_CREATE;
}

/* ---- What is noted ------------------------------------------------------------------------- */

static uint64_t item_name(uint32_t thread, unsigned item) {
    return hd_mix((uint64_t)thread << 32 | item);
}

static void note_decision(model *m, uint32_t t, uint32_t site, bool taken) {
    model_state *s = &m->state;
    uint64_t name = item_name(t, s->thread[t].n_items++);
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

static void note_event(model *m, const hd_action *a) {
    model_state *s = &m->state;
    unsigned item = s->thread[a->thread].n_items++;
    s->thread[a->thread].n_events++;
    uint64_t name = item_name(a->thread, item);
    s->sequence = hd_hash_add(s->sequence, a->thread);
    s->trace += hd_hash_add(hd_hash_add(name, 2), action_hash(a));
    for (uint32_t i = 0; i < s->n_events; i++) {
        const model_event *e = &m->event[i];
        if (e->action.thread != a->thread && hd_actions_conflict(&e->action, a))
            s->trace += hd_hash_add(item_name(e->action.thread, e->item), name);
    }
    HD_ASSERT(s->n_events < MODEL_EVENTS);
    m->event[s->n_events++] = (model_event){.action = *a, .item = (uint8_t)item};
}

/* ---- Local operations ------------------------------------------------------------------------ */

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

/* Are the two values equal?  A decision if that depends on inputs. */
static bool decide_equal(model *m, uint32_t t, uint32_t site, model_value a, model_value b,
                         hd_branch_kind kind) {
    bool is_equal = a.is == b.is;
    if (!a.expr && !b.expr)
        return is_equal;
    hd_expr e = hd_expr_binary(m->graph, HD_OP_EQ, as_expr(m, a), as_expr(m, b));
    bool taken = is_equal;
    if (kind == HD_BRANCH_ASSUME) {
        e = hd_expr_not(m->graph, e);
        taken = !is_equal;
    }
    if (hd_expr_is_const(m->graph, e))
        return is_equal;
    note_decision(m, t, site, taken);
    if (m->sink)
        m->sink->branch(m->sink->context, site, e, taken, kind);
    return is_equal;
}

static model_value input_value(const model *m, unsigned n) {
    return with_expr(m, m->input_value[n], m->input[n]);
}

static model_value constant(unsigned is) {
    return (model_value){.is = (uint8_t)is};
}

static void give_up(model *m, uint32_t t, bool is_rejected) {
    m->state.thread[t].status = THREAD_GAVE_UP;
    if (is_rejected)
        m->state.is_rejected = true;
    else
        m->state.findings |= UINT64_C(1) << (MODEL_OPERATIONS * t + m->state.thread[t].pc);
}

static bool check_assertion(model *m, uint32_t t, const operation *o, uint32_t site) {
    model_thread *self = &m->state.thread[t];
    if (o->kind == OPERATION_ASSERT_LINEAR) {
        model_value z = input_value(m, o->object);
        model_value odd = plus(m, plus(m, z, z), constant(1));
        return !decide_equal(m, t, site, odd, self->r, HD_BRANCH_PROGRAM);
    }
    hd_branch_kind kind = o->kind == OPERATION_ASSUME ? HD_BRANCH_ASSUME : HD_BRANCH_PROGRAM;
    return !decide_equal(m, t, site, self->r, constant(o->value), kind);
}

/* Read locks within read locks are between a thread and itself. */
static bool do_nested(model_thread *self, const operation *o) {
    uint8_t *depth = &self->read_depth[o->object];
    if (o->kind == OPERATION_READ_UNLOCK) {
        if (*depth == 1)
            return false;
        if (*depth)
            --*depth;
        return true;
    }
    if (*depth == 0)
        return false;
    ++*depth;
    if (o->kind == OPERATION_TRY_READ_LOCK)
        self->r = constant(true);
    return true;
}

/* Execute the operation if it is nobody else's business; false if it is an action. */
static bool do_local(model *m, uint32_t t, const operation *o) {
    model_thread *self = &m->state.thread[t];
    uint32_t site = 1 + 2 * (MODEL_OPERATIONS * t + self->pc);
    switch ((operation_kind)o->kind) {
    case OPERATION_UNLOCK:
    case OPERATION_WAIT:
    case OPERATION_TIMED_WAIT:
        return !(self->held >> o->object & 1);
    case OPERATION_READ_LOCK:
    case OPERATION_TRY_READ_LOCK:
    case OPERATION_READ_UNLOCK:
        return do_nested(self, o);
    case OPERATION_JOIN: /* only its creator joins a created thread, so this is its own business */
        return m->state.thread[o->object].status == THREAD_NEW;
    case OPERATION_INPUT:
        self->r = input_value(m, o->object);
        return true;
    case OPERATION_SKIP:
        if (decide_equal(m, t, site, self->r, constant(o->value), HD_BRANCH_PROGRAM))
            self->pc = (uint8_t)(self->pc + o->extra);
        return true;
    case OPERATION_ASSERT:
    case OPERATION_ASSERT_LINEAR:
    case OPERATION_ASSUME:
        if (!check_assertion(m, t, o, site))
            give_up(m, t, o->kind == OPERATION_ASSUME);
        return true;
    default:
        return false;
    }
}

/* Run alone until the next action or the end. */
static void advance(model *m, uint32_t t) {
    model_thread *self = &m->state.thread[t];
    while (self->status == THREAD_ALIVE) {
        if (self->pc >= m->program->n[t])
            self->status = THREAD_ENDED;
        else if (do_local(m, t, current_operation(m, t)))
            self->pc++;
        else
            return;
    }
}

static void start(model *m, uint32_t t) {
    m->state.thread[t].status = THREAD_ALIVE;
    m->state.unjoined |= (uint8_t)HD_THREAD(t);
    advance(m, t);
}

/* ---- Effects --------------------------------------------------------------------------------- */

static void take_lock(model *m, uint32_t t, unsigned lock) {
    m->state.lock[lock].writer = (uint8_t)(t + 1);
    m->state.thread[t].held |= (uint8_t)(1 << lock);
}

static void drop_lock(model *m, uint32_t t, unsigned lock) {
    m->state.lock[lock].writer = 0;
    m->state.thread[t].held &= (uint8_t) ~(1 << lock);
}

static void take_read_lock(model *m, uint32_t t, unsigned lock) {
    m->state.lock[lock].readers |= (uint8_t)HD_THREAD(t);
    m->state.thread[t].read_depth[lock] = 1;
}

static void drop_read_lock(model *m, uint32_t t, unsigned lock) {
    m->state.lock[lock].readers &= (uint8_t)~HD_THREAD(t);
    m->state.thread[t].read_depth[lock] = 0;
}

static void signal_threads(model *m, uint32_t t, unsigned woken) {
    model_state *s = &m->state;
    s->woken |= (uint8_t)woken;
    s->waiting &= (uint8_t)~woken;
    for (uint32_t w = 0; w < MODEL_THREADS; w++)
        if (woken >> w & 1)
            s->thread[w].signaller = (uint32_t)s->thread[t].n_events << 8 | (t + 1);
}

static void wake_up(model *m, uint32_t t, const operation *o) {
    model_state *s = &m->state;
    s->thread[t].r = constant(!(s->woken >> t & 1));
    s->thread[t].signaller = 0;
    s->woken &= (uint8_t)~HD_THREAD(t);
    s->waiting &= (uint8_t)~HD_THREAD(t);
    take_lock(m, t, o->object);
}

static void arrive(model *m, model_thread *self) {
    self->seen = m->state.generation;
    if (++m->state.arrived < m->program->barrier)
        return;
    m->state.arrived = 0;
    m->state.generation++;
}

static void access_memory(model *m, uint32_t t, const operation *o) {
    model_value *x = &m->state.memory[o->object], old = *x;
    model_thread *self = &m->state.thread[t];
    switch ((operation_kind)o->kind) {
    case OPERATION_READ:
    case OPERATION_SPIN:
        self->r = *x;
        break;
    case OPERATION_READ_PAIR:
        self->r = plus(m, x[0], x[1]);
        break;
    case OPERATION_WRITE:
        *x = constant(o->value);
        break;
    case OPERATION_WRITE_PAIR:
        x[0] = x[1] = constant(o->value);
        break;
    case OPERATION_STORE:
        *x = self->r;
        break;
    case OPERATION_ADD:
        *x = plus(m, old, constant(o->value));
        self->r = old;
        break;
    case OPERATION_SPIN_LOCK:
    case OPERATION_COMPARE:
        self->r = constant(old.is == o->value);
        if (old.is == o->value)
            *x = constant(o->extra);
        decide_equal(m, t, 1 + 2 * (MODEL_OPERATIONS * t + self->pc), old, constant(o->value),
                     HD_BRANCH_PROGRAM);
        break;
    default:
        HD_BUG("not an access of memory");
    }
}

static void apply(model *m, uint32_t t, const hd_action *a, const operation *o) {
    model_state *s = &m->state;
    bool failed = a->flags & HD_ACTION_FAILED;
    switch ((hd_action_kind)a->kind) {
    case HD_DO_LOCK:
        take_lock(m, t, o->object);
        break;
    case HD_DO_UNLOCK:
        drop_lock(m, t, o->object);
        break;
    case HD_DO_TRY_LOCK:
        s->thread[t].r = constant(!failed);
        if (!failed)
            take_lock(m, t, o->object);
        break;
    case HD_DO_READ_LOCK:
        take_read_lock(m, t, o->object);
        break;
    case HD_DO_READ_UNLOCK:
        drop_read_lock(m, t, o->object);
        break;
    case HD_DO_TRY_READ_LOCK:
        s->thread[t].r = constant(!failed);
        if (!failed)
            take_read_lock(m, t, o->object);
        break;
    case HD_DO_SEMAPHORE_WAIT:
        s->semaphore--;
        break;
    case HD_DO_SEMAPHORE_TRY:
        s->thread[t].r = constant(!failed);
        if (!failed)
            s->semaphore--;
        break;
    case HD_DO_SEMAPHORE_POST:
        s->semaphore++;
        break;
    case HD_DO_WAIT:
        s->waiting |= (uint8_t)HD_THREAD(t);
        drop_lock(m, t, o->object);
        break;
    case HD_DO_WAKE:
    case HD_DO_TIMED_WAKE:
        wake_up(m, t, o);
        break;
    case HD_DO_SIGNAL:
    case HD_DO_BROADCAST:
        signal_threads(m, t, woken_by(m, a->kind));
        break;
    case HD_DO_ARRIVE:
        arrive(m, &s->thread[t]);
        break;
    case HD_DO_CREATE:
        start(m, o->object);
        break;
    case HD_DO_JOIN:
        s->unjoined &= (uint8_t)~HD_THREAD(o->object);
        break;
    case HD_DO_EXIT:
        s->is_over = true;
        break;
    case HD_DO_LEAVE:
        break;
    default:
        access_memory(m, t, o);
    }
}

/* Where the thread stands after the first or second action of its operation. */
static void move_on(model *m, uint32_t t, const operation *o) {
    model_thread *self = &m->state.thread[t];
    bool was_inside = self->is_inside;
    self->is_inside = false;
    if (!was_inside && (o->kind == OPERATION_WAIT || o->kind == OPERATION_TIMED_WAIT ||
                        o->kind == OPERATION_BARRIER)) {
        self->is_inside = true;
        return;
    }
    self->pc++;
    advance(m, t);
}

void model_step(model *m, uint32_t t) {
    const operation *o = current_operation(m, t);
    hd_action a = model_settled(m, t);
    if (is_event(m, t))
        note_event(m, &a);
    if (o->kind == OPERATION_CREATE && a.kind != HD_DO_CREATE) {
        m->state.thread[t].told |= (uint8_t)(1 << untold_lock(m, t));
        return;
    }
    m->state.thread[t].told = 0;
    apply(m, t, &a, o);
    move_on(m, t, o);
}

void model_begin(model *m) {
    m->state = (model_state){.semaphore = m->program->semaphore};
    for (uint32_t t = 0; t < m->program->n_initial; t++)
        start(m, t);
}

void model_end(model *m) {
    model_state *s = &m->state;
    bool gave_up = false;
    for (uint32_t t = 0; t < m->program->n_threads; t++)
        gave_up |= s->thread[t].status == THREAD_GAVE_UP;
    if (alive(m) && !gave_up && !s->is_over)
        s->findings |= FINDING_DEADLOCK;
    s->is_over = true;
}

uint64_t model_final_state(const model *m) {
    const model_state *s = &m->state;
    uint64_t h = hd_hash_add(s->semaphore, s->waiting);
    h = hd_hash_add(hd_hash_add(h, s->woken), hd_hash_add(s->arrived, s->generation));
    for (unsigned i = 0; i < MODEL_LOCATIONS; i++)
        h = hd_hash_add(h, s->memory[i].is);
    for (unsigned i = 0; i < MODEL_LOCKS; i++)
        h = hd_hash_add(hd_hash_add(h, s->lock[i].writer), s->lock[i].readers);
    for (unsigned t = 0; t < MODEL_THREADS; t++) {
        h = hd_hash_add(hd_hash_add(h, s->thread[t].status), s->thread[t].pc);
        h = hd_hash_add(hd_hash_add(h, s->thread[t].is_inside), s->thread[t].r.is);
    }
    return h;
}

/* ---- With an explorer ---------------------------------------------------------------------- */

void model_open(model *m, const program *p, hd_graph *graph, hd_variables *variables) {
    m->program = p;
    m->graph = graph;
    m->sink = NULL;
    memset(m->goes_round, 0, sizeof m->goes_round);
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
    HD_ASSERT(model_is_enabled(threads->machine, t));
    threads->action[t] = model_settled(threads->machine, t);
}

static bool threads_go_round(hd_threads *threads, const hd_action *a, uint64_t value) {
    const model *m = threads->machine;
    return m->goes_round[a->thread][a->state % MODEL_OPERATIONS][(uint8_t)value];
}

/* Threads that moved or came stand before other actions now, and a signal shows in the action of
 * whom it woke; the rest is left as the explorer may have settled it in an earlier state. */
static void show_threads(model *m, hd_thread_set moved) {
    hd_threads *threads = &m->threads;
    hd_thread_set living = alive(m), fresh = living & (moved | ~threads->alive);
    for (uint32_t i = 0; i < MODEL_LOCATIONS; i++)
        cells[i] = m->state.memory[i].is;
    for (uint32_t t = 0; t < m->program->n_threads; t++) {
        if (fresh & HD_THREAD(t))
            threads->action[t] = model_action(m, t);
        else if (living & HD_THREAD(t) && threads->action[t].kind == HD_DO_WAKE)
            threads->action[t].detail = m->state.thread[t].signaller;
        if (m->state.thread[t].status != THREAD_NEW && threads->n <= t)
            threads->n = t + 1;
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
    HD_ASSERT(t < m->program->n_threads && (model_enabled(m) & HD_THREAD(t)));
    hd_action settled = model_settled(m, t);
    HD_ASSERT(action_hash(&settled) == action_hash(&m->threads.action[t]));
    return t;
}

/* The loop of `t` is about to see what leads round it: from now on it waits then. */
static bool finds_out(model *m, uint32_t t, uint64_t *fact) {
    const operation *o = current_operation(m, t);
    if (!is_spin(o) || !goes_round(m, o))
        return false;
    uint8_t pc = m->state.thread[t].pc, seen = m->state.memory[o->object].is;
    m->goes_round[t][pc][seen] = true;
    *fact = t << 16 | pc << 8 | seen;
    return true;
}

/* What a model before this one found out. */
static void learn(model *m, const hd_script *script) {
    for (uint32_t i = 0; script && i < script->n_rounds; i++) {
        uint64_t fact = script->rounds[i];
        m->goes_round[fact >> 16][fact >> 8 & 0xff][fact & 0xff] = true;
    }
}

static hd_end run_threads(model *m, const hd_sink *sink, hd_outcome *outcome) {
    hd_thread_set moved = 0;
    m->threads = (hd_threads){.enabled = threads_enabled,
                              .settle = threads_settle,
                              .goes_round = threads_go_round,
                              .machine = m,
                              .n = 1};
    while (alive(m) && !m->state.is_over) {
        uint32_t t = (uint32_t)__builtin_ctzll(alive(m));
        show_threads(m, moved);
        if (is_event(m, t) || !model_is_enabled(m, t))
            t = ask(m, sink);
        if (t == HD_SCHEDULE_STOP)
            return HD_END_STOPPED;
        if (t == HD_SCHEDULE_STUCK)
            break;
        if (finds_out(m, t, &outcome->new_round)) {
            outcome->retry_thread = t;
            return HD_END_RETRY;
        }
        m->threads.current = t;
        moved = HD_THREAD(t);
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
    learn(m, sink->script);
    outcome->end = run_threads(m, sink, outcome);
    m->sink = NULL;
    outcome->n_events = m->state.n_events;
    if (outcome->end == HD_END_FINDING)
        outcome->finding.kind =
            m->state.findings & FINDING_DEADLOCK ? HD_FINDING_DEADLOCK : HD_FINDING_ASSERTION;
}
