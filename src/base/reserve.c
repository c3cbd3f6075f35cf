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

void hd_reserve_clear(void *at, size_t size) {
    madvise(at, size, MADV_DONTNEED);
}
