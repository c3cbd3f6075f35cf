/* POSIX message queues by name. */
#include "world/net.h"

#include <string.h>

hd_message_queue *hd_messages_find(const hd_net *n, const char *name) {
    for (size_t i = 0; i < n->message_queues.n; i++) {
        hd_message_queue *q = n->message_queues.at[i];
        if (q->name && strcmp(q->name, name) == 0)
            return q;
    }
    return NULL;
}

hd_message_queue *hd_messages_new(hd_net *n, const char *name, uint32_t id, uint32_t owner,
                                  uint32_t max_messages, uint32_t max_size) {
    hd_message_queue *q = hd_arena_alloc(&n->arena, sizeof *q);
    size_t length = strlen(name) + 1;
    q->name = memcpy(hd_arena_alloc(&n->arena, length), name, length);
    q->queue = hd_queue_new(&n->arena, id, owner);
    q->queue->capacity = max_messages;
    q->max_size = max_size;
    hd_vec_push(&n->message_queues, q);
    return q;
}
