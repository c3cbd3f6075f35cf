#include "base/vec.h"

#include "base/hostile.h"
#include "base/panic.h"

#include <string.h>

#define FIRST_ROOM HD_HOSTILE((size_t)16, (size_t)1)

/* Elements always move in the hostile build, and what points to the old ones finds rubbish. */
static void *moved(void *at, size_t n, size_t room) {
    void *to = malloc(room);
    if (to && n)
        memcpy(to, at, n);
    if (n)
        memset(at, 0xdd, n);
    free(at);
    return to;
}

void *hd_vec_grown(void *at, size_t *capacity, size_t wanted, size_t size) {
    HD_INVARIANT(V1, wanted > *capacity && size > 0); /* what fits needs no room */
    size_t room = *capacity ? *capacity * 2 : FIRST_ROOM;
    if (room < wanted)
        room = wanted;
    at = HD_HOSTILE(false, true) ? moved(at, *capacity * size, room * size)
                                 : realloc(at, room * size);
    if (!at)
        hd_out_of_memory();
    HD_INVARIANT(V1, room >= wanted);
    *capacity = room;
    return at;
}
