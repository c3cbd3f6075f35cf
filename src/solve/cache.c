/* cache.c -- what was solved before need not be solved again.
 *
 * Three memories, all exact:  the same set of constraints was satisfied by these values or was
 * unsatisfiable;  a few constraints among these cannot hold together (a core, from the solver's
 * failed assumptions);  and one of the last few models may simply fit again.  Models are always
 * evaluated before they are believed.
 *
 * Sets are compared by marking: `marks` holds the number of the query that saw an expression
 * last, so that "is this core a subset of the query" is one look per member. */
#include "solve/solve_int.h"

#include "base/hash.h"
#include "base/hostile.h"
#include "base/map.h"
#include "base/panic.h"

#include <string.h>

enum {
    N_ENTRIES = HD_HOSTILE(1 << 16, 2),
    MAX_BYTES = 24 << 20, /* of entries */
    MAX_SET = 512,        /* constraints of an entry */
    N_CORES = HD_HOSTILE(1 << 15, 2),
    MAX_CORE = 48,               /* members of a core */
    N_RECENT = HD_HOSTILE(6, 2), /* models tried again */
};

/* Followed by n ids, then n_vars variables, then (aligned) n_vars values. */
typedef struct cached {
    uint64_t hash;
    uint32_t n, n_vars; /* n_vars is 0 for an unsatisfiable set */
    hd_verdict verdict;
    uint32_t ids[];
} cached;

typedef struct core {
    uint32_t first, n; /* its members in core_ids */
    uint32_t next;     /* 1 + the next core with the same youngest member */
} core;

typedef struct cache {
    hd_graph *g;
    cached **entries;
    size_t bytes;
    hd_vec(core) cores;
    hd_constraints core_ids;
    hd_map cores_of; /* youngest member -> 1 + core */
    hd_model recent[N_RECENT];
    unsigned next_recent;
    hd_vec(uint32_t) marks;
    uint32_t round;
    hd_constraints set; /* the constraints of the query, each once */
    uint64_t hash;
} cache;

static void *cache_new(hd_graph *g) {
    cache *c = hd_layer_memory(sizeof *c);
    c->g = g;
    c->entries = hd_layer_memory(N_ENTRIES * sizeof *c->entries);
    return c;
}

static void drop_entries(cache *c) {
    for (size_t i = 0; i < N_ENTRIES && c->bytes; i++) {
        free(c->entries[i]);
        c->entries[i] = NULL;
    }
    c->bytes = 0;
}

static void drop_cores(cache *c) {
    hd_vec_clear(&c->cores);
    hd_vec_clear(&c->core_ids);
    hd_map_clear(&c->cores_of);
}

/* Recent models know no expressions and stay. */
static void cache_forget(void *self) {
    cache *c = self;
    drop_entries(c);
    drop_cores(c);
    hd_vec_release(&c->marks);
}

static void cache_free(void *self) {
    cache *c = self;
    cache_forget(c);
    free(c->entries);
    hd_vec_release(&c->cores);
    hd_vec_release(&c->core_ids);
    hd_map_release(&c->cores_of);
    hd_vec_release(&c->set);
    for (int i = 0; i < N_RECENT; i++)
        hd_model_release(&c->recent[i]);
    free(c);
}

static void make_marks(cache *c) {
    size_t n = c->marks.n, wanted = (size_t)hd_graph_n_nodes(c->g) + 1;
    if (wanted > n) {
        hd_vec_reserve(&c->marks, wanted);
        memset(c->marks.at + n, 0, (c->marks.capacity - n) * sizeof *c->marks.at);
        c->marks.n = c->marks.capacity;
    }
    if (++c->round == 0) {
        memset(c->marks.at, 0, c->marks.n * sizeof *c->marks.at);
        c->round = 1;
    }
    HD_ASSERT(c->round != 0 && c->marks.n >= wanted); /* no mark is as old as none */
}

static bool is_marked(const cache *c, hd_expr e) {
    return e < c->marks.n && c->marks.at[e] == c->round;
}

/* The hash of a set is a sum, so that it needs no order. */
static void mark_set(cache *c, const hd_task *t) {
    make_marks(c);
    hd_vec_clear(&c->set);
    c->hash = 0;
    for (size_t i = 0; i < t->constraints.n; i++) {
        hd_expr e = t->constraints.at[i];
        if (is_marked(c, e))
            continue;
        HD_CHECK(e < c->marks.n);
        c->marks.at[e] = c->round;
        c->hash += hd_mix(e);
        hd_vec_push(&c->set, e);
    }
    HD_ASSERT(c->set.n >= 1 && c->set.n <= t->constraints.n);
}

static bool are_all_marked(const cache *c, const hd_expr *ids, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (!is_marked(c, ids[i]))
            return false;
    return true;
}

static cached **slot_of(const cache *c) {
    return &c->entries[hd_mix(c->hash) & (N_ENTRIES - 1)];
}

static size_t values_offset(const cached *e) {
    size_t end = sizeof *e + ((size_t)e->n + e->n_vars) * sizeof *e->ids;
    return (end + 7) / 8 * 8;
}

static uint64_t *values_of(cached *e) {
    return (uint64_t *)((char *)e + values_offset(e));
}

static size_t size_of(const cached *e) {
    return values_offset(e) + e->n_vars * sizeof(uint64_t);
}

/* Pointer values belong to the executions they come from: see L4. */
static bool fits(const hd_task *t, hd_var v, uint64_t value) {
    return !t->has_pointers || !hd_task_is_pointer(t, v) || hd_pointers_may_be(t, v, value);
}

static hd_verdict use_entry(cached *e, const hd_task *t, hd_model *model) {
    if (e->verdict == HD_UNSAT)
        return HD_UNSAT;
    const hd_var *vars = e->ids + e->n;
    HD_ASSERT(e->n_vars == t->vars.n); /* the same constraints have the same variables */
    for (uint32_t i = 0; i < e->n_vars; i++) {
        if (!fits(t, vars[i], values_of(e)[i]))
            return HD_UNKNOWN;
        hd_model_set(model, vars[i], values_of(e)[i]);
    }
    return hd_task_holds(t, model) ? HD_SAT : HD_UNKNOWN;
}

static hd_verdict look_up_set(const cache *c, const hd_task *t, hd_model *model) {
    cached *e = *slot_of(c);
    bool is_same = e && e->hash == c->hash && e->n == c->set.n && are_all_marked(c, e->ids, e->n);
    return is_same ? use_entry(e, t, model) : HD_UNKNOWN;
}

static cached *new_entry(const cache *c, const hd_task *t, hd_verdict verdict,
                         const hd_model *model) {
    cached shape = {.hash = c->hash, .n = (uint32_t)c->set.n, .verdict = verdict};
    shape.n_vars = verdict == HD_SAT ? (uint32_t)t->vars.n : 0;
    HD_ASSERT(verdict != HD_UNKNOWN && shape.n > 0);
    cached *e = hd_layer_memory(size_of(&shape));
    *e = shape;
    memcpy(e->ids, c->set.at, e->n * sizeof *e->ids);
    for (uint32_t i = 0; i < e->n_vars; i++) {
        e->ids[e->n + i] = t->vars.at[i];
        values_of(e)[i] = hd_model_get(model, t->vars.at[i]);
    }
    return e;
}

static void store_set(cache *c, const hd_task *t, hd_verdict verdict, const hd_model *model) {
    if (c->set.n > MAX_SET)
        return;
    if (c->bytes > MAX_BYTES)
        drop_entries(c);
    cached **slot = slot_of(c);
    if (*slot) {
        HD_ASSERT(c->bytes >= size_of(*slot));
        c->bytes -= size_of(*slot);
        free(*slot);
    }
    *slot = new_entry(c, t, verdict, model);
    c->bytes += size_of(*slot);
}

/* A core is found through its youngest member, which the fewest queries contain. */
static bool has_core(const cache *c) {
    for (size_t i = c->set.n; c->cores.n && i-- > 0;) {
        const uint64_t *first = hd_map_find(&c->cores_of, c->set.at[i]);
        for (uint64_t k = first ? *first : 0; k; k = c->cores.at[k - 1].next) {
            HD_CHECK(k <= c->cores.n);
            const core *candidate = &c->cores.at[k - 1];
            if (are_all_marked(c, c->core_ids.at + candidate->first, candidate->n))
                return true;
        }
    }
    return false;
}

static void store_core(cache *c, const hd_constraints *members) {
    if (c->cores.n == N_CORES)
        drop_cores(c);
    hd_expr youngest = 0;
    uint32_t first = (uint32_t)c->core_ids.n;
    for (size_t i = 0; i < members->n; i++) {
        hd_vec_push(&c->core_ids, members->at[i]);
        youngest = members->at[i] > youngest ? members->at[i] : youngest;
    }
    HD_ASSERT(youngest != HD_NONE && c->core_ids.n == first + members->n);
    const uint64_t *others = hd_map_find(&c->cores_of, youngest);
    hd_vec_push(&c->cores, ((core){first, (uint32_t)members->n, others ? (uint32_t)*others : 0}));
    hd_map_put(&c->cores_of, youngest, c->cores.n);
}

static bool try_recent(const hd_model *recent, const hd_task *t, hd_model *model) {
    for (size_t i = 0; i < t->vars.n; i++) {
        hd_var v = t->vars.at[i];
        uint64_t value = hd_model_get(recent, v);
        bool use = hd_model_has(recent, v) && fits(t, v, value);
        hd_model_set(model, v, use ? value : hd_model_get(t->query->hint, v));
    }
    return hd_task_holds(t, model);
}

static bool try_all_recent(const cache *c, const hd_task *t, hd_model *model) {
    for (unsigned i = 1; i <= N_RECENT; i++) {
        const hd_model *recent = &c->recent[(c->next_recent + N_RECENT - i) % N_RECENT];
        if (recent->n && try_recent(recent, t, model))
            return true;
    }
    return false;
}

static void remember_model(cache *c, const hd_task *t, const hd_model *model) {
    HD_ASSERT(c->next_recent < N_RECENT);
    hd_model *recent = &c->recent[c->next_recent];
    c->next_recent = (c->next_recent + 1) % N_RECENT;
    hd_model_clear(recent);
    for (size_t i = 0; i < t->vars.n; i++)
        hd_model_set(recent, t->vars.at[i], hd_model_get(model, t->vars.at[i]));
}

/* The sets of one byte are found faster than a cache entry. */
static bool applies(void *self, const hd_task *t) {
    (void)self;
    bool is_byte = t->vars.n == 1 && t->n_narrow == 1;
    return t->vars.n && !(is_byte && t->options->enabled[HD_LAYER_DOMAIN]);
}

static hd_verdict ask(void *self, hd_task *t, hd_model *model) {
    cache *c = self;
    mark_set(c, t);
    hd_verdict verdict = look_up_set(c, t, model);
    if (verdict != HD_UNKNOWN)
        return verdict;
    if (has_core(c))
        return HD_UNSAT;
    return try_all_recent(c, t, model) ? HD_SAT : HD_UNKNOWN;
}

/* The set is still marked: `learn` follows the `ask` of the same query.  Without a core, the
 * proof of a slice with pointers may rest on the hint (L4) and is not kept. */
static void learn(void *self, const hd_task *t, hd_verdict verdict, const hd_model *model) {
    cache *c = self;
    HD_ASSERT(verdict != HD_UNKNOWN);
    HD_CHECK(are_all_marked(c, t->constraints.at, (uint32_t)t->constraints.n));
    if (verdict == HD_SAT)
        remember_model(c, t, model);
    if (verdict == HD_UNSAT && t->core.n && t->core.n <= MAX_CORE)
        store_core(c, &t->core);
    else if (verdict == HD_SAT || !t->has_pointers || t->core.n)
        store_set(c, t, verdict, model);
}

const hd_layer_kind hd_layer_cache = {.new = cache_new,
                                      .free = cache_free,
                                      .forget = cache_forget,
                                      .applies = applies,
                                      .ask = ask,
                                      .learn = learn};
