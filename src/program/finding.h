/* finding.h -- what can be wrong with an execution of the tested program: data, not errors.
 *
 * Every finding was seen in a real execution; its inputs replay it. */
#ifndef HD_PROGRAM_FINDING_H
#define HD_PROGRAM_FINDING_H
#include <stdbool.h>
#include <stdint.h>

/* name in reports and JSON, and the words for people */
#define HD_FINDING_KINDS(X)                                                                        \
    X(ASSERTION, "assertion", "assertion failed")                                                  \
    X(ABORT, "abort", "the program aborted")                                                       \
    X(SIGNAL, "signal", "the program was ended by a signal")                                       \
    X(NULL_POINTER, "null-pointer", "null pointer dereference")                                    \
    X(OUT_OF_BOUNDS, "out-of-bounds", "access outside any object")                                 \
    X(USE_AFTER_FREE, "use-after-free", "access to freed memory")                                  \
    X(USE_AFTER_RETURN, "use-after-return", "access to a local of a function that returned")       \
    X(USE_AFTER_SCOPE, "use-after-scope", "access to a local whose scope has ended")               \
    X(MEMBER_BOUNDS, "member-bounds", "index outside an array inside of an object")                \
    X(BAD_FREE, "bad-free", "free of something that is not an allocated block")                    \
    X(DOUBLE_FREE, "double-free", "block freed twice")                                             \
    X(LEAK, "leak", "memory leak")                                                                 \
    X(READ_ONLY, "read-only", "write to read-only memory")                                         \
    X(DIVISION_BY_ZERO, "division-by-zero", "division by zero")                                    \
    X(OVERFLOW, "overflow", "signed integer overflow")                                             \
    X(BAD_SHIFT, "bad-shift", "shift by a negative or too large amount")                           \
    X(MISALIGNED, "misaligned", "access at an address that its type does not allow")               \
    X(POINTER_OVERFLOW, "pointer-overflow", "pointer arithmetic from null, or out of all memory")  \
    X(FLOAT_OVERFLOW, "float-overflow", "floating-point value that does not fit its new type")     \
    X(BAD_VALUE, "bad-value", "a value that its type does not have")                               \
    X(NULL_ARGUMENT, "null-argument", "null pointer where the declaration forbids it")             \
    X(WRONG_FUNCTION, "wrong-function", "function called as one of another type")                  \
    X(WRONG_GOTO, "wrong-goto", "computed goto to something that is no label of the function")     \
    X(MISSING_ARGUMENT, "missing-argument", "va_arg beyond the arguments that were passed")        \
    X(OVERLAP, "overlap", "copy between objects that overlap")                                     \
    X(UNDEFINED, "undefined", "undefined behaviour")                                               \
    X(UNINITIALISED, "uninitialised", "a decision on memory that was never written")               \
    X(NON_TERMINATION, "non-termination", "a state that repeats: no end")                          \
    X(STACK_OVERFLOW, "stack-overflow", "stack exhausted")                                         \
    X(EXIT_STATUS, "exit-status", "the program ended with a non-zero status")                      \
    X(LOST_WORKER, "lost-worker", "the execution took its worker process down")                    \
    X(DEADLOCK, "deadlock", "no thread can go on")                                                 \
    X(LOST_WAKEUP, "lost-wakeup", "a thread waits for a signal that was given before it waited")   \
    X(LIVELOCK, "livelock", "threads wait in loops for what nobody will change, or only give way") \
    X(DATA_RACE, "data-race", "two threads access the same memory at once, and one writes")        \
    X(BAD_UNLOCK, "bad-unlock", "unlock by a thread that does not hold the lock")                  \
    X(BAD_LOCK, "bad-lock", "wrong use of a synchronisation object")                               \
    X(DESTROYED_LOCKED, "destroyed-locked", "a lock was destroyed or freed while in use")          \
    X(BAD_THREAD, "bad-thread", "wrong use of a thread")                                           \
    X(THREAD_LEAK, "thread-leak", "a thread was neither joined nor detached")                      \
    X(ERROR, "error", "an actor called heddle_error")                                              \
    X(BAD_MESSAGE, "bad-message", "wrong use of messages or processes")                            \
    X(ORPHAN, "orphan", "a message that nobody receives, or data that nobody reads")               \
    X(FORBIDDEN, "forbidden", "something that tested programs may not do to this machine")

typedef enum hd_finding_kind {
    HD_FINDING_NONE,
#define X(name, text, words) HD_FINDING_##name,
    HD_FINDING_KINDS(X)
#undef X
        HD_N_FINDING_KINDS
} hd_finding_kind;

/* "assertion", ...; "none" for HD_FINDING_NONE. */
const char *hd_finding_kind_name(hd_finding_kind kind);
const char *hd_finding_kind_words(hd_finding_kind kind);

/* Is the file one of Heddle's own models of the C library?  What goes wrong there was caused by
 * its caller, so findings are placed there. */
bool hd_finding_is_model(const char *file);

#define HD_MAX_STACK 64
typedef struct hd_finding {
    hd_finding_kind kind;
    char message[1024]; /* one line for people: "assertion 'x > 0' failed" */
    char file[256];     /* where, as the debug information says; "" if unknown */
    char function[128];
    uint32_t line;
    uint32_t n_stack;
    uint64_t stack[HD_MAX_STACK]; /* program counters, innermost first */
} hd_finding;

/* The hash of a finding's kind and of all places of its stack: another way to the same place is
 * another finding, but another depth of a recursion is not. */
uint64_t hd_finding_signature(const hd_finding *f);
/* Are both of one kind and at one place, whatever the way there? */
bool hd_finding_is_alike(const hd_finding *a, const hd_finding *b);
#endif
