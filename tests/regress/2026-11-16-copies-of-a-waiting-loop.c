/* A barrier with a sense, inlined twice: the two copies of its waiting loop wait for different
 * values, and what is known about one says nothing about the other.
 *
 * run: --no-races
 * verdict: complete
 * paths: 4 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int count, sense;
static int reached[2];

static void barrier(int *local) {
    *local = !*local;
    if (atomic_fetch_add(&count, 1) == 1) {
        atomic_store(&count, 0);
        atomic_store(&sense, *local);
    } else
        while (atomic_load(&sense) != *local) {
        }
}

static void *work(void *number) {
    int i = (int)(intptr_t)number, local = 0;
    reached[i] = 1;
    barrier(&local);
    assert(reached[1 - i] == 1);
    barrier(&local);
    return number;
}

int main(void) {
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
