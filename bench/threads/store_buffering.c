/* Store buffering (SB): each of two threads writes its own flag and reads the other's.
 *
 * Under sequential consistency at least one of the first reads sees a write.  More rounds: the
 * threads write increasing numbers; each read sees one of the other's numbers so far.
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
static int seen_x, seen_y; /* by the last read */

static void *left(void *unused) {
    int seen = 0;
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_store(&x, i);
        seen = atomic_load(&y);
    }
    seen_y = seen;
    return unused;
}

static void *right(void *unused) {
    int seen = 0;
    for (int i = 1; i <= ROUNDS; i++) {
        atomic_store(&y, i);
        seen = atomic_load(&x);
    }
    seen_x = seen;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_x == ROUNDS || seen_y == ROUNDS);
    return 0;
}
