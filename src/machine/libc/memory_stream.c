/* Streams of memory: open_memstream and fmemopen, as glibc has them (streams.h, M4).
 *
 * Bytes keep what they depend on: they go from buffer to buffer with their shadows.  What
 * open_memstream has is told to the program by fflush of it and fclose only, as a block of its own
 * that it frees in the end; until then a hidden block holds it. */
#include "machine/libc/libc.h"
#include "machine/libc/libc_ipc.h"
#include "machine/libc/streams.h"
#include "machine/tasks/library.h"

#include <errno.h>

/* ---- memory ---- */

static void copy(uint64_t to, uint64_t from, uint64_t n) {
    memcpy((void *)to, (const void *)from, n);
    memcpy(HD_SHADOW_OF(to), HD_SHADOW_OF(from), n * sizeof(hd_word));
}

static void clear(uint64_t at, uint64_t n) {
    memset((void *)at, 0, n);
    hd_unpoison(at, n);
}

/* A block that the program need not free, zeroed. */
static uint64_t hidden_block(hd_machine *m, uint64_t n) {
    uint64_t at = (uint64_t)hd_heap_alloc_hidden(m->running.heap, n);
    if (!at)
        hd_out_of_memory();
    clear(at, n);
    return at;
}

static void grow(hd_machine *m, hd_stream_memory *o, uint64_t end) {
    uint64_t room = o->room;
    HD_ASSERT(o->grows && o->room && o->length <= o->room);
    while (room < end)
        room *= 2;
    if (room == o->room)
        return;
    uint64_t block = hidden_block(m, room);
    copy(block, o->base, o->length);
    o->base = block;
    o->room = room;
}

/* ---- writing ---- */

static int64_t write_growing(hd_machine *m, hd_stream_memory *o, uint64_t from, uint64_t n) {
    grow(m, o, o->place + n);
    copy(o->base + o->place, from, n);
    o->place += n;
    o->length = o->place > o->length ? o->place : o->length;
    HD_ASSERT(o->length <= o->room);
    return (int64_t)n;
}

static void end_text(hd_machine *m, const hd_stream_memory *o, bool adds_end) {
    if (o->length < o->room && adds_end)
        hd_library_store(m, (void *)(o->base + o->length), "", 1);
    else if (!o->appends && adds_end)
        hd_library_store(m, (void *)(o->base + o->room - 1), "", 1);
}

/* Text gets an end if there is room for it.  What is written in part only has failed. */
static int64_t write_fixed(hd_machine *m, hd_stream_memory *o, uint64_t from, uint64_t n) {
    uint64_t place = o->appends ? o->length : o->place;
    bool adds_end = n == 0 || ((const char *)from)[n - 1] != '\0';
    if (place + n > o->room && place + adds_end >= o->room)
        return hd_ipc_fail(m, ENOSPC);
    bool is_cut = place + n > o->room;
    n = is_cut ? o->room - place : n;
    HD_ASSERT(place <= o->room && n <= o->room - place);
    hd_ipc_store(m, (void *)(o->base + place), (const uint8_t *)from, HD_SHADOW_OF(from), n);
    o->place = place + n;
    if (o->place > o->length) {
        o->length = o->place;
        end_text(m, o, adds_end);
    }
    return is_cut ? 0 : (int64_t)n;
}

int64_t hd_stream_write_behind(hd_stream *s, uint64_t from, uint64_t n) {
    hd_machine *m = hd_now;
    if (!s->memory.is_used)
        return hd_file_put(s->descriptor, (void *)from, n);
    return s->memory.grows ? write_growing(m, &s->memory, from, n)
                           : write_fixed(m, &s->memory, from, n);
}

/* ---- reading and places ---- */

int64_t hd_stream_read_behind(hd_stream *s, uint64_t to, uint64_t n) {
    hd_stream_memory *o = &s->memory;
    if (!o->is_used)
        return hd_file_get(s->descriptor, (void *)to, n);
    uint64_t left = o->place < o->length ? o->length - o->place : 0;
    n = n < left ? n : left;
    if (!n)
        return 0;
    HD_ASSERT(o->place + n <= o->length && o->length <= o->room);
    hd_library_text t = hd_library_read_block(hd_now, (const void *)(o->base + o->place), n);
    hd_ipc_store(hd_now, (void *)to, (const uint8_t *)t.at, t.words, n);
    o->place += n;
    return (int64_t)n;
}

int64_t hd_stream_seek_behind(hd_stream *s, int64_t offset, int whence) {
    hd_stream_memory *o = &s->memory;
    if (!o->is_used)
        return hd_libc_lseek(s->descriptor, offset, whence);
    int64_t from = whence == SEEK_SET ? 0 : (int64_t)(whence == SEEK_CUR ? o->place : o->length);
    bool is_possible = whence >= SEEK_SET && whence <= SEEK_END && offset <= INT32_MAX &&
                       from + offset >= 0 && (o->grows || (uint64_t)(from + offset) <= o->room);
    if (!is_possible)
        return hd_ipc_fail(hd_now, EINVAL);
    o->place = (uint64_t)(from + offset);
    HD_ASSERT(o->grows || o->place <= o->room);
    return from + offset;
}

/* ---- telling ---- */

/* The block that the program has, of n bytes, and in front of it what was told before goes. */
static void tell_block(hd_machine *m, hd_stream_memory *o, uint64_t n) {
    HD_ASSERT(o->grows && n > o->place);
    uint64_t block = (uint64_t)hd_heap_alloc(m->running.heap, n, 16,
                                             hd_caller_pc(m, __builtin_frame_address(0)));
    if (!block)
        hd_out_of_memory();
    uint64_t had = o->length < n ? o->length : n;
    clear(block, n);
    copy(block, o->base, had);
    if (o->told)
        hd_libc_free((void *)o->told);
    o->told = block;
    hd_library_store(m, (void *)o->told_at, &block, sizeof block);
    hd_library_store(m, (void *)o->told_size, &o->place, sizeof o->place);
}

void hd_stream_tell(hd_machine *m, hd_stream *s) {
    hd_stream_memory *o = &s->memory;
    if (o->is_used && o->grows)
        tell_block(m, o, (o->place > o->length ? o->place : o->length) + 1);
}

bool hd_stream_close_behind(hd_stream *s) {
    hd_stream_memory *o = &s->memory;
    if (!o->is_used)
        return hd_ipc_close(hd_ipc_enter(), s->descriptor);
    if (o->grows) {
        o->length = o->length < o->place ? o->length : o->place;
        tell_block(hd_now, o, o->place + 1);
    }
    *o = (hd_stream_memory){0};
    return true;
}

/* ---- opening ---- */

#define FIRST_ROOM 64

FILE *hd_libc_open_memstream(char **at, size_t *size) {
    hd_machine *m = hd_ipc_enter();
    hd_stream *s = hd_stream_new(m, -1, false, true);
    s->memory = (hd_stream_memory){.is_used = true,
                                   .grows = true,
                                   .base = hidden_block(m, FIRST_ROOM),
                                   .room = FIRST_ROOM,
                                   .told_at = (uint64_t)at,
                                   .told_size = (uint64_t)size};
    return s->handle;
}

/* What is there at first: all of it to be read, the text in it else. */
static uint64_t first_length(hd_machine *m, const void *buffer, uint64_t n, char mode) {
    if (mode != 'a')
        return mode == 'r' ? n : 0;
    return hd_library_read_text(m, buffer, n, 1).n;
}

FILE *hd_libc_fmemopen(void *buffer, size_t size, const char *mode) {
    hd_machine *m = hd_ipc_enter();
    const char *how = hd_ipc_text(m, mode);
    bool is_both = strchr(how, '+') != NULL;
    if (!strchr("rwa", how[0]) || !how[0] || !size) {
        hd_ipc_fail(m, EINVAL);
        return NULL;
    }
    void *memory = buffer ? buffer : (void *)hidden_block(m, size);
    if (how[0] == 'w' && is_both)
        hd_library_store(m, memory, "", 1);
    uint64_t length = first_length(m, memory, size, how[0]);
    hd_stream *s = hd_stream_new(m, -1, how[0] == 'r' || is_both, how[0] != 'r' || is_both);
    s->memory = (hd_stream_memory){.is_used = true,
                                   .appends = how[0] == 'a',
                                   .base = (uint64_t)memory,
                                   .room = size,
                                   .length = length,
                                   .place = how[0] == 'a' ? length : 0};
    return s->handle;
}
