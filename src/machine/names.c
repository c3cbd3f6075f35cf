/* Names of threads that do not depend on the schedule (E2, design D4).
 *
 * A thread is child number n of its parent.  The first time that a machine sees such a name it
 * gets the next index, and keeps it for all executions. */
#include "machine/threads.h"

#include <stdio.h>

static uint64_t key_of(uint32_t parent, uint32_t nth) {
    return (uint64_t)parent << 32 | nth;
}

uint32_t hd_name_thread(hd_machine *m, uint32_t parent, uint32_t nth) {
    const uint64_t *known = hd_map_find(&m->thread_names, key_of(parent, nth));
    if (known)
        return (uint32_t)*known;
    if (m->names.n == 0)
        hd_vec_push(&m->names, ((hd_thread_name){0, 0})); /* main */
    uint32_t index = (uint32_t)m->names.n;
    if (index >= HD_MAX_THREADS)
        return HD_MAX_THREADS;
    hd_map_put(&m->thread_names, key_of(parent, nth), index);
    hd_vec_push(&m->names, ((hd_thread_name){parent, nth}));
    return index;
}

void hd_machine_print_threads(const hd_machine *m, hd_text *out) {
    for (size_t i = 1; i < m->names.n; i++)
        hd_text_add(out, "%s%u:%u", i > 1 ? " " : "", m->names.at[i].parent, m->names.at[i].nth);
}

bool hd_machine_name_threads(hd_machine *m, const char *names) {
    unsigned parent, nth;
    uint32_t index = 0;
    int n;
    for (const char *at = names; *at; at += n + (at[n] == ' ')) {
        if (sscanf(at, "%u:%u%n", &parent, &nth, &n) != 2 || (at[n] && at[n] != ' '))
            return false;
        index++;
        if (parent >= index || hd_name_thread(m, parent, nth) != index)
            return false;
    }
    return true;
}
