/* Standard input: read once, kept, and written to the run directory and read from there.  Each test
 * is a process of its own, because what was read stays. */
#include "machine/libc/standard_input.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/heddle-input-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static char *path(void) {
    static char text[80];
    snprintf(text, sizeof text, "%s/stdin", folder);
    return text;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path());
    return rmdir(folder);
}

/* Descriptor 0 is a pipe with this text in it, whose other end is closed. */
static void give(const char *text) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), strlen(text));
    assert_int_equal(dup2(ends[0], 0), 0);
    close(ends[0]);
    close(ends[1]);
}

static void expect(uint64_t offset, uint64_t wanted, const char *text) {
    const uint8_t *bytes = NULL;
    int64_t got = hd_standard_input_read(offset, wanted, &bytes);
    assert_int_equal(got, strlen(text));
    assert_memory_equal(bytes, text, strlen(text));
}

static unsigned count_files(void) {
    DIR *all = opendir("/proc/self/fd");
    unsigned n = 0;
    while (readdir(all))
        n++;
    closedir(all);
    return n;
}

/* In a child; it fails by the same asserts. */
static void apart(void (*test)(void)) {
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        test();
        _exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void read_in_pieces(void) {
    give("hello, world");
    assert_int_equal(hd_standard_input_size(), 0);
    expect(0, 0, "");
    expect(0, 5, "hello");
    assert_int_equal(hd_standard_input_size(), 5);
    expect(1, 3, "ell"); /* again, and nothing is read */
    expect(3, 9, "lo");  /* as much as is there */
    assert_int_equal(hd_standard_input_size(), 5);
    expect(5, 100, ", world");
    expect(12, 4, "");
    expect(12, 4, ""); /* the end stays */
    expect(99, 4, "");
    expect(0, 100, "hello, world");
    assert_int_equal(hd_standard_input_size(), 12);
}

static void kept_elsewhere(void) {
    give("kept");
    hd_standard_input_share();
    hd_standard_input_share();
    hd_standard_input_keep();
    unsigned n = count_files();
    hd_standard_input_keep(); /* once is enough */
    assert_int_equal(count_files(), n);
    give("another");
    expect(0, 9, "kept");
    assert_true(fcntl(800, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(fcntl(799, F_GETFD), -1);
}

static void written_and_read(void) {
    hd_err err = {0};
    char text[16] = "";
    FILE *old = fopen(path(), "w");
    assert_non_null(old);
    fclose(old);
    assert_true(
        hd_standard_input_save(folder, &err)); /* nothing was read: the file of before goes */
    assert_int_equal(access(path(), F_OK), -1);
    give("abc");
    struct stat s;
    expect(0, 1, "a");
    assert_true(hd_standard_input_save(folder, &err));
    assert_int_equal(stat(path(), &s), 0);
    assert_int_equal(s.st_size, 1);
    expect(1, 1, "b");
    assert_true(hd_standard_input_save(folder, &err));
    old = fopen(path(), "r");
    assert_int_equal(fread(text, 1, 15, old), 2);
    assert_string_equal(text, "ab");
    assert_int_equal(fcntl(fileno(old), F_GETFD), 0);
    fclose(old);
    assert_int_equal(stat(path(), &s), 0);
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(s.st_mode & 0777, 0644 & ~mask);
    expect(2, 9, "c");
    assert_true(hd_standard_input_save(folder, &err));
    assert_int_equal(stat(path(), &s), 0);
    assert_int_equal(s.st_size, 3);
    assert_false(hd_standard_input_save("/no/such/folder", &err));
    assert_non_null(strstr(err.message, "/no/such/folder/stdin"));
}

/* No byte of it can be written. */
static void written_to_a_full_disk(void) {
    hd_err err = {0};
    give("abc");
    expect(0, 3, "abc");
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    assert_false(hd_standard_input_save(folder, &err));
    assert_non_null(strstr(err.message, strerror(EFBIG)));
}

/* A link is no file of the folder: it is neither written through nor read. */
static void not_through_links(void) {
    hd_err err = {0};
    struct stat s;
    give("abc");
    unlink(path());
    assert_int_equal(symlink("/dev/full", path()), 0);
    hd_standard_input_load(folder);
    expect(0, 3, "abc");
    assert_true(hd_standard_input_save(folder, &err));
    assert_true(lstat(path(), &s) == 0 && S_ISREG(s.st_mode) && s.st_size == 3);
}

/* What follows is not asked of descriptor 0. */
static void loaded(void) {
    give("not this");
    hd_standard_input_load(folder);
    expect(0, 9, "abc");
    expect(3, 9, "");
    assert_int_equal(hd_standard_input_size(), 3);
}

static void loaded_from_nowhere(void) {
    give("this");
    hd_standard_input_load("/no/such/folder");
    expect(0, 9, "this");
}

/* Also of an empty one there is a file: that it was at its end. */
static void empty(void) {
    hd_err err = {0};
    struct stat s = {0};
    give("");
    expect(0, 1, "");
    assert_true(hd_standard_input_save(folder, &err));
    assert_int_equal(stat(path(), &s), 0);
    assert_int_equal(s.st_size, 0);
}

static void nothing_is_left_behind(void) {
    hd_err err = {0};
    give("abc");
    expect(0, 3, "abc");
    hd_standard_input_save(folder, &err);
    hd_standard_input_load(folder);
    unsigned files = count_files();
    size_t bytes = mallinfo2().uordblks;
    for (int i = 0; i < 20; i++) {
        assert_true(hd_standard_input_save(folder, &err));
        hd_standard_input_load(folder);
        hd_standard_input_load("/no/such/folder");
    }
    assert_int_equal(count_files(), files);
    assert_true(mallinfo2().uordblks < bytes + 20 * 24);
}

/* As much as there is room for, to the last byte. */
static void full(void) {
    enum { MEGA = 1 << 20, ALL = 256 };
    const uint8_t *bytes;
    uint64_t at = 0, end = (uint64_t)ALL * MEGA;
    int zero = open("/dev/zero", O_RDONLY);
    dup2(zero, 0);
    for (; at < end - MEGA; at += MEGA)
        assert_int_equal(hd_standard_input_read(at, MEGA, &bytes), MEGA);
    assert_int_equal(hd_standard_input_read(at, MEGA - 1, &bytes), MEGA - 1);
    assert_int_equal(hd_standard_input_read(end - 1, 5, &bytes), 1);
    assert_int_equal(hd_standard_input_size(), end);
    errno = 0;
    assert_int_equal(hd_standard_input_read(end, 1, &bytes), -1);
    assert_int_equal(errno, EFBIG);
}

#define APART(name)                                                                                \
    static void test_##name(void **state) {                                                        \
        (void)state;                                                                               \
        apart(name);                                                                               \
    }
APART(read_in_pieces)
APART(kept_elsewhere)
APART(written_and_read)
APART(written_to_a_full_disk)
APART(not_through_links)
APART(loaded)
APART(loaded_from_nowhere)
APART(empty)
APART(nothing_is_left_behind)
APART(full)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_in_pieces),         cmocka_unit_test(test_kept_elsewhere),
        cmocka_unit_test(test_written_and_read),       cmocka_unit_test(test_loaded),
        cmocka_unit_test(test_written_to_a_full_disk), cmocka_unit_test(test_not_through_links),
        cmocka_unit_test(test_loaded_from_nowhere),    cmocka_unit_test(test_empty),
        cmocka_unit_test(test_nothing_is_left_behind), cmocka_unit_test(test_full),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
