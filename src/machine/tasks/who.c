/* Who took part in the last execution: what stories ask about processes and couriers. */
#include "machine/tasks/process.h"

#include <stdio.h>

uint32_t hd_machine_n_processes(const hd_machine *m) {
    return m->processes->n;
}

uint32_t hd_machine_n_names(const hd_machine *m) {
    return m->processes->n_names;
}

uint32_t hd_machine_process_of(const hd_machine *m, uint32_t thread) {
    HD_ASSERT(thread < HD_MAX_THREADS);
    return hd_process_of(m, thread);
}

bool hd_machine_is_courier(const hd_machine *m, uint32_t thread) {
    HD_ASSERT(thread < HD_MAX_THREADS);
    return m->thread[thread].is_courier;
}

/* Nodes have names; what a node forks is called by the node's. */
static void name_process(const hd_machine *m, uint32_t number, char *out, size_t size) {
    const hd_process *p = hd_process_at(m, number);
    hd_text name = {0};
    if (p->name)
        hd_text_add(&name, "%s", p->name);
    else
        hd_process_describe(m, number, &name);
    snprintf(out, size, "%s", hd_text_string(&name));
    hd_text_release(&name);
}

bool hd_machine_participant(const hd_machine *m, uint32_t number, hd_participant *out) {
    const hd_process *p = hd_process_at(m, number);
    if (number >= m->processes->n || !p->is_used)
        return false;
    *out = (hd_participant){.parent = number ? p->parent : 0,
                            .born = p->born,
                            .site = p->site,
                            .main_thread = p->main_thread,
                            .has_ended = p->has_ended,
                            .may_idle = p->may_idle};
    name_process(m, number, out->name, sizeof out->name);
    return true;
}
