/* timespec.h -- spans of time as programs write them, and as the machine counts them: nanoseconds.
 */
#ifndef HD_MACHINE_LIBC_TIMESPEC_H
#define HD_MACHINE_LIBC_TIMESPEC_H
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define HD_SECOND UINT64_C(1000000000)

static inline bool hd_timespec_is_valid(const struct timespec *t) {
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < (long)HD_SECOND;
}
static inline uint64_t hd_timespec_read(const struct timespec *t) {
    return HD_SECOND * (uint64_t)t->tv_sec + (uint64_t)t->tv_nsec;
}
static inline struct timespec hd_timespec_of(uint64_t ns) {
    return (struct timespec){(time_t)(ns / HD_SECOND), (long)(ns % HD_SECOND)};
}
#endif
