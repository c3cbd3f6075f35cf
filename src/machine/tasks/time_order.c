/* Events by virtual time: what is due next, and who goes on by it (see time_order.h).
 *
 * What is under way and time limits are one heap.  Limits that were given up stay in it until they
 * would pass. */
#include "machine/tasks/time_order.h"

#include "machine/tasks/signals.h"

#define MOST_HAPPENING UINT64_C(20000000) /* events of one execution */

static uint32_t host_of(const hd_machine *m, uint32_t process) {
    return hd_process_at(m, process)->node;
}

/* Threads of the processes of a host. */
static hd_thread_set threads_at(const hd_machine *m, uint32_t host) {
    hd_thread_set all = HD_SET_EMPTY;
    if (m->processes->n == 1 + m->options.n_nodes)
        return hd_process_at(m, host)->threads;
    for (uint32_t i = 0; i < m->processes->n; i++)
        if (hd_process_at(m, i)->is_used && host_of(m, i) == host)
            all = hd_set_either(all, hd_process_at(m, i)->threads);
    return all;
}

/* ---- clocks ---- */

static uint64_t *clock_of(hd_machine *m, uint32_t host) {
    while (m->system.clocks.n <= host)
        hd_vec_push(&m->system.clocks, 0);
    return &m->system.clocks.at[host];
}

uint64_t hd_time_of(const hd_machine *m, uint32_t thread) {
    if (!hd_time_orders(m))
        return m->system.now;
    uint32_t host = host_of(m, hd_process_of(m, thread));
    return host < m->system.clocks.n ? m->system.clocks.at[host] : 0;
}

void hd_time_enter(hd_machine *m, uint32_t process) {
    if (hd_time_orders(m))
        m->system.now = *clock_of(m, host_of(m, process));
}

static void set_clock(hd_machine *m, uint32_t host, uint64_t time) {
    uint64_t *clock = clock_of(m, host);
    if (*clock < time)
        *clock = time;
    if (host == host_of(m, hd_process_current(m)))
        m->system.now = *clock;
}

/* ---- what is under way ---- */

static bool is_before(const hd_due *a, const hd_due *b) {
    if (a->time != b->time)
        return a->time < b->time;
    if (a->host != b->host)
        return a->host < b->host;
    return a->sender != b->sender ? a->sender < b->sender : a->number < b->number;
}

static void add_due(hd_machine *m, hd_due d) {
    hd_vec_push(&m->system.due, d);
    hd_due *heap = m->system.due.at;
    size_t i = m->system.due.n - 1;
    for (; i && is_before(&d, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = d;
}

static hd_due take_due(hd_machine *m) {
    HD_ASSERT(m->system.due.n);
    hd_due *heap = m->system.due.at, first = heap[0], last = heap[--m->system.due.n];
    size_t i = 0, n = m->system.due.n;
    for (size_t next; (next = 2 * i + 1) < n; i = next) {
        if (next + 1 < n && is_before(&heap[next + 1], &heap[next]))
            next++;
        if (!is_before(&heap[next], &last))
            break;
        heap[i] = heap[next];
    }
    heap[i] = last;
    return first;
}

/* What a host sends while another one runs is an answer of its network to something that arrived.
 */
static uint64_t now_at(hd_machine *m, uint32_t host) {
    return host == host_of(m, hd_process_current(m)) ? hd_time_now(m) : *clock_of(m, host);
}

static uint64_t delay_of(hd_machine *m, uint32_t from, uint32_t to, hd_packet_kind kind) {
    hd_link link = hd_nodes_link(m, from, to);
    return hd_packet_is_at_once(kind) ? 0 : hd_link_delay(&link);
}

void hd_time_send(hd_machine *m, uint32_t from, uint32_t to, hd_packet_kind kind, hd_parcel *p) {
    hd_due d = {.time = hd_time_later(now_at(m, from), delay_of(m, from, to, kind)),
                .host = to,
                .sender = from,
                .number = hd_process_at(m, from)->n_sent++,
                .parcel = p};
    add_due(m, d);
}

void hd_time_hold(hd_machine *m, uint32_t host, uint64_t until, hd_parcel *p) {
    uint32_t number = hd_process_at(m, host)->n_sent++;
    HD_ASSERT(p->deliver && until >= m->system.moment);
    add_due(m, (hd_due){until, host, host, number, p});
}

bool hd_time_is_outside(const hd_machine *m, uint32_t host) {
    const hd_outside *o = m->call.sink->outside;
    return o && host && host != o->node + 1;
}

/* A node that runs alone begins with what the host has.  Whatever it misses somebody has changed,
 * so that it is enough to say who changes. */
void hd_time_change_common(hd_machine *m, const char *what) {
    if (m->call.is_alone && m->options.n_nodes > 1)
        hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
                 "%s that a node makes or changes are not seen by others (--mapping none)", what);
}

void hd_time_send_outside(hd_machine *m, uint32_t from, uint32_t to, hd_packet *p) {
    const hd_outside *o = m->call.sink->outside;
    HD_ASSERT(o && from == o->node + 1 && to && to != from);
    p->from = from - 1;
    p->to = to - 1;
    p->number = hd_process_at(m, from)->n_sent++;
    p->sent = now_at(m, from);
    p->arrives = hd_time_later(p->sent, delay_of(m, from, to, p->kind));
    o->send(o->context, p);
}

void hd_time_tell_outside(hd_machine *m, uint32_t from, uint32_t to, hd_packet *p) {
    const hd_outside *o = m->call.sink->outside;
    HD_ASSERT(o && from == o->node + 1 && to && to != from);
    p->from = from - 1;
    p->to = to - 1;
    p->sent = p->arrives = *clock_of(m, from);
    o->send(o->context, p);
}

/* ---- time limits ---- */

#define OF_ALARM UINT32_MAX

void hd_time_limit(hd_machine *m, uint32_t process, uint32_t thread, uint64_t time) {
    if (hd_time_orders(m) && time && time != UINT64_MAX)
        add_due(m, (hd_due){time, host_of(m, process), UINT32_MAX, thread, NULL});
}

/* Most limits are given up before they pass. */
static bool is_given_up(hd_machine *m, const hd_due *d) {
    if (d->parcel)
        return d->parcel->can_go && !d->parcel->can_go(m, d->parcel);
    if (d->number != OF_ALARM)
        return m->thread[d->number].deadline != d->time || hd_time_is_up(m, d->number) ||
               !hd_set_has(m->threads.alive, d->number);
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *p = hd_process_at(m, i);
        if (p->is_used && !p->has_ended && p->node == d->host && p->signals &&
            hd_signals_ring_at(p->signals, d->time))
            return false;
    }
    return true;
}

static const hd_due *next_due(hd_machine *m) {
    while (m->system.due.n && is_given_up(m, &m->system.due.at[0]))
        take_due(m);
    return m->system.due.n ? &m->system.due.at[0] : NULL;
}

/* ---- what happens ---- */

/* Each event may take as many steps as an execution without time. */
static void give_fuel(hd_machine *m, uint32_t host) {
    uint32_t t;
    HD_SET_EACH(t, hd_set_both(threads_at(m, host), m->threads.alive))
    m->thread[t].fuel = m->execution.fuel;
    if (host_of(m, hd_process_current(m)) == host)
        m->registers->fuel = m->execution.fuel;
}

static void happen(hd_machine *m, uint32_t host, uint64_t time) {
    HD_INVARIANT(W1, time >= m->system.moment);
    HD_INVARIANT(W3, time >= *clock_of(m, host));
    m->system.moment = time;
    m->system.host = host;
    set_clock(m, host, time);
    give_fuel(m, host);
    m->execution.hash = hd_hash_add(m->execution.hash, time ^ (uint64_t)host << 48);
    if (++m->system.n_happened < MOST_HAPPENING)
        return;
    m->threads.alive = HD_SET_EMPTY;
    hd_end_at_limit(m, 0, "more than %lu events of nodes", (unsigned long)MOST_HAPPENING);
}

static void happen_next(hd_machine *m) {
    hd_due d = take_due(m);
    happen(m, d.host, d.time);
    if (d.parcel)
        d.parcel->deliver(m, d.parcel);
    else if (d.number == OF_ALARM)
        hd_signals_ring_of(m, d.host, d.time);
    else /* whether a lock is free is seen in its process alone */
        hd_space_enter(m, hd_process_of(m, d.number));
}

void hd_machine_end_time(hd_machine *m) {
    hd_bound(m, 0, "virtual time ends at %.9g s (--until)", (double)m->options.horizon / 1e9);
}

/* Nobody can go on, and nothing is left that would be in time. */
static bool is_over(hd_machine *m, uint64_t time) {
    if (!m->options.horizon || time <= m->options.horizon)
        return false;
    hd_machine_end_time(m);
    return true;
}

/* The next event of all nodes. */
static uint32_t pass(hd_machine *m) {
    const hd_due *next = next_due(m);
    if (next)
        hd_globals_pass(m, next->time);
    if (!next || is_over(m, next->time))
        return next ? HD_SCHEDULE_OVER : HD_SCHEDULE_STUCK;
    happen_next(m);
    return HD_NOBODY;
}

/* A node that runs alone: somebody else says what happens. */
static uint32_t pass_alone(hd_machine *m, const hd_outside *o) {
    const hd_due *next = next_due(m);
    hd_wait_end own = {.time = next ? next->time : UINT64_MAX,
                       .sender = next ? next->sender : UINT32_MAX,
                       .is_idle = hd_processes_are_idle(m),
                       .has_ended = hd_set_is_empty(m->threads.alive)};
    hd_node_event event;
    if (own.time == UINT64_MAX && !own.is_idle)
        own.stacks = hd_stacks_of_stuck(m);
    if (!o->next(o->context, &own, &event))
        return HD_SCHEDULE_OVER;
    HD_ASSERT(event.packet || (next && event.time == own.time));
    if (event.packet && event.packet->kind == HD_PACKET_CUT)
        hd_fault_be_told(m, event.packet); /* nothing of the node can tell: its clock stays */
    else if (event.packet) {
        happen(m, o->node + 1, event.time);
        hd_ipc_bring(m, event.packet);
    } else
        happen_next(m);
    return HD_NOBODY;
}

/* ---- who goes on ---- */

/* Do nodes see each other through what takes time alone (W4)?  When all of them have begun. */
static bool are_apart(const hd_machine *m) {
    return m->system.have_begun && !m->system.are_joined &&
           m->processes->n == 1 + m->options.n_nodes;
}

/* The first of them that can go on, and is not about to end its process unless that is asked for;
 * HD_MAX_THREADS: none. */
static uint32_t first_ready(hd_machine *m, hd_thread_set among, bool ends) {
    uint32_t t;
    HD_SET_EACH(t, among) {
        bool is_end = hd_kind_is(m->threads.action[t].kind, HD_KIND_ENDS);
        if (is_end == ends && (is_end || hd_thread_is_enabled(m, t)))
            return t;
    }
    return HD_MAX_THREADS;
}

static uint32_t find_among(hd_machine *m, hd_thread_set among) {
    uint32_t t = first_ready(m, among, false);
    return t < HD_MAX_THREADS ? t : first_ready(m, among, true);
}

/* The running thread, then others of its process, then all: W2.  Couriers carry what takes no time.
 */
static uint32_t find_ready(hd_machine *m) {
    uint32_t me = m->threads.current;
    hd_thread_set alive = m->threads.alive;
    if (m->atomic.owner)
        alive = hd_set_both(alive, hd_set_of(m->atomic.owner - 1));
    hd_thread_set own = hd_set_both(hd_process_at(m, hd_process_current(m))->threads, alive);
    if (hd_set_has(own, me) && !hd_kind_is(m->threads.action[me].kind, HD_KIND_ENDS) &&
        hd_thread_is_enabled(m, me))
        return me;
    uint32_t t = find_among(m, own);
    if (t < HD_MAX_THREADS || !are_apart(m))
        return t < HD_MAX_THREADS ? t : find_among(m, alive);
    t = find_among(m, hd_set_both(threads_at(m, m->system.host), alive));
    HD_CHECK_INVARIANT(W4, t < HD_MAX_THREADS || find_among(m, alive) == HD_MAX_THREADS);
    return t;
}

/* Does a thread that could go on itself leave its turn to nobody? */
static __attribute__((unused)) bool keeps_order(hd_machine *m, uint32_t ready) {
    uint32_t me = m->threads.current;
    hd_thread_set own = hd_process_at(m, hd_process_current(m))->threads;
    return ready == me || m->atomic.owner || !hd_set_has(own, me) ||
           first_ready(m, hd_set_both(m->threads.alive, hd_set_of(me)), false) == HD_MAX_THREADS;
}

static void see(hd_machine *m, const hd_action *a) {
    const hd_sink *sink = m->call.sink;
    if (sink->see)
        sink->see(sink->context, &m->threads, a);
}

void hd_time_note(hd_machine *m, const hd_action *a) {
    m->execution.n_events++;
    see(m, a);
}

uint32_t hd_time_choose(hd_machine *m) {
    const hd_outside *o = m->call.sink->outside;
    for (;;) {
        uint32_t ready = find_ready(m);
        if (ready < HD_MAX_THREADS) {
            HD_CHECK_INVARIANT(W2, keeps_order(m, ready));
            /* What others did at once lets it go on: it is as late as they are. */
            set_clock(m, host_of(m, hd_process_of(m, ready)), m->system.moment);
            hd_threads_settle(&m->threads, ready);
            see(m, &m->threads.action[ready]);
            return ready;
        }
        m->system.have_begun = true;
        uint32_t how = o ? pass_alone(m, o) : pass(m);
        if (how == HD_SCHEDULE_STUCK)
            see(m, NULL);
        if (how != HD_NOBODY)
            return how;
    }
}
