#include "base/map.h"

#include "base/hash.h"
#include "base/hostile.h"
#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const hd_map *m, uint64_t key) {
    size_t slot = hd_hostile_hash(hd_mix(key)) & (m->capacity - 1);
    while (m->keys[slot] != HD_MAP_EMPTY && m->keys[slot] != key)
        slot = (slot + 1) & (m->capacity - 1);
    return slot;
}

static void rehash(hd_map *m, size_t capacity) {
    hd_map old = *m;
    m->capacity = capacity;
    m->keys = malloc(capacity * sizeof *m->keys);
    m->values = malloc(capacity * sizeof *m->values);
    if (!m->keys || !m->values)
        hd_out_of_memory();
    memset(m->keys, 0xff, capacity * sizeof *m->keys);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.keys[i] != HD_MAP_EMPTY) {
            size_t slot = slot_of(m, old.keys[i]);
            m->keys[slot] = old.keys[i];
            m->values[slot] = old.values[i];
        }
    free(old.keys);
    free(old.values);
}

uint64_t *hd_map_find(const hd_map *m, uint64_t key) {
    if (!m->n)
        return NULL;
    size_t slot = slot_of(m, key);
    return m->keys[slot] == key ? &m->values[slot] : NULL;
}

void hd_map_put(hd_map *m, uint64_t key, uint64_t value) {
    HD_ASSERT(key != HD_MAP_EMPTY);
    if ((m->n + 1) * 2 > m->capacity)
        rehash(m, m->capacity ? m->capacity * 2 : HD_HOSTILE(64, 2));
    size_t slot = slot_of(m, key);
    m->n += m->keys[slot] == HD_MAP_EMPTY;
    m->keys[slot] = key;
    m->values[slot] = value;
}

void hd_map_add(hd_map *m, const hd_map *from) {
    for (size_t i = 0; i < from->capacity; i++)
        if (from->keys[i] != HD_MAP_EMPTY)
            hd_map_put(m, from->keys[i], from->values[i]);
}

void hd_map_clear(hd_map *m) {
    if (m->n)
        memset(m->keys, 0xff, m->capacity * sizeof *m->keys);
    m->n = 0;
}

void hd_map_release(hd_map *m) {
    free(m->keys);
    free(m->values);
    *m = (hd_map){0};
}
