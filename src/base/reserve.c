#include "base/reserve.h"

#include "base/panic.h"

#include <sys/mman.h>

void *hd_reserve_new(size_t size, bool shared) {
    int flags = (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_NORESERVE;
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED)
        hd_out_of_memory();
    madvise(at, size, MADV_DONTDUMP);
    return at;
}

void *hd_reserve_at(void *address, size_t size) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    void *at = mmap(address, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    madvise(at, size, MADV_DONTDUMP);
    return at;
}

void hd_reserve_free(void *at, size_t size) {
    munmap(at, size);
}

#define PAGE 4096

static size_t pages(size_t size) {
    return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

static size_t size_of_group(const size_t *sizes, size_t n) {
    size_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += pages(sizes[i]);
    return all;
}

void hd_reserve_group_new(void **at, const size_t *sizes, size_t n, bool shared) {
    char *next = hd_reserve_new(size_of_group(sizes, n), shared);
    for (size_t i = 0; i < n; next += pages(sizes[i++]))
        at[i] = next;
}

void hd_reserve_group_free(void *lowest, const size_t *sizes, size_t n) {
    hd_reserve_free(lowest, size_of_group(sizes, n));
}

void hd_reserve_clear(void *at, size_t size) {
    HD_CHECK((size_t)at % PAGE == 0);
    madvise(at, size, MADV_DONTNEED);
}
