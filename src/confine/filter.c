/* System calls by seccomp: two filters, of which the stricter one has the word.
 *
 * The list (libseccomp) says what a worker needs: memory, the socket to its supervisor, reading
 * files, threads of solvers, children for executions of their own, clocks.  The other filter, six
 * instructions, looks at where the call comes from: libseccomp's rules do not know that. */
#include "confine/confine_int.h"

#include "base/panic.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Calls with any arguments.  Landlock looks at what is opened. */
static const char *const known[] = {
    /* memory: what is shared with children, and whether there is any at an address (one's own:
     * landlock keeps others from being read) */
    "brk",
    "mmap",
    "munmap",
    "mprotect",
    "mremap",
    "madvise",
    "membarrier",
    "mincore",
    "process_vm_readv",
    /* descriptors that are there */
    "read",
    "readv",
    "pread64",
    "preadv",
    "write",
    "writev",
    "lseek",
    "close",
    "close_range",
    "dup",
    "dup2",
    "dup3",
    "fstat",
    "poll",
    "ppoll",
    "recvfrom",
    "recvmsg",
    "sendto",
    "sendmsg",
    /* files */
    "stat",
    "lstat",
    "newfstatat",
    "statx",
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
    "getcwd",
    "getdents64",
    "fstatfs",
    "statfs",
    "fadvise64",
    /* threads of solvers, children of executions */
    "futex",
    "futex_waitv",
    "set_robust_list",
    "get_robust_list",
    "rseq",
    "set_tid_address",
    "sched_yield",
    "sched_getaffinity",
    "wait4",
    "waitid",
    "exit",
    "exit_group",
    /* signals of this process, and its limits */
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigpending",
    "sigaltstack",
    "tgkill",
    "setitimer",
    "alarm",
    "getitimer",
    "getrlimit",
    "getrusage",
    "restart_syscall",
    "pause",
    /* questions */
    "clock_gettime",
    "clock_getres",
    "gettimeofday",
    "time",
    "times",
    "nanosleep",
    "clock_nanosleep",
    "getpid",
    "gettid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "getgroups",
    "getpgrp",
    "getpgid",
    "getsid",
    "uname",
    "sysinfo",
    "getrandom",
    "getcpu",
    "getpriority",
};
static const char *const of_network[] = {
    "socket",     "socketpair",  "connect",     "bind",       "listen",        "accept",
    "accept4",    "getsockname", "getpeername", "setsockopt", "getsockopt",    "shutdown",
    "sendmmsg",   "recvmmsg",    "select",      "pselect6",   "epoll_create1", "epoll_ctl",
    "epoll_wait", "epoll_pwait", "eventfd2",    "pipe",       "pipe2"};
static const char *const of_writing[] = {
    "creat",     "ftruncate", "fallocate", "rename",       "renameat", "renameat2", "unlink",
    "unlinkat",  "mkdir",     "mkdirat",   "rmdir",        "link",     "linkat",    "symlink",
    "symlinkat", "fchmod",    "fsync",     "fdatasync",    "flock",    "pwritev",   "umask",
    "chdir",     "fchdir",    "pwrite64",  "memfd_create", "fcntl"};
static const char *const of_exec[] = {"execve",  "execveat",   "pipe", "pipe2",
                                      "setpgid", "setsid",     "kill", "prlimit64",
                                      "chdir",   "arch_prctl", "umask"};

/* Of clang, ld and LLVM, beside what is known.  Owners, modes and times of files are not
 * landlock's: whoever could change them could change those of any file. */
static const char *const of_compiler[] = {
    "open",     "openat",    "creat",    "ftruncate",  "fallocate", "rename",
    "renameat", "renameat2", "unlink",   "unlinkat",   "pwrite64",  "pwritev",
    "umask",    "execve",    "fork",     "vfork",      "pipe",      "pipe2",
    "select",   "pselect6",  "eventfd2", "arch_prctl", "clone",     "copy_file_range",
    "fsync",    "fdatasync", "sendfile"};

static bool allow(scmp_filter_ctx f, const char *call) {
    int number = seccomp_syscall_resolve_name(call);
    int error = number == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(f, SCMP_ACT_ALLOW, number, 0);
    return error == 0 || error == -EEXIST; /* what libseccomp does not know is not on the list */
}

static bool allow_all(scmp_filter_ctx f, const char *const *calls, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!allow(f, calls[i]))
            return false;
    return true;
}
#define ALLOW_ALL(f, list) allow_all(f, list, sizeof(list) / sizeof *(list))

/* Opening to read, unless files may be written: for kernels without landlock. */
static bool allow_opening(scmp_filter_ctx f, bool to_write) {
    const uint64_t writing = O_ACCMODE | O_CREAT | O_TRUNC;
    if (to_write)
        return allow(f, "open") && allow(f, "openat");
    return !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                             SCMP_A2(SCMP_CMP_MASKED_EQ, writing, 0)) &&
           !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                             SCMP_A1(SCMP_CMP_MASKED_EQ, writing, 0));
}

/* Threads, and children if there are to be any, in no other namespaces and nobody else's.
 * clone3 has its flags in memory, where a filter cannot look: the C library takes clone where there
 * is none. */
static bool allow_cloning(scmp_filter_ctx f, bool forks) {
    const uint64_t others = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
                            CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP | CLONE_PARENT;
    uint64_t looked_at = others | (forks ? 0 : CLONE_THREAD), wanted = forks ? 0 : CLONE_THREAD;
    return !seccomp_rule_add(f, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) &&
           !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, looked_at, wanted)) &&
           (!forks || (allow(f, "fork") && allow(f, "vfork") &&
                       !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(seccomp), 1,
                                         SCMP_A0(SCMP_CMP_EQ, SECCOMP_SET_MODE_FILTER))));
}

/* Copies of descriptors, and whether they are closed.  Not: locks, which would keep the supervisor
 * from its record; who gets signals of a descriptor, and which; whether what is written is
 * appended. */
static bool allow_copies(scmp_filter_ctx f) {
    static const int commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};
    bool ok = true;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        ok =
            ok && !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                                    SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, (uint64_t)commands[i]));
    return ok;
}

/* Settings of children for themselves, names of threads, and limits that are only asked for. */
static bool allow_questions(scmp_filter_ctx f) {
    static const int own[] = {PR_SET_PDEATHSIG, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA,
                              PR_GET_NO_NEW_PRIVS};
    bool ok = !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        ok = ok && !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1,
                                     SCMP_A0(SCMP_CMP_EQ, (uint64_t)own[i]));
    /* TCGETS: whether something is a terminal. */
    return ok && !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
                                   SCMP_A1(SCMP_CMP_MASKED_EQ, UINT32_MAX, 0x5401));
}

/* The C library asks a daemon for users and groups (getpwnam), and reads /etc/passwd where there is
 * no socket to ask it by: an error says so.  Traps of the other filter come before it. */
static bool refuse_daemons(scmp_filter_ctx f) {
    return !seccomp_rule_add(f, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(socket), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, UINT32_MAX, AF_UNIX));
}

static bool add_rules(scmp_filter_ctx f, const hd_confines *c) {
    const hd_allowed *a = c->allowed;
    bool ok = ALLOW_ALL(f, known) && allow_opening(f, a->write.n > 0) &&
              allow_cloning(f, c->forks || a->exec) && allow_questions(f);
    if (ok)
        ok = a->write.n || a->network ? allow(f, "fcntl") : allow_copies(f);
    if (ok)
        ok = a->network ? ALLOW_ALL(f, of_network) : refuse_daemons(f);
    if (ok && a->write.n)
        ok = ALLOW_ALL(f, of_writing);
    if (ok && a->exec)
        ok = ALLOW_ALL(f, of_exec);
    return ok;
}

/* SSB: or the processor would run all of it more slowly.  The kernel looks numbers up as a tree. */
static bool load_list(const hd_confines *c) {
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_TRAP);
    if (!f)
        return false;
    bool ok = !seccomp_attr_set(f, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP);
    seccomp_attr_set(f, SCMP_FLTATR_CTL_SSB, 1);
    seccomp_attr_set(f, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    ok = ok && add_rules(f, c) && !seccomp_load(f);
    seccomp_release(f);
    return ok;
}

/* N2.  Regions begin and end with whole numbers of the upper half of addresses. */
static bool load_origin(uint64_t code, uint64_t end) {
    HD_INVARIANT(N2, !(uint32_t)code && !(uint32_t)end && code < end);
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(code >> 32), 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)(end >> 32), 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0;
}

/* No children.  Calls of another architecture are not on the list at all. */
static bool load_childless(void) {
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_vfork, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0;
}

static bool are_childless; /* the children of this process */

bool hd_confine_child(void) {
    return !are_childless || load_childless();
}

bool hd_filter_is_here(void) {
    uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/* What is not on this list is not there: C libraries of other years find another way.  Limits are
 * one's own. */
static bool add_rules_of_compiler(scmp_filter_ctx f) {
    return ALLOW_ALL(f, known) && ALLOW_ALL(f, of_compiler) && allow_questions(f) &&
           allow_copies(f) &&
           !seccomp_rule_add(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A0(SCMP_CMP_EQ, 0));
}

bool hd_filter_build_compiler(hd_err *err) {
    if (!hd_filter_is_here())
        return true;
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    if (f) {
        seccomp_attr_set(f, SCMP_FLTATR_CTL_SSB, 1);
        seccomp_attr_set(f, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    }
    bool ok = f && add_rules_of_compiler(f) && !seccomp_load(f);
    if (f)
        seccomp_release(f);
    return ok ||
           hd_err_set(err, "cannot confine the compiler to its system calls: %s", strerror(errno));
}

bool hd_filter_build(const hd_confines *c, hd_err *err) {
    if (!hd_filter_is_here())
        return true;
    are_childless = c->forks && !c->allowed->exec;
    return (load_origin(c->code, c->code_end) && load_list(c)) ||
           hd_err_set(err, "cannot confine a process to its system calls: %s", strerror(errno));
}

void hd_confine_name_call(int number, uint32_t architecture, char name[64]) {
    char *known_as = seccomp_syscall_resolve_num_arch(architecture, number);
    if (known_as)
        snprintf(name, 64, "%s", known_as);
    else
        snprintf(name, 64, "system call %d", number);
    free(known_as);
}
