/* Real files: the host opens them, and they keep their number, so that functions that nobody
 * modelled work on them.  A number that is in use here is avoided. */
#include "machine/libc_ipc.h"
#include "machine/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Which of them are one and the same is known to the host alone. */
void hd_file_outside(hd_machine *m, const hd_file *f, bool is_store) {
    if (f->kind == HD_FILE_HOST || f->host == 0)
        hd_library_state(m, HD_TOKEN_OUTSIDE, is_store);
}

static int adopt(hd_machine *m, int host, int flags) {
    hd_net *n = hd_ipc_net(m);
    if (host < 0)
        return hd_ipc_fail(m, errno);
    int number = host;
    while (number >= 0 && hd_descriptor_file(n, hd_ipc_process(m), number)) {
        int next = fcntl(number, F_DUPFD, number + 1);
        close(number);
        number = next;
    }
    if (number < 0 || number >= HD_MAX_DESCRIPTORS)
        return hd_ipc_fail(m, EMFILE);
    hd_file *f = hd_file_new(n, HD_FILE_HOST, flags & ~O_CLOEXEC);
    f->host = number;
    hd_descriptor_set(n, hd_ipc_process(m), number, f, flags & O_CLOEXEC);
    return number;
}

int hd_file_open(hd_machine *m, const char *path, int flags, unsigned mode) {
    hd_library_state(m, HD_TOKEN_OUTSIDE, true);
    return adopt(m, open(path, flags, mode), flags);
}

int hd_libc_open(const char *path, int flags, unsigned mode) {
    hd_machine *m = hd_ipc_enter();
    return hd_file_open(m, hd_ipc_text(m, path), flags, mode);
}

int hd_libc_openat(int directory, const char *path, int flags, unsigned mode) {
    hd_machine *m = hd_ipc_enter();
    path = hd_ipc_text(m, path);
    hd_library_state(m, HD_TOKEN_OUTSIDE, true);
    return adopt(m, openat(directory, path, flags, mode), flags);
}

int hd_libc_creat(const char *path, unsigned mode) {
    return hd_libc_open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* The file of a descriptor if it is the host's; else NULL, with this error. */
static const hd_file *host_file(hd_machine *m, int descriptor, int error) {
    const hd_file *f = hd_ipc_file(m, descriptor);
    if (f && f->kind != HD_FILE_HOST && f->kind != HD_FILE_STANDARD) {
        hd_ipc_fail(m, error);
        return NULL;
    }
    return f;
}

static int64_t answer(hd_machine *m, int64_t result) {
    return result < 0 ? hd_ipc_fail(m, errno) : result;
}

int64_t hd_libc_lseek(int descriptor, int64_t offset, int whence) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = host_file(m, descriptor, ESPIPE);
    if (!f)
        return -1;
    hd_file_outside(m, f, true);
    return answer(m, lseek(f->host, offset, whence));
}

int64_t hd_libc_pread(int descriptor, void *out, size_t n, int64_t offset) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = host_file(m, descriptor, ESPIPE);
    if (!f)
        return -1;
    hd_ipc_check(m, out, n, true);
    hd_file_outside(m, f, false);
    void *bytes = hd_arena_alloc(&hd_ipc_net(m)->arena, n);
    int64_t got = answer(m, pread(f->host, bytes, n, offset));
    if (got > 0)
        hd_ipc_store_plain(m, out, bytes, (uint64_t)got);
    return got;
}

int64_t hd_libc_pwrite(int descriptor, const void *bytes, size_t n, int64_t offset) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = host_file(m, descriptor, ESPIPE);
    if (!f)
        return -1;
    hd_bytes read = hd_ipc_load(m, bytes, n);
    hd_file_outside(m, f, true);
    return answer(m, pwrite(f->host, read.at, n, offset));
}

int hd_libc_isatty(int descriptor) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = host_file(m, descriptor, ENOTTY);
    if (f && isatty(f->host))
        return 1;
    if (f)
        hd_ipc_fail(m, ENOTTY);
    return 0;
}

int hd_libc_fsync(int descriptor) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = host_file(m, descriptor, EINVAL);
    return f ? (int)answer(m, fsync(f->host)) : -1;
}

int hd_libc_ftruncate(int descriptor, int64_t size) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *any = hd_descriptor_file(hd_ipc_net(m), hd_ipc_process(m), descriptor);
    if (any && any->kind == HD_FILE_SHARED)
        return hd_shared_truncate(m, any, size);
    const hd_file *f = host_file(m, descriptor, EINVAL);
    if (!f)
        return -1;
    hd_file_outside(m, f, true);
    return (int)answer(m, ftruncate(f->host, size));
}

int hd_libc_fstat(int descriptor, void *out) {
    hd_machine *m = hd_ipc_enter();
    const hd_file *f = hd_ipc_file(m, descriptor);
    struct stat s = {.st_blksize = 4096};
    if (!f)
        return -1;
    if (f->kind == HD_FILE_HOST || f->kind == HD_FILE_STANDARD) {
        hd_file_outside(m, f, false);
        if (fstat(f->host, &s) < 0)
            return hd_ipc_fail(m, errno);
    } else if (f->kind == HD_FILE_SHARED) {
        s.st_mode = S_IFREG | 0600;
        s.st_size = (int64_t)hd_shared_size(f);
    } else
        s.st_mode = f->kind == HD_FILE_PIPE     ? S_IFIFO | 0600
                    : f->kind == HD_FILE_SOCKET ? S_IFSOCK | 0777
                                                : 0600;
    hd_ipc_store_plain(m, out, &s, sizeof s);
    return 0;
}
