/* Directories and names: what the host has, and what was made, moved and removed here. */
#include "world/disk.h"

#include "base/hash.h"
#include "base/panic.h"
#include "confine/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define MAX_LINKS     40
#define FIRST_NUMBER  1000000000 /* of files that the program makes */
#define START_OF_TIME 1700000000 /* as time() says first */

/* ---- life ---- */

void hd_disk_clear(hd_disk *d, hd_arena *arena) {
    d->arena = arena;
    d->trees = d->tree = NULL; /* what the host has said stays (D2) */
    d->top = d->all = NULL;
}

/* ---- trees (D5) ---- */

static hd_disk_tree *find_tree(const hd_disk *d, uint32_t number) {
    hd_disk_tree *t = d->trees;
    while (t && t->number != number)
        t = t->next;
    return t;
}

void hd_disk_enter(hd_disk *d, uint32_t tree, const char *over, hd_inode *top) {
    d->top = top;
    if (d->tree && d->tree->number == tree)
        return;
    d->tree = find_tree(d, tree);
    if (d->tree)
        return;
    d->tree = hd_arena_alloc(d->arena, sizeof *d->tree);
    *d->tree = (hd_disk_tree){.number = tree, .over = over, .next = d->trees};
    d->trees = d->tree;
}

void hd_disk_forget(hd_disk *d, uint32_t tree) {
    hd_disk_tree **at = &d->trees;
    while (*at && (*at)->number != tree)
        at = &(*at)->next;
    if (*at)
        *at = (*at)->next;
    d->tree = NULL;
}

/* ---- what is there ---- */

static char *copy_text(hd_disk *d, const char *text) {
    size_t n = strlen(text) + 1;
    return memcpy(hd_arena_alloc(d->arena, n), text, n);
}

static hd_inode *new_inode(hd_disk *d, hd_inode_kind kind, const char *named_by) {
    hd_inode *i = hd_arena_alloc(d->arena, sizeof *i);
    i->kind = (uint8_t)kind;
    i->name = (uint32_t)hd_hash_bytes(d->tree->number, named_by, strlen(named_by));
    i->tree = d->tree;
    i->next = d->all;
    d->all = i;
    return i;
}

static hd_inode_kind device_kind(dev_t device) {
    static const uint8_t kinds[10] = {[3] = HD_INODE_NULL,
                                      [5] = HD_INODE_ZERO,
                                      [7] = HD_INODE_FULL,
                                      [8] = HD_INODE_RANDOM,
                                      [9] = HD_INODE_RANDOM};
    unsigned number = minor(device);
    bool is_known = major(device) == 1 && number < sizeof kinds && kinds[number];
    return is_known ? (hd_inode_kind)kinds[number] : HD_INODE_OTHER;
}

static hd_inode_kind kind_of(const struct stat *s) {
    return S_ISREG(s->st_mode)   ? HD_INODE_FILE
           : S_ISDIR(s->st_mode) ? HD_INODE_DIRECTORY
           : S_ISLNK(s->st_mode) ? HD_INODE_LINK
           : S_ISCHR(s->st_mode) ? device_kind(s->st_rdev)
                                 : HD_INODE_OTHER;
}

/* A file of the host that has several names is one. */
static hd_inode *find_same(const hd_disk *d, const hd_host_file *f) {
    if (f->info.st_nlink < 2 || S_ISDIR(f->info.st_mode))
        return NULL;
    for (hd_inode *i = d->all; i; i = i->next)
        if (i->tree == d->tree && i->host && i->info.st_ino == f->info.st_ino &&
            i->info.st_dev == f->info.st_dev)
            return i;
    return NULL;
}

static hd_inode *take_over(hd_disk *d, const hd_host_file *f, hd_inode *parent) {
    hd_inode *i = find_same(d, f);
    HD_INVARIANT(D5, !i || i->tree == d->tree);
    if (i)
        return i;
    i = new_inode(d, kind_of(&f->info), f->path);
    i->info = f->info;
    i->host = f;
    i->target = f->target;
    i->parent = parent ? parent : i;
    return i;
}

static hd_inode *root_of(hd_disk *d) {
    hd_disk_tree *t = d->tree;
    if (t->root)
        return t->root;
    t->root = take_over(d, hd_host_at(d, "/"), NULL);
    if (t->over)
        t->root->over = hd_host_at(d, t->over);
    return t->root;
}

static hd_inode *top_of(hd_disk *d) {
    return d->top ? d->top : root_of(d);
}

hd_inode *hd_disk_start(hd_disk *d) {
    char path[PATH_MAX];
    hd_place p;
    hd_inode *top = d->top;
    if (d->tree->start)
        return d->tree->start;
    d->top = NULL;
    bool is_known = getcwd(path, sizeof path) && hd_disk_find(d, NULL, path, true, &p) == 0;
    d->tree->start = is_known && p.inode ? p.inode : root_of(d);
    d->top = top;
    return d->tree->start;
}

/* ---- names in a directory ---- */

static hd_disk_name *find_entry(const hd_inode *directory, const char *name) {
    for (uint32_t i = 0; i < directory->n_entries; i++)
        if (strcmp(directory->entries[i].name, name) == 0)
            return &directory->entries[i];
    return NULL;
}

static void set_entry(hd_disk *d, hd_inode *directory, const char *name, hd_inode *inode) {
    hd_disk_name *e = find_entry(directory, name);
    if (e) {
        e->inode = inode;
        return;
    }
    if (directory->n_entries == directory->entry_room) {
        uint32_t room = directory->entry_room ? 2 * directory->entry_room : 8;
        hd_disk_name *more = hd_arena_alloc(d->arena, room * sizeof *more);
        if (directory->n_entries)
            memcpy(more, directory->entries, directory->n_entries * sizeof *more);
        directory->entries = more;
        directory->entry_room = room;
    }
    directory->entries[directory->n_entries++] = (hd_disk_name){copy_text(d, name), inode};
}

static void join(char *out, const char *directory, const char *name) {
    size_t n = strlen(directory);
    memcpy(out, directory, n);
    if (n == 0 || out[n - 1] != '/')
        out[n++] = '/';
    strcpy(out + n, name);
}

/* What a folder of the host has of that name; NULL: nothing, or *error says why. */
static const hd_host_file *host_in(hd_disk *d, const hd_host_file *above, const char *name,
                                   int *error) {
    if (!above)
        return NULL;
    char path[PATH_MAX + NAME_MAX + 2];
    if (strlen(above->path) + strlen(name) + 2 > PATH_MAX) {
        *error = ENAMETOOLONG;
        return NULL;
    }
    join(path, above->path, name);
    const hd_host_file *f = hd_host_at(d, path);
    if (f->error && f->error != ENOENT)
        *error = f->error;
    return f->error ? NULL : f;
}

/* Two directories of one name become one; of anything else that which lies above is seen. */
static hd_inode *ask_host(hd_disk *d, hd_inode *directory, const char *name, int *error) {
    const hd_host_file *over = host_in(d, directory->over, name, error);
    const hd_host_file *f = host_in(d, directory->host, name, error);
    bool are_both = over && f && S_ISDIR(over->info.st_mode) && S_ISDIR(f->info.st_mode);
    const hd_host_file *seen = over && !are_both ? over : f;
    hd_inode *i = seen ? take_over(d, seen, directory) : NULL;
    if (are_both)
        i->over = over;
    return i;
}

hd_inode *hd_directory_get(hd_disk *d, hd_inode *directory, const char *name, int *error) {
    const hd_disk_name *e = find_entry(directory, name);
    *error = 0;
    if (strcmp(name, ".") == 0)
        return directory;
    if (strcmp(name, "..") == 0)
        return directory == top_of(d) ? directory : directory->parent;
    if (e)
        return e->inode;
    hd_inode *i = ask_host(d, directory, name, error);
    if (i)
        set_entry(d, directory, name, i);
    return i;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names that the host has in a folder and nobody else had before; `over`: names in it are known. */
static uint32_t add_host_names(const hd_inode *directory, hd_host_file *f, const hd_host_file *over,
                               const char **list, uint32_t n) {
    for (uint32_t i = 0; f && i < f->n_names; i++)
        if (!find_entry(directory, f->names[i]) &&
            !(over && over->n_names &&
              bsearch(&f->names[i], over->names, over->n_names, sizeof *over->names, compare)))
            list[n++] = f->names[i];
    return n;
}

static uint32_t count_names(hd_host_file *f) {
    if (f)
        hd_host_list(f);
    return f ? f->n_names : 0;
}

uint32_t hd_directory_list(hd_disk *d, hd_inode *directory, const char ***names) {
    hd_host_file *f = (hd_host_file *)directory->host, *over = (hd_host_file *)directory->over;
    uint32_t n = 2;
    uint32_t most = 2 + directory->n_entries + count_names(f) + count_names(over);
    const char **list = hd_arena_alloc(d->arena, most * sizeof *list);
    list[0] = ".";
    list[1] = "..";
    for (uint32_t i = 0; i < directory->n_entries; i++)
        if (directory->entries[i].inode)
            list[n++] = directory->entries[i].name;
    n = add_host_names(directory, over, NULL, list, n);
    n = add_host_names(directory, f, over, list, n);
    HD_ASSERT(n <= most);
    qsort(list + 2, n - 2, sizeof *list, compare);
    for (uint32_t i = 3; i < n; i++)
        HD_INVARIANT(D4, strcmp(list[i - 1], list[i]) < 0); /* and no name is there twice */
    *names = list;
    return n;
}

static const char *name_in(const hd_inode *directory, const hd_inode *inode) {
    for (uint32_t i = 0; i < directory->n_entries; i++)
        if (directory->entries[i].inode == inode)
            return directory->entries[i].name;
    return NULL;
}

const char *hd_directory_path(hd_disk *d, const hd_inode *directory) {
    char *end = (char *)hd_arena_alloc(d->arena, PATH_MAX) + PATH_MAX - 1, *at = end;
    for (const hd_inode *i = directory; i != top_of(d); i = i->parent) {
        const char *name = name_in(i->parent, i);
        size_t n = name ? strlen(name) : 0;
        if (!name || (size_t)(end - at) + n + 2 > PATH_MAX)
            return NULL;
        at = memcpy(at - n, name, n);
        *--at = '/';
    }
    return at == end ? "/" : at;
}

/* ---- permissions ---- */

static int check_mode(const hd_inode *i, int what) {
    unsigned shift = i->info.st_uid == geteuid() ? 6 : i->info.st_gid == getegid() ? 3 : 0;
    return (int)(i->info.st_mode >> shift & 7 & (unsigned)what) == what ? 0 : EACCES;
}

/* What the machine would say without the walls around this process. */
static int check_on_host(const char *path, int what) {
    if (faccessat(AT_FDCWD, path, what, AT_EACCESS) == 0)
        return 0;
    int error = errno;
    return error == EROFS && hd_spaces_hide_writing(path) ? 0 : error;
}

int hd_inode_check(const hd_inode *i, int what) {
    if (i->host && !i->has_own_mode)
        return check_on_host(i->host->path, what);
    if (geteuid() == 0)
        return what & X_OK && i->kind == HD_INODE_FILE && !(i->info.st_mode & 0111) ? EACCES : 0;
    return check_mode(i, what);
}

/* ---- paths ---- */

typedef struct path_walk {
    hd_disk *disk;
    hd_place *out;
    bool follows;
    unsigned n_links;
} path_walk;

static int go(path_walk *w, hd_inode *from, const char *path);

/* The next name of a path, and what is behind it; 0 or an error number. */
static int cut_name(const char **path, char *name) {
    size_t n = strcspn(*path, "/");
    if (n > NAME_MAX)
        return ENAMETOOLONG;
    memcpy(name, *path, n);
    name[n] = '\0';
    *path += n;
    return 0;
}

/* A link is a path of its own, before what is left of this one. */
static int follow(path_walk *w, hd_inode *directory, const char *target, const char *rest) {
    if (++w->n_links > MAX_LINKS)
        return ELOOP;
    if (!*target)
        return ENOENT;
    if (strlen(target) + strlen(rest) >= PATH_MAX)
        return ENAMETOOLONG;
    char *path = hd_arena_alloc(w->disk->arena, strlen(target) + strlen(rest) + 1);
    strcpy(path, target);
    strcat(path, rest);
    return go(w, directory, path);
}

static int finish(path_walk *w, hd_inode *directory, const char *name, hd_inode *i,
                  bool has_slash) {
    w->out->directory = directory;
    strcpy(w->out->name, name);
    w->out->inode = i;
    w->out->ends_with_slash = has_slash;
    return has_slash && i && i->kind != HD_INODE_DIRECTORY ? ENOTDIR : 0;
}

static int step(path_walk *w, hd_inode *directory, const char *path) {
    char name[NAME_MAX + 1];
    int error = cut_name(&path, name);
    hd_inode *i = error ? NULL : hd_directory_get(w->disk, directory, name, &error);
    const char *rest = path + strspn(path, "/");
    bool is_last = *rest == '\0', has_slash = *path == '/';
    if (error)
        return error;
    if (i && i->kind == HD_INODE_LINK && (!is_last || has_slash || w->follows))
        return follow(w, directory, i->target, path);
    if (is_last)
        return finish(w, directory, name, i, has_slash);
    if (!i)
        return ENOENT;
    return go(w, i, rest);
}

static int go(path_walk *w, hd_inode *from, const char *path) {
    hd_inode *at = *path == '/' ? top_of(w->disk) : from;
    bool is_root = *path == '/';
    path += strspn(path, "/");
    if (at->kind != HD_INODE_DIRECTORY)
        return ENOTDIR;
    if (is_root && !*path)
        return finish(w, at, ".", at, true);
    if (!at->host || at->has_own_mode) {
        int error = hd_inode_check(at, X_OK);
        if (error)
            return error;
    }
    return step(w, at, path);
}

int hd_disk_find(hd_disk *d, hd_inode *from, const char *path, bool follows, hd_place *out) {
    path_walk w = {.disk = d, .out = out, .follows = follows};
    *out = (hd_place){0};
    if (!*path)
        return ENOENT;
    if (strlen(path) >= PATH_MAX)
        return ENAMETOOLONG;
    return go(&w, *path == '/' || from ? from : hd_disk_start(d), path);
}

/* ---- changes ---- */

static unsigned type_of(hd_inode_kind kind) {
    return kind == HD_INODE_DIRECTORY ? S_IFDIR : kind == HD_INODE_LINK ? S_IFLNK : S_IFREG;
}

/* The number of a new inode does not depend on what others have made before. */
static hd_inode *make(hd_disk *d, hd_inode_kind kind, unsigned mode, uint64_t where,
                      const char *name) {
    hd_inode *i = new_inode(d, kind, name);
    uint32_t number = (uint32_t)hd_hash_bytes(where, name, strlen(name));
    i->is_loaded = i->is_own = true;
    i->info = (struct stat){.st_mode = type_of(kind) | mode,
                            .st_nlink = kind == HD_INODE_DIRECTORY ? 2 : 1,
                            .st_ino = FIRST_NUMBER + (ino_t)number,
                            .st_uid = geteuid(),
                            .st_gid = getegid(),
                            .st_blksize = 4096,
                            .st_atim.tv_sec = START_OF_TIME,
                            .st_mtim.tv_sec = START_OF_TIME,
                            .st_ctim.tv_sec = START_OF_TIME};
    return i;
}

hd_inode *hd_disk_make(hd_disk *d, const hd_place *p, hd_inode_kind kind, unsigned mode) {
    hd_inode *i = make(d, kind, mode, p->directory->info.st_ino, p->name);
    i->info.st_dev = p->directory->info.st_dev;
    i->parent = p->directory;
    set_entry(d, p->directory, p->name, i);
    return i;
}

hd_inode *hd_disk_make_unnamed(hd_disk *d, unsigned mode, uint32_t name) {
    hd_inode *i = make(d, HD_INODE_FILE, mode, name, "");
    i->name = name;
    i->info.st_nlink = 0;
    return i;
}

static bool is_dot(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool is_empty(hd_disk *d, hd_inode *directory) {
    const char **names;
    return hd_directory_list(d, directory, &names) == 2;
}

static int check_removal(hd_disk *d, const hd_place *p, bool is_directory) {
    if (!p->inode)
        return ENOENT;
    bool is_one = p->inode->kind == HD_INODE_DIRECTORY;
    if (is_directory && !is_one)
        return ENOTDIR;
    if (!is_directory && is_one)
        return EISDIR;
    if (is_one && p->inode == root_of(d))
        return EBUSY;
    if (is_dot(p->name))
        return strcmp(p->name, ".") == 0 ? EINVAL : ENOTEMPTY;
    if (is_one && !is_empty(d, p->inode))
        return ENOTEMPTY;
    return hd_inode_check(p->directory, W_OK | X_OK);
}

int hd_disk_remove(hd_disk *d, const hd_place *p, bool is_directory) {
    int error = check_removal(d, p, is_directory);
    if (error)
        return error;
    set_entry(d, p->directory, p->name, NULL);
    p->inode->info.st_nlink = is_directory ? 0 : p->inode->info.st_nlink - 1;
    return 0;
}

static bool is_inside(const hd_inode *what, const hd_inode *directory) {
    for (const hd_inode *i = directory; i; i = i->parent == i ? NULL : i->parent)
        if (i == what)
            return true;
    return false;
}

int hd_disk_rename(hd_disk *d, const hd_place *from, const hd_place *to) {
    if (!from->inode)
        return ENOENT;
    bool is_directory = from->inode->kind == HD_INODE_DIRECTORY;
    if (is_dot(from->name) || is_dot(to->name))
        return EBUSY;
    if (to->ends_with_slash && !is_directory)
        return ENOTDIR;
    if (from->inode == to->inode)
        return 0;
    if (is_directory && is_inside(from->inode, to->directory))
        return EINVAL;
    int error = hd_inode_check(from->directory, W_OK | X_OK);
    error = error ? error : hd_inode_check(to->directory, W_OK | X_OK);
    if (!error && to->inode)
        error = hd_disk_remove(d, to, is_directory);
    if (error)
        return error;
    set_entry(d, from->directory, from->name, NULL);
    set_entry(d, to->directory, to->name, from->inode);
    if (is_directory)
        from->inode->parent = to->directory;
    return 0;
}

int hd_disk_link(hd_disk *d, hd_inode *inode, const hd_place *to) {
    if (to->inode)
        return EEXIST;
    if (inode->kind == HD_INODE_DIRECTORY)
        return EPERM;
    int error = hd_inode_check(to->directory, W_OK | X_OK);
    if (error)
        return error;
    set_entry(d, to->directory, to->name, inode);
    inode->info.st_nlink++;
    return 0;
}
