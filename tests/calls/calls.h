/* calls.h -- programs that print every call they make with what comes of it: the same under Heddle
 * as on Linux, where tests/calls.sh runs them too.
 *
 * No inputs, and one order only: what another process does is waited for.  Nothing is printed that
 * is another one in each process: addresses, numbers of processes, the time. */
#ifndef HD_CALLS_H
#define HD_CALLS_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What was left open by those who started us is none of the program's. */
static pid_t first_process;
static __attribute__((constructor)) void begin(void) {
#ifndef HEDDLE
    closefrom(3);
#endif
    first_process = getpid();
}
/* What comes behind this line is not the program's. */
static __attribute__((destructor)) void end(void) {
    if (getpid() == first_process)
        printf("-- end\n");
}

/* Called from thousands of places: in each of them they would cost more to compile than to call. */
#define APART static __attribute__((unused, noinline))

/* A result, and the error if there is one: also beside results that are none. */
APART void say(int line, const char *what, long result) {
    int error = errno;
    printf("%d %s = %ld%s%s\n", line, what, result, error ? " " : "", error ? strerror(error) : "");
    fflush(stdout);
    errno = 0;
}
APART void fresh(void) {
    errno = 0;
}
#define T(call)                                                                                    \
    do {                                                                                           \
        fresh();                                                                                   \
        long result_ = (long)(call);                                                               \
        say(__LINE__, #call, result_);                                                             \
    } while (0)
/* A pointer: only whether it is one. */
#define TP(call)                                                                                   \
    do {                                                                                           \
        fresh();                                                                                   \
        long result_ = (call) != NULL;                                                             \
        say(__LINE__, #call, result_);                                                             \
    } while (0)

/* Bytes, of which there may be none. */
APART void show(const char *name, const void *p, long n) {
    printf("  %s:", name);
    for (long i = 0; i < n; i++)
        printf(" %02x", ((const unsigned char *)p)[i]);
    printf("\n");
}
APART void show_text(const char *name, const char *s) {
    printf("  %s '%s'\n", name, s ? s : "(null)");
}
/* What can be read from d without waiting. */
APART void show_ready(int d) {
    char b[256];
    int flags = fcntl(d, F_GETFL);
    fcntl(d, F_SETFL, flags | O_NONBLOCK);
    errno = 0;
    long n = read(d, b, sizeof b);
    say(0, "what is there", n);
    show("bytes", b, n);
    fcntl(d, F_SETFL, flags);
}
#endif
