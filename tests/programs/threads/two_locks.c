/* Two threads lock a mutex, write, unlock: two orders, whatever the reduction.
 *
 * run: --por none
 * verdict: complete
 * executions: 2
 * paths: 2
 *
 * run: --por flip
 * verdict: complete
 * executions: 2
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
 * executions: 2
 * paths: 2
 *
 * run: --por flip -DJOIN
 * verdict: complete
 * executions: 2
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
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
#ifdef JOIN
    pthread_join(thread, NULL);
#endif
    return 0;
}
