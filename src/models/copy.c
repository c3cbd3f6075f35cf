/* copy.c -- memmove between two places that other threads may see, of a size that is not known
 * or large: reads and writes are events of their own, so what was read is held in a local object
 * until it is written. */
#include <stddef.h>
#include <stdint.h>

#define MAX_HELD 4096 /* as in compile/compiler/announced.c */

void __hd_model_copy_in_parts(char *to, const char *from, size_t n);

static void copy_part(char *to, const char *from, size_t n) {
    char held[MAX_HELD];
    __builtin_memcpy(held, from, n);
    __builtin_memcpy(to, held, n);
}

void __hd_model_copy_in_parts(char *to, const char *from, size_t n) {
    if (n <= MAX_HELD) {
        copy_part(to, from, n);
        return;
    }
    size_t rest = n % MAX_HELD;
    if ((uintptr_t)to <= (uintptr_t)from) {
        for (size_t at = 0; at < n - rest; at += MAX_HELD)
            copy_part(to + at, from + at, MAX_HELD);
        copy_part(to + n - rest, from + n - rest, rest);
    } else {
        copy_part(to + n - rest, from + n - rest, rest);
        for (size_t at = n - rest; at > 0; at -= MAX_HELD)
            copy_part(to + at - MAX_HELD, from + at - MAX_HELD, MAX_HELD);
    }
}
