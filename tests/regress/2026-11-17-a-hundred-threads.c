/* Threads one after the other counted as if they were there together: the 64th ended the execution.
 *
 * run:
 * verdict: complete
 * paths: 1
 *
 * run: --por dpor
 * verdict: complete
 * paths: 1
 *
 * run: --por none
 * verdict: complete
 * paths: 1 */
#include <pthread.h>

static void *work(void *p) {
    return p;
}

int main(void) {
    for (int i = 0; i < 100; i++) {
        pthread_t t;
        pthread_create(&t, 0, work, 0);
        pthread_join(t, 0);
    }
    return 0;
}
