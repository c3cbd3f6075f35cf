/* reserves.h -- base/reserve.h for fuzz targets: reserves are kept for the next input.
 *
 * A search has reserves of gigabytes, and AddressSanitizer maps the shadow of each anew when one is
 * made and when it is given back: that took three quarters of the time of an input.  Here a reserve
 * that was given back waits, emptied, until one of the same size is asked for.  It stands before
 * the one of the library, which is not linked then; nothing is shared with children, because there
 * are none. */
#ifndef HD_TESTS_FUZZ_RESERVES_H
#define HD_TESTS_FUZZ_RESERVES_H
#include "base/panic.h"
#include "base/reserve.h"

#include <sys/mman.h>

#define MOST_RESERVES 64
#define PAGE          4096

static struct {
    void *at;
    size_t size;
} waiting[MOST_RESERVES];

void *hd_reserve_new(size_t size, bool shared) {
    (void)shared;
    for (unsigned i = 0; i < MOST_RESERVES; i++)
        if (waiting[i].at && waiting[i].size == size) {
            void *at = waiting[i].at;
            waiting[i].at = NULL;
            return at;
        }
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);
    if (at == MAP_FAILED)
        hd_out_of_memory();
    return at;
}

void hd_reserve_free(void *at, size_t size) {
    madvise(at, size, MADV_DONTNEED);
    for (unsigned i = 0; i < MOST_RESERVES; i++)
        if (!waiting[i].at) {
            waiting[i].at = at;
            waiting[i].size = size;
            return;
        }
    munmap(at, size);
}

void *hd_reserve_at(void *address, size_t size) {
    void *at = mmap(address, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static size_t size_of_group(const size_t *sizes, size_t n) {
    size_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += (sizes[i] + PAGE - 1) / PAGE * PAGE;
    return all;
}

void hd_reserve_group_new(void **at, const size_t *sizes, size_t n, bool shared) {
    char *next = hd_reserve_new(size_of_group(sizes, n), shared);
    for (size_t i = 0; i < n; next += size_of_group(&sizes[i++], 1))
        at[i] = next;
}

void hd_reserve_group_free(void *lowest, const size_t *sizes, size_t n) {
    hd_reserve_free(lowest, size_of_group(sizes, n));
}

void hd_reserve_clear(void *at, size_t size) {
    madvise(at, size, MADV_DONTNEED);
}
#endif
