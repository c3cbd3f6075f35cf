/* A pthread spinlock is a lock: two threads, two classes.
 *
 * run:
 * verdict: complete
 * paths: 2
 *
 * run: -DTWICE
 * verdict: complete
 * finding: deadlock */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int counter;

static void *work(void *unused) {
    pthread_spin_lock(&lock); // BUG deadlock
#ifdef TWICE
    pthread_spin_lock(&lock); // BUG deadlock
#endif
    assert(pthread_spin_trylock(&lock) == EBUSY);
    counter++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL); // BUG deadlock
    assert(counter == 2);
    pthread_spin_destroy(&lock);
    return 0;
}
