/* Wrong uses of a rwlock: wanting to write while reading, unlocking what one does not hold.
 *
 * run: -DUPGRADE
 * verdict: complete
 * finding: deadlock
 *
 * run: -DNOT_HELD
 * verdict: complete
 * finding: bad-unlock 1 */
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *unused) {
#ifdef UPGRADE
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock); // BUG deadlock
#endif
    pthread_rwlock_unlock(&lock); // BUG bad-unlock
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL); // BUG deadlock
    return 0;
}
