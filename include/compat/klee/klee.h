/* klee.h -- what harnesses written for KLEE call; the functions are in Heddle's models. */
#ifndef HEDDLE_COMPAT_KLEE_H
#define HEDDLE_COMPAT_KLEE_H
#include <heddle.h>
#include <stddef.h>
#include <stdint.h>

/* Make the n bytes at `address` inputs. */
void klee_make_symbolic(void *address, size_t n, const char *name);
/* Go on only where the condition holds. */
void klee_assume(uintptr_t condition);
/* An int from `low` to `end`, the latter not included; any int. */
int klee_range(int low, int end, const char *name);
int klee_int(const char *name);
/* End this path without a finding. */
void klee_silent_exit(int status);
unsigned klee_is_symbolic(uintptr_t x);
unsigned klee_is_replay(void);
void klee_prefer_cex(void *object, uintptr_t condition);

/* With its type a _Bool, or one inside, is 0 or 1 and no other byte. */
#define klee_make_symbolic(address, n, name)                                                       \
    __extension__({                                                                                \
        static __typeof__(*(address)) *heddle_type_marker;                                         \
        __heddle_bytes_of((void *)(address), (n), (name), &heddle_type_marker);                    \
    })

#define klee_assert(condition) heddle_assert(condition)
#endif
