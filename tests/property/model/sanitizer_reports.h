/* sanitizer_reports.h -- what goes wrong in a program, as the sanitizers of clang say it and as
 * Heddle does: classes of errors that both know, and lines. */
#ifndef HD_TESTS_SANITIZER_REPORTS_H
#define HD_TESTS_SANITIZER_REPORTS_H
#include "base/vec.h"

#include <jansson.h>
#include <stdbool.h>

/* One row per class: its name, Heddle's kinds, and words in the reports of the sanitizers, each
 * between bars.  The first row with one of its words counts. */
#define REPORT_CLASSES(X)                                                                          \
    X(BOUNDS, "bounds", "|out-of-bounds|member-bounds|",                                           \
      "|-buffer-overflow|-buffer-underflow|negative-size-param|out of bounds for type|")           \
    X(FREED, "freed", "|use-after-free|", "|heap-use-after-free|")                                 \
    X(GONE, "gone", "|use-after-return|use-after-scope|", "|stack-use-after-|")                    \
    X(BAD_FREE, "bad-free", "|bad-free|", "|attempting free on address|")                          \
    X(DOUBLE_FREE, "double-free", "|double-free|", "|attempting double-free|")                     \
    X(LEAK, "leak", "|leak|", "|detected memory leaks|")                                           \
    X(NULL_POINTER, "null or constant", "|null-pointer|read-only|",                                \
      "|load of null pointer|store to null pointer|within null pointer|SEGV|")                     \
    X(MISALIGNED, "misaligned", "|misaligned|", "|misaligned address|")                            \
    X(SHIFT, "shift", "|bad-shift|", "|shift exponent|left shift of|")                             \
    X(OVERFLOW, "overflow", "|overflow|",                                                          \
      "|signed integer overflow|negation of|cannot be represented in type|")                       \
    X(DIVISION, "division", "|division-by-zero|", "|division by zero|FPE|")                        \
    X(VALUE, "value", "|bad-value|", "|not a valid value for type|")                               \
    X(FLOAT, "float", "|float-overflow|", "|outside the range of representable|")                  \
    X(NONNULL, "nonnull", "|null-argument|", "|passed as argument|returned from function|")        \
    X(FUNCTION, "function", "|wrong-function|", "|incorrect function type|")                       \
    X(UNDEFINED, "undefined", "|undefined|",                                                       \
      "|unreachable program point|variable length array bound|passing zero to|")                   \
    X(POINTER, "pointer", "|pointer-overflow|",                                                    \
      "|to null pointer|to non-null pointer|pointer index expression|of unsigned offset|")         \
    X(OVERLAP, "overlap", "|overlap|", "|param-overlap|")                                          \
    X(UNINITIALISED, "uninitialised", "|uninitialised|", "|use-of-uninitialized-value|")

typedef enum report_class {
#define X(name, text, kinds, words) CLASS_##name,
    REPORT_CLASSES(X)
#undef X
        N_REPORT_CLASSES
} report_class;
const char *report_class_name(report_class class);

/* x: which input it was seen with, or -1. */
typedef struct report {
    report_class class;
    int line, x;
} report;
typedef hd_vec(report) reports;

/* Build `source` with the sanitizers of a compiler in the scratch folder, run it, and take what they
 * say, each once for each x; false, and a sentence on standard output, if that is not possible or not
 * understood. */
#define REPORTS_OF_CLANG "clang-19 -fsanitize=address,undefined"
#define REPORTS_OF_GCC   "gcc -fsanitize=address" /* which knows scopes of compound literals */
bool reports_native(const char *compiler, const char *source, const char *folder, reports *out);
/* What the summary of a run says; false if it has a kind that is none of the classes. */
bool reports_heddle(json_t *summary, reports *out);
bool reports_have(const reports *all, report_class class, int line, int x);
#endif
