/* Data races wherever memory is: in the heap, on another thread's stack, in a library function,
 * with an atomic access.
 *
 * run: -DHEAP
 * verdict: complete
 * paths: 2
 * finding: data-race 1
 *
 * run: -DSTACK
 * verdict: complete
 * paths: 2
 * finding: data-race 1
 *
 * run: -DLIBRARY
 * verdict: complete
 * paths: 2
 * finding: data-race 1
 *
 * run: -DMIXED
 * verdict: complete
 * paths: 2
 * finding: data-race 1 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *shared) {
#ifdef LIBRARY
    memset(shared, 1, 8); // BUG data-race
#else
    *(volatile int *)shared = 1; // BUG data-race
#endif
    return NULL;
}

int main(void) {
    pthread_t thread;
    int local[2] = {0, 0};
#ifdef HEAP
    int *shared = calloc(2, sizeof *shared);
#else
    int *shared = local;
#endif
    pthread_create(&thread, NULL, work, shared);
#ifdef MIXED
    atomic_store((atomic_int *)shared, 2); // BUG data-race
#else
    *(volatile int *)shared = 2; // BUG data-race
#endif
    pthread_join(thread, NULL);
    (void)local;
#ifdef HEAP
    free(shared);
#endif
    return 0;
}
