/* resources.c -- how much a process may use, how urgent it is, and what its clock is set to.
 *
 * All of it is kept and told again, and handed on to children; nothing here ever runs short, and
 * the virtual clock goes as it goes.  Where that is not what the program would meet it is said. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define WEAK __attribute__((weak))
#define MOST 20 /* how kind to others: as nice() counts */

void __heddle_bound(const char *words);

static int fail(int error) {
    errno = error;
    return -1;
}

/* ---- limits ---- */

#define NONE {RLIM_INFINITY, RLIM_INFINITY}

/* What a Linux begins with; numbers of descriptors are those of a shell.  Not made when somebody
 * asks: two threads that ask change nothing. */
static struct rlimit limits[RLIM_NLIMITS] = {[RLIMIT_CPU] = NONE,
                                             [RLIMIT_FSIZE] = NONE,
                                             [RLIMIT_DATA] = NONE,
                                             [RLIMIT_STACK] = {8u << 20, RLIM_INFINITY},
                                             [RLIMIT_CORE] = {0, RLIM_INFINITY},
                                             [RLIMIT_RSS] = NONE,
                                             [RLIMIT_NPROC] = NONE,
                                             [RLIMIT_NOFILE] = {1024, 4096},
                                             [RLIMIT_MEMLOCK] = NONE,
                                             [RLIMIT_AS] = NONE,
                                             [RLIMIT_LOCKS] = NONE,
                                             [RLIMIT_SIGPENDING] = NONE,
                                             [RLIMIT_MSGQUEUE] = NONE,
                                             [RLIMIT_NICE] = {0, 0},
                                             [RLIMIT_RTPRIO] = {0, 0},
                                             [RLIMIT_RTTIME] = NONE};

WEAK int getrlimit(__rlimit_resource_t what, struct rlimit *out) {
    if ((unsigned)what >= RLIM_NLIMITS)
        return fail(EINVAL);
    *out = limits[what];
    return 0;
}

WEAK int setrlimit(__rlimit_resource_t what, const struct rlimit *next) {
    if ((unsigned)what >= RLIM_NLIMITS || next->rlim_cur > next->rlim_max)
        return fail(EINVAL);
    if (next->rlim_max > limits[what].rlim_max && geteuid() != 0)
        return fail(EPERM);
    if (what != RLIMIT_CORE && next->rlim_cur < limits[what].rlim_cur)
        __heddle_bound("limits of resources (setrlimit) are kept, and nobody meets them");
    limits[what] = *next;
    return 0;
}

WEAK int getdtablesize(void) {
    return (int)limits[RLIMIT_NOFILE].rlim_cur;
}

/* ---- what was used: what a program does takes no time ---- */

WEAK int getrusage(__rusage_who_t who, struct rusage *out) {
    if (who != RUSAGE_SELF && who != RUSAGE_CHILDREN && who != RUSAGE_THREAD)
        return fail(EINVAL);
    memset(out, 0, sizeof *out);
    return 0;
}

/* Since when is nobody's business: it goes with the virtual clock. */
WEAK clock_t times(struct tms *out) {
    struct timespec now;
    if (out)
        memset(out, 0, sizeof *out);
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (clock_t)(now.tv_sec * 100 + now.tv_nsec / 10000000);
}

WEAK int getloadavg(double *out, int n) {
    for (int i = 0; i < n && i < 3; i++)
        out[i] = 0;
    return n < 3 ? n : 3;
}

/* ---- who goes first: nobody is told by how much ---- */

static int kindness;

static int cut(int n) {
    return n < -MOST ? -MOST : n >= MOST ? MOST - 1 : n;
}

/* May `who` be meant, and is it this process?  Else an error number. */
static int find(int kind, int who) {
    if (kind != PRIO_PROCESS && kind != PRIO_PGRP && kind != PRIO_USER)
        return EINVAL;
    if (who == 0 || (kind == PRIO_PROCESS && who == getpid()))
        return 0;
    if (kind == PRIO_PROCESS && kill(who, 0) != 0 && errno == ESRCH)
        return ESRCH;
    __heddle_bound("how kind others are (getpriority) is taken for that of the one who asks");
    return 0;
}

WEAK int getpriority(__priority_which_t kind, id_t who) {
    int error = find((int)kind, (int)who);
    return error ? fail(error) : kindness;
}

WEAK int setpriority(__priority_which_t kind, id_t who, int n) {
    int error = find((int)kind, (int)who);
    if (error)
        return fail(error);
    if (cut(n) < kindness && geteuid() != 0)
        return fail(EACCES);
    kindness = cut(n);
    return 0;
}

WEAK int nice(int more) {
    more = more < -2 * MOST ? -2 * MOST : more > 2 * MOST ? 2 * MOST : more;
    if (cut(kindness + more) < kindness && geteuid() != 0)
        return fail(EPERM);
    return kindness = cut(kindness + more);
}

/* ---- memory that stays, and the process to the system ---- */

WEAK int mlockall(int flags) {
    int all = MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT;
    return flags == 0 || (flags & ~all) || flags == MCL_ONFAULT ? fail(EINVAL) : 0;
}

WEAK int munlockall(void) {
    return 0;
}

WEAK int mlock(const void *from, size_t n) {
    (void)from, (void)n;
    return 0;
}

WEAK int munlock(const void *from, size_t n) {
    (void)from, (void)n;
    return 0;
}

WEAK void sync(void) {}

static char name[16];
static int is_dumpable = 1, keeps_rights, gets_none;

static int set_flag(int *flag, unsigned long value) {
    if (value > 1)
        return fail(EINVAL);
    *flag = (int)value;
    return 0;
}

/* Who ends with its parent ends here only if somebody else lets it. */
static int end_with_parent(unsigned long number) {
    if (number > 64)
        return fail(EINVAL);
    if (number)
        __heddle_bound("nobody is sent a signal when its parent ends (PR_SET_PDEATHSIG)");
    return 0;
}

static int set_name(const char *next) {
    memset(name, 0, sizeof name);
    memcpy(name, next, strnlen(next, sizeof name - 1));
    return 0;
}

static int get_name(char *out) {
    memcpy(out, name, sizeof name);
    return 0;
}

/* What asks has one argument alone. */
static int ask(int what) {
    switch (what) {
    case PR_GET_DUMPABLE:
        return is_dumpable;
    case PR_GET_KEEPCAPS:
        return keeps_rights;
    case PR_GET_NO_NEW_PRIVS:
        return gets_none;
    default:
        __heddle_bound("an option of prctl is taken for one that this Linux does not have");
        return fail(EINVAL);
    }
}

static int set(int what, unsigned long value) {
    switch (what) {
    case PR_SET_NAME:
        return set_name((const char *)value);
    case PR_GET_NAME:
        return get_name((char *)value);
    case PR_SET_DUMPABLE:
        return set_flag(&is_dumpable, value);
    case PR_SET_KEEPCAPS:
        return set_flag(&keeps_rights, value);
    case PR_SET_NO_NEW_PRIVS:
        gets_none |= value == 1;
        return value == 1 ? 0 : fail(EINVAL);
    default:
        return end_with_parent(value);
    }
}

WEAK int prctl(int what, ...) {
    if (what != PR_SET_NAME && what != PR_GET_NAME && what != PR_SET_DUMPABLE &&
        what != PR_SET_KEEPCAPS && what != PR_SET_NO_NEW_PRIVS && what != PR_SET_PDEATHSIG)
        return ask(what);
    va_list more;
    va_start(more, what);
    unsigned long value = va_arg(more, unsigned long);
    va_end(more);
    return set(what, value);
}

/* ---- the clock ---- */

static int keep_clock(void) {
    if (geteuid() != 0)
        return fail(EPERM);
    __heddle_bound("the clock is not set: it goes on as it was");
    return 0;
}

WEAK int clock_settime(clockid_t clock, const struct timespec *t) {
    if (clock != CLOCK_REALTIME || t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec >= 1000000000)
        return fail(EINVAL);
    return keep_clock();
}

WEAK int settimeofday(const struct timeval *t, const struct timezone *zone) {
    (void)zone;
    if (t && (t->tv_sec < 0 || t->tv_usec < 0 || t->tv_usec >= 1000000))
        return fail(EINVAL);
    return t ? keep_clock() : 0;
}

#define MOST_SECONDS (INT_MAX / 1000000 - 2) /* by which the library lets a clock be moved */

/* Nothing of what was asked for is still to be done. */
WEAK int adjtime(const struct timeval *by, struct timeval *left) {
    long seconds = by ? by->tv_sec + by->tv_usec / 1000000 : 0;
    if (seconds > MOST_SECONDS || seconds < -MOST_SECONDS)
        return fail(EINVAL);
    if (left)
        left->tv_sec = left->tv_usec = 0;
    return by && (by->tv_sec || by->tv_usec) ? keep_clock() : 0;
}

static struct timex clock_state;

WEAK int adjtimex(struct timex *x) {
    unsigned modes = x->modes;
    if (modes && keep_clock() != 0)
        return -1;
    if (modes & ADJ_FREQUENCY)
        clock_state.freq = x->freq;
    if (modes & ADJ_STATUS)
        clock_state.status = x->status;
    if (modes & ADJ_TICK)
        clock_state.tick = x->tick;
    *x = clock_state;
    x->modes = modes;
    x->tick = x->tick ? x->tick : 10000;
    gettimeofday(&x->time, NULL);
    return TIME_OK;
}

WEAK int ntp_adjtime(struct timex *x) {
    return adjtimex(x);
}

WEAK int clock_adjtime(clockid_t clock, struct timex *x) {
    return clock == CLOCK_REALTIME ? adjtimex(x) : fail(EINVAL);
}
