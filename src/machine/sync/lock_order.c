/* Locks that are taken in different orders: deadlocks that may not have happened yet.
 *
 * An edge says that a thread took one lock while it held others.  A cycle of edges of different
 * threads is a warning, unless two of them held a lock in common, which lets only one of them in at
 * a time (a gate lock).  Attempts that do not wait make no edge, and what one thread did while it
 * was the only one makes none either.  Edges are kept over all executions. */
#include "machine/sync/sync.h"

#define MAX_LOCKS  64 /* so that a set of locks is a word; later ones are left out */
#define MAX_EDGES  1024
#define MAX_CYCLE  6
#define MAX_STEPS  100000 /* of the search */
#define MAX_CYCLES 64

typedef struct edge {
    uint64_t held; /* set of locks, `from` included */
    uint32_t from_site, to_site;
    uint32_t thread;
    uint8_t from, to;
    uint8_t from_reads, to_reads;
} edge;

typedef struct lock {
    uint64_t object;
    uint32_t size, kind;
} lock;

typedef struct hd_lock_order {
    hd_vec(lock) locks;
    hd_vec(edge) edges;
    hd_map numbers; /* address -> lock */
    hd_map known;   /* hashes of edges */
} hd_lock_order;

void hd_lock_order_free(hd_lock_order *order) {
    if (!order)
        return;
    hd_vec_release(&order->locks);
    hd_vec_release(&order->edges);
    hd_map_release(&order->numbers);
    hd_map_release(&order->known);
    free(order);
}

/* ---- edges ---- */

/* MAX_LOCKS if it is one too many. */
static uint32_t number_of(hd_lock_order *order, const hd_held *held) {
    const uint64_t *known = hd_map_find(&order->numbers, held->object);
    HD_ASSERT(!known || *known < order->locks.n);
    if (known)
        return (uint32_t)*known;
    uint32_t number = (uint32_t)order->locks.n;
    if (number == MAX_LOCKS)
        return MAX_LOCKS;
    HD_ASSERT(number < MAX_LOCKS && held->kind < HD_N_LOCKS);
    hd_map_put(&order->numbers, held->object, number);
    hd_vec_push(&order->locks, ((lock){held->object, held->size, held->kind}));
    return number;
}

static void add_edge(hd_lock_order *order, const edge *e) {
    uint64_t hash = hd_hash_add(e->held, (uint64_t)e->from_site << 32 | e->to_site);
    hash = hd_hash_add(hash, (uint64_t)e->from << 40 | (uint64_t)e->to << 32 |
                                 (uint64_t)e->thread << 8 | e->from_reads << 1 | e->to_reads) &
           INT64_MAX;
    if (order->edges.n == MAX_EDGES || hd_map_find(&order->known, hash))
        return;
    hd_map_put(&order->known, hash, 1);
    HD_ASSERT(e->held >> e->from & 1 && e->from < order->locks.n && e->to < order->locks.n);
    hd_vec_push(&order->edges, *e);
}

static bool is_attempt(const hd_action *a) {
    return hd_kind_is(a->kind, HD_KIND_TRIES);
}

void hd_lock_order_note(hd_machine *m) {
    uint32_t self = hd_thread_current(m);
    const hd_sync_thread *t = hd_sync_thread_of(m, self);
    if (is_attempt(&m->threads.action[self]))
        return;
    if (!m->sync->order && !(m->sync->order = calloc(1, sizeof *m->sync->order)))
        hd_out_of_memory();
    hd_lock_order *order = m->sync->order;
    HD_ASSERT(t->held.n > 1);
    const hd_held *last = &t->held.at[t->held.n - 1];
    uint32_t to = number_of(order, last);
    uint64_t held = 0;
    for (const hd_held *h = t->held.at; h < last; h++) {
        uint32_t number = number_of(order, h);
        held |= number < MAX_LOCKS ? UINT64_C(1) << number : 0;
    }
    for (const hd_held *h = t->held.at; h < last && to < MAX_LOCKS; h++) {
        uint32_t from = number_of(order, h);
        if (from < MAX_LOCKS)
            add_edge(order, &(edge){.held = held,
                                    .from_site = h->site,
                                    .to_site = last->site,
                                    .from = (uint8_t)from,
                                    .to = (uint8_t)to,
                                    .thread = self,
                                    .from_reads = hd_lock_is_shared(h->kind),
                                    .to_reads = hd_lock_is_shared(last->kind)});
    }
}

/* ---- cycles ---- */

typedef struct search {
    const hd_machine *m;
    const hd_lock_order *order;
    const edge *path[MAX_CYCLE];
    uint32_t n, n_steps, n_found;
    uint64_t found[MAX_CYCLES]; /* sets of locks that were reported */
    hd_text *out;
} search;

/* Could the new edge be under way at the same time as those of the path? */
static bool fits(const search *s, const edge *e) {
    for (uint32_t i = 0; i < s->n; i++)
        if (s->path[i]->thread == e->thread || s->path[i]->held & e->held)
            return false;
    const edge *last = s->n ? s->path[s->n - 1] : NULL;
    return !last || (last->to == e->from && !(last->to_reads && e->from_reads));
}

static bool is_closed(const search *s) {
    HD_ASSERT(s->n > 0 && s->n <= MAX_CYCLE);
    const edge *first = s->path[0], *last = s->path[s->n - 1];
    return s->n > 1 && last->to == first->from && !(last->to_reads && first->from_reads);
}

static bool is_new(search *s) {
    uint64_t locks = 0;
    for (uint32_t i = 0; i < s->n; i++)
        locks |= UINT64_C(1) << s->path[i]->from;
    for (uint32_t i = 0; i < s->n_found; i++)
        if (s->found[i] == locks)
            return false;
    if (s->n_found == MAX_CYCLES)
        return false;
    s->found[s->n_found++] = locks;
    return true;
}

static void describe_lock(const search *s, uint32_t number) {
    HD_ASSERT(number < s->order->locks.n);
    const lock *l = &s->order->locks.at[number];
    hd_sync_describe_object(s->m, l->object, hd_locks[l->kind].words, s->out);
}

static void print_cycle(const search *s) {
    HD_ASSERT(s->n > 1 && s->n <= MAX_CYCLE);
    hd_text_add(s->out, "locks are taken in different orders: ");
    for (uint32_t i = 0; i < s->n; i++) {
        const edge *e = s->path[i];
        hd_text_add(s->out, "%sthread %u takes ", i ? "; " : "", e->thread);
        describe_lock(s, e->to);
        hd_text_add(s->out, " at ");
        hd_sync_describe_place(s->m, e->to_site, s->out);
        hd_text_add(s->out, " while it holds ");
        describe_lock(s, e->from);
        hd_text_add(s->out, " since ");
        hd_sync_describe_place(s->m, e->from_site, s->out);
    }
    hd_text_add(s->out, "\n");
}

/* Every cycle is found from its edge with the lowest lock. */
static void extend(search *s) {
    HD_ASSERT(s->n < MAX_CYCLE);
    for (size_t i = 0; i < s->order->edges.n && s->n_steps < MAX_STEPS; i++) {
        const edge *e = &s->order->edges.at[i];
        s->n_steps++;
        if (!fits(s, e) || (s->n && e->from <= s->path[0]->from))
            continue;
        s->path[s->n++] = e;
        if (is_closed(s)) {
            if (is_new(s))
                print_cycle(s);
        } else if (s->n < MAX_CYCLE)
            extend(s);
        s->n--;
    }
}

void hd_machine_lock_cycles(const hd_machine *m, hd_text *out) {
    if (!m->sync || !m->sync->order)
        return;
    search s = {.m = m, .order = m->sync->order, .out = out};
    extend(&s);
}
