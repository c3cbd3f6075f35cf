/* Descriptors: reading, writing, closing, copying, pipes. */
#include "machine/libc/libc_ipc.h"
#include "machine/libc/standard_input.h"
#include "machine/tasks/library.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- reading and writing ---- */

/* What is printed is shown only if the user wants to see it, as with printf. */
static int64_t write_host(hd_machine *m, const hd_file *f, const struct iovec *pieces, int n) {
    HD_ASSERT(f->kind == HD_FILE_STANDARD && f->host >= 0 && f->host <= 2);
    int64_t total = hd_ipc_total(pieces, (uint64_t)n);
    if (total < 0)
        return hd_ipc_fail(m, EINVAL);
    hd_bytes read = hd_ipc_gather(m, pieces, (uint64_t)n, (uint64_t)total);
    if (f->kind == HD_FILE_STANDARD && f->host != 0 && !m->options.show_output)
        return total;
    int64_t done = write(f->host, read.at, read.n);
    return done < 0 ? hd_ipc_fail(m, errno) : done;
}

static bool is_standard_input(const hd_file *f) {
    return f->kind == HD_FILE_STANDARD && f->host == 0;
}

/* Nodes have a standard input of their own, in the scenario; --stdin makes one of inputs; else it
 * is the host's.  Answers how many bytes there are from the file's offset on. */
static int64_t find_input(hd_machine *m, const hd_file *f, uint64_t wanted, const uint8_t **bytes,
                          const hd_word **words) {
    HD_ASSERT(is_standard_input(f));
    uint64_t n = m->options.n_nodes ? strlen(hd_node_input(m)) : m->options.stdin_bytes;
    uint64_t there = f->offset < n ? n - f->offset : 0;
    *words = NULL;
    if (m->options.n_nodes) {
        *bytes = (const uint8_t *)hd_node_input(m) + f->offset;
    } else if (m->options.stdin_bytes) {
        *bytes = (const uint8_t *)m->input.standard_input + f->offset;
        *words = HD_SHADOW_OF(m->input.standard_input + f->offset);
    } else {
        return hd_standard_input_read(f->offset, wanted, bytes);
    }
    return (int64_t)(wanted < there ? wanted : there);
}

static int64_t read_input(hd_machine *m, hd_file *f, const struct iovec *pieces, int n) {
    const uint8_t *bytes;
    const hd_word *words;
    int64_t total = hd_ipc_total(pieces, (uint64_t)n);
    if (total < 0)
        return hd_ipc_fail(m, EINVAL);
    hd_ipc_state_event(m, f, true); /* who reads which part of it */
    int64_t got = find_input(m, f, (uint64_t)total, &bytes, &words);
    if (got < 0)
        return hd_ipc_fail(m, errno);
    hd_ipc_scatter(m, pieces, (uint64_t)n, bytes, words, (uint64_t)got);
    f->offset += (uint64_t)got;
    return got;
}

/* Linux does not ask a socket for nothing: a datagram that is there stays, and nobody waits.  (recv
 * does ask.) */
static bool is_nothing(const hd_file *f, const struct iovec *pieces, int n) {
    return f->kind == HD_FILE_SOCKET && hd_ipc_total(pieces, (uint64_t)n) == 0;
}

static int64_t read_file(hd_machine *m, hd_file *f, const struct iovec *pieces, int n) {
    hd_ipc_message message = {.pieces = pieces, .n_pieces = (uint64_t)n};
    if (is_standard_input(f))
        return read_input(m, f, pieces, n);
    switch ((hd_file_kind)f->kind) {
    case HD_FILE_STANDARD: /* output */
        return hd_ipc_fail(m, EBADF);
    case HD_FILE_DISK:
        return hd_disk_file_read(m, f, pieces, (uint64_t)n);
    case HD_FILE_PIPE:
    case HD_FILE_SOCKET:
        return is_nothing(f, pieces, n) ? 0 : hd_ipc_receive(m, f, &message);
    case HD_FILE_EVENT:
    case HD_FILE_TIMER:
        return hd_counter_read(m, f, pieces, (uint64_t)n);
    default:
        return hd_ipc_fail(m, EINVAL);
    }
}

static int64_t write_file(hd_machine *m, hd_file *f, const struct iovec *pieces, int n) {
    hd_ipc_message message = {.pieces = pieces, .n_pieces = (uint64_t)n};
    switch ((hd_file_kind)f->kind) {
    case HD_FILE_STANDARD:
        return write_host(m, f, pieces, n);
    case HD_FILE_DISK:
        return hd_disk_file_write(m, f, pieces, (uint64_t)n);
    case HD_FILE_PIPE:
    case HD_FILE_SOCKET:
        return hd_ipc_send(m, f, &message);
    case HD_FILE_EVENT:
        return hd_counter_write(m, f, pieces, (uint64_t)n);
    default:
        return hd_ipc_fail(m, EINVAL);
    }
}

/* Functions that POSIX lets be cancellation points or not: in glibc some are, here none is. */
void hd_file_note_no_point(hd_machine *m) {
    if (m->may.cancel && hd_is_threaded(m))
        hd_bound_call(m, "functions of streams and directories do not end a cancelled thread");
}

static int64_t read_into(int descriptor, void *out, size_t n) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f = hd_ipc_file(m, descriptor);
    struct iovec piece = {out, n};
    return f ? read_file(m, f, &piece, 1) : -1;
}

int64_t hd_libc_read(int descriptor, void *out, size_t n) {
    hd_ipc_enter_point();
    return read_into(descriptor, out, n);
}

int64_t hd_file_get(int descriptor, void *out, size_t n) {
    hd_file_note_no_point(hd_now);
    return read_into(descriptor, out, n);
}

static int64_t write_from(int descriptor, const void *bytes, size_t n) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f = hd_ipc_file(m, descriptor);
    struct iovec piece = {(void *)bytes, n};
    return f ? write_file(m, f, &piece, 1) : -1;
}

int64_t hd_libc_write(int descriptor, const void *bytes, size_t n) {
    hd_ipc_enter_point();
    return write_from(descriptor, bytes, n);
}

int64_t hd_file_put(int descriptor, const void *bytes, size_t n) {
    hd_file_note_no_point(hd_now);
    return write_from(descriptor, bytes, n);
}

int64_t hd_libc_readv(int descriptor, const struct iovec *pieces, int n) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = hd_ipc_file(m, descriptor);
    if (f && n < 0)
        return hd_ipc_fail(m, EINVAL);
    return f ? read_file(m, f, hd_ipc_pieces(m, pieces, (uint64_t)n), n) : -1;
}

/* As for nothing; write does send an empty datagram. */
int64_t hd_libc_writev(int descriptor, const struct iovec *pieces, int n) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = hd_ipc_file(m, descriptor);
    if (f && n < 0)
        return hd_ipc_fail(m, EINVAL);
    if (!f)
        return -1;
    const struct iovec *all = hd_ipc_pieces(m, pieces, (uint64_t)n);
    return is_nothing(f, all, n) ? 0 : write_file(m, f, all, n);
}

/* ---- numbers ---- */

int hd_libc_close(int descriptor) {
    hd_machine *m = hd_ipc_enter_point();
    return hd_ipc_close(m, descriptor) ? 0 : -1;
}

void hd_libc_closefrom(int lowest) {
    hd_machine *m = hd_ipc_enter();
    hd_ipc_change_table(m, -1); /* how many there are */
    int n = (int)hd_net_table(hd_ipc_net(m), hd_ipc_process(m))->n;
    for (int d = lowest < 0 ? 0 : lowest; d < n; d++)
        if (hd_ipc_find(m, d))
            hd_ipc_close(m, d);
}

/* The file is not gone, even if another thread closes `from` before the new number is known. */
static int add_from(hd_machine *m, int from, int lowest, bool closes_on_exec) {
    hd_ipc_change_table(m, from);
    hd_file *f = hd_descriptor_file(hd_ipc_net(m), hd_ipc_process(m), from);
    if (!f)
        return hd_ipc_fail(m, EBADF);
    int d = hd_descriptor_reserve(hd_ipc_net(m), hd_ipc_process(m), lowest);
    if (d < 0)
        return hd_ipc_fail(m, EMFILE);
    f->n_references++;
    hd_ipc_install(m, d, f, closes_on_exec);
    f->n_references--;
    return d;
}

int hd_libc_dup(int descriptor) {
    return add_from(hd_ipc_enter(), descriptor, 0, false);
}

static int duplicate_alone(hd_machine *m, int from, int to, bool closes_on_exec) {
    hd_file *f = hd_ipc_file(m, from);
    if (!f)
        return -1;
    f->n_references++; /* it is not gone, even if `to` was the last */
    if (hd_descriptor_file(hd_ipc_net(m), hd_ipc_process(m), to))
        hd_ipc_close(m, to);
    HD_ASSERT(f->n_references); /* ours at least */
    f->n_references--;
    hd_descriptor_set(hd_ipc_net(m), hd_ipc_process(m), to, f, closes_on_exec);
    return to;
}

static bool is_reserved(hd_machine *m, int descriptor) {
    const hd_descriptor_table *t = hd_net_table(hd_ipc_net(m), hd_ipc_process(m));
    return (uint32_t)descriptor < t->n && t->at[descriptor].is_reserved;
}

/* For other threads it is one step, and what `to` meant goes afterwards. */
static int duplicate_shared(hd_machine *m, int from, int to, bool closes_on_exec) {
    hd_net *n = hd_ipc_net(m);
    uint32_t me = hd_ipc_process(m);
    hd_ipc_change_number(m, to, from);
    hd_file *f = hd_descriptor_file(n, me, from), *old = hd_descriptor_file(n, me, to);
    if (!f || is_reserved(m, to))
        return hd_ipc_fail(m, f ? EBUSY : EBADF);
    if (old)
        hd_descriptor_take(n, me, to);
    hd_descriptor_set(n, me, to, f, closes_on_exec);
    if (old)
        hd_ipc_let_go(m, old, to);
    return to;
}

static int duplicate(hd_machine *m, int from, int to, bool closes_on_exec) {
    if (to < 0 || to >= HD_MAX_DESCRIPTORS)
        return hd_ipc_fail(m, EBADF);
    return hd_ipc_is_shared_table(m) ? duplicate_shared(m, from, to, closes_on_exec)
                                     : duplicate_alone(m, from, to, closes_on_exec);
}

int hd_libc_dup2(int from, int to) {
    hd_machine *m = hd_ipc_enter();
    if (from == to)
        return hd_ipc_file(m, from) ? to : -1;
    return duplicate(m, from, to, false);
}

int hd_libc_dup3(int from, int to, int flags) {
    hd_machine *m = hd_ipc_enter();
    if (from == to || flags & ~O_CLOEXEC)
        return hd_ipc_fail(m, EINVAL);
    return duplicate(m, from, to, flags & O_CLOEXEC);
}

#define CHANGEABLE (O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME)

static int set_flags(hd_machine *m, hd_file *f, int wanted) {
    hd_ipc_state_event(m, f, true);
    if ((f->flags ^ wanted) & O_NONBLOCK)
        hd_ipc_note_change(m, f, HD_USE_RECEIVE);
    f->flags = (f->flags & ~CHANGEABLE) | (wanted & CHANGEABLE);
    return 0;
}

static hd_descriptor *entry_of(hd_machine *m, int descriptor) {
    return &hd_net_table(hd_ipc_net(m), hd_ipc_process(m))->at[descriptor];
}

static int set_closing(hd_machine *m, int descriptor, bool is_wanted) {
    hd_ipc_number_event(m, descriptor, true);
    if (!hd_descriptor_file(hd_ipc_net(m), hd_ipc_process(m), descriptor))
        return hd_ipc_fail(m, EBADF);
    entry_of(m, descriptor)->closes_on_exec = is_wanted;
    return 0;
}

int hd_libc_fcntl(int descriptor, int command, uint64_t argument) {
    hd_machine *m = hd_ipc_enter();
    if (command == F_SETFD)
        return set_closing(m, descriptor, argument & FD_CLOEXEC);
    hd_file *f = hd_ipc_file(m, descriptor);
    if (!f)
        return -1;
    if (hd_lock_is_command(command))
        return hd_lock_command(m, f, command, (struct flock *)argument);
    switch (command) {
    case F_GETFL:
        hd_ipc_state_event(m, f, false);
        return f->flags;
    case F_SETFL:
        return set_flags(m, f, (int)argument);
    case F_GETFD:
        return entry_of(m, descriptor)->closes_on_exec ? FD_CLOEXEC : 0;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        if (argument >= HD_MAX_DESCRIPTORS)
            return hd_ipc_fail(m, EINVAL);
        return add_from(m, descriptor, (int)argument, command == F_DUPFD_CLOEXEC);
    case F_GETPIPE_SZ:
        return f->kind == HD_FILE_PIPE ? 65536 : hd_ipc_fail(m, EBADF);
    default:
        hd_ipc_refuse(m,
                      "call of fcntl with command %d, which is not modelled (executions end there)",
                      command);
    }
}

/* Of a file: what is behind its place, which may be negative. */
static int count_behind(hd_machine *m, const hd_file *f, int *out) {
    HD_ASSERT(f->kind == HD_FILE_DISK && f->inode->kind == HD_INODE_FILE);
    hd_content_event(m, f->inode, false);
    int n = (int)(hd_inode_stat(f->inode).st_size - (int64_t)f->offset);
    hd_ipc_store_plain(m, out, &n, sizeof n);
    return 0;
}

static int count_unread(hd_machine *m, hd_file *f, int *out) {
    hd_queue *q = hd_file_input(f);
    if (f->kind == HD_FILE_DISK && f->inode->kind == HD_INODE_FILE)
        return count_behind(m, f, out);
    if (!q || f->kind == HD_FILE_MESSAGES)
        return hd_ipc_fail(m, ENOTTY);
    hd_ipc_peek(m, q, f, 0);
    bool is_datagram = f->kind == HD_FILE_SOCKET && f->socket->type != SOCK_STREAM;
    const hd_item *first = hd_queue_first(q);
    int n = is_datagram ? (first ? (int)first->bytes.n : 0)
                        : (int)hd_stream_available(q, INT32_MAX, NULL);
    hd_ipc_store_plain(m, out, &n, sizeof n);
    return 0;
}

int hd_libc_ioctl(int descriptor, unsigned long request, uint64_t argument) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f = hd_ipc_file(m, descriptor);
    int *value = (int *)argument;
    if (!f)
        return -1;
    if (request == FIONBIO) {
        int is_wanted;
        hd_library_get(m, &is_wanted, value, sizeof is_wanted);
        return set_flags(m, f, is_wanted ? f->flags | O_NONBLOCK : f->flags & ~O_NONBLOCK);
    }
    if (request == FIONREAD)
        return count_unread(m, f, value);
    if (hd_interface_is_asked(f, request))
        return hd_interface_ask(m, request, (void *)argument);
    if (hd_interface_is_changed(f, request))
        return hd_interface_change(m, request);
    if (f->kind == HD_FILE_STANDARD || request == TCGETS || request == TIOCGWINSZ)
        return hd_ipc_fail(m, ENOTTY);
    hd_ipc_refuse(m,
                  "call of ioctl with request %#lx, which is not modelled (executions end there)",
                  request);
}

/* ---- pipes ---- */

int hd_libc_pipe2(int *out, int flags) {
    hd_machine *m = hd_ipc_enter();
    hd_net *n = hd_ipc_net(m);
    int both[2];
    if (flags & ~(O_CLOEXEC | O_NONBLOCK | O_DIRECT))
        return hd_ipc_fail(m, EINVAL);
    if (flags & O_DIRECT)
        hd_ipc_refuse(m, "pipe2 with O_DIRECT, which is not modelled (executions end there)");
    hd_queue *q = hd_queue_new(&n->arena, hd_name_object(m), hd_ipc_process(m));
    q->can_end = true;
    for (int i = 0; i < 2; i++) {
        hd_file *f = hd_file_new(n, HD_FILE_PIPE, (i ? O_WRONLY : O_RDONLY) | (flags & O_NONBLOCK));
        f->queue = q;
        both[i] = hd_ipc_open(m, f, flags & O_CLOEXEC);
        if (both[i] < 0)
            return i ? hd_ipc_give_back(m, both[0]) : -1;
    }
    hd_ipc_name(m, q, "pipe %d-%d", both[0], both[1]);
    hd_ipc_store_plain(m, out, both, sizeof both);
    return 0;
}

int hd_libc_pipe(int *out) {
    return hd_libc_pipe2(out, 0);
}
