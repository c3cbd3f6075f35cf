/* Paper 002, Fig. 22: three threads read x, which nobody writes.  Reads commute: one class, but six
 * if one pretends that they do not (note iv of the hand checks).
 *
 * run: --por none
 * verdict: complete
 * executions: 6
 * paths: 1
 *
 * run: --por flip
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: --por dpor
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: --por optimal
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: --por none --reads-conflict
 * verdict: complete
 * executions: 6
 * paths: 6
 *
 * run: --por flip --reads-conflict
 * verdict: complete
 * executions: 6
 * paths: 6
 *
 * run: --por dpor --reads-conflict
 * verdict: complete
 * executions: 6
 * paths: 6
 *
 * run: --por optimal --reads-conflict
 * verdict: complete
 * executions: 6
 * paths: 6
 *
 * run: --por none -DJOIN
 * verdict: complete
 * executions: 6
 * paths: 1
 *
 * run: --por flip -DJOIN
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: --por dpor -DJOIN
 * verdict: complete
 * executions: 1
 * paths: 1
 *
 * run: --por optimal -DJOIN
 * verdict: complete
 * executions: 1
 * paths: 1 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x = 5;

static void *reader(void *unused) {
    (void)atomic_load(&x);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    (void)atomic_load(&x);
#ifdef JOIN
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#endif
    return 0;
}
