/* Shared memory of nearly all bytes that there are was rounded up to none, and given out.
 *
 * run:
 * verdict: incomplete
 * reason: of shared memory are too many */
#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

int main(void) {
    void *p = mmap(NULL, (size_t)-1, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(p == MAP_FAILED);
    return 0;
}
