/* The abstract machine of threads: what threads do, and one execution under an explorer. */
#include "base/hash.h"
#include "base/panic.h"
#include "property/model/model_threads_int.h"

#include <string.h>

/* ---- Programs for people ---------------------------------------------------------------- */

void program_print(const program *p, hd_text *out) {
    static const char *const texts[] = {
#define X(name, text) text,
        MODEL_OPERATION_KINDS(X)
#undef X
    };
    const code *c = &p->code;
    hd_text_add(out, "semaphore %u, barrier of %u, %u inputs of %u bits (first %u, %u)\n",
                p->semaphore, p->barrier, c->n_inputs, c->input_width, c->first[0], c->first[1]);
    code_print(c, texts, 't', "created", out);
}

/* ---- What is noted ------------------------------------------------------------------------- */

static void note_event(model *m, const hd_action *a) {
    model_thread *self = &m->state.thread[a->thread];
    history *h = &m->state.history;
    uint64_t name = item_name(a->thread, self->n_items++);
    self->n_events++;
    h->sequence = hd_hash_add(h->sequence, a->thread);
    history_add(h, m->event, a, name, action_hash(a), true);
}

/* ---- Local operations ------------------------------------------------------------------------ */

/* Are the two values equal?  A decision if that depends on inputs. */
static bool decide_equal(model *m, uint32_t t, uint32_t site, model_value a, model_value b,
                         hd_branch_kind kind) {
    hd_expr e = value_compare(&m->inputs, HD_OP_EQ, a, b);
    bool is_equal = a.is == b.is, is_assumed = kind == HD_BRANCH_ASSUME;
    if (!e)
        return is_equal;
    history_decide(&m->state.history, item_name(t, m->state.thread[t].n_items++), site,
                   is_equal != is_assumed);
    if (m->sink)
        m->sink->branch(m->sink->context, site, is_assumed ? hd_expr_not(m->inputs.graph, e) : e,
                        is_equal != is_assumed, kind);
    return is_equal;
}

static void give_up(model *m, uint32_t t, bool is_rejected) {
    m->state.thread[t].status = THREAD_GAVE_UP;
    if (is_rejected)
        m->state.history.is_rejected = true;
    else
        m->state.history.findings |= UINT64_C(1) << (MODEL_OPERATIONS * t + m->state.thread[t].pc);
}

static bool check_assertion(model *m, uint32_t t, const operation *o, uint32_t site) {
    model_thread *self = &m->state.thread[t];
    if (o->kind == OPERATION_ASSERT_LINEAR) {
        model_value z = value_of_input(&m->inputs, o->object);
        model_value odd = value_plus(&m->inputs, value_plus(&m->inputs, z, z), value_constant(1));
        return !decide_equal(m, t, site, odd, self->r, HD_BRANCH_PROGRAM);
    }
    hd_branch_kind kind = o->kind == OPERATION_ASSUME ? HD_BRANCH_ASSUME : HD_BRANCH_PROGRAM;
    return !decide_equal(m, t, site, self->r, value_constant(o->value), kind);
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
        self->r = value_constant(true);
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
        self->r = value_of_input(&m->inputs, o->object);
        return true;
    case OPERATION_SKIP:
        if (decide_equal(m, t, site, self->r, value_constant(o->value), HD_BRANCH_PROGRAM))
            self->pc = (uint8_t)(self->pc + o->extra);
        return true;
    case OPERATION_END:
        self->pc = (uint8_t)(m->program->code.n[t] - 1);
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
        if (self->pc >= m->program->code.n[t])
            self->status = THREAD_ENDED;
        else if (do_local(m, t, model_operation(m, t)))
            self->pc++;
        else
            return;
    }
}

static void start(model *m, uint32_t t) {
    m->state.thread[t].status = THREAD_ALIVE;
    m->state.unjoined |= (uint8_t)MODEL_THREAD(t);
    advance(m, t);
}

/* ---- Effects --------------------------------------------------------------------------------- */

static void take_lock(model *m, uint32_t t, unsigned lock) {
    m->state.lock[lock].writer = (uint8_t)(t + 1);
    m->state.thread[t].held |= (uint8_t)(1 << lock);
}

static void drop_lock(model *m, uint32_t t, unsigned lock) {
    m->state.lock[lock].writer = 0;
    m->state.thread[t].held &= (uint8_t)~(1 << lock);
}

static void take_read_lock(model *m, uint32_t t, unsigned lock) {
    m->state.lock[lock].readers |= (uint8_t)MODEL_THREAD(t);
    m->state.thread[t].read_depth[lock] = 1;
}

static void drop_read_lock(model *m, uint32_t t, unsigned lock) {
    m->state.lock[lock].readers &= (uint8_t)~MODEL_THREAD(t);
    m->state.thread[t].read_depth[lock] = 0;
}

static void signal_threads(model *m, uint32_t t, unsigned woken) {
    model_state *s = &m->state;
    s->woken |= (uint8_t)woken;
    s->waiting &= (uint8_t)~woken;
    for (uint32_t w = 0; w < MODEL_THREADS; w++)
        if (woken >> w & 1) {
            s->thread[w].signaller = t + 1;
            s->thread[w].signal = s->thread[t].n_events;
        }
}

/* With a limit it takes its lock in an action of its own. */
static void wake_up(model *m, uint32_t t, const operation *o) {
    model_state *s = &m->state;
    s->thread[t].r = value_constant(!(s->woken >> t & 1));
    s->thread[t].signaller = s->thread[t].signal = 0;
    s->woken &= (uint8_t)~MODEL_THREAD(t);
    s->waiting &= (uint8_t)~MODEL_THREAD(t);
    if (o->kind != OPERATION_TIMED_WAIT)
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
    case OPERATION_VALUE:
        self->r = value_constant(m->state.semaphore);
        break;
    case OPERATION_READ_PAIR:
        self->r = value_plus(&m->inputs, x[0], x[1]);
        break;
    case OPERATION_WRITE:
        *x = value_constant(o->value);
        break;
    case OPERATION_WRITE_PAIR:
        x[0] = x[1] = value_constant(o->value);
        break;
    case OPERATION_STORE:
        *x = self->r;
        break;
    case OPERATION_ADD:
        *x = value_plus(&m->inputs, old, value_constant(o->value));
        self->r = old;
        break;
    case OPERATION_SPIN_LOCK:
    case OPERATION_COMPARE:
        self->r = value_constant(old.is == o->value);
        if (old.is == o->value)
            *x = value_constant(o->extra);
        decide_equal(m, t, 1 + 2 * (MODEL_OPERATIONS * t + self->pc), old, value_constant(o->value),
                     HD_BRANCH_EXCHANGE);
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
        s->thread[t].r = value_constant(!failed);
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
        s->thread[t].r = value_constant(!failed);
        if (!failed)
            take_read_lock(m, t, o->object);
        break;
    case HD_DO_SEMAPHORE_WAIT:
        s->semaphore--;
        break;
    case HD_DO_SEMAPHORE_TRY:
        s->thread[t].r = value_constant(!failed);
        if (!failed)
            s->semaphore--;
        break;
    case HD_DO_SEMAPHORE_POST:
        s->semaphore++;
        break;
    case HD_DO_WAIT:
        s->waiting |= (uint8_t)MODEL_THREAD(t);
        drop_lock(m, t, o->object);
        break;
    case HD_DO_WAKE:
    case HD_DO_TIMED_WAKE:
        wake_up(m, t, o);
        break;
    case HD_DO_SIGNAL:
    case HD_DO_BROADCAST:
        signal_threads(m, t, model_woken_by(m, a->kind));
        break;
    case HD_DO_ARRIVE:
        arrive(m, &s->thread[t]);
        break;
    case HD_DO_CREATE:
        start(m, o->object);
        break;
    case HD_DO_JOIN:
        s->unjoined &= (uint8_t)~MODEL_THREAD(o->object);
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

static unsigned actions_of(const operation *o) {
    bool is_pair = o->kind == OPERATION_WAIT || o->kind == OPERATION_BARRIER;
    return o->kind == OPERATION_TIMED_WAIT ? 3 : is_pair ? 2 : 1;
}

/* Where the thread stands after an action of its operation. */
static void move_on(model *m, uint32_t t, const operation *o) {
    model_thread *self = &m->state.thread[t];
    unsigned n_done = self->n_done + 1u;
    self->n_done = 0;
    if (m->state.is_over)
        return;
    if (n_done < actions_of(o)) {
        self->n_done = (uint8_t)n_done;
        return;
    }
    self->pc++;
    advance(m, t);
}

/* ---- Waiting loops over two places -------------------------------------------------------------
 */

static void call_vain(model *m, unsigned event) {
    if (event)
        m->state.in_vain[(event - 1) / 64] |= UINT64_C(1) << (event - 1) % 64;
}

/* A place that is seen twice and differs is no reason to wait: the next iteration comes at once. */
static loop_stage after_vain_round(model *m, const round_state *round, const operation *o) {
    call_vain(m, round->event[0]);
    call_vain(m, round->event[1]);
    bool differs = o->object == o->other && round->seen[0] != round->seen[1];
    return differs ? BEFORE_FIRST : BEHIND_BOTH;
}

static void leave_loop(model *m, uint32_t t, const operation *o, model_value *last) {
    model_thread *self = &m->state.thread[t];
    self->r = value_constant(last->is);
    if (o->kind == OPERATION_SPIN_TRY)
        *last = value_constant(3);
    self->round = (round_state){0};
    self->pc++;
    advance(m, t);
}

/* One action of the loop, which was `event` (1 + its number; 0: none). */
static void step_loop(model *m, uint32_t t, const operation *o, unsigned event) {
    round_state *round = &m->state.thread[t].round;
    if (round->stage == BEHIND_BOTH) {
        call_vain(m, event);
        round->stage = BEFORE_FIRST;
        return;
    }
    bool is_second = round->stage == BEFORE_SECOND;
    model_value *x = &m->state.memory[is_second ? o->other : o->object];
    round->seen[is_second] = x->is;
    round->event[is_second] = (uint8_t)event;
    loop_way way =
        is_second ? loop_after_second(o, round->seen[0], x->is) : loop_after_first(o, x->is);
    HD_ASSERT(way != GO_ROUND || is_second); /* else it waits */
    if (way == LEAVE)
        leave_loop(m, t, o, x);
    else
        round->stage = (uint8_t)(is_second ? after_vain_round(m, round, o) : BEFORE_SECOND);
}

void model_step(model *m, uint32_t t) {
    const operation *o = model_operation(m, t);
    hd_action a = model_settled(m, t);
    bool is_event = model_is_event(m, t);
    if (is_event)
        note_event(m, &a);
    if (o->kind == OPERATION_CREATE && a.kind != HD_DO_CREATE) {
        m->state.thread[t].told |= (uint8_t)(1 << model_untold_lock(m, t));
        return;
    }
    m->state.thread[t].told = 0;
    if (operation_has_two_places(o)) {
        step_loop(m, t, o, is_event ? m->state.history.n_events : 0);
        return;
    }
    apply(m, t, &a, o);
    move_on(m, t, o);
}

void model_begin(model *m) {
    m->state = (model_state){.semaphore = m->program->semaphore};
    for (uint32_t t = 0; t < m->program->code.n_initial; t++)
        start(m, t);
}

void model_end(model *m) {
    model_state *s = &m->state;
    bool gave_up = false;
    for (uint32_t t = 0; t < m->program->code.n_threads; t++)
        gave_up |= s->thread[t].status == THREAD_GAVE_UP;
    if (model_alive(m) && !gave_up && !s->is_over)
        s->history.findings |= FINDING_DEADLOCK;
    s->is_over = true;
    for (unsigned i = 0; i < EVENT_WORDS; i++)
        if (s->in_vain[i])
            history_leave_out(&s->history, m->event, s->in_vain);
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
        h = hd_hash_add(hd_hash_add(h, s->thread[t].n_done), s->thread[t].r.is);
    }
    return h;
}

/* ---- With an explorer ---------------------------------------------------------------------- */

void model_open(model *m, const program *p, hd_graph *graph, hd_variables *variables) {
    m->program = p;
    m->sink = NULL;
    memset(m->goes_round, 0, sizeof m->goes_round);
    inputs_open(&m->inputs, &p->code, graph, variables);
}

static hd_thread_set threads_enabled(hd_threads *threads) {
    return set_of_model(model_enabled(threads->machine));
}

static void threads_settle(hd_threads *threads, uint32_t t) {
    HD_ASSERT(model_is_enabled(threads->machine, t));
    threads->action[t] = model_settled(threads->machine, t);
}

static uint32_t threads_content(hd_threads *threads, uint32_t t) {
    return model_content(threads->machine, &threads->action[t]);
}

static bool threads_go_round(hd_threads *threads, const hd_action *a, uint64_t value) {
    const model *m = threads->machine;
    return m->goes_round[a->thread][a->state % MODEL_OPERATIONS][(uint8_t)value];
}

/* Threads that moved or came stand before other actions now, and a signal shows in the action of
 * whom it woke; the rest is left as the explorer may have settled it in an earlier state. */
static void show_threads(model *m, model_set moved) {
    hd_threads *threads = &m->threads;
    model_set living = model_alive(m), fresh = living & (moved | ~model_of_set(threads->alive));
    model_show_memory(m);
    for (uint32_t t = 0; t < m->program->code.n_threads; t++) {
        if (fresh & MODEL_THREAD(t))
            threads->action[t] = model_action(m, t);
        else if (living & MODEL_THREAD(t) && threads->action[t].kind == HD_DO_WAKE) {
            threads->action[t].detail = m->state.thread[t].signaller;
            threads->action[t].nth = m->state.thread[t].signal;
        }
        if (m->state.thread[t].status != THREAD_NEW && threads->n <= t)
            threads->n = t + 1;
    }
    threads->alive = set_of_model(living);
}

static bool are_all_in_vain(const model *m, model_set among) {
    for (model_set left = among; left; left &= left - 1)
        if (!model_is_in_vain(m, (uint32_t)__builtin_ctzll(left)))
            return false;
    return true;
}

/* Whom the sink chooses: settled, and able to go on. */
static uint32_t ask(model *m, const hd_sink *sink) {
    uint32_t t = script_follow(sink->script, &m->threads, m->state.history.n_events);
    if (t == HD_MAX_THREADS)
        t = sink->schedule(sink->context, &m->threads);
    if (t == HD_SCHEDULE_STOP)
        return t;
    if (t == HD_SCHEDULE_STUCK) {
        HD_ASSERT(model_enabled(m) == 0);
        return t;
    }
    if (t == HD_SCHEDULE_VAIN) {
        HD_ASSERT(model_enabled(m) != 0 && are_all_in_vain(m, model_enabled(m)));
        return t;
    }
    HD_ASSERT(t < m->program->code.n_threads && (model_enabled(m) & MODEL_THREAD(t)));
    hd_action settled = model_settled(m, t);
    HD_ASSERT(action_hash(&settled) == action_hash(&m->threads.action[t]));
    return t;
}

/* The loop of `t` is about to see what leads round it: from now on it waits then. */
static bool finds_out(model *m, uint32_t t, uint64_t *fact) {
    const operation *o = model_operation(m, t);
    if (!model_goes_round(m, t))
        return false;
    uint8_t pc = m->state.thread[t].pc, seen = m->state.memory[o->object].is;
    m->goes_round[t][pc][seen] = true;
    *fact = (t + 1) << 16 | pc << 8 | seen; /* 0 would be none */
    return true;
}

/* What a model before this one found out. */
static void learn(model *m, const hd_script *script) {
    for (uint32_t i = 0; script && i < script->n_rounds; i++) {
        uint64_t fact = script->rounds[i];
        m->goes_round[(fact >> 16) - 1][fact >> 8 & 0xff][fact & 0xff] = true;
    }
}

/* May a thread come behind an iteration in vain? */
static bool has_loops(const program *p) {
    bool has = false;
    for (unsigned t = 0; t < p->code.n_threads; t++)
        for (unsigned i = 0; i < p->code.n[t]; i++)
            has |= operation_has_two_places(&p->code.at[t][i]);
    return has;
}

static hd_end run_threads(model *m, const hd_sink *sink, hd_outcome *outcome) {
    model_set moved = 0;
    hd_threads *threads = &m->threads;
    clear_threads(threads);
    threads->enabled = threads_enabled;
    threads->settle = threads_settle;
    threads->content = threads_content;
    threads->goes_round = threads_go_round;
    threads->machine = m;
    threads->n = 1;
    threads->may_spin = has_loops(m->program);
    threads->first = has_first(&m->program->code) ? first_enabled : NULL;
    while (model_alive(m) && !m->state.is_over) {
        uint32_t t = (uint32_t)__builtin_ctzll(model_alive(m));
        show_threads(m, moved);
        if (model_is_event(m, t) || !model_is_enabled(m, t))
            t = ask(m, sink);
        if (t == HD_SCHEDULE_STOP)
            return HD_END_STOPPED;
        if (t == HD_SCHEDULE_VAIN)
            return HD_END_REJECTED;
        if (t == HD_SCHEDULE_STUCK)
            break;
        if (finds_out(m, t, &outcome->new_round)) {
            outcome->retry_thread = t;
            return HD_END_RETRY;
        }
        m->threads.current = t;
        moved = MODEL_THREAD(t);
        model_step(m, t);
    }
    model_end(m);
    return m->state.history.is_rejected ? HD_END_REJECTED
           : m->state.history.findings  ? HD_END_FINDING
                                        : HD_END_EXIT;
}

void model_run(model *m, const hd_sink *sink, hd_model *inputs, hd_outcome *outcome) {
    *outcome = (hd_outcome){0};
    inputs_read(&m->inputs, &m->program->code, inputs);
    m->sink = sink;
    model_begin(m);
    learn(m, sink->script);
    outcome->end = run_threads(m, sink, outcome);
    m->sink = NULL;
    outcome->n_events = m->state.history.n_events;
    if (outcome->end == HD_END_FINDING)
        outcome->finding.kind = m->state.history.findings & FINDING_DEADLOCK ? HD_FINDING_DEADLOCK
                                                                             : HD_FINDING_ASSERTION;
}
