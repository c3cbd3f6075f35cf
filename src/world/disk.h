/* disk.h -- the files that programs see: those of the host as they were, and what was made of them.
 *
 * Plain state, like everything in world/.  Bytes carry their shadow words, as in queues.
 *
 * Promise (tests/files.sh): nothing is ever written to the host.
 * D2. The host is asked once about a path, a content, a list of names.  Its answers are kept over
 *     executions, so that each begins with the same files, whatever others do to them meanwhile.
 * D3. Everything else lives for one execution.
 * D4. Lists of names are sorted, so that they do not depend on the file system.
 * D5. A node may have files of its own: a *tree* that begins with those of the host, or with those
 * of a folder of the host laid over them, as any other does, and shares nothing else. Not here:
 * events and memory of the program (machine/libc/file.c, libc/file_path.c). */
#ifndef HD_WORLD_DISK_H
#define HD_WORLD_DISK_H
#include "base/map.h"
#include "world/arena.h"
#include "world/file_lock.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

typedef enum hd_inode_kind {
    HD_INODE_FILE,
    HD_INODE_DIRECTORY,
    HD_INODE_LINK,   /* symbolic */
    HD_INODE_NULL,   /* /dev/null */
    HD_INODE_ZERO,   /* /dev/zero */
    HD_INODE_FULL,   /* /dev/full */
    HD_INODE_RANDOM, /* /dev/random, /dev/urandom: always the same bytes */
    HD_INODE_OTHER,  /* another device, a fifo, a socket of the host */
} hd_inode_kind;

typedef struct hd_inode hd_inode;
typedef struct hd_disk_name {
    const char *name;
    hd_inode *inode; /* NULL: the host has one of this name that is gone here */
} hd_disk_name;

struct hd_inode {
    uint8_t kind;                    /* hd_inode_kind */
    uint32_t name;                   /* of its content, for events: the same in every execution */
    struct stat info;                /* but the size of a file */
    const struct hd_host_file *host; /* NULL: the program made it */
    const struct hd_host_file *over; /* a directory: of a folder whose files come first (D5) */
    const struct hd_disk_tree *tree;
    bool has_own_mode; /* the program changed it */
    bool is_mapped;
    hd_inode *next; /* of all */
    /* A file. */
    bool is_loaded, is_own; /* its content was asked for; it is no longer the host's */
    uint8_t *bytes;
    uint32_t *words; /* NULL: all are concrete */
    uint64_t size, room;
    hd_file_lock *locks;
    /* A directory. */
    hd_inode *parent;
    hd_disk_name *entries;
    uint32_t n_entries, entry_room;
    const char *target; /* of a link */
};

typedef struct hd_disk_tree {
    uint32_t number;  /* 0: that of all who have none of their own */
    const char *over; /* the folder that is laid over the host's; NULL: none */
    hd_inode *root, *start;
    struct hd_disk_tree *next;
} hd_disk_tree;

typedef struct hd_disk {
    struct hd_host_file **known; /* D2 */
    uint32_t n_known, known_room;
    hd_map at; /* hash of a path -> 1 + index */
    hd_arena *arena;
    hd_disk_tree *trees, *tree; /* all, and the one that is looked at (hd_disk_enter) */
    hd_inode *top;              /* where paths begin; NULL: at its root */
    hd_inode *all;
} hd_disk;

/* `arena` holds what an execution makes. */
void hd_disk_clear(hd_disk *d, hd_arena *arena);
void hd_disk_release(hd_disk *d);
/* Paths are those of this tree from now on, and begin at `top` (chroot; NULL: at its root).  `over`
 * is always the same for a tree. */
void hd_disk_enter(hd_disk *d, uint32_t tree, const char *over, hd_inode *top);
/* The tree begins again. */
void hd_disk_forget(hd_disk *d, uint32_t tree);
/* Where programs begin. */
hd_inode *hd_disk_start(hd_disk *d);

/* Where a path leads. */
typedef struct hd_place {
    hd_inode *directory;
    char name[NAME_MAX + 1]; /* "." if the path ends with a directory above or at it */
    hd_inode *inode;         /* NULL: there is nothing of this name yet */
    bool ends_with_slash;
} hd_place;
/* 0, or an error number.  That the last name is not there is no error. */
int hd_disk_find(hd_disk *d, hd_inode *from, const char *path, bool follows, hd_place *out);
/* Something new at a place that is free; `mode` without its kind. */
hd_inode *hd_disk_make(hd_disk *d, const hd_place *p, hd_inode_kind kind, unsigned mode);
/* A file that no path leads to; `name`: for events. */
hd_inode *hd_disk_make_unnamed(hd_disk *d, unsigned mode, uint32_t name);
/* Changes of names answer 0 or an error number. */
int hd_disk_remove(hd_disk *d, const hd_place *p, bool is_directory);
int hd_disk_rename(hd_disk *d, const hd_place *from, const hd_place *to);
int hd_disk_link(hd_disk *d, hd_inode *inode, const hd_place *to);
/* May the user do this with it: R_OK, W_OK, X_OK. */
int hd_inode_check(const hd_inode *i, int what);
/* All names in a directory, "." and ".." first. */
uint32_t hd_directory_list(hd_disk *d, hd_inode *directory, const char ***names);
/* What a name in it means; NULL if there is none of that name.  *error: other reasons. */
hd_inode *hd_directory_get(hd_disk *d, hd_inode *directory, const char *name, int *error);
/* The path of a directory from the root, in the arena; NULL if none leads there any more. */
const char *hd_directory_path(hd_disk *d, const hd_inode *directory);

/* ---- disk_content.c ---- */
/* The content is there: 0, or an error number. */
int hd_inode_load(hd_disk *d, hd_inode *i);
/* How many of n bytes from `offset` on there are, and where they are. */
uint64_t hd_inode_read(hd_disk *d, hd_inode *i, uint64_t offset, uint64_t n, const uint8_t **bytes,
                       const uint32_t **words);
void hd_inode_write(hd_disk *d, hd_inode *i, uint64_t offset, const uint8_t *bytes,
                    const uint32_t *words, uint64_t n);
void hd_inode_resize(hd_disk *d, hd_inode *i, uint64_t size);
struct stat hd_inode_stat(const hd_inode *i);

/* ---- disk_host.c: what the host has ---- */
typedef struct hd_host_file {
    char *path;
    int error; /* why there is no such thing; 0: there is */
    struct stat info;
    char *target;
    bool is_read, is_listed;
    bool is_refused; /* its user might read it, this process may not (confine/confine.h) */
    int read_error;
    uint8_t *bytes;
    uint64_t size;
    char **names; /* sorted, without "." and ".." */
    uint32_t n_names;
} hd_host_file;
#define HD_DISK_MOST (UINT64_C(1) << 28) /* bytes of a file of the host that are read */
hd_host_file *hd_host_at(hd_disk *d, const char *path);
/* From now on this process may read only what it was given. */
void hd_host_confine(void);
void hd_host_read(hd_host_file *f);
void hd_host_list(hd_host_file *f);
#endif
