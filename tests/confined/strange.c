/* Attacks of other kinds than those of the programs beside it: names of the system's own files, services of the kernel by
 * functions and by syscall(), privileged instructions, changes of the processor's mode, and what runs after main.  An input says
 * which; tests/strangers.sh looks at what became of the files and of the process, whose number the argument is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#define FILE_OF_TEST VICTIM "/file"

static long prey;

static void write_to(const char *path) {
    int f = open(path, O_WRONLY | O_APPEND);
    if (f >= 0 && write(f, "x", 1) == 1)
        close(f);
}

static void use_system_files(unsigned which) {
    static const char *const paths[] = {"/dev/mem",   "/dev/kmsg", "/dev/tty", "/proc/sysrq-trigger", "/proc/self/oom_score_adj",
                                        "/sys/power/state", "/dev/sda",  "/dev/full", "/proc/self/mem", "/proc/self/uid_map"};
    write_to(paths[which]);
}

/* By the library's own syscall(). */
static void ask_kernel(unsigned which) {
    switch (which) {
    case 0: syscall(SYS_io_uring_setup, 1, 0); break;
    case 1: syscall(SYS_userfaultfd, 0); break;
    case 2: syscall(SYS_bpf, 0, 0, 0); break;
    case 3: syscall(SYS_perf_event_open, 0, prey, -1, -1, 0); break;
    case 4: syscall(SYS_keyctl, 0, -3, 1); break;
    case 5: syscall(SYS_pkey_alloc, 0, 0); break;
    case 6: syscall(SYS_modify_ldt, 1, 0, 0); break;
    case 7: syscall(SYS_personality, 0x40000); break;
    case 8: syscall(SYS_rseq, 0, 0, 0, 0); break;
    case 9: syscall(SYS_unlink, FILE_OF_TEST); break;
    case 10: syscall(SYS_kill, prey, SIGKILL); break;
    case 11: syscall(SYS_execve, "/bin/true", 0, 0); break;
    case 12: syscall(SYS_fork); break;
    case 13: syscall(SYS_pidfd_open, prey, 0); break;
    }
}

static void use_services(unsigned which) {
    static char room[64];
    cpu_set_t one = {{1}};
    struct sched_param high = {.sched_priority = 50};
    struct rlimit none = {0, 0};
    switch (which) {
    case 0: shm_open("/heddle-hostile", O_CREAT | O_RDWR, 0600); break;
    case 1: sem_open("/heddle-hostile", O_CREAT, 0600, 1); break;
    case 2: mq_open("/heddle-hostile", O_CREAT | O_RDWR, 0600, NULL); break;
    case 3: shmget(0x4865, 4096, IPC_CREAT | 0600); break;
    case 4: sched_setscheduler((pid_t)prey, SCHED_FIFO, &high); break;
    case 5: sched_setaffinity((pid_t)prey, sizeof one, &one); break;
    case 6: setpriority(PRIO_PROCESS, (id_t)prey, 19); break;
    case 7: setrlimit(RLIMIT_NOFILE, &none), setrlimit(RLIMIT_STACK, &none), setrlimit(RLIMIT_AS, &none); break;
    case 8: prctl(PR_SET_DUMPABLE, 1), prctl(PR_SET_CHILD_SUBREAPER, 1), prctl(PR_SET_PDEATHSIG, SIGKILL); break;
    case 9: heddle_assert(setuid(0) == (geteuid() == 0 ? 0 : -1)); break;
    case 10: gethostname(room, sizeof room), sethostname("x", 1); break;
    case 11: settimeofday(&(struct timeval){1, 0}, NULL); break;
    case 12: sendfile(1, 0, NULL, 100); break;
    }
}

static void start_programs(unsigned which) {
    static char *const words[] = {"true", NULL};
    char *const none[] = {NULL};
    pid_t pid;
    switch (which) {
    case 0: posix_spawn(&pid, "/bin/true", NULL, NULL, words, none); break;
    case 1: popen("touch " VICTIM "/new", "r"); break;
    case 2: system("touch " VICTIM "/new"); break;
    case 3: execvp("touch", (char *const[]){"touch", VICTIM "/new", NULL}); break;
    case 4: fexecve(open("/bin/true", O_RDONLY), words, none); break;
    case 5: setenv("LD_PRELOAD", VICTIM "/x.so", 1), execl("/bin/true", "true", NULL); break;
    case 6: dlsym(dlopen("libc.so.6", RTLD_NOW), "execve"); break;
    case 7: ptrace(PTRACE_ATTACH, (pid_t)prey, 0, 0); break;
    case 8: sigqueue((pid_t)prey, SIGKILL, (union sigval){0}); break;
    case 9: killpg((pid_t)prey, SIGKILL); break;
    }
}

static void change_files(unsigned which) {
    int f = open(FILE_OF_TEST, O_RDWR);
    char *map = f < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
    switch (which) {
    case 0: map == MAP_FAILED ? 0 : (map[0] = 'x', msync(map, 4096, MS_SYNC)); break;
    case 1: flock(f, LOCK_EX), lockf(f, F_LOCK, 0); break;
    case 2: setxattr(FILE_OF_TEST, "user.x", "x", 1, 0); break;
    case 3: utimes(FILE_OF_TEST, NULL), chmod(FILE_OF_TEST, 0), chown(FILE_OF_TEST, 1, 1); break;
    case 4: mkfifo(VICTIM "/fifo", 0600), mknod(VICTIM "/node", S_IFCHR | 0600, 1 << 8 | 3); break;
    case 5: posix_fallocate(f, 0, 1 << 20), ftruncate(f, 0), fsync(f); break;
    case 6: renameat2(AT_FDCWD, FILE_OF_TEST, AT_FDCWD, VICTIM "/folder", 2); break;
    case 7: freopen(FILE_OF_TEST, "w", stdout), puts("gone"), fflush(stdout); break;
    case 8: chdir(VICTIM), unlink("file"), rmdir("folder"); break;
    case 9: tmpfile(), creat(VICTIM "/new", 0644); break;
    }
}

static void reach_network(unsigned which) {
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = 22 << 8, .sin_addr = {0x0100007f}};
    struct sockaddr_un place = {.sun_family = AF_UNIX, .sun_path = VICTIM "/socket"};
    int families[] = {AF_NETLINK, AF_PACKET, AF_VSOCK, AF_INET6, AF_ALG};
    int s = socket(which < 5 ? families[which] : which == 5 ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
    if (which == 5)
        connect(s, (struct sockaddr *)&port, sizeof port);
    if (which == 6)
        bind(s, (struct sockaddr *)&place, sizeof place);
}

/* What only a kernel may do, and what changes how the processor reads the code that follows. */
static void use_processor(unsigned which) {
    static const struct {
        unsigned offset;
        unsigned short segment;
    } __attribute__((packed)) old_code = {0x1000, 0x23};
    switch (which) {
    case 0: __asm__ volatile("hlt"); break;
    case 1: __asm__ volatile("cli"); break;
    case 2: __asm__ volatile("outb %%al, $0x80" : : "a"(0)); break;
    case 3: __asm__ volatile("mov %%cr3, %%rax" : : : "rax"); break;
    case 4: __asm__ volatile("wrmsr" : : "a"(0), "c"(0), "d"(0)); break;
    case 5: __asm__ volatile("lidt (%0)" : : "r"(&old_code)); break;
    case 6: __asm__ volatile("int3"); break;
    case 7: __asm__ volatile("int $1"); break;
    case 8: __asm__ volatile("pushf\n orq $0x100, (%%rsp)\n popf\n nop\n nop" : : : "memory", "cc"); break;     /* a trap at each step */
    case 9: __asm__ volatile("pushf\n orq $0x40000, (%%rsp)\n popf\n" : : : "memory", "cc"); break;              /* no odd addresses */
    case 10: __asm__ volatile("ljmp *%0" : : "m"(old_code)); break;                                              /* 32 bits */
    case 11: __asm__ volatile("std"); break;                                                                     /* strings backwards */
    case 12: __asm__ volatile("mov %0, %%ss" : : "r"(0)); break;
    case 13: __asm__ volatile("wrgsbase %0" : : "r"(0x4141414141414140ul)); break;
    case 14: __asm__ volatile("xorl %%esp, %%esp\n push %%rax" : : : "memory"); break;
    }
}

static jmp_buf far;
static void return_elsewhere(unsigned which) {
    static long chosen[8];
    switch (which) {
    case 0: memset(far, 0x41, sizeof far), longjmp(far, 1); break;
    case 1: ((void (*)(void))getauxval(AT_SYSINFO_EHDR))(); break;
    case 2: ((void (*)(void))(unsigned long)chosen)(); break;
    case 3: __builtin_return_address(0) ? memset(__builtin_frame_address(0), 0x41, 32) : 0; break;
    case 4: raise(SIGKILL); break;
    case 5: abort(); break;
    }
}

/* When main is over. */
static unsigned char after;
__attribute__((destructor)) static void at_last(void) {
    if (after == 1)
        unlink(FILE_OF_TEST);
    if (after == 2)
        syscall(SYS_kill, prey, SIGKILL);
}

static void leave_for_later(unsigned which) {
    after = (unsigned char)(which + 1);
}

static const struct {
    void (*attack)(unsigned which);
    unsigned n;
} kinds[] = {{use_system_files, 10}, {ask_kernel, 14},    {use_services, 13},     {start_programs, 10}, {change_files, 10},
             {reach_network, 7},     {use_processor, 15}, {return_elsewhere, 6}, {leave_for_later, 2}};

int main(int argc, char **argv) {
    unsigned char which;
    unsigned from = 0;
    prey = argc > 1 ? atol(argv[1]) : 0;
    heddle_input(which);
    if (prey <= 1) /* nobody else is aimed at */
        return 0;
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; from += kinds[k++].n)
        for (unsigned i = 0; i < kinds[k].n; i++)
            if (which == from + i)
                kinds[k].attack(i);
    if (which == from)
        heddle_reach("all were tried");
    return 0;
}
