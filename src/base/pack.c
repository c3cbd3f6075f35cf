#include "base/pack.h"

#include "base/panic.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_BYTES 10 /* of seven bits each, for 64 */

static void pack_number(hd_text *t, uint64_t value, unsigned n_bytes) {
    unsigned char bytes[8];
    for (unsigned i = 0; i < n_bytes; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
    hd_text_add_bytes(t, bytes, n_bytes);
}

void hd_pack_u8(hd_text *t, uint8_t value) {
    pack_number(t, value, 1);
}

void hd_pack_u32(hd_text *t, uint32_t value) {
    pack_number(t, value, 4);
}

void hd_pack_u64(hd_text *t, uint64_t value) {
    pack_number(t, value, 8);
}

void hd_pack_double(hd_text *t, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    pack_number(t, bits, 8);
}

void hd_pack_short(hd_text *t, uint64_t value) {
    unsigned char bytes[SHORT_BYTES];
    unsigned n = 0;
    for (; value > 127; value >>= 7)
        bytes[n++] = (unsigned char)(value | 128);
    bytes[n++] = (unsigned char)value;
    HD_ASSERT(n <= SHORT_BYTES);
    hd_text_add_bytes(t, bytes, n);
}

void hd_pack_bytes(hd_text *t, const void *bytes, size_t n) {
    HD_ASSERT(n <= UINT32_MAX);
    hd_pack_u32(t, (uint32_t)n);
    hd_text_add_bytes(t, bytes, n);
}

void hd_pack_string(hd_text *t, const char *string) {
    hd_pack_bytes(t, string ? string : "", string ? strlen(string) : 0);
}

hd_unpack hd_unpack_from(const void *bytes, size_t n) {
    return (hd_unpack){.at = bytes, .end = n ? (const unsigned char *)bytes + n : bytes};
}

static const unsigned char *take(hd_unpack *u, size_t n) {
    if (u->failed || (size_t)(u->end - u->at) < n) {
        u->failed = true;
        return NULL;
    }
    const unsigned char *at = u->at;
    u->at += n;
    return at;
}

static uint64_t unpack_number(hd_unpack *u, unsigned n_bytes) {
    const unsigned char *at = take(u, n_bytes);
    uint64_t value = 0;
    for (unsigned i = 0; at && i < n_bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

uint8_t hd_unpack_u8(hd_unpack *u) {
    return (uint8_t)unpack_number(u, 1);
}

uint32_t hd_unpack_u32(hd_unpack *u) {
    return (uint32_t)unpack_number(u, 4);
}

uint64_t hd_unpack_u64(hd_unpack *u) {
    return unpack_number(u, 8);
}

double hd_unpack_double(hd_unpack *u) {
    uint64_t bits = unpack_number(u, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint64_t hd_unpack_short(hd_unpack *u) {
    uint64_t value = 0;
    for (unsigned i = 0; i < SHORT_BYTES; i++) {
        const unsigned char *at = take(u, 1);
        if (!at)
            return 0;
        value |= (uint64_t)(*at & 127) << 7 * i;
        if (*at < 128 && (i < SHORT_BYTES - 1 || *at < 2)) /* the last has one bit of 64 */
            return value;
    }
    u->failed = true;
    return 0;
}

const void *hd_unpack_bytes(hd_unpack *u, size_t *n) {
    *n = hd_unpack_u32(u);
    const void *at = take(u, *n);
    if (!at)
        *n = 0;
    return at;
}

char *hd_unpack_string(hd_unpack *u) {
    size_t n;
    const void *at = hd_unpack_bytes(u, &n);
    char *copy = malloc(n + 1);
    if (!copy)
        hd_out_of_memory();
    if (n)
        memcpy(copy, at, n);
    copy[n] = '\0';
    return copy;
}

uint32_t hd_unpack_count(hd_unpack *u, size_t size) {
    uint32_t n = hd_unpack_u32(u);
    if (u->failed || (uint64_t)n * size > (uint64_t)(u->end - u->at)) {
        u->failed = true;
        return 0;
    }
    return n;
}

bool hd_unpack_ok(const hd_unpack *u) {
    return !u->failed;
}

void hd_pack_map(hd_text *t, const hd_map *map) {
    hd_pack_u32(t, (uint32_t)map->n);
    for (size_t i = 0; i < map->capacity; i++)
        if (map->keys[i] != HD_MAP_EMPTY) {
            hd_pack_u64(t, map->keys[i]);
            hd_pack_u64(t, map->values[i]);
        }
}

void hd_unpack_map(hd_unpack *u, hd_map *map) {
    for (uint32_t n = hd_unpack_count(u, 16); n > 0 && hd_unpack_ok(u); n--) {
        uint64_t key = hd_unpack_u64(u), value = hd_unpack_u64(u);
        u->failed |= key == HD_MAP_EMPTY;
        if (key != HD_MAP_EMPTY)
            hd_map_put(map, key, value);
    }
}
