/* scarce.c -- memory that runs out at one moment: loaded before the C library (tests/failing.sh).
 *
 * The n-th allocation of the process that Heddle begins as fails, once; n is FAIL_AT in the environment, and allocations
 * count from when main begins, which ignores a signal first.  Without FAIL_AT their number is written to the file
 * FAIL_COUNT in the end.  Children allocate as ever. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

static atomic_long counted = -1; /* not begun */
static long fails_at;
static pid_t mine;

static void tell(void) {
    const char *file = getenv("FAIL_COUNT");
    FILE *out = file && getpid() == mine ? fopen(file, "w") : NULL;
    if (out) {
        fprintf(out, "%ld\n", (long)counted);
        fclose(out);
    }
}

sighandler_t signal(int number, sighandler_t handler) {
    static sighandler_t (*next)(int, sighandler_t);
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "signal");
        fails_at = atol(getenv("FAIL_AT") ? getenv("FAIL_AT") : "0");
        mine = getpid();
        atexit(tell);
        counted = 0;
    }
    return next(number, handler);
}

static int is_scarce(void) {
    if (counted < 0 || getpid() != mine)
        return 0;
    if (++counted != fails_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n) {
    return is_scarce() ? NULL : __libc_malloc(n);
}
void *calloc(size_t n, size_t size) {
    return is_scarce() ? NULL : __libc_calloc(n, size);
}
void *realloc(void *p, size_t n) {
    return is_scarce() ? NULL : __libc_realloc(p, n);
}
