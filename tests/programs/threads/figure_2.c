/* Paper 002, Fig. 2 without its input: the write of one thread falls before, between or after the
 * write and the read of the other.
 *
 * run: --por none
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por flip
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por dpor
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por optimal
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por none -DJOIN
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por flip -DJOIN
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por dpor -DJOIN
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por optimal -DJOIN
 * verdict: complete
 * executions: 3
 * paths: 3 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *second(void *unused) {
    atomic_store(&x, 2);
    (void)atomic_load(&x);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    atomic_store(&x, 3);
#ifdef JOIN
    pthread_join(thread, NULL);
#endif
    return 0;
}
