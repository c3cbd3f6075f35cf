/* Streams: buffers between the program and its descriptors. */
#include "machine/libc/streams.h"

#include "machine/core/parts.h"

#include "machine/libc/libc_ipc.h"
#include "machine/sync/libc_sync.h"

#include <errno.h>

static hd_process *process_of(hd_machine *m) {
    return hd_process_at(m, hd_process_current(m));
}

/* ---- which there are ---- */

/* Zeroed memory of the program that it need not free. */
static uint64_t new_block(hd_machine *m, size_t n) {
    static const char zeros[HD_STREAM_SIZE];
    HD_ASSERT(n && n <= sizeof zeros);
    void *p = hd_heap_hide(m->running.heap, zeros, n);
    if (!p)
        hd_out_of_memory();
    hd_unpoison((uint64_t)p, n);
    return (uint64_t)p;
}

static hd_stream *add(hd_machine *m, FILE *handle, int descriptor) {
    hd_process *p = process_of(m);
    hd_stream *s = hd_is_threaded(m) ? NULL : p->spare_streams;
    HD_ASSERT(descriptor >= -1 && (!s || s->is_closed));
    if (s)
        p->spare_streams = s->next;
    else
        s = hd_execution_alloc(m, sizeof *s);
    *s = (hd_stream){.handle = handle,
                     .descriptor = descriptor,
                     .input = s->input,
                     .output = s->output,
                     .capacity = s->capacity,
                     .next = p->streams};
    p->streams = s;
    return s;
}

hd_stream *hd_stream_new(hd_machine *m, int descriptor, bool can_read, bool can_write) {
    hd_stream *s = add(m, (FILE *)new_block(m, sizeof(pthread_mutex_t)), descriptor);
    s->can_read = can_read;
    s->can_write = can_write;
    return s;
}

static hd_stream *find(hd_machine *m, const FILE *handle) {
    for (hd_stream *s = process_of(m)->streams; s; s = s->next)
        if (s->handle == handle)
            return s;
    return NULL;
}

bool hd_is_stream(hd_machine *m, const FILE *file) {
    return find(m, file) != NULL;
}

const char *hd_stream_locked_by(const hd_machine *m, uint64_t lock) {
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    for (uint32_t p = 0; lock && p < m->processes->n; p++)
        for (int i = 0; i < 3; i++)
            if (hd_process_at(m, p)->stream_locks[i] == lock)
                return names[i];
    return NULL;
}

hd_stream *hd_stream_standard(hd_machine *m, int number) {
    HD_ASSERT(number >= 0 && number <= 2);
    FILE *handle = number == 0 ? stdin : number == 1 ? stdout : stderr;
    hd_stream *s = find(m, handle);
    if (s)
        return s;
    s = add(m, handle, number);
    s->can_read = number == 0;
    s->can_write = number > 0;
    s->buffering = number == 2 ? _IONBF : _IOFBF;
    return s;
}

/* Others may have closed it just now: that is found out when it is entered, which is ordered with
 * that. */
static hd_stream *find_closed(hd_machine *m, const FILE *handle) {
    for (hd_stream *s = process_of(m)->closed_streams; s; s = s->next_closed)
        if (s->handle == handle)
            return s;
    return NULL;
}

void hd_stream_check(hd_machine *m, const hd_stream *s) {
    if (s->is_closed)
        hd_end_finding(m, HD_FINDING_USE_AFTER_FREE, 0, "use of a stream that was closed");
}

hd_stream *hd_stream_of(hd_machine *m, FILE *file) {
    if (file == stdin || file == stdout || file == stderr)
        return hd_stream_standard(m, file == stdin ? 0 : file == stdout ? 1 : 2);
    hd_stream *s = find(m, file);
    if (!s && hd_is_threaded(m))
        s = find_closed(m, file);
    HD_INVARIANT(M4, !s || s->is_closed || s->memory.is_used == (s->descriptor < 0));
    if (s)
        return s;
    if (!hd_in_region((uint64_t)file) && hd_is_external((uint64_t)file, 1))
        hd_ipc_refuse(m, "use of a stream of external code (executions end there)");
    hd_check_range(m, (uint64_t)file, 1, true, 0);
    hd_end_finding(m, HD_FINDING_USE_AFTER_FREE, 0,
                   "use of something that is no stream, or of one that was closed");
}

bool hd_stream_remove(hd_machine *m, hd_stream *s) {
    hd_process *p = process_of(m);
    bool is_done = hd_stream_flush(s);
    for (hd_stream **at = &p->streams; *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    s->is_closed = true;
    if (hd_is_threaded(m)) { /* its buffers are of one thread's heap: no other one gets them */
        s->next_closed = p->closed_streams;
        p->closed_streams = s;
        return is_done;
    }
    s->next = p->spare_streams;
    p->spare_streams = s;
    return is_done;
}

static hd_stream *copy_list(hd_machine *m, const hd_stream *from) {
    hd_stream *first = NULL, **at = &first;
    for (; from; from = from->next) {
        *at = hd_execution_alloc(m, sizeof **at);
        **at = *from;
        (*at)->depth = 0;
        at = &(*at)->next; /* of the last one NULL, as in the list */
    }
    return first;
}

static void fork_streams(hd_machine *m, uint32_t parent, uint32_t child) {
    const hd_process *from = hd_process_at(m, parent);
    hd_process *to = hd_process_at(m, child);
    HD_ASSERT(!to->streams && !to->spare_streams);
    to->streams = copy_list(m, from->streams);
    to->spare_streams = copy_list(m, from->spare_streams);
}

/* ---- one thread at a time ---- */

/* The standard streams of the host hold no lock of ours. */
static void *lock_of(hd_machine *m, const hd_stream *s) {
    if (hd_in_region((uint64_t)s->handle))
        return s->handle;
    HD_INVARIANT(M1, s->handle == stdin || s->handle == stdout || s->handle == stderr);
    uint64_t *lock = &process_of(m)->stream_locks[s->handle == stdin    ? 0
                                                  : s->handle == stdout ? 1
                                                                        : 2];
    if (!*lock)
        *lock = new_block(m, sizeof(pthread_mutex_t));
    return (void *)*lock;
}

/* What threads need of the standard streams lies where it does not depend on who uses them first
 * (docs/design.md D4). */
static void become_threaded(hd_machine *m) {
    if (!m->may.use_streams)
        return;
    for (int i = 0; i < 3; i++)
        lock_of(m, hd_stream_standard(m, i));
}

/* Streams are memory of the execution, with which there are no checkpoints (tasks/process.c). */
const hd_part hd_part_streams = {"streams",
                                 HD_PART_NO_LIFE,
                                 HD_PART_NO_CHECKPOINT,
                                 HD_PART_NOT_ISOLATED,
                                 {become_threaded, NULL, fork_streams, NULL, NULL, NULL}};

static bool enter_again(hd_machine *m, hd_stream *s) {
    bool is_mine = s->depth && s->owner == hd_thread_current(m);
    s->depth += is_mine;
    return is_mine;
}

static void own(hd_machine *m, hd_stream *s) {
    s->owner = hd_thread_current(m);
    s->depth = 1;
}

static void take_lock(hd_machine *m, hd_stream *s) {
    if (enter_again(m, s))
        return;
    hd_libc_pthread_mutex_lock(lock_of(m, s));
    own(m, s);
}

void hd_stream_lock(hd_machine *m, hd_stream *s) {
    take_lock(m, s);
    hd_stream_check(m, s);
}

void hd_stream_enter(hd_machine *m, hd_stream *s) {
    if (hd_is_threaded(m) || s->depth)
        hd_stream_lock(m, s);
}

/* Functions of wide characters are made of those of bytes (models/wide.c). */
void hd_stream_use_bytes(hd_machine *m, hd_stream *s) {
    if (s->n_wide)
        return;
    if (s->orientation > 0)
        hd_ipc_refuse(m, "bytes through a stream of wide characters are not modelled (executions "
                         "end there)");
    s->orientation = -1;
}

bool hd_stream_try_lock(hd_machine *m, hd_stream *s) {
    if (enter_again(m, s))
        return true;
    if (hd_libc_pthread_mutex_trylock(lock_of(m, s)) != 0)
        return false;
    own(m, s);
    hd_stream_check(m, s);
    return true;
}

void hd_stream_leave(hd_machine *m, hd_stream *s) {
    if (s->depth && --s->depth == 0)
        hd_libc_pthread_mutex_unlock(lock_of(m, s));
}

/* ---- writing ---- */

bool hd_stream_flush(hd_stream *s) {
    uint32_t done = 0, n = s->n_output;
    HD_ASSERT(n <= s->capacity);
    s->n_output = 0;
    while (done < n) {
        int64_t now = hd_stream_write_behind(s, s->output + done, n - done);
        HD_ASSERT(now <= (int64_t)(n - done));
        if (now <= 0) {
            s->has_failed = true;
            return false;
        }
        done += (uint32_t)now;
    }
    return true;
}

/* A stream that is closed meanwhile keeps its place in the list. */
bool hd_streams_flush(hd_machine *m) {
    bool all = true;
    for (hd_stream *s = process_of(m)->streams; s; s = s->next) {
        bool is_locked = hd_is_threaded(m) || s->depth;
        if (is_locked)
            take_lock(m, s);
        all &= s->is_closed || hd_stream_flush(s);
        if (is_locked)
            hd_stream_leave(m, s);
    }
    return all;
}

void hd_streams_end(hd_machine *m) {
    for (hd_stream *s = process_of(m)->streams; s; s = s->next)
        hd_stream_flush(s);
}

/* Small ones are common, and processes that take turns copy them. */
static void make_room(hd_machine *m, hd_stream *s, size_t more) {
    uint32_t wanted = s->capacity ? s->capacity : 64;
    while (wanted < HD_STREAM_SIZE && wanted < s->n_output + more)
        wanted *= 2;
    HD_ASSERT(wanted >= s->capacity && wanted <= HD_STREAM_SIZE && s->n_output <= s->capacity);
    if (wanted == s->capacity)
        return;
    uint64_t block = new_block(m, wanted);
    if (s->n_output) {
        memcpy((void *)block, (void *)s->output, s->n_output);
        memcpy(HD_SHADOW_OF(block), HD_SHADOW_OF(s->output), s->n_output * sizeof(hd_word));
    }
    s->output = block;
    s->capacity = wanted;
}

static void append(hd_stream *s, const uint8_t *bytes, const hd_word *words, size_t n) {
    HD_ASSERT(n <= s->capacity - s->n_output);
    uint64_t to = s->output + s->n_output;
    memcpy((void *)to, bytes, n);
    if (words)
        memcpy(HD_SHADOW_OF(to), words, n * sizeof(hd_word));
    else
        hd_unpoison(to, n);
    s->n_output += (uint32_t)n;
}

static bool is_full(const hd_stream *s) {
    return s->n_output == HD_STREAM_SIZE;
}

/* All of it into the buffer, which is written out whenever it is full. */
static bool fill_buffer(hd_machine *m, hd_stream *s, const uint8_t *from, const hd_word *words,
                        size_t n) {
    for (size_t done = 0; done < n;) {
        make_room(m, s, n - done);
        size_t now = s->capacity - s->n_output < n - done ? s->capacity - s->n_output : n - done;
        HD_ASSERT(now > 0); /* or this would not end */
        append(s, from + done, words ? words + done : NULL, now);
        done += now;
        if (is_full(s) && !hd_stream_flush(s))
            return false;
    }
    return true;
}

/* How many of the bytes are written out at once: all, lines, or none. */
static size_t count_due(const hd_stream *s, const uint8_t *bytes, size_t n) {
    const uint8_t *last = s->buffering == _IOLBF ? memrchr(bytes, '\n', n) : NULL;
    return s->buffering == _IONBF ? n : last ? (size_t)(last - bytes) + 1 : 0;
}

bool hd_stream_put(hd_machine *m, hd_stream *s, const void *bytes, const hd_word *words, size_t n) {
    if (!s->can_write) {
        s->has_failed = true;
        hd_ipc_fail(m, EBADF);
        return false;
    }
    size_t due = n ? count_due(s, bytes, n) : 0;
    if (due && (!fill_buffer(m, s, bytes, words, due) || !hd_stream_flush(s)))
        return false;
    return fill_buffer(m, s, (const uint8_t *)bytes + due, words ? words + due : NULL, n - due);
}

/* ---- reading ---- */

static bool fill(hd_machine *m, hd_stream *s) {
    if (s->is_at_end || !s->can_read) {
        s->has_failed |= !s->can_read;
        if (!s->can_read)
            hd_ipc_fail(m, EBADF);
        return false;
    }
    if (!s->input)
        s->input = new_block(m, HD_STREAM_SIZE);
    s->n_input = s->n_used = 0;
    int64_t n = hd_stream_read_behind(s, s->input, s->buffering == _IONBF ? 1 : HD_STREAM_SIZE);
    HD_ASSERT(n <= HD_STREAM_SIZE);
    if (n > 0) {
        s->n_input = (uint32_t)n;
        s->n_used = 0; /* a handler may have read meanwhile */
    } else if (n == 0)
        s->is_at_end = true;
    else
        s->has_failed = true;
    return n > 0;
}

bool hd_stream_get(hd_machine *m, hd_stream *s, uint8_t *byte, hd_word *word) {
    if (s->n_pushed) {
        *byte = s->pushed[--s->n_pushed];
        *word = s->pushed_words[s->n_pushed];
        return true;
    }
    if (s->n_used == s->n_input && !fill(m, s))
        return false;
    HD_ASSERT(s->n_used < s->n_input && s->input);
    uint64_t at = s->input + s->n_used++;
    *byte = *(const uint8_t *)at;
    *word = *HD_SHADOW_OF(at);
    return true;
}

void hd_stream_forget_input(hd_stream *s) {
    s->n_input = s->n_used = s->n_pushed = 0;
    s->is_at_end = false;
}
