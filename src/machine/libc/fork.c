/* Processes as Unix has them: fork, wait, kill. */
#include "machine/channels/ipc.h"
#include "machine/core/kinds.h"
#include "machine/libc/libc.h"
#include "machine/libc/processes.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static int fail(hd_machine *m, int number) {
    hd_errno_set(m, number);
    return -1;
}

/* Said at once: what is left for when the call has returned would be said by the child, elsewhere.
 */
static void note_bound(hd_machine *m, const char *what) {
    hd_approximate_as(m, HD_LOSS_LEFT_OUT, hd_caller_site(m, __builtin_frame_address(0)), what);
}

/* Other threads of the process may be anywhere when its memory is copied; here they are where they
 * are. */
static void note_threads(hd_machine *m) {
    hd_thread_set mine = hd_process_at(m, hd_process_current(m))->threads;
    if (hd_set_meets(hd_set_without(mine, hd_thread_current(m)), m->threads.alive))
        note_bound(m, "fork while other threads run is no choice of order");
}

/* The copy is made where the process stands, which is seen in it: between visible operations too.
 */
static void note_handler(hd_machine *m) {
    if (m->thread[hd_thread_current(m)].ear.n_interrupting)
        note_bound(m, "handlers that fork run between visible operations only");
}

/* Creating a process is no event (process.h, P2), but who was killed before creates none. */
static void stay_alive(hd_machine *m) {
    if (!m->may.kill || !m->system.is_concurrent)
        return;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 0, HD_MODE_READ);
    a.n_accesses = 0;
    hd_visible(m, &a);
}

int hd_libc_fork(void) {
    hd_machine *m = hd_enter();
    hd_take_arguments(m);
    note_threads(m);
    note_handler(m);
    stay_alive(m);
    uint32_t child = hd_process_fork(m);
    HD_ASSERT(child < m->processes->n);
    return child ? (int)(HD_PID + child) : 0;
}

int hd_libc_getpid(void) {
    return (int)(HD_PID + hd_process_current(hd_now));
}

/* The first process adopts who has no parent any more. */
int hd_libc_getppid(void) {
    hd_machine *m = hd_now;
    uint32_t me = hd_process_current(m), parent = hd_process_at(m, me)->parent;
    if (!me)
        return 1;
    hd_action a = hd_action_on(m, HD_DO_NONE, 0, NULL, 1, HD_MODE_READ);
    a.access[0].address = HD_TOKEN_ALIVE(parent);
    hd_visible(m, &a);
    return hd_process_at(m, parent)->has_ended ? 1 : (int)(HD_PID + parent);
}

/* ---- waiting ---- */

bool hd_process_is_gone(const hd_machine *m, uint32_t number) {
    HD_ASSERT(number < m->processes->n);
    const hd_process *p = hd_process_at(m, number);
    bool is_orphan = !number || hd_process_at(m, p->parent)->has_ended;
    return p->was_waited_for || (p->has_ended && (p->was_reaped || is_orphan));
}

/* Children first .. first+n-1 of a process that were not waited for. */
static uint32_t find_child(const hd_machine *m, uint32_t parent, uint32_t first, uint32_t n,
                           bool must_have_ended) {
    HD_ASSERT(parent < m->processes->n);
    for (uint32_t nth = first; nth < first + n; nth++)
        for (uint32_t i = 1; i < m->processes->n; i++) {
            const hd_process *p = hd_process_at(m, i);
            if (p->is_used && p->parent == parent && p->nth == nth && !p->was_waited_for &&
                (p->has_ended || !must_have_ended))
                return i;
        }
    return 0;
}

bool hd_wait_is_one(const hd_action *a) {
    return a->kind == HD_DO_POLL && a->access[0].address >= HD_TOKEN_ENDED(0, 0) &&
           a->access[0].address < HD_TOKEN_ENDED(HD_MAX_PROCESSES, 0);
}

/* The first of the children that the process waits for, by the token that the action reads. */
static uint32_t first_child(const hd_action *a, uint32_t parent) {
    HD_ASSERT(hd_wait_is_one(a) && a->access[0].address >= HD_TOKEN_ENDED(parent, 0));
    return (uint32_t)(a->access[0].address - HD_TOKEN_ENDED(parent, 0));
}

/* Who waits for nobody, because another thread has taken the last child, goes on too. */
bool hd_wait_is_enabled(hd_machine *m, const hd_action *a) {
    uint32_t parent = hd_process_of(m, a->thread), first = first_child(a, parent);
    return find_child(m, parent, first, a->access[0].size, true) ||
           !find_child(m, parent, first, a->access[0].size, false);
}

static bool has_threads(const hd_machine *m, uint32_t process) {
    hd_thread_set alive = hd_set_both(hd_process_at(m, process)->threads, m->threads.alive);
    return !hd_set_is_empty(hd_set_without(alive, hd_set_first(alive)));
}

/* Nobody takes away a child of a process that asks, unless its own threads do. */
void hd_process_ask(hd_machine *m, uint32_t number, hd_action *a) {
    const hd_process *p = hd_process_at(m, number);
    uint32_t me = hd_process_current(m);
    if (p->parent == me && !has_threads(m, me))
        return;
    hd_action_also(a, HD_TOKEN_ALIVE(number), 1, HD_MODE_READ, true);
    hd_action_also(a, HD_TOKEN_ENDED(p->parent, p->nth), 1, HD_MODE_READ, true);
}

/* Is a child taken away from others who ask for it? */
static bool tells_taken(const hd_machine *m, uint32_t parent) {
    return m->may.kill || m->may.cancel || has_threads(m, parent);
}

/* The one that is taken away: others may ask whether it is there. */
static hd_access taken_child(const hd_machine *m, const hd_action *a, uint32_t parent,
                             uint32_t first) {
    hd_access taken = a->access[0];
    uint32_t child = find_child(m, parent, first, a->access[0].size, true);
    if (!child)
        return taken;
    taken.address = HD_TOKEN_ENDED(parent, hd_process_at(m, child)->nth % HD_MAX_THREADS);
    taken.size = 1;
    taken.mode = HD_MODE_WRITE;
    return taken;
}

/* How many have ended.  Linux takes the first that was created, and one could think that what comes
 * behind it does not matter; but who waits could also have waited longer, for another that ends
 * first, and would not be seen to race with it. */
void hd_wait_settle(hd_machine *m, hd_action *a) {
    uint32_t parent = hd_process_of(m, a->thread), n = 0, first = first_child(a, parent);
    for (uint32_t i = 0; i < a->access[0].size; i++)
        n += find_child(m, parent, first + i, 1, true) != 0;
    a->state = n;
    if (a->n_accesses > 1)
        a->access[1] = taken_child(m, a, parent, first);
    a->flags &= (uint8_t)~HD_ACTION_FAILED;
    if (hd_signal_is_due(m, a->thread) || hd_thread_is_cancelled(m, a->thread))
        a->flags &= (uint8_t)~HD_ACTION_WAITS;
    if (!n)
        a->flags |= HD_ACTION_FAILED;
}

void hd_wait_describe(const hd_machine *m, const hd_action *a, hd_text *out) {
    uint32_t parent = hd_process_of(m, a->thread), first = first_child(a, parent);
    uint32_t child = find_child(m, parent, first, a->access[0].size, false);
    hd_text_add(out, "waits for ");
    if (a->access[0].size > 1)
        hd_text_add(out, "a child, such as ");
    hd_process_describe(m, child, out);
    hd_text_add(out, ", to end");
}

/* The low 8 bits of an exit status that depends on inputs; HD_NONE if it does not. */
static hd_expr low_status(hd_machine *m, const hd_process *p) {
    if (!p->status_shadow || p->was_killed)
        return HD_NONE;
    return hd_expr_zext(m->graph, hd_expr_extract(m->graph, p->status_shadow, 0, 8), 32);
}

static void write_status(hd_machine *m, const hd_process *p, int *status) {
    if (!status)
        return;
    int value = p->was_killed ? p->status : (p->status & 255) << 8;
    hd_expr e = low_status(m, p);
    if (e)
        e = hd_expr_binary(m->graph, HD_OP_SHL, e, hd_expr_const(m->graph, 32, 8));
    hd_library_put_number(m, status, (hd_number){(uint32_t)value, e}, sizeof value);
}

#define WAIT_OPTIONS (WNOHANG | WUNTRACED | WCONTINUED | __WNOTHREAD | __WALL | __WCLONE)

/* Children first .. first+n-1 of a process. */
typedef struct children {
    uint32_t of, first, n;
} children;

static bool find_wanted(const hd_machine *m, int pid, children *wanted) {
    uint32_t me = hd_process_current(m), number = (uint32_t)pid - HD_PID;
    *wanted = (children){me, 0, hd_process_at(m, me)->n_children};
    if (pid <= 0)
        return true;
    bool is_mine = pid >= HD_PID && number < m->processes->n && number &&
                   hd_process_at(m, number)->is_used && hd_process_at(m, number)->parent == me;
    if (is_mine)
        *wanted = (children){me, hd_process_at(m, number)->nth, 1};
    return is_mine;
}

static bool is_any_left(const hd_machine *m, children c) {
    return c.n && find_child(m, c.of, c.first, c.n, false);
}

/* Look at the children when it is the thread's turn. */
static void look_at_children(hd_machine *m, children c, bool waits) {
    hd_action a = hd_action_on(m, HD_DO_POLL, HD_ACTION_SETTLES | (waits ? HD_ACTION_WAITS : 0),
                               NULL, c.n, HD_MODE_READ);
    a.access[0].address = HD_TOKEN_ENDED(c.of, c.first);
    if (tells_taken(m, c.of))
        a.access[a.n_accesses++] = a.access[0];
    if (waits)
        hd_action_cancellable(m, &a);
    hd_visible(m, &a);
}

/* There is no child; a handler may come before that is said, and make one, and other threads may
 * have taken the last too early.  (Another thread that makes one is a bound: note_threads.) */
static bool has_still_none(hd_machine *m, children c) {
    if (!m->system.is_concurrent ||
        !(hd_signals_matter_to(m, hd_thread_current(m)) || has_threads(m, c.of)))
        return true;
    uint32_t all = hd_process_at(m, c.of)->n_children;
    look_at_children(m, (children){c.of, c.first, c.n + !c.n}, false);
    return hd_process_current(m) == c.of && hd_process_at(m, c.of)->n_children == all;
}

/* By their group: -1 if that is all of them, 0 if it is none. */
static int wanted_of_group(hd_machine *m, int group) {
    bool is_any;
    if (!hd_group_is_of_children(m, group, &is_any))
        hd_ipc_refuse(m, "waiting for some of the children, by their group (executions end there)");
    return is_any ? -1 : 0;
}

static int wait_for(hd_machine *m, int pid, int *status, int options) {
    children c;
    if (options & ~WAIT_OPTIONS)
        return fail(m, EINVAL);
    if (pid == INT_MIN) /* no group has the number that this would mean */
        return fail(m, ESRCH);
    if ((pid == 0 || pid < -1) && !wanted_of_group(m, -pid))
        return fail(m, ECHILD);
    if (!find_wanted(m, pid, &c))
        return fail(m, ECHILD);
    if (!is_any_left(m, c))
        return has_still_none(m, c) ? fail(m, ECHILD) : wait_for(m, pid, status, options);
    look_at_children(m, c, !(options & WNOHANG));
    if (hd_process_current(m) != c.of || !is_any_left(m, c))
        return wait_for(m, pid, status, options); /* a child of a handler; another thread took it */
    uint32_t child = find_child(m, c.of, c.first, c.n, true);
    if (!child && options & WNOHANG)
        return 0;
    if (!child) { /* a signal, if it does not end here */
        hd_thread_test_cancel(m);
        if (!hd_signals_interrupt(m, true))
            return wait_for(m, pid, status, options);
        m->thread[hd_thread_current(m)].is_interrupted = false;
        return fail(m, EINTR);
    }
    hd_process_at(m, child)->was_waited_for = true;
    if (hd_process_at(m, child)->was_reaped) /* it is gone; others may be there */
        return wait_for(m, pid, status, options);
    write_status(m, hd_process_at(m, child), status);
    return (int)(HD_PID + child);
}

int hd_libc_wait(int *status) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_cancellation_point(m);
    return wait_for(m, -1, status, 0);
}

int hd_libc_waitpid(int pid, int *status, int options) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_cancellation_point(m);
    return wait_for(m, pid, status, options);
}

/* ---- the other ways to wait ---- */

/* Processes use no resources that could be counted. */
static void write_usage(hd_machine *m, struct rusage *usage) {
    struct rusage none = {0};
    if (usage)
        hd_library_store(m, usage, &none, sizeof none);
}

int hd_libc_wait4(int pid, int *status, int options, struct rusage *usage) {
    hd_machine *m = hd_enter();
    hd_settle_arguments(m);
    hd_cancellation_point(m);
    int found = wait_for(m, pid, status, options);
    if (found > 0)
        write_usage(m, usage);
    return found;
}

int hd_libc_wait3(int *status, int options, struct rusage *usage) {
    return hd_libc_wait4(-1, status, options, usage);
}

static siginfo_t info_of(const hd_machine *m, int pid) {
    siginfo_t info = {0};
    if (pid <= 0)
        return info;
    const hd_process *p = hd_process_at(m, (uint32_t)pid - HD_PID);
    HD_ASSERT(p->has_ended); /* who is waited for is no more */
    info.si_signo = SIGCHLD;
    info.si_pid = pid;
    info.si_code = p->was_killed ? CLD_KILLED : CLD_EXITED;
    info.si_status = p->was_killed ? p->status : p->status & 255;
    return info;
}

int hd_libc_waitid(int type, unsigned id, siginfo_t *out, int options) {
    hd_machine *m = hd_ipc_enter_point();
    bool is_type = type == P_ALL || type == P_PID || type == P_PGID;
    if (!(options & WEXITED) || options & ~(WEXITED | WNOWAIT | WAIT_OPTIONS) || !is_type)
        return fail(m, EINVAL);
    if (type == P_PGID || options & (WNOWAIT | WSTOPPED | WCONTINUED))
        hd_ipc_refuse(m, "waitid for a group, or without taking (executions end there)");
    int found = wait_for(m, type == P_PID ? (int)id : -1, NULL, options & ~WEXITED);
    if (found < 0)
        return -1;
    siginfo_t info = info_of(m, found);
    if (!out)
        return 0;
    hd_library_store(m, out, &info, sizeof info);
    if (found > 0)
        hd_store_words(m, (uint64_t)&out->si_status, sizeof out->si_status,
                       low_status(m, hd_process_at(m, (uint32_t)found - HD_PID)));
    return 0;
}

/* ---- signals that end processes ---- */

/* The process deals with it itself, now or later. */
static bool is_posted(hd_machine *m, uint32_t number, int signal) {
    HD_ASSERT(signal >= 1 && signal <= 64);
    return hd_signal_find_taker(m, number, signal) == HD_TAKER_NOBODY ||
           hd_signal_has_handler(m, number, signal) || hd_signal_is_ignored(m, number, signal);
}

/* Whether the victim could have gone on is decided by what it waits for. */
static void look_at_victim(hd_machine *m, const hd_process *p, hd_action *a) {
    uint32_t t;
    HD_SET_EACH(t, hd_set_both(p->threads, m->threads.alive)) {
        const hd_action *b = &m->threads.action[t];
        if (!(b->flags & HD_ACTION_WAITS) || hd_thread_is_enabled(m, b->thread))
            continue;
        for (unsigned i = 0; i < b->n_accesses && a->n_accesses < HD_MAX_ACCESSES; i++)
            if (b->access[i].address != a->access[0].address)
                hd_action_also(a, b->access[i].address, b->access[i].size, HD_MODE_READ, true);
    }
}

/* Accesses: whether it is alive, whether it has ended, and its signals if there may be handlers. */
void hd_kill_settle(hd_machine *m, hd_action *a) {
    uint32_t number = a->detail;
    const hd_process *p = hd_process_at(m, number);
    int signal = (int)a->nth;
    HD_ASSERT(number < m->processes->n && signal >= 0 && signal <= 64);
    bool asks = !signal, kills = !p->has_ended && !asks && !is_posted(m, number, signal) &&
                                 !hd_signal_is_stop(signal);
    if (!a->state)
        a->state = a->n_accesses; /* its own */
    HD_ASSERT(a->state >= 2 + (unsigned)m->may.signal && a->state <= HD_MAX_ACCESSES);
    a->n_accesses = (uint8_t)a->state;
    a->access[0].mode = a->access[1].mode = kills ? HD_MODE_WRITE : HD_MODE_READ;
    if (m->may.signal)
        a->access[2].mode = kills || asks || p->has_ended ? HD_MODE_READ : HD_MODE_WRITE;
    if (m->may.signal && p->parent != hd_process_of(m, a->thread))
        a->access[3].mode =
            kills && hd_signals_mind_children(m, p->parent) ? HD_MODE_WRITE : HD_MODE_READ;
    if (kills)
        look_at_victim(m, p, a);
}

/* Other threads, and other processes too, send what comes before it or behind it. */
static void tell_own(hd_machine *m, uint32_t me) {
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    a.access[0].address = HD_TOKEN_SIGNAL(me);
    if (m->system.is_concurrent || hd_is_threaded(m))
        hd_visible(m, &a);
}

/* By a thread other than main, or by main, which blocks it.  What it does depends on handlers and
 * sets, which others change. */
static int kill_own(hd_machine *m, uint32_t me, hd_signal_note note) {
    int signal = note.signal;
    tell_own(m, me);
    hd_signal_taker taker = hd_signal_find_taker(m, me, signal);
    bool is_taken = taker != HD_TAKER_NOBODY, is_ignored = hd_signal_is_ignored(m, me, signal);
    if (is_taken && !is_ignored && !hd_signal_has_handler(m, me, signal))
        hd_signal_end(m, signal);
    if (taker == HD_TAKER_SENDER && hd_signal_raise(m, note))
        return 0;
    hd_signal_post(m, me, note);
    hd_signals_of(m, me)->is_own |= hd_signals_of(m, me)->pending & HD_SIGNAL(signal);
    return 0;
}

/* What stops a process leaves it where it is until it is continued. */
static bool stops(hd_machine *m, uint32_t number, int signal) {
    return hd_signal_is_stop(signal) && !hd_process_at(m, number)->has_ended &&
           !is_posted(m, number, signal);
}

int hd_process_send(hd_machine *m, int pid, hd_signal_note note) {
    uint32_t me = hd_process_current(m), number = (uint32_t)pid - HD_PID;
    int signal = note.signal;
    if (pid < HD_PID || number >= m->processes->n || !hd_process_at(m, number)->is_used)
        return fail(m, ESRCH);
    if (signal < 0 || signal > 64)
        return fail(m, EINVAL);
    bool takes_it = hd_thread_current(m) == hd_process_at(m, me)->main_thread && signal &&
                    !(*hd_signals_blocked(m) & HD_SIGNAL(signal));
    if (number == me && signal && m->may.signal && !takes_it)
        return kill_own(m, me, note);
    if (number == me)
        return hd_signal_send_self(m, note);
    const hd_process *p = hd_process_at(m, number);
    hd_action a = hd_action_on(m, HD_DO_KILL, HD_ACTION_SETTLES, NULL, 1, HD_MODE_WRITE);
    a.detail = number;
    a.nth = (uint32_t)signal;
    a.access[0].address = HD_TOKEN_ALIVE(number);
    hd_action_also(&a, HD_TOKEN_ENDED(p->parent, p->nth), 1, HD_MODE_WRITE, true);
    if (m->may.signal)
        hd_action_also(&a, HD_TOKEN_SIGNAL(number), 1, HD_MODE_READ, true);
    /* The parent's signals decide what is left of it: also of one's own, beside other threads. */
    if (m->may.signal && (p->parent != me || has_threads(m, me)))
        hd_action_also(&a, HD_TOKEN_SIGNAL(p->parent), 1, HD_MODE_READ, true);
    if (p->parent != me) /* who ends leaves nobody to wait for its children */
        hd_action_also(&a, HD_TOKEN_ALIVE(p->parent), 1, HD_MODE_READ, true);
    hd_visible(m, &a);
    if (hd_process_is_gone(m, number))
        return fail(m, ESRCH);
    if (p->has_ended || signal == 0)
        return 0;
    if (stops(m, number, signal))
        hd_signal_end_stopped(m);
    if (is_posted(m, number, signal))
        hd_signal_post(m, number, note);
    else {
        /* On Linux it may go on for a moment, and what it had open is closed later still. */
        hd_bound_call(m, "a process that is killed is gone before kill() returns");
        hd_process_kill(m, number, signal);
    }
    return 0;
}

int hd_libc_kill(int pid, int signal) {
    hd_machine *m = hd_ipc_enter();
    hd_signal_note note = hd_signal_from(m, signal, SI_USER);
    if (pid == -1)
        hd_ipc_refuse(m, "kill of all processes (executions end there)");
    if (pid == INT_MIN)
        return fail(m, ESRCH);
    return pid > 0 ? hd_process_send(m, pid, note) : hd_group_send(m, -pid, note);
}

int hd_libc_sigqueue(int pid, int signal, uint64_t value) {
    hd_machine *m = hd_enter();
    hd_shadow shadow = hd_signal_value(m);
    hd_signal_note note = hd_signal_from(m, signal, SI_QUEUE);
    note.value = value;
    note.shadow = shadow;
    return pid > 0 ? hd_process_send(m, pid, note) : fail(m, ESRCH);
}

/* ---- the same kind is for queues ---- */

bool hd_can_poll(hd_machine *m, const hd_action *a) {
    if (!hd_wait_is_one(a))
        return hd_can_queue(m, a);
    return hd_wait_is_enabled(m, a) || hd_signal_is_due(m, a->thread) ||
           hd_thread_is_cancelled(m, a->thread);
}

void hd_settle_poll(hd_machine *m, hd_action *a) {
    if (hd_wait_is_one(a))
        hd_wait_settle(m, a);
    else
        hd_ipc_settle(m, a);
}

void hd_describe_poll(hd_machine *m, const hd_action *a, hd_text *out) {
    if (hd_wait_is_one(a))
        hd_wait_describe(m, a, out);
    else
        hd_describe_queue(m, a, out);
}
