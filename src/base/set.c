/* Sets that are no words: one table of all of them (see set.h).
 *
 * An entry is a list of parts, 64 numbers each, without those that are empty: what a set costs
 * depends on its members, not on how high they are.  Entries lie one after the other in memory
 * that never moves; a hash index leads to them.  A set is known by its slot, which says where its
 * entry is, so that entries can move together when some are forgotten. */
#include "base/set.h"

#include "base/panic.h"
#include "base/reserve.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define MOST_SLOTS  (UINT32_C(1) << 26)
#define MOST_WORDS  (UINT64_C(1) << 32)
#define FIRST_INDEX HD_HOSTILE(UINT32_C(4096), UINT32_C(2))
#define FIRST_MANY  HD_HOSTILE(UINT64_C(1) << 23, UINT64_C(64)) /* words */

/* Of a set in the table. */
typedef struct listed_set {
    uint32_t slot, n;
    uint64_t hash;
    hd_set_part parts[];
} listed_set;
#define WORDS_OF(n) (sizeof(listed_set) / sizeof(uint64_t) + 2 * (uint64_t)(n))

/* What a child of fork() changes, and its parent sees (Z3). */
typedef struct set_table {
    uint64_t n_words, many;
    uint32_t n_slots, n_sets;
    uint32_t free_from; /* slots below are in use */
    uint32_t n_index;   /* a power of two; 0: it must be made again */
    uint64_t *words;    /* entries */
    uint64_t *entry_of; /* by slot: 1 + where its entry is; 0 = the slot is not in use */
    uint32_t *index;    /* by hash: 1 + slot; 0 = free */
} set_table;
static set_table *all;

typedef struct marker {
    hd_set_marker *function;
    void *context;
} marker;
static hd_vec(marker) markers;
static hd_vec(uint8_t) is_marked; /* by slot, while sets are collected */

static set_table *the_table(void) {
    if (all)
        return all;
    all = hd_reserve_new(sizeof *all, true);
    all->words = hd_reserve_new(MOST_WORDS * sizeof *all->words, true);
    all->entry_of = hd_reserve_new(MOST_SLOTS * sizeof *all->entry_of, true);
    all->index = hd_reserve_new(2 * (uint64_t)MOST_SLOTS * sizeof *all->index, true);
    all->many = FIRST_MANY;
    return all;
}

/* ---- entries ---- */

static listed_set *entry_at(const set_table *t, uint64_t word) {
    return (listed_set *)&t->words[word];
}

static listed_set *entry_of(hd_set s) {
    HD_INVARIANT(Z2, hd_set_is_valid(s));
    return entry_at(all, all->entry_of[(uint32_t)s.bits] - 1);
}

bool hd_set_is_listed(hd_set s) {
    uint64_t slot = s.bits & ~HD_SET_LISTED;
    return all && slot < all->n_slots && all->entry_of[slot] != 0;
}

const hd_set_part *hd_set_parts(hd_set s, uint32_t *n) {
    const listed_set *e = entry_of(s);
    *n = e->n;
    return e->parts;
}

static uint64_t hash_of(const hd_set_part *parts, uint32_t n) {
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++)
        h = hd_hash_add(hd_hash_add(h, parts[i].index), parts[i].bits);
    return hd_hostile_hash(h);
}

static void index_slot(set_table *t, uint32_t slot, uint64_t hash) {
    uint64_t at = hash & (t->n_index - 1);
    while (t->index[at])
        at = (at + 1) & (t->n_index - 1);
    t->index[at] = 1 + slot;
}

/* Twice as many places as sets, at least. */
static void index_all(set_table *t) {
    uint32_t n = FIRST_INDEX;
    while (n < 4 * t->n_sets)
        n *= 2;
    t->n_index = 0; /* a child may die here */
    memset(t->index, 0, n * sizeof *t->index);
    t->n_index = n;
    for (uint64_t at = 0; at < t->n_words; at += WORDS_OF(entry_at(t, at)->n))
        index_slot(t, entry_at(t, at)->slot, entry_at(t, at)->hash);
}

static const listed_set *find(const set_table *t, const hd_set_part *parts, uint32_t n,
                              uint64_t hash) {
    for (uint64_t at = hash & (t->n_index - 1); t->index[at]; at = (at + 1) & (t->n_index - 1)) {
        const listed_set *e = entry_at(t, t->entry_of[t->index[at] - 1] - 1);
        if (e->hash == hash && e->n == n && memcmp(e->parts, parts, n * sizeof *parts) == 0)
            return e;
    }
    return NULL;
}

static uint32_t free_slot(set_table *t) {
    while (t->entry_of[t->free_from])
        t->free_from++;
    return t->free_from;
}

static hd_set enter(set_table *t, const hd_set_part *parts, uint32_t n, uint64_t hash) {
    uint32_t slot = free_slot(t);
    if (slot == MOST_SLOTS - 1 || t->n_words + WORDS_OF(n) > MOST_WORDS)
        hd_out_of_memory();
    listed_set *e = entry_at(t, t->n_words);
    *e = (listed_set){slot, n, hash};
    memcpy(e->parts, parts, n * sizeof *parts);
    t->entry_of[slot] = 1 + t->n_words;
    t->n_words += WORDS_OF(n);
    t->n_slots += slot == t->n_slots;
    t->n_sets++;
    if (t->n_index < 2 * t->n_sets)
        index_all(t);
    else
        index_slot(t, slot, hash);
    return (hd_set){HD_SET_LISTED | slot};
}

/* The set with these parts, none of which is empty (Z1). */
static hd_set set_of(const hd_set_part *parts, uint32_t n) {
    if (n == 0)
        return HD_SET_EMPTY;
    if (n == 1 && parts->index == 0 && parts->bits >> HD_SET_INLINE == 0)
        return (hd_set){parts->bits};
    set_table *t = the_table();
    if (!t->n_index)
        index_all(t);
    uint64_t hash = hash_of(parts, n);
    const listed_set *e = find(t, parts, n, hash);
    return e ? (hd_set){HD_SET_LISTED | e->slot} : enter(t, parts, n, hash);
}

/* ---- what was asked before ---- */

/* Executions ask the same of the same sets over and over: what came of it is good until sets are
 * forgotten. */
#define MEMO_BITS HD_HOSTILE(9, 1)
typedef enum asked_kind { ASKED_NOTHING, ASKED_OTHER, ASKED_COMBINED } asked_kind;
typedef struct memo_entry {
    uint64_t a, b; /* a set, and a set or a member */
    uint32_t kind; /* asked_kind, or with that the operation */
    hd_set made;
} memo_entry;
static memo_entry memo[1 << 9];

static memo_entry *remember(uint64_t a, uint64_t b, uint32_t kind) {
    uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + kind)) * UINT64_C(0xff51afd7ed558ccd);
    return &memo[h >> (64 - MEMO_BITS)];
}

static bool is_it(const memo_entry *e, uint64_t a, uint64_t b, uint32_t kind) {
    return e->kind == kind && e->a == a && e->b == b;
}

/* ---- operations ---- */

/* The parts of any set: `one` is room for that of a word. */
typedef struct part_view {
    const hd_set_part *at;
    uint32_t n;
} part_view;

static part_view view_of(hd_set s, hd_set_part *one) {
    part_view v = {one, !hd_set_is_empty(s)};
    *one = (hd_set_part){0, s.bits};
    if (!hd_set_is_word(s))
        v.at = hd_set_parts(s, &v.n);
    return v;
}

static uint64_t bits_at(part_view *v, uint64_t index) {
    return v->n && v->at->index == index ? v->at->bits : 0;
}

static void skip_to(part_view *v, uint64_t index) {
    while (v->n && v->at->index < index) {
        v->at++;
        v->n--;
    }
}

static uint64_t combined(uint64_t a, uint64_t b, hd_set_operation operation) {
    switch (operation) {
    case HD_SET_BOTH:
        return a & b;
    case HD_SET_EITHER:
        return a | b;
    case HD_SET_MINUS:
        return a & ~b;
    }
    return 0;
}

static hd_set combine(hd_set a, hd_set b, hd_set_operation operation) {
    static hd_vec(hd_set_part) made;
    hd_set_part one[2];
    part_view x = view_of(a, &one[0]), y = view_of(b, &one[1]);
    hd_vec_clear(&made);
    while (x.n || y.n) {
        uint64_t next = !y.n || (x.n && x.at->index < y.at->index) ? x.at->index : y.at->index;
        uint64_t bits = combined(bits_at(&x, next), bits_at(&y, next), operation);
        if (bits)
            hd_vec_push(&made, ((hd_set_part){next, bits}));
        skip_to(&x, next + 1);
        skip_to(&y, next + 1);
    }
    return set_of(made.at, (uint32_t)made.n);
}

hd_set hd_set_combine_listed(hd_set a, hd_set b, hd_set_operation operation) {
    if (hd_set_is_empty(b))
        return operation == HD_SET_BOTH ? b : a;
    uint32_t kind = ASKED_COMBINED + (uint32_t)operation;
    memo_entry *known = remember(a.bits, b.bits, kind);
    if (!is_it(known, a.bits, b.bits, kind))
        *known = (memo_entry){a.bits, b.bits, kind, combine(a, b, operation)};
    HD_CHECK_INVARIANT(Z1, hd_set_equal(known->made, combine(a, b, operation)));
    return known->made;
}

bool hd_set_meets_listed(hd_set a, hd_set b) {
    hd_set_part one[2];
    part_view x = view_of(a, &one[0]), y = view_of(b, &one[1]);
    while (x.n && y.n) {
        if (x.at->index == y.at->index && x.at->bits & y.at->bits)
            return true;
        uint64_t next = x.at->index < y.at->index ? x.at->index : y.at->index;
        skip_to(&x, next + 1);
        skip_to(&y, next + 1);
    }
    return false;
}

/* The part that `member` is in, or the first behind it. */
static part_view part_of(part_view v, uint32_t member) {
    uint32_t low = 0, high = v.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (v.at[middle].index < member / 64)
            low = middle + 1;
        else
            high = middle;
    }
    return (part_view){v.at + low, v.n - low};
}

bool hd_set_has_listed(hd_set s, uint32_t member) {
    hd_set_part one;
    part_view v = part_of(view_of(s, &one), member);
    return bits_at(&v, member / 64) >> member % 64 & 1;
}

/* With `member` if it was not there, and without it if it was: one look into the table. */
static hd_set make_with_other(hd_set s, uint32_t member) {
    static hd_vec(hd_set_part) made;
    hd_set_part one, other = {member / 64, UINT64_C(1) << member % 64};
    part_view v = view_of(s, &one);
    hd_vec_clear(&made);
    for (; v.n && v.at->index < other.index; skip_to(&v, v.at->index + 1))
        hd_vec_push(&made, *v.at);
    other.bits ^= bits_at(&v, other.index);
    if (other.bits)
        hd_vec_push(&made, other);
    for (skip_to(&v, other.index + 1); v.n; skip_to(&v, v.at->index + 1))
        hd_vec_push(&made, *v.at);
    return set_of(made.at, (uint32_t)made.n);
}

static hd_set set_with_other(hd_set s, uint32_t member) {
    memo_entry *known = remember(s.bits, member, ASKED_OTHER);
    if (!is_it(known, s.bits, member, ASKED_OTHER))
        *known = (memo_entry){s.bits, member, ASKED_OTHER, make_with_other(s, member)};
    HD_CHECK_INVARIANT(Z1, hd_set_equal(known->made, make_with_other(s, member)));
    return known->made;
}

hd_set hd_set_with_listed(hd_set s, uint32_t member) {
    return hd_set_has(s, member) ? s : set_with_other(s, member);
}

hd_set hd_set_without_listed(hd_set s, uint32_t member) {
    return hd_set_has(s, member) ? set_with_other(s, member) : s;
}

uint32_t hd_set_first_listed(hd_set s) {
    uint32_t n;
    const hd_set_part *p = hd_set_parts(s, &n);
    return (uint32_t)p->index * 64 + (uint32_t)__builtin_ctzll(p->bits);
}

uint32_t hd_set_last(hd_set s) {
    hd_set_part one;
    part_view v = view_of(s, &one);
    const hd_set_part *p = &v.at[v.n - 1];
    return (uint32_t)p->index * 64 + 63 - (uint32_t)__builtin_clzll(p->bits);
}

uint32_t hd_set_count_listed(hd_set s) {
    return hd_set_rank(s, HD_SET_END);
}

uint32_t hd_set_rank(hd_set s, uint32_t member) {
    hd_set_part one;
    uint32_t count = 0;
    for (part_view v = view_of(s, &one); v.n && v.at->index <= member / 64; v.at++, v.n--) {
        bool is_its = v.at->index == member / 64;
        uint64_t lower = is_its ? (UINT64_C(1) << member % 64) - 1 : UINT64_MAX;
        count += (uint32_t)__builtin_popcountll(v.at->bits & lower);
    }
    return count;
}

/* ---- makers ---- */

static void add_part(hd_set_maker *k, hd_set_part part) {
    if (k->n == k->capacity) {
        k->capacity = k->capacity ? 2 * k->capacity : 8;
        k->parts = realloc(k->parts, k->capacity * sizeof *k->parts);
        if (!k->parts)
            hd_out_of_memory();
    }
    k->parts[k->n++] = part;
}

hd_set_maker hd_set_maker_with_listed(hd_set_maker k, uint32_t member) {
    uint64_t index = member / 64;
    if (k.n == 0) /* what is below comes first */
        add_part(&k, (hd_set_part){0, k.bits});
    HD_ASSERT(k.parts[k.n - 1].index <= index);
    if (k.parts[k.n - 1].index != index)
        add_part(&k, (hd_set_part){index, 0});
    k.parts[k.n - 1].bits |= UINT64_C(1) << member % 64;
    return k;
}

hd_set hd_set_made_listed(hd_set_maker k) {
    bool has_first = k.parts[0].bits != 0;
    hd_set s = set_of(k.parts + !has_first, k.n - !has_first);
    free(k.parts);
    return s;
}

/* ---- as bytes ---- */

void hd_set_pack(hd_text *out, hd_set s) {
    hd_set_part one;
    part_view v = view_of(s, &one);
    hd_pack_u32(out, v.n);
    for (; v.n; v.n--, v.at++) {
        hd_pack_u32(out, (uint32_t)v.at->index);
        hd_pack_u64(out, v.at->bits);
    }
}

static void unpack_part(hd_unpack *u, uint32_t limit, hd_set_maker *k) {
    uint32_t index = hd_unpack_u32(u);
    uint64_t bits = hd_unpack_u64(u);
    bool is_behind = !k->n || k->parts[k->n - 1].index < index;
    if (!bits || !is_behind || index > limit / 64 ||
        64 * (uint64_t)index + 63 - (uint64_t)__builtin_clzll(bits) >= limit)
        u->failed = true;
    else
        add_part(k, (hd_set_part){index, bits});
}

hd_set hd_set_unpack(hd_unpack *u, uint32_t limit) {
    hd_set_maker k = {0};
    uint32_t n = hd_unpack_count(u, 12);
    for (uint32_t i = 0; i < n && hd_unpack_ok(u); i++)
        unpack_part(u, limit, &k);
    hd_set s = hd_unpack_ok(u) ? set_of(k.parts, k.n) : HD_SET_EMPTY;
    free(k.parts);
    return s;
}

/* ---- forgetting ---- */

/* Whoever keeps sets does so before it forks: a table that the child makes is the child's (Z3). */
void hd_sets_add_marker(hd_set_marker *function, void *context) {
    the_table();
    hd_vec_push(&markers, ((marker){function, context}));
}

void hd_sets_remove_marker(hd_set_marker *function, void *context) {
    for (size_t i = 0; i < markers.n; i++)
        if (markers.at[i].function == function && markers.at[i].context == context) {
            markers.at[i] = markers.at[--markers.n];
            break;
        }
    if (!markers.n)
        hd_vec_release(&markers);
}

void hd_set_mark_listed(hd_set s) {
    HD_INVARIANT(Z2, hd_set_is_valid(s));
    is_marked.at[(uint32_t)s.bits] = 1;
}

bool hd_sets_are_shared(void) {
    return all != NULL;
}

bool hd_sets_are_many(void) {
    return all && all->n_words > all->many;
}

uint32_t hd_sets_count(void) {
    return all ? all->n_sets : 0;
}

/* Entries that are kept move down, in their order. */
static void sweep(set_table *t) {
    uint64_t to = 0;
    for (uint64_t at = 0, n; at < t->n_words; at += n) {
        listed_set *e = entry_at(t, at);
        n = WORDS_OF(e->n);
        bool is_kept = is_marked.at[e->slot];
        t->entry_of[e->slot] = is_kept ? 1 + to : 0;
        t->n_sets -= !is_kept;
        if (is_kept) {
            memmove(&t->words[to], e, n * sizeof *t->words);
            to += n;
        }
    }
    t->n_words = to;
    t->free_from = 0;
    while (t->n_slots && !t->entry_of[t->n_slots - 1])
        t->n_slots--;
}

void hd_sets_collect(void) {
    if (!all)
        return;
    hd_vec_reserve(&is_marked, all->n_slots);
    if (all->n_slots)
        memset(is_marked.at, 0, all->n_slots);
    for (size_t i = 0; i < markers.n; i++)
        markers.at[i].function(markers.at[i].context);
    sweep(all);
    index_all(all);
    memset(memo, 0, sizeof memo);
    all->many = 2 * all->n_words > FIRST_MANY ? 2 * all->n_words : FIRST_MANY;
    hd_vec_release(&is_marked);
}
