/* calls.c -- what functions over files answer: the same here and on Linux (tests/files.sh
 * compares).
 *
 * Every call is printed with its result and its error; addresses, times and numbers of inodes are
 * not.  The working directory is empty when it begins. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int line;
static void say(const char *what, long r) {
    printf("%d %s %ld %s\n", ++line, what, r, r < 0 ? strerror(errno) : "");
    errno = 0;
}
#define T(call) say(#call, (long)(call))

static void show_stat(const char *path) {
    struct stat s;
    int r = lstat(path, &s);
    printf("%d lstat %s %d %o %ld %ld\n", ++line, path, r, r ? 0 : s.st_mode,
           r ? -1 : (long)(S_ISDIR(s.st_mode) ? 0 : s.st_size),
           r ? -1 : (long)(S_ISDIR(s.st_mode) ? 0 : s.st_nlink));
}
static void show_dir(const char *path) {
    DIR *d = opendir(path);
    char *names[50];
    int n = 0;
    if (!d) {
        say("opendir", -1);
        return;
    }
    for (struct dirent *e; (e = readdir(d));) {
        names[n] = malloc(300);
        snprintf(names[n++], 300, "%s/%d", e->d_name, e->d_type);
    }
    closedir(d);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (strcmp(names[i], names[k]) > 0) {
                char *t = names[i];
                names[i] = names[k];
                names[k] = t;
            }
    printf("%d dir %s:", ++line, path);
    for (int i = 0; i < n; i++) {
        printf(" %s", names[i]);
        free(names[i]);
    }
    printf("\n");
}
int main(void) {
    char b[64] = {0};
    umask(022);
    int f = open("a", O_RDWR | O_CREAT | O_EXCL, 0666), g;
    T(f);
    T(open("a", O_RDWR | O_CREAT | O_EXCL, 0666));
    T(write(f, "hello world", 11));
    T(lseek(f, 0, SEEK_CUR));
    T(lseek(f, -3, SEEK_END));
    T(lseek(f, -100, SEEK_CUR));
    T(lseek(f, 0, 77));
    T(read(f, b, 64));
    puts(b);
    T(pwrite(f, "XY", 2, 20));
    T(pread(f, b, 64, 9));
    for (int i = 0; i < 13; i++)
        printf("%d,", b[i]);
    puts("");
    show_stat("a");
    T(ftruncate(f, 5));
    show_stat("a");
    T(ftruncate(f, 8));
    T(pread(f, b, 64, 0));
    for (int i = 0; i < 8; i++)
        printf("%d,", b[i]);
    puts("");
    T(ftruncate(f, -1));
    T(truncate("a", 3));
    T(truncate("nope", 3));
    T(truncate(".", 3));
    show_stat("a");
    g = dup(f);
    T(g);
    T(lseek(g, 1, SEEK_SET));
    T(read(f, b, 1));
    printf("%c\n", b[0]);
    T(close(f));
    T(write(g, "q", 1));
    T(close(g));
    T(close(g));
    T(read(g, b, 1));
    g = open("a", O_WRONLY | O_APPEND);
    T(write(g, "app", 3));
    T(lseek(g, 0, SEEK_CUR));
    T(pwrite(g, "P", 1, 0));
    T(read(g, b, 1));
    T(close(g));
    f = open("a", O_RDONLY);
    T(write(f, "z", 1));
    memset(b, 0, 64);
    T(read(f, b, 64));
    puts(b);
    T(read(f, b, 64));
    T(ftruncate(f, 0));
    T(close(f));
    T(open("none", O_RDONLY));
    T(open("a/b", O_RDONLY));
    T(open("none/b", O_CREAT | O_RDWR, 0600));
    T(open("", O_RDONLY));
    T(open(".", O_RDWR));
    T(open("x/", O_CREAT | O_RDWR, 0600));
    T(open("a/", O_RDONLY));
    T(mkdir("d", 0777));
    T(mkdir("d", 0777));
    T(mkdir("d/e", 0700));
    T(mkdir("q/e", 0700));
    T(mkdir("d/f/", 0755));
    show_stat("d");
    show_stat("d/e");
    T(close(open("d/x", O_CREAT | O_WRONLY, 0640)));
    show_stat("d/x");
    show_dir("d");
    show_dir(".");
    show_dir("a");
    show_dir("none");
    T(rmdir("d"));
    T(rmdir("a"));
    T(unlink("d"));
    T(rmdir("d/f"));
    T(rmdir("d/f"));
    T(rmdir("."));
    T(rmdir("d/."));
    T(link("a", "l"));
    T(link("a", "l"));
    T(link("d", "ld"));
    show_stat("a");
    T(unlink("a"));
    show_stat("l");
    show_stat("a");
    T(link("l", "a"));
    T(symlink("d/x", "s"));
    T(symlink("loop", "loop"));
    T(open("loop", O_RDONLY));
    show_stat("s");
    T(readlink("s", b, 64));
    b[3] = 0;
    puts(b);
    T(readlink("a", b, 64));
    T(readlink("s", b, 1));
    f = open("s", O_WRONLY | O_TRUNC);
    T(write(f, "via link", 8));
    T(close(f));
    show_stat("d/x");
    T(open("s", O_RDONLY | O_NOFOLLOW));
    T(open("s", O_CREAT | O_EXCL | O_RDWR, 0600));
    T(symlink("nowhere", "dangling"));
    T(access("dangling", F_OK));
    T(close(open("dangling", O_CREAT | O_WRONLY, 0600)));
    show_stat("nowhere");
    T(rename("a", "b"));
    T(rename("a", "b"));
    show_stat("b");
    T(rename("d", "d/e/in"));
    T(rename("b", "d"));
    T(rename("d", "b"));
    T(mkdir("h", 0755));
    T(rename("d", "h"));
    T(rename("nowhere", "h/n"));
    show_dir("h");
    T(rename("h/n", "h/../m"));
    show_dir("h");
    T(rename("b", "b"));
    T(rename("h", "k"));
    T(access("k/x", R_OK));
    T(access("h/x", R_OK));
    T(access("k", 99));
    T(chmod("k/x", 0600));
    show_stat("k/x");
    T(chmod("none", 0600));
    f = open("k/x", O_RDONLY);
    T(fchmod(f, 0444));
    show_stat("k/x");
    T(close(f));
    char start[PATH_MAX], now[PATH_MAX];
    getcwd(start, sizeof start);
    T(chdir("k"));
    getcwd(now, sizeof now);
    puts(now + strlen(start));
    T(access("x", F_OK));
    T(chdir("x"));
    T(chdir("none"));
    T(chdir("e/.."));
    getcwd(now, sizeof now);
    puts(now + strlen(start));
    T(chdir(".."));
    T(getcwd(now, 2) == NULL);
    f = open("k", O_RDONLY | O_DIRECTORY);
    T(f);
    T(openat(f, "x", O_RDONLY));
    T(read(f, b, 1));
    T(write(f, b, 1));
    T(mkdirat(f, "made", 0700));
    T(unlinkat(f, "made", 0));
    T(unlinkat(f, "made", AT_REMOVEDIR));
    T(fchdir(f));
    getcwd(now, sizeof now);
    puts(now + strlen(start));
    T(chdir(start));
    T(faccessat(f, "x", F_OK, 0));
    T(openat(99, "x", O_RDONLY));
    T(openat(f, "../b", O_RDONLY));
    T(open("b", O_RDONLY | O_DIRECTORY));
    char *real = realpath("k/../k/./x", NULL);
    puts(real + strlen(start));
    free(real);
    T(realpath("nix", now) == NULL);
    struct iovec v[3] = {{"one", 3}, {"two", 3}, {"three", 5}};
    char c1[4] = {0}, c2[20] = {0};
    struct iovec w[2] = {{c1, 3}, {c2, 19}};
    f = open("v", O_CREAT | O_RDWR, 0600);
    T(writev(f, v, 3));
    T(pwritev(f, v, 1, 30));
    T(lseek(f, 0, SEEK_SET));
    T(readv(f, w, 2));
    puts(c1);
    puts(c2);
    T(preadv(f, w, 2, 28));
    T(pwritev(f, v, -1, 0));
    T(pwritev(77, v, 1, 0));
    T(pread(f, b, 4, -1));
    T(unlink("v"));
    struct stat st;
    T(fstat(f, &st));
    printf("%ld %ld\n", (long)st.st_size, (long)st.st_nlink);
    T(write(f, "still", 5));
    T(close(f));
    T(access("v", F_OK));
    f = open("/dev/null", O_RDWR);
    T(write(f, "gone", 4));
    T(read(f, b, 4));
    T(close(f));
    f = open("/dev/zero", O_RDONLY);
    b[0] = 9;
    T(read(f, b, 4));
    T(b[0]);
    T(close(f));
    f = open("/dev/full", O_WRONLY);
    T(write(f, "x", 1));
    T(close(f));
    int p[2];
    pipe(p);
    T(lseek(p[0], 0, SEEK_SET));
    T(pread(p[0], b, 1, 0));
    T(fsync(p[0]));
    T(ftruncate(p[1], 0));
    FILE *s = fopen("t", "w+");
    T(fprintf(s, "line %d\nsecond\n", 1));
    rewind(s);
    T(fgets(b, 64, s) != NULL);
    fputs(b, stdout);
    T(ftell(s));
    T(fseek(s, 2, SEEK_SET));
    T(fgetc(s));
    T(fclose(s));
    s = fopen("t", "a");
    T(fputs("more\n", s) >= 0);
    T(fclose(s));
    s = fopen("t", "r");
    memset(b, 0, 64);
    T(fread(b, 1, 64, s));
    fputs(b, stdout);
    T(feof(s) != 0);
    T(fclose(s));
    T(fopen("t", "wx") == NULL);
    T(fopen("nix", "r") == NULL);
    s = tmpfile();
    T(fputs("tmp", s) >= 0);
    T(fclose(s));
    T(remove("t"));
    T(remove("t"));
    T(mkdir("rm", 0700));
    T(remove("rm"));
    char name[] = "tmpXXXXXX";
    f = mkstemp(name);
    T(f >= 0);
    struct stat made;
    T(fstat(f, &made));
    T(made.st_mode);
    T(strncmp(name, "tmp", 3));
    T(strcmp(name + 3, "XXXXXX") != 0);
    T(unlink(name));
    T(close(f));
    char bad[] = "tmpXX";
    T(mkstemp(bad));
    char dn[] = "dirXXXXXX";
    T(mkdtemp(dn) != NULL);
    T(stat(dn, &made));
    T(made.st_mode);
    T(rmdir(dn));
    f = open("map", O_CREAT | O_RDWR, 0600);
    T(write(f, "mapped", 6));
    char *mp = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, f, 0);
    puts(mp);
    mp[0] = 'M';
    T(pread(f, b, 1, 0));
    printf("%c\n", b[0]);
    T(munmap(mp, 4096));
    T(close(f));
    T(open("map", O_RDONLY | O_CREAT | O_TRUNC, 0600));
    show_stat("map");
    T(posix_fallocate(3, 0, 10));
    T(umask(077));
    T(close(open("um", O_CREAT | O_RDWR, 0777)));
    show_stat("um");
    T(umask(0));
    DIR *d = opendir("k");
    T(dirfd(d) >= 0);
    readdir(d);
    readdir(d);
    long at = telldir(d);
    struct dirent *e = readdir(d);
    char first[300];
    strcpy(first, e->d_name);
    seekdir(d, at);
    e = readdir(d);
    T(strcmp(first, e->d_name));
    rewinddir(d);
    T(readdir(d) != NULL);
    T(closedir(d));
    show_dir(".");
    return 0;
}
