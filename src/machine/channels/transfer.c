/* Sending and receiving through pipes and sockets.
 *
 * A read of a stream takes one piece after the other, as they were sent: the first with a wait,
 * the others as far as they have arrived.  Each is an event of its own, so that every way in which
 * a stream can fall into reads is explored. */
#include "machine/channels/faults.h"
#include "machine/channels/ipc.h"
#include "machine/tasks/time_order.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>

#define MAX_DATAGRAM 65507
#define PIPE_SIZE    65536 /* bytes that fit into a pipe of Linux */

static hd_net *net_of(hd_machine *m) {
    return hd_ipc_net(m);
}

/* May the call wait? */
static bool waits_by(const hd_file *f, int flags) {
    return !(f->flags & O_NONBLOCK || flags & MSG_DONTWAIT);
}

/* ---- receiving ---- */

typedef struct receiving {
    hd_file *file;
    hd_queue *queue;
    hd_socket *socket; /* NULL: a pipe */
    hd_ipc_message *message;
    uint64_t deadline; /* 0: does not wait */
    uint32_t wanted, got;
    uint8_t *bytes;
    uint32_t *words;
    bool has_words;
} receiving;

/* A connection that broke says so once. */
static int64_t receive_end(hd_machine *m, const receiving *r) {
    if (!r->socket || !r->socket->error)
        return 0;
    int error = r->socket->error;
    r->socket->error = 0;
    return error == EPIPE ? 0 : hd_ipc_fail(m, error);
}

static void take_files(receiving *r, const hd_item *item) {
    r->message->files = item->files;
    r->message->n_files = item->n_files;
}

static void reserve(hd_machine *m, receiving *r, uint32_t more) {
    HD_ASSERT(r->got <= r->wanted && more <= r->wanted - r->got);
    hd_arena *arena = &net_of(m)->arena;
    uint8_t *bytes = hd_arena_alloc(arena, r->got + more);
    uint32_t *words = hd_arena_alloc(arena, (r->got + more) * sizeof *words);
    if (r->got) {
        memcpy(bytes, r->bytes, r->got);
        memcpy(words, r->words, r->got * sizeof *words);
    }
    r->bytes = bytes;
    r->words = words;
}

/* The first piece, or the part of it that is wanted. */
static void take_piece(hd_machine *m, receiving *r) {
    const hd_item *item = hd_queue_first(r->queue);
    HD_ASSERT(item && item->n_read <= item->bytes.n && r->got <= r->wanted);
    uint32_t left = item->bytes.n - item->n_read, room = r->wanted - r->got;
    uint32_t n = left < room ? left : room;
    bool has_words;
    reserve(m, r, n);
    hd_stream_copy(r->queue, 0, n, r->bytes + r->got, r->words + r->got, &has_words);
    r->has_words |= has_words;
    if (item->n_files && !item->n_read)
        take_files(r, item);
    hd_stream_take(r->queue, n);
    r->got += n;
}

static void limit_by_choice(hd_machine *m, receiving *r) {
    const hd_item *item = hd_queue_first(r->queue);
    HD_ASSERT(item);
    if (m->options.partial_io && r->wanted > 1 && item->bytes.n - item->n_read > 1 &&
        !(r->message->flags & MSG_WAITALL) && hd_thread_choice(m, 2, "partial read") == 1)
        r->wanted = 1;
}

static bool has_enough(const receiving *r) {
    return r->got == r->wanted || r->message->n_files;
}

static int64_t receive_stream(hd_machine *m, receiving *r) {
    bool waits_for_all = r->message->flags & MSG_WAITALL && r->deadline;
    if (r->wanted == 0)
        return 0;
    if (!hd_ipc_take(m, r->queue, r->file, r->deadline))
        return hd_ipc_fail(m, EAGAIN);
    if (hd_queue_is_empty(r->queue))
        return receive_end(m, r);
    limit_by_choice(m, r);
    take_piece(m, r);
    while (!has_enough(r)) {
        bool is_there = waits_for_all ? hd_ipc_take(m, r->queue, r->file, r->deadline)
                                      : hd_ipc_take_more(m, r->queue, r->file);
        if (!is_there || hd_queue_is_empty(r->queue) || hd_queue_first(r->queue)->n_files)
            break;
        take_piece(m, r);
    }
    return r->got;
}

static int64_t peek_stream(hd_machine *m, receiving *r) {
    if (!hd_ipc_peek(m, r->queue, r->file, r->deadline))
        return hd_ipc_fail(m, EAGAIN);
    if (hd_queue_is_empty(r->queue))
        return receive_end(m, r);
    uint32_t n = hd_stream_available(r->queue, r->wanted, NULL);
    reserve(m, r, n);
    hd_stream_copy(r->queue, 0, n, r->bytes, r->words, &r->has_words);
    HD_ASSERT(n <= r->wanted);
    r->got = n;
    return n;
}

/* A datagram, or a packet of a connection: the whole, of which the caller may get a part. */
static int64_t receive_message(hd_machine *m, receiving *r) {
    bool peeks = r->message->flags & MSG_PEEK, wants_size = r->message->flags & MSG_TRUNC;
    bool is_there = peeks ? hd_ipc_peek(m, r->queue, r->file, r->deadline)
                          : hd_ipc_take(m, r->queue, r->file, r->deadline);
    r->message->flags = 0;
    if (!is_there)
        return hd_ipc_fail(m, EAGAIN);
    const hd_item *item = hd_queue_first(r->queue);
    if (!item)
        return receive_end(m, r);
    r->got = item->bytes.n < r->wanted ? item->bytes.n : r->wanted;
    r->bytes = item->bytes.at;
    r->words = item->bytes.words;
    r->has_words = r->words != NULL;
    r->message->from = item->from;
    r->message->sent_to = item->to;
    r->message->flags = item->bytes.n > r->wanted ? MSG_TRUNC : 0;
    take_files(r, item);
    if (!peeks) {
        hd_ipc_received(m, item);
        hd_queue_pop(r->queue);
    }
    return wants_size ? item->bytes.n : r->got;
}

/* 0 if something can be received here, or the error. */
static int check_receiving(const hd_file *f) {
    const hd_socket *s = f->socket;
    if (f->kind == HD_FILE_PIPE)
        return (f->flags & O_ACCMODE) == O_WRONLY ? EBADF : 0;
    if (!hd_socket_is_connected_kind(s) || s->state == HD_SOCKET_CONNECTED ||
        s->state == HD_SOCKET_BROKEN)
        return 0;
    return s->domain == AF_UNIX ? EINVAL : s->error ? s->error : ENOTCONN;
}

static uint64_t deadline_of(hd_machine *m, const hd_file *f, int flags) {
    if (!waits_by(f, flags))
        return 0;
    return hd_ipc_deadline(m, f->kind == HD_FILE_SOCKET ? f->socket->receive_timeout : 0);
}

int64_t hd_ipc_receive(hd_machine *m, hd_file *f, hd_ipc_message *message) {
    hd_fault_before(m, f->kind == HD_FILE_PIPE || hd_socket_is_connected_kind(f->socket));
    hd_ipc_note_use(m, f, HD_USE_RECEIVE);
    if (f->kind == HD_FILE_SOCKET && !hd_cable_await(m, f, waits_by(f, message->flags)))
        return hd_ipc_fail(m, EAGAIN);
    int64_t total = hd_ipc_total(message->pieces, message->n_pieces);
    int error = total < 0 ? EINVAL : check_receiving(f);
    if (error) {
        if (f->socket)
            f->socket->error = 0;
        return hd_ipc_fail(m, error);
    }
    receiving r = {.file = f,
                   .queue = hd_file_input(f),
                   .socket = f->kind == HD_FILE_SOCKET ? f->socket : NULL,
                   .message = message,
                   .deadline = deadline_of(m, f, message->flags),
                   .wanted = (uint32_t)total};
    HD_ASSERT(r.queue);
    bool is_stream = !r.socket || hd_socket_is_stream(r.socket);
    int64_t n = !is_stream                  ? receive_message(m, &r)
                : message->flags & MSG_PEEK ? peek_stream(m, &r)
                                            : receive_stream(m, &r);
    HD_ASSERT(r.got <= r.wanted);
    if (is_stream)
        message->flags = 0;
    if (n > 0)
        hd_ipc_scatter(m, message->pieces, message->n_pieces, r.bytes, r.has_words ? r.words : NULL,
                       r.got);
    return n;
}

/* ---- sending ---- */

static int64_t fail_broken(hd_machine *m, const hd_file *f, int flags) {
    hd_text what = {0};
    char words[256];
    hd_text_add(&what, "it writes to ");
    hd_ipc_describe_file(m, f, &what);
    hd_text_add(&what, ", which nobody reads any more");
    snprintf(words, sizeof words, "%s", hd_text_string(&what));
    hd_text_release(&what);
    return hd_ipc_broken(m, words, flags & MSG_NOSIGNAL);
}

static int64_t fail_sending(hd_machine *m, const hd_file *f, int flags, int error) {
    bool signals = error == EPIPE && (f->kind == HD_FILE_PIPE || hd_socket_is_stream(f->socket));
    return signals ? fail_broken(m, f, flags) : hd_ipc_fail(m, error);
}

/* Writes never wait, because buffers have no limit; one that must not wait may still be cut. */
static uint64_t amount(hd_machine *m, const hd_file *f, uint64_t total) {
    bool may_be_cut = m->options.partial_io && f->flags & O_NONBLOCK && total > 1;
    return may_be_cut && hd_thread_choice(m, 2, "partial write") == 1 ? 1 : total;
}

static void pass_file(hd_file *f) {
    hd_queue *source = hd_file_source(f);
    HD_ASSERT(f->n_references > 0);
    f->n_references++;
    f->is_shared = true;
    if (source)
        source->was_passed = true;
}

static hd_item *new_item(hd_machine *m, const hd_ipc_message *message, uint64_t n) {
    HD_ASSERT(n <= message->bytes.n);
    hd_item *item = hd_item_new(&net_of(m)->arena, HD_ITEM_DATA);
    item->bytes = message->bytes;
    item->bytes.n = (uint32_t)n;
    item->files = message->files;
    item->n_files = message->n_files;
    for (uint32_t i = 0; i < message->n_files; i++)
        pass_file(message->files[i]);
    return item;
}

/* A real writer would have to wait here: who only reads later would make it wait for ever. */
static void note_full(hd_machine *m, const hd_queue *q) {
    if (hd_stream_available(q, PIPE_SIZE + 1, NULL) > PIPE_SIZE)
        hd_bound_call(m, "more than %d bytes in a pipe or socket, which is never full", PIPE_SIZE);
}

static int64_t send_pipe(hd_machine *m, hd_file *f, hd_ipc_message *message, uint64_t total) {
    HD_ASSERT(f->queue);
    if ((f->flags & O_ACCMODE) == O_RDONLY)
        return hd_ipc_fail(m, EBADF);
    if (total == 0)
        return 0;
    uint64_t n = amount(m, f, total);
    hd_item *item = new_item(m, message, n);
    if (!hd_ipc_put(m, f->queue, f, item))
        return fail_broken(m, f, message->flags);
    note_full(m, f->queue);
    return (int64_t)n;
}

/* Sending is an event because a reset may have come before it, or what others send through the same
 * socket.  To a queue at once it is one anyway. */
static int look_for_reset(hd_machine *m, const hd_file *f) {
    hd_socket *s = f->socket;
    if (hd_socket_is_network(s) && s->other)
        hd_ipc_look(m, s->other->in, hd_ipc_has_rivals(m, f) ? s->in : NULL);
    return hd_socket_send_error(s);
}

/* Packets, other than streams, are told once that what was sent before was not read. */
static int refusal(hd_socket *s) {
    int error = s->type == SOCK_SEQPACKET && s->error ? s->error : EPIPE;
    s->error = error == EPIPE ? s->error : 0;
    return error;
}

/* Somebody between the two has reset the connection: this end knows at once, the other one when it
 * is told. */
static int64_t find_reset(hd_machine *m, hd_socket *s) {
    hd_ipc_shut(m, s->in, false, NULL);
    hd_ipc_carry(m, s, hd_item_new(&net_of(m)->arena, HD_ITEM_RESET));
    hd_socket_break(s);
    s->error = 0; /* it is told now */
    s->in->has_ended = s->in->is_shut = true;
    return hd_ipc_fail(m, ECONNRESET);
}

/* No event tells it from the closing of the other end. */
static int64_t send_nothing(hd_machine *m, const hd_socket *s) {
    if (s->domain == AF_UNIX)
        hd_bound_call(m, "a write of no bytes does not look whether the other end is closed");
    return 0;
}

static int64_t send_connection(hd_machine *m, hd_file *f, hd_ipc_message *message, uint64_t total) {
    hd_socket *s = f->socket;
    if (!hd_cable_await(m, f, waits_by(f, message->flags)))
        return hd_ipc_fail(m, EAGAIN);
    if (hd_fault_of_connection(m, s))
        return find_reset(m, s);
    int error = look_for_reset(m, f);
    if (error)
        return fail_sending(m, f, message->flags, error);
    HD_ASSERT(s->other);
    if (message->to && s->domain == AF_UNIX)
        return hd_ipc_fail(m, EISCONN);
    if (total == 0 && hd_socket_is_stream(s))
        return send_nothing(m, s);
    uint64_t n = hd_socket_is_stream(s) ? amount(m, f, total) : total;
    hd_item *item = new_item(m, message, n);
    if (hd_socket_is_network(s))
        hd_ipc_carry(m, s, item);
    else if (!hd_ipc_put(m, s->other->in, f, item))
        return fail_sending(m, f, message->flags, refusal(s));
    else
        note_full(m, s->other->in);
    return (int64_t)n;
}

static bool is_outside(hd_machine *m, const hd_socket *s, const hd_address *to) {
    uint32_t host;
    return !hd_hosts_route(&net_of(m)->hosts, s->host, to->ip, &host);
}

static void refuse_outside(hd_machine *m, const hd_address *to) {
    hd_text words = {0};
    char text[36];
    hd_address_print(to, &words);
    snprintf(text, sizeof text, "%s", hd_text_string(&words));
    hd_text_release(&words);
    hd_ipc_refuse(m, "message to %s, which is outside the scenario (executions end there)", text);
}

/* A datagram of its own: a fault may change the bytes of one and not of others. */
static hd_item *copy_of(hd_machine *m, const hd_item *item) {
    hd_item *copy = hd_item_new(&net_of(m)->arena, HD_ITEM_DATA);
    *copy = *item;
    copy->bytes =
        hd_bytes_copy(&net_of(m)->arena, item->bytes.at, item->bytes.words, item->bytes.n);
    HD_ASSERT(!copy->n_files && !copy->n_read);
    return copy;
}

static bool is_out_of_range(hd_machine *m, const hd_socket *s, const hd_address *to) {
    uint32_t host = s->host;
    hd_hosts_route(&net_of(m)->hosts, s->host, to->ip, &host);
    return hd_nodes_link(m, s->host, host).is_cut;
}

static int64_t send_udp(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item);

/* Does what is for all, or for a group, go to that host?  What leaves by loopback comes back. */
static bool goes_to_host(const hd_socket *s, const hd_address *to, uint32_t host) {
    if (!hd_ip_is_group(to->ip))
        return true;
    if (s->leaves_by_loopback)
        return host == s->host;
    return host == s->host ? !s->hears_not_itself : !s->stays_on_its_host;
}

/* One datagram to each node in range, in the order of nodes, the sender included (paper 004,
 * footnote 1: a series of unicasts).  For a group: whoever has joined it hears it when it arrives.
 */
static int64_t send_to_all(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item) {
    const hd_hosts *hosts = &net_of(m)->hosts;
    hd_address each = *to;
    bool is_v4 = hd_ip_is_v4(to->ip);
    memcpy(each.group, to->ip, HD_IP_SIZE);
    for (size_t i = 0; i < hosts->names.n; i++) {
        const hd_host_name *n = &hosts->names.at[i];
        if (n->host == 0 || (is_v4 && !hd_ip_is_v4(n->ip)) ||
            hd_nodes_link(m, s->host, n->host).is_cut || !goes_to_host(s, to, n->host))
            continue;
        memcpy(each.ip, n->ip, HD_IP_SIZE);
        if (!is_v4)
            hd_ip_on_link(n->ip, each.ip);
        send_udp(m, s, &each, copy_of(m, item));
    }
    return item->bytes.n;
}

static int64_t send_broadcast(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item) {
    return s->may_broadcast ? send_to_all(m, s, to, item) : hd_ipc_fail(m, EACCES);
}

/* Without a scenario there is nobody else, and loopback alone. */
static int64_t send_to_group(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item) {
    hd_address self = hd_address_loopback(hd_ip_is_v4(to->ip) ? AF_INET : AF_INET6, to->port);
    if (s->host)
        return send_to_all(m, s, to, item);
    memcpy(self.group, to->ip, HD_IP_SIZE);
    return send_udp(m, s, &self, item);
}

static int64_t send_udp(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item) {
    HD_ASSERT(s->type == SOCK_DGRAM && s->domain != AF_UNIX);
    if (item->bytes.n > MAX_DATAGRAM)
        return hd_ipc_fail(m, EMSGSIZE);
    if (to->port == 0)
        return hd_ipc_fail(m, EINVAL);
    if (s->host && hd_hosts_is_to_all(&net_of(m)->hosts, s->host, to->ip))
        return send_broadcast(m, s, to, item);
    if (hd_ip_is_group(to->ip))
        return send_to_group(m, s, to, item);
    if (is_outside(m, s, to))
        refuse_outside(m, to);
    hd_port_bind_any(net_of(m), s, NULL);
    item->from = s->local;
    if (hd_ip_is_any(s->local.ip) || hd_ip_is_group(s->local.ip) ||
        hd_hosts_is_to_all(&net_of(m)->hosts, s->host, s->local.ip))
        hd_hosts_source(&net_of(m)->hosts, s->host, to->ip, item->from.ip);
    item->to = *to;
    int64_t n = item->bytes.n;
    if (is_out_of_range(m, s, to)) /* nobody notices */
        net_of(m)->n_lost++;
    else
        hd_ipc_transmit(m, s, to, item);
    return n;
}

static hd_socket *find_path(hd_machine *m, const hd_ipc_request *r, int *error) {
    if (r->socket->has_shut_writing) {
        *error = EPIPE;
        return NULL;
    }
    if (r->target.family)
        return hd_port_find(net_of(m), r->socket->host, r->socket->type, &r->target, error);
    hd_socket *to = r->socket->other;
    HD_ASSERT(to);
    *error = to->has_shut_reading && to->state != HD_SOCKET_CLOSED ? EPIPE : ECONNREFUSED;
    return to->in->is_closed ? NULL : to;
}

static void settle_path(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    int error;
    const hd_socket *to = find_path(m, r, &error);
    if (to) {
        hd_ipc_fill_put(a, to->in, true, true);
        hd_ipc_look_at_readers(m, a, to->in);
        return;
    }
    uint64_t door = r->target.family
                        ? hd_ipc_door(hd_port_door(r->socket->host, r->socket->type, &r->target))
                        : hd_ipc_tail(r->socket->other->in);
    hd_ipc_fill_refused(a, door);
}

static int64_t send_unix(hd_machine *m, hd_socket *s, const hd_address *to, hd_item *item) {
    hd_ipc_request r = {.settle = settle_path, .socket = s};
    int error;
    if (to)
        r.target = *to;
    hd_ipc_stand(m, HD_DO_PUT, 0, &r);
    hd_socket *target = find_path(m, &r, &error);
    if (!target)
        return hd_ipc_fail(m, error);
    item->from = s->local;
    hd_queue_put(&net_of(m)->arena, target->in, item);
    return item->bytes.n;
}

static int64_t send_datagram(hd_machine *m, hd_file *f, hd_ipc_message *message, uint64_t total) {
    hd_socket *s = f->socket;
    const hd_address *to = message->to;
    bool is_unix = s->domain == AF_UNIX;
    if (s->asks_system)
        return hd_ipc_ask_system(m, f, message);
    if (!is_unix && hd_ipc_has_rivals(m, f))
        hd_ipc_look(m, NULL, s->in);
    if (!is_unix && s->has_shut_writing)
        return fail_sending(m, f, message->flags, EPIPE);
    if (!to && s->state != HD_SOCKET_CONNECTED)
        return hd_ipc_fail(m, is_unix ? ENOTCONN : EDESTADDRREQ);
    if (!to && (s->peer.n_path || !is_unix))
        to = &s->peer;
    hd_item *item = new_item(m, message, total);
    return is_unix ? send_unix(m, s, to, item) : send_udp(m, s, to, item);
}

int64_t hd_ipc_send(hd_machine *m, hd_file *f, hd_ipc_message *message) {
    hd_fault_before(m, true);
    if (hd_fault_of_send(m, f, message))
        return hd_ipc_fail(m, EAGAIN);
    hd_ipc_note_use(m, f, HD_USE_ANY);
    int64_t total = hd_ipc_total(message->pieces, message->n_pieces);
    if (total < 0)
        return hd_ipc_fail(m, EINVAL);
    /* Reading may be an event, and nothing that is found out about the socket lasts over one. */
    message->bytes = hd_ipc_gather(m, message->pieces, message->n_pieces, (uint64_t)total);
    if (f->kind == HD_FILE_PIPE)
        return send_pipe(m, f, message, (uint64_t)total);
    return hd_socket_is_connected_kind(f->socket) ? send_connection(m, f, message, (uint64_t)total)
                                                  : send_datagram(m, f, message, (uint64_t)total);
}
