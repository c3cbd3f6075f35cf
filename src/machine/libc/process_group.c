/* Groups and sessions of processes.
 *
 * Children are in those of their parent.  Who started the program leads those that it begins in, so
 * that its first process may leave them, as one that a service manager has started.
 *
 * A group is told by every member alone (HD_TOKEN_GROUP): who changes his own disturbs nobody but
 * those who ask for it or send something to all. */
#include "machine/channels/ipc.h"
#include "machine/libc/libc.h"
#include "machine/libc/processes.h"
#include "machine/tasks/signals.h"

#include <errno.h>

#define OF_STARTER 1 /* the process that started the program */

static int fail(hd_machine *m, int number) {
    hd_errno_set(m, number);
    return -1;
}

static int me(const hd_machine *m) {
    return (int)(HD_PID + hd_process_current(m));
}

/* An event about the group of a process; `asks_all`: about those of all others too. */
static void tell(hd_machine *m, uint32_t number, hd_access_mode mode, bool asks_all) {
    hd_action_kind kind = mode == HD_MODE_READ ? HD_DO_NONE : HD_DO_OBJECT;
    HD_ASSERT(number < m->processes->n);
    hd_action a = hd_action_on(m, kind, 0, NULL, 1, mode);
    a.access[0].address = HD_TOKEN_GROUP(number);
    if (asks_all)
        hd_action_also(&a, HD_TOKEN_GROUP(0), m->processes->n, HD_MODE_READ, true);
    if (number != hd_process_current(m))
        hd_process_ask(m, number, &a);
    if (m->system.is_concurrent || hd_is_threaded(m))
        hd_visible(m, &a);
}

/* All of them, by who looks for some. */
static void look_at_all(hd_machine *m) {
    tell(m, hd_process_current(m), HD_MODE_READ, true);
}

static int group_of(const hd_process *p) {
    return p->group ? p->group : OF_STARTER;
}

static int session_of(const hd_process *p) {
    return p->session ? p->session : OF_STARTER;
}

/* The process of that number (0: the running one); NULL if nothing is left of it. */
static hd_process *find(hd_machine *m, int pid) {
    uint32_t number = pid ? (uint32_t)pid - HD_PID : hd_process_current(m);
    bool is_one = (!pid || pid >= HD_PID) && number < m->processes->n &&
                  hd_process_at(m, number)->is_used && !hd_process_is_gone(m, number);
    return is_one ? hd_process_at(m, number) : NULL;
}

static uint32_t number_of(const hd_machine *m, const hd_process *p) {
    HD_ASSERT(p >= m->processes->at && p < m->processes->at + m->processes->n);
    return (uint32_t)(p - m->processes->at);
}

/* ---- asking ---- */

static hd_process *ask(hd_machine *m, int pid) {
    uint32_t number = pid ? (uint32_t)pid - HD_PID : hd_process_current(m);
    if ((!pid || pid >= HD_PID) && number < m->processes->n)
        tell(m, number, HD_MODE_READ, false);
    return find(m, pid);
}

int hd_libc_getpgid(int pid) {
    hd_machine *m = hd_ipc_enter();
    const hd_process *p = ask(m, pid);
    return p ? group_of(p) : fail(m, ESRCH);
}

int hd_libc_getpgrp(void) {
    hd_machine *m = hd_enter();
    return group_of(ask(m, 0));
}

int hd_libc_getsid(int pid) {
    hd_machine *m = hd_ipc_enter();
    const hd_process *p = ask(m, pid);
    return p ? session_of(p) : fail(m, ESRCH);
}

/* ---- changing ---- */

/* Does the session have such a group, of others than `p`? */
static bool has_group(hd_machine *m, const hd_process *p, int group) {
    for (uint32_t i = 0; i < m->processes->n; i++) {
        const hd_process *other = find(m, (int)(HD_PID + i));
        if (other && other != p && other->node == p->node && group_of(other) == group &&
            session_of(other) == session_of(p))
            return true;
    }
    return group == OF_STARTER && session_of(p) == OF_STARTER;
}

int hd_libc_setsid(void) {
    hd_machine *m = hd_enter();
    hd_process *p = hd_process_at(m, hd_process_current(m));
    tell(m, number_of(m, p), HD_MODE_WRITE, true);
    if (group_of(p) == me(m) || has_group(m, p, me(m)))
        return fail(m, EPERM);
    return p->session = p->group = me(m);
}

/* Of itself or of a child that is in the same session, and was not waited for by this process. */
int hd_libc_setpgid(int pid, int group) {
    hd_machine *m = hd_ipc_enter();
    uint32_t self = hd_process_current(m);
    if (group < 0)
        return fail(m, EINVAL);
    hd_process *p = find(m, pid);
    if (!p || (number_of(m, p) != self && p->parent != self))
        return fail(m, ESRCH);
    int own = (int)(HD_PID + number_of(m, p));
    group = group ? group : own;
    tell(m, number_of(m, p), HD_MODE_WRITE, group != own);
    bool is_elsewhere = session_of(p) != session_of(hd_process_at(m, self));
    if (is_elsewhere || session_of(p) == own || (group != own && !has_group(m, p, group)))
        return fail(m, EPERM);
    p->group = group;
    HD_ASSERT(group_of(p) > 0);
    return 0;
}

int hd_libc_setpgrp(void) {
    return hd_libc_setpgid(0, 0);
}

/* ---- all of a group ---- */

static bool is_member(hd_machine *m, uint32_t number, int group) {
    const hd_process *p = find(m, (int)(HD_PID + number));
    return p && p->node == hd_process_at(m, hd_process_current(m))->node && group_of(p) == group;
}

/* Linux sends to all of them at once, and a member that forks meanwhile has its child in it. */
static void note_new(hd_machine *m, uint32_t n, int group) {
    for (uint32_t i = n; i < m->processes->n; i++)
        if (is_member(m, i, group))
            hd_bound_call(m, "a child that is born while its group is sent a signal has none");
}

/* The running process is the last one: what it sends itself it takes when the call returns. */
int hd_group_send(hd_machine *m, int group, hd_signal_note note) {
    uint32_t n = m->processes->n, self = hd_process_current(m), n_members = 0;
    group = group ? group : group_of(hd_process_at(m, self));
    HD_ASSERT(group > 0);
    look_at_all(m);
    bool is_one_of_them = is_member(m, self, group);
    for (uint32_t i = 0; i < n; i++) {
        if (i == self || !is_member(m, i, group))
            continue;
        n_members++;
        if (hd_process_send(m, (int)(HD_PID + i), note) != 0 &&
            *(int *)m->running.errno_at == EINVAL)
            return -1;
    }
    note_new(m, n, group);
    if (is_one_of_them)
        return hd_process_send(m, me(m), note);
    return n_members ? 0 : fail(m, ESRCH);
}

/* Which of its children a process waits for, by their group: all of them or none.  False if it is
 * some. */
bool hd_group_is_of_children(hd_machine *m, int group, bool *is_any) {
    uint32_t self = hd_process_current(m);
    bool is_none = true, is_all = true;
    group = group ? group : group_of(hd_process_at(m, self));
    look_at_all(m);
    for (uint32_t i = 1; i < m->processes->n; i++) {
        const hd_process *p = find(m, (int)(HD_PID + i));
        if (!p || p->parent != self)
            continue;
        is_none &= group_of(p) != group;
        is_all &= group_of(p) == group;
    }
    *is_any = !is_none;
    return is_none || is_all;
}

int hd_libc_killpg(int group, int signal) {
    hd_machine *m = hd_ipc_enter();
    if (group < 0)
        return fail(m, EINVAL);
    return hd_group_send(m, group, hd_signal_from(m, signal, SI_USER));
}
