/* Blocks of growing size, filled one after the other. */
#include "world/arena.h"

#include "base/panic.h"

#include <string.h>

#define FIRST_BLOCK ((size_t)16384)

static void add_block(hd_arena *a, size_t n) {
    size_t size = FIRST_BLOCK << (a->blocks.n < 10 ? a->blocks.n : 10);
    if (size < n)
        size = n;
    uint8_t *at = malloc(size);
    if (!at)
        hd_out_of_memory();
    hd_vec_push(&a->blocks, ((hd_arena_block){at, size}));
}

void *hd_arena_alloc(hd_arena *a, size_t n) {
    n = (n + 15) & ~(size_t)15;
    while (a->current < a->blocks.n && a->blocks.at[a->current].size - a->used < n) {
        a->current++;
        a->used = 0;
    }
    if (a->current == a->blocks.n)
        add_block(a, n);
    void *p = a->blocks.at[a->current].at + a->used;
    a->used += n;
    return memset(p, 0, n);
}

void hd_arena_clear(hd_arena *a) {
    a->current = a->used = 0;
}

void hd_arena_release(hd_arena *a) {
    for (size_t i = 0; i < a->blocks.n; i++)
        free(a->blocks.at[i].at);
    hd_vec_release(&a->blocks);
    a->current = a->used = 0;
}
