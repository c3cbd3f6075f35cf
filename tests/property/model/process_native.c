/* process_program.c as the operating system runs it: real processes, real pipes and sockets.  The
 * labels go to memory that all processes share. */
#include "property/model/process_native.h"

#include "base/hash.h"

#include <ctype.h>
#include <dirent.h>
#include <heddle.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOKS 20 /* at processes that wait before they are believed to wait for ever */

typedef struct shared_log {
    atomic_uint n;
    native_log log;
} shared_log;

static shared_log *shared;
static uint64_t pauses; /* decides who pauses when; every process has its own */

/* So that orders are seen which the scheduler alone would rarely give. */
static void pause_perhaps(void) {
    unsigned how = (unsigned)(hd_random_next(&pauses) % 8);
    if (how < 3)
        usleep(20u << (2 * how));
}

static void note_label(const char *label) {
    unsigned n = atomic_fetch_add(&shared->n, 1);
    if (n < NATIVE_LABELS)
        snprintf(shared->log.label[n], NATIVE_LABEL, "%s", label);
    pause_perhaps();
}

static int fork_and_pause(void) {
    int pid = fork();
    pauses += pid == 0 ? 77 : 1;
    pause_perhaps();
    return pid;
}

/* What is asserted makes a label too. */
#undef heddle_assert
#undef heddle_input
#undef heddle_assume
#define heddle_assert(condition) ((void)0)
#define heddle_input(x)          ((x) = (unsigned char)(hd_random_next(&pauses) % 80))
#define heddle_assume(condition) ((condition) ? (void)0 : _exit(99))
#define main                     program_main
#define fork                     fork_and_pause
#define heddle_reach             note_label
#include "property/subject/process_program.c"
#undef main
#undef fork

/* The processes that the program leaves behind become children of this one. */
static _Noreturn void supervise(int argc, char **argv) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    setpgid(0, 0);
    close_range(3, UINT_MAX, 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(program_main(argc, argv));
    while (wait(NULL) > 0)
        continue;
    _exit(0);
}

/* What a process of the group has done so far, as a number that grows while it does anything; -1
 * if it runs, or would if the machine were free. */
static long work_of(const char *id, pid_t group) {
    char path[64], text[512], state;
    unsigned long faults, user, system;
    int of;
    snprintf(path, sizeof path, "/proc/%.20s/stat", id);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1, " %c %*d %d %*d %*d %*d %*u %lu %*u %*u %*u %lu %lu", &state, &of,
                        &faults, &user, &system) != 5)
        return 0;
    if (of != group)
        return 0;
    return state == 'R' || state == 'D' ? -1 : (long)(faults + user + system + 1);
}

/* The sum over the group; -1 if any of them runs. */
static long work_of_group(pid_t group) {
    DIR *d = opendir("/proc");
    long sum = 0;
    for (struct dirent *e; d && sum >= 0 && (e = readdir(d));) {
        long work = isdigit((unsigned char)e->d_name[0]) ? work_of(e->d_name, group) : 0;
        sum = work < 0 ? -1 : sum + work;
    }
    if (d)
        closedir(d);
    return sum;
}

/* A group whose processes all wait, at LOOKS looks, with nothing done in between, waits for ever:
 * the longest pause of a program is much shorter than the time between two looks.  How long a look
 * takes on a busy machine makes no difference. */
static bool has_ended(pid_t pid) {
    long before = -1;
    for (unsigned n = 0, n_quiet = 0; n_quiet < LOOKS; n++) {
        if (waitpid(pid, NULL, WNOHANG) == pid)
            return true;
        usleep(200);
        if (n % 100 != 99)
            continue;
        long work = work_of_group(pid);
        n_quiet = work >= 0 && work == before ? n_quiet + 1 : 0;
        before = work;
    }
    return false;
}

bool native_run(int argc, char **argv, uint64_t seed, native_log *out) {
    if (!shared) {
        shared =
            mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared == MAP_FAILED)
            return false;
    }
    atomic_store(&shared->n, 0);
    pauses = seed;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        supervise(argc, argv);
    if (pid < 0)
        return false;
    bool ended = has_ended(pid);
    if (!ended) {
        kill(-pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
    *out = shared->log;
    out->n = atomic_load(&shared->n);
    out->n = out->n < NATIVE_LABELS ? out->n : NATIVE_LABELS;
    return ended;
}
