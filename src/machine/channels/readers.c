/* Who can still read what is put into a queue.
 *
 * Something can be put into a queue as long as one process has a descriptor to read it with, and
 * after a fork many have one, of which most are closed unused.  Whether the put succeeds is thus
 * "the first reads it, or the second, or ...", and it is evaluated as C does that: from left to
 * right, and not beyond the first who does.  So a put depends on those whose answer it has seen,
 * and not on all who close the queue some time; and two who close it do not depend on each other.
 *
 * R1. The order is: the process that puts, if it can read the queue too; then the one that is
 *     expected to read it, if there is one (R3); then all by their numbers.  A process has a higher
 *     number than its parent, so that a fork changes nothing before the first who reads: who puts
 *     depends on no fork.
 * R2. Who got its descriptor in a message may come anywhere in that order: such a put depends on
 *     all.
 * R3. Expected is who took from the queue in the first execution of a search, because that one will
 *     hardly close it before it has read all: a put that need not look further depends on nobody
 *     who happened to inherit a descriptor.  As long as this process is not there, the one that it
 *     will descend from has its place; nobody can know that it will be forked, but if it is, it
 *     reads.
 *     A connection that was not accepted yet is in the same way that of whoever will accept it, who
 *     is expected to read it, if nobody who descends from it is.
 *     What is expected decides how much is explored, not what is found, but it must stay the same
 *     for the whole search, and is recorded with it. */
#include "machine/channels/ipc.h"
#include "machine/core/parts.h"

#define PLACE UINT64_C(0xff) /* what the addresses of a tail and of readers differ in */

static uint64_t readers_at(uint64_t tail) {
    HD_CHECK(tail >> 62 == 1);
    return (tail & ~PLACE) | (HD_QUEUE_READERS(0) & UINT32_MAX);
}

static bool is_courier(const hd_machine *m, uint32_t thread) {
    return m->thread[thread].is_courier;
}

static bool is_there(const hd_machine *m, uint32_t process) {
    return process < m->processes->n && m->processes->at[process].is_used;
}

/* Can the processes of `line` have inherited it from the first who had it? */
static bool can_inherit(const hd_machine *m, const hd_queue *q, hd_set line) {
    uint32_t first = q->first_reader - 1, child;
    if (!hd_set_has(line, first))
        return false;
    HD_SET_EACH(child, line)
    if (child > first)
        return !is_there(m, child) || m->processes->at[child].nth >= q->n_children_before;
    return true;
}

/* The process that has the place of the expected one now (R3); HD_NOBODY if none is expected. */
static uint32_t expected_reader(const hd_machine *m, const hd_queue *q) {
    HD_CHECK(q->first_reader);
    const uint64_t *line = hd_map_find(&m->lessons.expected_readers, hd_ipc_id(q));
    uint32_t last = q->first_reader - 1, process;
    if (!line || !m->lessons.knows_readers || !can_inherit(m, q, (hd_set){*line}))
        return q->is_accepted ? last : HD_NOBODY;
    HD_SET_EACH(process, ((hd_set){*line}))
    if (is_there(m, process))
        last = process;
    return last;
}

uint64_t hd_ipc_readers_of(hd_machine *m, const hd_queue *q, uint32_t thread, uint32_t *size) {
    uint64_t first = readers_at(hd_ipc_tail(q));
    uint32_t own = m->threads.process[thread];
    *size = HD_N_READERS;
    if (q->is_closed || q->was_passed)
        return first;
    *size = 1;
    if (!q->first_reader)
        return first;
    if (!is_courier(m, thread) && hd_set_has(q->readers, own))
        return first + HD_READER_PLACE(own);
    uint32_t expected = expected_reader(m, q);
    if (expected == HD_NOBODY || !hd_set_has(q->readers, expected))
        *size = 1 + HD_READER_PLACE(hd_set_first(q->readers));
    return first;
}

void hd_ipc_look_at_readers(hd_machine *m, hd_action *a, const hd_queue *q) {
    uint32_t size;
    uint64_t first = hd_ipc_readers_of(m, q, a->thread, &size);
    HD_CHECK(size > 0 && size <= HD_N_READERS);
    hd_action_also(a, first, size, HD_MODE_READ, true);
}

/* Who has not been accepted yet is reset when the listener is closed: at once, if there is no
 * network between them. */
const hd_queue *hd_ipc_listener_of(const hd_file *f) {
    const hd_socket *s = f && f->kind == HD_FILE_SOCKET ? f->socket : NULL;
    return s && s->other && !hd_socket_is_network(s) ? s->other->listener : NULL;
}

void hd_ipc_look_at_listener(hd_action *a, const hd_file *f) {
    const hd_queue *listener = hd_ipc_listener_of(f);
    if (listener)
        hd_ipc_look_at_all_readers(a, hd_ipc_tail(listener));
}

void hd_ipc_look_at_all_readers(hd_action *a, uint64_t tail) {
    hd_action_also(a, readers_at(tail), HD_N_READERS, HD_MODE_READ, true);
}

void hd_ipc_close_reader(hd_machine *m, hd_action *a, const hd_queue *q, uint32_t process) {
    HD_CHECK(hd_set_has(q->readers, process));
    uint64_t first = readers_at(hd_ipc_tail(q));
    bool is_first = a->n_accesses == 0;
    hd_action_also(a, first + HD_READER_PLACE(process), 1, HD_MODE_ADD, true);
    if (is_first) /* those who look at the queue as a whole */
        hd_action_also(a, hd_ipc_ready_of(q), 1, HD_MODE_ADD, true);
    if (expected_reader(m, q) == process)
        hd_action_also(a, first, 1, HD_MODE_ADD, true);
    if (q->first_door) /* who finds nobody looks there */
        hd_action_also(a, readers_at(hd_ipc_door(q->first_door)) + HD_READER_PLACE(process), 1,
                       HD_MODE_ADD, true);
}

/* ---- learning ---- */

void hd_readers_expect(hd_machine *m, uint32_t queue, uint32_t process) {
    hd_map_put(&m->lessons.expected_readers, queue, hd_process_line(m, process).bits);
}

void hd_readers_end_lesson(hd_machine *m) {
    if (!m->lessons.knows_readers && m->lessons.expected_readers.n &&
        m->options.orders == HD_ORDERS_ALL) {
        m->call.outcome->end = HD_END_RETRY;
        m->call.outcome->retry_thread = HD_RETRY_ALL;
    }
    m->lessons.knows_readers = true;
}

void hd_readers_print(const hd_machine *m, hd_text *out) {
    const hd_map *all = &m->lessons.expected_readers;
    for (size_t i = 0; i < all->capacity; i++)
        if (all->keys[i] != HD_MAP_EMPTY)
            hd_text_add(out, "%sr%u:%u", out->n ? " " : "", (unsigned)all->keys[i],
                        hd_set_last((hd_set){all->values[i]}));
}

void hd_readers_leave(hd_machine *m, hd_box *b) {
    hd_box_put_map(b, &m->lessons.expected_readers);
    hd_box_put(b, &m->lessons.knows_readers, sizeof m->lessons.knows_readers);
}

/* The first lesson is the last. */
void hd_readers_take(hd_machine *m, hd_box *b) {
    hd_map learned = {0};
    bool is_over;
    hd_box_take_map(b, &learned);
    for (size_t i = 0; !m->lessons.knows_readers && i < learned.capacity; i++)
        if (learned.keys[i] != HD_MAP_EMPTY)
            hd_map_put(&m->lessons.expected_readers, learned.keys[i], learned.values[i]);
    hd_map_release(&learned);
    hd_box_take(b, &is_over, sizeof is_over);
    m->lessons.knows_readers |= is_over;
}
