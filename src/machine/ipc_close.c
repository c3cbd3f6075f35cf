/* Closing: the last descriptor of a file takes the file with it, and the other side is told. */
#include "machine/ipc.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* What is told to the other side of a connection: carried, or put there at once. */
static void tell(hd_machine *m, hd_socket *s, hd_item *item) {
    if (!item)
        return;
    if (hd_socket_is_network(s))
        hd_ipc_carry(m, s, item);
    else if (!hd_ipc_put(m, s->other->in, NULL, item))
        return;
    else if (item->kind == HD_ITEM_ERROR)
        s->other->error = item->error;
}

static bool has_door(const hd_socket *s) {
    return s->in->door != 0;
}

/* Nobody sees the difference between a datagram that is lost and one that nobody reads. */
static bool is_closing_visible(const hd_socket *s) {
    if (!hd_socket_is_connected_kind(s))
        return has_door(s);
    return has_door(s) || s->state == HD_SOCKET_CONNECTED;
}

static void close_socket(hd_machine *m, hd_socket *s) {
    hd_net *n = hd_ipc_net(m);
    if (is_closing_visible(s))
        hd_ipc_change(m, s->in);
    bool listens = s->state == HD_SOCKET_LISTENING;
    hd_item *farewell = hd_socket_farewell(n, s);
    hd_socket_close(n, s);
    tell(m, s, farewell);
    /* Connections that nobody accepted are reset. */
    while (listens && !hd_queue_is_empty(s->in)) {
        hd_socket *orphan = hd_queue_first(s->in)->connection;
        hd_queue_pop(s->in);
        hd_item *item = hd_item_new(&n->arena, HD_ITEM_ERROR);
        item->error = ECONNRESET;
        bool is_open = orphan->other->state == HD_SOCKET_CONNECTED;
        hd_socket_close(n, orphan);
        if (is_open)
            tell(m, orphan, item);
    }
}

static void close_pipe(hd_machine *m, hd_file *f) {
    hd_queue *q = f->queue;
    if ((f->flags & O_ACCMODE) == O_RDONLY) {
        hd_ipc_change(m, q);
        q->is_closed = true;
    } else
        hd_ipc_put(m, q, NULL, hd_item_new(&hd_ipc_net(m)->arena, HD_ITEM_END));
}

static void forget_interest(hd_net *n, const hd_file *f) {
    for (size_t p = 0; p < n->tables.n; p++)
        for (uint32_t i = 0; i < n->tables.at[p].n; i++) {
            const hd_file *e = n->tables.at[p].at[i].file;
            if (e && e->kind == HD_FILE_EPOLL)
                hd_epoll_forget(e->epoll, f);
        }
}

static void close_file(hd_machine *m, hd_file *f) {
    forget_interest(hd_ipc_net(m), f);
    switch ((hd_file_kind)f->kind) {
    case HD_FILE_PIPE:
        close_pipe(m, f);
        break;
    case HD_FILE_SOCKET:
        close_socket(m, f->socket);
        break;
    case HD_FILE_HOST:
        close(f->host);
        break;
    default:
        break;
    }
}

void hd_ipc_close(hd_machine *m, int descriptor) {
    hd_ipc_change_table(m);
    hd_file *f = hd_descriptor_remove(hd_ipc_net(m), hd_ipc_process(m), descriptor);
    if (f->n_references == 0)
        close_file(m, f);
}

void hd_descriptors_exit(hd_machine *m, uint32_t process) {
    if (!m->ipc || process >= m->ipc->net.tables.n || !m->ipc->net.tables.at[process].is_used)
        return;
    hd_net *n = &m->ipc->net;
    for (uint32_t i = 0; i < n->tables.at[process].n; i++) {
        if (!n->tables.at[process].at[i].file)
            continue;
        hd_file *f = hd_descriptor_remove(n, process, (int)i);
        if (f->n_references == 0)
            close_file(m, f);
    }
}

/* ---- shutdown ---- */

void hd_ipc_shutdown(hd_machine *m, hd_file *file, hd_socket *s, bool reading, bool writing) {
    hd_arena *arena = &hd_ipc_net(m)->arena;
    if (writing && !s->has_shut_writing) {
        s->has_shut_writing = true;
        if (s->state == HD_SOCKET_CONNECTED)
            tell(m, s, hd_item_new(arena, HD_ITEM_END));
    }
    if (reading && !s->has_shut_reading) {
        s->has_shut_reading = true;
        hd_ipc_put(m, s->in, file, hd_item_new(arena, HD_ITEM_END));
        if (!hd_socket_is_network(s))
            s->in->is_closed = true;
    }
}
