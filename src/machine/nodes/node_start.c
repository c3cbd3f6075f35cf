/* The nodes of a scenario begin (node.h).
 *
 * Process 0 only starts them, one after the other in the order of the scenario, and ends.  A node
 * that comes after others waits until each of them is up: it has ended, or waits for something
 * itself, for a server that is when it waits for its clients. */
#include "machine/channels/ipc.h"
#include "machine/core/kinds.h"
#include "machine/libc/libc.h"
#include "machine/node.h"
#include "machine/outside.h"
#include "machine/tasks/process.h"

static void begin_node(void *context) {
    hd_machine *m = hd_now;
    uint32_t number = (uint32_t)(uint64_t)context;
    HD_ASSERT(number < m->options.n_nodes);
    const hd_network_node *n = &m->options.nodes[number];
    HD_INVARIANT(N1, n->program < m->image->n_programs && (number || n->program == 0));
    const hd_program *program = &m->image->programs[n->program];
    hd_process *p = hd_process_at(m, hd_process_current(m));
    p->name = n->name;
    p->may_idle = n->may_idle;
    p->node = number + 1;
    if (hd_process_current(m) != number + 1) /* after a reboot */
        hd_ipc_set_host(m, hd_process_current(m), n->name);
    if (!hd_set_is_empty(n->after) && !m->call.sink->outside)
        hd_node_wait(m, n->after);
    hd_own_set(m);
    for (void (*const *f)(void) = program->constructors; f && *f; f++)
        (*f)();
    int status = program->main(n->argc, (char **)m->surroundings.node_argv[number],
                               (char **)m->surroundings.node_environ[number]);
    HD_KEEP_LOCALS_OF_MAIN(m);
    m->process.has_returned = true;
    hd_settle_status(m, m->registers->returned & 1 ? m->registers->rets[0] : HD_NONE, status);
    m->registers->returned = 0;
    hd_exit_program(m, status);
}

static uint32_t process_of_node(uint32_t node) {
    return node + 1;
}

void hd_nodes_start(hd_machine *m) {
    HD_ASSERT(hd_process_current(m) == 0);
    uint32_t node;
    for (uint32_t i = 0; i < m->options.n_nodes; i++)
        HD_SET_EACH(node, m->call.sink->outside ? HD_SET_EMPTY : m->options.nodes[i].after)
    m->system.wanted_up = hd_set_with(m->system.wanted_up, process_of_node(node));
    const hd_outside *alone = m->call.sink->outside;
    for (uint32_t i = 0; i < m->options.n_nodes; i++) /* before one of them forks or reboots */
        hd_name_process(m, 0, i);
    for (uint32_t i = 0; i < m->options.n_nodes; i++) {
        if (alone && i != alone->node) {
            hd_process_skip(m); /* names stay what they are: O2 */
            continue;
        }
        m->system.n_happened += m->options.orders == HD_ORDERS_TIME;
        uint32_t process = hd_process_spawn(m, begin_node, (void *)(uint64_t)i);
        HD_ASSERT(process == process_of_node(i));
    }
    hd_process_exit(m, 0);
}

void hd_node_reboot(hd_machine *m, uint32_t node) {
    HD_ASSERT(node < m->options.n_nodes);
    if (m->options.nodes[node].files == HD_FILES_LOST)
        hd_disk_forget(&hd_ipc_net(m)->disk, node + 1);
    hd_process_reboot(m, begin_node, (void *)(uint64_t)node);
}

/* ---- one after another ---- */

static bool is_up(const hd_machine *m, uint32_t process) {
    HD_CHECK(process > 0 && process <= m->options.n_nodes);
    const hd_process *p = hd_process_at(m, process);
    return p->is_used && (p->is_up || p->has_ended);
}

bool hd_node_can_start(const hd_machine *m, const hd_action *a) {
    uint32_t node;
    HD_SET_EACH(node, (hd_set){a->expected})
    if (!is_up(m, process_of_node(node)))
        return false;
    return true;
}

void hd_node_wait(hd_machine *m, hd_set nodes) {
    hd_action a = {.kind = HD_DO_START, .flags = HD_ACTION_WAITS, .expected = nodes.bits};
    uint32_t node;
    if (hd_set_count(nodes) > HD_OWN_ACCESSES)
        hd_action_also(&a, HD_TOKEN_UP(0), 1 + m->options.n_nodes, HD_MODE_READ, true);
    else
        HD_SET_EACH(node, nodes)
    hd_action_also(&a, HD_TOKEN_UP(process_of_node(node)), 1, HD_MODE_READ, true);
    a.thread = m->threads.current;
    hd_visible(m, &a);
}

void hd_node_is_up(hd_machine *m) {
    hd_process *p = hd_process_at(m, hd_process_current(m));
    if (p->is_up)
        return;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    a.access[0].address = HD_TOKEN_UP(hd_process_current(m));
    hd_visible(m, &a);
    p->is_up = true; /* not before: others look while it stands before the event */
}

bool hd_can_start(hd_machine *m, const hd_action *a) {
    return hd_node_can_start(m, a);
}
