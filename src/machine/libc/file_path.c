/* Files by their paths: opening, making, moving, removing them, and what they are. */
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/time_order.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <utime.h>

static hd_descriptor_table *table_of(hd_machine *m) {
    return hd_net_table(hd_ipc_net(m), hd_ipc_process(m));
}

hd_inode *hd_working_directory(hd_machine *m) {
    hd_inode *here = table_of(m)->directory;
    HD_ASSERT(!here || here->kind == HD_INODE_DIRECTORY);
    return here ? here : hd_disk_start(hd_files_of(m));
}

/* ---- paths ---- */

/* Where paths begin that do not begin at the root; NULL with an error. */
static hd_inode *base_of(hd_machine *m, int directory) {
    if (directory == AT_FDCWD)
        return hd_working_directory(m);
    const hd_file *f = hd_ipc_file(m, directory);
    if (!f)
        return NULL;
    if (f->kind == HD_FILE_DISK && f->inode->kind == HD_INODE_DIRECTORY)
        return f->inode;
    hd_ipc_fail(m, ENOTDIR);
    return NULL;
}

/* `changes`: what is done to the name is an event that others see.  The path was read already,
 * which is an event too where others may write it, and may be a copy. */
static bool find_text(hd_machine *m, int directory, const char *path, bool follows, bool changes,
                      hd_place *out) {
    hd_paths_event(m, changes);
    if (!*path) { /* wherever it would begin */
        hd_ipc_fail(m, ENOENT);
        return false;
    }
    hd_inode *from = path[0] == '/' ? hd_working_directory(m) : base_of(m, directory);
    if (!from)
        return false;
    int error = hd_disk_find(hd_files_of(m), from, path, follows, out);
    HD_ASSERT(error || (out->directory && out->directory->kind == HD_INODE_DIRECTORY));
    if (error)
        hd_ipc_fail(m, error);
    else if (changes)
        hd_files_change(m, "files");
    return error == 0;
}

static bool find(hd_machine *m, int directory, const char *path, bool follows, bool changes,
                 hd_place *out) {
    return find_text(m, directory, hd_ipc_text(m, path), follows, changes, out);
}

/* What must be there. */
static hd_inode *get(hd_machine *m, int directory, const char *path, bool follows, bool changes) {
    hd_place p;
    if (!find(m, directory, path, follows, changes, &p))
        return NULL;
    if (!p.inode)
        hd_ipc_fail(m, ENOENT);
    return p.inode;
}

static int answer(hd_machine *m, int error) {
    return error ? hd_ipc_fail(m, error) : 0;
}

static unsigned masked(hd_machine *m, unsigned mode) {
    HD_ASSERT(table_of(m)->mask <= 0777);
    return mode & 07777 & ~table_of(m)->mask;
}

/* ---- opening ---- */

static int new_file(hd_machine *m, hd_inode *i, int flags) {
    HD_ASSERT(i && i->kind != HD_INODE_LINK && i->kind != HD_INODE_OTHER); /* check_kind */
    const int forgotten = O_CREAT | O_EXCL | O_TRUNC | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW;
    hd_file *f = hd_file_new(hd_ipc_net(m), HD_FILE_DISK, flags & ~forgotten);
    f->inode = i;
    return hd_ipc_open(m, f, flags & O_CLOEXEC);
}

/* "/dev/stdin" and its kin name descriptors of the program: which, or -1. */
static int named_descriptor(const char *path) {
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    char *end;
    for (int i = 0; i < 3; i++)
        if (strcmp(path, names[i]) == 0)
            return i;
    for (int i = 0; i < 2; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0) {
            long number = strtol(path + strlen(folders[i]), &end, 10);
            return *end == '\0' && end[-1] != '/' && number < INT_MAX ? (int)number : -1;
        }
    return -1;
}

static int check_kind(hd_machine *m, const hd_inode *i, int flags) {
    bool is_written = (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
    if (i->kind == HD_INODE_DIRECTORY)
        return is_written || flags & O_CREAT ? EISDIR : 0;
    if (flags & O_DIRECTORY)
        return ENOTDIR;
    if (i->kind == HD_INODE_LINK)
        return ELOOP;
    if (i->kind == HD_INODE_OTHER && S_ISSOCK(i->info.st_mode))
        return ENXIO;
    if (i->kind == HD_INODE_OTHER)
        hd_ipc_refuse(m, "opening of a device or fifo of the host (executions end there)");
    return 0;
}

static int check_access(const hd_inode *i, int flags) {
    int access = flags & O_ACCMODE, what = access == O_RDONLY   ? R_OK
                                           : access == O_WRONLY ? W_OK
                                                                : R_OK | W_OK;
    return hd_inode_check(i, flags & O_TRUNC ? what | W_OK : what);
}

static int open_known(hd_machine *m, hd_inode *i, int flags) {
    int error = flags & O_CREAT && flags & O_EXCL ? EEXIST : check_kind(m, i, flags);
    error = error ? error : check_access(i, flags);
    if (error)
        return hd_ipc_fail(m, error);
    if (flags & O_TRUNC && i->kind == HD_INODE_FILE)
        hd_file_truncate(m, i, 0);
    return new_file(m, i, flags);
}

static int open_new(hd_machine *m, const hd_place *p, int flags, unsigned mode) {
    int error = !(flags & O_CREAT)                 ? ENOENT
                : p->ends_with_slash               ? EISDIR
                : flags & O_DIRECTORY              ? EINVAL
                : p->directory->info.st_nlink == 0 ? ENOENT
                                                   : hd_inode_check(p->directory, W_OK | X_OK);
    if (error)
        return hd_ipc_fail(m, error);
    return new_file(m, hd_disk_make(hd_files_of(m), p, HD_INODE_FILE, masked(m, mode)), flags);
}

static int open_unnamed(hd_machine *m, int flags, unsigned mode) {
    return new_file(m, hd_disk_make_unnamed(hd_files_of(m), masked(m, mode), hd_name_object(m)),
                    flags & ~O_TMPFILE);
}

/* Flags that are about how the host would do it. */
static void check_flags(hd_machine *m, int flags) {
    if (flags & O_PATH)
        hd_ipc_refuse(m, "open with O_PATH, which is not modelled (executions end there)");
}

static int open_at(int directory, const char *path, int flags, unsigned mode) {
    hd_machine *m = hd_ipc_enter();
    hd_place p;
    bool is_exclusive = flags & O_CREAT && flags & O_EXCL, changes = flags & (O_CREAT | O_TRUNC);
    path = hd_ipc_text(m, path);
    check_flags(m, flags);
    if (*path && hd_ipc_is_full(m)) /* before anything is made */
        return hd_ipc_fail(m, EMFILE);
    int named = named_descriptor(path);
    if (named >= 0)
        return hd_ipc_file(m, named) ? hd_libc_dup(named) : hd_ipc_fail(m, ENOENT);
    if (!find_text(m, directory, path, !is_exclusive && !(flags & O_NOFOLLOW), changes, &p))
        return -1;
    if ((flags & O_TMPFILE) == O_TMPFILE)
        return p.inode ? open_unnamed(m, flags, mode) : hd_ipc_fail(m, ENOENT);
    return p.inode ? open_known(m, p.inode, flags) : open_new(m, &p, flags, mode);
}

int hd_file_open(const char *path, int flags, unsigned mode) {
    hd_file_note_no_point(hd_now);
    return open_at(AT_FDCWD, path, flags, mode);
}

int hd_libc_openat(int directory, const char *path, int flags, unsigned mode) {
    hd_ipc_enter_point();
    return open_at(directory, path, flags, mode);
}

int hd_libc_open(const char *path, int flags, unsigned mode) {
    return hd_libc_openat(AT_FDCWD, path, flags, mode);
}

int hd_libc_creat(const char *path, unsigned mode) {
    return hd_libc_open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

int hd_file_open_unnamed(hd_machine *m) {
    return open_unnamed(m, O_RDWR, 0600);
}

/* ---- what they are ---- */

static int store_stat(hd_machine *m, const hd_inode *i, void *out) {
    if (!i)
        return -1;
    hd_content_event(m, i, false);
    struct stat s = hd_inode_stat(i);
    hd_ipc_store_plain(m, out, &s, sizeof s);
    return 0;
}

/* Flags of the functions with "at": others than they know are a mistake, whatever the path is. */
static bool has_others(hd_machine *m, int flags, int known) {
    return flags & ~known && hd_ipc_fail(m, EINVAL);
}

int hd_libc_fstatat(int directory, const char *path, void *out, int flags) {
    hd_machine *m = hd_ipc_enter();
    if (has_others(m, flags, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT))
        return -1;
    if (flags & AT_EMPTY_PATH && *hd_ipc_text(m, path) == '\0')
        return hd_libc_fstat(directory, out);
    return store_stat(m, get(m, directory, path, !(flags & AT_SYMLINK_NOFOLLOW), false), out);
}

int hd_libc_stat(const char *path, void *out) {
    return hd_libc_fstatat(AT_FDCWD, path, out, 0);
}

int hd_libc_lstat(const char *path, void *out) {
    return hd_libc_fstatat(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}

int hd_libc_faccessat(int directory, const char *path, int what, int flags) {
    hd_machine *m = hd_ipc_enter();
    if (has_others(m, flags, AT_SYMLINK_NOFOLLOW | AT_EACCESS | AT_EMPTY_PATH) ||
        has_others(m, what, R_OK | W_OK | X_OK))
        return -1;
    const hd_inode *i = get(m, directory, path, !(flags & AT_SYMLINK_NOFOLLOW), false);
    return i ? answer(m, what == F_OK ? 0 : hd_inode_check(i, what)) : -1;
}

int hd_libc_access(const char *path, int what) {
    return hd_libc_faccessat(AT_FDCWD, path, what, 0);
}

int64_t hd_libc_readlinkat(int directory, const char *path, char *out, size_t n) {
    hd_machine *m = hd_ipc_enter();
    const hd_inode *i = get(m, directory, path, false, false);
    if (!i)
        return -1;
    if (i->kind != HD_INODE_LINK || n == 0)
        return hd_ipc_fail(m, EINVAL);
    HD_ASSERT(i->target);
    size_t length = strlen(i->target), size = length < n ? length : n;
    hd_ipc_store_plain(m, out, i->target, size);
    return (int64_t)size;
}

int64_t hd_libc_readlink(const char *path, char *out, size_t n) {
    return hd_libc_readlinkat(AT_FDCWD, path, out, n);
}

/* ---- making and removing ---- */

int hd_libc_mkdirat(int directory, const char *path, unsigned mode) {
    hd_machine *m = hd_ipc_enter();
    hd_place p;
    if (!find(m, directory, path, false, true, &p))
        return -1;
    int error = p.inode ? EEXIST : hd_inode_check(p.directory, W_OK | X_OK);
    if (error)
        return hd_ipc_fail(m, error);
    hd_disk_make(hd_files_of(m), &p, HD_INODE_DIRECTORY, masked(m, mode));
    return 0;
}

int hd_libc_mkdir(const char *path, unsigned mode) {
    return hd_libc_mkdirat(AT_FDCWD, path, mode);
}

/* Paths of UNIX-domain sockets are the network's. */
static void change_door(hd_machine *m, const char *path) {
    HD_ASSERT(strlen(path) < HD_MAX_PATH);
    hd_address a = {.family = AF_UNIX, .n_path = (uint8_t)strlen(path)};
    memcpy(a.path, path, a.n_path);
    hd_ipc_change_door(m, hd_port_door(table_of(m)->host, SOCK_STREAM, &a), HD_OPENING_UNKNOWN,
                       NULL);
}

static bool unlink_socket(hd_machine *m, const char *path) {
    if (strlen(path) < HD_MAX_PATH)
        change_door(m, path);
    return hd_port_unlink(hd_ipc_net(m), table_of(m)->host, path);
}

static int remove_at(hd_machine *m, int directory, const char *path, bool is_directory) {
    hd_place p;
    path = hd_ipc_text(m, path);
    if (!is_directory && unlink_socket(m, path))
        return 0;
    if (!find_text(m, directory, path, false, true, &p))
        return -1;
    /* A socket of the host that has the same name is none of the program's. */
    if (p.inode && p.inode->kind == HD_INODE_OTHER && S_ISSOCK(p.inode->info.st_mode))
        return hd_ipc_fail(m, ENOENT);
    return answer(m, hd_disk_remove(hd_files_of(m), &p, is_directory));
}

int hd_libc_unlinkat(int directory, const char *path, int flags) {
    hd_machine *m = hd_ipc_enter();
    return has_others(m, flags, AT_REMOVEDIR) ? -1
                                              : remove_at(m, directory, path, flags & AT_REMOVEDIR);
}

int hd_libc_unlink(const char *path) {
    return remove_at(hd_ipc_enter(), AT_FDCWD, path, false);
}

int hd_libc_rmdir(const char *path) {
    return remove_at(hd_ipc_enter(), AT_FDCWD, path, true);
}

int hd_libc_remove(const char *path) {
    hd_machine *m = hd_ipc_enter();
    int number = *(int *)m->running.errno_at;
    if (remove_at(m, AT_FDCWD, path, false) == 0)
        return 0;
    if (*(int *)m->running.errno_at != EISDIR)
        return -1;
    hd_errno_set(m, number);
    return remove_at(m, AT_FDCWD, path, true);
}

int hd_libc_renameat(int from_directory, const char *from, int to_directory, const char *to) {
    hd_machine *m = hd_ipc_enter();
    hd_place a, b;
    if (!find(m, from_directory, from, false, true, &a) ||
        !find(m, to_directory, to, false, true, &b))
        return -1;
    return answer(m, hd_disk_rename(hd_files_of(m), &a, &b));
}

int hd_libc_rename(const char *from, const char *to) {
    return hd_libc_renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int hd_libc_linkat(int from_directory, const char *from, int to_directory, const char *to,
                   int flags) {
    hd_machine *m = hd_ipc_enter();
    hd_place p;
    if (has_others(m, flags, AT_SYMLINK_FOLLOW | AT_EMPTY_PATH))
        return -1;
    hd_inode *i = get(m, from_directory, from, flags & AT_SYMLINK_FOLLOW, true);
    if (!i || !find(m, to_directory, to, false, true, &p))
        return -1;
    return answer(m, hd_disk_link(hd_files_of(m), i, &p));
}

int hd_libc_link(const char *from, const char *to) {
    return hd_libc_linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int hd_libc_symlinkat(const char *target, int directory, const char *path) {
    hd_machine *m = hd_ipc_enter();
    hd_place p;
    target = hd_ipc_text(m, target);
    if (!find(m, directory, path, false, true, &p))
        return -1;
    int error = !*target ? ENOENT : p.inode ? EEXIST : hd_inode_check(p.directory, W_OK | X_OK);
    if (error)
        return hd_ipc_fail(m, error);
    char *copy = hd_arena_alloc(&hd_ipc_net(m)->arena, strlen(target) + 1);
    strcpy(copy, target);
    hd_disk_make(hd_files_of(m), &p, HD_INODE_LINK, 0777)->target = copy;
    return 0;
}

int hd_libc_symlink(const char *target, const char *path) {
    return hd_libc_symlinkat(target, AT_FDCWD, path);
}

int hd_libc_truncate(const char *path, int64_t size) {
    hd_machine *m = hd_ipc_enter();
    hd_inode *i = get(m, AT_FDCWD, path, true, false);
    int error = !i                              ? 0
                : i->kind == HD_INODE_DIRECTORY ? EISDIR
                : i->kind != HD_INODE_FILE      ? EINVAL
                                                : hd_inode_check(i, W_OK);
    if (error)
        hd_ipc_fail(m, error);
    return !i || error ? -1 : hd_file_truncate(m, i, size);
}

/* ---- who may do what ---- */

static int change_mode(hd_machine *m, hd_inode *i, unsigned mode) {
    if (geteuid() != 0 && i->info.st_uid != geteuid())
        return hd_ipc_fail(m, EPERM);
    hd_content_event(m, i, true);
    hd_files_change(m, "files");
    i->info.st_mode = (i->info.st_mode & S_IFMT) | (mode & 07777);
    i->has_own_mode = true;
    return 0;
}

int hd_libc_chmod(const char *path, unsigned mode) {
    hd_machine *m = hd_ipc_enter();
    hd_inode *i = get(m, AT_FDCWD, path, true, false);
    return i ? change_mode(m, i, mode) : -1;
}

int hd_libc_fchmod(int descriptor, unsigned mode) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = hd_ipc_file(m, descriptor);
    if (!f)
        return -1;
    return f->kind == HD_FILE_DISK ? change_mode(m, f->inode, mode) : 0;
}

static int change_owner(hd_machine *m, hd_inode *i, unsigned user, unsigned group) {
    bool is_other = (user != UINT32_MAX && user != i->info.st_uid) ||
                    (group != UINT32_MAX && group != i->info.st_gid);
    if (geteuid() != 0 && is_other)
        return hd_ipc_fail(m, EPERM);
    hd_content_event(m, i, true);
    hd_files_change(m, "files");
    i->info.st_uid = user != UINT32_MAX ? user : i->info.st_uid;
    i->info.st_gid = group != UINT32_MAX ? group : i->info.st_gid;
    i->has_own_mode = true;
    return 0;
}

static int change_owner_at(const char *path, unsigned user, unsigned group, bool follows) {
    hd_machine *m = hd_ipc_enter();
    hd_inode *i = get(m, AT_FDCWD, path, follows, false);
    return i ? change_owner(m, i, user, group) : -1;
}

int hd_libc_chown(const char *path, unsigned user, unsigned group) {
    return change_owner_at(path, user, group, true);
}

int hd_libc_lchown(const char *path, unsigned user, unsigned group) {
    return change_owner_at(path, user, group, false);
}

int hd_libc_fchown(int descriptor, unsigned user, unsigned group) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = hd_ipc_file(m, descriptor);
    if (!f)
        return -1;
    return f->kind == HD_FILE_DISK ? change_owner(m, f->inode, user, group) : 0;
}

/* What threads share that paths of all of them depend on: the working directory, and the mask. */
static void start_event(hd_machine *m, bool is_store) {
    if (hd_ipc_is_shared_table(m))
        hd_paths_event(m, is_store);
}

unsigned hd_libc_umask(unsigned mask) {
    hd_machine *m = hd_ipc_enter();
    start_event(m, true);
    unsigned old = table_of(m)->mask;
    table_of(m)->mask = mask & 0777;
    return old;
}

/* ---- the working directory ---- */

static int go_to(hd_machine *m, hd_inode *i) {
    int error = i->kind != HD_INODE_DIRECTORY ? ENOTDIR : hd_inode_check(i, X_OK);
    if (error)
        return hd_ipc_fail(m, error);
    start_event(m, true);
    table_of(m)->directory = i;
    return 0;
}

int hd_libc_chdir(const char *path) {
    hd_machine *m = hd_ipc_enter();
    hd_inode *i = get(m, AT_FDCWD, path, true, false);
    return i ? go_to(m, i) : -1;
}

int hd_libc_fchdir(int descriptor) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = hd_ipc_file(m, descriptor);
    if (!f)
        return -1;
    return f->kind == HD_FILE_DISK ? go_to(m, f->inode) : hd_ipc_fail(m, ENOTDIR);
}

/* `may`: whose process it is may do that. */
int hd_libc_change_root(const char *path, int may) {
    hd_machine *m = hd_ipc_enter();
    hd_inode *i = get(m, AT_FDCWD, path, true, false);
    int error = !i                              ? 0
                : i->kind != HD_INODE_DIRECTORY ? ENOTDIR
                : hd_inode_check(i, X_OK)       ? EACCES
                : !may                          ? EPERM
                                                : 0;
    if (error)
        hd_ipc_fail(m, error);
    if (!i || error)
        return -1;
    start_event(m, true);
    table_of(m)->top = i;
    return 0;
}

/* Text for the program: into its own memory, or into a new block that it frees. */
static char *give_text(hd_machine *m, char *out, const char *text, uint64_t pc) {
    size_t n = strlen(text) + 1;
    if (!out && !(out = hd_heap_alloc(m->running.heap, n, 16, pc))) {
        hd_ipc_fail(m, ENOMEM);
        return NULL;
    }
    hd_ipc_store_plain(m, out, text, n);
    return out;
}

#define CALLER ((uint64_t)__builtin_return_address(0) - 1)

char *hd_libc_getcwd(char *out, size_t n) {
    hd_machine *m = hd_ipc_enter();
    hd_paths_event(m, false);
    const char *path = hd_directory_path(hd_files_of(m), hd_working_directory(m));
    int error = out && n == 0                        ? EINVAL
                : !path                              ? ENOENT
                : (out || n) && strlen(path) + 1 > n ? ERANGE
                                                     : 0;
    if (error) {
        hd_ipc_fail(m, error);
        return NULL;
    }
    return give_text(m, out, path, CALLER);
}

char *hd_libc_realpath(const char *path, char *out) {
    hd_machine *m = hd_ipc_enter();
    hd_place p;
    if (!find(m, AT_FDCWD, path, true, false, &p))
        return NULL;
    bool is_directory = p.inode && p.inode->kind == HD_INODE_DIRECTORY;
    const char *above = hd_directory_path(hd_files_of(m), is_directory ? p.inode : p.directory);
    if (!p.inode || !above) {
        hd_ipc_fail(m, ENOENT);
        return NULL;
    }
    char text[2 * PATH_MAX];
    snprintf(text, sizeof text, "%s%s%s", above, is_directory || !above[1] ? "" : "/",
             is_directory ? "" : p.name);
    return give_text(m, out, text, CALLER);
}

/* ---- names that nobody has ---- */

#define N_MARKS 6

/* The place of "XXXXXX" in a template, before `suffix` bytes; NULL with an error. */
static char *marks_of(hd_machine *m, char *template, int suffix) {
    const char *text = hd_ipc_text(m, template);
    size_t n = strlen(text);
    if (suffix >= 0 && n >= (size_t)suffix + N_MARKS &&
        strncmp(text + n - (size_t)suffix - N_MARKS, "XXXXXX", N_MARKS) == 0)
        return template + n - (size_t)suffix - N_MARKS;
    hd_ipc_fail(m, EINVAL);
    return NULL;
}

/* The next name: always the same ones, in this order. */
static void fill_marks(hd_machine *m, char *marks, uint32_t number) {
    char name[N_MARKS];
    for (int i = N_MARKS; i-- > 0; number /= 26)
        name[i] = (char)('a' + number % 26);
    hd_ipc_store_plain(m, marks, name, N_MARKS);
}

int hd_libc_mkostemps(char *template, int suffix, int flags) {
    hd_machine *m = hd_ipc_enter();
    char *marks = marks_of(m, template, suffix);
    int made = -1, before = *(int *)m->running.errno_at;
    for (uint32_t i = 0; marks && made < 0 && i < 1000; i++) {
        fill_marks(m, marks, i);
        made = hd_file_open(template, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
        if (made < 0 && *(int *)m->running.errno_at != EEXIST)
            return -1;
        if (made >= 0 && i) /* names that were taken are nobody's error */
            hd_errno_set(m, before);
    }
    return made;
}

int hd_libc_mkstemp(char *template) {
    return hd_libc_mkostemps(template, 0, 0);
}

int hd_libc_mkostemp(char *template, int flags) {
    return hd_libc_mkostemps(template, 0, flags);
}

int hd_libc_mkstemps(char *template, int suffix) {
    return hd_libc_mkostemps(template, suffix, 0);
}

char *hd_libc_mkdtemp(char *template) {
    hd_machine *m = hd_ipc_enter();
    char *marks = marks_of(m, template, 0);
    int before = *(int *)m->running.errno_at;
    for (uint32_t i = 0; marks && i < 1000; i++) {
        fill_marks(m, marks, i);
        if (hd_libc_mkdir(template, 0700) == 0) {
            if (i)
                hd_errno_set(m, before);
            return template;
        }
        if (*(int *)m->running.errno_at != EEXIST)
            return NULL;
    }
    return NULL;
}

/* ---- times ---- */

/* NULL: now. */
static int set_times(hd_machine *m, hd_inode *i, const struct timespec *copy) {
    uint64_t now = hd_time_now(m);
    hd_content_event(m, i, true);
    hd_files_change(m, "files");
    for (int k = 0; k < 2; k++) {
        struct timespec *t = k ? &i->info.st_mtim : &i->info.st_atim;
        if (!copy || copy[k].tv_nsec == UTIME_NOW)
            *t = (struct timespec){HD_START_OF_TIME + (time_t)(now / 1000000000),
                                   (long)(now % 1000000000)};
        else if (copy[k].tv_nsec != UTIME_OMIT)
            *t = copy[k];
    }
    return 0;
}

static bool is_fraction(const struct timespec *t) {
    return (t->tv_nsec >= 0 && t->tv_nsec < 1000000000) || t->tv_nsec == UTIME_NOW ||
           t->tv_nsec == UTIME_OMIT;
}

/* False, and EINVAL, if there are no such times. */
static bool read_times(hd_machine *m, const struct timespec *times, struct timespec *copy) {
    if (!times)
        return true;
    hd_library_get(m, copy, times, 2 * sizeof *copy);
    return (is_fraction(&copy[0]) && is_fraction(&copy[1])) || !hd_ipc_fail(m, EINVAL);
}

int hd_libc_utimensat(int directory, const char *path, const struct timespec *times, int flags) {
    hd_machine *m = hd_ipc_enter();
    struct timespec copy[2];
    if (!read_times(m, times, copy) || has_others(m, flags, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
        return -1;
    hd_inode *i = get(m, directory, path, !(flags & AT_SYMLINK_NOFOLLOW), false);
    return i ? set_times(m, i, times ? copy : NULL) : -1;
}

int hd_libc_futimens(int descriptor, const struct timespec *times) {
    hd_machine *m = hd_ipc_enter();
    struct timespec copy[2];
    const hd_file *f = hd_ipc_file(m, descriptor);
    if (!f || !read_times(m, times, copy))
        return -1;
    return f->kind == HD_FILE_DISK ? set_times(m, f->inode, times ? copy : NULL) : 0;
}

int hd_libc_utime(const char *path, const struct utimbuf *times) {
    hd_machine *m = hd_ipc_enter();
    struct utimbuf given = {0, 0};
    if (times)
        hd_library_get(m, &given, times, sizeof given);
    struct timespec copy[2] = {{given.actime, 0}, {given.modtime, 0}};
    hd_inode *i = get(m, AT_FDCWD, path, true, false);
    return i ? set_times(m, i, times ? copy : NULL) : -1;
}

int hd_libc_utimes(const char *path, const struct timeval *times) {
    hd_machine *m = hd_ipc_enter();
    struct timeval given[2] = {{0, 0}, {0, 0}};
    if (times)
        hd_library_get(m, given, times, sizeof given);
    for (int i = 0; i < 2; i++)
        if (given[i].tv_usec < 0 || given[i].tv_usec > 999999)
            return hd_ipc_fail(m, EINVAL);
    struct timespec copy[2] = {{given[0].tv_sec, 1000 * given[0].tv_usec},
                               {given[1].tv_sec, 1000 * given[1].tv_usec}};
    hd_inode *i = get(m, AT_FDCWD, path, true, false);
    return i ? set_times(m, i, times ? copy : NULL) : -1;
}
