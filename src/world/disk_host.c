/* What the host has: asked once, and kept. */
#include "base/hash.h"
#include "base/panic.h"
#include "world/disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *checked(void *p) {
    if (!p)
        hd_out_of_memory();
    return p;
}

static char *read_target(const char *path, const struct stat *info) {
    size_t room = info->st_size > 0 ? (size_t)info->st_size + 1 : PATH_MAX;
    char *target = checked(calloc(1, room + 1));
    ssize_t n = readlink(path, target, room);
    target[n > 0 ? n : 0] = '\0';
    return target;
}

static hd_host_file *ask(const char *path) {
    hd_host_file *f = checked(calloc(1, sizeof *f));
    f->path = checked(strdup(path));
    f->error = lstat(path, &f->info) == 0 ? 0 : errno;
    if (!f->error && S_ISLNK(f->info.st_mode))
        f->target = read_target(path, &f->info);
    return f;
}

static void keep(hd_disk *d, uint64_t key, hd_host_file *f) {
    if (d->n_known == d->known_room) {
        d->known_room = d->known_room ? 2 * d->known_room : 64;
        d->known = checked(realloc(d->known, d->known_room * sizeof *d->known));
    }
    HD_INVARIANT(D2, !hd_map_find(&d->at, key));
    d->known[d->n_known++] = f;
    hd_map_put(&d->at, key, d->n_known);
}

hd_host_file *hd_host_at(hd_disk *d, const char *path) {
    uint64_t key = hd_hash_bytes(0, path, strlen(path)) & INT64_MAX;
    for (const uint64_t *at; (at = hd_map_find(&d->at, key)); key = (key + 1) & INT64_MAX)
        if (strcmp(d->known[*at - 1]->path, path) == 0)
            return d->known[*at - 1];
    hd_host_file *f = ask(path);
    keep(d, key, f);
    return f;
}

/* Some files (of /proc) do not know how long they are. */
static int read_all(hd_host_file *f, int descriptor) {
    size_t room = 0;
    for (ssize_t n = 1; n > 0; f->size += n > 0 ? (uint64_t)n : 0) {
        if (f->size == HD_DISK_MOST)
            return EFBIG;
        if (room - f->size < 4096) {
            room = room ? 2 * room : (size_t)f->info.st_size + 8192;
            f->bytes = checked(realloc(f->bytes, room));
        }
        size_t left = room - f->size, most = HD_DISK_MOST - f->size;
        n = read(descriptor, f->bytes + f->size, left < most ? left : most);
        if (n < 0)
            return errno;
    }
    return 0;
}

static bool is_confined;

void hd_host_confine(void) {
    is_confined = true;
}

/* Modes of files say yes, and still it cannot be opened: the walls say no. */
static void note_refusal(hd_host_file *f) {
    f->is_refused = errno == EACCES && access(f->path, R_OK) == 0 && is_confined;
}

void hd_host_read(hd_host_file *f) {
    if (f->is_read)
        return;
    HD_INVARIANT(D2, !f->bytes && !f->size);
    f->is_read = true;
    if ((uint64_t)f->info.st_size > HD_DISK_MOST) {
        f->read_error = EFBIG;
        return;
    }
    int descriptor = open(f->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    f->read_error = descriptor < 0 ? errno : read_all(f, descriptor);
    if (descriptor >= 0)
        close(descriptor);
    else
        note_refusal(f);
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

void hd_host_list(hd_host_file *f) {
    if (f->is_listed)
        return;
    DIR *dir = opendir(f->path);
    uint32_t room = 0;
    f->is_listed = true;
    if (!dir) {
        note_refusal(f);
        return;
    }
    for (const struct dirent *e; (e = readdir(dir));) {
        if (is_dots(e->d_name))
            continue;
        if (f->n_names == room) {
            room = room ? 2 * room : 32;
            f->names = checked(realloc(f->names, room * sizeof *f->names));
        }
        f->names[f->n_names++] = checked(strdup(e->d_name));
    }
    closedir(dir);
    if (f->n_names)
        qsort(f->names, f->n_names, sizeof *f->names, compare);
}

static void release_one(hd_host_file *f) {
    for (uint32_t i = 0; i < f->n_names; i++)
        free(f->names[i]);
    free(f->names);
    free(f->bytes);
    free(f->target);
    free(f->path);
    free(f);
}

void hd_disk_release(hd_disk *d) {
    for (uint32_t i = 0; i < d->n_known; i++)
        release_one(d->known[i]);
    free(d->known);
    hd_map_release(&d->at);
    *d = (hd_disk){0};
}
