/* Locks of files: flock, and records of fcntl (world/file_lock.h).
 *
 * To take or give one is an event that changes the file: whoever asks for the same lock comes
 * before it or after it, and all orders are explored.  Who asks in vain and may wait does so until
 * the lock could be taken, and asks again: another may have been faster.  As with signals that are
 * taken (signal_wait.c) the wait itself needs to be turned round with nothing.  Locks are given
 * back when files are closed (channels/close.c).
 *
 * Two that wait for each other's records would wait for ever, and Linux lets the second fail.  So
 * those who ask for records and may wait have an event in common (HD_TOKEN_RECORDS).
 *
 * K3. A thread waits for a lock (hd_thread.lock_wait) only while it stands before that wait. */
#include "machine/channels/faults.h"
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/signals.h"
#include "machine/tasks/time_order.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

/* Only files have locks here; Linux has them for all that is open. */
static void refuse_others(hd_machine *m, const hd_file *f, const char *call) {
    if (f->kind != HD_FILE_DISK || f->inode->kind != HD_INODE_FILE)
        hd_ipc_refuse(
            m, "call of %s for what is no file, which is not modelled (executions end there)",
            call);
}

/* ---- waiting ---- */

/* What a thread waits for. */
struct hd_lock_wait {
    const hd_inode *inode;
    hd_file_lock wanted;
};
enum { WAITS_FOR_LOCK = 1 }; /* `detail` of such a SLEEP */

static bool is_waiting(const hd_machine *m, uint32_t t) {
    const hd_action *a = &m->threads.action[t];
    return hd_set_has(m->threads.alive, t) && a->kind == HD_DO_SLEEP && a->detail == WAITS_FOR_LOCK;
}

bool hd_lock_is_awaited(const hd_machine *m, const hd_action *a) {
    const struct hd_lock_wait *w = m->thread[a->thread].lock_wait;
    if (a->detail != WAITS_FOR_LOCK)
        return false;
    HD_INVARIANT(K3, w);
    return !hd_file_lock_against(w->inode->locks, &w->wanted);
}

/* What a process waits for that it asked for by itself, not by an open file. */
static const struct hd_lock_wait *wait_of(const hd_machine *m, uint32_t process) {
    uint32_t t;
    HD_SET_EACH(t, hd_process_at(m, process)->threads) {
        const struct hd_lock_wait *w = m->thread[t].lock_wait;
        if (is_waiting(m, t) && w->wanted.kind == HD_FILE_LOCK_RECORD &&
            !hd_lock_is_of_file(w->wanted.owner))
            return w;
    }
    return NULL;
}

/* Would the process wait for itself?  Linux follows ten of those who wait as well. */
static bool closes_circle(const hd_machine *m, const hd_inode *inode, const hd_file_lock *wanted) {
    uint32_t me = wanted->process;
    if (wanted->kind != HD_FILE_LOCK_RECORD || hd_lock_is_of_file(wanted->owner))
        return false;
    for (unsigned i = 0; i <= 10; i++) {
        const hd_file_lock *held = hd_file_lock_against(inode->locks, wanted);
        if (!held || hd_lock_is_of_file(held->owner))
            return false;
        if (held->process == me)
            return true;
        const struct hd_lock_wait *next = wait_of(m, held->process);
        if (!next)
            return false;
        inode = next->inode;
        wanted = &next->wanted;
    }
    return false;
}

/* Until the lock could be taken, or a handler is to run; false if that lets the call fail. */
static bool wait_for_lock(hd_machine *m, const hd_inode *inode, const hd_file_lock *wanted) {
    hd_thread *t = &m->thread[hd_thread_current(m)];
    struct hd_lock_wait *outer = t->lock_wait, *w = hd_execution_alloc(m, sizeof *w);
    *w = (struct hd_lock_wait){inode, *wanted};
    t->lock_wait = w;
    hd_action a = hd_action_on(m, HD_DO_SLEEP, HD_ACTION_WAITS, NULL, 1, HD_MODE_READ);
    a.access[0].address = HD_TOKEN_FILE(inode->name);
    a.detail = WAITS_FOR_LOCK;
    hd_action_also(&a, HD_TOKEN_EAR(hd_thread_current(m)), 1, HD_MODE_READ, true);
    if (wanted->kind == HD_FILE_LOCK_RECORD) /* flock is no point of cancellation */
        hd_action_cancellable(m, &a);
    hd_visible(m, &a);
    bool is_free = !hd_file_lock_against(inode->locks, wanted);
    m->thread[hd_thread_current(m)].lock_wait = outer;
    if (wanted->kind == HD_FILE_LOCK_RECORD)
        hd_thread_test_cancel(m);
    bool fails = !is_free && hd_signal_is_due(m, hd_thread_current(m)) &&
                 hd_signals_interrupt(m, true) && m->thread[hd_thread_current(m)].is_interrupted;
    m->thread[hd_thread_current(m)].is_interrupted = false;
    return !fails;
}

/* ---- taking ---- */

/* Who may wait for records has it in common with all of those. */
static void tell_take(hd_machine *m, const hd_inode *inode, bool may_wait_for_record) {
    if (!may_wait_for_record || (!hd_is_threaded(m) && !m->system.is_concurrent)) {
        hd_content_event(m, inode, true);
        return;
    }
    hd_fault_before(m, true);
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    a.access[0].address = HD_TOKEN_FILE(inode->name);
    hd_action_also(&a, HD_TOKEN_RECORDS, 1, HD_MODE_WRITE, true);
    hd_visible(m, &a);
}

/* Linux gives a lock of flock back before it looks for another one in its place, in vain or not. */
static void give_back_first(hd_file *f, const hd_file_lock *wanted) {
    if (wanted->kind == HD_FILE_LOCK_WHOLE)
        hd_file_lock_drop(&f->inode->locks, HD_FILE_LOCK_WHOLE, wanted->owner);
}

static int take(hd_machine *m, hd_file *f, const hd_file_lock *wanted, int in_vain) {
    for (;;) {
        tell_take(m, f->inode, !in_vain && wanted->kind == HD_FILE_LOCK_RECORD);
        hd_files_change(m, "locks of files");
        if (wanted->type == HD_FILE_LOCK_NONE || !hd_file_lock_against(f->inode->locks, wanted)) {
            hd_file_lock_set(&hd_ipc_net(m)->arena, &f->inode->locks, wanted);
            return 0;
        }
        give_back_first(f, wanted);
        if (in_vain)
            return hd_ipc_fail(m, in_vain);
        m->system.are_joined = true; /* another node may give it back (time_order.c, W4) */
        if (closes_circle(m, f->inode, wanted))
            return hd_ipc_fail(m, EDEADLK);
        if (!wait_for_lock(m, f->inode, wanted))
            return hd_ipc_fail(m, EINTR);
    }
}

int hd_libc_flock(int descriptor, int operation) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f = hd_ipc_file(m, descriptor);
    int what = operation & ~LOCK_NB;
    if (!f)
        return -1;
    if (what != LOCK_SH && what != LOCK_EX && what != LOCK_UN)
        return hd_ipc_fail(m, EINVAL);
    refuse_others(m, f, "flock");
    hd_file_lock wanted = {.kind = HD_FILE_LOCK_WHOLE,
                           .type = what == LOCK_SH   ? HD_FILE_LOCK_SHARED
                                   : what == LOCK_EX ? HD_FILE_LOCK_EXCLUSIVE
                                                     : HD_FILE_LOCK_NONE,
                           .owner = hd_lock_owner_file(f),
                           .process = hd_ipc_process(m),
                           .last = INT64_MAX};
    return take(m, f, &wanted, operation & LOCK_NB ? EWOULDBLOCK : 0);
}

/* ---- records ---- */

static bool is_of_open_file(int command) {
    return command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

/* Bytes from `start` on, or before it if `length` is negative; 0: to the end. */
static int find_bytes(hd_machine *m, const hd_file *f, const struct flock *given,
                      hd_file_lock *out) {
    int64_t from = given->l_start, length = given->l_len;
    if (given->l_whence == SEEK_CUR)
        from += (int64_t)f->offset;
    else if (given->l_whence == SEEK_END) {
        hd_content_event(m, f->inode, false);
        from += hd_inode_stat(f->inode).st_size;
    } else if (given->l_whence != SEEK_SET)
        return EINVAL;
    out->first = length < 0 ? from + length : from;
    out->last = length < 0 ? from - 1 : length == 0 ? INT64_MAX : from + length - 1;
    return out->first < 0 ? EINVAL : out->last < out->first ? EOVERFLOW : 0;
}

static int find_type(const hd_file *f, int type, bool is_question, hd_file_lock *out) {
    int mode = f->flags & O_ACCMODE;
    out->type = type == F_RDLCK   ? HD_FILE_LOCK_SHARED
                : type == F_WRLCK ? HD_FILE_LOCK_EXCLUSIVE
                                  : HD_FILE_LOCK_NONE;
    if (type != F_RDLCK && type != F_WRLCK && (type != F_UNLCK || is_question))
        return EINVAL;
    bool may = is_question || type == F_UNLCK || mode == O_RDWR ||
               mode == (type == F_RDLCK ? O_RDONLY : O_WRONLY);
    return may ? 0 : EBADF;
}

/* Who has it, and what; F_UNLCK: nobody. */
static int answer(hd_machine *m, const hd_file *f, const hd_file_lock *wanted, struct flock *out) {
    struct flock l;
    hd_library_get(m, &l, out, sizeof l);
    hd_content_event(m, f->inode, false);
    const hd_file_lock *found = hd_file_lock_against(f->inode->locks, wanted);
    l.l_type = F_UNLCK;
    if (found) {
        l.l_type = found->type == HD_FILE_LOCK_EXCLUSIVE ? F_WRLCK : F_RDLCK;
        l.l_whence = SEEK_SET;
        l.l_start = found->first;
        l.l_len = found->last == INT64_MAX ? 0 : found->last - found->first + 1;
        l.l_pid = hd_lock_is_of_file(found->owner) ? -1 : (int)(HD_PID + found->process);
    }
    hd_ipc_store_plain(m, out, &l, sizeof l);
    return 0;
}

bool hd_lock_is_command(int command) {
    return command == F_SETLK || command == F_SETLKW || command == F_GETLK ||
           is_of_open_file(command);
}

int hd_lock_command(hd_machine *m, hd_file *f, int command, struct flock *argument) {
    struct flock given;
    bool is_question = command == F_GETLK || command == F_OFD_GETLK;
    bool may_wait = command == F_SETLKW || command == F_OFD_SETLKW;
    refuse_others(m, f, "fcntl");
    hd_library_get(m, &given, argument, sizeof given);
    hd_file_lock wanted = {.kind = HD_FILE_LOCK_RECORD, .process = hd_ipc_process(m)};
    wanted.owner = is_of_open_file(command) ? hd_lock_owner_file(f) : wanted.process;
    int error = is_of_open_file(command) && given.l_pid ? EINVAL : 0;
    error = error ? error : find_bytes(m, f, &given, &wanted);
    error = error ? error : find_type(f, given.l_type, is_question, &wanted);
    if (error)
        return hd_ipc_fail(m, error);
    return is_question ? answer(m, f, &wanted, argument)
                       : take(m, f, &wanted, may_wait ? 0 : EAGAIN);
}
