/* Files by descriptor and by name, directories, memory that is mapped. */
#include "walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <utime.h>

#define FD(n, d) C(n, d, 99)
static int new_file(const char *name, const char *text) {
    int d = open(name, O_CREAT | O_RDWR, 0644);
    write(d, text, strlen(text));
    lseek(d, 0, SEEK_SET);
    return d;
}
static void see_file(const char *name) {
    int d = open(name, O_RDONLY);
    SEE(d >= 0);
    if (d >= 0)
        walk_see_all(d);
    close(d);
    errno = 0;
}
static void see_mode(const char *name) {
    struct stat s;
    int r = lstat(name, &s);
    SEE(r);
    if (!r) {
        SEE(s.st_mode);
        SEE(s.st_size & (S_ISDIR(s.st_mode) ? 0 : -1));
        SEE((long)s.st_nlink * !S_ISDIR(s.st_mode));
    }
    errno = 0;
}
static void see_stat(const struct stat *s) {
    SEE(s->st_mode);
    SEE(s->st_size);
    SEE((long)s->st_nlink);
}

#define WALK_LSEEK(f)                                                                              \
    WALK(f) {                                                                                      \
        int d = new_file("a", "abcdefgh");                                                         \
        char c = 0;                                                                                \
        SEE(f(FD(0, d), V(1, 1), C(2, SEEK_SET, SEEK_END, SEEK_CUR, 9)));                          \
        SEE(read(d, &c, 1));                                                                       \
        SEE(c);                                                                                    \
    }
WALK_LSEEK(lseek)
WALK_LSEEK(lseek64)
#define WALK_PREAD(f)                                                                              \
    WALK(f) {                                                                                      \
        int d = new_file("a", "abcdefgh");                                                         \
        char b[16] = "0123456789";                                                                 \
        SEE(f(FD(0, d), W(1, b), V(2, 3), V(3, 2)));                                               \
        SEEM(b, 16);                                                                               \
    }
WALK_PREAD(pread)
WALK_PREAD(pread64)
#define WALK_PWRITE(f)                                                                             \
    WALK(f) {                                                                                      \
        int d = new_file("a", "abcdefgh");                                                         \
        SEE(f(FD(0, d), M(1, (char[16]){"0123456789"}, 0, 2), V(2, 3), V(3, 2)));                  \
        see_file("a");                                                                             \
    }
WALK_PWRITE(pwrite)
WALK_PWRITE(pwrite64)
#define IOV                                                                                        \
    char a[16] = "0123456789", b[16] = "9876543210";                                               \
    struct iovec v[2] = {{a, 3}, {b, 2}}
#define WALK_PREADV(f)                                                                             \
    WALK(f) {                                                                                      \
        int d = new_file("a", "abcdefgh");                                                         \
        IOV;                                                                                       \
        SEE(f(FD(0, d), M(1, v, 0, 8, 24), C(2, 2, 1, 0, -1), V(3, 0)));                           \
        SEEM(a, 16);                                                                               \
        SEEM(b, 16);                                                                               \
    }
WALK_PREADV(preadv)
WALK_PREADV(preadv64)
#define WALK_PWRITEV(f)                                                                            \
    WALK(f) {                                                                                      \
        int d = new_file("a", "abcdefgh");                                                         \
        IOV;                                                                                       \
        M(1, a, 9);                                                                                \
        SEE(f(FD(0, d), M(1, v, 0, 8, 24), C(2, 2, 1, 0, -1), V(3, 0)));                           \
        see_file("a");                                                                             \
    }
WALK_PWRITEV(pwritev)
WALK_PWRITEV(pwritev64)
WALK(fsync) {
    SEE(fsync(FD(0, new_file("a", "x"))));
}
WALK(fdatasync) {
    SEE(fdatasync(FD(0, new_file("a", "x"))));
}
#define WALK_FTRUNCATE(f)                                                                          \
    WALK(f) {                                                                                      \
        SEE(f(FD(0, new_file("a", "abc")), V(1, 1)));                                              \
        see_file("a");                                                                             \
    }
WALK_FTRUNCATE(ftruncate)
WALK_FTRUNCATE(ftruncate64)
#define WALK_TRUNCATE(f)                                                                           \
    WALK(f) {                                                                                      \
        new_file("a", "abc");                                                                      \
        SEE(f(N(0, "a"), V(1, 1)));                                                                \
        see_file("a");                                                                             \
    }
WALK_TRUNCATE(truncate)
WALK_TRUNCATE(truncate64)
#define WALK_FALLOCATE(f)                                                                          \
    WALK(f) {                                                                                      \
        SEE(f(FD(0, new_file("a", "abc")), V(1, 1), V(2, 1)));                                     \
        see_file("a");                                                                             \
    }
WALK_FALLOCATE(posix_fallocate)
WALK_FALLOCATE(posix_fallocate64)
#define STAT                                                                                       \
    struct stat s;                                                                                 \
    memset(&s, 0, sizeof s)
#define WALK_FSTAT(f)                                                                              \
    WALK(f) {                                                                                      \
        STAT;                                                                                      \
        SEE(f(FD(0, new_file("a", "abc")), W(1, (void *)&s)));                                     \
        see_stat(&s);                                                                              \
    }
WALK_FSTAT(fstat)
WALK_FSTAT(fstat64)
#define WALK_STAT(f)                                                                               \
    WALK(f) {                                                                                      \
        STAT;                                                                                      \
        new_file("a", "abc");                                                                      \
        SEE(f(N(0, "a"), W(1, (void *)&s)));                                                       \
        see_stat(&s);                                                                              \
    }
WALK_STAT(stat)
WALK_STAT(stat64)
WALK_STAT(lstat)
WALK_STAT(lstat64)
#define WALK_FSTATAT(f)                                                                            \
    WALK(f) {                                                                                      \
        STAT;                                                                                      \
        new_file("a", "abc");                                                                      \
        symlink("a", "l");                                                                         \
        SEE(f(C(0, AT_FDCWD, 99), N(1, "a"), W(2, (void *)&s), C(3, 0, AT_SYMLINK_NOFOLLOW, 1)));  \
        see_stat(&s);                                                                              \
    }
WALK_FSTATAT(fstatat)
WALK_FSTATAT(fstatat64)
#define OPENED(call)                                                                               \
    new_file("a", "abc");                                                                          \
    int d = call;                                                                                  \
    SEE(d >= 0);                                                                                   \
    SEE(d < 0 ? 0 : write(d, "x", 1));                                                             \
    see_file("a");                                                                                 \
    see_mode("b")
#define FLAGS O_RDWR, O_RDONLY, O_RDWR | O_TRUNC, O_WRONLY | O_CREAT | O_EXCL, O_RDWR | O_APPEND
#define WALK_OPEN(f)                                                                               \
    WALK(f) {                                                                                      \
        OPENED(f(N(0, "a"), C(1, FLAGS), 0644));                                                   \
        d = f("b", O_CREAT | O_RDWR, VS(2, 0600, 4));                                              \
        see_mode("b");                                                                             \
    }
WALK_OPEN(open)
WALK_OPEN(open64)
#define WALK_OPENAT(f)                                                                             \
    WALK(f) {                                                                                      \
        OPENED(f(C(0, AT_FDCWD, 99), N(1, "a"), C(2, FLAGS), 0644));                               \
        d = f(AT_FDCWD, "b", O_CREAT | O_RDWR, VS(3, 0600, 4));                                    \
        see_mode("b");                                                                             \
    }
WALK_OPENAT(openat)
WALK_OPENAT(openat64)
#define WALK_CREAT(f)                                                                              \
    WALK(f) {                                                                                      \
        OPENED(f(N(0, "b"), VS(1, 0600, 4)));                                                      \
        see_mode("c");                                                                             \
    }
WALK_CREAT(creat)
WALK_CREAT(creat64)
WALK(access) {
    new_file("a", "abc");
    chmod("a", 0200);
    SEE(access(N(0, "a"), C(1, F_OK, W_OK, 77)));
}
WALK(faccessat) {
    new_file("a", "abc");
    SEE(faccessat(C(0, AT_FDCWD, 99), N(1, "a"), C(2, F_OK, R_OK, W_OK, 77), C(3, 0, 1)));
}
WALK(readlink) {
    symlink("target", "a");
    char b[16] = "0123456789";
    SEE(readlink(N(0, "a"), W(1, b), V(2, 4)));
    SEEM(b, 16);
}
WALK(readlinkat) {
    symlink("target", "a");
    char b[16] = "0123456789";
    SEE(readlinkat(C(0, AT_FDCWD, 99), N(1, "a"), W(2, b), V(3, 4)));
    SEEM(b, 16);
}
WALK(realpath) {
    new_file("a", "abc");
    static char b[4096] = "xyz";
    char *s = realpath(N(0, "a"), W(1, b));
    SEE(s == b);
    errno = s ? 0 : errno;
    SEES(s ? strrchr(s, '/') : "-");
}
#define NAMES    mkdir("d", 0755), new_file("a", "abc"), new_file("c", "cc")
#define SEENAMES see_mode("a"), see_mode("b"), see_mode("c"), see_mode("d"), see_mode("e")
WALK(mkdir) {
    SEE(mkdir(N(0, "a"), VS(1, 0700, 4)));
    SEENAMES;
}
WALK(mkdirat) {
    SEE(mkdirat(C(0, AT_FDCWD, 99), N(1, "a"), VS(2, 0700, 4)));
    SEENAMES;
}
WALK(rmdir) {
    NAMES;
    SEE(rmdir(N(0, "a")));
    SEENAMES;
}
WALK(remove) {
    NAMES;
    SEE(remove(N(0, "a")));
    SEENAMES;
}
WALK(unlink) {
    NAMES;
    SEE(unlink(N(0, "a")));
    SEENAMES;
}
WALK(unlinkat) {
    NAMES;
    SEE(unlinkat(C(0, AT_FDCWD, 99), N(1, "a"), C(2, 0, AT_REMOVEDIR, 1)));
    SEENAMES;
}
WALK(rename) {
    NAMES;
    SEE(rename(N(0, "a"), N(1, "b")));
    SEENAMES;
}
WALK(renameat) {
    NAMES;
    SEE(renameat(C(0, AT_FDCWD, 99), N(1, "a"), C(2, AT_FDCWD, 99), N(3, "b")));
    SEENAMES;
}
WALK(link) {
    NAMES;
    SEE(link(N(0, "a"), N(1, "b")));
    SEENAMES;
}
WALK(linkat) {
    NAMES;
    SEE(linkat(C(0, AT_FDCWD, 99), N(1, "a"), C(2, AT_FDCWD, 99), N(3, "b"),
               C(4, 0, AT_SYMLINK_FOLLOW, 1)));
    SEENAMES;
}
WALK(symlink) {
    NAMES;
    SEE(symlink(N(0, "a"), N(1, "b")));
    SEENAMES;
    see_file("b");
}
WALK(symlinkat) {
    NAMES;
    SEE(symlinkat(N(0, "a"), C(1, AT_FDCWD, 99), N(2, "b")));
    SEENAMES;
    see_file("b");
}
WALK(chmod) {
    NAMES;
    SEE(chmod(N(0, "a"), VS(1, 0600, 4)));
    SEENAMES;
}
WALK(fchmod) {
    SEE(fchmod(FD(0, new_file("a", "x")), VS(1, 0600, 4)));
    SEENAMES;
}
#define OWNER(n) C(n, -1, geteuid())
WALK(chown) {
    NAMES;
    SEE(chown(N(0, "a"), OWNER(1), OWNER(2)));
}
WALK(lchown) {
    NAMES;
    SEE(lchown(N(0, "a"), OWNER(1), OWNER(2)));
}
WALK(fchown) {
    SEE(fchown(FD(0, new_file("a", "x")), OWNER(1), OWNER(2)));
}
WALK(umask) {
    umask(VS(0, 022, 1));
    mkdir("a", 0777);
    SEENAMES;
    SEE(umask(0));
}
static void see_times(void) {
    struct stat s;
    stat("a", &s);
    SEE(s.st_atim.tv_sec & 0xff);
    SEE(s.st_mtim.tv_sec);
    SEE(s.st_mtim.tv_nsec);
}
WALK(utimensat) {
    NAMES;
    struct timespec t[2] = {{1, 2}, {3, 4}};
    SEE(utimensat(C(0, AT_FDCWD, 99), N(1, "a"), M(2, t, 0, 16, 27),
                  C(3, 0, AT_SYMLINK_NOFOLLOW, 1)));
    SEE(utimensat(AT_FDCWD, "a", M(2, t, 0, 16, 24), 0));
    see_times();
}
WALK(utime) {
    NAMES;
    struct utimbuf t = {1, 2};
    SEE(utime(N(0, "a"), M(1, &t, 0, 8)));
    utime("a", &t);
    see_times();
}
WALK(utimes) {
    NAMES;
    struct timeval t[2] = {{1, 2}, {3, 4}};
    SEE(utimes(N(0, "a"), M(1, t, 0, 16, 24)));
    utimes("a", t);
    see_times();
}
WALK(futimens) {
    NAMES;
    struct timespec t[2] = {{1, 2}, {3, 4}};
    SEE(futimens(FD(0, open("a", O_RDWR)), M(1, t, 0, 16, 24)));
    utimensat(AT_FDCWD, "a", t, 0);
    see_times();
}
WALK(chdir) {
    NAMES;
    new_file("d/a", "inner");
    SEE(chdir(N(0, "d")));
    see_file("a");
    chdir("/");
}
WALK(chroot) {
    NAMES;
    new_file("d/a", "inner");
    SEE(chroot(N(0, "d")));
    see_file("/a");
}
WALK(fchdir) {
    NAMES;
    new_file("d/a", "inner");
    SEE(fchdir(FD(0, open("d", O_RDONLY))));
    see_file("a");
}
WALK(getcwd) {
    static char b[4096] = "abc";
    chdir("/");
    char *s = getcwd(W(0, b), V(1, 1));
    SEE(s != 0);
    SEEM(b, 4);
}
#define WALK_MKSTEMP(f, ...)                                                                       \
    WALK(f) {                                                                                      \
        char b[32] = "abcXXXXXX";                                                                  \
        int d = f(M(0, b, 0, 4) __VA_ARGS__);                                                      \
        SEE(d >= 0);                                                                               \
        SEEM(b, 3);                                                                                \
        SEE(access(b, F_OK));                                                                      \
        errno = 0;                                                                                 \
    }
WALK_MKSTEMP(mkstemp)
WALK_MKSTEMP(mkstemp64)
#define WALK_MKOSTEMP(f)                                                                           \
    WALK(f) {                                                                                      \
        char b[32] = "abcXXXXXX";                                                                  \
        int d = f(M(0, b, 0, 4), C(1, 0, O_APPEND));                                               \
        SEE(d >= 0);                                                                               \
        SEEM(b, 3);                                                                                \
        SEE(d < 0 ? 0 : fcntl(d, F_GETFL) & O_APPEND);                                             \
        errno = 0;                                                                                 \
    }
#define WALK_MKSTEMPS(f)                                                                           \
    WALK(f) {                                                                                      \
        char b[32] = "abcXXXXXXde";                                                                \
        int d = f(M(0, b, 0, 4), V(1, 1));                                                         \
        SEE(d >= 0);                                                                               \
        SEEM(b, 3);                                                                                \
        errno = 0;                                                                                 \
    }
WALK_MKOSTEMP(mkostemp)
WALK_MKOSTEMP(mkostemp64)
WALK_MKSTEMPS(mkstemps)
WALK_MKSTEMPS(mkstemps64)
WALK(mkostemps) {
    char b[32] = "abcXXXXXXde";
    int d = mkostemps(M(0, b, 0, 4), V(1, 1), C(2, 0, O_APPEND));
    SEE(d >= 0);
    SEEM(b, 3);
    SEE(d < 0 ? 0 : fcntl(d, F_GETFL) & O_APPEND);
    errno = 0;
}
WALK(mkostemps64) {
    char b[32] = "abcXXXXXXde";
    int d = mkostemps64(M(0, b, 0, 4), V(1, 1), C(2, 0, O_APPEND));
    SEE(d >= 0);
    SEEM(b, 3);
    errno = 0;
}
WALK(mkdtemp) {
    char b[32] = "abcXXXXXX";
    char *s = mkdtemp(M(0, b, 0, 4));
    SEEP(s, b);
    SEEM(b, 3);
    errno = 0;
}

/* Directories. */
#define DIRS mkdir("p", 0755), mkdir("q", 0755), new_file("q/a", "x"), new_file("q/b", "x")
static int count(DIR *d) {
    int n = 0;
    while (d && readdir(d))
        n++;
    return n;
}
static int is_file(const struct dirent *e) {
    return e->d_name[0] != '.';
}
static int is_b(const struct dirent *e) {
    return e->d_name[0] == 'b';
}
static int backwards(const struct dirent **a, const struct dirent **b) {
    return -strcmp((*a)->d_name, (*b)->d_name);
}
WALK(scandir) {
    DIRS;
    struct dirent **all = NULL;
    int n = scandir(N(0, "p"), W(1, &all), (void *)C(2, (long)is_file, (long)is_b, 0),
                    (void *)C(3, (long)alphasort, (long)backwards));
    SEE(n);
    for (int i = 0; i < n; i++)
        SEES(all[i]->d_name);
}
#define ENTRIES                                                                                    \
    struct dirent of[2] = {{.d_name = "file10"}, {.d_name = "file9"}};                             \
    const struct dirent *a = (M(0, &of[0], offsetof(struct dirent, d_name) + 4), &of[0]),          \
                        *b = (M(1, &of[1], offsetof(struct dirent, d_name) + 4), &of[1])
#define WALK_ORDER(f)                                                                              \
    WALK(f) {                                                                                      \
        ENTRIES;                                                                                   \
        int way_round = f((void *)&a, (void *)&b);                                                 \
        SEE((way_round > 0) - (way_round < 0));                                                    \
    }
WALK_ORDER(alphasort)
WALK_ORDER(alphasort64)
WALK_ORDER(versionsort)
WALK_ORDER(versionsort64)
WALK(scandir64) {
    DIRS;
    struct dirent64 **all = NULL;
    int n = scandir64(N(0, "q"), W(1, &all), (void *)C(2, (long)is_file, 0),
                      (void *)C(3, (long)alphasort64, (long)backwards));
    SEE(n);
    for (int i = 0; i < n; i++)
        SEES(all[i]->d_name);
}
WALK(opendir) {
    DIRS;
    DIR *d = opendir(N(0, "p"));
    SEE(d != 0);
    SEE(count(d));
}
WALK(fdopendir) {
    DIRS;
    DIR *d = fdopendir(FD(0, open("p", O_RDONLY)));
    SEE(d != 0);
    SEE(count(d));
}
#define DIR2                                                                                       \
    DIRS;                                                                                          \
    DIR *d[2] = {opendir("p"), opendir("q")}
WALK(readdir) {
    DIR2;
    SEE(readdir(A(0, d)[0]) != 0);
    SEE(count(d[0]));
    SEE(count(d[1]));
}
WALK(readdir64) {
    DIR2;
    SEE(readdir64(A(0, d)[0]) != 0);
    SEE(count(d[0]));
    SEE(count(d[1]));
}
WALK(closedir) {
    DIR2;
    SEE(closedir(A(0, d)[0]));
}
WALK(rewinddir) {
    DIR2;
    readdir(d[0]);
    readdir(d[1]);
    rewinddir(A(0, d)[0]);
    SEE(count(d[0]));
    SEE(count(d[1]));
}
WALK(telldir) {
    DIR2;
    long at = telldir(A(0, d)[0]);
    readdir(d[0]);
    seekdir(d[0], telldir(d[0]));
    SEE(count(d[0]));
    (void)at;
}
WALK(seekdir) {
    DIR2;
    long at[2] = {telldir(d[0]), 0};
    readdir(d[0]);
    at[1] = telldir(d[0]);
    if (is_way(0, 0)) {
        long here = telldir(d[1]);
        readdir(d[1]);
        seekdir(A(0, d)[0], here);
    } else
        seekdir(d[0], C(1, at[0], at[1]));
    SEE(count(d[0]));
}
WALK(dirfd) {
    DIR2;
    SEE(dirfd(A(0, d)[0]));
}

/* Mapped memory. */
#define WALK_MMAP(f)                                                                               \
    WALK(f) {                                                                                      \
        int d = new_file("a", "abcdefgh");                                                         \
        char *p =                                                                                  \
            f(P(0, (char *)0, (char *)0), VS(1, 8, 1), C(2, PROT_READ | PROT_WRITE, PROT_READ),    \
              C(3, MAP_SHARED, MAP_PRIVATE), FD(4, d), C(5, 0, 4096, 1));                          \
        SEE(p != MAP_FAILED);                                                                      \
        if (p != MAP_FAILED && way != 20) {                                                        \
            SEEM(p, 8);                                                                            \
            if (way != 8)                                                                          \
                p[0] = 'X';                                                                        \
        }                                                                                          \
        see_file("a");                                                                             \
    }
WALK_MMAP(mmap)
WALK_MMAP(mmap64)
#define MAPS                                                                                       \
    char *p[2];                                                                                    \
    for (int i = 0; i < 2; i++)                                                                    \
    p[i] = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
WALK(munmap) {
    MAPS;
    SEE(munmap(A(0, p)[0], C(1, 8192, 0)));
}
WALK(msync) {
    MAPS;
    SEE(msync(A(0, p)[0], C(1, 8192, 4096), C(2, MS_SYNC, MS_ASYNC, 99)));
}
WALK(shm_open) {
    int d = shm_open(N(0, "/walka"), C(1, O_CREAT | O_RDWR, O_RDWR), VS(2, 0600, 0));
    SEE(d >= 0);
    SEE(shm_unlink("/walka"));
    for (char c = 'a'; c < 'a' + DOMAIN; c++) {
        char name[] = "/walka";
        name[5] = c;
        shm_unlink(name);
    }
    errno = 0;
}
WALK(shm_unlink) {
    shm_open("/walkm", O_CREAT | O_RDWR, 0600);
    SEE(shm_unlink(N(0, "/walkm")));
    errno = 0;
    shm_unlink("/walkm");
    SEE(errno);
    errno = 0;
}
