/* The walls put together (confine.h). */
#include "confine/confine_int.h"

#include "base/panic.h"

#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What every program may read: libraries, locales, time zones, names of services. */
static const char *const of_system[] = {"/usr",
                                        "/lib",
                                        "/lib64",
                                        "/etc/ld.so.cache",
                                        "/etc/ld.so.conf",
                                        "/etc/localtime",
                                        "/etc/timezone",
                                        "/etc/locale.alias",
                                        "/etc/alternatives",
                                        "/etc/services",
                                        "/etc/protocols",
                                        "/etc/hosts",
                                        "/etc/nsswitch.conf",
                                        "/etc/host.conf",
                                        "/etc/passwd",
                                        "/etc/group",
                                        "/etc/mime.types",
                                        "/etc/os-release",
                                        "/etc/debian_version",
                                        "/dev/null",
                                        "/proc/self/status",
                                        "/proc/self/stat",
                                        "/proc/self/statm",
                                        "/proc/self/cmdline",
                                        "/proc/cpuinfo",
                                        "/proc/loadavg",
                                        "/proc/uptime",
                                        "/proc/meminfo",
                                        "/proc/stat",
                                        "/proc/version",
                                        "/proc/sys/kernel",
                                        "/proc/sys/vm",
                                        "/sys/devices/system/cpu"};

/* Programs only: who compiles would read them to their end, which they do not have. */
static const char *const endless[] = {"/dev/zero", "/dev/full", "/dev/urandom", "/dev/random"};

/* ---- what a user opens ---- */

static bool add_path(hd_allowed *a, const char *word, const char *directory, hd_err *err) {
    bool is_write = strncmp(word, "write=", 6) == 0;
    const char *path = word + (is_write ? 6 : 5);
    struct stat info;
    char *whole =
        path[0] == '/' ? hd_text_format("%s", path) : hd_text_format("%s/%s", directory, path);
    if (!path[0] || stat(whole, &info) != 0) {
        hd_err_set(err,
                   path[0] ? "cannot allow '%s': there is no such file"
                           : "cannot allow '%s': it names no path",
                   word);
        free(whole);
        return hd_err_hint(err, "name a file or a directory that is there");
    }
    if (is_write)
        hd_vec_push(&a->write, whole);
    else
        hd_vec_push(&a->read, whole);
    return true;
}

static bool add_word(hd_allowed *a, const char *word, const char *directory, hd_err *err) {
    if (strncmp(word, "read=", 5) == 0 || strncmp(word, "write=", 6) == 0)
        return add_path(a, word, directory, err);
    bool *flag = strcmp(word, "exec") == 0      ? &a->exec
                 : strcmp(word, "network") == 0 ? &a->network
                 : strcmp(word, "all") == 0     ? &a->all
                                                : NULL;
    if (flag)
        return *flag = true;
    hd_err_set(err, "'%s' is nothing that can be allowed", word);
    return hd_err_hint(err, "write '--allow read=PATH,write=PATH,exec,network', or '--allow all'");
}

bool hd_allowed_parse(hd_allowed *a, const char *text, const char *directory, hd_err *err) {
    bool ok = true;
    char *words = hd_text_format("%s", text ? text : ""), *rest = words;
    for (char *word; ok && (word = strsep(&rest, ","));)
        ok = !word[0] || add_word(a, word, directory, err);
    free(words);
    return ok;
}

void hd_allowed_release(hd_allowed *a) {
    for (size_t i = 0; i < a->read.n; i++)
        free(a->read.at[i]);
    for (size_t i = 0; i < a->write.n; i++)
        free(a->write.at[i]);
    hd_vec_release(&a->read);
    hd_vec_release(&a->write);
}

/* ---- what there is ---- */

hd_walls hd_walls_here(const hd_allowed *allowed) {
    hd_walls w = {0};
    if (allowed->all)
        return w;
    w.has_filter = hd_filter_is_here();
    w.landlock = hd_landlock_version();
    w.has_scope = w.landlock >= HD_LANDLOCK_SIGNALS;
    w.spaces = hd_spaces_here(&(hd_confines){.allowed = allowed});
    return w;
}

/* Spaces of an ordinary user are not for every program. */
static void describe_spaces(const hd_spaces *s, bool is_first, hd_text *out) {
    if (!s->network && !s->files)
        return;
    hd_text_add(out, "%snamespaces (%s%s%s)%s", is_first ? "" : ", ", s->network ? "network" : "",
                s->network && s->files ? ", " : "", s->files ? "files" : "",
                s->users ? " unless it asks who owns files" : "");
}

void hd_walls_describe(const hd_walls *w, hd_text *out) {
    if (!w->has_filter && !w->landlock && !w->spaces.network && !w->spaces.files)
        hd_text_add(out, "nothing");
    if (w->has_filter)
        hd_text_add(out, "seccomp (system calls)");
    if (w->landlock)
        hd_text_add(out, "%slandlock %u (files%s%s)", w->has_filter ? ", " : "", w->landlock,
                    w->landlock >= HD_LANDLOCK_NETWORK ? ", network" : "",
                    w->has_scope ? ", signals" : "");
    describe_spaces(&w->spaces, !w->has_filter && !w->landlock, out);
}

/* ---- building ---- */

typedef hd_vec(const char *) path_list;

static void add_all(path_list *to, const char *const *paths, size_t n) {
    for (size_t i = 0; i < n; i++)
        hd_vec_push(to, paths[i]);
}

/* `more` may be written beside what a user says, or is NULL. */
static bool confine_files(const hd_confines *c, const char *more, hd_err *err) {
    path_list readable = {0}, writable = {0};
    if (more) {
        hd_vec_push(&writable, more);
        hd_vec_push(&writable, "/dev/null");
    }
    add_all(&readable, of_system, sizeof of_system / sizeof *of_system);
    add_all(&readable, endless, more ? 0 : sizeof endless / sizeof *endless);
    for (const char *const *path = c->given; path && *path; path++)
        hd_vec_push(&readable, *path);
    add_all(&readable, (const char *const *)c->allowed->read.at, c->allowed->read.n);
    add_all(&writable, (const char *const *)c->allowed->write.at, c->allowed->write.n);
#ifdef __SANITIZE_ADDRESS__
    hd_vec_push(&readable, "/proc"); /* the sanitizer looks where stacks are, in children too */
#endif
    hd_vec_push(&readable, NULL);
    hd_vec_push(&writable, NULL);
    bool ok = hd_landlock_build(readable.at, writable.at, c->allowed, err);
    hd_vec_release(&readable);
    hd_vec_release(&writable);
    return ok;
}

static bool limit(int what, rlim_t most, hd_err *err) {
    struct rlimit none = {most, most};
    return setrlimit(what, &none) == 0 || hd_err_set(err, "cannot limit a process: %m");
}

uint32_t hd_capabilities_now(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {{0}};
    return syscall(SYS_capget, &header, sets) == 0 ? sets[0].effective : 0;
}

/* Of what root may do: open files whoever's they are, so that the program finds them as it would.
 * The rest is nothing that files, sockets and processes are asked by, such as taking memory out of
 * use for good (madvise).  `had`: before there was a namespace of users, which gives all of them.
 */
bool hd_capabilities_drop(uint32_t had, hd_err *err) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {{0}};
    const uint32_t kept = had & (1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH);
    if (syscall(SYS_capget, &header, sets) != 0)
        return errno == ENOSYS || hd_err_set(err, "cannot ask for capabilities: %m");
    for (unsigned i = 0; i < 2; i++) {
        sets[i].effective &= i ? 0 : kept;
        sets[i].permitted &= i ? 0 : kept;
        sets[i].inheritable = 0;
    }
    return syscall(SYS_capset, &header, sets) == 0 ||
           hd_err_set(err, "cannot give up capabilities: %m");
}

#ifdef __SANITIZE_ADDRESS__
/* Looking for leaks needs ptrace, which a process that is confined does not have. */
static bool is_confined;
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return is_confined;
}
#endif

bool hd_confine(const hd_confines *c, hd_err *err) {
    if (c->allowed->all)
        return true;
#ifdef __SANITIZE_ADDRESS__
    is_confined = true;
#endif
    bool has_filter = hd_filter_is_here();
    uint32_t had = hd_capabilities_now();
    hd_spaces got;
    bool ok = limit(RLIMIT_CORE, 0, err) && hd_spaces_enter(c, NULL, &got, err) &&
              confine_files(c, NULL, err) && hd_capabilities_drop(had, err) &&
              hd_filter_build(c, err);
    HD_INVARIANT(N1, !ok || !has_filter || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    return ok;
}

bool hd_confine_output(uint64_t most, hd_err *err) {
    struct rlimit now;
    if (getrlimit(RLIMIT_FSIZE, &now) == 0 && now.rlim_max < most)
        most = now.rlim_max;
    return limit(RLIMIT_FSIZE, most, err);
}

/* Bytes of address space, of a file: macros can be made to unfold without an end.  Who writes more
 * is told so, and not ended. */
static bool limit_compiler(hd_err *err) {
    rlim_t memory = (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE) / 4 * 3;
    struct rlimit now;
#ifdef __SANITIZE_ADDRESS__
    memory = RLIM_INFINITY; /* shadows of everything are reserved */
#endif
    if (getrlimit(RLIMIT_AS, &now) == 0 && now.rlim_max < memory)
        memory = now.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    return limit(RLIMIT_CORE, 0, err) && limit(RLIMIT_AS, memory, err) &&
           hd_confine_output(HD_MOST_WRITTEN, err);
}

bool hd_confine_compiler(const hd_confines *c, const char *made, hd_err *err) {
    HD_ASSERT(made && c->allowed);
    if (c->allowed->all)
        return true;
    hd_allowed allowed = *c->allowed;
    hd_confines of_compiler = *c;
    allowed.exec = true;
    of_compiler.allowed = &allowed;
    uint32_t had = hd_capabilities_now();
    hd_spaces got;
    return limit_compiler(err) && hd_spaces_enter(c, made, &got, err) &&
           confine_files(&of_compiler, made, err) && hd_capabilities_drop(had, err) &&
           hd_filter_build_compiler(err);
}
