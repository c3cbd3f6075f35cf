/* Queues: an array from the first item that is left. */
#include "world/queue.h"

#include "base/panic.h"

#include <string.h>

#define FIRST_ROOM 8

hd_queue *hd_queue_new(hd_arena *a, uint32_t id, uint32_t owner) {
    hd_queue *q = hd_arena_alloc(a, sizeof *q);
    q->id = id;
    q->owner = owner;
    return q;
}

static bool has_words(const uint32_t *words, uint32_t n) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < n; i++)
        any |= words[i];
    return any != 0;
}

hd_bytes hd_bytes_copy(hd_arena *a, const void *bytes, const uint32_t *words, uint32_t n) {
    hd_bytes b = {.at = hd_arena_alloc(a, n), .n = n};
    memcpy(b.at, bytes, n);
    if (words && has_words(words, n)) {
        b.words = hd_arena_alloc(a, n * sizeof *words);
        memcpy(b.words, words, n * sizeof *words);
    }
    return b;
}

hd_item *hd_item_new(hd_arena *a, hd_item_kind kind) {
    hd_item *item = hd_arena_alloc(a, sizeof *item);
    item->kind = (uint8_t)kind;
    return item;
}

/* Room for one more: forget what was taken, or get more memory. */
static void make_room(hd_arena *a, hd_queue *q) {
    uint32_t n = q->n_put - q->n_taken;
    hd_item **from = q->items + (q->n_taken - q->base), **to = q->items;
    if (n + 1 > q->room / 2) {
        q->room = q->room ? 2 * q->room : FIRST_ROOM;
        to = hd_arena_alloc(a, q->room * sizeof *to);
    }
    if (n)
        memmove(to, from, n * sizeof *to);
    q->items = to;
    q->base = q->n_taken;
}

void hd_queue_put(hd_arena *a, hd_queue *q, hd_item *item) {
    HD_INVARIANT(Q3, item->kind == HD_ITEM_DATA || item->kind == HD_ITEM_CONNECTION);
    HD_CHECK_INVARIANT(Q2, !item->bytes.words || has_words(item->bytes.words, item->bytes.n));
    if (q->n_put - q->base == q->room)
        make_room(a, q);
    q->items[q->n_put++ - q->base] = item;
}

void hd_queue_put_by_priority(hd_arena *a, hd_queue *q, hd_item *item) {
    if (q->n_put == 0 || item->priority < q->lowest_priority)
        q->lowest_priority = item->priority;
    hd_queue_put(a, q, item);
    uint32_t i = q->n_put - 1;
    for (; i > q->n_taken && hd_queue_at(q, i - 1)->priority < item->priority; i--)
        q->items[i - q->base] = q->items[i - 1 - q->base];
    q->items[i - q->base] = item;
}

hd_item *hd_queue_at(const hd_queue *q, uint32_t number) {
    HD_INVARIANT(Q1, number >= q->n_taken && number < q->n_put);
    return q->items[number - q->base];
}

hd_item *hd_queue_first(const hd_queue *q) {
    return hd_queue_is_empty(q) ? NULL : q->items[q->n_taken - q->base];
}

void hd_queue_pop(hd_queue *q) {
    HD_INVARIANT(Q1, !hd_queue_is_empty(q));
    q->n_taken++;
}

/* ---- as a stream ---- */

uint32_t hd_stream_available(const hd_queue *q, uint32_t limit, uint32_t *n_items) {
    uint32_t n = 0, touched = 0;
    for (uint32_t i = q->n_taken; i < q->n_put && n < limit; i++) {
        const hd_item *item = hd_queue_at(q, i);
        if (item->kind != HD_ITEM_DATA || (item->n_files && i > q->n_taken))
            break;
        n += item->bytes.n - item->n_read;
        touched++;
    }
    if (n_items)
        *n_items = touched;
    return n < limit ? n : limit;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void hd_stream_copy(const hd_queue *q, uint32_t skip, uint32_t n, uint8_t *bytes, uint32_t *words,
                    bool *any) {
    *any = false;
    for (uint32_t i = q->n_taken; n; i++) {
        const hd_item *item = hd_queue_at(q, i);
        uint32_t here = item->bytes.n - item->n_read, start = least(skip, here);
        uint32_t piece = least(n, here - start), at = item->n_read + start;
        memcpy(bytes, item->bytes.at + at, piece);
        if (item->bytes.words)
            memcpy(words, item->bytes.words + at, piece * sizeof *words);
        else
            memset(words, 0, piece * sizeof *words);
        *any |= piece && item->bytes.words;
        bytes += piece;
        words += piece;
        n -= piece;
        skip -= start;
    }
}

void hd_stream_take(hd_queue *q, uint32_t n) {
    while (n) {
        hd_item *item = hd_queue_first(q);
        uint32_t piece = least(n, item->bytes.n - item->n_read);
        item->n_read += piece;
        n -= piece;
        if (item->n_read == item->bytes.n)
            hd_queue_pop(q);
    }
}

uint64_t hd_queue_unread(const hd_queue *q) {
    uint64_t n = 0;
    for (uint32_t i = q->n_taken; i < q->n_put; i++)
        n += hd_queue_at(q, i)->bytes.n - hd_queue_at(q, i)->n_read;
    return n;
}
