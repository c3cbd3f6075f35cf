/* heddle.h for other tools: what bench programs say to Heddle, in the words of KLEE, or as plain C.
 *
 * bench/peers puts this file in front of include/heddle.h. */
#ifndef HEDDLE_PEER_H
#define HEDDLE_PEER_H
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef PEER_KLEE
void klee_make_symbolic(void *p, size_t n, const char *name);
void klee_assume(uintptr_t condition);
#define heddle_input(x)             klee_make_symbolic(&(x), sizeof(x), #x)
#define heddle_bytes(p, n, name)    klee_make_symbolic(p, n, name)
#define heddle_assume(condition)    klee_assume((condition) ? 1 : 0)
static inline long heddle_choose(long lo, long hi) {
    long x;
    klee_make_symbolic(&x, sizeof x, "choice");
    klee_assume((lo <= x) & (x <= hi));
    return x;
}
#endif
#define heddle_assert(condition) assert(condition)
#define heddle_reach(label)      ((void)0)
#endif
