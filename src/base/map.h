/* map.h -- a hash map from 64-bit keys to 64-bit values.
 *
 * Keys may be anything but HD_MAP_EMPTY.  A zeroed hd_map is empty. */
#ifndef HD_BASE_MAP_H
#define HD_BASE_MAP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_MAP_EMPTY UINT64_MAX

typedef struct hd_map {
    uint64_t *keys, *values;
    size_t n, capacity; /* capacity is 0 or a power of two */
} hd_map;

/* Where the value of `key` is, or NULL.  Good until the next put. */
uint64_t *hd_map_find(const hd_map *m, uint64_t key);
/* Insert or replace. */
void hd_map_put(hd_map *m, uint64_t key, uint64_t value);
/* Insert or replace all of `from`. */
void hd_map_add(hd_map *m, const hd_map *from);
/* Forget all entries, keep the memory. */
void hd_map_clear(hd_map *m);
void hd_map_release(hd_map *m);
#endif
