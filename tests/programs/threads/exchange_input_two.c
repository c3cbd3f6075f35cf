/* Two places: with source sets and sleep sets alone some orders of the exchanges are run twice or
 * stopped, because whether one succeeds is not known before it is run.
 *
 * run:
 * verdict: complete
 * executions: 7
 * paths: 7
 *
 * run: --por dpor
 * verdict: complete
 * paths: 7
 *
 * run: --por flip
 * verdict: complete
 * paths: 7
 *
 * run: --por none
 * verdict: complete
 * paths: 7 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int left, right;
static int stored;

static void *exchange_left(void *unused) {
    int expected = 1;
    atomic_compare_exchange_strong(&left, &expected, 2);
    return unused;
}

static void *exchange_right(void *unused) {
    int expected = 0;
    atomic_compare_exchange_strong(&right, &expected, stored);
    return unused;
}

static void *store_and_exchange(void *unused) {
    int expected = 1;
    atomic_store(&left, stored);
    atomic_compare_exchange_strong(&right, &expected, 2);
    return unused;
}

int main(void) {
    void *(*const work[])(void *) = {exchange_left, exchange_right, store_and_exchange};
    pthread_t threads[3];
    heddle_input(stored);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
