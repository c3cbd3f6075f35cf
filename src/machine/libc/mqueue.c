/* POSIX message queues.
 *
 * They have a limit: a send that needs the room that a receipt made looks at the head.  And the
 * highest priority is received first: a send that overtakes something conflicts with receiving (it
 * writes the head), and so does one that would have overtaken what is gone (it reads it).  All
 * others are put and taken like datagrams. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/time_order.h"

#include <errno.h>
#include <fcntl.h>

#define MAX_NAME         255
#define MAX_PRIORITY     32768u
#define DEFAULT_MESSAGES 10
#define DEFAULT_SIZE     8192
#define MOST_MESSAGES    10 /* /proc/sys/fs/mqueue, for those without privileges */
#define MOST_SIZE        8192

/* ---- names ---- */

static int check_name(const char *name) {
    if (name[0] != '/')
        return EINVAL;
    if (!name[1])
        return ENOENT;
    if (strchr(name + 1, '/'))
        return EACCES;
    return strlen(name + 1) > MAX_NAME ? ENAMETOOLONG : 0;
}

/* What two processes do with one name does not commute. */
static void change_name(hd_machine *m, const char *name) {
    hd_address a = {.family = AF_UNIX};
    size_t n = strnlen(name, HD_MAX_PATH);
    a.n_path = (uint8_t)n;
    memcpy(a.path, name, n);
    hd_ipc_change_door(m, hd_port_door(UINT32_MAX, 0, &a), HD_OPENING_UNKNOWN, NULL);
}

static bool are_good(const struct mq_attr *a) {
    return a->mq_maxmsg > 0 && a->mq_msgsize > 0 && a->mq_maxmsg <= MOST_MESSAGES &&
           a->mq_msgsize <= MOST_SIZE;
}

static hd_message_queue *create(hd_machine *m, const char *name, const struct mq_attr *wanted) {
    struct mq_attr a = {.mq_maxmsg = DEFAULT_MESSAGES, .mq_msgsize = DEFAULT_SIZE};
    if (wanted)
        a = *wanted;
    if (!are_good(&a)) {
        hd_ipc_fail(m, EINVAL);
        return NULL;
    }
    hd_message_queue *q = hd_messages_new(hd_ipc_net(m), name, hd_name_object(m), hd_ipc_process(m),
                                          (uint32_t)a.mq_maxmsg, (uint32_t)a.mq_msgsize);
    hd_ipc_name(m, q->queue, "message queue %s", name);
    hd_time_change_common(m, "message queues");
    return q;
}

int hd_libc_mq_open(const char *name, int flags, unsigned mode, const struct mq_attr *attributes) {
    hd_machine *m = hd_ipc_enter();
    name = hd_ipc_text(m, name);
    int error = check_name(name);
    (void)mode;
    if (error)
        return hd_ipc_fail(m, error);
    struct mq_attr wanted;
    if (flags & O_CREAT && attributes) {
        hd_library_get(m, &wanted, attributes, sizeof wanted);
        attributes = &wanted;
    }
    if (hd_ipc_is_full(m))
        return hd_ipc_fail(m, EMFILE);
    change_name(m, name);
    hd_message_queue *q = hd_messages_find(hd_ipc_net(m), name);
    if (q && flags & O_CREAT && flags & O_EXCL)
        return hd_ipc_fail(m, EEXIST);
    if (!q && !(flags & O_CREAT))
        return hd_ipc_fail(m, ENOENT);
    if (!q && !(q = create(m, name, attributes)))
        return -1;
    hd_file *f = hd_file_new(hd_ipc_net(m), HD_FILE_MESSAGES, flags & (O_ACCMODE | O_NONBLOCK));
    f->messages = q;
    return hd_ipc_open(m, f, true);
}

static hd_file *queue_of(hd_machine *m, int queue) {
    hd_file *f = hd_ipc_file(m, queue);
    if (f && f->kind == HD_FILE_MESSAGES)
        return f;
    hd_ipc_fail(m, EBADF);
    return NULL;
}

int hd_libc_mq_close(int queue) {
    hd_machine *m = hd_ipc_enter();
    return queue_of(m, queue) && hd_ipc_close(m, queue) ? 0 : -1;
}

int hd_libc_mq_unlink(const char *name) {
    hd_machine *m = hd_ipc_enter();
    name = hd_ipc_text(m, name);
    int error = check_name(name);
    if (error)
        return hd_ipc_fail(m, error);
    change_name(m, name);
    hd_message_queue *q = hd_messages_find(hd_ipc_net(m), name);
    if (!q)
        return hd_ipc_fail(m, ENOENT);
    q->name = NULL;
    return 0;
}

/* ---- sending ---- */

static bool has_room(hd_machine *m, const hd_ipc_request *r) {
    (void)m;
    return !hd_queue_is_full(r->queue);
}

/* Could a message of this priority come before one that was there? */
static bool overtakes(const hd_queue *q, uint64_t priority) {
    return q->n_put && q->lowest_priority < priority;
}

/* Room that somebody made by taking is looked at, and so is what is overtaken; a send that does not
 * find room looks at both ends. */
static void settle_send(hd_machine *m, const hd_ipc_request *r, hd_action *a) {
    const hd_queue *q = r->queue;
    HD_ASSERT(q->capacity && q->n_put - q->n_taken <= q->capacity);
    bool succeeds = has_room(m, r), overtakes_now = overtakes(q, r->amount);
    hd_access_mode mode =
        succeeds && overtakes_now && !hd_queue_is_empty(q) ? HD_MODE_WRITE : HD_MODE_READ;
    hd_ipc_fill_put(a, q, succeeds, true);
    a->detail = q->capacity;
    a->state = q->capacity - (q->n_put - q->n_taken);
    if (!succeeds)
        hd_action_also(a, hd_ipc_head(q), 1, mode, true);
    else if (overtakes_now || q->n_put >= q->capacity)
        a->access[2] = (hd_access){hd_ipc_head(q), 1, (uint8_t)mode, true, 0};
}

static void describe_send(hd_machine *m, const hd_ipc_request *r, hd_text *out) {
    hd_text_add(out, "waits for room in ");
    hd_ipc_describe_file(m, r->file, out);
}

static int send_until(hd_machine *m, hd_file *f, const char *bytes, size_t n, unsigned priority,
                      uint64_t deadline) {
    hd_queue *q = f->messages->queue;
    if ((f->flags & O_ACCMODE) == O_RDONLY)
        return hd_ipc_fail(m, EBADF);
    if (priority >= MAX_PRIORITY)
        return hd_ipc_fail(m, EINVAL);
    if (n > f->messages->max_size)
        return hd_ipc_fail(m, EMSGSIZE);
    hd_item *item = hd_item_new(&hd_ipc_net(m)->arena, HD_ITEM_DATA);
    item->bytes = hd_ipc_load(m, bytes, n);
    item->priority = priority;
    hd_ipc_request r = {.is_ready = has_room,
                        .settle = settle_send,
                        .describe = describe_send,
                        .file = f,
                        .queue = q,
                        .amount = priority};
    if (!hd_ipc_wait(m, HD_DO_PUT, &r, deadline))
        return hd_ipc_fail(m, deadline ? ETIMEDOUT : EAGAIN);
    HD_ASSERT(!hd_queue_is_full(q) && item->bytes.n <= f->messages->max_size);
    hd_queue_put_by_priority(&hd_ipc_net(m)->arena, q, item);
    return 0;
}

/* ---- times ---- */

static bool read_time(hd_machine *m, const hd_file *f, const struct timespec *when,
                      uint64_t *deadline) {
    *deadline = f->flags & O_NONBLOCK ? 0 : UINT64_MAX;
    if (!when || !*deadline)
        return true;
    struct timespec wanted;
    hd_library_get(m, &wanted, when, sizeof wanted);
    if (wanted.tv_sec < 0 || wanted.tv_nsec < 0 || wanted.tv_nsec >= 1000000000)
        return false;
    *deadline = hd_clock_until(CLOCK_REALTIME, &wanted);
    if (*deadline <= hd_time_now(m))
        *deadline = hd_time_now(m) + 1; /* it is over: tried, but not waited for */
    return true;
}

int hd_libc_mq_timedsend(int queue, const char *bytes, size_t n, unsigned priority,
                         const struct timespec *when) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = queue_of(m, queue);
    uint64_t deadline;
    if (!f)
        return -1;
    hd_ipc_note_use(m, f, HD_USE_RECEIVE);
    if (!read_time(m, f, when, &deadline))
        return hd_ipc_fail(m, EINVAL);
    return send_until(m, f, bytes, n, priority, deadline);
}

int hd_libc_mq_send(int queue, const char *bytes, size_t n, unsigned priority) {
    return hd_libc_mq_timedsend(queue, bytes, n, priority, NULL);
}

/* ---- receiving ---- */

int64_t hd_libc_mq_timedreceive(int queue, char *out, size_t n, unsigned *priority,
                                const struct timespec *when) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = queue_of(m, queue);
    uint64_t deadline;
    if (!f)
        return -1;
    if ((f->flags & O_ACCMODE) == O_WRONLY)
        return hd_ipc_fail(m, EBADF);
    hd_ipc_note_use(m, f, HD_USE_RECEIVE);
    if (n < f->messages->max_size)
        return hd_ipc_fail(m, EMSGSIZE);
    if (!read_time(m, f, when, &deadline))
        return hd_ipc_fail(m, EINVAL);
    hd_queue *q = f->messages->queue;
    if (!hd_ipc_take(m, q, f, deadline))
        return hd_ipc_fail(m, deadline ? ETIMEDOUT : EAGAIN);
    const hd_item *item = hd_queue_first(q);
    HD_ASSERT(item && item->kind == HD_ITEM_DATA && item->bytes.n <= n);
    hd_queue_pop(q);
    hd_ipc_store(m, out, item->bytes.at, item->bytes.words, item->bytes.n);
    if (priority)
        hd_ipc_store_plain(m, priority, &item->priority, sizeof *priority);
    return item->bytes.n;
}

int64_t hd_libc_mq_receive(int queue, char *out, size_t n, unsigned *priority) {
    return hd_libc_mq_timedreceive(queue, out, n, priority, NULL);
}

/* ---- attributes ---- */

static struct mq_attr attributes_of(hd_machine *m, hd_file *f) {
    hd_queue *q = f->messages->queue;
    hd_ipc_inspect(m, q, f);
    return (struct mq_attr){.mq_flags = f->flags & O_NONBLOCK,
                            .mq_maxmsg = q->capacity,
                            .mq_msgsize = f->messages->max_size,
                            .mq_curmsgs = q->n_put - q->n_taken};
}

int hd_libc_mq_getattr(int queue, struct mq_attr *out) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f = queue_of(m, queue);
    if (!f)
        return -1;
    struct mq_attr now = attributes_of(m, f);
    hd_ipc_store_plain(m, out, &now, sizeof now);
    return 0;
}

int hd_libc_mq_setattr(int queue, const struct mq_attr *wanted, struct mq_attr *old) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f = queue_of(m, queue);
    if (!f)
        return -1;
    long flags;
    hd_library_touch(m, wanted, sizeof *wanted); /* of its members only the flags matter */
    hd_library_get(m, &flags, &wanted->mq_flags, sizeof flags);
    if (flags & ~O_NONBLOCK)
        return hd_ipc_fail(m, EINVAL);
    struct mq_attr before = attributes_of(m, f);
    hd_ipc_state_event(m, f, true);
    if ((f->flags ^ (int)flags) & O_NONBLOCK)
        hd_ipc_note_change(m, f, HD_USE_RECEIVE);
    before.mq_flags = f->flags & O_NONBLOCK;
    f->flags = (f->flags & ~O_NONBLOCK) | (int)flags;
    if (old)
        hd_ipc_store_plain(m, old, &before, sizeof before);
    return 0;
}
