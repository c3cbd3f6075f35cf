/* Measure a command: repeat it, keep the best time.
 *
 *     measure [-n TIMES] [-m] [-o FILE] COMMAND [ARGUMENT...]
 *
 * prints one line: wall seconds, processor seconds (the command and all its children), the
 * largest process's resident megabytes, the peak of the whole process tree in megabytes (with -m,
 * else 0), the exit status.  Times are of the fastest repetition; memory is the largest of all.
 * The command's standard output goes to FILE (/dev/null), its standard error stays.
 *
 * The tree's memory is the sum of proportional set sizes, sampled every 50 ms: pages that a
 * forked worker shares with its supervisor count once. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct result {
    double wall, cpu;
    long largest_kb, tree_kb;
    int status;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double cpu_of_children(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return seconds_of(u.ru_utime) + seconds_of(u.ru_stime);
}

static long parent_of(long pid) {
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    long parent = 0;
    /* The name in the second field may hold anything; the last ')' ends it. */
    char *end = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (!end || sscanf(end + 1, " %*c %ld", &parent) != 1)
        parent = 0;
    fclose(f);
    return parent;
}

static long proportional_kb(long pid) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    long kb = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "Pss: %ld", &kb) == 1)
            break;
    }
    fclose(f);
    return kb;
}

static bool is_below(long pid, long root) {
    for (int level = 0; level < 16 && pid > 1; level++) {
        if (pid == root)
            return true;
        pid = parent_of(pid);
    }
    return false;
}

static long tree_kb(long root) {
    DIR *d = opendir("/proc");
    long kb = 0;
    struct dirent *e;
    while (d && (e = readdir(d))) {
        long pid = isdigit((unsigned char)e->d_name[0]) ? atol(e->d_name) : 0;
        if (pid && is_below(pid, root))
            kb += proportional_kb(pid);
    }
    if (d)
        closedir(d);
    return kb;
}

static void run_child(char **command, const char *output) {
    int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0 || dup2(fd, 1) < 0) {
        perror(output);
        _exit(127);
    }
    execvp(command[0], command);
    perror(command[0]);
    _exit(127);
}

/* Wait for the child; meanwhile sample its tree if asked to. */
static int wait_for(pid_t pid, bool sample, long *peak_kb) {
    int status = 0;
    while (sample && waitpid(pid, &status, WNOHANG) == 0) {
        long kb = tree_kb(pid);
        if (kb > *peak_kb)
            *peak_kb = kb;
        usleep(50000);
    }
    if (!sample)
        waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void run_once(char **command, const char *output, bool sample, struct result *best) {
    double wall = now(), cpu = cpu_of_children();
    pid_t pid = fork();
    if (pid == 0)
        run_child(command, output);
    best->status = wait_for(pid, sample, &best->tree_kb);
    wall = now() - wall;
    cpu = cpu_of_children() - cpu;
    if (best->wall == 0 || wall < best->wall)
        best->wall = wall;
    if (best->cpu == 0 || cpu < best->cpu)
        best->cpu = cpu;
}

int main(int n, char **args) {
    int option, times = 1;
    bool sample = false;
    const char *output = "/dev/null";
    while ((option = getopt(n, args, "+n:mo:")) != -1) {
        if (option == 'n')
            times = atoi(optarg);
        else if (option == 'm')
            sample = true;
        else if (option == 'o')
            output = optarg;
        else
            return 2;
    }
    if (optind == n) {
        fprintf(stderr, "usage: measure [-n TIMES] [-m] [-o FILE] COMMAND [ARGUMENT...]\n");
        return 2;
    }
    struct result best = {0};
    for (int i = 0; i < times; i++)
        run_once(args + optind, output, sample, &best);
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    best.largest_kb = u.ru_maxrss;
    printf("%.6f %.6f %.1f %.1f %d\n", best.wall, best.cpu, (double)best.largest_kb / 1024,
           (double)best.tree_kb / 1024, best.status);
    return 0;
}
