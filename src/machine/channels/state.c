/* The state of an open file, apart from what goes through it: flags, options, names, lists of
 * epoll, times of timers.
 *
 * Processes that have a file by fork or SCM_RIGHTS, and threads, share it.  So asking for state is
 * an event that conflicts with changing it, each at one address for each file: none of this is on
 * the way of data, and nothing is gained by telling the parts apart. */
#include "machine/channels/ipc.h"

#include <fcntl.h>

#define OTHER_END 8 /* of a pipe, which has flags of its own */

static uint64_t state_address(uint32_t id, bool is_other_end) {
    return HD_QUEUE_STATE(id) + (is_other_end ? OTHER_END : 0);
}

/* Doors are for others; the number of its own stays the same when it is bound. */
uint64_t hd_ipc_state_of(const hd_file *f) {
    switch ((hd_file_kind)f->kind) {
    case HD_FILE_PIPE:
        return state_address(f->queue->id, (f->flags & O_ACCMODE) == O_WRONLY);
    case HD_FILE_SOCKET:
        return state_address(f->socket->in->id, false);
    case HD_FILE_MESSAGES: /* of all who have opened it */
        return state_address(f->messages->queue->id, false);
    case HD_FILE_EVENT:
    case HD_FILE_TIMER:
        return state_address(f->counter->id, false);
    case HD_FILE_EPOLL:
        return state_address(f->epoll->id, false);
    case HD_FILE_DISK:
        return HD_TOKEN_FILE(f->inode->name);
    case HD_FILE_SHARED:
        return HD_TOKEN_NAMES;
    case HD_FILE_STANDARD:
        break;
    }
    return HD_TOKEN_OUTSIDE;
}

void hd_ipc_state_event(hd_machine *m, const hd_file *f, bool is_store) {
    if (!hd_ipc_has_rivals(m, f))
        return;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, (const void *)hd_ipc_state_of(f), 1,
                               is_store ? HD_MODE_WRITE : HD_MODE_READ);
    hd_visible(m, &a);
}

/* ---- times that change while others wait for them ---- */

/* Is the thread in a wait for files, or about to begin one? */
static bool awaits_files(hd_machine *m, uint32_t thread) {
    return hd_set_has(m->threads.alive, thread) && !m->thread[thread].is_courier &&
           m->ipc->request[thread].until && !hd_process_at(m, hd_process_of(m, thread))->has_ended;
}

uint64_t hd_ipc_due(const hd_ipc_request *r) {
    uint64_t due = r->until;
    if (r->counter && r->file && hd_file_due(r->file) < due)
        due = hd_file_due(r->file);
    for (uint32_t i = 0; i < r->n_polled; i++)
        if (r->polled[i].file && hd_file_due(r->polled[i].file) < due)
            due = hd_file_due(r->polled[i].file);
    for (uint32_t i = 0; r->epoll && i < r->epoll->n; i++)
        if (hd_file_due(r->epoll->at[i].file) < due)
            due = hd_file_due(r->epoll->at[i].file);
    HD_CHECK(due <= r->until);
    return due;
}

bool hd_ipc_has_running_timer(hd_machine *m, const hd_ipc_request *r) {
    hd_ipc_request timers = *r;
    timers.until = UINT64_MAX; /* its own time is no timer */
    uint64_t due = m->system.is_concurrent || hd_is_threaded(m) ? hd_ipc_due(&timers) : UINT64_MAX;
    return due != UINT64_MAX && due > hd_time_now(m);
}

void hd_ipc_renew_deadlines(hd_machine *m) {
    HD_ASSERT(m->ipc);
    for (uint32_t t = 0; t < m->threads.n; t++) {
        const hd_ipc_request *r = &m->ipc->request[t];
        if (t != hd_thread_current(m) && awaits_files(m, t))
            hd_wait_of(m, t, hd_ipc_due(r));
    }
}
