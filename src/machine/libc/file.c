/* Files by their descriptors: what is read and written, where, and how long they are.
 *
 * They are those of world/disk.h: nothing is written to the host, and symbolic bytes come back as
 * they went.  What several threads or processes do to one file are events on it; looking at names
 * and changing them are events on all names. */
#include "machine/channels/faults.h"
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"
#include "machine/tasks/time_order.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* ---- whose they are ---- */

static const hd_network_node *node_of(const hd_machine *m) {
    uint32_t node = hd_process_at(m, hd_process_current(m))->node;
    return node ? &m->options.nodes[node - 1] : NULL;
}

bool hd_files_are_own(const hd_machine *m) {
    const hd_network_node *n = node_of(m);
    return n && n->files != HD_FILES_SHARED;
}

hd_disk *hd_files_of(hd_machine *m) {
    hd_net *net = hd_ipc_net(m);
    const hd_descriptor_table *t = hd_net_table(net, hd_ipc_process(m));
    const hd_network_node *n = hd_files_are_own(m) ? node_of(m) : NULL;
    uint32_t tree = n ? (uint32_t)(n - m->options.nodes) + 1 : 0;
    hd_disk_enter(&net->disk, tree, n ? n->root : NULL, t->top);
    return &net->disk;
}

void hd_files_change(hd_machine *m, const char *what) {
    if (!hd_files_are_own(m))
        hd_time_change_common(m, what);
}

/* ---- events ---- */

static void stand(hd_machine *m, uint64_t token, bool is_store) {
    HD_ASSERT(hd_token_words(token));
    hd_fault_before(m, is_store);
    if (!hd_is_threaded(m) && !m->system.is_concurrent)
        return;
    hd_action a =
        hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, is_store ? HD_MODE_WRITE : HD_MODE_READ);
    a.access[0].address = token;
    hd_visible(m, &a);
}

/* Names that only processes of one node see are a thing of their own. */
void hd_paths_event(hd_machine *m, bool is_store) {
    bool are_own = hd_files_are_own(m);
    uint32_t names = are_own ? (uint32_t)hd_mix((uint64_t)(node_of(m) - m->options.nodes) + 1) : 0;
    stand(m, are_own ? HD_TOKEN_FILE(names) : HD_TOKEN_OUTSIDE, is_store);
}

void hd_content_event(hd_machine *m, const hd_inode *i, bool is_store) {
    stand(m, HD_TOKEN_FILE(i->name), is_store);
}

/* The place of a file that others may have open too changes with what they read. */
static bool is_place_shared(const hd_machine *m, const hd_file *f) {
    return f->is_shared || hd_ipc_is_shared_table(m);
}

/* ---- reading ---- */

/* What a process is kept from is no error of the program's calls: they would succeed elsewhere. */
static void refuse_what_was_not_given(hd_machine *m, const hd_inode *i) {
    if (i->host && i->host->is_refused)
        hd_end_finding(m, HD_FINDING_FORBIDDEN, 0,
                       "reading '%s' is forbidden: it was not given ('--allow read=%s')",
                       i->host->path, i->host->path);
}

int hd_disk_file_load(hd_machine *m, hd_inode *i) {
    int error = hd_inode_load(&hd_ipc_net(m)->disk, i);
    if (error)
        refuse_what_was_not_given(m, i);
    return error;
}

uint32_t hd_disk_file_list(hd_machine *m, hd_inode *directory, const char ***names) {
    uint32_t n = hd_directory_list(hd_files_of(m), directory, names);
    refuse_what_was_not_given(m, directory);
    return n;
}

static int64_t fail_load(hd_machine *m, int error) {
    if (error == EFBIG)
        hd_ipc_refuse(m, "a file of more than %lu MB (executions end there)", HD_DISK_MOST >> 20);
    return hd_ipc_fail(m, error);
}

/* Devices that never end. */
static int64_t read_device(hd_machine *m, const hd_inode *i, const struct iovec *pieces, uint64_t n,
                           uint64_t total) {
    HD_ASSERT(i->kind == HD_INODE_ZERO || i->kind == HD_INODE_FULL || i->kind == HD_INODE_RANDOM);
    HD_ASSERT(i->host); /* programs make no devices */
    uint8_t *bytes = hd_arena_alloc(&hd_ipc_net(m)->arena, total);
    if (i->kind == HD_INODE_RANDOM) {
        hd_approximate_call(m, "bytes of %s, which are always the same", i->host->path);
        for (uint64_t k = 0; k < total; k++)
            bytes[k] = hd_random_byte(m);
    }
    hd_ipc_scatter(m, pieces, n, bytes, NULL, total);
    return (int64_t)total;
}

/* What was found is copied before it is handed out: that may be an event, and others write. */
static int64_t read_at(hd_machine *m, hd_inode *i, const struct iovec *pieces, uint64_t n,
                       uint64_t total, uint64_t offset, uint64_t *place) {
    const uint8_t *bytes;
    const uint32_t *words;
    int error = hd_disk_file_load(m, i);
    if (error)
        return fail_load(m, error);
    uint64_t got = hd_inode_read(&hd_ipc_net(m)->disk, i, offset, total, &bytes, &words);
    HD_ASSERT(got <= total && got <= HD_DISK_MOST);
    if (place)
        *place += got;
    if (!got)
        return 0;
    hd_bytes copy = hd_bytes_copy(&hd_ipc_net(m)->arena, bytes, words, (uint32_t)got);
    hd_ipc_scatter(m, pieces, n, copy.at, copy.words, got);
    return (int64_t)got;
}

static int64_t read_from(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n,
                         uint64_t *place, int64_t offset) {
    HD_ASSERT(f->kind == HD_FILE_DISK && f->inode);
    hd_inode *i = f->inode;
    int64_t total = hd_ipc_total(pieces, n);
    if ((f->flags & O_ACCMODE) == O_WRONLY)
        return hd_ipc_fail(m, EBADF);
    if (total < 0 || offset < 0)
        return hd_ipc_fail(m, EINVAL);
    hd_content_event(m, i, place && is_place_shared(m, f));
    switch ((hd_inode_kind)i->kind) {
    case HD_INODE_FILE:
        return read_at(m, i, pieces, n, (uint64_t)total, place ? *place : (uint64_t)offset, place);
    case HD_INODE_DIRECTORY:
        return hd_ipc_fail(m, EISDIR);
    case HD_INODE_NULL:
        return 0;
    default:
        return read_device(m, i, pieces, n, (uint64_t)total);
    }
}

int64_t hd_disk_file_read(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n) {
    return read_from(m, f, pieces, n, &f->offset, 0);
}

/* ---- writing ---- */

static void check_size(hd_machine *m, uint64_t size) {
    if (size > HD_DISK_MOST)
        hd_ipc_refuse(m, "a file of more than %lu MB (executions end there)", HD_DISK_MOST >> 20);
}

void hd_content_changed(hd_machine *m, hd_inode *i) {
    uint64_t now = hd_time_now(m);
    i->info.st_mtim =
        (struct timespec){HD_START_OF_TIME + (time_t)(now / 1000000000), (long)(now % 1000000000)};
    i->info.st_ctim = i->info.st_mtim;
    if (i->info.st_nlink) /* somebody else may open it */
        hd_files_change(m, "files");
    if (i->is_mapped)
        hd_approximate_call(m, "write to a file that is mapped, which the mapping does not show");
}

static int64_t write_at(hd_machine *m, hd_inode *i, const hd_bytes *bytes, uint64_t offset) {
    HD_ASSERT(i->kind == HD_INODE_FILE && bytes->n);
    int error = hd_disk_file_load(m, i);
    if (error)
        return fail_load(m, error);
    check_size(m, offset + bytes->n);
    hd_inode_write(&hd_ipc_net(m)->disk, i, offset, bytes->at, bytes->words, bytes->n);
    HD_ASSERT(i->size >= offset + bytes->n);
    hd_content_changed(m, i);
    return bytes->n;
}

/* Linux appends where O_APPEND says so, even with pwrite. */
static int64_t write_to(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n,
                        uint64_t *place, int64_t offset) {
    HD_ASSERT(f->kind == HD_FILE_DISK && f->inode);
    hd_inode *i = f->inode;
    int64_t total = hd_ipc_total(pieces, n);
    if ((f->flags & O_ACCMODE) == O_RDONLY)
        return hd_ipc_fail(m, EBADF);
    if (total < 0 || offset < 0)
        return hd_ipc_fail(m, EINVAL);
    hd_bytes bytes = hd_ipc_gather(m, pieces, n, (uint64_t)total);
    hd_content_event(m, i, true);
    if (i->kind != HD_INODE_FILE)
        return i->kind == HD_INODE_FULL && total ? hd_ipc_fail(m, ENOSPC) : total;
    uint64_t at = place ? *place : (uint64_t)offset;
    if (f->flags & O_APPEND) {
        int error = hd_disk_file_load(m, i);
        if (error)
            return fail_load(m, error);
        at = i->size;
    }
    int64_t done = total ? write_at(m, i, &bytes, at) : 0;
    if (place && done > 0)
        *place = at + (uint64_t)done;
    return done;
}

int64_t hd_disk_file_write(hd_machine *m, hd_file *f, const struct iovec *pieces, uint64_t n) {
    return write_to(m, f, pieces, n, &f->offset, 0);
}

/* ---- at a place ---- */

/* The file of a descriptor if it has places; else NULL, with this error. */
static hd_file *file_of(hd_machine *m, int descriptor, int error) {
    hd_file *f = hd_ipc_file(m, descriptor);
    if (!f || f->kind == HD_FILE_DISK)
        return f;
    hd_ipc_fail(m, error);
    return NULL;
}

int64_t hd_libc_pread(int descriptor, void *out, size_t n, int64_t offset) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = file_of(m, descriptor, ESPIPE);
    struct iovec piece = {out, n};
    return f ? read_from(m, f, &piece, 1, NULL, offset) : -1;
}

int64_t hd_libc_pwrite(int descriptor, const void *bytes, size_t n, int64_t offset) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = file_of(m, descriptor, ESPIPE);
    struct iovec piece = {(void *)bytes, n};
    return f ? write_to(m, f, &piece, 1, NULL, offset) : -1;
}

int64_t hd_libc_preadv(int descriptor, const struct iovec *pieces, int n, int64_t offset) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = file_of(m, descriptor, ESPIPE);
    if (f && n < 0)
        return hd_ipc_fail(m, EINVAL);
    return f ? read_from(m, f, hd_ipc_pieces(m, pieces, (uint64_t)n), (uint64_t)n, NULL, offset)
             : -1;
}

int64_t hd_libc_pwritev(int descriptor, const struct iovec *pieces, int n, int64_t offset) {
    hd_machine *m = hd_ipc_enter_point();
    hd_file *f = file_of(m, descriptor, ESPIPE);
    if (f && n < 0)
        return hd_ipc_fail(m, EINVAL);
    return f ? write_to(m, f, hd_ipc_pieces(m, pieces, (uint64_t)n), (uint64_t)n, NULL, offset)
             : -1;
}

/* Where `whence` begins; -1 with an error. */
static int64_t base_of(hd_machine *m, hd_file *f, int64_t offset, int whence) {
    int error = hd_disk_file_load(m, f->inode);
    int64_t size = (int64_t)f->inode->size;
    if (error)
        return fail_load(m, error);
    switch (whence) {
    case SEEK_SET:
        return 0;
    case SEEK_CUR:
        return (int64_t)f->offset;
    case SEEK_END:
        return size;
    case SEEK_DATA:
    case SEEK_HOLE: /* files have none, but at their end */
        if (offset < 0 || offset >= size)
            return hd_ipc_fail(m, ENXIO);
        return whence == SEEK_DATA ? 0 : size - offset;
    default:
        return hd_ipc_fail(m, EINVAL);
    }
}

int64_t hd_libc_lseek(int descriptor, int64_t offset, int whence) {
    hd_machine *m = hd_ipc_enter();
    hd_file *f = file_of(m, descriptor, ESPIPE);
    int64_t to;
    if (!f)
        return -1;
    hd_content_event(m, f->inode, is_place_shared(m, f));
    int64_t base = base_of(m, f, offset, whence);
    if (base < 0)
        return -1;
    if (__builtin_add_overflow(base, offset, &to) || to < 0)
        return hd_ipc_fail(m, EINVAL);
    bool has_place = f->inode->kind == HD_INODE_FILE || f->inode->kind == HD_INODE_DIRECTORY;
    f->offset = has_place ? (uint64_t)to : 0;
    return (int64_t)f->offset;
}

/* ---- the rest ---- */

int hd_libc_isatty(int descriptor) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = hd_ipc_file(m, descriptor);
    if (f && f->kind == HD_FILE_STANDARD && isatty(f->host))
        return 1;
    if (f)
        hd_ipc_fail(m, ENOTTY);
    return 0;
}

int hd_libc_fsync(int descriptor) {
    hd_machine *m = hd_ipc_enter_point();
    return file_of(m, descriptor, EINVAL) ? 0 : -1;
}

int hd_file_truncate(hd_machine *m, hd_inode *i, int64_t size) {
    HD_ASSERT(i->kind == HD_INODE_FILE);
    if (size < 0)
        return hd_ipc_fail(m, EINVAL);
    check_size(m, (uint64_t)size);
    hd_content_event(m, i, true);
    hd_inode_resize(&hd_ipc_net(m)->disk, i, (uint64_t)size);
    HD_ASSERT(i->size == (uint64_t)size);
    hd_content_changed(m, i);
    return 0;
}

int hd_libc_ftruncate(int descriptor, int64_t size) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *any = hd_ipc_find(m, descriptor);
    if (any && any->kind == HD_FILE_SHARED)
        return hd_shared_truncate(m, any, size);
    const hd_file *f = file_of(m, descriptor, EINVAL);
    if (!f)
        return -1;
    if ((f->flags & O_ACCMODE) == O_RDONLY || f->inode->kind != HD_INODE_FILE)
        return hd_ipc_fail(m, EINVAL);
    return hd_file_truncate(m, f->inode, size);
}

int hd_libc_posix_fallocate(int descriptor, int64_t offset, int64_t n) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = hd_ipc_find(m, descriptor);
    if (!f)
        return EBADF;
    if (offset < 0 || n <= 0)
        return EINVAL;
    if ((f->flags & O_ACCMODE) == O_RDONLY)
        return EBADF;
    if (f->kind != HD_FILE_DISK || f->inode->kind != HD_INODE_FILE)
        return f->kind == HD_FILE_PIPE ? ESPIPE : ENODEV;
    if (n > INT64_MAX - offset)
        return EFBIG;
    if (offset + n > hd_inode_stat(f->inode).st_size)
        hd_file_truncate(m, f->inode, offset + n);
    return 0;
}

int hd_libc_fstat(int descriptor, void *out) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = hd_ipc_file(m, descriptor);
    struct stat s = {.st_blksize = 4096, .st_nlink = 1, .st_uid = geteuid(), .st_gid = getegid()};
    if (!f)
        return -1;
    if (f->kind == HD_FILE_DISK) {
        hd_content_event(m, f->inode, false);
        s = hd_inode_stat(f->inode);
    } else if (f->kind == HD_FILE_STANDARD) {
        if (fstat(f->host, &s) < 0)
            return hd_ipc_fail(m, errno);
    } else if (f->kind == HD_FILE_SHARED) {
        stand(m, HD_TOKEN_NAMES, false);
        hd_shared_stat(f, &s);
    } else
        s.st_mode = f->kind == HD_FILE_PIPE     ? S_IFIFO | 0600
                    : f->kind == HD_FILE_SOCKET ? S_IFSOCK | 0777
                                                : 0600;
    hd_ipc_store_plain(m, out, &s, sizeof s);
    return 0;
}
