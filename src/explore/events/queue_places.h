/* queue_places.h -- what an address of an action is, of a queue: an item, its head, its tail, its
 * end, its count, the place of a reader (action.h).
 * Not here: what would be there without some events (queues.h). */
#ifndef HD_EXPLORE_EVENTS_QUEUE_PLACES_H
#define HD_EXPLORE_EVENTS_QUEUE_PLACES_H
#include "explore/events/events.h"

#define NO_ITEM  UINT64_C(0)
#define OF_QUEUE UINT64_C(0xffffffff) /* the part of an address that is the place in a queue */

static inline bool is_queue(uint64_t address) {
    return address >> 62 == 1;
}

static inline uint64_t queue_of(uint64_t address) {
    return address & ~OF_QUEUE;
}

static inline uint64_t head_of(uint64_t address) {
    return queue_of(address) | (HD_QUEUE_HEAD(0) & OF_QUEUE);
}

static inline uint64_t tail_of(uint64_t address) {
    return queue_of(address) | (HD_QUEUE_TAIL(0) & OF_QUEUE);
}

static inline bool is_item(uint64_t address) {
    return is_queue(address) && (address & OF_QUEUE) < (HD_QUEUE_PLACES & OF_QUEUE);
}

/* Where the end of a queue is looked at. */
static inline bool is_end(uint64_t address) {
    return is_queue(address) && (address & OF_QUEUE) == (HD_QUEUE_END(0) & OF_QUEUE);
}

static inline bool is_count(uint64_t address) {
    return is_queue(address) && (address & OF_QUEUE) == (HD_QUEUE_COUNT(0) & OF_QUEUE);
}

static inline bool is_ready_token(uint64_t address) {
    return address >= HD_TOKEN_READY(0) && address < HD_TOKEN_READY(HD_MAX_THREADS);
}

static inline bool is_reader_place(uint64_t address) {
    uint64_t first = HD_QUEUE_READERS(0) & OF_QUEUE, place = address & OF_QUEUE;
    return is_queue(address) && place >= first && place < first + HD_N_READERS;
}

static inline bool has_failed(const hd_action *a) {
    return a->flags & (HD_ACTION_FAILED | HD_ACTION_TIMEOUT);
}

/* The first access of an action for which `is` holds; NULL if there is none. */
static inline const hd_access *access_that(const hd_action *a, bool (*is)(uint64_t)) {
    for (unsigned i = 0; i < a->n_accesses; i++)
        if (is(a->access[i].address))
            return &a->access[i];
    return NULL;
}
#endif
