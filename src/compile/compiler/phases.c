/* phases.c -- a line on the terminal while compiling takes longer than a second.
 *
 * LLVM's passes and code generator are one call each, so that a timer tells the phase, not the
 * work itself. */
#include "compile/compiler/build.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char *volatile phase = "";
static volatile sig_atomic_t is_shown;

static size_t add(char *line, size_t n, size_t room, const char *text) {
    size_t length = strlen(text);
    length = length < room - n ? length : room - n;
    memcpy(line + n, text, length);
    return n + length;
}

/* Only what a signal's handler may call. */
static void tick(int signal) {
    (void)signal;
    char line[128];
    size_t n = add(line, 0, sizeof line, "\rcompiling: ");
    n = add(line, n, sizeof line, phase);
    n = add(line, n, sizeof line, "\033[K");
    is_shown = write(STDERR_FILENO, line, n) > 0;
}

static void clear_line(void) {
    struct itimerval never = {0};
    setitimer(ITIMER_REAL, &never, NULL);
    if (is_shown && write(STDERR_FILENO, "\r\033[K", 4) > 0)
        is_shown = 0;
}

void hd_phases_show(void) {
    struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
    struct itimerval every = {{.tv_sec = 1}, {.tv_sec = 1}};
    if (!isatty(STDERR_FILENO))
        return;
    atexit(clear_line);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

/* For who makes this program faster: the processor time of each phase, on standard error. */
static void tell_time(void) {
    static double before;
    static pid_t of;
    if (of != getpid())
        before = 0; /* the time of a child begins anew */
    of = getpid();
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    double s = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    if (*phase)
        fprintf(stderr, "%d %8.1f ms %s\n", (int)getpid(), (s - before) * 1e3, phase);
    before = s;
}

void hd_phase_begin(const char *what) {
    if (getenv("HEDDLE_COMPILE_TIMES"))
        tell_time();
    phase = what;
}
