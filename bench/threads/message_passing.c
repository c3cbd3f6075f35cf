/* Message passing (MP): who sees the flag sees the data that was written before it.
 *
 * ROUNDS messages, each with a greater number; the reader looks as often and does not wait.
 *
 * paths: -DROUNDS=1 -> 3
 * paths: -DROUNDS=2 -> 19
 * paths: -DROUNDS=3 -> 141 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#ifndef ROUNDS
#define ROUNDS 3
#endif

static atomic_int data, flag;

static void *sender(void *unused) {
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_store(&data, i);
        atomic_store(&flag, i);
    }
    return unused;
}

static void *receiver(void *unused) {
    for (int i = 1; i <= ROUNDS; i++) {
        int announced = atomic_load(&flag);
        int received = atomic_load(&data);
        assert(received >= announced);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
