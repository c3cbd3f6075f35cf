/* Locks of files: whole ones by flock, records by fcntl; who has them, and when they go. */
#include "calls.h"

#include <sys/file.h>
#include <sys/wait.h>

static struct flock record(short type, short whence, long start, long length) {
    return (struct flock){.l_type = type, .l_whence = whence, .l_start = start, .l_len = length};
}

static void ask(int fd, struct flock l) {
    T(fcntl(fd, F_GETLK, &l));
    printf("  type %d whence %d start %ld length %ld, %s\n", l.l_type, l.l_whence, (long)l.l_start,
           (long)l.l_len, l.l_type == F_UNLCK ? "nobody" : "somebody");
}

static void set(int fd, int command, struct flock l) {
    T(fcntl(fd, command, &l));
}

/* In a process of its own, which others cannot have locks in common with. */
static void in_child(void (*act)(int), int fd) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        act(fd);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void whole(void) {
    int a = open("whole", O_RDWR | O_CREAT, 0600), b = open("whole", O_RDONLY), c = dup(a);
    T(flock(a, LOCK_EX | LOCK_NB));
    T(flock(b, LOCK_SH | LOCK_NB));
    T(flock(c, LOCK_SH | LOCK_NB)); /* the same open file: another type */
    T(flock(b, LOCK_SH | LOCK_NB));
    T(flock(a, LOCK_EX | LOCK_NB));
    T(flock(b, LOCK_UN));
    T(flock(a, LOCK_EX));
    T(close(a));
    T(flock(b, LOCK_EX | LOCK_NB));
    T(close(c));
    T(flock(b, LOCK_EX | LOCK_NB));
    T(flock(99, LOCK_EX));
    T(flock(b, LOCK_SH | LOCK_EX));
    T(flock(b, 0));
    T(close(b));
}

static void test_sections(int fd) {
    T(lseek(fd, 12, SEEK_SET));
    T(lockf(fd, F_TEST, 3));
    T(lockf(fd, F_TLOCK, 3));
    T(lockf(fd, F_TEST, -5));
    T(lockf(fd, F_TEST, 0));
    T(lockf(fd, F_LOCK, -13));
    T(lockf(fd, 77, 1));
    T(lockf(99, F_TLOCK, 1));
}

/* lockf: from where the file is, on or back. */
static void sections(void) {
    int fd = open("sections", O_RDWR | O_CREAT, 0600);
    T(lseek(fd, 10, SEEK_SET));
    T(lockf(fd, F_LOCK, 5));
    T(lockf(fd, F_TEST, 5));
    in_child(test_sections, fd);
    T(lseek(fd, 10, SEEK_SET));
    T(lockf(fd, F_ULOCK, 5));
    in_child(test_sections, fd);
    T(close(fd));
}

static void look(int fd) {
    ask(fd, record(F_WRLCK, SEEK_SET, 0, 0));
    ask(fd, record(F_RDLCK, SEEK_SET, 0, 5));
    ask(fd, record(F_RDLCK, SEEK_SET, 12, 3));
    set(fd, F_SETLK, record(F_WRLCK, SEEK_SET, 5, 1));
    set(fd, F_SETLK, record(F_RDLCK, SEEK_SET, 100, 10));
    set(fd, F_SETLK, record(F_WRLCK, SEEK_SET, 200, 1));
}

static void lock_whole(int fd) {
    T(flock(fd, LOCK_EX | LOCK_NB));
    int own = open("whole", O_RDWR);
    T(flock(own, LOCK_EX | LOCK_NB));
    close(own);
}

static void close_one(int fd) {
    (void)fd;
}

static void records(void) {
    int a = open("records", O_RDWR | O_CREAT, 0600), b = open("records", O_RDWR);
    int r = open("records", O_RDONLY), w = open("records", O_WRONLY);
    write(a, "0123456789abcdef", 16);
    set(a, F_SETLK, record(F_WRLCK, SEEK_SET, 0, 10));
    set(b, F_SETLK, record(F_RDLCK, SEEK_SET, 10, 10)); /* its own: no conflict */
    in_child(look, a);
    set(b, F_SETLK, record(F_UNLCK, SEEK_SET, 4, 3));
    in_child(look, a);
    set(a, F_SETLK, record(F_RDLCK, SEEK_SET, 2, 10)); /* joins, and splits */
    in_child(look, a);
    set(a, F_SETLK, record(F_WRLCK, SEEK_CUR, -4, 2));
    set(a, F_SETLK, record(F_WRLCK, SEEK_END, 0, 0));
    in_child(look, a);
    set(a, F_SETLKW, record(F_WRLCK, SEEK_SET, 20, -5));
    in_child(look, a);
    set(r, F_SETLK, record(F_WRLCK, SEEK_SET, 50, 1));
    set(w, F_SETLK, record(F_RDLCK, SEEK_SET, 50, 1));
    set(r, F_SETLK, record(F_RDLCK, SEEK_SET, 50, 1));
    set(a, F_SETLK, record(F_RDLCK, SEEK_SET, -1, 1));
    set(a, F_SETLK, record(F_RDLCK, 9, 0, 1));
    set(a, F_SETLK, record(77, SEEK_SET, 0, 1));
    T(close(r)); /* all of the process go with any of its descriptors */
    in_child(look, a);
    set(a, F_OFD_SETLK, record(F_WRLCK, SEEK_SET, 0, 4));
    set(b, F_OFD_SETLK, record(F_WRLCK, SEEK_SET, 3, 1));
    in_child(look, b);
    T(close(a));
    set(b, F_OFD_SETLK, record(F_WRLCK, SEEK_SET, 3, 1));
    in_child(close_one, b);
}

int main(void) {
    whole();
    int a = open("whole", O_RDWR);
    T(flock(a, LOCK_EX));
    in_child(lock_whole, a);
    T(flock(a, LOCK_UN));
    in_child(lock_whole, a);
    records();
    sections();
    return 0;
}
