/* Who can still read what is put into a queue.
 *
 * Something can be put into a queue as long as one process has a descriptor to read it with, and
 * after a fork many have one, of which most are closed unused.  Whether the put succeeds is thus
 * "the first reads it, or the second, or ...", and it is evaluated as C does that: from left to
 * right, and not beyond the first who does.  So a put depends on those whose answer it has seen,
 * and not on all who close the queue some time; and two who close it do not depend on each other.
 *
 * R1. The order is: the process that puts, if it can read the queue too; then by number.  A process
 *     has a higher number than its parent, so that a fork changes nothing before the first who
 *     reads: who puts depends on no fork.
 * R2. Who got its descriptor in a message may come anywhere in that order, and a connection that
 *     nobody has accepted yet has no reader at all: such a put depends on all. */
#include "machine/ipc.h"

#define PLACE UINT64_C(0xff) /* what the addresses of a tail and of readers differ in */

static uint64_t readers_at(uint64_t tail) {
    return (tail & ~PLACE) | (HD_QUEUE_READERS(0) & UINT32_MAX);
}

static bool is_courier(const hd_machine *m, uint32_t thread) {
    return m->thread[thread].is_courier;
}

uint64_t hd_ipc_readers_of(hd_machine *m, const hd_queue *q, uint32_t thread, uint32_t *size) {
    uint64_t first = readers_at(hd_ipc_tail(q));
    uint32_t own = m->threads.process[thread];
    *size = HD_N_READERS;
    if (q->is_closed || !q->readers || q->was_passed)
        return first;
    if (!is_courier(m, thread) && q->readers >> own & 1) {
        *size = 1;
        return first + 1 + own;
    }
    *size = 2 + (uint32_t)__builtin_ctzll(q->readers);
    return first;
}

void hd_ipc_look_at_readers(hd_machine *m, hd_action *a, const hd_queue *q) {
    uint32_t size;
    uint64_t first = hd_ipc_readers_of(m, q, a->thread, &size);
    hd_action_also(a, first, size, HD_MODE_READ, true);
}

void hd_ipc_look_at_all_readers(hd_action *a, uint64_t tail) {
    hd_action_also(a, readers_at(tail), HD_N_READERS, HD_MODE_READ, true);
}

void hd_ipc_close_reader(hd_action *a, const hd_queue *q, uint32_t process) {
    hd_action_also(a, readers_at(hd_ipc_tail(q)) + 1 + process, 1, HD_MODE_ADD, true);
    if (a->n_accesses == 1) { /* those who look at the queue as a whole */
        a->state = HD_OPENING_CLOSES;
        hd_action_also(a, hd_ipc_ready_of(q), 1, HD_MODE_ADD, true);
    }
}
