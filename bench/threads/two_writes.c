/* 2+2W: two threads write the same two variables in opposite orders.
 *
 * The first writes of both cannot both be the last of their variable.
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

static atomic_int x, y;

static void *left(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store(&x, 1);
        atomic_store(&y, 2);
    }
    return unused;
}

static void *right(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        atomic_store(&y, 1);
        atomic_store(&x, 2);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!(atomic_load(&x) == 1 && atomic_load(&y) == 1));
    return 0;
}
