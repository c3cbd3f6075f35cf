/* atomic.c -- what clang calls for atomic objects that no instruction can handle: structs of odd
 * sizes, and those of 16 bytes.
 *
 * Each function is one event: it announces its access of the object, and touches no other memory
 * that threads may share between that and the access itself. */
#include "program/abi.h"

#include <stdbool.h>
#include <stddef.h>

/* The names are clang's own, and cannot be defined directly. */
#pragma redefine_extname model_load __atomic_load
#pragma redefine_extname model_store __atomic_store
#pragma redefine_extname model_exchange __atomic_exchange
#pragma redefine_extname model_compare_exchange __atomic_compare_exchange
#pragma redefine_extname model_is_lock_free __atomic_is_lock_free

#define UPDATE (HD_SHARED_WRITE | HD_SHARED_ATOMIC | HD_SHARED_UPDATE)

/* Known to the compiler: the access that follows, through the result, is an event. */
void *__hd_announce(const void *p, size_t n, unsigned how);

void model_load(size_t n, const void *object, void *result, int order);
void model_store(size_t n, void *object, const void *value, int order);
void model_exchange(size_t n, void *object, const void *value, void *result, int order);
bool model_compare_exchange(size_t n, void *object, void *expected, const void *desired,
                            int success, int failure);
bool model_is_lock_free(size_t n, const void *object);

void model_load(size_t n, const void *object, void *result, int order) {
    char held[n];
    __builtin_memcpy(held, __hd_announce(object, n, HD_SHARED_ATOMIC | (unsigned)order << 8), n);
    __builtin_memcpy(result, held, n);
}

void model_store(size_t n, void *object, const void *value, int order) {
    char held[n];
    __builtin_memcpy(held, value, n);
    unsigned how = HD_SHARED_WRITE | HD_SHARED_ATOMIC | (unsigned)order << 8;
    __builtin_memcpy(__hd_announce(object, n, how), held, n);
}

void model_exchange(size_t n, void *object, const void *value, void *result, int order) {
    char old[n], new[n];
    __builtin_memcpy(new, value, n);
    char *p = __hd_announce(object, n, UPDATE | (unsigned)order << 8);
    __builtin_memcpy(old, p, n);
    __builtin_memcpy(p, new, n);
    __builtin_memcpy(result, old, n);
}

static bool is_equal(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool model_compare_exchange(size_t n, void *object, void *expected, const void *desired,
                            int success, int failure) {
    char wanted[n], new[n], old[n];
    (void)failure; /* an event has one order */
    __builtin_memcpy(wanted, expected, n);
    __builtin_memcpy(new, desired, n);
    char *p = __hd_announce(object, n, UPDATE | (unsigned)success << 8);
    __builtin_memcpy(old, p, n);
    bool is_same = is_equal(old, wanted, n);
    if (is_same)
        __builtin_memcpy(p, new, n);
    else
        __builtin_memcpy(expected, old, n);
    return is_same;
}

bool model_is_lock_free(size_t n, const void *object) {
    for (size_t word = 1; word <= 8; word *= 2)
        if ((size_t)object % word + n <= word) /* in one that there are instructions for */
            return true;
    return false;
}
