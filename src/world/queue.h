/* queue.h -- what is under way or waits to be taken: bytes, datagrams, connections, messages.
 *
 * Every direction of a stream, every datagram socket, listener and message queue has one.  Items
 * are numbered from 0 in the order in which they are put; the number is the item's slot, which
 * two events conflict on (machine/action/action.h).
 *
 * Q1. Items [n_taken, n_put) are there; those before were taken and are forgotten.
 * Q2. Bytes carry the shadow word of each, so that symbolic values travel with messages; words
 *     is NULL if all are concrete.
 * Q3. An end of file is no item: it comes when all who could put something have closed, whoever is
 *     the last.
 * Not here: who waits (machine/channels/ipc.h), whose queue it is (socket.h). */
#ifndef HD_WORLD_QUEUE_H
#define HD_WORLD_QUEUE_H
#include "base/set.h"
#include "world/address.h"
#include "world/arena.h"

typedef enum hd_item_kind {
    HD_ITEM_DATA,       /* a piece of a stream, a datagram, a message */
    HD_ITEM_CONNECTION, /* `connection` waits to be accepted */
    HD_ITEM_END,        /* end of file, on its way */
    HD_ITEM_RESET,      /* the connection is broken, on its way */
} hd_item_kind;

typedef struct hd_bytes {
    uint8_t *at;
    uint32_t *words; /* Q2 */
    uint32_t n;
} hd_bytes;

typedef struct hd_item {
    uint8_t kind; /* hd_item_kind */
    hd_bytes bytes;
    uint32_t n_read; /* of a stream: so many of its bytes were taken */
    uint32_t priority;
    hd_address from;
    struct hd_socket *connection;
    struct hd_file **files; /* descriptors that are passed along */
    uint32_t n_files;
    uint32_t courier;         /* 1 + who brought it, if that can be used again: channels/reuse.c */
    uint32_t sender, n_clock; /* thread that sent it, and what that knew */
    uint32_t *clock;
    hd_address to;
} hd_item;

typedef struct hd_queue {
    uint32_t id;    /* names it in every execution alike */
    uint32_t owner; /* process whose readiness it is; fixed when it is made */
    uint32_t door;  /* of its address (port.c), which then names it instead of the id; 0 = none */
    uint32_t first_door; /* if others had the door of its address: that one; 0 = nobody did (N5) */
    uint32_t n_put, n_taken;
    hd_set takers;              /* threads that ever took from it */
    hd_set readers;             /* processes that have a descriptor to read it with */
    uint32_t first_reader;      /* 1 + the first process that had one; 0 = nobody yet */
    uint32_t n_children_before; /* that this one had then, which have not inherited it */
    bool is_accepted;           /* it belongs to a connection that is accepted, or will be */
    bool is_shared;             /* several processes have or had one */
    bool was_passed;            /* one was sent in a message */
    uint32_t capacity;          /* of items; 0 = no limit */
    uint32_t lowest_priority;   /* of all that were ever put by priority */
    bool can_end;               /* what is read from it may end */
    bool has_ended;             /* nothing will be put any more */
    bool is_shut;               /* whoever has it open */
    bool is_closed;             /* nobody will take anything any more */
    hd_item **items;            /* from n_taken on, at number - base */
    uint32_t base, room;
} hd_queue;

hd_queue *hd_queue_new(hd_arena *a, uint32_t id, uint32_t owner);
/* A copy in the arena; words may be NULL, and stay NULL if all are zero. */
hd_bytes hd_bytes_copy(hd_arena *a, const void *bytes, const uint32_t *words, uint32_t n);
/* An item to put, with everything else zero. */
hd_item *hd_item_new(hd_arena *a, hd_item_kind kind);
void hd_queue_put(hd_arena *a, hd_queue *q, hd_item *item);
/* Before all that have a lower priority; behind those that have the same. */
void hd_queue_put_by_priority(hd_arena *a, hd_queue *q, hd_item *item);
static inline bool hd_queue_is_empty(const hd_queue *q) {
    return q->n_put == q->n_taken;
}
static inline bool hd_queue_is_full(const hd_queue *q) {
    return q->capacity && q->n_put - q->n_taken >= q->capacity;
}
/* The first item, or NULL. */
hd_item *hd_queue_first(const hd_queue *q);
/* Item `number`, which is there. */
hd_item *hd_queue_at(const hd_queue *q, uint32_t number);
void hd_queue_pop(hd_queue *q);

/* ---- as a stream ---- */
/* How many bytes a read of at most `limit` would get, and how many items it would touch; stops at
 * what is no data, or behind descriptors that are passed along. */
uint32_t hd_stream_available(const hd_queue *q, uint32_t limit, uint32_t *n_items);
/* Copy n available bytes and their words, from byte `skip` on; does not take them. */
void hd_stream_copy(const hd_queue *q, uint32_t skip, uint32_t n, uint8_t *bytes, uint32_t *words,
                    bool *has_words);
/* Take n available bytes. */
void hd_stream_take(hd_queue *q, uint32_t n);
/* Bytes that nobody has taken. */
uint64_t hd_queue_unread(const hd_queue *q);
#endif
