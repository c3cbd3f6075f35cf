/* Histories, and what they decide. */
#include "property/model/little_system.h"

#include "base/hash.h"
#include "base/panic.h"

#include <math.h>
#include <string.h>

const uint32_t little_budgets[N_LITTLE_BUDGETS] = {1, 2};

little_script little_script_of(uint64_t seed) {
    uint64_t r = seed * 977 + 5;
    little_script s = {.seed = seed};
    s.n_nodes = 3 + hd_random_next(&r) % 6;
    s.n_events = 3 + hd_random_next(&r) % 10;
    s.shape = hd_random_next(&r) % N_LITTLE_SHAPES;
    s.way = hd_random_next(&r) % N_LITTLE_WAYS;
    s.has_constraints = hd_random_next(&r) % 3 == 0;
    s.has_budgets = hd_random_next(&r) % 3 == 0;
    return s;
}

bool little_are_linked(const little_script *s, uint32_t a, uint32_t b) {
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    switch (s->shape) {
    case LITTLE_LINE:
        return high - low == 1;
    case LITTLE_RING:
        return high - low == 1 || (low == 0 && high == s->n_nodes - 1);
    case LITTLE_GRID: /* three columns */
        return high - low == 3 || (high - low == 1 && high % 3 != 0);
    default:
        return a != b;
    }
}

/* ---- states ---- */

static void add_step(little_system *y, uint32_t state, little_step step) {
    little_state *s = &y->states.at[state];
    hd_vec_push(&s->steps, step);
    s->hash = hd_hash_add(hd_hash_add(hd_hash_add(s->hash, step.kind), step.peer), step.packet);
}

static uint32_t new_state(little_system *y, uint32_t node) {
    hd_vec_push(&y->states, ((little_state){.node = node, .hash = node}));
    return (uint32_t)y->states.n - 1;
}

static uint32_t fork_state(void *context, uint32_t state) {
    little_system *y = context;
    uint32_t copy = new_state(y, y->states.at[state].node);
    little_state *from = &y->states.at[state], *to = &y->states.at[copy];
    for (size_t i = 0; i < from->steps.n; i++)
        hd_vec_push(&to->steps, from->steps.at[i]);
    to->hash = from->hash;
    to->known = from->known;
    to->values = from->values;
    memcpy(to->costs, from->costs, sizeof to->costs);
    return copy;
}

void little_init(little_system *y, const little_script *script, hd_mapping_kind kind) {
    uint32_t first[MOST_LITTLE_NODES];
    *y = (little_system){.script = *script, .most_states = UINT64_MAX};
    for (unsigned n = 0; n < script->n_nodes; n++)
        first[n] = new_state(y, n);
    y->mapping = hd_mapping_new(kind, script->n_nodes, first,
                                (hd_mapping_owner){.context = y, .fork = fork_state});
    if (script->has_budgets)
        hd_mapping_share_budgets(y->mapping, little_budgets, N_LITTLE_BUDGETS);
}

void little_release(little_system *y) {
    hd_mapping_free(y->mapping);
    for (size_t i = 0; i < y->states.n; i++)
        hd_vec_release(&y->states.at[i].steps);
    hd_vec_release(&y->states);
    hd_vec_release(&y->to_discard);
    hd_sendings_release(&y->sendings);
}

/* ---- branches ---- */

/* One of the two ways costs something, mostly; it may be that of the state that was there. */
static void pay(little_system *y, uint32_t state, uint32_t child, uint64_t about) {
    uint32_t who = about % 3 ? child : state;
    if (about / 3 % 4)
        y->states.at[who].costs[about / 12 % N_LITTLE_BUDGETS]++;
    hd_mapping_spend(y->mapping, state, y->states.at[state].costs);
    hd_mapping_spend(y->mapping, child, y->states.at[child].costs);
}

/* With constraints a branch decides on a variable, and a state that has decided on it does not
 * branch. */
static uint32_t branch(little_system *y, uint32_t state, uint64_t about) {
    uint16_t bit = (uint16_t)(1u << about % 3);
    if (y->script.has_constraints && y->states.at[state].known & bit)
        return HD_NO_STATE;
    uint32_t child = fork_state(y, state);
    hd_mapping_branch(y->mapping, state, child);
    if (y->script.has_constraints) {
        y->states.at[state].known |= bit;
        y->states.at[child].known |= bit;
        y->states.at[child].values |= bit;
    }
    add_step(y, state, (little_step){LITTLE_BRANCH, 0, 0});
    add_step(y, child, (little_step){LITTLE_BRANCH, 0, 1});
    if (y->script.has_budgets)
        pay(y, state, child, about >> 8);
    return child;
}

/* ---- packets ---- */

static bool contradict(const little_state *a, const little_state *b) {
    return (a->known & b->known & (a->values ^ b->values)) != 0;
}

static bool contradicts_all(little_system *y, uint32_t state, const uint32_t *senders, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!contradict(&y->states.at[state], &y->states.at[senders[i]]))
            return false;
    return true;
}

/* Everybody who has to do with a packet notes it; receivers that contradict are discarded later. */
static void deliver(little_system *y, uint64_t packet, uint32_t to, const uint32_t *senders,
                    size_t n_senders, const hd_states *receivers) {
    uint32_t from = y->states.at[senders[0]].node;
    for (size_t i = 0; i < n_senders; i++)
        add_step(y, senders[i], (little_step){LITTLE_SENT, to, packet});
    for (size_t i = 0; i < receivers->n; i++) {
        HD_ASSERT(y->states.at[receivers->at[i]].node == to);
        add_step(y, receivers->at[i], (little_step){LITTLE_RECEIVED, from, packet});
        if (y->discards && contradicts_all(y, receivers->at[i], senders, n_senders))
            hd_vec_push(&y->to_discard, receivers->at[i]);
    }
}

static void deliver_noted(void *context, uint64_t packet, const hd_sending *sendings, size_t n,
                          const hd_states *receivers) {
    hd_states senders = {0};
    for (size_t i = 0; i < n; i++)
        hd_vec_push(&senders, sendings[i].from);
    deliver(context, packet, sendings[0].to, senders.at, n, receivers);
    hd_vec_release(&senders);
}

/* A packet of an event: what it is depends on its sender's history, but for equal ones, which are
 * about a bit of it. */
static uint64_t packet_of(const little_system *y, uint64_t before, unsigned event, unsigned round) {
    uint64_t content = y->script.way == LITTLE_EQUAL ? before >> 20 & 1 : before;
    return hd_hash_add(hd_hash_add(content, event), round);
}

static void send_packet(little_system *y, uint32_t state, uint32_t to, uint64_t packet) {
    if (y->script.way != LITTLE_AT_ONCE) {
        hd_sendings_add(&y->sendings, state, to, packet, packet);
        return;
    }
    hd_states receivers = {0};
    hd_mapping_send(y->mapping, &state, 1, to, &receivers);
    deliver(y, packet, to, &state, 1, &receivers);
    hd_vec_release(&receivers);
}

/* ---- events ---- */

/* To one neighbour, or to all. */
static void send_round(little_system *y, uint32_t state, uint64_t before, unsigned event,
                       uint64_t choice) {
    uint32_t node = y->states.at[state].node, wanted = (uint32_t)(choice >> 8) % y->script.n_nodes;
    bool is_broadcast = (choice >> 4) % 4 == 0;
    unsigned round = 0;
    for (uint32_t i = 0; i < y->script.n_nodes; i++) {
        uint32_t to = (wanted + i) % y->script.n_nodes;
        if (!little_are_linked(&y->script, node, to))
            continue;
        send_packet(y, state, to, packet_of(y, before, event, round++));
        if (!is_broadcast)
            return;
    }
}

/* What a state does: 0, 1 nothing; 2, 3 branch; 4, 5 send; 6 branch, then both send what they have
 * to; 7 send, then branch. */
static void act(little_system *y, uint32_t state, unsigned event) {
    uint64_t before = y->states.at[state].hash;
    uint64_t r = hd_hash_add(before, y->script.seed * 1000 + event), choice = hd_random_next(&r);
    uint32_t child = HD_NO_STATE;
    unsigned what = choice % 8;
    if (what == 7 && y->script.way == LITTLE_AT_ONCE)
        send_round(y, state, before, event, choice);
    if (what == 2 || what == 3 || what == 6 || what == 7)
        child = branch(y, state, choice >> 32);
    if (what == 4 || what == 5)
        send_round(y, state, before, event, choice);
    if (what == 6) { /* the second packet is to somebody else, perhaps */
        send_round(y, state, y->states.at[state].hash, event, choice);
        if (child != HD_NO_STATE)
            send_round(y, child, y->states.at[child].hash, event, choice >> 16);
    }
    if (what == 7 && y->script.way != LITTLE_AT_ONCE) { /* both have sent it */
        send_round(y, state, before, event, choice);
        if (child != HD_NO_STATE)
            send_round(y, child, before, event, choice);
    }
}

static void discard(little_system *y) {
    for (size_t i = 0; i < y->to_discard.n; i++)
        if (hd_mapping_knows(y->mapping, y->to_discard.at[i]))
            hd_mapping_discard(y->mapping, y->to_discard.at[i]);
    hd_vec_clear(&y->to_discard);
}

/* What is known of other nodes is no more than they cost in any possible dscenario. */
static void prune(little_system *y, uint32_t node) {
    hd_states now = {0};
    for (uint32_t s = 0; s < y->states.n; s++)
        if (y->states.at[s].node == node && hd_mapping_knows(y->mapping, s))
            hd_vec_push(&now, s);
    hd_mapping_prune(y->mapping, now.at, now.n);
    hd_vec_release(&now);
}

static void run_event(little_system *y, unsigned event) {
    uint64_t r = y->script.seed + event * 31;
    uint32_t node = (uint32_t)(hd_random_next(&r) % y->script.n_nodes);
    uint32_t n = (uint32_t)y->states.n;
    if (y->discards)
        prune(y, node);
    for (uint32_t s = 0; s < n; s++)
        if (y->states.at[s].node == node && hd_mapping_knows(y->mapping, s)) {
            act(y, s, event);
            if (y->script.way == LITTLE_AT_ONCE)
                discard(y);
        }
    hd_sendings_flush(&y->sendings, y->mapping, deliver_noted, y);
    discard(y);
}

void little_run(little_system *y) {
    while (y->n_run < y->script.n_events && hd_mapping_count(y->mapping).states <= y->most_states)
        run_event(y, y->n_run++);
}

/* ---- what came of it ---- */

bool little_agree(void *system, const uint32_t *states, uint32_t node) {
    little_system *y = system;
    unsigned ones = 0, zeros = 0;
    uint32_t sum[N_LITTLE_BUDGETS] = {0};
    bool fits = true;
    (void)node;
    for (unsigned n = 0; n < y->script.n_nodes; n++)
        if (states[n] != HD_NO_STATE) {
            const little_state *s = &y->states.at[states[n]];
            ones |= s->known & s->values;
            zeros |= s->known & ~s->values;
            for (unsigned k = 0; k < N_LITTLE_BUDGETS; k++)
                fits &= (sum[k] += s->costs[k]) <= little_budgets[k];
        }
    return fits && (ones & zeros) == 0;
}

uint64_t little_hash(const little_system *y, const uint32_t *states) {
    uint64_t hash = 0;
    for (unsigned n = 0; n < y->script.n_nodes; n++)
        hash = hd_hash_add(hash, y->states.at[states[n]].hash);
    return hash;
}

/* Packets from a to b's node: those that a has sent are those that b has received, in this order.
 */
static bool disagree(const little_state *a, const little_state *b) {
    size_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a->steps.n &&
               !(a->steps.at[i].kind == LITTLE_SENT && a->steps.at[i].peer == b->node))
            i++;
        while (k < b->steps.n &&
               !(b->steps.at[k].kind == LITTLE_RECEIVED && b->steps.at[k].peer == a->node))
            k++;
        if (i == a->steps.n || k == b->steps.n)
            return (i == a->steps.n) != (k == b->steps.n);
        if (a->steps.at[i].packet != b->steps.at[k].packet)
            return true;
    }
}

bool little_conflict(const little_system *y, uint32_t a, uint32_t b) {
    const little_state *s = &y->states.at[a], *t = &y->states.at[b];
    return s->node != t->node && (disagree(s, t) || disagree(t, s));
}
