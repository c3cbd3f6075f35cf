/* Unlocking what another thread holds, or what nobody holds.
 *
 * run:
 * verdict: complete
 * finding: bad-unlock 1
 *
 * run: -DFREE
 * verdict: complete
 * finding: bad-unlock 1 */
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
    pthread_mutex_unlock(&lock); // BUG bad-unlock
    return unused;
}

int main(void) {
    pthread_t thread;
#ifndef FREE
    pthread_mutex_lock(&lock);
#endif
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    return 0;
}
