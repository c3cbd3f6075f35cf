/* Memory of the program on its way into the network and out of it: bytes and shadow words. */
#include "machine/channels/ipc.h"
#include "machine/tasks/library.h"

#include <errno.h>
#include <limits.h>
#include <sys/uio.h>

void hd_ipc_check(hd_machine *m, const void *p, uint64_t n, bool is_store) {
    if (n && (is_store || !hd_external_read(m, (uint64_t)p, n, 0)))
        hd_check_range(m, (uint64_t)p, n, is_store, 0);
}

static const uint32_t *words_of(const void *p) {
    return hd_in_region((uint64_t)p) ? (const uint32_t *)HD_SHADOW_OF(p) : NULL;
}

hd_bytes hd_ipc_load(hd_machine *m, const void *p, uint64_t n) {
    HD_ASSERT(n <= UINT32_MAX);
    hd_library_touch(m, p, n);
    hd_define_memory(m, p, n, HD_USE_MEMORY);
    return hd_bytes_copy(&hd_ipc_net(m)->arena, p, words_of(p), (uint32_t)n);
}

void hd_ipc_store(hd_machine *m, void *to, const uint8_t *bytes, const uint32_t *words,
                  uint64_t n) {
    if (!n)
        return;
    hd_library_write(m, to, n);
    memcpy(to, bytes, n);
    if (words) {
        HD_CHECK(hd_in_region((uint64_t)to));
        hd_memory_note_symbolic(m, (uint64_t)to, n);
        memcpy(HD_SHADOW_OF(to), words, n * sizeof(hd_word));
    } else
        hd_unpoison((uint64_t)to, n);
}

void hd_ipc_store_plain(hd_machine *m, void *to, const void *bytes, uint64_t n) {
    hd_ipc_store(m, to, bytes, NULL, n);
}

const char *hd_ipc_text(hd_machine *m, const char *text) {
    return hd_library_name(m, text);
}

/* ---- pieces ---- */

const struct iovec *hd_ipc_pieces(hd_machine *m, const struct iovec *pieces, uint64_t n) {
    if (n > IOV_MAX)
        return NULL;
    struct iovec *copy = hd_arena_alloc(&hd_ipc_net(m)->arena, n * sizeof *pieces);
    hd_library_get(m, copy, pieces, n * sizeof *pieces);
    return copy;
}

#define MOST_BYTES INT64_C(0x7ffff000) /* of one call, as in Linux */

int64_t hd_ipc_total(const struct iovec *pieces, uint64_t n) {
    int64_t total = 0;
    if (!pieces)
        return -1;
    for (uint64_t i = 0; i < n; i++)
        if (__builtin_add_overflow(total, pieces[i].iov_len, &total) || total < 0)
            return -1;
    return total < MOST_BYTES ? total : MOST_BYTES;
}

/* Before there is room for all of them. */
static void check_pieces(hd_machine *m, const struct iovec *pieces, uint64_t n, uint64_t total) {
    for (uint64_t i = 0; i < n; i++) {
        uint64_t size = pieces[i].iov_len < total ? pieces[i].iov_len : total;
        hd_ipc_check(m, pieces[i].iov_base, size, false);
        total -= size;
    }
}

hd_bytes hd_ipc_gather(hd_machine *m, const struct iovec *pieces, uint64_t n, uint64_t total) {
    if (n == 1)
        return hd_ipc_load(m, pieces->iov_base, total);
    check_pieces(m, pieces, n, total);
    hd_arena *arena = &hd_ipc_net(m)->arena;
    uint8_t *bytes = hd_arena_alloc(arena, total), *at = bytes;
    uint32_t *words = hd_arena_alloc(arena, total * sizeof *words), *word = words;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t *from = words_of(pieces[i].iov_base);
        uint64_t left = total - (uint64_t)(at - bytes);
        uint64_t size = pieces[i].iov_len < left ? pieces[i].iov_len : left;
        hd_library_touch(m, pieces[i].iov_base, size);
        hd_define_memory(m, pieces[i].iov_base, size, HD_USE_MEMORY);
        memcpy(at, pieces[i].iov_base, size);
        if (from)
            memcpy(word, from, size * sizeof *word);
        at += size;
        word += size;
    }
    HD_ASSERT((uint64_t)(at - bytes) == total);
    return hd_bytes_copy(arena, bytes, words, (uint32_t)total);
}

void hd_ipc_scatter(hd_machine *m, const struct iovec *pieces, uint64_t n, const uint8_t *bytes,
                    const uint32_t *words, uint64_t total) {
    for (uint64_t i = 0; i < n && total; i++) {
        uint64_t piece = pieces[i].iov_len < total ? pieces[i].iov_len : total;
        hd_ipc_store(m, pieces[i].iov_base, bytes, words, piece);
        bytes += piece;
        words = words ? words + piece : NULL;
        total -= piece;
    }
    HD_ASSERT(total == 0);
}

/* ---- addresses ---- */

int hd_ipc_load_address(hd_machine *m, const void *p, uint32_t n, int family, hd_address *out) {
    if (n > sizeof(struct sockaddr_storage))
        return EINVAL;
    struct sockaddr_storage copy;
    hd_library_get(m, &copy, p, n);
    return hd_address_read(&copy, n, family, out);
}

void hd_ipc_store_address(hd_machine *m, const hd_address *a, int family, void *out,
                          uint32_t *length) {
    struct sockaddr_storage storage;
    if (!out || !length)
        return;
    uint32_t room, full = hd_address_write(a, family, &storage);
    HD_ASSERT(full <= sizeof storage);
    hd_library_get(m, &room, length, sizeof room);
    hd_ipc_store_plain(m, out, &storage, full < room ? full : room);
    hd_ipc_store_plain(m, length, &full, sizeof full);
}
