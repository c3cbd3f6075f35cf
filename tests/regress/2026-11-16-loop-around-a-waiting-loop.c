/* A lock that is tried when it looks free: one waiting loop inside another.  The attempts that fail
 * change nothing (they store what is there already), so the outer loop waits like the inner one, and
 * the executions with such attempts are no classes.  It was never recognised, because only the inner
 * loop was followed.  By hand: the one who is second looks before the first takes the lock, or after
 * he has given it back: 2 for each of the 2 orders.
 *
 * run: --por none
 * verdict: complete
 * paths: 4
 *
 * run: --por flip
 * verdict: complete
 * paths: 4
 *
 * run: --por dpor
 * verdict: complete
 * paths: 4
 *
 * run:
 * verdict: complete
 * paths: 4 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int is_taken;
static int owner;

static void *work(void *number) {
    for (;;) {
        while (is_taken)
            ;
        if (atomic_exchange(&is_taken, 1) == 0)
            break;
    }
    owner = (int)(intptr_t)number;
    assert(owner == (int)(intptr_t)number);
    is_taken = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
