/* Worker processes, seen from the supervisor (crew.h). */
#include "fleet/crew.h"

#include "base/clock.h"
#include "base/panic.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define LEAST_SHARE 0.001 /* of a processor: who gets less does not want it */
#define DEAFNESS    10    /* seconds until a worker that does not read what it asked for is gone */

bool hd_seat_open(hd_seat *seat, hd_err *err) {
    *seat = (hd_seat){.channel = mmap(NULL, sizeof *seat->channel, PROT_READ | PROT_WRITE,
                                      MAP_SHARED | MAP_ANONYMOUS, -1, 0),
                      .live = hd_observers_new()};
    return seat->channel != MAP_FAILED ||
           hd_err_set(err, "cannot start a worker: %s", strerror(errno));
}

void hd_seat_close(hd_seat *seat) {
    HD_ASSERT(!seat->pid);
    munmap(seat->channel, sizeof *seat->channel);
    hd_vec_release(&seat->queue);
    hd_observers_free(seat->live);
}

/* ---- starting ---- */

static bool open_socket(int pair[2], hd_err *err) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return hd_err_set(err, "cannot start a worker: %s", strerror(errno));
    int size = 1 << 20;
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    struct timeval most = {.tv_sec = DEAFNESS};
    setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    return true;
}

static void reset_channel(hd_channel *channel) {
    atomic_store(&channel->is_asked_to_stop, false);
    atomic_store(&channel->is_asked_to_give, false);
    atomic_store(&channel->is_somebody_idle, false);
    atomic_store(&channel->execution, 0);
    atomic_store(&channel->is_rebuilding, false);
    channel->words.is_running = false;
}

bool hd_seat_start(hd_seat *seat, hd_orders orders, hd_err *err) {
    HD_ASSERT(!seat->pid && seat->care.n_windows <= HD_MAX_WINDOWS && !seat->inbox.bytes.n);
    int pair[2];
    if (!open_socket(pair, err))
        return false;
    reset_channel(seat->channel);
    atomic_store(&seat->channel->is_out_of_time, false);
    atomic_store(&seat->channel->unlisted, -1);
    orders.channel = seat->channel;
    orders.socket = pair[1];
    orders.supervisor = getpid();
    orders.care = seat->care;
    pid_t pid = fork();
    if (pid == 0)
        hd_worker_main(&orders);
    close(pair[1]);
    seat->socket = pair[0];
    seat->pid = pid > 0 ? pid : 0;
    seat->last_execution = 0;
    if (pid > 0)
        return true;
    close(pair[0]);
    return hd_err_set(err, "cannot start a worker: %s", strerror(errno));
}

bool hd_seat_send(hd_seat *seat, const hd_works *works) {
    HD_INVARIANT(Q1, works->n && !seat->has_unit && !seat->queue.n);
    hd_text payload = {0};
    reset_channel(seat->channel);
    hd_wire_pack_works(&payload, works);
    bool ok = hd_wire_send(seat->socket, HD_FRAME_WORK, payload.at, payload.n);
    hd_text_release(&payload);
    for (size_t i = 0; i < works->n; i++)
        hd_vec_push(&seat->queue, ((hd_unit_at){works->at[i].unit, works->at[i].epoch}));
    seat->max_executions = works->at[0].max_executions;
    hd_seat_go_on(seat);
    return ok;
}

void hd_seat_go_on(hd_seat *seat) {
    hd_observers_clear(seat->live);
    seat->has_unit = seat->queue.n;
    if (!seat->has_unit)
        return;
    seat->unit = seat->queue.at[0].unit;
    seat->epoch = seat->queue.at[0].epoch;
    seat->queue.n--;
    memmove(seat->queue.at, seat->queue.at + 1, seat->queue.n * sizeof *seat->queue.at);
}

bool hd_seat_take_back(hd_seat *seat, uint64_t unit, uint64_t epoch) {
    HD_INVARIANT(Q1, seat->has_unit || !seat->queue.n);
    if (seat->has_unit && seat->unit == unit && seat->epoch == epoch) {
        hd_seat_go_on(seat);
        return true;
    }
    for (size_t i = 0; i < seat->queue.n; i++) {
        if (seat->queue.at[i].unit != unit || seat->queue.at[i].epoch != epoch)
            continue;
        seat->queue.n--;
        memmove(seat->queue.at + i, seat->queue.at + i + 1,
                (seat->queue.n - i) * sizeof *seat->queue.at);
        return true;
    }
    return false;
}

int hd_seat_end(hd_seat *seat) {
    HD_INVARIANT(F1, seat->pid > 0 && seat->pid != getpid());
    int status = 0;
    if (kill(seat->pid, SIGKILL) != 0) /* it ends by itself when nobody is there */
        shutdown(seat->socket, SHUT_RDWR);
    while (waitpid(seat->pid, &status, 0) < 0 && errno == EINTR)
        ;
    hd_seat_leave(seat);
    return status;
}

void hd_seat_leave(hd_seat *seat) {
    HD_ASSERT(seat->pid > 0);
    close(seat->socket);
    hd_inbox_release(&seat->inbox);
    seat->pid = 0;
    seat->has_unit = false;
    hd_vec_clear(&seat->queue);
    hd_observers_clear(seat->live);
}

/* ---- watching ---- */

/* Has the worker had next to no processor time since the last look, and so did not want any?  One
 * whose executions are children waits for them; they have limits of their own. */
static bool has_waited(hd_seat *seat, double now, double cpu) {
    const hd_care *care = &seat->care;
    bool has_children = care->always || care->n_windows > 0 || care->when_rebuilding;
    if (now - seat->looked_at < HD_PATIENCE)
        return false;
    bool has = !has_children && cpu - seat->looked_cpu < HD_PATIENCE * LEAST_SHARE;
    seat->looked_at = now;
    seat->looked_cpu = cpu;
    return has;
}

static void note_execution(hd_seat *seat, uint64_t execution, double now, double cpu) {
    seat->last_execution = execution;
    seat->looked_at = now;
    seat->last_cpu = seat->looked_cpu = cpu;
}

const char *hd_seat_is_stuck(hd_seat *seat, double now) {
    uint64_t execution = atomic_load(&seat->channel->execution);
    double cpu = hd_clock_cpu_of(seat->pid);
    if (execution == 0 || execution != seat->last_execution || seat->care.always) {
        note_execution(seat, execution, now, cpu);
        return NULL;
    }
    bool waits = has_waited(seat, now, cpu);
    if (!waits && cpu - seat->last_cpu < HD_PATIENCE)
        return NULL;
    note_execution(seat, execution, now, cpu);
    return waits ? "has waited" : "has been running";
}

static void add_window(hd_care *care, uint64_t execution, unsigned deaths) {
    HD_ASSERT(execution > 0 && deaths < 32);
    uint64_t margin = UINT64_C(2) << 2 * deaths;
    if (care->n_windows < HD_MAX_WINDOWS)
        care->windows[care->n_windows++] =
            (struct hd_window){execution > margin ? execution - margin : 1, execution + margin};
}

void hd_seat_add_care(const hd_seat *seat, unsigned deaths, hd_care *care) {
    uint64_t execution = atomic_load(&seat->channel->execution);
    if (atomic_load(&seat->channel->is_rebuilding))
        care->when_rebuilding = true;
    else if (execution > 0)
        add_window(care, execution, deaths);
}
