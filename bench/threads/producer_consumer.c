/* Producers and consumers without waiting: a ring buffer under a lock; who finds it full or empty
 * looks again, at most ATTEMPTS times in all.
 *
 * paths: -DPRODUCERS=1 -DCONSUMERS=1 -DATTEMPTS=2 -> 6
 * paths: -DPRODUCERS=1 -DCONSUMERS=1 -DATTEMPTS=4 -> 70
 * paths: -DPRODUCERS=2 -DCONSUMERS=1 -DATTEMPTS=3 -> 1680
 * paths: -DPRODUCERS=2 -DCONSUMERS=2 -DATTEMPTS=2 -> 2520 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif
enum { CAPACITY = 2, ITEM = 42 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[CAPACITY], in, out, count;

static void *produce(void *unused) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        pthread_mutex_lock(&lock);
        if (count < CAPACITY) {
            buffer[in] = ITEM;
            in = (in + 1) % CAPACITY;
            count++;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int item = ITEM;
        pthread_mutex_lock(&lock);
        if (count > 0) {
            item = buffer[out];
            buffer[out] = 0;
            out = (out + 1) % CAPACITY;
            count--;
        }
        pthread_mutex_unlock(&lock);
        assert(item == ITEM);
    }
    return unused;
}

int main(void) {
    pthread_t threads[PRODUCERS + CONSUMERS];
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_create(&threads[i], NULL, i < PRODUCERS ? produce : consume, NULL);
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_join(threads[i], NULL);
    assert(0 <= count && count <= CAPACITY);
    return 0;
}
