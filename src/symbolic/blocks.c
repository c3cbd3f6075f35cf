/* Interned blocks of words: variable sets and tables of expressions.
 *
 * Blocks lie one behind the other in one reserve, so that a walk needs no list and
 * compaction slides them down. */
#include "base/reserve.h"
#include "symbolic/symbolic_int.h"

#define MAX_WORDS   (UINT32_C(1) << 30)
#define MAX_SLOTS   (UINT32_C(1) << 26)
#define FIRST_SLOTS 256

static const size_t sizes[] = {MAX_WORDS * sizeof *((hd_blocks *)0)->words,
                               MAX_SLOTS * sizeof *((hd_blocks *)0)->slots};

void hd_blocks_init(hd_blocks *b, uint32_t prefix, bool shared) {
    void *at[2];
    HD_ASSERT(prefix <= HD_TABLE_PREFIX);
    hd_reserve_group_new(at, sizes, 2, shared);
    b->words = at[0];
    b->slots = at[1];
    b->slot_mask = FIRST_SLOTS - 1;
    b->prefix = prefix;
    b->n_words = 1; /* offset 0 marks an empty slot */
    b->n_blocks = 0;
}

void hd_blocks_release(hd_blocks *b) {
    hd_reserve_group_free(b->words, sizes, 2);
}

static uint64_t hash_step(uint64_t h, uint64_t word) {
    h ^= word;
    return (h << 29 | h >> 35) * 0x9e3779b97f4a7c15u;
}

/* Four independent chains, two words a step: tables are long and looked up at every read. */
static uint64_t hash_block(const uint32_t *block) {
    uint32_t n = block[0], i = 1;
    uint64_t h = n, lane[4] = {1, 2, 3, 4};
    for (; i + 7 <= n; i += 8)
        for (uint32_t k = 0; k < 4; k++)
            lane[k] = hash_step(lane[k], (uint64_t)block[i + 2 * k] << 32 | block[i + 2 * k + 1]);
    for (; i <= n; i++)
        h = hash_step(h, block[i]);
    for (uint32_t k = 0; k < 4 && n >= 8; k++)
        h = hash_step(h, lane[k]);
    return hd_mix(h);
}

static uint32_t *slot_of(const hd_blocks *b, const uint32_t *block) {
    size_t size = (block[0] + (size_t)1) * sizeof *block;
    uint32_t slot = (uint32_t)hash_block(block) & b->slot_mask;
    while (b->slots[slot] && memcmp(&b->words[b->slots[slot]], block, size) != 0)
        slot = (slot + 1) & b->slot_mask;
    return &b->slots[slot];
}

void hd_blocks_rehash(hd_blocks *b) {
    memset(b->slots, 0, (b->slot_mask + (size_t)1) * sizeof *b->slots);
    while (b->n_blocks * 2 > b->slot_mask)
        b->slot_mask = b->slot_mask * 2 + 1;
    HD_ASSERT(b->slot_mask < MAX_SLOTS && (b->slot_mask & (b->slot_mask + 1)) == 0);
    for (uint32_t at = 1 + b->prefix; at < b->n_words; at += 1 + b->words[at] + b->prefix)
        *slot_of(b, &b->words[at]) = at;
}

uint32_t *hd_blocks_room(hd_blocks *b, uint32_t n) {
    if (n >= MAX_WORDS - b->prefix - 1 - b->n_words)
        hd_out_of_memory();
    return &b->words[b->n_words + b->prefix + 1];
}

uint32_t hd_blocks_commit(hd_blocks *b, uint32_t n, bool *is_new) {
    uint32_t at = b->n_words + b->prefix;
    HD_ASSERT(b->n_words >= 1 && at + 1 + (uint64_t)n < MAX_WORDS);
    b->words[at] = n;
    uint32_t *slot = slot_of(b, &b->words[at]);
    *is_new = *slot == 0;
    if (!*is_new)
        return *slot;
    b->n_words = at + 1 + n;
    b->n_blocks++;
    HD_ASSERT(b->n_blocks <= b->slot_mask);
    *slot = at;
    if (b->n_blocks * 2 > b->slot_mask)
        hd_blocks_rehash(b);
    return at;
}

void hd_blocks_compact(hd_blocks *b, const uint8_t *keep, uint32_t *moved) {
    uint32_t to = 1, next;
    b->n_blocks = 0;
    for (uint32_t at = 1 + b->prefix; at < b->n_words; at = next) {
        uint32_t size = b->prefix + 1 + b->words[at];
        next = at + size;
        HD_ASSERT(to <= at - b->prefix && next <= b->n_words + b->prefix);
        if (!keep[at])
            continue;
        memmove(&b->words[to], &b->words[at - b->prefix], size * sizeof *b->words);
        moved[at] = to + b->prefix;
        to += size;
        b->n_blocks++;
    }
    HD_ASSERT(to <= b->n_words);
    b->n_words = to;
    hd_blocks_rehash(b);
}
