/* Closing: the last descriptor of a file takes the file with it, and the other side is told. */
#include "machine/channels/faults.h"
#include "machine/channels/ipc.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static bool is_connected(const hd_socket *s) {
    return hd_socket_is_connected_kind(s) && s->other;
}

/* ---- sockets ---- */

static void tell_other(hd_machine *m, hd_socket *s, hd_item_kind what) {
    HD_ASSERT(s->other && what != HD_ITEM_DATA);
    if (hd_socket_is_network(s)) {
        if (what == HD_ITEM_RESET || !s->has_shut_writing)
            hd_ipc_carry(m, s, hd_item_new(&hd_ipc_net(m)->arena, what));
        return;
    }
    s->other->in->has_ended = true;
    if (what == HD_ITEM_RESET)
        hd_socket_break(s->other);
}

/* Connections that nobody accepted are reset. */
static void reset_pending(hd_machine *m, hd_socket *listener) {
    HD_ASSERT(listener->state == HD_SOCKET_CLOSED);
    for (; !hd_queue_is_empty(listener->in); hd_queue_pop(listener->in)) {
        hd_socket *orphan = hd_queue_first(listener->in)->connection;
        HD_ASSERT(orphan && orphan->other);
        hd_socket_close(hd_ipc_net(m), orphan);
        if (hd_socket_is_network(orphan)) /* what still arrives there is answered already */
            orphan->in->is_closed = false;
        tell_other(m, orphan, HD_ITEM_RESET);
    }
}

static void close_socket(hd_machine *m, hd_socket *s) {
    uint8_t state = s->state;
    hd_item_kind farewell = hd_socket_farewell(s);
    hd_socket_close(hd_ipc_net(m), s);
    if (state == HD_SOCKET_LISTENING)
        reset_pending(m, s);
    else if (is_connected(s) && state != HD_SOCKET_CLOSED)
        tell_other(m, s, farewell);
}

/* ---- all files ---- */

static bool is_read_end(const hd_file *f) {
    return (f->flags & O_ACCMODE) == O_RDONLY;
}

static void forget_interest(hd_net *n, const hd_file *f) {
    for (size_t p = 0; p < n->tables.n; p++)
        for (uint32_t i = 0; i < n->tables.at[p].n; i++) {
            const hd_file *e = n->tables.at[p].at[i].file;
            if (e && e->kind == HD_FILE_EPOLL)
                hd_epoll_forget(e->epoll, f);
        }
}

/* The queue that others read what is written to the file from, at once; NULL if there is none. */
static const hd_queue *target_of(const hd_file *f) {
    if (f->kind == HD_FILE_SOCKET)
        return is_connected(f->socket) && !hd_socket_is_network(f->socket) ? f->socket->other->in
                                                                           : NULL;
    return f->kind == HD_FILE_PIPE && !is_read_end(f) ? f->queue : NULL;
}

/* Can others write to what is read through the file? */
static bool can_be_written_to(const hd_file *f) {
    HD_CHECK(f->kind == HD_FILE_PIPE || f->kind == HD_FILE_SOCKET);
    return f->kind == HD_FILE_PIPE || f->socket->other || f->socket->in->door;
}

/* ---- locks ---- */

/* Are there locks that go with the file, or with any descriptor of the process for it? */
static bool has_locks(const hd_file *f, uint32_t process) {
    if (f->kind != HD_FILE_DISK || !f->inode->locks)
        return false;
    const hd_file_lock *all = f->inode->locks;
    return hd_file_lock_has(all, HD_FILE_LOCK_RECORD, process) ||
           hd_file_lock_has(all, HD_FILE_LOCK_WHOLE, hd_lock_owner_file(f)) ||
           hd_file_lock_has(all, HD_FILE_LOCK_RECORD, hd_lock_owner_file(f));
}

static void drop_locks_of_process(hd_file *f, uint32_t process) {
    if (f->kind == HD_FILE_DISK)
        hd_file_lock_drop(&f->inode->locks, HD_FILE_LOCK_RECORD, process);
}

static void drop_locks_of_file(hd_file *f) {
    if (f->kind != HD_FILE_DISK)
        return;
    hd_file_lock_drop(&f->inode->locks, HD_FILE_LOCK_WHOLE, hd_lock_owner_file(f));
    hd_file_lock_drop(&f->inode->locks, HD_FILE_LOCK_RECORD, hd_lock_owner_file(f));
}

/* A descriptor of the process is about to be closed, perhaps by another one that kills it; so many
 * more it has for the same file, and if there are any nobody notices that it reads with one less.
 */
static void stand_before(hd_machine *m, uint32_t process, const hd_file *f, uint32_t n_others) {
    const hd_queue *source = hd_file_source(f), *target = target_of(f);
    bool leaves = source && can_be_written_to(f) && n_others == 0, unlocks = has_locks(f, process);
    if (!leaves && !target && !unlocks)
        return;
    hd_action a = target ? hd_ipc_closing_source(m, target)
                         : hd_action_on(m, HD_DO_OBJECT, 0, NULL, 0, HD_MODE_ADD);
    a.n_accesses = target ? a.n_accesses : 0;
    if (leaves)
        hd_ipc_close_reader(m, &a, source, process);
    if (unlocks)
        hd_action_also(&a, HD_TOKEN_FILE(f->inode->name), 1, HD_MODE_WRITE, true);
    hd_visible(m, &a);
}

/* Does another thread of the process wait for something to come out of the file? */
static bool is_awaited(hd_machine *m, const hd_file *f) {
    hd_thread_set own = hd_process_at(m, hd_ipc_process(m))->threads;
    uint32_t t;
    HD_SET_EACH(t, hd_set_without(own, hd_thread_current(m))) {
        const hd_action *a = &m->threads.action[t];
        if (hd_set_has(m->threads.alive, t) && hd_kind_is(a->kind, HD_KIND_TAKES) &&
            m->ipc->request[t].file == f && !hd_ipc_is_enabled(m, a))
            return true;
    }
    return false;
}

static void close_file(hd_machine *m, hd_file *f) {
    HD_ASSERT(f->n_references == 0);
    if (hd_ipc_is_shared_table(m) && is_awaited(m, f))
        hd_bound_call(m, "close of a file that another thread waits for: it is gone at once, "
                         "not when that call returns");
    forget_interest(hd_ipc_net(m), f);
    drop_locks_of_file(f);
    if (f->kind == HD_FILE_SOCKET)
        close_socket(m, f->socket);
    else if (f->kind == HD_FILE_PIPE && is_read_end(f))
        f->queue->is_closed = true;
    else if (f->kind == HD_FILE_PIPE)
        f->queue->has_ended = true;
}

static uint32_t count(hd_machine *m, uint32_t process, const hd_file *f) {
    return hd_descriptor_count(hd_ipc_net(m), process, f);
}

static void remove_one(hd_machine *m, uint32_t process, int descriptor) {
    hd_file *f = hd_descriptor_remove(hd_ipc_net(m), process, descriptor);
    HD_ASSERT(f);
    drop_locks_of_process(f, process);
    if (f->n_references == 0)
        close_file(m, f);
}

/* A handler may fork meanwhile: its child never had what was taken out of the table before. */
void hd_ipc_let_go(hd_machine *m, hd_file *f, int descriptor) {
    uint32_t process = hd_ipc_process(m);
    stand_before(m, process, f, count(m, process, f));
    if (hd_ipc_process(m) != process)
        return;
    hd_orphans_at_close(m, f, descriptor);
    drop_locks_of_process(f, process);
    hd_descriptor_release(hd_ipc_net(m), process, f);
    if (f->n_references == 0)
        close_file(m, f);
}

/* The number is free at once, as others may see; the file goes afterwards. */
static bool close_shared(hd_machine *m, int descriptor) {
    uint32_t process = hd_ipc_process(m);
    hd_ipc_change_number(m, descriptor, -1);
    if (!hd_descriptor_file(hd_ipc_net(m), process, descriptor))
        return hd_ipc_fail(m, EBADF), false;
    if (descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO)
        hd_bound_call(m, "whether other threads print before a standard stream is closed is no "
                         "choice of order");
    hd_ipc_let_go(m, hd_descriptor_take(hd_ipc_net(m), process, descriptor), descriptor);
    return true;
}

bool hd_ipc_close(hd_machine *m, int descriptor) {
    hd_fault_before(m, true);
    if (hd_ipc_is_shared_table(m))
        return close_shared(m, descriptor);
    const hd_file *f = hd_ipc_file(m, descriptor);
    if (!f)
        return false;
    stand_before(m, hd_ipc_process(m), f, count(m, hd_ipc_process(m), f) - 1);
    if (hd_ipc_file(m, descriptor) != f) /* a handler was faster */
        return false;
    hd_orphans_at_close(m, f, descriptor);
    remove_one(m, hd_ipc_process(m), descriptor);
    return true;
}

void hd_descriptors_exit(hd_machine *m, uint32_t process, bool is_killed) {
    (void)is_killed;
    if (!m->ipc || process >= m->ipc->net.tables.n || !m->ipc->net.tables.at[process].is_used)
        return;
    for (uint32_t i = 0; i < m->ipc->net.tables.at[process].n; i++) {
        const hd_file *f = m->ipc->net.tables.at[process].at[i].file;
        if (!f)
            continue;
        stand_before(m, process, f, count(m, process, f) - 1);
        remove_one(m, process, (int)i);
    }
}

/* ---- shutdown ---- */

/* The other end of the socket may see that nothing goes in either direction any more. */
static void shut_reading(hd_machine *m, hd_socket *s) {
    bool is_at_once = !hd_socket_is_network(s);
    bool is_final = is_at_once || s->state == HD_SOCKET_LISTENING;
    hd_ipc_shut(m, s->in, is_final, is_at_once && is_connected(s) ? s->other->in : NULL);
    s->has_shut_reading = true;
    s->in->has_ended = s->in->is_shut = true;
    s->in->is_closed = is_at_once;
}

void hd_ipc_shutdown(hd_machine *m, const hd_file *f, bool reading, bool writing) {
    hd_fault_before(m, true);
    hd_socket *s = f->socket;
    bool was_shut = s->has_shut_reading;
    if (writing && !s->has_shut_writing && s->state == HD_SOCKET_CONNECTED) {
        if (!hd_socket_is_network(s))
            hd_ipc_shut(m, s->other->in, hd_ipc_has_rivals(m, f), NULL);
        tell_other(m, s, HD_ITEM_END);
        s->other->in->is_shut |= !hd_socket_is_network(s);
        s->has_shut_writing = true;
        s->has_shut_reading |= reading && is_connected(s);
    }
    if (reading && !was_shut)
        shut_reading(m, s);
}
