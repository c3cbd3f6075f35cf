/* memcpy.c -- memcpy and its like when they are called as functions (through a pointer, or
 * with -fno-builtin).  The work is done by an intrinsic, which is instrumented as a block
 * operation; the names differ because the intrinsic becomes a call of the host's memcpy. */
#include <stddef.h>

void *__hd_model_memcpy(void *to, const void *from, size_t n) {
    return __builtin_memcpy(to, from, n);
}

void *__hd_model_memmove(void *to, const void *from, size_t n) {
    return __builtin_memmove(to, from, n);
}

void *__hd_model_memset(void *to, int byte, size_t n) {
    return __builtin_memset(to, byte, n);
}
