/* hash.h -- mixing of integers and bytes, and a small seeded generator.
 *
 * The functions are fixed for ever: hashes are stored in run databases. */
#ifndef HD_BASE_HASH_H
#define HD_BASE_HASH_H
#include <stddef.h>
#include <stdint.h>

static inline uint64_t hd_mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Fold `value` into the running hash `h`. */
static inline uint64_t hd_hash_add(uint64_t h, uint64_t value) {
    return hd_mix(h * 0x9e3779b97f4a7c15u + value + 1);
}

static inline uint64_t hd_hash_bytes(uint64_t h, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    return hd_mix(h);
}

/* The next number of the generator whose state is `*state`. */
static inline uint64_t hd_random_next(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    return hd_mix(*state);
}
#endif
