/* mmap and mprotect, and memory with names (shm_open).
 *
 * What is not shared, or has no other process to share it with, is memory of the heap that need not
 * be freed.  Files are copied when they are mapped. */
#include "machine/tasks/shared.h"
#include "machine/libc/libc_ipc.h"
#include "machine/memory/memory.h"
#include "machine/sync/sync.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct hd_shared_object {
    hd_shared_object *next;
    char *name; /* NULL once it is unlinked */
    uint32_t host, mode;
    uint64_t address, size, room; /* room: bytes at `address`, whole pages */
};

/* ---- names ---- */

static void change_names(hd_machine *m) {
    if (!m->system.is_concurrent && !hd_is_threaded(m))
        return;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, NULL, 1, HD_MODE_WRITE);
    a.access[0].address = HD_TOKEN_NAMES;
    hd_visible(m, &a);
}

static const hd_descriptor_table *table_of(hd_machine *m) {
    return hd_net_table(hd_ipc_net(m), hd_ipc_process(m));
}

static uint32_t host_of(hd_machine *m) {
    return table_of(m)->host;
}

static hd_shared_object *find(hd_machine *m, const char *name) {
    for (hd_shared_object *o = hd_ipc_net(m)->shared; o; o = o->next)
        if (o->name && o->host == host_of(m) && strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

static hd_shared_object *make(hd_machine *m, const char *name, unsigned mode) {
    HD_ASSERT(!find(m, name));
    hd_net *n = hd_ipc_net(m);
    hd_shared_object *o = hd_execution_alloc(m, sizeof *o);
    o->name = hd_execution_alloc(m, strlen(name) + 1);
    strcpy(o->name, name);
    o->host = host_of(m);
    o->mode = mode & 0777 & ~table_of(m)->mask;
    o->next = n->shared;
    return n->shared = o;
}

/* What is cut off is gone. */
static void cut(hd_shared_object *o, uint64_t size) {
    HD_ASSERT(o->size <= o->room && size <= o->room);
    if (o->address) {
        memset((void *)(o->address + size), 0, o->room - size);
        hd_unpoison(o->address + size, o->room - size);
    }
    o->size = size;
}

/* As glibc: slashes in front do not count, and there are no others. */
static int check_name(const char **name) {
    *name += strspn(*name, "/");
    if (**name == '\0' || strchr(*name, '/'))
        return EINVAL;
    return strlen(*name) > NAME_MAX ? ENAMETOOLONG : 0;
}

int hd_libc_shm_open(const char *name, int flags, unsigned mode) {
    hd_machine *m = hd_ipc_enter();
    name = hd_ipc_text(m, name);
    int error = check_name(&name);
    if (error)
        return hd_ipc_fail(m, error);
    if (hd_ipc_is_full(m))
        return hd_ipc_fail(m, EMFILE);
    change_names(m);
    hd_shared_object *o = find(m, name);
    if (o && flags & O_CREAT && flags & O_EXCL)
        return hd_ipc_fail(m, EEXIST);
    if (!o && !(flags & O_CREAT))
        return hd_ipc_fail(m, ENOENT);
    if (!o)
        o = make(m, name, mode);
    hd_file *f = hd_file_new(hd_ipc_net(m), HD_FILE_SHARED, flags & O_ACCMODE);
    f->memory = o;
    if (flags & O_TRUNC && (flags & O_ACCMODE) != O_RDONLY)
        cut(o, 0);
    return hd_ipc_open(m, f, true);
}

int hd_libc_shm_unlink(const char *name) {
    hd_machine *m = hd_ipc_enter();
    name = hd_ipc_text(m, name);
    int error = check_name(&name);
    if (error)
        return hd_ipc_fail(m, error == EINVAL ? ENOENT : error);
    change_names(m);
    hd_shared_object *o = find(m, name);
    if (!o)
        return hd_ipc_fail(m, ENOENT);
    o->name = NULL;
    return 0;
}

/* More than there can be is no failure that the program would see. */
static uint64_t allocate(hd_machine *m, uint64_t n) {
    uint64_t at = hd_shared_alloc(m, n);
    if (!at)
        hd_ipc_refuse(m, "%lu bytes of shared memory are too many (executions end there)", n);
    HD_INVARIANT(M1, hd_is_shared(at) && hd_is_shared(at + n - 1) && at % HD_PAGE == 0);
    return at;
}

int hd_shared_truncate(hd_machine *m, const hd_file *f, int64_t size) {
    hd_shared_object *o = f->memory;
    change_names(m);
    if (size < 0 || (f->flags & O_ACCMODE) == O_RDONLY)
        return hd_ipc_fail(m, EINVAL);
    if (o->address && (uint64_t)size > o->room)
        hd_ipc_refuse(m, "shared memory that grows is not modelled (executions end there)");
    if (!o->address && size > 0) {
        o->address = allocate(m, (uint64_t)size);
        o->room = ((uint64_t)size + HD_PAGE - 1) & ~(HD_PAGE - 1);
    }
    if ((uint64_t)size < o->size)
        cut(o, (uint64_t)size);
    o->size = (uint64_t)size;
    HD_ASSERT(o->size <= o->room);
    return 0;
}

void hd_shared_stat(const hd_file *f, struct stat *out) {
    out->st_mode = S_IFREG | f->memory->mode;
    out->st_nlink = f->memory->name != NULL;
    out->st_size = (int64_t)f->memory->size;
}

/* ---- mapping ---- */

static void *map_failed(hd_machine *m, int error) {
    hd_ipc_fail(m, error);
    return MAP_FAILED;
}

static uint64_t whole_pages(uint64_t n) {
    return (n + HD_PAGE - 1) & ~(HD_PAGE - 1);
}

/* Whole pages, because protections are of pages. */
static void *map_private(hd_machine *m, uint64_t n) {
    uint64_t room = whole_pages(n);
    void *p = hd_heap_alloc(m->running.heap, room, HD_PAGE, 0);
    if (!p)
        return map_failed(m, ENOMEM);
    HD_ASSERT(m->running.heap->in_use >= room && (uint64_t)p % HD_PAGE == 0);
    m->running.heap->in_use -= room; /* it need not be freed */
    hd_block *b = hd_heap_block(m->running.heap, (uint64_t)p);
    HD_ASSERT(b && !b->is_free);
    b->is_hidden = true;
    b->size = n;
    memset(p, 0, n);
    hd_unpoison((uint64_t)p, n);
    hd_poison((uint64_t)p + n, room - n, HD_POISON_HEAP);
    return p;
}

static void *map_file(hd_machine *m, const hd_file *f, uint64_t n, int flags, int64_t offset) {
    if ((f->flags & O_ACCMODE) == O_WRONLY)
        return map_failed(m, EACCES);
    if (flags & MAP_SHARED && (f->flags & O_ACCMODE) != O_RDONLY)
        hd_ipc_refuse(m,
                      "mmap of a file that is written to is not modelled (executions end there)");
    if (f->inode->kind != HD_INODE_FILE)
        return map_failed(m, ENODEV);
    hd_content_event(m, f->inode, false);
    const uint8_t *bytes;
    const uint32_t *words;
    int error = hd_disk_file_load(m, f->inode);
    if (error)
        return map_failed(m, error);
    void *p = map_private(m, n);
    uint64_t got =
        hd_inode_read(&hd_ipc_net(m)->disk, f->inode, (uint64_t)offset, n, &bytes, &words);
    HD_ASSERT(got <= n);
    if (p != MAP_FAILED)
        hd_ipc_store(m, p, bytes, words, got);
    f->inode->is_mapped |= (flags & MAP_SHARED) != 0;
    return p;
}

static void *map_object(hd_machine *m, const hd_file *f, uint64_t n, int flags, int64_t offset) {
    const hd_shared_object *o = f->memory;
    uint64_t room = (o->size + HD_PAGE - 1) & ~(HD_PAGE - 1);
    change_names(m);
    if (!(flags & MAP_SHARED) || !o->address || n > room || (uint64_t)offset > room - n)
        hd_ipc_refuse(m, "mmap of more than the shared memory has (executions end there)");
    hd_shared_note(m);
    return (void *)(o->address + (uint64_t)offset);
}

static void *map_descriptor(hd_machine *m, const hd_file *f, size_t n, int protection, int flags,
                            int64_t offset) {
    bool is_read_only = (f->flags & O_ACCMODE) == O_RDONLY;
    if (offset < 0)
        return map_failed(m, EOVERFLOW);
    if (flags & MAP_SHARED && protection & PROT_WRITE && is_read_only)
        return map_failed(m, EACCES);
    if (f->kind == HD_FILE_SHARED)
        return map_object(m, f, n, flags, offset);
    return f->kind == HD_FILE_DISK ? map_file(m, f, n, flags, offset) : map_failed(m, ENODEV);
}

/* What is wrong is looked for in the order of Linux: the place, the descriptor, how much and how.
 */
static void *map(hd_machine *m, size_t n, int protection, int flags, int descriptor,
                 int64_t offset) {
    bool is_file = !(flags & MAP_ANONYMOUS);
    if (offset % (int64_t)HD_PAGE)
        return map_failed(m, EINVAL);
    const hd_file *f = is_file ? hd_ipc_file(m, descriptor) : NULL;
    if (is_file && !f)
        return MAP_FAILED;
    if (n == 0 || !(flags & (MAP_SHARED | MAP_PRIVATE)))
        return map_failed(m, EINVAL);
    if (flags & MAP_FIXED)
        hd_ipc_refuse(m, "mmap at a fixed address is not modelled (executions end there)");
    if (n > UINT64_MAX - HD_PAGE) /* a number of pages that has no number of bytes */
        return map_failed(m, ENOMEM);
    if (is_file)
        return map_descriptor(m, f, n, protection, flags, offset);
    return flags & MAP_SHARED ? (void *)allocate(m, n) : map_private(m, n);
}

/* For other threads, what becomes of memory as a whole is like an access of all of it. */
static void touch(hd_machine *m, uint64_t address, uint64_t n, hd_access_mode mode) {
    if (!hd_is_threaded(m))
        return;
    hd_action a = hd_action_on(m, HD_DO_FREE, 0, (const void *)address,
                               n < UINT32_MAX ? (uint32_t)n : UINT32_MAX, mode);
    a.access[0].is_atomic = false;
    hd_visible(m, &a);
}

static void unmap_private(hd_machine *m, uint64_t address, uint64_t n) {
    touch(m, address, n, HD_MODE_WRITE);
    hd_unprotect(m, hd_process_current(m), (hd_range){address, whole_pages(n)});
    hd_poison(address, n, HD_POISON_FREED);
}

/* What is shared stays until the end: others may still see it. */
int hd_libc_munmap(void *p, size_t n) {
    hd_machine *m = hd_ipc_enter();
    uint64_t address = (uint64_t)p;
    if (address % HD_PAGE || n == 0)
        return hd_ipc_fail(m, EINVAL);
    bool is_heap = address - HD_HEAP_BASE < HD_HEAP_LIMIT;
    const hd_block *b = is_heap ? hd_heap_near(hd_heap_of(m, address), address) : NULL;
    if (b && b->is_hidden && address - b->address < b->size) {
        uint64_t left = b->address + b->size - address;
        unmap_private(m, address, n < left ? n : left);
    }
    if (hd_is_shared(address))
        hd_unprotect(m, hd_process_current(m), (hd_range){address, whole_pages(n)});
    return 0;
}

/* ---- protections ---- */

/* As x86 has them: who may write may read. */
static hd_protection protection_of(int bits) {
    return bits & PROT_WRITE                ? HD_IS_OPEN
           : bits & (PROT_READ | PROT_EXEC) ? HD_IS_READ_ONLY
                                            : HD_IS_CLOSED;
}

/* A process has shared memory in one place, whatever it was mapped for: what any of its mappings
 * allows is allowed. */
static void protect_mapping(hd_machine *m, uint64_t address, uint64_t n, hd_protection p,
                            bool is_final) {
    hd_range pages = {address, whole_pages(n)};
    if (p == HD_IS_CLOSED && hd_is_shared(address))
        hd_ipc_refuse(m, "shared memory without any access is not modelled (executions end there)");
    hd_protect(m, hd_process_current(m), pages, p, is_final);
}

static void note_mapped_twice(hd_machine *m) {
    hd_bound(m, hd_caller_site(m, __builtin_frame_address(0)),
             "shared memory that is mapped for reading and for writing may be written to");
}

static void *protect_shared(hd_machine *m, uint64_t at, uint64_t n, hd_protection p,
                            bool is_final) {
    const hd_protected *old =
        hd_protected_find(m, hd_process_current(m), (hd_range){at, whole_pages(n)});
    if (old && old->protection != p)
        note_mapped_twice(m);
    if (!old || old->protection == HD_IS_READ_ONLY)
        protect_mapping(m, at, n, p, is_final);
    return (void *)at;
}

void *hd_libc_mmap(void *wanted, size_t n, int bits, int flags, int descriptor, int64_t offset) {
    hd_machine *m = hd_ipc_enter();
    (void)wanted;
    uint64_t at = (uint64_t)map(m, n, bits, flags, descriptor, offset);
    hd_protection p = protection_of(bits);
    if ((void *)at == MAP_FAILED || !hd_is_shared(at)) {
        if ((void *)at != MAP_FAILED && p != HD_IS_OPEN)
            protect_mapping(m, at, n, p, false);
        return (void *)at;
    }
    const hd_file *f = flags & MAP_ANONYMOUS ? NULL : hd_ipc_file(m, descriptor);
    return protect_shared(m, at, n, p, f && (f->flags & O_ACCMODE) == O_RDONLY);
}

/* How many of the bytes at `address`, of whole pages, are mapped or memory of the heap. */
static uint64_t count_mapped(hd_machine *m, uint64_t address, uint64_t n) {
    uint64_t end = m->memory.shared_top, left;
    if (!hd_is_shared(address)) {
        const hd_heap *h = hd_heap_of(m, address);
        const hd_block *b = hd_heap_near(h, address);
        end = b && b->is_hidden ? b->address + whole_pages(b->size) : b ? h->area.mapped : address;
    }
    for (left = 0; left < n && address + left < end; left += HD_PAGE)
        if (*HD_SHADOW_OF(address + left) == HD_POISON_FREED)
            break;
    return left;
}

/* What is before the first page that is not there has changed even then. */
int hd_libc_mprotect(void *p, size_t n, int bits) {
    hd_machine *m = hd_ipc_enter();
    uint64_t address = (uint64_t)p, length = whole_pages(n);
    if (address % HD_PAGE || bits & ~(PROT_READ | PROT_WRITE | PROT_EXEC))
        return hd_ipc_fail(m, EINVAL);
    if (n == 0)
        return 0;
    bool is_heap = address - HD_HEAP_BASE < HD_HEAP_LIMIT;
    if (hd_in_region(address) && !is_heap && !hd_is_shared(address))
        hd_ipc_refuse(m, "mprotect of globals and locals is not modelled (executions end there)");
    if (length < n || !hd_in_region(address) || !hd_in_region(address + length - 1))
        return hd_ipc_fail(m, ENOMEM);
    uint64_t mapped = count_mapped(m, address, length);
    hd_protection now = protection_of(bits);
    const hd_protected *old =
        hd_protected_find(m, hd_process_current(m), (hd_range){address, mapped});
    bool is_final = old && old->is_final;
    if (is_final && now == HD_IS_OPEN)
        return hd_ipc_fail(m, EACCES);
    bool matters_to_readers = now == HD_IS_CLOSED || (old && old->protection == HD_IS_CLOSED);
    if (mapped) {
        touch(m, address, mapped, matters_to_readers ? HD_MODE_WRITE : HD_MODE_READ);
        protect_mapping(m, address, mapped, now, is_final);
    }
    return mapped < length ? hd_ipc_fail(m, ENOMEM) : 0;
}

int hd_libc_msync(void *p, size_t n, int flags) {
    hd_machine *m = hd_ipc_enter_point();
    bool is_both = flags & MS_SYNC && flags & MS_ASYNC;
    (void)n;
    if (flags & ~(MS_SYNC | MS_ASYNC | MS_INVALIDATE) || is_both || (uint64_t)p % HD_PAGE)
        return hd_ipc_fail(m, EINVAL);
    return 0;
}
