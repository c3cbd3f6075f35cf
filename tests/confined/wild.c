/* Programs that go wild: each takes something without an end, or reaches for what is not its own.
 * The second argument says which (the first is the process that the test made); tests/confined.sh
 * knows how each must end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- without an end ---- */

static void dig(int number) {
    volatile char room[4096];
    memset((char *)room, number, sizeof room);
    dig(number + room[0] * 0);
    room[1] = 2;
}

static void dig_in_handler(void) {
    signal(SIGUSR1, dig);
    raise(SIGUSR1);
}

static void stop(void) {
    raise(SIGSTOP);
}

static void sleep_forever(void) {
    for (;;)
        sleep(UINT_MAX);
}

static void pause_forever(void) {
    pause();
}

static void ignore_all(void) {
    struct sigaction ignored = {.sa_handler = SIG_IGN};
    sigset_t all;
    for (int i = 1; i < 65; i++)
        sigaction(i, &ignored, NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;)
        ;
}

static void write_much(void) {
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 200 && write(1, line, sizeof line) > 0; i++)
        ;
    heddle_reach("written");
}

static void print_wide(void) {
    printf("%2000000000d\n", 1);
}

static void fork_all_the_time(void) {
    for (;;)
        fork();
}

static void *wait_around(void *p) {
    for (;;)
        pause();
    return p;
}

static void start_many_threads(void) {
    pthread_t t;
    for (int i = 0; i < 100000 && pthread_create(&t, NULL, wait_around, NULL) == 0; i++)
        ;
}

static void open_all(void) {
    for (int i = 0; i < 1000000; i++)
        if (open("wild.c", O_RDONLY) < 0) {
            heddle_reach(errno == EMFILE ? "no more" : "something else");
            return;
        }
}

static void fill_shared_memory(void) {
    int f = shm_open("/heddle-wild", O_RDWR | O_CREAT, 0600);
    if (f >= 0 && ftruncate(f, 1LL << 40) == 0) {
        char *p = mmap(NULL, 1LL << 40, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0);
        for (long i = 0; p != MAP_FAILED && i < 1L << 40; i += 4096)
            p[i] = 1;
    }
}

static void fill_file(void) {
    static char block[1 << 20];
    int f = open("large", O_CREAT | O_WRONLY, 0600);
    for (int i = 0; i < 300; i++)
        if (write(f, block, sizeof block) < 0)
            heddle_reach("refused");
}

/* ---- what is not its own ---- */

static void write_anywhere(void) {
    unsigned char bit;
    heddle_input(bit);
    heddle_assume(bit < 47);
    *(volatile char *)(UINT64_C(1) << bit) = 1;
}

/* Where its own code, heap and stack are, Heddle's tables are not far. */
static void write_around(void) {
    static volatile char own[8];
    volatile char local[8] = {0};
    char *heap = malloc(8);
    int far;
    unsigned char which, shift;
    heddle_input(which);
    heddle_input(shift);
    heddle_assume(shift >= 4 && shift < 46);
    volatile char *from = which % 4 == 0   ? own
                          : which % 4 == 1 ? local
                          : which % 4 == 2 ? heap
                                           : (volatile char *)(uintptr_t)write_around;
    far = which & 4 ? -1 : 1;
    from[far * (INT64_C(1) << shift)] = 1;
    free(heap);
}

static void map_over(void) {
    for (uintptr_t at = UINT64_C(1) << 44; at < UINT64_C(1) << 47; at += UINT64_C(1) << 40)
        if (mmap((void *)at, 1 << 16, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
            memset((void *)at, 'x', 1 << 16);
}

static void unmap_all(void) {
    for (uintptr_t at = 1 << 16; at < UINT64_C(1) << 47; at = at * 2 + 4096)
        munmap((void *)(at & -4096), 1 << 30);
    heddle_reach("lives");
}

static void change_code(void) {
    mprotect((void *)((uintptr_t)change_code & -4096), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
    *(volatile char *)(uintptr_t)change_code = 0;
}

static void make_code(void) {
    static const char kill_all[] =
        "\x48\xc7\xc7\xff\xff\xff\xff\xbe\x09\0\0\0\xb8\x3e\0\0\0\x0f\x05\xc3";
    char *p =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p != MAP_FAILED)
        memcpy(p, kill_all, sizeof kill_all), ((void (*)(void))p)();
}

static void copy_over_descriptors(void) {
    for (int i = 3; i < 1024; i++)
        dup2(1, i);
    for (int i = 3; i < 1024; i++)
        if (write(i, "x", 1) < 0)
            heddle_reach("some are not there");
}

static sigjmp_buf back;
static void jump(int number) {
    siglongjmp(back, number);
}

static void survive_faults(void) {
    signal(SIGSEGV, jump);
    signal(SIGSYS, jump);
    if (!sigsetjmp(back, 1))
        *(volatile int *)16 = 1;
    heddle_reach("went on");
}

static void kill_group(void) {
    pid_t child = vfork();
    if (child == 0) {
        kill(0, SIGKILL);
        _exit(1);
    }
    wait(NULL);
}

static void trace_parent(void) {
    ptrace(PTRACE_ATTACH, getppid(), 0, 0);
}

static void change_process(void) {
    prctl(PR_SET_MM, PR_SET_MM_BRK, 4096, 0, 0);
    prctl(PR_SET_SECCOMP, 1, 0, 0, 0);
}

static void raise_limits(void) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_NPROC, &all);
    setrlimit(RLIMIT_FSIZE, &all);
}

static void run_memory(void) {
    char *const words[] = {"x", NULL};
    int f = memfd_create("x", 0);
    if (f >= 0 && write(f, "#!/bin/sh\necho gone\n", 20) == 20)
        fexecve(f, words, environ);
}

static void take_stack(void) {
    volatile char *p = __builtin_alloca((size_t)getpid() << 40);
    p[1] = 1;
}

static void ask_for_too_many_inputs(void) {
    static char few[8];
    heddle_bytes(few, (size_t)1 << 40, "few");
}

static const struct {
    const char *name;
    void (*run)(void);
} all[] = {{"dig", dig_in_handler},
           {"stop", stop},
           {"sleep", sleep_forever},
           {"pause", pause_forever},
           {"ignore", ignore_all},
           {"output", write_much},
           {"wide", print_wide},
           {"fork", fork_all_the_time},
           {"threads", start_many_threads},
           {"open", open_all},
           {"shared", fill_shared_memory},
           {"file", fill_file},
           {"anywhere", write_anywhere},
           {"around", write_around},
           {"over", map_over},
           {"unmap", unmap_all},
           {"code", change_code},
           {"new-code", make_code},
           {"descriptors", copy_over_descriptors},
           {"faults", survive_faults},
           {"group", kill_group},
           {"trace", trace_parent},
           {"process", change_process},
           {"limits", raise_limits},
           {"memory-file", run_memory},
           {"stack", take_stack},
           {"inputs", ask_for_too_many_inputs}};

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 2 && i < sizeof all / sizeof *all; i++)
        if (strcmp(argv[2], all[i].name) == 0)
            all[i].run();
    return 0;
}
