/* few.h -- lists of numbers that mostly have one or two: those need no memory of their own.
 *
 *     hd_few f = {0};
 *     hd_few_push(&f, 7);
 *     for (uint32_t i = 0; i < f.n; i++) use(hd_few_at(&f)[i]);
 *
 * There are several such lists for each state, and a hundred thousand states: a hd_vec with room
 * for sixteen would be most of the mapping's memory.
 *
 * F1. A list without room (capacity 0) has its numbers in place, HD_FEW_INLINE at most. */
#ifndef HD_MAPPING_FEW_H
#define HD_MAPPING_FEW_H
#include "base/panic.h"

#include <stdint.h>
#include <stdlib.h>

#define HD_FEW_INLINE 2u

typedef struct hd_few {
    uint32_t n, capacity;
    union {
        uint32_t in_place[HD_FEW_INLINE];
        uint32_t *elsewhere;
    };
} hd_few;

static inline uint32_t *hd_few_at(hd_few *f) {
    return f->capacity ? f->elsewhere : f->in_place;
}

static inline void hd_few_grow(hd_few *f) {
    uint32_t room = f->capacity ? f->capacity * 2 : 2 * HD_FEW_INLINE;
    uint32_t *at = f->capacity ? f->elsewhere : NULL;
    HD_INVARIANT(F1, f->capacity || f->n == HD_FEW_INLINE);
    at = realloc(at, room * sizeof *at);
    if (!at)
        hd_out_of_memory();
    for (uint32_t i = 0; !f->capacity && i < f->n; i++)
        at[i] = f->in_place[i];
    f->elsewhere = at;
    f->capacity = room;
}

static inline void hd_few_push(hd_few *f, uint32_t number) {
    if (f->n == (f->capacity ? f->capacity : HD_FEW_INLINE))
        hd_few_grow(f);
    hd_few_at(f)[f->n++] = number;
}

/* The last one takes the place of the number, which must be there.  How many were looked at. */
static inline uint32_t hd_few_remove(hd_few *f, uint32_t number) {
    uint32_t *at = hd_few_at(f), i = 0;
    while (i < f->n && at[i] != number)
        i++;
    HD_ASSERT(i < f->n);
    at[i] = at[--f->n];
    return i + 1;
}

/* Nothing in it; its memory is kept. */
static inline void hd_few_clear(hd_few *f) {
    f->n = 0;
}

static inline void hd_few_release(hd_few *f) {
    if (f->capacity)
        free(f->elsewhere);
    *f = (hd_few){0};
}
#endif
