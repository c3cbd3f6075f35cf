/* eventfd and timerfd: numbers that can be waited for. */
#include "machine/libc/libc_ipc.h"
#include "machine/libc/timespec.h"
#include "machine/tasks/library.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>

static hd_counter *new_counter(hd_machine *m) {
    hd_counter *c = hd_arena_alloc(&hd_ipc_net(m)->arena, sizeof *c);
    c->id = hd_name_object(m);
    c->owner = hd_ipc_process(m);
    return c;
}

static int open_counter(hd_machine *m, hd_file_kind kind, hd_counter *c, int flags) {
    hd_file *f = hd_file_new(hd_ipc_net(m), kind, O_RDWR | (flags & O_NONBLOCK));
    f->counter = c;
    return hd_ipc_open(m, f, flags & O_CLOEXEC);
}

int hd_libc_eventfd(unsigned value, int flags) {
    hd_machine *m = hd_ipc_enter();
    if (flags & ~(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE))
        return hd_ipc_fail(m, EINVAL);
    hd_counter *c = new_counter(m);
    c->value = value;
    c->is_semaphore = flags & EFD_SEMAPHORE;
    return open_counter(m, HD_FILE_EVENT, c, flags);
}

/* ---- reading ---- */

static bool is_set(hd_machine *m, const hd_ipc_request *r) {
    HD_ASSERT(r->counter && r->file->counter == r->counter);
    const hd_counter *c = r->counter;
    return r->file->kind == HD_FILE_TIMER ? c->expires && hd_time_now(m) >= c->expires
                                          : c->value != 0;
}

static bool has_room(hd_machine *m, const hd_ipc_request *r) {
    (void)m;
    return r->counter->value <= UINT64_MAX - 1 - r->amount;
}

/* explore/events/queues.h, Q8. */
static void touch(hd_machine *m, const hd_file *f, hd_action *a, bool succeeds) {
    HD_ASSERT(f->kind == HD_FILE_EVENT || f->kind == HD_FILE_TIMER);
    const hd_counter *c = f->counter;
    a->n_accesses = 0;
    a->expected = f->kind == HD_FILE_TIMER ? c->expires && hd_time_now(m) >= c->expires : c->value;
    hd_action_also(a, HD_QUEUE_COUNT(c->id), 1, succeeds ? HD_MODE_WRITE : HD_MODE_READ, true);
    if (succeeds)
        hd_action_also(a, hd_ipc_ready(c->owner, c->id), 1, HD_MODE_ADD, true);
}

static void settle_reading(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    bool succeeds = is_set(m, r);
    touch(m, r->file, a, succeeds);
    hd_ipc_set_failed(a, !succeeds);
}

static void settle_writing(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    bool succeeds = has_room(m, r);
    touch(m, r->file, a, succeeds);
    a->detail = (uint32_t)(r->amount >> 32);
    a->state = (uint32_t)r->amount;
    hd_ipc_set_failed(a, !succeeds);
}

static void describe(hd_machine *m, const hd_ipc_request *r, hd_text *out) {
    hd_text_add(out, "waits for ");
    hd_ipc_describe_file(m, r->file, out);
}

static uint64_t expirations(hd_counter *c, uint64_t now) {
    HD_ASSERT(c->expires && c->expires <= now);
    uint64_t n = 1;
    c->n_changes++;
    if (c->interval) {
        n += (now - c->expires) / c->interval;
        c->expires += n * c->interval;
    } else
        c->expires = 0;
    return n;
}

static hd_bytes bytes_of(hd_machine *m, hd_number number) {
    uint32_t words[sizeof number.value];
    for (uint32_t i = 0; i < sizeof number.value; i++)
        words[i] = number.e ? HD_WORD(number.e, i) : 0;
    return hd_bytes_copy(&hd_ipc_net(m)->arena, &number.value, words, sizeof number.value);
}

static uint64_t take(hd_machine *m, hd_file *f) {
    hd_counter *c = f->counter;
    if (f->kind == HD_FILE_TIMER)
        return expirations(c, hd_time_now(m));
    c->n_taken++;
    uint64_t value = c->is_semaphore ? 1 : c->value;
    HD_ASSERT(value && c->value >= value); /* who is here has found something */
    c->value -= value;
    c->value_shadow = HD_NONE;
    return value;
}

int64_t hd_counter_read(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n) {
    hd_ipc_request r = {.is_ready = is_set,
                        .settle = settle_reading,
                        .describe = describe,
                        .file = f,
                        .counter = f->counter,
                        .until = UINT64_MAX};
    hd_ipc_note_use(m, f, HD_USE_RECEIVE);
    if (hd_ipc_total(pieces, n) < (int64_t)sizeof(uint64_t))
        return hd_ipc_fail(m, EINVAL);
    uint64_t deadline = f->flags & O_NONBLOCK ? 0 : hd_ipc_due(&r);
    if (!hd_ipc_wait(m, HD_DO_TAKE, &r, deadline) && !is_set(m, &r))
        return hd_ipc_fail(m, EAGAIN);
    hd_number number = {.e = f->counter->value_shadow};
    number.value = take(m, f);
    hd_bytes bytes = bytes_of(m, number);
    hd_ipc_scatter(m, pieces, n, bytes.at, bytes.words, bytes.n);
    return sizeof number.value;
}

/* Whether there is room must be the same for all values on the path: large ones are decided, and so
 * is what is counted down by one. */
#define SMALL (UINT64_C(1) << 32)

static hd_number decide_amount(hd_machine *m, const hd_counter *c, hd_number amount) {
    if (!amount.e)
        return amount;
    hd_expr small =
        hd_expr_binary(m->graph, HD_OP_ULT, amount.e, hd_expr_const(m->graph, 64, SMALL));
    hd_record(m, hd_caller_site(m, __builtin_frame_address(0)), small, amount.value < SMALL,
              HD_BRANCH_VALUE);
    if (amount.value < SMALL && c->value < INT64_MAX && !c->is_semaphore)
        return amount;
    return (hd_number){hd_library_bits(m, amount, UINT64_MAX), HD_NONE};
}

/* Whether it is 0 is known from then on: readers wait for that. */
static void increase(hd_machine *m, hd_counter *c, hd_number amount) {
    hd_expr e = HD_NONE;
    if (amount.e || c->value_shadow)
        e = hd_expr_binary(m->graph, HD_OP_ADD, hd_expr_of(m, c->value_shadow, 64, c->value),
                           hd_expr_of(m, amount.e, 64, amount.value));
    HD_ASSERT(amount.value <= UINT64_MAX - 1 - c->value);
    c->value += amount.value;
    c->value_shadow = e;
    hd_library_is_set(m, (hd_number){c->value, e});
    c->n_changes++;
}

static int add(hd_machine *m, hd_file *f, hd_number given) {
    hd_number number = decide_amount(m, f->counter, given);
    uint64_t amount = number.value;
    hd_ipc_request r = {.is_ready = has_room,
                        .settle = settle_writing,
                        .describe = describe,
                        .file = f,
                        .counter = f->counter,
                        .amount = amount};
    hd_ipc_note_use(m, f, HD_USE_RECEIVE);
    if (amount == UINT64_MAX)
        return hd_ipc_fail(m, EINVAL);
    if (!hd_ipc_wait(m, HD_DO_PUT, &r, f->flags & O_NONBLOCK ? 0 : UINT64_MAX))
        return hd_ipc_fail(m, EAGAIN);
    increase(m, f->counter, number);
    return 0;
}

int64_t hd_counter_write(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n) {
    int64_t total = hd_ipc_total(pieces, n);
    if (total < (int64_t)sizeof(uint64_t))
        return hd_ipc_fail(m, EINVAL);
    hd_bytes bytes = hd_ipc_gather(m, pieces, n, (uint64_t)total);
    hd_number amount = hd_library_number_of(m, bytes.at, bytes.words, sizeof amount.value);
    return add(m, f, amount) == 0 ? (int64_t)sizeof amount.value : -1;
}

static hd_file *event_of(hd_machine *m, int descriptor) {
    hd_file *f = hd_ipc_file(m, descriptor);
    if (!f || f->kind == HD_FILE_EVENT)
        return f;
    hd_ipc_fail(m, EINVAL);
    return NULL;
}

int hd_libc_eventfd_read(int descriptor, uint64_t *out) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = event_of(m, descriptor);
    struct iovec piece = {out, sizeof *out};
    return f && hd_counter_read(m, f, &piece, 1) == sizeof *out ? 0 : -1;
}

int hd_libc_eventfd_write(int descriptor, uint64_t value) {
    hd_machine *m = hd_enter();
    uint64_t passed = hd_take_arguments(m);
    hd_number amount = {value, hd_argument(m, passed, 1)};
    hd_settle_argument(m, passed, 0);
    hd_ipc_enter_point();
    hd_file *f = event_of(m, descriptor);
    return f ? add(m, f, amount) : -1;
}

/* ---- timers ---- */

int hd_libc_timerfd_create(int clock, int flags) {
    hd_machine *m = hd_ipc_enter();
    if (flags & ~(TFD_CLOEXEC | TFD_NONBLOCK) ||
        (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME))
        return hd_ipc_fail(m, EINVAL);
    hd_counter *c = new_counter(m);
    c->clock = clock;
    return open_counter(m, HD_FILE_TIMER, c, flags);
}

static struct itimerspec setting_of(const hd_counter *c, uint64_t now) {
    return (struct itimerspec){hd_timespec_of(c->interval),
                               hd_timespec_of(c->expires > now ? c->expires - now : 0)};
}

static hd_file *timer_of(hd_machine *m, int descriptor) {
    hd_file *f = hd_ipc_file(m, descriptor);
    if (f && f->kind == HD_FILE_TIMER)
        return f;
    if (f)
        hd_ipc_fail(m, EINVAL);
    return NULL;
}

/* Others may read it, wait for it, set it. */
static void timer_event(hd_machine *m, const hd_file *f, bool is_store) {
    if (!hd_ipc_has_rivals(m, f))
        return;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 0, HD_MODE_READ);
    touch(m, f, &a, is_store);
    hd_visible(m, &a);
}

static void arm(hd_machine *m, hd_counter *c, uint64_t first, uint64_t interval) {
    c->expires = first;
    c->interval = interval;
    c->n_changes++;
    hd_ipc_renew_deadlines(m);
}

int hd_libc_timerfd_settime(int descriptor, int flags, const struct itimerspec *wanted,
                            struct itimerspec *old) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = timer_of(m, descriptor);
    if (!f)
        return -1;
    if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
        return hd_ipc_fail(m, EINVAL);
    struct itimerspec asked;
    hd_library_get(m, &asked, wanted, sizeof asked);
    if (!hd_timespec_is_valid(&asked.it_value) || !hd_timespec_is_valid(&asked.it_interval))
        return hd_ipc_fail(m, EINVAL);
    timer_event(m, f, true);
    hd_counter *c = f->counter;
    uint64_t now = hd_time_now(m), first = hd_timespec_read(&asked.it_value);
    if (c->expires > now && hd_ipc_has_rivals(m, f))
        hd_timer_tell_running(m);
    struct itimerspec before = setting_of(c, now);
    if (first && flags & TFD_TIMER_ABSTIME)
        first = hd_clock_set(c->clock, &asked.it_value);
    else if (first)
        first += now;
    arm(m, c, first, hd_timespec_read(&asked.it_interval));
    if (old)
        hd_ipc_store_plain(m, old, &before, sizeof before);
    return 0;
}

int hd_libc_timerfd_gettime(int descriptor, struct itimerspec *out) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = timer_of(m, descriptor);
    if (!f)
        return -1;
    timer_event(m, f, false);
    struct itimerspec now = setting_of(f->counter, hd_time_now(m));
    hd_ipc_store_plain(m, out, &now, sizeof now);
    return 0;
}
