/* Independent reads of independent writes (IRIW): two writers, two readers that read the two
 * variables in opposite orders and must agree on which was written first.
 *
 * paths: -> 15 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x, y;
static int left_x, left_y, right_x, right_y;

static void *write_x(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *write_y(void *unused) {
    atomic_store(&y, 1);
    return unused;
}

static void *read_x_then_y(void *unused) {
    left_x = atomic_load(&x);
    left_y = atomic_load(&y);
    return unused;
}

static void *read_y_then_x(void *unused) {
    right_y = atomic_load(&y);
    right_x = atomic_load(&x);
    return unused;
}

int main(void) {
    void *(*const work[4])(void *) = {write_x, write_y, read_x_then_y, read_y_then_x};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(left_x && !left_y && right_y && !right_x));
    return 0;
}
