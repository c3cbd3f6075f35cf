/* A state behind many orders: one thread writes x and y ROUNDS times under a lock, a second one
 * clears y under it and goes on without it if it sees x, a third looks at both.  What the third
 * must not see never is, which takes all orders to say.
 *
 * paths: -DROUNDS=1 -> 15
 * paths: -DROUNDS=5 -> 2505 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef ROUNDS
#define ROUNDS 3
#endif

static atomic_int x, y;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *rounds(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        atomic_store(&x, 1);
        atomic_store(&y, 1);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *middle(void *unused) {
    pthread_mutex_lock(&lock);
    atomic_store(&y, 0);
    pthread_mutex_unlock(&lock);
    if (atomic_load(&x) > 0) {
        atomic_store(&y, atomic_load(&y) + 1);
        atomic_store(&x, 2);
    }
    return unused;
}

static void *look(void *unused) {
    if (atomic_load(&x) > 1)
        assert(atomic_load(&y) != 3);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, rounds, NULL);
    pthread_create(&threads[1], NULL, middle, NULL);
    pthread_create(&threads[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
