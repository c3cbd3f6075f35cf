/* opendir and what follows: lists of names, which are taken when a directory is opened, and sorted.
 *
 * A DIR of the program is the address of a block of its heap, in which readdir leaves its answer.
 * Who does not close it has lost it, as what malloc gave. */
#include "machine/core/parts.h"
#include "machine/libc/libc_ipc.h"
#include "machine/tasks/library.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>

struct hd_listing {
    hd_listing *next;
    uint32_t process;
    struct dirent *block; /* as a FILE of streams.h: M1 */
    int descriptor;
    hd_inode *directory;
    const char **names;
    uint32_t n, at;
};

/* Where a list stands, and whether it is there, other threads change. */
static void list_event(hd_machine *m, const void *p, bool is_store) {
    if (!hd_ipc_is_shared_table(m) || !hd_in_region((uint64_t)p))
        return;
    hd_action a = hd_action_on(m, HD_DO_OBJECT, 0, p, 1, is_store ? HD_MODE_WRITE : HD_MODE_READ);
    hd_visible(m, &a);
}

/* The listing of a DIR of the running process; a finding if it is none. */
static hd_listing *listing_of(hd_machine *m, const void *p, bool is_changed) {
    list_event(m, p, is_changed);
    for (hd_listing *l = hd_ipc_net(m)->listings; l; l = l->next)
        if (l->block == p && l->process == hd_ipc_process(m))
            return l;
    hd_check_range(m, (uint64_t)p, 1, true, 0);
    hd_end_finding(m, HD_FINDING_USE_AFTER_FREE, 0,
                   "use of something that is no directory stream, or of one that was closed");
}

/* Behind hd_paths_event, and at once: others see where the list stands. */
static void read_names(hd_machine *m, hd_listing *l) {
    l->n = hd_disk_file_list(m, l->directory, &l->names);
    HD_ASSERT(l->n >= 2); /* "." and ".." */
    l->at = 0;
}

static void fork_listings(hd_machine *m, uint32_t parent, uint32_t child) {
    HD_ASSERT(parent != child);
    if (!m->ipc)
        return;
    hd_net *n = hd_ipc_net(m);
    for (hd_listing *l = n->listings; l; l = l->next) {
        if (l->process != parent)
            continue;
        hd_listing *copy = hd_arena_alloc(&n->arena, sizeof *copy);
        *copy = *l;
        copy->process = child;
        copy->next = n->listings;
        n->listings = copy;
    }
}

const hd_part hd_part_directories = {"directories",
                                     HD_PART_NO_LIFE,
                                     HD_PART_NO_CHECKPOINT,
                                     HD_PART_NOT_ISOLATED,
                                     {NULL, NULL, fork_listings, NULL, NULL, NULL}};

void *hd_libc_fdopendir(int descriptor) {
    hd_machine *m = hd_ipc_enter();
    hd_net *n = hd_ipc_net(m);
    const hd_file *f = hd_ipc_file(m, descriptor);
    if (!f)
        return NULL;
    if (f->kind != HD_FILE_DISK || f->inode->kind != HD_INODE_DIRECTORY) {
        hd_ipc_fail(m, ENOTDIR);
        return NULL;
    }
    hd_listing *l = hd_arena_alloc(&n->arena, sizeof *l);
    *l = (hd_listing){.next = n->listings,
                      .process = hd_ipc_process(m),
                      .block = hd_heap_calloc(m->running.heap, sizeof *l->block,
                                              hd_caller_pc(m, __builtin_frame_address(0))),
                      .descriptor = descriptor,
                      .directory = f->inode};
    if (!l->block)
        hd_out_of_memory();
    HD_ASSERT(l->directory->kind == HD_INODE_DIRECTORY);
    n->listings = l;
    hd_paths_event(m, false);
    read_names(m, l);
    return l->block;
}

void *hd_libc_opendir(const char *path) {
    int descriptor = hd_file_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    return descriptor < 0 ? NULL : hd_libc_fdopendir(descriptor);
}

static unsigned char type_of(const hd_inode *i) {
    return i ? (unsigned char)IFTODT(i->info.st_mode) : DT_UNKNOWN;
}

/* Names that are gone meanwhile are skipped. */
void *hd_libc_readdir(void *p) {
    hd_machine *m = hd_ipc_enter();
    hd_paths_event(m, false);
    hd_listing *l = listing_of(m, p, true);
    hd_inode *i = NULL;
    int error;
    while (l->at < l->n &&
           !(i = hd_directory_get(hd_files_of(m), l->directory, l->names[l->at], &error)))
        l->at++;
    if (l->at == l->n)
        return NULL;
    HD_ASSERT(l->at < l->n && i);
    struct dirent e = {
        .d_ino = i->info.st_ino, .d_off = ++l->at, .d_reclen = sizeof e, .d_type = type_of(i)};
    strncpy(e.d_name, l->names[l->at - 1], sizeof e.d_name - 1);
    hd_ipc_store_plain(m, l->block, &e, sizeof e);
    return l->block;
}

int hd_libc_closedir(void *p) {
    hd_machine *m = hd_ipc_enter();
    hd_listing *l = listing_of(m, p, true);
    for (hd_listing **at = &hd_ipc_net(m)->listings; *at; at = &(*at)->next)
        if (*at == l) {
            *at = l->next;
            break;
        }
    hd_program_free(m, p, hd_caller_pc(m, __builtin_frame_address(0)));
    return hd_ipc_close(m, l->descriptor) ? 0 : -1;
}

void hd_libc_rewinddir(void *p) {
    hd_machine *m = hd_ipc_enter();
    hd_paths_event(m, false);
    read_names(m, listing_of(m, p, true));
}

long hd_libc_telldir(void *p) {
    hd_machine *m = hd_ipc_enter();
    return listing_of(m, p, false)->at;
}

void hd_libc_seekdir(void *p, long place) {
    hd_machine *m = hd_ipc_enter();
    hd_listing *l = listing_of(m, p, true);
    l->at = place < 0 || place > (long)l->n ? l->n : (uint32_t)place;
}

int hd_libc_dirfd(void *p) {
    hd_machine *m = hd_ipc_enter();
    return listing_of(m, p, false)->descriptor;
}
