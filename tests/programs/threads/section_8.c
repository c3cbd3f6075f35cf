/* Paper 002, section 8: x = 1; x = 2 beside y = 3; x = 4.  Six orders, three classes: x = 4 before,
 * between or after the other two.  Flipping races alone finds all six.
 *
 * run: --por none
 * verdict: complete
 * executions: 6
 * paths: 3
 *
 * run: --por flip
 * verdict: complete
 * executions: 6
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
 * executions: 6
 * paths: 3
 *
 * run: --por flip -DJOIN
 * verdict: complete
 * executions: 6
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

static atomic_int x, y;

static void *second(void *unused) {
    atomic_store(&y, 3);
    atomic_store(&x, 4);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, second, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
#ifdef JOIN
    pthread_join(thread, NULL);
#endif
    return 0;
}
