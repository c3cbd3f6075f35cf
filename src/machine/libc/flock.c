/* Locks of files: flock, and records of fcntl (world/file_lock.h).
 *
 * To take or give one is an event that changes the file: whoever asks for the same lock comes
 * before it or after it, and all orders are explored.  What would have to wait, because another has
 * the lock, ends the execution there, and the verdict says so: nobody is woken by a lock that is
 * given back. Locks are given back when files are closed (channels/close.c). */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"
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

static int take(hd_machine *m, hd_file *f, const hd_file_lock *wanted, int in_vain,
                const char *call) {
    hd_content_event(m, f->inode, true);
    hd_time_change_common(m, "locks of files");
    bool is_free =
        wanted->type == HD_FILE_LOCK_NONE || !hd_file_lock_against(f->inode->locks, wanted);
    if (is_free) {
        hd_file_lock_set(&hd_ipc_net(m)->arena, &f->inode->locks, wanted);
        return 0;
    }
    if (in_vain)
        return hd_ipc_fail(m, in_vain);
    hd_ipc_refuse(
        m, "call of %s that waits for a lock, which is not modelled (executions end there)", call);
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
    return take(m, f, &wanted, operation & LOCK_NB ? EWOULDBLOCK : 0, "flock");
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
                       : take(m, f, &wanted, may_wait ? 0 : EAGAIN, "fcntl");
}
