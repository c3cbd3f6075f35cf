/* Streams: buffers between the program and its descriptors. */
#include "machine/stream.h"

#include "machine/libc_ipc.h"
#include "machine/libc_sync.h"

#include <errno.h>

static hd_process *process_of(hd_machine *m) {
    return hd_process_at(m, hd_process_current(m));
}

/* ---- which there are ---- */

/* Zeroed memory of the program that it need not free. */
static uint64_t new_block(hd_machine *m, size_t n) {
    static const char zeros[HD_STREAM_SIZE];
    void *p = hd_libc_hidden(m, zeros, n);
    if (!p)
        hd_out_of_memory();
    hd_unpoison((uint64_t)p, n);
    return (uint64_t)p;
}

static hd_stream *add(hd_machine *m, FILE *handle, int descriptor) {
    hd_process *p = process_of(m);
    hd_stream *s = p->spare_streams;
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

hd_stream *hd_stream_standard(hd_machine *m, int number) {
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

hd_stream *hd_stream_of(hd_machine *m, FILE *file) {
    if (file == stdin || file == stdout || file == stderr)
        return hd_stream_standard(m, file == stdin ? 0 : file == stdout ? 1 : 2);
    hd_stream *s = find(m, file);
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
        at = &(*at)->next;
    }
    *at = NULL;
    return first;
}

void hd_streams_fork(hd_machine *m, uint32_t parent, uint32_t child) {
    const hd_process *from = hd_process_at(m, parent);
    hd_process *to = hd_process_at(m, child);
    to->streams = copy_list(m, from->streams);
    to->spare_streams = copy_list(m, from->spare_streams);
}

/* ---- one thread at a time ---- */

/* The standard streams of the host hold no lock of ours: theirs is made when it is needed. */
static void *lock_of(hd_machine *m, hd_stream *s) {
    if (hd_in_region((uint64_t)s->handle))
        return s->handle;
    uint64_t *lock = &process_of(m)->stream_locks[s->descriptor];
    if (!*lock)
        *lock = new_block(m, sizeof(pthread_mutex_t));
    return (void *)*lock;
}

/* Without a lock: by the one that has it, or alone. */
static bool enter_again(hd_machine *m, hd_stream *s) {
    bool is_mine = s->depth && s->owner == hd_thread_current(m);
    s->depth += is_mine;
    return is_mine || !hd_is_threaded(m);
}

static void own(hd_machine *m, hd_stream *s) {
    s->owner = hd_thread_current(m);
    s->depth = 1;
}

void hd_stream_enter(hd_machine *m, hd_stream *s) {
    if (enter_again(m, s))
        return;
    hd_libc_pthread_mutex_lock(lock_of(m, s));
    own(m, s);
}

bool hd_stream_try_enter(hd_machine *m, hd_stream *s) {
    if (enter_again(m, s))
        return true;
    if (hd_libc_pthread_mutex_trylock(lock_of(m, s)) != 0)
        return false;
    own(m, s);
    return true;
}

void hd_stream_leave(hd_machine *m, hd_stream *s) {
    if (s->depth && --s->depth == 0)
        hd_libc_pthread_mutex_unlock(lock_of(m, s));
}

/* ---- writing ---- */

bool hd_stream_flush(hd_stream *s) {
    uint32_t done = 0, n = s->n_output;
    s->n_output = 0;
    while (done < n) {
        int64_t now = hd_libc_write(s->descriptor, (void *)(s->output + done), n - done);
        if (now < 0) {
            s->has_failed = true;
            return false;
        }
        done += (uint32_t)now;
    }
    return true;
}

bool hd_streams_flush(hd_machine *m) {
    bool all = true;
    for (hd_stream *s = process_of(m)->streams; s; s = s->next) {
        hd_stream_enter(m, s);
        all &= hd_stream_flush(s);
        hd_stream_leave(m, s);
    }
    return all;
}

/* Small ones are common, and processes that take turns copy them. */
static void make_room(hd_machine *m, hd_stream *s, size_t more) {
    uint32_t wanted = s->capacity ? s->capacity : 64;
    while (wanted < HD_STREAM_SIZE && wanted < s->n_output + more)
        wanted *= 2;
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
    uint64_t to = s->output + s->n_output;
    memcpy((void *)to, bytes, n);
    if (words)
        memcpy(HD_SHADOW_OF(to), words, n * sizeof(hd_word));
    else
        hd_unpoison(to, n);
    s->n_output += (uint32_t)n;
}

static bool is_due(const hd_stream *s, const uint8_t *bytes, size_t n) {
    return s->n_output == HD_STREAM_SIZE || s->buffering == _IONBF ||
           (s->buffering == _IOLBF && memchr(bytes, '\n', n));
}

bool hd_stream_put(hd_machine *m, hd_stream *s, const void *bytes, const hd_word *words, size_t n) {
    const uint8_t *from = bytes;
    if (!s->can_write) {
        s->has_failed = true;
        hd_ipc_fail(m, EBADF);
        return false;
    }
    for (size_t done = 0; done < n;) {
        make_room(m, s, n - done);
        size_t now = s->capacity - s->n_output < n - done ? s->capacity - s->n_output : n - done;
        append(s, from + done, words ? words + done : NULL, now);
        if (is_due(s, from + done, now) && !hd_stream_flush(s))
            return false;
        done += now;
    }
    return true;
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
    int64_t n =
        hd_libc_read(s->descriptor, (void *)s->input, s->buffering == _IONBF ? 1 : HD_STREAM_SIZE);
    if (n > 0)
        s->n_input = (uint32_t)n;
    else if (n == 0)
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
    uint64_t at = s->input + s->n_used++;
    *byte = *(const uint8_t *)at;
    *word = *HD_SHADOW_OF(at);
    return true;
}

void hd_stream_forget_input(hd_stream *s) {
    s->n_input = s->n_used = s->n_pushed = 0;
    s->is_at_end = false;
}
