/* set.h -- sets of small numbers (threads, processes, messages under way) of any size, as values.
 *
 * Nearly all programs have few threads, and their sets are words: a set whose members are all
 * below HD_SET_INLINE is one, and the functions here are what one would write with `|` and `&`.
 * Any other set is the number of an entry of one table that holds each set once and never changes
 * it.  So a set of any size is eight bytes that can be copied, compared and kept in memory of the
 * tested program.
 *
 * Z1. Equal sets have equal bits: a set is a word if it can be one, and in the table once else.
 * Z2. What is in the table stays where it is until hd_sets_collect, which keeps what the markers
 *     mark (hd_sets_add_marker).
 * Z3. The table is shared with children of fork(), as the graph of expressions is: sets that an
 *     execution in a child makes mean the same to its parent, which waits for its end. */
#ifndef HD_BASE_SET_H
#define HD_BASE_SET_H
#include "base/hostile.h"
#include "base/pack.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SET_INLINE HD_HOSTILE(63u, 3u)
#define HD_SET_LISTED (UINT64_C(1) << 63) /* in bits: of a set that is in the table */
#define HD_SET_END    UINT32_MAX          /* no member */

/* A struct, so that nobody takes it for a word. */
typedef struct hd_set {
    uint64_t bits;
} hd_set;
#define HD_SET_EMPTY ((hd_set){0})

/* 64 numbers, from 64 * index on, of which one at least is a member. */
typedef struct hd_set_part {
    uint64_t index, bits;
} hd_set_part;

/* ---- for those that are no words ---- */
bool hd_set_has_listed(hd_set s, uint32_t member);
hd_set hd_set_with_listed(hd_set s, uint32_t member);
hd_set hd_set_without_listed(hd_set s, uint32_t member);
typedef enum hd_set_operation { HD_SET_BOTH, HD_SET_EITHER, HD_SET_MINUS } hd_set_operation;
hd_set hd_set_combine_listed(hd_set a, hd_set b, hd_set_operation operation);
bool hd_set_meets_listed(hd_set a, hd_set b);
uint32_t hd_set_first_listed(hd_set s);
uint32_t hd_set_count_listed(hd_set s);
/* The parts of a set, in order. */
const hd_set_part *hd_set_parts(hd_set s, uint32_t *n);

static inline bool hd_set_is_word(hd_set s) {
    return !(s.bits & HD_SET_LISTED);
}
static inline bool hd_set_are_words(hd_set a, hd_set b) {
    return !((a.bits | b.bits) & HD_SET_LISTED);
}

/* ---- what one does with sets ---- */
static inline bool hd_set_is_empty(hd_set s) {
    return s.bits == 0;
}
static inline bool hd_set_equal(hd_set a, hd_set b) {
    return a.bits == b.bits;
}
static inline bool hd_set_has(hd_set s, uint32_t member) {
    if (__builtin_expect(hd_set_is_word(s), 1))
        return member < 64 && (s.bits >> member & 1);
    return hd_set_has_listed(s, member);
}
static inline hd_set hd_set_with(hd_set s, uint32_t member) {
    if (__builtin_expect(hd_set_is_word(s) && member < HD_SET_INLINE, 1))
        return (hd_set){s.bits | UINT64_C(1) << member};
    return hd_set_with_listed(s, member);
}
static inline hd_set hd_set_without(hd_set s, uint32_t member) {
    if (__builtin_expect(hd_set_is_word(s), 1))
        return (hd_set){member < 64 ? s.bits & ~(UINT64_C(1) << member) : s.bits};
    return hd_set_without_listed(s, member);
}
static inline hd_set hd_set_of(uint32_t member) {
    return hd_set_with(HD_SET_EMPTY, member);
}
/* What is in both, in either of them, and in `a` only. */
static inline hd_set hd_set_both(hd_set a, hd_set b) {
    if (__builtin_expect(hd_set_are_words(a, b), 1))
        return (hd_set){a.bits & b.bits};
    return hd_set_combine_listed(a, b, HD_SET_BOTH);
}
static inline hd_set hd_set_either(hd_set a, hd_set b) {
    if (__builtin_expect(hd_set_are_words(a, b), 1))
        return (hd_set){a.bits | b.bits};
    return hd_set_combine_listed(a, b, HD_SET_EITHER);
}
static inline hd_set hd_set_minus(hd_set a, hd_set b) {
    if (__builtin_expect(hd_set_are_words(a, b), 1))
        return (hd_set){a.bits & ~b.bits};
    return hd_set_combine_listed(a, b, HD_SET_MINUS);
}
/* Have two sets a member in common? */
static inline bool hd_set_meets(hd_set a, hd_set b) {
    if (__builtin_expect(hd_set_are_words(a, b), 1))
        return (a.bits & b.bits) != 0;
    return hd_set_meets_listed(a, b);
}
/* The lowest member of a set that is not empty. */
static inline uint32_t hd_set_first(hd_set s) {
    return __builtin_expect(hd_set_is_word(s), 1) ? (uint32_t)__builtin_ctzll(s.bits)
                                                  : hd_set_first_listed(s);
}
static inline uint32_t hd_set_count(hd_set s) {
    return __builtin_expect(hd_set_is_word(s), 1) ? (uint32_t)__builtin_popcountll(s.bits)
                                                  : hd_set_count_listed(s);
}
/* The highest member of a set that is not empty; how many are lower than `member`. */
uint32_t hd_set_last(hd_set s);
uint32_t hd_set_rank(hd_set s, uint32_t member);
/* Was the set made here?  (It may come from memory that the tested program wrote to.) */
bool hd_set_is_listed(hd_set s);
static inline bool hd_set_is_valid(hd_set s) {
    return hd_set_is_word(s) ? s.bits >> HD_SET_INLINE == 0 : hd_set_is_listed(s);
}

/* ---- all members, in order:  uint32_t t;  HD_SET_EACH(t, set) use(t); ---- */
typedef struct hd_set_walk {
    uint64_t bits;
    uint32_t base, n;
    const hd_set_part *next;
} hd_set_walk;
static inline hd_set_walk hd_set_walk_of(hd_set s) {
    hd_set_walk w = {s.bits, 0, 0, NULL};
    if (__builtin_expect(!hd_set_is_word(s), 0)) {
        w.bits = 0;
        w.next = hd_set_parts(s, &w.n);
    }
    return w;
}
static inline bool hd_set_walk_on(hd_set_walk *w, uint32_t *member) {
    if (!w->bits) {
        if (__builtin_expect(!w->n, 1))
            return false;
        w->n--;
        w->bits = w->next->bits;
        w->base = (uint32_t)w->next->index * 64;
        w->next++;
    }
    *member = w->base + (uint32_t)__builtin_ctzll(w->bits);
    w->bits &= w->bits - 1;
    return true;
}
#define HD_SET_EACH(member, set)                                                                   \
    for (hd_set_walk hd_walk_of_##member = hd_set_walk_of(set);                                    \
         hd_set_walk_on(&hd_walk_of_##member, &member);)

/* ---- a set that is made member by member, in ascending order ---- */
typedef struct hd_set_maker {
    uint64_t bits; /* of members below HD_SET_INLINE */
    hd_set_part *parts;
    uint32_t n, capacity;
} hd_set_maker;
/* By value, so that the maker of a word need not be in memory. */
hd_set_maker hd_set_maker_with_listed(hd_set_maker k, uint32_t member);
hd_set hd_set_made_listed(hd_set_maker k);
static inline void hd_set_maker_add(hd_set_maker *k, uint32_t member) {
    if (__builtin_expect(member < HD_SET_INLINE, 1))
        k->bits |= UINT64_C(1) << member;
    else
        *k = hd_set_maker_with_listed(*k, member);
}
/* The set; the maker is empty again. */
static inline hd_set hd_set_made(hd_set_maker *k) {
    hd_set s = {k->bits};
    if (__builtin_expect(k->n != 0, 0))
        s = hd_set_made_listed(*k);
    *k = (hd_set_maker){0};
    return s;
}

/* ---- as bytes ---- */
void hd_set_pack(hd_text *out, hd_set s);
/* Members are below `limit`, or it fails. */
hd_set hd_set_unpack(hd_unpack *u, uint32_t limit);

/* ---- the table ---- */
/* Called by hd_sets_collect: hd_set_mark for all sets that `context` keeps. */
typedef void hd_set_marker(void *context);
void hd_sets_add_marker(hd_set_marker *marker, void *context);
void hd_sets_remove_marker(hd_set_marker *marker, void *context);
void hd_set_mark_listed(hd_set s);
static inline void hd_set_mark(hd_set s) {
    if (!hd_set_is_word(s))
        hd_set_mark_listed(s);
}
/* Has the table grown so much that it is time to? */
bool hd_sets_are_many(void);
/* Is there a table, which a child that is forked now has in common with its parent (Z3)? */
bool hd_sets_are_shared(void);
/* Forget all sets that no marker marks. */
void hd_sets_collect(void);
/* How many sets are in the table. */
uint32_t hd_sets_count(void);
#endif
