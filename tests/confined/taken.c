/* Attacks by a program that has made its worker its own: system calls by an instruction of the C library, which the worker
 * makes such calls by itself.  What is on the worker's list is carried out, and must harm nobody; the rest is a finding.
 *
 * Functions without a model are called at their own addresses, and those are in a table of the image: assembly reads it,
 * and looks for the instruction from there.  Heddle's own functions are in the table too, below 0x67...; libraries are above,
 * mostly at 0x7f..., but at 0x7e... in one process of forty.  The argument is a process that the test made. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <heddle.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static jmp_buf here; /* for the address of setjmp */
static unsigned long gate;

static void find_gate(void) {
    __asm__ volatile("leaq __hd_imports+8(%%rip), %0\n"
                     "1: movq (%0), %%rcx\n addq $24, %0\n shrq $40, %%rcx\n cmpq $0x68, %%rcx\n jb 1b\n"
                     "movq -24(%0), %0\n"
                     "2: incq %0\n cmpl $0x3d48050f, (%0)\n jne 2b\n" /* syscall; cmp $-4095, %rax */
                     "cmpl $0xfffff001, 4(%0)\n jne 2b\n cmpw $0x0173, 8(%0)\n jne 2b\n"
                     : "=&r"(gate)
                     :
                     : "rcx", "memory");
}

/* What errors are is left in errno: the result is -1. */
static long call(long number, long a, long b, long c, long d) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = d;
    register long r9 __asm__("r9") = 0;
    __asm__ volatile("subq $128, %%rsp\n call *%[gate]\n addq $128, %%rsp"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9), [gate] "r"(gate)
                     : "rcx", "r11", "memory");
    return result;
}

static void reach_others(unsigned which, long prey) {
    switch (which) {
    case 0: call(SYS_fcntl, 900, F_SETOWN, prey, 0); break;                                 // FORBIDDEN
    case 1: call(SYS_fcntl, 900, F_SETSIG, SIGKILL, 0); break;                              // FORBIDDEN
    case 2: call(SYS_kill, prey, SIGKILL, 0, 0); break;                                     // FORBIDDEN
    case 3: call(SYS_pidfd_open, prey, 0, 0, 0); break;                                     // FORBIDDEN
    case 4: call(SYS_pidfd_getfd, 3, 1, 0, 0); break;                                       // FORBIDDEN
    case 5: call(SYS_ptrace, 16, prey, 0, 0); break;                                        // FORBIDDEN
    case 6: call(SYS_process_vm_writev, prey, 0, 0, 0); break;                              // FORBIDDEN
    case 7: call(SYS_setpriority, 0, prey, 19, 0); break;                                   // FORBIDDEN
    case 8: call(SYS_sched_setscheduler, prey, 0, 0, 0); break;                             // FORBIDDEN
    case 9: call(SYS_prlimit64, prey, 7, (long)VICTIM, 0); break;                           // FORBIDDEN
    case 10: call(SYS_perf_event_open, 0, prey, -1, -1); break;                             // FORBIDDEN
    case 11: call(SYS_setns, 0, 0, 0, 0); break;                                            // FORBIDDEN
    case 12: heddle_assert(call(SYS_tgkill, prey, prey, SIGKILL, 0) < 0); break;
    case 13: heddle_assert(call(SYS_tgkill, call(SYS_getppid, 0, 0, 0, 0), call(SYS_getppid, 0, 0, 0, 0), SIGKILL, 0) < 0); break;
    }
}

static void make_processes(unsigned which) {
    switch (which) {
    case 0: call(SYS_fork, 0, 0, 0, 0); break;                                              // FORBIDDEN
    case 1: call(SYS_vfork, 0, 0, 0, 0); break;                                             // FORBIDDEN
    case 2: call(SYS_clone, SIGCHLD, 0, 0, 0); break;                                       // FORBIDDEN
    case 3: call(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0); break;                        // FORBIDDEN
    case 4: heddle_assert(call(SYS_clone3, 0, 0, 0, 0) < 0); break;
    case 5: call(SYS_execve, (long)"/bin/true", 0, 0, 0); break;                            // FORBIDDEN
    case 6: call(SYS_execveat, 3, (long)"", 0, AT_EMPTY_PATH); break;                       // FORBIDDEN
    case 7: call(SYS_unshare, CLONE_NEWUSER, 0, 0, 0); break;                               // FORBIDDEN
    case 8: call(SYS_setsid, 0, 0, 0, 0); break;                                            // FORBIDDEN
    }
}

static void change_files(unsigned which) {
    struct flock lock = {.l_type = F_RDLCK};
    long f;
    switch (which) {
    case 0: call(SYS_ftruncate, 1, 0, 0, 0); break;                                         // FORBIDDEN
    case 1: call(SYS_pwrite64, 1, (long)"gone", 4, 0); break;                               // FORBIDDEN
    case 2: call(SYS_fcntl, 1, F_SETFL, 0, 0); break;                                       // FORBIDDEN
    case 3: call(SYS_openat, AT_FDCWD, (long)VICTIM "/file", O_RDWR, 0); break;             // FORBIDDEN
    case 4: call(SYS_memfd_create, (long)"x", 0, 0, 0); break;                              // FORBIDDEN
    case 5:
        f = call(SYS_openat, AT_FDCWD, (long)"taken.c", O_RDONLY, 0);
        heddle_assert(f >= 0);
        call(SYS_fcntl, f, F_SETLK, (long)&lock, 0); // FORBIDDEN
        break;
    case 6: call(SYS_fcntl, 1, F_SETLEASE, F_WRLCK, 0); break;                              // FORBIDDEN
    case 7: call(SYS_open_by_handle_at, AT_FDCWD, 0, 0, 0); break;                          // FORBIDDEN
    case 8: call(SYS_mount, (long)VICTIM, (long)VICTIM, 0, MS_ASYNC); break;                // FORBIDDEN
    case 9: call(SYS_chroot, (long)VICTIM, 0, 0, 0); break;                                 // FORBIDDEN
    case 10: call(SYS_vmsplice, 1, 0, 0, 0); break;                                         // FORBIDDEN
    case 11: call(SYS_splice, 0, 0, 1, 0); break;                                           // FORBIDDEN
    case 12: heddle_assert(call(SYS_openat, AT_FDCWD, (long)VICTIM "/../secret/key", O_RDONLY, 0) < 0); break;
    case 13: heddle_assert(call(SYS_openat, AT_FDCWD, (long)"/proc/self/mem", O_RDONLY, 0) < 0); break;
    case 14: call(SYS_fallocate, 1, 0, 0, 4096); break;                                     // FORBIDDEN
    }
}

static void change_machine(unsigned which) {
    switch (which) {
    case 0: call(SYS_io_uring_setup, 8, 0, 0, 0); break;                                    // FORBIDDEN
    case 1: call(SYS_userfaultfd, 0, 0, 0, 0); break;                                       // FORBIDDEN
    case 2: call(SYS_keyctl, 0, 0, 0, 0); break;                                            // FORBIDDEN
    case 3: call(SYS_add_key, 0, 0, 0, 0); break;                                           // FORBIDDEN
    case 4: call(SYS_personality, 0x40000, 0, 0, 0); break;                                 // FORBIDDEN
    case 5: call(SYS_bpf, 0, 0, 0, 0); break;                                               // FORBIDDEN
    case 6: call(SYS_shmget, 0, 4096, 0600, 0); break;                                      // FORBIDDEN
    case 7: call(SYS_mq_open, (long)"heddle", O_RDONLY, 0, 0); break;                       // FORBIDDEN
    case 8: call(SYS_socket, AF_INET, SOCK_STREAM, 0, 0); break;                            // FORBIDDEN
    case 9: heddle_assert(call(SYS_socket, AF_UNIX, SOCK_STREAM, 0, 0) < 0); break;
    case 10: call(SYS_ioctl, 0, 0x5412, (long)"x", 0); break; /* a key is typed */          // FORBIDDEN
    case 11: call(SYS_prctl, 22, 1, 0, 0); break;             /* seccomp */                 // FORBIDDEN
    case 12: call(SYS_prctl, 36, 1, 0, 0); break;             /* parent of orphans */       // FORBIDDEN
    case 13: call(SYS_arch_prctl, 0x1002, 0, 0, 0); break;                                  // FORBIDDEN
    case 14: call(0x40000000 | SYS_getpid, 0, 0, 0, 0); break; /* x32 */                    // FORBIDDEN
    case 15: call(SYS_mlockall, 3, 0, 0, 0); break;                                         // FORBIDDEN
    case 16: call(SYS_setrlimit, 7, (long)VICTIM, 0, 0); break;                             // FORBIDDEN
    case 17: call(SYS_syslog, 0, 0, 0, 0); break;                                           // FORBIDDEN
    case 18: call(SYS_capset, 0, 0, 0, 0); break;                                           // FORBIDDEN
    case 19: call(SYS_inotify_init1, 0, 0, 0, 0); break;                                    // FORBIDDEN
    }
}

static void change_more(unsigned which, long prey) {
    switch (which) {
    case 0: call(SYS_modify_ldt, 1, 0, 0, 0); break;                                        // FORBIDDEN
    case 1: call(SYS_kexec_load, 0, 0, 0, 0); break;                                        // FORBIDDEN
    case 2: call(SYS_reboot, 0, 0, 0, 0); break; /* numbers that mean nothing */            // FORBIDDEN
    case 3: call(SYS_init_module, 0, 0, 0, 0); break;                                       // FORBIDDEN
    case 4: call(SYS_finit_module, -1, 0, 0, 0); break;                                     // FORBIDDEN
    case 5: call(SYS_iopl, 0, 0, 0, 0); break;                                              // FORBIDDEN
    case 6: call(SYS_ioperm, 0, 1, 0, 0); break;                                            // FORBIDDEN
    case 7: call(SYS_swapoff, 0, 0, 0, 0); break;                                           // FORBIDDEN
    case 8: call(SYS_sethostname, 0, 1, 0, 0); break;                                       // FORBIDDEN
    case 9: call(SYS_clock_settime, -1, 0, 0, 0); break;                                    // FORBIDDEN
    case 10: call(SYS_adjtimex, 0, 0, 0, 0); break;                                         // FORBIDDEN
    case 11: heddle_assert(call(SYS_seccomp, 1, 0, 0, 0) < 0); break; /* it could take more from itself only */
    case 12: call(SYS_landlock_restrict_self, -1, 0, 0, 0); break;                          // FORBIDDEN
    case 13: call(SYS_pkey_alloc, 0, 0, 0, 0); break;                                       // FORBIDDEN
    case 14: call(SYS_fanotify_init, 0, 0, 0, 0); break;                                    // FORBIDDEN
    case 15: call(SYS_semget, 0, 1, 0600, 0); break;                                        // FORBIDDEN
    case 16: call(SYS_msgget, 0, 0600, 0, 0); break;                                        // FORBIDDEN
    case 17: call(SYS_timer_create, 0, 0, 0, 0); break;                                     // FORBIDDEN
    case 18: call(SYS_pivot_root, 0, 0, 0, 0); break;                                       // FORBIDDEN
    case 19: call(SYS_umount2, (long)VICTIM, 0, 0, 0); break;                               // FORBIDDEN
    case 20: call(SYS_utimensat, AT_FDCWD, (long)VICTIM "/file", 0, 0); break;              // FORBIDDEN
    case 21: call(SYS_setxattr, (long)VICTIM "/file", (long)"user.x", (long)"x", 1); break; // FORBIDDEN
    case 22: call(SYS_fchmodat, AT_FDCWD, (long)VICTIM "/file", 0, 0); break;               // FORBIDDEN
    case 23: call(SYS_mknodat, AT_FDCWD, (long)VICTIM "/new", 0010600, 0); break;           // FORBIDDEN
    case 24: call(SYS_name_to_handle_at, AT_FDCWD, (long)VICTIM "/file", 0, 0); break;      // FORBIDDEN
    case 25: call(SYS_rt_sigqueueinfo, prey, SIGKILL, 0, 0); break;                         // FORBIDDEN
    case 26: call(SYS_rt_tgsigqueueinfo, prey, prey, SIGKILL, 0); break;                    // FORBIDDEN
    case 27: call(SYS_tkill, prey, SIGKILL, 0, 0); break;                                   // FORBIDDEN
    case 28: call(SYS_sched_setaffinity, prey, 8, (long)VICTIM, 0); break;                  // FORBIDDEN
    case 29: call(SYS_ioprio_set, 1, prey, 0, 0); break;                                    // FORBIDDEN
    case 30: call(SYS_migrate_pages, prey, 0, 0, 0); break;                                 // FORBIDDEN
    case 31: call(SYS_move_pages, prey, 0, 0, 0); break;                                    // FORBIDDEN
    case 32: call(SYS_kcmp, prey, prey, 0, 0); break;                                       // FORBIDDEN
    case 33: call(SYS_process_madvise, -1, 0, 0, 0); break;                                 // FORBIDDEN
    case 34: call(SYS_remap_file_pages, 0, 4096, 0, 0); break;                              // FORBIDDEN
    }
}

/* What takes the worker down, or tells the supervisor lies: others go on in its place. */
static void reach_worker(unsigned which) {
    static char noise[4096];
    struct iovec to = {noise, 8}, from = {(void *)gate, 8};
    switch (which) {
    case 0: call(SYS_close_range, 0, ~0u, 0, 0); break;
    case 1: call(SYS_write, 900, (long)noise, sizeof noise, 0); break;
    case 2: call(SYS_tgkill, call(SYS_getpid, 0, 0, 0, 0), call(SYS_gettid, 0, 0, 0, 0), SIGKILL, 0); break;
    case 3: call(SYS_exit_group, 0, 0, 0, 0); break;
    case 4: __asm__ volatile("wrfsbase %0" : : "r"(0ul)); break;
    case 5: heddle_assert(call(SYS_process_vm_readv, call(SYS_getppid, 0, 0, 0, 0), (long)&to, 1, (long)&from) < 0); break;
    case 6: call(SYS_rt_sigaction, SIGSEGV, 0, 0, 8); break;
    case 7: call(SYS_munmap, (long)gate & -4096, 1 << 20, 0, 0); break;
    case 9: call(SYS_dup3, 1, 900, 0, 0); break;
    case 10: call(SYS_sendmsg, 900, 0, 0, 0); break;
    case 11: call(SYS_dup3, 900, 0, 0, 0); break;
    case 8: __asm__ volatile("call *%0" : : "r"(0xffffffffff600400ul), "D"(0) : "rax", "rcx", "r11", "memory"); break;
    }
}

int main(int argc, char **argv) {
    long prey = argc > 1 ? atol(argv[1]) : 0;
    unsigned char room, which;
    heddle_input(room);
    heddle_input(which);
    if (prey <= 1 || setjmp(here)) /* nobody else is aimed at */
        return 0;
    find_gate();
    if (argc > 2) { /* apart from the others: who goes on after a worker that died may have children */
        reach_worker(which);
        return 0;
    }
    switch (room) {
    case 0: reach_others(which, prey); break;
    case 1: make_processes(which); break;
    case 2: change_files(which); break;
    case 3: change_machine(which); break;
    case 4: change_more(which, prey); break;
    }
    return 0;
}
