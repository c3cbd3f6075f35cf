/* epoll: lists of descriptors that are waited for, level and edge triggered. */
#include "machine/libc_ipc.h"

#include <errno.h>
#include <fcntl.h>

#define MAX_EVENTS (INT32_MAX / (int)sizeof(struct epoll_event))

int hd_libc_epoll_create1(int flags) {
    hd_machine *m = hd_ipc_enter();
    if (flags & ~EPOLL_CLOEXEC)
        return hd_ipc_fail(m, EINVAL);
    hd_file *f = hd_file_new(hd_ipc_net(m), HD_FILE_EPOLL, O_RDWR);
    f->epoll = hd_epoll_new(hd_ipc_net(m), hd_name_object(m), hd_ipc_process(m));
    return hd_ipc_open(m, f, flags & EPOLL_CLOEXEC);
}

int hd_libc_epoll_create(int size) {
    hd_machine *m = hd_ipc_enter();
    return size <= 0 ? hd_ipc_fail(m, EINVAL) : hd_libc_epoll_create1(0);
}

static hd_epoll *epoll_of(hd_machine *m, int descriptor) {
    hd_file *f = hd_ipc_file(m, descriptor);
    if (f && f->kind != HD_FILE_EPOLL)
        hd_ipc_fail(m, EINVAL);
    return f && f->kind == HD_FILE_EPOLL ? f->epoll : NULL;
}

/* Threads of one process may share a list: they conflict on it. */
static void change_list(hd_machine *m, const hd_epoll *e) {
    hd_action a =
        hd_action_on(m, HD_DO_OBJECT, 0, (const void *)HD_QUEUE_TAIL(e->id), 1, HD_MODE_WRITE);
    hd_action_also(&a, hd_ipc_ready(e->owner, e->id), 1, HD_MODE_ADD, true);
    if (hd_ipc_is_shared_table(m))
        hd_visible(m, &a);
}

static int change(hd_machine *m, hd_epoll *e, int operation, hd_interest wanted) {
    hd_interest *found = hd_epoll_find(e, wanted.descriptor, wanted.file);
    change_list(m, e);
    if (operation == EPOLL_CTL_ADD) {
        if (found)
            return hd_ipc_fail(m, EEXIST);
        hd_epoll_add(hd_ipc_net(m), e, wanted);
        return 0;
    }
    if (!found)
        return hd_ipc_fail(m, ENOENT);
    if (operation == EPOLL_CTL_MOD)
        *found = wanted;
    else
        hd_epoll_remove(e, found);
    return 0;
}

int hd_libc_epoll_ctl(int descriptor, int operation, int target, struct epoll_event *event) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f = hd_ipc_file(m, target);
    if (!f || !hd_ipc_file(m, descriptor))
        return -1;
    if (f->kind == HD_FILE_HOST || f->kind == HD_FILE_STANDARD)
        return hd_ipc_fail(m, EPERM);
    hd_epoll *e = epoll_of(m, descriptor);
    if (!e || descriptor == target)
        return hd_ipc_fail(m, EINVAL);
    hd_interest wanted = {.file = f, .descriptor = target, .is_fresh = true};
    if (operation == EPOLL_CTL_ADD || operation == EPOLL_CTL_MOD) {
        struct epoll_event read;
        memcpy(&read, hd_ipc_load(m, event, sizeof read).at, sizeof read);
        wanted.events = read.events;
        wanted.data = read.data.u64;
    } else if (operation != EPOLL_CTL_DEL)
        return hd_ipc_fail(m, EINVAL);
    return change(m, e, operation, wanted);
}

int hd_libc_epoll_wait(int descriptor, struct epoll_event *out, int n, int timeout) {
    hd_machine *m = hd_ipc_enter();
    hd_epoll *e = epoll_of(m, descriptor);
    if (!e)
        return -1;
    if (n <= 0 || n > MAX_EVENTS)
        return hd_ipc_fail(m, EINVAL);
    uint64_t deadline = timeout < 0    ? UINT64_MAX
                        : timeout == 0 ? 0
                                       : hd_ipc_deadline(m, UINT64_C(1000000) * (uint64_t)timeout);
    if (!hd_ipc_poll(m, NULL, 0, e, deadline) && hd_ipc_was_interrupted(m))
        return hd_ipc_fail(m, EINTR);
    uint64_t now = hd_time_now(m);
    int found = 0;
    struct epoll_event *answers =
        hd_arena_alloc(&hd_ipc_net(m)->arena, (uint64_t)n * sizeof *answers);
    for (uint32_t i = 0; i < e->n && found < n; i++) {
        hd_interest *one = &e->at[i];
        uint32_t ready = hd_interest_ready(one, now);
        if (!ready)
            continue;
        answers[found++] = (struct epoll_event){.events = ready, .data.u64 = one->data};
        hd_interest_report(one);
    }
    for (int i = 0; i < found; i++)
        hd_ipc_store_plain(m, &out[i], &answers[i], sizeof answers[i]);
    return found;
}

int hd_libc_epoll_pwait(int descriptor, struct epoll_event *out, int n, int timeout,
                        const void *mask) {
    (void)mask; /* no signal comes */
    return hd_libc_epoll_wait(descriptor, out, n, timeout);
}
