/* The abstract machine of threads: what a thread stands before, and who can go on. */
#include "base/panic.h"
#include "property/model/model_threads_int.h"

/* ---- What a thread stands before --------------------------------------------------------- */

/* The explorer looks at the values of locations, so they are real and in one word or two. */
static _Alignas(8) uint32_t cells[MODEL_LOCATIONS];
#define LOCATION(n) ((uint64_t)(uintptr_t)&cells[n])
#define LOCK(n)     (UINT64_C(0x20000000) + 64 * (n))
#define CONDITION   UINT64_C(0x20001000)
#define SEMAPHORE   UINT64_C(0x20002000)
#define BARRIER     UINT64_C(0x20003000)

static hd_expr as_cell(const model *m, const model_value *v) {
    hd_graph *graph = m->inputs.graph;
    return v->expr ? hd_expr_zext(graph, v->expr, 8 * sizeof *cells)
                   : hd_expr_const(graph, 8 * sizeof *cells, v->is);
}

hd_expr model_content(const model *m, const hd_action *a) {
    const hd_access *x = &a->access[0];
    if (x->address < LOCATION(0) || x->address >= LOCATION(MODEL_LOCATIONS))
        return HD_NONE;
    hd_graph *graph = m->inputs.graph;
    hd_expr whole = HD_NONE;
    for (uint64_t at = x->address; at < x->address + x->size; at += sizeof *cells) {
        hd_expr cell = as_cell(m, &m->state.memory[(at - LOCATION(0)) / sizeof *cells]);
        whole = whole ? hd_expr_concat(graph, cell, whole) : cell;
    }
    return hd_expr_is_const(graph, whole) ? HD_NONE : whole;
}

void model_show_memory(const model *m) {
    for (uint32_t i = 0; i < MODEL_LOCATIONS; i++)
        cells[i] = m->state.memory[i].is;
}

const operation *model_operation(const model *m, uint32_t t) {
    return &m->program->code.at[t][m->state.thread[t].pc];
}

static void add_access(hd_action *a, uint64_t address, uint64_t size, hd_access_mode mode,
                       bool is_atomic) {
    a->access[a->n_accesses++] = (hd_access){
        .address = address, .size = (uint32_t)size, .mode = (uint8_t)mode, .is_atomic = is_atomic};
}

static hd_action new_action(const model *m, uint32_t t, hd_action_kind kind, unsigned flags) {
    const model_thread *self = &m->state.thread[t];
    return (hd_action){.kind = (uint8_t)kind,
                       .thread = t,
                       .flags = (uint8_t)flags,
                       .site = 1 + 2 * (MODEL_OPERATIONS * t + self->pc) + (self->n_done > 0)};
}

static hd_action memory_action(const model *m, uint32_t t, hd_action_kind kind, unsigned flags,
                               hd_access_mode mode) {
    const operation *o = model_operation(m, t);
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
    a.detail = model_operation(m, t)->object;
    return a;
}

/* It waits for all threads, and for one that never came: nobody else has the same set, so that it is
 * thrown away if nobody says that it is in use. */
static hd_action exit_action(const model *m, uint32_t t) {
    hd_action a = new_action(m, t, HD_DO_EXIT, HD_ACTION_WAITS);
    model_set all = MODEL_THREAD(m->program->code.n_threads) - 1;
    a.expected = set_of_model(all | MODEL_THREAD(2 * MODEL_THREADS + t)).bits;
    add_access(&a, HD_TOKEN_EXIT, 1, HD_MODE_WRITE, true);
    return a;
}

static hd_action wait_action(const model *m, uint32_t t) {
    uint64_t lock = LOCK(model_operation(m, t)->object);
    hd_action a = object_action(m, t, HD_DO_WAIT, HD_ACTION_RELEASES, lock, HD_MODE_WRITE);
    add_access(&a, CONDITION, 48, HD_MODE_WRITE, true);
    return a;
}

static hd_action wake_action(const model *m, uint32_t t) {
    const operation *o = model_operation(m, t);
    hd_action a = object_action(m, t, HD_DO_WAKE, HD_ACTION_WAITS | HD_ACTION_ACQUIRES,
                                LOCK(o->object), HD_MODE_WRITE);
    a.detail = m->state.thread[t].signaller;
    a.nth = m->state.thread[t].signal;
    return a;
}

/* It leaves the queue, and locks again afterwards. */
static hd_action late_action(const model *m, uint32_t t) {
    uint64_t lock = LOCK(model_operation(m, t)->object);
    if (m->state.thread[t].n_done > 1)
        return object_action(m, t, HD_DO_LOCK, HD_ACTION_WAITS | HD_ACTION_ACQUIRES, lock,
                             HD_MODE_WRITE);
    return object_action(m, t, HD_DO_TIMED_WAKE, HD_ACTION_WAITS | HD_ACTION_SETTLES, CONDITION,
                         HD_MODE_WRITE);
}

/* The second access of a loop over two places. */
static hd_action second_access(const model *m, uint32_t t) {
    const operation *o = model_operation(m, t);
    bool tries = o->kind == OPERATION_SPIN_TRY;
    hd_action a =
        new_action(m, t, tries ? HD_DO_COMPARE : HD_DO_READ, tries ? HD_ACTION_SETTLES : 0);
    add_access(&a, LOCATION(o->other), 4, tries ? HD_MODE_WRITE : HD_MODE_READ, tries);
    a.expected = tries ? o->extra : 0;
    return a;
}

/* As the machine's spin.c does it: behind an iteration in vain a thread waits until one of the
 * places has changed. */
static hd_action loop_action(const model *m, uint32_t t) {
    const operation *o = model_operation(m, t);
    hd_action a;
    switch ((loop_stage)m->state.thread[t].round.stage) {
    case BEFORE_FIRST:
        return memory_action(m, t, HD_DO_READ, HD_ACTION_WAITS | HD_ACTION_SPINS, HD_MODE_READ);
    case BEFORE_SECOND:
        return second_access(m, t);
    default:
        a = new_action(m, t, HD_DO_SPIN, HD_ACTION_WAITS);
        add_access(&a, LOCATION(o->object), 4, HD_MODE_READ, true);
        if (o->other != o->object)
            add_access(&a, LOCATION(o->other), 4, HD_MODE_READ, true);
        return a;
    }
}

/* An operation of several actions, behind its first. */
static hd_action later_action(const model *m, uint32_t t) {
    const operation *o = model_operation(m, t);
    hd_action a;
    switch (o->kind) {
    case OPERATION_BARRIER:
        a = object_action(m, t, HD_DO_LEAVE, HD_ACTION_WAITS, BARRIER, HD_MODE_LEAVE);
        a.detail = m->state.thread[t].seen;
        return a;
    case OPERATION_TIMED_WAIT:
        return late_action(m, t);
    default:
        return wake_action(m, t);
    }
}

model_set model_alive(const model *m) {
    model_set set = 0;
    for (uint32_t t = 0; t < m->program->code.n_threads; t++)
        if (m->state.thread[t].status == THREAD_ALIVE)
            set |= MODEL_THREAD(t);
    return set;
}

/* Are there others, or were there some that were not joined? */
static bool is_threaded(const model *m) {
    model_set living = model_alive(m);
    return (living & (living - 1)) || (m->state.unjoined & ~living);
}

unsigned model_untold_lock(const model *m, uint32_t t) {
    const model_thread *self = &m->state.thread[t];
    unsigned lock = is_threaded(m) ? MODEL_LOCKS : 0;
    while (lock < MODEL_LOCKS &&
           (self->told >> lock & 1 || !(self->held >> lock & 1 || self->read_depth[lock])))
        lock++;
    return lock;
}

static hd_action create_action(const model *m, uint32_t t) {
    unsigned lock = model_untold_lock(m, t);
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
    const operation *o = model_operation(m, t);
    uint64_t lock = LOCK(o->object);
    switch ((operation_kind)o->kind) {
    case OPERATION_READ:
    case OPERATION_READ_PAIR:
        return memory_action(m, t, HD_DO_READ, 0, HD_MODE_READ);
    case OPERATION_SPIN:
        return memory_action(m, t, HD_DO_READ, WAITS | SPINS, HD_MODE_READ);
    case OPERATION_SPIN_LOCK:
        return memory_action(m, t, HD_DO_COMPARE, WAITS | SPINS | SETTLES, HD_MODE_WRITE);
    case OPERATION_SPIN_WHILE_BOTH:
    case OPERATION_SPIN_UNTIL_ONE:
    case OPERATION_SPIN_UNTIL_BOTH:
    case OPERATION_SPIN_ON_ALL:
    case OPERATION_SPIN_TRY:
        return loop_action(m, t);
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
    case OPERATION_VALUE:
        return object_action(m, t, HD_DO_READ, 0, SEMAPHORE, HD_MODE_READ);
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
    return m->state.thread[t].n_done ? later_action(m, t) : first_action(m, t);
}

/* ---- Outcomes, and who can go on ---------------------------------------------------------- */

static void fail(hd_action *a, hd_access_mode mode) {
    a->flags |= HD_ACTION_FAILED;
    a->access[0].mode = (uint8_t)mode;
}

unsigned model_woken_by(const model *m, hd_action_kind kind) {
    unsigned waiting = m->state.waiting;
    return kind == HD_DO_BROADCAST ? waiting : waiting & -waiting;
}

/* What an exchange looks at. */
static const model_value *exchanged(const model *m, uint32_t t) {
    const operation *o = model_operation(m, t);
    return &m->state.memory[o->kind == OPERATION_SPIN_TRY ? o->other : o->object];
}

hd_action model_settled(const model *m, uint32_t t) {
    const model_state *s = &m->state;
    const operation *o = model_operation(m, t);
    hd_action a = model_action(m, t);
    switch ((hd_action_kind)a.kind) {
    case HD_DO_COMPARE:
        if (exchanged(m, t)->is != a.expected)
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
        a.state = s->arrived;
        a.expected = m->program->barrier;
        break;
    default:
        break;
    }
    return a;
}

static bool is_exit(const model *m, uint32_t t) {
    return model_operation(m, t)->kind == OPERATION_EXIT;
}

static bool are_others_stuck(const model *m, uint32_t self) {
    for (uint32_t t = 0; t < m->program->code.n_threads; t++)
        if (t != self && m->state.thread[t].status == THREAD_ALIVE && !is_exit(m, t) &&
            model_is_enabled(m, t))
            return false;
    return true;
}

bool operation_has_two_places(const operation *o) {
    return o->kind >= OPERATION_SPIN_WHILE_BOTH && o->kind <= OPERATION_SPIN_TRY;
}

bool operation_spins(const operation *o) {
    return o->kind == OPERATION_SPIN || o->kind == OPERATION_SPIN_LOCK ||
           operation_has_two_places(o);
}

loop_way loop_after_first(const operation *o, unsigned first) {
    bool is_equal = first == o->value;
    switch ((operation_kind)o->kind) {
    case OPERATION_SPIN:
        return is_equal ? GO_ROUND : LEAVE;
    case OPERATION_SPIN_LOCK:
        return is_equal ? LEAVE : GO_ROUND;
    case OPERATION_SPIN_WHILE_BOTH:
        return is_equal ? LOOK_ON : LEAVE;
    case OPERATION_SPIN_UNTIL_ONE:
        return is_equal ? LEAVE : LOOK_ON;
    case OPERATION_SPIN_UNTIL_BOTH:
    case OPERATION_SPIN_TRY:
        return is_equal ? LOOK_ON : GO_ROUND;
    case OPERATION_SPIN_ON_ALL:
        return LOOK_ON;
    default:
        HD_BUG("not a waiting loop");
    }
}

loop_way loop_after_second(const operation *o, unsigned first, unsigned second) {
    bool is_equal = second == o->extra;
    switch ((operation_kind)o->kind) {
    case OPERATION_SPIN_WHILE_BOTH:
        return is_equal ? GO_ROUND : LEAVE;
    case OPERATION_SPIN_UNTIL_ONE:
    case OPERATION_SPIN_TRY:
        return is_equal ? LEAVE : GO_ROUND;
    case OPERATION_SPIN_UNTIL_BOTH:
        return second < o->extra ? GO_ROUND : LEAVE;
    case OPERATION_SPIN_ON_ALL:
        return is_equal && first == o->value ? GO_ROUND : LEAVE;
    default:
        HD_BUG("not a waiting loop over two places");
    }
}

bool model_goes_round(const model *m, uint32_t t) {
    const operation *o = model_operation(m, t);
    return operation_spins(o) && m->state.thread[t].round.stage == BEFORE_FIRST &&
           loop_after_first(o, m->state.memory[o->object].is) == GO_ROUND;
}

static bool has_changed(const model *m, uint32_t t, const operation *o) {
    const round_state *round = &m->state.thread[t].round;
    return m->state.memory[o->object].is != round->seen[0] ||
           m->state.memory[o->other].is != round->seen[1];
}

/* Under an explorer a loop waits only for what is known to lead round it. */
static bool is_spin_enabled(const model *m, uint32_t t, const operation *o) {
    switch ((loop_stage)m->state.thread[t].round.stage) {
    case BEFORE_FIRST:
        if (!m->sink)
            return !model_goes_round(m, t);
        return !m->goes_round[t][m->state.thread[t].pc][m->state.memory[o->object].is];
    case BEFORE_SECOND:
        return true;
    default:
        return has_changed(m, t, o);
    }
}

bool model_is_enabled(const model *m, uint32_t t) {
    const model_state *s = &m->state;
    const operation *o = model_operation(m, t);
    if (operation_spins(o))
        return is_spin_enabled(m, t, o);
    if (o->kind == OPERATION_CREATE)
        return true;
    hd_action_kind kind = model_action(m, t).kind;
    switch (kind) {
    case HD_DO_LOCK:
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

model_set model_enabled(const model *m) {
    model_set set = 0;
    for (uint32_t t = 0; t < m->program->code.n_threads; t++)
        if (m->state.thread[t].status == THREAD_ALIVE && model_is_enabled(m, t))
            set |= MODEL_THREAD(t);
    return set;
}

bool model_is_event(const model *m, uint32_t t) {
    return is_threaded(m) || model_operation(m, t)->kind == OPERATION_CREATE;
}

bool model_is_in_vain(const model *m, uint32_t t) {
    return model_is_event(m, t) && model_action(m, t).kind == HD_DO_SPIN;
}
