/* Every atomic operation is one step: no update is lost, whatever its order argument.
 *
 * run: -DWAY=1
 * verdict: complete
 * paths: 20
 *
 * run: -DWAY=2
 * verdict: complete
 * paths: 20
 *
 * run: -DWAY=3
 * verdict: complete
 * paths: 20 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef WAY
#define WAY 1
#endif

static atomic_int counter;
static int plain;

static void *work(void *unused) {
#if WAY == 1
    atomic_fetch_add(&counter, 3);
    counter += 2;
    atomic_fetch_sub_explicit(&counter, 1, memory_order_relaxed);
#elif WAY == 2
    __atomic_fetch_add(&plain, 3, __ATOMIC_RELAXED);
    __atomic_add_fetch(&plain, 2, __ATOMIC_ACQ_REL);
    __atomic_fetch_sub(&plain, 1, __ATOMIC_SEQ_CST);
#else
    __sync_fetch_and_add(&plain, 3);
    __sync_add_and_fetch(&plain, 2);
    __sync_fetch_and_sub(&plain, 1);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    assert(counter + plain == 8);
    return 0;
}
