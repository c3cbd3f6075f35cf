/* One thread frees what another still uses: a race, and in one order an access to freed memory.
 *
 * run: --no-races
 * verdict: complete
 * paths: 2
 * finding: use-after-free 1
 *
 * run: -DJOIN_FIRST
 * verdict: complete
 * paths: 1 */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *shared) {
    *(volatile int *)shared = 1; // BUG use-after-free
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *shared = malloc(sizeof *shared);
    pthread_create(&thread, NULL, work, shared);
#ifdef JOIN_FIRST
    pthread_join(thread, NULL);
    free(shared);
#else
    free(shared);
    pthread_join(thread, NULL);
#endif
    return 0;
}
