/* process_program.c as the operating system runs it: real processes, real pipes and sockets.  The
 * labels go to memory that all processes share. */
#include "process_native.h"

#include "base/clock.h"
#include "base/hash.h"

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

#define SECONDS 3.0 /* more than any program without a deadlock takes */

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
#define heddle_assert(condition) ((void)0)
#define main                     program_main
#define fork                     fork_and_pause
#define heddle_reach             note_label
#include "process_program.c"
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

static bool has_ended(pid_t pid) {
    double until = hd_clock_now() + SECONDS;
    while (hd_clock_now() < until) {
        if (waitpid(pid, NULL, WNOHANG) == pid)
            return true;
        usleep(200);
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
