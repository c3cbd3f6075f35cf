/* verifier.c -- the functions that existing harnesses call for their inputs (SV-COMP's
 * __VERIFIER_nondet_*, KLEE's klee_*), said in Heddle's own words. */
#include <heddle.h>
#include <stdint.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))

#define NONDET(type, suffix)                                                                       \
    type __VERIFIER_nondet_##suffix(void);                                                         \
    WEAK type __VERIFIER_nondet_##suffix(void) {                                                   \
        static type *heddle_type_marker;                                                           \
        type x;                                                                                    \
        __heddle_input(&x, sizeof x, #suffix, &heddle_type_marker);                                \
        return x;                                                                                  \
    }
NONDET(_Bool, bool)
NONDET(char, char)
NONDET(unsigned char, uchar)
NONDET(unsigned char, u8)
NONDET(short, short)
NONDET(unsigned short, ushort)
NONDET(unsigned short, u16)
NONDET(int, int)
NONDET(unsigned, uint)
NONDET(unsigned, unsigned)
NONDET(unsigned, u32)
NONDET(long, long)
NONDET(unsigned long, ulong)
NONDET(long long, longlong)
NONDET(unsigned long long, ulonglong)
NONDET(size_t, size_t)
NONDET(long, loff_t)
NONDET(long, ssize_t)
NONDET(unsigned long, sector_t)
NONDET(unsigned long, pthread_t)
NONDET(signed char, S8)
NONDET(unsigned char, U8)
NONDET(short, S16)
NONDET(unsigned short, U16)
NONDET(int, S32)
NONDET(unsigned, U32)
NONDET(long, S64)
NONDET(unsigned long, U64)
NONDET(unsigned long, u64)
NONDET(signed char, schar)
NONDET(unsigned char, unsigned_char)
NONDET(unsigned, unsigned_int)
NONDET(char *, charp)
NONDET(char *, pchar)
NONDET(void *, pointer)
NONDET(float, float)
NONDET(double, double)

void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition) {
    __heddle_assume(condition);
}

void __VERIFIER_assert(int condition);
WEAK void __VERIFIER_assert(int condition) {
    if (!condition)
        __heddle_assert_failed("__VERIFIER_assert", "", 0, "");
}

void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void) {
    __heddle_assert_failed("__VERIFIER_error", "", 0, "");
}

void reach_error(void);
WEAK void reach_error(void) {
    __heddle_assert_failed("reach_error", "", 0, "");
}

void klee_make_symbolic(void *at, size_t n, const char *name);
WEAK void klee_make_symbolic(void *at, size_t n, const char *name) {
    heddle_bytes(at, n, name);
}

void klee_assume(uintptr_t condition);
WEAK void klee_assume(uintptr_t condition) {
    __heddle_assume(condition != 0);
}

int klee_int(const char *name);
WEAK int klee_int(const char *name) {
    int x;
    heddle_bytes(&x, sizeof x, name);
    return x;
}

int klee_range(int low, int end, const char *name);
WEAK int klee_range(int low, int end, const char *name) {
    int x = klee_int(name);
    __heddle_assume((x >= low) & (x < end));
    return x;
}

void klee_silent_exit(int status);
WEAK void klee_silent_exit(int status) {
    (void)status;
    __heddle_assume(0);
    abort();
}

unsigned klee_is_symbolic(uintptr_t x);
WEAK unsigned klee_is_symbolic(uintptr_t x) {
    (void)x;
    return 0;
}

unsigned klee_is_replay(void);
WEAK unsigned klee_is_replay(void) {
    return 0;
}

void klee_prefer_cex(void *object, uintptr_t condition);
WEAK void klee_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    (void)condition;
}
