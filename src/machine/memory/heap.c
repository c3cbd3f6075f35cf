/* The program's heap: addresses that depend on its own history alone (docs/design.md D4).
 *
 * Blocks are cut from the area one after the other with poison between them.  What is said
 * about them lies in host memory, where a wild write of the program cannot reach it.  A
 * freed block stays poisoned until many bytes were freed after it; only then it is used
 * again, oldest first.  The shadow of a big one is not written but mapped from a file full of
 * poison, again and again. */
#include "machine/memory/memory.h"

#include "base/reserve.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PADDING     UINT64_C(16)
#define SMALL       UINT64_C(65536)
#define QUARANTINE  UINT64_C(0x4000000) /* freed bytes that are kept from being used again */
#define DROP_FROM   UINT64_C(0x400000)  /* heaps bigger than this are given back at reset */
#define BURY_FROM   UINT64_C(0x100000)  /* the shadow of bigger freed blocks is mapped */
#define POISON_SIZE UINT64_C(0x400000)  /* of the file with poison */
#define FRESH_BYTE  0xaa

/* ---- the shadow of big blocks ---- */

static uint64_t page_after(uint64_t address) {
    return (address + HD_PAGE - 1) & ~(HD_PAGE - 1);
}

static uint64_t page_before(uint64_t address) {
    return address & ~(HD_PAGE - 1);
}

/* The whole pages of the shadow of a big block. */
static uint64_t inner_start(const hd_block *b) {
    HD_ASSERT(b->size > BURY_FROM);
    return page_after((uint64_t)HD_SHADOW_OF(b->address));
}

static uint64_t inner_end(const hd_block *b) {
    return page_before((uint64_t)HD_SHADOW_OF(b->address + b->size));
}

/* What lies before and behind these pages. */
static void poison_edges(const hd_block *b, hd_word poison) {
    uint64_t start = inner_start(b) / 4, end = inner_end(b) / 4;
    HD_ASSERT(b->address <= start && start < end && end <= b->address + b->size);
    hd_poison(b->address, start - b->address, poison);
    hd_poison(end, b->address + b->size - end, poison);
}

#define HIGH 901             /* a descriptor of ours */
static int poison_made = -1; /* of POISON_SIZE, for good; filled when it is needed */
static bool is_poison_filled, is_poison_prepared;

void hd_poison_prepare(void) {
    int low =
        is_poison_prepared ? -1 : memfd_create("heddle poison", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    is_poison_prepared = true;
    if (low < 0)
        return;
    int file = fcntl(low, F_DUPFD_CLOEXEC, HIGH);
    close(low);
    if (file >= 0 && ftruncate(file, (off_t)POISON_SIZE) == 0 &&
        fcntl(file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        poison_made = file;
    else if (file >= 0)
        close(file);
}

static void fill_poison(int file) {
    hd_word *words = mmap(NULL, POISON_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (words == MAP_FAILED)
        return;
    for (uint64_t i = 0; i < POISON_SIZE / sizeof *words; i++)
        words[i] = HD_POISON_FREED;
    munmap(words, POISON_SIZE);
    is_poison_filled = true;
}

/* -1 if there can be none.  What is confined makes no files, not even these: it was made before. */
static int poison_file(void) {
    hd_poison_prepare();
    if (poison_made >= 0 && !is_poison_filled)
        fill_poison(poison_made);
    return is_poison_filled ? poison_made : -1;
}

static void bury(hd_block *b) {
    HD_ASSERT(b->is_free && !b->is_buried);
    uint64_t end = inner_end(b);
    poison_edges(b, HD_POISON_FREED);
    b->is_buried = true;
    for (uint64_t at = inner_start(b), n; at < end; at += n) {
        n = end - at < POISON_SIZE ? end - at : POISON_SIZE;
        if (mmap((void *)at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED,
                 poison_file(), 0) == MAP_FAILED)
            hd_poison(at / 4, n / 4, HD_POISON_FREED);
    }
}

/* The block's shadow is zero again, and costs nothing. */
static void dig_out(hd_block *b) {
    HD_ASSERT(b->is_buried);
    uint64_t start = inner_start(b), n = inner_end(b) - start;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    b->is_buried = false;
    if (mmap((void *)start, n, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED)
        hd_out_of_memory();
    madvise((void *)start, n, MADV_DONTDUMP);
}

static void dig_out_all(hd_heap *h) {
    for (size_t i = 0; i < h->freed.n; i++)
        if (h->blocks.at[h->freed.at[i]].is_buried)
            dig_out(&h->blocks.at[h->freed.at[i]]);
}

/* All bytes of a block are accessible. */
static void open_block(hd_block *b) {
    HD_CHECK(!b->is_buried && !b->is_free && b->size <= b->room);
    if (b->size <= BURY_FROM) {
        hd_unpoison(b->address, b->size);
        return;
    }
    poison_edges(b, 0);
    hd_reserve_clear((void *)inner_start(b), inner_end(b) - inner_start(b));
}

/* ---- life ---- */

void hd_heap_init(hd_heap *h, uint64_t base, uint64_t room, uint64_t limit) {
    HD_ASSERT(!h->blocks.n && !h->freed.n && !h->in_use);
    HD_ASSERT(hd_in_region(base) && room && hd_in_region(base + room - 1));
    h->area = (hd_area){base, room, base, HD_POISON_HEAP};
    h->top = h->dirty = base;
    h->limit = limit;
}

void hd_heap_release(hd_heap *h) {
    dig_out_all(h);
    hd_area_drop(&h->area);
    hd_vec_release(&h->blocks);
    hd_vec_release(&h->freed);
    hd_vec_release(&h->next_reusable);
}

void hd_heap_reset(hd_heap *h) {
    uint64_t base = h->area.base;
    HD_ASSERT(h->top >= base && h->n_recycled <= h->freed.n);
    h->n_last = h->blocks.n;
    if (h->top == base)
        return;
    if (h->top > h->dirty)
        h->dirty = h->top;
    dig_out_all(h);
    if (h->top - base > DROP_FROM) {
        hd_area_drop(&h->area);
        h->dirty = base;
    } else
        hd_poison(base, h->top - base, HD_POISON_HEAP);
    h->top = base;
    hd_vec_clear(&h->blocks);
    hd_vec_clear(&h->next_reusable);
    if (h->n_recycled)
        memset(h->reusable, 0, sizeof h->reusable);
    hd_vec_clear(&h->freed);
    h->n_recycled = 0;
    h->quarantined = h->in_use = 0;
    HD_CHECK(h->dirty >= h->top && h->area.mapped >= base);
}

static unsigned class_of(uint64_t room) {
    return room <= 16 ? 4 : 64 - (unsigned)__builtin_clzl(room - 1);
}

/* Move blocks out of the quarantine while it is too full. */
static void recycle(hd_heap *h) {
    while (h->quarantined > QUARANTINE && h->n_recycled < h->freed.n) {
        uint32_t number = h->freed.at[h->n_recycled++];
        hd_block *b = &h->blocks.at[number];
        if (b->is_foreign)
            continue;
        HD_ASSERT(b->is_free && h->quarantined >= b->room);
        h->quarantined -= b->room;
        unsigned class = class_of(b->room + 1) - 1; /* round down: at least 2^class bytes */
        HD_ASSERT(class < sizeof h->reusable / sizeof *h->reusable);
        while (h->next_reusable.n <= number)
            hd_vec_push(&h->next_reusable, 0);
        h->next_reusable.at[number] = h->reusable[class];
        h->reusable[class] = number + 1;
    }
}

static hd_block *take_reusable(hd_heap *h, uint64_t size, uint64_t alignment) {
    unsigned class = class_of(size);
    if (h->n_recycled == 0 || class >= 48 || !h->reusable[class])
        return NULL;
    uint32_t number = h->reusable[class] - 1;
    hd_block *b = &h->blocks.at[number];
    if (b->address % alignment)
        return NULL;
    HD_ASSERT(b->is_free && b->room >= size);
    h->reusable[class] = h->next_reusable.at[number];
    return b;
}

static hd_block *cut_block(hd_heap *h, uint64_t size, uint64_t alignment) {
    uint64_t address = (h->top + PADDING + alignment - 1) & ~(alignment - 1);
    uint64_t room = (size + 15) & ~UINT64_C(15);
    if (room < size || room > HD_HEAP_LIMIT || !hd_area_grow(&h->area, address + room + PADDING))
        return NULL;
    HD_CHECK(address >= h->top + PADDING && (alignment & (alignment - 1)) == 0);
    HD_CHECK_INVARIANT(O1, !h->blocks.n || h->blocks.at[h->blocks.n - 1].address < address);
    h->top = address + room + PADDING;
    hd_vec_push(&h->blocks, ((hd_block){.address = address, .room = room}));
    /* A big growth leaves its inside unpoisoned. */
    if (room > SMALL) {
        hd_poison(address - PADDING, PADDING, HD_POISON_HEAP);
        hd_poison(address + size, room - size + PADDING, HD_POISON_HEAP);
    }
    return &h->blocks.at[h->blocks.n - 1];
}

/* Return addresses behind the one that `pc` belongs to, from the chain of frames: functions of
 * models allocate for whoever called them. */
#define NEAR 6 /* frames of ours, from here on */
static void note_callers(hd_block *b, uint64_t pc) {
    const uint64_t *at = __builtin_frame_address(0), *last = NULL;
    for (unsigned i = 0; i < NEAR && at > last && at[1] != pc + 1; i++) {
        last = at;
        at = (const uint64_t *)at[0];
    }
    for (unsigned i = 0; i < sizeof b->callers / sizeof *b->callers; i++) {
        last = at > last && at[1] ? at : NULL;
        at = last ? (const uint64_t *)at[0] : NULL;
        b->callers[i] = last && at > last ? at[1] : 0;
    }
}

static hd_block *new_block(hd_heap *h, uint64_t size, uint64_t alignment, uint64_t pc) {
    if (h->in_use + size < size || h->in_use + size > h->limit)
        return NULL;
    if (alignment < 16)
        alignment = 16;
    hd_block *b = take_reusable(h, size, alignment);
    if (!b)
        b = cut_block(h, size, alignment);
    if (!b)
        return NULL;
    if (b->is_buried) {
        dig_out(b);
        if (size < b->size)
            hd_poison(b->address + size, b->size - size, HD_POISON_HEAP);
    }
    HD_CHECK(size <= b->room && b->address + b->room < h->top);
    b->size = size;
    b->allocated_at = pc;
    note_callers(b, pc);
    b->is_free = b->is_hidden = b->is_reached = b->is_foreign = false;
    h->in_use += size;
    HD_CHECK(h->in_use <= h->limit && b->address % alignment == 0);
    open_block(b);
    return b;
}

/* Zero bytes, from the system when there are many and somebody wrote there before. */
static void make_zero(hd_heap *h, uint64_t address, uint64_t size) {
    uint64_t first = page_after(address), last = page_before(address + size);
    if (size <= SMALL || last <= first) {
        memset((void *)address, 0, size);
        return;
    }
    memset((void *)address, 0, first - address);
    memset((void *)last, 0, address + size - last);
    if (first < h->dirty)
        hd_reserve_clear((void *)first, last - first);
}

void *hd_heap_alloc(hd_heap *h, uint64_t size, uint64_t alignment, uint64_t pc) {
    hd_block *b = new_block(h, size, alignment, pc);
    if (!b)
        return NULL;
    if (size <= SMALL)
        memset((void *)b->address, FRESH_BYTE, size);
    else
        make_zero(h, b->address, size);
    return (void *)b->address;
}

void *hd_heap_calloc(hd_heap *h, uint64_t size, uint64_t pc) {
    hd_block *b = new_block(h, size, 16, pc);
    if (!b)
        return NULL;
    make_zero(h, b->address, size);
    return (void *)b->address;
}

/* The last block at or before `address`. */
static hd_block *block_before(const hd_heap *h, uint64_t address) {
    size_t low = 0, high = h->blocks.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (h->blocks.at[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &h->blocks.at[low - 1] : NULL;
}

hd_block *hd_heap_near(const hd_heap *h, uint64_t address) {
    hd_block *b = block_before(h, address);
    hd_block *next = b ? b + 1 : h->blocks.at;
    bool has_next = next < h->blocks.at + h->blocks.n;
    if (!b || (has_next && address >= b->address + b->size && next->address - address <= 8))
        return has_next ? next : NULL;
    return b;
}

hd_block *hd_heap_block(const hd_heap *h, uint64_t address) {
    hd_block *b = block_before(h, address);
    return b && b->address == address ? b : NULL;
}

void hd_heap_free_block(hd_heap *h, hd_block *b, uint64_t pc, bool is_foreign) {
    HD_ASSERT(!b->is_free && b >= h->blocks.at && b < h->blocks.at + h->blocks.n);
    b->is_free = true;
    b->is_foreign = is_foreign;
    b->freed_at = pc;
    HD_CHECK(b->is_hidden || h->in_use >= b->size);
    if (!b->is_hidden) /* it was never counted */
        h->in_use -= b->size;
    if (!is_foreign)
        h->quarantined += b->room;
    if (h->dirty < b->address + b->room)
        h->dirty = b->address + b->room;
    if (b->size > BURY_FROM)
        bury(b);
    else
        hd_poison(b->address, b->size, HD_POISON_FREED);
    hd_vec_push(&h->freed, (uint32_t)(b - h->blocks.at));
    recycle(h);
}

void *hd_heap_alloc_hidden(hd_heap *h, uint64_t n) {
    void *p = hd_heap_alloc(h, n, 16, 0);
    if (!p)
        return NULL;
    HD_ASSERT(h->in_use >= n);
    h->in_use -= n; /* not the program's: it need not be freed */
    hd_block *b = hd_heap_block(h, (uint64_t)p);
    HD_ASSERT(b);
    b->is_hidden = true;
    b->size = n;
    return p;
}

void *hd_heap_hide(hd_heap *h, const void *bytes, uint64_t n) {
    void *p = hd_heap_alloc_hidden(h, n);
    return p ? memcpy(p, bytes, n) : NULL;
}
