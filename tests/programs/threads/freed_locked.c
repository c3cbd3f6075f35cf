/* A block that is freed, or moved, while a lock in it is held.
 *
 * run: -DWAY=0
 * verdict: complete
 * finding: destroyed-locked
 *
 * run: -DWAY=1
 * verdict: complete
 * finding: destroyed-locked
 *
 * run: -DWAY=2
 * verdict: complete */
#include <pthread.h>
#include <stdlib.h>

struct guarded {
    pthread_mutex_t lock;
    int value;
};

int main(void) {
    struct guarded *g = calloc(1, sizeof *g);
    pthread_mutex_init(&g->lock, NULL);
    pthread_mutex_lock(&g->lock);
#if WAY == 0
    free(g); // BUG destroyed-locked
#elif WAY == 1
    free(realloc(g, 4096)); // BUG destroyed-locked
#else
    pthread_mutex_unlock(&g->lock);
    free(g);
#endif
    return 0;
}
