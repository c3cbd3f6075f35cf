#include "base/vec.h"

#include "base/panic.h"

void *hd_vec_grown(void *at, size_t *capacity, size_t wanted, size_t size) {
    size_t room = *capacity ? *capacity * 2 : 16;
    if (room < wanted)
        room = wanted;
    at = realloc(at, room * size);
    if (!at)
        hd_out_of_memory();
    *capacity = room;
    return at;
}
