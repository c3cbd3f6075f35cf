/* Shared memory of nearly all bytes that there are was rounded up to none, and given out.  What has
 * no number of pages is refused as Linux does it; what is too much for Heddle ends the execution.
 *
 * run:
 * verdict: complete
 *
 * run: -DN=(size_t)-8192
 * verdict: incomplete
 * reason: of shared memory are too many */
#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>

#ifndef N
#define N (size_t)-1
#endif

int main(void) {
    void *p = mmap(NULL, N, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert(p == MAP_FAILED && errno == ENOMEM);
    return 0;
}
