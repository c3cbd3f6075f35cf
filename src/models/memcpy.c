/* memcpy.c -- memcpy and its like when they are called as functions (through a pointer, or
 * with -fno-builtin).  The work is done by an intrinsic, which is instrumented as a block
 * operation; the names differ because the intrinsic becomes a call of the host's memcpy. */
#include <stddef.h>

/* By its name a check for the compiler, not a branch of the program. */
_Noreturn void __ubsan_handle_overlap(void);

/* What may overlap is the same place only, as where the program calls memcpy by its name. */
static void check_apart(const char *to, const char *from, size_t n) {
    size_t distance = (size_t)(to > from ? to - from : from - to);
    if (distance != 0 && distance < n)
        __ubsan_handle_overlap();
}

void *__hd_model_memcpy(void *to, const void *from, size_t n) {
    check_apart(to, from, n);
    return __builtin_memcpy(to, from, n);
}

void *__hd_model_memmove(void *to, const void *from, size_t n) {
    return __builtin_memmove(to, from, n);
}

void *__hd_model_memset(void *to, int byte, size_t n) {
    return __builtin_memset(to, byte, n);
}
