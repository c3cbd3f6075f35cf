/* System calls made by hand: each is an attack on the machine that runs the test.  An input says which
 * one is made, so that one run makes all of them.  None may be carried out; every line that says
 * FORBIDDEN is a finding (tests/confined.sh).  They aim at what the test made: the files in VICTIM and
 * the process PREY, whose number the argument is. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static long call(long number, long a, long b, long c, long d) {
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

/* The way of 32-bit programs: another table of numbers, which filters must not mix up. */
static long old_call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}

#define FILE_OF_TEST   ((long)VICTIM "/file")
#define FOLDER_OF_TEST ((long)VICTIM "/folder")
#define NEW_OF_TEST    ((long)VICTIM "/new")

static void change_files(unsigned which) {
    switch (which) {
    case 0: call(SYS_unlink, FILE_OF_TEST, 0, 0, 0); break;                                // FORBIDDEN
    case 1: call(SYS_rename, FILE_OF_TEST, NEW_OF_TEST, 0, 0); break;                      // FORBIDDEN
    case 2: call(SYS_open, FILE_OF_TEST, O_WRONLY | O_TRUNC, 0, 0); break;                 // FORBIDDEN
    case 3: call(SYS_openat, AT_FDCWD, NEW_OF_TEST, O_CREAT | O_WRONLY, 0644); break;      // FORBIDDEN
    case 4: call(SYS_creat, NEW_OF_TEST, 0644, 0, 0); break;                               // FORBIDDEN
    case 5: call(SYS_truncate, FILE_OF_TEST, 0, 0, 0); break;                              // FORBIDDEN
    case 6: call(SYS_mkdir, NEW_OF_TEST, 0755, 0, 0); break;                               // FORBIDDEN
    case 7: call(SYS_rmdir, FOLDER_OF_TEST, 0, 0, 0); break;                               // FORBIDDEN
    case 8: call(SYS_link, FILE_OF_TEST, NEW_OF_TEST, 0, 0); break;                        // FORBIDDEN
    case 9: call(SYS_symlink, FILE_OF_TEST, NEW_OF_TEST, 0, 0); break;                     // FORBIDDEN
    case 10: call(SYS_chmod, FILE_OF_TEST, 0, 0, 0); break;                                // FORBIDDEN
    case 11: call(SYS_chown, FILE_OF_TEST, 1, 1, 0); break;                                // FORBIDDEN
    case 12: call(SYS_mknod, NEW_OF_TEST, 010644, 0, 0); break;                            // FORBIDDEN
    case 13: call(SYS_setxattr, FILE_OF_TEST, (long)"user.a", (long)"b", 1); break;        // FORBIDDEN
    case 14: call(SYS_utimensat, AT_FDCWD, FILE_OF_TEST, 0, 0); break;                     // FORBIDDEN
    case 15: old_call(10, FILE_OF_TEST, 0, 0); break; /* unlink */                         // FORBIDDEN
    case 16: call(SYS_mount, FOLDER_OF_TEST, FOLDER_OF_TEST, 0, 4096); break;              // FORBIDDEN
    case 17: call(SYS_chroot, FOLDER_OF_TEST, 0, 0, 0); break;                             // FORBIDDEN
    }
}

static void reach_processes(unsigned which, long prey) {
    switch (which) {
    case 0: call(SYS_kill, prey, SIGKILL, 0, 0); break;                                    // FORBIDDEN
    case 1: call(SYS_tgkill, prey, prey, SIGKILL, 0); break;                               // FORBIDDEN
    case 2: call(SYS_tkill, prey, SIGKILL, 0, 0); break;                                   // FORBIDDEN
    case 3: call(SYS_pidfd_open, prey, 0, 0, 0); break;                                    // FORBIDDEN
    case 4: call(SYS_ptrace, 16, prey, 0, 0); break; /* attach */                          // FORBIDDEN
    case 5: call(SYS_process_vm_writev, prey, 0, 0, 0); break;                             // FORBIDDEN
    case 6: call(SYS_setpriority, 0, prey, 19, 0); break;                                  // FORBIDDEN
    case 7: call(SYS_prlimit64, prey, 7, 0, 0); break;                                     // FORBIDDEN
    case 8: call(SYS_fork, 0, 0, 0, 0); break;                                             // FORBIDDEN
    case 9: call(SYS_vfork, 0, 0, 0, 0); break;                                            // FORBIDDEN
    case 10: call(SYS_clone, SIGCHLD, 0, 0, 0); break;                                     // FORBIDDEN
    case 11: call(SYS_clone3, 0, 0, 0, 0); break;                                          // FORBIDDEN
    case 12: call(SYS_execve, (long)"/bin/sh", 0, 0, 0); break;                            // FORBIDDEN
    case 13: call(SYS_unshare, CLONE_NEWUSER, 0, 0, 0); break;                             // FORBIDDEN
    case 14: call(SYS_setuid, 0, 0, 0, 0); break;                                          // FORBIDDEN
    case 15: call(SYS_exit_group, 0, 0, 0, 0); break;                                      // FORBIDDEN
    case 16: old_call(37, prey, SIGKILL, 0); break; /* kill */                             // FORBIDDEN
    }
}

/* The worker's own: its socket to the supervisor is somewhere from 900 on. */
static void reach_worker(unsigned which) {
    switch (which) {
    case 0: call(SYS_write, 900, (long)"complete", 8, 0); break;                           // FORBIDDEN
    case 1: call(SYS_close, 900, 0, 0, 0); break;                                          // FORBIDDEN
    case 2: call(SYS_dup2, 0, 900, 0, 0); break;                                           // FORBIDDEN
    case 3: call(SYS_munmap, 0x400000, 1 << 20, 0, 0); break;                              // FORBIDDEN
    case 4: call(SYS_mmap, 0x400000, 4096, PROT_READ, MAP_FIXED); break;                   // FORBIDDEN
    case 5: call(SYS_mprotect, (long)(void *)reach_worker & -4096, 4096, 7, 0); break;     // FORBIDDEN
    case 6: call(SYS_rt_sigaction, SIGSYS, 0, 0, 8); break;                                // FORBIDDEN
    case 7: call(SYS_rt_sigprocmask, 0, 0, 0, 8); break;                                   // FORBIDDEN
    case 8: call(SYS_arch_prctl, 0x1002, 0, 0, 0); break; /* where thread-locals are */    // FORBIDDEN
    case 9: call(SYS_prctl, 1, 0, 0, 0); break; /* not to end with the supervisor */       // FORBIDDEN
    case 10: call(SYS_setitimer, 0, 0, 0, 0); break;                                       // FORBIDDEN
    case 11: call(SYS_pause, 0, 0, 0, 0); break;                                           // FORBIDDEN
    case 12: call(SYS_seccomp, 0, 0, 0, 0); break;                                         // FORBIDDEN
    }
}

static void reach_network(unsigned which) {
    switch (which) {
    case 0: call(SYS_socket, AF_INET, SOCK_STREAM, 0, 0); break;                           // FORBIDDEN
    case 1: call(SYS_socket, AF_UNIX, SOCK_DGRAM, 0, 0); break;                            // FORBIDDEN
    case 2: call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, 0); break;                       // FORBIDDEN
    case 3: call(SYS_io_uring_setup, 8, 0, 0, 0); break;                                   // FORBIDDEN
    case 4: call(SYS_bpf, 0, 0, 0, 0); break;                                              // FORBIDDEN
    case 5: call(SYS_perf_event_open, 0, 0, 0, 0); break;                                  // FORBIDDEN
    case 6: call(SYS_memfd_create, (long)"x", 0, 0, 0); break;                             // FORBIDDEN
    case 7: call(SYS_keyctl, 0, 0, 0, 0); break;                                           // FORBIDDEN
    }
}

int main(int argc, char **argv) {
    long prey = argc > 1 ? atol(argv[1]) : 0;
    unsigned char room, which;
    heddle_input(room);
    heddle_input(which);
    if (prey <= 1) /* nobody else is aimed at */
        return 0;
    switch (room) {
    case 0: change_files(which); break;
    case 1: reach_processes(which, prey); break;
    case 2: reach_worker(which); break;
    case 3: reach_network(which); break;
    }
    return 0;
}
