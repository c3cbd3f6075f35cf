/* The reader wakes the exchange for the inputs for which it succeeds, and lets it sleep for the
 * others.  These still need the order in which the reader is first, then the update, then the
 * exchange that fails.
 *
 * run:
 * verdict: complete
 * executions: 37
 * paths: 37
 *
 * run: --por dpor
 * verdict: complete
 * paths: 37
 *
 * run: --por flip
 * verdict: complete
 * paths: 37
 *
 * run: --por none
 * verdict: complete
 * paths: 37 */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int place;
static int stored;

static void *exchange(void *unused) {
    int expected = 0;
    atomic_compare_exchange_strong(&place, &expected, 1);
    return unused;
}

static void *look(void *argument) {
    if (atomic_load(&place) == 0)
        return NULL;
    return argument;
}

static void *store(void *unused) {
    atomic_store(&place, stored);
    return unused;
}

static void *update(void *unused) {
    atomic_fetch_add(&place, 0);
    return unused;
}

int main(void) {
    void *(*const work[])(void *) = {exchange, look, store, update};
    pthread_t threads[4];
    heddle_input(stored);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
