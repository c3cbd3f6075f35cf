/* confine/: what a process may do that gave up the rest, each tried by a child. */
#include "confine/confine.h"
#include "confine/confine_int.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
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
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
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
        hd_confines c = {.allowed = &allowed,
                         .given = readable,
                         .code = UINT64_C(1) << 40,
                         .code_end = UINT64_C(1) << 41,
                         .forks = forks};
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

/* ---- namespaces alone: neither a list of calls nor landlock ---- */

#define SOMEBODY 12345 /* who is ordinary where these tests are root's */

static bool asks_owners, asks_host, as_somebody;
static const char *made;

/* The same as end_of, behind this wall only; 201 if the kernel gives none of it. */
static int end_in_spaces(const char *allow, int (*does)(void)) {
    pid_t child = fork();
    if (child == 0) {
        hd_err err;
        hd_allowed allowed = {0};
        hd_spaces got;
        hd_confines c = {.allowed = &allowed, .asks_owners = asks_owners, .asks_host = asks_host};
        if (as_somebody && (setresgid(SOMEBODY, SOMEBODY, SOMEBODY) != 0 ||
                            setresuid(SOMEBODY, SOMEBODY, SOMEBODY) != 0 ||
                            prctl(PR_SET_DUMPABLE, 1) != 0)) /* as it is without changing users */
            _exit(202);
        uint32_t had = hd_capabilities_now();
        if (!hd_allowed_parse(&allowed, allow, "/tmp", &err) ||
            !hd_spaces_enter(&c, made, &got, &err) || !hd_capabilities_drop(had, &err))
            _exit(200);
        _exit(got.network || got.files ? does() : 201);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* What others have, that attacks aim at. */
static struct sockaddr_in of_datagrams;
static struct sockaddr_un of_abstract = {.sun_family = AF_UNIX, .sun_path = "\0heddle-confine"};
static char spaces[] = "/tmp/heddle-spaces-XXXXXX", spaces_file[64];
static int datagrams, abstract, segment;
static char secret[] = "secret";

static void open_sockets(void) {
    socklen_t n = sizeof of_datagrams;
    of_datagrams =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    datagrams = socket(AF_INET, SOCK_DGRAM, 0);
    assert_int_equal(bind(datagrams, (struct sockaddr *)&of_datagrams, sizeof of_datagrams), 0);
    assert_int_equal(getsockname(datagrams, (struct sockaddr *)&of_datagrams, &n), 0);
    abstract = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(of_abstract.sun_path + 1, 60, "heddle-confine-%d", (int)getpid());
    assert_int_equal(bind(abstract, (struct sockaddr *)&of_abstract, sizeof of_abstract), 0);
    assert_int_equal(listen(abstract, 1), 0);
}

static int make_prey(void **state) {
    (void)state;
    make_file(spaces, spaces_file);
    open_sockets();
    segment = shmget(IPC_PRIVATE, 4096, 0666);
    return segment < 0;
}

static int remove_prey(void **state) {
    (void)state;
    asks_owners = asks_host = as_somebody = false;
    made = NULL;
    close(datagrams);
    close(abstract);
    shmctl(segment, IPC_RMID, NULL);
    unlink(spaces_file);
    int removed = rmdir(spaces);
    strcpy(strrchr(spaces, '-'), "-XXXXXX");
    return removed;
}

static int error_of(long result) {
    return result < 0 ? errno : 0;
}
static int sends_datagram(void) {
    return error_of(sendto(socket(AF_INET, SOCK_DGRAM, 0), "x", 1, 0,
                           (struct sockaddr *)&of_datagrams, sizeof of_datagrams));
}
static int asks_abstract(void) {
    return error_of(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&of_abstract,
                            sizeof of_abstract));
}
static int shares_memory(void) {
    return shmat(segment, NULL, 0) == (void *)-1 ? errno : 0;
}
static int changes_mode_there(void) {
    return error_of(chmod(spaces_file, 0));
}
static int changes_times_there(void) {
    return error_of(utimensat(AT_FDCWD, spaces_file, NULL, 0));
}
static int removes_there(void) {
    return error_of(unlink(spaces_file));
}
static int writes_there(void) {
    return opens(spaces_file, O_WRONLY);
}
static int makes_there(void) {
    char path[80];
    snprintf(path, sizeof path, "%s/new", made ? made : spaces);
    int made_one = opens(path, O_WRONLY | O_CREAT);
    return made_one ? made_one : error_of(unlink(path));
}
static int opens_mounts(void) {
    return error_of(mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL));
}
static int opens_mounts_of_its_own(void) {
    return unshare(CLONE_NEWUSER | CLONE_NEWNS) ? 0 : opens_mounts();
}
static int reads_parent(void) {
    char got[sizeof secret];
    struct iovec here = {got, sizeof got}, there = {secret, sizeof secret};
    return error_of(process_vm_readv(getppid(), &here, 1, &there, 1, 0));
}
static int traces_parent(void) {
    return error_of(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
}
static int is_as_it_was(void) {
    struct stat info;
    char name[32];
    uid_t user = as_somebody ? SOMEBODY : getuid();
    return geteuid() != user || stat(spaces_file, &info) != 0 || info.st_uid != user ||
           opens("/etc/passwd", O_RDONLY) != 0 || gethostname(name, sizeof name) != 0;
}

/* Attacks that neither seccomp nor landlock is there to stop. */
static void attack_from_spaces(void) {
    assert_int_equal(end_in_spaces("", is_as_it_was), 0);
    assert_int_equal(end_in_spaces("", sends_datagram), ENETUNREACH);
    assert_int_equal(end_in_spaces("", asks_abstract), ECONNREFUSED);
    assert_int_equal(end_in_spaces("", shares_memory), EINVAL);
    assert_int_equal(end_in_spaces("", changes_mode_there), EROFS);
    assert_int_equal(end_in_spaces("", changes_times_there), EROFS);
    assert_int_equal(end_in_spaces("", removes_there), EROFS);
    assert_int_equal(end_in_spaces("", writes_there), EROFS);
    assert_int_equal(end_in_spaces("", makes_there), EROFS);
    assert_int_equal(end_in_spaces("", opens_mounts), EPERM);
    assert_int_equal(end_in_spaces("", opens_mounts_of_its_own), EPERM);
}

static void become_somebody(void) {
    as_somebody = geteuid() == 0 && chown(spaces, SOMEBODY, SOMEBODY) == 0 &&
                  chown(spaces_file, SOMEBODY, SOMEBODY) == 0;
}

static bool has_spaces(void) {
    return end_in_spaces("", is_as_it_was) != 201;
}

static void spaces_are_a_wall_of_their_own(void **state) {
    (void)state;
    if (!has_spaces())
        skip();
    attack_from_spaces();
    assert_int_equal(access(spaces_file, F_OK), 0);
}

/* What is not hidden is there: the attacks can succeed. */
static void what_is_allowed_has_no_space(void **state) {
    (void)state;
    if (!has_spaces())
        skip();
    assert_int_equal(end_in_spaces("network", sends_datagram), 0);
    assert_int_equal(end_in_spaces("network", asks_abstract), 0);
    assert_int_equal(end_in_spaces("network", shares_memory), 0);
    assert_int_equal(end_in_spaces("network", removes_there), EROFS);
    char *more = hd_text_format("write=%s", spaces);
    assert_int_equal(end_in_spaces(more, writes_there), 0);
    assert_int_equal(end_in_spaces(more, changes_mode_there), 0);
    assert_int_equal(end_in_spaces(more, sends_datagram), ENETUNREACH);
    free(more);
    made = spaces;
    assert_int_equal(end_in_spaces("", makes_there), 0);
    assert_int_equal(chdir("/tmp"), 0);
    made = strrchr(spaces, '/') + 1; /* a relative path is as good */
    assert_int_equal(end_in_spaces("", makes_there), 0);
    assert_int_equal(chdir(spaces), 0);
    made = "."; /* and so is the place where it stands */
    assert_int_equal(end_in_spaces("", makes_there), 0);
    assert_int_equal(chdir("/tmp"), 0);
    assert_int_equal(end_in_spaces("", sends_datagram), ENETUNREACH);
}

/* The kernel's "read-only" is told apart: of the wall, and of who mounted it so.  Nobody else sees
 * these mounts. */
static int tells_walls_apart(void) {
    return access(spaces_file, W_OK) == 0 || errno != EROFS ||
           !hd_spaces_hide_writing(spaces_file) || hd_spaces_hide_writing(given_file);
}
static int ends_with_closed_mount(void) {
    hd_err err;
    hd_spaces got;
    hd_allowed none = {0};
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount(given, given, NULL, MS_BIND, NULL) != 0 ||
        mount(NULL, given, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) != 0)
        return 9;
    return hd_spaces_enter(&(hd_confines){.allowed = &none}, NULL, &got, &err) && got.files
               ? tells_walls_apart()
               : 8;
}

static void what_was_read_only_before_stays_so(void **state) {
    (void)state;
    if (geteuid() != 0 || !has_spaces())
        skip();
    assert_false(hd_spaces_hide_writing(spaces_file)); /* no wall yet */
    pid_t child = fork();
    if (child == 0)
        _exit(ends_with_closed_mount());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* An ordinary user's come with one of users: memory of others is out of reach too, and whoever
 * would see it has none. */
static void ordinary_users_have_them_unseen(void **state) {
    (void)state;
    become_somebody();
    if (!as_somebody || !has_spaces())
        skip();
    attack_from_spaces();
    asks_owners = true;
    assert_int_equal(end_in_spaces("", is_as_it_was), 201);
    asks_owners = false;
    asks_host = true;
    assert_int_equal(end_in_spaces("", is_as_it_was), 201);
    asks_host = false;
    assert_int_equal(end_in_spaces("exec", is_as_it_was), 201);
    assert_int_equal(end_in_spaces("all", is_as_it_was), 201);
}

/* In a process of somebody, whose child is confined. */
static int has_confined_child(void) {
    hd_err err;
    hd_spaces got;
    hd_allowed none = {0};
    pid_t child = fork();
    if (child == 0) {
        bool is_inside = hd_spaces_enter(&(hd_confines){.allowed = &none}, NULL, &got, &err);
        _exit(is_inside && got.users ? (reads_parent() == EPERM && traces_parent() == EPERM ? 3 : 4)
                                     : 5);
    }
    int status;
    return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : 6;
}

static void memory_of_the_same_user_is_not_read(void **state) {
    (void)state;
    become_somebody();
    if (!as_somebody || !has_spaces())
        skip();
    pid_t child = fork();
    if (child == 0)
        _exit(setresgid(SOMEBODY, SOMEBODY, SOMEBODY) == 0 &&
                      setresuid(SOMEBODY, SOMEBODY, SOMEBODY) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0
                  ? has_confined_child()
                  : 7);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 3);
}

/* What a source makes of the compiler: it does not fill a disk. */
static int writes_so_much(off_t size) {
    hd_err err;
    hd_allowed none = {0};
    const char *const readable[] = {given, NULL};
    int f = open(given_file, O_WRONLY);
    if (!hd_confine_compiler(&(hd_confines){.allowed = &none, .given = readable}, given, &err))
        return 200;
    return ftruncate(f, size) == 0 ? 0 : errno;
}
static void compilers_do_not_fill_disks(void **state) {
    (void)state;
    const struct {
        off_t size;
        int end;
    } tries[] = {{4, 0}, {(off_t)HD_MOST_WRITTEN + 1, EFBIG}};
    for (unsigned i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(writes_so_much(tries[i].size));
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(WIFEXITED(status) ? WEXITSTATUS(status) : 1000, tries[i].end);
    }
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
    hd_walls_describe(&(hd_walls){true, 6, true, {0}}, &text);
    assert_string_equal(hd_text_string(&text),
                        "seccomp (system calls), landlock 6 (files, network, signals)");
    hd_text_clear(&text);
    hd_walls_describe(&(hd_walls){false, 2, false, {0}}, &text);
    assert_string_equal(hd_text_string(&text), "landlock 2 (files)");
    hd_text_clear(&text);
    hd_walls_describe(&(hd_walls){.spaces = {.users = true, .network = true, .files = true}},
                      &text);
    assert_string_equal(hd_text_string(&text),
                        "namespaces (network, files) unless it asks who owns files");
    hd_text_clear(&text);
    hd_walls_describe(&(hd_walls){true, 0, false, {.network = true}}, &text);
    assert_string_equal(hd_text_string(&text), "seccomp (system calls), namespaces (network)");
    hd_text_clear(&text);
    hd_allowed all = {.all = true};
    hd_walls none = hd_walls_here(&all);
    hd_walls_describe(&none, &text);
    assert_string_equal(hd_text_string(&text), "nothing");
    hd_text_release(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_was_given_is_read),
        cmocka_unit_test(nothing_is_written),
        cmocka_unit_test(nobody_else_is_reached),
        cmocka_unit_test(users_are_read_from_files),
        cmocka_unit_test(workers_do_their_work),
        cmocka_unit_test(mistakes_are_said),
        cmocka_unit_test(walls_are_described),
        cmocka_unit_test(no_crowd_comes_of_a_process),
        cmocka_unit_test(descriptors_are_not_turned_against_others),
        cmocka_unit_test(root_is_not_root),
        cmocka_unit_test(compilers_do_not_fill_disks),
        cmocka_unit_test_setup_teardown(spaces_are_a_wall_of_their_own, make_prey, remove_prey),
        cmocka_unit_test_setup_teardown(what_is_allowed_has_no_space, make_prey, remove_prey),
        cmocka_unit_test_setup_teardown(what_was_read_only_before_stays_so, make_prey, remove_prey),
        cmocka_unit_test_setup_teardown(ordinary_users_have_them_unseen, make_prey, remove_prey),
        cmocka_unit_test_setup_teardown(memory_of_the_same_user_is_not_read, make_prey,
                                        remove_prey),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
