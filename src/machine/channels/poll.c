/* Waiting for one of several files.
 *
 * What a file answers depends on the items of its queue and on its end, so that is what is looked
 * at, and the head if somebody else takes from it.  If that is more than an action has room
 * for, the readiness of each queue stands for it, which changes with everything that happens to the
 * queue; and if even that is too much, the readiness of all that their owners have. */
#include "machine/channels/faults.h"
#include "machine/channels/ipc.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>

typedef enum how { EXACTLY, BY_QUEUE, BY_OWNER } how;
typedef struct looking {
    hd_action *action;
    how how;
    uint32_t n;                 /* accesses that are needed */
    uint32_t n_filled, n_ended; /* queues that hold something; that have ended */
    uint32_t first_owner, last_owner;
} looking;

static void touch(looking *l, uint64_t address, uint32_t size, hd_access_mode mode) {
    if (l->n++ < HD_OWN_ACCESSES)
        hd_action_also(l->action, address, size, mode, true);
}

static void look_at(looking *l, uint64_t address, uint32_t size) {
    touch(l, address, size, HD_MODE_READ);
}

/* All that is needed of one object: its exact addresses are looked at by the caller. */
static bool is_exact(looking *l, uint32_t owner, uint64_t ready) {
    HD_CHECK(owner < HD_MAX_THREADS);
    l->first_owner = owner < l->first_owner ? owner : l->first_owner;
    l->last_owner = owner > l->last_owner ? owner : l->last_owner;
    if (l->how == BY_QUEUE)
        look_at(l, ready, 1);
    return l->how == EXACTLY;
}

static void count(looking *l, const hd_queue *q) {
    l->n_filled += !hd_queue_is_empty(q);
    l->n_ended += q->has_ended;
}

/* Is the file, or was it not long ago, a socket that somebody else may let listen?  Until then it
 * is ready for nothing but to be told so. */
static bool may_come_to_listen(const hd_file *f) {
    const hd_socket *s = f->kind == HD_FILE_SOCKET ? f->socket : NULL;
    return s && hd_socket_is_connected_kind(s) && (s->state == HD_SOCKET_NEW || s->listens_late) &&
           hd_ipc_has_rivals(hd_now, f);
}

static void look_at_queue(looking *l, const hd_file *f, const hd_queue *q) {
    bool is_exactly = is_exact(l, q->owner, hd_ipc_ready_of(q));
    if (f->kind == HD_FILE_PIPE && (f->flags & O_ACCMODE) == O_WRONLY) {
        uint32_t n;
        uint64_t readers = hd_ipc_readers_of(hd_now, q, l->action->thread, &n);
        if (is_exactly)
            look_at(l, readers, n);
        return;
    }
    count(l, q);
    if (!is_exactly)
        return;
    look_at(l, hd_ipc_slot(q, q->n_taken), q->n_put - q->n_taken + 1);
    if (q->can_end)
        look_at(l, hd_ipc_end_of(q), 1);
    if (!hd_set_is_empty(hd_set_without(q->takers, l->action->thread)))
        look_at(l, hd_ipc_head(q), 1);
    if (may_come_to_listen(f))
        look_at(l, hd_ipc_state_of(f), 1);
    hd_action listener = {.thread = l->action->thread};
    hd_ipc_look_at_listener(&listener, f);
    if (listener.n_accesses)
        look_at(l, listener.access[0].address, listener.access[0].size);
}

/* Two bytes if there is something to be read. */
static void look_at_counter(looking *l, const hd_file *f) {
    const hd_counter *c = f->counter;
    HD_CHECK(c);
    bool is_set = hd_file_ready(f, hd_time_now(hd_now)) & POLLIN;
    if (!is_exact(l, c->owner, hd_ipc_ready(c->owner, c->id)))
        return;
    look_at(l, HD_QUEUE_COUNT(c->id), is_set ? 2 : 1);
    l->n_filled += is_set;
}

static void look_at_file(looking *l, const hd_file *f);

/* What is on the list may be changed by others.  What is told once only changes it. */
static void look_at_list(looking *l, const hd_file *f, bool is_told) {
    const hd_epoll *e = f->epoll;
    HD_CHECK(f->kind == HD_FILE_EPOLL && e);
    bool changes = false;
    for (uint32_t i = 0; is_told && i < e->n; i++)
        changes |= e->at[i].events & (EPOLLET | EPOLLONESHOT) &&
                   hd_interest_ready(&e->at[i], hd_time_now(hd_now));
    if (hd_ipc_has_rivals(hd_now, f))
        touch(l, hd_ipc_state_of(f), 1, changes ? HD_MODE_WRITE : HD_MODE_READ);
    for (uint32_t i = 0; i < e->n; i++)
        look_at_file(l, e->at[i].file);
}

static void look_at_file(looking *l, const hd_file *f) {
    const hd_queue *q = hd_file_input(f);
    if (q)
        look_at_queue(l, f, q);
    else if (f->kind == HD_FILE_EVENT || f->kind == HD_FILE_TIMER)
        look_at_counter(l, f);
    if (f->kind == HD_FILE_EPOLL)
        look_at_list(l, f, false);
}

static looking look_at_files(const hd_ipc_request *r, hd_action *a, how how) {
    looking l = {.action = a, .how = how, .first_owner = UINT32_MAX};
    a->n_accesses = 0;
    for (uint32_t i = 0; i < r->n_polled; i++)
        if (r->polled[i].file)
            look_at_file(&l, r->polled[i].file);
    if (r->epoll)
        look_at_list(&l, r->file, true);
    return l;
}

static looking look_at_all(const hd_ipc_request *r, hd_action *a) {
    looking l = look_at_files(r, a, EXACTLY);
    if (l.n > HD_OWN_ACCESSES)
        l = look_at_files(r, a, BY_QUEUE);
    if (l.n <= HD_OWN_ACCESSES)
        return l;
    l = look_at_files(r, a, BY_OWNER);
    HD_ASSERT(!a->n_accesses && l.first_owner <= l.last_owner);
    uint64_t first = HD_TOKEN_READY(l.first_owner), end = HD_TOKEN_READY(l.last_owner + 1);
    hd_action_also(a, first, (uint32_t)(end - first), HD_MODE_READ, true);
    return l;
}

static uint32_t count_ready(hd_machine *m, const hd_ipc_request *r) {
    uint64_t now = hd_time_now(m);
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_polled; i++) {
        const hd_polled *p = &r->polled[i];
        n += p->file && hd_file_ready(p->file, now) & (p->wanted | POLLERR | POLLHUP);
    }
    for (uint32_t i = 0; r->epoll && i < r->epoll->n; i++)
        n += hd_interest_ready(&r->epoll->at[i], now) != 0;
    return n;
}

static bool is_any_ready(hd_machine *m, const hd_ipc_request *r) {
    return count_ready(m, r) != 0;
}

/* Is a file ready for something that neither an item nor the end of its queue is the reason of (to
 * be written to, not connected, a timer)?  Then it is so without any event. */
static bool is_ready_anyway(const hd_file *f, uint32_t ready) {
    const hd_queue *q = hd_file_input(f);
    if (f->kind == HD_FILE_EPOLL)
        return false; /* what it looks at */
    if (f->kind == HD_FILE_EVENT || f->kind == HD_FILE_TIMER)
        return ready & (POLLOUT | POLLWRNORM); /* or what it counts */
    if (!q)
        return ready != 0;
    bool is_cause = !hd_queue_is_empty(q) || q->has_ended;
    return ready & (POLLOUT | POLLWRNORM) || (ready & ~(uint32_t)POLLERR && !is_cause);
}

static bool is_any_ready_anyway(hd_machine *m, const hd_ipc_request *r) {
    uint64_t now = hd_time_now(m);
    for (uint32_t i = 0; i < r->n_polled; i++) {
        const hd_polled *p = &r->polled[i];
        if (p->file &&
            is_ready_anyway(p->file, hd_file_ready(p->file, now) & (p->wanted | POLLHUP)))
            return true;
    }
    for (uint32_t i = 0; r->epoll && i < r->epoll->n; i++)
        if (is_ready_anyway(r->epoll->at[i].file, hd_interest_ready(&r->epoll->at[i], now)))
            return true;
    return false;
}

static void settle_poll(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    looking l = look_at_all(r, a);
    HD_CHECK(a->n_accesses <= HD_OWN_ACCESSES + 1);
    uint32_t n_ready = count_ready(m, r);
    hd_ipc_set_failed(a, n_ready == 0);
    a->state = l.n_filled;
    bool is_so_anyway = (n_ready && !l.n_filled && !l.n_ended) || is_any_ready_anyway(m, r);
    a->detail = is_so_anyway ? UINT32_MAX : l.n_ended;
}

static void describe_polled(hd_machine *m, const hd_file *f, uint32_t *n, hd_text *out) {
    hd_text_add(out, (*n)++ ? ", " : " ");
    hd_ipc_describe_file(m, f, out);
}

static void describe_poll(hd_machine *m, const hd_ipc_request *r, hd_text *out) {
    uint32_t n = 0;
    hd_text_add(out, "waits for something to happen at");
    for (uint32_t i = 0; i < r->n_polled; i++)
        if (r->polled[i].file)
            describe_polled(m, r->polled[i].file, &n, out);
    for (uint32_t i = 0; r->epoll && i < r->epoll->n; i++)
        describe_polled(m, r->epoll->at[i].file, &n, out);
    if (!n)
        hd_text_add(out, " nothing");
}

bool hd_ipc_poll(hd_machine *m, hd_polled *polled, uint32_t n, hd_file *list, uint64_t deadline) {
    hd_fault_before(m, false);
    HD_ASSERT(n <= HD_MAX_DESCRIPTORS && (polled || !n));
    HD_ASSERT(!list || list->kind == HD_FILE_EPOLL);
    hd_ipc_request r = {.is_ready = is_any_ready,
                        .settle = settle_poll,
                        .describe = describe_poll,
                        .polled = polled,
                        .n_polled = n,
                        .file = list,
                        .epoll = list ? list->epoll : NULL,
                        .is_poll = !list,
                        .until = deadline};
    for (uint32_t i = 0; i < n; i++)
        if (polled[i].file)
            hd_ipc_note_use(m, polled[i].file, HD_USE_ANY);
    return hd_ipc_wait(m, HD_DO_POLL, &r, deadline ? hd_ipc_due(&r) : 0) || is_any_ready(m, &r);
}
