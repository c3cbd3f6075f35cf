/* Names of threads and processes that do not depend on the schedule (E2, docs/design.md D4).
 *
 * A thread is child number n of its parent, and so is a process.  The first time that a machine
 * sees such a name it gets the next index, and keeps it for all executions. */
#include "machine/action/action.h"
#include "machine/core/parts.h"
#include "machine/tasks/process.h"

#include <stdio.h>

/* Objects of a thread; those of the first few threads come first (HD_QUEUE has 30 bits, and doors
 * the upper half). */
#define OBJECTS_OF_A_THREAD (UINT32_C(1) << 20)
#define FAR_OBJECTS         (HD_FEW_THREADS * OBJECTS_OF_A_THREAD)
#define OBJECTS_OF_A_FAR    (UINT32_C(1) << 14)
_Static_assert(FAR_OBJECTS + HD_MAX_THREADS * OBJECTS_OF_A_FAR < HD_DOORS, "it fits");

static uint64_t key_of(uint32_t parent, uint32_t nth) {
    return (uint64_t)parent << 32 | nth;
}

uint32_t hd_name_thread(hd_machine *m, uint32_t parent, uint32_t nth) {
    /* Mostly threads are created in the order in which they were the first time. */
    if (m->execution.n_used && m->execution.n_used < m->naming.threads.n &&
        m->naming.threads.at[m->execution.n_used].parent == parent &&
        m->naming.threads.at[m->execution.n_used].nth == nth) { /* 0 is main, before an execution */
        HD_CHECK_INVARIANT(E2, *hd_map_find(&m->naming.thread_of, key_of(parent, nth)) ==
                                   m->execution.n_used);
        return m->execution.n_used;
    }
    const uint64_t *known = hd_map_find(&m->naming.thread_of, key_of(parent, nth));
    HD_INVARIANT(E2, !known || (*known && *known < m->naming.threads.n &&
                                m->naming.threads.at[*known].parent == parent &&
                                m->naming.threads.at[*known].nth == nth));
    if (known)
        return (uint32_t)*known;
    if (m->naming.threads.n == 0)
        hd_vec_push(&m->naming.threads, ((hd_thread_name){0, 0})); /* main */
    uint32_t index = (uint32_t)m->naming.threads.n;
    if (index >= HD_MAX_THREADS)
        return HD_MAX_THREADS;
    hd_map_put(&m->naming.thread_of, key_of(parent, nth), index);
    hd_vec_push(&m->naming.threads, ((hd_thread_name){parent, nth}));
    return index;
}

static void release(hd_machine *m) {
    hd_vec_release(&m->naming.threads);
    hd_map_release(&m->naming.thread_of);
}

static void leave(hd_machine *m, hd_box *b) {
    hd_box_put_list(b, &m->naming.threads);
}

/* Names must mean the same in the next execution. */
static void take(hd_machine *m, hd_box *b) {
    hd_vec(hd_thread_name) names = {0};
    hd_box_take_list(b, &names);
    for (size_t i = 1; i < names.n; i++)
        hd_name_thread(m, names.at[i].parent, names.at[i].nth);
    hd_vec_release(&names);
}

const hd_part hd_part_names = {
    "names", {NULL, NULL, release, NULL}, HD_PART_NO_CHECKPOINT, {leave, take}, HD_PART_NO_TASKS};

uint32_t hd_name_process(hd_machine *m, uint32_t parent, uint32_t nth) {
    hd_processes *all = m->processes;
    const uint64_t *known = hd_map_find(&all->names, key_of(parent, nth));
    HD_INVARIANT(P1, all->n_names && (!known || (*known && *known < all->n_names)));
    if (known)
        return (uint32_t)*known;
    if (all->n_names >= HD_MAX_PROCESSES)
        return HD_MAX_PROCESSES;
    hd_map_put(&all->names, key_of(parent, nth), all->n_names);
    return all->n_names++;
}

/* Made of the thread's own number, so that it is the same in every machine. */
uint32_t hd_name_object(hd_machine *m) {
    uint32_t me = m->threads.current, nth = m->thread[me].n_objects++;
    HD_ASSERT(me < HD_MAX_THREADS);
    uint32_t most = me < HD_FEW_THREADS ? OBJECTS_OF_A_THREAD : OBJECTS_OF_A_FAR;
    if (nth >= most)
        hd_bound_call(m, "of the queues that a thread makes, %u are told apart", most);
    if (me < HD_FEW_THREADS)
        return 1 + me * OBJECTS_OF_A_THREAD + nth % OBJECTS_OF_A_THREAD;
    return 1 + FAR_OBJECTS + (me - HD_FEW_THREADS) * OBJECTS_OF_A_FAR + nth % OBJECTS_OF_A_FAR;
}

uint32_t hd_machine_n_thread_names(const hd_machine *m) {
    return m->naming.threads.n ? (uint32_t)m->naming.threads.n : 1;
}

static uint64_t key_of_process(const hd_processes *all, uint32_t number) {
    for (size_t i = 0; i < all->names.capacity; i++)
        if (all->names.keys[i] != HD_MAP_EMPTY && all->names.values[i] == number)
            return all->names.keys[i];
    return 0;
}

hd_set hd_process_line(const hd_machine *m, uint32_t number) {
    hd_set line = hd_set_of(0);
    for (; number; number = (uint32_t)(key_of_process(m->processes, number) >> 32))
        line = hd_set_with(line, number);
    return line;
}

bool hd_machine_has_names(const hd_machine *m) {
    return m->naming.threads.n > m->options.n_nodes + 1;
}

void hd_machine_print_names(const hd_machine *m, hd_text *out) {
    for (size_t i = 1; i < m->naming.threads.n; i++)
        hd_text_add(out, "%s%u:%u", i > 1 ? " " : "", m->naming.threads.at[i].parent,
                    m->naming.threads.at[i].nth);
    for (uint32_t i = 1; i < m->processes->n_names; i++) {
        uint64_t key = key_of_process(m->processes, i);
        hd_text_add(out, "%sp%u:%u", out->n ? " " : "", (unsigned)(key >> 32), (unsigned)key);
    }
    hd_readers_print(m, out);
    hd_sections_print(m, out);
    hd_handled_print(m, out);
}

void hd_machine_print_facts(const hd_machine *m, hd_text *out) {
    hd_machine_print_names(m, out);
    hd_sections_print_footprints(m, out);
}

/* "0:1": a thread, "p0:1": a process, "r7:1": who reads queue 7, "b7:1": big sections at site 7;
 * behind these, what sections and handlers of signals touch. */
static bool take_name(hd_machine *m, char kind, uint32_t *n_named, uint32_t first,
                      uint32_t second) {
    if (kind == 'r' && second >= m->processes->n_names)
        return false;
    if (kind == 'r')
        hd_readers_expect(m, first, second);
    if (kind == 'b')
        hd_section_is_big(m, first);
    if (kind == 'r' || kind == 'b')
        return true;
    uint32_t index = ++n_named[kind == 'p'];
    return first < index && (kind == 'p' ? hd_name_process(m, first, second)
                                         : hd_name_thread(m, first, second)) == index;
}

bool hd_machine_take_names(hd_machine *m, const char *names) {
    unsigned first, second;
    uint32_t n_named[2] = {0, 0};
    int n;
    for (const char *at = names; *at; at += n + (at[n] == ' ')) {
        char kind = *at;
        if (kind == 's' || kind == 'h') {
            const char *rest =
                kind == 's' ? hd_section_take(m, at + 1) : hd_handled_take(m, at + 1);
            if (!rest || (*rest && *rest != ' '))
                return false;
            n = (int)(rest - at);
            continue;
        }
        at += kind == 'p' || kind == 'r' || kind == 'b';
        if (sscanf(at, "%u:%u%n", &first, &second, &n) != 2 || (at[n] && at[n] != ' ') ||
            !take_name(m, kind, n_named, first, second))
            return false;
    }
    m->lessons.knows_readers |= names[0] != '\0';
    return true;
}
