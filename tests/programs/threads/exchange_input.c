/* An exchange that inputs decide is a read for those for which it fails, and a write for the
 * others: with 0 the reader comes before or after it, with all other numbers nothing is to be
 * ordered.
 *
 * run:
 * verdict: complete
 * executions: 3
 * paths: 3
 *
 * run: --por dpor
 * verdict: complete
 * paths: 3
 *
 * run: --por flip
 * verdict: complete
 * paths: 3
 *
 * run: --por none
 * verdict: complete
 * paths: 3 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int owner;

static void *take(void *unused) {
    int expected = 0;
    atomic_compare_exchange_strong(&owner, &expected, 1);
    return unused;
}

static void *look(void *unused) {
    (void)atomic_load(&owner);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    int first;
    heddle_input(first);
    owner = first;
    pthread_create(&threads[0], NULL, take, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
