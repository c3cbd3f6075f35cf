/* pack.h -- numbers and byte strings in a buffer, little endian, read back with care.
 *
 * A reader that meets the end too early stops: it returns zeros from then on, and
 * hd_unpack_ok() is false.  So a decoder checks once, at the end, and before it trusts a
 * count (hd_unpack_count). */
#ifndef HD_BASE_PACK_H
#define HD_BASE_PACK_H
#include "base/map.h"
#include "base/text.h"
#include <stdint.h>

void hd_pack_u8(hd_text *t, uint8_t value);
void hd_pack_u32(hd_text *t, uint32_t value);
void hd_pack_u64(hd_text *t, uint64_t value);
void hd_pack_double(hd_text *t, double value);
/* In as few bytes as it needs: seven bits in each, the lowest first, one for each below 128. */
void hd_pack_short(hd_text *t, uint64_t value);
/* Length and bytes; NULL is packed as the empty string. */
void hd_pack_string(hd_text *t, const char *string);
void hd_pack_bytes(hd_text *t, const void *bytes, size_t n);

typedef struct hd_unpack {
    const unsigned char *at, *end;
    bool failed;
} hd_unpack;
hd_unpack hd_unpack_from(const void *bytes, size_t n);
uint8_t hd_unpack_u8(hd_unpack *u);
uint32_t hd_unpack_u32(hd_unpack *u);
uint64_t hd_unpack_u64(hd_unpack *u);
double hd_unpack_double(hd_unpack *u);
/* Of at most ten bytes; fails where there are more, or more bits than 64. */
uint64_t hd_unpack_short(hd_unpack *u);
/* A heap copy, NUL-terminated; never NULL. */
char *hd_unpack_string(hd_unpack *u);
/* A borrowed view of the bytes. */
const void *hd_unpack_bytes(hd_unpack *u, size_t *n);
/* A count of things that take at least `size` bytes each; fails if they cannot be there. */
uint32_t hd_unpack_count(hd_unpack *u, size_t size);
bool hd_unpack_ok(const hd_unpack *u);

/* Keys with their values, in any order. */
void hd_pack_map(hd_text *t, const hd_map *map);
/* Put into the map, which need not be empty. */
void hd_unpack_map(hd_unpack *u, hd_map *map);
#endif
