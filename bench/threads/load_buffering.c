/* Load buffering (LB): each of two threads reads one variable and then writes the other.
 *
 * Under sequential consistency not both first reads can see a write that follows them.
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
static int first_x, first_y;

static void *left(void *unused) {
    for (int i = 1; i <= ROUNDS; i++) {
        int seen = atomic_load(&x);
        atomic_store(&y, i);
        if (i == 1)
            first_x = seen;
    }
    return unused;
}

static void *right(void *unused) {
    for (int i = 1; i <= ROUNDS; i++) {
        int seen = atomic_load(&y);
        atomic_store(&x, i);
        if (i == 1)
            first_y = seen;
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first_x == 0 || first_y == 0);
    return 0;
}
