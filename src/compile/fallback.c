/* One folder of a process, and the locks of others (fallback.h).
 *
 * Who makes one and who sweeps can meet between making and locking: the sweeper locks before it
 * removes, and the maker looks whether what it has locked is still there, else it makes another. */
#include "compile/fallback.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME  "heddle-modules-"
#define TRIES 8

static struct {
    char path[PATH_MAX];
    int lock;
    pid_t owner; /* children that exit leave it alone; 0: there is none */
} own;

static const char *place(void) {
    const char *temporary = getenv("TMPDIR");
    return temporary && *temporary ? temporary : "/tmp";
}

static int open_folder(int in, const char *name) {
    return openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Of this user, and nobody lives who holds it: held by us from now on. */
static bool can_hold(int folder) {
    struct stat status;
    return flock(folder, LOCK_EX | LOCK_NB) == 0 && fstat(folder, &status) == 0 &&
           status.st_nlink > 0 && status.st_uid == geteuid();
}

/* All that is in it, folders of modules included, but nothing that a link leads to. */
static void empty(int folder, unsigned levels) {
    int again = dup(folder);
    DIR *files = again < 0 ? NULL : fdopendir(again);
    for (struct dirent *e; files && (e = readdir(files));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            unlinkat(folder, e->d_name, 0) == 0)
            continue;
        int inner = levels ? open_folder(folder, e->d_name) : -1;
        if (inner >= 0) {
            empty(inner, levels - 1);
            close(inner);
            unlinkat(folder, e->d_name, AT_REMOVEDIR);
        }
    }
    if (files)
        closedir(files);
}

void hd_fallback_remove(void) {
    if (own.owner != getpid())
        return;
    empty(own.lock, 2);
    rmdir(own.path);
    close(own.lock);
    own.owner = 0;
}

static bool make(void) {
    if (snprintf(own.path, sizeof own.path, "%s/" NAME "XXXXXX", place()) >= (int)sizeof own.path ||
        !mkdtemp(own.path))
        return false;
    own.lock = open_folder(AT_FDCWD, own.path);
    if (own.lock >= 0 && can_hold(own.lock)) {
        own.owner = getpid();
        return true;
    }
    rmdir(own.path); /* if a sweeper has not */
    if (own.lock >= 0)
        close(own.lock);
    return true;
}

bool hd_fallback_find(hd_text *directory, hd_err *err) {
    static bool is_known;
    hd_text_clear(directory);
    for (unsigned n = 0; own.owner != getpid() && n < TRIES && make(); n++)
        ;
    if (own.owner != getpid()) {
        hd_err_set(err, "cannot make a directory for compiled modules: %s", strerror(errno));
        return hd_err_hint(err, "set HEDDLE_CACHE to a directory that can be written");
    }
    if (!is_known)
        is_known = atexit(hd_fallback_remove) == 0;
    hd_text_add(directory, "%s", own.path);
    return true;
}

bool hd_fallback_holds(const char *path) {
    return own.owner == getpid() && strncmp(path, own.path, strlen(own.path)) == 0;
}

static void sweep_one(int in, const char *name) {
    int folder = open_folder(in, name);
    if (folder >= 0 && can_hold(folder)) {
        empty(folder, 2);
        unlinkat(in, name, AT_REMOVEDIR);
    }
    if (folder >= 0)
        close(folder);
}

void hd_fallback_sweep(void) {
    DIR *all = opendir(place());
    for (struct dirent *e; all && (e = readdir(all));)
        if (strncmp(e->d_name, NAME, strlen(NAME)) == 0)
            sweep_one(dirfd(all), e->d_name);
    if (all)
        closedir(all);
}
