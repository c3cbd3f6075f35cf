/* Readiness as Linux answers it (tcp_poll, unix_poll, pipe_poll), and interest lists. */
#include "world/epoll.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>

#define READABLE    (POLLIN | POLLRDNORM)
#define WRITABLE    (POLLOUT | POLLWRNORM)
#define MOST_NESTED 4 /* EP_MAX_NESTS */

static bool is_read_end(const hd_file *f) {
    return (f->flags & O_ACCMODE) == O_RDONLY;
}

static uint32_t pipe_ready(const hd_file *f) {
    const hd_queue *q = f->queue;
    if (!is_read_end(f))
        return WRITABLE | (q->is_closed ? POLLERR : 0);
    const hd_item *first = hd_queue_first(q);
    uint32_t ready = first ? READABLE : 0;
    return ready | (q->has_ended ? POLLHUP : 0);
}

static bool is_cut_off(const hd_socket *s) {
    bool peer_is_gone = s->domain == AF_UNIX && s->other && s->other->state == HD_SOCKET_CLOSED;
    bool is_shut = s->has_shut_writing || (s->domain == AF_UNIX && s->other->has_shut_reading);
    return s->state == HD_SOCKET_BROKEN || peer_is_gone || (s->in->has_ended && is_shut);
}

static uint32_t connection_ready(const hd_socket *s) {
    uint32_t ready = WRITABLE;
    if (!hd_queue_is_empty(s->in))
        ready |= READABLE;
    if (s->in->has_ended)
        ready |= READABLE | POLLRDHUP;
    return ready | (is_cut_off(s) ? POLLHUP : 0);
}

static uint32_t socket_ready(const hd_socket *s) {
    uint32_t ready = s->error ? POLLERR : 0;
    if (!hd_socket_is_connected_kind(s))
        return ready | WRITABLE | (hd_queue_is_empty(s->in) ? 0 : READABLE);
    if (s->state == HD_SOCKET_LISTENING && s->has_shut_reading && s->domain != AF_UNIX)
        return ready | WRITABLE | POLLHUP; /* it listens no more */
    if (s->state == HD_SOCKET_LISTENING)
        return ready | (hd_queue_is_empty(s->in) && !s->in->has_ended ? 0 : READABLE);
    if (hd_socket_is_under_way(s))
        return ready;
    if (s->state == HD_SOCKET_NEW && s->is_connecting) /* refused */
        return ready | READABLE | WRITABLE | POLLHUP | POLLRDHUP;
    if (s->state == HD_SOCKET_NEW)
        return ready | POLLHUP | WRITABLE;
    return ready | connection_ready(s);
}

static bool is_expired(const hd_counter *c, uint64_t now) {
    return c->expires && now >= c->expires;
}

static uint32_t counter_ready(const hd_file *f, uint64_t now) {
    const hd_counter *c = f->counter;
    if (f->kind == HD_FILE_TIMER)
        return is_expired(c, now) ? READABLE : 0;
    return (c->value ? READABLE : 0) | (c->value < UINT64_MAX - 1 ? WRITABLE : 0);
}

static uint32_t epoll_ready(const hd_epoll *e, uint64_t now) {
    for (uint32_t i = 0; i < e->n; i++)
        if (hd_interest_ready(&e->at[i], now))
            return READABLE;
    return 0;
}

uint32_t hd_file_ready(const hd_file *f, uint64_t now) {
    switch ((hd_file_kind)f->kind) {
    case HD_FILE_PIPE:
        return pipe_ready(f);
    case HD_FILE_SOCKET:
        return socket_ready(f->socket);
    case HD_FILE_MESSAGES:
        return (hd_queue_is_empty(f->messages->queue) ? 0 : READABLE) |
               (hd_queue_is_full(f->messages->queue) ? 0 : WRITABLE);
    case HD_FILE_EVENT:
    case HD_FILE_TIMER:
        return counter_ready(f, now);
    case HD_FILE_EPOLL:
        return epoll_ready(f->epoll, now);
    default:
        return READABLE | WRITABLE;
    }
}

uint32_t hd_file_may_be(const hd_file *f) {
    switch ((hd_file_kind)f->kind) {
    case HD_FILE_PIPE:
        return is_read_end(f) ? READABLE : WRITABLE;
    case HD_FILE_SOCKET:
        return READABLE | WRITABLE | POLLRDHUP;
    case HD_FILE_TIMER:
    case HD_FILE_EPOLL:
        return READABLE;
    default:
        return READABLE | WRITABLE;
    }
}

hd_queue *hd_file_input(const hd_file *f) {
    switch ((hd_file_kind)f->kind) {
    case HD_FILE_PIPE:
        return f->queue;
    case HD_FILE_SOCKET:
        return f->socket->in;
    case HD_FILE_MESSAGES:
        return f->messages->queue;
    default:
        return NULL;
    }
}

uint32_t hd_file_news(const hd_file *f, uint32_t wanted) {
    const hd_queue *q = hd_file_input(f);
    const hd_counter *c = f->counter;
    if (q || !c)
        return q ? q->n_put + q->has_ended : 0;
    return (wanted & READABLE ? c->n_changes : 0) + (wanted & WRITABLE ? c->n_taken : 0);
}

uint64_t hd_file_due(const hd_file *f) {
    if (f->kind == HD_FILE_TIMER && f->counter->expires)
        return f->counter->expires;
    uint64_t due = UINT64_MAX;
    for (uint32_t i = 0; f->kind == HD_FILE_EPOLL && i < f->epoll->n; i++) {
        uint64_t one = hd_file_due(f->epoll->at[i].file);
        due = one < due ? one : due;
    }
    return due;
}

/* ---- interest lists ---- */

hd_epoll *hd_epoll_new(hd_net *n, uint32_t id, uint32_t owner) {
    hd_epoll *e = hd_arena_alloc(&n->arena, sizeof *e);
    e->id = id;
    e->owner = owner;
    return e;
}

hd_interest *hd_epoll_find(const hd_epoll *e, int descriptor, const hd_file *file) {
    for (uint32_t i = 0; i < e->n; i++)
        if (e->at[i].descriptor == descriptor && e->at[i].file == file)
            return &e->at[i];
    return NULL;
}

void hd_epoll_add(hd_net *n, hd_epoll *e, hd_interest entry) {
    if (e->n == e->room) {
        e->room = e->room ? 2 * e->room : 8;
        hd_interest *more = hd_arena_alloc(&n->arena, e->room * sizeof *more);
        if (e->n)
            memcpy(more, e->at, e->n * sizeof *more);
        e->at = more;
    }
    e->at[e->n++] = entry;
}

void hd_epoll_remove(hd_epoll *e, hd_interest *entry) {
    size_t behind = (size_t)(e->at + e->n - entry) - 1;
    memmove(entry, entry + 1, behind * sizeof *entry);
    e->n--;
}

bool hd_epoll_leads_to(const hd_epoll *e, const hd_epoll *to) {
    if (e == to)
        return true;
    for (uint32_t i = 0; i < e->n; i++)
        if (e->at[i].file->kind == HD_FILE_EPOLL && hd_epoll_leads_to(e->at[i].file->epoll, to))
            return true;
    return false;
}

/* How many lists lie under this one, and how many above it, at most. */
static unsigned depth_of(const hd_epoll *e) {
    unsigned most = 0;
    for (uint32_t i = 0; i < e->n; i++)
        if (e->at[i].file->kind == HD_FILE_EPOLL) {
            unsigned one = 1 + depth_of(e->at[i].file->epoll);
            most = one > most ? one : most;
        }
    return most;
}

static bool holds(const hd_file *f, const hd_epoll *e) {
    if (!f || f->kind != HD_FILE_EPOLL)
        return false;
    for (uint32_t i = 0; i < f->epoll->n; i++)
        if (f->epoll->at[i].file->kind == HD_FILE_EPOLL && f->epoll->at[i].file->epoll == e)
            return true;
    return false;
}

static unsigned height_of(const hd_net *n, const hd_epoll *e) {
    unsigned most = 0;
    for (size_t t = 0; t < n->tables.n; t++)
        for (uint32_t i = 0; n->tables.at[t].is_used && i < n->tables.at[t].n; i++) {
            const hd_file *f = n->tables.at[t].at[i].file;
            unsigned one = holds(f, e) ? 1 + height_of(n, f->epoll) : 0;
            most = one > most ? one : most;
        }
    return most;
}

bool hd_epoll_is_too_deep(const hd_net *n, const hd_epoll *above, const hd_epoll *below) {
    return height_of(n, above) + 1 + depth_of(below) > MOST_NESTED;
}

void hd_epoll_forget(hd_epoll *e, const hd_file *file) {
    for (uint32_t i = e->n; i-- > 0;)
        if (e->at[i].file == file)
            hd_epoll_remove(e, &e->at[i]);
}

uint32_t hd_interest_ready(const hd_interest *i, uint64_t now) {
    uint32_t wanted = (i->events & 0xffff) | POLLERR | POLLHUP;
    if (i->is_spent)
        return 0;
    if (i->events & EPOLLET && !i->is_fresh && hd_file_news(i->file, i->events) == i->n_seen)
        return 0;
    return hd_file_ready(i->file, now) & wanted;
}

void hd_interest_report(hd_interest *i) {
    i->is_fresh = false;
    i->n_seen = hd_file_news(i->file, i->events);
    if (i->events & EPOLLONESHOT)
        i->is_spent = true;
}
