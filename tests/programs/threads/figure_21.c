/* Paper 002, Fig. 21: x = 1, y = 4 and x = 2 in three threads.  Only the order of the writes of x
 * matters; flipping races postpones the first thread and must go on with the second.
 *
 * run: --por none
 * verdict: complete
 * executions: 6
 * paths: 2
 *
 * run: --por flip
 * verdict: complete
 * executions: 3
 * paths: 2
 *
 * run: --por dpor
 * verdict: complete
 * executions: 2
 * paths: 2
 *
 * run: --por optimal
 * verdict: complete
 * executions: 2
 * paths: 2
 *
 * run: --por none -DJOIN
 * verdict: complete
 * executions: 6
 * paths: 2
 *
 * run: --por flip -DJOIN
 * verdict: complete
 * executions: 3
 * paths: 2
 *
 * run: --por dpor -DJOIN
 * verdict: complete
 * executions: 2
 * paths: 2
 *
 * run: --por optimal -DJOIN
 * verdict: complete
 * executions: 2
 * paths: 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;

static void *second(void *unused) {
    atomic_store(&y, 4);
    return unused;
}

static void *third(void *unused) {
    atomic_store(&x, 2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, second, NULL);
    pthread_create(&b, NULL, third, NULL);
    atomic_store(&x, 1);
#ifdef JOIN
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#endif
    return 0;
}
