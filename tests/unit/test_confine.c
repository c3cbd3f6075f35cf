/* confine/: what a process may do that gave up the rest, each tried by a child. */
#include "confine/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
// clang-format off
#include <cmocka.h>
// clang-format on

static char given[] = "/tmp/heddle-confine-XXXXXX", other[] = "/tmp/heddle-outside-XXXXXX";
static char given_file[64], other_file[64];

static void make_file(char *directory, char path[64]) {
    assert_non_null(mkdtemp(directory));
    snprintf(path, 64, "%s/file", directory);
    int f = open(path, O_CREAT | O_WRONLY, 0600);
    assert_true(f >= 0 && write(f, "data", 4) == 4 && close(f) == 0);
}

static int make_files(void **state) {
    (void)state;
    make_file(given, given_file);
    make_file(other, other_file);
    return 0;
}

static int remove_files(void **state) {
    (void)state;
    unlink(given_file);
    unlink(other_file);
    return rmdir(given) || rmdir(other);
}

/* How a child ends that is confined and then does this: its exit status, or 1000 and the signal. */
static bool forks = true;
static int end_of(const char *allow, int (*does)(void)) {
    pid_t child = fork();
    if (child == 0) {
        hd_err err;
        signal(SIGSYS, SIG_DFL); /* cmocka has a handler */
        hd_allowed allowed = {0};
        const char *const readable[] = {given, NULL};
        hd_confines c = {&allowed, readable, UINT64_C(1) << 40, UINT64_C(1) << 41, forks};
        if (!hd_allowed_parse(&allowed, allow, "/tmp", &err) || !hd_confine(&c, &err))
            _exit(200);
        _exit(does());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* 0, or the error. */
static int opens(const char *path, int flags) {
    int f = open(path, flags, 0600);
    return f < 0 ? errno : close(f);
}
static int reads_given(void) {
    return opens(given_file, O_RDONLY);
}
static int reads_other(void) {
    return opens(other_file, O_RDONLY);
}
static int reads_system(void) {
    return opens("/usr/bin/env", O_RDONLY);
}
static int writes_given(void) {
    return opens(given_file, O_WRONLY);
}
static int makes_file(void) {
    return unlink(other_file);
}
static int makes_socket(void) {
    return socket(AF_INET, SOCK_STREAM, 0) < 0;
}
static int asks_daemon(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) < 0 ? errno : 0;
}
static int finds_root(void) {
    struct passwd *p = getpwuid(0);
    return p ? strcmp(p->pw_name, "root") : 1;
}
static int starts_program(void) {
    return execl("/bin/true", "true", (char *)NULL);
}
static int kills_parent(void) {
    return kill(getppid(), 0) ? errno : 0;
}
static int changes_mode(void) {
    return chmod(other_file, 0);
}
static int has_child(void) {
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : 1;
}
static int has_grandchild(void) {
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(hd_confine_child() ? has_child() : 200);
    if (waitpid(child, &status, 0) != child)
        return 1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : 201;
}
static int has_sibling(void) {
    return syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) < 0;
}
static void *ends(void *nothing) {
    return nothing;
}
static int has_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, ends, NULL) || pthread_join(thread, NULL);
}
static int locks_file(void) {
    struct flock lock = {.l_type = F_RDLCK};
    int f = open(given_file, O_RDONLY);
    return fcntl(f, F_SETLK, &lock);
}
static int aims_signals(void) {
    return fcntl(STDIN_FILENO, F_SETOWN, getppid());
}
static int appends_no_more(void) {
    return fcntl(STDOUT_FILENO, F_SETFL, 0);
}
static int copies_descriptor(void) {
    int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 800);
    return copy < 800 || fcntl(copy, F_GETFL) < 0 || close(copy);
}
static int fills_memory_file(void) {
    return memfd_create("x", 0) < 0;
}
static int cuts_file(void) {
    return ftruncate(STDERR_FILENO, 0);
}
static int has_rights_of_root(void) {
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long rights = ~0ul;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "CapPrm: %lx", &rights) == 1)
            return rights & ~6ul ? 1 : 0; /* but those to read and write files */
    return 2;
}
static int raises(void) {
    return raise(SIGTERM);
}

static void only_what_was_given_is_read(void **state) {
    (void)state;
    hd_allowed none = {0};
    if (!hd_walls_here(&none).landlock)
        skip();
    assert_int_equal(end_of("", reads_given), 0);
    assert_int_equal(end_of("", reads_system), 0);
    assert_int_equal(end_of("", reads_other), EACCES);
    char *more = hd_text_format("read=%s", other);
    assert_int_equal(end_of(more, reads_other), 0);
    free(more);
}

static void nothing_is_written(void **state) {
    (void)state;
    assert_int_equal(end_of("", writes_given), 1000 + SIGSYS);
    assert_int_equal(end_of("", makes_file), 1000 + SIGSYS);
    assert_int_equal(access(other_file, F_OK), 0);
    char *more = hd_text_format("write=%s", given);
    assert_int_equal(end_of(more, writes_given), 0);
    free(more);
}

static void nobody_else_is_reached(void **state) {
    (void)state;
    assert_int_equal(end_of("", makes_socket), 1000 + SIGSYS);
    assert_int_equal(end_of("", starts_program), 1000 + SIGSYS);
    assert_int_equal(end_of("", kills_parent), 1000 + SIGSYS);
    assert_int_equal(end_of("network", makes_socket), 0);
    assert_int_equal(end_of("exec", starts_program), 0);
    assert_int_equal(end_of("", changes_mode), 1000 + SIGSYS);
    char *more = hd_text_format("write=%s", given);
    assert_int_equal(end_of(more, changes_mode), 1000 + SIGSYS);
    free(more);
    assert_int_equal(end_of("network", asks_daemon), 0);
}

/* Who is asked for users is a daemon, or else a file. */
static void users_are_read_from_files(void **state) {
    (void)state;
    assert_int_equal(end_of("", asks_daemon), EACCES);
    assert_int_equal(end_of("", finds_root), 0);
}

static void workers_do_their_work(void **state) {
    (void)state;
    assert_int_equal(end_of("", has_child), 7);
    assert_int_equal(end_of("", raises), 1000 + SIGTERM);
    assert_int_equal(end_of("all", kills_parent), 0);
}

static void no_crowd_comes_of_a_process(void **state) {
    (void)state;
    assert_int_equal(end_of("", has_grandchild), SIGSYS);
    assert_int_equal(end_of("", has_sibling), 1000 + SIGSYS);
    forks = false;
    assert_int_equal(end_of("", has_child), 1000 + SIGSYS);
    assert_int_equal(end_of("", has_thread), 0);
    assert_int_equal(end_of("exec", has_child), 7);
    forks = true;
}

static void descriptors_are_not_turned_against_others(void **state) {
    (void)state;
    assert_int_equal(end_of("", copies_descriptor), 0);
    assert_int_equal(end_of("", locks_file), 1000 + SIGSYS);
    assert_int_equal(end_of("", aims_signals), 1000 + SIGSYS);
    assert_int_equal(end_of("", appends_no_more), 1000 + SIGSYS);
    assert_int_equal(end_of("", fills_memory_file), 1000 + SIGSYS);
    assert_int_equal(end_of("", cuts_file), 1000 + SIGSYS);
}

static void root_is_not_root(void **state) {
    (void)state;
    assert_int_equal(end_of("", has_rights_of_root), 0);
}

static bool is_allowed(const char *text, hd_err *err) {
    hd_allowed a = {0};
    bool ok = hd_allowed_parse(&a, text, "/", err);
    hd_allowed_release(&a);
    return ok;
}

static void mistakes_are_said(void **state) {
    (void)state;
    hd_err err;
    assert_true(is_allowed(NULL, &err) && is_allowed("exec,network,,read=tmp", &err));
    assert_false(is_allowed("exec,files", &err));
    assert_string_equal(err.message, "'files' is nothing that can be allowed");
    assert_false(is_allowed("read=/no/such/file", &err));
    assert_string_equal(err.message, "cannot allow 'read=/no/such/file': there is no such file");
    assert_false(is_allowed("write=", &err));
    assert_string_equal(err.message, "cannot allow 'write=': it names no path");
}

static void walls_are_described(void **state) {
    (void)state;
    hd_text text = {0};
    hd_walls_describe(&(hd_walls){true, 6, true}, &text);
    assert_string_equal(hd_text_string(&text),
                        "seccomp (system calls), landlock 6 (files, network, signals)");
    hd_text_clear(&text);
    hd_walls_describe(&(hd_walls){false, 2, false}, &text);
    assert_string_equal(hd_text_string(&text), "landlock 2 (files)");
    hd_text_clear(&text);
    hd_allowed all = {.all = true};
    hd_walls none = hd_walls_here(&all);
    hd_walls_describe(&none, &text);
    assert_string_equal(hd_text_string(&text), "nothing");
    hd_text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_given_is_read), cmocka_unit_test(nothing_is_written),
        cmocka_unit_test(nobody_else_is_reached),      cmocka_unit_test(users_are_read_from_files),
        cmocka_unit_test(workers_do_their_work),       cmocka_unit_test(mistakes_are_said),
        cmocka_unit_test(walls_are_described),         cmocka_unit_test(no_crowd_comes_of_a_process),
        cmocka_unit_test(descriptors_are_not_turned_against_others),
        cmocka_unit_test(root_is_not_root),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
