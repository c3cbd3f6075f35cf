/* sanitizer_maker.h -- writing one case: the random choices, and the lines of its function. */
#ifndef HD_TESTS_SANITIZER_MAKER_H
#define HD_TESTS_SANITIZER_MAKER_H
#include "base/text.h"

#include <stdint.h>

typedef struct maker {
    hd_text *out;
    hd_text *before; /* what stands before the function */
    uint64_t random;
    unsigned number; /* of the case */
} maker;

/* A number less than n; one of n words. */
unsigned drawn_below(maker *m, unsigned n);
const char *one_of(maker *m, const char *const *words, unsigned n);
#define ONE_OF(m, ...)                                                                             \
    one_of(m, (const char *const[]){__VA_ARGS__},                                                  \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
void line(maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* sanitizer_undefined.c: shapes of undefined behaviour that is no access outside of an object, and
 * how often each is used. */
#define UNDEFINED_SHAPES(X)                                                                        \
    X(misaligned, 2)                                                                               \
    X(inexact, 1)                                                                                  \
    X(untrue, 1)                                                                                   \
    X(forbidden, 1)                                                                                \
    X(stepped, 2)                                                                                  \
    X(memberless, 2)                                                                               \
    X(miscalled, 1)                                                                                \
    X(tabled, 1)                                                                                   \
    X(overlapping, 2)                                                                              \
    X(impossible, 1)
#define X(name, weight) void name(maker *m);
UNDEFINED_SHAPES(X)
#undef X
/* sweep_cases.c: loops over arrays. */
void swept(maker *m);
/* print_cases.c, lost_cases.c: printing functions; what library functions allocate. */
void printed(maker *m);
void forgotten(maker *m);
/* literal_cases.c: the shape of a program of its own, because clang's sanitizers do not know it. */
void literal(maker *m);
#endif
