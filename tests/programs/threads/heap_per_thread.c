/* Blocks of the heap that threads keep to themselves are nobody else's business: one class, and the
 * addresses do not depend on the order.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: --por dpor
 * verdict: complete
 * paths: 1 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
    int *mine = malloc(8 * sizeof *mine);
    for (int i = 0; i < 8; i++)
        mine[i] = i;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += mine[i];
    assert(sum == 28);
    free(mine);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
