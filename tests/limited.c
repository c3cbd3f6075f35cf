/* limited.c -- a command that may use so much processor time, and no more.
 *
 *     limited SECONDS COMMAND [ARGUMENT...]
 *
 * The time of the command and of all that it starts, also of what it leaves behind, is added up: a
 * test must not fail because the machine is busy, and must not go on for ever.  Real time is
 * limited too, to NET times as much, for what waits and will not end.  Ends as the command ends;
 * with status 124 if it was ended.  LIMITED_MEMORY in the environment is how many megabytes all of it
 * may have in memory; without it there is no limit. */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NET = 30, MOST = 4096 };

typedef struct process {
    pid_t id, parent;
    double seconds;   /* its own, and those of its children that have ended */
    double megabytes; /* in memory */
    bool is_ours;
} process;

static process all[MOST];
static unsigned n_all;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The name, in brackets, may hold anything: what follows it counts. */
static bool read_process(const char *id, process *p) {
    char path[64], text[1024];
    unsigned long ticks[4];
    long pages;
    snprintf(path, sizeof path, "/proc/%.20s/stat", id);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1,
                        " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu %*d %*d %*d "
                        "%*d %*u %*u %ld",
                        &p->parent, &ticks[0], &ticks[1], &ticks[2], &ticks[3], &pages) != 6)
        return false;
    p->id = atoi(id);
    p->seconds = (double)(ticks[0] + ticks[1] + ticks[2] + ticks[3]) / (double)sysconf(_SC_CLK_TCK);
    p->megabytes = (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
    p->is_ours = p->parent == getpid();
    return true;
}

static bool has_our_parent(const process *p) {
    for (unsigned i = 0; i < n_all; i++)
        if (all[i].is_ours && all[i].id == p->parent)
            return true;
    return false;
}

static void find_processes(void) {
    DIR *d = opendir("/proc");
    n_all = 0;
    for (struct dirent *e; d && n_all < MOST && (e = readdir(d));)
        n_all += isdigit((unsigned char)e->d_name[0]) && read_process(e->d_name, &all[n_all]);
    if (d)
        closedir(d);
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < n_all; i++)
            if (!all[i].is_ours && has_our_parent(&all[i]))
                more = all[i].is_ours = true;
    }
}

static double seconds_used(void) {
    struct rusage ended;
    getrusage(RUSAGE_CHILDREN, &ended);
    double sum = (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec);
    find_processes();
    for (unsigned i = 0; i < n_all; i++)
        sum += all[i].is_ours ? all[i].seconds : 0;
    return sum;
}

static double megabytes_used(void) {
    double sum = 0;
    for (unsigned i = 0; i < n_all; i++)
        sum += all[i].is_ours ? all[i].megabytes : 0;
    return sum;
}

/* Until none is left: they may start others meanwhile. */
static void end_all(void) {
    for (int round = 0; round < 100; round++) {
        unsigned n = 0;
        find_processes();
        for (unsigned i = 0; i < n_all; i++)
            n += all[i].is_ours && kill(all[i].id, SIGKILL) == 0;
        while (waitpid(-1, NULL, WNOHANG) > 0)
            continue;
        if (n == 0)
            return;
        usleep(1000);
    }
}

/* Wait for a child or for a tick; true with the status of the command when it has ended. */
static bool wait_a_tick(pid_t command, double seconds, int *status) {
    sigset_t child;
    struct timespec tick = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigtimedwait(&child, NULL, &tick);
    int ended;
    for (pid_t id; (id = waitpid(-1, &ended, WNOHANG)) > 0;)
        if (id == command) {
            *status = ended;
            return true;
        }
    return false;
}

static int end_like(int status) {
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
    double limit = argc > 2 ? atof(argv[1]) : 0, began = now();
    const char *memory = getenv("LIMITED_MEMORY");
    double megabytes = memory ? atof(memory) : 0;
    double tick = limit > 100 && !memory ? 5 : limit > 10 ? 0.5 : 0.1;
    int status;
    sigset_t child, before;
    if (limit <= 0)
        return fprintf(stderr, "usage: limited SECONDS COMMAND [ARGUMENT...]\n"), 125;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    pid_t command = fork();
    if (command == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        execvp(argv[2], argv + 2);
        fprintf(stderr, "limited: cannot start '%s'\n", argv[2]);
        _exit(127);
    }
    while (!wait_a_tick(command, tick, &status)) {
        bool waits = now() - began > NET * limit, is_late = seconds_used() > limit;
        bool is_large = megabytes > 0 && megabytes_used() > megabytes;
        if (!waits && !is_late && !is_large)
            continue;
        end_all();
        if (is_large)
            fprintf(stderr, "limited: ended with more than %g megabytes\n", megabytes);
        else
            fprintf(stderr, "limited: ended after %g seconds%s\n", waits ? NET * limit : limit,
                    waits ? "" : " of processor time");
        return 124;
    }
    return end_like(status);
}
