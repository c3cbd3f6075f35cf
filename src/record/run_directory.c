/* The run directory: who may use it, and how a new run takes the place of an old one.
 *
 * The old run is first moved into a subdirectory and removed only when the new one exists, so
 * that a full disk or an unwritable file costs nobody their results.  Only names that Heddle
 * itself makes are ever moved or removed. */
#include "record/record_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define ASIDE ".heddle-old"

static const char *const OWN_NAMES[] = {"run.db", "run.db-wal", "run.db-shm", "run.db-journal",
                                        "module"};
#define N_OWN_NAMES (sizeof OWN_NAMES / sizeof *OWN_NAMES)

static bool is_dot(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool take_lock(int fd, const char *directory, hd_err *err) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (errno != EWOULDBLOCK)
        return hd_err_set(err, "cannot lock '%s': %s", directory, strerror(errno));
    hd_err_set(err, "cannot write to '%s': another run is using it", directory);
    return hd_err_hint(err, "wait for it to end, or name another directory with -o");
}

bool hd_directory_lock(const char *directory, int *lock, hd_err *err) {
    *lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return hd_err_set(err, "cannot open '%s': %s", directory, strerror(errno));
    if (take_lock(*lock, directory, err))
        return true;
    close(*lock);
    *lock = -1;
    return false;
}

/* A line of /proc/locks: "1: FLOCK  ADVISORY  WRITE 708 fe:01:131 0 EOF".  Numbers of devices are not those of stat() on
 * every file system: who has the same number of a file and writes to it under a lock of the same kind is taken for ours. */
static bool is_lock_of(const char *line, unsigned long long inode) {
    unsigned long long found;
    return sscanf(line, "%*d: FLOCK ADVISORY WRITE %*d %*x:%*x:%llu", &found) == 1 && found == inode;
}

bool hd_record_is_running(const char *directory) {
    struct stat status;
    char line[256];
    bool is_held = false;
    FILE *locks = stat(directory, &status) == 0 ? fopen("/proc/locks", "re") : NULL;
    while (locks && !is_held && fgets(line, sizeof line, locks))
        is_held = is_lock_of(line, status.st_ino);
    if (locks)
        fclose(locks);
    return is_held;
}

/* The first 100 bytes of an SQLite file are its header; offset 68 holds the application. */
hd_directory_owner hd_directory_kind(int directory) {
    int fd = openat(directory, "run.db", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? HD_FILE_MISSING : HD_FILE_UNREADABLE;
    unsigned char head[100];
    ssize_t n = pread(fd, head, sizeof head, 0);
    int failure = errno;
    close(fd);
    errno = failure;
    if (n < 0)
        return HD_FILE_UNREADABLE;
    if (n == 0)
        return HD_FILE_OURS;
    if (n < (ssize_t)sizeof head || memcmp(head, "SQLite format 3", 16) != 0)
        return HD_FILE_FOREIGN;
    uint32_t id = (uint32_t)head[68] << 24 | head[69] << 16 | head[70] << 8 | head[71];
    return id == HD_APPLICATION_ID ? HD_FILE_OURS : HD_FILE_FOREIGN;
}

/* Is there anything that we did not make? */
static bool holds_anything(int directory) {
    int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *listing = fd < 0 ? NULL : fdopendir(fd);
    if (!listing)
        return true;
    bool found = false;
    for (struct dirent *e; !found && (e = readdir(listing));)
        found = !is_dot(e->d_name) && strcmp(e->d_name, ASIDE) != 0;
    closedir(listing);
    return found;
}

static bool is_usable(int fd, const char *directory, hd_err *err) {
    hd_directory_owner kind = hd_directory_kind(fd);
    if (kind == HD_FILE_OURS || (kind == HD_FILE_MISSING && !holds_anything(fd)))
        return true;
    if (kind == HD_FILE_UNREADABLE) {
        hd_err_set(err, "cannot read '%s/run.db': %s", directory, strerror(errno));
        return hd_err_hint(err, "check the file, or name another directory with -o");
    }
    if (kind == HD_FILE_FOREIGN)
        hd_err_set(err, "cannot use '%s': its run.db is not a run of Heddle", directory);
    else
        hd_err_set(err, "cannot use '%s': it is not empty and holds no run of Heddle", directory);
    return hd_err_hint(err, "name another directory with -o, or remove this one");
}

bool hd_directory_prepare(const char *directory, int *lock, hd_err *err) {
    *lock = -1;
    if (mkdir(directory, 0777) < 0 && errno != EEXIST) {
        hd_err_set(err, "cannot make directory '%s': %s", directory, strerror(errno));
        return hd_err_hint(err, "name a directory that can be written with -o");
    }
    if (!hd_directory_lock(directory, lock, err))
        return false;
    if (faccessat(*lock, ".", W_OK | X_OK, 0) < 0)
        hd_err_set(err, "cannot write to directory '%s': %s", directory, strerror(errno));
    else if (is_usable(*lock, directory, err))
        return true;
    close(*lock);
    *lock = -1;
    return false;
}

/* Remove a directory of plain files; one that holds anything else stays. */
static void remove_flat(int directory, const char *name) {
    int fd = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *listing = fd < 0 ? NULL : fdopendir(fd);
    if (!listing)
        return;
    for (struct dirent *e; (e = readdir(listing));)
        if (!is_dot(e->d_name))
            unlinkat(fd, e->d_name, 0);
    closedir(listing);
    unlinkat(directory, name, AT_REMOVEDIR);
}

void hd_directory_forget_aside(int directory) {
    int aside = openat(directory, ASIDE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (aside < 0)
        return;
    for (size_t i = 0; i < N_OWN_NAMES; i++)
        if (unlinkat(aside, OWN_NAMES[i], 0) < 0)
            remove_flat(aside, OWN_NAMES[i]);
    close(aside);
    unlinkat(directory, ASIDE, AT_REMOVEDIR);
}

/* Files that appeared since are of the run that failed to start. */
void hd_directory_bring_back(int directory) {
    int aside = openat(directory, ASIDE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    for (size_t i = 0; i < N_OWN_NAMES; i++) {
        if (unlinkat(directory, OWN_NAMES[i], 0) < 0)
            remove_flat(directory, OWN_NAMES[i]);
        if (aside >= 0)
            renameat(aside, OWN_NAMES[i], directory, OWN_NAMES[i]);
    }
    if (aside >= 0)
        close(aside);
    unlinkat(directory, ASIDE, AT_REMOVEDIR);
}

/* A run that was put aside and never replaced (we were killed) is the one to keep. */
static void finish_interrupted(int directory) {
    if (faccessat(directory, ASIDE "/run.db", F_OK, 0) < 0)
        hd_directory_forget_aside(directory);
    else if (hd_directory_kind(directory) == HD_FILE_MISSING)
        hd_directory_bring_back(directory);
    else
        hd_directory_forget_aside(directory);
}

bool hd_directory_set_aside(int directory, const char *name, hd_err *err) {
    finish_interrupted(directory);
    if (hd_directory_kind(directory) == HD_FILE_MISSING)
        return true;
    if (mkdirat(directory, ASIDE, 0777) < 0)
        return hd_err_set(err, "cannot write to directory '%s': %s", name, strerror(errno));
    int aside = openat(directory, ASIDE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = aside >= 0;
    for (size_t i = 0; ok && i < N_OWN_NAMES; i++)
        ok = renameat(directory, OWN_NAMES[i], aside, OWN_NAMES[i]) == 0 || errno == ENOENT;
    if (!ok)
        hd_err_set(err, "cannot replace the run in '%s': %s", name, strerror(errno));
    if (aside >= 0)
        close(aside);
    return ok;
}

/* Modules in the cache are never changed in place (compile.h, K1), so a link is a copy. */
static bool take_file(int from, int to, const char *name) {
    if (linkat(from, name, to, name, 0) == 0)
        return true;
    int in = openat(from, name, O_RDONLY | O_CLOEXEC);
    int out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    char chunk[65536];
    ssize_t n = in < 0 || out < 0 ? -1 : 1;
    while (n > 0 && (n = read(in, chunk, sizeof chunk)) > 0)
        for (ssize_t done = 0, wrote; done < n; done += wrote)
            if ((wrote = write(out, chunk + done, (size_t)(n - done))) < 0) {
                n = -1;
                break;
            }
    int failure = errno;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    errno = failure;
    return n == 0;
}

static bool take_files(DIR *listing, int to) {
    for (struct dirent *e; (e = readdir(listing));)
        if (!is_dot(e->d_name) && !take_file(dirfd(listing), to, e->d_name))
            return false;
    return true;
}

bool hd_directory_take_module(int directory, const char *name, const char *from, hd_err *err) {
    DIR *listing = opendir(from);
    if (!listing)
        return hd_err_set(err, "cannot read module '%s': %s", from, strerror(errno));
    int to = -1;
    bool ok = mkdirat(directory, "module", 0777) == 0 &&
              (to = openat(directory, "module", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0 &&
              take_files(listing, to);
    if (!ok)
        hd_err_set(err, "cannot copy the module to '%s/module': %s", name, strerror(errno));
    if (to >= 0)
        close(to);
    closedir(listing);
    return ok;
}
