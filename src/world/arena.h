/* arena.h -- memory that is given back all at once.
 *
 * A zeroed hd_arena is an empty one.  What the virtual network keeps lives for one execution: it
 * is never freed piece by piece, and the next execution uses the same memory again. */
#ifndef HD_WORLD_ARENA_H
#define HD_WORLD_ARENA_H
#include "base/vec.h"

#include <stddef.h>
#include <stdint.h>

typedef struct hd_arena_block {
    uint8_t *at;
    size_t size;
} hd_arena_block;
typedef struct hd_arena {
    hd_vec(hd_arena_block) blocks;
    size_t current, used; /* of blocks.at[current] */
} hd_arena;

/* n zeroed bytes, aligned for anything; never NULL. */
void *hd_arena_alloc(hd_arena *a, size_t n);
/* Everything is free again; the memory is kept. */
void hd_arena_clear(hd_arena *a);
void hd_arena_release(hd_arena *a);
#endif
