/* Threads make threads: seven in a binary tree, whose leaves add to one counter: 4! orders.
 *
 * run:
 * verdict: complete
 * paths: 24 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static atomic_int leaves;

static void *grow(void *height) {
    pthread_t branches[2];
    if (!height) {
        atomic_fetch_add(&leaves, 1);
        return NULL;
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&branches[i], NULL, grow, (void *)((intptr_t)height - 1));
    for (int i = 0; i < 2; i++)
        pthread_join(branches[i], NULL);
    return NULL;
}

int main(void) {
    grow((void *)2);
    assert(leaves == 4);
    return 0;
}
