/* Bytes of files: the host's until the first change, then a copy of this execution. */
#include "world/disk.h"

#include <string.h>

int hd_inode_load(hd_disk *d, hd_inode *i) {
    (void)d;
    if (i->is_loaded || i->kind != HD_INODE_FILE)
        return 0;
    if (i->host) {
        hd_host_file *f = (hd_host_file *)i->host;
        hd_host_read(f);
        if (f->read_error)
            return f->read_error;
        i->bytes = f->bytes;
        i->size = i->room = f->size;
    }
    i->is_loaded = true;
    return 0;
}

uint64_t hd_inode_read(hd_disk *d, hd_inode *i, uint64_t offset, uint64_t n, const uint8_t **bytes,
                       const uint32_t **words) {
    if (hd_inode_load(d, i) || offset >= i->size)
        return 0;
    *bytes = i->bytes + offset;
    *words = i->words ? i->words + offset : NULL;
    return n < i->size - offset ? n : i->size - offset;
}

/* The bytes of `i` become its own, with room for `size` of them. */
static void make_room(hd_disk *d, hd_inode *i, uint64_t size) {
    if (i->is_own && size <= i->room)
        return;
    uint64_t room = size > i->room ? 2 * size + 64 : i->room;
    uint8_t *bytes = hd_arena_alloc(d->arena, room);
    if (i->size)
        memcpy(bytes, i->bytes, i->size);
    if (i->words) {
        uint32_t *words = hd_arena_alloc(d->arena, room * sizeof *words);
        memcpy(words, i->words, i->size * sizeof *words);
        i->words = words;
    }
    i->bytes = bytes;
    i->room = room;
    i->is_own = true;
}

static bool is_any(const uint32_t *words, uint64_t n) {
    uint32_t any = 0;
    for (uint64_t k = 0; k < n; k++)
        any |= words[k];
    return any != 0;
}

void hd_inode_write(hd_disk *d, hd_inode *i, uint64_t offset, const uint8_t *bytes,
                    const uint32_t *words, uint64_t n) {
    hd_inode_load(d, i);
    if (!n)
        return;
    uint64_t end = offset + n;
    make_room(d, i, end > i->size ? end : i->size);
    if (end > i->size)
        hd_inode_resize(d, i, end);
    memcpy(i->bytes + offset, bytes, n);
    if (words && !i->words && is_any(words, n))
        i->words = hd_arena_alloc(d->arena, i->room * sizeof *i->words);
    if (i->words && words)
        memcpy(i->words + offset, words, n * sizeof *words);
    else if (i->words)
        memset(i->words + offset, 0, n * sizeof *i->words);
}

void hd_inode_resize(hd_disk *d, hd_inode *i, uint64_t size) {
    uint64_t old;
    if (size == 0 && !i->is_loaded) { /* what is cut off need not be known */
        i->is_loaded = true;
        i->size = 0;
    }
    hd_inode_load(d, i);
    make_room(d, i, size);
    old = i->size;
    if (size > old) {
        memset(i->bytes + old, 0, size - old);
        if (i->words)
            memset(i->words + old, 0, (size - old) * sizeof *i->words);
    }
    i->size = size;
}

struct stat hd_inode_stat(const hd_inode *i) {
    struct stat s = i->info;
    if (i->kind == HD_INODE_FILE && i->is_loaded && (!i->host || i->is_own)) {
        s.st_size = (off_t)i->size;
        s.st_blocks = (blkcnt_t)((i->size + 4095) / 4096 * 8);
    }
    if (i->kind == HD_INODE_LINK)
        s.st_size = (off_t)strlen(i->target);
    return s;
}
