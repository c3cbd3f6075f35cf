/* Two threads free the same block, unless an atomic exchange says who.
 *
 * run: --no-races
 * verdict: complete
 * finding: double-free
 *
 * run: -DEXCHANGE
 * verdict: complete
 * paths: 2 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *drop(void *unused) {
#ifdef EXCHANGE
    int *mine = atomic_exchange(&shared, NULL);
#else
    int *mine = atomic_load(&shared);
    atomic_store(&shared, NULL);
#endif
    free(mine); // BUG double-free
    return unused;
}

int main(void) {
    pthread_t thread;
    atomic_store(&shared, malloc(sizeof(int)));
    pthread_create(&thread, NULL, drop, NULL);
    drop(NULL);
    pthread_join(thread, NULL);
    return 0;
}
