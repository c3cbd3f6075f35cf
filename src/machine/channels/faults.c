/* Faults: which rules are asked, budgets, and crashes.
 *
 * Nothing here is an event.  A datagram that is lost is never under way; one that comes twice is
 * under way twice; a node that crashes ends as if it had been killed at that place.  So orders of
 * messages are explored as without faults, and a fault is a decision of the thread that meets it.
 *
 * Budgets are no state that events race for: whether so many faults are allowed does not depend on
 * the order in which they happen (F1), and every choice that finds its budget used up has a
 * brother, explored as well, in which another fault was not chosen. */
#include "machine/channels/faults.h"

#include "machine/tasks/time_order.h"
#include "machine/values/values.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

#define NO_NODE 0x1fff /* in keys: nodes are fewer than this */
_Static_assert(HD_MOST_NODES < NO_NODE, "nodes fit into keys");

/* ---- budgets ---- */

static uint64_t key_of(uint32_t rule, uint32_t from, uint32_t to) {
    return (uint64_t)rule << 32 | (uint64_t)from << 13 | to;
}

static uint32_t *counter(hd_machine *m, uint64_t key) {
    const uint64_t *at = hd_map_find(&m->faults.place_of, key);
    if (!at) {
        hd_map_put(&m->faults.place_of, key, m->faults.counts.n);
        hd_vec_push(&m->faults.counts, 0);
        hd_vec_push(&m->faults.used_at, 0);
        return &m->faults.counts.at[m->faults.counts.n - 1];
    }
    return &m->faults.counts.at[*at];
}

/* The counters that a fault of the rule counts in: in total, at the node, on the link. */
typedef struct budget {
    uint64_t key;
    uint32_t most;
    uint32_t by_others; /* the node runs alone: so much of it */
} budget;

static uint32_t spent_outside(const hd_machine *m, uint32_t rule, uint32_t node) {
    const hd_outside *o = m->call.sink->outside;
    return o && o->spent ? o->spent(o->context, rule, node) : 0;
}

static void find_budgets(const hd_machine *m, uint32_t rule, uint32_t from, uint32_t to,
                         budget out[3]) {
    const hd_fault *f = &m->options.faults[rule];
    uint32_t node = hd_fault_is_of_nodes(f) ? from : to;
    out[0] =
        (budget){key_of(rule, NO_NODE, NO_NODE), f->total, spent_outside(m, rule, HD_ALL_NODES)};
    out[1] = (budget){key_of(rule, NO_NODE, node), f->per_node, spent_outside(m, rule, node)};
    out[2] = (budget){key_of(rule, from, to), f->per_link, 0};
}

/* Since when is the budget used up?  If one choice is enough for that, and this event had it, it is
 * so in every order. */
static uint32_t spent_since(hd_machine *m, const budget *b) {
    uint32_t at = m->faults.used_at.at[counter(m, b->key) - m->faults.counts.at];
    return b->most == 1 && at == m->execution.n_events ? 0 : at;
}

static bool has_budget(hd_machine *m, uint32_t rule, uint32_t from, uint32_t to) {
    budget all[3];
    bool has_all = true;
    find_budgets(m, rule, from, to, all);
    m->threads.spent_since = UINT32_MAX;
    for (unsigned i = 0; i < 3; i++) {
        if (all[i].most == HD_NO_BUDGET || *counter(m, all[i].key) + all[i].by_others < all[i].most)
            continue;
        uint32_t since = spent_since(m, &all[i]);
        if (since < m->threads.spent_since)
            m->threads.spent_since = since;
        has_all = false;
    }
    return has_all;
}

static void use_budget(hd_machine *m, uint32_t rule, uint32_t from, uint32_t to) {
    budget all[3];
    find_budgets(m, rule, from, to, all);
    for (unsigned i = 0; i < 3; i++)
        if (all[i].most != HD_NO_BUDGET) {
            uint32_t *n = counter(m, all[i].key);
            ++*n;
            m->faults.used_at.at[n - m->faults.counts.at] = (uint32_t)m->execution.n_events;
        }
}

/* ---- choices ---- */

static bool is_asked(const hd_fault *f, uint32_t nth, uint64_t now) {
    return (!f->nth || f->nth == nth) && now >= f->begins && now < f->ends;
}

static void note(hd_machine *m, const hd_fault *f, uint32_t to, uint32_t nth) {
    hd_fault_event e = {.kind = f->kind,
                        .from = hd_ipc_process(m),
                        .to = to + 1, /* the process of a node */
                        .nth = nth,
                        .site = hd_caller_site(m, __builtin_frame_address(0)),
                        .event = m->execution.n_events};
    hd_vec_push(&m->faults.happened, e);
}

typedef struct fault_choice {
    hd_fault_kind kind;
    uint32_t nth;
    const char *from, *to;
} fault_choice;

static void name_choice(const void *context, char *out, size_t size) {
    const fault_choice *c = context;
    hd_fault_name(c->kind, c->from, c->to, c->nth, out, size);
}

/* `to` is not used for faults of nodes. */
static bool choose(hd_machine *m, uint32_t rule, uint32_t from, uint32_t to, uint32_t nth) {
    const hd_fault *f = &m->options.faults[rule];
    HD_ASSERT(from < m->options.n_nodes && to < m->options.n_nodes);
    fault_choice c = {f->kind, nth, m->options.nodes[from].name, m->options.nodes[to].name};
    HD_INVARIANT(C1, hd_process_current(m) == hd_process_of(m, hd_thread_current(m)));
    if (!hd_named_choice(m, name_choice, &c, has_budget(m, rule, from, to)))
        return false;
    use_budget(m, rule, from, to);
    note(m, f, to, nth);
    return true;
}

/* ---- messages ---- */

/* How many messages the process has sent there, this one included.  Threads that share a count are
 * ordered by it. */
static uint32_t count_message(hd_machine *m, uint32_t to) {
    uint32_t process = hd_ipc_process(m);
    if (hd_ipc_is_shared_table(m)) {
        hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
        a.access[0].address = HD_TOKEN_SENT(process);
        hd_visible(m, &a);
    }
    return ++*counter(m, key_of(m->options.n_faults, process, to));
}

static hd_numbered *counted_by(hd_machine *m, uint32_t thread) {
    while (m->faults.counted.n <= thread)
        hd_vec_push(&m->faults.counted, (hd_numbered){0});
    return &m->faults.counted.at[thread];
}

/* The number of the message that the thread sends: rules for sends ask, and those for what is sent,
 * and it is counted once. */
static uint32_t number_message(hd_machine *m, uint32_t to) {
    uint32_t me = hd_thread_current(m);
    if (!counted_by(m, me)->nth || counted_by(m, me)->to != to) {
        uint32_t nth = count_message(m, to);
        *counted_by(m, me) = (hd_numbered){to, nth};
    }
    return counted_by(m, me)->nth;
}

/* What the thread sends next is another message. */
static void forget_number(hd_machine *m) {
    if (hd_thread_current(m) < m->faults.counted.n)
        m->faults.counted.at[hd_thread_current(m)].nth = 0;
}

/* Until when there is no link; 0: there is one. */
static uint64_t *cut_of(hd_machine *m, uint32_t rule) {
    while (m->faults.cuts.n <= rule)
        hd_vec_push(&m->faults.cuts, 0);
    return &m->faults.cuts.at[rule];
}

static uint64_t end_of_cut(const hd_fault *f, uint64_t now) {
    return f->duration && f->duration < UINT64_MAX - now ? now + f->duration : UINT64_MAX;
}

/* The rule cuts links, from this message on if it says so: whoever sends looks at that. */
static bool is_cut(hd_machine *m, uint32_t rule, bool begins) {
    const hd_fault *f = &m->options.faults[rule];
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, begins ? HD_MODE_WRITE : HD_MODE_READ);
    a.access[0].address = HD_TOKEN_CUT(rule);
    hd_visible(m, &a);
    if (begins)
        *cut_of(m, rule) = end_of_cut(f, m->system.now);
    return m->system.now < *cut_of(m, rule);
}

/* The rule's fault happens to this message, or not.  A cut goes on without a choice. */
static bool happens(hd_machine *m, uint32_t rule, uint32_t from, uint32_t to, uint32_t nth) {
    const hd_fault *f = &m->options.faults[rule];
    bool is_chosen = is_asked(f, nth, m->system.now) && choose(m, rule, from, to, nth);
    if (f->kind != HD_FAULT_PARTITION)
        return is_chosen;
    bool is_lost = is_cut(m, rule, is_chosen);
    if (is_lost && !is_chosen)
        note(m, f, to, nth);
    return is_lost;
}

/* Faults that this message has had. */
static uint32_t count_happened(const hd_machine *m, uint32_t to, uint32_t nth) {
    uint32_t n = 0;
    for (size_t i = 0; i < m->faults.happened.n; i++) {
        const hd_fault_event *e = &m->faults.happened.at[i];
        n += e->from == hd_ipc_process(m) && e->to == to + 1 && e->nth == nth &&
             hd_fault_subject_of(e->kind) == HD_FAULT_OF_DATAGRAMS;
    }
    return n;
}

const hd_fault *hd_fault_of_datagram(hd_machine *m, uint32_t from_host, uint32_t to_host) {
    if (!m->options.n_faults || !from_host || !to_host)
        return NULL;
    uint32_t from = from_host - 1, to = to_host - 1, nth = 0;
    for (uint32_t i = 0; i < m->options.n_faults; i++) {
        const hd_fault *f = &m->options.faults[i];
        if (hd_fault_subject_of(f->kind) != HD_FAULT_OF_DATAGRAMS ||
            !hd_fault_concerns(f, from, to))
            continue;
        HD_INVARIANT(F4, !f->received);
        if (!nth)
            nth = number_message(m, to);
        bool does = happens(m, i, from, to, nth);
        HD_CHECK_INVARIANT(C2, count_happened(m, to, nth) == does);
        if (does) {
            forget_number(m);
            return f;
        }
    }
    forget_number(m);
    return NULL;
}

/* ---- what arrives, where time orders events ---- */

static void note_arrival(hd_machine *m, const hd_fault *f, uint32_t from, uint32_t to, uint32_t nth,
                         uint32_t site) {
    hd_fault_event e = {.kind = f->kind,
                        .from = from + 1,
                        .to = to + 1,
                        .nth = nth,
                        .site = site,
                        .event = m->execution.n_events};
    hd_vec_push(&m->faults.happened, e);
}

/* Number `nth` of its link and `received` of all that its receiver gets from others; 0: its own. */
static bool is_asked_at_arrival(const hd_fault *f, uint32_t nth, uint32_t received, uint64_t now) {
    return is_asked(f, nth, now) && (!f->received || f->received == received);
}

/* Choices of the receiver: numbered by their order there, which depends on nothing elsewhere. */
static bool ask_receiver(hd_machine *m, uint32_t to, hd_choice_name *name, const fault_choice *c,
                         bool is_open, uint32_t site) {
    uint32_t thread = hd_process_at(m, to + 1)->main_thread;
    uint32_t number = (*counter(m, key_of(m->options.n_faults + 1, NO_NODE, to)))++;
    return hd_arrival_choice(m, thread, number, name, c, is_open, site);
}

static bool choose_arrival(hd_machine *m, uint32_t rule, uint32_t from, uint32_t to, uint32_t nth,
                           uint32_t site) {
    const hd_fault *f = &m->options.faults[rule];
    fault_choice c = {f->kind, nth, m->options.nodes[from].name, m->options.nodes[to].name};
    if (!ask_receiver(m, to, name_choice, &c, has_budget(m, rule, from, to), site))
        return false;
    use_budget(m, rule, from, to);
    note_arrival(m, f, from, to, nth, site);
    return true;
}

static void name_wait(const void *context, char *out, size_t size) {
    const fault_choice *c = context;
    snprintf(out, size, "%s->%s #%u waits on", c->from, c->to, c->nth);
}

bool hd_fault_waits_on(hd_machine *m, const hd_fault_event *e) {
    uint32_t from = e->from - 1, to = e->to - 1;
    fault_choice c = {e->kind, e->nth, m->options.nodes[from].name, m->options.nodes[to].name};
    return ask_receiver(m, to, name_wait, &c, true, e->site);
}

void hd_fault_corrupt(hd_machine *m, const hd_fault_event *e, hd_bytes *bytes) {
    char name[160];
    const hd_network_node *nodes = m->options.nodes;
    uint32_t to = e->to - 1, *first = counter(m, key_of(m->options.n_faults + 3, NO_NODE, to));
    snprintf(name, sizeof name, "%s->%s #%u", nodes[e->from - 1].name, nodes[to].name, e->nth);
    hd_arrival_words(m, hd_process_at(m, to + 1)->main_thread, *first, name, bytes->at,
                     bytes->words, bytes->n);
    *first += bytes->n;
}

/* Other receivers of the rule are told: at once if they run by themselves, else they see it. */
static void begin_cut(hd_machine *m, uint32_t rule, uint32_t met_by, uint64_t now) {
    const hd_fault *f = &m->options.faults[rule];
    hd_packet told = {.kind = HD_PACKET_CUT, .rule = rule, .until = end_of_cut(f, now)};
    uint32_t to;
    *cut_of(m, rule) = told.until;
    HD_SET_EACH(to, f->to)
    if (hd_time_is_outside(m, to + 1))
        hd_time_tell_outside(m, met_by + 1, to + 1, &told);
}

void hd_fault_be_told(hd_machine *m, const hd_packet *packet) {
    HD_ASSERT(packet->kind == HD_PACKET_CUT && packet->rule < m->options.n_faults);
    *cut_of(m, packet->rule) = packet->until;
}

/* The rule's fault happens to what arrives, or not. */
static bool happens_at_arrival(hd_machine *m, uint32_t rule, uint32_t from, uint32_t to,
                               uint32_t nth, uint64_t now, uint32_t site, bool is_rule_asked) {
    const hd_fault *f = &m->options.faults[rule];
    bool is_chosen = is_rule_asked && choose_arrival(m, rule, from, to, nth, site);
    if (f->kind != HD_FAULT_PARTITION)
        return is_chosen;
    if (is_chosen)
        begin_cut(m, rule, to, now);
    bool is_lost = now < *cut_of(m, rule);
    if (is_lost && !is_chosen)
        note_arrival(m, f, from, to, nth, site);
    return is_lost;
}

const hd_fault *hd_fault_of_arrival(hd_machine *m, uint32_t from_host, uint32_t to_host,
                                    uint64_t now, uint32_t site) {
    if (!m->options.n_faults || !from_host || !to_host)
        return NULL;
    uint32_t from = from_host - 1, to = to_host - 1;
    uint32_t nth = ++*counter(m, key_of(m->options.n_faults + 1, from, to));
    uint32_t received =
        from == to ? 0 : ++*counter(m, key_of(m->options.n_faults + 2, NO_NODE, to));
    for (uint32_t i = 0; i < m->options.n_faults; i++) {
        const hd_fault *f = &m->options.faults[i];
        if (hd_fault_subject_of(f->kind) == HD_FAULT_OF_DATAGRAMS &&
            hd_fault_concerns(f, from, to) &&
            happens_at_arrival(m, i, from, to, nth, now, site,
                               is_asked_at_arrival(f, nth, received, now)))
            return f;
    }
    return NULL;
}

uint32_t hd_machine_spent(hd_machine *m, uint32_t rule, uint32_t node) {
    return *counter(m, key_of(rule, NO_NODE, node == HD_ALL_NODES ? NO_NODE : node));
}

/* ---- sends ---- */

static uint32_t host_of_receiver(hd_machine *m, const hd_socket *s, const hd_ipc_message *message) {
    const hd_address *to = message->to ? message->to : &s->peer;
    uint32_t host = 0;
    if (hd_socket_is_connected_kind(s))
        return s->other ? s->other->host : 0;
    hd_hosts_route(&hd_ipc_net(m)->hosts, s->host, to->ip, &host);
    return host;
}

static bool may_be_full(const hd_file *f, const hd_ipc_message *message) {
    return f->kind == HD_FILE_SOCKET && f->socket->domain != AF_UNIX &&
           (f->flags & O_NONBLOCK || message->flags & MSG_DONTWAIT);
}

/* The rules of a kind are asked about a send from one host to another. */
static bool happens_to_send(hd_machine *m, hd_fault_kind kind, uint32_t from_host,
                            uint32_t to_host) {
    uint32_t nth = 0;
    for (uint32_t i = 0; from_host && to_host && i < m->options.n_faults; i++) {
        const hd_fault *f = &m->options.faults[i];
        if (f->kind != kind || !hd_fault_concerns(f, from_host - 1, to_host - 1))
            continue;
        if (!nth)
            nth = number_message(m, to_host - 1);
        if (is_asked(f, nth, m->system.now) && choose(m, i, from_host - 1, to_host - 1, nth))
            return true;
    }
    return false;
}

bool hd_fault_of_send(hd_machine *m, const hd_file *f, const hd_ipc_message *message) {
    if (!m->options.n_faults)
        return false;
    forget_number(m);
    return may_be_full(f, message) && happens_to_send(m, HD_FAULT_FULL, f->socket->host,
                                                      host_of_receiver(m, f->socket, message));
}

bool hd_fault_of_connection(hd_machine *m, const hd_socket *s) {
    return m->options.n_faults && hd_socket_is_network(s) && s->other && !s->has_reset &&
           happens_to_send(m, HD_FAULT_RESET, s->host, s->other->host);
}

/* ---- nodes ---- */

/* The node of the running process; NO_NODE if it has none. */
static uint32_t node_of(const hd_machine *m) {
    uint32_t node = hd_process_at(m, hd_process_current(m))->node;
    return node ? node - 1 : NO_NODE;
}

/* Another process of the running one's node, which is still there? */
static bool is_of_this_node(const hd_machine *m, uint32_t number) {
    const hd_process *me = hd_process_at(m, hd_process_current(m)), *p = hd_process_at(m, number);
    return p != me && p->is_used && !p->has_ended && p->node == me->node;
}

/* Where time orders events all of them die at this moment.  In every order each of them would have
 * to be killed before or after everything that it does, which is not explored. */
static void end_other_processes(hd_machine *m, const hd_fault *f) {
    for (uint32_t i = 0; i < m->processes->n; i++) {
        if (!is_of_this_node(m, i))
            continue;
        if (m->options.orders != HD_ORDERS_TIME) {
            hd_bound_call(m, "a node that crashes ends one process, not those that it forked");
            return;
        }
        if (f->kind == HD_FAULT_REBOOT)
            hd_globals_forget(m, i);
        hd_process_kill(m, i, SIGKILL);
    }
}

_Noreturn static void crash(hd_machine *m, const hd_fault *f) {
    end_other_processes(m, f);
    hd_threads_stop_others(m);
    if (f->kind == HD_FAULT_REBOOT)
        hd_node_reboot(m, node_of(m));
    hd_process_die(m, SIGKILL);
}

/* Do assertions see what a node that crashes now has computed?  Of one that starts again they see
 * the new life. */
static bool is_watched(const hd_machine *m, uint32_t node) {
    if (!hd_process_at(m, hd_process_current(m))->has_exported)
        return false;
    for (uint32_t i = 0; i < m->options.n_faults; i++)
        if (m->options.faults[i].kind == HD_FAULT_CRASH &&
            hd_fault_concerns(&m->options.faults[i], node, node))
            return true;
    return false;
}

/* Between two effects all crashes look alike to others, unless time passes or assertions watch: one
 * choice is enough, at the first operation. */
static bool is_chance(hd_machine *m, uint32_t node, bool is_effect) {
    HD_INVARIANT(F2, !m->thread[hd_thread_current(m)].is_courier);
    uint32_t me = hd_thread_current(m);
    while (m->faults.chances.n <= me)
        hd_vec_push(&m->faults.chances, (hd_chance){0});
    hd_chance *c = &m->faults.chances.at[me];
    bool is_new = !c->is_taken || c->now != m->system.now || is_watched(m, node);
    c->is_taken = !is_effect;
    c->now = m->system.now;
    c->n += is_new;
    return is_new;
}

void hd_fault_before(hd_machine *m, bool is_effect) {
    hd_globals_show(m); /* whoever crashes here has come so far */
    if (!m->options.n_faults)
        return;
    uint32_t node = node_of(m);
    if (node == NO_NODE || m->process.is_ending || !is_chance(m, node, is_effect))
        return;
    uint32_t nth = m->faults.chances.at[hd_thread_current(m)].n;
    for (uint32_t i = 0; i < m->options.n_faults; i++) {
        const hd_fault *f = &m->options.faults[i];
        if (hd_fault_is_of_nodes(f) && hd_fault_concerns(f, node, node) &&
            is_asked(f, nth, m->system.now) && choose(m, i, node, node, nth))
            crash(m, f);
    }
}

const hd_fault_event *hd_machine_faults(const hd_machine *m, uint32_t *n) {
    *n = (uint32_t)m->faults.happened.n;
    return m->faults.happened.at;
}
