/* Names of files: relative to descriptors, owners, modes, times, temporary names, names of
 * descriptors, lists of a directory. */
#include "calls.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <utime.h>

static int folder, file; /* descriptors */

static void make(void) {
    umask(027);
    T(mkdir("dir", 0777));
    T(folder = open("dir", O_RDONLY | O_DIRECTORY));
    T(file = openat(folder, "a", O_RDWR | O_CREAT | O_EXCL, 0666));
    T(write(file, "hello", 5));
    T(symlink("dir/a", "link"));
    T(symlink("none", "dangling"));
}

static void tell(const char *path) {
    struct stat s = {0};
    T(lstat(path, &s));
    printf("  %s %o %ld %ld\n", path, s.st_mode, (long)(S_ISDIR(s.st_mode) ? 0 : s.st_size),
           (long)(S_ISDIR(s.st_mode) ? 0 : s.st_nlink));
}
static void tell_times(const char *path) {
    struct stat s = {0};
    T(stat(path, &s));
    printf("  %s %ld.%09ld %ld.%09ld\n", path, (long)s.st_atim.tv_sec, s.st_atim.tv_nsec,
           (long)s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}
static void tell_owner(const char *path) {
    struct stat s = {0};
    T(lstat(path, &s));
    T(s.st_uid == getuid() && s.st_gid == getgid());
    printf("  %s %o %d %d\n", path, s.st_mode, s.st_uid - getuid(), s.st_gid - getgid());
}

static void relative(void) {
    struct stat s;
    char b[16] = "";
    tell("dir/a");
    T(openat(99, "a", O_RDONLY));
    T(openat(file, "a", O_RDONLY));
    T(openat(folder, "b", O_RDONLY));
    T(openat(folder, "b/", O_CREAT | O_RDWR, 0600));
    T(openat(folder, "a/", O_RDONLY));
    T(openat(folder, "a", O_DIRECTORY | O_RDONLY));
    T(openat(folder, "..", O_RDWR));
    T(openat(folder, "../dir", O_CREAT, 0600));
    T(openat(folder, "../link", O_NOFOLLOW));
    T(openat(folder, "../dangling", O_RDONLY));
    T(openat(folder, "../dangling", O_CREAT | O_EXCL, 0600));
    T(fstatat(file, "x", &s, 0));
    T(fstatat(99, "x", &s, 0));
    T(fstatat(folder, "a", &s, 0x40000000));
    T(fstatat(file, "", &s, AT_EMPTY_PATH));
    T(s.st_size);
    T(fstatat(file, "", &s, 0));
    T(fstatat(99, "", &s, AT_EMPTY_PATH));
    T(fstatat(folder, "../link", &s, AT_SYMLINK_NOFOLLOW));
    T(s.st_size);
    T(fstatat(folder, "../link", &s, AT_NO_AUTOMOUNT));
    T(s.st_size);
    T(faccessat(folder, "a", R_OK, 0));
    T(faccessat(folder, "a", F_OK, AT_EACCESS));
    T(faccessat(folder, "b", F_OK, 0));
    T(faccessat(folder, "a", 8, 0));
    T(faccessat(folder, "a", R_OK, 0x40000000));
    T(faccessat(folder, "../dangling", F_OK, 0));
    T(faccessat(folder, "../dangling", F_OK, AT_SYMLINK_NOFOLLOW));
    T(readlinkat(folder, "../link", b, 3));
    show("b", b, 4);
    T(readlinkat(folder, "../link", b, 16));
    show("b", b, 6);
    T(readlinkat(folder, "a", b, 3));
    T(readlinkat(folder, "none", b, 3));
    T(readlinkat(99, "none", b, 3));
    T(readlink("link", b, 0));
    T(readlink("none", b, 5));
    T(mkdirat(folder, "sub", 0707));
    tell("dir/sub");
    T(mkdirat(folder, "sub", 0700));
    T(mkdirat(99, "sub", 0700));
    T(mkdirat(folder, "none/sub", 0700));
    T(mkdirat(folder, "a/sub", 0700));
    T(unlinkat(folder, "sub", 0));
    T(unlinkat(folder, "sub", 77));
    T(unlinkat(folder, "a", AT_REMOVEDIR));
    T(unlinkat(folder, "none", AT_REMOVEDIR));
    T(unlinkat(folder, "none", 0));
    T(unlinkat(99, "none", 0));
    T(unlinkat(folder, "sub", AT_REMOVEDIR));
    T(rmdir("dir"));
    T(rmdir("none"));
    T(rmdir("dir/."));
    T(remove("none"));
    T(remove("dir"));
    T(renameat(folder, "a", 99, "b"));
    T(renameat(99, "a", folder, "b"));
    T(renameat(folder, "none", folder, "b"));
    T(renameat(folder, "a", folder, "none/b"));
    T(renameat(folder, "a", folder, "b"));
    T(renameat(folder, "b", AT_FDCWD, "dir/a"));
    T(rename("none", "other"));
    T(rename("dir", "dir/a"));
    T(rename("dir", "dir/inside"));
    T(rename("link", "dir"));
    T(rename("dir", "link"));
    T(rename("link", "moved"));
    tell("moved");
    T(rename("moved", "link"));
    T(linkat(folder, "a", folder, "hard", 0));
    T(linkat(folder, "a", folder, "hard", 0));
    T(linkat(folder, "none", folder, "more", 0));
    T(linkat(99, "a", folder, "more", 0));
    T(linkat(folder, "a", 99, "more", 0));
    T(linkat(folder, "../link", folder, "followed", AT_SYMLINK_FOLLOW));
    T(linkat(folder, "../link", folder, "same", 0));
    T(linkat(folder, "../link", folder, "same", 0x40000000));
    tell("dir/followed");
    tell("dir/same");
    T(link("dir", "other"));
    T(link("none", "other"));
    T(symlinkat("x", folder, "sym"));
    T(symlinkat("x", folder, "sym"));
    T(symlinkat("x", 99, "sym"));
    T(symlinkat("", folder, "empty"));
    T(symlink("x", "none/x"));
    tell("dir/sym");
    T(unlink("dir/sym"));
    T(unlink("dir/hard"));
    T(unlink("dir/same"));
    T(unlink("dir/followed"));
    T(unlink("dir"));
    T(unlink("dir/none"));
    T(unlink("none/none"));
    tell("dir/a");
}

static void changing(void) {
    int pipe_[2];
    T(pipe(pipe_));
    T(chmod("dir/a", 0640));
    tell("dir/a");
    T(chmod("none", 0640));
    T(fchmod(file, 04711));
    tell("dir/a");
    T(fchmod(99, 0600));
    tell("dir/a");
    T(chmod("link", 0622));
    tell("dir/a");
    tell("link");
    T(chown("dir/a", -1, -1));
    tell_owner("dir/a");
    T(chown("dir/a", getuid(), getgid()));
    tell_owner("dir/a");
    T(chown("none", -1, -1));
    T(chown("dangling", -1, -1));
    T(lchown("dangling", -1, -1));
    T(lchown("none", -1, -1));
    T(fchown(file, -1, getgid()));
    T(fchown(99, -1, -1));
    T(fchown(pipe_[0], -1, -1));
    T(fchmod(pipe_[0], 0600));
    T(futimens(pipe_[0], NULL));
    if (geteuid() == 0) {
        T(chown("link", getuid() + 1, -1));
        tell_owner("dir/a");
        tell_owner("link");
        T(lchown("link", -1, getgid() + 3));
        tell_owner("dir/a");
        tell_owner("link");
        T(fchown(file, getuid() + 2, getgid() + 4));
        tell_owner("dir/a");
        T(fchown(file, getuid(), getgid()));
    }
    T(close(pipe_[0]));
    T(close(pipe_[1]));
    T(umask(0));
    T(umask(0777));
    T(umask(022));
    T(creat("made", 0666));
    tell("made");
    T(write(file + 1, "abc", 3));
    T(lseek(file + 1, 0, SEEK_SET));
    T(read(file + 1, pipe_, 1));
    T(close(file + 1));
    T(creat("made", 0600));
    tell("made");
    T(close(file + 1));
    T(creat("dir", 0600));
    T(unlink("made"));
}

static void times(void) {
    struct timespec t[2] = {{1000, 5}, {2000, 7}}, bad[2] = {{1, 1000000000}, {1, 0}},
                    below[2] = {{1, 0}, {1, -1}}, omit[2] = {{3000, 1}, {77, UTIME_OMIT}},
                    first[2] = {{77, UTIME_OMIT}, {4000, 3}},
                    none[2] = {{1, UTIME_OMIT}, {1, UTIME_OMIT}},
                    now[2] = {{1, UTIME_NOW}, {5000, 999999999}};
    struct timeval v[2] = {{11, 12}, {13, 999999}}, over[2] = {{1, 1000000}, {1, 0}},
                   under[2] = {{1, 0}, {1, -1}}, past[2] = {{1, 0}, {1, 1000000}};
    struct utimbuf u = {21, 22};
    struct stat s;
    T(utimensat(folder, "a", t, 0));
    tell_times("dir/a");
    T(utimensat(folder, "a", bad, 0));
    T(utimensat(folder, "a", below, 0));
    T(utimensat(folder, "a", omit, 0));
    tell_times("dir/a");
    T(utimensat(folder, "a", first, 0));
    tell_times("dir/a");
    T(utimensat(folder, "a", none, 0));
    tell_times("dir/a");
    T(utimensat(folder, "a", now, 0));
    T(stat("dir/a", &s));
    T(s.st_atim.tv_sec > 1000000000);
    T(s.st_mtim.tv_sec);
    T(utimensat(folder, "a", t, 0x40000000));
    T(utimensat(folder, "none", t, 0));
    T(utimensat(99, "a", t, 0));
    T(utimensat(AT_FDCWD, "link", t, AT_SYMLINK_NOFOLLOW));
    T(lstat("link", &s));
    T(s.st_mtim.tv_sec);
    T(utimensat(AT_FDCWD, "link", t, 0));
    tell_times("dir/a");
    T(futimens(file, first));
    tell_times("dir/a");
    T(futimens(99, t));
    T(futimens(file, bad));
    T(futimens(file, NULL));
    T(stat("dir/a", &s));
    T(s.st_atim.tv_sec > 1000000000 && s.st_mtim.tv_sec > 1000000000);
    T(utimes("dir/a", v));
    tell_times("dir/a");
    T(utimes("dir/a", over));
    T(utimes("dir/a", under));
    T(utimes("dir/a", past));
    T(utimes("none", v));
    T(utimes("link", NULL));
    T(stat("dir/a", &s));
    T(s.st_atim.tv_sec > 1000000000 && s.st_mtim.tv_sec > 1000000000);
    T(utime("dir/a", &u));
    tell_times("dir/a");
    T(utime("none", &u));
    T(utime("dir/a", NULL));
    T(stat("dir/a", &s));
    T(s.st_atim.tv_sec > 1000000000 && s.st_mtim.tv_sec > 1000000000);
}

/* The letters are another six each time; the rest stays. */
static void show_template(char *t, int from) {
    int is_letter = 1;
    for (int i = from; i < from + 6; i++) {
        is_letter = is_letter && isalnum(t[i]);
        t[i] = '*';
    }
    printf("  '%s' %d\n", t, is_letter);
}
static void temporary(void) {
    char a[] = "aXXXXXX", b[] = "bXXXXXX.txt", c[] = "cXXXXX", d[] = "dXXXXXX", e[] = "none/XXXXXX",
         f[] = "fXXXXXX", g[] = "gXXXXXX.c", h[] = "hXXXXXX", i[] = "XXX", j[] = "jXXXXXXx";
    int n;
    struct stat s;
    T(n = mkstemp(a));
    T(fstat(n, &s));
    T(s.st_mode);
    T(fcntl(n, F_GETFL) & (O_ACCMODE | O_APPEND));
    T(access(a, F_OK));
    show_template(a, 1);
    T(close(n));
    T(n = mkstemps(b, 4));
    T(access(b, F_OK));
    show_template(b, 1);
    T(close(n));
    T(mkstemp(c));
    T(mkstemps(c, 9));
    T(mkstemp(i));
    T(mkstemp(j));
    T(mkstemps(j, -1));
    T(n = mkstemps(j, 1));
    show_template(j, 1);
    T(close(n));
    T(n = mkostemp(f, O_APPEND | O_CLOEXEC));
    T(fcntl(n, F_GETFL) & (O_ACCMODE | O_APPEND));
    T(fcntl(n, F_GETFD));
    show_template(f, 1);
    T(close(n));
    T(n = mkostemps(g, 2, O_APPEND));
    T(fcntl(n, F_GETFL) & (O_ACCMODE | O_APPEND));
    T(fcntl(n, F_GETFD));
    show_template(g, 1);
    T(close(n));
    TP(mkdtemp(d));
    T(stat(d, &s));
    T(s.st_mode);
    T(rmdir(d));
    show_template(d, 1);
    char d1[] = "twice-XXXXXX", d2[] = "twice-XXXXXX";
    TP(mkdtemp(d1));
    TP(mkdtemp(d2));
    T(strcmp(d1, d2) != 0);
    char f1[] = "again-XXXXXX", f2[] = "again-XXXXXX";
    T((n = mkstemp(f1)) >= 0);
    T(close(n));
    T((n = mkstemp(f2)) >= 0);
    T(close(n));
    T(unlink(f1) + unlink(f2));
    T(rmdir(d1) + rmdir(d2));
    TP(mkdtemp(e));
    T(mkstemp(e));
    TP(mkdtemp(c));
    T(n = mkstemp(h));
    T(unlink(h));
    T(write(n, "x", 1));
    T(fstat(n, &s));
    T(s.st_nlink);
    T(close(n));
    T(n = open(".", O_TMPFILE | O_RDWR, 0600));
    T(write(n, "abc", 3));
    T(fstat(n, &s));
    T(s.st_size);
    T(s.st_nlink);
    T(s.st_mode);
    T(close(n));
    T(open("none", O_TMPFILE | O_RDWR, 0600));
    FILE *t = tmpfile();
    T(fprintf(t, "abc"));
    T(ftell(t));
    T(fclose(t));
}

/* Names of descriptors. */
static void numbers(void) {
    int p[2];
    char b[8] = "", name[64];
    T(pipe(p));
    T(write(p[1], "xyz", 3));
    snprintf(name, sizeof name, "/dev/fd/%d", p[0]);
    int n = open(name, O_RDONLY);
    T(n);
    T(read(n, b, 1));
    show("b", b, 2);
    T(close(n));
    snprintf(name, sizeof name, "/proc/self/fd/%d", p[0]);
    T(n = open(name, O_RDONLY));
    T(read(n, b, 1));
    show("b", b, 2);
    T(close(n));
    T(n = open("/dev/stderr", O_WRONLY));
    T(write(n, "error\n", 6));
    T(close(n));
    T(n = open("/dev/stdout", O_WRONLY));
    T(close(n));
    T(open("/dev/fd/99", O_RDONLY));
    T(open("/dev/fd/x", O_RDONLY));
    T(open("/dev/fd/3x", O_RDONLY));
    T(close(p[0]));
    T(close(p[1]));
}

/* What is left in errno beside a result is glibc's business. */
static char *resolve(const char *path, char *out) {
    char *result = realpath(path, out);
    errno = result ? 0 : errno;
    return result;
}

static void places(void) {
    char b[PATH_MAX] = "", start[PATH_MAX];
    T(getcwd(start, sizeof start) != NULL);
    T(strlen(start) > 3);
    T(fchdir(folder));
    TP(getcwd(b, sizeof b));
    T(strcmp(b + strlen(start), "/dir"));
    T(access("a", F_OK));
    TP(getcwd(b, strlen(start)));
    TP(getcwd(b, strlen(start) + 4));
    TP(getcwd(b, strlen(start) + 5));
    TP(getcwd(b, 0));
    char *made = getcwd(NULL, 0);
    T(strcmp(made + strlen(start), "/dir"));
    free(made);
    TP(made = getcwd(NULL, 3));
    T(fchdir(file));
    T(fchdir(99));
    T(chdir("none"));
    T(chdir("a"));
    T(chdir(".."));
    TP(getcwd(b, sizeof b));
    T(strcmp(b, start));
    TP(resolve("link", b));
    T(strcmp(b + strlen(start), "/dir/a"));
    TP(resolve("none", b));
    TP(resolve("none/x", b));
    TP(resolve("dir/a/x", b));
    TP(resolve("", b));
    TP(resolve("dangling", b));
    TP(made = resolve("dir/../dir/./a", NULL));
    T(strcmp(made + strlen(start), "/dir/a"));
    free(made);
    TP(resolve("/", b));
    show_text("b", b);
    T(ioctl(file, FIONREAD, b));
    T(lseek(file, 2, SEEK_SET));
    T(ioctl(file, FIONREAD, b));
    T(*(int *)b);
    T(ioctl(folder, FIONREAD, b));
}

static void lists(void) {
    struct dirent *e;
    int n = 0, d;
    T(close(creat("dir/b", 0600)));
    T(close(creat("dir/c", 0600)));
    TP(fdopendir(99));
    TP(fdopendir(file));
    TP(opendir("none"));
    TP(opendir("dir/a"));
    TP(opendir(""));
    T(d = open("dir", O_RDONLY));
    DIR *all = fdopendir(d);
    T(dirfd(all) == d);
    T(telldir(all));
    TP(e = readdir(all));
    long second = telldir(all);
    TP(e = readdir(all));
    char name[256];
    strcpy(name, e->d_name);
    seekdir(all, second);
    TP(e = readdir(all));
    T(strcmp(name, e->d_name));
    rewinddir(all);
    while ((e = readdir(all)))
        n++;
    T(n);
    TP(readdir(all));
    T(unlink("dir/b"));
    rewinddir(all);
    for (n = 0; (e = readdir(all));)
        n++;
    T(n);
    int child = fork();
    if (!child) { /* it has one of its own */
        rewinddir(all);
        for (n = 0; readdir(all);)
            n++;
        _exit(closedir(all) ? 99 : n);
    }
    T(waitpid(child, &n, 0) == child);
    T(WEXITSTATUS(n));
    TP(readdir(all));
    T(closedir(all));
    T(fcntl(d, F_GETFD));
    T(unlink("dir/c"));
}

int main(void) {
    make();
    relative();
    changing();
    times();
    temporary();
    numbers();
    places();
    lists();
    return 0;
}
