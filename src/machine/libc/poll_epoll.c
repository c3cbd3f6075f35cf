/* epoll: lists of descriptors that are waited for, level and edge triggered. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"

#include <errno.h>
#include <fcntl.h>

/* What is said about how to tell, besides what. */
#define HOW (EPOLLET | EPOLLONESHOT)

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

static hd_file *list_of(hd_machine *m, int descriptor) {
    hd_file *f = hd_ipc_file(m, descriptor);
    if (f && f->kind != HD_FILE_EPOLL)
        hd_ipc_fail(m, EINVAL);
    return f && f->kind == HD_FILE_EPOLL ? f : NULL;
}

/* Which lists have others decides whether one more would close a circle: whoever changes that is
 * ordered with all others who do. */
#define NESTING HD_QUEUE_STATE(UINT32_C(0x1ffe0000))

static void change_event(hd_machine *m, const hd_file *list, const hd_file *target) {
    if (!hd_ipc_has_rivals(m, list) && !hd_ipc_has_rivals(m, target))
        return;
    hd_action a =
        hd_action_on(m, HD_DO_OBJECT, 0, (const void *)hd_ipc_state_of(list), 1, HD_MODE_WRITE);
    if (target->kind == HD_FILE_EPOLL)
        hd_action_also(&a, NESTING, 1, HD_MODE_WRITE, true);
    hd_visible(m, &a);
}

static int change(hd_machine *m, hd_epoll *e, int operation, hd_interest wanted) {
    HD_ASSERT(wanted.file && wanted.descriptor >= 0);
    hd_interest *found = hd_epoll_find(e, wanted.descriptor, wanted.file);
    if (operation == EPOLL_CTL_ADD) {
        const hd_epoll *other = wanted.file->kind == HD_FILE_EPOLL ? wanted.file->epoll : NULL;
        if (other && (hd_epoll_leads_to(other, e) || hd_epoll_is_too_deep(hd_ipc_net(m), e, other)))
            return hd_ipc_fail(m, ELOOP);
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
    if (f->kind == HD_FILE_DISK || f->kind == HD_FILE_STANDARD)
        return hd_ipc_fail(m, EPERM);
    const hd_file *list = list_of(m, descriptor);
    if (!list || descriptor == target)
        return hd_ipc_fail(m, EINVAL);
    hd_interest wanted = {.file = f, .descriptor = target, .is_fresh = true};
    if (operation == EPOLL_CTL_ADD || operation == EPOLL_CTL_MOD) {
        hd_number events = hd_library_number(m, &event->events, sizeof event->events);
        hd_number data = hd_library_number(m, &event->data, sizeof event->data);
        wanted.events = (uint32_t)hd_library_bits(m, events, hd_file_may_be(f) | HOW);
        wanted.data = data.value;
        wanted.data_shadow = data.e;
    } else if (operation != EPOLL_CTL_DEL)
        return hd_ipc_fail(m, EINVAL);
    change_event(m, list, f);
    int result = change(m, list->epoll, operation, wanted);
    hd_ipc_renew_deadlines(m);
    return result;
}

/* All are found before the first is stored: that may be an event. */
typedef struct answer {
    uint32_t events;
    hd_number data;
} answer;

int hd_libc_epoll_wait(int descriptor, struct epoll_event *out, int n, int timeout) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *list = list_of(m, descriptor);
    if (!list)
        return -1;
    if (n <= 0 || n > MAX_EVENTS)
        return hd_ipc_fail(m, EINVAL);
    uint64_t deadline = timeout < 0    ? UINT64_MAX
                        : timeout == 0 ? 0
                                       : hd_ipc_deadline(m, UINT64_C(1000000) * (uint64_t)timeout);
    if (!hd_ipc_poll(m, NULL, 0, list, deadline) && hd_ipc_was_interrupted(m))
        return hd_ipc_fail(m, EINTR);
    uint64_t now = hd_time_now(m);
    int found = 0;
    hd_epoll *e = list->epoll;
    uint32_t most = e->n < (uint32_t)n ? e->n : (uint32_t)n;
    answer *answers = hd_arena_alloc(&hd_ipc_net(m)->arena, most * sizeof *answers);
    for (uint32_t i = 0; i < e->n && found < n; i++) {
        hd_interest *one = &e->at[i];
        uint32_t ready = hd_interest_ready(one, now);
        if (!ready)
            continue;
        HD_ASSERT((uint32_t)found < most);
        answers[found++] = (answer){ready, {one->data, one->data_shadow}};
        hd_interest_report(one);
    }
    for (int i = 0; i < found; i++) {
        hd_ipc_store_plain(m, &out[i].events, &answers[i].events, sizeof answers[i].events);
        hd_library_put_number(m, &out[i].data, answers[i].data, sizeof out[i].data);
    }
    return found;
}

int hd_libc_epoll_pwait(int descriptor, struct epoll_event *out, int n, int timeout,
                        const void *mask) {
    hd_signals_wait_with(hd_ipc_enter_point(), mask);
    int n_ready = hd_libc_epoll_wait(descriptor, out, n, timeout);
    hd_signals_wait_is_over(hd_now);
    return n_ready;
}
