/* poll and select. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"

#include <errno.h>

#define SECOND UINT64_C(1000000000)

/* When a wait of so many nanoseconds ends: 0 if it is none. */
static uint64_t end_of_wait(hd_machine *m, uint64_t nanoseconds) {
    return nanoseconds ? hd_ipc_deadline(m, nanoseconds) : 0;
}

static bool is_time(const struct timespec *t) {
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)SECOND;
}

static uint64_t nanoseconds_of(const struct timespec *t) {
    return t->tv_sec > INT32_MAX ? UINT64_MAX : SECOND * (uint64_t)t->tv_sec + (uint64_t)t->tv_nsec;
}

static hd_polled *new_list(hd_machine *m, uint64_t n) {
    return hd_arena_alloc(&hd_ipc_net(m)->arena, n * sizeof(hd_polled));
}

/* ---- poll ---- */

static uint32_t answer(hd_machine *m, const hd_polled *p, int descriptor) {
    if (descriptor < 0)
        return 0;
    return p->file ? hd_file_ready(p->file, hd_time_now(m)) & (p->wanted | POLLERR | POLLHUP)
                   : POLLNVAL;
}

/* All are found before the first is stored: that may be an event. */
static int store_answers(hd_machine *m, struct pollfd *files, uint64_t n, const hd_polled *list) {
    short *ready = hd_arena_alloc(&hd_ipc_net(m)->arena, n * sizeof *ready);
    int n_ready = 0;
    for (uint64_t i = 0; i < n; i++) {
        ready[i] = (short)answer(m, &list[i], list[i].descriptor);
        n_ready += ready[i] != 0;
    }
    for (uint64_t i = 0; i < n; i++)
        hd_ipc_store_plain(m, &files[i].revents, &ready[i], sizeof *ready);
    return n_ready;
}

/* All numbers are read before the first file is looked for: reading may be an event.  Of what is
 * wanted only that matters which the file may ever be. */
static void read_list(hd_machine *m, const struct pollfd *files, uint64_t n, hd_polled *list) {
    hd_number *wanted = hd_arena_alloc(&hd_ipc_net(m)->arena, n * sizeof *wanted);
    for (uint64_t i = 0; i < n; i++) {
        hd_library_get(m, &list[i].descriptor, &files[i].fd, sizeof files[i].fd);
        wanted[i] = hd_library_number(m, &files[i].events, sizeof files[i].events);
    }
    for (uint64_t i = 0; i < n; i++) {
        list[i].file = hd_ipc_find(m, list[i].descriptor);
        list[i].wanted = list[i].file
                             ? (uint32_t)hd_library_bits(m, wanted[i], hd_file_may_be(list[i].file))
                             : 0;
    }
}

/* A descriptor that is not open is an answer at once. */
static int poll_until(hd_machine *m, struct pollfd *files, uint64_t n, uint64_t deadline) {
    if (n > HD_MAX_DESCRIPTORS)
        return hd_ipc_fail(m, EINVAL);
    hd_ipc_check(m, files, n * sizeof *files, true);
    hd_polled *list = new_list(m, n);
    read_list(m, files, n, list);
    for (uint64_t i = 0; i < n; i++)
        if (list[i].descriptor >= 0 && !list[i].file)
            deadline = 0;
    if (!hd_ipc_poll(m, list, (uint32_t)n, NULL, deadline) && hd_ipc_was_interrupted(m))
        return hd_ipc_fail(m, EINTR);
    return store_answers(m, files, n, list);
}

int hd_libc_poll(struct pollfd *files, uint64_t n, int timeout) {
    hd_machine *m = hd_ipc_enter_point();
    uint64_t deadline =
        timeout < 0 ? UINT64_MAX : end_of_wait(m, UINT64_C(1000000) * (uint64_t)timeout);
    return poll_until(m, files, n, deadline);
}

/* NULL waits for ever; false if it is no time. */
static bool read_timeout(hd_machine *m, const struct timespec *timeout, uint64_t *deadline) {
    *deadline = UINT64_MAX;
    if (!timeout)
        return true;
    struct timespec t;
    hd_library_get(m, &t, timeout, sizeof t);
    if (!is_time(&t))
        return false;
    *deadline = end_of_wait(m, nanoseconds_of(&t));
    return true;
}

int hd_libc_ppoll(struct pollfd *files, uint64_t n, const struct timespec *timeout,
                  const void *mask) {
    hd_machine *m = hd_ipc_enter_point();
    uint64_t deadline;
    if (!read_timeout(m, timeout, &deadline))
        return hd_ipc_fail(m, EINVAL);
    hd_signals_wait_with(m, mask);
    int n_ready = poll_until(m, files, n, deadline);
    hd_signals_wait_is_over(m);
    return n_ready;
}

/* ---- select ---- */

#define SETS 3
static const uint32_t wanted_of[SETS] = {POLLIN | POLLRDNORM, POLLOUT | POLLWRNORM, POLLPRI};
/* What poll would say for a descriptor to be in the answer. */
static const uint32_t counts_as[SETS] = {POLLIN | POLLRDNORM | POLLHUP | POLLERR,
                                         POLLOUT | POLLWRNORM | POLLERR, POLLPRI};

static size_t set_bytes(int n) {
    HD_ASSERT(n >= 0 && n <= FD_SETSIZE);
    return ((size_t)n + 63) / 64 * 8;
}

static bool read_sets(hd_machine *m, int n, const fd_set *const *sets, hd_polled *list) {
    for (int d = 0; d < n; d++) {
        list[d].descriptor = d;
        for (int i = 0; i < SETS; i++)
            if (sets[i] && FD_ISSET(d, sets[i]))
                list[d].wanted |= wanted_of[i];
        if (!list[d].wanted)
            continue;
        list[d].file = hd_ipc_find(m, d);
        if (!list[d].file)
            return false;
    }
    return true;
}

static int find_ready(hd_machine *m, int n, const fd_set *asked, uint32_t counts,
                      const hd_polled *list, fd_set *found) {
    HD_ASSERT(n <= FD_SETSIZE);
    int n_ready = 0;
    FD_ZERO(found);
    for (int d = 0; asked && d < n; d++)
        if (list[d].file && FD_ISSET(d, asked) &&
            hd_file_ready(list[d].file, hd_time_now(m)) & counts) {
            FD_SET(d, found);
            n_ready++;
        }
    return n_ready;
}

/* All are found before the first is stored: that may be an event. */
static int store_sets(hd_machine *m, int n, fd_set *const *sets, const fd_set *const *asked,
                      const hd_polled *list) {
    fd_set found[SETS];
    int n_ready = 0;
    for (int i = 0; i < SETS; i++)
        n_ready += find_ready(m, n, asked[i], counts_as[i], list, &found[i]);
    for (int i = 0; i < SETS; i++)
        if (sets[i])
            hd_ipc_store_plain(m, sets[i], &found[i], set_bytes(n));
    return n_ready;
}

/* Errors and hang-ups wake up a select only if they count for what was asked. */
static void widen(hd_polled *list, int n) {
    for (int d = 0; d < n; d++)
        if (list[d].wanted & POLLIN)
            list[d].wanted |= POLLHUP;
}

/* Bits behind the last descriptor are not looked at. */
static const fd_set *read_set(hd_machine *m, const fd_set *set, int n) {
    HD_ASSERT(n <= FD_SETSIZE);
    uint64_t *copy = hd_arena_alloc(&hd_ipc_net(m)->arena, sizeof(fd_set));
    for (int first = 0; first < n; first += 64) {
        const char *from = (const char *)set + first / 8;
        uint64_t mask = n - first < 64 ? (UINT64_C(1) << (n - first)) - 1 : UINT64_MAX;
        copy[first / 64] = hd_library_bits(m, hd_library_number(m, from, 8), mask);
    }
    return (const fd_set *)copy;
}

static int select_until(hd_machine *m, int n, fd_set *const *sets, uint64_t deadline) {
    if (n < 0 || n > FD_SETSIZE)
        return hd_ipc_fail(m, EINVAL);
    const fd_set *asked[SETS] = {NULL};
    for (int i = 0; i < SETS; i++)
        if (sets[i]) {
            hd_ipc_check(m, sets[i], set_bytes(n), true);
            asked[i] = read_set(m, sets[i], n);
        }
    hd_polled *list = new_list(m, (uint64_t)n);
    if (!read_sets(m, n, asked, list))
        return hd_ipc_fail(m, EBADF);
    widen(list, n);
    if (!hd_ipc_poll(m, list, (uint32_t)n, NULL, deadline) && hd_ipc_was_interrupted(m))
        return hd_ipc_fail(m, EINTR);
    return store_sets(m, n, sets, asked, list);
}

int hd_libc_select(int n, fd_set *reading, fd_set *writing, fd_set *others,
                   struct timeval *timeout) {
    hd_machine *m = hd_ipc_enter_point();
    fd_set *const sets[SETS] = {reading, writing, others};
    uint64_t deadline = UINT64_MAX;
    if (timeout) {
        struct timeval wanted;
        hd_library_get(m, &wanted, timeout, sizeof wanted);
        if (wanted.tv_sec < 0 || wanted.tv_usec < 0)
            return hd_ipc_fail(m, EINVAL);
        struct timespec t = {wanted.tv_sec, 1000 * wanted.tv_usec};
        deadline = end_of_wait(m, nanoseconds_of(&t));
    }
    int n_ready = select_until(m, n, sets, deadline);
    if (timeout && n_ready >= 0) { /* Linux tells how much time was left */
        uint64_t now = hd_time_now(m), left = deadline > now ? deadline - now : 0;
        struct timeval t = {(time_t)(left / SECOND), (suseconds_t)(left % SECOND / 1000)};
        hd_ipc_store_plain(m, timeout, &t, sizeof t);
    }
    return n_ready;
}

int hd_libc_pselect(int n, fd_set *reading, fd_set *writing, fd_set *others,
                    const struct timespec *timeout, const void *mask) {
    hd_machine *m = hd_ipc_enter_point();
    fd_set *const sets[SETS] = {reading, writing, others};
    uint64_t deadline;
    if (!read_timeout(m, timeout, &deadline))
        return hd_ipc_fail(m, EINVAL);
    hd_signals_wait_with(m, mask);
    int n_ready = select_until(m, n, sets, deadline);
    hd_signals_wait_is_over(m);
    return n_ready;
}

/* The word of an fd_set that a descriptor is in, checked. */
long hd_libc_fdelt_chk(long descriptor) {
    hd_machine *m = hd_ipc_enter();
    if (descriptor < 0 || descriptor >= FD_SETSIZE)
        hd_end_finding(m, HD_FINDING_OUT_OF_BOUNDS, 0, "descriptor %ld does not fit into an fd_set",
                       descriptor);
    return descriptor / 64;
}
